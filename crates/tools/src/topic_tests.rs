//! Issues kept with the model, and written as BCF: of what is said, of findings, of requirements.

use crate::desk::{Desk, SCHEMAS, text};
use bcf::{Archive, Limits};
use serde_json::{Value, json};

/// Two walls at one place, a third, and a door in the third.
fn house(schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    for y in [0, 0, 3000] {
        let wall = json!({ "start": [0, y], "end": [4000, y], "height": 2500, "thickness": 200, "level_id": "Ground Floor", "name": format!("Wall at {y}") });
        desk.call("create_wall", wall);
    }
    desk
}

fn archive(desk: &Desk, name: &str) -> Archive {
    let (_, archive, problems) = bcf::read(desk.file(name), &Limits::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    archive
}

fn of_status<'a>(answer: &'a Value, status: &str) -> &'a Value {
    &answer["by_status"][status]
}

#[test]
fn topics_are_kept_changed_commented_and_tell_their_history() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        let made = desk.call(
            "keep_topics",
            json!({ "topics": [
                { "title": "Which wall carries?", "elements": "IfcWall", "assigned_to": "ada@example.com", "priority": "Major" },
                { "title": "Without elements", "due": "2026-12-24T12:00:00Z", "labels": ["site"] }
            ] }),
        );
        assert_eq!((&made["added"], &made["kept"]), (&json!(2), &json!(2)), "{made}");
        desk.clean();
        let guid = text(&made["topics"][0]["guid"]);
        let change =
            json!({ "topics": [{ "guid": guid, "status": "Closed", "comment": "The one at 3000." }] });
        let changed = desk.call("keep_topics", change);
        assert_eq!(changed["topics"][0]["what"], "status Open → Closed; 1 comment more", "{changed}");
        let same = desk.call("keep_topics", json!({ "topics": [{ "guid": guid, "status": "Closed" }] }));
        assert_eq!((&same["changed"], &same["unchanged"]), (&json!(0), &json!(1)));
        let all = desk.call("list_topics", json!({}));
        assert_eq!((of_status(&all, "Open"), of_status(&all, "Closed")), (&json!(1), &json!(1)));
        for (arguments, total) in [
            (json!({ "status": "closed" }), 1),
            (json!({ "status": ["Open", "Closed"] }), 2),
            (json!({ "assigned_to": "ada@example.com" }), 1),
            (json!({ "element_ids": "IfcWall" }), 1),
            (json!({ "element_ids": "IfcBuilding" }), 0),
        ] {
            assert_eq!(desk.call("list_topics", arguments.clone())["total"], total, "{arguments}");
        }
        let one = &desk.call("list_topics", json!({ "guid": guid }))["topics"][0];
        let what: Vec<String> =
            one["history"].as_array().unwrap().iter().map(|own| text(&own["what"])).collect();
        assert_eq!(what, ["made", "status Open → Closed; 1 comment more"]);
        assert_eq!(
            (&one["history"][1]["by"], &one["comments"][0]["text"]),
            (&json!("modeller"), &json!("The one at 3000."))
        );
        assert_eq!(one["elements"].as_array().unwrap().len(), 3);
        let gone = desk.call("keep_topics", json!({ "remove": [guid] }));
        assert_eq!((&gone["removed"], &gone["kept"]), (&json!(1), &json!(1)));
        desk.clean();
    }
}

#[test]
fn topics_that_make_no_sense_are_refused_with_their_field() {
    let mut desk = house("IFC4");
    desk.call("keep_topics", json!({ "topics": [{ "title": "Once" }] }));
    for (arguments, field) in [
        (json!({}), "topics"),
        (json!({ "topics": [{ "title": " " }] }), "topics[0].title"),
        (json!({ "topics": [{ "status": "Open" }] }), "topics[0].title"),
        (json!({ "topics": [{ "title": "Once" }] }), "topics[0].title"),
        (json!({ "topics": [{ "title": "A", "due": "tomorrow" }] }), "topics[0].due"),
        (json!({ "topics": [{ "guid": "x" }] }), "topics[0].guid"),
        (json!({ "topics": [{ "guid": "8ac9822a-761a-4deb-9f39-f61286acbf6a" }] }), "topics[0].guid"),
        (json!({ "remove": ["8ac9822a-761a-4deb-9f39-f61286acbf6a"] }), "remove"),
    ] {
        assert_eq!(desk.refuse("keep_topics", arguments.clone()).data["field"], field, "{arguments}");
    }
    assert_eq!(desk.refuse("list_topics", json!({ "guid": "x" })).data["field"], "guid");
    assert_eq!(desk.refuse("list_topics", json!({ "status": "Opne" })).data["known"], json!(["Open"]));
}

#[test]
fn kept_topics_go_to_a_file_and_what_others_did_to_them_comes_back() {
    let mut desk = house("IFC4X3");
    let topics =
        json!([{ "title": "Which wall carries?", "elements": "IfcWall", "comment": "Ask the engineer." }]);
    let guid = text(&desk.call("keep_topics", json!({ "topics": topics }))["topics"][0]["guid"]);
    let written = desk.call("export_bcf", json!({ "kept": true }));
    assert_eq!((&written["total"], &written["pictures"]), (&json!(1), &json!(1)), "{written}");
    let mut theirs = archive(&desk, "issues-Test.bcf");
    assert_eq!(theirs.topics[0].guid.to_string(), guid);
    assert_eq!(theirs.topics[0].comments[0].text.as_deref(), Some("Ask the engineer."));
    // somebody answers, closes it and says something new
    let mut answer = theirs.topics[0].comments[0].clone();
    (answer.guid, answer.text) = (bcf::Guid::made_of(&[b"answer"]), Some("The middle one.".to_owned()));
    theirs.topics[0].comments.push(answer);
    theirs.topics[0].status = Some("Closed".to_owned());
    theirs.topics[0].modified =
        bcf::Stamp { date: Some("2027-01-01T00:00:00Z".into()), author: Some("b@example.com".into()) };
    theirs.topics.push(bcf::Topic::new(bcf::Guid::made_of(&[b"new"]), "Something new"));
    let (bytes, _) = bcf::write(&theirs, bcf::Version::V3_0).unwrap();
    let read =
        |desk: &mut Desk| desk.given("keep_topics", &[("bcf", &bytes)], json!({ "file": "theirs.bcf" }));
    let joined = read(&mut desk);
    assert_eq!(
        (&joined["added"], &joined["changed"], &joined["kept"]),
        (&json!(1), &json!(1), &json!(2)),
        "{joined}"
    );
    assert_eq!(joined["topics"][0]["what"], "1 comment more; status Open → Closed");
    let again = read(&mut desk);
    assert_eq!((&again["unchanged"], &again["topics"]), (&json!(2), &json!([])), "{again}");
    desk.clean();
}

#[test]
fn a_rule_with_findings_of_several_weights_is_one_topic() {
    let Some(mut desk) = Desk::open("Duplex_A_20110907.ifc") else { return };
    let made = desk.call(
        "export_bcf",
        json!({ "findings": { "parts": ["constraints"], "by_rule": true }, "pictures": false }),
    );
    let of = |rule: &str| {
        let topics = made["topics"].as_array().unwrap().iter();
        topics.filter(|topic| topic["title"].as_str().unwrap().contains(rule)).count()
    };
    assert_eq!(of("constraints.overlap"), 1, "{made}");
    assert!(made["total"].as_u64() > Some(1), "{made}");
}

#[test]
fn findings_become_topics_one_each_or_one_for_each_rule_and_the_same_every_time() {
    let mut desk = house("IFC4");
    let ask =
        json!({ "findings": { "parts": ["constraints"], "severity_threshold": "error" }, "pictures": false });
    let guids = |desk: &mut Desk| -> Vec<String> {
        desk.call("export_bcf", ask.clone());
        archive(desk, "issues-Test.bcf").topics.iter().map(|topic| topic.guid.to_string()).collect()
    };
    let first = guids(&mut desk);
    assert!(!first.is_empty());
    assert_eq!(guids(&mut desk), first);
    let found = desk.call("validate_model", json!({ "parts": ["constraints"], "limit": 200 }));
    assert_eq!(found["counts"]["error"], first.len());
    let rules =
        json!({ "findings": { "parts": ["constraints"], "severity_threshold": "notice", "by_rule": true } });
    let by_rule = desk.call("export_bcf", rules);
    assert_eq!(by_rule["total"], found["group_count"], "{by_rule}");
    let topics = archive(&desk, "issues-Test.bcf").topics;
    let double =
        topics.iter().find(|topic| topic.title.as_ref().unwrap().contains("constraints.duplicate")).unwrap();
    assert_eq!(double.priority.as_deref(), Some("Major"));
    assert!(double.viewpoints[0].snapshot.is_some());
    // a waived finding is none
    let id = text(&found["groups"][0]["first"][0]["finding"]);
    desk.call("waive_findings", json!({ "finding_ids": [id], "reason": "Known." }));
    assert_eq!(guids(&mut desk).len(), first.len() - 1);
    for (findings, field) in [
        (json!({ "parts": ["ids"] }), "findings.ids"),
        (json!({ "packs": ["no-such"] }), "findings.packs[0]"),
        (json!({ "parts": ["constraints"], "packs": ["ada-2010"] }), "findings.packs"),
    ] {
        assert_eq!(desk.refuse("export_bcf", json!({ "findings": findings })).data["field"], field);
    }
}

#[test]
fn requirements_that_fail_are_topics_and_pages_with_pictures() {
    let ids = "<ids xmlns=\"http://standards.buildingsmart.org/IDS\"><info><title>Marks</title></info><specifications>\
        <specification name=\"Walls are marked\" ifcVersion=\"IFC4\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\">\
        <entity><name><simpleValue>IFCWALL</simpleValue></name></entity></applicability><requirements><attribute><name>\
        <simpleValue>Description</simpleValue></name></attribute></requirements></specification></specifications></ids>";
    let mut desk = house("IFC4");
    desk.call("check_ids", json!({ "ids": ids, "report": "bcf" }));
    let topics = archive(&desk, "Marks.bcf").topics;
    assert_eq!(topics.len(), 1);
    assert!(topics[0].title.as_ref().unwrap().ends_with(": 3"), "{:?}", topics[0].title);
    let view = topics[0].viewpoints[0].view.as_ref().unwrap().components.as_ref().unwrap();
    assert_eq!(view.selection.len(), 3);
    assert!(topics[0].viewpoints[0].snapshot.is_some());
    desk.call("check_ids", json!({ "ids": ids, "report": "html" }));
    assert!(String::from_utf8_lossy(desk.file("Marks.html")).contains("data:image/png;base64,iVBOR"));
    let by_ids = desk.call("export_bcf", json!({ "findings": { "ids": ids }, "pictures": false }));
    assert_eq!(by_ids["total"], 3, "{by_ids}");
}

#[test]
fn an_answer_on_very_many_requirements_says_what_it_leaves_out_and_the_report_has_it() {
    let property = |at: usize| {
        format!(
            "<property dataType=\"IFCLABEL\"><propertySet><simpleValue>Requirements of the owner {at}</simpleValue></propertySet>\
             <baseName><simpleValue>Property number {at}</simpleValue></baseName></property>"
        )
    };
    let properties: String = (0..150).map(property).collect();
    let ids = format!(
        "<ids xmlns=\"http://standards.buildingsmart.org/IDS\"><info><title>Much</title></info><specifications>\
         <specification name=\"Walls have much\" ifcVersion=\"IFC4\"><applicability minOccurs=\"0\" maxOccurs=\"unbounded\">\
         <entity><name><simpleValue>IFCWALL</simpleValue></name></entity></applicability><requirements>{properties}</requirements>\
         </specification></specifications></ids>"
    );
    let mut desk = house("IFC4");
    let answer = desk.call("check_ids", json!({ "ids": ids, "report": "json" }));
    assert!(answer.to_string().len() <= 12_000, "{}", answer.to_string().len());
    let own = &answer["specifications"][0];
    let note = text(&own["note"]);
    let told = own["requirements"].as_array().unwrap().len();
    assert!(told > 10, "{told}");
    assert!(note.contains(&format!("450 elements and {} requirements", 150 - told)), "{note}");
    let report: Value = serde_json::from_slice(desk.file("Much.json")).unwrap();
    let all = report["specifications"][0]["requirements"].as_array().unwrap();
    assert_eq!((all.len(), all[149]["elements"].as_array().unwrap().len()), (150, 3));
    assert!(report["specifications"][0].get("note").is_none());
}

#[test]
fn kept_topics_come_in_pages() {
    let mut desk = house("IFC4");
    let topics: Vec<Value> = (0..7).map(|n| json!({ "title": format!("Question {n}") })).collect();
    desk.call("keep_topics", json!({ "topics": topics }));
    let (mut titles, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let page = desk.call("list_topics", json!({ "limit": 3, "cursor": cursor }));
        titles.extend(page["topics"].as_array().unwrap().iter().map(|own| text(&own["title"])));
        assert_eq!(page["total"], 7);
        match page.get("next_cursor") {
            Some(next) => cursor = next.clone(),
            None => break,
        }
    }
    assert_eq!(titles, (0..7).map(|n| format!("Question {n}")).collect::<Vec<_>>());
}
