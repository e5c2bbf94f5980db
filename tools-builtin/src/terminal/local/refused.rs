//! Telling what the confinement refused from what the system would have refused anyway.

use std::path::{Path, PathBuf};

use super::isolation::Plan;

/// What programs say of a path that they may not use.
const SIGNS: [&str; 4] = [
    "Permission denied",
    "PermissionDenied",
    "Read-only file system",
    "ReadOnlyFilesystem",
];

/// What they say besides where something that is hidden is not there at all.
const ABSENT: [&str; 2] = ["No such file or directory", "NotFound"];

/// What the confinement refused, by the lines in which programs complain of a path.
pub(super) fn refused(plan: &Plan, folder: &Path, output: &str) -> Option<String> {
    let says = |line: &str, signs: &[&str]| signs.iter().any(|sign| line.contains(sign));
    for line in output.lines() {
        let is_refused = says(line, &SIGNS);
        if !is_refused && !says(line, &ABSENT) {
            continue;
        }
        for path in paths(line, folder) {
            let shown = path.display();
            let may_read = plan.may_read(&path);
            if plan.is_own(&path) && (is_refused || !may_read) {
                let done = if may_read { "change" } else { "read" };
                return Some(format!(
                    "isolation refused to {done} `{shown}`: it belongs to `hermes` itself; do without it, or ask \
                     the user"
                ));
            }
            if !may_read {
                return Some(format!(
                    "isolation refused to read `{shown}`: it holds credentials; do without it, or ask the user"
                ));
            }
            if is_refused && plan.is_kept(&path) {
                return Some(format!(
                    "isolation may have refused to write `{shown}`: its folder holds files of `hermes` itself, so \
                     commands write only in the folders that were in it before; write there, or use `write_file`"
                ));
            }
            if is_refused && !plan.may_write(&path) {
                return Some(format!(
                    "isolation may have refused to write `{shown}`: commands write only below the \
                     workspace and the temporary folder; write there, or ask the user"
                ));
            }
        }
    }
    None
}

/// The words of a line that may be paths.
fn paths(line: &str, folder: &Path) -> Vec<PathBuf> {
    let ends = |c: char| c.is_whitespace() || "'\"`:‘’()".contains(c);
    let words = line.split(ends).filter(|word| word.contains('/'));
    words.map(|word| folder.join(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_about_a_path_outside_is_explained() {
        let plan = Plan {
            writable: vec![PathBuf::from("/work")],
            hidden: vec![PathBuf::from("/home/dev/.ssh")],
            ..Plan::default()
        };
        let of = |line: &str| refused(&plan, Path::new("/work"), line);
        assert_eq!(
            of("touch: cannot touch '/opt/x': Permission denied").as_deref(),
            Some(
                "isolation may have refused to write `/opt/x`: commands write only below the \
                 workspace and the temporary folder; write there, or ask the user"
            )
        );
        for why in ["Permission denied", "No such file or directory"] {
            assert_eq!(
                of(&format!("cat: /home/dev/.ssh/id: {why}")).as_deref(),
                Some(
                    "isolation refused to read `/home/dev/.ssh/id`: it holds credentials; do without it, \
                     or ask the user"
                )
            );
        }
        for line in [
            "bash: ./run.sh: Permission denied",
            "/opt/x: No such file",
            "Permission denied",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
