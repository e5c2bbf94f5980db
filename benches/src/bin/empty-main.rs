//! A program that does nothing, to be timed as a process.

fn main() {}
