//! Running the hooks of a session, each for itself.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::{Ended, Hook, HookCall, HookFuture, HookVerdict};
use crate::args::{ForeignArguments, JsonSchema, RawArguments};
use crate::dispatch::contain::contain;
use crate::output::{ErrorKind, Output, ToolError};
use crate::trace;

/// The hooks of a session, in the order in which they were registered.
#[derive(Clone)]
pub(crate) struct Hooks {
    list: Vec<Registered>,
    limit: Duration,
    rewrites: bool,
}

#[derive(Clone)]
struct Registered {
    name: Box<str>,
    hook: Arc<dyn Hook>,
    /// Whether its failure before a call is only logged.
    observer: bool,
}

/// A hook wants a person to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookAsk {
    pub(crate) hook: Box<str>,
    pub(crate) why: Cow<'static, str>,
    pub(crate) key: Option<Cow<'static, str>>,
}

/// How long a hook may take unless the host says otherwise.
const DEFAULT_LIMIT: Duration = Duration::from_secs(10);

impl Default for Hooks {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            limit: DEFAULT_LIMIT,
            rewrites: false,
        }
    }
}

impl Hooks {
    /// Adds a hook. `rewrites` says that it may change arguments, which are then decoded before.
    pub(crate) fn add(
        &mut self,
        name: Box<str>,
        hook: Arc<dyn Hook>,
        observer: bool,
        rewrites: bool,
    ) {
        self.rewrites |= rewrites;
        self.list.push(Registered {
            name,
            hook,
            observer,
        });
    }

    pub(crate) fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn rewrites(&self) -> bool {
        self.rewrites
    }

    /// Changes the arguments of a call. What each hook makes of them is decoded again.
    pub(crate) async fn rewrite(
        &self,
        mut call: HookCall,
        rules: &JsonSchema,
    ) -> Result<HookCall, ToolError> {
        for Registered { name, hook, .. } in &self.list {
            let given = call.arguments().clone();
            let changed = self.run(&call, || hook.rewrite(&call, given)).await;
            let changed = changed.map_err(|why| failed(name, &why))?;
            if changed == *call.arguments() {
                continue;
            }
            let text = changed.to_json();
            let decoded = ForeignArguments::decode(rules, RawArguments::new(&text));
            let (arguments, _) = decoded.map_err(|error| misfit(name, &call, &error))?;
            trace::rewritten(name, call.name());
            call = call.with_arguments(arguments);
        }
        Ok(call)
    }

    /// Asks all hooks before a call: one that blocks is enough, and one that fails blocks.
    pub(crate) async fn before(&self, call: &HookCall) -> Result<Vec<HookAsk>, ToolError> {
        let mut refusal = None;
        let mut asks = Vec::new();
        for registered in &self.list {
            let Registered {
                name,
                hook,
                observer,
            } = registered;
            match self.run(call, || hook.before(call)).await {
                Ok(HookVerdict::Pass) => {}
                Ok(_) if *observer => {}
                Ok(HookVerdict::Block(message)) => {
                    trace::hook_blocked(name, call.name());
                    refusal.get_or_insert_with(|| blocked(name, message));
                }
                Ok(HookVerdict::Ask { why, key }) => asks.push(HookAsk {
                    hook: name.clone(),
                    why,
                    key,
                }),
                Err(why) => {
                    trace::hook_failed(name, call.name(), &why);
                    if !observer {
                        refusal.get_or_insert_with(|| failed(name, &why));
                    }
                }
            }
        }
        refusal.map_or(Ok(asks), Err)
    }

    /// Tells all hooks how a call ended.
    pub(crate) async fn after(&self, call: &HookCall, ended: &Ended) {
        for Registered { name, hook, .. } in &self.list {
            if let Err(why) = self.run(call, || hook.after(call, ended)).await {
                trace::hook_failed(name, call.name(), &why);
            }
        }
    }

    /// Changes the output of a call. A hook that fails changes nothing.
    pub(crate) async fn rewrite_result(&self, call: &HookCall, mut output: Output) -> Output {
        for Registered { name, hook, .. } in &self.list {
            let given = output.clone();
            match self.run(call, || hook.rewrite_result(call, given)).await {
                Ok(changed) => output = changed,
                Err(why) => trace::hook_failed(name, call.name(), &why),
            }
        }
        output
    }

    async fn run<'a, T>(
        &self,
        call: &HookCall,
        start: impl FnOnce() -> HookFuture<'a, T>,
    ) -> Result<T, String> {
        match contain(call.executor(), self.limit, start).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(error.to_string()),
            Err(fault) => Err(fault.to_string()),
        }
    }
}

fn blocked(hook: &str, message: Cow<'static, str>) -> ToolError {
    let message = if message.trim().is_empty() {
        format!("the hook `{hook}` does not allow this call").into()
    } else {
        message
    };
    ToolError::new(ErrorKind::Blocked, message)
        .with_help("do it in another way, or ask the user")
        .for_operator(format!("blocked by the hook `{hook}`"))
}

fn failed(hook: &str, why: &str) -> ToolError {
    ToolError::new(
        ErrorKind::HookFailed,
        format!("the hook `{hook}` failed, so the call was not made"),
    )
    .with_help("use another tool, and tell the user that the hook needs repair")
    .for_operator(format!("{hook}: {why}"))
}

fn misfit(hook: &str, call: &HookCall, error: &crate::args::ArgumentError) -> ToolError {
    ToolError::new(
        ErrorKind::HookFailed,
        format!(
            "the hook `{hook}` rewrote the arguments of `{}` so that they do not fit: {error}",
            call.name()
        ),
    )
    .with_help("use another tool, and tell the user that the hook needs repair")
}
