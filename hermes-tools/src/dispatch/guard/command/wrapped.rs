//! Programs that run the rest of their arguments, each with the options that it takes before them.

use super::category::Category;
use super::eval::Eval;
use super::field::{Field, Stream, Taint};
use super::options::{Options, Style};

/// A program that runs the rest of its arguments.
struct Wrapper {
    name: &'static str,
    /// Letters that take no value. Any that stands in neither list makes us look at every later word.
    flags: &'static str,
    /// Letters that take a value.
    values: &'static str,
    /// Long options that take the next argument.
    long_values: &'static [&'static str],
    /// How many operands stand before the program.
    skip: usize,
}

/// One that takes the words behind one of its verbs.
struct Runner {
    names: &'static [&'static str],
    verbs: &'static [&'static str],
    values: &'static str,
    long_values: &'static [&'static str],
    skip: usize,
}

const fn plain(name: &'static str) -> Wrapper {
    with(name, "", "", &[], 0)
}

const fn with(
    name: &'static str,
    flags: &'static str,
    values: &'static str,
    long_values: &'static [&'static str],
    skip: usize,
) -> Wrapper {
    Wrapper {
        name,
        flags,
        values,
        long_values,
        skip,
    }
}

const WRAPPERS: &[Wrapper] = &[
    plain("nohup"),
    with("setsid", "cfw", "", &[], 0),
    with("time", "pavqlh", "fo", &["format", "output"], 0),
    plain("busybox"),
    plain("toybox"),
    with("caffeinate", "dimsu", "tw", &[], 0),
    plain("torsocks"),
    plain("tsocks"),
    with("proxychains", "q", "f", &[], 0),
    with("proxychains4", "q", "f", &[], 0),
    plain("firejail"),
    plain("bwrap"),
    with(
        "ltrace",
        "bcCfhiLrStTV",
        "aADeFlnopsuwx",
        &["output", "library", "align", "indent"],
        0,
    ),
    plain("catchsegv"),
    plain("dbus-run-session"),
    plain("dbus-launch"),
    with("fakeroot", "uhv", "lsib", &["lib", "faked"], 0),
    with("unbuffer", "p", "", &[], 0),
    with("chronic", "ve", "", &[], 0),
    plain("ts"),
    with("entr", "acdnprxz", "", &[], 0),
    plain("eatmydata"),
    with("linux64", "BFILRSTXZv3", "", &[], 0),
    with("linux32", "BFILRSTXZv3", "", &[], 0),
    with("nocache", "", "n", &[], 0),
    with(
        "unshare",
        "muinpUCTfrcV",
        "SGRwl",
        &[
            "setuid",
            "setgid",
            "root",
            "wd",
            "map-user",
            "map-group",
            "map-users",
            "map-groups",
            "propagation",
            "setgroups",
            "monotonic",
            "boottime",
        ],
        0,
    ),
    with("gosu", "", "", &[], 1),
    with("su-exec", "", "", &[], 1),
    with("setuidgid", "", "", &[], 1),
    with("s6-setuidgid", "", "", &[], 1),
    with("envuidgid", "", "", &[], 1),
    with("chpst", "vVP012", "uUbedmorfcstplnC/", &[], 0),
    with("nice", "0123456789", "n", &["adjustment"], 0),
    with(
        "ionice",
        "t",
        "cnpPu",
        &["class", "classdata", "pid", "pgid", "uid"],
        0,
    ),
    with(
        "chrt",
        "abdefiomprRvV",
        "TPD",
        &["sched-runtime", "sched-period", "sched-deadline"],
        1,
    ),
    with("taskset", "acp", "", &[], 1),
    with("choom", "", "np", &["adjust", "pid"], 0),
    with("tini", "svwgh", "pe", &[], 0),
    with("dumb-init", "cvVh", "r", &["rewrite"], 0),
    with(
        "numactl",
        "alsH",
        "CNmpiP",
        &["interleave", "membind", "cpunodebind", "physcpubind"],
        0,
    ),
    with("stdbuf", "", "ioe", &["input", "output", "error"], 0),
    with("timeout", "fpv", "ks", &["kill-after", "signal"], 1),
    with("chroot", "", "ugG", &["userspec", "groups"], 1),
    with(
        "nsenter",
        "amuinpCUTrwFeZc",
        "tSG",
        &["target", "setuid", "setgid"],
        0,
    ),
    with(
        "strace",
        "cCdDfFhiknNqrtTvVwxyYzZ",
        "eopaEPsSuXbIOU",
        &[
            "output",
            "trace",
            "attach",
            "env",
            "user",
            "string-limit",
            "columns",
        ],
        0,
    ),
    with(
        "xvfb-run",
        "alh",
        "nsfpwe",
        &[
            "server-num",
            "server-args",
            "error-file",
            "auth-file",
            "wait",
        ],
        0,
    ),
    with("rlwrap", "acnNrRxXvhiAoW", "bCDefgHlmMOpPsStwz", &[], 0),
    with(
        "systemd-run",
        "trGPqSdv",
        "pHMCuE",
        &[
            "unit",
            "property",
            "slice",
            "description",
            "uid",
            "gid",
            "setenv",
            "working-directory",
            "nice",
            "host",
            "machine",
            "service-type",
            "on-active",
            "on-boot",
            "on-calendar",
            "on-startup",
            "on-unit-active",
            "timer-property",
            "path-property",
            "socket-property",
        ],
        0,
    ),
    with(
        "run0",
        "",
        "ugDM",
        &[
            "user",
            "group",
            "chdir",
            "machine",
            "unit",
            "property",
            "slice",
            "description",
            "setenv",
            "nice",
        ],
        0,
    ),
    with(
        "systemd-inhibit",
        "",
        "",
        &["what", "who", "why", "mode"],
        0,
    ),
    with("sshpass", "ehvV", "pfdP", &[], 0),
    with(
        "setpriv",
        "d",
        "",
        &[
            "reuid",
            "regid",
            "groups",
            "ruid",
            "rgid",
            "inh-caps",
            "bounding-set",
        ],
        0,
    ),
    with("pkexec", "", "", &["user"], 0),
    with(
        "runuser",
        "lmfpPT",
        "ugGsw",
        &["user", "group", "supp-group", "shell"],
        0,
    ),
    with("prlimit", "", "p", &["pid"], 0),
    with(
        "cpulimit",
        "zibvfm",
        "leP",
        &["limit", "pid", "exe", "path"],
        0,
    ),
    plain("valgrind"),
    plain("flatpak-spawn"),
];

/// Programs that run others behind a verb.
const RUNNERS: &[Runner] = &[
    Runner {
        names: &["conda", "mamba", "micromamba"],
        verbs: &["run"],
        values: "np",
        long_values: &["name", "prefix", "cwd"],
        skip: 0,
    },
    Runner {
        names: &["pixi"],
        verbs: &["run", "exec", "r", "x"],
        values: "es",
        long_values: &["environment", "spec", "manifest-path"],
        skip: 0,
    },
    Runner {
        names: &["asdf", "pyenv", "rbenv", "nodenv", "goenv", "jenv", "plenv"],
        verbs: &["exec"],
        values: "",
        long_values: &[],
        skip: 0,
    },
    Runner {
        names: &["direnv", "aws-vault"],
        verbs: &["exec"],
        values: "d",
        long_values: &["duration", "region"],
        skip: 1,
    },
    Runner {
        names: &[
            "op",
            "doppler",
            "infisical",
            "dotenv",
            "dotenvx",
            "toolbox",
            "devbox",
        ],
        verbs: &["run"],
        values: "cp",
        long_values: &["env-file", "account", "project", "config", "container"],
        skip: 0,
    },
    Runner {
        names: &["perf"],
        verbs: &["stat", "record", "trace", "mem", "lock"],
        values: "eor",
        long_values: &["event", "output", "repeat"],
        skip: 0,
    },
];

impl Eval<'_> {
    /// Runs what one of these programs runs; none for any other.
    pub(super) fn wrapped(
        &mut self,
        name: &str,
        arguments: &[Field],
        input: &Stream,
    ) -> Option<Stream> {
        if let Some(runner) = RUNNERS.iter().find(|it| it.names.contains(&name)) {
            let is_verb = |it: &Field| runner.verbs.contains(&&*it.text);
            let verb = arguments.iter().position(is_verb)?;
            let wrapper = with(
                runner.names[0],
                "",
                runner.values,
                runner.long_values,
                runner.skip,
            );
            return Some(self.behind(&wrapper, &arguments[verb + 1..], input));
        }
        // Versions of tools, boxes and folders may stand before what these run.
        let verbs: Option<&[&str]> = match name {
            "mise" | "rtx" => Some(&["exec", "x"]),
            "distrobox" => Some(&["enter"]),
            "dotenv" | "distrobox-enter" | "setarch" | "softlimit" | "s6-softlimit" => Some(&[]),
            _ => None,
        };
        if let Some(verbs) = verbs {
            let is_verb = |it: &Field| verbs.contains(&&*it.text);
            if verbs.is_empty() || arguments.iter().any(is_verb) {
                self.guess(arguments, input);
                return Some(Stream::unknown(input.taint));
            }
            return None;
        }
        let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.name == name)?;
        let by_user = arguments
            .iter()
            .any(|it| it.text.starts_with("-u") || it.text.starts_with("--user"));
        if name == "runuser" && !by_user {
            // It is `su` then.
            return None;
        }
        Some(self.behind(wrapper, arguments, input))
    }

    fn behind(&mut self, wrapper: &Wrapper, arguments: &[Field], input: &Stream) -> Stream {
        let style = Style {
            values: wrapper.values,
            long_values: wrapper.long_values,
            first_ends: true,
        };
        let options = Options::of(arguments, style);
        let operands = options.operands.iter().skip(wrapper.skip);
        let mut words: Vec<Field> = operands.map(|it| (*it).clone()).collect();
        // Many take `--` behind their own operands.
        if wrapper.skip > 0 && words.first().is_some_and(|it| it.text == "--") {
            words.remove(0);
        }
        let name = wrapper.name;
        let raises = matches!(name, "pkexec" | "gosu" | "su-exec" | "runuser" | "run0");
        let detaches = matches!(name, "nohup" | "setsid" | "systemd-run");
        let is_timer = |it: &Field| it.text.starts_with("--on-");
        if name == "systemd-run" && arguments.iter().any(is_timer) {
            self.ask(Category::Schedule);
        }
        if matches!(name, "strace" | "ltrace") {
            for output in options.values('o', "output") {
                if let Some(text) = output.strip_prefix(['|', '!']) {
                    self.ask(Category::ProgramThroughOption);
                    self.apart(|this| this.script(text, Stream::known("")));
                }
            }
        }
        if name == "chrt" && options.letter("p") || name == "taskset" && options.letter("p") {
            return Stream::unknown(Taint::NONE);
        }
        // The priority may be left out.
        let first = options.first().unwrap_or("");
        let no_priority = name == "chrt" && !first.starts_with(|c: char| c.is_ascii_digit());
        let unclear = no_priority
            || options.strays(style, wrapper.flags)
            || words.first().is_some_and(Field::is_option);
        self.inside(raises, detaches, |this| {
            if unclear {
                this.guess(arguments, input);
                Stream::unknown(input.taint)
            } else {
                this.program(&words, input.clone())
            }
        })
    }
}
