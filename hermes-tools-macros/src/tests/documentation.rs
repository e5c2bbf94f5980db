//! The tables in the crate's documentation are those of the code.

use crate::arg::ARG_KEYS;
use crate::args::TOOL_KEYS;
use crate::derive::{PARAM_KEYS, TYPE_KEYS};

const DOCS: &str = include_str!("../lib.rs");

/// The keys in the first column of the table under a heading.
fn documented(heading: &str) -> Vec<&'static str> {
    let (_, section) = DOCS.split_once(heading).unwrap();
    let (_, table) = section.split_once("/// |---|---|---|---|\n").unwrap();
    table
        .lines()
        .map_while(|line| line.strip_prefix("/// | "))
        .filter_map(|row| row.split_once(" | "))
        .flat_map(|(keys, _)| keys.split('`').skip(1).step_by(2))
        .collect()
}

fn sorted(mut names: Vec<&'static str>) -> Vec<&'static str> {
    names.sort_unstable();
    names
}

#[test]
fn every_key_of_tool_is_documented() {
    let known: Vec<&str> = TOOL_KEYS.iter().map(|key| key.name).collect();
    assert_eq!(documented("# Keys of `#[tool(...)]`"), known);
}

#[test]
fn every_key_of_a_type_is_documented() {
    let known: Vec<&str> = TYPE_KEYS.iter().map(|key| key.name).collect();
    assert_eq!(documented("# Keys of `#[param(...)]` on the type"), known);
}

#[test]
fn every_key_of_a_field_is_named() {
    let (_, section) = DOCS
        .split_once("# Keys of `#[param(...)]` on a field")
        .unwrap();
    let (section, _) = section.split_once("#[proc_macro_derive").unwrap();
    for key in PARAM_KEYS {
        assert!(section.contains(&format!("`{}`", key.name)), "{}", key.name);
    }
}

#[test]
fn every_key_of_arg_is_documented() {
    let known = ARG_KEYS.iter().map(|key| key.name).collect();
    assert_eq!(sorted(documented("# Keys of `#[arg(...)]`")), sorted(known));
}
