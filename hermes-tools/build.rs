//! Lets cargo see the `links` key; there is nothing to build.
fn main() {
    // Without this every changed file of the package, a test too, would build the library anew.
    println!("cargo::rerun-if-changed=build.rs");
}
