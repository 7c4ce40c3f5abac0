//! How elements hang together: what contains, aggregates, voids, fills, types, groups and classifies what, in all
//! three schemas.
//!
//! Each question is a function of a model and one element, and a method of [`Links`] for those who ask it of many.
//! Relations that run in a circle end after [`DEPTH`] steps. Nothing here looks at geometry.

mod links;
#[cfg(test)]
mod tests;

pub use links::{End, Links};

use crate::{Id, Model, SchemaVersion};

/// How far chains of parents are followed.
pub const DEPTH: usize = 64;

/// An element as related object of an aggregation.
pub const AGGREGATED: End = End { class: "IfcRelAggregates", attribute: "RelatedObjects" };
/// An element as whole of an aggregation.
pub const AGGREGATES: End = End { class: "IfcRelAggregates", attribute: "RelatingObject" };
/// An element as nested part.
pub const NESTED: End = End { class: "IfcRelNests", attribute: "RelatedObjects" };
/// An element as host of nested parts.
pub const NESTS: End = End { class: "IfcRelNests", attribute: "RelatingObject" };
/// An element as contained in a spatial structure.
pub const CONTAINED: End = End { class: "IfcRelContainedInSpatialStructure", attribute: "RelatedElements" };
/// A spatial structure as container.
pub const CONTAINS: End = End { class: "IfcRelContainedInSpatialStructure", attribute: "RelatingStructure" };
/// An element with openings.
pub const VOIDED: End = End { class: "IfcRelVoidsElement", attribute: "RelatingBuildingElement" };
/// An opening in its host.
pub const VOIDS: End = End { class: "IfcRelVoidsElement", attribute: "RelatedOpeningElement" };
/// An opening with its filling.
pub const FILLED: End = End { class: "IfcRelFillsElement", attribute: "RelatingOpeningElement" };
/// A door or window in its opening.
pub const FILLS: End = End { class: "IfcRelFillsElement", attribute: "RelatedBuildingElement" };
/// An element of a type.
pub const TYPED: End = End { class: "IfcRelDefinesByType", attribute: "RelatedObjects" };
/// A type with its elements.
pub const TYPES: End = End { class: "IfcRelDefinesByType", attribute: "RelatingType" };
/// An element with property sets.
pub const DEFINED: End = End { class: "IfcRelDefinesByProperties", attribute: "RelatedObjects" };
/// An element with materials.
pub const MADE_OF: End = End { class: "IfcRelAssociatesMaterial", attribute: "RelatedObjects" };
/// An element with classifications.
pub const CLASSIFIED: End = End { class: "IfcRelAssociatesClassification", attribute: "RelatedObjects" };
/// A member of groups.
pub const GROUPED: End = End { class: "IfcRelAssignsToGroup", attribute: "RelatedObjects" };
/// A group with members.
pub const GROUPS: End = End { class: "IfcRelAssignsToGroup", attribute: "RelatingGroup" };
/// A surface feature on its element (IFC4X3).
pub const ADHERES: End = End { class: "IfcRelAdheresToElement", attribute: "RelatedSurfaceFeatures" };
/// An element with surface features (IFC4X3).
pub const ADHERED: End = End { class: "IfcRelAdheresToElement", attribute: "RelatingElement" };
/// A space or zone as bounded.
pub const BOUNDED: End = End { class: "IfcRelSpaceBoundary", attribute: "RelatingSpace" };
/// An element as boundary of spaces.
pub const BOUNDS: End = End { class: "IfcRelSpaceBoundary", attribute: "RelatedBuildingElement" };

impl Links<'_> {
    fn is_a(&self, id: Id, class: &str) -> bool {
        self.model().get(id).is_some_and(|instance| instance.is_a(class))
    }

    /// The spatial structure that directly contains an element.
    pub fn direct_container(&self, element: Id) -> Option<Id> {
        self.first_across(element, CONTAINED, "RelatingStructure")
    }

    /// The spatial structure that contains an element or, for a part, an opening or a filling, what it belongs to.
    pub fn container(&self, element: Id) -> Option<Id> {
        self.upwards(element).into_iter().find_map(|id| self.direct_container(id))
    }

    /// The nearest of an element itself and what it belongs to that is a storey.
    pub fn storey_of(&self, element: Id) -> Option<Id> {
        self.upwards(element).into_iter().find(|id| self.is_a(*id, "IfcBuildingStorey"))
    }

    /// The nearest of this class among what an element belongs to, itself left out.
    pub fn ancestor(&self, element: Id, class: &str) -> Option<Id> {
        self.upwards(element).into_iter().skip(1).find(|id| self.is_a(*id, class))
    }

    /// An element, what it belongs to, what that belongs to, and so on to the project.
    pub fn upwards(&self, element: Id) -> Vec<Id> {
        let mut chain = vec![element];
        let mut at = element;
        while let Some(parent) = self.parent(at) {
            if chain.contains(&parent) || chain.len() > DEPTH {
                break;
            }
            chain.push(parent);
            at = parent;
        }
        chain
    }

    /// What an element belongs to: its container, whole, host of nested parts, opening filled, element voided, or
    /// element it adheres to, whichever it has first.
    pub fn parent(&self, element: Id) -> Option<Id> {
        self.direct_container(element)
            .or_else(|| self.aggregate_parent(element))
            .or_else(|| self.first_across(element, NESTED, "RelatingObject"))
            .or_else(|| self.opening_of_filling(element))
            .or_else(|| self.host_of_opening(element))
            .or_else(|| self.first_across(element, ADHERES, "RelatingElement"))
    }

    /// The whole of which an element is a part.
    pub fn aggregate_parent(&self, element: Id) -> Option<Id> {
        self.first_across(element, AGGREGATED, "RelatingObject")
    }

    /// The parts of a whole: the storeys of a building, the panels of a curtain wall.
    pub fn children(&self, whole: Id) -> Vec<Id> {
        self.across(whole, AGGREGATES, "RelatedObjects")
    }

    /// The parts nested in an element, such as ports.
    pub fn nested(&self, host: Id) -> Vec<Id> {
        self.across(host, NESTS, "RelatedObjects")
    }

    /// The elements directly contained in a spatial structure.
    pub fn contained(&self, spatial: Id) -> Vec<Id> {
        self.across(spatial, CONTAINS, "RelatedElements")
    }

    /// The element that an opening is in.
    pub fn host_of_opening(&self, opening: Id) -> Option<Id> {
        self.first_across(opening, VOIDS, "RelatingBuildingElement")
    }

    /// The openings in an element.
    pub fn openings_of(&self, host: Id) -> Vec<Id> {
        self.across(host, VOIDED, "RelatedOpeningElement")
    }

    /// The doors and windows in an opening.
    pub fn fillings_of(&self, opening: Id) -> Vec<Id> {
        self.across(opening, FILLED, "RelatedBuildingElement")
    }

    /// The opening that a door or window fills.
    pub fn opening_of_filling(&self, filling: Id) -> Option<Id> {
        self.first_across(filling, FILLS, "RelatingOpeningElement")
    }

    /// Everything below: contained, aggregated, nested, openings, fillings and surface features, at any depth.
    pub fn decomposition(&self, element: Id) -> Vec<Id> {
        let mut found = Vec::new();
        let mut seen = std::collections::HashSet::from([element]);
        let mut open = vec![element];
        while let Some(at) = open.pop() {
            let below = [
                self.contained(at),
                self.children(at),
                self.openings_of(at),
                self.fillings_of(at),
                self.nested(at),
                self.across(at, ADHERED, "RelatedSurfaceFeatures"),
            ];
            for id in below.into_iter().flatten() {
                if seen.insert(id) {
                    found.push(id);
                    open.push(id);
                }
            }
        }
        found
    }

    /// The type of an element; a type is its own.
    pub fn type_of(&self, element: Id) -> Option<Id> {
        if self.is_a(element, "IfcTypeObject") {
            return Some(element);
        }
        self.first_across(element, TYPED, "RelatingType")
    }

    /// The elements of a type.
    pub fn occurrences_of(&self, of_type: Id) -> Vec<Id> {
        self.across(of_type, TYPES, "RelatedObjects")
    }

    /// The material, set or list associated with an element or, failing that, with its type; a usage stands for its
    /// set.
    pub fn material_of(&self, element: Id) -> Option<Id> {
        let own = |id| {
            let material = self.first_across(id, MADE_OF, "RelatingMaterial")?;
            let instance = self.model().get(material)?;
            instance
                .reference("ForLayerSet")
                .or_else(|| instance.reference("ForProfileSet"))
                .or(Some(material))
        };
        own(element).or_else(|| self.type_of(element).filter(|of| *of != element).and_then(own))
    }

    /// The plain materials of an element, one a layer, profile, constituent or list entry, in order; a layer without
    /// a material is left out.
    pub fn materials_of(&self, element: Id) -> Vec<Id> {
        self.material_of(element).map(|material| materials_in(self.model(), material)).unwrap_or_default()
    }

    /// The groups, systems and zones that an element is assigned to.
    pub fn groups_of(&self, element: Id) -> Vec<Id> {
        self.across(element, GROUPED, "RelatingGroup")
    }

    /// Classification references of an element; those of its type count where the element has none of the same
    /// classification.
    pub fn classifications_of(&self, element: Id) -> Vec<Id> {
        let own = self.across(element, CLASSIFIED, "RelatingClassification");
        let Some(of_type) = self.type_of(element).filter(|of| *of != element) else { return own };
        let systems: Vec<Option<Id>> =
            own.iter().map(|id| classification_system(self.model(), *id)).collect();
        let mut all: Vec<Id> = self
            .across(of_type, CLASSIFIED, "RelatingClassification")
            .into_iter()
            .filter(|id| !systems.contains(&classification_system(self.model(), *id)))
            .collect();
        all.extend(own);
        all
    }

    /// The predefined type that counts: the type's, else the element's own; for USERDEFINED what it is called.
    pub fn predefined_type(&self, element: Id) -> Option<String> {
        let text = |id: Id, name: &str| {
            let value = self.model().get(id)?.attr(name);
            value.as_enum().or_else(|| value.as_text()).map(str::to_owned)
        };
        let plain = |id| text(id, "PredefinedType").filter(|value| value != "USERDEFINED");
        if let Some(of_type) = self.type_of(element) {
            let named = plain(of_type).or_else(|| {
                let has_element_type = self.model().get(of_type)?.entity()?.index_of("ElementType").is_some();
                text(of_type, if has_element_type { "ElementType" } else { "ProcessType" })
            });
            if let Some(named) = named.filter(|value| !value.is_empty() && value != "NOTDEFINED") {
                return Some(named);
            }
        }
        plain(element).or_else(|| text(element, "ObjectType"))
    }
}

/// The plain materials that a material, layer set, profile set, constituent set, usage or list comes down to.
pub fn materials_in(model: &Model, material: Id) -> Vec<Id> {
    let Some(instance) = model.get(material) else { return Vec::new() };
    if instance.is_a("IfcMaterial") {
        return vec![material];
    }
    if instance.is_a("IfcMaterialList") {
        return instance.references("Materials");
    }
    if let Some(set) = instance.reference("ForLayerSet").or_else(|| instance.reference("ForProfileSet")) {
        return if set == material { Vec::new() } else { materials_of_members(model, set) };
    }
    materials_of_members(model, material)
}

fn materials_of_members(model: &Model, set: Id) -> Vec<Id> {
    let Some(instance) = model.get(set) else { return Vec::new() };
    let members = ["MaterialLayers", "MaterialProfiles", "MaterialConstituents"]
        .into_iter()
        .map(|name| instance.references(name))
        .find(|members| !members.is_empty())
        .unwrap_or_default();
    let members = if members.is_empty() { vec![set] } else { members };
    members.into_iter().filter_map(|member| model.get(member)?.reference("Material")).collect()
}

/// The IfcClassification that a reference belongs to.
pub fn classification_system(model: &Model, reference: Id) -> Option<Id> {
    let mut at = reference;
    for _ in 0..DEPTH {
        let instance = model.get(at)?;
        if instance.is_a("IfcClassification") {
            return Some(at);
        }
        at = instance.reference("ReferencedSource")?;
    }
    None
}

/// The project: in IFC4 and later an `IfcContext`, before an object.
pub fn project(model: &Model) -> Option<Id> {
    model.of_class("IfcProject").into_iter().next()
}

/// What structures space: in IFC2X3 `IfcSpatialStructureElement`, later `IfcSpatialElement`.
pub fn spatial_class(model: &Model) -> &'static str {
    if model.schema().version() == SchemaVersion::Ifc2x3 {
        "IfcSpatialStructureElement"
    } else {
        "IfcSpatialElement"
    }
}

macro_rules! of_one {
    ($($(#[$doc:meta])* $name:ident -> $answer:ty;)*) => {$(
        $(#[$doc])*
        pub fn $name(model: &Model, element: Id) -> $answer {
            Links::of_one(model).$name(element)
        }
    )*};
}

of_one! {
    /// See [`Links::container`].
    container -> Option<Id>;
    /// See [`Links::direct_container`].
    direct_container -> Option<Id>;
    /// See [`Links::storey_of`].
    storey_of -> Option<Id>;
    /// See [`Links::upwards`].
    upwards -> Vec<Id>;
    /// See [`Links::parent`].
    parent -> Option<Id>;
    /// See [`Links::aggregate_parent`].
    aggregate_parent -> Option<Id>;
    /// See [`Links::children`].
    children -> Vec<Id>;
    /// See [`Links::nested`].
    nested -> Vec<Id>;
    /// See [`Links::contained`].
    contained -> Vec<Id>;
    /// See [`Links::host_of_opening`].
    host_of_opening -> Option<Id>;
    /// See [`Links::openings_of`].
    openings_of -> Vec<Id>;
    /// See [`Links::fillings_of`].
    fillings_of -> Vec<Id>;
    /// See [`Links::opening_of_filling`].
    opening_of_filling -> Option<Id>;
    /// See [`Links::decomposition`].
    decomposition -> Vec<Id>;
    /// See [`Links::type_of`].
    type_of -> Option<Id>;
    /// See [`Links::occurrences_of`].
    occurrences_of -> Vec<Id>;
    /// See [`Links::material_of`].
    material_of -> Option<Id>;
    /// See [`Links::materials_of`].
    materials_of -> Vec<Id>;
    /// See [`Links::groups_of`].
    groups_of -> Vec<Id>;
    /// See [`Links::classifications_of`].
    classifications_of -> Vec<Id>;
    /// See [`Links::predefined_type`].
    predefined_type -> Option<String>;
}

/// The first door or window in an opening.
pub fn filling_of(model: &Model, opening: Id) -> Option<Id> {
    fillings_of(model, opening).into_iter().next()
}
