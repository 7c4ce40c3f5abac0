//! The meaning of the keys of a path. Words with a meaning of their own come first, then attributes and inverse attributes,
//! then property sets.
//!
//! | key | leads to |
//! | --- | --- |
//! | `class`, `id`, `predefined_type` | the class's name, the number, the predefined type that counts |
//! | `type`, `types`, `occurrences` | the type; the elements of a type |
//! | `material`, `mat`; `materials`, `mats` | the material, set or list, the type's included; its plain materials |
//! | `item`, `i` | the layers, profiles or constituents of a set |
//! | `profiles`, `styles` | the profiles of material or body; the surface styles of materials and body |
//! | `container`, `space`, `storey`, `building`, `site`, `parent` | what it is in, or belongs to |
//! | `host`, `fills` | the element that its opening is in, or that it is an opening of; the opening that it fills |
//! | `part_of`, `parts` | the whole of which it is a part; its own parts |
//! | `openings`, `fillings` | the openings in it; the doors and windows in those, or in it |
//! | `spaces` | the rooms whose boundary it is (IfcRelSpaceBoundary); of a storey or other place, the rooms in it |
//! | `boundaries` | the elements that bound a room; of another element, its space boundaries |
//! | `group`, `system`, `zone`, `classification` | what it is assigned to |
//! | `x`, `y`, `z` | its origin in the world, in the file's unit |
//! | `easting`, `northing`, `elevation` | the same on the map |
//! | `rotation_x`, `rotation_y`, `rotation_z` | its turn about the axes, in degrees |
//! | `count` | how many |

use super::Datum;
use crate::georeference::Georeference;
use crate::psets::{self, Property};
use crate::relations::{self, Links};
use crate::{Id, Instance, Model, placement};

/// The keys with a meaning of their own that lead from an element to a value, but for those of materials and of places on the map.
pub const KEYS: [&str; 34] = [
    "id",
    "class",
    "type",
    "types",
    "occurrences",
    "predefined_type",
    "material",
    "materials",
    "profiles",
    "styles",
    "container",
    "space",
    "storey",
    "building",
    "site",
    "parent",
    "host",
    "fills",
    "part_of",
    "parts",
    "openings",
    "fillings",
    "spaces",
    "boundaries",
    "classification",
    "group",
    "system",
    "zone",
    "x",
    "y",
    "z",
    "easting",
    "northing",
    "count",
];

pub(super) fn of_entity(links: &Links<'_>, id: Id, key: &str) -> Datum {
    let model = links.model();
    let Some(instance) = model.get(id) else { return Datum::Null };
    match key {
        "type" => Datum::entity(links.type_of(id)),
        "material" | "mat" => Datum::entity(links.material_of(id)),
        "materials" | "mats" => Datum::entities(links.materials_of(id)),
        "profiles" => Datum::entities(links.profiles_of(id)),
        "styles" => Datum::entities(links.styles_of(id)),
        "item" | "i" => item(&instance),
        "container" => Datum::entity(links.container(id)),
        "space" => Datum::entity(links.ancestor(id, "IfcSpace")),
        "storey" => Datum::entity(links.ancestor(id, "IfcBuildingStorey")),
        "building" => Datum::entity(links.ancestor(id, "IfcBuilding")),
        "site" => Datum::entity(links.ancestor(id, "IfcSite")),
        "parent" => Datum::entity(links.parent(id)),
        "host" => Datum::entity(links.host_of(id)),
        "fills" => Datum::entity(links.opening_of_filling(id)),
        "part_of" => Datum::entity(links.aggregate_parent(id)),
        "parts" => some(links.children(id)),
        "openings" => some(links.openings_of(id)),
        "fillings" => some(links.all_fillings_of(id)),
        "spaces" => some(links.spaces_of(id)),
        "boundaries" => some(links.bounding(id)),
        "types" | "occurrences" => {
            // a type has one relation to its elements (IfcTypeObject.Types, [0:1]); of several the first counts
            let first = links.relations(id, relations::TYPES).into_iter().next();
            let relation = first.and_then(|relation| model.get(relation));
            Datum::entities(relation.map(|r| r.references("RelatedObjects")).unwrap_or_default())
        }
        "count" => Datum::Whole(1),
        "class" => Datum::Text(instance.class_name().to_owned()),
        "predefined_type" => links.predefined_type(id).map_or(Datum::Null, Datum::Text),
        "id" => Datum::Whole(i64::from(id.0)),
        "classification" => Datum::entities(links.classifications_of(id)),
        "group" => Datum::entities(links.groups_of(id)),
        "system" => Datum::entities(links.systems_of(id)),
        "zone" => Datum::entities(links.zones_of(id)),
        _ => located(model, &instance, key).unwrap_or_else(|| attribute_or_set(links, &instance, key)),
    }
}

/// Several instances; nothing where there are none.
fn some(ids: Vec<Id>) -> Datum {
    if ids.is_empty() { Datum::Null } else { Datum::entities(ids) }
}

/// Returns an element's place or rotation, for the keys that ask for it of what can have a placement.
fn located(model: &Model, instance: &Instance<'_>, key: &str) -> Option<Datum> {
    let axis = match key {
        "x" | "easting" | "rotation_x" => 0,
        "y" | "northing" | "rotation_y" => 1,
        "z" | "elevation" | "rotation_z" => 2,
        _ => return None,
    };
    instance.entity()?.index_of("ObjectPlacement")?;
    let Some(placement) = instance.reference("ObjectPlacement") else { return Some(Datum::Null) };
    let world = placement::world(model, placement)?;
    let values = match key {
        "x" | "y" | "z" => world.translation,
        "easting" | "northing" | "elevation" => match Georeference::from_model(model) {
            Some(georeference) => georeference.to_map(world.translation),
            None => world.translation,
        },
        _ => placement::rotation(&world).map(f64::to_degrees).into(),
    };
    values.to_array().get(axis).map(|value| Datum::Real(*value))
}

fn item(set: &Instance<'_>) -> Datum {
    let attribute = match set.class_name() {
        "IfcMaterialLayerSet" => "MaterialLayers",
        "IfcMaterialProfileSet" => "MaterialProfiles",
        "IfcMaterialConstituentSet" => "MaterialConstituents",
        _ => return Datum::Entity(set.id()),
    };
    Datum::of_attribute(set.model(), set.id(), attribute)
}

fn attribute_or_set(links: &Links<'_>, instance: &Instance<'_>, key: &str) -> Datum {
    let (model, id) = (links.model(), instance.id());
    // the name of a layer set has an attribute of its own
    let name = if key == "Name" && instance.is_a("IfcMaterialLayerSet") { "LayerSetName" } else { key };
    match Datum::of_attribute(model, id, name) {
        Datum::Null => whole_set(links, id, key).map_or(Datum::Null, |set| Datum::Record(without_id(set))),
        found => found,
    }
}

/// The properties of a set by name, in order, with the set's own number under `id`.
pub(super) type Set = Vec<(String, Datum)>;

pub(super) fn without_id(mut properties: Set) -> Set {
    properties.retain(|(name, _)| name != "id");
    properties
}

/// A property set, the type's properties under the element's own; none if there is none of this name. Of several own
/// sets of one name the first counts.
pub(super) fn whole_set(links: &Links<'_>, element: Id, name: &str) -> Option<Set> {
    let model = links.model();
    let (own, inherited) = psets::definitions_of(links, element);
    let named = |ids: Vec<Id>| ids.into_iter().find(|id| set_name(model, *id).is_some_and(|n| n == name));
    let sets = named(inherited).into_iter().chain(named(own)).filter_map(|id| psets::property_set(model, id));
    let set = psets::join_sets(sets)?;
    Some(record(model, set.id, set.properties))
}

pub(super) fn set_name(model: &Model, set: Id) -> Option<String> {
    model.get(set)?.name()
}

/// All sets of an element by name, those of its type first, same names joined.
pub(super) fn sets(links: &Links<'_>, element: Id) -> Vec<(String, Set)> {
    let merged = psets::merged(links, element).into_iter();
    merged.map(|set| (set.name, record(links.model(), set.id, set.properties))).collect()
}

fn record(model: &Model, id: Id, properties: Vec<Property>) -> Set {
    let values = properties.into_iter().map(|property| {
        let value = Datum::of_property(model, &property);
        (property.name, value)
    });
    values.chain([("id".to_owned(), Datum::Whole(i64::from(id.0)))]).collect()
}
