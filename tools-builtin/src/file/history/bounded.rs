//! A map that forgets what was put in longest ago.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// At most so many values.
#[derive(Debug)]
pub(super) struct Bounded<K, V> {
    values: HashMap<K, (u64, V)>,
    ages: BTreeMap<u64, K>,
    next: u64,
    most: usize,
}

impl<K: Hash + Eq + Clone, V> Bounded<K, V> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            values: HashMap::new(),
            ages: BTreeMap::new(),
            next: 0,
            most,
        }
    }

    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.values.get(key).map(|(_, value)| value)
    }

    pub(super) fn insert(&mut self, key: K, value: V) {
        if let Some((age, _)) = self.values.get(&key) {
            self.ages.remove(age);
        }
        self.ages.insert(self.next, key.clone());
        self.values.insert(key, (self.next, value));
        self.next += 1;
        if self.values.len() > self.most
            && let Some((_, oldest)) = self.ages.pop_first()
        {
            self.values.remove(&oldest);
        }
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&K) -> bool) {
        self.values.retain(|key, _| keep(key));
        self.ages.retain(|_, key| keep(key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_value_goes_first() {
        let mut map = Bounded::new(2);
        map.insert("a", 1);
        map.insert("b", 2);
        map.insert("a", 3);
        map.insert("c", 4);
        assert_eq!(
            (map.get(&"a"), map.get(&"b"), map.get(&"c")),
            (Some(&3), None, Some(&4))
        );
        map.retain(|key| *key != "a");
        map.insert("d", 5);
        assert_eq!(
            (map.get(&"a"), map.get(&"c"), map.get(&"d")),
            (None, Some(&4), Some(&5))
        );
    }
}
