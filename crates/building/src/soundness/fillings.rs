//! Doors and windows that fill no opening, are no part of anything, and stand in nothing that would hold them.

use geometry::query::Element;
use ifc::relations::Links;
use ifc::{Id, Model};

/// The farthest that a door or window stands from what it is in, in metres.
pub const REACH: f64 = 0.050;

/// Classes that hold doors and windows.
const HOSTS: [&str; 10] = [
    "IfcWall",
    "IfcCurtainWall",
    "IfcSlab",
    "IfcRoof",
    "IfcPlate",
    "IfcMember",
    "IfcCovering",
    "IfcBuildingElementPart",
    "IfcBuildingElementProxy",
    "IfcColumn",
];

/// Returns true of a door or window that no relation of the file binds to an opening or a whole.
pub fn is_unbound(links: &Links<'_>, id: Id) -> bool {
    let model = links.model();
    let is_filling = model.get(id).is_some_and(|e| e.is_a("IfcDoor") || e.is_a("IfcWindow"));
    if !is_filling || links.opening_of_filling(id).is_some() {
        return false;
    }
    let up = links.parent(id).filter(|_| links.direct_container(id).is_none());
    let whole = links.aggregate_parent(id).or(up);
    !whole.is_some_and(|whole| model.get(whole).is_some_and(|e| e.is_a("IfcElement")))
}

/// Returns true of an element that may hold a door or window without a relation.
pub fn is_host(model: &Model, id: Id) -> bool {
    model.get(id).is_some_and(|e| HOSTS.iter().any(|class| e.is_a(class)))
}

/// Returns true if a door or window stands in another body: a door stands on its slab, and is not in it.
pub fn stands_in(filling: &Element, host: &Element) -> bool {
    let middle = filling.bounds().centre();
    let is_beside = host.bounds().min.z <= middle.z && middle.z <= host.bounds().max.z;
    is_beside && (host.distance(filling, REACH).is_some() || host.contains(middle))
}
