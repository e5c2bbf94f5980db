//! `cargo xtask`: the gate, and the static check of tools and toolsets.
//!
//! The check reads source text. It depends on no other crate of the project, so that it also works
//! where those do not compile, and it never runs what it reads.
//!
//! | module | what |
//! |---|---|
//! | [`workspace`] | packages and targets, from `cargo metadata` |
//! | [`scan`] | every `#[tool]`, `toolset!` and so on, found by following the module tree |
//! | [`rules`] | what can be wrong with them, one function a rule |
//! | [`linked`] | the same against what a binary really links |
//! | [`settings`], [`allow`] | what `Cargo.toml` and comments say of the check |
//! | [`fix`] | what can be put right without thinking |
//! | [`report`] | findings as text, JSON, SARIF and annotations |
//! | [`check_toolsets`], [`ci`] | the commands |

mod cfg;
mod clash;
mod nearest;

pub mod allow;
pub mod check_toolsets;
pub mod ci;
pub mod fix;
pub mod linked;
pub mod report;
pub mod rules;
pub mod scan;
pub mod settings;
pub mod workspace;
