//! Faults of rooms.

use super::*;

#[test]
fn rooms_without_a_door_are_found_one_by_one() {
    for setting in Setting::ALL {
        let mut house = House::new(setting);
        let (_, [c, d]) = house.upper(false);
        let report = report(&Made::new(house.plan.model()));
        let expected = [c, d].map(|room| ("constraints.room_without_door".to_owned(), vec![room]));
        assert_eq!(breaches(&report), expected, "{setting:?}");
    }
}

#[test]
fn rooms_that_reach_each_other_and_no_exit_are_cut_off_together() {
    planted(|house| {
        let (_, rooms) = house.upper(true);
        ("constraints.sealed_room", rooms.to_vec())
    });
}

#[test]
fn a_stair_joins_what_was_cut_off() {
    for setting in Setting::ALL {
        let mut house = House::new(setting);
        house.upper(true);
        house.stair();
        let made = Made::new(house.plan.model());
        let report = check(&made.subject(), None, &["constraints.sealed_room"], &|_, _| true).unwrap();
        assert_eq!(report.findings, [], "{setting:?}");
    }
}

#[test]
fn rooms_that_overlap_are_measured() {
    let found = planted(|house| {
        let room = house.plan.room("Twice", [3.0, 0.2, 0.0], [4.2, 4.2, 3.0]);
        ("constraints.space_overlap", vec![house.rooms[0], room])
    });
    assert!(near(measured(&found), 1.2 * 4.0 * 3.0), "{found:?}");
}

#[test]
fn a_space_without_a_body_is_told() {
    let found = planted(|house| {
        let place = house.plan.place([0.0, 0.0, 0.0], 0.0);
        let space = house.plan.rooted("IFCSPACE", &format!("$,'Empty',$,$,#{place},$,$,.ELEMENT.,.SPACE.,$"));
        let storey = house.storey;
        house.plan.rooted("IFCRELAGGREGATES", &format!("$,$,$,{storey},(#{space})"));
        ("constraints.space_not_closed", vec![Id(space)])
    });
    assert_eq!(found[0].severity, Severity::Info);
}

#[test]
fn a_space_whose_faces_do_not_close_is_found() {
    planted(|house| {
        let space = house.plan.open_box("IFCSPACE", "Open", [4.4, 0.2, 0.0], [8.4, 4.2, 3.0]);
        let storey = house.storey;
        house.plan.rooted("IFCRELAGGREGATES", &format!("$,$,$,{storey},({space})"));
        let (b, own) = (house.rooms[1], space);
        // it stands in the place of the second room
        house.plan.forget(b);
        ("constraints.space_not_closed", vec![own])
    });
}

#[test]
fn without_rooms_or_exits_it_says_that_nothing_was_judged() {
    let mut plan = plan::Plan::new(Setting::PLAIN);
    plan.storey("Level 1", 0.0);
    plan.slab("Floor", [0.0, 0.0, -0.2], [4.0, 4.0, 0.0]);
    let report = report(&Made::new(plan.model()));
    let unjudged: Vec<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).collect();
    assert_eq!(unjudged, ["constraints.room_without_door", "constraints.sealed_room"]);
    assert!(report.findings.iter().all(|f| f.severity == Severity::Info && f.elements.is_empty()));
}
