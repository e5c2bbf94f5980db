//! Disks, the machine's power, and its processes.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::{Field, STAR, Stream, Taint};
use super::super::options::{Options, Style};

impl Eval<'_> {
    pub(super) fn dd(&mut self, arguments: &[Field], input: &Stream) -> Stream {
        let mut output = input.clone();
        let mut to = None;
        for argument in arguments {
            match argument.text.split_once('=') {
                Some(("of", path)) => {
                    to = Some(Field {
                        text: path.to_owned(),
                        taint: argument.taint,
                    });
                }
                Some(("if", path)) => {
                    self.ask(Category::RawDeviceWrite);
                    let from = Field {
                        text: path.to_owned(),
                        taint: argument.taint,
                    };
                    output = self.read(&from);
                }
                _ => {}
            }
        }
        match to {
            Some(to) => {
                self.written_to(&to);
                Stream::known("")
            }
            None => output,
        }
    }

    /// Programs that make disks and file systems anew.
    #[expect(clippy::match_same_arms, reason = "a row for each family of programs")]
    pub(super) fn disk(&mut self, name: &str, arguments: &[Field]) {
        let asks_only = arguments.iter().all(|it| {
            matches!(
                it.text.as_str(),
                "-l" | "--list" | "-V" | "--version" | "-h" | "--help" | "-p" | "print"
            ) || is_device(&self.path(it))
        }) && arguments.iter().any(Field::is_option);
        let on_device = arguments.iter().any(|it| is_device(&self.path(it)));
        let verb = |words: &[&str]| arguments.iter().any(|it| words.contains(&it.text.as_str()));
        let formats = match name {
            "mke2fs" | "mkswap" | "mkdosfs" | "newfs" | "mkntfs" | "mkfs" | "blkdiscard"
            | "badblocks" => true,
            "wipefs" => {
                verb(&["-a", "--all", "-af", "-fa"])
                    || arguments.iter().any(|it| it.text.starts_with("-o"))
            }
            "fdisk" | "sfdisk" | "cfdisk" | "sgdisk" | "gdisk" | "parted" => !asks_only,
            "cryptsetup" => verb(&["luksFormat", "erase", "luksErase", "reencrypt"]),
            "hdparm" => arguments.iter().any(|it| {
                it.text.starts_with("--security-erase") || it.text == "--trim-sector-ranges"
            }),
            "nvme" => verb(&["format", "sanitize", "write-zeroes"]),
            "mdadm" => verb(&["--zero-superblock", "--create", "-C"]),
            "pvcreate" | "pvremove" | "vgremove" | "lvremove" => true,
            "zpool" => verb(&["destroy", "create", "labelclear"]),
            "zfs" => verb(&["destroy", "rollback"]),
            "diskutil" => verb(&[
                "eraseDisk",
                "eraseVolume",
                "partitionDisk",
                "zeroDisk",
                "secureErase",
                "apfs",
            ]),
            name => name.starts_with("mkfs.") || name.starts_with("newfs_"),
        };
        if !formats || asks_only && !on_device {
            return;
        }
        if on_device || name == "diskutil" {
            self.block(Category::FormatDevice);
        } else if !arguments.iter().all(Field::is_option) || arguments.is_empty() {
            self.ask(Category::FormatDevice);
        }
    }

    /// Programs that turn the machine off.
    pub(super) fn power(&mut self, name: &str, arguments: &[Field]) {
        let first = arguments
            .iter()
            .find(|it| !it.is_option())
            .map(|it| it.text.as_str());
        let harmless = arguments.iter().any(|it| {
            matches!(
                it.text.as_str(),
                "--help" | "--version" | "-c" | "--show" | "-w" | "--wtmp-only"
            )
        });
        let off = match name {
            "shutdown" | "reboot" | "poweroff" | "halt" | "pm-hibernate" | "pm-suspend" => {
                !harmless
            }
            "init" | "telinit" => matches!(first, Some("0" | "6")),
            "systemctl" | "loginctl" => {
                let style = Style {
                    values: "tpnoHMs",
                    long_values: &[
                        "type", "property", "lines", "output", "host", "machine", "signal", "root",
                        "state",
                    ],
                    ..Style::default()
                };
                let options = Options::of(arguments, style);
                let target = options.operands.get(1).map(|it| it.text.as_str());
                match options.first() {
                    Some("poweroff" | "reboot" | "halt" | "kexec" | "soft-reboot") => true,
                    Some("isolate" | "start") => {
                        let targets = [
                            "poweroff.target",
                            "reboot.target",
                            "halt.target",
                            "shutdown.target",
                            "kexec.target",
                            "runlevel0.target",
                            "runlevel6.target",
                        ];
                        target.is_some_and(|target| targets.contains(&target))
                    }
                    _ => false,
                }
            }
            _ => false,
        };
        if off && self.own_file {
            self.ask(Category::PowerState);
        } else if off {
            self.block(Category::PowerState);
        }
    }

    pub(super) fn kill(&mut self, arguments: &[Field]) {
        let mut operands: Vec<&Field> = Vec::new();
        let mut rest = arguments.iter();
        let mut signalled = false;
        while let Some(argument) = rest.next() {
            match argument.text.as_str() {
                "--" => {
                    operands.extend(rest.by_ref());
                    break;
                }
                "-s" | "-n" | "--signal" => {
                    signalled = true;
                    rest.next();
                }
                "-l" | "-L" | "--list" => return,
                // Nothing is sent; it is asked whether there is such a process.
                "-0" if !signalled && operands.is_empty() => return,
                text if text.starts_with('-') && !signalled && operands.is_empty() => {
                    signalled = true;
                }
                _ => operands.push(argument),
            }
        }
        for operand in operands {
            match operand.text.as_str() {
                "-1" => self.block(Category::KillEverything),
                "1" => self.ask(Category::ForceKill),
                // Which process that is, or whether it is every one, cannot be told.
                _ if operand.taint.has(Taint::PROCESSES) || !operand.is_known() => {
                    self.ask(Category::ForceKill);
                }
                _ => {}
            }
        }
    }

    /// Ends whatever uses a file or a port.
    pub(super) fn kill_users(&mut self, arguments: &[Field]) {
        let style = Style {
            values: "n",
            ..Style::default()
        };
        let options = Options::of(arguments, style);
        if options.letter("k") || options.long("kill") {
            self.ask(Category::ForceKill);
        }
    }

    pub(super) fn kill_by_name(&mut self, name: &str, arguments: &[Field]) {
        if name == "killall5" {
            self.block(Category::KillEverything);
            return;
        }
        let mut forced = false;
        let mut pairs = arguments.iter().peekable();
        while let Some(argument) = pairs.next() {
            let text = argument.text.as_str();
            let upper = text.trim_start_matches('-').to_ascii_uppercase();
            forced |= text.starts_with('-')
                && matches!(
                    upper.as_str(),
                    "9" | "KILL" | "SIGKILL" | "SIGNAL=9" | "SIGNAL=KILL" | "SIGNAL=SIGKILL"
                );
            if matches!(text, "-s" | "--signal") {
                let signal = pairs
                    .peek()
                    .map_or(String::new(), |it| it.text.to_ascii_uppercase());
                forced |= matches!(signal.as_str(), "9" | "KILL" | "SIGKILL");
            }
            // By user, or by a pattern that everything matches.
            forced |= matches!(
                text,
                "-u" | "-U" | "--user" | "--euid" | "--uid" | "." | ".*" | ""
            ) && !argument.is_option()
                || matches!(text, "-u" | "-U" | "--user" | "--euid" | "--uid");
            if text
                .split(|c: char| !c.is_alphanumeric())
                .any(|it| it == "hermes")
            {
                self.ask(Category::SelfTermination);
            }
        }
        if forced {
            self.ask(Category::ForceKill);
        }
    }
}

/// Whether a path is a disk, a part of one, or the machine's memory.
pub(in super::super) fn is_device(path: &str) -> bool {
    const FOLDERS: [&str; 2] = ["disk/", "mapper/"];
    const NAMES: [&str; 4] = ["mem", "kmem", "port", "nvram"];
    const PREFIXES: [&str; 16] = [
        "sd", "nvme", "hd", "mmcblk", "vd", "xvd", "dm-", "md", "nbd", "sr", "rdisk", "disk",
        "mtd", "zram", "pmem", "ubi",
    ];
    let Some(name) = path.strip_prefix("/dev/") else {
        return false;
    };
    let numbered = |prefix: &&str| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c >= STAR))
    };
    FOLDERS.iter().any(|folder| name.starts_with(folder))
        || NAMES.contains(&name)
        || PREFIXES.iter().any(numbered)
        || name.starts_with(STAR)
}
