//! Consent, asked through the client.

use hermes_mcp::{Elicitation, Lines};
use hermes_tools::Effect;
use hermes_tools::approval::{ApprovalPolicy, Rule};
use rmcp::ServiceExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, ErrorData, Implementation,
};
use rmcp::service::{RequestContext, RoleClient, RunningService};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

use crate::tools::{Running, builder, registry};

/// A client whose person always answers the same.
#[derive(Clone)]
struct Person {
    capabilities: ClientCapabilities,
    answer: (ElicitationAction, Option<Value>),
    asked: Arc<Mutex<Vec<String>>>,
}

impl rmcp::ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            self.capabilities.clone(),
            Implementation::new("person", "1"),
        )
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if let ElicitRequestParams::FormElicitationParams { message, .. } = request {
            self.asked.lock().unwrap().push(message);
        }
        let mut result = ElicitResult::new(self.answer.0.clone());
        result.content.clone_from(&self.answer.1);
        Ok(result)
    }
}

async fn client(
    can_ask: bool,
    answer: (ElicitationAction, Option<Value>),
) -> (RunningService<RoleClient, Person>, Arc<Mutex<Vec<String>>>) {
    let session = builder(registry())
        .shared_state(Arc::new(Running::default()))
        .approvals(ApprovalPolicy::default().effect(Effect::Destructive, Rule::Ask))
        .approver(Elicitation)
        .build()
        .unwrap();
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(theirs);
    tokio::spawn(hermes_mcp::serve(session, Lines::new(read, write)));
    let capabilities = if can_ask {
        ClientCapabilities::builder().enable_elicitation().build()
    } else {
        ClientCapabilities::default()
    };
    let person = Person {
        capabilities,
        answer,
        asked: Arc::default(),
    };
    let asked = Arc::clone(&person.asked);
    (person.serve(ours).await.unwrap(), asked)
}

async fn remove(client: &RunningService<RoleClient, Person>) -> CallToolResult {
    let arguments = json!({"what": "a"}).as_object().cloned().unwrap();
    let call = CallToolRequestParams::new("remove").with_arguments(arguments);
    client.call_tool(call).await.unwrap()
}

fn text(result: &CallToolResult) -> String {
    let json = serde_json::to_value(result).unwrap();
    json["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_yes_is_for_this_call_unless_it_is_to_be_remembered() {
    let (once, asked) = client(true, (ElicitationAction::Accept, Some(json!({})))).await;
    assert_eq!(text(&remove(&once).await), "removed a");
    assert_eq!(text(&remove(&once).await), "removed a");
    assert_eq!(
        *asked.lock().unwrap(),
        ["Allow the call of `remove`?\n- the effect of this call is destructive\nArguments: {\"what\":\"a\"}";
            2]
    );
    let yes = (ElicitationAction::Accept, Some(json!({"remember": true})));
    let (always, asked) = client(true, yes).await;
    assert_eq!(text(&remove(&always).await), "removed a");
    assert_eq!(text(&remove(&always).await), "removed a");
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_no_and_a_client_that_cannot_ask_refuse_the_call() {
    for action in [ElicitationAction::Decline, ElicitationAction::Cancel] {
        let (no, _) = client(true, (action, None)).await;
        let result = remove(&no).await;
        assert_eq!(result.is_error, Some(true));
        let error: Value = serde_json::from_str(&text(&result)).unwrap();
        assert_eq!(error["code"], "approval_denied");
    }
    let (cannot, asked) = client(false, (ElicitationAction::Accept, None)).await;
    let result = remove(&cannot).await;
    assert_eq!(result.is_error, Some(true));
    let error: Value = serde_json::from_str(&text(&result)).unwrap();
    assert_eq!(error["code"], "approval_denied");
    assert!(asked.lock().unwrap().is_empty());
}
