//! How a command reaches the shell, and what the shell says of itself at its end.

use std::path::{Path, PathBuf};

/// Variables that belong to one shell, or that would run something before every later command.
const NOT_KEPT: [&str; 7] = ["PWD", "OLDPWD", "SHLVL", "_", "BASH_ENV", "ENV", "BASHOPTS"];

/// What the system takes as one variable of a program, name and mark included, with room to spare.
const LONGEST: usize = 120_000;

/// What all variables of a program may take together: a quarter of what systems have for them and for
/// the arguments, which are as long as a command may be.
const ALL: usize = 512_000;

/// Where a shell stood and what it exported when it ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ShellState {
    /// Its working folder; `None` when that was gone.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) variables: Vec<(String, String)>,
}

/// What every shell does to keep its state: at its end, and once more behind the command, since a command may
/// have a trap of its own for the end.
const KEEP: &str = "{ __hermes_keep; } 2>/dev/null";

/// The same in bash, for a command that may have traps of its own for other things than its end: those are not
/// for our steps. A subshell takes them away for itself; it is no simple command, for which a trap for DEBUG
/// would run. Its status is not the last of a list, so no trap for ERR runs; and neither does one for what
/// follows it, which defines a function.
const KEEP_BASH: &str = "( __hermes_keep; ) >/dev/null 2>&1 && __hermes_none() { :; }";

/// What bash does besides, where a command's own trap has taken the place of ours. Words that are the last
/// or change the trap keep the state first, when they stand in the shell itself and in no subshell: the
/// array has one element only, and what is empty leaves no word. A function of that name would have other
/// arguments and other traps than the command's; an alias is read as if it stood there. Without a trap of
/// the command's, `exit` needs nothing.
const BASH: &str = "\
shopt -s expand_aliases
__hermes=0
alias exec='${__hermes[BASH_SUBSHELL]+$({ __hermes_keep; } >/dev/null 2>&1)} exec' \
exit='${__hermes_trap[BASH_SUBSHELL]+$({ __hermes_keep; } >/dev/null 2>&1)} exit' \
trap='${__hermes[BASH_SUBSHELL]+$({ __hermes_keep; } >/dev/null 2>&1)}${__hermes_trap:=} trap'
";

/// What stands before the command in what bash evaluates, within double quotes: what fails under `set -e`
/// outside functions keeps the state too. It is set there since a trap for ERR that is there before
/// runs once more when all that is evaluated has failed.
const BASH_BEFORE: &str = "\\\\trap '( case \\${__hermes[BASH_SUBSHELL-1]+\\$-} in (*e*) __hermes_keep; esac ) \
>/dev/null 2>&1 || __hermes_none() { :; }' ERR\n";

/// What a shell writes of its state.
const STATE: &str = "command pwd -P; command printf '\\0'; command export -p; command printf '\\0'";

/// Words without one of which a command has no trap of its own and becomes no other program: most commands.
/// What shells read from elsewhere may have such words.
const TRAPPING: [&str; 5] = ["trap", "exec", "eval", "source", ". "];

/// The script that a shell runs for a command. That is its first argument, as it was sent: no text stands
/// before or behind it that a quote or a here-document could swallow. The shell writes its state to a file
/// whatever way it ends, also by `exit`, `exec` or a fault, and with a trap of the command's own.
///
/// The path of the file has no character that a shell would read, since we made it.
pub(crate) fn script(
    shell: &Path,
    command: &str,
    state: Option<&Path>,
    processes: Option<u64>,
) -> String {
    let mut script = String::new();
    let traps = TRAPPING.iter().any(|word| command.contains(word));
    let traps_of_bash =
        state.is_some() && traps && shell.file_name().is_some_and(|name| name == "bash");
    let (keep, before, untrap) = if traps_of_bash {
        (KEEP_BASH, BASH_BEFORE, "\\trap - ERR DEBUG RETURN\n")
    } else {
        (KEEP, "", "")
    };
    if let Some(path) = state {
        let path = path.display();
        script = format!(
            "__hermes_keep() {{\nset -- $?\n{untrap}{{ {STATE}; }} >|\"{path}\"\nreturn $1\n}}\n"
        );
        if traps_of_bash {
            script.push_str(BASH);
        }
        script.push_str("\\trap '");
        script.push_str(keep);
        script.push_str("' EXIT\n");
    }
    script.push_str("ulimit -c 0 2>/dev/null\n");
    if let Some(most) = processes {
        script.push_str("ulimit -u ");
        script.push_str(&most.to_string());
        script.push_str(" 2>/dev/null\n");
    }
    // The command does not see itself among its arguments.
    script.push_str("eval \"shift\n");
    script.push_str(before);
    script.push_str("$1\"");
    if state.is_some() && traps {
        // The end of a command that ends within a quote takes a character of what follows with it.
        script.push_str("\n\n");
        script.push_str(keep);
    }
    script
}

/// Reads what the shell wrote. `None` for what no shell writes, and for what it could not write to its end.
pub(crate) fn read_state(text: &str) -> Option<ShellState> {
    let (folder, exports) = text.strip_suffix('\0')?.split_once('\0')?;
    let folder = folder.strip_suffix('\n').unwrap_or(folder);
    let folder = folder.starts_with('/').then(|| PathBuf::from(folder));
    Some(ShellState {
        folder,
        variables: exported(exports),
    })
}

/// The variables that the next program can be given, and the names of the others: a shell takes what no
/// program could be started with any more.
pub(crate) fn that_fit(variables: Vec<(String, String)>) -> (Vec<(String, String)>, Vec<String>) {
    let mut order: Vec<usize> = (0..variables.len()).collect();
    let length = |at: usize| variables[at].0.len() + variables[at].1.len() + 2;
    // The shortest stay, so that one that is long does not take away all others.
    order.sort_by_key(|at| length(*at));
    let mut left = ALL;
    let mut fits = vec![false; variables.len()];
    for at in order {
        let length = length(at);
        fits[at] = length <= LONGEST && length <= left;
        left -= if fits[at] { length } else { 0 };
    }
    let (kept, dropped): (Vec<_>, Vec<_>) =
        variables.into_iter().zip(fits).partition(|(_, fits)| *fits);
    let kept = kept.into_iter().map(|(variable, _)| variable).collect();
    let dropped = dropped.into_iter().map(|((name, _), _)| name).collect();
    (kept, dropped)
}

/// The variables of `export -p`, as bash (`declare -x N="v"`, `N=$'v'`) and the POSIX shells
/// (`export N='v'`) print them.
fn exported(text: &str) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = value_end(rest);
        rest = after;
        let words = line.strip_prefix("export ").or_else(|| {
            let options = line.strip_prefix("declare -")?;
            Some(options.split_once(' ')?.1)
        });
        let Some((name, value)) = words.and_then(|words| words.split_once('=')) else {
            continue;
        };
        if !NOT_KEPT.contains(&name) && is_name(name) {
            variables.push((name.to_owned(), unquoted(value)));
        }
    }
    variables
}

fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.bytes().all(plain)
}

/// Stands for the quotes `$'..'`, which end with another character than they begin with.
const ANSI: u8 = 0;

/// Divides text at the first line break that stands outside quotes.
fn value_end(text: &str) -> (&str, &str) {
    let mut quote = None;
    let mut escaped = false;
    let mut before = b' ';
    for (at, byte) in text.bytes().enumerate() {
        let taken = std::mem::take(&mut escaped);
        match (quote, byte) {
            _ if taken => {}
            (Some(b'"' | ANSI) | None, b'\\') => escaped = true,
            (Some(ANSI), b'\'') => quote = None,
            (Some(mark), _) if mark == byte => quote = None,
            (None, b'\'') if before == b'$' => quote = Some(ANSI),
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'\n') => return (&text[..at], &text[at + 1..]),
            _ => {}
        }
        before = byte;
    }
    (text, "")
}

/// A value without the quotes of a shell.
fn unquoted(value: &str) -> String {
    let mut plain = Vec::new();
    let mut rest = value.as_bytes();
    let mut quote = None;
    while let [byte, after @ ..] = rest {
        rest = after;
        match (quote, *byte) {
            (Some(ANSI), b'\\') => rest = ansi_escape(rest, &mut plain),
            (Some(b'"') | None, b'\\') => {
                if let [next, after @ ..] = rest {
                    plain.push(*next);
                    rest = after;
                }
            }
            (Some(ANSI), b'\'') => quote = None,
            (Some(mark), byte) if mark == byte => quote = None,
            (None, b'$') if rest.first() == Some(&b'\'') => {
                quote = Some(ANSI);
                rest = &rest[1..];
            }
            (None, b'\'' | b'"') => quote = Some(*byte),
            (_, byte) => plain.push(byte),
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Reads one escape of `$'..'` behind its backslash.
fn ansi_escape<'t>(text: &'t [u8], plain: &mut Vec<u8>) -> &'t [u8] {
    let [kind, rest @ ..] = text else { return text };
    let known = [
        (b'n', b'\n'),
        (b't', b'\t'),
        (b'r', b'\r'),
        (b'a', 7),
        (b'b', 8),
        (b'e', 0x1b),
        (b'E', 0x1b),
        (b'f', 0x0c),
        (b'v', 0x0b),
    ];
    if let Some((_, byte)) = known.iter().find(|(name, _)| name == kind) {
        plain.push(*byte);
        return rest;
    }
    if !(b'0'..=b'7').contains(kind) {
        plain.push(*kind);
        return rest;
    }
    let digits = text
        .iter()
        .take(3)
        .take_while(|byte| (b'0'..=b'7').contains(byte));
    let digits = digits.count();
    let number = text[..digits]
        .iter()
        .fold(0_u32, |number, digit| number * 8 + u32::from(digit - b'0'));
    plain.push(number.to_le_bytes()[0]);
    &text[digits..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(text: &str) -> Vec<(String, String)> {
        exported(text)
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn exports_of_bash_are_read() {
        let text = "declare -x A=\"one \\\"two\\\" \\$x \\\\ `\"\ndeclare -x B=\"line\nbreak\"\n\
                    declare -rx C=$'tab\\t$x \"\\001\\'s'\ndeclare -x D\ndeclare -x PWD=\"/x\"\n";
        assert_eq!(
            variables(text),
            [
                pair("A", "one \"two\" $x \\ `"),
                pair("B", "line\nbreak"),
                pair("C", "tab\t$x \"\u{1}'s"),
            ]
        );
    }

    #[test]
    fn exports_of_posix_shells_are_read() {
        let text = "export A='it'\"'\"'s'\nexport B='a\nb'\nexport ENV='x'\nexport C=''\n";
        assert_eq!(
            variables(text),
            [pair("A", "it's"), pair("B", "a\nb"), pair("C", "")]
        );
    }

    #[test]
    fn what_is_too_long_for_a_program_is_left_out() {
        let of = |lengths: &[usize]| {
            let variables = lengths.iter().enumerate();
            let variables = variables.map(|(at, length)| (format!("V{at}"), "x".repeat(*length)));
            that_fit(variables.collect()).1
        };
        assert_eq!(of(&[10, 119_996, 119_997]), ["V2"]);
        assert_eq!(of(&[100_000; 6]), ["V5"]);
        assert_eq!(
            of(&[110_000, 110_000, 110_000, 110_000, 110_000, 1]),
            ["V4"]
        );
        assert!(of(&[1_000; 400]).is_empty());
    }

    #[test]
    fn a_folder_that_is_gone_is_told_apart() {
        let state = read_state("/work dir\n\0export A='1'\n\0").unwrap();
        assert_eq!(state.folder, Some(PathBuf::from("/work dir")));
        assert_eq!(read_state("\0\0").unwrap().folder, None);
        assert_eq!(read_state("declare -x A=\"1\"\n\0"), None);
    }

    #[test]
    fn what_a_shell_could_not_write_to_its_end_is_not_taken() {
        for text in [
            "",
            "/work\n",
            "/work\n\0",
            "/work\n\0export A='1'\nexport B='",
        ] {
            assert_eq!(read_state(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_command_is_no_part_of_the_script() {
        let state = Some(Path::new("/tmp/s/1"));
        let keep = "__hermes_keep() {\nset -- $?\n{ command pwd -P; command printf '\\0'; command export -p; \
                    command printf '\\0'; } >|\"/tmp/s/1\"\nreturn $1\n}\n";
        let trap = "\\trap '{ __hermes_keep; } 2>/dev/null' EXIT\n\
                    ulimit -c 0 2>/dev/null\nulimit -u 64 2>/dev/null\neval \"shift\n$1\"";
        let behind = "\n\n{ __hermes_keep; } 2>/dev/null";
        let of = |shell: &str, command: &str| script(Path::new(shell), command, state, Some(64));
        assert_eq!(of("/bin/sh", "ls -l"), [keep, trap].concat());
        assert_eq!(of("/bin/sh", "trap x EXIT"), [keep, trap, behind].concat());
        assert_eq!(of("/bin/bash", "ls -l"), [keep, trap].concat());
        assert_eq!(
            of("/bin/bash", "exec ls"),
            [
                &keep.replace("$?\n", "$?\n\\trap - ERR DEBUG RETURN\n"),
                BASH,
                "\\trap '",
                KEEP_BASH,
                "' EXIT\nulimit -c 0 2>/dev/null\nulimit -u 64 2>/dev/null\neval \"shift\n",
                BASH_BEFORE,
                "$1\"\n\n",
                KEEP_BASH,
            ]
            .concat()
        );
        assert_eq!(
            script(Path::new("/bin/bash"), "trap x EXIT", None, None),
            "ulimit -c 0 2>/dev/null\neval \"shift\n$1\""
        );
    }
}
