//! Reports: the passport of a model, and what changed between two versions, in every format and in the language asked for.

use crate::desk::Desk;
use serde_json::json;

fn ending(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

fn house() -> Desk {
    let mut desk = Desk::new("IFC4");
    desk.call(
        "create_building_shell",
        json!({
            "footprint": [[0, 0], [10000, 0], [10000, 8000], [0, 8000]],
            "storeys": [{ "name": "Ground Floor", "height": 3000 }], "wall_thickness": 300
        }),
    );
    desk
}

#[test]
fn a_passport_is_one_page_with_what_the_model_is_and_how_good() {
    let mut desk = house();
    let told = desk.call("create_report", json!({}));
    assert_eq!((&told["kind"], &told["pages"]), (&json!("passport"), &json!(1)), "{told}");
    let quality = told["quality"].as_array().unwrap();
    assert!(quality.len() == 4 && quality[0].as_str().unwrap().starts_with("schema:"), "{told}");
    assert!(desk.files.pop().unwrap().1.starts_with(b"%PDF"));
    desk.call("create_report", json!({ "format": "html", "language": "de" }));
    let page = String::from_utf8(desk.files.pop().unwrap().1).unwrap();
    assert!(page.contains("Ground Floor") && page.contains("data:image/png"), "{}", &page[..600]);
    let text = desk.call("create_report", json!({ "format": "markdown", "language": "fr" }));
    assert_eq!(text["language"], "en", "there are no sentences in French, which is said: {text}");
    let names: Vec<&str> = desk.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    assert_eq!(names.iter().map(|name| ending(name)).collect::<Vec<_>>(), ["md", "png", "png", "svg"]);
    let text = String::from_utf8(desk.files[0].1.clone()).unwrap();
    assert!(names[1..].iter().all(|name| text.contains(&format!("](<{name}>)"))), "{text}");
}

#[test]
fn a_report_of_changes_tells_what_is_new_gone_and_different() {
    let mut desk = house();
    let before = desk.model.clone();
    desk.call(
        "create_wall",
        json!({ "start": [2000, 2000], "end": [6000, 2000], "level_id": "Ground Floor", "name": "Wall <new>" }),
    );
    let told =
        desk.beside("create_report", "diff_base", &before, json!({ "diff_base": "x", "format": "markdown" }));
    assert_eq!((&told["kind"], &told["changes"]), (&json!("changes"), &json!(1)), "{told}");
    let text = desk.files.iter().find(|(name, _)| ending(name) == "md").unwrap();
    let text = String::from_utf8(text.1.clone()).unwrap();
    assert!(text.contains("new") && text.contains("Ground") && text.contains("](<drawing-1.svg>)"), "{text}");
    let plan = desk.files.iter().find(|(name, _)| name == "drawing-1.svg").unwrap();
    assert!(String::from_utf8_lossy(&plan.1).contains("Wall &lt;new&gt;"));
    let same = desk.model.clone();
    let none = desk.beside("create_report", "diff_base", &same, json!({ "diff_base": "x" }));
    assert_eq!(none["changes"], 0);
}
