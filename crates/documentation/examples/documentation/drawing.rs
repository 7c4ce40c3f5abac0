//! Draws a plan, section or elevation of a model and writes it as SVG or PNG, to be looked at:
//! `drawing MODEL STOREY OUT [SCALE] [STYLE.toml]`, where STOREY is a name, or one of `south`, `east`, `north`, `west`, `corner`,
//! `section-x`, `section-y` (`section-x@1.5` lies 1.5 m beside the middle) and `ceiling:NAME`. `drawing --measure MODEL` tells how long the plans of all storeys take, as JSON.

use documentation::drawing::{Drawing, Kind, Wanted, draw};
use documentation::style::Style;
use geometry::Scene;
use glam::{DVec2, DVec3};
use std::error::Error;
use std::io::Write as _;

/// Drawings made, of which the quickest counts.
const RUNS: usize = 5;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    if let [option, model] = arguments
        && option == "--measure"
    {
        return measure(model);
    }
    let [model, view, out, rest @ ..] = arguments else {
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
    let (mut took, mut quickest) = (f64::INFINITY, f64::INFINITY);
    let mut drawn = None;
    for _ in 0..RUNS {
        let (cpu, wall) = (spent(), std::time::Instant::now());
        drawn = draw(&scene, &wanted, &style, &|_, _| true)?;
        took = took.min(spent() - cpu);
        quickest = quickest.min(wall.elapsed().as_secs_f64());
    }
    let drawing = drawn.ok_or("ended")?;
    if std::path::Path::new(out).extension().is_some_and(|end| end == "png") {
        std::fs::write(out, paper::png::write(&drawing.page, paper::png::Resolution::DotsPerInch(150.0))?)?;
    } else {
        std::fs::write(out, paper::svg::write(&drawing.page))?;
    }
    tell(&drawing, [took, quickest].map(|seconds| seconds * 1000.0))?;
    Ok(())
}

/// CPU seconds of all threads so far.
fn spent() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

/// CPU seconds of all threads and wall seconds of a step, as JSON.
fn timed<T>(work: impl FnOnce() -> T) -> (T, String) {
    let (cpu, wall) = (spent(), std::time::Instant::now());
    let done = work();
    (done, format!("{{\"cpu\": {}, \"wall\": {}}}", spent() - cpu, wall.elapsed().as_secs_f64()))
}

/// Opens a model, makes its shapes and the plans of all storeys as SVG, in a process that did nothing before.
fn measure(path: &str) -> Result<(), Box<dyn Error>> {
    let begin = std::time::Instant::now();
    let (opened, open) = timed(|| ifc::Model::open(std::path::Path::new(path), &ifc::Limits::default()));
    let (model, _) = opened?;
    let (scene, mesh) = timed(|| Scene::from_model(&model));
    let style = Style::standard()?;
    let (mut drawn, mut bytes) = (0, 0);
    let plan = |storey| Wanted::new(Kind::Plan { storey, height: 1.2 }, 100.0);
    let (result, draw) = timed(|| -> Result<(), Box<dyn Error>> {
        for storey in model.of_class("IfcBuildingStorey") {
            match draw(&scene, &plan(storey), &style, &|_, _| true) {
                Ok(drawing) => {
                    bytes += paper::svg::write(&drawing.ok_or("ended")?.page).len();
                    drawn += 1;
                }
                Err(documentation::drawing::BadDrawing::NothingMet) => {}
                Err(other) => return Err(other.into()),
            }
        }
        Ok(())
    });
    result?;
    let (spent, wall) = (spent(), begin.elapsed().as_secs_f64());
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    let peak: f64 = peak.unwrap_or(0.0) / 1024.0;
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{{\"open\": {open}, \"mesh\": {mesh}, \"draw\": {draw}, \"all\": {{\"cpu\": {spent}, \"wall\": {wall}}}, \"plans\": {drawn}, \"bytes\": {bytes}, \"peak_mb\": {peak}}}"
    )?;
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
        name if name.starts_with("section-") => {
            let (axis, off) = name.split_once('@').unwrap_or((name, "0"));
            let normal = if axis == "section-x" { DVec3::NEG_X } else { DVec3::NEG_Y };
            Kind::Section { origin: middle - normal * off.parse::<f64>().ok()?, normal }
        }
        name => match name.strip_prefix("ceiling:") {
            Some(name) => Kind::CeilingPlan { storey: storey(name)?, height: 1.2 },
            None => Kind::Plan { storey: storey(name)?, height: 1.2 },
        },
    })
}

fn tell(drawing: &Drawing, [took, wall]: [f64; 2]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:.0} x {:.0} mm, cut {} ({:.3} m2), seen {}, rooms {}, {took:.1} ms of CPU, {wall:.1} ms",
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
