//! Materials: IFC4 made profiles and constituents into sets of their own, which IFC2X3 has only as lists of materials,
//! and properties of materials and profiles into property sets under agreed names.

use crate::Outcome;
use crate::step::{Fate, Step};
use ifc::schema::Entity;
use ifc::{Id, Instance, Value};

/// The property set that the attributes of an IFC2X3 class belong to (IFC4 ADD2, Pset_Material…).
const SETS: [(&str, &str); 11] = [
    ("IfcGeneralMaterialProperties", "Pset_MaterialCommon"),
    ("IfcMechanicalMaterialProperties", "Pset_MaterialMechanical"),
    ("IfcMechanicalConcreteMaterialProperties", "Pset_MaterialConcrete"),
    ("IfcMechanicalSteelMaterialProperties", "Pset_MaterialSteel"),
    ("IfcThermalMaterialProperties", "Pset_MaterialThermal"),
    ("IfcHygroscopicMaterialProperties", "Pset_MaterialHygroscopic"),
    ("IfcOpticalMaterialProperties", "Pset_MaterialOptical"),
    ("IfcFuelProperties", "Pset_MaterialFuel"),
    ("IfcProductsOfCombustionProperties", "Pset_MaterialCombustion"),
    ("IfcWaterProperties", "Pset_MaterialWater"),
    ("IfcExtendedMaterialProperties", ""),
];

impl Step<'_> {
    /// Usages stand for their sets, and profiles and constituents for their materials.
    pub(super) fn materials_ahead(&mut self) {
        self.substitute("IfcMaterialProfileSetUsage", "ForProfileSet");
        self.substitute("IfcMaterialProfile", "Material");
        self.substitute("IfcMaterialConstituent", "Material");
    }

    pub(super) fn material_part(&mut self, instance: &Instance<'_>) -> Fate {
        let stands = self.substitutes.contains_key(&instance.id().0);
        let reason =
            if stands { "only its material or set is kept" } else { "has no material to stand for it" };
        if stands {
            self.approximated(instance, reason);
            return Fate::Gone;
        }
        self.dropped(instance, reason)
    }

    /// A set of profiles or constituents as the list of their materials.
    pub(super) fn material_list(&mut self, instance: &Instance<'_>) -> Fate {
        let parts = match instance.references("MaterialProfiles") {
            parts if parts.is_empty() => instance.references("MaterialConstituents"),
            parts => parts,
        };
        let mut materials: Vec<Id> = Vec::new();
        for part in parts {
            let material = self.source.get(part).and_then(|part| part.reference("Material"));
            materials.extend(material.filter(|material| !materials.contains(material)));
        }
        if materials.is_empty() {
            return self.dropped(instance, "names no material");
        }
        let attributes = [("Materials", Value::list(materials))];
        let reason = "becomes IfcMaterialList; only the materials are kept";
        self.made(instance, "IfcMaterialList", &attributes, Outcome::Approximated, reason)
    }

    /// Carries over that a material is classified; other references of resources have no equal.
    pub(super) fn material_classification(&mut self, instance: &Instance<'_>) -> Fate {
        let reference = instance.reference("RelatingReference");
        let reference = reference.filter(|id| self.is_a(*id, "IfcClassificationReference"));
        let related = instance.references("RelatedResourceObjects");
        let (Some(reference), [material]) = (reference, related.as_slice()) else {
            return self.dropped(instance, "only classifications of one material have an equal");
        };
        if !self.is_a(*material, "IfcMaterial") {
            return self.dropped(instance, "only classifications of one material have an equal");
        }
        let attributes = [
            ("MaterialClassifications", Value::list([reference])),
            ("ClassifiedMaterial", (*material).into()),
        ];
        let class = "IfcMaterialClassificationRelationship";
        self.made(
            instance,
            class,
            &attributes,
            Outcome::Mapped,
            "is IfcMaterialClassificationRelationship now",
        )
    }

    /// Attributes of a material as property sets, one for each class that declares some of them.
    pub(super) fn material_properties_up(
        &mut self,
        instance: &Instance<'_>,
        entity: &'static Entity,
    ) -> Fate {
        let material = instance.attr("Material");
        if entity.name == "IfcExtendedMaterialProperties" {
            let attributes = [
                ("Name", instance.attr("Name")),
                ("Description", instance.attr("Description")),
                ("Properties", instance.attr("ExtendedProperties")),
                ("Material", material),
            ];
            let reason = "is IfcMaterialProperties now";
            return self.made(instance, "IfcMaterialProperties", &attributes, Outcome::Mapped, reason);
        }
        let mut sets: Vec<(&str, Vec<Id>)> = Vec::new();
        for (attribute, value) in entity.attributes.iter().zip(instance.attributes()) {
            if attribute.name == "Material" {
                continue;
            }
            let set =
                SETS.iter().find(|(class, _)| *class == attribute.owner).map_or("Material", |(_, set)| *set);
            if let Some(property) = self.as_property(instance, entity, attribute, &value) {
                match sets.iter_mut().find(|(name, _)| *name == set) {
                    Some((_, properties)) => properties.push(property),
                    None => sets.push((set, vec![property])),
                }
            }
        }
        let mut sets = sets.into_iter();
        let Some((name, properties)) = sets.next() else {
            return self.dropped(instance, "says nothing that a property set could hold");
        };
        for (name, properties) in sets {
            let attributes = [
                ("Name", name.into()),
                ("Properties", Value::list(properties)),
                ("Material", material.clone()),
            ];
            self.make("IfcMaterialProperties", &attributes);
        }
        let attributes =
            [("Name", name.into()), ("Properties", Value::list(properties)), ("Material", material)];
        self.made(
            instance,
            "IfcMaterialProperties",
            &attributes,
            Outcome::Mapped,
            "is IfcMaterialProperties now",
        )
    }

    /// Attributes of a profile as a property set.
    pub(super) fn profile_properties(&mut self, instance: &Instance<'_>, entity: &'static Entity) -> Fate {
        let mut properties = Vec::new();
        for (attribute, value) in entity.attributes.iter().zip(instance.attributes()) {
            if attribute.owner != "IfcProfileProperties" {
                properties.extend(self.as_property(instance, entity, attribute, &value));
            }
        }
        if properties.is_empty() {
            return self.dropped(instance, "says nothing that a property set could hold");
        }
        let attributes = [
            ("Name", "Pset_ProfileMechanical".into()),
            ("Description", instance.attr("ProfileName")),
            ("Properties", Value::list(properties)),
            ("ProfileDefinition", instance.attr("ProfileDefinition")),
        ];
        self.made(
            instance,
            "IfcProfileProperties",
            &attributes,
            Outcome::Mapped,
            "is IfcProfileProperties now",
        )
    }
}
