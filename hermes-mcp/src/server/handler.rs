//! What a client may ask.

#![expect(
    deprecated,
    reason = "a later version of the protocol drops logging; clients of the versions that we speak have it"
)]

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use hermes_tools::ErrorKind;
use hermes_tools::definitions::Definitions;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
    ErrorCode, ErrorData, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ServerCapabilities, ServerConfig, SetLevelRequestParams,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::Notify;

use super::Server;
use super::call::call;
use super::content::answer;
use super::listing::Listing;
use super::log::Log;
use super::watched::Signs;
use crate::lines::AsSent;

/// One client and the session that it uses.
pub(super) struct Handler {
    server: Server,
    signs: Signs,
    latest: Mutex<Option<Arc<Listing>>>,
    /// What the client has listed, or was told that it has changed to.
    told: Mutex<Option<Arc<Definitions>>>,
    called: Notify,
    log: Log,
}

impl Handler {
    pub(super) fn new(server: Server, signs: Signs) -> Self {
        Self {
            server,
            signs,
            latest: Mutex::default(),
            told: Mutex::default(),
            called: Notify::new(),
            log: Log::default(),
        }
    }

    /// Waits for the next end of a call, after which the tools may be others.
    pub(super) async fn called(&self) {
        self.called.notified().await;
    }

    /// Whether the tools have changed since the client was told of them. The answer is yes once.
    pub(super) async fn has_changed(&self) -> bool {
        if lock(&self.told).is_none() {
            return false;
        }
        let now = Listing::definitions(&self.server.session).await;
        let mut told = lock(&self.told);
        match &mut *told {
            Some(before) if !Arc::ptr_eq(before, &now) => {
                let changed = **before != *now;
                *before = now;
                changed
            }
            _ => false,
        }
    }

    async fn listing(&self) -> Arc<Listing> {
        let now = Listing::definitions(&self.server.session).await;
        let mut latest = lock(&self.latest);
        if let Some(listing) = latest.as_ref().filter(|it| Arc::ptr_eq(it.source(), &now)) {
            return Arc::clone(listing);
        }
        let listing = Arc::new(Listing::of(&self.server.session, now));
        *latest = Some(Arc::clone(&listing));
        listing
    }

    async fn answer(
        &self,
        name: &str,
        arguments: String,
        request: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let session = &self.server.session;
        let result = call(session, name, arguments, request, &self.signs).await;
        self.called.notify_one();
        tokio::select! {
            () = self.log.tell(&request.peer, &result) => {}
            () = self.signs.ended.cancelled() => {}
        }
        if let Err(error) = &result.outcome
            && error.kind() == ErrorKind::UnknownTool
        {
            let help = error.help().unwrap_or_default();
            let text = format!("unknown tool: {}; {help}", error.message());
            return Err(ErrorData::invalid_params(text, None));
        }
        let promised =
            result.outcome.is_ok() && self.listing().await.has_output_schema(&result.tool);
        Ok(answer(&result, promised))
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_logging()
            .build();
        let mut info = ServerConfig::new(capabilities).with_server_info(self.server.name.clone());
        info.instructions.clone_from(&self.server.instructions);
        info
    }

    /// Later versions have no handshake and no questions to the person in front of the client.
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&ProtocolVersion::V_2025_11_25))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let listing = self.listing().await;
        let cursor = request.and_then(|it| it.cursor);
        let page = listing.page(cursor.as_deref(), self.server.page)?;
        *lock(&self.told) = Some(Arc::clone(listing.source()));
        Ok(page)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = match context.extensions.get::<AsSent>() {
            Some(AsSent(text)) => text.to_string(),
            None => Value::Object(request.arguments.unwrap_or_default()).to_string(),
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
        self.log.set(request.level);
        Ok(())
    }
}

fn lock<T>(value: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // What stands behind these locks is replaced as a whole.
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
