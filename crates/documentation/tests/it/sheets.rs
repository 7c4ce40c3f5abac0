//! Sheets of a small house and of a real one: sizes, places, words, errors, sets, and what is drawn again after an edit.

use crate::common;
use crate::common::{BEAM, DOOR, House, NORTH, SOUTH, real, style, texts};
use documentation::drawing::words::Box2;
use documentation::sheet::set::{self, Cover, SetDefinition, SheetSet};
use documentation::sheet::{
    BadSheet, Cache, Keynote, Orientation, PlacedPicture, Revision, Room, Sheet, SheetDefinition, Size,
    TITLE_BLOCKS, Table, TitleBlock, ViewDefinition, draw,
};
use geometry::Scene;
use glam::DVec2;
use paper::Node;
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::Arc;

fn sheet(size: Size, views: &[(&str, f64)]) -> SheetDefinition {
    let views: Vec<ViewDefinition> =
        views.iter().map(|(name, scale)| ViewDefinition::new(name, *scale)).collect();
    let fields = [
        ("legal_owner", "Atelier"),
        ("project", "House"),
        ("creator", "K. B."),
        ("approval_person", "L. O."),
    ];
    SheetDefinition {
        number: "A-101".into(),
        name: "Ground floor".into(),
        size,
        orientation: None,
        title_block: TitleBlock::Standard,
        drawing_area: None,
        fields: fields.map(|(k, v)| (k.to_owned(), v.to_owned())).into(),
        views,
        legend: true,
        keynotes: Vec::new(),
        tables: Vec::new(),
        pictures: Vec::new(),
        revisions: vec![Revision {
            index: "A".into(),
            date: "2026-03-02".into(),
            by: "KB".into(),
            version: String::new(),
            text: "First".into(),
        }],
    }
}

fn drawn(scene: &Scene, definition: &SheetDefinition) -> Result<Sheet, BadSheet> {
    let mut cache = Cache::default();
    draw(scene, definition, &style(), &BTreeMap::new(), &mut cache, &|_, _| true).map(Option::unwrap)
}

fn told(scene: &Scene, definition: &SheetDefinition) -> String {
    drawn(scene, definition).unwrap_err().to_string()
}

/// Nothing lies over anything else, and all within the frame.
fn assert_apart(sheet: &Sheet) {
    let block = sheet.title_block.into_iter();
    let rooms: Vec<Room> = sheet.views.iter().map(|v| v.room).chain(block).collect();
    for (n, own) in rooms.iter().enumerate() {
        assert!(sheet.drawing_area.holds(own), "{own:?}");
        assert!(rooms.iter().skip(n + 1).all(|other| !other.meets(own)), "{own:?}");
    }
    for view in &sheet.views {
        assert!((view.room.size() - view.drawing.page.size).length() < 1e-9);
    }
    // words of the sheet itself: none over another, none over a view
    let own: Vec<(&str, Box2)> = sheet
        .page
        .nodes
        .iter()
        .skip(sheet.views.len())
        .flat_map(|node| texts_of(node))
        .map(|text| (text.words.as_str(), Box2::around(text)))
        .collect();
    let views: Vec<Box2> = sheet.views.iter().map(|v| Box2::between(v.room.low, v.room.high)).collect();
    for (n, (words, room)) in own.iter().enumerate() {
        for (other, second) in own.iter().skip(n + 1) {
            assert!(!room.meets(second), "`{words}` lies on `{other}`");
        }
        assert!(!views.iter().any(|view| view.meets(room)), "`{words}` lies over a view");
        assert!(
            room.corners().iter().all(|p| p.cmpge(DVec2::ZERO).all() && p.cmple(sheet.page.size).all()),
            "{words}"
        );
    }
}

fn texts_of(node: &Node) -> Vec<&paper::Text> {
    match node {
        Node::Text(text) => vec![text],
        Node::Group(group) => group.nodes.iter().flat_map(texts_of).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn every_size_either_way_is_exact_and_nothing_lies_over_anything() {
    let scene = House::default().scene();
    let mut cache = Cache::default();
    for size in Size::ALL {
        for orientation in [Orientation::Landscape, Orientation::Portrait] {
            let definition =
                SheetDefinition { orientation: Some(orientation), ..sheet(size, &[("plan:Ground", 200.0)]) };
            let made = draw(&scene, &definition, &style(), &BTreeMap::new(), &mut cache, &|_, _| true);
            let made = made.unwrap_or_else(|bad| panic!("{} {orientation:?}: {bad}", size.name())).unwrap();
            let [short, long] = size.sides();
            let wanted = if orientation == Orientation::Portrait { [short, long] } else { [long, short] };
            assert_eq!(made.page.size.to_array(), wanted, "{}", size.name());
            assert_apart(&made);
            let bytes = paper::svg::write(&made.page);
            let inches = |mm: f64| format!("\"{}mm\"", (mm * 1000.0).round() / 1000.0);
            let head = &bytes[..bytes.find('>').unwrap() + 200];
            assert!(wanted.iter().all(|side| head.contains(&inches(*side))), "{head}");
        }
    }
    // the same plan on all of them
    assert_eq!(cache.drawn(), 1);
}

#[test]
fn views_are_laid_out_apart_and_those_with_places_stay_there() {
    let scene = House::default().scene();
    let names = [
        ("plan:Ground", 100.0),
        ("section:x", 100.0),
        ("elevation:south", 100.0),
        ("elevation:east", 100.0),
        ("ceiling:Ground", 100.0),
        ("axonometry:south-west", 100.0),
    ];
    let mut definition = sheet(Size::A1, &names);
    definition.views[1].place = Some([300.0, 40.0]);
    definition.views[2].title = Some("The <b>street</b> & garden".into());
    let made = drawn(&scene, &definition).unwrap();
    assert_eq!(made.views.len(), 6);
    assert_apart(&made);
    assert_eq!(made.views[1].room.low, DVec2::new(300.0, 40.0));
    assert_eq!(made.views[2].title, "The <b>street</b> & garden");
    // a place over another thing, and one beside the paper
    definition.views[2].place = Some([320.0, 60.0]);
    let words = told(&scene, &definition);
    assert!(
        words.contains("elevation:south") && words.contains("lies over what is from [300, 40]"),
        "{words}"
    );
    definition.views[2].place = Some([800.0, 60.0]);
    let words = told(&scene, &definition);
    assert!(words.contains("leaves the drawing area; its corner may lie from [20, 10]"), "{words}");
    definition.views[2].place = Some([f64::NAN, 60.0]);
    assert!(drawn(&scene, &definition).is_err());
}

#[test]
fn what_has_no_room_is_told_with_what_would_do_and_that_does() {
    let scene = House::default().scene();
    let mut definition = sheet(Size::A4, &[("plan:Ground", 20.0)]);
    let words = told(&scene, &definition);
    assert!(words.contains("plan:Ground at 1:20 on sheet A-101"), "{words}");
    let scale =
        words.split("the scale 1:").nth(1).and_then(|s| s.split(',').next()).unwrap().parse().unwrap();
    let size = words.split("the size ").nth(1).and_then(|s| s.split(' ').next()).unwrap().to_owned();
    definition.views[0].scale = scale;
    assert_apart(&drawn(&scene, &definition).unwrap());
    definition.views[0].scale = 20.0;
    definition.size = Size::ALL.into_iter().find(|s| s.name() == size).unwrap();
    assert_apart(&drawn(&scene, &definition).unwrap());
    let words = told(&scene, &sheet(Size::A0, &[("plan:Ground", 1.0)]));
    assert!(words.contains("the scale 1:") && !words.contains("the size"), "{words}");
}

#[test]
fn bad_views_and_broken_templates_are_one_clear_error() {
    let scene = House::default().scene();
    for (name, part) in [
        ("plan:Gruond", "Ground"),
        ("plan:", ""),
        ("plann:Ground", "plan"),
        ("section:z", "section:x"),
        ("elevation:up", "south"),
        ("", "there are"),
    ] {
        let words = told(&scene, &sheet(Size::A1, &[(name, 100.0)]));
        assert!(words.contains(part), "{name}: {words}");
    }
    for scale in [0.0, -5.0, f64::NAN, f64::INFINITY] {
        assert!(told(&scene, &sheet(Size::A1, &[("plan:Ground", scale)])).contains("scale"));
    }
    let mut empty = sheet(Size::A1, &[("section", 100.0)]);
    empty.views[0].direction = Some([1.0, 0.0, 0.0]);
    empty.views[0].at = Some([-500.0, 0.0, 0.0]);
    assert!(told(&scene, &empty).contains("nothing"), "{}", told(&scene, &empty));
    empty.views[0].direction = Some([0.0; 3]);
    assert!(told(&scene, &empty).contains("no direction"));
    for (svg, part) in [
        ("", "line 1"),
        ("<svg", "line 1"),
        ("<html/>", "<svg>"),
        ("<svg xmlns='http://www.w3.org/2000/svg' width='50mm' height='50mm'><text>{{a</text></svg>", "}}"),
        ("<svg xmlns='http://www.w3.org/2000/svg' width='900mm' height='50mm'/>", "has room for"),
    ] {
        let definition = SheetDefinition { title_block: TitleBlock::Svg(svg.into()), ..sheet(Size::A1, &[]) };
        let words = told(&scene, &definition);
        assert!(words.starts_with("the title block:") && words.contains(part), "{svg}: {words}");
    }
    let mut definition = sheet(Size::A1, &[]);
    definition.fields.insert("legal_ownr".into(), "x".into());
    assert!(told(&scene, &definition).contains("near: legal_owner"), "{}", told(&scene, &definition));
    definition =
        SheetDefinition { title_block: TitleBlock::Named("iso-lrge".into()), ..sheet(Size::A1, &[]) };
    assert!(told(&scene, &definition).contains("iso-large"));
}

#[test]
fn a_template_of_the_whole_sheet_has_its_own_frame() {
    let scene = House::default().scene();
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='420mm' height='297mm' viewBox='0 0 420 297'>
<path d='M5 5H415V292H5Z M5 270H415' fill='none' stroke='black'/><text x='10' y='280' font-size='5'>{{number}} {{title}} {{scale}}</text></svg>";
    let definition = SheetDefinition {
        title_block: TitleBlock::Svg(svg.into()),
        drawing_area: Some([10.0, 10.0, 400.0, 255.0]),
        fields: BTreeMap::new(),
        ..sheet(Size::A3, &[("plan:Ground", 100.0)])
    };
    let made = drawn(&scene, &definition).unwrap();
    assert!(made.title_block.is_none());
    assert_apart(&made);
    assert!(texts(&made.page).iter().any(|t| t.words == "A-101 Ground floor 1:100"));
    let outside = SheetDefinition { drawing_area: Some([10.0, 10.0, 900.0, 255.0]), ..definition };
    assert!(told(&scene, &outside).contains("does not lie on its paper"));
}

#[test]
fn words_stay_in_the_boxes_of_every_title_block() {
    let scene = House::default().scene();
    let names = [
        "Tom & Jerry <i>Ltd.</i>",
        "مكتب الهندسة المعمارية",
        "משרד אדריכלים",
        "Very long words without an end ",
        "{{title}}",
        "a\nb\nc\nd\ne\nf",
    ];
    for (block, svg) in TITLE_BLOCKS {
        let template = paper::template::Template::read(svg.as_bytes()).unwrap();
        let fields: Vec<&String> = template.fields.iter().filter(|f| !f.starts_with("word_")).collect();
        for name in names {
            let mut definition = sheet(Size::A1, &[]);
            definition.title_block = TitleBlock::Named(block.into());
            definition.fields = fields.iter().map(|f| ((*f).clone(), name.repeat(8))).collect();
            let made = drawn(&scene, &definition).unwrap();
            assert_apart(&made);
            let Room { low, high } = made.title_block.unwrap();
            for text in texts(&made.page) {
                let corners = Box2::around(text).corners();
                if text.at.cmpge(low).all() && text.at.cmple(high).all() {
                    assert!(
                        corners.iter().all(|p| p.cmpge(low).all() && p.cmple(high).all()),
                        "{block}: {}",
                        text.words
                    );
                }
            }
        }
    }
}

#[test]
fn notes_tables_pictures_and_revisions_have_their_places() {
    let scene = House::default().scene();
    let mut definition = sheet(Size::A2, &[("plan:Ground", 50.0)]);
    definition.keynotes = vec![
        Keynote { number: "1".into(), text: "Fire door".into(), elements: vec![DOOR.into()] },
        Keynote { number: "2".into(), text: "Gone".into(), elements: vec!["nobody".into()] },
    ];
    definition.tables = vec![Table {
        title: "Doors".into(),
        header: vec!["Mark".into(), "Width".into()],
        rows: vec![vec!["D1".into(), "900".into()]],
        ..Table::default()
    }];
    let place = PlacedPicture { key: "photo".into(), width: 40.0, caption: "Street".into(), place: None };
    definition.pictures = vec![place];
    definition.revisions = (1..20)
        .map(|n| Revision {
            index: format!("R{n}"),
            date: "2026".into(),
            by: "KB".into(),
            version: String::new(),
            text: "Changes ".repeat(40),
        })
        .collect();
    let mut page = paper::Page { size: DVec2::new(20.0, 10.0), ..paper::Page::default() };
    page.title = "Photo".into();
    let png: Arc<[u8]> = paper::png::write(&page, paper::png::Resolution::DotsPerInch(50.0)).unwrap().into();
    let pictures = BTreeMap::from([("photo".to_owned(), png)]);
    let make = |definition: &SheetDefinition| {
        draw(&scene, definition, &style(), &pictures, &mut Cache::default(), &|_, _| true).map(Option::unwrap)
    };
    let made = make(&definition).unwrap();
    assert_apart(&made);
    let all: Vec<&str> = texts(&made.page).iter().map(|t| t.words.as_str()).collect();
    for words in [
        "Doors",
        "D1",
        "900",
        "Street",
        "Legend",
        "Reinforced concrete",
        "Notes",
        "Fire door",
        "Gone",
        "R19",
        "…",
    ] {
        assert!(all.contains(&words), "{words}: {all:?}");
    }
    assert!(!all.contains(&"R15"));
    // in the list, and at the door
    assert_eq!(all.iter().filter(|t| **t == "1").count(), 2 + 2, "frame, list and bubble: {all:?}");
    assert_eq!(made.notes.iter().filter(|n| n.contains("no view of the sheet shows nobody")).count(), 1);
    assert!(made.page.nodes.iter().any(|n| matches!(n, Node::Picture(p) if p.size.x == 40.0)));
    definition.pictures[0].key = "phto".into();
    assert!(make(&definition).unwrap_err().to_string().contains("near: photo"));
    definition.pictures.clear();
    definition.tables[0].rows.push(vec!["D2".into()]);
    assert!(make(&definition).unwrap_err().to_string().contains("row 2 has 1 cells"));
    definition.tables[0].rows = (0..400).map(|n| vec![n.to_string(), String::new()]).collect();
    let made = make(&definition).unwrap();
    assert_apart(&made);
    let heads = texts(&made.page).iter().filter(|t| t.words == "Mark").count();
    assert!(heads > 3, "{heads} pieces, one beside the other");
    definition.tables[0].rows = (0..9000).map(|n| vec![n.to_string(), String::new()]).collect();
    assert!(make(&definition).unwrap_err().to_string().contains("the table Doors takes"));
}

#[test]
fn definitions_are_read_from_json_and_unknown_keys_are_refused() {
    let text = r#"{"number":"A-1","name":"Plan","size":"ARCH E1","views":[{"drawing":"plan:Ground","scale":50}],"title_block":{"named":"strip"}}"#;
    let read: SheetDefinition = serde_json::from_str(text).unwrap();
    assert_eq!((read.size, read.views[0].dimensions), (Size::ArchE1, true));
    assert_apart(&drawn(&House::default().scene(), &read).unwrap());
    for bad in
        [text.replace("scale", "scle"), text.replace("number", "nr"), text.replace("ARCH E1", "ARCH F")]
    {
        assert!(serde_json::from_str::<SheetDefinition>(&bad).is_err(), "{bad}");
    }
    let again: SheetDefinition = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
    assert_eq!(again, read);
}

#[test]
fn a_long_list_of_sheets_goes_on_and_sets_are_checked() {
    let scene = House::default().scene();
    let mut sheets: Vec<SheetDefinition> =
        (0..120).map(|n| SheetDefinition { number: format!("A-{n:03}x"), ..sheet(Size::A4, &[]) }).collect();
    let make = |sheets: &[SheetDefinition]| {
        let cover =
            Cover { number: "A-000".into(), title: None, lines: vec!["Phase 3".into()], picture: None };
        let definition = SetDefinition {
            title: "House".into(),
            cover: Some(cover),
            index: Some("A-001".into()),
            sheets: sheets.to_vec(),
        };
        set::draw(&scene, &definition, &style(), &BTreeMap::new(), &mut Cache::default(), &|_, _| true)
            .map(Option::unwrap)
    };
    let made = make(&sheets).unwrap();
    let lists: Vec<&Sheet> = made
        .sheets
        .iter()
        .filter(|s| s.number.starts_with("A-001"))
        .filter(|s| !s.number.ends_with('x'))
        .collect();
    assert!(lists.len() > 2, "{}", lists.len());
    let mut listed: Vec<&str> = lists
        .iter()
        .flat_map(|s| texts(&s.page))
        .map(|t| t.words.as_str())
        .filter(|w| w.starts_with("A-") && w.ends_with('x'))
        .collect();
    listed.sort_unstable();
    assert_eq!(listed, sheets.iter().map(|s| s.number.as_str()).collect::<Vec<_>>());
    for (n, sheet) in made.sheets.iter().enumerate() {
        let position = format!("{} / {}", n + 1, made.sheets.len());
        assert!(texts(&sheet.page).iter().any(|t| t.words == position), "{}", sheet.number);
    }
    sheets[1].number = sheets[0].number.clone();
    assert!(make(&sheets).unwrap_err().to_string().contains("two sheets have the number A-000x"));
    assert!(make(&[]).unwrap_err().to_string().contains("needs a sheet"));
}

fn set_of(views: &[&str]) -> SetDefinition {
    let sheets = views.iter().enumerate().map(|(n, view)| SheetDefinition {
        number: format!("A-{}", 101 + n),
        name: format!("Sheet {view}"),
        ..sheet(Size::A2, &[(view, 100.0)])
    });
    let cover = Cover { number: "A-000".into(), title: None, lines: Vec::new(), picture: None };
    SetDefinition {
        title: "Duplex".into(),
        cover: Some(cover),
        index: Some("A-001".into()),
        sheets: sheets.collect(),
    }
}

const DUPLEX: [&str; 8] = [
    "plan:T/FDN",
    "plan:Level 1",
    "plan:Level 2",
    "plan:Roof",
    "section:x",
    "section:y",
    "elevation:south",
    "elevation:east",
];

fn update(scene: &Scene, definition: &SetDefinition, cache: &mut Cache) -> (SheetSet, usize) {
    let before = cache.drawn();
    let made =
        set::draw(scene, definition, &style(), &BTreeMap::new(), cache, &|_, _| true).unwrap().unwrap();
    (made, cache.drawn() - before)
}

#[test]
fn ten_sheets_of_a_real_house_are_read_back_from_their_pdf() {
    let Some(scene) = real("Duplex_A_20110907.ifc") else { return };
    let definition = set_of(&DUPLEX);
    let (made, _) = update(&scene, &definition, &mut Cache::default());
    assert_eq!(made.sheets.len(), 10);
    made.sheets.iter().for_each(assert_apart);
    let bookmarks = made.bookmarks();
    assert_eq!((bookmarks.len(), bookmarks[3].children[0].page), (10, 3));
    let bytes = made.pdf(&paper::pdf::Metadata::default()).unwrap();
    let Some(program) = testing::program("pdftotext") else { return };
    let path = std::env::temp_dir().join(format!("sheets-{}.pdf", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let out = Command::new(program).arg("-layout").arg(&path).arg("-").output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let pages: Vec<&str> = text.split('\x0c').collect();
    assert!(pages.len() >= 10, "{}", pages.len());
    for (sheet, page) in made.sheets.iter().zip(&pages) {
        assert!(page.contains(&sheet.number) && page.contains(&sheet.name), "{}", sheet.number);
        for view in &sheet.views {
            assert!(page.contains(&view.title), "{}: {}", sheet.number, view.title);
        }
    }
    for sheet in &definition.sheets {
        assert!(pages[1].contains(&sheet.number) && pages[1].contains(&sheet.name), "{}", sheet.number);
    }
}

#[test]
fn after_an_edit_only_views_that_show_it_are_drawn_again_and_as_if_anew() {
    let Some(scene) = real("Duplex_A_20110907.ifc") else { return };
    let definition = set_of(&DUPLEX);
    let mut cache = Cache::default();
    let (first, count) = update(&scene, &definition, &mut cache);
    assert_eq!((count, cache.drawn()), (8, 8));
    assert_eq!(update(&scene, &definition, &mut cache).1, 0);
    let on = |guid: &str, set: &SheetSet| -> Vec<String> {
        let id = scene.model().by_guid(guid).unwrap();
        let shows =
            |s: &&Sheet| s.views.iter().any(|v| v.drawing.cut.contains(&id) || v.drawing.seen.contains(&id));
        set.sheets.iter().filter(shows).map(|s| s.number.clone()).collect()
    };
    // doors inside, each renamed and then widened
    let doors = scene.entries().iter().filter(|e| e.class == "IfcDoor" && e.is_drawn()).take(6);
    for door in doors {
        let mut edit = scene.model().edit();
        edit.set(door.id, "Name", "Changed").unwrap();
        let renamed = scene.follow(&edit.finish().0);
        let (set, count) = update(&renamed, &definition, &mut cache);
        let shown = on(&door.global_id, &first);
        assert!(count >= shown.len() && count < 8, "{count} {shown:?}");
        let (whole, _) = update(&renamed, &definition, &mut Cache::default());
        for (one, other) in set.sheets.iter().zip(&whole.sheets) {
            assert!(one.page == other.page, "{} is not as if drawn anew", one.number);
        }
        // back again: all is known
        assert_eq!(update(&scene, &definition, &mut cache).1, 0);
    }
}

#[test]
fn views_that_are_kept_are_those_made_anew_after_any_move() {
    let scene = House::default().scene();
    let views = [
        "plan:Ground",
        "ceiling:Ground",
        "section:x",
        "section:y",
        "elevation:south",
        "elevation:north",
        "axonometry:south-west",
    ];
    let definition = set_of(&views);
    let mut cache = Cache::default();
    let mut scene = scene;
    update(&scene, &definition, &mut cache);
    for (round, guid) in [SOUTH, BEAM, DOOR, NORTH, BEAM, SOUTH].into_iter().enumerate() {
        let id = scene.model().by_guid(guid).unwrap();
        let model = scene.model();
        let placement = model.get(id).unwrap().reference("ObjectPlacement").unwrap();
        let axes = model.get(placement).unwrap().reference("RelativePlacement").unwrap();
        let point = model.get(axes).unwrap().reference("Location").unwrap();
        let mut at = [0.0; 3];
        model.get(point).unwrap().numbers("Coordinates", &mut at).unwrap();
        at[0] += 0.07 * (round as f64 + 1.0);
        let mut edit = model.edit();
        edit.set(point, "Coordinates", ifc::Value::list(at)).unwrap();
        let after = edit.finish().0;
        scene = scene.follow(&after);
        let (kept, count) = update(&scene, &definition, &mut cache);
        let (anew, _) = update(&scene, &definition, &mut Cache::default());
        assert!(count > 0, "{guid}");
        for (one, other) in kept.sheets.iter().zip(&anew.sheets) {
            assert!(one.page == other.page, "{guid}: {} is not as if drawn anew", one.number);
        }
    }
}

/// The scene with an element moved by metres, by a point of its own.
fn moved(scene: &Scene, guid: &str, by: [f64; 3]) -> Scene {
    let model = scene.model();
    let id = model.by_guid(guid).unwrap();
    let placement = model.get(id).unwrap().reference("ObjectPlacement").unwrap();
    let axes = model.get(placement).unwrap().reference("RelativePlacement").unwrap();
    let axes = model.get(axes).unwrap();
    let mut at = [0.0; 3];
    model.get(axes.reference("Location").unwrap()).unwrap().numbers("Coordinates", &mut at).unwrap();
    let at: Vec<f64> = at.iter().zip(by).map(|(from, by)| from + by).collect();
    let mut edit = model.edit();
    let point = edit.create("IfcCartesianPoint", &[("Coordinates", ifc::Value::list(at))]).unwrap();
    let values = [
        ("Location", ifc::Value::Ref(point)),
        ("Axis", axes.attr("Axis")),
        ("RefDirection", axes.attr("RefDirection")),
    ];
    let own = edit.create("IfcAxis2Placement3D", &values).unwrap();
    edit.set(placement, "RelativePlacement", ifc::Value::Ref(own)).unwrap();
    scene.follow(&edit.finish().0)
}

#[test]
fn a_view_that_an_edit_reaches_is_drawn_again_and_one_that_hides_it_is_not() {
    let scene = House::default().scene();
    let views =
        ["section:x", "elevation:south", "elevation:north", "elevation:west", "axonometry:south-west"];
    let definition = set_of(&views);
    let mut cache = Cache::default();
    let (before, _) = update(&scene, &definition, &mut cache);
    let (mut hidden, mut reached) = (0, 0);
    // a door in the south wall, and a beam that only the section and what looks through the window show
    for guid in [DOOR, BEAM] {
        let id = scene.model().by_guid(guid).unwrap();
        let after = moved(&scene, guid, [0.05, 0.0, 0.0]);
        let (kept, count) = update(&after, &definition, &mut cache);
        let (anew, _) = update(&after, &definition, &mut Cache::default());
        let mut redrawn = 0;
        for ((old, own), fresh) in before.sheets.iter().zip(&kept.sheets).zip(&anew.sheets) {
            assert!(own.page == fresh.page, "{guid}: {} is not as if drawn anew", own.number);
            for (old, own) in old.views.iter().zip(&own.views) {
                let shows =
                    [&old.drawing, &own.drawing].iter().any(|d| d.cut.contains(&id) || d.seen.contains(&id));
                let is_same = Arc::ptr_eq(&old.drawing, &own.drawing);
                assert_eq!(is_same, !shows, "{guid}: {}", own.title);
                redrawn += usize::from(shows);
                hidden += usize::from(!shows);
            }
        }
        assert_eq!(redrawn, count, "{guid}");
        reached += redrawn;
        assert_eq!(update(&scene, &definition, &mut cache).1, 0, "back again");
    }
    assert!(hidden > 1 && reached > 1, "{hidden} {reached}");
}

#[test]
fn what_is_said_of_a_room_or_a_material_is_drawn_again_where_it_stands() {
    let scene = House::default().scene();
    let definition = set_of(&["plan:Ground", "elevation:south"]);
    let mut cache = Cache::default();
    update(&scene, &definition, &mut cache);
    let room = scene.model().by_guid(common::ROOM).unwrap();
    let mut edit = scene.model().edit();
    edit.set(room, "LongName", "Kitchen").unwrap();
    let renamed = scene.follow(&edit.finish().0);
    let (set, count) = update(&renamed, &definition, &mut cache);
    assert_eq!(count, 1, "the plan alone");
    assert!(set.sheets.iter().flat_map(|s| texts(&s.page)).any(|t| t.words == "Kitchen"));
    let material = renamed.model().of_class("IfcMaterial")[0];
    let mut edit = renamed.model().edit();
    edit.set(material, "Name", "Ziegel").unwrap();
    let bricks = renamed.follow(&edit.finish().0);
    let (set, _) = update(&bricks, &definition, &mut cache);
    assert!(set.sheets.iter().flat_map(|s| texts(&s.page)).any(|t| t.words == "Masonry"));
    let storey = bricks.model().of_class("IfcBuildingStorey")[0];
    let mut edit = bricks.model().edit();
    edit.set(storey, "Name", "Ground").unwrap();
    let same = bricks.follow(&edit.finish().0);
    assert_eq!(update(&same, &definition, &mut cache).1, 0, "nothing differs");
}

#[test]
fn work_that_is_not_wanted_any_more_ends() {
    let scene = House::default().scene();
    let definition = set_of(&["plan:Ground", "elevation:south"]);
    let made =
        set::draw(&scene, &definition, &style(), &BTreeMap::new(), &mut Cache::default(), &|done, _| {
            done < 1
        });
    assert!(made.unwrap().is_none());
}
