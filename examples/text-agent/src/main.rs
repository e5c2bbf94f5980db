//! An application that links a tool pack.
//!
//! Without arguments it lists its tools; `text-agent TOOL ARGUMENTS` answers one call as a model
//! would make it.

mod app;

// Linking the pack installs its tools; nothing else in this program names them.
hermes_tools::link!(text_pack);

fn main() -> std::process::ExitCode {
    app::run()
}
