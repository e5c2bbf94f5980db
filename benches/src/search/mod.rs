//! Searching tools by words: ours, a plain inverted index, and two search engines.

mod catalogue;
mod inverted;
#[cfg(feature = "peers")]
mod lucene_like;
#[cfg(feature = "peers")]
mod okapi;

use std::hint::black_box;

use hermes_tools::search::{Entry, SearchIndex};

pub use self::catalogue::{Described, QUESTIONS, catalogue};
use self::inverted::Inverted;
#[cfg(feature = "peers")]
use self::lucene_like::LuceneLike;
#[cfg(feature = "peers")]
use self::okapi::Okapi;
use crate::compare::Way;

/// How many tools a question gives.
pub const LIMIT: usize = 5;

/// Making an index of these tools. Tantivy writes with one thread, as all others do.
pub fn build(tools: &[Described]) -> Vec<Way<'_>> {
    vec![
        Way::new("plain inverted index", || Inverted::of(black_box(tools))),
        Way::new("`SearchIndex`", || ours(black_box(tools))),
        #[cfg(feature = "peers")]
        Way::new("tantivy in memory", || LuceneLike::of(black_box(tools))),
        #[cfg(feature = "peers")]
        Way::new("bm25", || Okapi::of(black_box(tools))),
    ]
}

/// Asking an index of these tools, each question in turn. Ours and the plain index give names; the
/// engines give the numbers of their documents, which is less work.
pub fn ask(tools: &[Described]) -> Vec<Way<'_>> {
    let plain = Inverted::of(tools);
    let mut index = ours(tools);
    vec![
        asking("plain inverted index", move |question| {
            plain.search(question, LIMIT).len()
        }),
        asking("`SearchIndex`", move |question| {
            index.search(question, LIMIT).len()
        }),
        #[cfg(feature = "peers")]
        {
            let engine = LuceneLike::of(tools);
            asking("tantivy in memory", move |question| {
                engine.search(question, LIMIT).len()
            })
        },
        #[cfg(feature = "peers")]
        {
            let engine = Okapi::of(tools);
            asking("bm25", move |question| engine.search(question, LIMIT).len())
        },
    ]
}

/// Changing one tool of the index and asking once: what a session does after a server has changed its
/// list. The plain index is made anew, for want of a way to change it.
pub fn follow(tools: &[Described]) -> Vec<Way<'_>> {
    let mut index = ours(tools);
    let mut turn = 0_usize;
    vec![
        Way::new("plain inverted index, made anew", move || {
            Inverted::of(black_box(tools))
                .search(QUESTIONS[0], LIMIT)
                .len()
        }),
        Way::new("`SearchIndex`", move || {
            turn += 1;
            let tool = &tools[turn % tools.len()];
            index.remove(&tool.name);
            insert(&mut index, tool);
            index.search(QUESTIONS[0], LIMIT).len()
        }),
    ]
}

fn asking<'w>(name: &'static str, mut ask: impl FnMut(&str) -> usize + 'w) -> Way<'w> {
    for question in QUESTIONS {
        assert!(ask(question) > 0, "{name} finds nothing for {question:?}");
    }
    let mut turn = 0;
    Way::new(name, move || {
        turn += 1;
        ask(black_box(QUESTIONS[turn % QUESTIONS.len()]))
    })
}

fn ours(tools: &[Described]) -> SearchIndex {
    let mut index = SearchIndex::new();
    for tool in tools {
        insert(&mut index, tool);
    }
    index
}

fn insert(index: &mut SearchIndex, tool: &Described) {
    index.insert(Entry {
        name: &tool.name,
        description: &tool.description,
        parameters: &tool.parameters,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_finds_something_for_every_question() {
        let tools = catalogue(1_000);
        assert_eq!(
            ask(&tools).len(),
            if cfg!(feature = "peers") { 4 } else { 2 }
        );
    }
}
