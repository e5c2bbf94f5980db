//! Fits a tree to a schema.
//!
//! A value that fits is never changed. A value that does not is converted only where nothing can be
//! lost, and the change is recorded; whatever is left is an issue, and all issues of a call are
//! collected.

use super::number::{Decimal, in_bounds};
use super::{Issue, Node, Repair, parse, pattern};
use crate::names;
use crate::param::Param;
use crate::schema::{Kind, Number, Schema, Variant};

/// What fitting found: what was changed and what does not fit.
///
/// A call with a hundred thousand faults is answered as shortly as one with twenty.
#[derive(Debug, Default)]
pub(super) struct Report {
    issues: Vec<Issue>,
    repairs: Vec<Repair>,
    more_issues: usize,
    more_repairs: usize,
}

/// How many issues, and how many repairs, are told one by one.
const MAX_TOLD: usize = 20;

impl Report {
    pub(super) fn issue(&mut self, issue: Issue) {
        if self.issues.len() < MAX_TOLD {
            self.issues.push(issue);
        } else {
            self.more_issues += 1;
        }
    }

    pub(super) fn repair(&mut self, repair: Repair) {
        if self.repairs.len() < MAX_TOLD {
            self.repairs.push(repair);
        } else {
            self.more_repairs += 1;
        }
    }

    /// The repairs, when there is no issue.
    pub(super) fn finish(mut self) -> Result<Vec<Repair>, Vec<Issue>> {
        if self.issues.is_empty() {
            if self.more_repairs > 0 {
                self.repairs.push(Repair {
                    path: "...".to_owned(),
                    what: "further changes",
                    before: self.more_repairs.to_string(),
                    after: String::new(),
                });
            }
            return Ok(self.repairs);
        }
        if self.more_issues > 0 {
            self.issues.push(Issue::new(format!(
                "and {} more problems",
                self.more_issues
            )));
        }
        Err(self.issues)
    }
}

/// Fits `node` to `schema`, in place. `path` says where the node stands.
pub(super) fn fit(node: &mut Node, schema: &Schema, path: &str, report: &mut Report) {
    if matches!(node, Node::Null) && schema.nullable {
        return;
    }
    let fitted = match schema.kind {
        Kind::Any => return,
        Kind::Recursive { .. } => return fit(node, schema.resolved(), path, report),
        Kind::Boolean => fit_boolean(node),
        Kind::Integer => fit_integer(node),
        Kind::Number => fit_number(node),
        Kind::String => fit_text(node, schema),
        Kind::Array { .. } => fit_array(node),
        Kind::Tuple { items } => fit_tuple(node, items),
        Kind::Map { .. } | Kind::Object { .. } | Kind::Union { .. } => fit_object(node),
    };
    match fitted {
        Ok(None) => {}
        Ok(Some((what, value))) => {
            report.repair(Repair {
                path: path.to_owned(),
                what,
                before: node.describe(),
                after: value.describe(),
            });
            *node = value;
        }
        Err(Misfit) => {
            report.issue(Issue {
                path: path.to_owned(),
                ..Issue::expected(expectation(schema), node)
            });
            return;
        }
    }
    check_bounds(node, schema, path, report);
    fit_parts(node, schema, path, report);
}

/// Fits what is inside a container.
fn fit_parts(node: &mut Node, schema: &Schema, path: &str, report: &mut Report) {
    match (node, schema.kind) {
        (Node::Array(list), Kind::Array { items, .. }) => {
            for (index, item) in list.iter_mut().enumerate() {
                fit(item, items, &format!("{path}[{index}]"), report);
            }
        }
        (Node::Array(list), Kind::Tuple { items }) => {
            for (index, (item, schema)) in list.iter_mut().zip(items).enumerate() {
                fit(item, schema, &format!("{path}[{index}]"), report);
            }
        }
        (Node::Object(entries), Kind::Map { values }) => {
            for (key, value) in entries {
                fit(value, values, &join(path, key), report);
            }
        }
        (Node::Object(entries), Kind::Object { fields }) => {
            *entries = fit_fields(std::mem::take(entries), fields, path, report);
        }
        (Node::Object(entries), Kind::Union { tag, variants }) => {
            fit_union(entries, tag, variants, path, report);
        }
        _ => {}
    }
}

/// Fits the entries of an object to the fields of its type, and gives them back in the order of the
/// type and under its names.
///
/// A key in another case or with other separators is taken when exactly one field that nothing
/// else was sent for answers to it. Other unknown keys are refused when they are near a field,
/// since they are slips, and dropped when they are not.
pub(super) fn fit_fields(
    entries: Vec<(String, Node)>,
    fields: &[Param],
    path: &str,
    report: &mut Report,
) -> Vec<(String, Node)> {
    let mut values: Vec<Option<Node>> = fields.iter().map(|_| None).collect();
    let mut strangers = Vec::new();
    for (key, value) in entries {
        match fields.iter().position(|field| field.name() == key) {
            Some(index) => values[index] = Some(value),
            None => strangers.push((key, value)),
        }
    }
    for (key, value) in strangers {
        match field_of(&key, fields, &values) {
            Some(index) => {
                let field = &fields[index];
                if !field.aliases().contains(&key.as_str()) {
                    report.repair(Repair {
                        path: join(path, field.name()),
                        what: "spelling of the key",
                        before: format!("`{key}`"),
                        after: format!("`{}`", field.name()),
                    });
                }
                values[index] = Some(value);
            }
            None => stranger(&key, &value, fields, path, report),
        }
    }
    let mut fitted = Vec::with_capacity(fields.len());
    for (field, value) in fields.iter().zip(values) {
        let path = join(path, field.name());
        match value.filter(|value| !is_absent(value, field)) {
            Some(mut value) => {
                fit(&mut value, field.schema(), &path, report);
                fitted.push((field.name().to_owned(), value));
            }
            None if field.is_required() => {
                let missing = format!("missing; expected {}", expectation(field.schema()));
                report.issue(Issue {
                    path,
                    ..Issue::new(missing)
                });
            }
            None => {}
        }
    }
    fitted
}

/// The field that a key under no field's name means: the only one still without a value that has
/// it as an alias or folds to the same letters.
fn field_of(key: &str, fields: &[Param], values: &[Option<Node>]) -> Option<usize> {
    let folded = names::fold(key);
    let mut alike = (0..fields.len()).filter(|index| {
        let field = &fields[*index];
        values[*index].is_none()
            && (field.aliases().contains(&key) || names::fold(field.name()) == folded)
    });
    alike.next().filter(|_| alike.next().is_none())
}

fn stranger(key: &str, value: &Node, fields: &[Param], path: &str, report: &mut Report) {
    let place = join(path, key);
    match names::nearest(key, fields.iter().map(Param::name)) {
        Some(name) => report.issue(Issue {
            path: place,
            ..Issue::new("no such parameter").with_hint(format!("did you mean `{name}`?"))
        }),
        None => report.repair(Repair {
            path: place,
            what: "no such parameter, dropped",
            before: value.describe(),
            after: String::new(),
        }),
    }
}

/// Null for an optional field means that it is absent; so does the word where no text fits.
fn is_absent(value: &Node, field: &Param) -> bool {
    let null = match value {
        Node::Null => true,
        Node::String(text) => {
            text == "null" && !matches!(field.schema().resolved().kind, Kind::String | Kind::Any)
        }
        _ => false,
    };
    null && !field.is_required()
}

fn fit_union(
    entries: &mut Vec<(String, Node)>,
    tag: &str,
    variants: &[Variant],
    path: &str,
    report: &mut Report,
) {
    let place = join(path, tag);
    let names = || variants.iter().map(|variant| variant.name);
    let words = names()
        .map(|name| format!("\"{name}\""))
        .collect::<Vec<_>>()
        .join(", ");
    let Some(at) = entries.iter().position(|(key, _)| key == tag) else {
        report.issue(Issue {
            path: place,
            ..Issue::new(format!("missing; expected one of {words}"))
        });
        return;
    };
    let (key, form) = entries.remove(at);
    let found = match &form {
        Node::String(text) => only_alike(text, names()).or_else(|| by_alias(text, variants)),
        _ => None,
    };
    let Some(name) = found else {
        let hint = match &form {
            Node::String(text) => names::nearest(text, names()),
            _ => None,
        };
        report.issue(Issue {
            path: place,
            hint: hint.map(|name| format!("did you mean \"{name}\"?")),
            ..Issue::expected(format!("one of {words}"), &form)
        });
        return;
    };
    let chosen = Node::String(name.to_owned());
    if form != chosen {
        report.repair(Repair {
            path: place,
            what: "spelling of the value",
            before: form.describe(),
            after: chosen.describe(),
        });
    }
    let fields = variants
        .iter()
        .find(|variant| variant.name == name)
        .map_or(&[][..], |v| v.fields);
    let rest = fit_fields(std::mem::take(entries), fields, path, report);
    entries.push((key, chosen));
    entries.extend(rest);
}

/// The form that has this text as an alias.
fn by_alias(text: &str, variants: &[Variant]) -> Option<&'static str> {
    let mut forms = variants.iter();
    forms
        .find(|form| form.aliases.contains(&text))
        .map(|form| form.name)
}

/// A path one key deeper.
fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// The value fits none of the ways.
struct Misfit;

/// Nothing to do, or the change that makes it fit.
type Fitted = Result<Option<(&'static str, Node)>, Misfit>;

fn fit_boolean(node: &Node) -> Fitted {
    match node {
        Node::Bool(_) => Ok(None),
        Node::String(text) => {
            let word = text.trim();
            let value = if word.eq_ignore_ascii_case("true") {
                true
            } else if word.eq_ignore_ascii_case("false") {
                false
            } else {
                return Err(Misfit);
            };
            Ok(Some(("text to boolean", Node::Bool(value))))
        }
        _ => Err(Misfit),
    }
}

fn fit_integer(node: &Node) -> Fitted {
    let whole = |text: &str| Decimal::parse(text).and_then(|decimal| decimal.whole_text());
    match node {
        // `5.0` is a whole number in another spelling; only what is behind the point counts.
        Node::Number(text) if whole(text).is_some() => Ok(None),
        Node::String(text) => {
            let digits = whole(text).ok_or(Misfit)?;
            Ok(Some(("text to integer", Node::Number(digits))))
        }
        _ => Err(Misfit),
    }
}

fn fit_number(node: &Node) -> Fitted {
    match node {
        Node::Number(text) if text.parse::<f64>().is_ok_and(f64::is_finite) => Ok(None),
        Node::String(text) => {
            let number = Decimal::parse(text).and_then(|decimal| decimal.json_text());
            Ok(Some((
                "text to number",
                Node::Number(number.ok_or(Misfit)?),
            )))
        }
        _ => Err(Misfit),
    }
}

fn fit_text(node: &Node, schema: &Schema) -> Fitted {
    match node {
        Node::String(text) => match enum_value(text, schema) {
            Some(value) if value != text => Ok(Some((
                "spelling of the value",
                Node::String(value.to_owned()),
            ))),
            _ => Ok(None),
        },
        // A model that sends a number for a text means its digits. A fraction has several
        // spellings, so which text was meant is not certain.
        Node::Number(text) => {
            let digits = Decimal::parse(text).and_then(|decimal| decimal.whole_text());
            Ok(Some((
                "number to text",
                Node::String(digits.ok_or(Misfit)?),
            )))
        }
        _ => Err(Misfit),
    }
}

fn fit_array(node: &Node) -> Fitted {
    match node {
        Node::Array(_) => Ok(None),
        Node::Null => Err(Misfit),
        Node::String(text) if looks_like_json(text) => match json(text) {
            Some(list @ Node::Array(_)) => Ok(Some(("JSON text to list", list))),
            Some(object @ Node::Object(_)) => {
                Ok(Some(("JSON text to list", Node::Array(vec![object]))))
            }
            _ => Err(Misfit),
        },
        Node::String(text) if text.trim().is_empty() => Err(Misfit),
        bare => Ok(Some((
            "single value to list",
            Node::Array(vec![bare.clone()]),
        ))),
    }
}

fn fit_tuple(node: &Node, items: &[Schema]) -> Fitted {
    match node {
        Node::Array(list) if list.len() == items.len() => Ok(None),
        Node::String(text) => match json(text) {
            Some(Node::Array(list)) if list.len() == items.len() => {
                Ok(Some(("JSON text to list", Node::Array(list))))
            }
            _ => Err(Misfit),
        },
        _ => Err(Misfit),
    }
}

fn fit_object(node: &Node) -> Fitted {
    match node {
        Node::Object(_) => Ok(None),
        Node::String(text) => match json(text) {
            Some(object @ Node::Object(_)) => Ok(Some(("JSON text to object", object))),
            _ => Err(Misfit),
        },
        _ => Err(Misfit),
    }
}

fn json(text: &str) -> Option<Node> {
    parse::parse(text.trim(), &mut Vec::new()).ok()
}

fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['[', '{'])
}

/// The allowed value that a text is, or the only one that it is in another case.
fn enum_value<'v>(text: &str, schema: &'v Schema) -> Option<&'v str> {
    let alias = schema
        .value_aliases
        .iter()
        .find(|(alias, _)| *alias == text);
    only_alike(text, schema.values.iter().copied()).or(alias.map(|(_, value)| *value))
}

fn only_alike<'v>(text: &str, values: impl Iterator<Item = &'v str> + Clone) -> Option<&'v str> {
    if let Some(exact) = values.clone().find(|value| *value == text) {
        return Some(exact);
    }
    let folded = text.trim().to_lowercase();
    let mut alike = values.filter(|value| value.to_lowercase() == folded);
    alike.next().filter(|_| alike.next().is_none())
}

fn check_bounds(node: &Node, schema: &Schema, path: &str, report: &mut Report) {
    let (fits, hint) = match node {
        Node::Number(text) => (number_in_bounds(text, schema), None),
        Node::String(text) if !schema.values.is_empty() => {
            let known = schema.values.contains(&text.as_str());
            let hint = names::nearest(text, schema.values.iter().copied());
            (
                known,
                hint.map(|value| format!("did you mean \"{value}\"?")),
            )
        }
        Node::String(text) => (
            length_in_bounds(text.chars().count(), schema) && pattern::fits(text, schema),
            None,
        ),
        Node::Array(items) => (length_in_bounds(items.len(), schema), None),
        Node::Object(entries) => (length_in_bounds(entries.len(), schema), None),
        Node::Null | Node::Bool(_) => (true, None),
    };
    if !fits {
        report.issue(Issue {
            path: path.to_owned(),
            hint,
            ..Issue::expected(expectation(schema), node)
        });
    }
}

fn number_in_bounds(text: &str, schema: &Schema) -> bool {
    let Some(decimal) = Decimal::parse(text) else {
        return false;
    };
    match decimal.to_integer() {
        Some(value) => in_bounds(Number::Int(value), schema),
        // Beyond `i128` the nearest double is on the right side of every bound.
        None => text
            .parse()
            .is_ok_and(|value| in_bounds(Number::Float(value), schema)),
    }
}

fn length_in_bounds(length: usize, schema: &Schema) -> bool {
    length >= schema.min_length as usize && length <= schema.max_length as usize
}

/// What a schema asks for, in words.
pub(super) fn expectation(schema: &Schema) -> String {
    let what = match schema.kind {
        Kind::Any => "any value".to_owned(),
        Kind::Recursive { .. } => expectation(schema.resolved()),
        Kind::Boolean => "true or false".to_owned(),
        Kind::Integer => format!("a whole number{}", range(schema)),
        Kind::Number => format!("a number{}", range(schema)),
        Kind::String if !schema.values.is_empty() => {
            let values: Vec<String> = schema
                .values
                .iter()
                .map(|value| format!("\"{value}\""))
                .collect();
            format!("one of {}", values.join(", "))
        }
        Kind::String => match schema.pattern {
            Some(pattern) => {
                format!(
                    "text{} that matches `{pattern}`",
                    lengths(schema, "character")
                )
            }
            None => format!("text{}", lengths(schema, "character")),
        },
        Kind::Array { items, .. } => {
            format!("a list{} of {}", lengths(schema, "item"), plural(items))
        }
        Kind::Tuple { items } => format!("a list of exactly {} items", items.len()),
        Kind::Map { .. } => format!("an object{}", lengths(schema, "key")),
        Kind::Object { fields } => {
            let keys: Vec<String> = fields
                .iter()
                .filter(|field| field.is_required())
                .map(|field| format!("`{}`", field.name()))
                .collect();
            if keys.is_empty() {
                "an object".to_owned()
            } else {
                format!("an object with {}", keys.join(", "))
            }
        }
        Kind::Union { tag, .. } => format!("an object with `{tag}`"),
    };
    if schema.nullable {
        format!("{what} or null")
    } else {
        what
    }
}

fn range(schema: &Schema) -> String {
    match (schema.told_min(), schema.told_max()) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" of at least {min}"),
        (None, Some(max)) => format!(" of at most {max}"),
        (None, None) => String::new(),
    }
}

fn lengths(schema: &Schema, noun: &str) -> String {
    let counted = |count: u32| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    match (schema.min_length, schema.max_length) {
        (0, u32::MAX) => String::new(),
        (min, max) if min == max => format!(" of exactly {}", counted(min)),
        (min, u32::MAX) => format!(" of at least {}", counted(min)),
        (0, max) => format!(" of at most {}", counted(max)),
        (min, max) => format!(" of {min} to {}", counted(max)),
    }
}

fn plural(items: &Schema) -> &'static str {
    match items.resolved().kind {
        Kind::Any | Kind::Recursive { .. } => "values",
        Kind::Boolean => "booleans",
        Kind::Integer => "whole numbers",
        Kind::Number => "numbers",
        Kind::String => "texts",
        Kind::Array { .. } | Kind::Tuple { .. } => "lists",
        Kind::Map { .. } | Kind::Object { .. } | Kind::Union { .. } => "objects",
    }
}
