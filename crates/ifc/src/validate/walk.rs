//! Walks over the text of one instance, token by token, beside what is due at each attribute. Nothing is decoded and
//! nothing kept but faults, so a sound instance costs one look at each of its bytes.
//!
//! Instances that were changed since the file was opened are walked over too, in the text that they would be written
//! as. Any bytes may come: what cannot be read is a fault with its place, and the walk goes on behind it.

use super::due::{AttributeDue, Due, DueList, Dues, type_place};
use super::{guids, strings, unique};
use crate::Model;
use crate::columns::ClassCodes;
use crate::overlay::Slot;
use crate::schema::Schema;
use crate::step::cursor::Cursor;
use crate::step::{quote, text};

/// How deep lists and typed values may nest.
const DEPTH: usize = 48;

/// Faults of one attribute that are told apart; a list of a million wrong members is wrong once more, not a million
/// times.
const PER_ATTRIBUTE: usize = 16;

/// One thing that is wrong with an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    /// Where, from the beginning of the instance's text.
    pub at: usize,
    /// The place of the attribute concerned, from nought; `NO_ATTRIBUTE` for the instance as such.
    pub attribute: u16,
    pub kind: FaultKind,
}

/// For faults that concern no attribute of the class.
pub(super) const NO_ATTRIBUTE: u16 = u16::MAX;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultKind {
    UnknownClass,
    Abstract,
    /// So many attributes there are.
    Count(usize),
    /// No value can be read, for this reason.
    Unreadable(&'static str),
    /// A backslash in a string that is neither doubled nor begins a control directive.
    Directive,
    /// `$`
    Missing,
    /// Not `*`
    NotDerived,
    /// A value of another type.
    Type,
    /// A typed value of a type that the select does not have, or of none that is known.
    TypeName,
    /// A list of so many members.
    Members(usize),
    /// A text of so many characters.
    Characters(usize),
    /// The member that stands here has stood before.
    Twice,
    /// A word that the enumeration does not have.
    Word,
    /// Refers to an instance that is not there.
    Dangling(u32),
    /// Refers to an instance of the wrong class.
    WrongClass(u32),
    /// Not a GlobalId.
    GlobalId,
}

/// A walk; made once for many instances.
pub(super) struct Walk<'m> {
    model: &'m Model,
    schema: &'static Schema,
    dues: &'static Dues,
    pub faults: Vec<Fault>,
    attribute: u16,
    /// Faults found in this attribute.
    found: usize,
}

/// What a reference refers to.
enum Target {
    Missing,
    /// Of a class that the schema does not have, or a complex instance.
    Unknown,
    Class(u16),
}

/// The text that is walked over, and where.
struct At<'t> {
    text: &'t [u8],
    at: usize,
}

impl At<'_> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline]
    fn space(&mut self) {
        if self.peek().is_some_and(|byte| byte <= b' ' || byte == b'/') {
            self.slow_space();
        }
    }

    /// Whether the list here, behind its `(`, is empty.
    fn ends_at_once(&mut self) -> bool {
        self.space();
        self.peek() == Some(b')')
    }

    #[cold]
    fn slow_space(&mut self) {
        let mut cursor = Cursor::new(self.text, self.at);
        cursor.space();
        self.at = cursor.at();
    }
}

/// Why a walk over an instance ends before its `)`.
struct Lost;

impl<'m> Walk<'m> {
    pub fn new(model: &'m Model) -> Self {
        let schema = model.schema();
        Self {
            model,
            schema,
            dues: Dues::of(schema.version()),
            faults: Vec::new(),
            attribute: NO_ATTRIBUTE,
            found: 0,
        }
    }

    /// Walks over an instance of this class code, from behind the `(` at `open`.
    pub fn instance(&mut self, text: &[u8], open: usize, class: u16) {
        let mut at = At { text, at: open + 1 };
        self.attribute = NO_ATTRIBUTE;
        self.found = 0;
        let entity = ClassCodes::entity_id(class).and_then(|id| self.schema.entity_at(id));
        let Some((entity, dues)) = entity.zip(self.dues.attributes(class)) else {
            self.fault(0, FaultKind::UnknownClass);
            if class != ClassCodes::COMPLEX {
                let _ = self.unknown(&mut at);
            }
            return;
        };
        if entity.is_abstract {
            self.fault(0, FaultKind::Abstract);
        }
        let mut count = 0;
        let mut more = !at.ends_at_once();
        for due in dues {
            if !more {
                break;
            }
            self.attribute = count as u16;
            self.found = 0;
            count += 1;
            if self.attribute_value(&mut at, due).is_err() {
                return;
            }
            match at.peek() {
                Some(b',') => at.at += 1,
                _ => more = false,
            }
        }
        self.attribute = NO_ATTRIBUTE;
        self.found = 0;
        while more {
            count += 1;
            if self.any(&mut at, 0).is_err() || self.behind(&mut at).is_err() {
                return;
            }
            match at.peek() {
                Some(b',') => at.at += 1,
                _ => more = false,
            }
        }
        if count != entity.attributes.len() {
            self.fault(0, FaultKind::Count(count));
        }
        self.end(&mut at);
    }

    /// Behind the `)` there is nothing but the `;`.
    fn end(&mut self, at: &mut At<'_>) {
        at.at += 1;
        at.space();
        if !matches!(at.peek(), Some(b';') | None) {
            self.fault(at.at, FaultKind::Unreadable("text stands behind the attributes"));
        }
    }

    fn unknown(&mut self, at: &mut At<'_>) -> Result<(), Lost> {
        if !at.ends_at_once() {
            loop {
                self.any(at, 0)?;
                self.behind(at)?;
                match at.peek() {
                    Some(b',') => at.at += 1,
                    _ => break,
                }
            }
        }
        self.end(at);
        Ok(())
    }

    fn fault(&mut self, at: usize, kind: FaultKind) {
        if self.found < PER_ATTRIBUTE {
            self.faults.push(Fault { at, attribute: self.attribute, kind });
        }
        self.found += 1;
    }

    #[inline]
    fn attribute_value(&mut self, at: &mut At<'_>, due: &'static AttributeDue) -> Result<(), Lost> {
        at.space();
        let attribute = due.attribute;
        match at.peek() {
            Some(b'$') => {
                if attribute.derived {
                    self.fault(at.at, FaultKind::NotDerived);
                } else if !attribute.optional {
                    self.fault(at.at, FaultKind::Missing);
                }
                at.at += 1;
            }
            Some(b'*') => {
                if !attribute.derived {
                    self.fault(at.at, FaultKind::Type);
                }
                at.at += 1;
            }
            _ if attribute.derived => {
                self.fault(at.at, FaultKind::NotDerived);
                self.any(at, 0)?;
            }
            _ => self.value(at, &due.due, 0)?,
        }
        self.behind(at)
    }

    /// Goes to the `,` or `)` behind a value; what stands between is a fault.
    #[inline]
    fn behind(&mut self, at: &mut At<'_>) -> Result<(), Lost> {
        at.space();
        if matches!(at.peek(), Some(b',' | b')')) {
            return Ok(());
        }
        self.fault(at.at, FaultKind::Unreadable("a value needs , or ) behind it"));
        self.skip(at)
    }

    /// Goes to the `,` or `)` that ends the value here, whatever it is.
    fn skip(&mut self, at: &mut At<'_>) -> Result<(), Lost> {
        let mut cursor = Cursor::new(at.text, at.at);
        let end = cursor.skip_value();
        at.at = cursor.at();
        end.map_err(|error| {
            self.fault(error.at, FaultKind::Unreadable(error.message));
            Lost
        })
    }

    /// Takes a value that is not what is due. What cannot be read at all, or refers to nowhere, is told as that.
    fn wrong(&mut self, at: &mut At<'_>, kind: FaultKind, depth: usize) -> Result<(), Lost> {
        let (start, before) = (at.at, self.faults.len());
        let end = self.any(at, depth);
        let worse = |fault: &Fault| matches!(fault.kind, FaultKind::Unreadable(_) | FaultKind::Dangling(_));
        if !self.faults.get(before..).unwrap_or_default().iter().any(worse) {
            self.fault(start, kind);
        }
        end
    }

    fn value(&mut self, at: &mut At<'_>, due: &Due, depth: usize) -> Result<(), Lost> {
        at.space();
        match (at.peek(), due) {
            (Some(b'\''), Due::Text { .. } | Due::GlobalId) => self.text(at, due),
            (Some(b'#'), Due::Entity { .. } | Due::Select(_)) => self.reference(at, due),
            (Some(b'('), Due::List(list)) if depth < DEPTH => self.list(at, list, depth),
            (Some(b'0'..=b'9' | b'-' | b'+'), Due::Real | Due::Number | Due::Integer) => {
                let start = at.at;
                if self.number(at)? == matches!(due, Due::Integer) && !matches!(due, Due::Number) {
                    self.fault(start, FaultKind::Type);
                }
                Ok(())
            }
            (Some(b'.'), Due::Boolean | Due::Logical | Due::Enumeration(_)) => self.word(at, due),
            (Some(b'"'), Due::Binary) => self.any(at, depth),
            (Some(b'A'..=b'Z' | b'a'..=b'z' | b'_'), Due::Select(_)) if depth < DEPTH => {
                self.typed(at, due, depth)
            }
            _ => self.wrong(at, FaultKind::Type, depth),
        }
    }

    fn text(&mut self, at: &mut At<'_>, due: &Due) -> Result<(), Lost> {
        let start = at.at;
        let raw = self.quoted(at)?;
        match due {
            Due::GlobalId if !guids::is_valid(raw) => self.fault(start, FaultKind::GlobalId),
            Due::Text { longest } if raw.len() > *longest as usize => {
                let characters = text::decode(raw).chars().count();
                if characters > *longest as usize {
                    self.fault(start, FaultKind::Characters(characters));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes a string and answers what stands between its quotes.
    #[inline]
    fn quoted<'t>(&mut self, at: &mut At<'t>) -> Result<&'t [u8], Lost> {
        let open = at.at;
        let Some(close) = quote::closing(at.text, open) else {
            self.fault(open, FaultKind::Unreadable("a string is not closed"));
            at.at = at.text.len();
            return Err(Lost);
        };
        at.at = close + 1;
        let raw = at.text.get(open + 1..close).unwrap_or_default();
        if !strings::is_well_formed(raw) {
            self.fault(open, FaultKind::Directive);
        }
        Ok(raw)
    }

    #[inline]
    fn reference(&mut self, at: &mut At<'_>, due: &Due) -> Result<(), Lost> {
        let start = at.at;
        let Some(id) = self.id(at)? else { return Ok(()) };
        match (self.target(id), due) {
            (Target::Missing, _) => self.fault(start, FaultKind::Dangling(id)),
            (Target::Class(code), Due::Entity { first, last }) if !(*first..=*last).contains(&code) => {
                self.fault(start, FaultKind::WrongClass(id));
            }
            (Target::Class(code), Due::Select(select)) if !select.has_class(code) => {
                self.fault(start, FaultKind::WrongClass(id));
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes `#12`.
    #[inline]
    fn id(&mut self, at: &mut At<'_>) -> Result<Option<u32>, Lost> {
        let start = at.at;
        at.at += 1;
        let mut id = 0u64;
        while let Some(digit) = at.peek().map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            id = id.saturating_mul(10).saturating_add(u64::from(digit));
            at.at += 1;
        }
        match u32::try_from(id) {
            Ok(id) if at.at > start + 1 => Ok(Some(id)),
            _ => {
                let message = "a reference needs a number of at most 32 bits behind its #";
                self.fault(start, FaultKind::Unreadable(message));
                self.skip(at)?;
                Ok(None)
            }
        }
    }

    #[inline]
    fn target(&self, id: u32) -> Target {
        let class = match self.model.overlay.get(id) {
            Some(Slot::Removed) => None,
            Some(Slot::Present(stored)) => Some(stored.class.code()),
            None => self.model.base.row(id).map(|row| self.model.base.class(row)),
        };
        match class {
            None => Target::Missing,
            Some(code) if code >= ClassCodes::UNKNOWN => Target::Unknown,
            Some(code) => Target::Class(code),
        }
    }

    fn list(&mut self, at: &mut At<'_>, due: &DueList, depth: usize) -> Result<(), Lost> {
        let start = at.at;
        at.at += 1;
        at.space();
        let mut members = 0usize;
        let (mut last, mut ascending) = (None, true);
        if at.peek() != Some(b')') {
            loop {
                let from = at.at;
                self.value(at, &due.of, depth + 1)?;
                // most sets of references stand in the order of their ids, and then none comes twice
                if let Some(digits) = at.text.get(from..at.at).and_then(|text| text.strip_prefix(b"#")) {
                    let key = (digits.len(), digits);
                    ascending &= last.is_none_or(|last| last < key) && !digits.starts_with(b"0");
                    last = Some(key);
                } else {
                    ascending = false;
                }
                members += 1;
                at.space();
                match at.peek() {
                    Some(b',') => at.at += 1,
                    Some(b')') => break,
                    _ => {
                        self.behind(at)?;
                        if at.peek() != Some(b',') {
                            break;
                        }
                        at.at += 1;
                    }
                }
                at.space();
            }
        }
        at.at += 1;
        let list = due.list;
        if members < list.min as usize || list.max.is_some_and(|max| members > max as usize) {
            self.fault(start, FaultKind::Members(members));
        }
        if (list.set || list.unique) && !ascending && members > 1 {
            let text = at.text.get(start..at.at).unwrap_or_default();
            for place in unique::repeated(text).into_iter().take(PER_ATTRIBUTE) {
                self.fault(start + place, FaultKind::Twice);
            }
        }
        Ok(())
    }

    /// Takes a number; answers whether it is a real.
    #[inline]
    fn number(&mut self, at: &mut At<'_>) -> Result<bool, Lost> {
        let start = at.at;
        if matches!(at.peek(), Some(b'-' | b'+')) {
            at.at += 1;
        }
        let mut digits = digits(at);
        if digits == 0 {
            self.fault(start, FaultKind::Unreadable("a number needs a digit before its point"));
            self.skip(at)?;
            return Ok(true);
        }
        let mut real = false;
        if at.peek() == Some(b'.') {
            at.at += 1;
            self::digits(at);
            real = true;
        }
        let mut exponent = 0;
        if matches!(at.peek(), Some(b'E' | b'e')) {
            at.at += 1;
            if matches!(at.peek(), Some(b'-' | b'+')) {
                at.at += 1;
            }
            exponent = self::digits(at);
            if exponent == 0 || !real {
                self.fault(start, FaultKind::Unreadable("a real needs its point and digits behind E"));
            }
            real = true;
        }
        if exponent > 2 || digits > if real { 300 } else { 18 } {
            let text = std::str::from_utf8(at.text.get(start..at.at).unwrap_or_default()).unwrap_or_default();
            let fits = if real {
                text.parse::<f64>().is_ok_and(f64::is_finite)
            } else {
                text.parse::<i64>().is_ok()
            };
            if !fits {
                digits = 0;
            }
        }
        if digits == 0 {
            self.fault(start, FaultKind::Unreadable("a number beyond the range of numbers"));
        }
        Ok(real)
    }

    fn word(&mut self, at: &mut At<'_>, due: &Due) -> Result<(), Lost> {
        let start = at.at;
        let Some(word) = self.dotted(at)? else { return Ok(()) };
        match due {
            Due::Boolean if matches!(word, b"T" | b"t" | b"F" | b"f") => {}
            Due::Logical if matches!(word, b"T" | b"t" | b"F" | b"f" | b"U" | b"u") => {}
            Due::Enumeration(items) => {
                if !items.iter().any(|item| item.as_bytes().eq_ignore_ascii_case(word)) {
                    self.fault(start, FaultKind::Word);
                }
            }
            _ => self.fault(start, FaultKind::Type),
        }
        Ok(())
    }

    /// Takes `.WORD.`
    fn dotted<'t>(&mut self, at: &mut At<'t>) -> Result<Option<&'t [u8]>, Lost> {
        let start = at.at + 1;
        let mut end = start;
        while at.text.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            end += 1;
        }
        if end == start || at.text.get(end) != Some(&b'.') {
            self.fault(at.at, FaultKind::Unreadable("an enumeration item needs its name between dots"));
            self.skip(at)?;
            return Ok(None);
        }
        at.at = end + 1;
        Ok(at.text.get(start..end))
    }

    /// Takes a keyword and the `(` behind it.
    fn keyword<'t>(&mut self, at: &mut At<'t>) -> Result<Option<&'t [u8]>, Lost> {
        let start = at.at;
        let mut cursor = Cursor::new(at.text, at.at);
        let keyword = cursor.keyword();
        if cursor.take(b'(') {
            at.at = cursor.at();
            return Ok(Some(keyword));
        }
        self.fault(start, FaultKind::Unreadable("a type name needs ( behind it"));
        self.skip(at)?;
        Ok(None)
    }

    fn typed(&mut self, at: &mut At<'_>, due: &Due, depth: usize) -> Result<(), Lost> {
        let start = at.at;
        let Some(name) = self.keyword(at)? else { return Ok(()) };
        let place = std::str::from_utf8(name).ok().and_then(|name| type_place(self.schema, name));
        let inner = place.and_then(|place| self.dues.of_type(place).map(|due| (place, due)));
        match (inner, due) {
            (Some((place, inner)), Due::Select(select)) if select.has_type(place) => {
                self.value(at, inner, depth + 1)?;
            }
            _ => {
                self.fault(start, FaultKind::TypeName);
                self.any(at, depth + 1)?;
            }
        }
        self.close(at)
    }

    /// Takes the `)` behind a typed value.
    fn close(&mut self, at: &mut At<'_>) -> Result<(), Lost> {
        at.space();
        if at.peek() != Some(b')') {
            self.fault(at.at, FaultKind::Unreadable("a typed value needs ) here"));
            while at.peek() == Some(b',') {
                at.at += 1;
                self.skip(at)?;
            }
        }
        at.at += 1;
        Ok(())
    }

    /// Takes any value: nothing is due, but what cannot be read and what refers to nowhere is a fault.
    fn any(&mut self, at: &mut At<'_>, depth: usize) -> Result<(), Lost> {
        at.space();
        if depth > DEPTH {
            self.fault(at.at, FaultKind::Unreadable("values nest too deep"));
            return self.skip(at);
        }
        match at.peek() {
            Some(b'$' | b'*') => at.at += 1,
            Some(b'\'') => {
                self.quoted(at)?;
            }
            Some(b'#') => {
                let start = at.at;
                if let Some(id) = self.id(at)?
                    && matches!(self.target(id), Target::Missing)
                {
                    self.fault(start, FaultKind::Dangling(id));
                }
            }
            Some(b'(') => {
                at.at += 1;
                at.space();
                if at.peek() != Some(b')') {
                    loop {
                        self.any(at, depth + 1)?;
                        self.behind(at)?;
                        if at.peek() != Some(b',') {
                            break;
                        }
                        at.at += 1;
                    }
                }
                at.at += 1;
            }
            Some(b'0'..=b'9' | b'-' | b'+') => {
                self.number(at)?;
            }
            Some(b'.') => {
                self.dotted(at)?;
            }
            Some(b'"') => self.binary(at)?,
            Some(b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'!') => {
                if self.keyword(at)?.is_some() {
                    self.any(at, depth + 1)?;
                    self.close(at)?;
                }
            }
            _ => {
                let message = match at.peek() {
                    None | Some(b',' | b')') => "a value is missing",
                    Some(_) => "no value can begin like this",
                };
                self.fault(at.at, FaultKind::Unreadable(message));
                self.skip(at)?;
            }
        }
        Ok(())
    }

    fn binary(&mut self, at: &mut At<'_>) -> Result<(), Lost> {
        let start = at.at + 1;
        let mut end = start;
        while at.text.get(end).is_some_and(u8::is_ascii_hexdigit) {
            end += 1;
        }
        // the first digit says how many bits of the second do not count (ISO 10303-21, 6.4.6)
        let unused = at.text.get(start).is_some_and(|digit| (b'0'..=b'3').contains(digit));
        if at.text.get(end) == Some(&b'"') && unused {
            at.at = end + 1;
            return Ok(());
        }
        let message = "a binary holds hexadecimal digits between double quotes, the first one 0 to 3";
        self.fault(at.at, FaultKind::Unreadable(message));
        self.skip(at)
    }
}

#[inline]
fn digits(at: &mut At<'_>) -> usize {
    let start = at.at;
    while at.peek().is_some_and(|byte| byte.is_ascii_digit()) {
        at.at += 1;
    }
    at.at - start
}
