//! The values of measures in a building of which everything is known.

use super::house::{Place, good};
use super::opened::Opened;
use crate::finding::{Quantity, Unit};
use crate::packs::context::Context;
use crate::packs::kind::{Item, Kind, items};
use crate::packs::measure::{Answer, Arguments, Preset};
use crate::packs::value::{Value, ValueType};
use crate::packs::{Vocabulary, measure};
use ifc::{Limits, Model};

fn open() -> Opened {
    let (model, _) = Model::from_bytes(good(Place::PLAIN).into_bytes(), &Limits::default()).unwrap();
    Opened::new(model)
}

/// Reads a measure with some lengths given, in metres, and everything else as it is by itself.
fn read(context: &Context<'_>, name: &str, item: Item, lengths: &[(&'static str, f64)]) -> Answer {
    let own = measure(name).unwrap();
    let value = |argument: &crate::packs::Argument| {
        let given = lengths.iter().find(|(name, _)| *name == argument.name).map(|(_, value)| *value);
        match (given, argument.default, argument.value) {
            (Some(value), _, ValueType::Quantity(unit)) => Value::Quantity(Quantity { value, unit }),
            (_, Preset::Number(value), ValueType::Quantity(unit)) => {
                Value::Quantity(Quantity { value, unit })
            }
            (_, Preset::Text(text), _) => Value::Text(text.to_owned()),
            (_, Preset::Texts(texts), _) => Value::Texts(texts.iter().map(|t| (*t).to_owned()).collect()),
            (_, Preset::Truth(truth), _) => Value::Truth(truth),
            _ => panic!("{name} needs {}", argument.name),
        }
    };
    let arguments = own.arguments.iter().map(|argument| (argument.name, value(argument))).collect();
    (own.run)(context, item, &Arguments(arguments))
}

/// The thing of a kind whose element or room has a name.
fn named(context: &Context<'_>, kind: Kind, name: &str) -> Item {
    let is_named = |item: &Item| {
        let element = context.element(*item).and_then(|id| context.model().get(id)?.name());
        element.as_deref() == Some(name)
    };
    items(context, kind).into_iter().find(is_named).unwrap_or_else(|| panic!("no {name}"))
}

/// The door nearest to a point in plan on a storey.
fn door_at(context: &Context<'_>, at: [f64; 3]) -> Item {
    let [x, y, z] = at;
    let distance = |item: &Item| {
        let Item::Door(number) = item else { return f64::INFINITY };
        let door = context.door(*number).unwrap();
        door.middle.distance(glam::DVec2::new(x, y)) + (door.sill - z).abs()
    };
    items(context, Kind::Door).into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap()
}

fn numbers(answer: Answer) -> Vec<f64> {
    answer.unwrap().iter().map(|reading| reading.value.number().unwrap()).collect()
}

#[track_caller]
fn equal(answer: Answer, wanted: &[f64]) {
    let found = numbers(answer);
    let near = found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 6e-3);
    assert!(near, "{found:?} {wanted:?}");
}

#[test]
fn rooms_are_measured() {
    let opened = open();
    let context = Context::new(&opened.subject(), Vocabulary::shared());
    let room = |name: &str| named(&context, Kind::Room, name);
    equal(read(&context, "room.area", room("Bedroom 1"), &[]), &[16.0]);
    equal(read(&context, "room.least_width", room("Bedroom 2"), &[]), &[2.9]);
    equal(read(&context, "room.width", room("Corridor"), &[]), &[2.0]);
    equal(read(&context, "room.least_height", room("Living room"), &[]), &[2.85]);
    equal(read(&context, "room.volume", room("Bedroom 1"), &[]), &[16.0 * 2.85]);
    equal(read(&context, "room.turning_circle", room("Bedroom 2"), &[]), &[2.9]);
    equal(read(&context, "room.high_share", room("Bedroom 2"), &[("height", 2.8)]), &[1.0]);
    equal(read(&context, "room.high_share", room("Bedroom 2"), &[("height", 2.9)]), &[0.0]);
    equal(
        read(&context, "room.clear_rectangle", room("Corridor"), &[("length", 9.0), ("width", 1.5)]),
        &[7.0],
    );
    equal(read(&context, "room.supported", room("Corridor"), &[]), &[1.0]);
    equal(read(&context, "room.elements_inside", room("Corridor"), &[]), &[]);
    equal(read(&context, "room.overlap", room("Corridor"), &[]), &[]);
    equal(read(&context, "room.occupants", room("Auditorium"), &[("factor", 1.39)]), &[80.0]);
    // from the farthest corner of the bedroom through its door and the corridor to the door of the corridor
    let way = numbers(read(&context, "room.travel_distance", room("Bedroom 1"), &[]));
    assert!((4.5..8.5).contains(&way[0]), "{way:?}");
    let usage = read(&context, "room.usage", room("Stair hall"), &[]).unwrap();
    assert_eq!(usage[0].value, Value::Text("stair".to_owned()));
}

#[test]
fn doors_are_measured() {
    let opened = open();
    let context = Context::new(&opened.subject(), Vocabulary::shared());
    let corridor = door_at(&context, [10.45, 1.5, 0.0]);
    equal(read(&context, "door.clear_width", corridor, &[]), &[0.92]);
    equal(read(&context, "door.clear_width", corridor, &[("frame", 0.02)]), &[0.96]);
    equal(read(&context, "door.clear_height", corridor, &[("frame", 0.0)]), &[2.1]);
    equal(read(&context, "door.threshold", corridor, &[]), &[0.0]);
    // the corridor is 2 m wide, the bedroom 4 m deep
    let mut depths = numbers(read(&context, "door.clear_depth", corridor, &[("depth", 3.0)]));
    depths.sort_by(f64::total_cmp);
    assert!((depths[0] - 2.0).abs() < 6e-3 && (depths[1] - 3.0).abs() < 6e-3, "{depths:?}");
    let exit = door_at(&context, [30.45, 4.0, 0.0]);
    for (name, item) in [("door.is_exit", exit), ("door.swings_out", exit)] {
        assert_eq!(read(&context, name, item, &[]).unwrap()[0].value, Value::Truth(true), "{name}");
    }
}

#[test]
fn stairs_and_ramps_are_measured() {
    let opened = open();
    let context = Context::new(&opened.subject(), Vocabulary::shared());
    let flight = items(&context, Kind::Flight)[0];
    equal(read(&context, "flight.riser", flight, &[]), &[0.175]);
    equal(read(&context, "flight.end_riser", flight, &[]), &[0.175, 0.175]);
    equal(read(&context, "flight.riser_difference", flight, &[]), &[0.0]);
    equal(read(&context, "flight.tread", flight, &[]), &[0.28]);
    equal(read(&context, "flight.tread_difference", flight, &[]), &[0.0]);
    equal(read(&context, "flight.width", flight, &[]), &[1.3]);
    equal(read(&context, "flight.rise", flight, &[]), &[3.15]);
    equal(read(&context, "flight.ends_on_floors", flight, &[]), &[2.0]);
    equal(read(&context, "flight.handrails", flight, &[]), &[2.0]);
    // the hole begins over the first nosing, so that the ceiling of the upper storey is the lowest thing over the treads
    equal(read(&context, "flight.headroom", flight, &[]), &[3.15 + 2.85 - (3.15 - 0.175)]);
    let landings = numbers(read(&context, "flight.landing_depth", flight, &[("depth", 4.0)]));
    // 2.2 m to the west wall below; above farther than is looked
    assert!((landings[0] - 2.2).abs() < 0.06 && (landings[1] - 4.0).abs() < 0.06, "{landings:?}");
    let ramp = items(&context, Kind::Ramp)[0];
    equal(read(&context, "ramp.slope", ramp, &[]), &[0.075]);
    equal(read(&context, "ramp.width", ramp, &[]), &[2.0]);
    equal(read(&context, "ramp.rise", ramp, &[]), &[0.3]);
    equal(read(&context, "ramp.run", ramp, &[]), &[4.0]);
    equal(read(&context, "ramp.handrails", ramp, &[]), &[2.0]);
}

#[test]
fn slabs_storeys_and_zones_are_measured() {
    let opened = open();
    let context = Context::new(&opened.subject(), Vocabulary::shared());
    let slab = |name: &str| named(&context, Kind::Slab, name);
    equal(read(&context, "slab.thickness", slab("Upper floor"), &[]), &[0.3]);
    equal(read(&context, "slab.thickness", slab("South paving"), &[]), &[0.15]);
    equal(read(&context, "slab.unguarded_edge", slab("Upper floor"), &[]), &[0.0]);
    for (name, is_walked) in [("Upper floor", true), ("South paving", true), ("Roof", false)] {
        let found = read(&context, "slab.is_walked", slab(name), &[]).unwrap();
        assert_eq!(found[0].value, Value::Truth(is_walked), "{name}");
    }
    let wall = items(&context, Kind::Wall)[0];
    equal(read(&context, "wall.thickness", wall, &[]), &[0.3]);
    let storeys = items(&context, Kind::Storey);
    equal(read(&context, "storey.room_levels", storeys[0], &[]), &[0.0]);
    equal(read(&context, "storey.unallocated", storeys[0], &[]), &[]);
    // the floor, both pavings and the landing
    equal(read(&context, "storey.slab_bottoms", storeys[0], &[]), &[0.15, 0.15]);
    let zone = items(&context, Kind::Zone)[0];
    equal(read(&context, "zone.area", zone, &[]), &[56.0 + 14.0 + 16.0 + 11.6]);
    equal(read(&context, "zone.high_share", zone, &[("height", 2.3)]), &[1.0]);
    let whole = read(&context, "zone.area", zone, &[]).unwrap();
    assert!(matches!(whole[0].value, Value::Quantity(Quantity { unit: Unit::Area, .. })));
}

#[test]
fn rails_that_a_program_draws_into_the_body_of_a_stair_are_handrails() {
    for name in ["AC20-FZK-Haus.ifc", "Niedri.ifc"] {
        let Some(opened) = Opened::real(name) else { return };
        let context = Context::new(&opened.subject(), Vocabulary::shared());
        let flights = items(&context, Kind::Flight);
        let sides: Vec<f64> = flights
            .iter()
            .flat_map(|flight| numbers(read(&context, "flight.handrails", *flight, &[])))
            .collect();
        assert!(!sides.is_empty() && sides.iter().all(|sides| *sides >= 1.0), "{name} {sides:?}");
    }
}
