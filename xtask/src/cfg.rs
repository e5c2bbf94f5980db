//! Conditions of conditional compilation: can two hold at once, does one hold here.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::scan::tokens::split_commas;

/// Most steps of the search for a build that has both of two things. Beyond it they are taken to be
/// compatible.
const MOST_STEPS: usize = 20_000;

/// What the condition of code begins with that is the argument of a macro, whose name follows.
pub(crate) const OPAQUE: &str = "the macro ";

/// Keys that may have several values at once. Of all others a build has one: those of the target, and
/// what build scripts set.
const MULTI_VALUED: [&str; 5] = [
    "feature",
    "target_family",
    "target_feature",
    "target_has_atomic",
    "target_has_atomic_load_store",
];

/// Systems of Apple.
const APPLE: [&str; 5] = ["ios", "macos", "tvos", "visionos", "watchos"];

/// Other systems that count as `unix`.
const UNIX: [&str; 16] = [
    "aix",
    "android",
    "dragonfly",
    "emscripten",
    "freebsd",
    "fuchsia",
    "haiku",
    "hurd",
    "illumos",
    "linux",
    "netbsd",
    "nto",
    "openbsd",
    "redox",
    "solaris",
    "vxworks",
];

/// Systems that count as neither `unix` nor `windows`.
const OTHERS: [&str; 5] = ["none", "uefi", "unknown", "wasi", "zkvm"];

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
///
/// `impossible`: conditions under which nothing compiles.
pub(crate) fn compatible(left: &[String], right: &[String], impossible: &[&[String]]) -> bool {
    let mut conditions = left.iter().chain(right);
    if conditions.any(|condition| condition.starts_with(OPAQUE)) {
        return false;
    }
    let all = |texts: &[String]| Condition::All(texts.iter().map(|text| parse(text)).collect());
    let mut parts = vec![all(left), all(right)];
    parts.extend(
        impossible
            .iter()
            .map(|texts| Condition::Not(Box::new(all(texts)))),
    );
    let condition = Condition::All(parts);
    let mut facts = BTreeSet::new();
    condition.collect_facts(&mut facts);
    let facts: Vec<&str> = facts.into_iter().collect();
    let mut search = Search {
        condition: &condition,
        facts: &facts,
        steps: 0,
    };
    search.satisfiable(&BTreeMap::new())
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

/// The search for facts under which a condition holds.
struct Search<'a> {
    condition: &'a Condition,
    facts: &'a [&'a str],
    steps: usize,
}

impl<'a> Search<'a> {
    fn satisfiable(&mut self, chosen: &BTreeMap<&'a str, bool>) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return true;
        }
        let known = |fact: &str| chosen.get(fact).copied();
        if let Some(answer) = self.condition.evaluate(&known) {
            return answer;
        }
        let open = |fact: &&&str| !chosen.contains_key(**fact);
        let Some(next) = self.facts.iter().find(open).copied() else {
            return true;
        };
        [true, false].into_iter().any(|value| {
            let mut chosen = chosen.clone();
            chosen.insert(next, value);
            let mut own = chosen
                .iter()
                .filter(|(_, holds)| **holds)
                .map(|(fact, _)| *fact);
            let possible = !value || own.all(|fact| fact == next || together(fact, next));
            if value && possible {
                for fact in self.facts {
                    if *fact != next && !together(fact, next) {
                        chosen.insert(fact, false);
                    }
                }
            }
            let implied = self.facts.iter().all(|fact| {
                let holds = implied(fact, &chosen);
                holds.is_none_or(|holds| *chosen.entry(fact).or_insert(holds) == holds)
            });
            possible && implied && self.satisfiable(&chosen)
        })
    }
}

/// Whether one target can have both of two facts.
fn together(one: &str, other: &str) -> bool {
    let value = |fact: &str, key: &str| -> Option<String> {
        let value = fact.strip_prefix(key)?.strip_prefix('=')?;
        Some(value.trim_matches('"').to_owned())
    };
    let values = one.split_once('=').zip(other.split_once('='));
    if values.is_some_and(|((key, one), (other_key, other))| {
        key == other_key && one != other && !MULTI_VALUED.contains(&key)
    }) {
        return false;
    }
    let excludes = |one: &str, other: &str| {
        let os = value(other, "target_os");
        let os = os.as_deref();
        let arch = value(other, "target_arch").is_some_and(|arch| arch.starts_with("wasm"));
        match one {
            "windows" => other == "unix" || os.is_some() || arch,
            "unix" => os.is_some_and(|os| OTHERS.contains(&os)),
            "target_vendor=\"apple\"" => {
                other == "windows" || os.is_some_and(|os| !APPLE.contains(&os)) || arch
            }
            "target_env=\"ohos\"" => os.is_some_and(|os| os != "linux"),
            // It has no such environment, and the interpreter no such target.
            "target_os=\"android\"" => {
                value(other, "target_env").is_some_and(|env| !env.is_empty())
            }
            "miri" => other == "target_family=\"wasm\"" || arch,
            "target_env=\"msvc\"" => other == "unix" || os.is_some(),
            _ => false,
        }
    };
    !excludes(one, other) && !excludes(other, one)
}

/// Whether a fact holds or not because of those that were chosen.
fn implied(fact: &str, chosen: &BTreeMap<&str, bool>) -> Option<bool> {
    let os = |names: &[&str]| {
        names.iter().any(|os| {
            let fact = format!("target_os=\"{os}\"");
            chosen.get(fact.as_str()) == Some(&true)
        })
    };
    match fact {
        "unix" if os(&UNIX) || os(&APPLE) => Some(true),
        _ => None,
    }
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
    let fact: String = trees.iter().map(ToString::to_string).collect();
    // Two spellings of one fact.
    Condition::Fact(match fact.as_str() {
        "target_family=\"unix\"" => "unix".to_owned(),
        "target_family=\"windows\"" | "target_os=\"windows\"" => "windows".to_owned(),
        _ => fact,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compatible_texts(left: &str, right: &str) -> bool {
        compatible(&[left.to_owned()], &[right.to_owned()], &[])
    }

    #[test]
    fn a_condition_and_its_opposite_exclude_each_other() {
        assert!(!compatible_texts(r#"feature = "a""#, r#"not(feature="a")"#));
        assert!(!compatible_texts("any(a, b)", "all(not(a), not(b))"));
        assert!(compatible_texts(r#"feature = "a""#, r#"feature = "b""#));
        assert!(compatible(&[], &["unix".to_owned()], &[]));
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
    fn systems_are_unix_or_not_and_conditions_may_be_many() {
        assert!(!compatible_texts(r#"target_os = "linux""#, "not(unix)"));
        assert!(!compatible_texts(r#"target_os = "wasi""#, "unix"));
        assert!(!compatible_texts(r#"target_family = "unix""#, "windows"));
        assert!(!compatible_texts(
            r#"target_vendor = "apple""#,
            r#"target_os = "linux""#
        ));
        assert!(!compatible_texts(r#"target_arch = "wasm32""#, "windows"));
        assert!(!compatible_texts(
            r#"panic = "abort""#,
            r#"panic = "unwind""#
        ));
        assert!(!compatible_texts(
            r#"target_env = "ohos""#,
            r#"target_os = "android""#
        ));
        assert!(!compatible_texts(r#"width = "32""#, r#"width = "64""#));
        let (left, right) = (["a".to_owned()], ["b".to_owned()]);
        let both = ["a".to_owned(), "b".to_owned()];
        assert!(compatible(&left, &right, &[]));
        assert!(!compatible(&left, &right, &[&both]));
        let many: Vec<String> = (0..40)
            .map(|index| format!("feature = \"f{index}\""))
            .collect();
        let any = format!("any({})", many.join(", "));
        assert!(!compatible_texts(&any, &format!("not({any})")));
        assert!(compatible_texts(&any, "not(feature = \"f3\")"));
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
