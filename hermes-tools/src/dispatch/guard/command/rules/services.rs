//! Services, settings of the system, users, packages, and the agent itself.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::Field;
use super::super::options::{Options, Style};

const SYSTEMCTL: Style<'_> = Style {
    values: "tpnoHMs",
    long_values: &[
        "type",
        "property",
        "lines",
        "output",
        "host",
        "machine",
        "signal",
        "root",
        "state",
        "kill-whom",
    ],
    first_ends: false,
};

impl Eval<'_> {
    pub(super) fn service(&mut self, name: &str, arguments: &[Field]) {
        let options = Options::of(arguments, SYSTEMCTL);
        let first = options.first().unwrap_or("");
        let second = options.operands.get(1).map_or("", |it| it.text.as_str());
        let stopping = |verb: &str| {
            matches!(
                verb,
                "stop"
                    | "restart"
                    | "force-stop"
                    | "disable"
                    | "off"
                    | "kill"
                    | "try-restart"
                    | "force-reload"
                    | "condrestart"
            )
        };
        let stops = match name {
            "systemctl" => {
                stopping(first)
                    || matches!(
                        first,
                        "mask"
                            | "isolate"
                            | "rescue"
                            | "emergency"
                            | "suspend"
                            | "hibernate"
                            | "hybrid-sleep"
                            | "default"
                            | "reload-or-restart"
                            | "reload-or-try-restart"
                            | "daemon-reexec"
                            | "revert"
                            | "set-default"
                            | "edit"
                            | "exit"
                            | "switch-root"
                            | "clean"
                            | "freeze"
                            // What starts with the machine.
                            | "enable"
                            | "reenable"
                            | "preset"
                            | "preset-all"
                            | "link"
                            | "add-wants"
                            | "add-requires"
                            | "set-property"
                            | "set-environment"
                            | "import-environment"
                    )
            }
            "service" | "rc-service" | "invoke-rc.d" => stopping(second),
            "rc-update" => matches!(first, "del" | "delete" | "add"),
            "launchctl" => matches!(
                first,
                "unload"
                    | "bootout"
                    | "remove"
                    | "stop"
                    | "kill"
                    | "disable"
                    | "kickstart"
                    | "load"
                    | "bootstrap"
                    | "enable"
                    | "submit"
            ),
            "initctl" | "stop" | "restart" => {
                name != "initctl" && !first.is_empty() || stopping(first)
            }
            "supervisorctl" => stopping(first) || matches!(first, "shutdown" | "remove"),
            "pm2" => stopping(first) || matches!(first, "delete" | "del"),
            "sv" => matches!(
                first,
                "down" | "stop" | "restart" | "kill" | "exit" | "force-stop" | "d" | "t" | "k"
            ),
            "update-rc.d" => matches!(second, "disable" | "remove" | "enable" | "defaults"),
            "chkconfig" => matches!(second, "off" | "on") || first == "--add",
            "brew" => first == "services" && stopping(second),
            "sc" | "net" => matches!(first, "stop" | "delete"),
            "nginx" | "apachectl" | "apache2ctl" => arguments
                .iter()
                .any(|it| matches!(it.text.as_str(), "stop" | "quit" | "graceful-stop")),
            "pg_ctl" | "pg_ctlcluster" => arguments.iter().any(|it| stopping(&it.text)),
            "snap" => stopping(first),
            "loginctl" => matches!(
                first,
                "terminate-session"
                    | "terminate-user"
                    | "kill-session"
                    | "kill-user"
                    | "suspend"
                    | "hibernate"
            ),
            // A script of the system's start by its own name.
            _ => stopping(first) && self.start_script,
        };
        if stops {
            self.ask(Category::Service);
        }
    }

    #[expect(clippy::match_same_arms, reason = "a row for each family of programs")]
    pub(super) fn system_setting(&mut self, name: &str, arguments: &[Field]) {
        let options = Options::of(arguments, Style::default());
        let first = options.first().unwrap_or("");
        let is = |words: &[&str]| arguments.iter().any(|it| words.contains(&it.text.as_str()));
        let shows_only = |words: &[&str]| {
            !arguments.is_empty()
                && arguments
                    .iter()
                    .all(|it| !it.is_option() || words.iter().any(|word| it.text.starts_with(word)))
        };
        let category = match name {
            "iptables" | "ip6tables" | "ebtables" | "arptables" => {
                let shows = is(&[
                    "-L",
                    "--list",
                    "-S",
                    "--list-rules",
                    "-C",
                    "--check",
                    "-V",
                    "--version",
                    "-h",
                ]) || arguments.iter().any(|it| {
                    it.text.starts_with("-nL")
                        || it.text.starts_with("-vL")
                        || it.text.starts_with("-L")
                });
                (!shows).then_some(Category::Firewall)
            }
            "nft" => matches!(
                first,
                "flush" | "delete" | "destroy" | "add" | "insert" | "replace"
            )
            .then_some(Category::Firewall),
            "iptables-restore" | "ip6tables-restore" => Some(Category::Firewall),
            "ufw" => (!matches!(first, "" | "status" | "version" | "show" | "app"))
                .then_some(Category::Firewall),
            "firewall-cmd" => (!shows_only(&[
                "--list",
                "--get",
                "--state",
                "--query",
                "--zone",
                "--version",
                "--info",
            ]))
            .then_some(Category::Firewall),
            "pfctl" => is(&["-F", "-d", "-f", "-e"]).then_some(Category::Firewall),
            "netsh" => Some(Category::Firewall),
            "setenforce" | "rmmod" | "insmod" | "modprobe" | "swapoff" | "kexec"
            | "aa-teardown" | "aa-disable" | "csrutil" | "bcdedit" | "grub-install"
            | "update-grub" | "efibootmgr" | "nvram" | "sysrq" => (!arguments.is_empty()
                && !is(&["status", "--version", "--help", "-n", "--dry-run"]))
            .then_some(Category::SystemSetting),
            "sysctl" => (is(&["-w", "--write", "-p"])
                || arguments.iter().any(|it| it.text.contains('=')))
            .then_some(Category::SystemSetting),
            "mount" | "umount" | "losetup" | "swapon" | "sshfs" | "bindfs" | "fusermount"
            | "fusermount3" => mounts(name, arguments).then_some(Category::SystemSetting),
            "cryptsetup" => (!matches!(first, "" | "status" | "isLuks" | "luksDump" | "luksUUID"))
                .then_some(Category::SystemSetting),
            "ip" => (is(&["down", "flush"]) || is(&["del", "delete"]))
                .then_some(Category::SystemSetting),
            "ifconfig" => is(&["down"]).then_some(Category::SystemSetting),
            "ifdown" | "nmcli" if name == "ifdown" || is(&["off", "down", "delete"]) => {
                Some(Category::SystemSetting)
            }
            "hostnamectl" | "timedatectl" | "localectl" => {
                first.starts_with("set").then_some(Category::SystemSetting)
            }
            "useradd" | "userdel" | "usermod" | "adduser" | "deluser" | "groupadd" | "groupdel"
            | "groupmod" | "passwd" | "chpasswd" | "gpasswd" | "chage" | "dscl" | "vipw"
            | "newusers" => (!is(&["-S", "--status", "--help", "-l", "-read", "list"]))
                .then_some(Category::Account),
            "apt" | "apt-get" | "aptitude" | "dnf" | "yum" | "zypper" | "apk" | "emerge"
            | "snap" | "flatpak" | "port" => {
                let removes = matches!(
                    first,
                    "remove"
                        | "purge"
                        | "autoremove"
                        | "erase"
                        | "del"
                        | "uninstall"
                        | "autopurge"
                        | "dist-upgrade"
                        | "full-upgrade"
                );
                removes.then_some(Category::Package)
            }
            "dpkg" => is(&["-r", "-P", "--remove", "--purge"]).then_some(Category::Package),
            "rpm" => is(&["-e", "--erase"]).then_some(Category::Package),
            "pacman" => arguments
                .iter()
                .any(|it| it.text.starts_with("-R") || it.text == "--remove")
                .then_some(Category::Package),
            _ => None,
        };
        if let Some(category) = category {
            self.ask(category);
        }
    }

    /// The agent's own program.
    pub(super) fn agent(&mut self, arguments: &[Field]) {
        let words: Vec<&str> = arguments
            .iter()
            .filter(|it| !it.is_option())
            .map(|it| it.text.as_str())
            .collect();
        let ends = match &*words {
            [
                "gateway",
                "stop" | "restart" | "update" | "uninstall" | "install",
                ..,
            ]
            | ["update" | "uninstall", ..] => true,
            ["gateway", "run" | "start", ..] | ["gateway"] => {
                self.detached || words.get(1) == Some(&"start")
            }
            _ => false,
        };
        if ends {
            self.ask(Category::SelfTermination);
        }
    }
}

/// Whether a program changes what stands in the tree of files, and does not only list that.
fn mounts(name: &str, arguments: &[Field]) -> bool {
    let (values, long_values): (&str, &[&str]) = match name {
        "mount" => (
            "tOoN",
            &["types", "test-opts", "options", "options-mode", "namespace"],
        ),
        "umount" => ("tON", &["types", "test-opts", "namespace"]),
        "losetup" => ("jO", &["associated", "output"]),
        "swapon" => ("", &["show"]),
        _ => ("o", &[]),
    };
    let options = Options::of(
        arguments,
        Style {
            values,
            long_values,
            first_ends: false,
        },
    );
    let tells = ["help", "version", "fake", "list", "show"];
    if tells.iter().any(|it| options.long(it)) || options.letter("hV") {
        return false;
    }
    // By a label or an identity, which are no operands.
    let named = name == "mount" && options.letter("LU") || name == "swapon" && options.letter("LU");
    let all = options.letter("a") && name != "losetup" || options.long("all");
    named || all || !options.operands.is_empty()
}
