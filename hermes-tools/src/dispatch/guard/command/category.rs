//! What a command is judged to be.

/// A kind of command that is not simply allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Category {
    WipeRoot,
    WipeSystem,
    WipeHome,
    FormatDevice,
    RawDeviceWrite,
    ForkBomb,
    KillEverything,
    PowerState,
    SudoPassword,
    Denied,
    RecursiveDelete,
    AbsoluteDelete,
    BulkDelete,
    IrrecoverableDelete,
    OpenPermissions,
    Ownership,
    SqlDestructive,
    SystemConfigWrite,
    CredentialFileWrite,
    ShellStartupWrite,
    ProjectSecretWrite,
    AgentConfigWrite,
    RepositoryHookWrite,
    Schedule,
    Service,
    ForceKill,
    Container,
    HostAccess,
    HistoryRewrite,
    ExecutableAndRun,
    RootShell,
    RemoteCode,
    EncodedCode,
    InlineProgram,
    NestedShell,
    ProgramThroughOption,
    ProgramThroughVariable,
    ReverseShell,
    CredentialRead,
    Exfiltration,
    Firewall,
    SystemSetting,
    Account,
    Package,
    Publish,
    Infrastructure,
    WindowsDelete,
    SelfTermination,
    Unresolvable,
    Unreadable,
    TooInvolved,
    TooLong,
}

impl Category {
    /// The stable word, by which consent is remembered.
    pub(super) const fn word(self) -> &'static str {
        self.texts().0
    }

    /// Whether a machine does not come back from it by itself.
    pub(super) const fn is_lasting(self) -> bool {
        matches!(
            self,
            Self::WipeRoot
                | Self::WipeSystem
                | Self::WipeHome
                | Self::FormatDevice
                | Self::RawDeviceWrite
                | Self::ForkBomb
                | Self::KillEverything
        )
    }

    /// Why it is not simply allowed.
    pub(super) const fn why(self) -> &'static str {
        self.texts().1
    }

    #[expect(clippy::too_many_lines, reason = "a row for each category")]
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::WipeRoot => ("wipe-root", "it deletes everything on the machine"),
            Self::WipeSystem => ("wipe-system", "it deletes a folder that the system needs"),
            Self::WipeHome => ("wipe-home", "it deletes a whole home folder"),
            Self::FormatDevice => ("format-device", "it makes a disk or file system anew"),
            Self::RawDeviceWrite => ("raw-device-write", "it writes over a disk"),
            Self::ForkBomb => ("fork-bomb", "it starts processes without end"),
            Self::KillEverything => ("kill-everything", "it ends every process"),
            Self::PowerState => ("power-state", "it turns the machine off or restarts it"),
            Self::SudoPassword => (
                "sudo-password-pipe",
                "it hands `sudo` a password, which is guessing",
            ),
            Self::Denied => ("denied", "the operator has forbidden it"),
            Self::RecursiveDelete => (
                "recursive-delete",
                "it deletes folders with all that is in them",
            ),
            Self::AbsoluteDelete => (
                "absolute-delete",
                "it deletes files outside the folder it runs in",
            ),
            Self::BulkDelete => (
                "bulk-delete",
                "it deletes files that it finds or is told of",
            ),
            Self::IrrecoverableDelete => (
                "irrecoverable-delete",
                "what it deletes cannot be brought back",
            ),
            Self::OpenPermissions => (
                "open-permissions",
                "it lets everybody change files or run them as their owner",
            ),
            Self::Ownership => ("ownership", "it gives files to another user"),
            Self::SqlDestructive => ("sql-destructive", "it removes data from a database"),
            Self::SystemConfigWrite => ("system-config-write", "it changes files of the system"),
            Self::CredentialFileWrite => (
                "credential-file-write",
                "it changes files that hold credentials",
            ),
            Self::ShellStartupWrite => (
                "shell-startup-write",
                "it changes what runs when a shell or session starts",
            ),
            Self::ProjectSecretWrite => (
                "project-secret-write",
                "it changes the project's secrets or settings",
            ),
            Self::AgentConfigWrite => ("agent-config-write", "it changes the agent's own settings"),
            Self::RepositoryHookWrite => (
                "repository-hook-write",
                "it changes what git runs by itself",
            ),
            Self::Schedule => ("schedule", "it changes what runs later by itself"),
            Self::Service => ("service-control", "it changes which services run"),
            Self::ForceKill => ("force-kill", "it ends processes by force or by name"),
            Self::Container => (
                "container-lifecycle",
                "it stops or removes containers or their data",
            ),
            Self::HostAccess => ("container-host-access", "it gives a container the host"),
            Self::HistoryRewrite => (
                "history-rewrite",
                "it throws away changes or rewrites history",
            ),
            Self::ExecutableAndRun => (
                "make-executable-and-run",
                "it makes a file executable and runs it",
            ),
            Self::RootShell => ("root-shell", "it opens a shell of another user"),
            Self::RemoteCode => ("remote-code", "it runs what it downloads"),
            Self::EncodedCode => ("encoded-code", "it runs text that it decodes first"),
            Self::InlineProgram => (
                "inline-program",
                "it runs a program that stands in the line",
            ),
            Self::NestedShell => ("nested-shell", "it runs a shell on a text"),
            Self::ProgramThroughOption => (
                "program-through-option",
                "an option of it runs another program",
            ),
            Self::ProgramThroughVariable => (
                "program-through-variable",
                "a variable makes it run or load another program",
            ),
            Self::ReverseShell => ("network-shell", "it connects a program to the network"),
            Self::CredentialRead => ("credential-read", "it shows credentials"),
            Self::Exfiltration => (
                "credential-exfiltration",
                "it sends credentials to another machine",
            ),
            Self::Firewall => ("firewall", "it changes what the network lets through"),
            Self::SystemSetting => (
                "system-setting",
                "it changes settings of the running system",
            ),
            Self::Account => ("account", "it changes users or passwords"),
            Self::Package => ("package-removal", "it removes software of the system"),
            Self::Publish => (
                "publish",
                "it publishes to others, which cannot be taken back",
            ),
            Self::Infrastructure => ("infrastructure-destroy", "it removes what runs elsewhere"),
            Self::WindowsDelete => (
                "windows-delete",
                "it deletes files or runs a Windows shell on a text",
            ),
            Self::SelfTermination => ("self-termination", "it stops or restarts the agent itself"),
            Self::Unresolvable => (
                "unresolvable-command",
                "it cannot be told which program would run",
            ),
            Self::Unreadable => ("unreadable", "it does not read as a shell line"),
            Self::TooInvolved => (
                "too-involved",
                "it is too involved to be looked through whole",
            ),
            Self::TooLong => ("too-long", "it is too long to be looked through whole"),
        }
    }
}
