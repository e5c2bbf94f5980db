//! The prompts of packs, for the people in front of a client.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hermes_tools::{Prompt, PromptArguments, PromptMessage, Session, linked_prompts};
use rmcp::model::{
    self, ArgumentInfo, CompleteResult, CompletionInfo, ErrorData, GetPromptRequestParams,
    GetPromptResult, Reference, Role,
};
use serde_json::Value;

use super::content::block;

/// The linked prompts whose toolset has a tool that the session can use, sorted by name. Of two of one
/// name the first place of declaration counts.
pub(super) fn offered(session: &Session) -> Vec<&'static Prompt> {
    let mut prompts = linked_prompts();
    if prompts.is_empty() {
        return prompts;
    }
    let tools = session.tools();
    prompts.retain(|prompt| {
        (tools.iter()).any(|(tool, can)| can.is_available() && tool.toolset() == prompt.toolset)
    });
    prompts.dedup_by_key(|prompt| prompt.name);
    prompts
}

/// A prompt as the protocol lists it.
pub(super) fn told(prompt: &Prompt) -> model::Prompt {
    let arguments = prompt.arguments.iter().map(|argument| {
        model::PromptArgument::new(argument.name)
            .with_description(argument.description)
            .with_required(argument.required)
    });
    let arguments: Vec<_> = arguments.collect();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    model::Prompt::new(prompt.name, Some(prompt.description), arguments)
}

/// The messages of a prompt.
///
/// # Errors
///
/// There is no such prompt, something required is missing, or the prompt says what is wrong.
pub(super) fn messages(
    prompts: &[&'static Prompt],
    request: &GetPromptRequestParams,
) -> Result<GetPromptResult, ErrorData> {
    let prompt = find(prompts, &request.name)?;
    let mut filled = Vec::with_capacity(prompt.arguments.len());
    for argument in prompt.arguments {
        let value = request
            .arguments
            .as_ref()
            .and_then(|given| given.get(argument.name));
        match value {
            Some(Value::String(text)) => filled.push((argument.name, text.as_str())),
            Some(_) => {
                let why = format!("the argument `{}` must be a text", argument.name);
                return Err(ErrorData::invalid_params(why, None));
            }
            None if argument.required => {
                let why = format!(
                    "the argument `{}` is missing: {}",
                    argument.name, argument.description
                );
                return Err(ErrorData::invalid_params(why, None));
            }
            None => {}
        }
    }
    let write = || (prompt.messages)(PromptArguments::new(&filled));
    // The SDK does not answer a request whose handler panics.
    let written = catch_unwind(AssertUnwindSafe(write)).map_err(|_| {
        let why = format!("the prompt `{}` broke; please report it", prompt.name);
        ErrorData::internal_error(why, None)
    })?;
    let written = written.map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
    let messages = written.iter().map(message).collect();
    let mut result = GetPromptResult::new(messages);
    result.description = Some(prompt.description.to_owned());
    Ok(result)
}

fn message(message: &PromptMessage) -> model::PromptMessage {
    let role = if message.by_model {
        Role::Assistant
    } else {
        Role::User
    };
    model::PromptMessage::new(role, block(&message.content))
}

/// What an argument of a prompt may be, of what begins with what was typed.
///
/// # Errors
///
/// There is no such prompt or argument. Templates of resources have nothing to choose from.
pub(super) fn complete(
    prompts: &[&'static Prompt],
    reference: &Reference,
    argument: &ArgumentInfo,
) -> Result<CompleteResult, ErrorData> {
    let Reference::Prompt(reference) = reference else {
        return Ok(CompleteResult::new(CompletionInfo::default()));
    };
    let prompt = find(prompts, &reference.name)?;
    let known = (prompt.arguments.iter()).find(|known| known.name == argument.name);
    let Some(known) = known else {
        let why = format!("`{}` has no argument `{}`", prompt.name, argument.name);
        return Err(ErrorData::invalid_params(why, None));
    };
    let typed = argument.value.to_lowercase();
    let fitting = (known.values.iter()).filter(|value| value.to_lowercase().starts_with(&typed));
    let mut values: Vec<String> = fitting.map(|value| (*value).to_owned()).collect();
    let total = u32::try_from(values.len()).ok();
    let more = values.len() > CompletionInfo::MAX_VALUES;
    values.truncate(CompletionInfo::MAX_VALUES);
    let info = CompletionInfo::with_pagination(values, total, more)
        .map_err(|why| ErrorData::internal_error(why, None))?;
    Ok(CompleteResult::new(info))
}

fn find(prompts: &[&'static Prompt], name: &str) -> Result<&'static Prompt, ErrorData> {
    let found = prompts.iter().find(|prompt| prompt.name == name);
    found.copied().ok_or_else(|| {
        let known: Vec<&str> = prompts.iter().map(|prompt| prompt.name).collect();
        let why = format!(
            "there is no prompt `{name}`; there are: {}",
            known.join(", ")
        );
        ErrorData::invalid_params(why, None)
    })
}
