//! Walks over the text of one instance, token by token, beside what is due at each attribute. Nothing is decoded and
//! nothing kept but faults, so a sound instance costs one look at each of its bytes.
//!
//! Instances that were changed since the file was opened are walked over too, in the text that they would be written
//! as. Any bytes may come: what cannot be read is a fault with its place, and the walk goes on behind it.

mod fault;
mod text;
mod tokens;
mod values;

pub(super) use fault::{Fault, FaultKind, NO_ATTRIBUTE};

use super::due::{AttributeDue, Dues};
use ifc::Model;
use ifc::parts::ClassCodes;
use ifc::schema::Schema;
use text::At;

/// The most levels that lists and typed values may nest.
const DEPTH: usize = 48;

/// Faults of one attribute that are told apart; a list of a million wrong members is wrong once more, not a million
/// times.
const PER_ATTRIBUTE: usize = 16;

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

/// Why a walk over an instance ends before its `)`.
struct Lost;

impl<'m> Walk<'m> {
    pub fn new(model: &'m Model) -> Self {
        let schema = model.schema();
        Self {
            model,
            schema,
            dues: Dues::for_version(schema.version()),
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
}
