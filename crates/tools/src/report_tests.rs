//! One report over every family of checks: lines in words, waivers, what is new since a version, the page.

use crate::desk::{Desk, SCHEMAS, text};
use serde_json::{Value, json};

/// An IDS that asks a description of every wall.
const MARKED: &str = "<ids xmlns=\"http://standards.buildingsmart.org/IDS\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"><info><title>Marks</title></info><specifications>\
<specification name=\"Walls are marked\" ifcVersion=\"IFC2X3 IFC4 IFC4X3_ADD2\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\">\
<entity><name><xs:restriction base=\"xs:string\"><xs:pattern value=\"IFCWALL(STANDARDCASE)?\"/></xs:restriction></name></entity></applicability><requirements><attribute><name>\
<simpleValue>Description</simpleValue></name></attribute></requirements></specification></specifications></ids>";

fn wall(start: [i32; 2], end: [i32; 2]) -> Value {
    json!({ "start": start, "end": end, "height": 2500, "thickness": 200, "level_id": "Ground Floor" })
}

/// A wall that is there twice, and a third.
fn twice(schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    for (start, end) in [([0, 0], [4000, 0]), ([0, 0], [4000, 0]), ([0, 3000], [4000, 3000])] {
        desk.call("create_wall", wall(start, end));
    }
    desk
}

fn family<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let families = answer["families"].as_array().unwrap();
    families.iter().find(|own| own["family"] == name).unwrap_or_else(|| panic!("no {name}: {answer:#}"))
}

fn group<'a>(answer: &'a Value, rule: &str) -> Option<&'a Value> {
    answer["groups"].as_array().unwrap().iter().find(|own| own["rule"] == rule)
}

#[test]
fn every_family_that_is_asked_for_has_its_line_and_its_groups() {
    for schema in SCHEMAS {
        let mut desk = twice(schema);
        let usual = desk.call("validate_model", json!({}));
        assert_eq!(usual["checked"], json!(["schema", "rules", "implementer"]));
        assert_eq!((&usual["valid"], usual["families"].as_array().unwrap().len()), (&json!(true), 3));
        assert!(text(&family(&usual, "schema")["say"]).contains(schema), "{usual:#}");
        let whole = json!({
            "parts": ["packs", "schema", "constraints", "ids", "schema"], "ids": MARKED, "packs": ["model-quality", "ada-2010", "model-quality"]
        });
        let answer = desk.call("validate_model", whole);
        assert_eq!(answer["checked"], json!(["schema", "constraints", "ids", "packs"]));
        assert_eq!(answer["valid"], false);
        let lines: Vec<(String, String)> = answer["families"]
            .as_array()
            .unwrap()
            .iter()
            .map(|own| (text(&own["family"]), own["name"].as_str().unwrap_or_default().to_owned()))
            .collect();
        let expected = [
            ("schema", ""),
            ("constraints", ""),
            ("ids", "Marks"),
            ("packs", "model-quality"),
            ("packs", "ada-2010"),
        ];
        assert_eq!(lines, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
        let constraints = family(&answer, "constraints");
        assert_eq!(constraints["met"], false);
        assert!(text(&constraints["say"]).contains("error"), "{constraints}");
        assert_eq!(group(&answer, "constraints.duplicate").unwrap()["count"], 1);
        let marks = group(&answer, "ids.walls-are-marked.1").unwrap();
        assert_eq!(
            (&marks["count"], &marks["kind"], &marks["level"]),
            (&json!(3), &json!("ids"), &json!("error"))
        );
        assert!(
            text(&family(&answer, "ids")["say"]).starts_with("0 of 1 specifications are met. 3 errors"),
            "{answer:#}"
        );
        let counted: u64 =
            answer["groups"].as_array().unwrap().iter().map(|own| own["count"].as_u64().unwrap()).sum();
        let counts = &answer["counts"];
        let all = ["error", "warning", "notice"].map(|level| counts[level].as_u64().unwrap());
        assert_eq!(counted, all.iter().sum::<u64>(), "{answer:#}");
    }
}

#[test]
fn a_demand_that_would_not_be_held_is_refused() {
    let mut desk = twice("IFC4");
    for (arguments, field) in [
        (json!({ "parts": ["schema"], "ids": MARKED }), "ids"),
        (json!({ "rules": ["SPS"], "packs": ["ada-2010"] }), "packs"),
        (json!({ "parts": ["ids"] }), "ids"),
        (json!({ "parts": ["packs"] }), "packs"),
        (json!({ "parts": [] }), "parts"),
        (json!({ "packs": [] }), "packs"),
        (json!({ "packs": ["ada-2010", "ada-2011"] }), "packs[1]"),
        (json!({ "ids": "<ids>" }), "ids"),
        (json!({ "ids": "no/such/file.ids" }), "ids"),
    ] {
        assert_eq!(desk.refuse("validate_model", arguments.clone()).data["field"], field, "{arguments}");
    }
}

#[test]
fn findings_of_every_family_are_waived_by_their_ids() {
    let mut desk = twice("IFC4");
    let ask = json!({ "parts": ["constraints", "ids"], "ids": MARKED });
    let answer = desk.call("validate_model", ask.clone());
    let id = |rule: &str, at: usize| text(&group(&answer, rule).unwrap()["first"][at]["finding"]);
    let ids =
        [id("constraints.duplicate", 0), id("ids.walls-are-marked.1", 0), id("ids.walls-are-marked.1", 1)];
    desk.call("waive_findings", json!({ "finding_ids": ids, "reason": "Known." }));
    let after = desk.call("validate_model", ask);
    assert!(group(&after, "constraints.duplicate").is_none(), "{after:#}");
    assert_eq!(group(&after, "ids.walls-are-marked.1").unwrap()["count"], 1);
    assert_eq!((&after["waived_count"], &after["waived"][0]["reason"]), (&json!(3), &json!("Known.")));
    assert!(text(&family(&after, "ids")["say"]).contains("1 error"), "{after:#}");
}

#[test]
fn the_page_holds_lines_groups_pictures_and_waivers_and_nothing_of_others_making_is_markup() {
    let mut desk = twice("IFC4");
    for _ in 0..2 {
        let mut named = wall([0, 9000], [4000, 9000]);
        named["name"] = json!("<script>alert(1)</script>");
        desk.call("create_wall", named);
    }
    let ask = json!({ "parts": ["constraints"], "report": "html" });
    let answer = desk.call("validate_model", ask.clone());
    let id = text(&group(&answer, "constraints.duplicate").unwrap()["first"][0]["finding"]);
    desk.call("waive_findings", json!({ "finding_ids": [id], "reason": "<b>Both</b>" }));
    desk.call("validate_model", ask);
    let page = String::from_utf8(desk.file("findings.html").to_vec()).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for part in ["constraints", "data:image/png;base64,iVBOR", "Waived", "&lt;script&gt;", "&lt;b&gt;Both"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script") && !page.contains("<b>Both"));
}

#[test]
fn what_is_new_since_a_version_is_told_alone_with_what_was_resolved() {
    for schema in SCHEMAS {
        let mut desk = twice(schema);
        let before = desk.model.clone();
        let ask = json!({ "parts": ["implementer", "constraints"], "since": "1" });
        let same = desk.beside("validate_model", "since", &before, ask.clone());
        assert_eq!((&same["groups"], &same["since"]["new"]), (&json!([]), &json!(0)), "{same:#}");
        assert_eq!((&same["valid"], &same["since"]["resolved"]), (&json!(true), &json!(0)));
        // the third wall is there twice now, the first not any more
        desk.call("create_wall", wall([0, 3000], [4000, 3000]));
        let doubles = desk.call("validate_constraints", json!({ "constraints": ["duplicate"] }));
        let first = &doubles["constraint_errors"][0];
        desk.call("fix_findings", json!({ "finding_ids": [first["id"]] }));
        let after = desk.beside("validate_model", "since", &before, ask);
        assert_eq!(group(&after, "constraints.duplicate").unwrap()["count"], 1, "{after:#}");
        assert!(after["since"]["resolved"].as_u64().unwrap() >= 1, "{after:#}");
        let new: u64 =
            after["groups"].as_array().unwrap().iter().map(|own| own["count"].as_u64().unwrap()).sum();
        assert_eq!(after["since"]["new"], new);
    }
}
