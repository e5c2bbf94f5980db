//! Containers and clusters.

use std::path::Path;

use super::super::category::Category;
use super::super::eval::{Eval, Where};
use super::super::field::{Field, Stream, Taint};
use super::super::options::{Options, Style};
use super::disk::is_device;

/// Options of `docker` and `docker run` that take the next argument.
const VALUES: [&str; 42] = [
    "-H",
    "--host",
    "--context",
    "-c",
    "--config",
    "-l",
    "--log-level",
    "-f",
    "--file",
    "-p",
    "--project-name",
    "--profile",
    "--project-directory",
    "--env-file",
    "-v",
    "--volume",
    "--mount",
    "-e",
    "--env",
    "--name",
    "-w",
    "--workdir",
    "-u",
    "--user",
    "--network",
    "--net",
    "--entrypoint",
    "--publish",
    "-m",
    "--memory",
    "--cpus",
    "-h",
    "--hostname",
    "--add-host",
    "--label",
    "--platform",
    "--restart",
    "--device",
    "--cap-add",
    "--security-opt",
    "--pid",
    "--gpus",
];

impl Eval<'_> {
    pub(super) fn container(&mut self, name: &str, arguments: &[Field], input: &Stream) -> Stream {
        let words = without_options(
            arguments,
            &[
                "-f",
                "--file",
                "-p",
                "--project-name",
                "--profile",
                "--project-directory",
                "--env-file",
                "-H",
                "--host",
                "--context",
                "-c",
                "--config",
                "-l",
                "--log-level",
                "--ansi",
            ],
        );
        let composed =
            name.ends_with("compose") || words.first().is_some_and(|it| it.text == "compose");
        let words = if composed && !name.ends_with("compose") {
            without_options(
                &words[1..],
                &[
                    "-f",
                    "--file",
                    "-p",
                    "--project-name",
                    "--profile",
                    "--project-directory",
                    "--env-file",
                    "--ansi",
                ],
            )
        } else {
            words
        };
        let at = |index: usize| words.get(index).map_or("", |it| it.text.as_str());
        let verb = at(0);
        let objects = [
            "container",
            "image",
            "volume",
            "network",
            "system",
            "builder",
            "service",
            "stack",
            "swarm",
            "node",
            "secret",
            "config",
            "context",
            "pod",
            "machine",
            "plugin",
            "buildx",
        ];
        let resets = matches!(verb, "system" | "machine") && at(1) == "reset";
        let (verb, rest) = if objects.contains(&verb) && !composed {
            (at(1), words.get(2..))
        } else {
            (verb, words.get(1..))
        };
        let rest = rest.unwrap_or_default();
        let help = rest.iter().any(|it| it.text == "--help");
        let stops = match verb {
            "rm" | "rmi" | "stop" | "restart" | "kill" | "prune" | "down" | "pause" | "leave"
            | "remove" => !help,
            _ => resets && !help,
        };
        if stops {
            self.ask(Category::Container);
        }
        match verb {
            "run" | "create" | "exec" => {
                self.host_access(rest);
                let inner = without_options(rest, &VALUES);
                let words = inner.get(1..).unwrap_or_default().to_vec();
                if !words.is_empty() {
                    let input = input.clone();
                    self.at_other_place(Where::Container, |this| {
                        // An image brings its own programs; only what a shell would run is looked at.
                        this.program(&words, input)
                    });
                }
            }
            "cp" => {
                if let Some(to) = rest.last().filter(|it| !it.text.contains(':')) {
                    self.written_to(to);
                }
            }
            _ => {}
        }
        Stream::unknown(Taint::NONE)
    }

    /// What of the host a container gets.
    fn host_access(&mut self, arguments: &[Field]) {
        let mut rest = arguments.iter().peekable();
        while let Some(argument) = rest.next() {
            let text = argument.text.as_str();
            let (option, joined) = match text.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value)),
                _ => (text, None),
            };
            let value = joined
                .or_else(|| rest.peek().map(|it| it.text.as_str()))
                .unwrap_or("");
            let given = match option {
                "-v" | "--volume" => {
                    self.is_host_folder(value.split(':').next().unwrap_or(""), value.contains(':'))
                }
                "--mount" => value.split(',').any(|part| {
                    let source = part
                        .strip_prefix("source=")
                        .or_else(|| part.strip_prefix("src="));
                    source.is_some_and(|source| self.is_host_folder(source, true))
                }),
                "--privileged" => joined != Some("false"),
                "--pid" | "--ipc" | "--userns" | "--uts" | "--cgroupns" => value == "host",
                "--cap-add" => matches!(
                    value.to_ascii_uppercase().trim_start_matches("CAP_"),
                    "ALL" | "SYS_ADMIN" | "SYS_PTRACE" | "SYS_MODULE"
                ),
                "--device" => is_device(value.split(':').next().unwrap_or("")),
                "--security-opt" => value.contains("unconfined"),
                _ if text.starts_with("-v/") => self.is_host_folder(
                    text[2..].split(':').next().unwrap_or(""),
                    text.contains(':'),
                ),
                _ => false,
            };
            if given {
                self.ask(Category::HostAccess);
            }
        }
    }

    /// Whether a folder of the host is one that a container must not change. A path alone is a
    /// volume of the container's own.
    fn is_host_folder(&self, source: &str, mounted: bool) -> bool {
        if !mounted {
            return false;
        }
        let path = self.path(&Field::new(source));
        let socket = Path::new(&path).extension().is_some_and(|it| it == "sock");
        socket
            || self.wiped(&path).is_some()
            || self.is_secret(&path)
            || path.starts_with("/etc/")
            || ["/.ssh", "/.aws", "/.gnupg", "/.kube"]
                .iter()
                .any(|it| path.ends_with(it))
    }

    pub(super) fn cluster(&mut self, arguments: &[Field], input: &Stream) -> Stream {
        let style = Style {
            values: "nfloLcs",
            long_values: &[
                "namespace",
                "context",
                "kubeconfig",
                "cluster",
                "selector",
                "output",
                "filename",
                "container",
            ],
            first_ends: false,
        };
        let at = arguments.iter().position(|it| it.text == "--");
        let own = &arguments[..at.unwrap_or(arguments.len())];
        let options = Options::of(own, style);
        let verb = options.first().unwrap_or("");
        let dry = own
            .iter()
            .any(|it| it.text.starts_with("--dry-run") && !it.text.ends_with("none"));
        let removes = match verb {
            "delete" | "drain" | "cordon" | "taint" | "evict" => true,
            "scale" => {
                own.windows(2)
                    .any(|pair| pair[0].text == "--replicas" && pair[1].text == "0")
                    || own.iter().any(|it| it.text == "--replicas=0")
            }
            "replace" | "apply" => options.long("force") || options.long("prune"),
            "rollout" => options
                .operands
                .get(1)
                .is_some_and(|it| matches!(it.text.as_str(), "undo" | "restart")),
            _ => false,
        };
        if removes && !dry {
            self.ask(Category::Infrastructure);
        }
        if matches!(verb, "exec" | "debug" | "run") {
            let words: Vec<Field> = match at {
                Some(at) => arguments[at + 1..].to_vec(),
                None => options
                    .operands
                    .iter()
                    .skip(2)
                    .map(|it| (*it).clone())
                    .collect(),
            };
            if !words.is_empty() {
                let input = input.clone();
                self.at_other_place(Where::Container, |this| this.program(&words, input));
            }
        }
        Stream::unknown(Taint::NONE)
    }
}

/// Arguments from the first operand on, without the options before it.
fn without_options(arguments: &[Field], values: &[&str]) -> Vec<Field> {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let text = argument.text.as_str();
        if !text.starts_with('-') {
            return std::iter::once(argument).chain(rest).cloned().collect();
        }
        if values.contains(&text) {
            rest.next();
        }
    }
    Vec::new()
}
