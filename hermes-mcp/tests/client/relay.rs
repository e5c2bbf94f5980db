//! Questions of a server that reach the client of the server that uses it.

use std::sync::{Arc, Mutex};

use hermes_mcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use hermes_mcp::{Lines, ServerSetup, Servers};
use hermes_tools::ToolRegistry;
use rmcp::ServiceExt as _;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ErrorData, Implementation,
};
use rmcp::service::{RequestContext, RoleClient, RunningService};
use serde_json::{Value, json};

use crate::server::{session, spec};

/// A client with a person before it, who always answers the same.
struct Person {
    can_ask: bool,
    action: ElicitationAction,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl rmcp::ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let capabilities = if self.can_ask {
            ClientCapabilities::builder().enable_elicitation().build()
        } else {
            ClientCapabilities::default()
        };
        ClientConfig::new(capabilities, Implementation::new("person", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let request = serde_json::to_value(request).unwrap();
        self.asked.lock().unwrap().push(request);
        let mut result = ElicitResult::new(self.action.clone());
        if self.action == ElicitationAction::Accept {
            result.content = Some(json!({"age": 36}));
        }
        Ok(result)
    }
}

/// A client of a session that has the tools of a server, that server, and what the person was asked.
async fn chain(
    can_ask: bool,
    action: ElicitationAction,
) -> (
    RunningService<RoleClient, Person>,
    Servers,
    Arc<Mutex<Vec<Value>>>,
) {
    let registry = Arc::new(ToolRegistry::of(&[]).unwrap());
    let setup = ServerSetup::new(|name| std::env::var(name).ok());
    let servers = setup
        .host(Arc::new(hermes_mcp::Client))
        .start(&registry, vec![spec("behind", "asks").trusted()]);
    servers.settle(std::time::Duration::from_mins(5)).await;
    let session = session(&registry, &["mcp__behind__form"]);
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(theirs);
    tokio::spawn(hermes_mcp::serve(session, Lines::new(read, write)));
    let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
    let person = Person {
        can_ask,
        action,
        asked: Arc::clone(&asked),
    };
    (person.serve(ours).await.unwrap(), servers, asked)
}

async fn called(client: &RunningService<RoleClient, Person>) -> String {
    let call = CallToolRequestParams::new("mcp__behind__form");
    let result = client.call_tool(call).await.unwrap();
    let json = serde_json::to_value(result).unwrap();
    json["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_form_of_a_server_is_put_to_the_person_before_the_client_with_the_name_of_the_server() {
    let (client, servers, asked) = chain(true, ElicitationAction::Accept).await;
    // What is left out is filled with the defaults of the form.
    assert_eq!(
        called(&client).await,
        r#"{"action":"accept","content":{"age":36,"name":"Ada"}}"#
    );
    let asked = asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 1);
    assert_eq!(
        asked[0]["message"],
        "The MCP server `behind`, which is used through this one, asks: Who?"
    );
    assert_eq!(
        asked[0]["requestedSchema"]["properties"]["age"]["type"],
        "integer"
    );
    servers.stop().await;
}

#[tokio::test]
async fn a_no_of_the_person_goes_back_as_one() {
    let (client, servers, _) = chain(true, ElicitationAction::Decline).await;
    assert_eq!(called(&client).await, r#"{"action":"decline"}"#);
    servers.stop().await;
}

#[tokio::test]
async fn where_the_client_cannot_ask_a_form_is_declined() {
    let (client, servers, asked) = chain(false, ElicitationAction::Accept).await;
    assert_eq!(called(&client).await, r#"{"action":"decline"}"#);
    assert_eq!(*asked.lock().unwrap(), Vec::<Value>::new());
    servers.stop().await;
}

/// Without a client nobody can be asked.
#[tokio::test]
async fn where_no_client_calls_a_form_is_declined() {
    let registry = Arc::new(ToolRegistry::of(&[]).unwrap());
    let setup = ServerSetup::new(|name| std::env::var(name).ok());
    let servers = setup
        .host(Arc::new(hermes_mcp::Client))
        .start(&registry, vec![spec("behind", "asks").trusted()]);
    servers.settle(std::time::Duration::from_mins(5)).await;
    let session = session(&registry, &["mcp__behind__form"]);
    let output = session.call("mcp__behind__form", "{}").await.outcome;
    assert_eq!(output.unwrap().text(), r#"{"action":"decline"}"#);
    servers.stop().await;
}
