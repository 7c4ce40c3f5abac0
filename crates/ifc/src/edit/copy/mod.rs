//! Copying from another model: what is asked for, what it cannot be without, and on request what gives it meaning (its
//! type, property sets, materials, openings with what fills them, parts, colours). IfcOpenShell does this with
//! `file.add` and `project.append_asset`; here one call brings an element with all of it, or changes nothing.
//!
//! Resources that both models share are taken from the one that is copied into: representation contexts of the same kind, people,
//! units, materials, styles and profiles that say the same. Units that differ are converted or refused, as asked.

mod closure;
mod place;
mod shared;
#[cfg(test)]
mod tests;
mod units;

use super::attributes::refused;
use super::{Edit, EditError, check};
use crate::guid::GuidSource;
use crate::overlay::{Class, Slot, Stored};
use crate::schema::{Attribute, Entity};
use crate::{Id, Model, Value};
use closure::Closure;
use shared::Shared;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The GlobalIds that copies get.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum GlobalIds {
    /// Their own. Where the model has an instance with it already, that one stands for the copy; a relationship gets
    /// the copy's members. A clash of classes is an error.
    #[default]
    Keep,
    /// Their own; one that the model has already is an error.
    Refuse,
    /// New ones, derived from this text (see [`GuidSource`]).
    New(String),
}

/// The owner histories of copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Histories {
    /// It is copied.
    #[default]
    Copy,
    /// This one of the model stands for all.
    Use(Id),
    /// None, where the schema lets it be left out; IFC2X3 does not.
    Drop,
}

/// The place of a copied product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// The chain of placements is copied as it is.
    #[default]
    Chain,
    /// At the same place of the world, relative to nothing.
    World,
    /// At the same place of the world, relative to this placement of the model.
    Under(Id),
}

/// The treatment of units that differ between the models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnitPolicy {
    /// It is an error to copy a measure whose unit differs.
    #[default]
    Refuse,
    /// Measures are converted. What no factor converts (parameters of conics where angles differ, temperatures with
    /// another zero) is an error still.
    Convert,
}

/// Options of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyOptions {
    /// The GlobalIds.
    pub global_ids: GlobalIds,
    /// The owner histories.
    pub histories: Histories,
    /// The place of products.
    pub placement: Placement,
    /// Units that differ.
    pub units: UnitPolicy,
    /// The type of each object.
    pub types: bool,
    /// Property and quantity sets.
    pub property_sets: bool,
    /// Materials, classifications, documents and whatever else is associated.
    pub associations: bool,
    /// Openings in elements, and what fills them.
    pub openings: bool,
    /// Parts of wholes, and what a spatial element contains.
    pub parts: bool,
    /// Also copies statements about copied resources: colours, layers, properties of materials.
    pub descriptions: bool,
    /// A whole model is copied with its faults: values that the schema refuses stay as they are, such as a loop that has a point
    /// twice. So do parameters of curves where units are converted, for these may be angles; who asks for it has converted them.
    pub is_tolerant: bool,
}

impl Default for CopyOptions {
    /// Everything that gives an element meaning.
    fn default() -> Self {
        Self {
            types: true,
            property_sets: true,
            associations: true,
            openings: true,
            parts: true,
            descriptions: true,
            ..Self::bare()
        }
    }
}

impl CopyOptions {
    /// Only what is asked for and what it cannot be without.
    pub fn bare() -> Self {
        Self {
            global_ids: GlobalIds::default(),
            histories: Histories::default(),
            placement: Placement::default(),
            units: UnitPolicy::default(),
            types: false,
            property_sets: false,
            associations: false,
            openings: false,
            parts: false,
            descriptions: false,
            is_tolerant: false,
        }
    }
}

/// The outcome of a copy.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Copied {
    /// For each instance of the other model the one that it is in this.
    pub ids: BTreeMap<Id, Id>,
    /// Those of this model that were there already.
    pub reused: Vec<Id>,
    /// Measures that were converted.
    pub converted: usize,
}

/// Why a copy is refused. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// The other model has no such instance.
    #[error("the other model has no {0}")]
    Missing(Id),
    /// The schemas differ.
    #[error("the other model is {other}, this one {own}: convert it first")]
    Schema {
        /// This model's.
        own: &'static str,
        /// The other's.
        other: &'static str,
    },
    /// A unit differs and may not, or cannot, be converted.
    #[error("{0} differs between the models: {1}")]
    Units(String, &'static str),
    /// A GlobalId that this model has already.
    #[error("the model has {global_id} already: it is {there}, {class}")]
    Taken {
        /// The GlobalId.
        global_id: String,
        /// The instance that has it.
        there: Id,
        /// Its class.
        class: String,
    },
    /// This model has a project already, and a file has one.
    #[error("a model has one IfcProject: copy what is in it")]
    Project,
    /// Instances of the other model refer to each other in a circle.
    #[error("{0} of the other model is made of itself")]
    Circle(Id),
    /// The schema does not allow it.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl Edit {
    /// Copies instances from another model with all that they refer to, and as asked what gives them meaning. Either
    /// all of it is copied or nothing.
    pub fn copy(&mut self, source: &Model, ids: &[Id], options: &CopyOptions) -> Result<Copied, CopyError> {
        let (own, other) = (self.model.schema(), source.schema());
        if own.version() != other.version() {
            return Err(CopyError::Schema { own: own.name(), other: other.name() });
        }
        self.attempt(|edit| Copy::new(edit, source, options).run(ids))
    }
}

/// A copy under way.
struct Copy<'e, 'm> {
    edit: &'e mut Edit,
    source: &'m Model,
    options: &'m CopyOptions,
    shared: Shared,
    guids: Option<GuidSource>,
    scale: units::Scale,
    out: Copied,
}

impl<'e, 'm> Copy<'e, 'm> {
    fn new(edit: &'e mut Edit, source: &'m Model, options: &'m CopyOptions) -> Self {
        let guids = match &options.global_ids {
            GlobalIds::New(seed) => Some(GuidSource::new(seed)),
            _ => None,
        };
        let scale = units::Scale::between(source, edit.model(), options);
        Self { edit, source, options, shared: Shared::default(), guids, scale, out: Copied::default() }
    }

    fn run(mut self, ids: &[Id]) -> Result<Copied, CopyError> {
        let closure = Closure::collect(self.source, ids, self.options)?;
        let placements = self.placements(&closure)?;
        for id in &closure.order {
            let Some(instance) = self.source.get(*id) else { continue };
            let Some(entity) = instance.entity() else {
                return Err(EditError::UnknownClass {
                    class: instance.class_name().to_owned(),
                    schema: self.edit.schema().name(),
                    near: Vec::new(),
                }
                .into());
            };
            if entity.name == "IfcProject" && !self.edit.of_class("IfcProject").is_empty() {
                return Err(CopyError::Project);
            }
            if let Some(made) = placements.get(id) {
                self.out.ids.insert(*id, *made);
                continue;
            }
            let mut values = Vec::with_capacity(entity.attributes.len());
            for (at, attribute) in entity.attributes.iter().enumerate() {
                let value = closure.value(&instance, at);
                values.push(self.carried(*id, attribute, value)?);
            }
            self.scale.apply(entity, &mut values, &mut self.out.converted)?;
            let made = self.put(&closure, *id, entity, values)?;
            self.out.ids.insert(*id, made);
        }
        self.out.reused.sort_unstable();
        self.out.reused.dedup();
        Ok(self.out)
    }

    /// A value with references to the copies.
    fn carried(&mut self, id: Id, attribute: &Attribute, value: Value) -> Result<Value, CopyError> {
        if attribute.name == "OwnerHistory" && attribute.owner == "IfcRoot" {
            match self.options.histories {
                Histories::Use(history) => return Ok(history.into()),
                Histories::Drop if attribute.optional => return Ok(Value::Null),
                _ => {}
            }
        }
        if attribute.name == "GlobalId"
            && attribute.owner == "IfcRoot"
            && let Some(guids) = &mut self.guids
        {
            return Ok(guids.next().into());
        }
        let ids = &self.out.ids;
        value.map_refs(&mut |target| ids.get(&target).copied().ok_or(CopyError::Circle(id)))
    }

    /// The instance that stands for one of the other model: one that is there, or a new one.
    fn put(
        &mut self,
        closure: &Closure,
        id: Id,
        entity: &'static Entity,
        values: Vec<Value>,
    ) -> Result<Id, CopyError> {
        let mut checked = Vec::with_capacity(values.len());
        for (attribute, value) in entity.attributes.iter().zip(values) {
            let as_it_is = self.options.is_tolerant.then(|| value.clone());
            let value = check::attribute(self.edit.model(), attribute, value);
            let value = value.map_err(|refusal| refused(entity, attribute, refusal));
            checked.push(match as_it_is {
                Some(as_it_is) => value.unwrap_or(as_it_is),
                None => value?,
            });
        }
        if entity.is_a(self.edit.schema(), "IfcRoot") {
            let global_id = checked.first().and_then(Value::as_text).unwrap_or_default().to_owned();
            if let Some(there) = self.edit.by_guid(&global_id) {
                return self.taken(closure, id, entity, there, global_id, &checked);
            }
        } else if let Some(there) = self.shared.equal(self.edit.model(), entity, &checked) {
            self.out.reused.push(there);
            return Ok(there);
        }
        let new = self.edit.next()?;
        self.shared.note(entity, &checked, Id(new));
        self.edit.put(new, Slot::Present(Arc::new(Stored { class: Class::Known(entity), values: checked })));
        Ok(Id(new))
    }

    fn taken(
        &mut self,
        closure: &Closure,
        id: Id,
        entity: &'static Entity,
        there: Id,
        global_id: String,
        values: &[Value],
    ) -> Result<Id, CopyError> {
        let class = self.edit.get(there).map(|instance| instance.class_name().to_owned()).unwrap_or_default();
        if self.options.global_ids != GlobalIds::Keep || class != entity.name {
            return Err(CopyError::Taken { global_id, there, class });
        }
        self.out.reused.push(there);
        if let Some(at) = closure.members.get(&id)
            && let (Some(attribute), Some(Value::List(members))) =
                (entity.attributes.get(*at), values.get(*at))
        {
            for member in members.iter().filter_map(Value::as_ref) {
                self.edit.add_to(there, attribute.name, member)?;
            }
        }
        Ok(there)
    }
}
