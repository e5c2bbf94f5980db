//! Signals that the host ignores: what it starts would ignore them too.
//!
//! Shells ignore `SIGINT` in what they put in the background, and `nohup` ignores `SIGHUP`. A host that was
//! started so would have commands that no `Ctrl-C` on their terminal ends, and in which no shell could set a
//! trap for these. A process can only change this between fork and exec, or be helped by a program that
//! does: `env` of the GNU core utilities.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// `SIGHUP`, `SIGINT`, `SIGQUIT` and `SIGTERM` in a set of signals as the kernel shows it.
const SIGNALS: u64 = 0x4007;

/// Their names for `env`.
const DEFAULT: &str = "--default-signal=HUP,INT,QUIT,TERM";

/// Where `env` is. Commands may change their `PATH`, so that is not asked.
const PLACES: [&str; 2] = ["/usr/bin/env", "/bin/env"];

/// The words before a program that give it these signals as it expects them; none where it gets them so
/// anyway, or nobody can help.
pub(super) fn defaults() -> Vec<OsString> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    if ignored(&status) & SIGNALS == 0 {
        return Vec::new();
    }
    let place = PLACES.iter().map(Path::new).find(|it| it.is_file());
    place.filter(|env| helps(env)).map_or_else(Vec::new, |env| {
        vec![env.as_os_str().to_owned(), DEFAULT.into()]
    })
}

/// The signals that a process ignores, by what the kernel says of it.
fn ignored(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let set = line.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    set.unwrap_or_default()
}

/// Whether this `env` knows the option.
fn helps(env: &Path) -> bool {
    let mut command = Command::new(env);
    command.args([DEFAULT, "--version"]).env_clear();
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
    let status = quiet.stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_is_told() {
        let status = "Name:\tx\nSigBlk:\t0000000000000001\nSigIgn:\t0000000000001006\nSigCgt:\t0\n";
        assert_eq!(ignored(status) & SIGNALS, 6);
        assert_eq!(ignored("Name:\tx\n"), 0);
    }
}
