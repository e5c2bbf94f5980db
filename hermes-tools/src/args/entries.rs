//! Keys and values of an object while it is read.

use std::collections::HashMap;

use super::Node;

/// Up to this many keys are compared one by one; a map costs more than that.
const FEW: usize = 16;

/// The entries of an object, each key once.
#[derive(Debug, Default)]
pub(super) struct Entries {
    list: Vec<(String, Node)>,
    /// Where each key stands, once there are many. Keys come from outside, so the hash has a secret.
    places: HashMap<String, usize>,
}

impl Entries {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds an entry. Of equal keys the last value wins, at the place of the first; the key comes
    /// back when it was there before.
    pub(super) fn insert(&mut self, key: String, value: Node) -> Option<String> {
        if let Some(place) = self.place(&key) {
            self.list[place].1 = value;
            return Some(key);
        }
        if self.list.len() >= FEW {
            if self.places.is_empty() {
                let known = self.list.iter().enumerate();
                self.places = known.map(|(at, (key, _))| (key.clone(), at)).collect();
            }
            self.places.insert(key.clone(), self.list.len());
        }
        self.list.push((key, value));
        None
    }

    pub(super) fn into_node(self) -> Node {
        Node::Object(self.list)
    }

    fn place(&self, key: &str) -> Option<usize> {
        if self.places.is_empty() {
            self.list.iter().position(|(known, _)| known == key)
        } else {
            self.places.get(key).copied()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_found_among_few_and_among_many() {
        let mut entries = Entries::default();
        for round in 0..2 {
            for key in 0..40 {
                let known = entries.insert(format!("k{key}"), Node::Bool(round == 1));
                assert_eq!(known.is_some(), round == 1);
            }
        }
        let Node::Object(list) = entries.into_node() else {
            panic!("no object")
        };
        assert_eq!(list.len(), 40);
        assert!(list.iter().all(|(_, value)| *value == Node::Bool(true)));
    }
}
