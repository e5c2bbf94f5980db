//! rmcp: its router, as a server calls it when a request has arrived.

use rmcp::handler::server::tool::{ToolCallContext, ToolRoute, ToolRouter};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolRequestParams, CallToolResponse, NumberOrString, Tool};
use rmcp::service::{RequestContext, RunningService, serve_directly};
use rmcp::{ErrorData, RoleServer, ServerHandler, tool, tool_router};
use tokio::io::DuplexStream;
use tokio::runtime::Runtime;

use super::Caller;
use crate::arguments::Small;
use crate::hundred::OTHERS;

/// A router of a hundred tools.
pub struct McpRouter {
    server: Server,
    router: ToolRouter<Server>,
    context: RequestContext<RoleServer>,
    // A context holds a peer, and a peer is made by a running service alone.
    _service: RunningService<RoleServer, Server>,
    _client: DuplexStream,
}

struct Server;

impl ServerHandler for Server {}

#[tool_router]
impl Server {
    /// Answer with the arguments.
    #[tool]
    async fn echo(&self, Parameters(arguments): Parameters<Small>) -> Result<String, ErrorData> {
        serde_json::to_string(&arguments)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}

impl McpRouter {
    /// A router beside a service that waits on an empty stream.
    pub fn new(runtime: &Runtime) -> Self {
        let mut router = Server::tool_router();
        let schema = router
            .get("echo")
            .expect("the macro made it")
            .input_schema
            .clone();
        for name in OTHERS {
            let attributes = Tool::new(name, "Answer with the arguments.", schema.clone());
            router.add_route(ToolRoute::new(attributes, Server::echo));
        }
        let (client, stream) = tokio::io::duplex(64);
        let _inside = runtime.enter();
        let service = serve_directly(Server, stream, None);
        let context = RequestContext::new(NumberOrString::Number(1), service.peer().clone());
        Self {
            server: Server,
            router,
            context,
            _service: service,
            _client: client,
        }
    }

    /// What a client is told of the tools.
    pub fn list(&self) -> Vec<Tool> {
        self.router.list_all()
    }

    /// The same as JSON.
    pub fn list_json(&self) -> String {
        serde_json::to_string(&self.router.list_all()).expect("tools are JSON")
    }
}

impl Caller for McpRouter {
    type Answer = Option<CallToolResponse>;

    async fn call(&self, tool: &'static str, arguments: &str) -> Self::Answer {
        // The router takes a tree, so the text is parsed here, as the transport would.
        let arguments = serde_json::from_str(arguments).ok()?;
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        let context = ToolCallContext::new(&self.server, request, self.context.clone());
        self.router.call(context).await.ok()
    }

    fn text(answer: &Self::Answer) -> Option<&str> {
        match answer.as_ref()? {
            CallToolResponse::Complete(result) => Some(&result.content.first()?.as_text()?.text),
            _ => None,
        }
    }
}
