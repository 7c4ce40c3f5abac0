//! Draws a plan, section or elevation of a model and writes it as SVG or PNG, to be looked at:
//! `drawing MODEL STOREY OUT [SCALE] [STYLE.toml]`, where STOREY is a name, or one of `south`, `east`, `north`, `west`, `corner`,
//! `section-x`, `section-y` and `ceiling:NAME`.

use documentation::drawing::{Drawing, Kind, Wanted, draw};
use documentation::style::Style;
use geometry::Scene;
use glam::{DVec2, DVec3};
use std::error::Error;
use std::io::Write as _;

/// Drawings made, of which the quickest counts.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, view, out, rest @ ..] = arguments.as_slice() else {
        return Err("drawing MODEL STOREY OUT [SCALE] [STYLE.toml]".into());
    };
    let (model, _) = ifc::Model::open(std::path::Path::new(model), &ifc::Limits::default())?;
    let scene = Scene::from_model(&model);
    let scale = rest.first().map_or(Ok(100.0), |s| s.parse())?;
    let style = match rest.get(1) {
        Some(path) => Style::from_toml(&std::fs::read_to_string(path)?)?,
        None => Style::standard()?,
    };
    let kind = kind(&scene, view).ok_or("no such storey or view")?;
    let wanted = Wanted::new(kind, scale);
    let mut took = std::time::Duration::MAX;
    let mut drawn = None;
    for _ in 0..RUNS {
        let start = std::time::Instant::now();
        drawn = draw(&scene, &wanted, &style, &|_, _| true)?;
        took = took.min(start.elapsed());
    }
    let drawing = drawn.ok_or("ended")?;
    if std::path::Path::new(out).extension().is_some_and(|end| end == "png") {
        std::fs::write(out, paper::png::write(&drawing.page, paper::png::Resolution::DotsPerInch(150.0))?)?;
    } else {
        std::fs::write(out, paper::svg::write(&drawing.page))?;
    }
    tell(&drawing, took.as_secs_f64() * 1000.0)?;
    Ok(())
}

fn kind(scene: &Scene, view: &str) -> Option<Kind> {
    let drawn = scene.entries().iter().filter(|e| e.is_drawn());
    let middle = drawn.fold(geometry::Bounds::EMPTY, |all, e| all.join(&e.bounds)).centre();
    let storey = |name: &str| building::lookup::storey(scene.model(), "storey", name).ok();
    Some(match view {
        "south" => Kind::Elevation { direction: DVec2::NEG_Y },
        "north" => Kind::Elevation { direction: DVec2::Y },
        "east" => Kind::Elevation { direction: DVec2::X },
        "west" => Kind::Elevation { direction: DVec2::NEG_X },
        "corner" => Kind::Axonometry { direction: DVec3::new(-1.0, -1.3, 1.0) },
        "section-x" => Kind::Section { origin: middle, normal: DVec3::NEG_X },
        "section-y" => Kind::Section { origin: middle, normal: DVec3::NEG_Y },
        name => match name.strip_prefix("ceiling:") {
            Some(name) => Kind::CeilingPlan { storey: storey(name)?, height: 1.2 },
            None => Kind::Plan { storey: storey(name)?, height: 1.2 },
        },
    })
}

fn tell(drawing: &Drawing, took: f64) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:.0} x {:.0} mm, cut {} ({:.3} m2), seen {}, rooms {}, {took:.1} ms",
        drawing.page.size.x,
        drawing.page.size.y,
        drawing.cut.len(),
        drawing.cut_area,
        drawing.seen.len(),
        drawing.rooms.len(),
    )?;
    for note in &drawing.notes {
        writeln!(out, "  {:?}: {}", note.element, note.words)?;
    }
    Ok(())
}
