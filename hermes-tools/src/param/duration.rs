//! Spans of time as parameters: seconds, with or without a fraction.

use std::time::Duration;

use super::ToolParam;
use crate::args::{Issue, Node, Reader, Unfit};
use crate::schema::{Kind, Number, Schema};

impl ToolParam for Duration {
    const SCHEMA: Schema = {
        let mut schema = Schema::new(Kind::Number).describe("In seconds.");
        schema.min = Some(Number::Int(0));
        schema
    };

    fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
        seconds(reader.number(schema)?).ok_or(Unfit)
    }

    fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
        node.number_text()
            .and_then(seconds)
            .ok_or_else(|| Issue::expected("a number of seconds", node))
    }

    fn render(&self) -> String {
        if self.subsec_nanos() == 0 {
            self.as_secs().to_string()
        } else {
            format!("{:?}", self.as_secs_f64())
        }
    }
}

fn seconds(text: &str) -> Option<Duration> {
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}
