//! Replacing a passage in files of 5,000 and of 500,000 lines: to the letter beside a bare search and
//! copy, and by every other strategy, or not at all, beside one pass over trimmed lines.

use memchr::memmem;
use tools_builtin::edit::replace;

use crate::{of_processor, print};

pub(crate) fn tables(rounds: usize) {
    for lines in [5_000, 500_000] {
        let text = text(lines);
        let place = Place::of(lines);
        let exact = place.exact();
        let ways = vec![
            of_processor("memmem: find, unique, replace", || bare(&text, &exact)),
            of_processor("exact", || replace(&text, &exact, NEW, false)),
        ];
        print(&format!("a passage to the letter, {lines} lines"), ways, rounds);
        let trimmed = || text.lines().map(str::trim).filter(|line| *line == exact).count();
        let mut ways = vec![of_processor("one pass over trimmed lines", trimmed)];
        for (name, old, expected) in place.quotations() {
            let text = &text;
            let found = replace(text, &old, NEW, false).map(|replaced| replaced.strategy);
            assert_eq!(found.ok(), expected, "{name}");
            ways.push(of_processor(name, move || replace(text, &old, NEW, false)));
        }
        print(&format!("a passage otherwise, {lines} lines"), ways, rounds);
    }
}

const NEW: &str = "nothing();";

/// Numbered lines of four forms, with tabs, blanks, and typographic characters.
fn text(lines: usize) -> String {
    (0..lines)
        .map(|n| match n % 4 {
            0 => format!("    let value_{n} = compute(\"{n}\",  {n});\n"),
            1 => format!("\tif value_{} > {n} {{\n", n - 1),
            2 => format!("        call_number_{n}(first, second); // “{n}” – x\n"),
            _ => "    }\n".to_owned(),
        })
        .collect()
}

/// The lines that are quoted: three quarters into the file.
struct Place {
    line: usize,
}

impl Place {
    fn of(lines: usize) -> Self {
        Self {
            line: lines / 4 * 3 / 4 * 4,
        }
    }

    fn exact(&self) -> String {
        let n = self.line;
        format!("    let value_{n} = compute(\"{n}\",  {n});")
    }

    /// A quotation for each strategy, and such as are not there.
    fn quotations(&self) -> Vec<(&'static str, String, Option<&'static str>)> {
        let n = self.line;
        let two = |first: &str, end: &str, second: &str| {
            let (a, b) = (format!("let value_{n} = compute(\"{n}\",  {n});"), n + 1);
            format!("{first}{a}{end}{second}if value_{n} > {b} {{")
        };
        vec![
            ("line ends", two("    ", "\r\n", "\t"), Some("line_ends")),
            ("trailing space", two("    ", "  \n", "\t"), Some("trailing_space")),
            ("indentation", two("  ", "\n", "  "), Some("indentation")),
            (
                "white space",
                format!("let value_{n} =  compute(\"{n}\", {n});"),
                Some("white_space"),
            ),
            ("escape sequences", two("    ", "\\n", "\\t"), Some("escape")),
            (
                "typographic characters",
                format!("call_number_{0}(first, second); // \"{0}\" - x", n + 2),
                Some("unicode"),
            ),
            ("a miss: an old line", format!("let value_{n} = compute(\"{n}\", 0);"), None),
            ("a miss: other words", "absent words here\nand more of them".to_owned(), None),
            ("a miss: every word is common", "    }\n    }".to_owned(), None),
        ]
    }
}

fn bare(text: &str, old: &str) -> String {
    let finder = memmem::Finder::new(old);
    let place = finder.find(text.as_bytes()).expect("it is there");
    let behind = place + old.len();
    assert!(finder.find(&text.as_bytes()[behind..]).is_none(), "once");
    let mut new = String::with_capacity(text.len() - old.len() + NEW.len());
    new.push_str(&text[..place]);
    new.push_str(NEW);
    new.push_str(&text[behind..]);
    new
}
