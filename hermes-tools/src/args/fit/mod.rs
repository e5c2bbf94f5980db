//! Fits a tree to rules.
//!
//! A value that fits is never changed. A value that does not is converted only where nothing can be
//! lost, and the change is recorded; whatever is left is an issue, and all issues of a call are
//! collected.

mod convert;
mod direct;
mod object;
mod path;
mod report;
mod union;

use self::convert::{holds, is_of};
pub(super) use self::direct::{Detour, read};
use self::path::Path;
pub(super) use self::report::Report;
use super::rules::{Bound, JsonSchema, ROOT, Rule, RuleId, Type};
use super::{Issue, MAX_DEPTH, Node, REPAIRS, Repair, number, pattern};
use crate::names;
use crate::schema::Number;

/// What fitting may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Everything: types, keys, absent values, the case of allowed values.
    All,
    /// Types only.
    Types,
    /// Nothing; what would have to be changed does not fit.
    Nothing,
}

/// Trying the alternatives of nested unions multiplies; a call that needs more steps than this
/// many for each of its values is refused as too complicated.
const STEPS_PER_VALUE: usize = 64;

#[derive(Debug)]
struct Fitter<'s> {
    schema: &'s JsonSchema,
    scope: Scope,
    report: Report,
    steps: usize,
    /// At this depth one of several forms is tried, and no list is made around a value.
    form_depth: usize,
}

/// Fits arguments in place.
pub(super) fn fit(node: &mut Node, schema: &JsonSchema) -> Report {
    run(node, schema, ROOT, Scope::All)
}

/// Fits some of the arguments, whatever else is missing; false when one of them does not fit.
pub(super) fn fit_part(node: &mut Node, schema: &JsonSchema) -> bool {
    fit(node, schema).lacks_only_keys()
}

impl JsonSchema {
    /// Converts types where nothing is lost, at every depth, and leaves everything else as it was
    /// sent: unknown keys, values of the wrong type, nulls.
    pub fn coerce(&self, arguments: &mut Node) {
        run(arguments, self, ROOT, Scope::Types);
    }

    /// Whether arguments fit as they are.
    pub fn accepts(&self, arguments: &Node) -> bool {
        self.fits(arguments, ROOT)
    }

    /// Whether a value fits a rule as it is.
    pub(super) fn fits(&self, node: &Node, id: RuleId) -> bool {
        run(&mut node.clone(), self, id, Scope::Nothing).is_sound()
    }
}

fn run(node: &mut Node, schema: &JsonSchema, id: RuleId, scope: Scope) -> Report {
    let steps = STEPS_PER_VALUE * (count(node) + 64);
    let mut fitter = Fitter {
        schema,
        scope,
        report: Report::default(),
        steps,
        form_depth: usize::MAX,
    };
    fitter.fit(node, id, Path::Root, 0);
    fitter.report
}

/// The number of values, those in JSON text included by its length.
fn count(node: &Node) -> usize {
    1 + match node {
        Node::Array(items) => items.iter().map(count).sum(),
        Node::Object(entries) => entries.iter().map(|(_, value)| count(value)).sum(),
        Node::String(text) => text.len() / 8,
        _ => 0,
    }
}

impl<'s> Fitter<'s> {
    fn fit(&mut self, node: &mut Node, id: RuleId, path: Path<'_>, depth: usize) {
        // JSON text inside JSON text may go deeper than either.
        if self.steps == 0 || depth > 2 * MAX_DEPTH {
            self.issue(path, || Issue::new("too deep or too complicated to check"));
            return;
        }
        self.steps -= 1;
        let rule = self.schema.rule(id);
        if rule.never {
            self.issue(path, || Issue::expected("nothing here", node));
            return;
        }
        if matches!(node, Node::Null) && rule.nullable {
            return;
        }
        if !rule.union.is_empty() {
            return self.fit_union(node, rule, id, path, depth);
        }
        if !self.fit_type(node, rule, path, depth) {
            self.issue(path, || {
                Issue::expected(self.schema.expectation(id), node).near(nearest(node, &rule.values))
            });
            return;
        }
        if !within_bounds(node, rule) {
            self.issue(path, || {
                let wanted = if breaks_only_ends(node, rule) {
                    self.schema.bounds(id)
                } else {
                    self.schema.expectation(id)
                };
                Issue::expected(wanted, node)
            });
        }
        self.fit_parts(node, rule, path, depth);
    }

    /// Makes the value one of the rule's types and values; false when it cannot be.
    fn fit_type(&mut self, node: &mut Node, rule: &'s Rule, path: Path<'_>, depth: usize) -> bool {
        let typed = rule.types.is_empty() || rule.types.iter().any(|wanted| is_of(node, *wanted));
        if typed && (rule.values.is_empty() || holds(&rule.values, node)) {
            return true;
        }
        if self.scope == Scope::Nothing {
            return false;
        }
        if !typed && !REPAIRS {
            return false;
        }
        // With several types the value may be meant as another; with one it may only be misspelt.
        if REPAIRS && (!typed || rule.types.len() != 1) {
            if let Some((what, value)) =
                self.convert(node, rule, !path.is_item() && depth != self.form_depth)
            {
                self.replace(node, value, what, path);
            } else if !typed {
                return false;
            }
        }
        if rule.values.is_empty() || holds(&rule.values, node) {
            return true;
        }
        if self.scope == Scope::All
            && let Some(value) =
                only_alike(node, &rule.values).or_else(|| by_alias(node, &rule.aliases))
        {
            self.replace(node, value, "spelling of the value", path);
            return true;
        }
        false
    }

    /// Fits what is inside a container.
    fn fit_parts(&mut self, node: &mut Node, rule: &'s Rule, path: Path<'_>, depth: usize) {
        match node {
            Node::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(id) = rule.first.get(index).copied().or(rule.each) {
                        self.fit(item, id, Path::Index(&path, index), depth + 1);
                    }
                }
                if rule.unique && has_equal_items(items) {
                    self.issue(path, || Issue::new("expected items that all differ"));
                }
            }
            Node::Object(entries) => self.fit_object(entries, rule, path, depth),
            _ => {}
        }
    }

    fn replace(&mut self, node: &mut Node, value: Node, what: &'static str, path: Path<'_>) {
        self.report.repair(|| Repair {
            path: path.to_string(),
            what,
            before: node.describe(),
            after: value.describe(),
        });
        *node = value;
    }

    fn issue(&mut self, path: Path<'_>, issue: impl FnOnce() -> Issue) {
        if !self.report.tells_issue() {
            return;
        }
        // Outside of this scope nobody reads it; that there is one is enough.
        let issue = if self.scope == Scope::All {
            issue()
        } else {
            Issue::new("")
        };
        self.place(issue, path);
    }

    fn place(&mut self, mut issue: Issue, path: Path<'_>) {
        if self.scope == Scope::All {
            issue.path = path.to_string();
        }
        self.report.add_issue(issue);
    }
}

fn within_bounds(node: &Node, rule: &Rule) -> bool {
    match node {
        Node::Number(text) => within_ends(text, rule.min, rule.max),
        Node::String(text) => {
            (rule.length == super::rules::Size::default()
                || rule.length.holds(text.chars().count()))
                && pattern::fits(text, rule.pattern)
        }
        Node::Array(items) => rule.items.holds(items.len()),
        Node::Object(entries) => rule.keys.holds(entries.len()),
        Node::Null | Node::Bool(_) => true,
    }
}

/// Whether JSON text of a number is neither less than the one bound nor more than the other.
fn within_ends(text: &str, min: Option<Bound>, max: Option<Bound>) -> bool {
    if min.is_none() && max.is_none() {
        return true;
    }
    let Some(value) = number::value(text) else {
        return false;
    };
    let beyond = |bound: Number| value.total_cmp(bound);
    min.is_none_or(|min| {
        let order = beyond(min.number);
        order.is_gt() || (order.is_eq() && !min.exclusive)
    }) && max.is_none_or(|max| {
        let order = beyond(max.number);
        order.is_lt() || (order.is_eq() && !max.exclusive)
    })
}

/// Whether a number is out of bounds that are merely the ends of a type, which are not told otherwise.
fn breaks_only_ends(node: &Node, rule: &Rule) -> bool {
    let told = |bound: &Bound| !bound.number.is_type_limit();
    node.number_text()
        .is_some_and(|text| within_ends(text, rule.min.filter(told), rule.max.filter(told)))
}

/// The only allowed text that a text is in another case.
fn only_alike(node: &Node, values: &[Node]) -> Option<Node> {
    if !REPAIRS {
        return None;
    }
    let folded = node.as_str()?.trim().to_lowercase();
    let mut alike = values.iter().filter(|value| {
        value
            .as_str()
            .is_some_and(|value| value.to_lowercase() == folded)
    });
    alike.next().filter(|_| alike.next().is_none()).cloned()
}

/// The allowed text that has this one as an alias.
fn by_alias(node: &Node, aliases: &[(&'static str, &'static str)]) -> Option<Node> {
    let text = node.as_str()?;
    let (_, value) = aliases.iter().find(|(alias, _)| *alias == text)?;
    Some(Node::String((*value).to_owned()))
}

fn nearest(node: &Node, values: &[Node]) -> Option<String> {
    let texts = values.iter().filter_map(Node::as_str);
    names::nearest(node.as_str()?, texts).map(|value| format!("\"{value}\""))
}

fn has_equal_items(items: &[Node]) -> bool {
    let texts: Vec<String> = items.iter().map(Node::canonical).collect();
    let sorted = names::sorted(texts.iter().map(String::as_str));
    sorted.windows(2).any(|pair| pair[0].0 == pair[1].0)
}
