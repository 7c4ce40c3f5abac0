//! Faults of openings, doors and windows.

use super::*;

#[test]
fn an_opening_that_voids_nothing_can_go() {
    let found = planted(|house| {
        let opening = house.plan.opening(None, [2.0, 2.0, 1.0], [3.0, 3.0, 2.0]);
        ("constraints.idle_opening", vec![opening])
    });
    let [fix] = &found[0].fix[..] else { panic!("{found:?}") };
    assert_eq!(
        fix.arguments,
        serde_json::json!({ "element_ids": [format!("{:022}", found[0].elements[0].0)] })
    );
}

#[test]
fn an_opening_beside_its_host_is_an_error_and_one_over_its_edge_a_warning() {
    let beside = planted(|house| {
        let opening = house.plan.opening(Some(house.north), [2.0, 8.0, 1.0], [3.0, 8.4, 2.0]);
        ("constraints.opening_outside_host", vec![opening, house.north])
    });
    assert_eq!(beside[0].severity, Severity::Error);
    let over = planted(|house| {
        let opening = house.plan.opening(Some(house.north), [8.0, 4.1, 1.0], [9.0, 4.5, 2.0]);
        ("constraints.opening_outside_host", vec![opening, house.north])
    });
    assert_eq!(over[0].severity, Severity::Warning);
}

#[test]
fn a_door_in_the_middle_of_a_room_has_no_host() {
    planted(|house| {
        let rest = "2.1,0.9,.DOOR.,.NOTDEFINED.,$";
        let door = house.plan.element("IFCDOOR", "Lonely", [2.0, 2.0, 0.0], [2.9, 2.06, 2.1], rest);
        ("constraints.unhosted_filling", vec![door])
    });
}

#[test]
fn a_window_that_was_moved_out_of_its_opening_is_found() {
    let found = planted(|house| {
        let opening = house.plan.opening(Some(house.north), [2.0, 4.1, 1.0], [3.0, 4.5, 2.0]);
        let rest = "1.,1.,.WINDOW.,.NOTDEFINED.,$";
        let window = house.plan.element("IFCWINDOW", "Moved", [2.3, 4.27, 1.0], [3.3, 4.33, 2.0], rest);
        house.plan.rooted("IFCRELFILLSELEMENT", &format!("$,$,$,{opening},{window}"));
        ("constraints.filling_outside_opening", vec![window, opening])
    });
    assert!(near(measured(&found), 0.3), "{found:?}");
}

#[test]
fn a_door_that_hits_a_chest_tells_how_far_it_opens() {
    let found = planted(|house| {
        let chest = house.plan.element("IFCFURNITURE", "Chest", [3.5, 1.9, 0.0], [4.0, 2.3, 0.8], "$");
        ("constraints.door_swing", vec![house.between, chest])
    });
    // the hinge is at y = 1.54, the panel 0.82 m wide: it meets the corner (4.0, 2.3) or an edge just before
    let angle = measured(&found);
    assert!((15.0..=30.0).contains(&angle), "{found:?}");
}

#[test]
fn a_chest_behind_the_hinge_is_in_nobodys_way() {
    let mut house = House::new(Setting::PLAIN);
    house.plan.element("IFCFURNITURE", "Chest", [3.5, 0.9, 0.0], [4.0, 1.45, 0.8], "$");
    assert_eq!(breaches(&report(&Made::new(house.plan.model()))), []);
}

#[test]
fn two_doors_that_swing_over_the_same_floor_are_found() {
    planted(|house| {
        let one = house.plan.door(house.south, [3.0, 0.1, 0.0], 0.0, 1.0, "SINGLE_SWING_LEFT");
        let other = house.plan.door(house.inner, [4.3, 0.4, 0.0], 90.0, 0.9, "SINGLE_SWING_LEFT");
        ("constraints.door_swing", vec![one, other])
    });
}
