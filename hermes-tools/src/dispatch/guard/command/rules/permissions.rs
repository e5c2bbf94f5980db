//! Who may use files, and who owns them.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::Field;
use super::super::options::{Options, Style};

impl Eval<'_> {
    pub(super) fn chmod(&mut self, arguments: &[Field]) {
        // A mode may begin with `-`, which is no option then: `-x`, `-w`.
        let is_mode = |it: &&Field| {
            it.text.len() > 1
                && it.text.starts_with('-')
                && it.text[1..].chars().all(|c| "rwxXst,=+-ugoa".contains(c))
        };
        let mode = arguments.iter().find(is_mode);
        let others: Vec<Field> = arguments
            .iter()
            .filter(|it| !is_mode(it))
            .cloned()
            .collect();
        let options = Options::of(
            &others,
            Style {
                long_values: &["reference"],
                ..Style::default()
            },
        );
        let recursive = options.letter("R") || options.long("recursive");
        let given = mode.is_some() || options.values('\0', "reference").next().is_some();
        let (mode, files) = match (mode, options.operands.split_first()) {
            (Some(mode), _) => (mode.text.as_str(), options.operands.as_slice()),
            (None, _) if given => ("", options.operands.as_slice()),
            (None, Some((mode, files))) => (mode.text.as_str(), files),
            (None, None) => return,
        };
        if opens(mode) {
            self.ask(Category::OpenPermissions);
        }
        for file in files {
            let path = self.path(file);
            if recursive && self.wiped(&path).is_some() {
                self.ask(Category::OpenPermissions);
            }
            if executable(mode) {
                self.scope.make_executable(&path);
            }
        }
    }

    /// What programs make with a mode of their own: `mkdir -m 777`.
    pub(super) fn made_with_mode(&mut self, arguments: &[Field]) {
        let style = Style {
            values: "mgotSZ",
            long_values: &["mode", "owner", "group", "target-directory", "suffix"],
            ..Style::default()
        };
        let options = Options::of(arguments, style);
        if options.values('m', "mode").any(opens) {
            self.ask(Category::OpenPermissions);
        }
    }

    pub(super) fn chown(&mut self, arguments: &[Field]) {
        let options = Options::of(
            arguments,
            Style {
                long_values: &["reference", "from"],
                ..Style::default()
            },
        );
        if !(options.letter("R") || options.long("recursive")) {
            return;
        }
        let Some((owner, files)) = options.operands.split_first() else {
            return;
        };
        let to_root = owner
            .text
            .split([':', '.'])
            .any(|name| matches!(name, "root" | "0"));
        let system = files
            .iter()
            .any(|file| self.wiped(&self.path(file)).is_some());
        if to_root || system {
            self.ask(Category::Ownership);
        }
    }

    pub(super) fn access_lists(&mut self, name: &str, arguments: &[Field]) {
        let shows = arguments
            .iter()
            .all(|it| matches!(it.text.as_str(), "-v" | "--version" | "-h" | "--help"));
        let opens = match name {
            "setcap" => true,
            "setfacl" => arguments
                .iter()
                .any(|it| it.text.contains("o:") || it.text.contains("other:")),
            _ => arguments
                .iter()
                .any(|it| it.text.starts_with("-i") || it.text.starts_with("-R")),
        };
        if opens && !shows {
            self.ask(Category::OpenPermissions);
        }
    }
}

/// Whether a mode lets everybody write, or lets a program run as its owner.
fn opens(mode: &str) -> bool {
    if !mode.is_empty()
        && mode
            .trim_start_matches(['=', '+'])
            .bytes()
            .all(|byte| byte.is_ascii_digit())
    {
        let bits = u32::from_str_radix(mode.trim_start_matches(['=', '+']), 8).unwrap_or(0);
        return bits & 0o002 != 0 || bits & 0o6000 != 0;
    }
    mode.split(',').any(|clause| {
        let at = clause.find(['+', '=', '-']).unwrap_or(clause.len());
        let (who, what) = clause.split_at(at);
        // Several operations may stand behind one `who`.
        let gives: String = what
            .split_inclusive(['+', '=', '-'])
            .zip(what.split(['+', '=', '-']).skip(1))
            .filter(|(operator, _)| !operator.ends_with('-'))
            .map(|(_, permissions)| permissions)
            .collect();
        let everybody = who.contains(['o', 'a']) || who.is_empty() && what.starts_with('=');
        // `o=u` gives others what the owner may.
        gives.contains(['w', 'u', 'g']) && everybody || gives.contains('s')
    })
}

/// Whether a mode makes files executable.
fn executable(mode: &str) -> bool {
    match u32::from_str_radix(mode, 8) {
        Ok(bits) => bits & 0o111 != 0,
        Err(_) => mode.split(',').any(|clause| {
            let gives = clause.rsplit(['+', '=']).next().unwrap_or("");
            clause.contains(['+', '=']) && gives.contains('x')
        }),
    }
}
