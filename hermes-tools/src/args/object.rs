//! The arguments of a call whose parameters are a foreign JSON schema.

use serde::de::DeserializeOwned;

use super::{ArgumentError, Issue, JsonSchema, Node, RawArguments, Repair, repair_text};

/// Named values as the model sent them, in its order. Numbers keep their digits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ForeignArguments {
    entries: Vec<(String, Node)>,
}

impl ForeignArguments {
    /// Reads arguments of which no schema is known, an object. Nothing, `null` and `None`
    /// mean no arguments.
    ///
    /// # Errors
    ///
    /// Text of which it is not certain what was meant, or JSON that is no object.
    pub fn read(arguments: RawArguments<'_>) -> Result<Self, ArgumentError> {
        match repair_text(arguments)?.0 {
            Node::Object(entries) => Ok(Self { entries }),
            Node::Null => Ok(Self::default()),
            other => Err(ArgumentError::Misfit(vec![
                Issue::expected("an object with one key for each argument", &other)
                    .with_hint("send `{\"name\": value}`"),
            ])),
        }
    }

    /// Decodes arguments by a schema, noting what had to be changed.
    ///
    /// # Errors
    ///
    /// All problems of the call at once.
    pub fn decode(
        schema: &JsonSchema,
        arguments: RawArguments<'_>,
    ) -> Result<(Self, Vec<Repair>), ArgumentError> {
        let decoded = schema.decode(arguments)?;
        Ok((Self::from_node(decoded.arguments), decoded.repairs))
    }

    /// The entries of an object; any other value has none.
    pub fn from_node(node: Node) -> Self {
        match node {
            Node::Object(entries) => Self { entries },
            _ => Self::default(),
        }
    }

    /// Sets the value of a name, in its place or behind the others.
    ///
    /// ```
    /// use hermes_tools::args::ForeignArguments;
    ///
    /// let mut arguments = ForeignArguments::default();
    /// arguments.set("n", 5);
    /// arguments.set("share", 0.25);
    /// arguments.set("names", vec!["a", "b"]);
    /// arguments.set("after", None::<u32>);
    /// assert_eq!(
    ///     arguments.to_json(),
    ///     r#"{"n":5,"share":0.25,"names":["a","b"],"after":null}"#
    /// );
    /// ```
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<Node>) {
        let (name, value) = (name.into(), value.into());
        match self.entries.iter_mut().find(|(key, _)| *key == name) {
            Some((_, old)) => *old = value,
            None => self.entries.push((name, value)),
        }
    }

    /// Takes a name out, and gives back its value.
    pub fn remove(&mut self, name: &str) -> Option<Node> {
        let index = self.entries.iter().position(|(key, _)| key == name)?;
        Some(self.entries.remove(index).1)
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Node> {
        let mut entries = self.entries.iter();
        entries.find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The value of a name, when it is text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Node::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Names and values in the order of the text.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Node)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }

    /// The object as a tree.
    pub fn to_node(&self) -> Node {
        Node::Object(self.entries.clone())
    }

    /// The object as JSON text without white space, every number as it was sent.
    pub fn to_json(&self) -> String {
        self.to_node().to_json()
    }

    /// The object as a value of any type that serde reads.
    ///
    /// # Errors
    ///
    /// What serde says when it does not fit.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.to_json())
    }
}
