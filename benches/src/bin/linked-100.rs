//! A program that links a hundred tools and leaves them alone, to be timed as a process.

hermes_tools::link!(hermes_benches);

fn main() {}
