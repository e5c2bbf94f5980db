//! The environment variables of commands: what programs need to run, and what the operator names.
//!
//! A list of what to leave out would miss the next secret; so this is a list of what to hand on.

use hermes_tools::SessionFacts;

/// What is handed on where the session has it.
const HANDED_ON: [&str; 25] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME",
    "TZ",
    "TMPDIR",
    "TMP",
    "TEMP",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "JAVA_HOME",
    "GOPATH",
];

/// What every command is told: nobody sits in front of it, so programs fail where they would ask.
const TOLD: [(&str, &str); 12] = [
    ("TERM", "dumb"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("MANPAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", "false"),
    ("SSH_ASKPASS", "false"),
    ("SSH_ASKPASS_REQUIRE", "force"),
    ("SUDO_ASKPASS", "/bin/false"),
    ("DEBIAN_FRONTEND", "noninteractive"),
    ("PIP_NO_INPUT", "1"),
    ("PYTHONUNBUFFERED", "1"),
];

/// The folders of a `PATH` that a session without one has.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The variables of the first command of a session.
pub(crate) fn variables(facts: &SessionFacts, pass_through: &[String]) -> Vec<(String, String)> {
    let named = pass_through.iter().map(String::as_str);
    let mut variables: Vec<(String, String)> = TOLD
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    for name in HANDED_ON.into_iter().chain(named) {
        if let Some(value) = facts.env(name).filter(|value| !value.contains('\0')) {
            variables.retain(|(other, _)| other != name);
            variables.push((name.to_owned(), value));
        }
    }
    if !variables.iter().any(|(name, _)| name == "PATH") {
        variables.push(("PATH".to_owned(), PATH.to_owned()));
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_is_handed_on() {
        let facts = SessionFacts::default().environment(|name| Some(format!("host {name}")));
        let of = |pass: &[String], name: &str| {
            let found = variables(&facts, pass);
            let mut found = found.into_iter().filter(|(other, _)| other == name);
            let value = found.next().map(|(_, value)| value);
            assert!(found.next().is_none(), "`{name}` stands there twice");
            value
        };
        assert_eq!(of(&[], "LANG").as_deref(), Some("host LANG"));
        assert_eq!(of(&[], "ACME_API_KEY"), None);
        assert_eq!(of(&[], "SSH_AUTH_SOCK"), None);
        assert_eq!(of(&[], "TERM").as_deref(), Some("dumb"));
        let pass = ["SSH_AUTH_SOCK".to_owned(), "TERM".to_owned()];
        assert_eq!(
            of(&pass, "SSH_AUTH_SOCK").as_deref(),
            Some("host SSH_AUTH_SOCK")
        );
        assert_eq!(of(&pass, "TERM").as_deref(), Some("host TERM"));
    }

    #[test]
    fn a_session_without_variables_finds_the_usual_programs() {
        let found = variables(&SessionFacts::default(), &[]);
        assert!(found.contains(&("PATH".to_owned(), PATH.to_owned())));
    }
}
