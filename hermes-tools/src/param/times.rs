//! Dates and addresses of well-known libraries as parameters: text in one format each.

use super::ToolParam;
use crate::args::{Issue, Node, Reader, Unfit, render_string};
use crate::schema::{Kind, Schema};

/// A type whose values are text in a format of JSON Schema.
macro_rules! formatted {
    ($($feature:literal $type:ty, $format:literal, $what:literal, $parse:expr, $print:expr;)*) => {$(
        #[cfg(feature = $feature)]
        impl ToolParam for $type {
            const SCHEMA: Schema = Schema::new(Kind::String).format($format);

            fn read(reader: &mut Reader<'_>, schema: &Schema) -> Result<Self, Unfit> {
                let parse: fn(&str) -> Option<Self> = $parse;
                parse(&reader.text(schema)?).ok_or(Unfit)
            }

            fn from_node(node: &Node, _schema: &Schema) -> Result<Self, Issue> {
                let parse: fn(&str) -> Option<Self> = $parse;
                match node {
                    Node::String(text) => parse(text),
                    _ => None,
                }
                .ok_or_else(|| Issue::expected($what, node))
            }

            fn render(&self) -> String {
                let print: fn(&Self) -> String = $print;
                render_string(&print(self))
            }
        }
    )*};
}

formatted! {
    "chrono" chrono::NaiveDate, "date", "a date such as 2031-04-05",
        |text| text.parse().ok(), ToString::to_string;
    "chrono" chrono::NaiveTime, "time", "a time of day such as 13:45:00",
        |text| text.parse().ok(), ToString::to_string;
    "chrono" chrono::DateTime<chrono::Utc>, "date-time", "a moment such as 2031-04-05T13:45:00Z",
        |text| chrono::DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc()),
        |time| time.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true);
    "chrono" chrono::DateTime<chrono::FixedOffset>, "date-time",
        "a moment such as 2031-04-05T13:45:00+02:00",
        |text| chrono::DateTime::parse_from_rfc3339(text).ok(),
        |time| time.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true);
    "time" time::OffsetDateTime, "date-time", "a moment such as 2031-04-05T13:45:00Z",
        |text| Self::parse(text, &time::format_description::well_known::Rfc3339).ok(),
        |time| time
            .format(&time::format_description::well_known::Rfc3339)
            .unwrap_or_else(|_| time.to_string());
    "url" url::Url, "uri", "an address such as https://example.org/",
        |text| Self::parse(text).ok(), ToString::to_string;
}

#[cfg(all(test, feature = "chrono", feature = "time", feature = "url"))]
mod tests {
    use super::*;

    fn round_trip<T: ToolParam>(text: &str) -> Result<String, String> {
        let node = Node::String(text.to_owned());
        let value = T::from_node(&node, &T::SCHEMA).map_err(|issue| issue.to_string())?;
        Ok(value.render())
    }

    #[test]
    fn values_are_text_in_the_format_of_their_schema() {
        assert_eq!(
            round_trip::<chrono::NaiveDate>("2031-04-05").as_deref(),
            Ok("\"2031-04-05\"")
        );
        assert_eq!(
            round_trip::<chrono::NaiveTime>("13:45:00").as_deref(),
            Ok("\"13:45:00\"")
        );
        assert_eq!(
            round_trip::<chrono::DateTime<chrono::Utc>>("2031-04-05T13:45:00+02:00").as_deref(),
            Ok("\"2031-04-05T11:45:00Z\"")
        );
        assert_eq!(
            round_trip::<chrono::DateTime<chrono::FixedOffset>>("2031-04-05T13:45:00+02:00")
                .as_deref(),
            Ok("\"2031-04-05T13:45:00+02:00\"")
        );
        assert_eq!(
            round_trip::<time::OffsetDateTime>("2031-04-05T13:45:00Z").as_deref(),
            Ok("\"2031-04-05T13:45:00Z\"")
        );
        assert_eq!(
            round_trip::<url::Url>("https://example.org").as_deref(),
            Ok("\"https://example.org/\"")
        );
        assert_eq!(
            round_trip::<url::Url>("example").unwrap_err(),
            "expected an address such as https://example.org/, got \"example\""
        );
        assert_eq!(
            round_trip::<chrono::NaiveDate>("5 April").unwrap_err(),
            "expected a date such as 2031-04-05, got \"5 April\""
        );
    }
}
