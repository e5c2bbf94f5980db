//! Whether a command shows variables.

/// Programs that run what stands in their arguments.
const RUNNERS: [&str; 14] = [
    "bash", "sh", "zsh", "dash", "ksh", "su", "ssh", "docker", "podman", "kubectl", "timeout",
    "nice", "busybox", "xargs",
];

/// Whether a part of a command line shows variables or a file of them.
pub(super) fn shows_variables(command: &str) -> bool {
    let parts = command.split(['|', ';', '&', '\n', '(', ')', '`', '{']);
    parts.into_iter().any(|part| {
        let mut words = part
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '\'']))
            .skip_while(|word| {
                matches!(
                    *word,
                    "sudo" | "doas" | "command" | "builtin" | "exec" | "time" | "nohup"
                ) || word.contains('=') && !word.starts_with('-')
            });
        let Some(program) = words.next() else {
            return false;
        };
        let program = program
            .rsplit('/')
            .next()
            .unwrap_or("")
            .trim_start_matches('\\');
        matches!(
            program,
            "env" | "printenv" | "set" | "export" | "declare" | "typeset"
        ) || words.clone().any(is_variables_file)
            || RUNNERS.contains(&program) && words.any(|word| matches!(word, "env" | "printenv"))
    })
}

/// Whether a path is that of a file of variables, such as `.env` or what the system says of a process.
fn is_variables_file(word: &str) -> bool {
    let path = word.trim_start_matches('<');
    let name = path.rsplit('/').next().unwrap_or("").to_ascii_lowercase();
    let env = name == ".env"
        || name == ".envrc"
        || name == "environ" && path.contains("/proc/")
        || name
            .strip_prefix(".env.")
            .is_some_and(|kind| !matches!(kind, "example" | "sample" | "template" | "dist"));
    env || name.rsplit_once('.').is_some_and(|(_, kind)| kind == "env")
        && !name.starts_with("example")
}
