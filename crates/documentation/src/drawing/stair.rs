//! Stairs and ramps in plan: treads up to the break line at the cut, dashed above it; the flight from below where neither slabs nor
//! the flight above it hide it; the walking line with its arrow, and the number of risers.

use super::clip::{less, within};
use super::sheet::{Letter, Order, Sheet, circle, layer, stroked, through};
use super::viewed::{Figure, next_floor};
use super::words::Box2;
use geometry::query::{Element, Index};
use geometry::region::{self, Loop};
use geometry::scene::Scene;
use glam::{DVec2, DVec3};
use ifc::Id;
use ifc::relations::Links;
use paper::{Anchor, Part, Subject};
use spatial::shadow::shadow;
use spatial::ways::Flight;
use spatial::ways::flights::flights;

/// Metres within which a height is that of the floor.
const LEVEL: f64 = 0.35;
/// Metres that a storey goes up and down where none is above or below it.
const STOREY: f64 = 4.0;
/// The radius of the dot where a walking line begins, and the length of its arrow, in mm.
const DOT: f64 = 0.6;
const ARROW: f64 = 2.0;

/// The flights of a storey.
pub(super) struct Stairs {
    /// Flights that the floor of the storey leads up to or on.
    rising: Vec<Flight>,
    /// Flights that come from below.
    falling: Vec<Flight>,
    floor: f64,
    cut: f64,
}

impl Stairs {
    /// The flights of the storey at a floor, cut at a height.
    pub fn read(scene: &Scene, links: &Links<'_>, floor: f64, cut: f64) -> Stairs {
        let model = scene.model();
        let ceiling = next_floor(model, floor).unwrap_or(floor + STOREY);
        let below = building::storey::storeys_by_height(model).into_iter().map(|(_, z)| z);
        let below = below.filter(|z| *z < floor - 1.0).fold(f64::NEG_INFINITY, f64::max);
        let below = if below.is_finite() { below } else { floor - STOREY };
        let mut index = Index::default();
        const CLASSES: [&str; 4] = ["IfcStairFlight", "IfcStair", "IfcRampFlight", "IfcRamp"];
        for entry in scene.entries().iter().filter(|e| e.is_drawn() && CLASSES.contains(&e.class.as_str())) {
            let is_near = entry.bounds.max.z > below && entry.bounds.min.z < ceiling;
            if let Some(shape) = scene.shape(entry.id).filter(|_| is_near) {
                index.insert(entry.id, shape.mesh());
            }
        }
        let (mut rising, mut falling) = (Vec::new(), Vec::new());
        for flight in flights(links, &index).0 {
            if flight.foot > floor - LEVEL && flight.foot < ceiling - LEVEL {
                rising.push(flight);
            } else if flight.foot > below - LEVEL && flight.top < floor + LEVEL && flight.top > below + LEVEL
            {
                falling.push(flight);
            }
        }
        Stairs { rising, falling, floor, cut }
    }

    /// The elements whose flights are drawn here.
    pub fn elements(&self) -> impl Iterator<Item = Id> {
        self.rising.iter().chain(&self.falling).map(|f| f.element)
    }

    /// Draws them; words leave their strips free.
    pub fn draw(&self, sheet: &mut Sheet<'_>, figures: &[Figure]) {
        let mut covers: Vec<Loop> = Vec::new();
        for flight in &self.rising {
            let end = place_of(flight, self.cut);
            covers.extend(strip(flight, 0.0, end));
            rise(sheet, flight, end);
        }
        if self.falling.is_empty() {
            return;
        }
        let floors = figures.iter().filter(|f| matches!(f.role.subject, Subject::Slab | Subject::Ceiling));
        for slab in floors {
            let shape = sheet.scene.shape(slab.id);
            let body = shape.map(|s| Element::new(slab.id, s.mesh()));
            covers.extend(body.iter().flat_map(|b| shadow(b, self.floor - LEVEL, self.floor + 0.05)));
        }
        let covers: Vec<Loop> = region::union(&covers).iter().flat_map(|a| a.loops().cloned()).collect();
        for flight in &self.falling {
            fall(sheet, flight, &covers);
        }
    }
}

/// The place along a flight, in lines from its first, at which it passes a height.
fn place_of(flight: &Flight, height: f64) -> f64 {
    let z = |line: &[DVec3; 2]| f64::midpoint(line[0].z, line[1].z);
    let last = flight.lines.len().saturating_sub(1) as f64;
    let Some(above) = flight.lines.iter().position(|line| z(line) > height) else { return last };
    let Some(before) = above.checked_sub(1) else { return 0.0 };
    match (flight.lines.get(before), flight.lines.get(above)) {
        (Some(a), Some(b)) if z(b) > z(a) => before as f64 + (height - z(a)) / (z(b) - z(a)),
        _ => before as f64,
    }
}

/// The line across a flight at a place along it.
fn across(flight: &Flight, place: f64) -> Option<[DVec2; 2]> {
    let before = place.floor().max(0.0) as usize;
    let a = flight.lines.get(before)?;
    let b = flight.lines.get(before + 1).unwrap_or(a);
    let share = place - before as f64;
    Some([0, 1].map(|k| a[k].truncate().lerp(b[k].truncate(), share)))
}

/// The points of one side of a flight (0 left, 1 right, 2 the middle) between two places.
fn side(flight: &Flight, from: f64, to: f64, which: usize) -> Vec<DVec2> {
    let whole = (from.floor() as i64 + 1..to.ceil() as i64).map(|n| n as f64);
    let places = std::iter::once(from).chain(whole).chain([to]);
    let pick = |[left, right]: [DVec2; 2]| match which {
        0 => left,
        1 => right,
        _ => left.midpoint(right),
    };
    places.filter_map(|p| across(flight, p)).map(pick).collect()
}

/// The outline of a flight between two places.
fn strip(flight: &Flight, from: f64, to: f64) -> Option<Loop> {
    if to - from < 1e-6 {
        return None;
    }
    let mut outline = side(flight, from, to, 0);
    outline.extend(side(flight, from, to, 1).into_iter().rev());
    let area = region::Area::new(outline, Vec::new());
    (area.size() > 1e-6).then_some(area.outer)
}

/// The lines of a flight between two places: treads and both sides.
fn lines(flight: &Flight, from: f64, to: f64) -> Vec<Vec<DVec2>> {
    let mut all = vec![side(flight, from, to, 0), side(flight, from, to, 1)];
    let treads = flight.lines.iter().enumerate().filter(|(n, _)| {
        let n = *n as f64;
        n >= from - 1e-9 && n <= to + 1e-9
    });
    all.extend(treads.map(|(_, l)| l.iter().map(|p| p.truncate()).collect()));
    all
}

fn subject(flight: &Flight) -> Subject {
    if flight.is_stair { Subject::Stair } else { Subject::Ramp }
}

/// A flight that one goes up from this storey.
fn rise(sheet: &mut Sheet<'_>, flight: &Flight, end: f64) {
    let last = flight.lines.len().saturating_sub(1) as f64;
    let style = sheet.style;
    let mut nodes = Vec::new();
    let subject = subject(flight);
    if end > 0.0 {
        let seen = lines(flight, 0.0, end).iter().map(|l| sheet.subpath(l, false)).collect();
        nodes.push(stroked(seen, sheet.line(style.weights.seen), subject, Part::Seen));
    }
    if end < last {
        let above = lines(flight, end, last).iter().map(|l| sheet.subpath(l, false)).collect();
        let dashed = sheet.dashed(style.weights.hidden, &style.dashes.hidden);
        nodes.push(stroked(above, dashed, subject, Part::Hidden));
        if end > 0.0
            && let Some(line) = break_line(sheet, flight, end)
        {
            nodes.push(line);
        }
    }
    sheet.put(Order::Stair, Some(flight.element), nodes);
    keep(sheet, flight, 0.0, last);
    let shown = if end > 0.0 { end } else { last };
    let words = sheet.style.words();
    walk(sheet, flight, side(flight, 0.0, shown, 2), &words.up, end > 0.0);
}

/// A flight that comes from below, where nothing covers it.
fn fall(sheet: &mut Sheet<'_>, flight: &Flight, covers: &[Loop]) {
    let last = flight.lines.len().saturating_sub(1) as f64;
    let mut shown = Vec::new();
    for line in lines(flight, 0.0, last) {
        for pair in line.windows(2) {
            let &[a, b] = pair else { continue };
            let free = less([0.0, 1.0], &within(a, b, covers));
            shown.extend(free.iter().map(|[from, to]| vec![a.lerp(b, *from), a.lerp(b, *to)]));
        }
    }
    shown.retain(|l| l.first().zip(l.last()).is_some_and(|(a, b)| a.distance(*b) > 0.01));
    if shown.is_empty() {
        return;
    }
    let paths = shown.iter().map(|l| sheet.subpath(l, false)).collect();
    let stroke = sheet.line(sheet.style.weights.seen);
    sheet.put(Order::Stair, Some(flight.element), [stroked(paths, stroke, subject(flight), Part::Seen)]);
    // the walking line where it can be seen, from the top down
    let mut way = side(flight, 0.0, last, 2);
    way.reverse();
    let mut visible: Vec<DVec2> = Vec::new();
    'way: for pair in way.windows(2) {
        let &[a, b] = pair else { continue };
        for [from, to] in less([0.0, 1.0], &within(a, b, covers)) {
            let (start, end) = (a.lerp(b, from), a.lerp(b, to));
            // it ends where it is hidden first
            if visible.last().is_some_and(|last| last.distance(start) > 1e-6) {
                break 'way;
            }
            visible.extend([start, end]);
        }
    }
    visible.dedup_by(|a, b| a.distance(*b) < 1e-6);
    let words = sheet.style.words();
    keep(sheet, flight, 0.0, last);
    walk(sheet, flight, visible, &words.down, true);
}

/// The walking line with a dot at its beginning, an arrow at its end, and its words beside the beginning.
fn walk(sheet: &mut Sheet<'_>, flight: &Flight, way: Vec<DVec2>, word: &str, is_told: bool) {
    let points: Vec<DVec2> = way.iter().map(|p| sheet.at(*p)).collect();
    let (Some(first), [.., before, tip]) = (points.first().copied(), points.as_slice()) else { return };
    let along = (*tip - *before).normalize_or_zero();
    if first.distance(*tip) < 2.0 * ARROW || along == DVec2::ZERO {
        return;
    }
    let barb = |s: f64| *tip - along * ARROW + along.perp() * (ARROW * 0.35 * s);
    let marks =
        vec![circle(first, DOT), through(&points, false), through(&[barb(1.0), *tip, barb(-1.0)], false)];
    let stroke = sheet.line(sheet.style.weights.symbol);
    let subject = subject(flight);
    sheet.put(Order::Stair, Some(flight.element), [stroked(marks, stroke, subject, Part::Symbol)]);
    if !is_told || !sheet.rule.stair_numbers {
        return;
    }
    let words = match flight.risers {
        0 => word.to_owned(),
        risers => format!("{word} {risers} {}", sheet.style.words().risers),
    };
    // along the walking line, read from below or from the right
    let start = (points.get(1).copied().unwrap_or(*tip) - first).normalize_or_zero();
    let mut angle = (-start.y).atan2(start.x).to_degrees();
    let is_turned = !(-89.9..=90.1).contains(&angle);
    if is_turned {
        angle += if angle > 0.0 { -180.0 } else { 180.0 };
    }
    let anchor = if is_turned { Anchor::Right } else { Anchor::Left };
    let letter = Letter { anchor, angle, halo: 0.4, ..Letter::middle(sheet.style.letters.stair) };
    let up = if is_turned { start.perp() } else { -start.perp() };
    for aside in [2.0, -2.0, 4.0, -4.0] {
        let text = letter.words(first + start * 1.5 + up * aside, &words, None);
        let room = Box2::around(&text);
        if !sheet.is_taken(&room) {
            let node = sheet.text(text.at, &words, letter, layer(subject, Part::Text));
            sheet.put(Order::Stair, Some(flight.element), [node]);
            return;
        }
    }
}

/// The zigzag line at which the cut breaks a flight off.
fn break_line(sheet: &Sheet<'_>, flight: &Flight, place: f64) -> Option<paper::Node> {
    let [left, right] = across(flight, place)?.map(|p| sheet.at(p));
    let way = right - left;
    let ahead = way.perp().normalize_or_zero() * way.length().min(6.0) * 0.2;
    let at = |share: f64, on: f64| left + way * share + ahead * on;
    let points =
        [at(-0.1, -1.0), at(0.44, -0.12), at(0.47, -1.3), at(0.53, 1.3), at(0.56, 0.12), at(1.1, 1.0)];
    let stroke = sheet.line(sheet.style.weights.symbol);
    Some(stroked(vec![through(&points, false)], stroke, subject(flight), Part::Symbol))
}

/// Words leave a flight free.
fn keep(sheet: &mut Sheet<'_>, flight: &Flight, from: f64, to: f64) {
    let points = strip(flight, from, to).unwrap_or_default();
    let paper = points.iter().map(|p| sheet.at(*p));
    let (low, high) =
        paper.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    if low.is_finite() && high.is_finite() {
        sheet.busy.push(Box2::between(low, high));
    }
}
