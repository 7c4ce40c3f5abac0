//! How relations are found: asked of the model one element at a time, or gathered once for many elements.
//!
//! Every relation of IFC is an instance with a relating and a related side. A tool that looks at one element asks the
//! model's index of referrers; a selector that looks at all of them reads each relation once instead.

use crate::{Id, Model};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// One end of a relation class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct End {
    /// The relation, such as `IfcRelAggregates`; subtypes count.
    pub class: &'static str,
    /// The attribute that must refer to the element, such as `RelatedObjects`.
    pub attribute: &'static str,
}

type Gathered = Rc<HashMap<Id, Vec<Id>>>;

/// Finds relations of elements in one model.
pub struct Links<'m> {
    model: &'m Model,
    gathered: Option<RefCell<HashMap<End, Gathered>>>,
}

impl<'m> Links<'m> {
    /// Asks the model for each element: right for a few.
    pub fn of_one(model: &'m Model) -> Self {
        Self { model, gathered: None }
    }

    /// Reads each class of relations once, at its first use: right for many elements.
    pub fn of_many(model: &'m Model) -> Self {
        Self { model, gathered: Some(RefCell::default()) }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The relations whose attribute refers to the element, in the order of their ids.
    pub fn relations(&self, element: Id, end: End) -> Vec<Id> {
        let Some(gathered) = &self.gathered else { return self.asked(element, end) };
        if let Some(map) = gathered.borrow().get(&end) {
            return map.get(&element).cloned().unwrap_or_default();
        }
        let map = Rc::new(self.gather(end));
        gathered.borrow_mut().insert(end, Rc::clone(&map));
        map.get(&element).cloned().unwrap_or_default()
    }

    /// What the relations of the element have at their other end, without repetition.
    pub fn across(&self, element: Id, end: End, other: &str) -> Vec<Id> {
        let mut found = Vec::new();
        for relation in self.relations(element, end) {
            for id in self.model.get(relation).map(|r| r.references(other)).unwrap_or_default() {
                if !found.contains(&id) || found.len() > 64 {
                    found.push(id);
                }
            }
        }
        if found.len() > 64 {
            let mut seen = std::collections::HashSet::new();
            found.retain(|id| seen.insert(*id));
        }
        found
    }

    /// The first of [`Links::across`].
    pub fn first_across(&self, element: Id, end: End, other: &str) -> Option<Id> {
        self.relations(element, end)
            .into_iter()
            .find_map(|relation| self.model.get(relation)?.references(other).into_iter().next())
    }

    fn asked(&self, element: Id, end: End) -> Vec<Id> {
        let mut found = self.model.referrers_of(element, end.class);
        found
            .retain(|id| self.model.get(*id).is_some_and(|r| r.references(end.attribute).contains(&element)));
        found
    }

    fn gather(&self, end: End) -> HashMap<Id, Vec<Id>> {
        let mut relations = self.model.of_class(end.class);
        relations.sort_unstable();
        let mut map: HashMap<Id, Vec<Id>> = HashMap::new();
        for relation in relations {
            for element in self.model.get(relation).map(|r| r.references(end.attribute)).unwrap_or_default() {
                let list = map.entry(element).or_default();
                if list.last() != Some(&relation) {
                    list.push(relation);
                }
            }
        }
        map
    }
}
