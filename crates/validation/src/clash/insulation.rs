//! Insulation around pipes, ducts and cables: what it is by its class, its materials or its name, and which service it is around.
//!
//! Files say it in several ways: as an IfcCovering of type INSULATION or WRAPPING that covers the pipe (IfcRelCoversBldgElements), that is
//! connected with it or part of it, or that is just drawn around it; and as other elements made of insulation. A wall with a layer of
//! insulation is a wall: a pipe in it is not insulated by it.

use geometry::query::{Element, Interference, Kind};
use ifc::Id;
use ifc::relations::{Links, Part};

/// The names of insulation, as its kind, its layer or its material.
const WORDS: [&str; 18] = [
    "insulation",
    "insulating",
    "mineral wool",
    "glass wool",
    "rock wool",
    "rockwool",
    "dämm",
    "daemm",
    "mineralwolle",
    "isolierung",
    "isolatie",
    "isolation thermique",
    "isolant",
    "isolering",
    "aislamiento",
    "aislante",
    "yalıtım",
    "yalitim",
];

/// Metres by which a hollow insulation and what is in it may go into each other: both are round, and drawn with other chords.
const CHORDS: f64 = 0.005;

/// Classes that are insulation as soon as a part of them is: their other layers are its facing.
const LININGS: [&str; 3] = ["IfcCovering", "IfcBuildingElementProxy", "IfcBuildingElementPart"];

/// Returns true if one of a pair insulates the other, which the file says by a bond of theirs.
pub(super) fn is_stated(links: &Links<'_>, pair: &Interference) -> bool {
    sides(links, pair).is_some()
}

/// Returns true if one of a pair is insulation and lies around the other, a service.
pub(super) fn is_around(links: &Links<'_>, pair: &Interference, [a, b]: [&Element; 2]) -> bool {
    let within = match pair.kind {
        Kind::Inside { .. } => Some(pair.a),
        Kind::Contains { .. } => Some(pair.b),
        Kind::Hard { .. } => None,
        Kind::Duplicate { .. } | Kind::Touching { .. } | Kind::Clearance { .. } => return false,
    };
    let Some(service) = sides(links, pair) else { return false };
    let (own, around) = if service == pair.a { (a, b) } else { (b, a) };
    within.map_or_else(|| is_wrapped(pair, own, around), |within| within == service)
}

/// Returns the service of a pair of which the other is insulation.
fn sides(links: &Links<'_>, pair: &Interference) -> Option<Id> {
    let service = |own: Id, other: Id| is_service(links, own) && is_insulation(links, other);
    if service(pair.a, pair.b) { Some(pair.a) } else { service(pair.b, pair.a).then_some(pair.b) }
}

/// Returns true if most of a service lies in a full body of insulation that is shorter, or if a hollow one is drawn a little too narrow
/// around it, so that the middle of what they share is in the service. A pipe that crosses another's insulation is not wrapped in it.
fn is_wrapped(pair: &Interference, service: &Element, insulation: &Element) -> bool {
    let Kind::Hard { depth, volume: Some(volume) } = pair.kind else { return false };
    let is_mostly_in = volume > 0.5 * service.measures().volume.abs();
    let is_narrow = || depth <= CHORDS && service.contains(pair.place) && !insulation.contains(pair.place);
    is_mostly_in || is_narrow()
}

fn is_service(links: &Links<'_>, id: Id) -> bool {
    is_a(links, id, "IfcDistributionElement") && !is_insulation(links, id)
}

/// Returns true if an element is insulation: a covering of that type; what is called so, where its class says nothing; what is made of
/// nothing else.
pub(super) fn is_insulation(links: &Links<'_>, id: Id) -> bool {
    let is_lining = LININGS.iter().any(|class| is_a(links, id, class));
    let kind = links.predefined_type(id);
    if is_a(links, id, "IfcCovering") && matches!(kind.as_deref(), Some("INSULATION" | "WRAPPING")) {
        return true;
    }
    if is_lining && kind.is_some_and(|kind| is_word(&kind)) {
        return true;
    }
    let parts = links.composition_of(id).map(|own| own.parts).unwrap_or_default();
    let mut solid = parts.iter().filter(|part| part.material.is_some() || part.name.is_some()).peekable();
    let is_so = |part: &Part| is_insulating(links, part);
    solid.peek().is_some() && if is_lining { solid.any(is_so) } else { solid.all(is_so) }
}

/// Returns true if a layer, constituent or material is named or categorised as insulation.
fn is_insulating(links: &Links<'_>, part: &Part) -> bool {
    let material = part.material.and_then(|material| links.model().get(material));
    let said = ["Name", "Category"].map(|attribute| material.as_ref().and_then(|own| own.text(attribute)));
    let [name, category] = said;
    [part.name.clone(), part.category.clone(), name, category]
        .into_iter()
        .flatten()
        .any(|text| is_word(&text))
}

fn is_word(text: &str) -> bool {
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

fn is_a(links: &Links<'_>, id: Id, class: &str) -> bool {
    links.model().get(id).is_some_and(|own| own.is_a(class))
}
