use super::*;
use contract::{DiffSummary, PropertyChange};
use ifc::{Edit, Id, Model};

/// Returns the summary of an edit of the small model.
fn check(change: impl FnOnce(&mut Edit)) -> DiffSummary {
    let (before, problems) = Model::from_bytes(SMALL.into(), &ifc::Limits::default()).unwrap();
    assert_eq!(problems, []);
    let mut edit = before.edit();
    change(&mut edit);
    let (after, _) = edit.finish();
    crate::diff::summary(&ifc_compare::diff(&before, &after), &before, &after, None)
}

const NORTH: Id = Id(9);

#[test]
fn a_renamed_wall_is_one_modified_element_with_its_name_before_and_after() {
    let summary = check(|edit| edit.set(NORTH, "Name", "Nord").unwrap());
    assert_eq!(summary.modified["IfcWall"], 1);
    assert_eq!(summary.elements[0].name.as_deref(), Some("Nord"));
    assert_eq!(summary.storeys, ["Ground floor"]);
    let expected = PropertyChange {
        id: "1ZvctVUKr0kugbFTf53O9L".into(),
        property: "Name".into(),
        before: json!("North"),
        after: json!("Nord"),
        also: 0,
    };
    assert_eq!(summary.properties, [expected]);
    assert_eq!(summary.instances, 1);
}

#[test]
fn a_property_is_a_change_of_the_element_that_has_it() {
    let value = ifc::Value::typed("IfcLabel", "F90");
    let summary = check(|edit| edit.set(Id(12), "NominalValue", value).unwrap());
    assert_eq!(summary.modified["IfcWall"], 1);
    let change = &summary.properties[0];
    assert_eq!(change.property, "Pset_WallCommon.FireRating");
    assert_eq!((&change.before, &change.after), (&json!("F30"), &json!("F90")));
}

#[test]
fn a_new_wall_changes_neither_its_storey_nor_its_neighbours() {
    let summary = check(|edit| {
        let wall = [("GlobalId", "0bvctVUKr0kugbFTf53O9L".into()), ("Name", "East".into())];
        let wall = edit.create("IfcWall", &wall).unwrap();
        edit.add_to(Id(11), "RelatedElements", wall).unwrap();
    });
    assert_eq!(summary.added["IfcWall"], 1);
    assert!(summary.modified.is_empty() && summary.removed.is_empty(), "{summary:?}");
    assert_eq!(summary.storeys, ["Ground floor"]);
}

#[test]
fn a_moved_wall_is_modified_through_its_placement() {
    let summary = check(|edit| edit.set(Id(6), "Coordinates", vec![1.0, 0.0, 0.0]).unwrap());
    assert_eq!(summary.modified["IfcWall"], 1);
    assert_eq!(summary.elements[0].name.as_deref(), Some("North"));
    assert_eq!(summary.elements[0].changes["moved"]["by_mm"], json!([1000.0, 0.0, 0.0]));
}

#[test]
fn a_new_opening_modifies_the_wall_it_cuts() {
    let summary = check(|edit| {
        let opening = [("GlobalId", "0cvctVUKr0kugbFTf53O9L".into())];
        let opening = edit.create("IfcOpeningElement", &opening).unwrap();
        let voids = [
            ("GlobalId", "1cvctVUKr0kugbFTf53O9L".into()),
            ("RelatingBuildingElement", NORTH.into()),
            ("RelatedOpeningElement", opening.into()),
        ];
        edit.create("IfcRelVoidsElement", &voids).unwrap();
    });
    assert_eq!((summary.added["IfcOpeningElement"], summary.modified["IfcWall"]), (1, 1));
    let wall = summary.elements.iter().find(|element| element.class == "IfcWall").unwrap();
    assert_eq!(wall.changes["openings"], json!({"added": 1, "removed": 0}));
}

#[test]
fn a_removed_wall_is_named_as_it_was() {
    let summary = check(|edit| edit.remove(Id(10)).unwrap());
    assert_eq!(summary.removed["IfcWall"], 1);
    assert_eq!(summary.elements[0].name.as_deref(), Some("South"));
    assert_eq!(summary.storeys, ["Ground floor"]);
}

#[test]
fn a_property_set_given_to_another_wall_modifies_that_one() {
    let summary = check(|edit| edit.add_to(Id(14), "RelatedObjects", Id(10)).unwrap());
    assert_eq!(summary.modified["IfcWall"], 1);
    assert_eq!(summary.elements[0].name.as_deref(), Some("South"));
    assert_eq!(summary.properties[0].property, "Pset_WallCommon.FireRating");
    assert_eq!(summary.properties[0].before, Value::Null);
}

#[test]
fn the_raw_difference_has_every_instance_and_attribute() {
    let (before, _) = Model::from_bytes(SMALL.into(), &ifc::Limits::default()).unwrap();
    let mut edit = before.edit();
    edit.set(NORTH, "Name", "Nord").unwrap();
    edit.remove(Id(10)).unwrap();
    let (after, _) = edit.finish();
    let raw = crate::diff::raw(&ifc_compare::diff(&before, &after));
    assert_eq!(raw.added, []);
    assert_eq!(raw.removed.len(), 1);
    assert_eq!((raw.removed[0].id, raw.removed[0].class.as_str()), (10, "IfcWall"));
    let wall = raw.modified.iter().find(|change| change.entity.id == 9).unwrap();
    assert_eq!(wall.changes[0].attribute, "Name");
    assert_eq!((&wall.changes[0].before, &wall.changes[0].after), (&json!("North"), &json!("Nord")));
}
