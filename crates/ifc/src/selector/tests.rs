use super::{Datum, Selector};
use crate::relations::Links;
use crate::sample::{HOUSE, model};
use crate::{Id, SchemaVersion};

/// Runs a selector on the sample house and compares the ids.
fn check(selector: &str, expected: &[u32]) {
    let house = model(SchemaVersion::Ifc4, HOUSE);
    let found = Selector::parse(selector).unwrap_or_else(|error| panic!("{selector}: {error}")).run(&house);
    let expected: Vec<Id> = expected.iter().map(|id| Id(*id)).collect();
    assert_eq!(found, expected, "{selector}");
}

/// The message for a selector that is wrong, with its place.
fn refused(selector: &str) -> String {
    Selector::parse(selector).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn a_class_stands_for_its_subtypes() {
    check("IfcWall", &[10, 11]);
    check("IfcWallStandardCase", &[11]);
    check("IfcWall, IfcDoor", &[10, 11, 13]);
    check("IfcWall+IfcDoor", &[10, 11, 13]);
    check("IfcElement, !IfcWall, ! IfcOpeningElement", &[12, 13]);
    check("!IfcWall", &[]);
    check("IfcNothing", &[]);
}

#[test]
fn a_globalid_adds_or_takes_away_one_element() {
    check("000000000000000000000A", &[10]);
    check("IfcWall, !000000000000000000000A", &[11]);
    check("IfcSlab + 000000000000000000000A", &[10, 12]);
}

#[test]
fn attributes_are_compared_as_text_or_number() {
    check("IfcBuildingStorey, Name=\"roof\", Elevation<\"2.5\"", &[7]);
    check("IfcBuildingStorey, Elevation>=2.4", &[7]);
    check("IfcBuildingStorey, Elevation=0", &[6]);
    check("IfcDoor, OverallHeight=2.1", &[13]);
    check("IfcDoor, OverallHeight=tall", &[]);
    check("IfcDoor, OverallHeight!=tall", &[13]);
    check("IfcWall, Name*=wall", &[10, 11]);
    check("IfcWall, Name!*=North", &[11]);
    check("IfcSpace, LongName=NULL", &[20]);
    check("IfcSpace, LongName!=NULL", &[19]);
    check("IfcWall, PredefinedType=PARTITIONING", &[10]);
    check("IfcWall, PredefinedType=Thick", &[11]);
}

#[test]
fn expressions_match_from_the_start_as_in_python() {
    check("IfcSpace, Name=/bed*/", &[19]);
    check("IfcSpace, Name=/bath*/", &[]);
    check("IfcSpace, Name=/(?i)bath*/", &[20]);
    check("IfcSpace, Name=/room/", &[]);
    check("IfcSpace, Name=/.*room/", &[19, 20]);
    check("IfcSpace, Name!=/.*room/", &[]);
}

#[test]
fn properties_and_quantities_are_compared_in_the_files_units() {
    check("IfcWall, Qto_WallBaseQuantities.Length=7", &[10]);
    check("IfcWall, Qto_WallBaseQuantities.Length>=\"4.8\"", &[10]);
    check("IfcWall, Qto_WallBaseQuantities.Length<7", &[]);
    check("IfcWall, /Qto_.*/.NetSideArea>18.8", &[10]);
    check("IfcWall, Pset_WallCommon.IsExternal=TRUE", &[10, 11]);
    check("IfcWall, Pset_WallCommon.FireRating=F90", &[10]);
    check("IfcWall, Pset_WallCommon.FireRating!=F90", &[11]);
    check("IfcWall, Pset_WallCommon.FireRating=NULL", &[11]);
    check("IfcWall, Pset_WallCommon.Status=NEW", &[10, 11]);
    check("IfcWall, Pset_WallCommon.Status!=NEW", &[]);
    check("IfcDoor, \"My set\".Steps=2", &[13]);
    check("/Pset_.*/./Fire.*/=F90", &[10, 22]);
}

#[test]
fn a_list_that_begins_with_a_filter_begins_with_all_products_and_types() {
    check("Name=/.*wall/", &[10, 11]);
    check("Name=WT01", &[22]);
    // a class behind a filter adds its instances
    check("Name=WT01, IfcSlab", &[12, 22]);
}

#[test]
fn relations_are_asked_by_name() {
    check("IfcWall, type=WT01", &[10]);
    check("IfcElement, material=concrete", &[10, 12]);
    check("IfcElement, material=/.*concrete/", &[10, 12]);
    check("IfcWall, material=NULL", &[11]);
    check("IfcElement, classification=EF_25_10", &[10]);
    check("IfcElement, location=\"Ground floor\"", &[10, 11, 13, 14]);
    check("IfcElement, location!=\"Ground floor\"", &[12]);
    check("IfcElement, location=Building", &[10, 11, 12, 13, 14]);
    check("IfcSpace, group=\"Flat 1\"", &[19, 20]);
    check("IfcElement, parent=\"North wall\"", &[10, 13, 14]);
    check("IfcElement, parent=\"Hole\"", &[13, 14]);
}

#[test]
fn storey_room_host_and_whole_are_filters_of_their_own() {
    check("IfcElement, storey=roof", &[12]);
    check("IfcElement, storey=\"Ground floor\"", &[10, 11, 13, 14]);
    check("IfcElement, storey!=\"Ground floor\"", &[12]);
    check("IfcElement, storey=NULL", &[]);
    check("IfcElement, host=\"North wall\"", &[13, 14]);
    check("IfcDoor, host=000000000000000000000A", &[13]);
    check("IfcElement, host=NULL", &[10, 11, 12]);
    check("IfcBuildingStorey, part_of=Building", &[6, 7]);
    check("IfcElement, query:\"host.Name\"=\"North wall\"", &[13, 14]);
    check("IfcElement, query:\"fillings.Name\"!=NULL", &[10, 14]);
    check("IfcDoor, query:\"fills.class\"=IfcOpeningElement", &[13]);
}

#[test]
fn a_selector_says_what_its_filters_name_and_which_values_there_are() {
    let house = model(SchemaVersion::Ifc4, HOUSE);
    let links = Links::of_one(&house);
    let selector = Selector::parse(
        "IfcWall, Name=x, Pset_WallCommon.FireRating!=NULL, storey=NULL, /Pset_.*/.Status=NEW + IfcDoor, query:\"host.Name\"=y",
    )
    .unwrap();
    let asked = selector.asked();
    let labels: Vec<String> = asked.iter().map(super::Asked::label).collect();
    assert_eq!(labels, ["Name", "Pset_WallCommon.FireRating", "storey", "/Pset_.*/.Status", "host.Name"]);
    let positive: Vec<bool> = asked.iter().map(super::Asked::is_positive).collect();
    assert_eq!(positive, [true, true, false, true, true]);
    assert_eq!((asked[0].wanted_text(), asked[2].wanted_text()), (Some("x"), None));
    assert_eq!((&asked[0].classes, &asked[4].classes), (&vec!["IfcWall"], &vec!["IfcDoor"]));
    assert_eq!((asked[0].comparison(), asked[1].comparison()), ("=x".to_owned(), "!=NULL".to_owned()));
    assert_eq!(asked[0].values(&links, Id(10)), [Datum::Text("North wall".to_owned())]);
    assert_eq!(asked[2].values(&links, Id(10)), [Datum::Text("Ground floor".to_owned())]);
    assert!(asked[1].has(&links, Id(10)) && !asked[1].has(&links, Id(12)));
    assert_eq!(selector.unfiltered(&house), [Id(10), Id(11), Id(13)]);
}

#[test]
fn negations_and_containment_mean_what_they_say() {
    check("IfcElement, material*=concrete", &[10, 12]);
    check("IfcElement, material!=concrete", &[11, 13, 14]);
    check("IfcElement, location*=round", &[10, 11, 13, 14]);
    check("IfcSpace, group!*=Flat", &[]);
    check("IfcElement, parent!=\"North wall\"", &[11, 12]);
}

#[test]
fn a_query_follows_a_path_of_keys() {
    check("IfcElement, query:\"storey.Name\"=roof", &[12]);
    check("IfcElement, query:storey.Name=roof", &[12]);
    check("IfcElement, query:\"storey.Elevation\"<1", &[10, 11, 13, 14]);
    check("IfcElement, query:\"type.Name\"=WT01", &[10]);
    check("IfcElement, query:class=IfcDoor", &[13]);
    check("IfcElement, query:\"material.item.0.LayerThickness\"=0.2", &[10]);
    check("IfcElement, query:\"materials.Name\"=Plaster", &[10]);
    check("IfcElement, query:\"materials.count\"=2", &[10]);
    check("IfcDoor, query:\"My set.Lock.Cylinder\"=C1", &[13]);
    check("IfcDoor, query:x>9.9, query:y=1.0", &[13]);
    check("IfcElement, query:predefined_type=FLOOR", &[12]);
}

#[test]
fn blanks_and_comments_are_stepped_over() {
    check("  IfcWall /* and */ ,\n Name = \"North wall\" ", &[10]);
    check("IfcWall +", &[10, 11]);
}

#[test]
fn a_wrong_selector_says_where_and_what_is_expected() {
    for (selector, place, hint) in [
        ("", "character 1:", "IfcProduct"),
        ("IfcWall,", "character 9:", "expected a class"),
        ("IfcWall, Name", "character 10:", "`Name` is no class"),
        ("IfcWall, name=x", "character 10:", "begin with a capital"),
        ("IfcWall, Name=Living room", "character 22:", "quotes"),
        ("IfcWall, Name=", "character 15:", "expected a value"),
        ("IfcWall, Name=>3", "character 15:", "expected a value"),
        ("IfcWall, Name=\"x", "character 15:", "never closed"),
        ("IfcWall, Name=/(/", "character 15:", "regular expression"),
        ("IfcWall, Name!<3", "character 15:", "negated"),
        ("IfcWall, A.B.C=3", "character 13:", "query:"),
        ("IfcWall, !Name=3", "character 11:", "after !"),
        ("IfcWall IfcDoor", "character 9:", "comma"),
        ("ifcwall", "character 1:", "IfcWall"),
    ] {
        let message = refused(selector);
        assert!(message.starts_with(place) && message.contains(hint), "{selector}: {message}");
    }
}

#[test]
fn hostile_selectors_are_bounded() {
    assert!(refused(&"IfcWall,".repeat(3000)).contains("at most"));
    assert!(refused("Name=/(a{500}){500}/").contains("too large"));
    assert!(refused(&format!("Name=/{}/", "(".repeat(4000))).contains("regular expression"));
}
