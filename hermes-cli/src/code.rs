//! The codes of what keeps a command from doing its work, one table. `docs/errors.md` is made from it and
//! from the kinds of errors of calls.

/// A stable code, with what it means and what to do next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) code: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the page of errors"))]
    pub(crate) meaning: &'static str,
    /// A lowercase fragment in the imperative, for where the error does not say so itself.
    pub(crate) next: &'static str,
}

macro_rules! codes {
    ($($name:ident = $code:literal, $meaning:literal, $next:literal;)*) => {
        $(pub(crate) const $name: Row = Row { code: $code, meaning: $meaning, next: $next };)*

        /// All of them, in the order of the catalogue.
        #[cfg(test)]
        const ALL: &[Row] = &[$($name),*];
    };
}

codes! {
    USAGE = "usage", "The command line cannot be understood.", "see `hermes --help`";
    BAD_ARGUMENT = "bad_argument", "An argument of a tool is written wrongly on the command line.", "write `key=value`, or one JSON object";
    UNKNOWN_TOOL = "unknown_tool", "No linked tool has this name.", "take a name from `hermes tools --all`";
    UNKNOWN_TOOLSET = "unknown_toolset", "A toolset that is named does not exist.", "take a name from `hermes toolsets`";
    NO_DEFAULT_TOOLSET = "no_default_toolset", "The source of the session has no default toolset.", "name a source that has one, or toolsets with `--toolset`";
    BAD_CONFIG = "bad_config", "The configuration cannot be used, and nothing runs without it.", "correct the line that the message names";
    BAD_WORKSPACE = "bad_workspace", "The folder cannot be opened.", "name a folder that exists";
    NO_CHECKPOINTS = "no_checkpoints", "No folder for checkpoints is known.", "name a folder with `--checkpoints`";
    NO_STATE = "no_state", "No folder for the state of the user is known.", "set `HOME` or `XDG_STATE_HOME`";
    NOT_SIGNED_IN = "not_signed_in", "The sign-in to an MCP server did not come about.", "try it again, or ask whoever runs the server";
    NOT_APPROVED = "not_approved", "What an MCP server or a file offers was not approved, or that cannot be kept.", "say so with `--yes` where nobody can be asked";
    UNREADABLE_INPUT = "unreadable_input", "A file or the standard input cannot be read.", "name a file that exists and that you may read";
    MALFORMED_CALL = "malformed_call", "A line of a batch is no call.", "write one JSON object with `name` and `arguments` on the line";
    DUPLICATE_TOOLS = "duplicate_tools", "Two linked packs bring tools of one name.", "rename one, or say `overrides` with the package of the other";
    DUPLICATE_TOOLSET = "duplicate_toolset", "Two linked packs bring toolsets of one name.", "rename one of them";
    MISSING_STATE = "missing_state", "A selected tool takes state that only another host has.", "leave its toolset out with `--without`";
    UNREADABLE_RULE = "unreadable_rule", "A rule of what is forbidden does not read, and nothing runs without it.", "write it anew";
    SIGNAL = "signal", "Ctrl-C cannot be watched for.", "run the command in another way";
    NOT_SERVED = "not_served", "An MCP client did not open the connection, or the server ended by a fault.", "check that the client speaks the Model Context Protocol";
    OUTPUT = "output", "The standard output cannot be written.", "free the disk, or write elsewhere";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;
    use std::path::Path;

    use hermes_tools::ErrorKind;

    use super::*;

    /// `HERMES_UPDATE_DOCS=1` writes the page anew.
    #[test]
    fn the_page_of_errors_is_current() {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors.md");
        let page = page();
        if std::env::var_os("HERMES_UPDATE_DOCS").is_some() {
            std::fs::write(&place, &page).unwrap();
        }
        let written = std::fs::read_to_string(&place).unwrap_or_default();
        assert!(
            written == page,
            "docs/errors.md is not current; run this test with HERMES_UPDATE_DOCS=1"
        );
    }

    #[test]
    fn every_code_stands_once_with_a_meaning_and_a_next_step() {
        let mut codes = BTreeSet::new();
        for Row {
            code,
            meaning,
            next,
        } in ALL
        {
            assert!(codes.insert(code), "{code}");
            assert!(meaning.ends_with('.') && meaning.len() > 10, "{code}");
            assert!(
                next.starts_with(char::is_lowercase) && next.len() > 10,
                "{code}"
            );
        }
    }

    fn page() -> String {
        let mut page = "# Errors\n\n\
            Every refusal and every failure has a stable code and says what to do next. Codes are added, never \
            renamed. The message and the next step of an error are often more exact than this page.\n\n\
            This page is made from `hermes-tools/src/output/kind.rs` and `hermes-cli/src/code.rs`; a test keeps it \
            current.\n\n\
            ## Calls\n\n\
            The `code` in the answer to a call. *Refusal*: the library answers so in place of running the tool. \
            *Passes*: the same call, sent again unchanged, may succeed.\n\n\
            | code | meaning | refusal | passes | next step |\n|---|---|---|---|---|\n"
            .to_owned();
        let yes = |it: bool| if it { "yes" } else { "" };
        for kind in ErrorKind::ALL {
            // Writing to a `String` cannot fail.
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | {} | {} |",
                kind.code(),
                kind.meaning(),
                yes(kind.is_refusal()),
                yes(kind.is_transient()),
                kind.next_step(),
            );
        }
        page.push_str(
            "\n## The command `hermes`\n\n\
             The `error.code` of `hermes ... --json` when the command itself cannot do its work.\n\n\
             | code | meaning | next step |\n|---|---|---|\n",
        );
        for row in ALL {
            let _ = writeln!(page, "| `{}` | {} | {} |", row.code, row.meaning, row.next);
        }
        page
    }
}
