//! A form of a server, filled in at the terminal.

use std::io::{self, BufRead, Write};

use hermes_mcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value};

use crate::terminal::one_line;

/// How often an answer that does not fit is asked for again.
const TRIES: usize = 3;

/// Puts a form. Nothing of it can drive the terminal. The end of the input and answers that never fit cancel it.
pub(super) fn ask(
    server: &str,
    request: &ElicitRequestParams,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<ElicitResult> {
    let ElicitRequestParams::FormElicitationParams {
        message,
        requested_schema,
        ..
    } = request
    else {
        return Ok(ElicitResult::new(ElicitationAction::Decline));
    };
    writeln!(
        out,
        "the server `{}` asks: {}",
        one_line(server),
        one_line(message)
    )?;
    write!(out, "answer it? `y`es or `n`o: ")?;
    out.flush()?;
    let Some(line) = line(input)? else {
        return Ok(ElicitResult::new(ElicitationAction::Cancel));
    };
    if !matches!(line.as_str(), "y" | "yes") {
        return Ok(ElicitResult::new(ElicitationAction::Decline));
    }
    let schema = serde_json::to_value(requested_schema)?;
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut content = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let needed = required.iter().any(|it| it == name.as_str());
        match value(name, field, needed, input, out)? {
            Some(Answer::Left) => {}
            Some(Answer::Given(value)) => {
                content.insert(name.clone(), value);
            }
            None => return Ok(ElicitResult::new(ElicitationAction::Cancel)),
        }
    }
    Ok(ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(content)))
}

enum Answer {
    /// Nothing was written, so that the default holds.
    Left,
    Given(Value),
}

fn value(
    name: &str,
    field: &Value,
    needed: bool,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<Option<Answer>> {
    let text = |key: &str| field[key].as_str().map(one_line);
    let title = text("title").or_else(|| text("description"));
    let title = title.map(|it| format!(" ({it})")).unwrap_or_default();
    let choices = choices(field);
    let default = field.get("default");
    let hint = match (&choices, default) {
        (Some(choices), _) if !choices.is_empty() => {
            format!(" [{}]", one_line(&choices.join(", ")))
        }
        (_, Some(default)) => format!(" [{}]", one_line(&default.to_string())),
        _ => String::new(),
    };
    for _ in 0..TRIES {
        write!(out, "{}{title}{hint}: ", one_line(name))?;
        out.flush()?;
        let Some(line) = line(input)? else {
            return Ok(None);
        };
        if line.is_empty() && (default.is_some() || !needed) {
            return Ok(Some(Answer::Left));
        }
        if let Some(value) = read(&line, field, choices.as_deref()) {
            return Ok(Some(Answer::Given(value)));
        }
        writeln!(
            out,
            "this does not fit: {}",
            text("type").unwrap_or_default()
        )?;
    }
    Ok(None)
}

/// The values of a field that allows only some.
fn choices(field: &Value) -> Option<Vec<String>> {
    let of = |field: &Value| {
        let plain = field["enum"].as_array().cloned();
        let named = field["oneOf"].as_array().or(field["anyOf"].as_array());
        let named = named.map(|all| all.iter().map(|it| it["const"].clone()).collect());
        plain.or(named)
    };
    let values: Vec<Value> = of(field).or_else(|| of(&field["items"]))?;
    Some(
        values
            .iter()
            .filter_map(|it| it.as_str().map(str::to_owned))
            .collect(),
    )
}

fn read(line: &str, field: &Value, choices: Option<&[String]>) -> Option<Value> {
    let allowed = |word: &str| choices.is_none_or(|all| all.iter().any(|it| it == word));
    match field["type"].as_str() {
        Some("integer") => line.parse::<i64>().ok().map(Value::from),
        Some("number") => line
            .parse::<f64>()
            .ok()
            .filter(|it| it.is_finite())
            .map(Value::from),
        Some("boolean") => match line {
            "y" | "yes" | "true" => Some(true.into()),
            "n" | "no" | "false" => Some(false.into()),
            _ => None,
        },
        Some("array") => {
            let words: Vec<&str> = line.split(',').map(str::trim).collect();
            words.iter().all(|word| allowed(word)).then(|| words.into())
        }
        _ => (!line.is_empty() && allowed(line)).then(|| line.into()),
    }
}

/// A line without its end; `None` at the end of the input.
fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let read = input.read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(lines: &str) -> (String, Value) {
        let request = json!({"mode": "form", "message": "Which \u{1b}[2Jaccount?", "requestedSchema": {"type": "object",
            "properties": {
                "age": {"type": "integer", "title": "Age"},
                "plan": {"type": "string", "enum": ["free", "paid"], "default": "free"},
                "mail": {"type": "boolean"},
            }, "required": ["age", "plan"]}});
        let request = serde_json::from_value(request).unwrap();
        let mut out = Vec::new();
        let result = ask("bank", &request, &mut lines.as_bytes(), &mut out).unwrap();
        (
            String::from_utf8(out).unwrap(),
            serde_json::to_value(result).unwrap(),
        )
    }

    #[test]
    fn a_form_is_filled_in_line_by_line() {
        let (shown, result) = asked("y\nold\n7\n\nyes\n");
        assert_eq!(
            result,
            json!({"action": "accept", "content": {"age": 7, "mail": true}})
        );
        assert!(shown.starts_with("the server `bank` asks: "), "{shown}");
        assert!(!shown.contains('\u{1b}'), "{shown}");
        assert!(
            shown.contains("age (Age): this does not fit: integer\nage (Age): "),
            "{shown}"
        );
        assert!(shown.contains("plan [free, paid]: "), "{shown}");
        assert_eq!(
            asked("y\n7\npaid\n\n").1,
            json!({"action": "accept", "content": {"age": 7, "plan": "paid"}})
        );
    }

    #[test]
    fn a_no_declines_and_the_end_of_the_input_cancels() {
        assert_eq!(asked("n\n").1, json!({"action": "decline"}));
        assert_eq!(asked("").1, json!({"action": "cancel"}));
        assert_eq!(asked("y\n").1, json!({"action": "cancel"}));
        assert_eq!(
            asked("y\n7\nlow\nlow\nlow\n").1,
            json!({"action": "cancel"})
        );
    }
}
