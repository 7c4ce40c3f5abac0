//! The answer out of what was found: in pixels of the picture, rounded, with ids, cut at the most that is told.

use crate::Found;
use crate::answer::{
    About, Arc, Count, Counts, Frame, Opening, Point, PointMm, Region, RegionKind, Segment, SegmentKind,
    Trace, Wall,
};
use crate::picture::Picture;
use crate::questions;
use crate::strokes::Stroke;
use crate::text::has_figure;
use crate::walls::{self, Manner};
use glam::DVec2;

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0 + 0.0
}

fn hundredth(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}

/// Puts the answer together; `unit` is in pixels of the picture to one that was worked on.
pub(crate) fn assemble(picture: &Picture, found: &Found, unit: f64, mm: Option<f64>, most: usize) -> Trace {
    let point = |own: DVec2| -> Point { [tenth(own.x * unit), tenth(own.y * unit)] };
    let to_mm = |length: f64| mm.map(|mm| (length * unit * mm).round() + 0.0);
    let ruler = mm.map(|mm| Ruler::new(found, unit, mm));
    let place = |own: DVec2| ruler.as_ref().map(|ruler| ruler.place(own));
    let walls: Vec<Wall> = found
        .walls
        .iter()
        .enumerate()
        .map(|(n, wall)| Wall {
            id: format!("W{}", n + 1),
            start: point(wall.axis.start),
            end: point(wall.axis.end),
            thickness: tenth(wall.thickness * unit),
            start_mm: place(wall.axis.start),
            end_mm: place(wall.axis.end),
            length_mm: to_mm(wall.axis.length()),
            thickness_mm: to_mm(wall.thickness),
            drawn: wall.manner,
            confidence: hundredth(wall.confidence),
            reasons: wall.reasons.clone(),
        })
        .collect();
    let mut openings = Vec::new();
    for (n, wall) in found.walls.iter().enumerate() {
        for gap in &wall.gaps {
            openings.push(Opening {
                id: format!("O{}", openings.len() + 1),
                wall: format!("W{}", n + 1),
                kind: gap.kind,
                start: point(wall.axis.at(gap.from)),
                end: point(wall.axis.at(gap.to)),
                width: tenth(gap.length() * unit),
                from_mm: to_mm(gap.from),
                to_mm: to_mm(gap.to),
                start_mm: place(wall.axis.at(gap.from)),
                end_mm: place(wall.axis.at(gap.to)),
                width_mm: to_mm(gap.length()),
                confidence: hundredth(gap.confidence * wall.confidence.clamp(0.5, 1.0)),
                reasons: gap.reasons.clone(),
            });
        }
    }
    let mut arcs: Vec<Arc> = found
        .strokes
        .arcs
        .iter()
        .map(|arc| Arc {
            id: String::new(),
            centre: point(arc.centre),
            radius: tenth(arc.radius * unit),
            start: point(arc.at(0.0)),
            end: point(arc.at(1.0)),
            sweep: tenth(arc.sweep),
            confidence: hundredth(arc.coverage * (arc.sweep / 80.0).min(1.0)),
        })
        .collect();
    arcs.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(b.radius.total_cmp(&a.radius)));
    arcs.iter_mut().enumerate().for_each(|(n, own)| own.id = format!("A{}", n + 1));
    let mut regions = regions(found, unit, ruler.as_ref());
    let mut segments = segments(found, unit);
    let hatch_lines = found.is_family.iter().filter(|own| **own).count();
    let questions = questions::ask(found, unit, mm);
    let mut walls = walls;
    let counts = Counts {
        walls: cut(&mut walls, most),
        openings: cut(&mut openings, most),
        regions: cut(&mut regions, most),
        segments: cut(&mut segments, most),
        arcs: cut(&mut arcs, most),
        hatch_lines,
    };
    let mut problems = picture.problems.clone();
    if found.strokes.left_out > 0 {
        problems.push(format!(
            "{} short pieces of lines were left out; cut out the plan, or give a cleaner picture",
            found.strokes.left_out
        ));
    }
    if found.apart > 0 {
        problems.push(format!(
            "{} bars outside the building (a title, a scale bar, a detail) were left out of the walls",
            found.apart
        ));
    }
    if found.strokes.lines.is_empty() {
        problems
            .push("nothing in the picture is a line: it is empty, filled, or without contrast".to_owned());
    }
    let about = About {
        width: picture.width,
        height: picture.height,
        format: picture.format,
        light_on_dark: found.ink.is_inverted,
        noise: tenth(found.ink.noise),
        skew_degrees: hundredth(found.skew.0),
        skew_share: hundredth(found.skew.1),
        walls_drawn: usual_manner(&found.walls),
    };
    Trace {
        picture: about,
        mm_per_pixel: mm,
        frame: ruler.map(|own| own.frame),
        walls,
        openings,
        regions,
        segments,
        arcs,
        questions,
        counts,
        problems,
    }
}

/// Places in mm: turned back by the skew, from the lower left corner of the walls.
struct Ruler {
    frame: Frame,
    /// Millimetres to a pixel that was worked on.
    scale: f64,
    corner: DVec2,
    /// The directions of x and y in the picture.
    axes: [DVec2; 2],
}

impl Ruler {
    fn new(found: &Found, unit: f64, mm: f64) -> Self {
        // less is within what is measured, and half of the walls may be right by themselves
        let turned = if found.skew.0.abs() >= 0.1 && found.skew.1 >= 0.5 { found.skew.0 } else { 0.0 };
        let across = DVec2::from_angle(turned.to_radians());
        let axes = [across, -across.perp()];
        let ends = || found.walls.iter().flat_map(|wall| [wall.axis.start, wall.axis.end]);
        let least = axes.map(|axis| ends().map(|end| end.dot(axis)).fold(f64::INFINITY, f64::min));
        let [x, y] = least.map(|own| if own.is_finite() { own } else { 0.0 });
        let corner = axes[0] * x + axes[1] * y;
        let origin = [tenth(corner.x * unit), tenth(corner.y * unit)];
        let frame = Frame { origin, turned_back_degrees: hundredth(turned) };
        Self { frame, scale: unit * mm, corner, axes }
    }

    fn place(&self, point: DVec2) -> PointMm {
        self.axes.map(|axis| ((point - self.corner).dot(axis) * self.scale).round() + 0.0)
    }

    fn places(&self, points: &[DVec2]) -> Vec<PointMm> {
        points.iter().map(|point| self.place(*point)).collect()
    }
}

fn cut<T>(list: &mut Vec<T>, most: usize) -> Count {
    let found = list.len();
    list.truncate(most);
    Count { found, told: list.len() }
}

fn usual_manner(walls: &[walls::Wall]) -> Option<Manner> {
    let length = |manner: Manner| -> f64 {
        walls.iter().filter(|wall| wall.manner == manner).map(|wall| wall.axis.length()).sum()
    };
    [Manner::Filled, Manner::Double, Manner::Single]
        .into_iter()
        .filter(|manner| length(*manner) > 0.0)
        .max_by(|a, b| length(*a).total_cmp(&length(*b)))
}

fn regions(found: &Found, unit: f64, ruler: Option<&Ruler>) -> Vec<Region> {
    let point = |own: DVec2| -> Point { [tenth(own.x * unit), tenth(own.y * unit)] };
    let mut out: Vec<Region> = found
        .rooms
        .iter()
        .enumerate()
        .map(|(n, room)| {
            let area = room.area * unit * unit;
            Region {
                id: format!("R{}", n + 1),
                kind: RegionKind::Room,
                outline: room.outline.iter().map(|own| point(*own)).collect(),
                outline_mm: ruler.map(|own| own.places(&room.outline)).unwrap_or_default(),
                area: area.round(),
                area_m2: ruler.map(|own| hundredth(room.area * own.scale * own.scale / 1e6)),
                closed: room.gaps.is_empty(),
                gaps: room.gaps.iter().map(|gap| [point(gap.start), point(gap.end)]).collect(),
                confidence: if room.gaps.is_empty() { 0.85 } else { 0.5 },
            }
        })
        .collect();
    let boxed = |id: String, kind: RegionKind, [left, top, right, bottom]: [f64; 4], confidence: f64| {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)].map(DVec2::from);
        let ruler = ruler.filter(|_| kind != RegionKind::Text);
        Region {
            id,
            kind,
            outline: corners.map(point).to_vec(),
            outline_mm: ruler.map(|own| own.places(&corners)).unwrap_or_default(),
            area: ((right - left) * (bottom - top) * unit * unit).round(),
            area_m2: None,
            closed: true,
            gaps: Vec::new(),
            confidence,
        }
    };
    let hatches = hatches(found);
    out.extend(
        hatches
            .into_iter()
            .enumerate()
            .map(|(n, own)| boxed(format!("H{}", n + 1), RegionKind::Hatch, own, 0.7)),
    );
    let words = found.words.boxes.iter().enumerate();
    out.extend(words.map(|(n, own)| boxed(format!("T{}", n + 1), RegionKind::Text, *own, 0.7)));
    out
}

/// Boxes about the lines of each hatch: lines of families whose boxes touch.
fn hatches(found: &Found) -> Vec<[f64; 4]> {
    let members =
        found.strokes.lines.iter().zip(&found.is_family).filter(|(_, own)| **own).map(|(line, _)| line);
    let mut boxes: Vec<[f64; 4]> = Vec::new();
    for line in members.take(2000) {
        let (low, high) = (line.span.start.min(line.span.end), line.span.start.max(line.span.end));
        let mut own = [low.x, low.y, high.x, high.y];
        let reach = 0.3 * line.span.length().min(60.0) + 3.0;
        let mut n = 0;
        while let Some(other) = boxes.get(n) {
            let apart = other[0] > own[2] + reach
                || other[2] < own[0] - reach
                || other[1] > own[3] + reach
                || other[3] < own[1] - reach;
            if apart {
                n += 1;
                continue;
            }
            own = [own[0].min(other[0]), own[1].min(other[1]), own[2].max(other[2]), own[3].max(other[3])];
            boxes.swap_remove(n);
            n = 0;
        }
        boxes.push(own);
    }
    boxes.sort_by(|a, b| ((b[2] - b[0]) * (b[3] - b[1])).total_cmp(&((a[2] - a[0]) * (a[3] - a[1]))));
    boxes
}

fn segments(found: &Found, unit: f64) -> Vec<Segment> {
    let point = |own: DVec2| -> Point { [tenth(own.x * unit), tenth(own.y * unit)] };
    let mut all: Vec<(f64, Segment)> = found
        .strokes
        .lines
        .iter()
        .zip(&found.is_family)
        .filter(|(_, is_family)| !**is_family)
        .map(|(line, _)| {
            let (kind, wall) = class(line, found);
            let (confidence, reasons) = sureness(line, found.strokes.waver);
            let own = Segment {
                id: String::new(),
                start: point(line.span.start),
                end: point(line.span.end),
                thickness: tenth(line.thickness * unit),
                kind,
                wall: wall.map(|n| format!("W{}", n + 1)),
                confidence: hundredth(confidence),
                reasons,
            };
            (line.span.length() * confidence, own)
        })
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().enumerate().map(|(n, (_, own))| Segment { id: format!("S{}", n + 1), ..own }).collect()
}

/// The class of a line, and the wall that it belongs to.
fn class(line: &Stroke, found: &Found) -> (SegmentKind, Option<usize>) {
    let is_part = |wall: &walls::Wall| {
        let axis = &wall.axis;
        let reach = 0.5 * wall.thickness + line.thickness + 2.0;
        axis.angle_to(&line.span) < 5.0
            && axis.beside(line.span.middle()).abs() < reach
            && axis.overlap(&line.span) > 0.5 * line.span.length()
    };
    if let Some((n, wall)) = found.walls.iter().enumerate().find(|(_, wall)| is_part(wall)) {
        let is_wall = wall.manner == Manner::Single || line.thickness > 0.6 * wall.thickness;
        return (if is_wall { SegmentKind::Wall } else { SegmentKind::Face }, Some(n));
    }
    if has_figure(&line.span, &found.words.boxes) {
        (SegmentKind::Dimension, None)
    } else {
        (SegmentKind::Line, None)
    }
}

fn sureness(line: &Stroke, waver: f64) -> (f64, Vec<&'static str>) {
    let mut reasons = Vec::new();
    let mut own = 0.97;
    if line.coverage < 0.97 {
        own *= line.coverage.max(0.2);
        reasons.push("drawn with gaps");
    }
    if line.deviation > 1.0 + waver + 0.1 * line.thickness {
        own *= 0.8;
        reasons.push("wavers");
    }
    let length = line.span.length();
    if length < 20.0 || length < 3.0 * line.thickness {
        own *= 0.7;
        reasons.push("short");
    }
    (own, reasons)
}
