//! A plain inverted index: what anybody would write by hand in an hour.

use std::collections::HashMap;

use super::Described;

/// Words to tools, scored by BM25 over all words of a tool alike.
pub(super) struct Inverted<'t> {
    names: Vec<&'t str>,
    lengths: Vec<f32>,
    average: f32,
    postings: HashMap<String, Vec<(u32, f32)>>,
}

impl<'t> Inverted<'t> {
    /// An index of these tools.
    #[expect(
        clippy::cast_precision_loss,
        reason = "numbers of words are far below what a float tells apart"
    )]
    pub(super) fn of(tools: &'t [Described]) -> Self {
        let mut postings: HashMap<String, Vec<(u32, f32)>> = HashMap::new();
        let mut lengths = Vec::with_capacity(tools.len());
        for (place, tool) in (0_u32..).zip(tools) {
            let mut length = 0.0;
            let parameters = tool.parameters.iter().copied();
            for text in [&*tool.name, &*tool.description]
                .into_iter()
                .chain(parameters)
            {
                for word in words(text) {
                    length += 1.0;
                    let found = postings.entry(word).or_default();
                    match found.last_mut() {
                        Some((last, count)) if *last == place => *count += 1.0,
                        _ => found.push((place, 1.0)),
                    }
                }
            }
            lengths.push(length);
        }
        let average = lengths.iter().sum::<f32>() / (lengths.len() as f32).max(1.0);
        Self {
            names: tools.iter().map(|tool| &*tool.name).collect(),
            lengths,
            average,
            postings,
        }
    }

    /// Names of the best tools.
    #[expect(
        clippy::cast_precision_loss,
        reason = "numbers of tools are far below what a float tells apart"
    )]
    pub(super) fn search(&self, question: &str, limit: usize) -> Vec<&'t str> {
        let mut scores: HashMap<u32, f32> = HashMap::new();
        for word in words(question) {
            let Some(postings) = self.postings.get(&word) else {
                continue;
            };
            let (count, with) = (self.names.len() as f32, postings.len() as f32);
            let rarity = (1.0 + (count - with + 0.5) / (with + 0.5)).ln();
            for (tool, count) in postings {
                let length = self.lengths[*tool as usize] / self.average;
                let norm = 1.5 * (0.25 + 0.75 * length);
                *scores.entry(*tool).or_default() += rarity * count * 2.5 / (count + norm);
            }
        }
        let mut best: Vec<(u32, f32)> = scores.into_iter().collect();
        best.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let named = best.into_iter().take(limit);
        named.map(|(tool, _)| self.names[tool as usize]).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|it: char| !it.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}
