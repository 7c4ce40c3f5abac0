//! Stairs and ramps in plan: treads up to the break line at the cut, dashed above it; the flight from below where neither slabs nor
//! the flight above it hide it; one walking line with its arrow for flights that go on in each
//! other, and the number of their risers.

use super::clip::{less, within};
use super::sheet::{Letter, Order, Sheet, circle, layer, stroked, through};
use super::viewed::{Figure, next_floor};
use super::words::Box2;
use geometry::query::{Element, Index};
use geometry::region::{self, Loop};
use geometry::scene::{Entry, Scene};
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

/// Metres within which the foot of a flight is the top of the one before it.
const GOES_ON: f64 = 0.1;
/// The most that a walking line may bend, in mm, beside words that are written along it.
const BENT: f64 = 0.5;

/// Flights that follow each other, from the lowest on.
type Climb = Vec<Flight>;

/// The stairs and ramps of a storey.
pub(super) struct Stairs {
    /// Those that the floor of the storey leads up to or on.
    rising: Vec<Climb>,
    /// Those that come from below.
    falling: Vec<Climb>,
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
        // the landings, too: nobody steps on what they lie on
        let is_landing = |id: Id| links.ancestor(id, "IfcStair").is_some();
        let is_of_stair = |e: &Entry| {
            CLASSES.contains(&e.class.as_str()) || (e.class.starts_with("IfcSlab") && is_landing(e.id))
        };
        for entry in scene.entries().iter().filter(|e| e.is_drawn() && is_of_stair(e)) {
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
        Stairs { rising: climbs(links, rising), falling: climbs(links, falling), floor, cut }
    }

    /// The elements whose flights are drawn here.
    pub fn elements(&self) -> impl Iterator<Item = Id> {
        self.rising.iter().chain(&self.falling).flatten().map(|f| f.element)
    }

    /// Draws them; words leave their strips free.
    pub fn draw(&self, sheet: &mut Sheet<'_>, figures: &[Figure]) {
        let mut covers: Vec<Loop> = Vec::new();
        // where a flight from below is seen, that above the cut is not drawn over it
        let whole = |flight: &Flight| strip(flight, 0.0, flight.lines.len().saturating_sub(1) as f64);
        let below: Vec<Loop> = self.falling.iter().flatten().filter_map(whole).collect();
        for climb in &self.rising {
            covers.extend(climb.iter().filter_map(|flight| strip(flight, 0.0, place_of(flight, self.cut))));
            rise(sheet, climb, self.cut, &below);
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
        for climb in &self.falling {
            fall(sheet, climb, &covers);
        }
    }
}

/// Flights of one stair or ramp that go on in each other.
fn climbs(links: &Links<'_>, mut flights: Vec<Flight>) -> Vec<Climb> {
    flights.sort_by(|a, b| a.foot.total_cmp(&b.foot));
    let whole = |flight: &Flight| links.aggregate_parent(flight.element).unwrap_or(flight.element);
    let mut climbs: Vec<Climb> = Vec::new();
    for flight in flights {
        let goes_on = |climb: &&mut Climb| {
            climb
                .last()
                .is_some_and(|last| whole(last) == whole(&flight) && (flight.foot - last.top).abs() < GOES_ON)
        };
        match climbs.iter_mut().find(goes_on) {
            Some(climb) => climb.push(flight),
            None => climbs.push(vec![flight]),
        }
    }
    climbs
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

/// The parts of lines that lie under none of these loops.
fn uncovered(lines: Vec<Vec<DVec2>>, covers: &[Loop]) -> Vec<Vec<DVec2>> {
    let mut shown = Vec::new();
    for pair in lines.iter().flat_map(|line| line.windows(2)) {
        let &[a, b] = pair else { continue };
        let free = less([0.0, 1.0], &within(a, b, covers));
        shown.extend(free.iter().map(|[from, to]| vec![a.lerp(b, *from), a.lerp(b, *to)]));
    }
    shown.retain(|l| l.first().zip(l.last()).is_some_and(|(a, b)| a.distance(*b) > 0.01));
    shown
}

/// Leads a walking line on into the next flight, through the middle of the landing between them.
fn go_on(way: &mut Vec<DVec2>, next: Vec<DVec2>, width: f64) {
    if let ([.., before, end], [start, after, ..]) = (way.as_slice(), next.as_slice()) {
        let (out, into) = ((*end - *before).normalize_or_zero(), (*after - *start).normalize_or_zero());
        let corners = [*end + out * (width / 2.0), *start - into * (width / 2.0)];
        // a flight that goes straight on has no corners
        if out.dot(into) < 0.99 {
            way.extend(corners);
        }
    }
    way.extend(next);
}

fn subject(flight: &Flight) -> Subject {
    if flight.is_stair { Subject::Stair } else { Subject::Ramp }
}

/// Draws a climb that one goes up from this storey, above the cut where no flight from below lies.
fn rise(sheet: &mut Sheet<'_>, climb: &[Flight], cut: f64, below: &[Loop]) {
    let style = sheet.style;
    let mut way: Vec<DVec2> = Vec::new();
    let mut is_below = true;
    for flight in climb {
        let last = flight.lines.len().saturating_sub(1) as f64;
        let end = place_of(flight, cut);
        let mut nodes = Vec::new();
        let subject = subject(flight);
        if end > 0.0 {
            let seen = lines(flight, 0.0, end).iter().map(|l| sheet.subpath(l, false)).collect();
            nodes.push(stroked(seen, sheet.line(style.weights.seen), subject, Part::Seen));
            if is_below {
                go_on(&mut way, side(flight, 0.0, end, 2), flight.width);
            }
        }
        if end < last {
            let above = uncovered(lines(flight, end, last), below);
            let above = above.iter().map(|l| sheet.subpath(l, false)).collect();
            let dashed = sheet.dashed(style.weights.hidden, &style.dashes.hidden);
            nodes.push(stroked(above, dashed, subject, Part::Hidden));
            if end > 0.0
                && let Some(line) = break_line(sheet, flight, end)
            {
                nodes.push(line);
            }
            is_below = false;
        }
        sheet.put(Order::Stair, Some(flight.element), nodes);
        keep(sheet, flight, 0.0, last);
    }
    walk(sheet, climb, &way, &style.words().up);
}

/// Draws a climb that comes from below, where nothing covers it.
fn fall(sheet: &mut Sheet<'_>, climb: &[Flight], covers: &[Loop]) {
    // the walking line, from the top down
    let mut way: Vec<DVec2> = Vec::new();
    for flight in climb.iter().rev() {
        let last = flight.lines.len().saturating_sub(1) as f64;
        let shown = uncovered(lines(flight, 0.0, last), covers);
        if shown.is_empty() {
            break;
        }
        let paths = shown.iter().map(|l| sheet.subpath(l, false)).collect();
        let stroke = sheet.line(sheet.style.weights.seen);
        let node = stroked(paths, stroke, subject(flight), Part::Seen);
        sheet.put(Order::Stair, Some(flight.element), [node]);
        keep(sheet, flight, 0.0, last);
        go_on(&mut way, side(flight, 0.0, last, 2).into_iter().rev().collect(), flight.width);
    }
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
    let words = sheet.style.words();
    walk(sheet, climb, &visible, &words.down);
}

/// Draws the walking line of a climb with a dot at its beginning, an arrow at its end, and beside the beginning its words: the way it goes, and
/// how many risers it has in all. Nothing where none of it is seen.
fn walk(sheet: &mut Sheet<'_>, climb: &[Flight], way: &[DVec2], word: &str) {
    let mut points: Vec<DVec2> = way.iter().map(|p| sheet.at(*p)).collect();
    points.dedup_by(|a, b| a.distance(*b) < 1e-4);
    let (Some(first), [.., before, tip]) = (points.first().copied(), points.as_slice()) else { return };
    let Some(flight) = climb.first() else { return };
    let along = (*tip - *before).normalize_or_zero();
    let length: f64 = points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    if length < 2.0 * ARROW || along == DVec2::ZERO {
        return;
    }
    let barb = |s: f64| *tip - along * ARROW + along.perp() * (ARROW * 0.35 * s);
    let marks =
        vec![circle(first, DOT), through(&points, false), through(&[barb(1.0), *tip, barb(-1.0)], false)];
    let stroke = sheet.line(sheet.style.weights.symbol);
    let subject = subject(flight);
    sheet.put(Order::Stair, Some(flight.element), [stroked(marks, stroke, subject, Part::Symbol)]);
    if !sheet.rule.stair_numbers {
        return;
    }
    let words = match climb.iter().map(|flight| flight.risers).sum::<usize>() {
        0 => word.to_owned(),
        risers => format!("{word} {risers} {}", sheet.style.words().risers),
    };
    if let Some((at, letter)) = place_of_words(sheet, &points, &words) {
        let node = sheet.text(at, &words, letter, layer(subject, Part::Text));
        sheet.put(Order::Stair, Some(flight.element), [node]);
    }
}

/// The place of words at the beginning of a walking line: along it, read from below or from the right; where it winds, level before it.
fn place_of_words(sheet: &Sheet<'_>, points: &[DVec2], words: &str) -> Option<(DVec2, Letter)> {
    let &[first, second, ..] = points else { return None };
    let start = (second - first).normalize_or_zero();
    let height = sheet.style.letters.stair;
    let half = Box2::around(&Letter::middle(height).words(DVec2::ZERO, words, None)).half;
    let beside = points.iter().map(|p| *p - first).take_while(|off| off.length() < half.x * 2.0 + 1.5);
    let bend = beside.map(|off| off.perp_dot(start).abs()).fold(0.0, f64::max);
    if bend > BENT {
        let letter = Letter { halo: 0.4, ..Letter::middle(height) };
        for far in [1.5, 3.0, 4.5] {
            let at = first - start * (far + half.dot(start.abs()));
            if !sheet.is_taken(&Box2::around(&letter.words(at, words, None))) {
                return Some((at, letter));
            }
        }
    }
    let mut angle = (-start.y).atan2(start.x).to_degrees();
    let is_turned = !(-89.9..=90.1).contains(&angle);
    if is_turned {
        angle += if angle > 0.0 { -180.0 } else { 180.0 };
    }
    let anchor = if is_turned { Anchor::Right } else { Anchor::Left };
    let letter = Letter { anchor, angle, halo: 0.4, ..Letter::middle(height) };
    let up = if is_turned { start.perp() } else { -start.perp() };
    let places = [2.0, -2.0, 4.0, -4.0].map(|aside| first + start * 1.5 + up * aside);
    let at = places.into_iter().find(|at| !sheet.is_taken(&Box2::around(&letter.words(*at, words, None))))?;
    Some((at, letter))
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

/// Words leave a flight free where they can, and dimensions of rooms do.
fn keep(sheet: &mut Sheet<'_>, flight: &Flight, from: f64, to: f64) {
    let points = strip(flight, from, to).unwrap_or_default();
    let paper = points.iter().map(|p| sheet.at(*p));
    let (low, high) =
        paper.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    if low.is_finite() && high.is_finite() {
        sheet.busy.push(Box2::between(low, high));
        sheet.climbs.push(Box2::between(low, high));
    }
}
