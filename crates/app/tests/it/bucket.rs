//! Files in and out, and what the viewer asks.

use crate::examples::Desk;
use crate::place::Place;
use crate::wire::request;
use serde_json::json;

const SMALL: &str = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('ViewDefinition [CoordinationView]'),'2;1');\n\
FILE_NAME('small.ifc','2026-11-01T00:00:00',('A'),('B'),'C','D','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n\
#1=IFCPERSON($,$,'Somebody',$,$,$,$,$);\n#2=IFCORGANIZATION($,'Nobody',$,$,$);\n#3=IFCPERSONANDORGANIZATION(#1,#2,$);\n\
#4=IFCAPPLICATION(#2,'1','Hand','hand');\n#5=IFCOWNERHISTORY(#3,#4,$,.ADDED.,$,#3,#4,1700000000);\n\
#6=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n#7=IFCUNITASSIGNMENT((#6));\n#8=IFCCARTESIANPOINT((0.,0.,0.));\n\
#9=IFCAXIS2PLACEMENT3D(#8,$,$);\n#10=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-05,#9,$);\n\
#11=IFCPROJECT('2O2Fr$t4X7Zf8NOew3FLOH',#5,'Small',$,$,$,$,(#10),#7);\nENDSEC;\nEND-ISO-10303-21;\n";

#[test]
fn a_file_comes_out_as_it_went_in() {
    let place = Place::new();
    let address = place.address();
    let made = request(&address, "POST", "/bucket?name=Small%20house.ifc", &[], SMALL.as_bytes());
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    let href = made["href"].as_str().unwrap();

    let out = request(&address, "GET", href, &[], b"");
    assert_eq!(out.status, 200);
    assert_eq!(out.text(), SMALL);
    assert!(out.header("content-disposition").unwrap().contains("Small house.ifc"));
    let tag = format!("if-none-match: {}", out.header("etag").unwrap());
    assert_eq!(request(&address, "GET", href, &[&tag], b"").status, 304);
    let part = request(&address, "GET", href, &["range: bytes=0-12"], b"");
    assert_eq!((part.status, part.text().as_str()), (206, "ISO-10303-21;"));

    let list = request(&address, "GET", "/bucket", &[], b"").json();
    assert_eq!(list["models"][0]["name"], "Small house");
    let versions = request(&address, "GET", list["models"][0]["versions"].as_str().unwrap(), &[], b"").json();
    assert_eq!(versions["versions"].as_array().unwrap().len(), 1);
    let head = request(&address, "GET", list["models"][0]["href"].as_str().unwrap(), &[], b"");
    assert_eq!(head.text(), SMALL);
    assert_eq!(head.header("cache-control"), Some("private, no-cache"));
}

#[test]
fn a_form_and_a_second_version_are_taken_in() {
    let place = Place::new();
    let address = place.address();
    let form = format!(
        "--cut\r\ncontent-disposition: form-data; name=\"file\"; filename=\"Form.ifc\"\r\n\r\n{SMALL}\r\n--cut--\r\n"
    );
    let sent = ["content-type: multipart/form-data; boundary=cut"];
    let made = request(&address, "POST", "/bucket", &sent, form.as_bytes());
    assert_eq!(made.status, 201, "{}", made.text());
    let model = made.json()["model_id"].as_str().unwrap().to_owned();
    let changed = SMALL.replace("'Small'", "'Larger'");
    let second = request(&address, "PUT", &format!("/bucket/{model}?name=Form.ifc"), &[], changed.as_bytes());
    assert_eq!(second.status, 201, "{}", second.text());
    assert_eq!(request(&address, "GET", &format!("/bucket/{model}/head"), &[], b"").text(), changed);
    let first = made.json()["href"].as_str().unwrap().to_owned();
    assert_eq!(request(&address, "GET", &first, &[], b"").text(), SMALL, "the first version is still there");
}

#[test]
fn what_is_no_ifc_file_is_refused_and_leaves_nothing() {
    let place = Place::new();
    let address = place.address();
    let refused = request(&address, "POST", "/bucket?name=photo.ifc", &[], b"\x89PNG\r\n\x1a\n and so on");
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert_eq!(refused.json()["code"], 1013);
    let empty = request(&address, "POST", "/bucket?name=empty.ifc", &[], b"");
    assert_eq!(empty.status, 400, "{}", empty.text());
    assert_eq!(request(&address, "GET", "/bucket", &[], b"").json()["models"], json!([]));
    let nowhere = request(&address, "GET", "/bucket/none/head", &[], b"");
    assert_eq!((nowhere.status, nowhere.json()["code"].clone()), (404, json!(1005)));
}

#[test]
fn the_viewer_finds_tree_elements_and_tiles() {
    let place = Place::new();
    let address = place.address();
    let house = place
        .call("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    let wall = place.call("create_wall", &json!({"start": [0, 0], "end": [5000, 0], "level_id": "Ground"}));
    let base = format!("/api/models/{}/versions", house["model_id"].as_str().unwrap());
    let head = wall["model_version"].as_str().unwrap();

    let versions = request(&address, "GET", &base, &[], b"").json();
    assert_eq!(versions["items"].as_array().unwrap().len(), 2);
    let tree = request(&address, "GET", &format!("{base}/head/tree"), &[], b"");
    assert_eq!(tree.status, 200, "{}", tree.text());
    assert_eq!(tree.header("pensaer-version"), Some(head));
    assert!(tree.text().contains("Ground"), "{}", tree.text());
    let element = format!("{base}/{head}/elements/{}", wall["wall_id"].as_str().unwrap());
    let element = request(&address, "GET", &element.replace('$', "%24"), &[], b"");
    assert!(element.text().contains("IfcWall"), "{}", element.text());
    assert!(element.header("cache-control").unwrap().contains("immutable"));

    let tileset = request(&address, "GET", &format!("{base}/{head}/tileset.json"), &[], b"");
    assert_eq!(tileset.status, 200, "{}", tileset.text());
    let tiles = tileset.json()["root"]["children"].clone();
    let uri = tiles[0]["content"]["uri"].as_str().unwrap_or_else(|| panic!("{}", tileset.text())).to_owned();
    let tile = request(&address, "GET", &format!("{base}/{head}/{uri}"), &[], b"");
    assert_eq!(tile.status, 200, "{}", String::from_utf8_lossy(&tile.body));
    assert!(tile.body.starts_with(b"glTF"));
    assert!(tile.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(request(&address, "GET", &format!("{base}/{head}/tiles/none.glb"), &[], b"").status, 404);
}

#[test]
fn every_address_of_the_description_is_there() {
    let place = Place::new();
    let address = place.address();
    let document = request(&address, "GET", "/api/openapi.json", &[], b"").json();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let path = path.replace("{tile}", "abc.glb").replace(['{', '}'], "");
            let answer = request(&address, &method.to_uppercase(), &path, &[], b"");
            assert_ne!(answer.status, 405, "{method} {path}");
            if answer.status == 404 {
                let fault = answer.json();
                assert!(fault["code"].is_number(), "{method} {path}: {fault}");
                assert_ne!(
                    fault["message"], "There is nothing at this address. See /api/openapi.json.",
                    "{path}"
                );
            }
        }
    }
}

#[test]
fn an_object_has_versions_conditions_parts_and_a_deletion_that_forgets_nothing() {
    let place = Place::new();
    let address = place.address();
    let path = "/bucket/objects/plans/ground%20floor.pdf";
    let pdf = ["content-type: application/pdf"];
    let made = request(&address, "PUT", path, &[pdf[0], "if-none-match: *"], b"%PDF-1.7 first");
    assert_eq!(made.status, 201, "{}", made.text());
    let first = made.json();
    assert_eq!(first["key"], "plans/ground floor.pdf");
    let again = request(&address, "PUT", path, &[pdf[0], "if-none-match: *"], b"%PDF-1.7 other");
    assert_eq!((again.status, again.json()["code"].clone()), (409, json!(1007)), "{}", again.text());
    let tag = format!("if-match: \"{}\"", first["sha256"].as_str().unwrap());
    assert_eq!(request(&address, "PUT", path, &[pdf[0], &tag], b"%PDF-1.7 second").status, 201);
    assert_eq!(request(&address, "PUT", path, &[pdf[0], &tag], b"%PDF-1.7 third").status, 409, "it is stale");
    let wrong = request(&address, "PUT", path, &pdf, b"<script>");
    assert_eq!((wrong.status, wrong.json()["data"]["field"].clone()), (400, json!("content-type")));

    let read = request(&address, "GET", path, &[], b"");
    assert_eq!((read.status, read.text().as_str()), (200, "%PDF-1.7 second"));
    assert!(read.header("content-disposition").unwrap().starts_with("attachment"), "{:?}", read.headers);
    assert_eq!(read.header("x-content-type-options"), Some("nosniff"));
    let part = request(&address, "GET", path, &["range: bytes=9-"], b"");
    assert_eq!((part.status, part.text().as_str()), (206, "second"));
    let old = format!("{path}?version={}", first["version"].as_str().unwrap());
    assert_eq!(request(&address, "GET", &old, &[], b"").text(), "%PDF-1.7 first");
    let link = request(&address, "GET", &format!("{path}?link=60"), &[], b"").json();
    let href = link["href"].as_str().unwrap();
    let at = href.find("/bucket/").unwrap();
    assert_eq!(request(&address, "GET", &href[at..], &[], b"").text(), "%PDF-1.7 second");

    assert_eq!(request(&address, "DELETE", path, &[], b"").status, 200);
    assert_eq!(request(&address, "GET", path, &[], b"").status, 404);
    assert_eq!(request(&address, "DELETE", path, &[], b"").status, 404);
    assert_eq!(request(&address, "GET", "/bucket/objects", &[], b"").json()["objects"], json!([]));
    let history = request(&address, "GET", &format!("{path}?versions=all"), &[], b"").json();
    assert_eq!(history["versions"].as_array().unwrap().len(), 3, "{history}");
    assert_eq!(request(&address, "GET", &old, &[], b"").text(), "%PDF-1.7 first", "it is there still");
    let climbing = request(&address, "PUT", "/bucket/objects/a/..%2f..%2fb", &[], b"x");
    assert_eq!(climbing.status, 400, "{}", climbing.text());
    let log = place.call("get_audit_log", &json!({})).to_string();
    assert!(log.contains("put_object") && log.contains("delete_object"), "{log}");
}

#[test]
fn a_file_that_is_named_is_read_as_it_is_now_and_not_as_it_was() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    let asked = json!({ "categories": ["walls"], "grouping": ["class"], "quantities": ["Count"], "rates": "rates.csv" });
    for cost in [420, 99, 7] {
        std::fs::write(
            place.root().join("house/rates.csv"),
            format!("class,unit,cost\nIfcWall,pcs,{cost}\n"),
        )
        .unwrap();
        let told = desk.agent.done("quantity_takeoff", &asked);
        assert_eq!(told["quantities"][0]["rate"], cost, "{told}");
        // the clocks of file systems are coarse
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn joined_models_are_fetched_from_a_link_that_names_their_versions() {
    let place = Place::new();
    let mut desk = Desk::with_house(&place);
    let told = desk.agent.done("export_ifc", &json!({ "with": ["Structure"] }));
    assert_eq!(told["with"][0]["name"], "Structure", "{told}");
    let href = told["links"][0]["href"].as_str().unwrap();
    let (host, path) = href.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let fetched = |path: &str| request(host, "GET", &format!("/{path}"), &[], b"");
    let first = fetched(path);
    assert_eq!(first.status, 200, "{}", first.text());
    assert_eq!(first.text().matches("=IFCPROJECT(").count(), 1);
    // another version of the second model makes no difference to it
    desk.agent.done("create_level", &json!({ "model_id": "Structure", "name": "Loft", "elevation": 9000 }));
    assert_eq!(fetched(path).text(), first.text());
    let newer = desk.agent.done("export_ifc", &json!({ "model_id": "Duplex", "with": ["Structure"] }));
    assert_ne!(newer["sha256"], told["sha256"]);
    let version = told["with"][0]["version"].as_str().unwrap();
    let pinned = json!({ "model_id": "Duplex", "with": [format!("Structure@{version}")] });
    assert_eq!(desk.agent.done("export_ifc", &pinned)["sha256"], told["sha256"]);
    for wrong in ["nobody", "Duplex"] {
        let fault = desk.agent.call("export_ifc", &json!({ "model_id": "Duplex", "with": [wrong] }));
        assert_eq!(fault["structuredContent"]["data"]["field"], "with", "{fault}");
    }
}
