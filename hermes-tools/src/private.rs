//! What the macros may name. Nothing here is stable.

use std::any::TypeId;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

pub use std::boxed::Box;
pub use std::convert::From;
pub use std::future::ready;
pub use std::ops::FnMut;
pub use std::option::Option::{self, None, Some};
pub use std::primitive::{bool, str};
pub use std::result::Result::{self, Err, Ok};
pub use std::string::String;
pub use std::time::Duration;
pub use std::vec::Vec;

#[cfg(feature = "link")]
pub use linkme;

use crate::args::{self, ArgumentError, Repair, Whole};
use crate::availability::{Availability, CheckContext};
use crate::context;
use crate::definition::Definition;
use crate::gate::{self, GateFuture, PendingCall};
use crate::output::{ErrorKind, Json};
use crate::target::Target;

pub use crate::args::{
    Arguments, Issue, Node, RawArguments, Reader, Unfit, render_string, take_fields,
};
pub use crate::context::{FromToolContext, StateNeed, ToolContext};
pub use crate::effect::{Effect, Role};
pub use crate::entry::{Exposure, Facts, Origin, Parallel, ToolEntry};
pub use crate::glue::{call, call_whole, filled};
#[cfg(feature = "link")]
pub use crate::link::{HERMES_PACKS_V1, HERMES_PROMPTS_V1, HERMES_TOOLS_V1, HERMES_TOOLSETS_V1};
pub use crate::output::{CallFuture, ToolError, ToolOutput};
pub use crate::param::fields::{self, FieldTable, Fields};
pub use crate::param::{Bridge, More, Param, Shape, Slot, ToolParam};
pub use crate::schema::{Kind, Number, Schema, Variant};

pub use crate::{
    __origin as origin, __place as place, __submit as submit, __submit_pack as submit_pack,
    __submit_prompt as submit_prompt, __submit_toolset as submit_toolset,
};

/// Decodes the arguments of a call, notes what had to be repaired, and judges the call.
///
/// The arguments of every tool pass here on every way in, before the tool runs. It stands in the glue of
/// every tool, so it only passes on the places, of which there is another number each time.
#[inline]
pub fn prepare<'a, const N: usize>(
    cx: &'a ToolContext,
    entry: &'static ToolEntry,
    arguments: RawArguments<'_>,
    mut slots: [&'a mut dyn Slot; N],
) -> Prepared<'a> {
    match decide(cx, entry, arguments, &mut slots) {
        None => Prepared(None),
        Some(verdict) => hold(cx, entry, *verdict, slots.into()),
    }
}

/// What is known of a decoded call that does not simply run.
enum Verdict {
    /// It is refused.
    Refused(ToolError),
    /// The gate has to see it.
    Judged(Judged),
}

/// Decodes and judges a call; `None` for one that may run.
fn decide(
    cx: &ToolContext,
    entry: &'static ToolEntry,
    arguments: RawArguments<'_>,
    slots: &mut [&mut dyn Slot],
) -> Option<Box<Verdict>> {
    match args::decode(entry.params(), arguments, slots) {
        Ok(repairs) if repairs.is_empty() => {}
        Ok(repairs) => cx.note_repairs(repaired(entry, repairs)),
        Err(error) => {
            let error = misfit(cx, entry, arguments, error);
            return Some(Box::new(Verdict::Refused(error)));
        }
    }
    match judge(cx, entry, slots) {
        Ok(None) => None,
        Ok(Some(judged)) => Some(Box::new(Verdict::Judged(judged))),
        Err(error) => Some(Box::new(Verdict::Refused(error))),
    }
}

fn hold<'a>(
    cx: &'a ToolContext,
    entry: &'static ToolEntry,
    verdict: Verdict,
    slots: Box<[&'a mut dyn Slot]>,
) -> Prepared<'a> {
    let held = match verdict {
        Verdict::Refused(error) => Some(Held::Refused(Some(error))),
        Verdict::Judged(judged) => cx
            .gate()
            .map(|gate| Held::Gated(gate.pass_typed(cx, entry, judged, slots))),
    };
    Prepared(held.map(Box::new))
}

/// The decision on a decoded call. Written by hand, so that a call that no gate looks at carries one word
/// for it and not the state of the whole way.
#[must_use = "futures do nothing unless polled"]
pub struct Prepared<'a>(Option<Box<Held<'a>>>);

enum Held<'a> {
    /// It is refused; nothing once that was told.
    Refused(Option<ToolError>),
    /// The gate has it.
    Gated(GateFuture<'a>),
}

impl Future for Prepared<'_> {
    type Output = Result<(), ToolError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            None => Poll::Ready(Ok(())),
            Some(held) => held.poll(task),
        }
    }
}

impl Held<'_> {
    // Out of line: it would stand in the glue of every tool.
    #[inline(never)]
    fn poll(&mut self, task: &mut Context<'_>) -> Poll<Result<(), ToolError>> {
        match self {
            Self::Gated(gated) => gated.as_mut().poll(task),
            Self::Refused(error) => match error.take() {
                Some(error) => Poll::Ready(Err(error)),
                None => Poll::Pending,
            },
        }
    }
}

impl std::fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").finish_non_exhaustive()
    }
}

/// [`prepare`] for a tool whose one parameter is all of the arguments.
pub async fn prepare_whole<T: ToolParam>(
    cx: &ToolContext,
    entry: &'static ToolEntry,
    arguments: RawArguments<'_>,
) -> Result<T, ToolError> {
    let mut whole = Whole::new(entry.params());
    let (mut repairs, allowed) = {
        let mut slots = whole.slots();
        let repairs = args::decode(entry.params(), arguments, &mut slots);
        let repairs = repairs.map_err(|error| misfit(cx, entry, arguments, error))?;
        let allowed = match (judge(cx, entry, &mut slots), cx.gate()) {
            (Ok(Some(judged)), Some(gate)) => {
                gate.pass_typed(cx, entry, judged, slots.into()).await
            }
            (Ok(_), _) => Ok(()),
            (Err(error), _) => Err(error),
        };
        (repairs, allowed)
    };
    let value = allowed.and_then(|()| {
        let (value, more) = whole
            .assemble()
            .map_err(|error| misfit(cx, entry, arguments, error))?;
        repairs.extend(more);
        Ok(value)
    });
    cx.note_repairs(repaired(entry, repairs));
    value
}

#[cold]
fn misfit(
    cx: &ToolContext,
    entry: &'static ToolEntry,
    arguments: RawArguments<'_>,
    mut error: ArgumentError,
) -> ToolError {
    if entry.has_roles() {
        error = gate::hide_in_error(error, &|name| gate::is_secret_param(entry.params(), name));
    }
    let form = form_of(entry, arguments);
    ToolError::arguments(cx.tool(), &error, entry.example_call(form))
}

/// The form that the arguments name, where they have several.
fn form_of(entry: &ToolEntry, arguments: RawArguments<'_>) -> Option<&'static str> {
    let (tag, forms) = entry.forms()?;
    let Some(Node::Object(entries)) = args::tree(arguments) else {
        return None;
    };
    let (_, value) = entries.iter().find(|(key, _)| key == tag)?;
    let named = text_of(value)?;
    let form = forms
        .iter()
        .find(|form| form.name.eq_ignore_ascii_case(named))?;
    Some(form.name)
}

/// What is told of changed arguments, secrets left out.
fn repaired(entry: &'static ToolEntry, repairs: Vec<Repair>) -> Vec<Repair> {
    if repairs.is_empty() || !entry.has_roles() {
        return repairs;
    }
    gate::hide_in_repairs(repairs, &|name| gate::is_secret_param(entry.params(), name))
}

/// What a call does and where, as its tool says.
pub(crate) type Judged = (Effect, Vec<Target>);

/// Holds a call against what the session allows. What it does is told when the gate has to see it.
fn judge(
    cx: &ToolContext,
    entry: &ToolEntry,
    slots: &mut [&mut dyn Slot],
) -> Result<Option<Judged>, ToolError> {
    let (effect_of, targets) = (entry.call_effect(), entry.call_targets());
    let told = effect_of.is_some() || targets.is_some();
    let alone = Parallel::may_run_alone(entry.declared_parallel(), entry.declared_effect());
    let gated = cx
        .gate()
        .is_some_and(|gate| entry.has_roles() || targets.is_some() || alone || gate.sees_all());
    if !told && !gated {
        return allow(cx, entry.declared_effect()).map(|()| None);
    }
    for (param, slot) in entry.params().iter().zip(slots.iter_mut()) {
        if slot.value().is_none()
            && let Some(default) = param.default_value()
            && !args::trees::fill(&mut **slot, &default, param.schema())
        {
            // The function makes the default itself; here it is as good as absent.
            slot.clear();
        }
    }
    args::view(entry.params(), slots, |arguments| {
        let declared = entry.declared_effect();
        let effect = effect_of.map_or(declared, |effect_of| effect_of(arguments));
        allow(cx, effect)?;
        // Paths that cannot be found cannot be guarded, so such a call is refused.
        let targets = targets.map_or(Ok(Vec::new()), |targets| targets(arguments))?;
        Ok(gated.then_some((effect, targets)))
    })
}

/// Lets the gate of the session judge a call, if there is one.
pub(crate) async fn pass(cx: &ToolContext, call: &PendingCall<'_>) -> Result<(), ToolError> {
    cx.note_secrets(gate::secrets_of(call.subjects()));
    match cx.gate() {
        Some(gate) => gate.pass(call).await,
        None => Ok(()),
    }
}

fn allow(cx: &ToolContext, effect: Effect) -> Result<(), ToolError> {
    match cx.max_effect() {
        Some(most) if effect > most => Err(ToolError::new(
            ErrorKind::EffectNotAllowed,
            std::format!(
                "this call of `{}` has the effect {effect}, and the session allows {most} at most",
                cx.tool()
            ),
        )
        .with_help("do it in a way that changes less, or ask the user")),
        _ => Ok(()),
    }
}

/// The text that a tree is.
pub fn text_of(node: &Node) -> Option<&str> {
    match node {
        Node::String(text) => Some(text),
        _ => None,
    }
}

/// Runs a plain function on the session's pool.
pub async fn blocking<T, F>(cx: &ToolContext, function: F) -> Result<T, ToolError>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    context::run_blocking(cx, function).await
}

/// Marks the functions that a key takes.
#[derive(Debug)]
pub struct Taken;

/// Marks an implementation that no type has. It stands beside each that functions have, since the
/// compiler explains a function of the wrong form with the words of the trait only where there was a
/// choice; where there is one implementation it explains why that one does not fit.
#[derive(Debug)]
pub struct Refused;

/// A trait without implementations.
pub trait Never {
    /// A value of a type without values.
    fn never(&self) -> &std::convert::Infallible;
}

/// A function that can stand in `check = ...`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an availability check",
    label = "expected `fn(&CheckContext<'_>) -> Availability`",
    note = "a check takes `&CheckContext<'_>` and returns `Availability`"
)]
pub trait Check<M> {
    /// Asks.
    fn ask(&self, cx: &CheckContext<'_>) -> Availability;
}

#[diagnostic::do_not_recommend]
impl<F: Fn(&CheckContext<'_>) -> Availability> Check<Taken> for F {
    fn ask(&self, cx: &CheckContext<'_>) -> Availability {
        self(cx)
    }
}

#[diagnostic::do_not_recommend]
impl<F: Never> Check<Refused> for F {
    fn ask(&self, _: &CheckContext<'_>) -> Availability {
        match *self.never() {}
    }
}

/// A function that can stand in `effect_of = ...`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot say the effect of a call",
    label = "not a function of the arguments",
    note = "`effect_of` is a `fn(&Arguments<'_>) -> Effect`"
)]
pub trait EffectOf<M> {
    /// The effect of the call.
    fn effect(&self, arguments: &Arguments<'_>) -> Effect;
}

#[diagnostic::do_not_recommend]
impl<F: Fn(&Arguments<'_>) -> Effect> EffectOf<Taken> for F {
    fn effect(&self, arguments: &Arguments<'_>) -> Effect {
        self(arguments)
    }
}

#[diagnostic::do_not_recommend]
impl<F: Never> EffectOf<Refused> for F {
    fn effect(&self, _: &Arguments<'_>) -> Effect {
        match *self.never() {}
    }
}

/// Asks for the effect of a call.
pub fn effect<F: EffectOf<M>, M>(function: &F, arguments: &Arguments<'_>) -> Effect {
    function.effect(arguments)
}

/// A function that can stand in `targets = ...`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot find the paths of a call",
    label = "not a function of the arguments",
    note = "`targets` is a `fn(&Arguments<'_>) -> Result<Vec<Target>, ToolError>`"
)]
pub trait FindTargets<M> {
    /// The paths of the call.
    fn find(&self, arguments: &Arguments<'_>) -> Result<Vec<Target>, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<F: Fn(&Arguments<'_>) -> Result<Vec<Target>, ToolError>> FindTargets<Taken> for F {
    fn find(&self, arguments: &Arguments<'_>) -> Result<Vec<Target>, ToolError> {
        self(arguments)
    }
}

#[diagnostic::do_not_recommend]
impl<F: Never> FindTargets<Refused> for F {
    fn find(&self, _: &Arguments<'_>) -> Result<Vec<Target>, ToolError> {
        match *self.never() {}
    }
}

/// Asks for the paths of a call.
pub fn targets<F: FindTargets<M>, M>(
    function: &F,
    arguments: &Arguments<'_>,
) -> Result<Vec<Target>, ToolError> {
    function.find(arguments)
}

/// A function that can stand in `schema_patch = ...`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot change a definition",
    label = "not a function of the session and the definition",
    note = "`schema_patch` is a `fn(&CheckContext<'_>, &mut Definition)`"
)]
pub trait Patch<M> {
    /// Changes the definition.
    fn apply(&self, cx: &CheckContext<'_>, definition: &mut Definition);
}

#[diagnostic::do_not_recommend]
impl<F: Fn(&CheckContext<'_>, &mut Definition)> Patch<Taken> for F {
    fn apply(&self, cx: &CheckContext<'_>, definition: &mut Definition) {
        self(cx, definition);
    }
}

#[diagnostic::do_not_recommend]
impl<F: Never> Patch<Refused> for F {
    fn apply(&self, _: &CheckContext<'_>, _: &mut Definition) {
        match *self.never() {}
    }
}

/// Changes a definition.
pub fn patch<F: Patch<M>, M>(function: &F, cx: &CheckContext<'_>, definition: &mut Definition) {
    function.apply(cx, definition);
}

/// Asks a return type for the schema of its JSON: the constant of a type that has one hides that of
/// [`NoOutputSchema`], which all have.
#[derive(Debug)]
pub struct OutputProbe<T: ?Sized>(PhantomData<T>);

impl<T: ToolParam> OutputProbe<Json<T>> {
    /// The schema of the value.
    pub const SCHEMA: Option<&'static Schema> = Some(&T::SCHEMA);
}

impl<T: ToolParam, E> OutputProbe<Result<Json<T>, E>> {
    /// The schema of the value.
    pub const SCHEMA: Option<&'static Schema> = Some(&T::SCHEMA);
}

/// The answer for every other return type.
pub trait NoOutputSchema {
    /// No schema.
    const SCHEMA: Option<&'static Schema> = None;
}

impl<T: ?Sized> NoOutputSchema for OutputProbe<T> {}

/// Asks a check.
pub fn check<C: Check<M>, M>(check: &C, cx: &CheckContext<'_>) -> Availability {
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

/// The place of its expansion in one text: the package, the module and the file, a line each.
#[doc(hidden)]
#[macro_export]
macro_rules! __place {
    () => {
        ::core::concat!(
            ::core::env!("CARGO_PKG_NAME"),
            "\n",
            ::core::module_path!(),
            "\n",
            ::core::file!()
        )
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

/// Registers a prompt.
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_prompt {
    ($prompt:ident) => {
        $crate::__submit_to!(HERMES_PROMPTS_V1, $crate::Prompt, $prompt);
    };
}
