//! Programs that delete what they are told of, under other names than `rm`.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::{Field, STAR, Stream};
use super::super::options::{Options, Style};

impl Eval<'_> {
    /// Programs that delete their operands, folders with all that is in them.
    pub(super) fn removers(&mut self, name: &str, arguments: &[Field], input: &Stream) {
        let verb = arguments.iter().position(|it| !it.is_option());
        let word = verb.map_or("", |at| arguments[at].text.as_str());
        let behind = verb.and_then(|at| arguments.get(at + 1..)).unwrap_or(&[]);
        match name {
            "rimraf" | "del" | "del-cli" | "trash" | "trash-put" | "rmtrash" | "gvfs-trash"
            | "gvfs-rm" | "premove" => self.delete_whole(arguments, Category::RecursiveDelete),
            "gio" if matches!(word, "trash" | "remove") => {
                self.delete_whole(behind, Category::RecursiveDelete);
            }
            "btrfs" | "bcachefs" if word.starts_with("su") => {
                if let Some((action, rest)) = behind.split_first()
                    && action.text.starts_with("de")
                {
                    self.delete_whole(rest, Category::IrrecoverableDelete);
                }
            }
            "cmake" => self.cmake(arguments, input),
            "tar" | "bsdtar" | "zip" | "7z" | "7za" | "rsync" => self.moves_away(name, arguments),
            _ => {}
        }
    }

    fn delete_whole(&mut self, arguments: &[Field], category: Category) {
        for operand in Options::of(arguments, Style::default()).operands {
            let path = self.path(operand);
            if let Some(category) = self.wiped(&path) {
                self.block(category);
            }
            self.changed(&path);
        }
        self.ask(category);
    }

    /// `cmake -E`: programs of its own, and one that runs others.
    fn cmake(&mut self, arguments: &[Field], input: &Stream) {
        let at = arguments.iter().position(|it| it.text == "-E");
        let Some((tool, rest)) = at
            .and_then(|at| arguments.get(at + 1..))
            .and_then(<[Field]>::split_first)
        else {
            return;
        };
        match tool.text.as_str() {
            "rm" | "remove" => self.remove("rm", rest),
            "remove_directory" => self.delete_whole(rest, Category::RecursiveDelete),
            "env" | "time" => {
                let program = [&[Field::new(tool.text.clone())], rest].concat();
                self.program(&program, input.clone());
            }
            "chdir" => {
                self.program(rest.get(1..).unwrap_or_default(), input.clone());
            }
            "copy" | "copy_if_different" | "copy_directory" | "rename" | "create_symlink"
            | "touch" => {
                for operand in Options::of(rest, Style::default()).operands {
                    self.written_to(operand);
                }
            }
            _ => {}
        }
    }

    /// Archivers that delete what they have packed.
    fn moves_away(&mut self, name: &str, arguments: &[Field]) {
        let removes = arguments.iter().any(|it| {
            let text = it.text.as_str();
            match name {
                "zip" => {
                    text == "--move"
                        || it.is_option() && !text.starts_with("--") && text.contains('m')
                }
                "7z" | "7za" => text == "-sdel",
                "rsync" => text == "--remove-source-files",
                _ => text.starts_with("--remove-f"),
            }
        });
        if removes {
            for operand in Options::of(arguments, Style::default()).operands {
                let path = self.path(operand);
                if let Some(category) = self.wiped(&path) {
                    self.block(category);
                }
                self.changed(&path);
            }
            self.ask(Category::BulkDelete);
        }
    }

    /// `patch` changes the files that its input names, in the folder that it is told.
    pub(super) fn patches(&mut self, arguments: &[Field]) {
        let style = Style {
            values: "dirBDFgpVYz",
            long_values: &["directory", "input", "reject-file"],
            ..Style::default()
        };
        let options = Options::of(arguments, style);
        let folder = options.values('d', "directory").next().unwrap_or(".");
        let path = self.path(&Field::new(folder));
        self.changed(&format!("{}/{STAR}", path.trim_end_matches('/')));
        if self.wiped(&path).is_some() {
            self.ask(Category::SystemConfigWrite);
        }
    }

    /// `make` that reads its rules from the line.
    pub(super) fn makes(&mut self, arguments: &[Field], input: &Stream) {
        let style = Style {
            values: "fCIjlWo",
            long_values: &["file", "makefile", "directory"],
            ..Style::default()
        };
        let options = Options::of(arguments, style);
        let long = options.values('f', "makefile");
        let files: Vec<&str> = options.values('f', "file").chain(long).collect();
        for file in files {
            let path = self.path(&Field::new(file));
            let given = file == "-"
                || matches!(
                    path.as_str(),
                    "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"
                );
            let rules = if given {
                self.ask(Category::InlineProgram);
                input.text.clone()
            } else {
                self.scope.file(&path).and_then(|file| file.text)
            };
            for line in rules.unwrap_or_default().lines() {
                // What stands behind a tab or a `;` is what it runs.
                let recipe = line
                    .strip_prefix('\t')
                    .or(line.split_once(';').map(|it| it.1));
                if let Some(recipe) = recipe {
                    let recipe = recipe
                        .trim_start_matches(['@', '-', '+', ' '])
                        .replace("$$", "$");
                    self.apart(|this| this.script(&recipe, Stream::known("")));
                }
            }
        }
    }
}
