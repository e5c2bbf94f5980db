//! The arguments of a call whose parameters are a foreign JSON schema.

use serde::de::DeserializeOwned;

use super::decode::read_object;
use super::{ArgumentError, Node, Repair};

/// Named values as the model sent them, in its order. Numbers keep their digits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ForeignArguments {
    entries: Vec<(String, Node)>,
}

impl ForeignArguments {
    /// Reads the text of a call's arguments, an object. Nothing, `null` and `None` mean no arguments.
    ///
    /// # Errors
    ///
    /// Text that is not JSON, or JSON that is no object.
    pub fn read(text: &str) -> Result<(Self, Vec<Repair>), ArgumentError> {
        let (entries, repairs) = read_object(text)?;
        Ok((Self { entries }, repairs))
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

    /// The object as JSON text without white space, every number as it was sent.
    pub fn to_json(&self) -> String {
        Node::Object(self.entries.clone()).to_json()
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
