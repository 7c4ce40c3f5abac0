//! Lays marks over a plan and writes it as SVG or PNG, to be looked at: `overlay MODEL STOREY OUT [SCALE] [STYLE.toml]`. Its findings are
//! the doors, its way goes from room to room, rooms have the colours of their areas, and walls those of their types.

use documentation::drawing::{Drawing, Kind, Wanted, draw};
use documentation::overlay::{Colouring, Finding, Marks, Overlaid, Severity, Spot, Target, Values, Way, lay};
use documentation::style::Style;
use geometry::Scene;
use glam::DVec3;
use std::error::Error;
use std::io::Write as _;
use std::path::Path;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [model, storey, out, rest @ ..] = arguments else {
        return Err("overlay MODEL STOREY OUT [SCALE] [STYLE.toml]".into());
    };
    let (model, _) = ifc::Model::open(Path::new(model), &ifc::Limits::default())?;
    let scene = Scene::from_model(&model);
    let scale = rest.first().map_or(Ok(100.0), |s| s.parse())?;
    let style = match rest.get(1) {
        Some(path) => Style::from_toml(&std::fs::read_to_string(path)?)?,
        None => Style::standard()?,
    };
    let storey = building::lookup::storey(&model, "storey", storey).map_err(|e| e.to_string())?;
    let wanted = Wanted::new(Kind::Plan { storey, height: 1.2 }, scale);
    let drawing = draw(&scene, &wanted, &style, &|_, _| true)?.ok_or("ended")?;
    let marks = marks(&scene, &drawing, building::storey::floor_height(&model, storey));
    let start = std::time::Instant::now();
    let laid = lay(&drawing, &marks, &style);
    let took = start.elapsed().as_secs_f64() * 1000.0;
    write(&laid, out, took)
}

fn marks(scene: &Scene, drawing: &Drawing, floor: f64) -> Marks {
    let entries = || drawing.cut.iter().filter_map(|id| scene.entry(*id));
    let doors = entries().filter(|e| e.class.starts_with("IfcDoor"));
    let findings = doors.enumerate().map(|(n, door)| Finding {
        spot: Spot::Element(door.id),
        severity: [Severity::Error, Severity::Warning, Severity::Note][n % 3],
        title: building::picture::title(scene.model(), door.id),
        note: format!("{:.2} m wide", door.bounds.size().truncate().max_element()),
    });
    let middle = |room: &documentation::drawing::Room| {
        let points: Vec<_> = room.floor.iter().flat_map(|area| &area.outer).copied().collect();
        let sum = points.iter().fold(glam::DVec2::ZERO, |sum, p| sum + *p);
        (sum / points.len().max(1) as f64).extend(floor)
    };
    let points: Vec<DVec3> = drawing.rooms.iter().take(4).map(middle).collect();
    let areas = drawing.rooms.iter().enumerate().map(|(n, room)| (Target::Room(n), room.area)).collect();
    let limits = vec![5.0, 10.0, 20.0];
    let walls = entries().filter(|e| e.class.starts_with("IfcWall"));
    let of_type = |e: &std::sync::Arc<geometry::scene::Entry>| {
        let name = building::picture::title(scene.model(), e.id);
        (Target::Element(e.id), name.rsplit_once(':').map_or(name.clone(), |(of, _)| of.to_owned()))
    };
    Marks {
        findings: findings.collect(),
        ways: vec![Way { points, name: "from room to room".into() }],
        rooms: Some(Colouring {
            title: "Area".into(),
            values: Values::Numbers { unit: "m²".into(), limits, of: areas },
        }),
        elements: Some(Colouring {
            title: "Walls".into(),
            values: Values::Keys { of: walls.map(of_type).collect() },
        }),
    }
}

fn write(laid: &Overlaid, out: &str, took: f64) -> Result<(), Box<dyn Error>> {
    if Path::new(out).extension().is_some_and(|end| end == "png") {
        std::fs::write(out, paper::png::write(&laid.page, paper::png::Resolution::DotsPerInch(110.0))?)?;
    } else {
        std::fs::write(out, paper::svg::write(&laid.page))?;
    }
    let size = laid.page.size;
    writeln!(
        std::io::stdout(),
        "{:.0} x {:.0} mm, {} flags, left out {:?}, {took:.1} ms",
        size.x,
        size.y,
        laid.flags.len(),
        laid.left_out
    )?;
    Ok(())
}
