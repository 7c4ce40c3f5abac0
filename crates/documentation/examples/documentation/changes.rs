//! Draws what differs between two versions of a model on a storey, and writes it as SVG or PNG, to be looked at:
//! `changes BEFORE.ifc AFTER.ifc STOREY OUT [SCALE] [STYLE.toml]`, where STOREY is a name, or `south` or `corner`.

use documentation::difference::{self, Difference};
use documentation::drawing::{Kind, Wanted};
use documentation::style::Style;
use geometry::Scene;
use glam::{DVec2, DVec3};
use std::error::Error;
use std::io::Write as _;
use std::path::Path;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [before, after, view, out, rest @ ..] = arguments else {
        return Err("changes BEFORE.ifc AFTER.ifc STOREY OUT [SCALE] [STYLE.toml]".into());
    };
    let open = |path: &str| -> Result<Scene, Box<dyn Error>> {
        Ok(Scene::from_model(&ifc::Model::open(Path::new(path), &ifc::Limits::default())?.0))
    };
    let (before, after) = (open(before)?, open(after)?);
    let scale = rest.first().map_or(Ok(100.0), |s| s.parse())?;
    let style = match rest.get(1) {
        Some(path) => Style::from_toml(&std::fs::read_to_string(path)?)?,
        None => Style::standard()?,
    };
    let storey = |scene: &Scene| building::lookup::storey(scene.model(), "storey", view);
    let kind = match view.as_str() {
        "south" => Kind::Elevation { direction: DVec2::NEG_Y },
        "corner" => Kind::Axonometry { direction: DVec3::new(-1.0, -1.3, 1.0) },
        _ => {
            Kind::Plan { storey: storey(&after).or(storey(&before)).map_err(|e| e.to_string())?, height: 1.2 }
        }
    };
    let start = std::time::Instant::now();
    let drawn = difference::draw(&before, &after, &Wanted::new(kind, scale), &style, &|_, _| true)?;
    let took = start.elapsed().as_secs_f64() * 1000.0;
    let drawn = drawn.ok_or("ended")?;
    if Path::new(out).extension().is_some_and(|end| end == "png") {
        std::fs::write(out, paper::png::write(&drawn.page, paper::png::Resolution::DotsPerInch(110.0))?)?;
    } else {
        std::fs::write(out, paper::svg::write(&drawn.page))?;
    }
    tell(&drawn, &style, took)?;
    Ok(())
}

fn tell(drawn: &Difference, style: &Style, took: f64) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let size = drawn.page.size;
    writeln!(out, "{:.0} x {:.0} mm, {} clouds, {took:.1} ms", size.x, size.y, drawn.clouds.len())?;
    for change in &drawn.changes {
        let cloud = change.cloud.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let words = change.sentences(style).join("; ");
        writeln!(out, "  {cloud:>3} {} {} {}: {words}", change.class, change.global_id, change.name)?;
    }
    Ok(())
}
