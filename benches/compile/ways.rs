//! The five ways of declaring the same tool: a text, a number with a default and a bound, a number that
//! may be absent, and a switch with a default. Every program prints the definitions of all tools; where
//! the tools can be called without a server, it calls the one that is named.

/// A way of declaring tools.
pub(crate) struct Way {
    /// For the table.
    pub(crate) name: &'static str,
    /// Of its package.
    pub(crate) folder: &'static str,
    /// Lines of its manifest; `HERMES` is this library.
    pub(crate) dependencies: &'static str,
    /// Its source, with the places of the tools and their entries.
    pub(crate) program: &'static str,
    /// One tool.
    pub(crate) tool: &'static str,
    /// What one tool adds to a list, if the way has one.
    pub(crate) entry: &'static str,
}

/// The fields of a struct of arguments.
macro_rules! fields {
    () => {
        "
    /// Path of the file (NUMBER).
    path: String,
    /// First line, counted from 1 (NUMBER).
    #[serde(default = \"one\")]
    #[schemars(range(min = 1))]
    offset: u32,
    /// How many lines; all when absent (NUMBER).
    limit: Option<u32>,
    /// Whether links are followed (NUMBER).
    #[serde(default)]
    follow: bool,"
    };
}

/// The way that the others are compared with.
pub(crate) const BASE: &str = "serde + schemars";

/// All ways.
pub(crate) const WAYS: &[Way] = &[TOOL, VALUE, STRUCTS, RMCP, RIG];

const TOOL: Way = Way {
    name: "hermes-tools",
    folder: "tool",
    dependencies: "hermes-tools = { path = \"HERMES\" }",
    program: include_str!("programs/tool.rs"),
    tool: "
/// Read lines of a file (NUMBER).
#[tool(toolset = \"files\", effect = \"read\")]
async fn read_NUMBER(
    /// Path of the file (NUMBER).
    path: String,
    /// First line, counted from 1 (NUMBER).
    #[arg(default = 1, min = 1)]
    offset: u32,
    /// How many lines; all when absent (NUMBER).
    limit: Option<u32>,
    /// Whether links are followed (NUMBER).
    #[arg(default = false)]
    follow: bool,
) -> String {
    format!(\"{path} {offset} {limit:?} {follow}\")
}
",
    entry: "",
};

const VALUE: Way = Way {
    name: "functions over `Value`",
    folder: "value",
    dependencies: "serde_json = \"1\"",
    program: include_str!("programs/value.rs"),
    tool: "
/// Read lines of a file (NUMBER).
async fn read_NUMBER(arguments: Value) -> String {
    let path = arguments[\"path\"].as_str().unwrap_or_default();
    let offset = arguments[\"offset\"].as_u64().unwrap_or(1);
    let limit = arguments[\"limit\"].as_u64();
    let follow = arguments[\"follow\"].as_bool().unwrap_or(false);
    format!(\"{path} {offset} {limit:?} {follow}\")
}
",
    entry: "Entry { name: \"read_NUMBER\", description: \"Read lines of a file (NUMBER).\", \
            call: |arguments| Box::pin(read_NUMBER(arguments)) },\n",
};

const STRUCTS: Way = Way {
    name: BASE,
    folder: "structs",
    dependencies: "schemars = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"",
    program: include_str!("programs/structs.rs"),
    tool: concat!(
        "
#[derive(Deserialize, JsonSchema)]
struct ReadNUMBER {",
        fields!(),
        "
}

/// Read lines of a file (NUMBER).
async fn read_NUMBER(arguments: ReadNUMBER) -> String {
    let ReadNUMBER { path, offset, limit, follow } = arguments;
    format!(\"{path} {offset} {limit:?} {follow}\")
}
"
    ),
    entry: "Entry { name: \"read_NUMBER\", description: \"Read lines of a file (NUMBER).\", \
            schema: || schema_for!(ReadNUMBER), \
            call: |text| Ok(Box::pin(read_NUMBER(serde_json::from_str(text)?))) },\n",
};

const RMCP: Way = Way {
    name: "rmcp `#[tool]`",
    folder: "rmcp",
    dependencies: "rmcp = { version = \"3\", default-features = false, features = [\"macros\", \"server\"] }\n\
                   schemars = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"",
    program: include_str!("programs/rmcp.rs"),
    tool: concat!(
        "
#[derive(Deserialize, JsonSchema)]
struct ReadNUMBER {",
        fields!(),
        "
}
"
    ),
    entry: "
    /// Read lines of a file (NUMBER).
    #[tool]
    async fn read_NUMBER(&self, Parameters(arguments): Parameters<ReadNUMBER>) -> String {
        let ReadNUMBER { path, offset, limit, follow } = arguments;
        format!(\"{path} {offset} {limit:?} {follow}\")
    }
",
};

const RIG: Way = Way {
    name: "rig `#[rig_tool]`",
    folder: "rig",
    // The macro writes paths of schemars, serde and serde_json.
    dependencies: "rig-agent = { version = \"0.44\", default-features = false }\n\
                   rig-core = { version = \"0.44\", default-features = false, features = [\"derive\"] }\n\
                   schemars = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"",
    program: include_str!("programs/rig.rs"),
    tool: "
/// Read lines of a file (NUMBER).
#[rig_tool]
async fn read_NUMBER(
    /// Path of the file (NUMBER).
    path: String,
    /// First line, counted from 1 (NUMBER).
    offset: u32,
    /// How many lines; all when absent (NUMBER).
    limit: Option<u32>,
    /// Whether links are followed (NUMBER).
    follow: bool,
) -> Result<String, ToolExecutionError> {
    Ok(format!(\"{path} {offset} {limit:?} {follow}\"))
}
",
    entry: "    add(&mut tools, ReadNUMBER);\n",
};
