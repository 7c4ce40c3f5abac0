//! Faults of storeys and of what is on them.

use super::*;

#[test]
fn two_storeys_on_one_level_are_found() {
    planted(|house| {
        let other = house.plan.storey("Other", 0.0);
        ("constraints.storey_levels", vec![house.storey, other])
    });
}

#[test]
fn storeys_whose_numbers_fall_as_they_rise_are_found() {
    planted(|house| {
        let low = house.plan.storey("Level 5", 3.2);
        let high = house.plan.storey("Level 4", 6.4);
        ("constraints.storey_levels", vec![high, low])
    });
}

#[test]
fn basements_are_counted_downwards_and_heights_in_names_are_no_numbers() {
    for names in [
        [("B2", -6.0), ("B1", -3.0)],
        [("+3.20 First", 3.2), ("+6.40 Second", 6.4)],
        [("-2", -6.0), ("-1", -3.0)],
    ] {
        let mut house = House::new(Setting::PLAIN);
        for (name, elevation) in names {
            house.plan.storey(name, elevation);
        }
        let made = Made::new(house.plan.model());
        let report = check(&made.subject(), None, &["constraints.storey_levels"], &|_, _| true).unwrap();
        assert_eq!(report.findings, [], "{names:?}");
    }
}

#[test]
fn an_elevation_that_is_not_that_of_the_placement_is_found() {
    let found = planted(|house| {
        let place = house.plan.place([0.0, 0.0, 3.2], 0.0);
        let storey =
            house.plan.rooted("IFCBUILDINGSTOREY", &format!("$,'Level 2',$,$,#{place},$,$,.ELEMENT.,99."));
        house.plan.aggregate(Id(storey));
        ("constraints.storey_levels", vec![Id(storey)])
    });
    assert!(measured(&found) > 0.09, "{found:?}");
}

#[test]
fn an_element_that_stands_on_the_storey_above_its_own_is_found() {
    planted(|house| {
        house.upper(true);
        // so that what is above is reached
        house.plan.storey = 0;
        let chest = house.plan.element("IFCFURNITURE", "Chest", [1.0, 1.0, 4.3], [2.0, 2.0, 4.8], "$");
        house.plan.storey = 1;
        house.plan.element("IFCFURNITURE", "Table", [1.0, 1.0, 3.2], [2.0, 2.0, 4.3], "$");
        house.stair();
        ("constraints.storey_contents", vec![chest])
    });
}
