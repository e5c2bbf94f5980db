//! Types with serde and schemars derives as parameters.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use hermes_tools::param::bridge;
use hermes_tools::{Selection, Session, ToolRegistry, tool, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// A query.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Query {
    /// What to look for.
    #[schemars(length(min = 2))]
    search_text: String,
    /// In which order.
    #[serde(default)]
    order: Order,
    /// Filters.
    filters: Vec<Filter>,
    /// How many.
    limit: Option<u8>,
    /// Marks.
    marks: BTreeMap<String, (u8, bool)>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    /// The newest first.
    #[default]
    Newest,
    /// The oldest first.
    Oldest,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Filter {
    /// By name.
    Name {
        /// The name.
        name: String,
    },
    Empty,
}

impl Filter {
    fn len(&self) -> usize {
        match self {
            Self::Name { name } => name.len(),
            Self::Empty => 1,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Mark {
    Name(String),
    Number(u8),
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Node {
    below: Vec<Node>,
}

/// Search.
#[tool(toolset = "test", effect = "read", inline)]
fn search(
    /// What is wanted.
    #[arg(schemars)]
    query: Query,
    /// A mark.
    #[arg(schemars)]
    mark: Option<Mark>,
    /// A tree.
    #[arg(schemars)]
    tree: Option<Node>,
) -> String {
    let depth = tree.map_or(0, |tree| tree.below.len());
    let mark = match mark {
        Some(Mark::Name(name)) => name,
        Some(Mark::Number(number)) => number.to_string(),
        None => "none".to_owned(),
    };
    format!(
        "{} {:?} {} {:?} {} {mark} {depth}",
        query.search_text,
        query.order,
        query.filters.iter().map(Filter::len).sum::<usize>(),
        query.limit,
        query.marks.len()
    )
}

fn session() -> Session {
    let registry = ToolRegistry::of(tools![search]).unwrap();
    Session::builder(registry, Selection::of(["search"]))
        .build()
        .unwrap()
}

#[test]
fn the_foreign_schema_becomes_ours() {
    let entry = tools![search][0];
    let schema: Value =
        serde_json::from_str(&hermes_tools::schema::write::parameters(entry.params())).unwrap();
    let query = &schema["properties"]["query"];
    assert_eq!(query["description"], "What is wanted.\nA query.");
    assert_eq!(
        query["properties"]["searchText"],
        json!({"type": "string", "minLength": 2, "description": "What to look for."})
    );
    assert_eq!(
        query["properties"]["order"]["enum"],
        json!(["newest", "oldest"])
    );
    assert_eq!(
        query["properties"]["filters"]["items"]["oneOf"][0]["required"],
        json!(["type", "name"])
    );
    assert_eq!(query["properties"]["limit"]["type"], "integer");
    assert_eq!(
        query["properties"]["marks"]["additionalProperties"]["prefixItems"][1]["type"],
        "boolean"
    );
    // Trees keep the order or sort, as the features of the build say.
    let mut required: Vec<_> = query["required"].as_array().unwrap().iter().collect();
    required.sort_by_key(|name| name.as_str());
    assert_eq!(required, ["filters", "marks", "searchText"]);
    assert_eq!(schema["required"], json!(["query"]));
}

#[test]
fn what_is_lost_is_listed() {
    let entry = tools![search][0];
    assert_eq!(bridge::losses(&entry.params()[0]), []);
    let mark: Vec<String> = bridge::losses(&entry.params()[1])
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(mark, ["`/anyOf/0/anyOf`: alternatives without a tag"]);
    let tree: Vec<String> = bridge::losses(&entry.params()[2])
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(tree.len(), 1);
    assert!(tree[0].ends_with("contains itself"), "{tree:?}");
}

#[test]
fn values_are_fitted_and_read_by_serde() {
    let session = session();
    let call = |arguments: &str| {
        let outcome = session.call_blocking("search", arguments).outcome;
        outcome.map_or_else(
            |error| error.message().to_owned(),
            |output| output.text().into_owned(),
        )
    };
    assert_eq!(
        call(
            r#"{"query":{"searchText":"ab","filters":[{"type":"empty"}],"marks":{"a":[1,true]}},"mark":3}"#
        ),
        "ab Newest 1 None 1 3 0"
    );
    assert_eq!(
        call(
            r#"{"query":{"search_text":"ab","order":"OLDEST","filters":[],"limit":"7","marks":{}},"tree":{"below":[{"below":[]}]}}"#
        ),
        "ab Oldest 0 Some(7) 0 none 1"
    );
    assert_eq!(
        call(r#"{"query":{"searchText":"a","filters":[{"type":"name"}],"marks":{}}}"#),
        "invalid arguments for `search`: `query.searchText`: expected text of at least 2 \
         characters, got \"a\"; `query.filters[0].name`: missing; expected text"
    );
    let error = call(r#"{"query":{"searchText":"ab","filters":[],"marks":{}},"mark":true}"#);
    assert!(
        error.contains("`mark`: data did not match any variant"),
        "{error}"
    );
}
