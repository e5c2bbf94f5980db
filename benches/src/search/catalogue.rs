//! Tools as servers describe them, made by rule.

/// What is searched of a tool.
#[derive(Debug, Clone)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// A sentence or three.
    pub description: String,
    /// Names of its parameters.
    pub parameters: Vec<&'static str>,
}

/// What models ask for, in turn.
pub const QUESTIONS: [&str; 8] = [
    "create an issue in the tracker",
    "list calendar events",
    "send a message to a channel",
    "mcp__drive__search_files_7",
    "delete customer record",
    "which invoices are overdue",
    "read sensor history",
    "update the status of a pull request",
];

const SERVICES: [&str; 12] = [
    "github", "jira", "slack", "drive", "calendar", "crm", "billing", "home", "mail", "wiki", "ci",
    "maps",
];
const VERBS: [&str; 14] = [
    "create", "list", "get", "update", "delete", "search", "send", "read", "archive", "assign",
    "export", "import", "merge", "watch",
];
const NOUNS: [&str; 24] = [
    "issue", "event", "message", "file", "customer", "invoice", "sensor", "status", "request",
    "branch", "channel", "record", "page", "comment", "label", "route", "history", "build",
    "ticket", "account", "payment", "device", "calendar", "folder",
];
const WORDS: [&str; 40] = [
    "the",
    "of",
    "a",
    "with",
    "by",
    "and",
    "for",
    "all",
    "given",
    "returns",
    "optional",
    "filter",
    "result",
    "page",
    "limit",
    "sorted",
    "date",
    "user",
    "team",
    "project",
    "identifier",
    "name",
    "owner",
    "current",
    "overdue",
    "pull",
    "open",
    "closed",
    "private",
    "public",
    "workspace",
    "tracker",
    "newest",
    "first",
    "included",
    "unless",
    "matching",
    "field",
    "value",
    "details",
];
const PARAMETERS: [&str; 10] = [
    "id",
    "query",
    "limit",
    "cursor",
    "project",
    "user_id",
    "startDate",
    "labels",
    "include_closed",
    "format",
];

/// So many tools, the same every time. Common words are common and rare ones rare.
pub fn catalogue(count: usize) -> Vec<Described> {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    (0..count)
        .map(|number| {
            let (service, verb) = (dice.of(&SERVICES), dice.of(&VERBS));
            let noun = dice.of(&NOUNS);
            let mut description = format!("{verb} a {noun} of {service}.");
            for _ in 0..12 + dice.below(24) {
                description.push(' ');
                // Half of the words are of the first eighth.
                let word = if dice.below(2) == 0 {
                    dice.of(&WORDS[..5])
                } else if dice.below(4) == 0 {
                    dice.of(&NOUNS)
                } else {
                    dice.of(&WORDS)
                };
                description.push_str(word);
            }
            let parameters = (0..2 + dice.below(4)).map(|_| dice.of(&PARAMETERS));
            Described {
                name: format!("mcp__{service}__{verb}_{noun}s_{number}"),
                description,
                parameters: parameters.collect(),
            }
        })
        .collect()
}

/// Marsaglia's xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % end
    }

    fn of(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }
}
