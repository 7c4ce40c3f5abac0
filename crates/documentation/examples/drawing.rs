//! Draws a plan, section or elevation of a model and writes it as SVG, to be looked at:
//! `drawing MODEL STOREY OUT.svg [SCALE] [STYLE.toml]`, where STOREY is a name, or one of `south`, `east`, `north`, `west`, `corner`,
//! `section-x`, `section-y` and `ceiling:NAME`.

use documentation::drawing::{Drawing, Kind, Wanted, draw};
use documentation::style::Style;
use geometry::Scene;
use glam::{DVec2, DVec3};
use paper::{Fill, Node, Page, Segment, Stroke, Subpath};
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, view, out, rest @ ..] = arguments.as_slice() else {
        return Err("drawing MODEL STOREY OUT.svg [SCALE] [STYLE.toml]".into());
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
    let start = std::time::Instant::now();
    let drawing = draw(&scene, &wanted, &style, &|_, _| true)?.ok_or("ended")?;
    let took = start.elapsed();
    std::fs::write(out, svg(&drawing.page))?;
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

/// The page as SVG.
fn svg(page: &Page) -> String {
    let mut out = String::new();
    let (wide, high) = (page.size.x, page.size.y);
    _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}mm\" height=\"{high}mm\" viewBox=\"0 0 {wide} {high}\">\
         <rect width=\"{wide}\" height=\"{high}\" fill=\"#fff\"/>"
    );
    let mut patterns = 0;
    page.nodes.iter().for_each(|n| node(n, &mut patterns, &mut out));
    out.push_str("</svg>\n");
    out
}

fn node(it: &Node, patterns: &mut usize, out: &mut String) {
    match it {
        Node::Group(group) => {
            _ = write!(out, "<g>");
            group.nodes.iter().for_each(|n| node(n, patterns, out));
            out.push_str("</g>\n");
        }
        Node::Path(path) => {
            let data: String = path.subpaths.iter().map(data).collect();
            let stroke = path.stroke.as_ref().map(stroke).unwrap_or_default();
            match &path.fill {
                None => _ = write!(out, "<path fill=\"none\" {stroke} d=\"{data}\"/>"),
                Some(Fill::Solid([r, g, b, _])) => {
                    _ = write!(
                        out,
                        "<path fill=\"rgb({r},{g},{b})\" fill-rule=\"evenodd\" {stroke} d=\"{data}\"/>"
                    );
                }
                Some(Fill::Hatch(hatch)) => {
                    if let Some([r, g, b, _]) = hatch.ground {
                        _ = write!(
                            out,
                            "<path fill=\"rgb({r},{g},{b})\" fill-rule=\"evenodd\" d=\"{data}\"/>"
                        );
                    }
                    for line in &hatch.lines {
                        *patterns += 1;
                        let cycle: f64 = line.dashes.iter().map(|d| d.abs()).sum();
                        let cycle = if cycle > 0.0 { cycle } else { 10.0 };
                        let (sin, cos) = line.angle.to_radians().sin_cos();
                        // one step up is the spacing square to the line, and the shift along it
                        let (dx, dy) = (line.step.x / line.step.y, -1.0);
                        let (c, d) = (cos * dx + sin * dy, -sin * dx + cos * dy);
                        _ = write!(
                            out,
                            "<pattern id=\"p{patterns}\" width=\"{cycle}\" height=\"{}\" patternUnits=\"userSpaceOnUse\" \
                             patternTransform=\"matrix({cos} {} {c} {d} {} {})\"><path fill=\"none\" {} d=\"",
                            line.step.y,
                            -sin,
                            line.origin.x,
                            -line.origin.y,
                            stroke_of(&hatch.stroke),
                        );
                        let mut at = 0.0;
                        for dash in if line.dashes.is_empty() { &[10.0][..] } else { &line.dashes } {
                            if *dash >= 0.0 {
                                _ = write!(out, "M{at} {0}h{1}", line.step.y / 2.0, dash.max(0.15));
                            }
                            at += dash.abs();
                        }
                        _ = write!(
                            out,
                            "\"/></pattern><path fill=\"url(#p{patterns})\" fill-rule=\"evenodd\" d=\"{data}\"/>"
                        );
                    }
                    if !stroke.is_empty() {
                        _ = write!(out, "<path fill=\"none\" {stroke} d=\"{data}\"/>");
                    }
                }
            }
        }
        Node::Text(text) => {
            let anchor = match text.anchor {
                paper::Anchor::Left => "start",
                paper::Anchor::Middle => "middle",
                paper::Anchor::Right => "end",
            };
            let down = match text.baseline {
                paper::Baseline::Foot => 0.0,
                paper::Baseline::Middle => text.height / 2.0,
                paper::Baseline::Top => text.height,
            };
            let words = text.words.replace('&', "&amp;").replace('<', "&lt;");
            let bold = if text.weight == paper::Weight::Bold { " font-weight=\"bold\"" } else { "" };
            _ = write!(
                out,
                "<text transform=\"translate({} {}) rotate({})\" y=\"{down}\" font-family=\"DejaVu Sans, sans-serif\" \
                 font-size=\"{}\" text-anchor=\"{anchor}\"{bold} paint-order=\"stroke\" stroke=\"#fff\" stroke-width=\"{}\">{words}</text>",
                text.at.x,
                text.at.y,
                -text.angle,
                text.height / 0.73,
                text.halo * 2.0,
            );
        }
        Node::Use(_) | Node::Picture(_) => {}
    }
}

fn stroke(stroke: &Stroke) -> String {
    stroke_of(stroke)
}

fn stroke_of(stroke: &Stroke) -> String {
    let dashes: Vec<String> = stroke.dashes.iter().map(f64::to_string).collect();
    format!(
        "stroke=\"#000\" stroke-width=\"{}\" stroke-linejoin=\"miter\" stroke-dasharray=\"{}\"",
        stroke.width,
        dashes.join(" ")
    )
}

fn data(subpath: &Subpath) -> String {
    let mut out = format!("M{:.3} {:.3}", subpath.start.x, subpath.start.y);
    for segment in &subpath.segments {
        match *segment {
            Segment::Line(to) => _ = write!(out, "L{:.3} {:.3}", to.x, to.y),
            Segment::Arc { to, centre, is_clockwise } => {
                let radius = to.distance(centre);
                _ = write!(
                    out,
                    "A{radius:.3} {radius:.3} 0 0 {} {:.3} {:.3}",
                    u8::from(is_clockwise),
                    to.x,
                    to.y
                );
            }
        }
    }
    if subpath.is_closed {
        out.push('Z');
    }
    out
}
