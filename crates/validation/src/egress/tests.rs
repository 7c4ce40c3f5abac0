//! Buildings whose numbers are known: a hall of known area, a corridor of known length, a dead end of known depth.

use super::{Analysis, Occupancy, Parameters, RoomEgress, egress_analysis, recognised};
use crate::constraints::tests::house::House;
use crate::constraints::tests::plan::{Made, Plan, Setting};
use crate::constraints::tests::real::turned;
use crate::fire::tests::{rate, zone};
use crate::rule_page::assert_are_whole;
use crate::{Finding, Measured, Severity};
use ifc::{Id, Limits, Model};

/// One room between walls of 0.2 m, on a slab and under one; its inner corner at [0.2, 0.2, 0].
struct Hall {
    plan: Plan,
    south: Id,
    west: Id,
    north: Id,
    room: Id,
}

impl Hall {
    fn new(setting: Setting, name: &str, [x, y]: [f64; 2]) -> Self {
        let mut plan = Plan::new(setting);
        plan.storey("Level 1", 0.0);
        let (w, d) = (x + 0.4, y + 0.4);
        plan.slab("Floor", [0.0, 0.0, -0.2], [w, d, 0.0]);
        plan.slab("Ceiling", [0.0, 0.0, 3.0], [w, d, 3.2]);
        let south = plan.wall("South", [0.0, 0.0, 0.0], [w, 0.2, 3.0]);
        let north = plan.wall("North", [0.0, d - 0.2, 0.0], [w, d, 3.0]);
        let west = plan.wall("West", [0.0, 0.2, 0.0], [0.2, d - 0.2, 3.0]);
        plan.wall("East", [w - 0.2, 0.2, 0.0], [w, d - 0.2, 3.0]);
        let room = plan.room(name, [0.2, 0.2, 0.0], [w - 0.2, d - 0.2, 3.0]);
        Self { plan, south, west, north, room }
    }

    /// A door of 1 m outside in the south wall that opens inwards, or outwards.
    fn door(&mut self, x: f64, is_outward: bool) -> Id {
        let (at, turned) = if is_outward { ([x + 1.0, 0.1, 0.0], 180.0) } else { ([x, 0.1, 0.0], 0.0) };
        self.plan.door(self.south, at, turned, 1.0, "SINGLE_SWING_LEFT")
    }

    fn persons(&mut self, number: u32) {
        let room = self.room;
        state_persons(&mut self.plan, room, number);
    }
}

/// States the number of persons in a room.
fn state_persons(plan: &mut Plan, room: Id, number: u32) {
    let value =
        plan.add(&format!("IFCPROPERTYSINGLEVALUE('OccupancyNumber',$,IFCCOUNTMEASURE({number}.),$)"));
    let set = plan.rooted("IFCPROPERTYSET", &format!("$,'Pset_SpaceOccupancyRequirements',$,(#{value})"));
    plan.rooted("IFCRELDEFINESBYPROPERTIES", &format!("$,$,$,({room}),#{set}"));
}

fn analyse(made: &Made, parameters: &Parameters) -> Analysis {
    egress_analysis(&made.subject(), parameters, &|_, _| true).unwrap()
}

fn rules(analysis: &Analysis) -> Vec<&str> {
    let is_described = |finding: &Finding| super::rules().iter().any(|page| page.id == finding.rule);
    assert!(analysis.findings.iter().all(is_described), "{:?}", analysis.findings);
    analysis.findings.iter().map(|finding| finding.rule.as_str()).collect()
}

fn measured(finding: &Finding) -> f64 {
    match &finding.measured {
        Some(Measured::Quantity(quantity)) => quantity.value,
        other => panic!("{other:?}"),
    }
}

fn only<'a>(analysis: &'a Analysis, rule: &str) -> &'a Finding {
    let found: Vec<&Finding> = analysis.findings.iter().filter(|finding| finding.rule == rule).collect();
    let [one] = found[..] else { panic!("{:?}", analysis.findings) };
    one
}

#[test]
fn every_rule_of_egress_has_a_whole_page() {
    assert_are_whole(super::rules(), "egress.");
}

#[test]
fn the_table_of_occupancies_is_read_and_words_name_uses() {
    let table = Occupancy::table();
    assert!(table.len() > 15);
    let name = |text: &str| recognised(&table, &[text.to_owned()]).map(|own| own.id.as_str());
    for (text, id) in [
        ("Office 12", "business"),
        ("Großraumbüro", "business"),
        ("MEETING ROOM", "assembly"),
        ("Bedroom 1", "residential"),
        ("Corridor", "circulation"),
        ("WC", "sanitary"),
        ("Commercial kitchen", "kitchen"),
        ("Kitchen", "residential"),
        ("Tiefgarage", "parking"),
        ("Wohnzimmer", "residential"),
    ] {
        assert_eq!(name(text), Some(id), "{text}");
    }
    // neither a part of another word nor a number is a use
    for text in ["Barn", "A102", "Wcx", "1", "Chapter"] {
        assert_eq!(name(text), None, "{text}");
    }
}

#[test]
fn an_office_of_100_square_metres_is_for_seven_persons_and_one_door_is_enough() {
    for setting in Setting::ALL {
        let mut hall = Hall::new(setting, "Office", [10.0, 10.0]);
        let door = hall.door(4.0, false);
        let analysis = analyse(&Made::new(hall.plan.model()), &Parameters::default());
        assert_eq!(rules(&analysis), [""; 0], "{:?}", analysis.findings);
        let load = &analysis.rooms[0].load;
        assert_eq!((load.occupancy.as_str(), load.is_assumed), ("business", false));
        assert!((load.persons - 100.0 / (150.0 * 0.3048 * 0.3048)).abs() < 1e-6, "{load:?}");
        assert_eq!((analysis.exits.len(), analysis.exits[0].door), (1, door));
        assert!(
            (analysis.persons - load.persons).abs() < 1e-9
                && (analysis.exits[0].persons - load.persons).abs() < 1e-9
        );
        // from a corner, 0.3 m off the walls, to the threshold
        let way = analysis.rooms[0].way.as_ref().unwrap();
        let exact = (10.2_f64 - 0.3 - 4.5).hypot(10.2 - 0.3 - 0.1);
        assert!((way.length - exact).abs() < 0.1, "{} {exact}", way.length);
        assert_eq!(analysis.rooms[0].common_path, Some(way.length));
    }
}

#[test]
fn a_meeting_room_with_one_door_that_opens_inwards_breaks_two_rules() {
    for setting in Setting::ALL {
        let mut hall = Hall::new(setting, "Meeting", [10.0, 10.0]);
        let door = hall.door(4.0, false);
        let analysis = analyse(&Made::new(hall.plan.model()), &Parameters::default());
        // 100 m² of 15 square feet a person are 71.8 persons
        assert_eq!(rules(&analysis), ["egress.room_exits", "egress.storey_exits", "egress.door_swing"]);
        assert!((measured(only(&analysis, "egress.room_exits")) - 1.0).abs() < 1e-9);
        assert_eq!(only(&analysis, "egress.door_swing").elements, [door]);
        assert!((measured(only(&analysis, "egress.door_swing")) - 72.0).abs() < 1e-9);
    }
}

#[test]
fn two_doors_that_open_outwards_must_lie_apart() {
    let mut near = Hall::new(Setting::PLAIN, "Meeting", [10.0, 10.0]);
    let (one, other) = (near.door(3.0, true), near.door(5.0, true));
    let room = near.room;
    let analysis = analyse(&Made::new(near.plan.model()), &Parameters::default());
    assert_eq!(rules(&analysis), ["egress.separation"]);
    let finding = only(&analysis, "egress.separation");
    assert_eq!(finding.elements, [room, one, other]);
    assert!((measured(finding) - 2.0).abs() < 1e-6, "{finding:?}");
    let mut far = Hall::new(Setting::PLAIN, "Meeting", [10.0, 10.0]);
    far.door(0.5, true);
    far.door(8.8, true);
    assert_eq!(rules(&analyse(&Made::new(far.plan.model()), &Parameters::default())), [""; 0]);
}

#[test]
fn an_exit_is_too_narrow_for_the_persons_that_the_file_states() {
    let mut hall = Hall::new(Setting::PLAIN, "Office", [10.0, 10.0]);
    let doors = [hall.door(0.5, true), hall.door(8.8, true)];
    hall.persons(400);
    let analysis = analyse(&Made::new(hall.plan.model()), &Parameters::default());
    assert!(analysis.rooms[0].load.is_stated);
    // all of them to the nearer one: 400 times 0.2 in
    let finding = only(&analysis, "egress.exit_capacity");
    assert!(doors.contains(&finding.elements[0]) && (measured(finding) - 0.92).abs() < 1e-6, "{finding:?}");
    assert_eq!(finding.required.as_ref().unwrap().to_string(), "at least 2032 mm");
}

/// A corridor of 1.6 m between the walls, from x = 0.2 on, with an exit at its west end and perhaps others in the south wall.
fn corridor(length: f64, south_exits: &[f64]) -> Hall {
    let mut hall = Hall::new(Setting::PLAIN, "Corridor", [length, 1.6]);
    hall.plan.door(hall.west, [0.1, 1.5, 0.0], -90.0, 1.0, "SINGLE_SWING_LEFT");
    for x in south_exits {
        hall.door(*x, true);
    }
    hall
}

#[test]
fn a_corridor_of_known_length_has_that_travel_distance() {
    let analysis = analyse(&Made::new(corridor(80.0, &[]).plan.model()), &Parameters::default());
    // the far corners lie 0.3 m before the east wall
    let way = analysis.rooms[0].way.as_ref().unwrap();
    assert!((way.length - (80.2 - 0.3 - 0.1)).abs() < 0.05, "{}", way.length);
    let finding = only(&analysis, "egress.travel_distance");
    assert_eq!(finding.clause.as_deref(), Some("IBC 2021 1017.2"));
    assert!((measured(finding) - way.length).abs() < 1e-9 && !finding.lines[0].is_empty());
    // 200 feet are 60.96 m, with sprinklers 250 are 76.2 m
    let with = Parameters { has_sprinklers: true, ..Parameters::default() };
    assert!(
        rules(&analyse(&Made::new(corridor(70.0, &[]).plan.model()), &with))
            .iter()
            .all(|r| *r != "egress.travel_distance")
    );
}

#[test]
fn a_dead_end_is_as_deep_as_the_corridor_beyond_the_last_exit() {
    // the exit lies from x = 10 to 11, the corridor ends at 30.2
    let analysis = analyse(&Made::new(corridor(30.0, &[10.0]).plan.model()), &Parameters::default());
    let depth = measured(only(&analysis, "egress.dead_end"));
    assert!((18.0..=19.9).contains(&depth), "{depth}");
    let short = analyse(&Made::new(corridor(14.0, &[10.0]).plan.model()), &Parameters::default());
    assert!(!rules(&short).contains(&"egress.dead_end"), "{:?}", short.findings);
    // the same depth in a hall of 8 m is none
    let mut wide = Hall::new(Setting::PLAIN, "Corridor", [30.0, 8.0]);
    wide.plan.door(wide.west, [0.1, 1.5, 0.0], -90.0, 1.0, "SINGLE_SWING_LEFT");
    wide.door(10.0, true);
    let wide = analyse(&Made::new(wide.plan.model()), &Parameters::default());
    assert!(!rules(&wide).contains(&"egress.dead_end"), "{:?}", wide.findings);
    // with an exit near its end there is none
    let open = analyse(&Made::new(corridor(30.0, &[10.0, 28.5]).plan.model()), &Parameters::default());
    assert!(!rules(&open).contains(&"egress.dead_end"), "{:?}", open.findings);
}

#[test]
fn the_common_path_of_a_room_ends_at_its_only_door() {
    let mut hall = corridor(30.0, &[28.5]);
    // a room of 4 m by 4 m in the middle, beyond the north wall
    hall.plan.slab("Floor", [12.8, 2.0, -0.2], [17.2, 6.2, 0.0]);
    hall.plan.wall("West", [12.8, 2.0, 0.0], [13.0, 6.2, 3.0]);
    hall.plan.wall("East", [17.0, 2.0, 0.0], [17.2, 6.2, 3.0]);
    hall.plan.wall("North", [13.0, 6.0, 0.0], [17.0, 6.2, 3.0]);
    hall.plan.room("Office", [13.0, 2.0, 0.0], [17.0, 6.0, 3.0]);
    hall.plan.door(hall.north, [14.5, 1.9, 0.0], 0.0, 1.0, "SINGLE_SWING_LEFT");
    let analysis = analyse(&Made::new(hall.plan.model()), &Parameters::default());
    let room = analysis.rooms.iter().find(|room| room.load.occupancy == "business").unwrap();
    // from (13.3, 5.7) or (16.7, 5.7) to the door at (15, 1.9)
    let exact = 1.7_f64.hypot(3.8);
    let common = room.common_path.unwrap();
    assert!((common - exact).abs() < 0.3, "{common} {exact}");
    assert_eq!(room.doors.len(), 1);
}

#[test]
fn a_stair_is_too_narrow_for_the_storey_above_which_needs_a_second_one() {
    let mut house = House::new(Setting::PLAIN);
    let (_, [upper, _]) = house.upper(true);
    house.stair();
    state_persons(&mut house.plan, upper, 200);
    let analysis =
        analyse(&Made::new(house.plan.model()), &Parameters { width: 0.4, ..Parameters::default() });
    // 0.3 in each for 200 persons and those of the other room
    let finding = only(&analysis, "egress.stair_width");
    assert!((measured(finding) - 1.0).abs() < 0.05, "{finding:?}");
    assert_eq!(finding.clause.as_deref(), Some("IBC 2021 1005.3.1"));
    let storey = only(&analysis, "egress.storey_exits");
    assert!((measured(storey) - 1.0).abs() < 1e-9 && storey.message.contains("Level 2"), "{storey:?}");
}

#[test]
fn what_cannot_be_judged_is_said() {
    let empty = analyse(&Made::new(Plan::new(Setting::PLAIN).model()), &Parameters::default());
    assert_eq!(rules(&empty), ["egress.unjudged"]);
    let sealed = analyse(
        &Made::new(Hall::new(Setting::PLAIN, "Office", [5.0, 5.0]).plan.model()),
        &Parameters::default(),
    );
    assert_eq!(rules(&sealed), ["egress.unjudged"]);
    assert_eq!(sealed.findings[0].severity, Severity::Info);
}

#[test]
fn rooms_that_are_not_reached_are_told_as_one_with_what_is_in_the_way() {
    for setting in Setting::ALL {
        let mut house = House::new(setting);
        let (_, rooms) = house.upper(true);
        let analysis = analyse(&Made::new(house.plan.model()), &Parameters::default());
        assert_eq!(rules(&analysis), ["egress.unreached"], "{setting:?}");
        assert_eq!(analysis.findings[0].elements, rooms);
        assert!(
            analysis.findings[0].message.contains("no stair or ramp leads from"),
            "{:?}",
            analysis.findings
        );
        let mut house = House::new(setting);
        house.upper(true);
        house.stair();
        let analysis =
            analyse(&Made::new(house.plan.model()), &Parameters { width: 0.4, ..Parameters::default() });
        assert!(!rules(&analysis).contains(&"egress.unreached"), "{setting:?} {:?}", analysis.findings);
    }
}

#[test]
fn a_room_that_nothing_leads_into_is_left_out_and_noted() {
    let mut house = House::new(Setting::PLAIN);
    house.upper(false);
    let analysis = analyse(&Made::new(house.plan.model()), &Parameters::default());
    assert_eq!(rules(&analysis), [""; 0]);
    assert!(
        analysis.notes.iter().any(|note| note.starts_with("2 rooms were left out")),
        "{:?}",
        analysis.notes
    );
}

#[test]
fn all_rooms_of_the_duplex_are_reached_and_it_needs_no_second_exit() {
    let Some(path) = testing::model("Duplex_A_20110907.ifc") else { return };
    let made = Made::new(Model::open(&path, &Limits::default()).unwrap().0);
    let analysis = analyse(&made, &Parameters::default());
    assert_eq!(analysis.occupancy, "residential");
    let longest =
        analysis.rooms.iter().filter_map(|room| Some(room.way.as_ref()?.length)).fold(0.0, f64::max);
    assert!((10.0..40.0).contains(&longest), "{longest}");
    for rule in ["unreached", "travel_distance", "room_exits", "storey_exits", "exit_capacity", "dead_end"] {
        assert!(
            !rules(&analysis).contains(&format!("egress.{rule}").as_str()),
            "{rule}: {:?}",
            analysis.findings
        );
    }
}

#[test]
fn a_building_that_is_turned_and_moved_has_the_same_egress() {
    for name in ["Duplex_A_20110907.ifc", "AC20-FZK-Haus.ifc", "LargeBuilding.ifc"] {
        let Some(path) = testing::model(name) else { return };
        let (model, _) = Model::open(&path, &Limits::default()).unwrap();
        let moved = Made::new(turned(&model, 41.0, [321.0, -54.0, 0.0]));
        let (one, other) = (Made::new(model), moved);
        let (before, after) =
            (analyse(&one, &Parameters::default()), analyse(&other, &Parameters::default()));
        assert_eq!(rules(&before), rules(&after), "{name}");
        assert!((before.persons - after.persons).abs() < 1e-6, "{name}");
        for (room, same) in before.rooms.iter().zip(&after.rooms) {
            let length = |room: &RoomEgress| room.way.as_ref().map(|way| way.length);
            let differ = length(room).zip(length(same)).map_or(0.0, |(a, b)| (a - b).abs());
            // the farthest place is found to an eighth of a metre
            assert!(
                differ < 0.15 && length(room).is_some() == length(same).is_some(),
                "{name} {room:?} {same:?}"
            );
            assert_eq!((&room.doors, room.exits_required), (&same.doors, same.exits_required), "{name}");
        }
    }
}

/// A house of two storeys whose second room is a stair with a door outside, and the walls and doors around it rated so; with the upper
/// room beside the stair.
fn stairwell(setting: Setting, walls: &str, doors: &str) -> (House, Id) {
    let mut house = House::new(setting);
    let (upper, [room, _]) = house.upper(false);
    let between = house.plan.door(upper[4], [4.3, 1.5, 3.2], 90.0, 0.9, "SINGLE_SWING_LEFT");
    house.stair();
    let south = house.south;
    house.plan.door(south, [6.0, 0.1, 0.0], 0.0, 1.0, "SINGLE_SWING_LEFT");
    let (inner, door) = (house.inner, house.between);
    for id in [inner, upper[4]] {
        rate(&mut house.plan, id, walls);
    }
    for id in [door, between] {
        rate(&mut house.plan, id, doors);
    }
    (house, room)
}

/// Limits for a house in which 400 mm are enough to pass.
fn slim() -> Parameters {
    Parameters { width: 0.4, ..Parameters::default() }
}

#[test]
fn a_stair_between_rated_walls_and_doors_is_an_exit_where_travel_ends() {
    for setting in Setting::ALL {
        let made = Made::new(stairwell(setting, "REI 60", "EI 45").0.plan.model());
        let analysis = analyse(&made, &slim());
        let [stair] = &analysis.stairs[..] else { panic!("{:?}", analysis.stairs) };
        assert!(stair.is_exit && stair.rooms.len() == 2, "{setting:?} {stair:?}");
        assert!(stair.reason.contains("60 min"), "{stair:?}");
        assert!(analysis.notes.iter().any(|note| note.starts_with("Exit stairway")), "{:?}", analysis.notes);
        // the upper room is 4 m wide: its way ends at the door into the stair
        let upper = analysis.rooms.iter().filter_map(|room| room.way.as_ref()).map(|way| way.length);
        assert!(upper.fold(0.0, f64::max) < 6.0, "{setting:?} {:?}", analysis.rooms);
        let into = analysis.exits.iter().filter(|exit| exit.stair.is_some()).count();
        assert_eq!((into, analysis.exits.len()), (2, 3), "{setting:?} {:?}", analysis.exits);
    }
}

#[test]
fn a_stair_is_measured_down_where_its_walls_or_doors_are_too_weak_or_it_is_open() {
    for (walls, doors, reason) in [
        ("REI 30", "EI 45", "30 min, and 60 min are due"),
        ("REI 60", "none", "not rated, and 45 min are due"),
    ] {
        let analysis = analyse(&Made::new(stairwell(Setting::PLAIN, walls, doors).0.plan.model()), &slim());
        let [stair] = &analysis.stairs[..] else { panic!("{:?}", analysis.stairs) };
        assert!(!stair.is_exit && stair.reason.contains(reason), "{stair:?}");
        let longest =
            analysis.rooms.iter().filter_map(|room| Some(room.way.as_ref()?.length)).fold(0.0, f64::max);
        assert!(longest > 8.0, "{longest}");
        assert!(
            analysis.notes.iter().any(|note| note.starts_with("Exit access stair")),
            "{:?}",
            analysis.notes
        );
    }
    let (mut house, _) = stairwell(Setting::PLAIN, "REI 60", "EI 45");
    let inner = house.inner;
    house.plan.opening(Some(inner), [4.1, 3.0, 0.0], [4.5, 4.0, 2.1]);
    let analysis = analyse(&Made::new(house.plan.model()), &slim());
    assert!(
        !analysis.stairs[0].is_exit && analysis.stairs[0].reason.contains("open"),
        "{:?}",
        analysis.stairs
    );
}

#[test]
fn a_stair_that_is_a_fire_compartment_is_an_exit_if_a_door_leads_outside_from_it() {
    let compartments = |is_left: bool| {
        let mut house = House::new(Setting::PLAIN);
        let (upper, [c, d]) = house.upper(false);
        house.plan.door(upper[4], [4.3, 1.5, 3.2], 90.0, 0.9, "SINGLE_SWING_LEFT");
        house.stair();
        if is_left {
            let south = house.south;
            house.plan.door(south, [6.0, 0.1, 0.0], 0.0, 1.0, "SINGLE_SWING_LEFT");
        }
        let [a, b] = house.rooms;
        zone(&mut house.plan, "Fire compartment stair", &[b, d]);
        zone(&mut house.plan, "Fire compartment rooms", &[a, c]);
        analyse(&Made::new(house.plan.model()), &slim()).stairs
    };
    let [stair] = &compartments(true)[..] else { panic!("one stair") };
    assert!(stair.is_exit && stair.reason.contains("compartment"), "{stair:?}");
    let [stair] = &compartments(false)[..] else { panic!("one stair") };
    assert!(!stair.is_exit && stair.reason.starts_with("no door leads outside"), "{stair:?}");
}

#[test]
fn the_width_of_an_exit_stair_is_for_the_persons_of_the_storey_that_takes_it() {
    let (mut house, room) = stairwell(Setting::PLAIN, "REI 60", "EI 45");
    state_persons(&mut house.plan, room, 200);
    let analysis = analyse(&Made::new(house.plan.model()), &slim());
    let finding = only(&analysis, "egress.stair_width");
    // 200 persons of the upper room, and nobody of the stair itself
    assert_eq!(finding.required.as_ref().unwrap().to_string(), "at least 1524 mm");
    assert!((measured(only(&analysis, "egress.storey_exits")) - 1.0).abs() < 1e-9);
}
