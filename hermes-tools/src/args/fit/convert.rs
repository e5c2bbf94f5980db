//! Changes of type that lose nothing.

use super::Fitter;
use crate::args::number::{Decimal, is_whole, trimmed};
use crate::args::rules::{Rule, RuleId, Type};
use crate::args::{Node, REPAIRS, repair};

/// What was done, and the new value.
pub(super) type Converted = (&'static str, Node);

/// Whether a value is of a type. A whole number is one in every spelling; only what is behind the
/// point counts.
pub(super) fn is_of(node: &Node, wanted: Type) -> bool {
    match (node, wanted) {
        (Node::Number(text), Type::Integer) => is_whole(text),
        (Node::Number(text), Type::Number) => {
            text.len() < 300 && !text.contains(['e', 'E'])
                || text.parse::<f64>().is_ok_and(f64::is_finite)
        }
        _ => type_of(node) == wanted,
    }
}

fn type_of(node: &Node) -> Type {
    match node {
        Node::Null => Type::Null,
        Node::Bool(_) => Type::Boolean,
        Node::Number(_) => Type::Number,
        Node::String(_) => Type::String,
        Node::Array(_) => Type::Array,
        Node::Object(_) => Type::Object,
    }
}

impl Fitter<'_> {
    /// The value in the first type of the rule that takes it without loss.
    ///
    /// `wraps` says that a list may be made around it. That is not so for an item of a list, since
    /// then a list of lists could be made of a list in more than one way.
    pub(super) fn convert(&self, node: &Node, rule: &Rule, wraps: bool) -> Option<Converted> {
        if rule.nullable && is_null_word(node) {
            return Some(("text to null", Node::Null));
        }
        let mut second_best = None;
        for wanted in &rule.types {
            let Some(converted) = to_type(node, *wanted) else {
                continue;
            };
            if rule.values.is_empty() || holds(&rule.values, &converted.1) {
                return Some(converted);
            }
            second_best = second_best.or(Some(converted));
        }
        if second_best.is_none() && rule.types.is_empty() {
            // A list of values says their types.
            return rule.values.iter().find_map(|value| {
                let wanted = match value {
                    Node::Number(text) if is_whole(text) => Type::Integer,
                    value => type_of(value),
                };
                to_type(node, wanted).filter(|(_, converted)| converted.same(value))
            });
        }
        if second_best.is_none() && rule.types == [Type::Array] && wraps {
            let may_be_item = rule.each.is_none_or(|each| self.may_become(node, each));
            return if may_be_item { wrap(node) } else { None };
        }
        second_best
    }
}

impl Fitter<'_> {
    /// Whether a value is of a type of a rule, or can be made one.
    fn may_become(&self, node: &Node, id: RuleId) -> bool {
        let rule = self.schema.rule(id);
        let typed = |wanted: &Type| is_of(node, *wanted) || to_type(node, *wanted).is_some();
        !rule.never
            && (rule.types.is_empty() && rule.union.is_empty() || rule.types.iter().any(typed))
            || rule
                .union
                .iter()
                .any(|form| self.schema.rule(*form).types.iter().any(typed))
    }
}

pub(super) fn holds(values: &[Node], node: &Node) -> bool {
    values.iter().any(|value| value.same(node))
}

/// Whether a value is the word `null` as text.
pub(super) fn is_null_word(node: &Node) -> bool {
    REPAIRS
        && node
            .as_str()
            .is_some_and(|text| trimmed(text).eq_ignore_ascii_case("null"))
}

fn to_type(node: &Node, wanted: Type) -> Option<Converted> {
    match (node, wanted) {
        (Node::String(_), Type::Null) => is_null_word(node).then_some(("text to null", Node::Null)),
        (Node::String(text), Type::Boolean) => {
            let word = trimmed(text);
            let is = |wanted: &str| word.eq_ignore_ascii_case(wanted);
            let value = if is("true") {
                true
            } else {
                is("false").then_some(false)?
            };
            Some(("text to boolean", Node::Bool(value)))
        }
        (Node::String(text), Type::Integer) => {
            let digits = Decimal::parse(text)?.written_digits()?;
            Some(("text to integer", Node::Number(digits)))
        }
        (Node::String(text), Type::Number) => Some((
            "text to number",
            Node::Number(Decimal::parse(text)?.json_text()?),
        )),
        // A model that sends a number for a text means its digits. A fraction has several
        // spellings, so which text was meant is not certain.
        (Node::Number(text), Type::String) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| ("number to text", Node::String(text.clone())))
        }
        (Node::String(text), Type::Array) => {
            let list = container(text)?;
            matches!(list, Node::Array(_)).then_some(("JSON text to list", list))
        }
        (Node::String(text), Type::Object) => {
            let object = container(text)?;
            matches!(object, Node::Object(_)).then_some(("JSON text to object", object))
        }
        _ => None,
    }
}

/// A list around a single value. Text that begins like a list or an object and is none stays as it
/// is, so that the model is told.
fn wrap(node: &Node) -> Option<Converted> {
    if let Node::String(text) = node {
        let text = text.trim_start();
        let broken = text.starts_with('[') || (text.starts_with('{') && container(text).is_none());
        if text.is_empty() || broken {
            return None;
        }
    }
    if *node == Node::Null {
        return None;
    }
    Some(("single value to list", Node::Array(vec![node.clone()])))
}

/// The list or object that a text is, as JSON, in a fence, or as Python writes it.
fn container(text: &str) -> Option<Node> {
    let text = text.trim();
    if !text.starts_with(['[', '{', '`', '~', '(']) {
        return None;
    }
    repair::embedded(text)
}
