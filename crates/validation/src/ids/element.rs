//! One instance and what was found out about it: what several requirements ask is looked up once.

use super::context::Context;
use super::reverse::Step;
use super::sets::{NamedSet, Set};
use ifc::relations::Links;
use ifc::{Entity, Id, Instance, psets};
use std::sync::{Arc, OnceLock};

/// An instance, with what is known of it so far.
pub(super) struct Element<'m> {
    pub id: Id,
    /// None for one that is not there.
    pub instance: Option<Instance<'m>>,
    /// None for one whose class the schema does not have.
    pub class: Option<&'static Entity>,
    /// Its type, itself left out.
    pub(super) of_type: OnceLock<Option<Id>>,
    sets: OnceLock<Vec<NamedSet<'m>>>,
    /// The predefined types that it goes by.
    pub(super) predefined: OnceLock<Vec<String>>,
    /// Its materials, or those of its type.
    materials: OnceLock<Vec<Id>>,
    /// Its classifications.
    pub(super) classifications: OnceLock<Vec<Id>>,
    /// Its wholes, by the place of the relation in the list of relations; last those by any.
    pub(super) wholes: [OnceLock<Vec<Id>>; 6],
}

impl<'m> Context<'m> {
    /// An instance as it is known so far.
    pub fn element(&self, id: Id) -> Arc<Element<'m>> {
        self.elements.get(id, || {
            let instance = self.model.get(id);
            Element {
                id,
                instance,
                class: instance.and_then(|instance| instance.entity()),
                of_type: OnceLock::new(),
                sets: OnceLock::new(),
                predefined: OnceLock::new(),
                materials: OnceLock::new(),
                classifications: OnceLock::new(),
                wholes: Default::default(),
            }
        })
    }

    /// The type of an element, itself left out.
    pub fn type_of(&self, element: &Element<'_>) -> Option<Id> {
        *element.of_type.get_or_init(|| {
            if element.instance.is_some_and(|instance| instance.is_a("IfcTypeObject")) {
                return None;
            }
            self.relations
                .across(element.id, Step::Type)
                .first()
                .copied()
                .filter(|found| *found != element.id)
        })
    }

    /// The materials of an element, or of its type where it has none.
    pub fn materials<'e>(&self, element: &'e Element<'_>) -> &'e [Id] {
        element.materials.get_or_init(|| {
            let own = self.relations.across(element.id, Step::Material);
            if !own.is_empty() {
                return own;
            }
            let of_type = self.type_of(element);
            of_type.map(|of_type| self.relations.across(of_type, Step::Material)).unwrap_or_default()
        })
    }

    /// The property sets of an element by name, each once: its own properties over those of its type.
    pub fn property_sets<'e>(&self, element: &'e Element<'m>) -> &'e [NamedSet<'m>] {
        element.sets.get_or_init(|| {
            let of_type = self.type_of(element).and_then(|of_type| self.model.get(of_type));
            let inherited = of_type.map(|of_type| of_type.references("HasPropertySets")).unwrap_or_default();
            let all = self.definitions(element).into_iter().chain(inherited);
            let sets: Vec<Arc<Set<'m>>> = all.filter_map(|id| self.set(id)).collect();
            NamedSet::grouped(&sets)
        })
    }

    /// The instances of the sets that hang on an element itself.
    fn definitions(&self, element: &Element<'_>) -> Vec<Id> {
        let Some(instance) = element.instance else { return Vec::new() };
        if instance.is_a("IfcObjectDefinition") && !instance.is_a("IfcTypeObject") {
            return self.relations.across(element.id, Step::Definition);
        }
        psets::definitions(&Links::of_one(self.model), element.id)
    }

    fn set(&self, id: Id) -> Option<Arc<Set<'m>>> {
        let instance = self.model.get(id)?;
        Some(self.sets.get(id, || Set::new(instance)))
    }
}
