//! Tantivy, in memory.

use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{Schema, TEXT};
use tantivy::{DocAddress, Index, Searcher, TantivyDocument};

use super::Described;

/// The least memory that it takes for writing, in bytes.
const WRITING: usize = 15_000_000;

/// Its index over these tools.
pub(super) struct LuceneLike {
    searcher: Searcher,
    parser: QueryParser,
}

impl LuceneLike {
    /// An index of these tools, ready to be asked.
    pub(super) fn of(tools: &[Described]) -> Self {
        let mut schema = Schema::builder();
        let name = schema.add_text_field("name", TEXT);
        let description = schema.add_text_field("description", TEXT);
        let parameters = schema.add_text_field("parameters", TEXT);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index
            .writer_with_num_threads(1, WRITING)
            .expect("memory is enough");
        for tool in tools {
            let mut document = TantivyDocument::default();
            document.add_text(name, &tool.name);
            document.add_text(description, &tool.description);
            for parameter in &tool.parameters {
                document.add_text(parameters, parameter);
            }
            writer.add_document(document).expect("the schema has them");
        }
        writer.commit().expect("memory is enough");
        let reader = index.reader().expect("it was just written");
        let mut parser = QueryParser::for_index(&index, vec![name, description, parameters]);
        parser.set_field_boost(name, 3.5);
        Self {
            searcher: reader.searcher(),
            parser,
        }
    }

    /// The best tools by their places.
    pub(super) fn search(&self, question: &str, limit: usize) -> Vec<DocAddress> {
        // A name would be taken for a phrase, all of whose words have to follow each other.
        let question = question.replace('_', " ");
        let query = self.parser.parse_query(&question).expect("words alone");
        let best = TopDocs::with_limit(limit).order_by_score();
        let found = self.searcher.search(&query, &best).expect("in memory");
        found.into_iter().map(|(_, place)| place).collect()
    }
}
