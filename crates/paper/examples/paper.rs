//! Tasks for checks by other programs, and for the eye: `demonstration FOLDER` writes a page in every format, `measure` says how long
//! a large one takes in each.

#[path = "../tests/demonstration/mod.rs"]
mod demonstration;

use glam::DVec2;
use paper::{Node, Page, Path as Lines, Text};
use paper::{dxf, pdf, png, svg};
use std::error::Error;
use std::fs::write;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["demonstration", folder] => demonstrate(Path::new(folder)),
        ["measure"] => measure(),
        _ => Err("usage: demonstration FOLDER | measure".into()),
    }
}

fn demonstrate(folder: &Path) -> Result<(), Box<dyn Error>> {
    let page = demonstration::page();
    write(folder.join("page.svg"), svg::write(&page))?;
    write(folder.join("page.png"), png::write(&page, png::Resolution::DotsPerInch(150.0))?)?;
    write(folder.join("aia.dxf"), dxf::write(&page, dxf::LayerStandard::Aia)?)?;
    write(folder.join("iso.dxf"), dxf::write(&page, dxf::LayerStandard::Iso13567)?)?;
    let sheet = Page { model: None, ..page.clone() };
    write(folder.join("sheet.dxf"), dxf::write(&sheet, dxf::LayerStandard::Aia)?)?;
    write(folder.join("page.pdf"), pdf::write(&[page], &[], &pdf::Metadata::default())?)?;
    Ok(())
}

/// A sheet of 20,000 pieces of lines, each a path of its own or ten together, 500 texts and 200 hatched areas.
fn large(is_apart: bool) -> Page {
    let mut nodes = Vec::new();
    for n in 0..2000_u32 {
        let (x, y) = (f64::from(n % 50) * 16.0 + 10.0, f64::from(n / 50) * 13.0 + 10.0);
        let points: Vec<(f64, f64)> =
            (0..11_u32).map(|k| (x + f64::from(k) * 1.37, y + f64::from(k * k % 7) * 1.21)).collect();
        for own in points.windows(if is_apart { 2 } else { 11 }) {
            let subpaths = vec![demonstration::polygon(own, false)];
            let stroke = demonstration::pen(0.18, [0, 0, 0, 255], &[]);
            nodes.push(Node::Path(Lines { subpaths, stroke, ..Lines::default() }));
        }
        if n % 4 == 0 {
            let own = demonstration::words(&format!("Room {n} 24.13 m²"), x, y, 2.5);
            nodes.push(Node::Text(Text { angle: f64::from(n % 3) * 45.0, ..own }));
        }
        if n % 10 == 0 {
            let subpaths = vec![demonstration::rectangle(x, y, 12.0, 8.0)];
            nodes.push(Node::Path(Lines {
                subpaths,
                stroke: None,
                fill: demonstration::bricks(),
                layer: None,
            }));
        }
    }
    Page { size: DVec2::new(841.0, 594.0), nodes, ..Page::default() }
}

#[allow(clippy::print_stdout)] // what it is for
fn measure() -> Result<(), Box<dyn Error>> {
    let page = large(false);
    let texts: Vec<&Text> = page
        .nodes
        .iter()
        .filter_map(|node| if let Node::Text(text) = node { Some(text) } else { None })
        .collect();
    let begun = Instant::now();
    texts.first().map(|text| text.extent());
    println!("fonts, once: {:.2} ms", begun.elapsed().as_secs_f64() * 1e3);
    let begun = Instant::now();
    let width: f64 = texts.iter().map(|text| text.extent().width).sum();
    println!(
        "extent: {:.2} us each, {width:.0} mm",
        begun.elapsed().as_secs_f64() * 1e6 / texts.len() as f64
    );
    for (name, page) in [("ten together", page), ("each apart", large(true))] {
        let best =
            |write: &dyn Fn() -> Result<usize, Box<dyn Error>>| -> Result<(f64, usize), Box<dyn Error>> {
                let mut best = (f64::INFINITY, 0);
                for _ in 0..5 {
                    let begun = Instant::now();
                    let size = write()?;
                    best = (best.0.min(begun.elapsed().as_secs_f64() * 1e3), size);
                }
                Ok(best)
            };
        let pages = std::slice::from_ref(&page);
        let svg = best(&|| Ok(svg::write(&page).len()))?;
        let pdf = best(&|| Ok(pdf::write(pages, &[], &pdf::Metadata::default())?.len()))?;
        let dxf = best(&|| Ok(dxf::write(&page, dxf::LayerStandard::Aia)?.len()))?;
        let png = best(&|| Ok(png::write(&page, png::Resolution::DotsPerInch(100.0))?.len()))?;
        for (format, (time, size)) in [("SVG", svg), ("PDF", pdf), ("DXF", dxf), ("PNG at 100 dpi", png)] {
            println!("{name}, {format}: {time:.2} ms, {size} bytes");
        }
    }
    Ok(())
}
