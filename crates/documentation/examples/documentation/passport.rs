//! Makes the passport of a model, or with two of them the report of what changed, as `OUT.pdf`, `OUT.png` (the first page), `OUT.md` and
//! `OUT.html`, to be looked at: `passport MODEL [AFTER] OUT [STYLE.toml]`.

use documentation::drawing::{Kind, Wanted, draw};
use documentation::report::{Given, Picture, Quality, changes, passport};
use documentation::style::Style;
use geometry::Scene;
use glam::DVec3;
use std::error::Error;
use std::io::Write as _;
use std::path::Path;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let mut arguments = arguments.to_vec();
    let style = match arguments.pop_if(|last| Path::new(last).extension().is_some_and(|end| end == "toml")) {
        Some(path) => Style::from_toml(&std::fs::read_to_string(path)?)?,
        None => Style::standard()?,
    };
    let open = |path: &str| -> Result<Scene, Box<dyn Error>> {
        Ok(Scene::from_model(&ifc::Model::open(Path::new(path), &ifc::Limits::default())?.0))
    };
    let start;
    let (document, out) = match arguments.as_slice() {
        [model, out] => {
            let scene = open(model)?;
            let pictures = [DVec3::new(-1.0, -1.3, 1.0), DVec3::new(1.0, 1.3, 1.0)];
            let pictures =
                pictures.into_iter().map(|d| picture(&scene, d, &style)).collect::<Result<_, _>>()?;
            let quality = [("The file keeps to its schema", true), ("Every room has a closed shape", false)];
            let line = |(words, is_fulfilled): (&str, bool)| Quality { words: words.into(), is_fulfilled };
            let given = Given { quality: quality.map(line).to_vec(), pictures, storey: None };
            start = std::time::Instant::now();
            (passport(&scene, &given, &style, &|_, _| true).ok_or("ended")?.0, out)
        }
        [before, after, out] => {
            let (before, after) = (open(before)?, open(after)?);
            let direction = DVec3::new(-1.0, -1.3, 1.0);
            let pictures = [picture(&before, direction, &style)?, picture(&after, direction, &style)?];
            start = std::time::Instant::now();
            (changes(&before, &after, &pictures, &style, &|_, _| true).ok_or("ended")?.0, out)
        }
        _ => return Err("passport MODEL [AFTER] OUT [STYLE.toml]".into()),
    };
    let made = start.elapsed().as_secs_f64() * 1000.0;
    let pages = document.pages();
    let laid = start.elapsed().as_secs_f64() * 1000.0;
    std::fs::write(format!("{out}.pdf"), paper::pdf::write(&pages, &[], &paper::pdf::Metadata::default())?)?;
    let first = pages.first().ok_or("no page")?;
    std::fs::write(
        format!("{out}.png"),
        paper::png::write(first, paper::png::Resolution::DotsPerInch(130.0))?,
    )?;
    std::fs::write(format!("{out}.md"), document.markdown())?;
    std::fs::write(format!("{out}.html"), document.html())?;
    writeln!(std::io::stdout(), "{} pages, made in {made:.1} ms, laid out after {laid:.1} ms", pages.len())?;
    Ok(())
}

/// A view from a corner as a picture.
fn picture(scene: &Scene, direction: DVec3, style: &Style) -> Result<Picture, Box<dyn Error>> {
    let wanted = Wanted::new(Kind::Axonometry { direction }, 100.0);
    let drawing = draw(scene, &wanted, style, &|_, _| true)?.ok_or("ended")?;
    let png = paper::png::write(&drawing.page, paper::png::Resolution::Width(900))?;
    let pixels = [900, (900.0 * drawing.page.size.y / drawing.page.size.x).round() as u32];
    Ok(Picture { png: png.into(), pixels, caption: drawing.page.title.clone(), file_name: None })
}
