//! The network and databases.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::{Field, Stream, Taint};

/// Programs that bring text from other machines, or send it there.
pub(super) const DOWNLOADERS: [&str; 14] = [
    "curl", "wget", "wget2", "fetch", "aria2c", "axel", "lynx", "links", "w3m", "http", "https",
    "xh", "curlie", "httpie",
];
pub(super) const CONNECTORS: [&str; 9] = [
    "nc", "ncat", "netcat", "socat", "telnet", "ftp", "sftp", "tftp", "s_client",
];

impl Eval<'_> {
    pub(super) fn network(&mut self, name: &str, arguments: &[Field], input: &Stream) {
        if DOWNLOADERS.contains(&name) {
            self.download(name, arguments, input);
        } else if CONNECTORS.contains(&name) {
            self.connect(name, arguments);
            self.sends(arguments, input);
        } else if matches!(
            name,
            "scp"
                | "rsync"
                | "rclone"
                | "aws"
                | "gsutil"
                | "gh"
                | "mail"
                | "mutt"
                | "sendmail"
                | "mailx"
                | "croc"
        ) {
            let away = name != "scp" && name != "rsync"
                || arguments.iter().any(|it| it.text.contains(':'));
            let secret = arguments.iter().any(|it| self.is_secret(&self.path(it)));
            let option = matches!(name, "scp" | "rsync") && !secret;
            if away
                && (secret || !option && Self::is_tainted_secret(arguments, input) && input.given)
            {
                self.ask(Category::Exfiltration);
            }
        }
    }

    fn download(&mut self, name: &str, arguments: &[Field], input: &Stream) {
        let mut rest = arguments.iter().peekable();
        let mut saved = None;
        let mut remote_name = name.starts_with("wget");
        let mut url = None;
        while let Some(argument) = rest.next() {
            let text = argument.text.as_str();
            let (option, joined) = match text.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value)),
                _ => (text, None),
            };
            let next = |rest: &mut std::iter::Peekable<std::slice::Iter<'_, Field>>| {
                let field = joined.map(|value| Field {
                    text: value.to_owned(),
                    taint: argument.taint,
                });
                field.or_else(|| rest.next().cloned())
            };
            match option {
                "-o" | "--output" | "--output-document" | "--out"
                    if name != "wget" || option != "-o" =>
                {
                    saved = next(&mut rest);
                }
                "-O" | "--output-file" if name.starts_with("wget") => saved = next(&mut rest),
                "-O" | "-OL" | "-LO" | "-JO" | "-OJ" | "--remote-name" | "-sO" | "-fsSLO"
                | "-sSLO" | "-sLO" => remote_name = true,
                // A header may hold the credentials of its own service.
                "-H" | "--header" | "-u" | "--user" | "--oauth2-bearer" | "-A" | "--user-agent"
                | "-b" | "--cookie" => {
                    next(&mut rest);
                }
                "-F" | "--form" | "-d" | "--data" | "--data-binary" | "--data-raw"
                | "--data-urlencode" | "--data-ascii" | "-T" | "--upload-file" | "--post-file"
                | "--body-file" | "--post-data" | "--json" => {
                    if let Some(data) = next(&mut rest) {
                        self.uploaded(option, &data, input);
                    }
                }
                _ if text.starts_with("-O") && name.starts_with("wget") => {
                    saved = Some(Field::new(&text[2..]));
                }
                // Letters together, the last of which takes a value: `-qO- url`, `-fsSLo file`.
                _ if argument.is_option() && !text.starts_with("--") => {
                    if name.starts_with("wget")
                        && let Some((_, to)) = text.split_once('O')
                    {
                        saved = if to.is_empty() {
                            rest.next().cloned()
                        } else {
                            Some(Field::new(to))
                        };
                    } else if name == "curl" && text.ends_with('o') {
                        saved = rest.next().cloned();
                    } else if name == "curl" && text.contains('O') {
                        remote_name = true;
                    } else if name == "curl"
                        && (text.starts_with("-d")
                            || text.starts_with("-F")
                            || text.starts_with("-T"))
                    {
                        let data = Field {
                            text: text[2..].to_owned(),
                            taint: argument.taint,
                        };
                        self.uploaded(&text[..2], &data, input);
                    }
                }
                _ if argument.is_option() => {}
                _ => {
                    if argument.taint.has(Taint::SECRET) {
                        self.ask(Category::Exfiltration);
                    }
                    url = Some(argument.clone());
                }
            }
        }
        let to = match (saved, url) {
            (Some(to), _) => Some(to),
            (None, Some(url)) if remote_name => {
                let path = url.text.split(['?', '#']).next().unwrap_or("");
                path.rsplit('/')
                    .next()
                    .filter(|name| !name.is_empty())
                    .map(Field::new)
            }
            (None, _) => None,
        };
        if let Some(to) = to.filter(|to| !matches!(to.text.as_str(), "-" | "/dev/stdout")) {
            self.written_to(&to);
            let path = self.path(&to);
            self.scope.write(&path, Stream::unknown(Taint::REMOTE));
        }
    }

    /// Data that is sent: a text, or a file behind `@`.
    fn uploaded(&mut self, option: &str, data: &Field, input: &Stream) {
        let text = data.text.as_str();
        let file = match option {
            "-T" | "--upload-file" | "--post-file" | "--body-file" => Some(text),
            _ => text.split_once(['@', '<']).map(|(_, file)| file),
        };
        let file = file.map(|file| file.split(';').next().unwrap_or(""));
        let secret = match file {
            Some("-" | ".") => input.taint.has(Taint::SECRET),
            Some(file) => {
                let path = self.path(&Field::new(file));
                self.is_secret(&path)
                    || self
                        .scope
                        .file(&path)
                        .is_some_and(|it| it.taint.has(Taint::SECRET))
            }
            None => false,
        };
        if secret || data.taint.has(Taint::SECRET) {
            self.ask(Category::Exfiltration);
        }
    }

    fn connect(&mut self, name: &str, arguments: &[Field]) {
        let runs = arguments.iter().any(|it| {
            let text = it.text.to_ascii_lowercase();
            match name {
                "socat" => {
                    text.contains("exec:") || text.contains("system:") || text.contains("shell:")
                }
                _ => {
                    matches!(text.as_str(), "--exec" | "--sh-exec" | "--lua-exec")
                        || text.starts_with("--exec=")
                        || text.starts_with("--sh-exec=")
                        || text.starts_with('-')
                            && !text.starts_with("--")
                            && text.contains(['e', 'c'])
                }
            }
        });
        if runs {
            self.ask(Category::ReverseShell);
        }
    }

    pub(super) fn database(&mut self, name: &str, arguments: &[Field], input: &Stream) {
        const CLIENTS: [&str; 20] = [
            "psql",
            "mysql",
            "mariadb",
            "sqlite3",
            "sqlite",
            "sqlcmd",
            "sqlplus",
            "clickhouse-client",
            "clickhouse",
            "duckdb",
            "bq",
            "cockroach",
            "mongosh",
            "mongo",
            "redis-cli",
            "cqlsh",
            "influx",
            "isql",
            "usql",
            "pgcli",
        ];
        if matches!(name, "dropdb" | "dropuser")
            || name == "mysqladmin" && arguments.iter().any(|it| it.text == "drop")
        {
            self.ask(Category::SqlDestructive);
        }
        if !CLIENTS.contains(&name) {
            return;
        }
        let given = arguments.iter().map(Field::plain);
        let texts: Vec<String> = given.chain(input.text.clone()).collect();
        let joined = texts.join(" ");
        self.spend(joined.len());
        if destroys(&joined) {
            self.ask(Category::SqlDestructive);
        }
        // `\!` and `.shell` run a program.
        if texts.iter().any(|text| {
            text.contains("\\!")
                || text.contains(".shell")
                || text.contains(".system")
                || text.to_ascii_lowercase().contains("to program")
        }) {
            self.ask(Category::ProgramThroughOption);
        }
    }
}

/// Whether SQL, or what other databases take, removes more than chosen rows.
fn destroys(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut in_comment = false;
    // Comments are no separators to a reader of words, so they go.
    let text: String = text
        .split_inclusive("*/")
        .map(|part| {
            in_comment = part.contains("/*");
            if in_comment {
                part.split("/*").next().unwrap_or("").to_owned() + " "
            } else {
                part.to_owned()
            }
        })
        .collect();
    text.split(';').any(|statement| {
        let mut words = statement
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|it| !it.is_empty())
            .peekable();
        let has_condition = statement.contains("where") || statement.contains("limit");
        while let Some(word) = words.next() {
            match word {
                "drop" if words.peek().is_some_and(|it| DROPPED.contains(it)) => return true,
                "truncate" | "flushall" | "flushdb" | "dropdatabase" => return true,
                "delete" if words.peek() == Some(&"from") && !has_condition => return true,
                "deletemany" if statement.contains("{}") => return true,
                "alter" if statement.contains(" drop ") => return true,
                _ => {}
            }
        }
        false
    })
}

const DROPPED: [&str; 15] = [
    "table",
    "database",
    "schema",
    "index",
    "view",
    "user",
    "role",
    "column",
    "tablespace",
    "function",
    "trigger",
    "sequence",
    "materialized",
    "keyspace",
    "collection",
];
