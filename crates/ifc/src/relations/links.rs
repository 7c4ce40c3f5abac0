//! Finds relations from the element by the model's index of referrers, never by a look at all relations.
//!
//! Every relation of IFC is an instance with a relating and a related side. One storey may list ten thousand elements,
//! and each of them may be asked for its storey; who asks of many elements therefore keeps what a relation says.

use crate::{Id, Instance, Model};
use foldhash::{HashMap, HashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// One end of a relation class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct End {
    /// The relation, such as `IfcRelAggregates`; subtypes count.
    pub class: &'static str,
    /// The attribute that must refer to the element, such as `RelatedObjects`.
    pub attribute: &'static str,
}

/// The references of one attribute of a relation.
struct Side {
    /// In the file's order.
    members: Vec<Id>,
    /// The index by id, where there are many to look through.
    sorted: Vec<Id>,
}

/// More members than this are looked through by halves.
const MANY: usize = 32;

impl Side {
    fn read(model: &Model, relation: Id, attribute: &str) -> Self {
        let mut members = model.get(relation).map(|r| r.references(attribute)).unwrap_or_default();
        // a reference to nowhere leads nowhere
        members.retain(|id| model.contains(*id));
        let mut sorted = if members.len() > MANY { members.clone() } else { Vec::new() };
        sorted.sort_unstable();
        Self { members, sorted }
    }

    fn has(&self, id: Id) -> bool {
        if self.sorted.is_empty() {
            self.members.contains(&id)
        } else {
            self.sorted.binary_search(&id).is_ok()
        }
    }
}

/// Keeps each id where it comes first.
fn once(ids: &mut Vec<Id>) {
    // as new ids come, none twice
    if ids.is_sorted_by(|a, b| a < b) {
        return;
    }
    let mut seen = HashSet::default();
    ids.retain(|id| seen.insert(*id));
}

/// A relation of at most so many bytes is read again each time rather than kept: that is faster than to look it up.
const SHORT: usize = 256;

type Sides = HashMap<(Id, &'static str), Rc<Side>>;

/// Finds relations of elements in one model.
pub struct Links<'m> {
    model: &'m Model,
    kept: Option<RefCell<Sides>>,
}

impl<'m> Links<'m> {
    /// Reads a relation each time it is met: right for a few elements.
    pub fn of_one(model: &'m Model) -> Self {
        Self { model, kept: None }
    }

    /// Reads each relation that is met once and keeps what it says: right for many elements. What is never met is
    /// never read.
    pub fn of_many(model: &'m Model) -> Self {
        Self { model, kept: Some(RefCell::default()) }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The relations whose attribute refers to the element, in the order of their ids.
    pub fn relations(&self, element: Id, end: End) -> Vec<Id> {
        let mut found = self.model.referrers_of(element, end.class);
        let mut members = Vec::new();
        found.retain(|id| match self.short(*id) {
            Some(relation) => {
                members.clear();
                relation.add_references(end.attribute, &mut members);
                members.contains(&element)
            }
            None if self.kept.is_none() => {
                self.model.get(*id).is_some_and(|relation| relation.refers_to(end.attribute, element))
            }
            None => self.side(*id, end.attribute).has(element),
        });
        found
    }

    /// A relation that is read as fast as it is looked up.
    fn short(&self, relation: Id) -> Option<Instance<'m>> {
        self.model.get(relation).filter(|instance| (1..=SHORT).contains(&instance.length()))
    }

    /// Adds what an attribute of a relation refers to and is there, in the file's order.
    fn add_members(&self, relation: Id, attribute: &'static str, members: &mut Vec<Id>) {
        let read = if self.kept.is_none() { self.model.get(relation) } else { self.short(relation) };
        if let Some(short) = read {
            let known = members.len();
            short.add_references(attribute, members);
            // a reference to nowhere leads nowhere
            let mut at = 0;
            members.retain(|id| {
                at += 1;
                at <= known || self.model.contains(*id)
            });
        } else {
            members.extend(&self.side(relation, attribute).members);
        }
    }

    fn side(&self, relation: Id, attribute: &'static str) -> Rc<Side> {
        let read = || Rc::new(Side::read(self.model, relation, attribute));
        match &self.kept {
            Some(kept) => Rc::clone(kept.borrow_mut().entry((relation, attribute)).or_insert_with(read)),
            None => read(),
        }
    }

    /// The instances at the other end of the element's relations, without repetition.
    pub fn across(&self, element: Id, end: End, other: &'static str) -> Vec<Id> {
        let mut found = Vec::new();
        for relation in self.relations(element, end) {
            self.add_members(relation, other, &mut found);
        }
        once(&mut found);
        found
    }

    /// As [`Links::across`], with references to nowhere among them: for whoever looks at few of many.
    pub fn listed(&self, element: Id, end: End, other: &'static str) -> Vec<Id> {
        let mut found = Vec::new();
        for relation in self.relations(element, end).into_iter().filter_map(|id| self.model.get(id)) {
            relation.add_references(other, &mut found);
        }
        once(&mut found);
        found
    }

    /// The first of [`Links::across`].
    pub fn first_across(&self, element: Id, end: End, other: &'static str) -> Option<Id> {
        let mut members = Vec::new();
        self.relations(element, end).into_iter().find_map(|relation| {
            self.add_members(relation, other, &mut members);
            members.first().copied()
        })
    }
}
