//! Tools that are made while the program runs: of MCP servers, plugins, or by hand.

mod answer;
mod definition;

use std::fmt;
use std::sync::Arc;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;

use super::Tool;
use super::foreign::{Foreign, foreign_toolset};
use crate::__private::pass;
use crate::args::{ForeignArguments, JsonSchema, Node, RawArguments};
use crate::availability::CheckHandle;
use crate::context::ToolContext;
use crate::effect::{Effect, Role};
use crate::entry::{DEFAULT_MAX_RESULT, Parallel};
use crate::gate::{PendingCall, RoleTable, hide_in_error, hide_in_repairs};
use crate::output::{CallFuture, ToolError, ToolOutput};
use crate::target::Target;

type Handler = dyn for<'a> Fn(&'a ToolContext, ForeignArguments) -> CallFuture<'a> + Send + Sync;
type Targets = dyn Fn(&ForeignArguments) -> Result<Vec<Target>, ToolError> + Send + Sync;
type Dynamic = dyn Fn() -> Option<Value> + Send + Sync;

/// A tool with a JSON schema and a closure.
///
/// ```
/// use hermes_tools::{Effect, RuntimeTool, Selection, Session, ToolRegistry};
/// use serde_json::json;
///
/// let registry = ToolRegistry::of(&[])?;
/// let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
/// let greet = RuntimeTool::new("greet", "demo", "Greet somebody.", schema)
///     .effect(Effect::Read)
///     .answering(|arguments| format!("hello {}", arguments.text("name").unwrap_or("you")));
/// registry.register(greet);
///
/// let session = Session::builder(registry, Selection::of(["greet"])).build()?;
/// assert_eq!(session.call_blocking("greet", r#"{"name": "Ada"}"#).outcome?.text(), "hello Ada");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, said by a method of its own"
)]
pub struct RuntimeTool {
    name: Box<str>,
    toolset: Box<str>,
    description: Option<Box<str>>,
    /// The definition as it was given, keys in their order.
    schema: Vec<(String, Node)>,
    handler: Arc<Handler>,
    title: Option<Box<str>>,
    emoji: Option<Box<str>>,
    effect: Option<Effect>,
    claimed: Option<Effect>,
    checks: Vec<CheckHandle>,
    requires_env: Vec<Box<str>>,
    idempotent: bool,
    open_world: bool,
    untrusted: bool,
    timeout: Option<Duration>,
    teardown: Option<Duration>,
    parallel: Option<Parallel>,
    no_spill: bool,
    max_result: usize,
    dynamic: Option<Arc<Dynamic>>,
    plugin: Option<Box<str>>,
    foreign: Option<Foreign>,
    overrides: bool,
    always_visible: bool,
    roles: RoleTable,
    targets: Option<Arc<Targets>>,
    /// The schema as calls are decoded by it, made when it is called first.
    rules: OnceLock<Arc<JsonSchema>>,
    #[cfg(feature = "host")]
    text: OnceLock<Arc<str>>,
}

/// Making one.
impl RuntimeTool {
    /// A tool of this name and toolset, told to the model with this text and this JSON schema of its
    /// arguments, an object schema. It answers with an error until it has a handler.
    ///
    /// Models are told of the parameters in the order of the schema. A `serde_json::Value` has lost it
    /// unless its feature `preserve_order` is on; a [`Node`] that was read from text keeps it.
    ///
    /// ```
    /// use hermes_tools::RuntimeTool;
    /// use hermes_tools::args::Node;
    ///
    /// let schema: Node = r#"{"type": "object", "properties": {"to": {}, "body": {}}}"#.parse()?;
    /// let send = RuntimeTool::new("send", "mail", "Send a mail.", schema);
    /// # Ok::<(), hermes_tools::args::SyntaxError>(())
    /// ```
    pub fn new(
        name: impl Into<Box<str>>,
        toolset: impl Into<Box<str>>,
        description: &str,
        parameters: impl Into<Node>,
    ) -> Self {
        let schema = vec![
            (
                "description".to_owned(),
                Node::String(description.to_owned()),
            ),
            ("parameters".to_owned(), parameters.into()),
        ];
        Self::of_schema(name, toolset, Node::Object(schema))
    }

    /// A tool whose definition is given as a whole, an object: `description`, `parameters`, and whatever
    /// else the definition holds. A `name` in it counts for nothing.
    pub fn of_schema(
        name: impl Into<Box<str>>,
        toolset: impl Into<Box<str>>,
        schema: impl Into<Node>,
    ) -> Self {
        let schema = match schema.into() {
            Node::Object(entries) => entries,
            _ => Vec::new(),
        };
        Self {
            name: name.into(),
            toolset: toolset.into(),
            description: None,
            schema,
            handler: Arc::new(|cx, _| {
                let error = ToolError::failed(format!("`{}` has no handler", cx.tool()))
                    .with_help("use another tool");
                Box::pin(std::future::ready(Err(error)))
            }),
            title: None,
            emoji: None,
            effect: None,
            claimed: None,
            checks: Vec::new(),
            requires_env: Vec::new(),
            idempotent: false,
            open_world: false,
            untrusted: false,
            timeout: None,
            teardown: None,
            parallel: None,
            no_spill: false,
            max_result: DEFAULT_MAX_RESULT,
            dynamic: None,
            plugin: None,
            foreign: None,
            overrides: false,
            always_visible: false,
            roles: RoleTable::default(),
            targets: None,
            rules: OnceLock::new(),
            #[cfg(feature = "host")]
            text: OnceLock::new(),
        }
    }

    /// Sets what a call does.
    #[must_use]
    pub fn handler(
        mut self,
        handler: impl for<'a> Fn(&'a ToolContext, ForeignArguments) -> CallFuture<'a>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.handler = Arc::new(handler);
        self
    }

    /// Sets what a call does, where it neither waits nor needs the context.
    #[must_use]
    pub fn answering<O: ToolOutput>(
        self,
        answer: impl Fn(ForeignArguments) -> O + Send + Sync + 'static,
    ) -> Self {
        self.handler(move |_, arguments| {
            Box::pin(std::future::ready(answer(arguments).into_output()))
        })
    }

    /// Sets what lists say of it, in place of the description in the schema.
    #[must_use]
    pub fn description_in_lists(mut self, text: impl Into<Box<str>>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Sets the name shown to people.
    #[must_use]
    pub fn title(mut self, title: impl Into<Box<str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the sign shown to people.
    #[must_use]
    pub fn emoji(mut self, emoji: impl Into<Box<str>>) -> Self {
        self.emoji = Some(emoji.into());
        self
    }

    /// Sets the most that a call may do. A tool that does not say counts as destructive.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effect = Some(effect);
        self
    }

    /// Says what an argument stands for, by its top-level name, so that guards look at it: at every text
    /// in its value. Paths are written where the effect is more than `read`.
    #[must_use]
    pub fn role(mut self, argument: impl Into<Box<str>>, role: Role) -> Self {
        self.roles.add(argument.into(), role);
        self
    }

    /// Sets what finds the paths of a call where they stand inside its arguments. Where it fails the
    /// call is refused.
    #[must_use]
    pub fn targets(
        mut self,
        find: impl Fn(&ForeignArguments) -> Result<Vec<Target>, ToolError> + Send + Sync + 'static,
    ) -> Self {
        self.targets = Some(Arc::new(find));
        self
    }

    /// Says what its server claims that it does. A claim makes nothing easier: it counts where it is
    /// graver than what the operator said with [`effect`](Self::effect).
    #[must_use]
    pub fn claims(mut self, effect: Effect) -> Self {
        self.claimed = Some(effect);
        self
    }

    /// Adds an availability check; all of them must pass. Tools that are given clones of one handle
    /// share its answers.
    #[must_use]
    pub fn check(mut self, check: CheckHandle) -> Self {
        self.checks.push(check);
        self
    }

    /// Names the environment variables without which it is unavailable.
    #[must_use]
    pub fn requires_env<S: Into<Box<str>>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.requires_env.extend(names.into_iter().map(Into::into));
        self
    }

    /// Says that a second equal call changes nothing more than the first.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Says that results hold what strangers wrote: they are marked before a model sees them.
    #[must_use]
    pub fn untrusted(mut self) -> Self {
        self.untrusted = true;
        self
    }

    /// Says that results hold nothing that strangers wrote, for a tool of a server that the operator
    /// trusts as much as this program.
    #[must_use]
    pub fn trusted(mut self) -> Self {
        self.untrusted = false;
        self
    }

    /// Says that it reaches beyond this machine.
    #[must_use]
    pub fn open_world(mut self) -> Self {
        self.open_world = true;
        self
    }

    /// Sets how long a call may take.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets how long a call that is cancelled or late is waited for, so that it can clean up. What a tool that
    /// only reads gives back in that time is its answer.
    #[must_use]
    pub fn teardown(mut self, grace: Duration) -> Self {
        self.teardown = Some(grace);
        self
    }

    /// Sets whether calls may run beside others, where effect and roles say too little. Such is the
    /// opt-in of an MCP server for its tools.
    #[must_use]
    pub fn parallel(mut self, parallel: Parallel) -> Self {
        self.parallel = Some(parallel);
        self
    }

    /// Keeps results out of the store for long results: they are cut and nothing else.
    #[must_use]
    pub fn no_spill(mut self) -> Self {
        self.no_spill = true;
        self
    }

    /// Sets the longest result, in characters; `usize::MAX` is no limit.
    #[must_use]
    pub fn max_result(mut self, characters: usize) -> Self {
        self.max_result = characters;
        self
    }

    /// Sets parts of the definition that are asked for each time it is written. Each top-level key
    /// replaces that of the schema; `name` cannot be changed. What is no object counts for nothing,
    /// and so does a panic.
    #[must_use]
    pub fn dynamic(mut self, parts: impl Fn() -> Option<Value> + Send + Sync + 'static) -> Self {
        self.dynamic = Some(Arc::new(parts));
        self
    }

    /// Says which plugin's code the handler is, by the path of the module that defines it: its first
    /// part owns the tool.
    #[must_use]
    pub fn owned_by(mut self, module: &str) -> Self {
        self.plugin = Some(super::plugin_of(module).into());
        self
    }

    /// A tool of an MCP server, by the names that the server knows. Its name and toolset here come
    /// from them; [`Change::sync_server`](super::Change::sync_server) has the last word on the name.
    ///
    /// What it answers is somebody else's text, so it is [`untrusted`](Self::untrusted) unless the
    /// operator trusts the server ([`trusted`](Self::trusted)).
    pub fn of_server(server: &str, tool: &str, schema: impl Into<Node>) -> Self {
        Self::of_server_as(server, tool, tool, schema)
    }

    /// A tool for what an MCP server has beside tools: its raw name is a method, another one is
    /// shown.
    pub fn of_server_as(server: &str, raw: &str, shown: &str, schema: impl Into<Node>) -> Self {
        let names = Foreign::new(server, raw, shown);
        let mut tool = Self::of_schema(names.wanted.clone(), foreign_toolset(server), schema);
        tool.foreign = Some(names);
        tool.open_world().untrusted()
    }

    /// Says that it means to take the name from a tool of another toolset.
    #[must_use]
    pub fn overrides(mut self) -> Self {
        self.overrides = true;
        self
    }

    /// Says that the tool search never hides it.
    #[must_use]
    pub fn always_visible(mut self) -> Self {
        self.always_visible = true;
        self
    }

    pub(super) fn renamed(&self, name: &str) -> Self {
        Self {
            name: name.into(),
            #[cfg(feature = "host")]
            text: OnceLock::new(),
            ..self.clone()
        }
    }
}

/// What it says of itself.
impl RuntimeTool {
    /// Name under which the model calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Toolset under which it is registered.
    pub fn toolset(&self) -> &str {
        &self.toolset
    }

    /// What lists say of it: the text for lists, or that of the schema, or nothing.
    pub fn description(&self) -> &str {
        let own = self.description.as_deref();
        own.or_else(|| self.part("description")?.as_str())
            .unwrap_or_default()
    }

    /// The schema of the arguments, when the definition has one.
    pub fn parameters(&self) -> Option<&Node> {
        self.part("parameters")
    }

    fn part(&self, key: &str) -> Option<&Node> {
        let mut all = self.schema.iter();
        all.find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// Server and tool name as the server knows them.
    pub fn raw_names(&self) -> Option<(&str, &str)> {
        let names = self.foreign.as_ref()?;
        Some((&*names.server, &*names.tool))
    }

    pub(super) fn foreign_names(&self) -> Option<&Foreign> {
        self.foreign.as_ref()
    }

    /// The plugin that owns it.
    pub fn plugin(&self) -> Option<&str> {
        self.plugin.as_deref()
    }

    pub(super) fn display_title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    pub(super) fn display_emoji(&self) -> Option<&str> {
        self.emoji.as_deref()
    }

    pub(super) fn declared_effect(&self) -> Effect {
        let told = self.effect.unwrap_or(Effect::Destructive);
        self.claimed.map_or(told, |claimed| claimed.max(told))
    }

    pub(super) const fn result_limit(&self) -> usize {
        self.max_result
    }

    pub(super) const fn time_limit(&self) -> Option<Duration> {
        self.timeout
    }

    pub(super) const fn teardown_grace(&self) -> Option<Duration> {
        self.teardown
    }

    pub(super) const fn declared_parallel(&self) -> Option<Parallel> {
        self.parallel
    }

    pub(super) const fn may_spill(&self) -> bool {
        !self.no_spill
    }

    pub(super) fn required_env(&self) -> impl Iterator<Item = &str> {
        self.requires_env.iter().map(|name| &**name)
    }

    pub(super) fn is_idempotent(&self) -> bool {
        self.idempotent || self.declared_effect() == Effect::Read
    }

    pub(super) const fn says_idempotent(&self) -> bool {
        self.idempotent
    }

    pub(super) const fn is_open_world(&self) -> bool {
        self.open_world
    }

    pub(super) const fn is_untrusted(&self) -> bool {
        self.untrusted
    }

    pub(super) const fn is_overriding(&self) -> bool {
        self.overrides
    }

    pub(super) const fn is_always_visible(&self) -> bool {
        self.always_visible
    }

    pub(super) const fn is_dynamic(&self) -> bool {
        self.dynamic.is_some()
    }

    pub(super) fn has_checks(&self) -> bool {
        !self.checks.is_empty() || !self.requires_env.is_empty()
    }

    pub(super) fn checks(&self) -> impl Iterator<Item = &CheckHandle> {
        self.checks.iter()
    }

    pub(super) fn call<'a>(
        self: &Arc<Self>,
        cx: &'a ToolContext,
        raw: RawArguments<'a>,
    ) -> CallFuture<'a> {
        let tool = Arc::clone(self);
        let decoded = self.decode(cx, raw);
        Box::pin(async move {
            let arguments = decoded?;
            if tool.is_gated(cx) {
                let targets = tool.targets.as_ref();
                let targets = targets.map_or(Ok(Vec::new()), |find| find(&arguments))?;
                let handle = Tool::from(Arc::clone(&tool));
                let call = PendingCall::foreign(cx, handle, targets, &arguments, &tool.roles);
                pass(cx, &call).await?;
            }
            (tool.handler)(cx, arguments).await
        })
    }

    fn is_gated(&self, cx: &ToolContext) -> bool {
        let judged = !self.roles.is_empty()
            || self.targets.is_some()
            || Parallel::may_run_alone(self.parallel, self.declared_effect());
        cx.gate().is_some_and(|gate| judged || gate.sees_all())
    }

    /// What arguments stand for.
    pub fn roles(&self) -> &RoleTable {
        &self.roles
    }

    /// What arguments must look like.
    pub(super) fn rules(&self) -> &Arc<JsonSchema> {
        self.rules.get_or_init(|| {
            let any = Node::Bool(true);
            Arc::new(JsonSchema::from_node(self.parameters().unwrap_or(&any)))
        })
    }

    fn decode(
        &self,
        cx: &ToolContext,
        raw: RawArguments<'_>,
    ) -> Result<ForeignArguments, ToolError> {
        let rules = self.rules();
        match ForeignArguments::decode(rules, raw) {
            Ok((arguments, repairs)) => {
                let is_secret = |name: &str| self.roles.is_secret(name);
                cx.note_repairs(hide_in_repairs(repairs, &is_secret));
                Ok(arguments)
            }
            Err(error) => {
                let error = hide_in_error(error, &|name| self.roles.is_secret(name));
                Err(ToolError::arguments(&self.name, &error, rules.example()))
            }
        }
    }
}

impl fmt::Debug for RuntimeTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuntimeTool")
            .field("name", &self.name)
            .field("toolset", &self.toolset)
            .field("effect", &self.declared_effect())
            .field("plugin", &self.plugin)
            .finish_non_exhaustive()
    }
}
