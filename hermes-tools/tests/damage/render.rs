//! Arguments as text, with the faults that models make while they write.

use hermes_tools::args::Node;

use crate::calls::Random;

/// How a text is written. The default is JSON.
#[derive(Debug, Default, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fault of its own")]
pub(crate) struct Style {
    pub(crate) python_words: bool,
    pub(crate) single_quotes: bool,
    pub(crate) bare_keys: bool,
    pub(crate) comments: bool,
    pub(crate) trailing_commas: bool,
    pub(crate) doubled_comma: bool,
    pub(crate) missing_comma: bool,
    pub(crate) raw_controls: bool,
    pub(crate) inner_quotes: bool,
    pub(crate) escaped_apostrophe: bool,
    pub(crate) bad_backslashes: bool,
    pub(crate) python_tuples: bool,
}

/// A text, and whether every fault of the style is in it.
pub(crate) struct Rendered {
    pub(crate) text: String,
    pub(crate) faults: usize,
}

pub(crate) fn render(node: &Node, style: &Style, random: &mut Random) -> Rendered {
    let pretty = random.chance(40);
    let mut writer = Writer {
        text: String::new(),
        faults: 0,
        style,
        random,
        pretty,
        depth: 0,
    };
    writer.value(node);
    Rendered {
        text: writer.text,
        faults: writer.faults,
    }
}

struct Writer<'w> {
    text: String,
    faults: usize,
    style: &'w Style,
    random: &'w mut Random,
    pretty: bool,
    depth: usize,
}

impl Writer<'_> {
    fn value(&mut self, node: &Node) {
        match node {
            Node::Null => self.word("null", "None"),
            Node::Bool(true) => self.word("true", "True"),
            Node::Bool(false) => self.word("false", "False"),
            Node::Number(digits) => self.text.push_str(digits),
            Node::String(text) => self.string(text),
            Node::Array(items) => {
                let tuple = self.style.python_tuples && items.len() > 1 && self.depth > 0;
                self.faults += usize::from(tuple);
                self.text.push(if tuple { '(' } else { '[' });
                self.depth += 1;
                for (at, item) in items.iter().enumerate() {
                    self.between(at, items.len());
                    self.value(item);
                }
                self.end(items.len());
                self.text.push(if tuple { ')' } else { ']' });
            }
            Node::Object(entries) => {
                self.text.push('{');
                self.depth += 1;
                for (at, (key, value)) in entries.iter().enumerate() {
                    self.between(at, entries.len());
                    if self.style.bare_keys {
                        self.faults += 1;
                        self.text.push_str(key);
                    } else {
                        self.string(key);
                    }
                    self.text.push_str(if self.pretty { ": " } else { ":" });
                    self.value(value);
                }
                self.end(entries.len());
                self.text.push('}');
            }
        }
    }

    fn word(&mut self, json: &str, python: &str) {
        self.faults += usize::from(self.style.python_words);
        self.text.push_str(if self.style.python_words {
            python
        } else {
            json
        });
    }

    /// What stands before an item.
    fn between(&mut self, at: usize, count: usize) {
        if at > 0 {
            let left_out = self.style.missing_comma && self.random.chance(70);
            if left_out {
                self.faults += 1;
                self.text.push(' ');
            } else {
                self.text.push(',');
                if self.style.doubled_comma && self.random.chance(50) {
                    self.faults += 1;
                    self.text.push(',');
                }
            }
        }
        if self.style.comments && self.random.chance(50) {
            self.faults += 1;
            let comments = [" // the next one\n", "/* note */ ", " # note\n"];
            self.text.push_str(self.random.of(&comments));
        }
        self.line(count);
    }

    fn end(&mut self, count: usize) {
        self.depth -= 1;
        if self.style.trailing_commas && count > 0 {
            self.faults += 1;
            self.text.push(',');
        }
        self.line(count);
    }

    fn line(&mut self, count: usize) {
        if self.pretty && count > 0 {
            self.text.push('\n');
            self.text.push_str(&"  ".repeat(self.depth));
        }
    }

    fn string(&mut self, text: &str) {
        if self.style.single_quotes {
            return self.python_string(text);
        }
        self.text.push('"');
        for character in text.chars() {
            match character {
                '"' if self.style.inner_quotes => {
                    self.faults += 1;
                    self.text.push('"');
                }
                '"' => self.text.push_str("\\\""),
                '\\' if self.style.bad_backslashes => {
                    self.faults += 1;
                    self.text.push('\\');
                }
                '\\' => self.text.push_str("\\\\"),
                '\'' if self.style.escaped_apostrophe => {
                    self.faults += 1;
                    self.text.push_str("\\'");
                }
                '\n' | '\r' | '\t' if self.style.raw_controls => {
                    self.faults += 1;
                    self.text.push(character);
                }
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '\t' => self.text.push_str("\\t"),
                other => self.text.push(other),
            }
        }
        self.text.push('"');
    }

    /// As Python's `repr` writes it.
    fn python_string(&mut self, text: &str) {
        self.faults += 1;
        let quote = if text.contains('\'') && !text.contains('"') {
            '"'
        } else {
            '\''
        };
        self.text.push(quote);
        for character in text.chars() {
            match character {
                '\\' => self.text.push_str("\\\\"),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '\t' => self.text.push_str("\\t"),
                other if other == quote => {
                    self.text.push('\\');
                    self.text.push(quote);
                }
                other => self.text.push(other),
            }
        }
        self.text.push(quote);
    }
}
