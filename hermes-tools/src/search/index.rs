//! Finding tools by words: an inverted index over names, descriptions and parameters, scored by
//! BM25F, changed in place as tools come and go.

use std::collections::BTreeMap;
use std::fmt;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

use super::words::{each_word, is_filler};
use crate::names::fold;

/// What is searched of one tool.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it says of itself.
    pub description: &'a str,
    /// Names of its outermost parameters.
    pub parameters: &'a [&'a str],
}

/// Tools that can be searched by words.
///
/// ```
/// use hermes_tools::search::{Entry, SearchIndex};
///
/// let mut index = SearchIndex::new();
/// let issues = Entry { name: "list_issues", description: "Show open issues", parameters: &["state"] };
/// index.insert(issues);
/// index.insert(Entry { name: "getURLs", description: "Links of a page", parameters: &[] });
/// assert_eq!(index.search("listing an issue", 5), ["list_issues"]);
/// assert_eq!(index.search("url", 5), ["getURLs"]);
/// index.remove("getURLs");
/// assert!(index.search("url", 5).is_empty());
/// ```
#[derive(Default)]
pub struct SearchIndex {
    tools: Vec<Option<Indexed>>,
    free: Vec<u32>,
    places: FxHashMap<Box<str>, u32>,
    /// Every word that was seen, with its term: words are stemmed once.
    words: FxHashMap<Box<str>, u32>,
    stems: BTreeMap<Box<str>, u32>,
    terms: Vec<Term>,
    /// Folded names, and folded last parts of names, of all tools.
    spelled: FxHashMap<Box<str>, Vec<u32>>,
    lengths: [u64; 3],
    /// Grows with every change; scores of a term that were made before are made anew.
    version: u64,
    scores: Vec<f32>,
}

struct Indexed {
    name: Box<str>,
    /// When it came; ties are in this order.
    order: u64,
    lengths: [u16; 3],
    terms: Vec<u32>,
}

#[derive(Default)]
struct Term {
    postings: Vec<Posting>,
    version: u64,
}

#[derive(Clone, Copy)]
struct Posting {
    tool: u32,
    /// How often the term stands in name, parameters and description.
    counts: [u8; 3],
    score: f32,
}

// Weights of name, parameters and description, and how much the length of each counts.
const WEIGHTS: [f32; 3] = [3.5, 1.2, 1.0];
const NORMS: [f32; 3] = [0.3, 0.4, 0.75];
/// Where more of a word stops to say more. The value is that of hermes-agent.
const SATURATION: f32 = 1.5;
/// What a word counts that only begins like the one that was asked for.
const BEGINNING: f32 = 0.5;
/// The fewest letters that are taken as the beginning of a word.
const FEWEST: usize = 3;
/// What a name counts that is spelled like the question, its whole or its last part.
const SPELLED: [f32; 2] = [1_000.0, 500.0];

const NAME: usize = 0;
const PARAMETERS: usize = 1;
const DESCRIPTION: usize = 2;

impl SearchIndex {
    /// An index without tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool, in the place of the one of its name.
    pub fn insert(&mut self, entry: Entry<'_>) {
        self.remove(entry.name);
        self.version += 1;
        let mut found: Vec<(u32, usize)> = Vec::with_capacity(32);
        each_word(entry.name, |word| found.push((self.term(word), NAME)));
        for parameter in entry.parameters {
            each_word(parameter, |word| found.push((self.term(word), PARAMETERS)));
        }
        each_word(entry.description, |word| {
            found.push((self.term(word), DESCRIPTION));
        });

        let tool = self.free.pop().unwrap_or_else(|| {
            self.tools.push(None);
            u32::try_from(self.tools.len() - 1).unwrap_or(u32::MAX)
        });
        let mut lengths = [0_u16; 3];
        for (_, field) in &found {
            lengths[*field] = lengths[*field].saturating_add(1);
        }
        found.sort_unstable();
        let mut terms = Vec::with_capacity(found.len());
        for same in found.chunk_by(|a, b| a.0 == b.0) {
            let mut counts = [0_u8; 3];
            for (_, field) in same {
                counts[*field] = counts[*field].saturating_add(1);
            }
            terms.push(same[0].0);
            self.terms[same[0].0 as usize].postings.push(Posting {
                tool,
                counts,
                score: 0.0,
            });
        }
        for (field, length) in lengths.iter().enumerate() {
            self.lengths[field] += u64::from(*length);
        }
        for spelling in spellings(entry.name) {
            self.spelled.entry(spelling).or_default().push(tool);
        }
        self.places.insert(entry.name.into(), tool);
        self.tools[tool as usize] = Some(Indexed {
            name: entry.name.into(),
            order: self.version,
            lengths,
            terms,
        });
    }

    /// Takes a tool out; true when it was there.
    pub fn remove(&mut self, name: &str) -> bool {
        let Some(tool) = self.places.remove(name) else {
            return false;
        };
        self.version += 1;
        if let Some(gone) = self.tools[tool as usize].take() {
            for term in gone.terms {
                let postings = &mut self.terms[term as usize].postings;
                postings.retain(|posting| posting.tool != tool);
            }
            for (field, length) in gone.lengths.iter().enumerate() {
                self.lengths[field] -= u64::from(*length);
            }
            for spelling in spellings(&gone.name) {
                if let Some(tools) = self.spelled.get_mut(&spelling) {
                    tools.retain(|it| *it != tool);
                }
            }
        }
        self.free.push(tool);
        true
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no tool at all.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Names of at most `limit` tools that a question means, the best first.
    ///
    /// A tool whose name is the question, in whatever spelling, comes first. Filler words count only
    /// where there are no others, and a word that is said twice counts once. A word that no tool
    /// has stands for the words that begin with it.
    pub fn search(&mut self, question: &str, limit: usize) -> Vec<&str> {
        let terms = self.question(question);
        let mut scores = std::mem::take(&mut self.scores);
        scores.clear();
        scores.resize(self.tools.len(), 0.0);
        for (term, weight) in terms {
            self.rate(term);
            for posting in &self.terms[term as usize].postings {
                scores[posting.tool as usize] += posting.score * weight;
            }
        }
        let asked = fold_name(question);
        for (place, tool) in self.spelled_like(&asked) {
            scores[tool as usize] += SPELLED[place];
        }

        let mut best: Vec<(f32, u64, u32)> = Vec::with_capacity(limit + 1);
        for (tool, score) in (0_u32..).zip(&scores) {
            if *score <= 0.0 || (best.len() == limit && best.last().is_some_and(|it| it.0 > *score))
            {
                continue;
            }
            let order = self.tools[tool as usize].as_ref().map_or(0, |it| it.order);
            let at = best.partition_point(|it| {
                let closer = it.0.total_cmp(score).then(order.cmp(&it.1));
                closer.is_gt()
            });
            best.insert(at, (*score, order, tool));
            best.truncate(limit);
        }
        self.scores = scores;
        best.into_iter()
            .filter_map(|(_, _, tool)| Some(&*self.tools[tool as usize].as_ref()?.name))
            .collect()
    }

    /// The terms of a question, each with what it counts.
    fn question(&self, question: &str) -> Vec<(u32, f32)> {
        let mut all: Vec<String> = Vec::new();
        each_word(question, |word| {
            if all.iter().all(|known| known != word) {
                all.push(word.to_owned());
            }
        });
        if all.iter().any(|word| !is_filler(word)) {
            all.retain(|word| !is_filler(word));
        }
        let mut terms: Vec<(u32, f32)> = Vec::new();
        let mut add =
            |term: u32, weight: f32| match terms.iter_mut().find(|(known, _)| *known == term) {
                Some((_, known)) => *known = known.max(weight),
                None => terms.push((term, weight)),
            };
        for word in &all {
            let stem = stem(word);
            let term = self.stems.get(&*stem).copied();
            match term.filter(|term| !self.terms[*term as usize].postings.is_empty()) {
                Some(term) => add(term, 1.0),
                None if word.chars().count() >= FEWEST => {
                    let start: Box<str> = word.as_str().into();
                    let later = self.stems.range(start..);
                    for (_, term) in later.take_while(|(it, _)| it.starts_with(word.as_str())) {
                        add(*term, BEGINNING);
                    }
                }
                None => {}
            }
        }
        terms
    }

    /// Makes the scores of a term anew when tools have changed since.
    #[expect(
        clippy::cast_precision_loss,
        reason = "numbers of words and tools are far below what a float tells apart"
    )]
    fn rate(&mut self, term: u32) {
        let term = &mut self.terms[term as usize];
        if term.version == self.version {
            return;
        }
        term.version = self.version;
        let count = self.places.len() as f32;
        let with = term.postings.len() as f32;
        let rarity = (1.0 + (count - with + 0.5) / (with + 0.5)).ln();
        let averages = self.lengths.map(|length| (length as f32 / count).max(1.0));
        for posting in &mut term.postings {
            let Some(tool) = &self.tools[posting.tool as usize] else {
                continue;
            };
            let mut weight = 0.0;
            for field in 0..3 {
                if posting.counts[field] > 0 {
                    let length = f32::from(tool.lengths[field]) / averages[field];
                    let norm = 1.0 - NORMS[field] + NORMS[field] * length;
                    weight += WEIGHTS[field] * f32::from(posting.counts[field]) / norm;
                }
            }
            posting.score = rarity * weight * (SATURATION + 1.0) / (weight + SATURATION);
        }
    }

    /// Tools whose whole name (0) or last part (1) is spelled like the question.
    fn spelled_like(&self, asked: &str) -> Vec<(usize, u32)> {
        let tools = self.spelled.get(asked).into_iter().flatten();
        tools
            .filter(|_| !asked.is_empty())
            .map(|tool| {
                let indexed = self.tools[*tool as usize].as_ref();
                let whole = indexed.is_some_and(|it| fold_name(&it.name) == asked);
                (usize::from(!whole), *tool)
            })
            .collect()
    }

    fn term(&mut self, word: &str) -> u32 {
        if let Some(term) = self.words.get(word) {
            return *term;
        }
        let stem: Box<str> = stem(word).into();
        let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
        let term = *self.stems.entry(stem).or_insert(next);
        if term == next {
            self.terms.push(Term::default());
        }
        self.words.insert(word.into(), term);
        term
    }
}

/// The part of a word that its forms share.
fn stem(word: &str) -> String {
    let algorithm = if word.is_ascii() {
        Algorithm::English
    } else if word.chars().all(|it| matches!(it, '\u{400}'..='\u{4FF}')) {
        Algorithm::Russian
    } else {
        return word.to_owned();
    };
    let mut stem = Stemmer::create(algorithm).stem(word).into_owned();
    // This stemmer makes `ad` of `adding` and leaves `add` as it is.
    let doubled = matches!(
        stem.as_bytes(),
        [_, .., a, b] if a == b && b"bdfgmnprt".contains(b)
    );
    if doubled {
        stem.pop();
    }
    stem
}

/// A name as a question may spell it: without case, separators and surrounding space.
fn fold_name(name: &str) -> String {
    fold(name.trim())
}

fn spellings(name: &str) -> Vec<Box<str>> {
    let mut spellings = vec![fold_name(name).into()];
    if let Some((_, last)) = name.rsplit_once("__") {
        spellings.push(fold_name(last).into());
    }
    spellings
}

impl fmt::Debug for SearchIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchIndex")
            .field("tools", &self.places.len())
            .field("terms", &self.terms.len())
            .finish_non_exhaustive()
    }
}
