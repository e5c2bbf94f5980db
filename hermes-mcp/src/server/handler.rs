//! What a client may ask.

#![expect(
    deprecated,
    reason = "a later version of the protocol drops logging and subscribing to single resources; clients of the \
              versions that we speak have both"
)]

use std::borrow::Cow;
use std::sync::Arc;

use hermes_tools::ErrorKind;
use hermes_tools::output::Fit;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse,
    InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
    SetLevelRequestParams, SubscribeRequestParams, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use serde_json::Value;

use super::call::call;
use super::connection::Connection;
use super::content::answer;
use super::watched::Signs;
use super::{page, prompts, resources};
use crate::lines::AsSent;
use crate::params;

/// One client and the session that it uses.
#[derive(Clone)]
pub(crate) struct Handler(pub(super) Arc<Connection>);

impl Handler {
    async fn answer(
        &self,
        name: &str,
        arguments: String,
        request: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let connection = &*self.0;
        let session = &connection.server()?.session;
        let signs = connection.signs();
        let hear = &connection.hear;
        let result = call(session, name, arguments, request, signs, hear).await;
        connection.called.notify_one();
        connection.log.note(&result);
        let told = async {
            connection.log.send(&request.peer).await;
            if let Fit::Stored(_) = result.fit {
                let _ = request.peer.notify_resource_list_changed().await;
            }
        };
        tokio::select! {
            biased;
            () = told => {}
            () = signs.ended.cancelled() => {}
        }
        if let Err(error) = &result.outcome
            && error.kind() == ErrorKind::UnknownTool
        {
            let help = error.help().unwrap_or_default();
            let text = format!("unknown tool: {}; {help}", error.message());
            return Err(ErrorData::invalid_params(text, None));
        }
        let promised = result.outcome.is_ok() && connection.promises(session, &result.tool);
        Ok(answer(&result, promised))
    }
}

/// Whether the cursor of a list is one that the SDK reads. It passes over what is no text, and the client
/// would get the first page for ever.
fn has_cursor_of_ours(request: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    match AsSent::of(&request.extensions) {
        Some(_) => Err(ErrorData::invalid_params(params::CURSOR, None)),
        None => Ok(()),
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_logging()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe();
        let Ok(server) = self.0.server() else {
            return ServerConfig::new(capabilities.build());
        };
        let has_prompts = !prompts::offered(&server.session).is_empty();
        let mut capabilities = capabilities.build();
        if has_prompts {
            let more = ServerCapabilities::builder()
                .enable_prompts()
                .enable_completions()
                .build();
            capabilities.prompts = more.prompts;
            capabilities.completions = more.completions;
        }
        let mut info = ServerConfig::new(capabilities).with_server_info(server.name.clone());
        info.instructions.clone_from(&server.instructions);
        info
    }

    /// Later versions have no handshake and no questions to the person in front of the client.
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&ProtocolVersion::V_2025_11_25))
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        self.0.open(context.extensions.get::<Signs>())?;
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.0.tell(context.peer);
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        has_cursor_of_ours(&context)?;
        let server = self.0.server()?;
        let listing = self.0.listing(&server.session).await;
        let (tools, next_cursor) = page(listing.tools(), request, server.page, |tool| &tool.name)?;
        self.0.listed(&listing);
        let mut result = ListToolsResult::with_all_items(tools);
        result.next_cursor = next_cursor;
        Ok(result)
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = match AsSent::of(&context.extensions) {
            Some(text) => text.to_owned(),
            None => Value::Object(request.arguments.take().unwrap_or_default()).to_string(),
        };
        let answer = self.answer(&request.name, arguments, &context).await?;
        Ok(answer.into())
    }

    /// A call whose arguments are no object is not what the SDK takes for a call. The session says what
    /// is wrong with them, or reads them where they are an object as text.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if let Some(error) = params::fault(&request.method, request.params.as_ref()) {
            return Err(error);
        }
        let mut params = request.params.unwrap_or_default();
        let name = params
            .get("name")
            .and_then(Value::as_str)
            .map(str::to_owned);
        if request.method != "tools/call" {
            let why = format!("there is no method `{}`", request.method);
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None));
        }
        let Some(name) = name else {
            let why = "the call names no tool; put its name into `params.name`";
            return Err(ErrorData::invalid_params(why, None));
        };
        let arguments = match params.get_mut("arguments").map(Value::take) {
            None => "{}".to_owned(),
            Some(Value::String(text)) => text,
            Some(other) => other.to_string(),
        };
        let mut answer = self.answer(&name, arguments, &context).await?;
        // Of a version of the protocol that we do not speak.
        answer.result_type = None;
        let value = serde_json::to_value(answer);
        let value = value.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(CustomResult::new(value))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.log.set(request.level);
        Ok(())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        has_cursor_of_ours(&context)?;
        let server = self.0.server()?;
        let offered = prompts::offered(&server.session);
        let all: Vec<_> = offered.into_iter().map(prompts::told).collect();
        let (prompts, next_cursor) = page(&all, request, server.page, |prompt| &prompt.name)?;
        let mut result = ListPromptsResult::with_all_items(prompts);
        result.next_cursor = next_cursor;
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let offered = prompts::offered(&self.0.server()?.session);
        Ok(prompts::messages(&offered, &request)?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let offered = prompts::offered(&self.0.server()?.session);
        prompts::complete(&offered, &request.r#ref, &request.argument)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        has_cursor_of_ours(&context)?;
        let server = self.0.server()?;
        let all = resources::list(&server.session, &server.resources);
        let (resources, next_cursor) = page(&all, request, server.page, |it| &it.uri)?;
        let mut result = ListResourcesResult::with_all_items(resources);
        result.next_cursor = next_cursor;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        has_cursor_of_ours(&context)?;
        let templates = resources::templates(&self.0.server()?.resources);
        Ok(ListResourceTemplatesResult::with_all_items(templates))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let server = self.0.server()?;
        Ok(resources::read(&server.session, &server.resources, &request.uri)?.into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let server = self.0.server()?;
        let changes = resources::changes(&server.session, &server.resources, &request.uri)?;
        if let Some(changes) = changes {
            self.0.follow(request.uri, changes, context.peer);
        }
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.forget(&request.uri);
        Ok(())
    }
}
