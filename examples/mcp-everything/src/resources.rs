//! What clients can read.

use hermes_mcp::Resource;
use hermes_tools::Content;
use serde_json::json;
use tokio::sync::watch;

use crate::content::PNG;

/// Every resource.
pub(crate) fn all() -> Vec<Resource> {
    vec![
        Resource::fixed(
            "test://static-text",
            "static text",
            Content::text("This is the content of the static text resource."),
        )
        .description("A text that stays as it is.")
        .media_type("text/plain"),
        Resource::fixed(
            "test://static-binary",
            "static picture",
            Content::image("image/png", PNG),
        )
        .description("A picture that stays as it is."),
        Resource::template("test://template/{id}/data", "data", |variables| {
            let id = variables.get("id")?;
            let data =
                json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            Some(Content::Json(data.to_string()))
        })
        .description("The data of an id.")
        .media_type("application/json"),
        Resource::watched("test://watched-resource", "watched text", changing())
            .description("A text that changes once."),
    ]
}

/// A text that changes a second after the client has come.
fn changing() -> watch::Receiver<Content> {
    let (sender, receiver) = watch::channel(Content::text("before"));
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_secs(1));
        // Nobody may be left to tell.
        let _ = sender.send(Content::text("after"));
    });
    receiver
}
