//! Building a package and taking the time of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What one way costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    /// Seconds of CPU time of `cargo check` when the dependencies are there.
    pub(crate) check: f64,
    /// The same with an empty target folder, and the first number of tools that was measured.
    pub(crate) cold: f64,
    /// Seconds of CPU time of `cargo build --release` when the dependencies are there.
    pub(crate) release: f64,
    /// Size of the stripped program, in millions of bytes.
    pub(crate) megabytes: f64,
}

/// The folder of all packages and of their builds.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// A new folder.
    pub(crate) fn new() -> Self {
        let name = format!("hermes-compile-times-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder for scratch");
        Self(path)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Seconds of CPU time of `cargo check` with an empty target folder.
    pub(crate) fn cold(&self, package: &Path) -> f64 {
        self.clean();
        let cold = self.cargo(package, &["check"]);
        println!("  cold: {cold:.2}");
        cold
    }

    /// Measures a package whose cold check has been made.
    pub(crate) fn measure(&self, package: &Path, cold: f64, rounds: usize) -> Measured {
        let again = |arguments: &[&str], rounds: usize| {
            let mut times: Vec<f64> = (0..rounds)
                .map(|_| {
                    touch(&package.join("src/main.rs"));
                    self.cargo(package, arguments)
                })
                .collect();
            times.sort_by(f64::total_cmp);
            println!("  {}: {times:.2?}", arguments.join(" "));
            times[times.len() / 2]
        };
        self.cargo(package, &["check"]);
        let check = again(&["check"], rounds);
        self.cargo(package, &["build", "--release"]);
        let release = again(&["build", "--release"], rounds.div_ceil(3));
        let program = self.target().join("release/compiled");
        let bytes = fs::metadata(program).expect("a program").len();
        #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
        let megabytes = bytes as f64 / 1e6;
        Measured {
            check,
            cold,
            release,
            megabytes,
        }
    }

    fn target(&self) -> PathBuf {
        self.0.join("target")
    }

    fn clean(&self) {
        // The folder may not be there yet.
        let _ = fs::remove_dir_all(self.target());
    }

    /// Runs cargo, and returns its CPU seconds with those of all it started.
    fn cargo(&self, package: &Path, arguments: &[&str]) -> f64 {
        let before = of_children();
        let output = Command::new("cargo")
            .args(arguments)
            .args(["--offline", "--quiet"])
            .current_dir(package)
            .env("CARGO_TARGET_DIR", self.target())
            // Without what was compiled before: a cache, or the parts that did not change.
            .env_remove("RUSTC_WRAPPER")
            .env_remove("RUSTFLAGS")
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .expect("cargo runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        of_children() - before
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("{} stays: {error}", self.0.display());
        }
    }
}

/// Makes cargo compile the file again.
fn touch(file: &Path) {
    let text = fs::read(file).expect("a source file");
    fs::write(file, text).expect("a source file");
}

/// CPU seconds of all processes that were started and have ended, as Linux counts them: fields 16
/// and 17 behind the name, in hundredths.
fn of_children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux tells the times of processes");
    let (_, fields) = stat.rsplit_once(')').expect("the name in parentheses");
    let fields = fields.split_whitespace().skip(13).take(2);
    fields
        .map(|ticks| ticks.parse::<f64>().expect("a number of ticks") / 100.0)
        .sum()
}
