//! Types with named fields, as `#[derive(ToolParam)]` writes them.

use super::{Param, Slot, ToolParam};
use crate::args::trees;
use crate::args::{Issue, Node, Reader, Unfit, render_string, take_fields};

/// A type whose values are objects: its fields as a table.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no fields that could be put beside others",
    label = "not a type with named fields",
    note = "`flatten` takes a struct or a tagged enum with `#[derive(ToolParam)]`"
)]
pub trait FieldTable {
    /// The fields, in the order of the type. For a tagged enum: the tag, and the fields of all
    /// its forms.
    const FIELDS: &'static [Param];
}

/// A struct that can be made from places for its fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened into a struct",
    label = "not a struct with named fields",
    note = "`#[param(flatten)]` takes a struct with `#[derive(ToolParam)]`"
)]
pub trait Fields: Sized {
    /// The fields, in the order of the type.
    const TABLE: &'static [Param];

    /// Makes places, has them filled, and builds the value; `None` when filling failed or left out
    /// a field without a default.
    fn build(fill: &mut dyn FnMut(&mut [&mut dyn Slot]) -> bool) -> Option<Self>;

    /// Takes a value from the entries of an object that fits.
    ///
    /// # Errors
    ///
    /// The first value that fits its schema and still is no value of its type.
    fn from_entries(entries: &[(String, Node)]) -> Result<Self, Issue> {
        let mut failed = None;
        let value = Self::build(
            &mut |slots| match take_fields(entries, Self::TABLE, slots) {
                Ok(()) => true,
                Err(issue) => {
                    failed = Some(issue);
                    false
                }
            },
        );
        value.ok_or_else(|| failed.unwrap_or_else(|| Issue::new("a field was not decoded")))
    }

    /// Adds `"name":value` for each field.
    fn entries(&self, entries: &mut Vec<String>);
}

/// Reads a struct from strict JSON text.
///
/// # Errors
///
/// [`Unfit`] as [`Reader::fields`].
pub fn read<T: Fields>(reader: &mut Reader<'_>) -> Result<T, Unfit> {
    T::build(&mut |slots| reader.fields(T::TABLE, slots).is_ok()).ok_or(Unfit)
}

/// Reads a value that is told from others by its content, through a tree.
///
/// # Errors
///
/// [`Unfit`] when anything would have to be changed.
pub fn read_tree<T: ToolParam>(reader: &mut Reader<'_>) -> Result<T, Unfit> {
    let node = trees::read(reader, &T::SCHEMA)?;
    T::from_node(&node, &T::SCHEMA).map_err(|_| Unfit)
}

/// Takes a struct from a tree that fits.
///
/// # Errors
///
/// The first value that fits its schema and still is no value of its type.
pub fn from_node<T: Fields>(node: &Node) -> Result<T, Issue> {
    T::from_entries(entries_of(node)?)
}

/// A struct as JSON text.
pub fn render<T: Fields>(value: &T) -> String {
    let mut entries = Vec::new();
    value.entries(&mut entries);
    format!("{{{}}}", entries.join(","))
}

/// A form of a tagged enum as JSON text.
pub fn render_variant(tag: &str, name: &str, fill: impl FnOnce(&mut Vec<String>)) -> String {
    let mut entries = vec![entry(tag, &render_string(name))];
    fill(&mut entries);
    format!("{{{}}}", entries.join(","))
}

/// `"name":value`.
pub fn entry(name: &str, value: &str) -> String {
    format!("{}:{value}", render_string(name))
}

/// The entries of an object.
///
/// # Errors
///
/// The tree is no object.
pub fn entries_of(node: &Node) -> Result<&[(String, Node)], Issue> {
    match node {
        Node::Object(entries) => Ok(entries),
        _ => Err(Issue::expected("an object", node)),
    }
}

/// The text under the tag of a tagged enum, and all entries.
///
/// # Errors
///
/// The tree is no object, or has no text there.
pub fn variant_of<'n>(node: &'n Node, tag: &str) -> Result<Variant<'n>, Issue> {
    let entries = entries_of(node)?;
    match entries.iter().find(|(key, _)| key == tag) {
        Some((_, Node::String(name))) => Ok((name, entries)),
        _ => Err(Issue::new("missing").at_key(tag)),
    }
}

/// The name of a form, and all entries.
pub type Variant<'n> = (&'n str, &'n [(String, Node)]);

/// How many fields some tables have together.
pub const fn total(tables: &[&[Param]]) -> usize {
    let mut total = 0;
    let mut table = 0;
    while table < tables.len() {
        total += tables[table].len();
        table += 1;
    }
    total
}

/// Tables one after the other.
///
/// # Panics
///
/// Two fields of one name: in a constant that does not compile.
#[track_caller]
pub const fn join<const N: usize>(tables: &[&[Param]]) -> [Param; N] {
    let mut joined = [BLANK; N];
    let mut count = 0;
    let mut table = 0;
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            let field = tables[table][row];
            assert!(
                find(&joined, count, field.name()) == count,
                "two fields answer to one name; rename one of the flattened type, or of this one"
            );
            joined[count] = field;
            count += 1;
            row += 1;
        }
        table += 1;
    }
    joined
}

/// How many different names the fields of some tables have.
pub const fn distinct(tables: &[&[Param]]) -> usize {
    let mut count = 0;
    let mut table = 0;
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            if !is_in(tables, table, row) {
                count += 1;
            }
            row += 1;
        }
        table += 1;
    }
    count
}

/// The first table, and the fields of the others as fields that may be absent, each name once. Where
/// fields of one name differ in type, any value is shown; the chosen form decides.
pub const fn merge<const N: usize>(tables: &[&[Param]]) -> [Param; N] {
    let mut merged = [BLANK; N];
    let mut count = 0;
    let mut table = 0;
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            let field = tables[table][row];
            let at = find(&merged, count, field.name());
            if at < count {
                merged[at] = merged[at].united(&field);
            } else {
                merged[count] = if table == 0 { field } else { field.optional() };
                count += 1;
            }
            row += 1;
        }
        table += 1;
    }
    merged
}

const BLANK: Param = Param::new("", 0, <bool as ToolParam>::SHAPE);

/// Whether an earlier field has the name of this one.
const fn is_in(tables: &[&[Param]], table: usize, row: usize) -> bool {
    let name = tables[table][row].name();
    let mut earlier = 0;
    while earlier <= table {
        let end = if earlier == table {
            row
        } else {
            tables[earlier].len()
        };
        if find(tables[earlier], end, name) < end {
            return true;
        }
        earlier += 1;
    }
    false
}

/// The place of a name among the first `count` fields, or `count`.
const fn find(fields: &[Param], count: usize, name: &str) -> usize {
    let mut index = 0;
    while index < count && !same(fields[index].name(), name) {
        index += 1;
    }
    index
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}
