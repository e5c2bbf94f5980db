//! Tool packs: crates that bring tools, and how a binary links them.

/// A crate that brings tools. Declared with [`pack!`](crate::pack!).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Pack {
    /// The package's name.
    pub name: &'static str,
    /// The package's version.
    pub version: &'static str,
}

impl Pack {
    /// Used by [`pack!`](crate::pack!).
    #[doc(hidden)]
    pub const fn new(name: &'static str, version: &'static str) -> Self {
        Self { name, version }
    }
}

/// Every pack that is linked into this binary, sorted by name.
///
/// Empty without the feature `link`.
pub fn linked_packs() -> Vec<&'static Pack> {
    #[cfg(feature = "link")]
    let mut packs: Vec<&'static Pack> = crate::link::packs().collect();
    #[cfg(not(feature = "link"))]
    let mut packs: Vec<&'static Pack> = Vec::new();
    packs.sort_unstable();
    packs
}

/// Makes a crate a tool pack. Write it once, in the crate's root.
///
/// It defines `PACK`, which [`link!`](crate::link!) names: linking a crate that is not a pack is a
/// compile error.
///
/// ```
/// mod my_pack {
///     hermes_tools::pack!();
/// }
/// assert!(hermes_tools::linked_packs().contains(&&my_pack::PACK));
/// ```
#[macro_export]
macro_rules! pack {
    () => {
        /// This crate as a tool pack, for `hermes_tools::link!`.
        pub static PACK: $crate::Pack = $crate::Pack::new(
            ::core::env!("CARGO_PKG_NAME"),
            ::core::env!("CARGO_PKG_VERSION"),
        );
        $crate::__private::submit_pack!(PACK);
    };
}

/// Links tool packs into a binary: `hermes_tools::link!(my_pack, other_pack);`
///
/// A dependency that is declared in `Cargo.toml` but never named in source contributes nothing, since
/// the compiler does not load it. Write this in `main.rs`; a package that has its own library
/// with tools names that library too, also in each of its integration tests.
///
/// ```
/// # mod my_pack { hermes_tools::pack!(); }
/// hermes_tools::link!(my_pack);
/// # fn main() {}
/// ```
///
/// ```compile_fail
/// // `std` is not a tool pack: it has no `PACK`.
/// hermes_tools::link!(std);
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! link {
    ($($pack:ident $(:: $part:ident)*),+ $(,)?) => {
        $(const _: &$crate::Pack = &$pack $(:: $part)* ::PACK;)+
    };
}
