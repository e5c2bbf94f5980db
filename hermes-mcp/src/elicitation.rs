//! Asking the person in front of the client.

use std::collections::HashSet;

use hermes_tools::approval::{Approval, ApprovalFuture, ApprovalRequest, Approver, ApproverError};
use hermes_tools::output::cut;
use rmcp::model::{
    ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, ServerRequest,
};
use rmcp::service::{ElicitationMode, Peer, RoleServer};
use serde_json::Value;

use crate::open::ask;

tokio::task_local! {
    /// The client whose call runs.
    pub(crate) static CLIENT: Peer<RoleServer>;
}

/// Puts the questions of a session to the person in front of the client that calls, as the protocol's
/// elicitation in its form mode.
///
/// Accepting is a yes, for this call or, with `remember`, for its like in the rest of the session; all
/// else is a no. A client that did not say that it can ask, and a call that no client makes, count as no
/// answer, and what needs consent is refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct Elicitation;

/// The longest text of a question, in characters.
const MAX_QUESTION: usize = 4_000;

/// The name of the field that makes a yes last.
const REMEMBER: &str = "remember";

impl Approver for Elicitation {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> ApprovalFuture<'a> {
        Box::pin(async move {
            let client = CLIENT
                .try_with(Clone::clone)
                .map_err(|_| "no client of the protocol makes this call")?;
            let modes: HashSet<ElicitationMode> = client.supported_elicitation_modes();
            if !modes.contains(&ElicitationMode::Form) {
                return Err("the client did not say that it can ask a person".into());
            }
            put(&client, question(request)).await.map(answer)
        })
    }
}

/// What is shown to the person.
fn question(request: &ApprovalRequest) -> String {
    let mut text = format!("Allow the call of `{}`?\n", request.tool().name());
    for reason in request.reasons() {
        text.push_str("- ");
        if !reason.subject.is_empty() {
            text.extend(["`", &reason.subject, "`: "]);
        }
        text.push_str(&reason.why);
        text.push('\n');
    }
    text.push_str("Arguments: ");
    text.push_str(request.arguments());
    cut(&text, MAX_QUESTION).unwrap_or(text)
}

async fn put(client: &Peer<RoleServer>, message: String) -> Result<ElicitResult, ApproverError> {
    let form = ElicitationSchema::builder()
        .optional_bool(REMEMBER, false)
        .build()?;
    let params = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema: form,
    };
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
    match ask(client, request).await? {
        ClientResult::ElicitResult(result) => Ok(result),
        _ => Err("the client answered something else".into()),
    }
}

fn answer(result: ElicitResult) -> Approval {
    match result.action {
        ElicitationAction::Accept => {
            let content = result.content.unwrap_or_default();
            if content.get(REMEMBER).and_then(Value::as_bool) == Some(true) {
                Approval::Session
            } else {
                Approval::Once
            }
        }
        _ => Approval::denied(),
    }
}
