//! Arguments to decode: the structs of the limit, and two tools that take the same.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use hermes_tools::args::{ArgumentError, JsonSchema, RawArguments, decode};
use hermes_tools::schema::dialect::{self, Dialect};
use hermes_tools::{Json, ToolEntry, ToolParam, tool, tools};
use serde::{Deserialize, Serialize};

/// Three arguments in 51 bytes, as most calls are.
pub const SMALL: &str = r#"{"path":"src/lib.rs","limit":2000,"recursive":true}"#;

/// Ten arguments in 410 bytes, five of them nested.
pub const LARGE: &str = r#"{"path":"crates/core/src/search","pattern":"fn\\s+main\\(","limit":250,"offset":0,"recursive":true,"threshold":0.75,"globs":["*.rs","*.toml","!target/**","!**/generated/*.rs"],"ranges":[[1,80],[120,160],[400,1024]],"labels":{"owner":"search","stage":"review","ticket":"HT-2041","severity":"medium"},"rounds":[{"read":12,"skipped":3},{"read":7,"skipped":0},{"read":31,"skipped":14},{"read":2,"skipped":900123}]}"#;

/// [`SMALL`] with a path of 64 KiB.
pub static LONG: LazyLock<String> = LazyLock::new(|| {
    let text = "All work and no play makes a dull tool. ".repeat(1_640);
    format!(
        r#"{{"path":"{}","limit":2000,"recursive":true}}"#,
        &text[..65_536]
    )
});

/// [`SMALL`] with a path of 64 KiB of source text, in lines of 32 bytes whose breaks are escaped.
pub static ESCAPED: LazyLock<String> = LazyLock::new(|| {
    let text = r"    let answer = call(tool, 1);\n".repeat(2_048);
    format!(r#"{{"path":"{text}","limit":2000,"recursive":true}}"#)
});

/// The arguments of [`SMALL`], [`LONG`] and [`ESCAPED`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "peers", derive(schemars::JsonSchema))]
pub struct Small {
    /// A text.
    pub path: String,
    /// A number.
    pub limit: u32,
    /// A switch.
    pub recursive: bool,
}

/// The arguments of [`LARGE`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Large {
    /// A text.
    pub path: String,
    /// A text with escapes.
    pub pattern: String,
    /// A number.
    pub limit: u64,
    /// A number that may be absent.
    pub offset: Option<u64>,
    /// A switch.
    pub recursive: bool,
    /// A fraction.
    pub threshold: f64,
    /// Texts.
    pub globs: Vec<String>,
    /// Pairs.
    pub ranges: Vec<[u32; 2]>,
    /// Texts by name.
    pub labels: BTreeMap<String, String>,
    /// Numbers by name, several times.
    pub rounds: Vec<BTreeMap<String, u32>>,
}

/// The two tools, whose tables of parameters are the ones that `#[tool]` wrote.
const TOOLS: &[&ToolEntry] = tools![echo, survey];

/// Answer with the arguments.
#[tool(toolset = "bench", effect = "read")]
pub(crate) async fn echo(
    /// A text.
    path: String,
    /// A number.
    limit: u32,
    /// A switch.
    recursive: bool,
) -> Json<Small> {
    Json(Small {
        path,
        limit,
        recursive,
    })
}

/// Take ten arguments.
#[tool(toolset = "bench", effect = "read", inline)]
fn survey(
    /// A text.
    path: String,
    /// A text with escapes.
    pattern: String,
    /// A number.
    limit: u64,
    /// A number that may be absent.
    offset: Option<u64>,
    /// A switch.
    recursive: bool,
    /// A fraction.
    threshold: f64,
    /// Texts.
    globs: Vec<String>,
    /// Pairs.
    ranges: Vec<[u32; 2]>,
    /// Texts by name.
    labels: BTreeMap<String, String>,
    /// Numbers by name, several times.
    rounds: Vec<BTreeMap<String, u32>>,
) -> String {
    let large = Large {
        path,
        pattern,
        limit,
        offset,
        recursive,
        threshold,
        globs,
        ranges,
        labels,
        rounds,
    };
    format!("{large:?}")
}

/// The schemas of the two tools, as tools of the run time have them.
pub fn schemas() -> [JsonSchema; 2] {
    [TOOLS[0], TOOLS[1]].map(|tool| {
        let (parameters, _) = dialect::parameters(tool.params(), Dialect::Mcp);
        JsonSchema::parse(&parameters).expect("the schema of a tool is JSON")
    })
}

/// Decodes [`Small`] as the glue of `#[tool]` does: a place for each argument, filled from the text.
pub fn small(text: &str) -> Result<Small, ArgumentError> {
    let (mut path, mut limit, mut recursive) = (None, None, None);
    decode(
        TOOLS[0].params(),
        RawArguments::new(text),
        &mut [
            String::slot(&mut path),
            u32::slot(&mut limit),
            bool::slot(&mut recursive),
        ],
    )?;
    match (path, limit, recursive) {
        (Some(path), Some(limit), Some(recursive)) => Ok(Small {
            path,
            limit,
            recursive,
        }),
        _ => unreachable!("decoding fills the place of every required argument"),
    }
}

/// Decodes [`Large`] in the same way.
pub fn large(text: &str) -> Result<Large, ArgumentError> {
    let (mut path, mut pattern, mut limit, mut offset, mut recursive) =
        (None, None, None, None, None);
    let (mut threshold, mut globs, mut ranges, mut labels, mut rounds) =
        (None, None, None, None, None);
    decode(
        TOOLS[1].params(),
        RawArguments::new(text),
        &mut [
            String::slot(&mut path),
            String::slot(&mut pattern),
            u64::slot(&mut limit),
            <Option<u64>>::slot(&mut offset),
            bool::slot(&mut recursive),
            f64::slot(&mut threshold),
            <Vec<String>>::slot(&mut globs),
            <Vec<[u32; 2]>>::slot(&mut ranges),
            <BTreeMap<String, String>>::slot(&mut labels),
            <Vec<BTreeMap<String, u32>>>::slot(&mut rounds),
        ],
    )?;
    let filled = || {
        Some(Large {
            path: path?,
            pattern: pattern?,
            limit: limit?,
            offset: offset?,
            recursive: recursive?,
            threshold: threshold?,
            globs: globs?,
            ranges: ranges?,
            labels: labels?,
            rounds: rounds?,
        })
    };
    Ok(filled().expect("decoding fills the place of every argument that is sent"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_decoders_read_the_same_values() {
        assert_eq!(SMALL.len(), 51);
        assert_eq!(small(SMALL), Ok(serde_json::from_str(SMALL).unwrap()));
        assert_eq!(small(&LONG), Ok(serde_json::from_str(&LONG).unwrap()));
        assert_eq!(small(&LONG).unwrap().path.len(), 65_536);
        assert_eq!(small(&ESCAPED), Ok(serde_json::from_str(&ESCAPED).unwrap()));
        assert_eq!(small(&ESCAPED).unwrap().path.len(), 65_536);
        assert_eq!(LARGE.len(), 410);
        assert_eq!(large(LARGE), Ok(serde_json::from_str(LARGE).unwrap()));
    }
}
