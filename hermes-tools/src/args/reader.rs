//! The fast way: strict JSON text straight into typed places.

use std::borrow::Cow;

use super::entries::Entries;
use super::escape::{Escape, escape};
use super::number::in_bounds;
use super::scan::plain_end;
use super::{MAX_DEPTH, Node};
use crate::param::{Param, Slot};
use crate::schema::{Kind, Number, Schema};

/// Reads JSON text from front to back.
///
/// Every method either reads exactly what it is named after or fails; after a failure the reader
/// stands anywhere and is thrown away.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    position: usize,
    depth: usize,
    /// Whether it gave up on something that JSON allows.
    pub(super) surprised: bool,
}

/// The text is not exactly what was asked for. Why is found out on the slow way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfit;

/// Fills the places of all parameters from an object, or says that the slow way is needed.
pub(super) fn read_arguments(
    text: &str,
    params: &[Param],
    slots: &mut [&mut dyn Slot],
) -> Result<(), Unfit> {
    let mut reader = Reader::new(text);
    reader.fields(params, slots)?;
    reader.end()
}

impl<'a> Reader<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self {
            text,
            position: 0,
            depth: 0,
            surprised: false,
        }
    }

    /// Reads `null` if it stands here.
    ///
    /// # Errors
    ///
    /// [`Unfit`] when a word begins like `null` and is another.
    pub fn null(&mut self) -> Result<bool, Unfit> {
        if self.peek() == Some(b'n') {
            self.word("null")?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Reads `true` or `false`.
    ///
    /// # Errors
    ///
    /// [`Unfit`] when neither stands here.
    pub fn boolean(&mut self) -> Result<bool, Unfit> {
        match self.peek() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            _ => Err(Unfit),
        }
    }

    /// Reads a whole number, written as such, within the bounds.
    ///
    /// # Errors
    ///
    /// [`Unfit`] for a fraction, an exponent, a leading zero, or what `i128` cannot hold.
    pub fn integer(&mut self, schema: &Schema) -> Result<i128, Unfit> {
        let value = match self.short_integer() {
            Some(value) => i128::from(value),
            None => self.number_text()?.parse().map_err(|_| Unfit)?,
        };
        in_bounds(Number::Int(value), schema)
            .then_some(value)
            .ok_or(Unfit)
    }

    /// Reads a number within the bounds, as its own text, since every detour costs digits.
    ///
    /// # Errors
    ///
    /// [`Unfit`] when no number stands here or it is infinite as a double.
    pub fn number(&mut self, schema: &Schema) -> Result<&'a str, Unfit> {
        let text = self.number_text()?;
        let value: f64 = text.parse().map_err(|_| Unfit)?;
        (value.is_finite() && in_bounds(Number::Float(value), schema))
            .then_some(text)
            .ok_or(Unfit)
    }

    /// Reads a text within the bounds.
    ///
    /// # Errors
    ///
    /// [`Unfit`] for a raw control character, an impossible escape or half of a surrogate pair.
    pub fn text(&mut self, schema: &Schema) -> Result<Cow<'a, str>, Unfit> {
        let text = self.string()?;
        if schema.min_length > 0 || schema.max_length < u32::MAX {
            let length = text.chars().count();
            if length < schema.min_length as usize || length > schema.max_length as usize {
                return Err(Unfit);
            }
        }
        if schema.pattern.is_some() && !super::pattern::fits(&text, schema.pattern) {
            return Err(Unfit);
        }
        if !schema.values.is_empty() && !schema.values.contains(&&*text) {
            return Err(Unfit);
        }
        Ok(text)
    }

    /// Reads a list, item by item.
    ///
    /// # Errors
    ///
    /// [`Unfit`] when there is no list here, it is too deep, or its length is out of bounds.
    pub fn array(
        &mut self,
        schema: &Schema,
        mut item: impl FnMut(&mut Self) -> Result<(), Unfit>,
    ) -> Result<(), Unfit> {
        self.open(b'[')?;
        let mut count = 0_usize;
        if !self.close(b']') {
            loop {
                item(self)?;
                count += 1;
                if !self.comma(b']')? {
                    break;
                }
            }
        }
        fits_length(count, schema)
    }

    /// Reads an object, entry by entry.
    ///
    /// # Errors
    ///
    /// [`Unfit`] when there is no object here, it is too deep, or its size is out of bounds.
    pub fn object(
        &mut self,
        schema: &Schema,
        mut entry: impl FnMut(&mut Self, Cow<'a, str>) -> Result<(), Unfit>,
    ) -> Result<(), Unfit> {
        self.open(b'{')?;
        let mut count = 0_usize;
        if !self.close(b'}') {
            loop {
                let key = self.string()?;
                self.colon()?;
                entry(self, key)?;
                count += 1;
                if !self.comma(b'}')? {
                    break;
                }
            }
        }
        fits_length(count, schema)
    }

    /// Reads an object into the places of its fields.
    ///
    /// # Errors
    ///
    /// [`Unfit`] unless every field comes under its own name, once, of its own type and within its
    /// bounds, and what is absent may be.
    pub fn fields(&mut self, fields: &[Param], slots: &mut [&mut dyn Slot]) -> Result<(), Unfit> {
        // One bit for each field that was read; more fields than bits take the slow way.
        if fields.len() > 64 || fields.len() != slots.len() {
            return Err(Unfit);
        }
        let mut seen = 0_u64;
        let mut next = 0;
        self.open(b'{')?;
        if !self.close(b'}') {
            loop {
                // Models send arguments in the order of the schema nearly always.
                let expected = fields.get(next).filter(|field| field.has_plain_name());
                let index = if expected.is_some_and(|field| self.skip_key(field.name_bytes())) {
                    next
                } else {
                    let key = self.key()?;
                    let mut names = fields.iter().map(Param::name);
                    names.position(|name| name == key).ok_or(Unfit)?
                };
                if seen & (1 << index) != 0 {
                    return Err(Unfit);
                }
                seen |= 1 << index;
                slots[index].read(self, fields[index].schema())?;
                next = index + 1;
                if !self.comma(b'}')? {
                    break;
                }
            }
        }
        for (index, field) in fields.iter().enumerate() {
            let absent = seen & (1 << index) == 0;
            if absent && !field.has_default() && !slots[index].fill_absent() {
                return Err(Unfit);
            }
        }
        Ok(())
    }

    /// Reads any value as a tree.
    ///
    /// # Errors
    ///
    /// [`Unfit`] when there is none, it is too deep, or an object in it has a key twice.
    pub fn tree(&mut self) -> Result<Node, Unfit> {
        match self.peek().ok_or(Unfit)? {
            b'n' => self.word("null").map(|()| Node::Null),
            b't' | b'f' => self.boolean().map(Node::Bool),
            b'"' => self.string().map(|text| Node::String(text.into_owned())),
            b'[' => {
                let mut items = Vec::new();
                self.array(&Schema::new(Kind::Any), |reader| {
                    items.push(reader.tree()?);
                    Ok(())
                })?;
                Ok(Node::Array(items))
            }
            b'{' => {
                let mut entries = Entries::default();
                self.object(&Schema::new(Kind::Any), |reader, key| {
                    let value = reader.tree()?;
                    match entries.insert(key.into_owned(), value) {
                        Some(_) => Err(reader.surprise()),
                        None => Ok(()),
                    }
                })?;
                Ok(entries.into_node())
            }
            _ => self.number_text().map(|text| Node::Number(text.to_owned())),
        }
    }

    /// The next byte that is not white space.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.position) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.position += 1,
                other => return other.copied(),
            }
        }
    }

    pub(super) fn open(&mut self, bracket: u8) -> Result<(), Unfit> {
        if self.peek() != Some(bracket) {
            return Err(Unfit);
        }
        if self.depth == MAX_DEPTH {
            return Err(self.surprise());
        }
        self.position += 1;
        self.depth += 1;
        Ok(())
    }

    pub(super) fn close(&mut self, bracket: u8) -> bool {
        let closes = self.peek() == Some(bracket);
        if closes {
            self.position += 1;
            self.depth -= 1;
        }
        closes
    }

    /// Reads a comma (true) or the closing bracket (false).
    pub(super) fn comma(&mut self, bracket: u8) -> Result<bool, Unfit> {
        if self.close(bracket) {
            return Ok(false);
        }
        if self.peek() != Some(b',') {
            return Err(Unfit);
        }
        self.position += 1;
        Ok(true)
    }

    pub(super) fn colon(&mut self) -> Result<(), Unfit> {
        if self.peek() != Some(b':') {
            return Err(Unfit);
        }
        self.position += 1;
        Ok(())
    }

    /// Passes a key that has nothing to escape, and its colon, when it stands here.
    fn skip_key(&mut self, name: &[u8]) -> bool {
        self.peek();
        let end = self.position + 1 + name.len();
        let bytes = self.text.as_bytes();
        let stands = bytes.get(self.position) == Some(&b'"')
            && bytes.get(self.position + 1..end) == Some(name)
            && bytes.get(end) == Some(&b'"');
        if stands {
            self.position = end + 1;
        }
        stands && self.colon().is_ok()
    }

    /// Reads a key without escapes, and its colon.
    pub(super) fn key(&mut self) -> Result<&'a str, Unfit> {
        let Cow::Borrowed(key) = self.string()? else {
            return Err(self.surprise());
        };
        self.colon()?;
        Ok(key)
    }

    /// Gives up on something that JSON allows.
    #[cold]
    pub(super) fn surprise(&mut self) -> Unfit {
        self.surprised = true;
        Unfit
    }

    pub(super) fn end(&mut self) -> Result<(), Unfit> {
        if self.peek().is_some() {
            Err(Unfit)
        } else {
            Ok(())
        }
    }

    pub(super) fn word(&mut self, word: &str) -> Result<(), Unfit> {
        if !self.text.as_bytes()[self.position..].starts_with(word.as_bytes()) {
            return Err(Unfit);
        }
        self.position += word.len();
        match self.text.as_bytes().get(self.position) {
            Some(b) if b.is_ascii_alphanumeric() || *b == b'_' => Err(Unfit),
            _ => Ok(()),
        }
    }

    /// Reads a whole number of at most eighteen digits, which fit 64 bits whatever they are, in one
    /// pass; nearly all numbers are such. Reads nothing of anything else.
    fn short_integer(&mut self) -> Option<i64> {
        self.peek();
        let bytes = self.text.as_bytes().get(self.position..)?;
        let sign = usize::from(bytes.first() == Some(&b'-'));
        let mut value = 0_i64;
        let mut end = sign;
        while let Some(digit) = bytes.get(end).filter(|byte| byte.is_ascii_digit()) {
            if end - sign == 18 {
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
            end += 1;
        }
        let count = end - sign;
        let goes_on = bytes
            .get(end)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'));
        if count == 0 || (count > 1 && bytes[sign] == b'0') || goes_on {
            return None;
        }
        self.position += end;
        Some(if sign == 1 { -value } else { value })
    }

    pub(super) fn number_text(&mut self) -> Result<&'a str, Unfit> {
        self.peek();
        let rest = self.text.get(self.position..).ok_or(Unfit)?;
        let length = super::number::json_length(rest.as_bytes()).ok_or(Unfit)?;
        self.position += length;
        Ok(&rest[..length])
    }

    pub(super) fn string(&mut self) -> Result<Cow<'a, str>, Unfit> {
        if self.peek() != Some(b'"') {
            return Err(Unfit);
        }
        self.position += 1;
        let start = self.position;
        self.skip_plain();
        match self.text.as_bytes().get(self.position) {
            Some(b'"') => {
                let text = &self.text[start..self.position];
                self.position += 1;
                Ok(Cow::Borrowed(text))
            }
            Some(b'\\') => self.escaped(start).map(Cow::Owned),
            _ => Err(Unfit),
        }
    }

    /// Moves to the next quote, backslash or control character.
    #[inline]
    fn skip_plain(&mut self) {
        self.position = plain_end(self.text.as_bytes(), self.position, b'"');
    }

    /// Reads the rest of a text whose first escape stands here.
    fn escaped(&mut self, start: usize) -> Result<String, Unfit> {
        let mut text = self.text[start..self.position].to_owned();
        loop {
            match self.text.as_bytes().get(self.position) {
                Some(b'"') => {
                    self.position += 1;
                    return Ok(text);
                }
                Some(b'\\') => match escape(&self.text[self.position..]) {
                    Escape::Character(character, length) => {
                        text.push(character);
                        self.position += length;
                    }
                    Escape::Half => return Err(self.surprise()),
                    Escape::Impossible => return Err(Unfit),
                },
                _ => return Err(Unfit),
            }
            let start = self.position;
            self.skip_plain();
            text.push_str(&self.text[start..self.position]);
        }
    }
}

fn fits_length(count: usize, schema: &Schema) -> Result<(), Unfit> {
    let fits = count >= schema.min_length as usize && count <= schema.max_length as usize;
    fits.then_some(()).ok_or(Unfit)
}
