//! Expansion of words: braces, home folders, variables, what commands print, and splitting.

use super::eval::Eval;
use super::field::{BRACKET, Field, QUESTION, STAR, Stream, Taint, UNKNOWN, written};
use super::scope::{Scope, Value};
use super::syntax::{Piece, Variable, Word};

/// How many words one word may become.
const MAX_WORDS: usize = 64;

/// One character of a word on its way.
#[derive(Debug, Clone, Copy)]
enum Unit {
    /// As it is written; globs, braces and `~` count.
    Bare(char),
    /// Only itself.
    Quoted(char),
    /// From a variable or a command: it is split, and globs count.
    Split(char),
    /// Where one word of a list ends and the next begins.
    Break,
    /// Makes a word even where it is empty.
    Empty,
}

impl Eval<'_> {
    /// The words that these become.
    pub(super) fn fields(&mut self, words: &[Word]) -> Vec<Field> {
        let mut fields = Vec::new();
        for word in words {
            self.word_fields(word, &mut fields);
        }
        fields
    }

    /// The one word that this is where the shell does not split, such as an assignment.
    pub(super) fn whole(&mut self, word: &Word) -> Field {
        let (units, taint) = self.units(word);
        let text = self
            .with_home(&units)
            .into_iter()
            .filter_map(|unit| match unit {
                Unit::Bare(c) | Unit::Quoted(c) | Unit::Split(c) => Some(c),
                Unit::Break => Some(' '),
                Unit::Empty => None,
            });
        Field {
            text: text.collect(),
            taint,
        }
    }

    fn word_fields(&mut self, word: &Word, fields: &mut Vec<Field>) {
        let (units, taint) = self.units(word);
        let mut expanded = Vec::new();
        if !self.braces(&units, &mut expanded) {
            fields.push(Field::unknown(taint));
            return;
        }
        for units in expanded {
            let units = self.with_home(&units);
            self.split(&units, taint, fields);
        }
    }

    /// The characters of a word, with variables and commands in it run.
    fn units(&mut self, word: &Word) -> (Vec<Unit>, Taint) {
        let mut units = Vec::new();
        let mut taint = Taint::NONE;
        for piece in word {
            match piece {
                Piece::Bare(text) => units.extend(text.chars().map(Unit::Bare)),
                Piece::Quoted(text) => {
                    units.push(Unit::Empty);
                    units.extend(text.chars().map(Unit::Quoted));
                }
                Piece::Number(inside) => {
                    self.whole(inside);
                    // Some digits; no name and no option.
                    units.push(Unit::Quoted('0'));
                }
                Piece::Process(list) => {
                    let stream = self.subshell(list, Stream::known(""));
                    let path = self.scope.new_file(stream.clone());
                    taint = taint.with(stream.taint);
                    units.extend(path.chars().map(Unit::Quoted));
                }
                Piece::Output { list, quoted } => {
                    let stream = self.subshell(list, Stream::known(""));
                    taint = taint.with(stream.taint);
                    let text = stream.text.unwrap_or_else(|| UNKNOWN.to_string());
                    push(&mut units, text.trim_end_matches('\n'), *quoted);
                }
                Piece::Variable(variable) => {
                    taint = taint.with(self.variable(variable, &mut units));
                }
            }
        }
        self.spend(units.len());
        (units, taint)
    }

    fn variable(&mut self, variable: &Variable, units: &mut Vec<Unit>) -> Taint {
        let operand = self.whole(&variable.operand);
        let second = variable.second.as_ref().map(|second| self.whole(second));
        let all = matches!(variable.index.as_deref(), Some("@" | "*"))
            || matches!(variable.name.as_str(), "@" | "*");
        let value = match (variable.operator, &variable.index) {
            ("length", _) => {
                units.push(Unit::Quoted('0'));
                return Taint::NONE;
            }
            ("!", _) => self
                .scope
                .get(&variable.name)
                .and_then(|name| self.scope.get(&name.first().plain())),
            (_, Some(index)) if !all => self.scope.get(&variable.name).map(|value| {
                let field = index
                    .parse()
                    .ok()
                    .and_then(|index: usize| value.item(index));
                Value::Scalar(field.unwrap_or_else(|| Field::unknown(Taint::NONE)))
            }),
            _ => self.scope.get(&variable.name),
        };
        if all && variable.operator.is_empty() {
            let Some(value) = value else {
                push(units, &UNKNOWN.to_string(), variable.quoted);
                return Taint::NONE;
            };
            let mut taint = Taint::NONE;
            for (index, field) in value.fields().iter().enumerate() {
                if index > 0 {
                    units.push(Unit::Break);
                }
                if variable.quoted {
                    units.push(Unit::Empty);
                }
                push(units, &field.text, variable.quoted);
                taint = taint.with(field.taint);
            }
            return taint;
        }
        let unknown = || Field::unknown(Scope::taint_of(&variable.name));
        let value = value.map(|value| value.first());
        let field = operated(variable.operator, value.clone(), &operand, second.as_ref());
        let field = field.unwrap_or_else(unknown);
        if matches!(variable.operator, "=" | ":=") && value.is_none() {
            self.scope.set(&variable.name, Value::Scalar(field.clone()));
        }
        if variable.quoted {
            units.push(Unit::Empty);
        }
        push(units, &field.text, variable.quoted);
        field.taint
    }

    /// Writes out braces; false when that gives too many words.
    fn braces(&mut self, units: &[Unit], words: &mut Vec<Vec<Unit>>) -> bool {
        self.spend(units.len());
        let open = units
            .iter()
            .position(|unit| matches!(unit, Unit::Bare('{')));
        let Some(open) = open else {
            words.push(units.to_vec());
            return words.len() <= MAX_WORDS;
        };
        let mut depth = 0;
        let mut commas = Vec::new();
        let mut close = None;
        for (index, unit) in units.iter().enumerate().skip(open) {
            match unit {
                Unit::Bare('{') => depth += 1,
                Unit::Bare('}') if depth == 1 => {
                    close = Some(index);
                    break;
                }
                Unit::Bare('}') => depth -= 1,
                Unit::Bare(',') if depth == 1 => commas.push(index),
                _ => {}
            }
        }
        let inside = close.map(|close| &units[open + 1..close]);
        let alternatives: Vec<Vec<Unit>> = match (inside, close) {
            (Some(inside), _) if commas.is_empty() && is_range(inside) => range(inside),
            (Some(_), Some(close)) if !commas.is_empty() => {
                let mut from = open + 1;
                let ends = commas.iter().copied().chain([close]);
                ends.map(|end| {
                    let part = units[from..end].to_vec();
                    from = end + 1;
                    part
                })
                .collect()
            }
            _ => {
                // A brace that is only itself.
                let mut units = units.to_vec();
                units[open] = Unit::Quoted('{');
                if self.is_spent() {
                    return false;
                }
                return self.braces(&units, words);
            }
        };
        let Some(close) = close else { return false };
        for alternative in alternatives {
            let mut word = units[..open].to_vec();
            word.extend(alternative);
            word.extend_from_slice(&units[close + 1..]);
            if self.is_spent() || !self.braces(&word, words) {
                return false;
            }
        }
        true
    }

    /// A `~` at the start becomes a home folder.
    fn with_home(&self, units: &[Unit]) -> Vec<Unit> {
        let Some(Unit::Bare('~')) = units.first() else {
            return units.to_vec();
        };
        let end = units
            .iter()
            .position(|unit| matches!(unit, Unit::Bare('/')));
        let end = end.unwrap_or(units.len());
        let user: Option<String> = units[1..end]
            .iter()
            .map(|unit| match unit {
                Unit::Bare(c) => Some(*c),
                _ => None,
            })
            .collect();
        let home = match user.as_deref() {
            Some("") => self.setting.home.clone(),
            Some("root") => "/root".to_owned(),
            Some("+") => self
                .scope
                .folder
                .clone()
                .unwrap_or_else(|| UNKNOWN.to_string()),
            Some("-") => UNKNOWN.to_string(),
            Some(user) => format!("/home/{user}"),
            None => return units.to_vec(),
        };
        let mut result: Vec<Unit> = home.chars().map(Unit::Quoted).collect();
        result.extend_from_slice(&units[end..]);
        result
    }

    /// Cuts units into words where unquoted text from variables and commands has separators.
    fn split(&self, units: &[Unit], taint: Taint, fields: &mut Vec<Field>) {
        let separators = self.scope.separators();
        let mut text = String::new();
        let mut is_word = false;
        let mut finish = |text: &mut String, is_word: &mut bool| {
            if text.contains(BRACKET) && !text.contains(']') {
                // A bracket that nothing closes is only itself.
                *text = text.replace(BRACKET, "[");
            }
            if *is_word || !text.is_empty() {
                fields.push(Field {
                    text: std::mem::take(text),
                    taint,
                });
            }
            *is_word = false;
        };
        for unit in units {
            match unit {
                Unit::Quoted(character) => text.push(*character),
                Unit::Split(character) if separators.contains(*character) => {
                    finish(&mut text, &mut is_word);
                }
                Unit::Bare(character) | Unit::Split(character) => text.push(globbed(*character)),
                Unit::Break => finish(&mut text, &mut is_word),
                Unit::Empty => is_word = true,
            }
        }
        finish(&mut text, &mut is_word);
    }
}

fn push(units: &mut Vec<Unit>, text: &str, quoted: bool) {
    let unit = if quoted { Unit::Quoted } else { Unit::Split };
    // Globs of a value count again only where it is not quoted.
    units.extend(
        text.chars()
            .map(|c| if quoted { unit(written(c)) } else { unit(c) }),
    );
}

const fn globbed(character: char) -> char {
    match character {
        '*' => STAR,
        '?' => QUESTION,
        '[' => BRACKET,
        _ => character,
    }
}

fn is_range(inside: &[Unit]) -> bool {
    let text: String = inside.iter().copied().filter_map(bare).collect();
    text.contains("..") && text.len() == inside.len()
}

const fn bare(unit: Unit) -> Option<char> {
    match unit {
        Unit::Bare(character) => Some(character),
        _ => None,
    }
}

/// The words of `{1..3}` or `{a..c}`; one unknown word where they are many.
fn range(inside: &[Unit]) -> Vec<Vec<Unit>> {
    let text: String = inside.iter().copied().filter_map(bare).collect();
    let mut ends = text.split("..");
    let (first, last) = (ends.next().unwrap_or(""), ends.next().unwrap_or(""));
    let code = |end: &str| {
        if let Ok(number) = end.parse::<i64>() {
            return Some((number, true));
        }
        let mut characters = end.chars();
        let first = characters.next()?;
        let alone = characters.next().is_none();
        alone.then_some((i64::from(u32::from(first)), false))
    };
    let words = match (code(first), code(last)) {
        (Some((from, a)), Some((to, b))) if a == b && from.abs_diff(to) < 32 => {
            let (low, high) = (from.min(to), from.max(to));
            (low..=high)
                .map(|value| {
                    let letter = u32::try_from(value).ok().and_then(char::from_u32);
                    if a {
                        value.to_string()
                    } else {
                        letter.map(String::from).unwrap_or_default()
                    }
                })
                .collect()
        }
        _ => vec![UNKNOWN.to_string()],
    };
    let units = |word: String| word.chars().map(Unit::Bare).collect();
    words.into_iter().map(units).collect()
}

/// What a variable is with what stands behind its name in braces; none where that cannot be told.
fn operated(
    operator: &str,
    value: Option<Field>,
    operand: &Field,
    second: Option<&Field>,
) -> Option<Field> {
    match operator {
        // What is not set in the line may be set outside; where it is not, the text stands.
        "-" | ":-" | "=" | ":=" => {
            let empty = value.as_ref().is_some_and(|value| value.text.is_empty());
            return match value {
                Some(value) if !(empty && operator.starts_with(':')) => Some(value),
                _ => Some(operand.clone()),
            };
        }
        "+" | ":+" => return Some(operand.clone()),
        "" | "?" | ":?" => return value,
        _ => {}
    }
    let value = value?;
    let text = value.known()?;
    let pattern = operand.known()?;
    let literal = !pattern.contains(['*', '?', '[']);
    let changed = match operator {
        "#" | "##" if literal => text.strip_prefix(&*pattern).unwrap_or(&text).to_owned(),
        "%" | "%%" if literal => text.strip_suffix(&*pattern).unwrap_or(&text).to_owned(),
        "#" | "##" if pattern.starts_with('*') && !pattern[1..].contains(['*', '?', '[']) => {
            let mark = &pattern[1..];
            let at = if operator == "#" {
                text.find(mark)
            } else {
                text.rfind(mark)
            };
            at.map_or(text.clone(), |at| text[at + mark.len()..].to_owned())
        }
        "%" | "%%"
            if pattern.ends_with('*')
                && !pattern[..pattern.len() - 1].contains(['*', '?', '[']) =>
        {
            let mark = &pattern[..pattern.len() - 1];
            let at = if operator == "%" {
                text.rfind(mark)
            } else {
                text.find(mark)
            };
            at.map_or(text.clone(), |at| text[..at].to_owned())
        }
        "/" | "//" | "/#" | "/%" if literal && !pattern.is_empty() => {
            let to = second.map_or(Some(String::new()), Field::known)?;
            match operator {
                "/" => text.replacen(&pattern, &to, 1),
                "//" => text.replace(&pattern, &to),
                "/#" => text
                    .strip_prefix(&*pattern)
                    .map_or(text.clone(), |rest| to + rest),
                _ => text
                    .strip_suffix(&*pattern)
                    .map_or(text.clone(), |rest| rest.to_owned() + &to),
            }
        }
        ":" => {
            let from: usize = pattern.trim().parse().ok()?;
            let length = match second {
                Some(second) => second.known()?.trim().parse().ok()?,
                None => usize::MAX,
            };
            text.chars().skip(from).take(length).collect()
        }
        "^^" if pattern.is_empty() => text.to_uppercase(),
        ",," if pattern.is_empty() => text.to_lowercase(),
        "^" | "," if pattern.is_empty() => {
            let mut characters = text.chars();
            let first = characters.next().map(String::from).unwrap_or_default();
            let first = if operator == "^" {
                first.to_uppercase()
            } else {
                first.to_lowercase()
            };
            first + characters.as_str()
        }
        _ => return None,
    };
    Some(Field {
        text: changed,
        taint: value.taint,
    })
}
