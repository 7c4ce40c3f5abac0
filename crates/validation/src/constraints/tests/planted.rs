//! Faults of bodies: twice, through each other, short of each other, in the air, far off, nowhere.

use super::plan::{Made, Setting};
use super::*;
use serde_json::json;

#[test]
fn a_sound_house_has_no_finding_wherever_it_stands() {
    for setting in Setting::ALL {
        let report = report(&Made::new(House::new(setting).plan.model()));
        let messages: Vec<&str> = report.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, [""; 0], "{setting:?}");
        assert_eq!(report.counts.len(), super::super::constraints().count());
    }
}

#[test]
fn a_column_that_is_there_twice_is_found_and_its_copy_can_go() {
    let found = planted(|house| {
        let column = |house: &mut House| {
            house.plan.element("IFCCOLUMN", "Column", [2.0, 2.0, 0.0], [2.3, 2.3, 3.0], ".COLUMN.")
        };
        let (a, b) = (column(house), column(house));
        ("constraints.duplicate", vec![a, b])
    });
    let [finding] = &found[..] else { panic!("{found:?}") };
    let [fix] = &finding.fix[..] else { panic!("{finding:?}") };
    let copy = format!("{:022}", finding.elements[1].0);
    assert_eq!((fix.tool.as_str(), &fix.arguments), ("delete_elements", &json!({ "element_ids": [copy] })));
}

#[test]
fn a_storey_whose_elements_are_there_twice_is_one_finding() {
    let found = planted(|house| {
        let mut all = Vec::new();
        for number in 0..12 {
            let x = 0.4 + 0.3 * f64::from(number);
            for _ in 0..2 {
                let (low, high) = ([x, 3.0, 0.0], [x + 0.1, 3.1, 3.0]);
                all.push(house.plan.element("IFCCOLUMN", "Column", low, high, ".COLUMN."));
            }
        }
        ("constraints.duplicate", all)
    });
    assert_eq!((found.len(), found[0].fix.len()), (1, 12), "{found:?}");
}

#[test]
fn a_door_that_is_there_twice_with_its_opening_is_one_finding() {
    let found = planted(|house| {
        let door =
            |house: &mut House| house.plan.door(house.north, [6.0, 4.3, 0.0], 0.0, 1.0, "SLIDING_TO_LEFT");
        let (a, b) = (door(house), door(house));
        ("constraints.duplicate", vec![a, b])
    });
    assert_eq!(found[0].fix.len(), 1, "{found:?}");
}

#[test]
fn columns_that_go_into_each_other_are_measured() {
    let found = planted(|house| {
        let a = house.plan.element("IFCCOLUMN", "One", [2.0, 2.0, 0.0], [2.3, 2.3, 3.0], ".COLUMN.");
        let b = house.plan.element("IFCCOLUMN", "Two", [2.1, 2.0, 0.0], [2.4, 2.3, 3.0], ".COLUMN.");
        ("constraints.overlap", vec![a, b])
    });
    assert!(near(measured(&found), 0.2), "{found:?}");
    assert_eq!(found[0].severity, Severity::Error);
}

#[test]
fn a_wall_that_ends_short_of_another_leaves_a_gap() {
    let found = planted(|house| {
        let wall = house.plan.wall("Short", [2.0, 2.5, 0.0], [2.1, 4.18, 3.0]);
        ("constraints.wall_gap", vec![house.north, wall])
    });
    assert!(near(measured(&found), 0.02), "{found:?}");
}

#[test]
fn two_leaves_of_a_cavity_wall_and_a_gap_that_is_filled_are_no_gaps() {
    for setting in Setting::ALL {
        let mut house = House::new(setting);
        house.plan.wall("Lining", [0.24, 0.2, 0.0], [0.34, 4.2, 3.0]);
        let wall = house.plan.wall("Short", [2.0, 2.5, 0.0], [2.1, 4.18, 3.0]);
        house.plan.element("IFCCOVERING", "Strip", [1.9, 4.18, 0.0], [2.2, 4.2, 3.0], ".INSULATION.");
        let made = Made::new(house.plan.model());
        let report = check(&made.subject(), None, &["constraints.wall_gap"], &|_, _| true).unwrap();
        assert_eq!(report.findings, [], "{wall}");
    }
}

#[test]
fn a_slab_that_ends_short_of_a_wall_leaves_a_slit() {
    let found = planted(|house| {
        let slab = house.plan.slab("Terrace", [8.62, 1.0, -0.2], [10.0, 3.0, 0.0]);
        ("constraints.slab_gap", vec![slab, house.east])
    });
    assert!(near(measured(&found), 0.02), "{found:?}");
}

#[test]
fn walls_that_meet_without_a_connection_are_to_be_known() {
    let found = planted(|house| {
        let wall = house.plan.wall("Partition", [2.0, 2.5, 0.0], [2.1, 4.2, 3.0]);
        ("constraints.unjoined", vec![house.north, wall])
    });
    assert_eq!(found[0].severity, Severity::Info);
}

#[test]
fn an_element_in_the_air_floats_with_what_stands_on_it() {
    planted(|house| {
        let shelf = house.plan.element("IFCFURNITURE", "Shelf", [2.0, 2.0, 1.0], [3.0, 2.4, 1.1], "$");
        let vase = house.plan.element("IFCFURNITURE", "Vase", [2.2, 2.1, 1.1], [2.3, 2.2, 1.4], "$");
        ("constraints.floating", vec![shelf, vase])
    });
    // 8 mm over the floor are a tolerance
    let mut house = House::new(Setting::PLAIN);
    house.plan.element("IFCFURNITURE", "Chest", [2.0, 2.0, 0.008], [3.0, 2.4, 1.1], "$");
    assert_eq!(breaches(&report(&Made::new(house.plan.model()))), []);
}

#[test]
fn an_element_on_no_storey_is_an_orphan() {
    planted(|house| {
        let column = house.plan.stray("IFCCOLUMN", "Stray", [2.0, 2.0, 0.0], [0.3, 0.3, 3.0], ".COLUMN.");
        ("constraints.orphan", vec![column])
    });
}

#[test]
fn many_orphans_of_one_class_are_one_finding() {
    planted(|house| {
        let mut all = Vec::new();
        for number in 0..12 {
            let at = [0.4 + 0.3 * f64::from(number), 3.0, 0.0];
            all.push(house.plan.stray("IFCCOLUMN", "Stray", at, [0.1, 0.1, 3.0], ".COLUMN."));
        }
        ("constraints.orphan", all)
    });
}

#[test]
fn an_element_far_off_is_an_outlier() {
    let found = planted(|house| {
        let far = house.plan.element("IFCCOLUMN", "Far", [900.0, 2.0, 0.0], [900.3, 2.3, 3.0], ".COLUMN.");
        ("constraints.outlier", vec![far])
    });
    assert!((measured(&found) - 900.0).abs() < 10.0, "{found:?}");
}

#[test]
fn a_wall_as_thin_as_paper_has_no_size() {
    planted(|house| {
        let wall = house.plan.wall("Paper", [1.0, 3.0, 0.0], [3.0, 3.000_05, 3.0]);
        ("constraints.zero_size", vec![wall])
    });
}

#[test]
fn a_placement_in_a_circle_is_found() {
    planted(|house| {
        let shape = house.plan.block([0.3, 0.3, 3.0]);
        let own = house.plan.add("IFCLOCALPLACEMENT($,$)");
        let next = own + 2;
        house.plan.add(&format!("IFCLOCALPLACEMENT(#{next},$)"));
        house.plan.add(&format!("IFCLOCALPLACEMENT(#{},$)", own + 1));
        let column = house.plan.rooted("IFCCOLUMN", &format!("$,'Lost',$,$,#{next},#{shape},$,.COLUMN."));
        house.plan.contain(Id(column));
        ("constraints.placement", vec![Id(column)])
    });
}

#[test]
fn placements_without_numbers_or_directions_are_found() {
    for (origin, axis, way) in [
        ("(1.E400,0.,0.)", "(0.,0.,1.)", "(1.,0.,0.)"),
        ("(0.,0.,0.)", "(0.,0.,0.)", "(1.,0.,0.)"),
        ("(0.,0.,0.)", "(0.,0.,1.)", "(0.,0.,2.)"),
    ] {
        planted(|house| {
            let shape = house.plan.block([0.3, 0.3, 3.0]);
            let origin = house.plan.add(&format!("IFCCARTESIANPOINT({origin})"));
            let [z, x] = [axis, way].map(|ratios| house.plan.add(&format!("IFCDIRECTION({ratios})")));
            let axes = house.plan.add(&format!("IFCAXIS2PLACEMENT3D(#{origin},#{z},#{x})"));
            let place = house.plan.add(&format!("IFCLOCALPLACEMENT($,#{axes})"));
            let column =
                house.plan.rooted("IFCCOLUMN", &format!("$,'Lost',$,$,#{place},#{shape},$,.COLUMN."));
            house.plan.contain(Id(column));
            ("constraints.placement", vec![Id(column)])
        });
    }
}

#[test]
fn a_global_id_that_two_elements_have_is_found() {
    planted(|house| {
        let mut twin = |x: f64| {
            let place = house.plan.place([x, 2.0, 0.0], 0.0);
            let shape = house.plan.block([0.3, 0.3, 3.0]);
            let column = house.plan.add(&format!(
                "IFCCOLUMN('1abcdefghijklmnopqrstu',$,'Twin',$,$,#{place},#{shape},$,.COLUMN.)"
            ));
            house.plan.contain(Id(column));
            Id(column)
        };
        let (a, b) = (twin(1.0), twin(3.0));
        ("constraints.duplicate_guid", vec![a, b])
    });
}

#[test]
fn a_type_without_occurrence_is_to_be_known() {
    let found = planted(|house| {
        let own = house.plan.rooted("IFCWALLTYPE", "$,'Unused',$,$,$,$,$,$,.STANDARD.");
        ("constraints.unused_type", vec![Id(own)])
    });
    assert_eq!(found[0].severity, Severity::Info);
}

#[test]
fn a_quantity_that_is_not_that_of_the_shape_is_set_right() {
    let found = planted(|house| {
        let volume = house.plan.add("IFCQUANTITYVOLUME('GrossVolume',$,$,9.,$)");
        let set =
            house.plan.rooted("IFCELEMENTQUANTITY", &format!("$,'Qto_WallBaseQuantities',$,$,(#{volume})"));
        let (wall, set) = (house.east, format!("#{set}"));
        house.plan.rooted("IFCRELDEFINESBYPROPERTIES", &format!("$,$,$,({wall}),{set}"));
        ("constraints.quantity", vec![wall])
    });
    let [fix] = &found[0].fix[..] else { panic!("{found:?}") };
    assert_eq!(
        (fix.tool.as_str(), &fix.arguments["pset"]),
        ("set_properties", &json!("Qto_WallBaseQuantities"))
    );
    let value = fix.arguments["properties"]["GrossVolume"].as_f64().unwrap();
    assert!(near(value, 0.2 * 4.0 * 3.0), "{fix:?}");
}
