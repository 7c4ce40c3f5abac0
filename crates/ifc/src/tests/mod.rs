//! Tests of the kernel as a whole, on a small house and on the real files.

mod bad;
mod files;
mod large;
mod random;

use crate::sample::dangling;
use crate::*;

pub(crate) use crate::sample::WALLS as HOUSE;

pub(crate) fn house() -> Model {
    let (model, problems) = Model::from_bytes(HOUSE.into(), &Limits::default()).unwrap();
    assert_eq!(problems, []);
    model
}

pub(super) fn text(model: &Model) -> String {
    String::from_utf8(model.to_bytes()).unwrap()
}

#[test]
fn a_file_is_read_by_class_by_id_and_by_attribute() {
    let model = house();
    assert_eq!(model.len(), 7);
    assert_eq!(model.of_class("IfcElement"), [Id(4), Id(5)]);
    let wall = model.get(Id(4)).unwrap();
    assert_eq!(wall.class_name(), "IfcWall");
    assert_eq!(wall.name().as_deref(), Some("W1"));
    assert_eq!(wall.attr("PredefinedType"), Value::enumeration("STANDARD"));
    assert_eq!(wall.reference("ObjectPlacement"), Some(Id(3)));
    assert_eq!(wall.line(), 11);
    assert_eq!(model.by_guid("0Wall00000000000000002"), Some(Id(5)));
    assert_eq!(model.referrers(Id(4)), [Id(7)]);
    assert_eq!(model.get(Id(7)).unwrap().references("RelatedElements"), [Id(4), Id(5)]);
    assert_eq!(dangling(&model), []);
}

#[test]
fn instances_of_very_many_classes_are_found_by_class() {
    let entities = SchemaVersion::Ifc4.schema().entities();
    let (head, tail) =
        HOUSE.split_once("DATA;\n").map(|(head, _)| (head, "ENDSEC;\nEND-ISO-10303-21;\n")).unwrap();
    // more than are kept at once; every other one that is made up is longer than what is compared at once
    let made_up = |at: usize| format!("IFCMADEUP{at}{}", "X".repeat(at % 2 * 40));
    let names: Vec<String> =
        entities.iter().map(|own| own.name.to_uppercase()).chain((0..800).map(made_up)).collect();
    let lines: Vec<String> =
        names.iter().chain(&names).zip(1..).map(|(name, id)| format!("#{id}={name}();\n")).collect();
    let lines = lines.concat();
    let (model, _) =
        Model::from_bytes(format!("{head}DATA;\n{lines}{tail}").into(), &Limits::default()).unwrap();
    assert_eq!(model.len(), 2 * names.len());
    for (name, at) in names.iter().zip(1u32..) {
        let second = at + names.len() as u32;
        assert_eq!(model.of_class_exact(name), [Id(at), Id(second)], "{name}");
        assert!(model.get(Id(second)).unwrap().class_name().eq_ignore_ascii_case(name));
    }
    let classes: Vec<&str> = model.classes().iter().map(|class| class.name).collect();
    assert_eq!(classes, entities.iter().map(|own| own.name).collect::<Vec<_>>());
}

#[test]
fn the_classes_of_a_model_follow_its_edits() {
    let model = house();
    let names = |model: &Model| model.classes().iter().map(|class| class.name).collect::<Vec<_>>();
    assert!(names(&model).contains(&"IfcWall") && !names(&model).contains(&"IfcPerson"));
    let mut edit = model.edit();
    // the relation that lists them goes first
    edit.remove(Id(7)).unwrap();
    for wall in model.of_class("IfcWall") {
        edit.remove(wall).unwrap();
    }
    edit.create("IfcPerson", &[]).unwrap();
    let (after, _) = edit.finish();
    let after = names(&after);
    assert!(after.contains(&"IfcPerson") && !after.contains(&"IfcWall"), "{after:?}");
    assert!(house().classes().is_sorted_by_key(|class| class.id.0));
}

#[test]
fn an_edit_changes_its_lines_and_no_others() {
    let model = house();
    assert_eq!(text(&model), HOUSE);
    let mut edit = model.edit();
    edit.set(Id(2), "Axis", Value::Null).unwrap();
    edit.set(Id(4), "Name", "Wall's \u{e9}").unwrap();
    edit.remove(Id(5)).unwrap();
    let point = edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([1.0, 2.5]))]).unwrap();
    assert_eq!(point, Id(8));
    let (after, delta) = edit.finish();
    let expect = HOUSE
        .replace("'W1'", "'Wall''s \\X2\\00E9\\X0\\'")
        .replace("#5=IFCWALL('0Wall00000000000000002',$,'W2',$,$,#3,$,$,$);\n", "")
        .replace("(#4,#5)", "(#4)")
        .replace("#6);\nENDSEC", "#6);\n#8=IFCCARTESIANPOINT((1.,2.5));\nENDSEC");
    assert_eq!(text(&after), expect);
    assert_eq!(after.len(), 7);
    let delta = Delta::decode(&delta.encode()).unwrap();
    assert_eq!(text(&model.apply(&delta).unwrap()), expect);
    assert_eq!(text(&after.apply(&Delta::between(&after, &model)).unwrap()), HOUSE);
}

#[test]
fn a_blank_model_takes_instances() {
    let model = Model::blank(SchemaVersion::Ifc4x3, Header::new("new.ifc", "2026-01-02T03:04:05"));
    let mut edit = model.edit();
    let error = edit.create("IfcWall", &[("Nmae", "W".into())]).unwrap_err();
    assert!(error.to_string().contains("did you") || error.to_string().contains("Name"), "{error}");
    edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([0.0, 0.0]))]).unwrap();
    let (model, _) = edit.finish();
    let (again, problems) = Model::from_bytes(model.to_bytes(), &Limits::default()).unwrap();
    assert_eq!((again.len(), problems), (1, vec![]));
}

#[test]
fn the_schema_is_kept_by_every_edit() {
    let mut edit = house().edit();
    let refused = |result: Result<(), EditError>, part: &str| {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    };
    refused(edit.set(Id(4), "Name", 5), "IfcWall.Name must be a text, not an integer");
    refused(edit.set(Id(4), "GlobalId", Value::Null), "IfcWall.GlobalId is mandatory");
    refused(edit.set(Id(4), "PredefinedType", Value::enumeration("STANDARDS")), "SOLIDWALL");
    let wrong_class = "must refer to an IfcObjectPlacement, but #1 is an IfcCartesianPoint";
    refused(edit.set(Id(4), "ObjectPlacement", Id(1)), wrong_class);
    refused(edit.set(Id(4), "ObjectPlacement", Id(99)), "#99, which does not exist");
    refused(edit.set(Id(99), "Name", "x"), "#99 does not exist");
    refused(edit.set(Id(1), "Coordinates", Value::list([0.0, 0.0, 0.0, 0.0])), "at most 3 members");
    refused(edit.set(Id(1), "Coordinates", Value::list([f64::NAN])), "finite");
    refused(edit.add_to(Id(4), "Name", Id(1)), "is no list");
    let needed = "#6 is needed by #7 (IfcRelContainedInSpatialStructure.RelatingStructure)";
    refused(edit.remove(Id(6)), needed);
    refused(edit.create("IfcWal", &[]).map(|_| ()), "did you mean IfcWall");
    refused(edit.create("IfcElement", &[]).map(|_| ()), "abstract");
    refused(edit.create("IfcWall", &[]).map(|_| ()), "GlobalId is mandatory");
    refused(edit.create("IfcSIUnit", &[("Dimensions", Value::Null)]).map(|_| ()), "cannot be given");
    assert!(edit.is_empty());
    let unit = [("UnitType", Value::enumeration("LENGTHUNIT")), ("Name", Value::enumeration("METRE"))];
    let unit = edit.create("IfcSIUnit", &unit).unwrap();
    assert_eq!(edit.get(unit).unwrap().attr_at(0), Value::Derived);
    let (model, _) = edit.finish();
    assert!(text(&model).contains("#8=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n"), "{}", text(&model));
}

#[test]
fn removal_takes_references_along_where_the_schema_allows_it() {
    let mut edit = house().edit();
    edit.remove(Id(3)).unwrap();
    assert!(edit.get(Id(4)).unwrap().attr("ObjectPlacement").is_null());
    edit.remove(Id(4)).unwrap();
    let error = edit.remove(Id(5)).unwrap_err().to_string();
    assert!(error.contains("needed by #7"), "{error}");
    edit.remove(Id(7)).unwrap();
    edit.remove(Id(5)).unwrap();
    assert_eq!(edit.of_class("IfcWall"), []);
    assert_eq!(edit.referrers(Id(3)), []);
    assert_eq!(dangling(&edit), []);
    assert_eq!(edit.by_guid("0Wall00000000000000002"), None);
    assert_eq!(edit.len(), 3);
}

#[test]
fn the_header_of_a_changed_model_says_who_wrote_it_and_when() {
    let model = house();
    let written = |model: &Model| {
        let mut out = Vec::new();
        model.write_at("2030-01-01T00:00:00", &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(written(&model), HOUSE, "nothing was changed, so nothing is");
    let mut edit = model.edit();
    edit.set(Id(4), "Name", "W9").unwrap();
    let (after, _) = edit.finish();
    let program = concat!("Pensaer ", env!("CARGO_PKG_VERSION"));
    let name = format!("FILE_NAME('house.ifc','2030-01-01T00:00:00',('A'),('B'),'{program}','o','');");
    let expect = HOUSE
        .replace("FILE_NAME('house.ifc','2026-01-02T03:04:05',('A'),('B'),'p','o','');", &name)
        .replace("'W1'", "'W9'");
    assert_eq!(written(&after), expect);
    // a header that has no such place is left alone
    for odd in ["FILE_NAME('house.ifc');", "!MINE('FILE_NAME(1);');"] {
        let text = HOUSE.replace("FILE_NAME('house.ifc','2026-01-02T03:04:05',('A'),('B'),'p','o','');", odd);
        let (model, _) = Model::from_bytes(text.clone().into_bytes(), &Limits::default()).unwrap();
        let mut edit = model.edit();
        edit.set(Id(4), "Name", "W9").unwrap();
        assert_eq!(written(&edit.finish().0), text.replace("'W1'", "'W9'"));
    }
}

#[test]
fn two_changes_of_one_member_list_both_hold() {
    let base = house();
    let add = |edit: &mut Edit, name: &str| {
        let attributes = [("GlobalId", "0New000000000000000001".into()), ("Name", name.into())];
        let wall = edit.create("IfcWall", &attributes).unwrap();
        edit.add_to(Id(7), "RelatedElements", wall).unwrap();
    };
    let (mut one, mut two) = (base.edit(), base.edit());
    add(&mut one, "one");
    add(&mut two, "two");
    let (head, _) = one.finish();
    let (_, delta) = two.finish();
    let both = head.apply(&delta).unwrap();
    assert_eq!(both.get(Id(7)).unwrap().references("RelatedElements"), [Id(4), Id(5), Id(8), Id(9)]);
    assert_eq!(both.get(Id(9)).unwrap().name().as_deref(), Some("two"));
}

#[test]
fn ids_stay_the_same_when_a_version_is_opened_from_a_written_file() {
    let mut edit = house().edit();
    let gone = edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([0.0]))]).unwrap();
    edit.remove(gone).unwrap();
    let (live, _) = edit.finish();
    let (written, _) = Model::from_bytes(live.to_bytes(), &Limits::default()).unwrap();
    let mut edit = live.edit();
    let point = edit.create("IfcCartesianPoint", &[("Coordinates", Value::list([1.0]))]).unwrap();
    let (after, delta) = edit.finish();
    assert_eq!(text(&written.apply(&delta).unwrap()), text(&after));
    assert!(written.apply(&delta).unwrap().contains(point));
}

/// Reads one attribute value as a file has it and writes it again.
fn check_value(text: &str, expect: Value, again: &str) {
    let file = HOUSE.replace("'W1'", text);
    let (model, _) = Model::from_bytes(file.into_bytes(), &Limits::default()).unwrap();
    assert_eq!(model.get(Id(4)).unwrap().attr("Name"), expect, "{text}");
    let mut out = String::new();
    crate::step::encode::value(&expect, &mut out);
    assert_eq!(out, again);
}

#[test]
fn values_are_read_as_programs_write_them() {
    let t = |s: &str| Value::Text(s.to_owned());
    check_value(r"'it''s'", t("it's"), r"'it''s'");
    check_value(r"'a\\b'", t("a\\b"), r"'a\\b'");
    check_value(r"'\X\E9'", t("é"), r"'\X2\00E9\X0\'");
    check_value(r"'\X2\00E400F6\X0\x'", t("äöx"), r"'\X2\00E400F6\X0\x'");
    check_value(r"'\X4\0001F3E0\X0\'", t("🏠"), r"'\X4\0001F3E0\X0\'");
    check_value(r"'\X2\D83CDFE0\X0\'", t("🏠"), r"'\X4\0001F3E0\X0\'");
    check_value(r"'\S\d'", t("ä"), r"'\X2\00E4\X0\'");
    check_value(r"'\PE\\S\P'", t("а"), r"'\X2\0430\X0\'");
    check_value(r"'\PG\\S\a'", t("α"), r"'\X2\03B1\X0\'");
    check_value("'two\nlines'", t("twolines"), "'twolines'");
    check_value("'Wände'", t("Wände"), r"'W\X2\00E4\X0\nde'");
    check_value(r"'odd \Q'", t(r"odd \Q"), r"'odd \\Q'");
    check_value("1.", Value::Real(1.0), "1.");
    check_value("-.5E-3", Value::Real(-0.0005), "-0.0005");
    check_value("1e-005", Value::Real(1e-5), "1.E-05");
    check_value("1.5E20", Value::Real(1.5e20), "1.5E+20");
    check_value("+7", Value::Integer(7), "7");
    check_value("  /* a; 'b' */ .t. ", Value::Boolean(true), ".T.");
    check_value(".u.", Value::Unknown, ".U.");
    check_value(".element.", Value::enumeration("ELEMENT"), ".ELEMENT.");
    check_value("\"0F3\"", Value::Binary("0F3".into()), "\"0F3\"");
    check_value("IfcLabel ( 'x' )", Value::typed("IfcLabel", "x"), "IFCLABEL('x')");
    check_value("((1,2),())", Value::List(vec![Value::list([1, 2]), Value::List(vec![])]), "((1,2),())");
    check_value("*", Value::Derived, "*");
    check_value("# 3", Value::Null, "$");
}
