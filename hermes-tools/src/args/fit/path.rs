//! Where a value stands.

use std::fmt;

use crate::args::issue;

/// The way to a value, from the inside out. It lives on the stack and is written out only when
/// there is something to say.
#[derive(Debug, Clone, Copy)]
pub(super) enum Path<'p> {
    Root,
    Key(&'p Path<'p>, &'p str),
    Index(&'p Path<'p>, usize),
}

impl Path<'_> {
    pub(super) fn is_item(self) -> bool {
        matches!(self, Self::Index(..))
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = Vec::new();
        let mut path = self;
        loop {
            match path {
                Self::Root => break,
                Self::Key(outer, key) => {
                    steps.push(issue::key_step(key));
                    path = outer;
                }
                Self::Index(outer, index) => {
                    steps.push(format!("[{index}]"));
                    path = outer;
                }
            }
        }
        let mut first = true;
        for step in steps.iter().rev() {
            if !first && !step.starts_with('[') {
                f.write_str(".")?;
            }
            f.write_str(step)?;
            first = false;
        }
        Ok(())
    }
}
