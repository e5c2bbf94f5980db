//! The crate bm25, with its own tokenizer for English.

use bm25::{Language, SearchEngine, SearchEngineBuilder};

use super::Described;

/// Its engine over these tools.
pub(super) struct Okapi(SearchEngine<u32>);

impl Okapi {
    /// An index of these tools.
    pub(super) fn of(tools: &[Described]) -> Self {
        let texts = tools.iter().map(|tool| {
            let parameters = tool.parameters.join(" ");
            // It takes a name for one word otherwise, and finds no part of it.
            format!("{} {} {parameters}", tool.name, tool.description).replace('_', " ")
        });
        let texts: Vec<String> = texts.collect();
        Self(SearchEngineBuilder::<u32>::with_corpus(Language::English, texts).build())
    }

    /// The best tools by their places.
    pub(super) fn search(&self, question: &str, limit: usize) -> Vec<u32> {
        let found = self
            .0
            .search(&question.replace('_', " "), limit)
            .into_iter();
        found.map(|it| it.document.id).collect()
    }
}
