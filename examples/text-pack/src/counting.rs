//! A tool deep in private modules is registered like any other.

mod words {
    mod statistics {
        use std::collections::BTreeMap;

        use hermes_tools::{Json, tool};

        /// Count the words of a text and tell the most frequent ones.
        #[tool(toolset = "text", effect = "read", emoji = "🔢")]
        fn count_words(
            /// The text.
            #[arg(example = "to be or not to be")]
            text: String,
            /// How many of the most frequent words to tell.
            #[arg(default = 3, min = 0, max = 100)]
            top: usize,
        ) -> Json<BTreeMap<String, usize>> {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for word in text.split_whitespace() {
                *counts.entry(word.to_lowercase()).or_default() += 1;
            }
            let total = counts.values().sum();
            let mut ranked: Vec<(String, usize)> = counts.into_iter().collect();
            ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            let mut told: BTreeMap<String, usize> = ranked.into_iter().take(top).collect();
            told.insert("(all words)".to_owned(), total);
            Json(told)
        }
    }
}
