//! The same application without `link!`: the pack stands in `Cargo.toml` and contributes nothing,
//! since the compiler does not load a crate that nobody names.

#[path = "../app.rs"]
mod app;

fn main() -> std::process::ExitCode {
    app::run()
}
