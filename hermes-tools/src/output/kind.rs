//! The kinds of errors of calls, one table: codes, meanings, next steps. `docs/errors.md` is made from
//! it.

/// Writes the enum and what is known of each kind. `refuses` marks what the library answers in place of
/// running the tool; `passes` what the same call, sent again unchanged, may get past.
macro_rules! kinds {
    ($(
        $(#[doc = $doc:literal])+
        $kind:ident = $code:literal $(, $mark:ident)* => $next:literal;
    )*) => {
        /// The kind of an error. Each has a stable code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[doc = $doc])+ $kind,)*
        }

        impl ErrorKind {
            /// All kinds, in the order of the catalogue.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// The stable code, for programs and for the model.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$kind => $code,)* }
            }

            /// What it means, in a sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$kind => concat!($($doc),+).trim_ascii(),)* }
            }

            /// What to do next where the error itself does not say, as a lowercase fragment in the
            /// imperative.
            pub const fn next_step(self) -> &'static str {
                match self { $(Self::$kind => $next,)* }
            }

            const fn marks(self) -> &'static [Mark] {
                match self { $(Self::$kind => &[$(Mark::$mark),*],)* }
            }
        }
    };
}

#[derive(Clone, Copy, PartialEq, Eq)]
#[expect(non_camel_case_types, reason = "written as words in the table")]
enum Mark {
    refuses,
    passes,
}

impl ErrorKind {
    /// Whether the same call, sent again unchanged, may succeed.
    pub const fn is_transient(self) -> bool {
        self.has(Mark::passes)
    }

    /// Whether it is a refusal: the library answers so in place of running the tool.
    pub const fn is_refusal(self) -> bool {
        self.has(Mark::refuses)
    }

    const fn has(self, mark: Mark) -> bool {
        let marks = self.marks();
        let mut index = 0;
        while index < marks.len() {
            if marks[index] as u8 == mark as u8 {
                return true;
            }
            index += 1;
        }
        false
    }
}

kinds! {
    /// The tool failed in a way that has no kind of its own.
    Failed = "failed" => "go by the message; change the call, or use another way";
    /// No tool of that name can be called in this session.
    UnknownTool = "unknown_tool", refuses => "call a tool that you were told of";
    /// The tool exists and cannot be used here and now.
    Unavailable = "unavailable", refuses, passes => "use another tool";
    /// The arguments are not JSON.
    MalformedArguments = "malformed_arguments", refuses => "send one JSON object";
    /// The arguments were cut off.
    TruncatedArguments = "truncated", refuses => "send the whole call again, and long content in several calls";
    /// The arguments do not fit the parameters.
    InvalidArguments = "invalid_arguments", refuses => "send the call again with these arguments corrected";
    /// The session lacks what the tool needs of it, so that the agent loop must handle the call.
    AgentLoop = "agent_loop", refuses => "use another tool, or ask the user to run it in a session that has one";
    /// The call would do more than the session allows.
    EffectNotAllowed = "effect_not_allowed", refuses => "do it in a way that changes less, or ask the user";
    /// What is guarded cannot be looked at, or a guard failed: nothing was done.
    GuardFailed = "guard_failed", refuses => "use another way, and tell the user";
    /// The call needs the consent of a person, and nobody can be asked.
    ApprovalRequired = "approval_required", refuses => "do it in a way that changes less, or ask the user to do it";
    /// A person, or a rule in a person's place, did not allow the call.
    ApprovalDenied = "approval_denied", refuses => "ask the user what to do instead";
    /// A hook of the host does not allow the call.
    Blocked = "blocked", refuses => "do it in another way, or ask the user";
    /// A hook of the host failed that might have refused the call, so it was not made.
    HookFailed = "hook_failed", refuses => "use another tool, and tell the user that the hook needs repair";
    /// The tool was called more often than the session allows.
    RateLimited = "rate_limited", refuses, passes => "do something else, and call it again later";
    /// This very call has failed too often in this turn.
    RepeatedFailure = "repeated_exact_failure_block", refuses => "change the arguments by what the error says, or use another way";
    /// This very call has given the same answer too often in this turn.
    NoProgress = "idempotent_no_progress_block", refuses => "use the answer you have, or ask for something else";
    /// The path is one that tools keep away from, such as credentials.
    ProtectedPath = "protected_path", refuses => "leave it alone, or ask the user to do it";
    /// The command is one that is never run.
    CommandBlocked = "command_blocked", refuses => "use another command, or ask the user to run it";
    /// The address is one that is never fetched, such as one of the own network.
    UrlBlocked = "url_blocked", refuses => "use a public address, or ask the user";
    /// A path leads out of the workspace.
    OutsideWorkspace = "outside_workspace", refuses => "use a path inside the workspace";
    /// The operating system does not permit it.
    PermissionDenied = "permission_denied" => "use another place, or ask the user for the permission";
    /// There is no such thing.
    NotFound = "not_found" => "look for the right name first";
    /// It is a folder where a file is needed.
    IsDirectory = "is_directory" => "name a file in it";
    /// It is a file where a folder is needed.
    NotADirectory = "not_a_directory" => "name a folder";
    /// It is a device, a pipe or a socket.
    NotRegular = "not_regular" => "name a regular file";
    /// The path cannot be one: too long, a NUL character, links in a circle.
    BadPath = "bad_path", refuses => "send another path";
    /// The file is not text.
    Binary = "binary" => "use a tool for files of its type";
    /// The file is text in another encoding than UTF-8.
    Encoding = "encoding" => "replace the whole file, or leave it";
    /// Nothing is at that place, such as a line past the end.
    OutOfRange = "out_of_range" => "ask for a place that exists";
    /// A search pattern does not compile.
    BadPattern = "bad_pattern" => "correct the pattern";
    /// The text to replace is empty.
    EmptyOld = "empty_old" => "send the text to replace";
    /// The new text is the old one.
    Identical = "identical" => "send the text as it is to be";
    /// The text to replace is not there.
    NoMatch = "no_match" => "read the file again and quote it exactly";
    /// The text to replace is there more than once.
    Ambiguous = "ambiguous" => "quote more of what stands around it";
    /// The text to replace is there only without the backslashes with which it was quoted.
    EscapeDrift = "escape_drift" => "quote the text without those backslashes";
    /// A patch text is not one, or says nothing.
    BadPatch = "bad_patch" => "send a patch in the form that the tool describes";
    /// Something is there already.
    Exists = "exists" => "use another name, or change what is there";
    /// The file would not follow the grammar of its language, in a session that refuses that.
    DoesNotParse = "does_not_parse" => "correct the text and send it again";
    /// The text to write is one that a tool made for showing.
    DisplayText = "display_text" => "send the text itself, without line numbers and notes";
    /// The same was asked too often, with the same answer every time.
    Repeated = "repeated" => "use the answer you have, or ask for something else";
    /// It was changed by someone else since it was read, or the steps of a call contradict each other.
    Conflict = "conflict" => "read it again first";
    /// An input or output error.
    Io = "io", passes => "try it once more, then use another way";
    /// The call took longer than it may.
    Timeout = "timeout", passes => "ask for less at once";
    /// The call was cancelled.
    Cancelled = "cancelled" => "do not repeat it unless the user asks";
    /// The batch that the call is in ended before its turn, so nothing was done.
    NotStarted = "not_started", refuses, passes => "send it again, with fewer calls in one answer";
    /// Too many plain functions that were given up still run.
    Busy = "busy", refuses, passes => "wait until some of them have ended, or go on without this tool";
    /// The tool panicked.
    Panicked = "panicked" => "this is a fault of the tool; use another way";
    /// The tool gave back something that is no result.
    ResultContract = "tool_result_contract" => "this is a fault of the tool; use another way";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_is_one_word_of_its_own_and_every_kind_has_a_next_step() {
        let mut codes = BTreeSet::new();
        for kind in ErrorKind::ALL {
            assert!(codes.insert(kind.code()), "{}", kind.code());
            let word = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
            assert!(kind.code().bytes().all(word), "{}", kind.code());
            for text in [kind.next_step(), kind.meaning()] {
                assert!(text.len() > 8 && text.trim() == text, "{}", kind.code());
            }
            assert!(
                kind.next_step()
                    .starts_with(|first: char| first.is_lowercase())
            );
            assert!(kind.meaning().ends_with('.'));
        }
    }

    #[test]
    fn what_passes_is_known_of_each_kind() {
        let transient: Vec<&str> = ErrorKind::ALL
            .iter()
            .filter(|kind| kind.is_transient())
            .map(|kind| kind.code())
            .collect();
        assert_eq!(
            transient,
            [
                "unavailable",
                "rate_limited",
                "io",
                "timeout",
                "not_started",
                "busy"
            ]
        );
        assert!(ErrorKind::Blocked.is_refusal() && !ErrorKind::Failed.is_refusal());
    }
}
