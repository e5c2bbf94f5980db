//! Lets cargo see the `links` key; there is nothing to build.
fn main() {}
