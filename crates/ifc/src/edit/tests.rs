//! Edits on a small house.

use super::*;
use crate::SchemaVersion;
use crate::sample::dangling;
use crate::sample::{HOUSE, model};

fn house() -> Model {
    model(SchemaVersion::Ifc4, HOUSE)
}

fn text(model: &Model) -> String {
    String::from_utf8(model.to_bytes()).unwrap()
}

fn refused<T: std::fmt::Debug>(result: Result<T, EditError>, part: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.contains(part), "{message}");
}

#[test]
fn a_refusal_names_the_attribute_its_declaration_and_what_was_given() {
    let mut edit = house().edit();
    refused(edit.set(Id(10), "Name", 5), "IfcWall.Name must be a text, not an integer (IfcLabel; given 5)");
    refused(
        edit.set(Id(10), "Name", "x".repeat(256)),
        "takes at most 255 characters (IfcLabel), not 256 (IfcLabel; given 'xxx",
    );
    refused(
        edit.set(Id(10), "GlobalId", "short"),
        "must have exactly 22 characters, not 5 (IfcGloballyUniqueId; given 'short')",
    );
    refused(edit.set(Id(10), "GlobalId", Value::Null), "IfcWall.GlobalId is mandatory (IfcGloballyUniqueId)");
    refused(edit.set(Id(7), "Elevation", f64::NAN), "must be a finite number (IfcLengthMeasure; given NaN)");
    refused(
        edit.set(Id(13), "PredefinedType", Value::enumeration("PORTAL")),
        "must be one of DOOR, GATE, TRAPDOOR, USERDEFINED, NOTDEFINED, not PORTAL (IfcDoorTypeEnum)",
    );
    let label = Value::typed("IfcLabel", 5);
    refused(edit.set(Id(31), "NominalValue", label), "must be a text, not an integer (IfcValue; given 5)");
    refused(edit.set(Id(31), "NominalValue", "bare"), "must be a reference or typed value of");
    let length = Value::typed("IfcLengthMeasurer", 5.0);
    refused(
        edit.set(Id(31), "NominalValue", length),
        "names the unknown type IfcLengthMeasurer; near it: IfcLengthMeasure",
    );
    let twice = vec![Id(10), Id(11), Id(10)];
    refused(
        edit.set(Id(17), "RelatedElements", twice),
        "must not have a member twice (SET [1:?] OF IfcProduct; given #10)",
    );
    assert!(edit.is_empty());
}

#[test]
fn lists_in_lists_keep_their_bounds_and_numbers_their_kind() {
    let mut edit = house().edit();
    let three = |x: f64| Value::list([x, 0.0, 1.0]);
    let points = |members: Vec<Value>| [("CoordList", Value::List(members))];
    edit.create("IfcCartesianPointList3D", &points(vec![three(0.0), three(1.0)])).unwrap();
    let short = points(vec![three(0.0), Value::list([1.0, 2.0])]);
    refused(
        edit.create("IfcCartesianPointList3D", &short),
        "has a member that needs at least 3 members, not 2",
    );
    let count = edit.create("IfcQuantityCount", &[("Name", "n".into()), ("CountValue", 5.into())]).unwrap();
    assert_eq!(edit.get(count).unwrap().attr("CountValue"), Value::Integer(5), "NUMBER takes whole numbers");
    edit.set(Id(7), "Elevation", 3).unwrap();
    assert_eq!(edit.get(Id(7)).unwrap().attr("Elevation"), Value::Real(3.0), "REAL does not");
    refused(
        edit.set(Id(52), "Priority", 1.5),
        "must be an integer, not a real number (IfcInteger; given 1.5)",
    );
    let list = vec![Value::typed("IfcLabel", "a"), Value::typed("IfcLabel", "a")];
    edit.set(Id(35), "EnumerationValues", Value::List(list)).unwrap();
}

#[test]
fn a_binary_says_how_many_bits_it_leaves_unused() {
    let mut edit = house().edit();
    let mut texture = |digits: &str| {
        let given = [
            ("RepeatS", Value::Boolean(true)),
            ("RepeatT", Value::Boolean(true)),
            ("RasterFormat", "PNG".into()),
            ("RasterCode", Value::Binary(digits.to_owned())),
        ];
        edit.create("IfcBlobTexture", &given)
    };
    texture("0").unwrap();
    texture("023F").unwrap();
    refused(texture(""), "must be hexadecimal digits");
    refused(texture("0G"), "must be hexadecimal digits");
    refused(texture("4A"), "0 to 3");
    refused(texture("3"), "0 to 3");
}

#[test]
fn a_binary_has_no_more_bits_than_its_type() {
    let mut edit = model(SchemaVersion::Ifc2x3, "").edit();
    let mut pixels = |digits: &str| {
        let given = [
            ("RepeatS", Value::Boolean(true)),
            ("RepeatT", Value::Boolean(true)),
            ("TextureType", Value::Enum("TEXTURE".to_owned())),
            ("Width", Value::Integer(1)),
            ("Height", Value::Integer(1)),
            ("ColourComponents", Value::Integer(4)),
            ("Pixel", Value::List(vec![Value::Binary(digits.to_owned())])),
        ];
        edit.create("IfcPixelTexture", &given)
    };
    pixels("0FFFFFFFF").unwrap();
    pixels("3000000001").unwrap_err();
    refused(pixels("0FFFFFFFFF"), "takes at most 32 bits (BINARY(32)), not 36");
}

#[test]
fn removal_says_what_it_changed_and_what_went_with_it() {
    let mut edit = house().edit();
    refused(
        edit.remove_all(&[Id(13)], Referrers::Refuse),
        "#13 is needed by #16 (IfcRelFillsElement.RelatedBuildingElement)",
    );
    refused(edit.remove_all(&[Id(13)], Referrers::Unset), "#13 is needed by #16");
    refused(edit.remove_all(&[Id(10), Id(999)], Referrers::Cascade), "#999 does not exist");
    assert!(edit.is_empty());
    let record = edit.remove_all(&[Id(13)], Referrers::Cascade).unwrap();
    let removed: Vec<_> = record.removed.iter().map(|r| (r.id.0, r.needed.as_deref())).collect();
    // the relation of its property set loses its only member, that of its container only one of three
    assert_eq!(removed, [(13, None), (16, Some("RelatedBuildingElement")), (48, Some("RelatedObjects"))]);
    let [changed] = record.changed.as_slice() else { panic!("{record:?}") };
    assert_eq!(
        (changed.id, changed.attribute.as_str(), &changed.fate),
        (Id(17), "RelatedElements", &Fate::Dropped(1))
    );
    assert_eq!(dangling(&edit), []);
    // a cascade stops at what is no relationship
    refused(
        edit.remove_all(&[Id(94)], Referrers::Cascade),
        "#94 is needed by #90 (IfcAxis2Placement3D.Location)",
    );
    let record = edit.remove_all(&[Id(94)], Referrers::Dependents).unwrap();
    let removed: Vec<_> = record.removed.iter().map(|r| r.id.0).collect();
    assert_eq!(
        removed,
        [80, 81, 82, 83, 84, 90, 94]
            .into_iter()
            .filter(|id| [80, 81, 90, 94].contains(id))
            .collect::<Vec<_>>()
    );
    let unset: Vec<_> = record.changed.iter().map(|c| (c.id.0, c.attribute.as_str())).collect();
    assert_eq!(
        unset,
        [(5, "ObjectPlacement"), (6, "ObjectPlacement"), (82, "PlacementRelTo"), (83, "PlacementRelTo")]
    );
    assert_eq!(dangling(&edit), []);
}

#[test]
fn one_instance_takes_the_place_of_another() {
    let mut edit = house().edit();
    // wall 11 shares the property set with wall 10, so the set has it once
    let changed = edit.replace(Id(10), Id(11)).unwrap();
    assert_eq!(changed, [15, 17, 23, 37, 41, 56].map(Id));
    assert_eq!(edit.get(Id(37)).unwrap().references("RelatedObjects"), [Id(11)]);
    assert_eq!(edit.get(Id(17)).unwrap().references("RelatedElements"), [Id(11), Id(13)]);
    assert_eq!(edit.get(Id(15)).unwrap().reference("RelatingBuildingElement"), Some(Id(11)));
    assert!(!edit.contains(Id(10)));
    refused(edit.replace(Id(90), Id(80)), "#80 cannot take the place of #90: it refers to it");
    let before = text(&edit);
    refused(edit.replace(Id(94), Id(98)), "must refer to an IfcCartesianPoint, but #98 is an IfcDirection");
    assert_eq!(text(&edit), before, "a refusal changes nothing");
    // a wrapper goes around: the one stays referred to by it alone
    let origin = edit.create("IfcAxis2Placement3D", &[("Location", Id(95).into())]).unwrap();
    let wrapper = [("PlacementRelTo", Id(80).into()), ("RelativePlacement", origin.into())];
    let wrapper = edit.create("IfcLocalPlacement", &wrapper).unwrap();
    edit.redirect(Id(80), wrapper).unwrap();
    assert_eq!(edit.referrers(Id(80)), [wrapper]);
    assert_eq!(dangling(&edit), []);
}

#[test]
fn nothing_becomes_a_part_of_itself() {
    let mut edit = house().edit();
    let before = text(&edit);
    // the wall's placement is relative to the storey's, that to the building's
    refused(edit.replace(Id(81), Id(83)), "#83 cannot take the place of #81: it refers to it");
    refused(edit.redirect(Id(80), Id(83)), "it is made of what refers to it");
    // the building has the storey as a part, and that the bedroom
    refused(edit.replace(Id(5), Id(6)), "it is a part of it or in it");
    refused(edit.redirect(Id(19), Id(5)), "it has it as a part or in it");
    refused(edit.redirect(Id(5), Id(19)), "it is a part of it or in it");
    // the wall has an opening, and that the door
    refused(edit.replace(Id(13), Id(10)), "it has it as a part or in it");
    assert_eq!(text(&edit), before, "a refusal changes nothing");
    edit.redirect(Id(19), Id(20)).unwrap();
}

#[test]
fn a_proxy_becomes_a_wall_in_its_place() {
    let mut edit = house().edit();
    let guid = "000000000000000000000A";
    let proxy = edit.reassign(Id(10), "IfcBuildingElementProxy", &[]).unwrap();
    assert_eq!((proxy.from.as_str(), proxy.to), ("IfcWall", "IfcBuildingElementProxy"));
    let [(name, value, reason)] = proxy.lost.as_slice() else { panic!("{proxy:?}") };
    assert_eq!((name.as_str(), value), ("PredefinedType", &Value::enumeration("SOLIDWALL")));
    assert!(reason.contains("must be one of COMPLEX"), "{reason}");
    let wall =
        edit.reassign(Id(10), "IfcWall", &[("PredefinedType", Value::enumeration("PARAPET"))]).unwrap();
    assert_eq!(wall.lost, []);
    assert_eq!(wall.kept, ["GlobalId", "Name", "ObjectPlacement", "Tag"]);
    let wall = edit.get(Id(10)).unwrap();
    assert_eq!(
        (wall.guid().as_deref(), wall.attr("PredefinedType")),
        (Some(guid), Value::enumeration("PARAPET"))
    );
    assert_eq!(edit.referrers(Id(10)), house().referrers(Id(10)));
    refused(
        edit.reassign(Id(10), "IfcWallType", &[]),
        "IfcRelVoidsElement.RelatingBuildingElement, IfcElement) cannot refer to an IfcWallType",
    );
    refused(edit.reassign(Id(10), "IfcBuildingElement", &[]), "abstract");
    let door = edit.reassign(Id(13), "IfcWindow", &[]).unwrap();
    assert!(
        door.kept.contains(&"OverallHeight") && door.lost.iter().any(|(name, ..)| name == "PredefinedType")
    );
    let door = edit.reassign(Id(22), "IfcMemberType", &[]).unwrap();
    assert_eq!(door.defaulted, ["PredefinedType"]);
}

#[test]
fn savepoints_nest_and_are_gone_with_those_before_them() {
    let base = house();
    let mut edit = base.edit();
    edit.set(Id(10), "Name", "one").unwrap();
    let first = edit.savepoint();
    let one = text(&edit);
    edit.remove_all(&[Id(13)], Referrers::Cascade).unwrap();
    let second = edit.savepoint();
    let two = text(&edit);
    let made = edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([1.0, 2.0]))]).unwrap();
    edit.roll_back(&second).unwrap();
    assert_eq!(text(&edit), two);
    assert_eq!(edit.next_id(), made, "ids given out since are free again");
    edit.roll_back(&first).unwrap();
    assert_eq!(text(&edit), one);
    assert_eq!(edit.touched().collect::<Vec<_>>(), [Id(10)]);
    assert_eq!(edit.roll_back(&second), Err(EditError::NoSavepoint));
    let mut other = base.edit();
    assert_eq!(other.roll_back(&first), Err(EditError::NoSavepoint));
    edit.release(&first).unwrap();
    assert_eq!(edit.roll_back(&first), Err(EditError::NoSavepoint));
    let (after, delta) = edit.finish();
    assert_eq!(text(&base.apply(&delta).unwrap()), text(&after));
}

#[test]
fn an_attempt_that_fails_leaves_nothing_half_done() {
    let mut edit = house().edit();
    edit.set(Id(10), "Name", "kept").unwrap();
    let before = (text(&edit), edit.next_id(), edit.touched().count());
    let outcome = edit.attempt(|edit| {
        edit.create("IfcDirection", &[("DirectionRatios", Value::list([0.0, 1.0]))])?;
        edit.set(Id(10), "Name", "changed")?;
        let inner = edit.attempt(|edit| edit.remove(Id(6)));
        assert!(inner.is_err());
        assert_eq!(
            edit.get(Id(10)).unwrap().name().as_deref(),
            Some("changed"),
            "an inner failure undoes only itself"
        );
        edit.set(Id(10), "Nmae", "x")
    });
    assert!(outcome.is_err());
    assert_eq!((text(&edit), edit.next_id(), edit.touched().count()), before);
    refused(edit.set_all(Id(10), &[("Tag", "t".into()), ("Name", 5.into())]), "must be a text");
    assert_eq!(text(&edit), before.0);
}

#[test]
fn owner_history_is_kept_on_request_and_a_shared_one_is_copied() {
    let mut edit = house().edit();
    let person = edit.create("IfcPerson", &[]).unwrap();
    let organization = edit.create("IfcOrganization", &[("Name", "O".into())]).unwrap();
    let user = [("ThePerson", person.into()), ("TheOrganization", organization.into())];
    let user = edit.create("IfcPersonAndOrganization", &user).unwrap();
    let application = [
        ("ApplicationDeveloper", organization.into()),
        ("Version", "1".into()),
        ("ApplicationFullName", "A".into()),
        ("ApplicationIdentifier", "A".into()),
    ];
    let application = edit.create("IfcApplication", &application).unwrap();
    let change = |time, added| HistoryChange { user, application, time, added };
    let first = edit.update_owner_history(Id(10), &change(100, true)).unwrap();
    edit.set(Id(11), "OwnerHistory", first).unwrap();
    assert_eq!(edit.get(first).unwrap().attr("ChangeAction"), Value::enumeration("ADDED"));
    let second = edit.update_owner_history(Id(10), &change(200, false)).unwrap();
    assert_ne!(first, second, "the wall beside keeps its own");
    let history = edit.get(second).unwrap();
    assert_eq!(history.attr("ChangeAction"), Value::enumeration("MODIFIED"));
    assert_eq!(history.attr("CreationDate"), Value::Integer(100));
    assert_eq!(history.attr("LastModifiedDate"), Value::Integer(200));
    assert_eq!(edit.update_owner_history(Id(10), &change(300, false)).unwrap(), second);
    refused(edit.update_owner_history(Id(31), &change(1, false)), "has no attribute OwnerHistory");
}

#[test]
fn a_purge_takes_what_nothing_uses_and_keeps_what_says_something_about_the_rest() {
    let data = "\
#200=IFCCARTESIANPOINT((5.,5.));
#201=IFCPOLYLINE((#200,#200));
#202=IFCSTYLEDITEM(#201,(#203),$);
#203=IFCCURVESTYLE($,$,$,$,$);
#204=IFCMATERIALPROPERTIES($,$,(#205),#50);
#205=IFCPROPERTYSINGLEVALUE('x',$,IFCLABEL('y'),$);
#206=IFCMATERIAL('unused',$,$);
#207=IFCSHAPEREPRESENTATION(#208,'Body','Curve2D',(#209));
#208=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,$,#90,$);
#209=IFCPOLYLINE((#210,#210));
#210=IFCCARTESIANPOINT((6.,5.));
#211=IFCPRODUCTDEFINITIONSHAPE($,$,(#207));
#212=IFCSTYLEDITEM(#209,(#203),$);
#213=IFCPRESENTATIONLAYERASSIGNMENT('layer',$,(#201,#209),$);
#214=IFCGEOMETRICREPRESENTATIONSUBCONTEXT('Body','Model',*,*,*,*,#208,$,.MODEL_VIEW.,$);
#215=IFCWINDOWTYPE('000000000000000000001A',$,'unused',$,$,(#216),$,$,$,.WINDOW.,.SINGLE_PANEL.,$,$);
#216=IFCPROPERTYSET('000000000000000000001B',$,'unused',$,(#217));
#217=IFCPROPERTYSINGLEVALUE('z',$,IFCLABEL('y'),$);
#218=IFCRELASSOCIATESMATERIAL('000000000000000000001C',$,$,$,(#215),#206);";
    let model = model(SchemaVersion::Ifc4, &format!("{HOUSE}\n{data}"));
    let mut edit = model.edit();
    edit.set(Id(10), "Representation", Id(211)).unwrap();
    let purged = edit.purge(Unused::default());
    let removed: Vec<(&str, usize)> = purged.removed.iter().map(|(class, n)| (class.as_str(), *n)).collect();
    assert_eq!(removed, [("IfcCartesianPoint", 1), ("IfcPolyline", 1), ("IfcStyledItem", 1)]);
    assert_eq!(purged.shortened, 1);
    assert_eq!(edit.get(Id(213)).unwrap().references("AssignedItems"), [Id(209)]);
    for kept in [203, 204, 205, 206, 212, 214, 215] {
        assert!(edit.contains(Id(kept)), "#{kept}");
    }
    assert_eq!(dangling(&edit), []);
    assert_eq!(edit.purge(Unused::default()), Purged::default());
    let purged = edit.purge(Unused { types: true, materials: true, property_sets: true });
    let removed: Vec<(&str, usize)> = purged.removed.iter().map(|(class, n)| (class.as_str(), *n)).collect();
    let expected = [
        ("IfcMaterial", 1),
        ("IfcPropertySet", 1),
        ("IfcPropertySingleValue", 1),
        ("IfcRelAssociatesMaterial", 1),
        ("IfcWindowType", 1),
    ];
    assert_eq!(removed, expected);
    assert_eq!(dangling(&edit), []);
}
