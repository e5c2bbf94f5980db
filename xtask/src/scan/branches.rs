//! Macros that choose among items by conditions: `cfg_if!` and `cfg_select!`.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::tokens::source_text;

/// The items of a branch, and the conditions under which they are compiled.
pub(super) struct Branch {
    pub(super) cfg: Vec<String>,
    pub(super) items: TokenStream,
}

/// The branches of a call of such a macro. Nothing for other macros, and where the call is not of the form
/// that is known.
pub(super) fn of(name: &str, tokens: &TokenStream) -> Option<Vec<Branch>> {
    let conditions = match name {
        "cfg_if" => cfg_if(tokens.clone())?,
        "cfg_select" => cfg_select(tokens.clone())?,
        _ => return None,
    };
    // What comes later is for where nothing before holds.
    let mut before: Vec<String> = Vec::new();
    let branch = |(condition, items): (Option<String>, TokenStream)| {
        let mut cfg = Vec::new();
        if !before.is_empty() {
            cfg.push(format!("not(any({}))", before.join(", ")));
        }
        cfg.extend(condition.clone());
        before.extend(condition);
        Branch { cfg, items }
    };
    Some(conditions.into_iter().map(branch).collect())
}

/// `if #[cfg(unix)] { ... } else if #[cfg(windows)] { ... } else { ... }`.
fn cfg_if(tokens: TokenStream) -> Option<Vec<(Option<String>, TokenStream)>> {
    let mut trees = tokens.into_iter().peekable();
    let mut branches = Vec::new();
    loop {
        let condition = match trees.next() {
            None => return Some(branches),
            Some(TokenTree::Ident(word)) if word == "if" => {
                trees.next().filter(
                    |tree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == '#'),
                )?;
                Some(attribute(&bracketed(trees.next()?, Delimiter::Bracket)?)?)
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                branches.push((None, group.stream()));
                continue;
            }
            Some(_) => return None,
        };
        branches.push((condition, bracketed(trees.next()?, Delimiter::Brace)?));
        if let Some(word) = trees.next() {
            matches!(word, TokenTree::Ident(word) if word == "else").then_some(())?;
        }
    }
}

/// `unix => { ... } windows => { ... } _ => { ... }`.
fn cfg_select(tokens: TokenStream) -> Option<Vec<(Option<String>, TokenStream)>> {
    let mut trees = tokens.into_iter().peekable();
    let mut branches = Vec::new();
    while trees.peek().is_some() {
        let mut condition = Vec::new();
        loop {
            match trees.next()? {
                TokenTree::Punct(mark) if mark.as_char() == '=' => {
                    let next = trees.next();
                    // `feature = "a"`, and not yet `=>`.
                    if matches!(&next, Some(TokenTree::Punct(mark)) if mark.as_char() == '>') {
                        break;
                    }
                    condition.push(TokenTree::Punct(mark));
                    condition.extend(next);
                }
                tree => condition.push(tree),
            }
        }
        let items = bracketed(trees.next()?, Delimiter::Brace)?;
        trees.next_if(|tree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ','));
        let otherwise = matches!(condition.as_slice(), [TokenTree::Ident(word)] if word == "_");
        let condition = source_text(&condition.into_iter().collect());
        branches.push(((!otherwise).then_some(condition), items));
    }
    Some(branches)
}

/// `unix` of `cfg(unix)`.
fn attribute(tokens: &TokenStream) -> Option<String> {
    let mut trees = tokens.clone().into_iter();
    let is_cfg = matches!(trees.next()?, TokenTree::Ident(word) if word == "cfg");
    let condition = bracketed(trees.next()?, Delimiter::Parenthesis)?;
    is_cfg.then(|| source_text(&condition))
}

fn bracketed(tree: TokenTree, delimiter: Delimiter) -> Option<TokenStream> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group.stream()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branches(name: &str, text: &str) -> Option<Vec<String>> {
        let branches = of(name, &text.parse().unwrap())?.into_iter();
        let shown = branches.map(|branch| format!("{}: {}", branch.cfg.join("; "), branch.items));
        Some(shown.collect())
    }

    #[test]
    fn each_branch_has_its_condition_and_that_none_before_holds() {
        let text = "if #[cfg(unix)] { a } else if #[cfg(feature = \"x\")] { b } else { c }";
        let expected = [
            "unix: a",
            "not(any(unix)); feature = \"x\": b",
            "not(any(unix, feature = \"x\")): c",
        ];
        assert_eq!(branches("cfg_if", text).unwrap(), expected);
        let text = "unix => { a } feature = \"x\" => { b }, _ => { c }";
        assert_eq!(branches("cfg_select", text).unwrap(), expected);
    }

    #[test]
    fn other_calls_are_left_alone() {
        assert_eq!(branches("cfg_if", "if x { a }"), None);
        assert_eq!(branches("cfg_if", "if #[cfg(a)] { b } { c }"), None);
        assert_eq!(branches("cfg_select", "unix => a"), None);
        assert_eq!(branches("other", "if #[cfg(a)] { b }"), None);
        assert_eq!(branches("cfg_if", "").unwrap(), [""; 0]);
    }
}
