//! Types and materials: one type for walls of one kind and thickness, one layer set for it, reused wherever it fits, as
//! a modeller keeps a library and does not make a type per element.

use crate::author::{Author, word};
use crate::layer_priority::category;
use contract::Fault;
use ifc::{Id, Value, relations};

/// One layer of a build-up: material name and thickness in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// The material's name.
    pub material: String,
    /// Its thickness in mm.
    pub thickness: f64,
    /// Its function, or category: core, insulation, finish or another word.
    pub function: Option<String>,
    /// From 0 to 100: of two layers that meet in a corner, the higher runs through.
    pub priority: Option<u8>,
}

impl Layer {
    /// A layer of which no more is said than what it is made of and how thick it is.
    pub fn plain(material: &str, thickness: f64) -> Self {
        Self { material: material.to_owned(), thickness, function: None, priority: None }
    }
}

impl Author<'_> {
    /// The type of this class and name, written with `attributes` if the file has none yet.
    pub fn kind(&mut self, class: &str, name: &str, attributes: &[(&str, Value)]) -> Result<Id, Fault> {
        let known = self.edit.of_text(class, "Name", name).into_iter().find(|id| {
            // a type of another program may bear the name and mean something else
            self.edit
                .get(*id)
                .is_some_and(|t| attributes.iter().all(|(attribute, value)| t.attr(attribute) == *value))
        });
        match known {
            Some(known) => Ok(known),
            None => self.root(class, Some(name), attributes),
        }
    }

    /// Writes a layer with its material, and what is said of its function and priority where the schema has a place for that.
    pub fn material_layer(&mut self, layer: &Layer) -> Result<Id, Fault> {
        let material = self.material(layer.material.trim())?;
        let mut attributes =
            vec![("Material", Value::Ref(material)), ("LayerThickness", self.real(layer.thickness))];
        if !self.legacy() {
            if let Some(function) = &layer.function {
                attributes.push(("Category", category(function).into()));
            }
            if let Some(priority) = layer.priority {
                attributes.push(("Priority", Value::Integer(priority.into())));
            }
        }
        self.create("IfcMaterialLayer", &attributes)
    }

    /// A layer set of one layer, with its material: found by name and thickness, or written.
    pub fn layer_set(&mut self, name: &str, layer: &Layer) -> Result<Id, Fault> {
        let thickness = self.length_in_file_units(layer.thickness);
        let function = layer.function.as_deref().map(category).filter(|_| !self.legacy());
        let priority = layer.priority.map(i64::from).filter(|_| !self.legacy());
        for set in self.edit.of_text("IfcMaterialLayerSet", "LayerSetName", name) {
            let Some(instance) = self.edit.get(set) else { continue };
            let [only] = instance.references("MaterialLayers")[..] else { continue };
            let Some(found) = self.edit.get(only) else { continue };
            let material = found.reference("Material").and_then(|m| self.edit.get(m)).and_then(|m| m.name());
            if found.number("LayerThickness") == Some(thickness)
                && material.as_deref() == Some(&layer.material)
                && found.text("Category").as_deref() == function
                && found.attr("Priority").as_i64() == priority
            {
                return Ok(set);
            }
        }
        let layer = self.material_layer(layer)?;
        self.create(
            "IfcMaterialLayerSet",
            &[("MaterialLayers", Value::list([Value::Ref(layer)])), ("LayerSetName", name.into())],
        )
    }

    /// The use of a layer set along an axis: `AXIS2` for walls, `AXIS3` for slabs; the offset in mm from the reference
    /// line to where the layers begin.
    pub fn layer_set_usage(
        &mut self,
        set: Id,
        direction: &str,
        positive: bool,
        offset: f64,
    ) -> Result<Id, Fault> {
        let sense = if positive { "POSITIVE" } else { "NEGATIVE" };
        let offset = self.length_in_file_units(offset);
        let same = self.edit.referrers_of(set, "IfcMaterialLayerSetUsage").into_iter().find(|id| {
            self.edit.get(*id).is_some_and(|u| {
                u.attr("LayerSetDirection").as_enum() == Some(direction)
                    && u.attr("DirectionSense").as_enum() == Some(sense)
                    && u.number("OffsetFromReferenceLine") == Some(offset)
            })
        });
        match same {
            Some(same) => Ok(same),
            None => self.create(
                "IfcMaterialLayerSetUsage",
                &[
                    ("ForLayerSet", set.into()),
                    ("LayerSetDirection", word(direction)),
                    ("DirectionSense", word(sense)),
                    ("OffsetFromReferenceLine", Value::Real(offset)),
                ],
            ),
        }
    }

    /// The material of this name.
    pub fn material(&mut self, name: &str) -> Result<Id, Fault> {
        let known = self.edit.of_text("IfcMaterial", "Name", name).first().copied();
        match known {
            Some(known) => Ok(known),
            None => self.create("IfcMaterial", &[("Name", name.into())]),
        }
    }

    /// Takes an object out of its type or material relation; the relation goes where nothing is left in it.
    pub fn leave(&mut self, object: Id, relation_class: &str) -> Result<(), Fault> {
        for relation in self.edit.referrers_of(object, relation_class) {
            self.drop_member(relation, "RelatedObjects", object)?;
        }
        Ok(())
    }

    /// Gives an object its type in place of the one that it had.
    pub fn retype(&mut self, object: Id, kind: Id) -> Result<(), Fault> {
        if relations::type_of(self.edit, object) == Some(kind) {
            return Ok(());
        }
        self.leave(object, "IfcRelDefinesByType")?;
        self.type_as(kind, object)
    }

    /// Takes an element out of the spatial structure that contains it.
    pub(crate) fn leave_container(&mut self, element: Id) -> Result<(), Fault> {
        for relation in self.edit.referrers_of(element, "IfcRelContainedInSpatialStructure") {
            self.drop_member(relation, "RelatedElements", element)?;
        }
        Ok(())
    }

    /// Takes a member out of a relation, and the relation away where it was the last.
    pub(crate) fn drop_member(&mut self, relation: Id, attribute: &str, member: Id) -> Result<(), Fault> {
        let Some(instance) = self.edit.get(relation) else { return Ok(()) };
        let members = instance.references(attribute);
        if members.iter().any(|m| *m != member) {
            return self
                .edit
                .remove_from(relation, attribute, member)
                .map_err(|e| crate::author::refused(&e));
        }
        let uses = instance
            .reference("RelatingMaterial")
            .or_else(|| instance.reference("RelatingPropertyDefinition"));
        self.edit.remove(relation).map_err(|e| crate::author::refused(&e))?;
        match uses {
            Some(uses) => self.discard(uses),
            None => Ok(()),
        }
    }
}
