//! What the macros may name. Nothing here is stable.

use std::any::TypeId;
use std::future::Future;

pub use std::boxed::Box;
pub use std::convert::From;
pub use std::option::Option::{self, None, Some};
pub use std::result::Result::{self, Err, Ok};
pub use std::string::String;
pub use std::time::Duration;

#[cfg(feature = "link")]
pub use linkme;

use crate::args;
use crate::availability::{Availability, CheckContext};
use crate::context;

pub use crate::args::RawArguments;
pub use crate::context::{FromToolContext, ToolContext};
pub use crate::effect::{Effect, Role};
pub use crate::entry::{Origin, ToolEntry};
#[cfg(feature = "link")]
pub use crate::link::{HERMES_PACKS_V1, HERMES_TOOLS_V1, HERMES_TOOLSETS_V1};
pub use crate::output::{CallFuture, ToolError, ToolOutput};
pub use crate::param::{Param, Slot, ToolParam};
pub use crate::schema::Number;

pub use crate::{
    __origin as origin, __submit as submit, __submit_pack as submit_pack,
    __submit_toolset as submit_toolset,
};

/// Decodes the arguments of a call and notes what had to be repaired.
pub fn decode(
    cx: &ToolContext,
    params: &'static [Param],
    arguments: RawArguments<'_>,
    slots: &mut [&mut dyn Slot],
) -> Result<(), ToolError> {
    match args::decode(params, arguments, slots) {
        Ok(repairs) => {
            cx.note_repairs(repairs);
            Ok(())
        }
        Err(error) => Err(ToolError::arguments(
            cx.tool(),
            &error,
            args::example(params),
        )),
    }
}

/// A parameter that decoding left empty: a type whose `absent` and `read` contradict each other.
#[cold]
pub fn unfilled(name: &'static str) -> ToolError {
    ToolError::failed(std::format!("the parameter `{name}` was not decoded"))
}

/// Marks the place where a future must be `Send`.
pub fn send<F: Future + Send>(future: F) -> F {
    future
}

/// Runs a plain function on the session's pool.
pub async fn blocking<T, F>(cx: &ToolContext, function: F) -> Result<T, ToolError>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    context::run_blocking(cx, function).await
}

/// A function that can stand in `check = ...`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an availability check",
    label = "expected `fn(&CheckContext<'_>) -> Availability`",
    note = "a check takes `&CheckContext<'_>` and returns `Availability`"
)]
pub trait Check {
    /// Asks.
    fn ask(&self, cx: &CheckContext<'_>) -> Availability;
}

#[diagnostic::do_not_recommend]
impl<F: Fn(&CheckContext<'_>) -> Availability> Check for F {
    fn ask(&self, cx: &CheckContext<'_>) -> Availability {
        self(cx)
    }
}

/// Asks a check.
pub fn check<C: Check>(check: &C, cx: &CheckContext<'_>) -> Availability {
    check.ask(cx)
}

/// Tells the function that a check asks from others. Every function has a type of its own, without
/// a size; pointers to functions share one type.
pub fn check_id<C: 'static>(_: &C) -> Option<TypeId> {
    (size_of::<C>() == 0).then(TypeId::of::<C>)
}

/// The place of its expansion.
#[doc(hidden)]
#[macro_export]
macro_rules! __origin {
    () => {
        $crate::__private::Origin {
            package: ::core::env!("CARGO_PKG_NAME"),
            module: ::core::module_path!(),
            file: ::core::file!(),
            line: ::core::line!(),
        }
    };
}

/// Submits a static of ours to a slice of the linker.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "link")]
macro_rules! __submit_to {
    ($slice:ident, $kind:ty, $value:ident) => {
        const _: () = {
            #[$crate::__private::linkme::distributed_slice($crate::__private::$slice)]
            #[linkme(crate = $crate::__private::linkme)]
            static ELEMENT: $crate::__private::Option<&'static $kind> =
                $crate::__private::Some(&$value);
        };
    };
}

/// Without the feature `link` nothing is submitted; the static is named so that it is not unused.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "link"))]
macro_rules! __submit_to {
    ($slice:ident, $kind:ty, $value:ident) => {
        const _: &$kind = &$value;
    };
}

/// Registers a tool.
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($entry:ident) => {
        $crate::__submit_to!(HERMES_TOOLS_V1, $crate::ToolEntry, $entry);
    };
}

/// Registers a toolset.
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_toolset {
    ($toolset:ident) => {
        $crate::__submit_to!(HERMES_TOOLSETS_V1, $crate::Toolset, $toolset);
    };
}

/// Registers a pack.
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_pack {
    ($pack:ident) => {
        $crate::__submit_to!(HERMES_PACKS_V1, $crate::Pack, $pack);
    };
}
