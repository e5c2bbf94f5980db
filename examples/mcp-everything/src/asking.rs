//! Tools that turn to the client.

use hermes_tools::counterpart::{Answer, Question, Questions, SampleRequest, Sampling};
use hermes_tools::{ToolError, tool};
use serde_json::{Value, json};

/// Have the client's model answer.
#[tool(toolset = "everything", effect = "read")]
async fn test_sampling(
    #[ctx] model: Sampling,
    /// What the model is asked.
    prompt: String,
) -> Result<String, ToolError> {
    let sample = model.sample(&SampleRequest::new(prompt, 100)).await?;
    Ok(format!("LLM response: {}", sample.text))
}

/// Ask the user for a name and an address.
#[tool(toolset = "everything", effect = "read")]
async fn test_elicitation(
    #[ctx] user: Questions,
    /// What the user is shown.
    message: String,
) -> Result<String, ToolError> {
    let form = json!({
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        },
        "required": ["username", "email"],
    });
    let answer = user.ask(&Question::new(message, form)).await?;
    Ok(format!("User response: {}", told(answer)))
}

/// Ask the user with a form that is filled in already.
#[tool(toolset = "everything", effect = "read")]
async fn test_elicitation_sep1034_defaults(#[ctx] user: Questions) -> Result<String, ToolError> {
    let form = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": {"type": "boolean", "default": true},
        },
    });
    completed(&user, "Is this right?", form).await
}

/// Ask the user to choose, in every way that there is.
#[tool(toolset = "everything", effect = "read")]
async fn test_elicitation_sep1330_enums(#[ctx] user: Questions) -> Result<String, ToolError> {
    let plain = ["option1", "option2", "option3"];
    let titled = |word: &str| {
        json!([
            {"const": "value1", "title": format!("First {word}")},
            {"const": "value2", "title": format!("Second {word}")},
            {"const": "value3", "title": format!("Third {word}")},
        ])
    };
    let form = json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": plain},
            "titledSingle": {"type": "string", "oneOf": titled("Option")},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
        },
    });
    completed(&user, "Choose.", form).await
}

async fn completed(user: &Questions, message: &str, form: Value) -> Result<String, ToolError> {
    let answer = user.ask(&Question::new(message, form)).await?;
    Ok(format!("Elicitation completed: {}", told(answer)))
}

fn told(answer: Answer) -> String {
    match answer {
        Answer::Given(filled) => format!("action=accept, content={}", Value::Object(filled)),
        Answer::Declined => "action=decline, content={}".to_owned(),
        _ => "action=cancel, content={}".to_owned(),
    }
}
