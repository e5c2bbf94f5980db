//! Conditions of conditional compilation: can two hold at once, does one hold here.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::scan::tokens::split_commas;

/// Beyond this many different facts two conditions are taken to be compatible.
const MAX_FACTS: usize = 16;

/// What the condition of code begins with that is the argument of a macro, whose name follows.
pub(crate) const OPAQUE: &str = "the macro ";

/// Keys of which a target has exactly one value.
const SINGLE_VALUED: [&str; 6] = [
    "target_arch",
    "target_endian",
    "target_env",
    "target_os",
    "target_pointer_width",
    "target_vendor",
];

/// One condition, as in `#[cfg(...)]`.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// `unix`, `feature = "x"`: the text without spaces.
    Fact(String),
}

/// Whether code under all of `left` and code under all of `right` can be in one build.
///
/// What macros make of their arguments is not known, so that it excludes whatever else there is.
pub(crate) fn compatible(left: &[String], right: &[String]) -> bool {
    let mut all = left.iter().chain(right);
    if all.any(|condition| condition.starts_with(OPAQUE)) {
        return false;
    }
    let conditions: Vec<Condition> = left.iter().chain(right).map(|text| parse(text)).collect();
    let mut facts = BTreeSet::new();
    for condition in &conditions {
        condition.collect_facts(&mut facts);
    }
    let facts: Vec<&str> = facts.into_iter().collect();
    if facts.len() > MAX_FACTS {
        return true;
    }
    (0_u32..1 << facts.len()).any(|bits| {
        let chosen: Vec<&str> = (0..facts.len())
            .filter(|bit| bits >> bit & 1 == 1)
            .map(|bit| facts[bit])
            .collect();
        possible(&chosen)
            && conditions.iter().all(|condition| {
                condition.evaluate(&|fact| Some(chosen.contains(&fact))) == Some(true)
            })
    })
}

/// Whether all of `conditions` hold, given what is known of each fact (spelt without spaces). `None`:
/// it depends on something unknown.
pub(crate) fn holds(conditions: &[String], known: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let conditions = conditions.iter().map(|text| parse(text)).collect();
    Condition::All(conditions).evaluate(known)
}

/// Whether code under `conditions` exists in tests only.
pub(crate) fn only_in_tests(conditions: &[String]) -> bool {
    holds(conditions, &|fact| (fact == "test").then_some(false)) == Some(false)
}

impl Condition {
    fn evaluate(&self, known: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
        match self {
            Self::All(parts) => {
                let mut all = Some(true);
                for part in parts {
                    match part.evaluate(known) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => all = None,
                    }
                }
                all
            }
            Self::Any(parts) => {
                let none = parts
                    .iter()
                    .cloned()
                    .map(|part| Self::Not(Box::new(part)))
                    .collect();
                Self::All(none).evaluate(known).map(|value| !value)
            }
            Self::Not(part) => part.evaluate(known).map(|value| !value),
            Self::Fact(fact) => match fact.as_str() {
                "true" => Some(true),
                "false" => Some(false),
                fact => known(fact),
            },
        }
    }

    fn collect_facts<'a>(&'a self, facts: &mut BTreeSet<&'a str>) {
        match self {
            Self::All(parts) | Self::Any(parts) => {
                for part in parts {
                    part.collect_facts(facts);
                }
            }
            Self::Not(part) => part.collect_facts(facts),
            Self::Fact(fact) => _ = facts.insert(fact),
        }
    }
}

/// Whether one target can have all of these facts.
fn possible(facts: &[&str]) -> bool {
    let windows = facts
        .iter()
        .any(|fact| matches!(*fact, "windows" | "target_os=\"windows\""));
    let single = |key: &&str| {
        let value_of = |fact: &&&str| {
            fact.strip_prefix(*key)
                .is_some_and(|rest| rest.starts_with('='))
        };
        facts.iter().filter(value_of).count() <= 1
    };
    !(windows && facts.contains(&"unix")) && SINGLE_VALUED.iter().all(single)
}

fn parse(text: &str) -> Condition {
    match text.parse::<TokenStream>() {
        Ok(tokens) => parse_tokens(tokens),
        Err(_) => Condition::Fact(text.to_owned()),
    }
}

fn parse_tokens(tokens: TokenStream) -> Condition {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    if let [TokenTree::Ident(name), TokenTree::Group(group)] = trees.as_slice()
        && group.delimiter() == Delimiter::Parenthesis
    {
        let mut parts = split_commas(group.stream()).into_iter().map(parse_tokens);
        match name.to_string().as_str() {
            "all" => return Condition::All(parts.collect()),
            "any" => return Condition::Any(parts.collect()),
            "not" => {
                if let Some(part) = parts.next() {
                    return Condition::Not(Box::new(part));
                }
            }
            _ => {}
        }
    }
    Condition::Fact(trees.iter().map(ToString::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compatible_texts(left: &str, right: &str) -> bool {
        compatible(&[left.to_owned()], &[right.to_owned()])
    }

    #[test]
    fn a_condition_and_its_opposite_exclude_each_other() {
        assert!(!compatible_texts(r#"feature = "a""#, r#"not(feature="a")"#));
        assert!(!compatible_texts("any(a, b)", "all(not(a), not(b))"));
        assert!(compatible_texts(r#"feature = "a""#, r#"feature = "b""#));
        assert!(compatible(&[], &["unix".to_owned()]));
    }

    #[test]
    fn a_target_has_one_operating_system() {
        assert!(!compatible_texts("unix", "windows"));
        assert!(!compatible_texts(
            r#"target_os = "linux""#,
            r#"target_os = "macos""#
        ));
        assert!(!compatible_texts(r#"target_os = "windows""#, "unix"));
        assert!(compatible_texts(
            r#"target_os = "linux""#,
            r#"target_arch = "x86_64""#
        ));
    }

    #[test]
    fn unknown_facts_leave_the_answer_open_unless_they_do_not_matter() {
        let known = |fact: &str| match fact {
            "unix" => Some(true),
            "windows" => Some(false),
            _ => None,
        };
        let holds = |text: &str| holds(&[text.to_owned()], &known);
        assert_eq!(holds("unix"), Some(true));
        assert_eq!(holds("windows"), Some(false));
        assert_eq!(holds("custom"), None);
        assert_eq!(holds("all(custom, windows)"), Some(false));
        assert_eq!(holds("any(custom, unix)"), Some(true));
        assert_eq!(holds("all(custom, unix)"), None);
        assert_eq!(holds("any()"), Some(false));
        assert_eq!(holds("true"), Some(true));
    }

    #[test]
    fn code_for_tests_is_told_apart() {
        assert!(only_in_tests(&["test".to_owned()]));
        assert!(only_in_tests(&["all(unix, test)".to_owned()]));
        assert!(!only_in_tests(&["not(test)".to_owned()]));
        assert!(!only_in_tests(&[r#"feature = "test""#.to_owned()]));
    }
}
