//! Lines above the cut of a plan, dashed: the edges of roofs and slabs, beams, and the holes in them.

use super::clip::{less, sides, within};
use super::sheet::{Order, Sheet, stroked};
use super::viewed::{Figure, next_floor};
use super::words::Box2;
use geometry::query::Element;
use geometry::region::Loop;
use glam::DVec2;
use ifc::Id;
use paper::{Part, Subject};
use spatial::shadow::shadow;

/// Metres over the next floor that belong to the ceiling.
const CEILING: f64 = 0.3;
/// Metres that are looked up where no storey is above.
const ROOF: f64 = 8.0;
/// Within this distance in metres a line along a wall's face is not drawn.
const ALONG: f64 = 0.06;

/// Millimetres of paper beside a line in which words would touch it.
const BESIDE: f64 = 0.5;

/// The classes that are drawn, each with its layer.
const CLASSES: [(&str, Subject); 5] = [
    ("IfcRoof", Subject::Roof),
    ("IfcSlab", Subject::Slab),
    ("IfcBeam", Subject::Beam),
    ("IfcBeamStandardCase", Subject::Beam),
    ("IfcSlabStandardCase", Subject::Slab),
];

/// Loops with the box around them.
struct Boxed {
    loops: Vec<Loop>,
    low: DVec2,
    high: DVec2,
}

impl Boxed {
    fn new(loops: Vec<Loop>) -> Boxed {
        let (low, high) = loops
            .iter()
            .flatten()
            .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
        Boxed { loops, low, high }
    }

    fn is_near(&self, a: DVec2, b: DVec2) -> bool {
        (self.low - ALONG).cmple(a.max(b)).all() && (self.high + ALONG).cmpge(a.min(b)).all()
    }
}

/// Draws the edges above a cut at a height over a storey's floor, and answers their ends.
pub(super) fn draw(sheet: &mut Sheet<'_>, figures: &[Figure], floor: f64, cut: f64) -> Vec<DVec2> {
    let scene = sheet.scene;
    let high = next_floor(scene.model(), floor).map_or(cut + ROOF, |next| next + CEILING);
    let cuts = figures.iter().filter(|f| f.role.is_heavy).flat_map(|f| &f.seen.cut.areas);
    let walls: Vec<Boxed> = cuts.map(|area| Boxed::new(area.loops().cloned().collect())).collect();
    let mut shadows: Vec<(Id, Subject, Boxed)> = Vec::new();
    for entry in scene.entries().iter().filter(|e| e.is_drawn()) {
        let Some((_, subject)) = CLASSES.iter().find(|(class, _)| *class == entry.class) else { continue };
        if entry.bounds.max.z <= cut || entry.bounds.min.z >= high {
            continue;
        }
        // rafters begin at the ceiling and belong to the roof above it
        let is_over = f64::midpoint(entry.bounds.min.z, entry.bounds.max.z) >= high;
        if *subject == Subject::Beam && is_over {
            continue;
        }
        let Some(shape) = scene.shape(entry.id) else { continue };
        let body = Element::new(entry.id, shape.mesh());
        shadows.push((entry.id, *subject, Boxed::new(shadow(&body, cut, f64::INFINITY))));
    }
    let mut ends = Vec::new();
    for (number, (id, subject, own)) in shadows.iter().enumerate() {
        let mut lines = Vec::new();
        for (a, b) in own.loops.iter().flat_map(sides) {
            let out = (b - a).perp().normalize_or_zero();
            let beside = |by: f64, loops: &[Loop]| within(a + out * by, b + out * by, loops);
            let mut taken: Vec<[f64; 2]> = Vec::new();
            for wall in walls.iter().filter(|wall| wall.is_near(a, b)) {
                let offsets = [-ALONG, -ALONG / 3.0, ALONG / 3.0, ALONG];
                taken.extend(offsets.iter().flat_map(|by| beside(*by, &wall.loops)));
            }
            // plates of one ceiling that meet have no edge between them
            for (other, (_, kind, others)) in shadows.iter().enumerate() {
                if other != number && kind == subject && others.is_near(a, b) {
                    taken.extend(beside(-0.01, &others.loops));
                }
            }
            let free = less([0.0, 1.0], &taken);
            let parts = free.iter().map(|[from, to]| [a.lerp(b, *from), a.lerp(b, *to)]);
            lines.extend(parts.filter(|[p, q]: &[DVec2; 2]| p.distance(*q) > 0.05));
        }
        if !lines.is_empty() {
            let stroke = sheet.dashed(sheet.style.weights.hidden, &sheet.style.dashes.hidden);
            let paths = lines.iter().map(|l| sheet.subpath(l, false)).collect();
            sheet.put(Order::Above, Some(*id), [stroked(paths, stroke, *subject, Part::Hidden)]);
            // names of rooms are not written across them where there is room elsewhere
            for [p, q] in &lines {
                let (a, b) = (sheet.at(*p), sheet.at(*q));
                let half = DVec2::new(a.distance(b) / 2.0, BESIDE);
                let along = (b - a).normalize_or(DVec2::X);
                sheet.overhead.push(Box2 { middle: a.midpoint(b), half, along });
            }
            ends.extend(lines.into_iter().flatten());
        }
    }
    ends
}
