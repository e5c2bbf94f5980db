//! Lists of strings, and other places where code names tools.

use syn::{Expr, ExprArray, ExprCall, ExprLit, ExprMatch, Lit, Pat};

use super::declarations::File;
use super::tokens::is_name;
use super::{Name, Table};

/// The strings of a list, or the first of each of its pairs; nothing unless it holds nothing else.
pub(super) fn of_array(array: &ExprArray, file: File<'_>) -> Option<Table> {
    let names: Option<Vec<Name>> = array
        .elems
        .iter()
        .map(|element| match element {
            Expr::Tuple(tuple) => literal(tuple.elems.first()?, file),
            element => literal(element, file),
        })
        .collect();
    table(names?)
}

/// The strings among the patterns of a `match`.
pub(super) fn of_match(choice: &ExprMatch, file: File<'_>) -> Option<Table> {
    let mut names = Vec::new();
    for arm in &choice.arms {
        collect(&arm.pat, file, &mut names);
    }
    table(names)
}

/// The name in `ToolCall::new("read_file", ...)`.
pub(super) fn of_call(call: &ExprCall, file: File<'_>) -> Option<Table> {
    let Expr::Path(function) = &*call.func else {
        return None;
    };
    let segments: Vec<String> = function
        .path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    let [.., owner, new] = segments.as_slice() else {
        return None;
    };
    if owner != "ToolCall" || new != "new" {
        return None;
    }
    let name = literal(call.args.first()?, file)?;
    is_name(&name.text).then(|| Table {
        names: vec![name],
        call: true,
    })
}

/// Two names at least, all of them such as tools may have.
fn table(names: Vec<Name>) -> Option<Table> {
    (names.len() >= 2 && names.iter().all(|name| is_name(&name.text)))
        .then_some(Table { names, call: false })
}

fn collect(pattern: &Pat, file: File<'_>, names: &mut Vec<Name>) {
    match pattern {
        Pat::Or(or) => or.cases.iter().for_each(|case| collect(case, file, names)),
        Pat::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => names.push(file.name(text.value(), text.span())),
        _ => {}
    }
}

fn literal(expression: &Expr, file: File<'_>) -> Option<Name> {
    match expression {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(file.name(text.value(), text.span())),
        _ => None,
    }
}
