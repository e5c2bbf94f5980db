//! A program that puts a hundred linked tools into a `HashMap`, to be timed as a process.

use std::process::ExitCode;

hermes_tools::link!(hermes_benches);

fn main() -> ExitCode {
    if hermes_benches::contests::map().len() == hermes_benches::hundred::COUNT {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
