//! What tools ask of the client whose call runs: words of its model, answers of its user.

#![expect(
    deprecated,
    reason = "a later version of the protocol drops sampling; clients of the versions that we speak have it"
)]

use std::fmt::Display;

use hermes_tools::counterpart::{Answer, Counterpart, Question, Reply, Sample, SampleRequest};
use hermes_tools::output::cut;
use hermes_tools::{ErrorKind, ToolError};
use rmcp::model::{
    ClientResult, CreateMessageRequest, CreateMessageRequestParams, ElicitRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, SamplingMessage,
    SamplingMessageContentBlock, ServerRequest,
};
use rmcp::service::{ElicitationMode, Peer, RoleServer};

use crate::client::{Host, HostFuture, Offers};
use crate::elicitation::CLIENT;
use crate::open::ask;

/// Turns to the client that calls: for `Sampling` by the protocol's sampling, for `Questions` by its
/// elicitation in form mode. A client that did not say that it can gets no request, and the tool is
/// refused.
///
/// As the [`Host`] of servers whose tools the session has, it puts their forms to the client in the same
/// way, each with the name of the server that asks; where nobody can be asked, a form is declined.
///
/// ```
/// use hermes_tools::{Selection, Session, ToolRegistry};
///
/// let session = Session::builder(ToolRegistry::linked()?, Selection::of([]))
///     .counterpart(hermes_mcp::Client)
///     .build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Client;

impl Counterpart for Client {
    fn sample<'a>(&'a self, request: &'a SampleRequest) -> Reply<'a, Sample> {
        Box::pin(async move {
            let client = client()?;
            let lends = client
                .peer_info()
                .is_some_and(|info| info.capabilities.sampling.is_some());
            if !lends {
                return Err(unable("lends a model")
                    .with_help("write the text yourself, or use a client that has sampling"));
            }
            let said = vec![SamplingMessage::user_text(request.prompt())];
            let mut params = CreateMessageRequestParams::new(said, request.max_tokens());
            params.system_prompt = request.system_text().map(str::to_owned);
            let request = ServerRequest::CreateMessageRequest(CreateMessageRequest::new(params));
            match ask(&client, request).await.map_err(failed)? {
                ClientResult::CreateMessageResult(answer) => {
                    let answer = *answer;
                    let parts = answer.message.content.into_vec().into_iter();
                    let texts: Vec<String> = parts.filter_map(text).collect();
                    let mut sample = Sample::new(texts.join("\n"), answer.model);
                    sample.stop_reason = answer.stop_reason;
                    Ok(sample)
                }
                _ => Err(failed("it answered something else")),
            }
        })
    }

    fn ask<'a>(&'a self, question: &'a Question) -> Reply<'a, Answer> {
        Box::pin(async move {
            let client = client()?;
            let modes = client.supported_elicitation_modes();
            if !modes.contains(&ElicitationMode::Form) {
                return Err(unable("can ask a person")
                    .with_help("ask the user yourself, and put the answer into the arguments"));
            }
            let form: ElicitationSchema =
                serde_json::from_value(question.form().clone()).map_err(|error| {
                    ToolError::failed("the form of the tool is not one of the protocol")
                        .because(error)
                        .final_()
                })?;
            let params = ElicitRequestParams::FormElicitationParams {
                meta: None,
                message: question.message().to_owned(),
                requested_schema: form,
            };
            let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
            let ClientResult::ElicitResult(answer) = ask(&client, request).await.map_err(failed)?
            else {
                return Err(failed("it answered something else"));
            };
            Ok(match (answer.action, answer.content) {
                (ElicitationAction::Accept, Some(serde_json::Value::Object(filled))) => {
                    Answer::Given(filled)
                }
                (ElicitationAction::Accept, _) => Answer::Given(serde_json::Map::new()),
                (ElicitationAction::Decline, _) => Answer::Declined,
                _ => Answer::Dismissed,
            })
        })
    }
}

impl Host for Client {
    fn offers(&self) -> Offers {
        Offers {
            forms: true,
            ..Offers::default()
        }
    }

    fn elicit<'a>(
        &'a self,
        server: &'a str,
        request: ElicitRequestParams,
    ) -> HostFuture<'a, ElicitResult> {
        Box::pin(async move {
            let declined = || ElicitResult::new(ElicitationAction::Decline);
            let Ok(client) = CLIENT.try_with(Clone::clone) else {
                return declined();
            };
            let modes = client.supported_elicitation_modes();
            let ElicitRequestParams::FormElicitationParams {
                message,
                requested_schema,
                ..
            } = request
            else {
                return declined();
            };
            if !modes.contains(&ElicitationMode::Form) {
                return declined();
            }
            let params = ElicitRequestParams::FormElicitationParams {
                meta: None,
                message: marked(server, &message),
                requested_schema,
            };
            let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
            match ask(&client, request).await {
                Ok(ClientResult::ElicitResult(result)) => result,
                _ => ElicitResult::new(ElicitationAction::Cancel),
            }
        })
    }
}

/// The longest question of a server that is passed on, in characters.
const MAX_QUESTION: usize = 4_000;

/// A question with the server that asks it. Signs that could hide that go.
fn marked(server: &str, message: &str) -> String {
    let message: String = message
        .chars()
        .filter(|sign| *sign == '\n' || !sign.is_control())
        .collect();
    let message = cut(&message, MAX_QUESTION).unwrap_or(message);
    format!("The MCP server `{server}`, which is used through this one, asks: {message}")
}

fn client() -> Result<Peer<RoleServer>, ToolError> {
    CLIENT.try_with(Clone::clone).map_err(|_| {
        ToolError::new(
            ErrorKind::Unavailable,
            "no client of the protocol makes this call",
        )
        .with_help("call the tool through a client")
        .final_()
    })
}

fn unable(what: &str) -> ToolError {
    let why = format!("the client did not say that it {what}");
    ToolError::new(ErrorKind::Unavailable, why).final_()
}

fn failed(error: impl Display) -> ToolError {
    ToolError::failed(format!("the client did not do it: {error}"))
        .with_help("do without it, or ask the user")
}

fn text(block: SamplingMessageContentBlock) -> Option<String> {
    match block {
        SamplingMessageContentBlock::Text(text) => Some(text.text),
        _ => None,
    }
}
