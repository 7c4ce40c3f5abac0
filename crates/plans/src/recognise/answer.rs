//! The answer: walls and openings as a plan tells them.

use super::parts::{Filling, Gap, Wall};
use crate::drawing::Drawing;
use crate::plan::{self, ArcAxis, DoorKind, Placement, Plan, Side};
use glam::DVec2;

/// Writes walls and openings into the plan.
pub(crate) fn write(walls: &[Wall], drawing: &Drawing, origin: DVec2, plan: &mut Plan) {
    let point = |at: DVec2| {
        let own = at - origin;
        [round(own.x), round(own.y)]
    };
    let sources = |entities: &[u32]| {
        let named = entities
            .iter()
            .filter_map(|number| drawing.entities.get(*number as usize))
            .map(|own| source(drawing, own.source));
        let mut named: Vec<String> = named.take(40).collect();
        named.dedup();
        named.truncate(12);
        named
    };
    for (number, wall) in walls.iter().enumerate() {
        let mut layers: Vec<String> = Vec::new();
        for entity in
            wall.entities.iter().filter_map(|number| drawing.entities.get(*number as usize)).take(200)
        {
            let name = drawing.layer(entity.layer);
            if layers.len() < 6 && !layers.iter().any(|own| own == name) {
                layers.push(name.to_owned());
            }
        }
        let arc = wall.arc.map(|(centre, radius, is_ccw)| ArcAxis {
            centre: point(centre),
            radius: round(radius),
            is_counter_clockwise: is_ccw,
        });
        plan.walls.push(plan::Wall {
            start: point(wall.start),
            end: point(wall.end),
            arc,
            thickness: round(wall.thickness()),
            confidence: (wall.confidence * 100.0).round() / 100.0,
            layers,
            sources: sources(&wall.entities),
            inner_lines: inner_count(wall),
            note: wall.is_single.then(|| "drawn as a single line: its thickness is assumed".to_owned()),
        });
        let mut gaps: Vec<&Gap> = wall.gaps.iter().collect();
        gaps.sort_by(|a, b| a.from.total_cmp(&b.from));
        for gap in gaps {
            let middle = f64::midpoint(gap.from, gap.to);
            let centre = wall.point(middle);
            let place = Placement {
                wall: number,
                position: round(middle - wall.extent().0),
                width: round(gap.to - gap.from),
                centre: point(centre),
                confidence: gap.confidence,
                evidence: gap.evidence.clone(),
                sources: sources(&gap.entities),
            };
            match gap.filling {
                Filling::Window => plan.windows.push(plan::Window { place }),
                Filling::None => plan.openings.push(plan::Opening { place }),
                Filling::Door => plan.doors.push(door(wall, gap, place, &point)),
            }
        }
    }
}

fn inner_count(wall: &Wall) -> usize {
    let half = wall.length() * 0.5;
    let mut offs: Vec<(f64, f64)> = Vec::new();
    for (off, from, to) in &wall.inner {
        match offs.iter_mut().find(|own| (own.0 - off).abs() < 2.0) {
            Some(own) => own.1 += to - from,
            None => offs.push((*off, to - from)),
        }
    }
    offs.iter().filter(|own| own.1 > half).count()
}

fn door(wall: &Wall, gap: &Gap, place: Placement, point: &impl Fn(DVec2) -> plan::Point) -> plan::Door {
    let (hinge, open) = match gap.hinge {
        Some((hinge, open)) => (Some(hinge), Some(open)),
        None => (None, None),
    };
    let kind = match gap.swings.len() {
        _ if gap.is_sliding => DoorKind::Sliding,
        0 if hinge.is_some() => DoorKind::SingleSwing,
        0 => DoorKind::Unknown,
        1 => DoorKind::SingleSwing,
        _ => DoorKind::DoubleSwing,
    };
    let axis = f64::midpoint(wall.low, wall.high);
    let swing = open.map(|open| if wall.way.perp_dot(open) > axis { Side::Left } else { Side::Right });
    let middle = f64::midpoint(gap.from, gap.to);
    let hinge_end = hinge.map(|own| if wall.way.dot(own) < middle { "start" } else { "end" });
    plan::Door { place, kind, hinge: hinge.map(point), hinge_end, swing }
}

/// A name for the place of an entity in its file.
pub(crate) fn source(drawing: &Drawing, own: u64) -> String {
    match drawing.format {
        crate::drawing::Format::Dxf => format!("{own:X}"),
        crate::drawing::Format::Svg => format!("line {own}"),
    }
}

/// Thousandths of a mm.
pub(crate) fn round(value: f64) -> f64 {
    let own = (value * 1000.0).round() / 1000.0;
    if own == 0.0 { 0.0 } else { own }
}
