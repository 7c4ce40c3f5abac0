//! The sheet: what is drawn in which order, in which weights, and the words around it.

use super::path::{Hundredths, Paper, escaped};
use super::{Cut, Drawing, Figure, LevelLine, Sheet};
use glam::DVec2;
use std::fmt::Write as _;

/// Millimetres around the drawing.
const MARGIN: f64 = 8.0;
/// Millimetres below it for title and bar.
const FOOT: f64 = 14.0;
/// Millimetres beside it for the words of levels.
const ASIDE: f64 = 34.0;
/// The height of letters in mm.
const LETTER: f64 = 2.5;

/// Writes a drawing; `None` where it has no line.
pub(super) fn write(drawing: &Drawing<'_>) -> Option<Sheet> {
    let extent = extent(drawing)?;
    let [low, high] = extent;
    let factor = 1000.0 / drawing.scale;
    let reach = (high - low) * factor;
    // a line by which half a storey is missed is of use, too
    let slack = 2.0 / factor;
    let levels: Vec<&LevelLine> =
        drawing.levels.iter().filter(|l| l.height >= low.y - slack && l.height <= high.y + slack).collect();
    let aside = if levels.is_empty() { 0.0 } else { ASIDE };
    let paper = Paper { corner: DVec2::new(low.x, high.y), factor, margin: DVec2::splat(MARGIN) };
    let size = DVec2::new((reach.x + aside).max(60.0) + 2.0 * MARGIN, reach.y + 2.0 * MARGIN + FOOT);

    let mut svg = String::new();
    head(drawing, size, &mut svg);
    // what is seen lies behind what is cut, and what carries behind what fills it
    for figure in &drawing.figures {
        lines(figure, &paper, &mut svg);
    }
    for weight in [Cut::Heavy, Cut::Light] {
        for figure in drawing.figures.iter().filter(|f| f.cut == weight) {
            cuts(figure, &paper, &mut svg);
        }
    }
    for level in levels {
        level_line(level, &paper, MARGIN + reach.x, &mut svg);
    }
    for caption in &drawing.captions {
        let at = paper.at(caption.at);
        text("caption", at, &caption.text, &mut svg);
    }
    foot(drawing, size.y - MARGIN, &mut svg);
    svg.push_str("</svg>\n");
    Some(Sheet { svg, size, extent })
}

/// The least and greatest coordinates of all lines and cuts.
fn extent(drawing: &Drawing<'_>) -> Option<[DVec2; 2]> {
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    let mut add = |p: &DVec2| {
        low = low.min(*p);
        high = high.max(*p);
    };
    for figure in &drawing.figures {
        figure.seen.visible.iter().flatten().for_each(&mut add);
        figure.seen.cut.lines.iter().flatten().for_each(&mut add);
        figure.seen.cut.areas.iter().flat_map(|a| &a.outer).for_each(&mut add);
    }
    (low.x <= high.x && low.is_finite() && high.is_finite()).then_some([low, high])
}

/// A number as it stands in SVG, to a hundredth.
fn number(value: f64) -> Hundredths {
    Hundredths((value * 100.0).round() as i64)
}

fn head(drawing: &Drawing<'_>, size: DVec2, svg: &mut String) {
    // lines that are right on a plan of rooms are blots on one of a town
    let thin = if drawing.scale > 150.0 { 0.7 } else { 1.0 };
    let [wide, high] = size.to_array().map(number);
    let (heavy, fine, faint) = (number(0.5 * thin), number(0.25 * thin), number(0.18 * thin));
    _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}mm\" height=\"{high}mm\" viewBox=\"0 0 {wide} {high}\" \
         data-scale=\"1:{}\">\n<title>{}</title>\n<style>\
         path{{fill:none;stroke-linejoin:round;stroke-linecap:round}}\
         .seen{{stroke:#50565e;stroke-width:{faint}}}\
         .cut{{fill:#c3c8ce;fill-rule:evenodd;stroke:#111;stroke-width:{heavy}}}\
         .light{{fill:#fff;stroke-width:{fine}}}\
         .open{{fill:none;stroke-width:{fine}}}\
         .level{{stroke:#7a828c;stroke-width:{faint};stroke-dasharray:4 1 .6 1}}\
         text{{font:{}px sans-serif;fill:#111}}\
         .caption{{text-anchor:middle;dominant-baseline:middle;paint-order:stroke;stroke:#fff;stroke-width:1.4;stroke-linejoin:round}}\
         </style>\n<rect width=\"{wide}\" height=\"{high}\" fill=\"#fff\"/>\n",
        Plain(drawing.scale),
        escaped(&drawing.title),
        number(LETTER),
    );
}

/// Opens the group of an element.
fn open_group(figure: &Figure<'_>, part: &str, svg: &mut String) {
    let (id, class) = (escaped(&figure.id), escaped(&figure.class));
    _ = write!(svg, "<g data-id=\"{id}\" data-class=\"{class}\" data-part=\"{part}\">");
    if let Some(name) = &figure.name {
        _ = write!(svg, "<title>{}</title>", escaped(name));
    }
}

fn lines(figure: &Figure<'_>, paper: &Paper, svg: &mut String) {
    let mut data = String::new();
    for line in &figure.seen.visible {
        paper.line(line, false, &mut data);
    }
    if !data.is_empty() {
        open_group(figure, "seen", svg);
        _ = writeln!(svg, "<path class=\"seen\" d=\"{data}\"/></g>");
    }
}

fn cuts(figure: &Figure<'_>, paper: &Paper, svg: &mut String) {
    let (mut areas, mut open) = (String::new(), String::new());
    figure.seen.cut.areas.iter().for_each(|a| paper.area(a, &mut areas));
    figure.seen.cut.lines.iter().for_each(|l| paper.line(l, false, &mut open));
    if areas.is_empty() && open.is_empty() {
        return;
    }
    open_group(figure, "cut", svg);
    let class = if figure.cut == Cut::Heavy { "cut" } else { "cut light" };
    if !areas.is_empty() {
        _ = write!(svg, "<path class=\"{class}\" d=\"{areas}\"/>");
    }
    if !open.is_empty() {
        _ = write!(svg, "<path class=\"cut open\" d=\"{open}\"/>");
    }
    svg.push_str("</g>\n");
}

/// A level line beyond the drawing to the right, with its words above it.
fn level_line(level: &LevelLine, paper: &Paper, right: f64, svg: &mut String) {
    let y = paper.at(DVec2::new(0.0, level.height)).y;
    let end = right + ASIDE;
    _ = writeln!(
        svg,
        "<path class=\"level\" d=\"M{} {}L{} {}\"/>",
        number(MARGIN),
        number(y),
        number(end),
        number(y)
    );
    text("", DVec2::new(right + 2.0, y - 0.8), &level.text, svg);
}

fn text(class: &str, at: DVec2, words: &str, svg: &mut String) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let [x, y] = at.to_array().map(number);
    _ = writeln!(svg, "<text{class} x=\"{x}\" y=\"{y}\">{}</text>", escaped(words));
}

/// Title, scale, and a bar of a round length.
fn foot(drawing: &Drawing<'_>, bottom: f64, svg: &mut String) {
    let factor = 1000.0 / drawing.scale;
    // the greatest of 1, 2 and 5 times a power of ten that takes no more than 50 mm
    let most = 50.0 / factor;
    let power = 10_f64.powf(most.log10().floor());
    let metres = [5.0, 2.0, 1.0].into_iter().map(|n| n * power).find(|m| *m <= most).unwrap_or(power);
    let (y, end) = (number(bottom - 2.0), MARGIN + metres * factor);
    _ = writeln!(
        svg,
        "<path stroke=\"#111\" stroke-width=\"0.25\" d=\"M{0} {2}V{1}H{3}V{2}\"/>",
        number(MARGIN),
        y,
        number(bottom - 3.5),
        number(end)
    );
    text("", DVec2::new(end + 1.5, bottom - 2.0), &format!("{} m", Plain(metres)), svg);
    let title = format!("{}  1:{}", drawing.title, Plain(drawing.scale));
    text("", DVec2::new(MARGIN, bottom - 5.5), title.trim(), svg);
}

/// A number without noughts behind its point.
struct Plain(f64);

impl std::fmt::Display for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rounded = (self.0 * 1000.0).round() / 1000.0;
        write!(f, "{rounded}")
    }
}
