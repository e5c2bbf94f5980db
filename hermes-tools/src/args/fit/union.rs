//! Values that may have one of several forms.

use std::mem;

use super::convert::{holds, is_of};
use super::{Fitter, Path, Report, Scope, by_alias, nearest, only_alike};
use crate::args::rules::{JsonSchema, Rule, RuleId, one_of};
use crate::args::{Issue, Node};

impl<'s> Fitter<'s> {
    /// Leaves a value alone that fits one of the forms; otherwise the first form that takes it
    /// without loss has it.
    pub(super) fn fit_union(
        &mut self,
        node: &mut Node,
        rule: &'s Rule,
        id: RuleId,
        path: Path<'_>,
        depth: usize,
    ) {
        if let Some(form) = tagged(self.schema, node, rule) {
            return self.fit(node, form, path, depth + 1);
        }
        let fitting = rule.union.iter().find_map(|form| {
            let report = self.attempt(node, *form, Scope::Nothing, path, depth);
            report.is_sound().then_some(report.undeclared)
        });
        if let Some(undeclared) = fitting {
            self.report.undeclared += undeclared;
            return;
        }
        let converts = self.scope != Scope::Nothing;
        if converts && rule.nullable && super::convert::is_null_word(node) {
            return self.replace(node, Node::Null, "text to null", path);
        }
        let mut nearest: Option<(bool, Report)> = None;
        for form in rule.union.iter().filter(|_| converts) {
            let mut copy = node.clone();
            let report = self.attempt(&mut copy, *form, self.scope, path, depth);
            if report.is_sound() {
                self.report.extend(report);
                *node = copy;
                return;
            }
            // Of the forms of the value's own type the one with the fewest faults explains best.
            let types = &self.schema.rule(*form).types;
            let own = types.iter().any(|wanted| is_of(node, *wanted));
            let better = nearest.as_ref().is_none_or(|(was_own, best)| {
                own && (!was_own || report.issues.len() < best.issues.len())
            });
            if better {
                nearest = Some((own, report));
            }
        }
        if let Some(tag) = rule.tag.as_deref()
            && matches!(node, Node::Object(_))
        {
            let schema = self.schema;
            return self.issue(Path::Key(&path, tag), || tag_issue(schema, node, tag, rule));
        }
        match nearest {
            Some((true, report)) if !report.issues.is_empty() => {
                for issue in report.issues {
                    self.report.issue(|| issue);
                }
            }
            _ => self.issue(path, || Issue::expected(self.schema.expectation(id), node)),
        }
    }

    /// Fits a value to one form, with a report of its own.
    fn attempt(
        &mut self,
        node: &mut Node,
        form: RuleId,
        scope: Scope,
        path: Path<'_>,
        depth: usize,
    ) -> Report {
        let outer_report = mem::take(&mut self.report);
        let outer_scope = mem::replace(&mut self.scope, scope);
        let outer_depth = mem::replace(&mut self.form_depth, depth + 1);
        self.fit(node, form, path, depth + 1);
        self.form_depth = outer_depth;
        self.scope = outer_scope;
        mem::replace(&mut self.report, outer_report)
    }
}

/// The form that the text under the tag names.
fn tagged(schema: &JsonSchema, node: &Node, rule: &Rule) -> Option<RuleId> {
    let tag = rule.tag.as_deref()?;
    let name = node.get(tag)?;
    let named = |name: &Node| {
        let names = |form: &&RuleId| holds(tag_values(schema, **form, tag), name);
        rule.union.iter().find(names).copied()
    };
    // In another case it must be the only one of all forms.
    named(name)
        .or_else(|| named(&only_alike(name, &all_tag_values(schema, rule, tag))?))
        .or_else(|| {
            let mut forms = rule.union.iter().copied();
            forms.find(|form| {
                let aliases = tag_rule(schema, *form, tag).map(|rule| &*rule.aliases);
                by_alias(name, aliases.unwrap_or_default()).is_some()
            })
        })
}

/// The rule of the tag in one form.
fn tag_rule<'s>(schema: &'s JsonSchema, form: RuleId, tag: &str) -> Option<&'s Rule> {
    let form = schema.rule(form);
    let field = form.field(tag, 0)?;
    Some(schema.rule(form.fields[field].rule))
}

fn tag_values<'s>(schema: &'s JsonSchema, form: RuleId, tag: &str) -> &'s [Node] {
    tag_rule(schema, form, tag).map_or(&[], |rule| &rule.values)
}

fn all_tag_values(schema: &JsonSchema, rule: &Rule, tag: &str) -> Vec<Node> {
    rule.union
        .iter()
        .flat_map(|form| tag_values(schema, *form, tag))
        .cloned()
        .collect()
}

fn tag_issue(schema: &JsonSchema, node: &Node, tag: &str, rule: &Rule) -> Issue {
    let values = all_tag_values(schema, rule, tag);
    let expected = one_of(&values);
    match node.get(tag) {
        None => Issue::missing(expected),
        Some(name) => Issue::expected(expected, name).near(nearest(name, &values)),
    }
}
