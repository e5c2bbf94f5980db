//! Deleting.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::{BRACKET, Field, QUESTION, STAR, Stream, Taint, UNKNOWN, glob_matches};
use super::super::options::{Options, Style};
use super::disk::is_device;

/// Folders right below `/` without which a system does not work.
const SYSTEM: [&str; 20] = [
    "home",
    "root",
    "etc",
    "usr",
    "var",
    "bin",
    "sbin",
    "boot",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "dev",
    "proc",
    "sys",
    "System",
    "Library",
    "Users",
    "Applications",
    "private",
];

/// Folders below those without which a system does not work either.
const SYSTEM_BELOW: [&str; 6] = [
    "usr/bin",
    "usr/sbin",
    "usr/lib",
    "usr/lib64",
    "private/etc",
    "private/var",
];

impl Eval<'_> {
    pub(super) fn remove(&mut self, name: &str, arguments: &[Field]) {
        let options = Options::of(arguments, Style::default());
        let recursive = options.letter("rR") || options.long("recursive");
        for operand in &options.operands {
            let path = self.path(operand);
            if let Some(category) = self.wiped(&path)
                && name != "rmdir"
            {
                self.block(category);
            }
            self.changed(&path);
            let absolute = operand.text.starts_with('/');
            let below = self.scope.folder.as_ref().is_some_and(|folder| {
                path.strip_prefix(folder.as_str())
                    .is_some_and(|rest| rest.starts_with('/'))
            });
            if absolute && !below && !Self::is_own_scratch(&path) {
                self.ask(Category::AbsoluteDelete);
            }
        }
        if recursive && !options.operands.is_empty() && name != "rmdir" {
            self.ask(Category::RecursiveDelete);
        }
    }

    /// A file of the agent's own checks, which it may clean up.
    fn is_own_scratch(path: &str) -> bool {
        let name = path.strip_prefix("/tmp/").unwrap_or("");
        name.starts_with("hermes-verify-")
            && !name.contains(['/', STAR, QUESTION, BRACKET, UNKNOWN])
    }

    /// What is gone when all of a path is deleted, if that is beyond consent.
    pub(in super::super) fn wiped(&self, path: &str) -> Option<Category> {
        if path == "/" || path == "/.." {
            return Some(Category::WipeRoot);
        }
        let home = self.setting.home.as_str();
        if path == home
            || path
                .strip_prefix(home)
                .is_some_and(|rest| rest.starts_with('/') && is_all(&rest[1..]))
        {
            return Some(Category::WipeHome);
        }
        let below = path.strip_prefix('/')?;
        if SYSTEM_BELOW.contains(&below) {
            return Some(Category::WipeSystem);
        }
        let (first, rest) = below.split_once('/').unwrap_or((below, ""));
        if is_all(first) && (rest.is_empty() || is_all(rest)) {
            return Some(Category::WipeRoot);
        }
        let is_glob = first.contains([STAR, QUESTION, BRACKET]);
        let is_system = if is_glob {
            SYSTEM.iter().any(|folder| glob_matches(first, folder))
        } else {
            SYSTEM.contains(&first)
        };
        if is_system && (rest.is_empty() || is_all(rest)) {
            return Some(Category::WipeSystem);
        }
        // The home folder of somebody else.
        let others = matches!(first, "home" | "Users") && !rest.is_empty();
        let (user, rest) = rest.split_once('/').unwrap_or((rest, ""));
        (others && !user.contains(UNKNOWN) && (rest.is_empty() || is_all(rest)))
            .then_some(Category::WipeHome)
    }

    pub(super) fn shred(&mut self, arguments: &[Field]) {
        let style = Style {
            values: "ns",
            long_values: &["iterations", "size"],
            ..Style::default()
        };
        let options = Options::of(arguments, style);
        for operand in &options.operands {
            let path = self.path(operand);
            if is_device(&path) {
                self.block(Category::FormatDevice);
            }
            self.changed(&path);
        }
        if !options.operands.is_empty() {
            self.ask(Category::IrrecoverableDelete);
        }
    }

    /// `find` and `fd`: where they look, what they pick, and what they do with it.
    pub(super) fn find(&mut self, name: &str, arguments: &[Field]) -> Stream {
        let is_action =
            |it: &&Field| it.text.starts_with('-') || matches!(it.text.as_str(), "(" | "!" | ",");
        let leading = arguments
            .iter()
            .skip_while(|it| matches!(it.text.as_str(), "-H" | "-L" | "-P"));
        let mut starts: Vec<Field> = if name == "find" {
            leading.take_while(|it| !is_action(it)).cloned().collect()
        } else {
            Vec::new()
        };
        if starts.is_empty() {
            starts.push(Field::new("."));
        }
        let narrow = arguments.iter().any(|it| {
            let text = it.text.as_str();
            NARROW.contains(&text) || text.starts_with("-newer")
        }) && !arguments.windows(2).any(|pair| {
            // A test that everything passes picks nothing.
            matches!(
                pair[0].text.as_str(),
                "-name" | "-iname" | "-path" | "-wholename"
            ) && pair[1].plain() == "*"
                && arguments
                    .iter()
                    .filter(|it| NARROW.contains(&it.text.as_str()))
                    .count()
                    == 1
        });
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.text.as_str() {
                "-delete" => {
                    self.ask(Category::BulkDelete);
                    if !narrow {
                        self.wipe_all(&starts);
                    }
                }
                "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec"
                | "--exec-batch" => {
                    let words: Vec<Field> = rest
                        .by_ref()
                        .take_while(|it| !matches!(it.text.as_str(), ";" | "+"))
                        .cloned()
                        .collect();
                    self.on_found(&words, &starts, narrow);
                }
                "-fprint" | "-fprintf" | "-fls" | "-fprint0" => {
                    if let Some(target) = rest.next() {
                        self.written_to(target);
                    }
                }
                _ => {}
            }
        }
        let mut found = Stream::unknown(Taint::NONE);
        if !narrow {
            found.whole = starts;
        }
        found
    }

    /// Blocks what deletes all of these folders, where that is beyond consent.
    pub(in super::super) fn wipe_all(&mut self, starts: &[Field]) {
        for start in starts {
            let path = self.path(start);
            if let Some(category) = self.wiped(&path) {
                self.block(category);
            }
        }
    }

    /// What `find` runs on each file.
    fn on_found(&mut self, words: &[Field], starts: &[Field], narrow: bool) {
        let found = if narrow {
            Field::unknown(Taint::NONE)
        } else {
            starts.first().cloned().unwrap_or_default()
        };
        let words: Vec<Field> = words
            .iter()
            .map(|word| Field {
                text: word.text.replace("{}", &found.text),
                taint: word.taint,
            })
            .collect();
        let name = words
            .first()
            .map_or("", |word| word.text.rsplit('/').next().unwrap_or(""));
        if matches!(name, "rm" | "unlink" | "shred" | "rmdir" | "srm") {
            self.ask(Category::BulkDelete);
            if !narrow && name != "rmdir" {
                self.wipe_all(starts);
            }
        }
        self.program(&words, Stream::unknown(Taint::NONE));
    }
}

/// Whether a last part of a path means everything: only globs, dots, and what stands in brackets.
fn is_all(part: &str) -> bool {
    if part.is_empty() || part.contains('/') || !part.contains([STAR, QUESTION, BRACKET]) {
        return false;
    }
    let mut in_class = false;
    let stars = part.contains(STAR);
    stars
        && part.chars().all(|c| {
            let passes = in_class || matches!(c, STAR | QUESTION | BRACKET | '.');
            in_class = (in_class || c == BRACKET) && c != ']';
            passes
        })
}

/// Tests of `find` that pick some files of many.
const NARROW: [&str; 22] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-mtime",
    "-ctime",
    "-atime",
    "-mmin",
    "-cmin",
    "-amin",
    "-size",
    "-user",
    "-group",
    "-newer",
    "-empty",
    "-perm",
    "-inum",
    "-uid",
    "-nouser",
];
