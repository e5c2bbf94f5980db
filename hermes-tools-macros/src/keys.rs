//! Lists of `flag` and `key = value`, as they stand in `#[tool(...)]` and `#[arg(...)]`.
//!
//! Reading does not stop at a mistake: the broken entry is reported and the next one is read.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Token, token};

use crate::diagnostics::{
    COMMA_EXPECTED, FLAG_WITH_VALUE, GIVEN_TWICE, KEY_EXPECTED, Rule, VALUE_EXPECTED,
};
use crate::errors::Errors;
use crate::suggest::{choices, nearest};

/// A key that an attribute knows.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// How it is written, for messages.
    pub(crate) usage: &'static str,
}

/// What an attribute accepts, and what it says otherwise.
pub(crate) struct Grammar {
    pub(crate) keys: &'static [Key],
    /// Said of a key that nobody knows.
    pub(crate) unknown: &'static Rule,
    /// Keys of the other attribute.
    pub(crate) elsewhere: &'static [Key],
    /// Said of those.
    pub(crate) misplaced: &'static Rule,
    /// Words that have a message of their own.
    pub(crate) special: &'static [(&'static str, &'static Rule)],
}

/// The entries of an attribute, or of several of one name.
#[derive(Default)]
pub(crate) struct Entries {
    seen: Vec<Ident>,
    flags: Vec<Ident>,
    values: Vec<(Ident, Expr)>,
    lists: Vec<(Ident, TokenStream)>,
    /// Keys that were meant and could not be taken.
    attempted: Vec<&'static str>,
    damaged: bool,
}

enum Form {
    Flag,
    Value(Expr),
    /// `key(...)`.
    Call(TokenStream),
}

impl Key {
    pub(crate) const fn new(name: &'static str, usage: &'static str) -> Self {
        Self { name, usage }
    }

    /// Whether it takes no value.
    const fn is_flag(&self) -> bool {
        self.usage.len() == self.name.len()
    }

    /// Whether it takes a list of keys of its own.
    const fn is_list(&self) -> bool {
        matches!(self.usage.as_bytes(), [.., b')'])
    }
}

impl Grammar {
    fn find(&self, key: &str) -> Option<&'static Key> {
        self.keys.iter().find(|known| known.name == key)
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }
}

impl Entries {
    /// Adds the entries of one attribute.
    pub(crate) fn read(&mut self, tokens: TokenStream, grammar: &Grammar, errors: &mut Errors) {
        let parsed = (|input: ParseStream<'_>| {
            self.read_list(input, grammar, errors);
            Ok(())
        })
        .parse2(tokens);
        if let Err(error) = parsed {
            self.damaged = true;
            errors.syntax(error);
        }
    }

    /// Whether the key may have been meant by an entry that was reported already, so that its
    /// absence is no mistake of its own.
    pub(crate) fn may_have_meant(&self, name: &str) -> bool {
        self.damaged || self.attempted.contains(&name)
    }

    /// The keys that were given, in their order.
    pub(crate) fn given(&self) -> impl Iterator<Item = &Ident> {
        self.seen.iter()
    }

    /// The flag of this name, if it was given.
    pub(crate) fn flag(&mut self, name: &str) -> Option<Ident> {
        let index = self.flags.iter().position(|key| key.unraw() == name)?;
        Some(self.flags.swap_remove(index))
    }

    /// The value of this name, with its key.
    pub(crate) fn value(&mut self, name: &str) -> Option<(Ident, Expr)> {
        let index = self
            .values
            .iter()
            .position(|(key, _)| key.unraw() == name)?;
        Some(self.values.swap_remove(index))
    }

    /// The list between the parentheses of this name, with its key.
    pub(crate) fn list(&mut self, name: &str) -> Option<(Ident, TokenStream)> {
        let index = self.lists.iter().position(|(key, _)| key.unraw() == name)?;
        Some(self.lists.swap_remove(index))
    }

    fn read_list(&mut self, input: ParseStream<'_>, grammar: &Grammar, errors: &mut Errors) {
        while !input.is_empty() {
            let Ok(key) = input.call(Ident::parse_any) else {
                self.damaged = true;
                errors.report(next(input), KEY_EXPECTED.with(&[&grammar.keys[0].usage]));
                skip(input);
                let _: Option<Token![,]> = input.parse().unwrap_or_default();
                continue;
            };
            match form(input) {
                Ok(form) => self.add(key, form, grammar, errors),
                Err(error) => {
                    self.damaged = true;
                    errors.syntax(error);
                    skip(input);
                }
            }
            if input.is_empty() {
                break;
            }
            if input.parse::<Token![,]>().is_err() {
                self.damaged = true;
                errors.report(next(input), COMMA_EXPECTED.with(&[]));
                if !input.peek(Ident::peek_any) {
                    skip(input);
                    let _: Option<Token![,]> = input.parse().unwrap_or_default();
                }
            }
        }
    }

    fn add(&mut self, key: Ident, form: Form, grammar: &Grammar, errors: &mut Errors) {
        let name = key.unraw().to_string();
        let Some(known) = grammar.find(&name) else {
            self.attempted
                .extend(report_unknown(&key, &name, grammar, errors));
            return;
        };
        if self.seen.contains(&key) {
            errors.report(&key, GIVEN_TWICE.with(&[&name]));
            return;
        }
        self.seen.push(key.clone());
        match form {
            Form::Flag if known.is_flag() => self.flags.push(key),
            Form::Call(list) if known.is_list() => self.lists.push((key, list)),
            Form::Value(value) if !known.is_flag() && !known.is_list() => {
                self.values.push((key, value));
            }
            Form::Value(_) if known.is_list() => {
                self.attempted.push(known.name);
                errors.report(&key, VALUE_EXPECTED.with(&[&name, &known.usage]));
            }
            Form::Flag | Form::Call(_) if !known.is_flag() => {
                self.attempted.push(known.name);
                errors.report(&key, VALUE_EXPECTED.with(&[&name, &known.usage]));
            }
            _ => errors.report(&key, FLAG_WITH_VALUE.with(&[&name, &name])),
        }
    }
}

/// Reports an unknown key, and returns the key that was probably meant.
fn report_unknown(
    key: &Ident,
    name: &str,
    grammar: &Grammar,
    errors: &mut Errors,
) -> Option<&'static str> {
    if let Some((_, rule)) = grammar.special.iter().find(|(word, _)| *word == name) {
        errors.report(key, rule.with(&[]));
        return None;
    }
    if let Some(elsewhere) = grammar.elsewhere.iter().find(|known| known.name == name) {
        errors.report(key, grammar.misplaced.with(&[&name, &elsewhere.usage]));
        return None;
    }
    let near = nearest(name, grammar.names());
    let advice = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the known ones are {}", choices(grammar.names())),
    };
    errors.report(key, grammar.unknown.with(&[&name, &advice]));
    near
}

fn form(input: ParseStream<'_>) -> syn::Result<Form> {
    if input.peek(token::Paren) || input.peek(token::Bracket) || input.peek(token::Brace) {
        let group: Group = input.parse()?;
        return Ok(Form::Call(group.stream()));
    }
    if input.parse::<Option<Token![=]>>()?.is_none() {
        return Ok(Form::Flag);
    }
    input.parse().map(Form::Value)
}

/// The next token, to point at.
fn next(input: ParseStream<'_>) -> TokenStream {
    input
        .fork()
        .parse::<TokenTree>()
        .map(TokenStream::from)
        .unwrap_or_default()
}

/// Goes on to the next comma.
fn skip(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            return;
        }
    }
}
