//! What a server asks of us and tells us, beside answers.
#![expect(
    deprecated,
    reason = "the next version of the protocol drops sampling and roots; servers of today ask for both"
)]

use std::sync::Arc;

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability, ErrorData,
    FormElicitationCapability, Implementation, ListRootsResult, LoggingMessageNotificationParam,
    ProtocolVersion, Root, RootsCapabilities, SamplingCapability, UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use serde_json::{Map, Value};
use tokio::sync::Notify;

use super::connection::Line;
use super::host::{Host, Offers};

/// What we are to a server.
pub(super) struct Client {
    pub(super) server: Box<str>,
    pub(super) host: Arc<dyn Host>,
    pub(super) line: Arc<Line>,
    /// Its tools have changed.
    pub(super) changed: Arc<Notify>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let name = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        // Later versions have no handshake; a server of one of them understands this one too.
        ClientConfig::new(capabilities(self.host.offers()), name)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn on_logging_message(
        &self,
        message: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let text: String = message.data.to_string().chars().take(2_000).collect();
        tracing::debug!(server = &*self.server, level = ?message.level, text, "a server logs");
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let offers = self.host.offers();
        let (offered, defaults) = match &request {
            ElicitRequestParams::FormElicitationParams {
                requested_schema, ..
            } => (offers.forms, defaults(requested_schema)),
            _ => (offers.urls, Map::new()),
        };
        if !offered {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        }
        let asked = self.line.questions.put(&self.server, request);
        let result = tokio::select! {
            result = asked => result,
            // The server does not want to know any more.
            () = context.ct.cancelled() => ElicitResult::new(ElicitationAction::Cancel),
        };
        Ok(filled(result, defaults))
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        if !self.host.offers().sampling {
            let text = "no model writes for servers here";
            return Err(ErrorData::invalid_request(text, None));
        }
        self.host.sample(&self.server, request).await
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        let roots = if self.host.offers().roots {
            self.host.roots(&self.server)
        } else {
            Vec::new()
        };
        let root = |(uri, name): (String, String)| Root::new(uri).with_name(name);
        Ok(ListRootsResult::new(roots.into_iter().map(root).collect()))
    }
}

fn capabilities(offers: Offers) -> ClientCapabilities {
    let mut made = ClientCapabilities::default();
    if offers.forms || offers.urls {
        let mut elicitation = ElicitationCapability::new();
        if offers.forms {
            elicitation = elicitation.with_form(FormElicitationCapability::new());
        }
        if offers.urls {
            elicitation = elicitation.with_url(UrlElicitationCapability::new());
        }
        made.elicitation = Some(elicitation);
    }
    made.sampling = offers.sampling.then(SamplingCapability::default);
    made.roots = offers.roots.then(RootsCapabilities::default);
    made
}

/// The defaults of a form, which stand for fields that a person leaves out (2025-11-25, "Elicitation").
fn defaults(schema: &rmcp::model::ElicitationSchema) -> Map<String, Value> {
    let schema = serde_json::to_value(schema).unwrap_or_default();
    let fields = schema.get("properties").and_then(Value::as_object);
    fields
        .into_iter()
        .flatten()
        .filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())))
        .collect()
}

fn filled(mut result: ElicitResult, defaults: Map<String, Value>) -> ElicitResult {
    if result.action != ElicitationAction::Accept {
        result.content = None;
        return result;
    }
    match &mut result.content {
        Some(Value::Object(given)) => {
            for (name, value) in defaults {
                given.entry(name).or_insert(value);
            }
        }
        None if !defaults.is_empty() => result.content = Some(Value::Object(defaults)),
        _ => {}
    }
    result
}
