//! Values beside what is due: each kind taken and compared, lists and typed values with what is in them.

use super::text::At;
use super::{DEPTH, Fault, FaultKind, Lost, PER_ATTRIBUTE, Walk};
use crate::due::{Due, DueList, type_place};
use crate::{guids, unique};
use ifc::parts::ClassCodes;
use ifc::parts::Slot;
use ifc::step::text;

/// The target of a reference.
enum Target {
    Missing,
    /// Of a class that the schema does not have, or a complex instance.
    Unknown,
    Class(u16),
}

impl Walk<'_> {
    /// Takes a value that is not what is due. What cannot be read at all, or refers to nowhere, is told as that.
    pub(super) fn wrong(&mut self, at: &mut At<'_>, kind: FaultKind, depth: usize) -> Result<(), Lost> {
        let (start, before) = (at.at, self.faults.len());
        let end = self.any(at, depth);
        let worse = |fault: &Fault| matches!(fault.kind, FaultKind::Unreadable(_) | FaultKind::Dangling(_));
        if !self.faults.get(before..).unwrap_or_default().iter().any(worse) {
            self.fault(start, kind);
        }
        end
    }

    pub(super) fn value(&mut self, at: &mut At<'_>, due: &Due, depth: usize) -> Result<(), Lost> {
        at.space();
        match (at.peek(), due) {
            (Some(b'\''), Due::Text(_) | Due::GlobalId) => self.text(at, due),
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
            (Some(b'"'), Due::Binary(width)) => self.binary(at, *width),
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
            // so few bytes are no more characters than that
            Due::Text(Some(width)) if width.fixed || raw.len() > width.most => {
                let characters = text::decode(raw).chars().count();
                if width.forbids(characters) {
                    self.fault(start, FaultKind::Characters(characters, *width));
                }
            }
            _ => {}
        }
        Ok(())
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

    #[inline]
    fn target(&self, id: u32) -> Target {
        let class = match self.model.overlay().get(id) {
            Some(Slot::Removed) => None,
            Some(Slot::Present(stored)) => Some(stored.class.code()),
            None => self.model.base().row(id).map(|row| self.model.base().class(row)),
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

    /// Takes any value: nothing is due, but what cannot be read and what refers to nowhere is a fault.
    pub(super) fn any(&mut self, at: &mut At<'_>, depth: usize) -> Result<(), Lost> {
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
            Some(b'"') => self.binary(at, None)?,
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
}
