//! Relations between elements, in all three schemas. Here: what contains, aggregates, nests, voids, fills and types
//! what (IfcKernel and IfcProductExtension, ISO 16739-1:2018, 5.1 and 5.4); beside it what elements are made of, are
//! connected with, are assigned to, and what is said of them elsewhere.
//!
//! Each question is a method of [`Links`], for one element or many; common ones are also functions of a model.
//! Relations that run in a circle end after [`DEPTH`] steps. Nothing here looks at geometry.

mod assignment;
mod association;
mod connection;
mod links;
mod material;
mod shape;
#[cfg(test)]
mod tests;

pub use assignment::{GROUPED, GROUPS, SERVED, SERVES};
pub use association::{APPROVED, CLASSIFIED, CONSTRAINED, REFERRING, classification_system};
pub use connection::{
    BOUNDED, BOUNDS, Boundary, BoundaryLevel, CONNECTED, CONNECTING, Connection, INTERFERED, INTERFERING,
    PORT, PORT_CONNECTED, PORT_CONNECTING, REALIZES, WITH_PORTS,
};
pub use links::{End, Links};
pub use material::{Composition, MADE_OF, Part, Usage, materials_in};

use crate::{Id, Model, SchemaVersion};
use foldhash::HashSet;

/// The most steps that chains of parents are followed.
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
/// An element that a spatial structure mentions besides its container.
pub const REFERENCED: End = End { class: "IfcRelReferencedInSpatialStructure", attribute: "RelatedElements" };
/// A spatial structure that mentions elements.
pub const REFERENCES: End =
    End { class: "IfcRelReferencedInSpatialStructure", attribute: "RelatingStructure" };
/// A projection on its host.
pub const PROJECTS: End = End { class: "IfcRelProjectsElement", attribute: "RelatedFeatureElement" };
/// An element with projections.
pub const PROJECTED: End = End { class: "IfcRelProjectsElement", attribute: "RelatingElement" };
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
/// A surface feature on its element (IFC4X3).
pub const ADHERES: End = End { class: "IfcRelAdheresToElement", attribute: "RelatedSurfaceFeatures" };
/// An element with surface features (IFC4X3).
pub const ADHERED: End = End { class: "IfcRelAdheresToElement", attribute: "RelatingElement" };
impl Links<'_> {
    pub(crate) fn is_a(&self, id: Id, class: &str) -> bool {
        self.model().get(id).is_some_and(|instance| instance.is_a(class))
    }

    /// The spatial structure that directly contains an element.
    pub fn direct_container(&self, element: Id) -> Option<Id> {
        self.first_across(element, CONTAINED, "RelatingStructure")
    }

    /// The spatial structure that contains an element or, for a part, an opening or a filling, what it belongs to.
    pub fn container(&self, element: Id) -> Option<Id> {
        let mut seen = vec![element];
        loop {
            let at = *seen.last()?;
            // what contains an element is its parent too, so the way up is looked for only where there is none
            if let Some(container) = self.direct_container(at) {
                return Some(container);
            }
            let parent = self.parent(at).filter(|parent| !seen.contains(parent) && seen.len() <= DEPTH)?;
            seen.push(parent);
        }
    }

    /// The nearest of an element itself and what it belongs to that is a storey.
    pub fn storey_of(&self, element: Id) -> Option<Id> {
        self.ascent(element).find(|id| self.is_a(*id, "IfcBuildingStorey"))
    }

    /// The nearest of this class among what an element belongs to, itself left out.
    pub fn ancestor(&self, element: Id, class: &str) -> Option<Id> {
        self.ascent(element).skip(1).find(|id| self.is_a(*id, class))
    }

    /// An element, what it belongs to, what that belongs to, and so on to the project.
    pub fn upwards(&self, element: Id) -> Vec<Id> {
        self.ascent(element).collect()
    }

    /// [`Links::upwards`], each looked for when it is asked for.
    fn ascent(&self, element: Id) -> impl Iterator<Item = Id> + '_ {
        let mut passed: Vec<Id> = Vec::new();
        std::iter::from_fn(move || {
            let next = match passed.last() {
                None => element,
                Some(at) => self.parent(*at).filter(|up| !passed.contains(up) && passed.len() <= DEPTH)?,
            };
            passed.push(next);
            Some(next)
        })
    }

    /// The instance that an element belongs to: its container, whole, host of nested parts, opening filled, element voided, or
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

    /// The element that an opening is in or, of a door or window, that its opening is in.
    pub fn host_of(&self, element: Id) -> Option<Id> {
        self.host_of_opening(element)
            .or_else(|| self.opening_of_filling(element).and_then(|opening| self.host_of_opening(opening)))
    }

    /// The doors and windows in an opening, or in all openings of an element.
    pub fn all_fillings_of(&self, element: Id) -> Vec<Id> {
        let mut found = self.fillings_of(element);
        found.extend(self.openings_of(element).into_iter().flat_map(|opening| self.fillings_of(opening)));
        found
    }

    /// The spatial structures that mention an element besides the one that contains it, such as the further storeys
    /// of a column (IfcRelReferencedInSpatialStructure).
    pub fn referenced_structures(&self, element: Id) -> Vec<Id> {
        self.across(element, REFERENCED, "RelatingStructure")
    }

    /// The elements that a spatial structure mentions without containing them.
    pub fn referenced_elements(&self, spatial: Id) -> Vec<Id> {
        self.across(spatial, REFERENCES, "RelatedElements")
    }

    /// The projections on an element (IfcRelProjectsElement).
    pub fn projections_of(&self, host: Id) -> Vec<Id> {
        self.across(host, PROJECTED, "RelatedFeatureElement")
    }

    /// The element that a projection is on.
    pub fn host_of_projection(&self, projection: Id) -> Option<Id> {
        self.first_across(projection, PROJECTS, "RelatingElement")
    }

    /// The surface features on an element, such as road markings (IfcRelAdheresToElement, IFC4X3).
    pub fn surface_features_of(&self, element: Id) -> Vec<Id> {
        self.across(element, ADHERED, "RelatedSurfaceFeatures")
    }

    /// Everything below: contained, aggregated, nested, openings, fillings and surface features, at any depth.
    pub fn decomposition(&self, element: Id) -> Vec<Id> {
        let mut seen = HashSet::from_iter([element]);
        self.decompose(element, &mut seen)
    }

    /// Adds an element and everything below it that is not there yet.
    pub(crate) fn decompose_into(&self, element: Id, seen: &mut HashSet<Id>) {
        if seen.insert(element) {
            self.decompose(element, seen);
        }
    }

    fn decompose(&self, element: Id, seen: &mut HashSet<Id>) -> Vec<Id> {
        let mut found = Vec::new();
        let mut open = vec![element];
        while let Some(at) = open.pop() {
            let below = [
                self.contained(at),
                self.children(at),
                self.openings_of(at),
                self.fillings_of(at),
                self.nested(at),
                self.surface_features_of(at),
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

/// The project: in IFC4 and later an `IfcContext`, before an object.
pub fn project(model: &Model) -> Option<Id> {
    model.of_class("IfcProject").into_iter().next()
}

/// The class of spatial elements: in IFC2X3 `IfcSpatialStructureElement`, later `IfcSpatialElement`.
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
