//! The static check on small crates that the tests write.

mod allows;
mod discovery;
mod downstream;
mod fixture;
mod linked;
mod fixes;
mod formats;
mod page;
mod public_crates;
mod robustness;
mod rules;
mod schemas;
mod settings;
