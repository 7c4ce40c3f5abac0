//! Writes a set of sheets of a model as PDF, to be looked at, and says how long it takes: plans of all storeys, two sections, four
//! elevations, with cover and list of sheets: `sheets MODEL OUT.pdf [SIZE] [SCALE] [LANGUAGE]`, in processor time and in brackets wall time. Then elements are changed one at a time, and the
//! set is made again.

use documentation::sheet::set::{Cover, SetDefinition, SheetSet, draw};
use documentation::sheet::{Cache, Keynote, Revision, SheetDefinition, Size, Table, ViewDefinition};
use documentation::style::Style;
use geometry::Scene;
use ifc::{Model, Value};
use paper::pdf::Metadata;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Processor time of all threads and wall time since a moment.
struct Clock {
    cpu: Duration,
    wall: Instant,
}

impl Clock {
    fn new() -> Clock {
        Clock { cpu: spent(), wall: Instant::now() }
    }

    /// `12 (15) ms`: of the processor, and in brackets of the wall.
    fn told(&self) -> String {
        let [cpu, wall] =
            [spent().saturating_sub(self.cpu), self.wall.elapsed()].map(|time| time.as_secs_f64() * 1000.0);
        format!("{cpu:.0} ({wall:.0}) ms")
    }
}

fn spent() -> Duration {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(spent.tv_sec.unsigned_abs(), spent.tv_nsec as u32)
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [path, out, rest @ ..] = arguments else {
        return Err("sheets MODEL OUT.pdf [SIZE] [SCALE] [LANGUAGE]".into());
    };
    let named = rest.first().map_or("A2", String::as_str);
    let size = Size::ALL.into_iter().find(|size| size.name() == named).ok_or("no such size")?;
    let scale: f64 = rest.get(1).map_or(Ok(100.0), |text| text.parse())?;
    let style =
        rest.get(2).map_or_else(Style::standard, |l| Style::from_toml(&format!("language = \"{l}\"")))?;
    let (model, _) = Model::open(std::path::Path::new(path), &ifc::Limits::default())?;
    let scene = Scene::from_model(&model);
    let definition = definition(&scene, size, scale);
    let mut cache = Cache::default();
    let mut told = std::io::stdout().lock();
    let start = Clock::new();
    let set = made(&scene, &definition, &style, &mut cache)?;
    let drawn = start.told();
    let bytes = set.pdf(&Metadata::default())?;
    let all = start.told();
    std::fs::write(out, &bytes)?;
    writeln!(
        told,
        "{} pages, {} drawings in {drawn}, as PDF of {} kB in {all}",
        set.sheets.len(),
        cache.drawn(),
        bytes.len() / 1000,
    )?;
    for sheet in &set.sheets {
        for note in &sheet.notes {
            writeln!(told, "  {}: {note}", sheet.number)?;
        }
        writeln!(
            told,
            "  {}: {} views, empty fields {:?}",
            sheet.number,
            sheet.views.len(),
            sheet.empty_fields
        )?;
    }
    again(&scene, &definition, &style, &mut cache, &mut told)?;
    Ok(())
}

/// Renames a door, and then moves a wall, a door and a window by 100 mm, and makes the set again after each.
fn again(
    scene: &Scene,
    definition: &SetDefinition,
    style: &Style,
    cache: &mut Cache,
    told: &mut impl std::io::Write,
) -> Result<(), Box<dyn Error>> {
    let first = |class: &str| {
        let found = scene.entries().iter().find(|e| e.is_drawn() && e.class.starts_with(class));
        found.map(|e| e.id)
    };
    let mut edits: Vec<(String, Model)> = Vec::new();
    if let Some(door) = first("IfcDoor") {
        let mut edit = scene.model().edit();
        edit.set(door, "Name", "Changed")?;
        edits.push(("door renamed".into(), edit.finish().0));
    }
    for class in ["IfcWall", "IfcDoor", "IfcWindow", "IfcFurn"] {
        if let Some(after) = first(class).and_then(|id| moved(scene.model(), id)) {
            edits.push((format!("{class} moved"), after));
        }
    }
    for (what, after) in edits {
        let start = Clock::new();
        let later = scene.follow(&after);
        let followed = start.told();
        let before = cache.drawn();
        let set = made(&later, definition, style, cache)?;
        let drawn = start.told();
        set.pdf(&Metadata::default())?;
        writeln!(
            told,
            "{what}: scene {followed}, {} drawings again and all sheets {drawn}, as PDF {}",
            cache.drawn() - before,
            start.told()
        )?;
    }
    Ok(())
}

/// The model with an element 100 mm farther along x, by a place of its own: files share points and axes.
fn moved(model: &Model, id: ifc::Id) -> Option<Model> {
    let placement = model.get(id)?.reference("ObjectPlacement")?;
    let axes = model.get(model.get(placement)?.reference("RelativePlacement")?)?;
    let mut at = [0.0; 3];
    model.get(axes.reference("Location")?)?.numbers("Coordinates", &mut at)?;
    at[0] += 0.1;
    let mut edit = model.edit();
    let point = edit.create("IfcCartesianPoint", &[("Coordinates", Value::list(at))]).ok()?;
    let rest = ["Axis", "RefDirection"].map(|name| (name, axes.attr(name)));
    let [axis, direction] = rest;
    let own = edit.create("IfcAxis2Placement3D", &[("Location", Value::Ref(point)), axis, direction]).ok()?;
    edit.set(placement, "RelativePlacement", Value::Ref(own)).ok()?;
    Some(edit.finish().0)
}

fn made(
    scene: &Scene,
    definition: &SetDefinition,
    style: &Style,
    cache: &mut Cache,
) -> Result<SheetSet, Box<dyn Error>> {
    Ok(draw(scene, definition, style, &BTreeMap::new(), cache, &|_, _| true)?.ok_or("ended")?)
}

fn definition(scene: &Scene, size: Size, scale: f64) -> SetDefinition {
    let model = scene.model();
    let mut views: Vec<(String, String, f64)> = Vec::new();
    for (storey, _) in building::storey::storeys_by_height(model) {
        let name = model.get(storey).and_then(|s| s.name()).unwrap_or_default();
        let guid = model.get(storey).and_then(|s| s.guid()).unwrap_or_default();
        views.push((format!("Plan {name}"), format!("plan:{guid}"), scale));
    }
    views.push(("Section X".into(), "section:x".into(), scale));
    views.push(("Section Y".into(), "section:y".into(), scale));
    let revisions = [
        ("A", "2026-03-02", "Issued for permit"),
        ("B", "2026-04-11", "Doors of the ground floor; windows of the stair"),
    ];
    let revisions: Vec<Revision> = revisions
        .into_iter()
        .map(|(index, date, text)| Revision {
            index: index.into(),
            date: date.into(),
            by: "M. Weber".into(),
            version: String::new(),
            text: text.into(),
        })
        .collect();
    let fields = [
        ("legal_owner", "Atelier Weber Architects"),
        ("project", "Duplex House"),
        ("creator", "M. Weber"),
        ("approval_person", "L. Okafor"),
        ("document_type", "General arrangement"),
    ];
    let fields: BTreeMap<String, String> =
        fields.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    let sheet = |number: String, name: String, views: Vec<ViewDefinition>| SheetDefinition {
        number,
        name,
        size,
        orientation: None,
        title_block: documentation::sheet::TitleBlock::Standard,
        drawing_area: None,
        fields: fields.clone(),
        views,
        legend: true,
        keynotes: Vec::new(),
        tables: Vec::new(),
        pictures: Vec::new(),
        revisions: revisions.clone(),
    };
    let mut sheets: Vec<SheetDefinition> = views
        .into_iter()
        .enumerate()
        .map(|(n, (name, drawing, scale))| {
            sheet(format!("A-{}", 101 + n), name, vec![ViewDefinition::new(&drawing, scale)])
        })
        .collect();
    let four = ["south", "east", "north", "west"]
        .map(|side| ViewDefinition::new(&format!("elevation:{side}"), scale));
    sheets.push(sheet("A-201".into(), "Elevations".into(), four.into()));
    let corners = ["south-west", "north-east"]
        .map(|side| ViewDefinition::new(&format!("axonometry:{side}"), scale * 2.0));
    sheets.push(sheet("A-301".into(), "Axonometries".into(), corners.into()));
    let doors: Vec<_> =
        scene.entries().iter().filter(|e| e.is_drawn() && e.class.starts_with("IfcDoor")).collect();
    if let Some(first) = sheets.iter_mut().find(|s| s.views.iter().any(|v| v.drawing.starts_with("plan"))) {
        first.keynotes = vec![
            Keynote {
                number: "1".into(),
                text: "Fire door, self-closing; all seals to be checked on site before it is ordered.".into(),
                elements: doors.iter().take(2).map(|e| e.global_id.clone()).collect(),
            },
            Keynote { number: "2".into(), text: "Existing.".into(), elements: Vec::new() },
        ];
        let rows = doors
            .iter()
            .take(8)
            .map(|e| vec![model.get(e.id).and_then(|d| d.name()).unwrap_or_default(), e.class.clone()]);
        first.tables = vec![Table {
            title: "Doors".into(),
            header: vec!["Name".into(), "Class".into()],
            rows: rows.collect(),
            ..Table::default()
        }];
    }
    let cover = Cover {
        number: "A-000".into(),
        title: None,
        lines: vec!["Building permit".into(), "12 Elm Street".into()],
        picture: None,
    };
    SetDefinition { title: "Duplex House".into(), cover: Some(cover), index: Some("A-001".into()), sheets }
}
