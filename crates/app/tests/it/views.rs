//! Pictures, drawings and clashes through the whole program: links and files, pictures beside text, second versions and models, what
//! is kept by version, jobs.

use crate::place::Place;
use crate::wire::{Stdio, request, succeeded};
use serde_json::{Value, json};

/// An agent with a house of one room, 6 by 4 m.
fn with_house(place: &Place) -> (Stdio, Value) {
    let mut agent = Stdio::start(place.command(&["mcp", "all"]));
    agent.initialize();
    agent.done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    let shell = json!({"footprint": [[0, 0], [6000, 0], [6000, 4000], [0, 4000]], "storeys": 1});
    let made = agent.done("create_building_shell", &shell);
    (agent, made["model_version"].clone())
}

/// The bytes behind a link.
fn fetched(place: &Place, link: &Value) -> Vec<u8> {
    let href = link["href"].as_str().unwrap();
    let at = href.find("/bucket/").unwrap();
    let answer = request(&place.address(), "GET", &href[at..], &[], b"");
    assert_eq!(answer.status, 200, "{href}: {}", answer.status);
    answer.body
}

#[test]
fn sheets_that_are_drawn_again_are_there_also_where_the_model_stays_as_it_is() {
    let place = Place::new();
    let (mut agent, _) = with_house(&place);
    let kept = agent.done("create_sheet", &json!({"views": ["plan:Ground"], "size": "A3"}));
    assert!(fetched(&place, &kept["links"][0]).starts_with(b"%PDF"), "{kept}");
    for again in [
        json!({}),
        json!({"cover": "House"}),
        json!({"views": ["plan:Ground"], "number": "A-101", "size": "A3"}),
    ] {
        let drawn = agent.done("create_sheet", &again);
        assert_eq!(drawn["status"], "unchanged", "{drawn}");
        assert!(fetched(&place, &drawn["links"][0]).starts_with(b"%PDF"), "{again}: {drawn}");
    }
    // a dry run keeps nothing
    let dry = agent.done("create_sheet", &json!({"dry_run": true}));
    assert!(dry.get("links").is_none_or(|links| links == &json!([])), "{dry}");
}

#[test]
fn a_picture_stands_beside_its_text_and_is_kept_with_its_version() {
    let place = Place::new();
    let (mut agent, version) = with_house(&place);
    let result = agent.call("render_view", &json!({"width": 300}));
    let answer = succeeded("render_view", &result);
    let content = result["content"].as_array().unwrap();
    assert_eq!((&content[0]["type"], &content[1]["type"]), (&json!("text"), &json!("image")));
    assert_eq!(content[1]["mimeType"], "image/png");
    assert!(content[1]["data"].as_str().unwrap().starts_with("iVBORw0KGgo"), "a PNG in base64");
    assert_eq!(answer["links"][0]["title"], "view-iso.png");
    let first = fetched(&place, &answer["links"][0]);
    assert!(first.starts_with(b"\x89PNG"));

    // the same question is answered by the same file, whoever asks
    let mut other = Stdio::start(place.command(&["mcp", "viewer"]));
    other.initialize();
    let again = other.call("render_view", &json!({"width": 300, "model_id": "House"}));
    assert_eq!(succeeded("render_view", &again)["links"], answer["links"]);
    assert_eq!(again["content"][1]["data"], content[1]["data"]);

    // another version is another picture; the first one stays what it was
    agent.done("create_wall", &json!({"start": [8000, 0], "end": [8000, 4000], "level_id": "Ground"}));
    let later = agent.done("render_view", &json!({"width": 300}));
    assert_ne!(later["links"], answer["links"]);
    assert_ne!(fetched(&place, &later["links"][0]), first);
    let back = agent.done("render_view", &json!({"width": 300, "model_version": version}));
    assert_eq!(back["links"], answer["links"]);

    let files = agent.done("list_files", &json!({}));
    let listed = files["files"].as_array().unwrap().iter().find(|file| file["model_version"] == version);
    assert_eq!(listed.unwrap()["name"], "view-iso.png", "{files}");
    let only = agent.done("list_files", &json!({"model_version": version}));
    assert_eq!(only["files"].as_array().unwrap().len(), 1, "{only}");
}

#[test]
fn a_link_opens_the_viewer_on_a_way_and_coloured_rooms_of_its_version() {
    let place = Place::new();
    let (mut agent, version) = with_house(&place);
    let path = json!([[1000, 1000, 0], [5000, 1000, 0]]);
    let shown = agent.done("view_model", &json!({"rooms": "area", "path": path, "elements": "IfcWall"}));
    assert_eq!((&shown["storey"], &shown["highlighted"]), (&json!("Ground"), &json!(4)), "{shown}");
    assert_eq!(shown["legend"][0]["rooms"], 1, "{shown}");
    let url = shown["url"].as_str().unwrap();
    assert!(url.len() < 400, "the link is small: {url}");
    let query = url.split(['?', '#']).nth(1).unwrap();
    let key = query.split('&').find_map(|pair| pair.strip_prefix("overlay=")).unwrap();
    let answer = request(&place.address(), "GET", &format!("/bucket/files/{key}"), &[], b"");
    assert_eq!(answer.status, 200, "{key}");
    let file: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!((&file["path"], &file["cut"]), (&json!([[1.0, 1.0, 0.0], [5.0, 1.0, 0.0]]), &json!(1.2)));
    assert_eq!((file["legend"].clone(), file["colours"].clone()), (shown["legend"].clone(), json!("area")));
    // it stands on record with the version that it is of
    let files = agent.done("list_files", &json!({"model_version": version}));
    assert_eq!(files["files"][0]["name"], "overlay.json", "{files}");
    // without anything to show there is none
    let plain = agent.done("view_model", &json!({}));
    assert!(!plain["url"].as_str().unwrap().contains("overlay="), "{plain}");
    for (asked, field) in [
        (json!({"path": []}), "path"),
        (json!({"elements": []}), "elements"),
        (json!({"level_id": "Attic"}), "level_id"),
        (json!({"path": [[0, 0, 0]]}), "path"),
    ] {
        let refused = agent.call("view_model", &asked);
        assert_eq!(refused["structuredContent"]["data"]["field"], field, "{asked}: {refused}");
    }
}

#[test]
fn a_difference_is_drawn_and_clashes_are_found_with_another_version_or_model() {
    let place = Place::new();
    let (mut agent, before) = with_house(&place);
    let wall = json!({"start": [3000, 1000], "end": [3000, 6000], "level_id": "Ground"});
    let wall = agent.done("create_wall", &wall)["wall_id"].clone();
    let drawn = agent.done("render_view", &json!({"diff_base": before, "width": 300}));
    assert_eq!(drawn["difference"], json!({"added": 1, "changed": 0, "removed": 0}));
    let back =
        agent.done("render_view", &json!({"diff_base": "main", "model_version": before, "width": 300}));
    assert_eq!(back["difference"], json!({"added": 0, "changed": 0, "removed": 1}));

    // the new wall goes through one that was there before; no wall clashes with what it was itself
    let ask = json!({"source_category": wall, "target_category": "walls", "target_model_version": before});
    assert_eq!(agent.done("clash_detection", &ask)["total"], 1);
    let ask = json!({"source_category": "walls", "target_category": "walls", "target_model_version": before});
    let all = agent.done("clash_detection", &ask);
    assert!(all["clashes"].as_array().unwrap().iter().any(|c| c["a"]["id"] == wall), "{all}");
    assert!(all["clashes"].as_array().unwrap().iter().all(|c| c["a"]["id"] != c["b"]["id"]), "{all}");

    agent.done("create_project", &json!({"name": "Pipes", "storeys": [{"name": "Ground", "elevation": 0}]}));
    agent.done("create_wall", &json!({"start": [1000, -1000], "end": [1000, 1000], "level_id": "Ground"}));
    let across = json!({
        "model_id": "House", "source_category": "IfcWall", "target_category": "IfcWall", "target_model_id": "Pipes"
    });
    let found = agent.done("clash_detection", &across);
    assert_eq!((&found["total"], &found["target_count"]), (&json!(1), &json!(1)), "{found}");
    let mut nowhere = across.clone();
    nowhere["target_model_id"] = json!("Ducts");
    let refused = agent.call("clash_detection", &nowhere);
    assert_eq!(refused["structuredContent"]["data"]["field"], "target_model_id", "{refused}");
}

#[test]
fn a_drawing_is_an_svg_behind_a_link_and_the_same_again() {
    let place = Place::new();
    let (mut agent, _) = with_house(&place);
    let plan = json!({"cut_plane": {"level_id": "Ground"}});
    let result = agent.call("create_section", &plan);
    let answer = succeeded("create_section", &result);
    let kinds: Vec<&str> =
        result["content"].as_array().unwrap().iter().map(|part| part["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["text", "resource_link"], "a drawing is no picture for chats");
    let svg = String::from_utf8(fetched(&place, &answer["links"][0])).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("data-class=\"IfcWall\""), "{svg}");
    let again = agent.done("create_section", &plan);
    assert_eq!((&again["view_id"], &again["links"]), (&answer["view_id"], &answer["links"]));
    // within a script, the model may have changed and not be a version yet
    let code = "adapter.create_wall(start=[1000, 1000], end=[3000, 1000], level_id='Ground')\n\
                adapter.create_section(cut_plane={'level_id': 'Ground'})['cut']";
    let scripted = agent.done("run_code", &json!({"code": code}));
    assert_eq!(scripted["value"]["IfcWall"], 5, "{scripted}");
    assert!(fetched(&place, &scripted["links"][0]).starts_with(b"<svg"));
}

#[test]
fn a_call_is_done_as_a_job_and_answers_as_it_would_have() {
    let place = Place::new();
    let (mut agent, version) = with_house(&place);
    let ask = json!({"source_category": "walls", "target_category": "IfcSlab"});
    let mut as_job = ask.clone();
    as_job["as_job"] = json!(true);
    let submitted = agent.done("clash_detection", &as_job);
    assert_eq!(submitted["status"], "queued");
    // what is done meanwhile does not matter to it
    agent.done("create_wall", &json!({"start": [3000, 0], "end": [3000, 4000], "level_id": "Ground"}));
    let done = agent.done("get_job", &json!({"job_id": submitted["job_id"], "wait": 40}));
    assert_eq!((&done["status"], &done["tool"]), (&json!("done"), &json!("clash_detection")), "{done}");
    assert_eq!(done["read_version"], version);
    let mut direct = ask;
    direct["model_version"] = version;
    assert_eq!(done["answer"], agent.done("clash_detection", &direct));

    as_job["source_category"] = json!("IfcPipeSegment");
    let submitted = agent.done("clash_detection", &as_job);
    let failed = agent.done("get_job", &json!({"job_id": submitted["job_id"], "wait": 40}));
    assert_eq!(
        (&failed["status"], &failed["fault"]["data"]["field"]),
        (&json!("failed"), &json!("source_category"))
    );
    // one that has ended stays as it is
    let ended = agent.done("cancel_job", &json!({"job_id": submitted["job_id"]}));
    assert_eq!(ended["status"], "failed");
}
