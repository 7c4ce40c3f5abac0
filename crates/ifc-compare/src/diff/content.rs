//! The content of one instance without what it refers to: a hash of class and attributes, and the references with a
//! mark each that says where in the instance they stand. Read from the bytes of the file; from values only where the
//! instance was edited. Both give the same.
//!
//! Attributes count by name, those that are `$` not at all, so that instances of two schemas compare. Members of a SET
//! count in any order. The GlobalId of a rooted instance is left out: it is what instances are matched by.

use super::hash::{self, Members, mix};
use ifc::Value;
use ifc::schema::{Entity, Kind};

/// The most levels that values may nest.
const DEPTH: usize = 48;

/// The layout of a class, by which the content of its instances is read.
pub(super) struct Plan {
    pub class: u64,
    /// True if the first attribute is a GlobalId.
    pub rooted: bool,
    /// A hash of each attribute's name, and its kind.
    attributes: Vec<(u64, Option<Kind>)>,
}

impl Plan {
    pub(super) fn for_entity(entity: &'static Entity) -> Self {
        let attributes: Vec<_> = entity
            .attributes
            .iter()
            .map(|attribute| (hash::name(attribute.name.as_bytes()), Some(attribute.kind)))
            .collect();
        Self {
            class: hash::name(entity.name.as_bytes()),
            rooted: entity.attributes.first().is_some_and(|first| first.name == "GlobalId"),
            attributes,
        }
    }

    /// For a class that the schema does not have.
    pub(super) fn unknown(name: &str) -> Self {
        Self { class: hash::name(name.as_bytes()), rooted: false, attributes: Vec::new() }
    }

    fn attribute(&self, at: usize) -> (u64, Option<Kind>) {
        self.attributes.get(at).copied().unwrap_or((mix(at as u64, self.class), None))
    }
}

/// The mark of references in the attribute of this name, where it is no list.
pub(super) fn mark_of(attribute: &str) -> u32 {
    short(hash::name(attribute.as_bytes()))
}

fn short(mark: u64) -> u32 {
    (mark >> 32) as u32
}

/// The content of an instance without what it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Content {
    pub hash: u64,
    /// A hash of its GlobalId, if it has one.
    pub guid: Option<u64>,
}

/// Reads contents; references are given to `each` as id and mark, in the order of the attributes.
pub(super) struct Reader<F> {
    pub tolerance: Option<f64>,
    pub each: F,
}

impl<F: FnMut(u32, u32)> Reader<F> {
    /// From the bytes of an instance and where its attributes begin, behind the parenthesis.
    pub(super) fn of_text(&mut self, plan: &Plan, text: &[u8], open: usize) -> Content {
        let mut lexer = Lexer { bytes: text, at: open };
        let mut content = Content { hash: plan.class, guid: None };
        if lexer.next() == Some(b')') {
            return content;
        }
        let mut at = 0;
        loop {
            let start = lexer.at;
            let (mark, kind) = plan.attribute(at);
            match self.text_value(&mut lexer, mark, kind, 0) {
                Some(value) if at == 0 && plan.rooted => {
                    content.guid = lexer.guid(start).map(|raw| mix(hash::raw_text(raw), mark));
                    if content.guid.is_none() {
                        add(&mut content, mark, value);
                    }
                }
                Some(value) => add(&mut content, mark, value),
                None => {
                    // what cannot be read counts as the bytes it has
                    let rest = lexer.bytes.get(start..).unwrap_or_default();
                    content.hash = content.hash.wrapping_add(hash::bytes(rest, mark));
                    return content;
                }
            }
            match lexer.next() {
                Some(b',') => lexer.at += 1,
                _ => return content,
            }
            at += 1;
        }
    }

    /// From values.
    pub(super) fn of_values(&mut self, plan: &Plan, values: &[Value]) -> Content {
        let mut content = Content { hash: plan.class, guid: None };
        for (at, value) in values.iter().enumerate() {
            let (mark, kind) = plan.attribute(at);
            match value {
                Value::Text(guid) if at == 0 && plan.rooted && !guid.is_empty() => {
                    content.guid = Some(mix(hash::plain_text(guid), mark));
                }
                value => {
                    let value = self.value(value, mark, kind, 0);
                    add(&mut content, mark, value);
                }
            }
        }
        content
    }

    fn text_value(
        &mut self,
        lexer: &mut Lexer<'_>,
        mark: u64,
        kind: Option<Kind>,
        depth: usize,
    ) -> Option<u64> {
        let byte = lexer.next()?;
        Some(match byte {
            b'$' => {
                lexer.at += 1;
                hash::NULL
            }
            b'*' => {
                lexer.at += 1;
                hash::DERIVED
            }
            b'\'' => hash::raw_text(lexer.quoted()?),
            b'#' => {
                lexer.at += 1;
                (self.each)(lexer.digits()?, short(mark));
                hash::REFERENCE
            }
            b'(' => {
                lexer.at += 1;
                if depth >= DEPTH {
                    return None;
                }
                let (of, set) = list(kind);
                let mut members = Members::new(set);
                if lexer.next()? == b')' {
                    lexer.at += 1;
                    return Some(members.finish());
                }
                for place in 0u64.. {
                    let mark = if set { mark } else { mix(mark, place) };
                    members.push(self.text_value(lexer, mark, of, depth + 1)?);
                    match lexer.next()? {
                        b',' => lexer.at += 1,
                        b')' => break,
                        _ => return None,
                    }
                }
                lexer.at += 1;
                members.finish()
            }
            b'"' => hash::binary(lexer.between(b'"')?),
            b'.' if !lexer.ahead(1).is_some_and(|b| b.is_ascii_digit()) => match lexer.between(b'.')? {
                b"T" | b"t" => hash::boolean(true),
                b"F" | b"f" => hash::boolean(false),
                b"U" | b"u" => hash::UNKNOWN,
                item => hash::enumeration(item),
            },
            b'0'..=b'9' | b'+' | b'-' | b'.' => lexer.number(self.tolerance)?,
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'!' => {
                let name = lexer.keyword();
                if depth >= DEPTH || lexer.next()? != b'(' {
                    return None;
                }
                lexer.at += 1;
                let inner = self.text_value(lexer, mark, None, depth + 1)?;
                if lexer.next()? != b')' {
                    return None;
                }
                lexer.at += 1;
                hash::typed(name, inner)
            }
            _ => return None,
        })
    }

    fn value(&mut self, value: &Value, mark: u64, kind: Option<Kind>, depth: usize) -> u64 {
        match value {
            Value::Derived => hash::DERIVED,
            Value::Unknown => hash::UNKNOWN,
            Value::Integer(number) => hash::whole(*number, self.tolerance),
            Value::Real(number) => hash::real(*number, self.tolerance),
            Value::Boolean(value) => hash::boolean(*value),
            Value::Text(text) => hash::plain_text(text),
            Value::Enum(item) => hash::enumeration(item.as_bytes()),
            Value::Binary(digits) => hash::binary(digits.as_bytes()),
            Value::Ref(id) => {
                (self.each)(id.0, short(mark));
                hash::REFERENCE
            }
            Value::List(members) if depth < DEPTH => {
                let (of, set) = list(kind);
                let mut hashes = Members::new(set);
                for (place, member) in members.iter().enumerate() {
                    let mark = if set { mark } else { mix(mark, place as u64) };
                    hashes.push(self.value(member, mark, of, depth + 1));
                }
                hashes.finish()
            }
            Value::Typed(name, inner) if depth < DEPTH => {
                hash::typed(name.as_bytes(), self.value(inner, mark, None, depth + 1))
            }
            // no value of a file nests so deep that it comes here as a list
            Value::Null | Value::List(_) | Value::Typed(..) => hash::NULL,
        }
    }
}

fn add(content: &mut Content, mark: u64, value: u64) {
    if value != hash::NULL {
        content.hash = content.hash.wrapping_add(mix(mark, value));
    }
}

fn list(kind: Option<Kind>) -> (Option<Kind>, bool) {
    match kind {
        Some(Kind::List(list)) => (Some(list.of), list.set),
        _ => (None, false),
    }
}

/// Goes over the bytes of an instance.
struct Lexer<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Lexer<'b> {
    /// The next byte that means something.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if byte > b' ' && byte != b'/' {
                return Some(byte);
            }
            if byte == b'/' {
                if self.ahead(1) != Some(b'*') {
                    return Some(byte);
                }
                let rest = self.bytes.get(self.at + 2..)?;
                self.at += memchr::memmem::find(rest, b"*/")? + 4;
            } else {
                self.at += 1;
            }
        }
    }

    fn ahead(&self, by: usize) -> Option<u8> {
        self.bytes.get(self.at + by).copied()
    }

    /// The raw string that begins here.
    fn quoted(&mut self) -> Option<&'b [u8]> {
        let start = self.at + 1;
        self.at = start;
        loop {
            self.at += memchr::memchr(b'\'', self.bytes.get(self.at..)?)? + 1;
            if self.ahead(0) == Some(b'\'') {
                self.at += 1;
            } else {
                return self.bytes.get(start..self.at - 1);
            }
        }
    }

    /// Reads the text between this sign and the next one like it.
    fn between(&mut self, sign: u8) -> Option<&'b [u8]> {
        let start = self.at + 1;
        let length = self.bytes.get(start..)?.iter().position(|b| *b == sign)?;
        self.at = start + length + 1;
        self.bytes.get(start..start + length)
    }

    fn keyword(&mut self) -> &'b [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let is_letter = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'!');
        let length = rest.iter().position(|b| !is_letter(b)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    #[inline]
    fn digits(&mut self) -> Option<u32> {
        let start = self.at;
        let mut value = 0u64;
        while let Some(digit) = self.ahead(0).map(|b| b.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            value = value.saturating_mul(10).saturating_add(digit.into());
            self.at += 1;
        }
        u32::try_from(value).ok().filter(|_| self.at > start)
    }

    /// The GlobalId that was read from here, if it is one.
    fn guid(&self, start: usize) -> Option<&'b [u8]> {
        let mut lexer = Self { bytes: self.bytes, at: start };
        if lexer.next() != Some(b'\'') {
            return None;
        }
        lexer.quoted().filter(|raw| !raw.is_empty())
    }

    #[inline]
    fn number(&mut self, tolerance: Option<f64>) -> Option<u64> {
        let start = self.at;
        let negative = self.ahead(0) == Some(b'-');
        if negative || self.ahead(0) == Some(b'+') {
            self.at += 1;
        }
        // digits before and behind the point as one whole number, as long as that is exact
        let (mut mantissa, mut digits, mut behind, mut point) = (0u64, 0u32, 0i32, false);
        while let Some(byte) = self.ahead(0) {
            match byte {
                b'0'..=b'9' => {
                    mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                    digits += u32::from(mantissa > 0);
                    behind += i32::from(point);
                }
                b'.' if !point => point = true,
                _ => break,
            }
            self.at += 1;
        }
        let mut exponent = 0i32;
        let mut real = point;
        if matches!(self.ahead(0), Some(b'e' | b'E')) {
            real = true;
            self.at += 1;
            let down = self.ahead(0) == Some(b'-');
            if down || self.ahead(0) == Some(b'+') {
                self.at += 1;
            }
            let number = self.digits()?.min(9_999) as i32;
            exponent = if down { -number } else { number };
        }
        if digits <= 15 {
            let number = mantissa as f64;
            let number = if negative { -number } else { number };
            let power = exponent - behind;
            if power == 0 {
                return Some(hash::real(number, tolerance));
            }
            // both exact, so that one operation rounds as reading the text does (Clinger 1990)
            if let Some(ten) = POWERS.get(power.unsigned_abs() as usize) {
                return Some(hash::real(if power < 0 { number / ten } else { number * ten }, tolerance));
            }
        }
        let text = std::str::from_utf8(self.bytes.get(start..self.at)?).ok()?;
        if real {
            let number: f64 = text.parse().ok()?;
            number.is_finite().then(|| hash::real(number, tolerance))
        } else {
            text.parse().ok().map(|number| hash::whole(number, tolerance))
        }
    }
}

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];
