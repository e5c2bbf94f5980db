//! How commands run that tools start: what the options and the configuration say of it.

use clap::Args;
use hermes_tools::SessionBuilder;
use hermes_toolsets::TerminalConfig;

use crate::session::holds_home;
use crate::terminal;

/// Options about commands that tools start.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Commands")]
pub(crate) struct CommandArgs {
    /// How commands are confined [default: that of the configuration, or `auto`]
    ///
    /// `auto`: by Landlock where the kernel has it. `landlock` and `bubblewrap`: so, or no command runs.
    /// `off`: not at all.
    #[arg(long, value_name = "HOW", value_parser = ["auto", "landlock", "bubblewrap", "off"])]
    isolation: Option<String>,

    /// Hand an environment variable on to commands, beside those of the configuration (repeatable)
    #[arg(long, value_name = "NAME")]
    pass_env: Vec<String>,
}

impl CommandArgs {
    /// How commands are confined, in one word.
    pub(crate) fn isolation<'a>(&'a self, config: &'a TerminalConfig) -> &'a str {
        let configured = config.isolation.as_deref();
        self.isolation.as_deref().or(configured).unwrap_or("auto")
    }

    /// Tells on the error output that commands are not confined, where somebody asked for that.
    pub(crate) fn warn(&self, config: &TerminalConfig) {
        if self.isolation(config) == "off" {
            terminal::report_warning(
                "isolation is off: commands may write wherever you may, and read every secret of yours",
            );
            return;
        }
        for path in &config.writable {
            if path.canonicalize().is_ok_and(|path| holds_home(&path)) {
                terminal::report_warning(&format!(
                    "`terminal.writable` of the configuration names `{}`, which holds all that is yours: commands may \
                     change nearly everything there; name the folders that they need",
                    path.display()
                ));
            }
        }
    }

    /// Says it to the tools of a session.
    #[cfg(unix)]
    pub(crate) fn apply(&self, config: &TerminalConfig, builder: SessionBuilder) -> SessionBuilder {
        use tools_builtin::{Isolation, TerminalOptions};
        let isolation = match self.isolation(config) {
            "off" => Isolation::Off,
            "bubblewrap" => Isolation::Bubblewrap,
            "landlock" => Isolation::Landlock,
            _ => Isolation::Auto,
        };
        let mut options = TerminalOptions::new().isolation(isolation);
        let configured = config.env_passthrough.iter().map(|name| &**name);
        for name in configured.chain(self.pass_env.iter().map(String::as_str)) {
            options = options.pass_through(name);
        }
        for path in &config.writable {
            options = options.writable(path);
        }
        for path in &config.readable {
            options = options.readable(path);
        }
        for path in &config.hidden {
            options = options.hidden(path);
        }
        builder.state(options.detach(config.detach.unwrap_or(true)))
    }

    /// Nothing runs commands here.
    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "as where there are commands")]
    pub(crate) fn apply(&self, _: &TerminalConfig, builder: SessionBuilder) -> SessionBuilder {
        builder
    }
}

/// What confines commands, as `hermes doctor` tells of it.
pub(crate) struct Report {
    /// What is asked for.
    pub(crate) asked: String,
    /// What the kernel confines commands to: `full`, `partial` or `none`.
    pub(crate) kernel: &'static str,
    /// Why bubblewrap cannot be used, where that is so.
    pub(crate) bubblewrap: Result<(), String>,
    /// Whether commands run: what is asked for is there.
    pub(crate) works: bool,
    /// Whether every process that commands start is found when their session ends, whatever it has done to
    /// its group, its parents, its environment and its output.
    pub(crate) finds_every_process: bool,
    /// What commands meet, for people.
    pub(crate) words: String,
}

/// Looks at what confines commands here.
#[cfg(unix)]
pub(crate) fn report(asked: &str) -> Report {
    use tools_builtin::Confinement;
    let (kernel, confined) = match tools_builtin::confinement() {
        Confinement::Full => (
            "full",
            "files, signals and sockets without a path, by the kernel (Landlock)",
        ),
        Confinement::Partial => (
            "partial",
            "part of the files, since the kernel is old (Landlock)",
        ),
        _ => (
            "none",
            "none, since the kernel has no Landlock or it is switched off",
        ),
    };
    let bubblewrap = tools_builtin::bubblewrap()
        .map(drop)
        .map_err(|why| why.to_string());
    let (works, told) = match (asked, &bubblewrap) {
        ("off", _) => (
            true,
            "off, as asked for: commands may write wherever you may".to_owned(),
        ),
        ("bubblewrap", Ok(())) => (
            true,
            "files and processes, in a sandbox of bubblewrap".to_owned(),
        ),
        ("bubblewrap", Err(why)) => (false, format!("no command runs: {why}")),
        ("landlock", _) if kernel != "full" => (false, format!("no command runs: {confined}")),
        _ => (true, confined.to_owned()),
    };
    let finds_every_process = match asked {
        "off" => false,
        "bubblewrap" => works,
        _ => kernel == "full",
    };
    Report {
        asked: asked.to_owned(),
        kernel,
        bubblewrap,
        works,
        finds_every_process,
        words: told,
    }
}

/// Nothing runs commands here.
#[cfg(not(unix))]
pub(crate) fn report(asked: &str) -> Report {
    Report {
        asked: asked.to_owned(),
        kernel: "none",
        bubblewrap: Err("it is for Linux".to_owned()),
        works: true,
        finds_every_process: true,
        words: "none, since no tool runs commands on this system".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_goes_before_the_configuration() {
        let word = |option: Option<&str>, configured: Option<&str>| {
            let args = CommandArgs {
                isolation: option.map(str::to_owned),
                pass_env: Vec::new(),
            };
            let mut config = TerminalConfig::default();
            config.isolation = configured.map(Into::into);
            args.isolation(&config).to_owned()
        };
        assert_eq!(word(None, None), "auto");
        assert_eq!(word(None, Some("bubblewrap")), "bubblewrap");
        assert_eq!(word(Some("landlock"), Some("off")), "landlock");
    }
}
