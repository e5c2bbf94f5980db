//! A valid call of a tool that has only a JSON schema: one pass from the text to the tree.
//!
//! What this reads is what the way through a tree gives for the same text, without a repair. At the
//! first surprise it gives up, and the call goes that way.

use super::convert::{holds, is_of};
use super::object::Seen;
use super::{Scope, has_equal_items, run, within_bounds};
use crate::args::Node;
use crate::args::entries::Entries;
use crate::args::reader::{Reader, Unfit};
use crate::args::rules::{JsonSchema, ROOT, Rest, Rule, RuleId, Type};

/// Why arguments take the other way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::args) enum Detour {
    /// They do not fit as they are, or only this way cannot tell.
    Misfit,
    /// The text is not JSON.
    Damaged,
}

/// Reads arguments that fit as they are.
pub(in crate::args) fn read(text: &str, schema: &JsonSchema) -> Result<Node, Detour> {
    let mut reader = Reader::new(text);
    if reader.peek() != Some(b'{') {
        return Err(Detour::Misfit);
    }
    if !text.trim_ascii_end().ends_with('}') {
        return Err(Detour::Damaged);
    }
    let arguments = value(&mut reader, schema, ROOT);
    match arguments.and_then(|arguments| reader.end().map(|()| arguments)) {
        Ok(arguments) => Ok(arguments),
        Err(Unfit) if reader.surprised => Err(Detour::Misfit),
        Err(Unfit) => Err(Detour::Damaged),
    }
}

fn value(reader: &mut Reader<'_>, schema: &JsonSchema, id: RuleId) -> Result<Node, Unfit> {
    let rule = schema.rule(id);
    if rule.never {
        return Err(reader.surprise());
    }
    if !rule.union.is_empty() {
        return alternatives(reader, schema, id);
    }
    let node = match reader.peek().ok_or(Unfit)? {
        b'{' if rule.takes(Type::Object) => object(reader, schema, rule)?,
        b'[' if rule.takes(Type::Array) => list(reader, schema, rule)?,
        b'{' | b'[' => return Err(reader.surprise()),
        b'"' => Node::String(reader.string()?.into_owned()),
        b't' | b'f' => Node::Bool(reader.boolean()?),
        b'n' => {
            reader.word("null")?;
            if rule.nullable {
                return Ok(Node::Null);
            }
            Node::Null
        }
        _ => Node::Number(reader.number_text()?.to_owned()),
    };
    let typed = rule.types.is_empty() || rule.types.iter().any(|wanted| is_of(&node, *wanted));
    let valued = rule.values.is_empty() || holds(&rule.values, &node);
    if typed && valued && within_bounds(&node, rule) {
        Ok(node)
    } else {
        Err(reader.surprise())
    }
}

/// Which alternative a value is can only be told of the whole value.
fn alternatives(reader: &mut Reader<'_>, schema: &JsonSchema, id: RuleId) -> Result<Node, Unfit> {
    let mut node = reader.tree()?;
    let report = run(&mut node, schema, id, Scope::All);
    let sound = report.is_sound() && !report.is_repaired() && report.undeclared == 0;
    sound.then_some(node).ok_or_else(|| reader.surprise())
}

fn list(reader: &mut Reader<'_>, schema: &JsonSchema, rule: &Rule) -> Result<Node, Unfit> {
    let mut items = Vec::new();
    reader.open(b'[')?;
    if !reader.close(b']') {
        loop {
            items.push(match rule.first.get(items.len()).copied().or(rule.each) {
                Some(id) => value(reader, schema, id)?,
                None => reader.tree()?,
            });
            if !reader.comma(b']')? {
                break;
            }
        }
    }
    if rule.unique && has_equal_items(&items) {
        return Err(reader.surprise());
    }
    Ok(Node::Array(items))
}

fn object(reader: &mut Reader<'_>, schema: &JsonSchema, rule: &Rule) -> Result<Node, Unfit> {
    match rule.rest {
        Rest::Each(each) => map(reader, schema, rule, each),
        Rest::Open | Rest::Declared if rule.fields.is_empty() => reader.tree(),
        _ => fields(reader, schema, rule),
    }
}

/// An object whose keys are all fields. Another key may be a misspelt one, so it is a surprise.
fn fields(reader: &mut Reader<'_>, schema: &JsonSchema, rule: &Rule) -> Result<Node, Unfit> {
    let mut entries = Vec::with_capacity(rule.fields.len().min(8));
    let mut seen = Seen::new(rule.fields.len());
    let mut next = 0;
    reader.open(b'{')?;
    if !reader.close(b'}') {
        loop {
            let key = reader.key()?;
            let place = rule.field(key, next).filter(|place| !seen.holds(*place));
            let place = place.ok_or_else(|| reader.surprise())?;
            seen.add(place);
            next = place + 1;
            let node = value(reader, schema, rule.fields[place].rule)?;
            entries.push((key.to_owned(), node));
            if !reader.comma(b'}')? {
                break;
            }
        }
    }
    let complete = |place: usize| !rule.fields[place].required || seen.holds(place);
    if entries.len() < rule.fields.len() && !(0..rule.fields.len()).all(complete) {
        return Err(reader.surprise());
    }
    Ok(Node::Object(entries))
}

/// An object that may have keys of any name.
fn map(
    reader: &mut Reader<'_>,
    schema: &JsonSchema,
    rule: &Rule,
    each: RuleId,
) -> Result<Node, Unfit> {
    let mut entries = Entries::default();
    let mut seen = Seen::new(rule.fields.len());
    let mut next = 0;
    reader.open(b'{')?;
    if !reader.close(b'}') {
        loop {
            let key = reader.string()?;
            reader.colon()?;
            let id = match rule.field(&key, next) {
                Some(place) => {
                    seen.add(place);
                    next = place + 1;
                    rule.fields[place].rule
                }
                None => each,
            };
            let node = value(reader, schema, id)?;
            if entries.insert(key.into_owned(), node).is_some() {
                return Err(reader.surprise());
            }
            if !reader.comma(b'}')? {
                break;
            }
        }
    }
    let complete = |place: usize| !rule.fields[place].required || seen.holds(place);
    if !(0..rule.fields.len()).all(complete) {
        return Err(reader.surprise());
    }
    Ok(entries.into_node())
}
