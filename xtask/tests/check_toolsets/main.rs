//! The static check on small crates that the tests write.

#[cfg(test)]
mod allows;
mod discovery;
#[cfg(test)]
mod downstream;
#[cfg(test)]
mod fixes;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod formats;
#[cfg(test)]
mod linked;
#[cfg(test)]
mod page;
#[cfg(test)]
mod public_crates;
mod robustness;
mod rules;
#[cfg(test)]
mod schemas;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod supply;
#[cfg(test)]
mod transform;
