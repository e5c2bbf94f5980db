//! What a shell line is made of.

use std::rc::Rc;

/// Commands in the order in which they stand.
pub(super) type List = Vec<Item>;

/// A pipeline, and whether the shell waits for it.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) commands: Vec<Command>,
    pub(super) background: bool,
}

/// One command with its redirections.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) kind: Kind,
    pub(super) redirects: Vec<Redirect>,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// A program with its arguments, or assignments alone.
    Simple {
        assigns: Vec<Assign>,
        words: Vec<Word>,
    },
    /// `{ ... }`, and what stands in `if`, `while`, `case`: all of it, as if every branch ran.
    Group(List),
    /// `( ... )`.
    Subshell(List),
    /// `for name in words`; without words it goes over the arguments.
    For {
        name: String,
        words: Option<Vec<Word>>,
        body: List,
    },
    /// A definition.
    Function { name: String, body: Rc<Command> },
    /// Words that only calculate or compare, such as `[[ ... ]]`.
    Test(Vec<Word>),
}

#[derive(Debug)]
pub(super) struct Assign {
    pub(super) name: String,
    /// What stands in brackets behind the name, where a substitution may be.
    pub(super) key: Word,
    pub(super) append: bool,
    pub(super) value: Assigned,
}

#[derive(Debug)]
pub(super) enum Assigned {
    Scalar(Word),
    Array(Vec<Word>),
}

#[derive(Debug)]
pub(super) struct Redirect {
    pub(super) kind: RedirectKind,
    pub(super) target: Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectKind {
    /// Standard output, or that and errors, goes to a file.
    Output,
    /// Another descriptor goes to a file.
    OtherOutput,
    Input,
    /// The target is the text itself.
    Here,
    /// A copy of a descriptor.
    Copy,
}

/// A word before expansion.
pub(super) type Word = Vec<Piece>;

#[derive(Debug)]
pub(super) enum Piece {
    /// Text as it stands, where globs and braces count.
    Bare(String),
    /// Text that is only itself.
    Quoted(String),
    /// A variable.
    Variable(Variable),
    /// What commands print.
    Output { list: List, quoted: bool },
    /// A file that commands fill or read.
    Process(List),
    /// A number; the words inside may run commands.
    Number(Word),
}

#[derive(Debug, Default)]
pub(super) struct Variable {
    pub(super) name: String,
    /// What stands behind the name in braces, by its first characters.
    pub(super) operator: &'static str,
    pub(super) operand: Word,
    pub(super) second: Option<Word>,
    /// `${name[@]}` or `${name[3]}`.
    pub(super) index: Option<String>,
    pub(super) quoted: bool,
}
