//! What code gives to sessions, and what the checks of tools ask of them.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{
    Expr, ExprCall, ExprLet, ExprMethodCall, FnArg, GenericArgument, ItemFn, Lit, Local, Path,
    Type, TypePath,
};

use super::declarations::File;
use super::{CheckFunction, Supplied};

/// What a call of a method of this name, with one argument, may give to a session.
pub(super) fn of_method(call: &ExprMethodCall) -> Option<Supplied> {
    let [value] = call.args.iter().collect::<Vec<_>>()[..] else {
        return None;
    };
    let method = call.method.to_string();
    let told = call.turbofish.as_ref().and_then(|types| {
        types.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(Type::Path(wanted)) => last_type(&wanted.path),
            _ => None,
        })
    });
    match method.as_str() {
        "state" => Some(state(told.or_else(|| type_of(value)))),
        "shared_state" => Some(state(told.or_else(|| type_of(shared(value)?)))),
        "workspace" => Some(Supplied::Workspace),
        "environment" => Some(Supplied::Environment),
        _ => None,
    }
}

/// The same of a path that names such a method, or begins a session.
pub(super) fn of_path(path: &Path) -> Option<Supplied> {
    let mut segments = path.segments.iter().rev();
    let last = segments.next()?;
    let owner = segments.next();
    let owned_by = |name: &str| owner.is_some_and(|owner| owner.ident == name);
    if last.ident == "SessionBuilder" || last.ident == "builder" && owned_by("Session") {
        return Some(Supplied::Session);
    }
    if !owned_by("SessionBuilder") && !owned_by("SessionFacts") {
        return None;
    }
    match last.ident.to_string().as_str() {
        "state" | "shared_state" => Some(Supplied::Unknown),
        "workspace" => Some(Supplied::Workspace),
        "environment" => Some(Supplied::Environment),
        _ => None,
    }
}

/// The same of the arguments of a macro. Types of values are not read there.
pub(super) fn in_tokens(tokens: TokenStream, found: &mut impl FnMut(Supplied)) {
    let mut trees = tokens.into_iter().peekable();
    let mut after_dot = false;
    while let Some(tree) = trees.next() {
        match &tree {
            TokenTree::Group(group) => in_tokens(group.stream(), found),
            TokenTree::Ident(name) if name == "SessionBuilder" || name == "Session" => {
                found(Supplied::Session);
            }
            TokenTree::Ident(name) if after_dot && trees.peek().is_some_and(gives_something) => {
                let supplied = match name.to_string().as_str() {
                    "state" | "shared_state" => Some(Supplied::Unknown),
                    "workspace" => Some(Supplied::Workspace),
                    "environment" => Some(Supplied::Environment),
                    _ => None,
                };
                if let Some(supplied) = supplied {
                    found(supplied);
                }
            }
            _ => {}
        }
        after_dot = matches!(&tree, TokenTree::Punct(mark) if mark.as_char() == '.');
    }
}

/// What follows the name of a method that is called with an argument: `(value)`, `::<T>(value)`.
fn gives_something(next: &TokenTree) -> bool {
    match next {
        TokenTree::Group(group) => !group.stream().is_empty(),
        TokenTree::Punct(mark) => mark.as_char() == ':',
        _ => false,
    }
}

/// A function that is the check of tools, if this is one and it cannot do without something.
pub(super) fn check_function(function: &ItemFn, file: File<'_>) -> Option<CheckFunction> {
    let takes_context = function.sig.inputs.iter().any(|input| match input {
        FnArg::Typed(typed) => match &*typed.ty {
            Type::Reference(reference) => is_check_context(&reference.elem),
            plain => is_check_context(plain),
        },
        FnArg::Receiver(_) => false,
    });
    if !takes_context {
        return None;
    }
    let mut demands = Demands::default();
    demands.visit_block(&function.block);
    let Demands { needs } = demands;
    let ident = &function.sig.ident;
    (!needs.is_empty()).then(|| CheckFunction {
        name: file.name(ident.to_string(), ident.span()),
        needs,
    })
}

/// What the body of a check cannot do without: where it is missing, the check answers that the tool is
/// unavailable.
#[derive(Default)]
struct Demands {
    needs: Vec<Supplied>,
}

impl Demands {
    fn need(&mut self, supplied: Supplied) {
        if !self.needs.contains(&supplied) {
            self.needs.push(supplied);
        }
    }
}

impl<'ast> Visit<'ast> for Demands {
    fn visit_path(&mut self, path: &'ast Path) {
        let last = path.segments.last();
        if last.is_some_and(|last| last.ident == "missing_env") {
            self.need(Supplied::Environment);
        }
    }

    // `let Some(folder) = cx.workspace() else { ... };`
    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init
            && init.diverge.is_some()
            && let Some(asked) = asked(&init.expr)
        {
            self.need(asked);
        }
        visit::visit_local(self, local);
    }

    // `if cx.workspace().is_none() { return Availability::unavailable(...) }`
    fn visit_expr_if(&mut self, choice: &'ast syn::ExprIf) {
        if let Expr::MethodCall(call) = &*choice.cond
            && call.method == "is_none"
            && let Some(asked) = asked(&call.receiver)
            && says_unavailable(&choice.then_branch)
        {
            self.need(asked);
        }
        visit::visit_expr_if(self, choice);
    }

    // `if let Some(..)` answers either way.
    fn visit_expr_let(&mut self, _: &'ast ExprLet) {}
}

/// What a check is answered here: `cx.workspace()`, `cx.env("REGION")`.
fn asked(expression: &Expr) -> Option<Supplied> {
    let Expr::MethodCall(call) = expression else {
        return None;
    };
    match (call.method.to_string().as_str(), call.args.len()) {
        ("workspace", 0) => Some(Supplied::Workspace),
        ("env", 1) => Some(Supplied::Environment),
        _ => None,
    }
}

fn says_unavailable(block: &syn::Block) -> bool {
    struct Says(bool);
    impl<'ast> Visit<'ast> for Says {
        fn visit_ident(&mut self, name: &'ast proc_macro2::Ident) {
            self.0 |= name == "unavailable" || name == "Unavailable" || name == "missing_env";
        }
    }
    let mut says = Says(false);
    says.visit_block(block);
    says.0
}

fn is_check_context(wanted: &Type) -> bool {
    matches!(wanted, Type::Path(TypePath { path, .. })
        if path.segments.last().is_some_and(|last| last.ident == "CheckContext"))
}

fn state(name: Option<String>) -> Supplied {
    name.map_or(Supplied::Unknown, Supplied::State)
}

/// `x` of `Arc::new(x)`.
fn shared(value: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = value else { return None };
    let Expr::Path(function) = &*call.func else {
        return None;
    };
    let mut segments = function.path.segments.iter().rev();
    let is_new = segments.next()?.ident == "new" && segments.next()?.ident == "Arc";
    call.args.first().filter(|_| is_new)
}

/// The name of a value's type, where the value alone tells it.
fn type_of(value: &Expr) -> Option<String> {
    match value {
        Expr::Paren(inner) => type_of(&inner.expr),
        Expr::Group(inner) => type_of(&inner.expr),
        Expr::Struct(literal) => last_type(&literal.path),
        Expr::Call(call) => made(call),
        Expr::Path(path) => unit(&path.path),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Bool(_) => Some("bool".to_owned()),
            Lit::Int(number) => Some(number.suffix().to_owned()).filter(|name| !name.is_empty()),
            _ => None,
        },
        _ => None,
    }
}

/// `Station(..)`, `Mode::Of(..)`, `Station::new(..)`, `Station::default()`.
fn made(call: &ExprCall) -> Option<String> {
    let Expr::Path(function) = &*call.func else {
        return None;
    };
    let last = function.path.segments.last()?;
    if last.ident != "new" && last.ident != "default" {
        return unit(&function.path);
    }
    let owner = function.path.segments.iter().rev().nth(1)?;
    // `Default::default()` and `T::new()` say nothing of the type.
    let name = owner.ident.to_string();
    is_type(&name)
        .then_some(name)
        .filter(|name| name != "Default")
}

/// `Station`, or the `Mode` of `Mode::Strict`.
fn unit(path: &Path) -> Option<String> {
    let mut segments = path.segments.iter().rev();
    let last = segments.next()?.ident.to_string();
    if !is_type(&last) {
        return None;
    }
    let owner = segments.next().map(|owner| owner.ident.to_string());
    Some(owner.filter(|owner| is_type(owner)).unwrap_or(last))
}

fn last_type(path: &Path) -> Option<String> {
    let name = path.segments.last()?.ident.to_string();
    is_type(&name).then_some(name)
}

/// Whether it is spelt as types are: `Station`. A single letter is a parameter, capitals are a
/// constant, and of `Self` the name stands elsewhere.
fn is_type(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.contains(|letter: char| letter.is_ascii_lowercase())
        && name != "Self"
}
