//! What programs do, by their names and arguments.

mod containers;
mod delete;
mod disk;
mod files;
mod git;
mod infrastructure;
mod interpreters;
mod network;
mod options;
mod permissions;
mod removers;
mod services;
mod streams;

use super::eval::Eval;
use super::field::{Field, Stream, Taint};
use super::program::taint;

impl Eval<'_> {
    /// Judges a program by its arguments, and tells what it prints.
    pub(super) fn rules(&mut self, name: &str, arguments: &[Field], input: &Stream) -> Stream {
        self.program_options(name, arguments);
        self.carried(name, arguments);
        match name {
            "rm" | "unlink" | "srm" | "rmdir" => self.remove(name, arguments),
            "find" | "fd" | "fdfind" => return self.find(name, arguments),
            "shred" | "wipe" => self.shred(arguments),
            "dd" => return self.dd(arguments, input),
            "kill" => self.kill(arguments),
            "fuser" => self.kill_users(arguments),
            "pkill" | "killall" | "killall5" | "skill" => self.kill_by_name(name, arguments),
            "chmod" => self.chmod(arguments),
            "chown" | "chgrp" => self.chown(arguments),
            "setfacl" | "setcap" | "chattr" => self.access_lists(name, arguments),
            "install" | "mkdir" | "mkfifo" | "mknod" => self.made_with_mode(arguments),
            "git" => return self.git(arguments, input),
            "hermes" => self.agent(arguments),
            "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" => {
                return self.container(name, arguments, input);
            }
            "kubectl" | "oc" | "k3s" => return self.cluster(arguments, input),
            _ => {}
        }
        if self.shell(name, arguments, input) {
            // What somebody at a shell is shown is everything, which no other machine should see.
            let shown = arguments.iter().any(|it| it.text == "-i");
            let taint = if shown { Taint::SECRET } else { Taint::NONE };
            return Stream::unknown(input.taint.with(taint));
        }
        if self.interpreter(name, arguments, input) {
            return Stream::unknown(input.taint);
        }
        self.removers(name, arguments, input);
        match name {
            "patch" | "gpatch" => self.patches(arguments),
            "make" | "gmake" | "bmake" => self.makes(arguments, input),
            _ => {}
        }
        self.disk(name, arguments);
        self.power(name, arguments);
        self.service(name, arguments);
        self.system_setting(name, arguments);
        self.infrastructure(name, arguments);
        self.database(name, arguments, input);
        self.writes(name, arguments, input);
        self.network(name, arguments, input);
        self.windows(name, arguments);
        let output = self.stream(name, arguments, input);
        if self.shows_secrets(name, arguments) {
            output.tainted(Taint::SECRET)
        } else {
            output
        }
    }

    /// Whether a stream or an argument holds credentials.
    fn is_tainted_secret(arguments: &[Field], input: &Stream) -> bool {
        taint(arguments).with(input.taint).has(Taint::SECRET)
    }
}
