//! Toolsets drawn at random, for runs that make training data.

/// A named list of toolsets, each with the chance, in percent, that a run has it.
///
/// ```
/// use hermes_toolsets::Distribution;
///
/// let research = Distribution::named("research").unwrap();
/// // The caller brings the numbers, from 0 up to but not 100, and with them the seed.
/// let mut numbers = [12.0, 80.0, 3.5, 50.0].into_iter();
/// assert_eq!(research.draw(|| numbers.next().unwrap()), ["web", "vision"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Distribution {
    name: &'static str,
    chances: &'static [(&'static str, u8)],
}

/// The distributions of hermes-agent, sorted by name.
const DISTRIBUTIONS: &[(&str, &[(&str, u8)])] = &[
    (
        "balanced",
        &[
            ("web", 50),
            ("vision", 50),
            ("image_gen", 50),
            ("terminal", 50),
            ("file", 50),
            ("browser", 50),
        ],
    ),
    ("browser_only", &[("browser", 100)]),
    (
        "browser_tasks",
        &[("browser", 97), ("vision", 12), ("terminal", 15)],
    ),
    (
        "browser_use",
        &[("browser", 100), ("web", 80), ("vision", 70)],
    ),
    (
        "creative",
        &[("image_gen", 90), ("vision", 90), ("web", 30)],
    ),
    (
        "default",
        &[
            ("web", 100),
            ("vision", 100),
            ("image_gen", 100),
            ("terminal", 100),
            ("file", 100),
            ("browser", 100),
        ],
    ),
    (
        "development",
        &[("terminal", 80), ("file", 80), ("web", 30), ("vision", 10)],
    ),
    (
        "image_gen",
        &[
            ("image_gen", 90),
            ("vision", 90),
            ("web", 55),
            ("terminal", 45),
        ],
    ),
    ("minimal", &[("web", 100)]),
    (
        "mixed_tasks",
        &[
            ("browser", 92),
            ("terminal", 92),
            ("file", 92),
            ("web", 35),
            ("vision", 15),
            ("image_gen", 15),
        ],
    ),
    ("reasoning", &[("web", 90), ("file", 60), ("terminal", 20)]),
    (
        "research",
        &[
            ("web", 90),
            ("browser", 70),
            ("vision", 50),
            ("terminal", 10),
        ],
    ),
    (
        "safe",
        &[
            ("web", 80),
            ("browser", 70),
            ("vision", 60),
            ("image_gen", 60),
        ],
    ),
    (
        "science",
        &[
            ("web", 94),
            ("terminal", 94),
            ("file", 94),
            ("vision", 65),
            ("browser", 50),
            ("image_gen", 15),
        ],
    ),
    ("terminal_only", &[("terminal", 100), ("file", 100)]),
    (
        "terminal_tasks",
        &[
            ("terminal", 97),
            ("file", 97),
            ("web", 97),
            ("browser", 75),
            ("vision", 50),
            ("image_gen", 10),
        ],
    ),
    (
        "terminal_web",
        &[("terminal", 100), ("file", 100), ("web", 100)],
    ),
];

impl Distribution {
    /// The distribution of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|it| it.name == name)
    }

    /// All distributions, sorted by name.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        let all = DISTRIBUTIONS.iter();
        all.map(|&(name, chances)| Self { name, chances })
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// Toolsets with their chances in percent, in the order in which they are drawn.
    pub const fn chances(self) -> &'static [(&'static str, u8)] {
        self.chances
    }

    /// Draws toolsets, each on its own: `percent` gives an even number from 0 up to but not 100. When
    /// none is drawn, the first with the highest chance is taken.
    pub fn draw(self, mut percent: impl FnMut() -> f64) -> Vec<&'static str> {
        let mut drawn: Vec<&str> = Vec::new();
        for &(name, chance) in self.chances {
            if percent() < f64::from(chance) {
                drawn.push(name);
            }
        }
        if drawn.is_empty() {
            let mut likeliest = self.chances.iter().rev();
            let first = likeliest.by_ref().max_by_key(|(_, chance)| *chance);
            drawn.extend(first.map(|(name, _)| name));
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolsets::Toolsets;

    #[test]
    fn every_toolset_of_a_distribution_exists() {
        let toolsets = Toolsets::linked().unwrap();
        let table = toolsets.with_tools([]);
        assert_eq!(Distribution::all().len(), 17);
        for distribution in Distribution::all() {
            for (name, chance) in distribution.chances() {
                assert!(table.is_known(name), "{name}");
                assert!((1..=100).contains(chance), "{name}");
            }
        }
    }

    #[test]
    fn when_none_is_drawn_the_first_of_the_highest_chance_is_taken() {
        let never = || 99.9;
        let draw = |name| Distribution::named(name).unwrap().draw(never);
        assert_eq!(draw("image_gen"), ["image_gen"]);
        assert_eq!(draw("balanced"), ["web"]);
        assert_eq!(draw("terminal_web"), ["terminal", "file", "web"]);
        assert_eq!(Distribution::named("nothing"), None);
    }
}
