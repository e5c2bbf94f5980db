//! What an exit code says, where it is no failure or not a plain one.

use std::borrow::Cow;

/// Programs whose exit code 1 is an answer.
const ANSWERS: [(&[&str], i32, &str); 4] = [
    (
        &["grep", "egrep", "fgrep", "rg", "ag", "ack"],
        1,
        "nothing matched; this is not an error",
    ),
    (
        &["diff", "colordiff", "cmp"],
        1,
        "the files differ; this is not an error",
    ),
    (
        &["test", "["],
        1,
        "the condition is false; this is not an error",
    ),
    (
        &["find"],
        1,
        "some folders could not be read; the rest is complete",
    ),
];

/// Exit codes of curl.
const CURL: [(i32, &str); 4] = [
    (6, "the host's name could not be resolved"),
    (7, "the host could not be reached"),
    (22, "the server answered with an error"),
    (28, "the request took too long"),
];

/// Signals by their number on Linux and most other systems.
const SIGNALS: [(i32, &str); 12] = [
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (3, "SIGQUIT"),
    (4, "SIGILL"),
    (6, "SIGABRT"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
    (24, "SIGXCPU"),
];

/// How the last line ends in which a shell says that it has found no program. It ends with the same code for
/// a variable that is not set.
const NOT_FOUND: [&str; 3] = [
    ": not found",
    ": command not found",
    ": No such file or directory",
];

/// What the exit code of a command line says, when it is more than success or failure.
pub(crate) fn meaning(command: &str, code: i32, output: &str) -> Option<Cow<'static, str>> {
    let program = last_program(command);
    let known = ANSWERS
        .iter()
        .find(|(programs, of, _)| *of == code && programs.contains(&program.as_str()))
        .map(|(_, _, text)| *text);
    let known = known.or_else(|| {
        let curl = CURL.iter().find(|(of, _)| *of == code && program == "curl");
        curl.map(|(_, text)| *text)
    });
    if let Some(text) = known {
        return Some(Cow::Borrowed(text));
    }
    match code {
        126 => Some("the program was found, and could not be run".into()),
        127 if is_not_found(output) => Some("the program was not found".into()),
        129..=192 => {
            let signal = SIGNALS.iter().find(|(number, _)| number + 128 == code);
            let (_, name) = signal?;
            Some(format!("ended by {name}").into())
        }
        _ => None,
    }
}

/// The program whose exit code is that of the line: the last one, without its folder.
fn last_program(command: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut started = false;
    let mut characters = command.trim_end_matches([' ', '\n', ';']).chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(mark), _) if mark == character => quote = None,
            (Some('"') | None, '\\') => word.extend(characters.next()),
            (None, '\'' | '"') => {
                quote = Some(character);
                started = true;
            }
            (None, '|' | '&' | ';' | '\n' | '(' | ')' | '{' | '}') => {
                words.clear();
                word.clear();
                started = false;
            }
            (None, ' ' | '\t') => {
                if started || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                started = false;
            }
            _ => word.push(character),
        }
    }
    words.push(word);
    let is_assignment = |word: &&String| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    let program = words
        .iter()
        .find(|word| !is_assignment(word) && *word != "!");
    let program = program.map_or("", |word| word.rsplit('/').next().unwrap_or(word));
    program.to_owned()
}

fn is_not_found(output: &str) -> bool {
    let last = output.trim_end().lines().next_back().unwrap_or_default();
    NOT_FOUND.iter().any(|end| last.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_program_of_a_line_says_what_its_code_means() {
        for (command, code, says) in [
            ("grep x f", 1, Some("nothing matched; this is not an error")),
            (
                "cd a && LC_ALL=C /usr/bin/grep 'a|b' f",
                1,
                Some("nothing matched; this is not an error"),
            ),
            ("echo 'x | grep y'", 1, None),
            (
                "cat f | diff - g;",
                1,
                Some("the files differ; this is not an error"),
            ),
            ("grep x f; false", 1, None),
            ("grep x f", 2, None),
            (
                "curl -s http://a",
                6,
                Some("the host's name could not be resolved"),
            ),
            (
                "[ -f x ]",
                1,
                Some("the condition is false; this is not an error"),
            ),
            ("kill -9 $$", 137, Some("ended by SIGKILL")),
            ("true", 0, None),
            ("", 1, None),
        ] {
            assert_eq!(meaning(command, code, "").as_deref(), says, "{command}");
        }
    }

    #[test]
    fn a_program_is_missing_only_where_the_shell_says_so() {
        let missing = Some("the program was not found");
        for (output, says) in [
            ("bash: line 5: nonesuch: command not found\n", missing),
            ("sh: 5: nonesuch: not found\n", missing),
            ("bash: line 5: ./none: No such file or directory\n", missing),
            ("bash: line 5: NO: unbound variable\n", None),
            (
                "bash: line 5: a: command not found\nsh: line 6: NO: unbound variable\n",
                None,
            ),
            ("", None),
        ] {
            assert_eq!(meaning("x", 127, output).as_deref(), says, "{output}");
        }
    }
}
