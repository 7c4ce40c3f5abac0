//! What stands in a room and what keeps clear of furniture: footprints of other things, and the floor before doors.

use super::kinds::Kind;
use crate::author::Author;
use crate::frame::Frame;
use crate::lookup::label;
use crate::polygon::bounds;
use crate::regions;
use crate::solids;
use contract::Fault;
use geometry::Shaper;
use geometry::region::rectangle;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};

/// The most of the floor before a door that is kept clear, in mm.
const CLEAR: f64 = 900.0;
/// Things whose origin lies farther from a room than this are not asked for their shape, in mm.
const NEAR: f64 = 5000.0;

/// A room by its outline.
pub(super) struct Room {
    pub(super) id: Id,
    /// Counter-clockwise, in the world.
    pub(super) outline: Vec<DVec2>,
    /// Height of its floor in the world.
    pub(super) floor: f64,
    /// Its clear height.
    pub(super) height: f64,
}

/// Something that takes up floor.
pub(super) struct Obstacle {
    pub(super) id: Id,
    pub(super) name: String,
    pub(super) footprint: Vec<DVec2>,
    /// True for the floor before a door.
    pub(super) is_door: bool,
}

impl Room {
    /// Reads a room by its body.
    pub(super) fn read(author: &Author, id: Id) -> Result<Self, Fault> {
        let frame = author.frame(id)?;
        let prism =
            solids::prism_of(author.edit, id, author.units().length_mm).filter(|_| frame.is_upright());
        let Some(prism) = prism else {
            return Err(Fault::constraint(format!(
                "The room {} has no upright body with straight edges, so that its walls are not known. Give point and rotation instead.",
                label(author.edit, id)
            ))
            .with("field", "room"));
        };
        let outline: Vec<DVec2> =
            prism.outline.iter().map(|p| frame.transform_point3(p.extend(prism.base)).truncate()).collect();
        Ok(Self {
            id,
            outline: regions::counter_clockwise(&outline),
            floor: frame.translation.z + prism.base,
            height: prism.height,
        })
    }
}

/// The rooms of a storey.
pub(super) fn rooms(author: &Author, storey: Id) -> Vec<Room> {
    relations::children(author.edit, storey)
        .into_iter()
        .filter(|id| author.edit.get(*id).is_some_and(|it| it.is_a("IfcSpace")))
        .filter_map(|id| Room::read(author, id).ok())
        .collect()
}

/// Everything that takes up floor within a box in plan, between two heights, other than what a piece of this kind may stand under or over.
pub(super) fn obstacles(
    author: &Author,
    storey: Id,
    room: Option<&Room>,
    around: (DVec2, DVec2),
    z: (f64, f64),
    kind: Kind,
) -> Vec<Obstacle> {
    const STANDING: [&str; 9] = [
        "IfcFurnishingElement",
        "IfcDistributionElement",
        "IfcTransportElement",
        "IfcTransportationDevice",
        "IfcBuildingElementProxy",
        "IfcColumn",
        "IfcStair",
        "IfcStairFlight",
        "IfcRailing",
    ];
    let mut all = relations::contained(author.edit, storey);
    if let Some(room) = room {
        all.extend(relations::contained(author.edit, room.id));
    } else {
        let spaces = relations::children(author.edit, storey);
        all.extend(spaces.into_iter().flat_map(|space| relations::contained(author.edit, space)));
    }
    let mut found = Vec::new();
    for id in all {
        let Some(element) = author.edit.get(id) else { continue };
        let Ok(frame) = author.frame(id) else { continue };
        let at = frame.translation.truncate();
        if at.cmplt(around.0 - NEAR).any() || at.cmpgt(around.1 + NEAR).any() {
            continue;
        }
        if element.is_a("IfcDoor") {
            found.extend(before_door(author, id, &frame, z));
        } else if STANDING.iter().any(|class| element.is_a(class)) && !goes_with(author, id, kind) {
            found.extend(whole(author, id, &frame, z));
        }
    }
    found
}

/// Returns true if a chair of this kind stands at such a table, or the other way round.
fn goes_with(author: &Author, id: Id, kind: Kind) -> bool {
    let Some(own) = relations::type_of(author.edit, id).and_then(|t| author.edit.get(t)) else {
        return false;
    };
    let predefined = own.attr("PredefinedType").as_enum().map(str::to_owned);
    let word =
        predefined.or_else(|| own.text("ElementType").map(|text| text.to_uppercase())).unwrap_or_default();
    if kind.is_chair() {
        word.contains("TABLE") || word == "DESK"
    } else {
        kind.is_table() && word == "CHAIR"
    }
}

/// The floor that an element takes up: its own rectangle, or those of its parts where it has no shape of its own, as stairs do.
fn whole(author: &Author, id: Id, frame: &Frame, z: (f64, f64)) -> Vec<Obstacle> {
    if let Some(own) = footprint(author, id, frame, z) {
        return vec![own];
    }
    let parts = relations::children(author.edit, id).into_iter();
    let parts = parts.filter_map(|part| footprint(author, part, &author.frame(part).ok()?, z));
    parts.map(|part| Obstacle { id, name: label(author.edit, id), ..part }).collect()
}

/// The rectangle that an element takes up, along its own axes; `None` where it stands lower or hangs higher.
pub(super) fn footprint(author: &Author, id: Id, frame: &Frame, z: (f64, f64)) -> Option<Obstacle> {
    let shaper = Shaper::plain(author.edit);
    let mesh = shaper.element(id).ok()?.mesh();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut own = Vec::with_capacity(mesh.positions.len());
    for p in &mesh.positions {
        let p = *p * 1000.0;
        low = low.min(p.z);
        high = high.max(p.z);
        own.push(frame.into_own(p).truncate());
    }
    if own.is_empty() || !frame.is_upright() || high < z.0 + 10.0 || low > z.1 - 10.0 {
        return None;
    }
    let (from, to) = bounds(&own);
    Some(Obstacle { id, name: label(author.edit, id), footprint: seen(frame, from, to), is_door: false })
}

/// The floor on both sides of a door.
fn before_door(author: &Author, id: Id, frame: &Frame, z: (f64, f64)) -> Option<Obstacle> {
    let door = author.edit.get(id)?;
    let mm = author.units().length_mm;
    let width = door.number("OverallWidth")? * mm;
    let height = door.number("OverallHeight").map_or(2000.0, |height| height * mm);
    if !frame.is_upright() || frame.translation.z > z.1 || frame.translation.z + height < z.0 + 10.0 {
        return None;
    }
    let clear = width.min(CLEAR);
    let footprint = seen(frame, DVec2::new(0.0, -clear), DVec2::new(width, clear + 100.0));
    Some(Obstacle { id, name: label(author.edit, id), footprint, is_door: true })
}

fn seen(frame: &Frame, low: DVec2, high: DVec2) -> Vec<DVec2> {
    rectangle(low, high)
        .into_iter()
        .map(|p| frame.transform_point3(DVec3::new(p.x, p.y, 0.0)).truncate())
        .collect()
}
