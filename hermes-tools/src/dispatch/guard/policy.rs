//! What the guards of a session go by.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Verdict;
use super::command;
use super::path::{Places, without_dots};
use super::url::{self, Resolver};
use crate::context::{SessionFacts, ToolContext};
use crate::gate::Destination;
use crate::target::Access;

/// What the guards of a session go by. They cannot be switched off; this tells them where they are.
///
/// ```
/// use hermes_tools::dispatch::guard::Policy;
///
/// let policy = Policy::new().home("/home/dev").deny_command("git push *");
/// assert_eq!(policy.command("cargo test", None).as_str(), "allow");
/// assert_eq!(policy.command("rm -rf build", None).as_str(), "ask");
/// assert_eq!(policy.command("sudo bash -c 'rm -rf ~'", None).category(), "wipe-home");
/// assert_eq!(policy.command("git push origin main", None).category(), "denied");
/// ```
#[derive(Clone, Default)]
pub struct Policy {
    home: Option<PathBuf>,
    agent_home: Option<PathBuf>,
    sudo_password: bool,
    deny: Vec<command::Deny>,
    private_urls: bool,
    blocked_sites: Vec<String>,
    /// Rules about sites that hold no host.
    unread_sites: Vec<String>,
    resolver: Option<Arc<dyn Resolver>>,
}

/// Taken for the home folder where nobody says which that is.
pub(super) const UNKNOWN_HOME: &str = "/home/user";

impl Policy {
    /// A policy with the defaults of everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the home folder, in place of the session's variable `HOME`. One that is empty, relative or `/`
    /// is none.
    #[must_use]
    pub fn home(mut self, folder: impl Into<PathBuf>) -> Self {
        self.home = Some(folder.into());
        self
    }

    /// Sets the folder of the agent's own settings and credentials, in place of the session's variable
    /// `HERMES_HOME` and of `.hermes` in the home folder. Tools neither read its credentials nor change its settings.
    #[must_use]
    pub fn agent_home(mut self, folder: impl Into<PathBuf>) -> Self {
        self.agent_home = Some(folder.into());
        self
    }

    /// Says that the host answers `sudo` with a password of its own. Otherwise a command that hands
    /// `sudo` a password is never run: it can only be guessed.
    #[must_use]
    pub fn sudo_password(mut self, given: bool) -> Self {
        self.sudo_password = given;
        self
    }

    /// Adds a pattern of commands that are never run, with `*` and `?`, in any case. It is held against
    /// the line and against each program that would run, by its name and its arguments. Where a pattern
    /// does not read, such as `git [`, no command is run at all, and no session is built.
    #[must_use]
    pub fn deny_command(mut self, pattern: &str) -> Self {
        self.deny.push(command::Deny::new(pattern));
        self
    }

    /// Allows addresses of this machine and its network. Services that give out the machine's
    /// credentials stay out of reach.
    #[must_use]
    pub fn allow_private_urls(mut self, allow: bool) -> Self {
        self.private_urls = allow;
        self
    }

    /// Blocks a site with all below it, such as `example.com`; `*.example.com` blocks only what is below.
    /// Where a rule holds no host, such as `example .com`, nothing is fetched at all, and no session is built.
    #[must_use]
    pub fn block_site(mut self, rule: &str) -> Self {
        match url::site_rule(rule) {
            Some(site) => self.blocked_sites.push(site),
            None => self.unread_sites.push(rule.to_owned()),
        }
        self
    }

    /// Sets what looks up hosts, in place of the system.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.resolver = Some(Arc::new(resolver));
        self
    }

    /// The rules that do not read: what was meant by them cannot be forbidden.
    pub(crate) fn unreadable(&self) -> Vec<String> {
        let commands = self.deny.iter().filter_map(command::Deny::unreadable);
        let sites = self.unread_sites.iter().map(String::as_str);
        commands.chain(sites).map(str::to_owned).collect()
    }

    /// Says where an address leads. `from` is the address whose answer leads there: each redirect
    /// is judged so.
    ///
    /// # Errors
    ///
    /// The verdict, always [`Verdict::Block`], that it is not fetched.
    pub async fn url(
        &self,
        cx: &ToolContext,
        address: &str,
        from: Option<&str>,
    ) -> Result<Destination, Verdict> {
        let setting = url::Setting {
            private: self.private_urls,
            blocked: &self.blocked_sites,
            unread: self.unread_sites.first().map(String::as_str),
            resolver: self.resolver.as_deref(),
        };
        url::destination(cx, address, from, setting).await
    }

    /// Judges a shell line that would run in a folder.
    pub fn command(&self, line: &str, folder: Option<&Path>) -> Verdict {
        self.command_of(line, folder, &SessionFacts::default())
    }

    pub(super) fn command_of(
        &self,
        line: &str,
        folder: Option<&Path>,
        facts: &SessionFacts,
    ) -> Verdict {
        let text = |path: &Path| path.to_string_lossy().trim_end_matches('/').to_owned();
        let places = self.places(facts);
        command::judge(
            line,
            &command::Setting {
                home: text(&places.home),
                folder: folder.map(text),
                agent_home: places.agent_home.as_deref().map(text),
                sudo_password: self.sudo_password,
                deny: self.deny.clone(),
            },
        )
    }

    /// Judges an absolute path without links, by what stands there; where a session keeps its tools is up to
    /// its workspace.
    pub fn path(&self, path: &Path, access: Access, facts: &SessionFacts) -> Verdict {
        self.places(facts)
            .verdict(path, &path.to_string_lossy(), access)
    }

    /// What the workspace of a session asks about places.
    pub(crate) fn places(&self, facts: &SessionFacts) -> Places {
        let agent_home = self.agent_home.clone();
        let agent_home = agent_home.or_else(|| facts.env("HERMES_HOME").map(PathBuf::from));
        let mut config = own_folder(facts, "XDG_CONFIG_HOME");
        config.extend(named(facts, "HERMES_CONFIG"));
        Places {
            home: self.home_of(facts),
            agent_home: agent_home.as_deref().and_then(usable_home),
            config,
            state: own_folder(facts, "XDG_STATE_HOME"),
            kept: named(facts, "HERMES_CHECKPOINTS").into_iter().collect(),
            results: None,
            projects: Vec::new(),
        }
    }

    fn home_of(&self, facts: &SessionFacts) -> PathBuf {
        let home = self.home.clone();
        home.or_else(|| facts.env("HOME").map(PathBuf::from))
            .and_then(|home| usable_home(&home))
            .unwrap_or_else(|| PathBuf::from(UNKNOWN_HOME))
    }
}

/// The agent's own folder in one that a variable names.
fn own_folder(facts: &SessionFacts, variable: &str) -> Vec<PathBuf> {
    let named = named(facts, variable).into_iter();
    named.map(|it| it.join("hermes")).collect()
}

/// The file or folder that a variable names.
fn named(facts: &SessionFacts, variable: &str) -> Option<PathBuf> {
    usable_home(Path::new(&facts.env(variable)?))
}

/// A home folder without `.` and `..`. One that is empty, relative or the root is none.
fn usable_home(folder: &Path) -> Option<PathBuf> {
    let plain = without_dots(folder);
    (folder.is_absolute() && plain.parent().is_some()).then_some(plain)
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy")
            .field("home", &self.home)
            .field("agent_home", &self.agent_home)
            .field("deny", &self.deny.len())
            .finish_non_exhaustive()
    }
}
