//! Ways as agents ask for them and as they are told: who goes, from where to where, and what is in the way.

use crate::IfcCall;
use crate::elements::brief;
use crate::places::{self, PlaceInput, mm, mm_point};
use contract::Fault;
use geometry::query::Index;
use glam::DVec3;
use ifc::Model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use spatial::ways::{Basis, Block, Kind, Mesh, Route, Spot, Traveller, Ways};
use std::collections::BTreeSet;

/// The kind of traveller.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum By {
    /// 600 mm wide; stairs, steps to 200 mm.
    #[default]
    Foot,
    /// 800 mm wide, slopes to 1:12, thresholds to 20 mm, turns in 1500 mm.
    Wheelchair,
    /// 1000 mm wide, slopes to 1:12, turns in 2300 mm.
    Bed,
    /// 700 mm wide, slopes to 1:16, turns in 1200 mm.
    Cart,
}

/// The demands of a call on a way.
pub(crate) struct Demands<'i> {
    pub(crate) by: By,
    /// Width in mm, where given.
    pub(crate) clearance: Option<f64>,
    /// Height in mm, where given.
    pub(crate) height: Option<f64>,
    /// Doors that are shut.
    pub(crate) closed: &'i [String],
}

/// The traveller that a call means.
pub(crate) fn traveller(demands: &Demands<'_>) -> Result<Traveller, Fault> {
    let kind = match demands.by {
        By::Foot => Kind::Foot,
        By::Wheelchair => Kind::Wheelchair,
        By::Bed => Kind::Bed,
        By::Cart => Kind::Cart,
    };
    let usual = Traveller::new(kind);
    let width = crate::input::bounded("clearance", demands.clearance, usual.width * 1000.0, [1.0, 10_000.0])?;
    let height = crate::input::bounded("height", demands.height, usual.height * 1000.0, [300.0, 10_000.0])?;
    Ok(Traveller { width: width / 1000.0, height: height / 1000.0, ..usual })
}

/// The doors that a call shuts, by their places in the premises.
pub(crate) fn closed(model: &Model, ways: &Ways, texts: &[String]) -> Result<BTreeSet<usize>, Fault> {
    let mut found = BTreeSet::new();
    for text in texts {
        let id = places::element(model, "closed_doors", text)?;
        let at = ways.premises.doors.iter().position(|door| door.element == id);
        found.insert(at.ok_or_else(|| {
            let problem = format!(
                "`closed_doors`: {} is no door or open passage in a wall.",
                crate::label_of(model, id)
            );
            Fault::invalid("closed_doors", problem)
        })?);
    }
    Ok(found)
}

/// One end of a way.
#[derive(Debug, Clone)]
pub(crate) struct End {
    /// Its name in the answer.
    pub(crate) label: String,
    /// The places where the way may begin or end.
    pub(crate) spots: Vec<Spot>,
    /// The same places before it was looked whether the traveller can be there, for telling what is in the way.
    pub(crate) points: Vec<DVec3>,
    /// Its room, by its place.
    pub(crate) room: Option<usize>,
    /// The exits of the spots, by their places, where it is outside.
    pub(crate) exits: Vec<usize>,
    /// The reason why there is no spot, if there is none.
    pub(crate) reason: Option<String>,
}

/// A model with nothing to walk on is refused.
pub(crate) fn check_floors(ways: &Ways) -> Result<(), Fault> {
    if ways.premises.floors.is_empty() {
        let problem = "There is nothing to walk on in this model: no slab, floor covering or room with a level floor. Make floors with create_floor, or rooms with create_rooms.";
        return Err(Fault::constraint(problem));
    }
    Ok(())
}

/// Outside, as an end of a way.
pub(crate) fn outside(ways: &Ways, mesh: &Mesh) -> Result<End, Fault> {
    if ways.premises.exits.is_empty() {
        let problem = "No door of this model leads outside at the height of the ground: none says Pset_DoorCommon.IsExternal, and none has a room on one side and nothing built beyond the other. Give a point or a room instead of `outside`.";
        return Err(Fault::constraint(problem));
    }
    let found = ways.outside(mesh);
    let reason = found.is_empty().then(|| "the traveller finds no place before any exit".to_owned());
    Ok(End {
        label: "outside".to_owned(),
        spots: found.iter().map(|(_, spot)| *spot).collect(),
        exits: found.iter().map(|(exit, _)| *exit).collect(),
        points: ways.premises.exits.iter().map(|exit| exit.outside).collect(),
        room: None,
        reason,
    })
}

/// A room, as an end of a way: the point of its floor that is farthest from all that stands in it.
pub(crate) fn room_end(ways: &Ways, mesh: &Mesh, number: usize) -> End {
    let rooms = ways.rooms();
    let room = rooms.rooms.get(number);
    let spot = mesh.room_spot(rooms, number);
    let middle = room.map(|room| {
        let circle = spatial::plan::largest_circle(&room.floor, 0.01);
        let flat = circle.map_or(room.solid.bounds().centre().truncate(), |(p, _)| p);
        flat.extend(room.foot)
    });
    let reason = spot.is_none().then(|| {
        format!(
            "no place in it is {} mm wide and free to {} mm of height",
            mm(mesh.traveller.width),
            mm(mesh.traveller.height)
        )
    });
    End {
        label: room.map(spatial::Room::label).unwrap_or_default(),
        spots: spot.into_iter().collect(),
        points: spot.map(|s| s.point).or(middle).into_iter().collect(),
        room: Some(number),
        exits: Vec::new(),
        reason,
    }
}

/// An end that a call names: a point, `outside`, a room or an element.
pub(crate) fn end(
    call: &IfcCall,
    ways: &Ways,
    mesh: &Mesh,
    index: &Index,
    field: &str,
    given: &PlaceInput,
) -> Result<End, Fault> {
    match given {
        PlaceInput::Point(given) => point_end(call, ways, mesh, index, field, given),
        PlaceInput::Element(text) if text.trim().eq_ignore_ascii_case("outside") => outside(ways, mesh),
        PlaceInput::Element(text) => {
            let missing = match ways.rooms().find(field, text) {
                Ok(number) => return Ok(room_end(ways, mesh, number)),
                Err(fault) => fault,
            };
            let model = call.edit.model();
            let is_element = model.by_guid(text.trim()).is_some() || text.trim().starts_with('#');
            let named = building::lookup::product(model, field, text);
            let id = match named {
                Ok(id) => id,
                // of names that mean several the element's own Fault says which
                Err(fault)
                    if is_element
                        || fault.data.get("candidates").is_some()
                            && missing.data.get("candidates").is_none() =>
                {
                    return Err(fault);
                }
                Err(_) => return Err(missing),
            };
            element_end(call, mesh, index, field, id)
        }
    }
}

/// Beside an element: the places around it where the traveller can be.
fn element_end(call: &IfcCall, mesh: &Mesh, index: &Index, field: &str, id: ifc::Id) -> Result<End, Fault> {
    let body = places::body(call, field, index, id)?;
    let b = body.bounds();
    let foot = b.centre().with_z(b.min.z + 0.1);
    let reach = b.size().truncate().length() / 2.0 + 1.0;
    let spot = mesh.spot(foot, 0.5).or_else(|| mesh.nearest(foot, reach));
    let label = crate::label_of(call.edit.model(), id);
    let reason = spot.is_none().then(|| format!("the traveller finds no place within 1 m of {label}"));
    let spots: Vec<Spot> = spot.into_iter().collect();
    let points = spots.first().map_or(foot, |s| s.point);
    Ok(End { label, spots, points: vec![points], room: None, exits: Vec::new(), reason })
}

fn point_end(
    call: &IfcCall,
    ways: &Ways,
    mesh: &Mesh,
    index: &Index,
    field: &str,
    given: &[f64],
) -> Result<End, Fault> {
    if given.len() != 3 {
        return Err(Fault::invalid(
            field,
            format!("`{field}` is a point in space: [x, y, z] in mm, z the height of its floor."),
        ));
    }
    let p = places::point(field, given, 0.0)?;
    let spot = mesh.spot(p, 1.5);
    let model = call.edit.model();
    let reason = spot.is_none().then(|| {
        let over = p + DVec3::Z * 1.0;
        let within = |at: DVec3| ways.premises.obstacles.iter().find(|e| e.contains(at)).map(|e| e.id());
        let inner = within(p + DVec3::Z * 0.1).or_else(|| within(over));
        let nearest = mesh.nearest(p, 20.0);
        let hint = nearest.map_or_else(String::new, |s| {
            let [x, y, z] = mm_point(s.point);
            format!("; the nearest place is [{x}, {y}, {z}]")
        });
        match inner {
            Some(id) => format!("the point lies in {}{hint}", crate::label_of(model, id)),
            None if index.is_empty() => "there is no floor".to_owned(),
            None => format!("no floor lies under the point where the traveller has room{hint}"),
        }
    });
    if let Some(reason) = &reason {
        return Err(Fault::constraint(format!("`{field}`: {reason}.")).with("field", field));
    }
    let room = spatial::ways::Premises::room_at(ways.rooms(), p);
    let points = spot.map_or(p, |s| s.point);
    Ok(End {
        label: "point".to_owned(),
        spots: spot.into_iter().collect(),
        points: vec![points],
        room,
        exits: Vec::new(),
        reason: None,
    })
}

/// A door on a way.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DoorPassed {
    /// Id, name, class.
    #[serde(flatten)]
    element: Map<String, Value>,
    /// mm.
    clear_width: Value,
    /// Its ground: `stated`, `width less lining`, `width less 2 × 40 mm`, `opening`.
    basis: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    operation: String,
}

/// A stair, ramp or lift on a way.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ClimbPassed {
    #[serde(flatten)]
    element: Map<String, Value>,
    /// mm up; down is negative.
    rise: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    risers: Option<usize>,
    /// mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    clear_width: Option<Value>,
    /// Percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    slope: Option<Value>,
}

/// The narrowest place.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NarrowPlace {
    /// mm between what stands to both sides.
    width: Value,
    at: [Value; 3],
}

/// A way as it is answered. Lengths and points in mm.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RouteAnswer {
    /// Length, over stairs and ramps along their slope.
    pub(crate) distance: Value,
    /// Seconds, waiting not counted.
    pub(crate) time: Value,
    /// Points where it turns, from start to end.
    pub(crate) path: Vec<[Value; 3]>,
    pub(crate) doors: Vec<DoorPassed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) stairs: Vec<ClimbPassed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) ramps: Vec<ClimbPassed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lifts: Vec<ClimbPassed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) narrowest: Option<NarrowPlace>,
    /// Slope of its steepest stair or ramp, percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) steepest: Option<Value>,
}

/// Tells a way.
pub(crate) fn told(model: &Model, ways: &Ways, route: &Route) -> RouteAnswer {
    let doors = route.doors.iter().filter_map(|passage| door(model, ways, passage.door)).collect();
    let (mut stairs, mut ramps) = (Vec::new(), Vec::new());
    let mut steepest: Option<f64> = None;
    for climb in &route.flights {
        let Some(flight) = ways.premises.flights.get(climb.flight) else { continue };
        let slope = climb.rise.abs() / climb.run.max(1e-9);
        steepest = Some(steepest.map_or(slope, |known| known.max(slope)));
        let passed = ClimbPassed {
            element: brief(model, flight.element),
            rise: mm(climb.rise),
            risers: flight.is_stair.then_some(flight.risers),
            clear_width: Some(mm(flight.width)),
            slope: Some(percent(slope)),
        };
        if flight.is_stair { stairs.push(passed) } else { ramps.push(passed) }
    }
    let lifts = route.lifts.iter().filter_map(|ride| {
        let lift = ways.premises.lifts.get(ride.lift)?;
        Some(ClimbPassed {
            element: brief(model, lift.element),
            rise: mm(ride.rise),
            risers: None,
            clear_width: None,
            slope: None,
        })
    });
    RouteAnswer {
        distance: tenth(route.length),
        time: crate::number_json((route.seconds * 10.0).round() / 10.0),
        path: route.points.iter().map(|p| p.to_array().map(tenth)).collect(),
        doors,
        stairs,
        ramps,
        lifts: lifts.collect(),
        narrowest: route
            .narrowest
            .map(|n| NarrowPlace { width: tenth(n.width), at: n.at.to_array().map(tenth) }),
        steepest: steepest.map(percent),
    }
}

/// A length in metres as mm to a tenth.
pub(crate) fn tenth(metres: f64) -> Value {
    crate::number_json((metres * 1e4).round() / 10.0)
}

fn percent(slope: f64) -> Value {
    crate::number_json((slope * 1000.0).round() / 10.0)
}

/// A door as it is told.
pub(crate) fn door(model: &Model, ways: &Ways, number: usize) -> Option<DoorPassed> {
    let door = ways.premises.doors.get(number)?;
    Some(DoorPassed {
        element: brief(model, door.element),
        clear_width: tenth(door.clear),
        basis: match door.basis {
            Basis::Stated => "stated",
            Basis::Lining => "width less lining",
            Basis::Usual => "width less 2 × 40 mm",
            Basis::Opening => "opening",
        },
        operation: door.operation.clone(),
    })
}

/// Something in the way.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Obstacle {
    /// `closed_door`, `narrow_door`, `narrow_gap`, `narrow_stair`, `stair`, `slope`, `step`, `headroom`, `wall`, `levels`, `no_room`.
    kind: &'static str,
    /// The elements that stand there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elements: Vec<Map<String, Value>>,
    /// mm, of a slope percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<[Value; 3]>,
    /// A change that would open the way.
    say: String,
}

/// An end at which the traveller finds no place.
pub(crate) fn no_room(end: &End) -> Option<Obstacle> {
    let reason = end.reason.as_ref()?;
    let at = end.points.first().map(|p| mm_point(*p));
    let say = format!("{}: {reason}.", end.label);
    Some(Obstacle { kind: "no_room", elements: Vec::new(), measured: None, required: None, at, say })
}

/// Tells what is in the way.
pub(crate) fn obstacle(model: &Model, ways: &Ways, traveller: &Traveller, block: &Block) -> Obstacle {
    let doors = &ways.premises.doors;
    let flights = &ways.premises.flights;
    let width = tenth(traveller.width);
    let mut told = Obstacle {
        kind: "wall",
        elements: Vec::new(),
        measured: None,
        required: None,
        at: None,
        say: String::new(),
    };
    let named = |id: ifc::Id| brief(model, id);
    match block {
        Block::Shut(number) => {
            told.kind = "closed_door";
            told.elements.extend(doors.get(*number).map(|d| named(d.element)));
            told.say = String::from("Open this door.");
        }
        Block::Door(number, clear) => {
            told.kind = "narrow_door";
            told.elements.extend(doors.get(*number).map(|d| named(d.element)));
            told.at = doors.get(*number).map(|d| mm_point(d.middle.extend(d.sill)));
            (told.measured, told.required) = (Some(tenth(*clear)), Some(width.clone()));
            told.say = format!("Widen the door to {width} mm clear.");
        }
        Block::Gap(gap, at, sides) => {
            told.kind = "narrow_gap";
            told.elements = sides.iter().map(|id| named(*id)).collect();
            (told.measured, told.required) = (Some(tenth(*gap)), Some(width.clone()));
            told.at = Some(mm_point(*at));
            told.say = format!("Make the gap {width} mm wide.");
        }
        Block::Flight(number, clear) => {
            told.kind = "narrow_stair";
            told.elements.extend(flights.get(*number).map(|f| named(f.element)));
            (told.measured, told.required) = (Some(tenth(*clear)), Some(width.clone()));
            told.say = format!("Make the flight {width} mm wide between railings.");
        }
        Block::Stair(number) => {
            told.kind = "stair";
            told.elements.extend(flights.get(*number).map(|f| named(f.element)));
            told.measured = flights.get(*number).map(|f| tenth(f.top - f.foot));
            told.say = String::from("Add a lift or a ramp beside these stairs.");
        }
        Block::Slope(number) => {
            told.kind = "slope";
            told.elements.extend(flights.get(*number).map(|f| named(f.element)));
            told.measured = flights.get(*number).map(|f| percent(f.slope));
            told.required = Some(percent(traveller.slope));
            let run = flights.get(*number).map(|f| (f.top - f.foot) / traveller.slope);
            told.say = format!("Make the ramp {} mm long in plan.", run.map_or(Value::Null, tenth));
        }
        Block::Step(height, at) => {
            told.kind = "step";
            (told.measured, told.required) = (Some(tenth(height.abs())), Some(tenth(traveller.step)));
            told.at = Some(mm_point(*at));
            told.say = format!(
                "Take the step away, or ramp it over {} mm.",
                tenth(height.abs() / traveller.slope.max(1e-9))
            );
        }
        Block::Headroom(height, at, id) => {
            told.kind = "headroom";
            told.elements.push(named(*id));
            (told.measured, told.required) = (Some(tenth(*height)), Some(tenth(traveller.height)));
            told.at = Some(mm_point(*at));
            told.say = format!("Raise it to {} mm over the floor.", tenth(traveller.height));
        }
        Block::Wall(p, q, ids) => {
            told.elements = ids.iter().map(|id| named(*id)).collect();
            told.at = Some(mm_point((*p + *q) / 2.0));
            told.measured = Some(tenth(p.distance(*q)));
            told.say = String::from(
                "No door or passage joins the two parts: they are nearest here; a door would open the way.",
            );
        }
        Block::Levels(low, high) => {
            told.kind = "levels";
            told.measured = Some(tenth((high - low).abs()));
            told.say = String::from(
                "No stair, ramp or lift that can be read joins these levels: add one, or check that the stair's treads are level faces and that its ends meet the floors.",
            );
        }
    }
    told
}

/// The circle that fits into a room, for travellers that need one to turn.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Turning {
    room: String,
    /// Diameter that is free, mm.
    free: Value,
    required: Value,
    enough: bool,
}

/// The turning space in some rooms.
pub(crate) fn turning(ways: &Ways, mesh: &Mesh, rooms: &[usize]) -> Vec<Turning> {
    let needed = mesh.traveller.turning;
    if needed <= 0.0 {
        return Vec::new();
    }
    let of = |number: &usize| {
        let room = ways.rooms().rooms.get(*number)?;
        let free = mesh.turning_circle(ways.rooms(), *number);
        Some(Turning {
            room: room.label(),
            free: tenth(free),
            required: tenth(needed),
            enough: free >= needed - 1e-3,
        })
    };
    rooms.iter().filter_map(of).collect()
}

/// Assumptions about the ground and floors, where they matter.
pub(crate) fn assumptions(ways: &Ways, with_outside: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if let (true, Some(ground)) = (with_outside, ways.premises.ground) {
        notes.push(format!(
            "The ground outside is taken as level at z = {} mm for 5 m around the building.",
            mm(ground)
        ));
    }
    let bare = ways.premises.unsupported.len();
    if bare > 0 {
        notes
            .push(format!("Rooms without a modelled slab under them, whose own floor is walked on: {bare}."));
    }
    notes
}
