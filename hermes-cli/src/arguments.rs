//! Arguments of a call as they are written in a shell.

use std::io::{self, Read};

use hermes_tools::args::Repair;
use serde_json::value::RawValue;

use crate::error::CliError;
use crate::json;

/// The arguments of a call as JSON text, and how they were written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// Meant to be a JSON object; whether it is one, the tool call decides.
    pub(crate) text: String,
    /// Whether they were written as `key=value`, where every value is text by nature.
    pairs: bool,
}

impl Arguments {
    /// Reads the words after the name of the tool: one JSON text, `-` for the standard input, or
    /// `key=value` pairs. No words at all are no arguments.
    ///
    /// A key that is repeated makes a list. `key:=value` takes the value as JSON.
    pub(crate) fn of(words: &[String]) -> Result<Self, CliError> {
        match words {
            [word] if word == "-" => {
                let mut text = String::new();
                io::stdin()
                    .lock()
                    .read_to_string(&mut text)
                    .map_err(|source| CliError::Input {
                        name: "the standard input".to_owned(),
                        source,
                    })?;
                Ok(Self { text, pairs: false })
            }
            [word] if is_json(word) => Ok(Self {
                text: word.clone(),
                pairs: false,
            }),
            words => Ok(Self {
                text: object(words)?,
                pairs: true,
            }),
        }
    }

    /// The repairs that a person wants to know of. That the values of pairs are not text for the tool is
    /// no news, that one was left out is.
    pub(crate) fn worth_telling<'r>(&self, repairs: &'r [Repair]) -> Vec<&'r Repair> {
        repairs
            .iter()
            .filter(|repair| !self.pairs || repair.after.is_empty())
            .collect()
    }
}

/// Whether a word is meant as JSON. No name of a parameter begins with a bracket.
fn is_json(word: &str) -> bool {
    word.trim_start().starts_with(['{', '['])
}

/// The pairs as a JSON object, keys in the order in which they come first.
fn object(words: &[String]) -> Result<String, CliError> {
    let mut entries: Vec<(&str, Vec<String>)> = Vec::new();
    for word in words {
        let (key, value) = pair(word)?;
        match entries.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => entries.push((key, vec![value])),
        }
    }
    let entries: Vec<String> = entries
        .into_iter()
        .map(|(key, values)| {
            let value = match values.as_slice() {
                [value] => value.clone(),
                values => format!("[{}]", values.join(",")),
            };
            format!("{}:{value}", json::text(&key))
        })
        .collect();
    Ok(format!("{{{}}}", entries.join(",")))
}

/// The key of a pair, and its value as JSON text.
fn pair(word: &str) -> Result<(&str, String), CliError> {
    let (key, value) = match word.split_once('=') {
        Some((key, value)) if !matches!(key, "" | ":") => (key, value),
        _ if is_json(word) => {
            return Err(CliError::Argument {
                problem: "arguments as JSON must stand alone".to_owned(),
                help: "put everything into one JSON object, or write `key=value` pairs only",
            });
        }
        _ => {
            return Err(CliError::Argument {
                problem: format!("`{word}` is neither JSON nor a `key=value` pair"),
                help: "write such as `path=notes.txt`, `limit:=10`, or `-` for the standard input",
            });
        }
    };
    match key.strip_suffix(':') {
        None => Ok((key, json::text(&value))),
        Some(key) => match serde_json::from_str::<&RawValue>(value) {
            Ok(value) => Ok((key, value.get().to_owned())),
            Err(error) => Err(CliError::Argument {
                problem: format!("the value of `{key}` is not JSON: {error}"),
                help: "write text as `key=value`, without the colon",
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(words: &[&str]) -> Result<String, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Arguments::of(&words)
            .map(|it| it.text)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn pairs_make_an_object_of_texts_in_their_order() {
        assert_eq!(
            arguments(&["path=a=b.txt", "limit=5", "empty=", "quote=\"\n"]).unwrap(),
            r#"{"path":"a=b.txt","limit":"5","empty":"","quote":"\"\n"}"#
        );
        assert_eq!(arguments(&[]).unwrap(), "{}");
    }

    #[test]
    fn a_repeated_key_makes_a_list() {
        assert_eq!(
            arguments(&["glob=*.rs", "path=.", "glob=*.md", "glob:=null"]).unwrap(),
            r#"{"glob":["*.rs","*.md",null],"path":"."}"#
        );
    }

    #[test]
    fn a_colon_takes_json_as_it_is() {
        assert_eq!(
            arguments(&["n:=1.50", "deep:={\"a\": [1]}"]).unwrap(),
            r#"{"n":1.50,"deep":{"a": [1]}}"#
        );
        assert_eq!(
            arguments(&["n:=one"]).unwrap_err(),
            "the value of `n` is not JSON: expected value at line 1 column 1"
        );
    }

    #[test]
    fn one_json_text_is_handed_on_as_it_is() {
        assert_eq!(arguments(&[" {\"path\": "]).unwrap(), " {\"path\": ");
        assert_eq!(arguments(&["[1]"]).unwrap(), "[1]");
    }

    #[test]
    fn words_that_are_neither_are_refused() {
        for (words, problem) in [
            (
                &["path"][..],
                "`path` is neither JSON nor a `key=value` pair",
            ),
            (&["=x"], "`=x` is neither JSON nor a `key=value` pair"),
            (&[":=1"], "`:=1` is neither JSON nor a `key=value` pair"),
            (
                &["path=x", "-"],
                "`-` is neither JSON nor a `key=value` pair",
            ),
            (&["path=x", "{}"], "arguments as JSON must stand alone"),
        ] {
            assert_eq!(arguments(words).unwrap_err(), problem);
        }
    }
}
