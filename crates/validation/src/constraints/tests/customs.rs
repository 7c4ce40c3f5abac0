//! Pairs that share space by custom are no overlaps, and a little more than that is one.

use super::plan::{Made, Setting};
use super::*;

/// Expects that nothing is wrong with a house in which something was built, and that a sentence on what was not told names the custom.
fn usual(custom: &str, build: impl Fn(&mut House)) {
    for setting in Setting::ALL {
        let mut house = House::new(setting);
        build(&mut house);
        let report = report(&Made::new(house.plan.model()));
        assert_eq!(breaches(&report), [], "{setting:?} {:?}", report.findings);
        assert!(report.notes.iter().any(|note| note.contains(custom)), "{setting:?} {:?}", report.notes);
    }
}

#[test]
fn a_chest_may_stand_in_the_finish_of_the_floor_and_no_deeper() {
    let chest = |house: &mut House, foot: f64| {
        house.plan.element("IFCFURNITURE", "Chest", [2.0, 2.0, foot], [3.0, 2.4, 1.1], "$")
    };
    usual("finish", |house| {
        chest(house, -0.02);
    });
    let found = planted(|house| {
        let floor = house.floor;
        let chest = chest(house, -0.06);
        ("constraints.overlap", vec![floor, chest])
    });
    assert!(near(measured(&found), 0.06), "{found:?}");
}

#[test]
fn a_beam_may_bear_in_a_wall_or_lie_in_it_and_may_not_run_through_it() {
    let beam = |house: &mut House, from: [f64; 3], to: [f64; 3]| {
        house.plan.element("IFCBEAM", "Beam", from, to, ".BEAM.")
    };
    usual("bear in a wall", |house| {
        beam(house, [2.0, 0.2, 2.5], [2.2, 4.3, 2.8]);
    });
    usual("within the wall", |house| {
        beam(house, [5.0, 4.25, 2.5], [7.0, 4.35, 2.8]);
    });
    let found = planted(|house| {
        let north = house.north;
        let beam = beam(house, [2.0, 0.2, 2.5], [2.2, 6.0, 2.8]);
        ("constraints.overlap", vec![north, beam])
    });
    assert_eq!(found[0].severity, Severity::Warning);
}

#[test]
fn slabs_may_be_cast_into_walls_at_the_floor_of_a_storey_and_nowhere_else() {
    usual("cast into each other", |house| {
        house.plan.wall("Garden", [0.0, 8.0, -0.3], [4.0, 8.2, 2.0]);
        house.plan.slab("Deck", [0.5, 6.0, -0.2], [3.5, 8.1, 0.0]);
    });
    usual("cast into each other", |house| {
        house.plan.wall("Core", [6.0, 1.5, -1.0], [7.0, 1.7, 2.5]);
    });
    planted(|house| {
        let wall = house.plan.wall("Garden", [0.0, 8.0, -0.3], [4.0, 8.2, 2.0]);
        let slab = house.plan.slab("Shelf", [0.5, 6.0, 0.9], [3.5, 8.1, 1.1]);
        ("constraints.overlap", vec![wall, slab])
    });
    planted(|house| {
        let floor = house.floor;
        let wall = house.plan.wall("Sunk", [6.0, 1.5, -0.2], [7.0, 1.7, 2.5]);
        ("constraints.overlap", vec![floor, wall])
    });
}

#[test]
fn a_corner_that_two_walls_draw_is_a_warning_and_a_crossing_is_wrong() {
    let walls = |house: &mut House, end: f64| {
        let one = house.plan.wall("One", [0.0, 8.0, 0.0], [4.0, 8.2, 2.0]);
        let other = house.plan.wall("Other", [3.8, 5.0, 0.0], [4.0, end, 2.0]);
        ("constraints.overlap", vec![one, other])
    };
    assert_eq!(planted(|house| walls(house, 8.2))[0].severity, Severity::Warning);
    assert_eq!(planted(|house| walls(house, 10.0))[0].severity, Severity::Error);
}
