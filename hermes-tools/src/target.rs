//! What a call works on, where that stands inside its arguments.

/// A path that a call will touch, as the function of `targets` found it in the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// The path as the model wrote it.
    pub path: String,
    /// What the call does there.
    pub access: Access,
}

/// What a call does at a path. The order is that of what it may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// It looks.
    Read,
    /// It makes, changes, moves or removes what is there.
    Write,
}

impl Target {
    /// A path that is read.
    pub fn read(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            access: Access::Read,
        }
    }

    /// A path that is written.
    pub fn write(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            access: Access::Write,
        }
    }
}
