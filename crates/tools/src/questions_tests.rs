//! Questions that other people ask of models, answered by one to three calls each: those of ifc-bench v2 on rooms, areas, distances,
//! ways, doors, windows, storeys and stairs. What is compared is read from the bench's own answers; where those are in doubt, the test
//! says so beside our figure. A question that is not answered here is named in [`LEFT_OUT`] with the reason.
//!
//! Tolerances: what the bench rounds is held to half of its last digit, what it calls an estimate to the share given at the question.

use crate::desk::{Desk, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Questions on neither rooms, areas, distances, ways, doors, windows nor storeys, by what they are about.
const LEFT_OUT: [(&str, &[u64]); 7] = [
    ("kinds of structure and what they carry: names of types, no place", &[22, 24, 363, 388]),
    ("fire ratings, which are properties", &[25, 385]),
    ("glazing, vapour barriers, layers and materials, which are not places", &[35, 36, 111, 366]),
    ("thermal bridges, air tightness and warranties, which no model here states", &[39, 40, 47]),
    ("carbon and recycling by factors that are not in the model", &[60, 61]),
    ("pipes, heating, electrical parts: classes that are not there", &[392, 393, 395]),
    ("phases, and relations of railings to stairs, which are properties and relations", &[381, 396, 397]),
];

/// The questions that are answered below.
const ANSWERED: [u64; 34] = [
    3, 5, 6, 9, 17, 19, 20, 27, 48, 52, 55, 68, 102, 103, 105, 106, 110, 353, 354, 357, 358, 359, 361, 362,
    364, 369, 372, 373, 374, 375, 377, 378, 379, 390,
];

fn all() -> Option<Vec<Value>> {
    let read = std::fs::read_to_string(testing::data("bench/ifcbench_v2.json")?).unwrap();
    Some(serde_json::from_str(&read).unwrap())
}

/// A question with the bench's answer, and the model that it is asked of.
struct Question {
    answer: String,
    desk: Desk,
    calls: usize,
}

impl Question {
    fn new(id: u64) -> Option<Question> {
        assert!(ANSWERED.contains(&id), "{id} is not in the list of those answered");
        let found = all()?.into_iter().find(|question| question["id"] == id).unwrap();
        let file = text(&found["model_file"]).trim_start_matches("models/").to_owned();
        Some(Question { answer: text(&found["answer"]), desk: Desk::open(&file)?, calls: 0 })
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.calls += 1;
        assert!(self.calls <= 3, "an answer takes one to three calls");
        self.desk.call(tool, arguments)
    }

    /// The rows of a query.
    fn rows(&mut self, selector: &str, fields: &[&str]) -> Vec<Value> {
        let answer =
            self.call("query_elements", json!({ "selector": selector, "fields": fields, "limit": 200 }));
        list(&answer["rows"])
    }

    /// The rooms of an answer of `room_analysis`, with its sums.
    fn rooms(&mut self, rooms: Value, parts: &[&str]) -> (Vec<Value>, Vec<Value>) {
        let answer = self.call("room_analysis", json!({ "room_id": rooms, "include": parts, "limit": 100 }));
        assert!(answer["next_cursor"].is_null(), "one call tells all rooms: {}", answer["total"]);
        let one = answer.get("id").map(|_| vec![answer.clone()]);
        (one.unwrap_or_else(|| list(&answer["rooms"])), list(&answer["totals"]))
    }

    /// The lines of the bench's answer that hold a text.
    fn lines(&self, holding: &str) -> Vec<String> {
        self.answer.lines().filter(|line| line.contains(holding)).map(str::to_owned).collect()
    }

    /// The first number of the bench's answer behind a text.
    fn after(&self, label: &str) -> f64 {
        let at = self.answer.find(label).unwrap_or_else(|| panic!("{label} is not in {}", self.answer));
        numbers(&self.answer[at + label.len()..])[0]
    }
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The numbers of a text, in order.
fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    parts.filter_map(|part| part.trim_matches('.').parse().ok()).collect()
}

/// The number that a word counts.
fn counted(text: &str) -> usize {
    const WORDS: [&str; 11] =
        ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let found = words.find_map(|word| {
        let by_name = WORDS.iter().position(|known| *known == word.to_lowercase());
        by_name.or_else(|| word.parse().ok())
    });
    found.unwrap_or_else(|| panic!("no count in {text}"))
}

/// The words of a text that are names such as `A102`: a letter of these and three digits.
fn codes(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let is_code = |word: &&str| {
        word.len() == 4 && word.starts_with(['A', 'B', 'R']) && word[1..].chars().all(|c| c.is_ascii_digit())
    };
    words.filter(is_code).map(str::to_owned).collect()
}

#[track_caller]
fn close(ours: f64, bench: f64, within: f64) {
    assert!((ours - bench).abs() <= within + 1e-9, "{ours} beside {bench}, allowed {within}");
}

/// Holds a figure to an estimate of the bench, by share.
#[track_caller]
fn about(ours: f64, bench: f64, share: f64) {
    close(ours, bench, share * bench);
}

#[test]
fn every_question_of_the_bench_is_answered_or_left_out_with_a_reason() {
    let Some(all) = all() else { return };
    let asked: BTreeSet<u64> = all.iter().filter_map(|question| question["id"].as_u64()).collect();
    let left_out: Vec<u64> = LEFT_OUT.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
    let known: BTreeSet<u64> = ANSWERED.iter().copied().chain(left_out.iter().copied()).collect();
    assert_eq!(known.len(), ANSWERED.len() + left_out.len(), "one is in both lists");
    assert_eq!(known, asked);
}

#[test]
fn rooms_are_named_and_counted() {
    let Some(mut q) = Question::new(3) else { return };
    let (rooms, _) = q.rooms(json!("all"), &[]);
    assert_eq!(rooms.iter().map(|room| text(&room["name"])).collect::<BTreeSet<_>>(), codes(&q.answer));
    // rooms of a house, bedrooms, bathrooms: by name, long name
    for (id, selector) in [
        (68, "IfcSpace, Name=/A.*/"),
        (102, "IfcSpace, LongName*=\"Bedroom\""),
        (106, "IfcSpace, LongName*=\"Bathroom\""),
    ] {
        let Some(mut q) = Question::new(id) else { return };
        let count = q.call("query_elements", json!({ "selector": selector, "aggregate": "count" }));
        assert_eq!(count["total"], counted(&q.answer), "{id}: {}", q.answer);
    }
}

#[test]
fn rooms_of_a_storey_are_told_with_areas_and_heights_and_summed() {
    for (id, storey) in [(353, "Erdgeschoss"), (354, "Dachgeschoss"), (378, "Erdgeschoss")] {
        let Some(mut q) = Question::new(id) else { return };
        let (rooms, totals) = q.rooms(json!(storey), &[]);
        let lines = q.lines("Room ");
        let told: Vec<&String> = lines.iter().filter(|line| line.contains("sq m")).collect();
        if id != 378 {
            assert_eq!(rooms.len(), told.len(), "{id}");
            assert_eq!(rooms.len() as f64, q.after(&format!("({storey}):")), "{id}");
        }
        for line in told {
            // `- Room 5: Wohnen (25.2 sq m, 2.5m height)`; umlauts of the bench are broken
            let found = numbers(line);
            let room = rooms.iter().find(|room| text(&room["name"]).parse() == Ok(found[0])).unwrap();
            let name = line.split(": ").nth(1).unwrap().split(" (").next().unwrap();
            let long = text(&room["long_name"]);
            assert!(!name.is_ascii() || name == long, "{id}: {name} is called {long}");
            // the file's own figures. In doubt: its NetFloorArea is 3 % less than the floor (we compute 22.07 m² for the
            // Schlafzimmer), in the Galerie what is higher than 1.5 m or so (91.36 m²); the Galerie's height of 4.0 m is that of its
            // prism, the mean under the roof is 2.03 m
            close(number(&room["quantities"]["NetFloorArea"]["stored"]), found[1], 0.05);
            if let Some(height) = found.get(2) {
                close(number(&room["quantities"]["FinishCeilingHeight"]["stored"]), *height, 0.05);
            }
        }
        if id == 353 {
            close(number(&totals[0]["stored"]["NetFloorArea"]), q.after("Total Ground Floor Area:"), 0.05);
        }
        if id == 378 {
            let baths: Vec<&Value> =
                rooms.iter().filter(|room| ["Bad", "WC"].contains(&&*text(&room["long_name"]))).collect();
            assert_eq!(baths.len() as f64, q.after("on ground floor:"), "{}", q.answer);
        }
    }
}

#[test]
fn floor_areas_are_summed_by_level() {
    let Some(mut q) = Question::new(373) else { return };
    let (_, totals) = q.rooms(json!("all"), &[]);
    let sum = |storey: Option<&str>| {
        let of = totals.iter().find(|total| total.get("storey").and_then(Value::as_str) == storey).unwrap();
        number(&of["stored"]["NetFloorArea"])
    };
    close(sum(None), q.after("Total Net Floor Area:"), 0.05);
    close(sum(Some("Erdgeschoss")), q.after("- Erdgeschoss:"), 0.05);
    close(sum(Some("Dachgeschoss")), q.after("- Dachgeschoss:"), 0.05);
}

#[test]
fn flooring_is_told_of_each_room_and_tiling_of_all_bathrooms() {
    let Some(mut q) = Question::new(52) else { return };
    let (rooms, _) = q.rooms(json!("all"), &[]);
    let mut held = BTreeSet::new();
    for line in q.lines("sqm") {
        // `- Bathroom 2 (A204/B204): 4.73–4.75 sqm each.`; the range is one for each
        let of = codes(&line);
        let values = numbers(line.split("):").nth(1).unwrap());
        let (low, high) = (
            values.iter().copied().fold(f64::INFINITY, f64::min),
            values.iter().copied().fold(0.0, f64::max),
        );
        for code in of {
            let room = rooms.iter().find(|room| room["name"] == *code).unwrap();
            let area = number(&room["gross_area"]);
            // "approximately" for the utility rooms, which differ by 0.02 m²
            assert!(area >= low - 0.015 && area <= high + 0.015, "{code}: {area} beside {line}");
            held.insert(code);
        }
    }
    // in doubt: the halls' area is no "negligible area" but 6.89 m² each
    assert_eq!(held.len(), 18, "{held:?}");
    for code in ["A201", "B201"] {
        let room = rooms.iter().find(|room| room["name"] == code).unwrap();
        close(number(&room["area"]), 6.89, 0.005);
    }
    let Some(mut q) = Question::new(110) else { return };
    let baths = q.rows("IfcSpace, LongName*=\"Bathroom\"", &["Name"]);
    let (rooms, totals) = q.rooms(baths.iter().map(|row| row["id"].clone()).collect(), &[]);
    // in doubt: these are Revit's areas to the middle of the walls; the floors between the walls are 15.81 m², which is what tiles cover
    for room in &rooms {
        let stored = number(&room["quantities"]["GSA BIM Area"]["stored"]);
        close(stored, q.after(&format!("{} (", text(&room["name"]))), 0.005);
    }
    close(number(&totals.last().unwrap()["stored"]["GSA BIM Area"]), q.after("approximately"), 0.005);
    close(number(&totals.last().unwrap()["gross_area"]), 15.81, 0.005);
}

#[test]
fn walls_to_paint_and_facades_are_summed() {
    let Some(mut q) = Question::new(55) else { return };
    // in doubt: the bench calls it an estimate, says not of what, and by a slip in m³. All walls inside, without doors, windows and what is
    // open, are 518 m²; without those of bathrooms and kitchens, which are tiled, they are what it says
    let (_, totals) = q.rooms(json!("all"), &[]);
    close(number(&totals.last().unwrap()["net_wall_area"]), 518.0, 0.5);
    let painted = q.rows("IfcSpace, LongName!*=Bathroom, LongName!*=Kitchen", &["Name"]);
    let (_, totals) = q.rooms(painted.iter().map(|row| row["id"].clone()).collect(), &[]);
    about(number(&totals.last().unwrap()["net_wall_area"]), q.after("around"), 0.02);
    let Some(mut q) = Question::new(48) else { return };
    let walls = json!({ "selector": "IfcWall, Name*=\"Exterior\"", "aggregate": "sum area" });
    let sum = q.call("query_elements", walls);
    about(number(&sum["groups"][0]["sum area"]), q.after("around"), 0.05);
}

#[test]
fn the_farthest_place_from_an_exit_is_found() {
    let Some(mut q) = Question::new(27) else { return };
    let answer = q.call("circulation_check", json!({ "start": "outside", "end": "rooms" }));
    let far = list(&answer["rooms"])
        .iter()
        .filter_map(|room| room["farthest"]["distance"].as_f64())
        .fold(0.0, f64::max);
    // an estimate
    about(far / 1e3, q.after("around"), 0.05);
}

#[test]
fn rooms_with_a_door_to_the_outside_are_counted() {
    let Some(mut q) = Question::new(9) else { return };
    let answer =
        q.call("adjacency_matrix", json!({ "level_id": "all", "outdoors": true, "format": "matrix" }));
    let rooms = answer["matrix"]["outdoors"].as_object().unwrap();
    assert_eq!(rooms.len(), counted(&q.answer), "{rooms:?}");
}

#[test]
fn doors_that_a_wheelchair_does_not_pass_are_found_inside() {
    let Some(mut q) = Question::new(6) else { return };
    let answer =
        q.call("circulation_check", json!({ "start": "outside", "end": "rooms", "by": "wheelchair" }));
    let rooms = list(&answer["rooms"]);
    let narrow: BTreeSet<String> = rooms
        .iter()
        .flat_map(|room| list(&room["obstacles"]))
        .filter(|obstacle| obstacle["kind"] == "narrow_door")
        .map(|obstacle| text(&obstacle["elements"][0]["id"]))
        .collect();
    let inside = q.rows("IfcDoor, Pset_DoorCommon.IsExternal=FALSE", &["Name"]);
    let inside: BTreeSet<String> = inside.iter().map(|row| text(&row["id"])).collect();
    assert!(narrow.len() > 1 && narrow.is_subset(&inside), "{narrow:?}");
    assert_eq!(q.answer.starts_with("No"), answer["reachable"] == false, "{}", q.answer);
}

#[test]
fn walls_ceilings_and_floors_of_a_room_are_named() {
    let Some(mut q) = Question::new(105) else { return };
    let around = |room: &Value, side: &str| -> Vec<Value> {
        let all = list(&room["boundary"]).into_iter().filter(|one| one["side"] == side);
        all.map(|one| one["element"].clone()).collect()
    };
    let (rooms, _) = q.rooms(json!("A102"), &["boundary"]);
    let ceilings = around(&rooms[0], "ceiling");
    assert_eq!((ceilings.len(), rooms[0]["long_name"].clone()), (1, json!("Living Room")));
    assert!(q.answer.contains(&text(&ceilings[0]["id"])), "{}", q.answer);

    let Some(mut q) = Question::new(17) else { return };
    let (rooms, _) = q.rooms(json!("A203"), &["boundary"]);
    let kinds = q.lines("- ");
    assert_eq!(kinds.len(), counted(&q.answer.replace("A203", "")), "{}", q.answer);
    let walls: Vec<Value> = list(&rooms[0]["boundary"])
        .iter()
        .map(|one| one["element"].clone())
        .filter(|element| text(&element["class"]).starts_with("IfcWall"))
        .collect();
    let bearing = q.rows("IfcWall", &["Pset_WallCommon.LoadBearing"]);
    for kind in &kinds {
        let word = ["interior", "party", "exterior"].into_iter().find(|word| kind.contains(word)).unwrap();
        let own: Vec<&Value> =
            walls.iter().filter(|wall| text(&wall["name"]).to_lowercase().contains(word)).collect();
        assert!(!own.is_empty(), "{kind}");
        if kind.contains("Non-load-bearing") {
            for wall in own {
                let stated = bearing.iter().find(|row| row["id"] == wall["id"]).unwrap();
                assert_eq!(stated["Pset_WallCommon.LoadBearing"], false, "{wall}");
            }
        }
    }
    let is_named = |wall: &Value| {
        let name = text(&wall["name"]).to_lowercase();
        ["interior", "party", "exterior"].iter().any(|word| name.contains(word))
    };
    assert!(walls.iter().all(is_named), "{walls:?}");

    // the ceilings of the ground floor are one slab
    let Some(mut q) = Question::new(375) else { return };
    let (rooms, _) = q.rooms(json!("Erdgeschoss"), &["boundary"]);
    let slabs: BTreeSet<String> = rooms
        .iter()
        .flat_map(|room| around(room, "ceiling"))
        .filter(|element| element["class"] == "IfcSlab")
        .map(|element| text(&element["id"]))
        .collect();
    assert_eq!(slabs.len() as f64, q.after("ceiling from below):"), "{slabs:?}");
    let rows = q.rows("IfcSlab", &["material"]);
    let own = rows.iter().find(|row| slabs.contains(&text(&row["id"]))).unwrap();
    let material = q.lines("   - ").last().unwrap().trim_start_matches([' ', '-']).trim().to_owned();
    assert!(text(&own["material"]).starts_with(&material), "{own}: {material}");
}

#[test]
fn contents_of_rooms_are_told_and_what_is_not_there_is_not() {
    let Some(mut q) = Question::new(20) else { return };
    let beams = q.call("spatial_query", json!({ "room_id": "B102", "categories": ["beams"] }));
    assert_eq!((&beams["total"], q.answer.starts_with("No")), (&json!(0), true), "{}", q.answer);
    // coverings and sanitary fixtures of a house: around its rooms and in them
    let Some(mut q) = Question::new(374) else { return };
    let (rooms, _) = q.rooms(json!("all"), &["boundary"]);
    let around: Vec<Value> = rooms.iter().flat_map(|room| list(&room["boundary"])).collect();
    let coverings = around.iter().filter(|one| one["element"]["class"] == "IfcCovering").count();
    assert!(
        around.len() > 40 && coverings == 0 && q.answer.starts_with("No "),
        "{coverings} of {}",
        around.len()
    );
    let Some(mut q) = Question::new(377) else { return };
    let (rooms, _) = q.rooms(json!("all"), &["contents"]);
    let classes: BTreeSet<String> =
        rooms.iter().flat_map(|room| list(&room["contents"])).map(|one| text(&one["class"])).collect();
    let sanitary = ["IfcSanitaryTerminal", "IfcFlowTerminal", "IfcWasteTerminal"];
    assert!(!sanitary.iter().any(|class| classes.contains(*class)), "{classes:?}");
    assert!(classes.contains("IfcStair") && q.answer.starts_with("No "), "{classes:?}");
}

#[test]
fn stairs_are_climbed_and_counted() {
    let Some(mut q) = Question::new(103) else { return };
    let way = q.call("path_finding", json!({ "from_room": "A101", "to_room": "A201" }));
    assert_eq!(number(&way["stairs"][0]["risers"]), q.after("has"), "{way}");
    let Some(mut q) = Question::new(379) else { return };
    let way = q.call("path_finding", json!({ "from_room": "Flur", "to_room": "Galerie" }));
    assert_eq!(list(&way["stairs"]).len() as f64, q.after("Total Stairs:"));
    assert!(q.answer.contains(&text(&way["stairs"][0]["name"])), "{way}");
    let stair = q.rows("IfcStair", &["storey"]);
    assert!(q.lines("- Level:")[0].contains(&text(&stair[0]["storey"])), "{stair:?}");
    let railings = q.call("spatial_query", json!({ "level_id": "Dachgeschoss", "categories": ["railings"] }));
    assert_eq!(number(&railings["total"]), q.after("Railings:"));
}

#[test]
fn widths_of_doors_and_windows_are_measured() {
    let Some(mut q) = Question::new(5) else { return };
    let (rooms, _) = q.rooms(json!("A101"), &["openings"]);
    let door =
        list(&rooms[0]["doors"]).into_iter().find(|door| q.answer.contains(&text(&door["id"]))).unwrap();
    close(number(&door["width"]) / 1e3, q.after("is"), 0.005);

    let Some(mut q) = Question::new(357) else { return };
    let doors = q.rows("IfcDoor", &["Name", "OverallWidth", "OverallHeight", "type.Name"]);
    assert_eq!(doors.len() as f64, q.after("Total Doors:"));
    for door in &doors {
        let line = &q.lines(&format!("- {}:", text(&door["Name"])))[0];
        let size = numbers(line.split_once('(').unwrap().1);
        close(number(&door["OverallWidth"]) * 1e3, size[0], 0.5);
        close(number(&door["OverallHeight"]) * 1e3, size[1], 0.5);
    }
    let by_type = doors.iter().map(|door| text(&door["type.Name"])).collect::<BTreeSet<_>>();
    let counts: Vec<usize> = q
        .lines(" door")
        .iter()
        .filter(|line| line.contains(": "))
        .map(|line| counted(line.rsplit(": ").next().unwrap()))
        .collect();
    assert_eq!((by_type.len(), doors.len()), (counts.len(), counts.iter().sum()), "{by_type:?}");

    let Some(mut q) = Question::new(358) else { return };
    let widest = json!({ "selector": "IfcDoor", "fields": ["Name", "OverallWidth"], "sort": ["-OverallWidth", "Name"], "limit": 3 });
    let rows = list(&q.call("query_elements", widest)["rows"]);
    for (place, row) in rows.iter().enumerate() {
        let line = &q.lines(&format!("{}. ", place + 1))[0];
        assert!(line.contains(&text(&row["Name"])), "{line}: {row}");
        close(number(&row["OverallWidth"]) * 1e3, numbers(line)[1], 0.5);
    }
}

#[test]
fn the_widest_and_narrowest_of_doors_and_windows_are_named() {
    for (id, class, label, widest) in [
        (359, "IfcDoor", "Shortest Door Width is", false),
        (361, "IfcWindow", "Largest Window Width is", true),
        (362, "IfcWindow", "Shortest Window Width is", false),
    ] {
        let Some(mut q) = Question::new(id) else { return };
        let rows = q.rows(class, &["Name", "OverallWidth"]);
        let widths = rows.iter().map(|row| number(&row["OverallWidth"]));
        let extreme = if widest { widths.fold(0.0, f64::max) } else { widths.fold(f64::INFINITY, f64::min) };
        close(extreme * 1e3, q.after(label), 0.5);
        let ours: BTreeSet<String> = rows
            .iter()
            .filter(|row| number(&row["OverallWidth"]) == extreme)
            .map(|row| text(&row["Name"]))
            .collect();
        let named =
            |line: &String| line.split_once(". ").unwrap().1.trim().split(" (").next().unwrap().to_owned();
        let mut bench: BTreeSet<String> =
            q.lines(". ").iter().filter(|line| line.contains(" (")).map(named).collect();
        match id {
            // in doubt: nine windows are 2000 mm wide, of which the bench names three
            361 => assert!(bench.is_subset(&ours) && ours.len() == 9, "{bench:?} of {ours:?}"),
            // in doubt: EG-Fenster-6 stands in both answers of the bench; it is 2000 mm wide
            362 => assert!(bench.remove("EG-Fenster-6") && bench == ours, "{bench:?} beside {ours:?}"),
            _ => assert_eq!(bench, ours),
        }
    }
}

#[test]
fn lengths_and_thicknesses_of_walls_and_slabs_are_told() {
    let Some(mut q) = Question::new(364) else { return };
    let outer = "IfcWall, Pset_WallCommon.IsExternal=TRUE";
    let rows = q.rows(outer, &["thickness", "BaseQuantities.Length"]);
    assert_eq!(rows.len() as f64, q.after("Exterior Walls:"));
    assert!(rows.iter().all(|row| number(&row["thickness"]) == q.after("Thickness:")), "{rows:?}");
    close(
        rows.iter().map(|row| number(&row["BaseQuantities.Length"])).sum(),
        q.after("Total Length:"),
        0.005,
    );
    let Some(mut q) = Question::new(372) else { return };
    let inner = "IfcWall, Pset_WallCommon.IsExternal=FALSE";
    let sum =
        q.call("query_elements", json!({ "selector": inner, "aggregate": "sum BaseQuantities.Length" }));
    close(number(&sum["groups"][0]["sum BaseQuantities.Length"]), q.after("Walls are"), 0.005);
    let Some(mut q) = Question::new(369) else { return };
    let ours: BTreeSet<i64> =
        q.rows("IfcWall", &["thickness"]).iter().map(|row| number(&row["thickness"]) as i64).collect();
    let bench: BTreeSet<i64> =
        q.lines("mm").iter().map(|line| *numbers(line).last().unwrap() as i64).collect();
    assert_eq!(ours, bench);

    let Some(mut q) = Question::new(19) else { return };
    // in doubt: there are two of them, one under each house; the other covers 64.91 m²
    let slabs = q.rows("IfcSlab, Name*=\"mm Slab on Grade\"", &["Name", "thickness", "area"]);
    let area = q.after("covers");
    let slab = slabs.iter().min_by(|a, b| {
        let apart = |row: &Value| (number(&row["area"]) - area).abs();
        apart(a).total_cmp(&apart(b))
    });
    let slab = slab.unwrap();
    close(number(&slab["area"]), area, 0.005);
    close(number(&slab["thickness"]), q.after("slab is"), 0.5);

    let Some(mut q) = Question::new(390) else { return };
    let roofs = q.rows("IfcSlab, PredefinedType=ROOF", &["Name", "area", "thickness", "volume"]);
    assert_eq!(roofs.len() as f64, q.after("Roof Slabs:"));
    for roof in &roofs {
        let told = numbers(q.lines(&format!("- {}:", text(&roof["Name"])))[0].split_once(':').unwrap().1);
        close(number(&roof["area"]), told[0], 0.05);
        close(number(&roof["thickness"]), told[1], 0.5);
    }
    let sum = |field: &str| roofs.iter().map(|roof| number(&roof[field])).sum::<f64>();
    close(sum("area"), q.after("Total Roof Area:"), 0.05);
    close(sum("volume"), q.after("Total Roof Volume:"), 0.01);
    let parts = json!({ "level_id": "Dachgeschoss", "categories": ["IfcMember", "IfcBeam"] });
    let parts = q.call("spatial_query", parts);
    let count = |class: &str| {
        let groups = list(&parts["groups"]);
        groups.iter().find(|group| group["class"] == class).map_or(0.0, |group| number(&group["count"]))
    };
    assert_eq!(count("IfcMember"), q.after("Roof Structural Members:"), "{parts}");
    assert_eq!(count("IfcBeam"), q.after("Roof Beams:"), "{parts}");
}
