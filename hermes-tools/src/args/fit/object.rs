//! Keys of objects.

use super::convert::is_null_word;
use super::{Fitter, Path, Scope, Type};
use crate::args::rules::{Rest, Rule};
use crate::args::{Issue, Node, REPAIRS, Repair};
use crate::names;

impl<'s> Fitter<'s> {
    /// Fits the entries of an object to the fields of its rule.
    pub(super) fn fit_object(
        &mut self,
        entries: &mut Vec<(String, Node)>,
        rule: &'s Rule,
        path: Path<'_>,
        depth: usize,
    ) {
        if rule.fields.is_empty() && matches!(rule.rest, Rest::Open | Rest::Declared) {
            return;
        }
        if self.scope == Scope::All {
            self.rename(entries, rule, path);
            self.leave_out(entries, rule, path);
        }
        let mut seen = Seen::new(rule.fields.len());
        let mut next = 0;
        for (key, _) in entries.iter() {
            if let Some(place) = rule.field(key, next) {
                seen.add(place);
                next = place + 1;
            } else if rule.rest == Rest::Closed {
                self.stranger(key, rule, path);
            } else if rule.rest == Rest::Open {
                self.report.undeclared += 1;
            }
        }
        for (place, field) in rule.fields.iter().enumerate() {
            if field.required && !seen.holds(place) {
                let schema = self.schema;
                self.issue(Path::Key(&path, &field.name), || {
                    let issue = Issue::missing(schema.expectation(field.rule));
                    match slip(entries, rule, &field.name) {
                        Some(key) => issue.with_hint(format!("`{key}` was sent; rename it")),
                        None => issue,
                    }
                });
            }
        }
        let mut next = 0;
        for (key, value) in entries.iter_mut() {
            let id = match (rule.field(key, next), rule.rest) {
                (Some(place), _) => {
                    next = place + 1;
                    rule.fields[place].rule
                }
                (None, Rest::Each(id)) => id,
                (None, _) => continue,
            };
            self.fit(value, id, Path::Key(&path, key), depth + 1);
        }
    }

    /// Gives keys in another spelling the names of the fields they mean: a field that nothing else
    /// was sent for, when it alone answers to the key and the key alone to it.
    fn rename(&mut self, entries: &mut [(String, Node)], rule: &Rule, path: Path<'_>) {
        if matches!(rule.rest, Rest::Each(_)) {
            return;
        }
        let strangers: Vec<usize> = (0..entries.len())
            .filter(|at| rule.field(&entries[*at].0, *at).is_none())
            .collect();
        // Thousands of keys that nobody asked for are no misspelt ones.
        if strangers.is_empty() || strangers.len() > 64 {
            return;
        }
        let mut absent = Seen::new(rule.fields.len());
        for (at, (key, _)) in entries.iter().enumerate() {
            if let Some(place) = rule.field(key, at) {
                absent.add(place);
            }
        }
        let meant: Vec<Option<usize>> = strangers
            .iter()
            .map(|at| meant_field(&entries[*at].0, rule, &absent))
            .collect();
        for (at, place) in strangers.iter().zip(&meant) {
            let Some(place) = place else { continue };
            if meant.iter().filter(|other| **other == Some(*place)).count() > 1 {
                continue;
            }
            let field = &rule.fields[*place];
            let key = &mut entries[*at].0;
            if !field.aliases.contains(&key.as_str()) {
                self.report.repair(|| Repair {
                    path: Path::Key(&path, &field.name).to_string(),
                    what: "spelling of the key",
                    before: format!("`{}`", shown(key)),
                    after: format!("`{}`", field.name),
                });
            }
            field.name.as_ref().clone_into(key);
        }
    }

    /// Takes out what means that nothing was sent, and what no field answers to and is no slip.
    fn leave_out(&mut self, entries: &mut Vec<(String, Node)>, rule: &'s Rule, path: Path<'_>) {
        let mut next = 0;
        let mut list = std::mem::take(entries);
        list.retain_mut(|(key, value)| {
            let Some(place) = rule.field(key, next) else {
                let slip = || names::nearest(key, rule.fields.iter().map(|field| &*field.name));
                let kept = !REPAIRS || rule.rest != Rest::Closed || slip().is_some();
                if !kept {
                    self.report.undeclared += 1;
                    self.report.repair(|| Repair {
                        path: Path::Key(&path, shown(key)).to_string(),
                        what: "no such parameter, dropped",
                        before: value.describe(),
                        after: String::new(),
                    });
                }
                return kept;
            };
            next = place + 1;
            let field = &rule.fields[place];
            if field.required || !(matches!(value, Node::Null) || is_null_word(value)) {
                return true;
            }
            let keeps = self.schema.rule(field.rule);
            let text = matches!(value, Node::String(_));
            let fits = keeps.nullable
                || if text {
                    self.takes_text(keeps)
                } else {
                    self.schema.fits(value, field.rule)
                };
            if !fits && text {
                self.report.repair(|| Repair {
                    path: Path::Key(&path, key).to_string(),
                    what: "the word null, taken as absent",
                    before: value.describe(),
                    after: String::new(),
                });
            }
            fits
        });
        *entries = list;
    }

    /// Whether text may stand here, also as the one item of a list.
    fn takes_text(&self, rule: &Rule) -> bool {
        let listed = rule.types == [Type::Array]
            && rule
                .each
                .is_none_or(|each| self.schema.rule(each).takes(Type::String));
        if rule.union.is_empty() {
            return listed || rule.takes(Type::String);
        }
        let mut forms = rule.union.iter().map(|form| self.schema.rule(*form));
        forms.any(|form| !form.union.is_empty() || form.takes(Type::String))
    }

    fn stranger(&mut self, key: &str, rule: &Rule, path: Path<'_>) {
        self.report.undeclared += 1;
        self.issue(Path::Key(&path, shown(key)), || {
            let near = names::nearest(key, rule.fields.iter().map(|field| &*field.name));
            Issue::new("no such parameter").near(near.map(|name| format!("`{name}`")))
        });
    }
}

/// The key that was sent for a field and misspelt, where keys that are no fields may be sent.
fn slip<'e>(entries: &'e [(String, Node)], rule: &Rule, name: &str) -> Option<&'e str> {
    if rule.rest == Rest::Closed {
        return None;
    }
    let keys = entries.iter().map(|(key, _)| key.as_str()).take(64);
    names::nearest(name, keys.filter(|key| rule.field(key, 0).is_none()))
}

/// The only absent field that has the key as an alias or is spelt with the same letters.
fn meant_field(key: &str, rule: &Rule, present: &Seen) -> Option<usize> {
    let folded = REPAIRS.then(|| names::fold(key));
    let alike = |name: &str| folded.as_ref().is_some_and(|key| names::fold(name) == *key);
    let mut alike = (0..rule.fields.len()).filter(|place| {
        let field = &rule.fields[*place];
        !present.holds(*place) && (field.aliases.contains(&key) || alike(&field.name))
    });
    alike.next().filter(|_| alike.next().is_none())
}

/// A key as it is shown: one of a megabyte tells nothing more than its beginning.
fn shown(key: &str) -> &str {
    key.char_indices()
        .nth(60)
        .map_or(key, |(end, _)| &key[..end])
}

/// Which fields were there.
pub(super) enum Seen {
    Few(u64),
    Many(Vec<bool>),
}

impl Seen {
    pub(super) fn new(count: usize) -> Self {
        if count <= 64 {
            Self::Few(0)
        } else {
            Self::Many(vec![false; count])
        }
    }

    pub(super) fn add(&mut self, place: usize) {
        match self {
            Self::Few(bits) => *bits |= 1 << place,
            Self::Many(seen) => seen[place] = true,
        }
    }

    pub(super) fn holds(&self, place: usize) -> bool {
        match self {
            Self::Few(bits) => bits & (1 << place) != 0,
            Self::Many(seen) => seen[place],
        }
    }
}
