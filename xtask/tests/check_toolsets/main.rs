//! The static check on small crates that the tests write.

mod discovery;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod linked;
mod robustness;
mod rules;
