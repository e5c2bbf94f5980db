//! Prompts for the people in front of a client.

use hermes_tools::{Content, PromptArgument, PromptArguments, PromptMessage, prompt};

use crate::content::PNG;

prompt! {
    name: "test_simple_prompt",
    toolset: "everything",
    description: "A prompt without arguments.",
    messages: simple,
}

prompt! {
    name: "test_prompt_with_arguments",
    toolset: "everything",
    description: "A prompt with two arguments.",
    arguments: [
        PromptArgument::required("arg1", "First test argument.").values(&["test", "testing", "other"]),
        PromptArgument::required("arg2", "Second test argument."),
    ],
    messages: with_arguments,
}

prompt! {
    name: "test_prompt_with_embedded_resource",
    toolset: "everything",
    description: "A prompt with the contents of a resource.",
    arguments: [PromptArgument::required("resourceUri", "Address of the resource.")],
    messages: with_resource,
}

prompt! {
    name: "test_prompt_with_image",
    toolset: "everything",
    description: "A prompt with a picture.",
    messages: with_image,
}

fn simple(_: PromptArguments<'_>) -> PromptMessage {
    PromptMessage::user("This is a simple prompt for testing.")
}

fn with_arguments(filled: PromptArguments<'_>) -> PromptMessage {
    let (first, second) = (filled.get("arg1"), filled.get("arg2"));
    let text = format!("Prompt with arguments: arg1='{first}', arg2='{second}'");
    PromptMessage::user(text)
}

fn with_resource(filled: PromptArguments<'_>) -> Vec<PromptMessage> {
    let resource = Content::file(
        filled.get("resourceUri"),
        "text/plain",
        *b"Embedded resource content for testing.",
    );
    vec![
        PromptMessage::user(resource),
        PromptMessage::user("Please process the embedded resource above."),
    ]
}

fn with_image(_: PromptArguments<'_>) -> Vec<PromptMessage> {
    vec![
        PromptMessage::user(Content::image("image/png", PNG)),
        PromptMessage::user("Please analyze the image above."),
    ]
}
