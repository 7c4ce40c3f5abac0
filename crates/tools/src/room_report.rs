//! The parts of an answer about a room: its measures, neighbours, doors and windows, what is around it and in it.

use crate::elements::{brief, id_of, name_of, number_json};
use geometry::Scene;
use ifc::relations::Links;
use ifc::units::Units;
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use spatial::adjacency::Through;
use spatial::exposure::{COMPASS, Exposure, compass};
use spatial::measures::{RoomMeasures, passages_of};
use spatial::passage::{Passage, PassageKind, Side};
use spatial::{Layout, Room, stored};
use std::collections::BTreeMap;

/// A length in metres as whole mm.
pub(crate) fn mm(metres: f64) -> Value {
    number_json((metres * 1e3).round())
}

/// An area or a volume to three decimals.
pub(crate) fn rounded(value: f64) -> Value {
    number_json((value * 1e3).round() / 1e3)
}

/// The other side of a door or a wall: the room's id, `outdoors`, or `building` for a part that is no room.
pub(crate) fn side_id(layout: &Layout, side: Side) -> String {
    match side {
        Side::Room(n) => layout.rooms.rooms.get(n).map(|room| room.id.clone()).unwrap_or_default(),
        Side::Outdoors => "outdoors".to_owned(),
        Side::Building => "building".to_owned(),
    }
}

fn side_name(layout: &Layout, side: Side) -> Option<String> {
    match side {
        Side::Room(n) => layout.rooms.rooms.get(n).filter(|room| !room.is_found()).map(Room::label),
        _ => None,
    }
}

/// A neighbour.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Neighbour {
    /// Room id, `outdoors`, or `building`: a part without a room.
    room: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// `door`, `opening`, `window`, `wall`, `slab`.
    through: &'static str,
    /// Shared in plan, mm; none for slabs.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<Value>,
    /// Shared m².
    area: Value,
    /// Ids of what lies between; none where both are open to each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elements: Vec<String>,
}

/// A door, window or opening.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Opening {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Of the opening, mm.
    width: Value,
    height: Value,
    /// mm over the room's floor.
    sill: Value,
    /// Room id, `outdoors`, `building`.
    to: Vec<String>,
    /// Point of the compass, where it opens a wall to the outside.
    #[serde(skip_serializing_if = "Option::is_none")]
    faces: Option<&'static str>,
}

/// An element around the room.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Around {
    /// None where the room is open.
    #[serde(skip_serializing_if = "Map::is_empty")]
    element: Map<String, Value>,
    /// `floor`, `ceiling`, or the point of the compass.
    side: &'static str,
    /// Contact in m², openings not taken off.
    area: Value,
    /// mm between room and element, where they do not touch.
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Value>,
}

/// A quantity of the file beside the computed one.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct QuantityRow {
    stored: Value,
    computed: Value,
    /// Stored less computed, where it is more than 1 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Value>,
}

/// Heights in mm.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Heights {
    /// Least clear height.
    least: Value,
    /// Volume over gross area.
    mean: Value,
    /// Levels of the floor: height of the world in mm, m².
    #[serde(skip_serializing_if = "Vec::is_empty")]
    levels: Vec<[Value; 2]>,
}

/// Free floor: the diameter of the largest circle on it, in mm.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Width {
    room: Value,
    /// Beside what stands in the room.
    furnished: Value,
}

/// Surface to the outside, m².
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Outside {
    /// By point of the compass from true north: wall with openings, windows and doors in it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    facades: BTreeMap<&'static str, BTreeMap<&'static str, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roof: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roof_windows: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor_outdoors: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor_on_ground: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    walls_in_ground: Option<Value>,
}

/// Windows and daylight.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Daylight {
    /// Window area over net floor area.
    window_to_floor: Value,
    /// Mean daylight factor, %: 0.9·0.68·0.75·Aw·θ / (A·(1−0.5²)), BS 8206-2; θ is the sky seen past the model.
    factor: Value,
}

/// A room.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct RoomReport {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    long_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    storey: Option<String>,
    /// True: no IfcSpace, found between walls and slabs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    found: bool,
    /// True: it lies outdoors.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    outdoors: bool,
    /// Net floor, m²: without columns, inner walls, floor openings.
    area: Value,
    gross_area: Value,
    /// m³
    volume: Value,
    /// mm, with doors and open sides.
    perimeter: Value,
    /// mm, without them.
    net_perimeter: Value,
    /// m² of wall without doors, windows, openings and open sides.
    net_wall_area: Value,
    /// m², by its own slope.
    ceiling_area: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<Heights>,
    /// Quantities of the file: m, m², m³.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    quantities: BTreeMap<&'static str, QuantityRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adjacencies: Option<Vec<Neighbour>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    doors: Option<Vec<Opening>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    windows: Option<Vec<Opening>>,
    /// Unfilled openings.
    #[serde(skip_serializing_if = "Option::is_none")]
    openings: Option<Vec<Opening>>,
    /// Elements around it, the largest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    boundary: Option<Vec<Around>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exposure: Option<Outside>,
    #[serde(skip_serializing_if = "Option::is_none")]
    daylight: Option<Daylight>,
    /// Furniture, fixtures, columns, stairs in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    contents: Option<Vec<Map<String, Value>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usable_width: Option<Width>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The parts of a report that are wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) adjacencies: bool,
    pub(crate) openings: bool,
    pub(crate) boundary: bool,
    pub(crate) exposure: bool,
    pub(crate) contents: bool,
}

/// The sources of reports on rooms.
pub(crate) struct Reporter<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) layout: &'a Layout,
    pub(crate) links: Links<'a>,
    pub(crate) units: Units,
    /// The angle of true north counter-clockwise from the world's y axis, in radians.
    pub(crate) north: f64,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(scene: &'a Scene, layout: &'a Layout) -> Reporter<'a> {
        let model = scene.model();
        Reporter {
            scene,
            layout,
            links: Links::of_many(model),
            units: Units::from_model(model),
            north: ifc::georeference::true_north(model).to_radians(),
        }
    }

    fn model(&self) -> &'a Model {
        self.scene.model()
    }

    /// The report of a room by its number.
    pub(crate) fn report(&self, number: usize, parts: Parts) -> Option<RoomReport> {
        let layout = self.layout;
        let room = layout.rooms.rooms.get(number)?;
        let measures = layout.measures(number);
        let mut report = RoomReport {
            id: room.id.clone(),
            name: room.name.clone(),
            long_name: room.long_name.clone(),
            storey: room.storey.and_then(|s| layout.rooms.storeys.get(s)).map(|s| s.name.clone()),
            found: room.is_found(),
            outdoors: room.is_outside,
            area: rounded(measures.net_floor_area),
            gross_area: rounded(measures.gross_floor_area),
            volume: rounded(measures.volume),
            perimeter: mm(measures.gross_perimeter),
            net_perimeter: mm(measures.net_perimeter),
            net_wall_area: rounded(measures.net_wall_area),
            ceiling_area: rounded(measures.ceiling_area),
            height: Some(Heights {
                least: mm(measures.least_height),
                mean: mm(measures.mean_height),
                levels: measures.levels.iter().map(|(z, area)| [mm(*z), rounded(*area)]).collect(),
            }),
            quantities: self.quantities(room, &measures),
            ..RoomReport::default()
        };
        if !room.is_closed {
            report.notes.push("Its body does not close: volume is floor by mean height.".to_owned());
        }
        if parts.adjacencies {
            report.adjacencies = Some(self.neighbours(number));
        }
        if parts.openings {
            let of = |kind| {
                Some(self.openings(number, room, kind))
                    .filter(|all: &Vec<_>| kind != PassageKind::Opening || !all.is_empty())
            };
            report.doors = of(PassageKind::Door);
            report.windows = of(PassageKind::Window);
            report.openings = of(PassageKind::Opening);
        }
        if parts.boundary {
            report.boundary = Some(self.boundary(number));
        }
        if parts.exposure {
            let exposure = Exposure::of_room(layout, number, self.north);
            let floor = measures.net_floor_area;
            let ratio = if floor > 0.0 { exposure.windows() / floor } else { 0.0 };
            let factor = layout.daylight_factor(number);
            report.daylight = Some(Daylight {
                window_to_floor: rounded(ratio),
                factor: number_json((factor * 100.0).round() / 100.0),
            });
            report.exposure = Some(outside(&exposure));
        }
        if parts.contents {
            let width = layout.usable_width(number);
            report.usable_width = Some(Width { room: mm(width.empty), furnished: mm(width.furnished) });
            let found = layout.contents(number).iter();
            report.contents = Some(found.map(|content| brief(self.model(), content.element)).collect());
        }
        Some(report)
    }

    fn quantities(&self, room: &Room, measures: &RoomMeasures) -> BTreeMap<&'static str, QuantityRow> {
        let Some(space) = room.space() else { return BTreeMap::new() };
        let computed = |name: &str| match name {
            "GrossFloorArea" | "GSA BIM Area" => Some(measures.gross_floor_area),
            "NetFloorArea" => Some(measures.net_floor_area),
            "GrossVolume" | "NetVolume" => Some(measures.volume),
            "GrossPerimeter" => Some(measures.gross_perimeter),
            "NetPerimeter" => Some(measures.net_perimeter),
            "Height" | "FinishCeilingHeight" => Some(measures.mean_height),
            "GrossWallArea" => Some(measures.wall_area),
            "NetWallArea" => Some(measures.net_wall_area),
            "GrossCeilingArea" => Some(measures.ceiling_area),
            _ => None,
        };
        let all = stored::quantities(&self.links, &self.units, space).into_iter();
        let row = |quantity: stored::StoredQuantity| {
            let own = computed(quantity.name)?;
            let apart = quantity.value - own;
            let differs = apart.abs() > 0.01 * own.abs().max(1e-6);
            let row = QuantityRow {
                stored: rounded(quantity.value),
                computed: rounded(own),
                difference: differs.then(|| rounded(apart)),
            };
            Some((quantity.name, row))
        };
        all.filter_map(row).collect()
    }

    fn neighbours(&self, number: usize) -> Vec<Neighbour> {
        let own = Side::Room(number);
        let mut all: Vec<_> = self.layout.adjacencies().iter().filter(|a| a.sides.contains(&own)).collect();
        all.sort_by_key(|a| a.through);
        let row = |a: &&spatial::adjacency::Adjacency| {
            let other = if a.sides[0] == own { a.sides[1] } else { a.sides[0] };
            Neighbour {
                room: side_id(self.layout, other),
                name: side_name(self.layout, other),
                through: a.through.word(),
                length: (a.through != Through::Slab && a.length > 0.0).then(|| mm(a.length)),
                area: rounded(a.area),
                elements: a.elements.iter().map(|id| id_of(self.model(), *id)).collect(),
            }
        };
        all.iter().map(row).collect()
    }

    fn openings(&self, number: usize, room: &Room, kind: PassageKind) -> Vec<Opening> {
        let mut rows: Vec<(usize, Vec<String>, bool)> = Vec::new();
        for (place, side, _) in passages_of(self.layout, number) {
            let to = side_id(self.layout, side);
            match rows.iter_mut().find(|(known, ..)| *known == place) {
                Some((_, sides, out)) => {
                    sides.push(to);
                    *out |= side == Side::Outdoors;
                }
                None => rows.push((place, vec![to], side == Side::Outdoors)),
            }
        }
        let row = |(place, to, is_out): (usize, Vec<String>, bool)| {
            let passage: &Passage = self.layout.passages.get(place).filter(|p| p.kind == kind)?;
            let upright = is_out && !passage.is_level();
            Some(Opening {
                id: id_of(self.model(), passage.element),
                name: name_of(self.model(), passage.element),
                width: mm(passage.width),
                height: mm(passage.height),
                sill: mm(passage.sill() - room.foot),
                to,
                faces: COMPASS.get(compass(passage.outward(number), self.north)).copied().filter(|_| upright),
            })
        };
        rows.into_iter().filter_map(row).collect()
    }

    fn boundary(&self, number: usize) -> Vec<Around> {
        let row = |b: &spatial::bounding::Bounding| {
            let element = b.element.map(|id| brief(self.model(), self.whole(id)));
            let side = match b.normal.z {
                z if z > 0.5 => "ceiling",
                z if z < -0.5 => "floor",
                _ => COMPASS.get(compass(b.normal, self.north)).copied().unwrap_or_default(),
            };
            Around {
                element: element.unwrap_or_default(),
                side,
                area: rounded(b.area),
                gap: (b.gap > 0.001).then(|| mm(b.gap)),
            }
        };
        self.layout.bounding(number).iter().map(row).collect()
    }

    /// The element that a panel or part belongs to, where that is a curtain wall or a wall.
    fn whole(&self, id: Id) -> Id {
        let is_wall = |whole: &Id| {
            self.model().get(*whole).is_some_and(|i| i.is_a("IfcCurtainWall") || i.is_a("IfcWall"))
        };
        self.links.aggregate_parent(id).filter(is_wall).unwrap_or(id)
    }
}

fn outside(exposure: &Exposure) -> Outside {
    let some = |value: f64| (value > 0.005).then(|| rounded(value));
    let facade = |f: &spatial::exposure::Facade| -> BTreeMap<&'static str, Value> {
        let all = [("wall", f.wall), ("windows", f.window), ("doors", f.door)];
        all.into_iter().filter_map(|(name, value)| Some((name, some(value)?))).collect()
    };
    let facades = COMPASS.iter().zip(&exposure.facades).map(|(name, f)| (*name, facade(f)));
    Outside {
        facades: facades.filter(|(_, values)| !values.is_empty()).collect(),
        roof: some(exposure.roof),
        roof_windows: some(exposure.roof_window),
        floor_outdoors: some(exposure.floor_outdoors),
        floor_on_ground: some(exposure.floor_ground),
        walls_in_ground: some(exposure.wall_ground),
    }
}
