//! Rooms: what walls surround, with the words that stand in them.

use super::answer::round;
use super::grid::{Boxes, Grid};
use super::parts::{Wall, wall_grid};
use super::roles::Role;
use super::shapes::{Note, Primitives, contains};
use crate::effort::Effort;
use crate::measure::{Words, words};
use crate::plan::{Plan, Room};
use glam::DVec2;
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::single::SingleFloatOverlay;

/// The smallest room in m².
const SMALLEST: f64 = 0.4;

/// The narrowest room: twice its area by the length of its outline, in mm.
const NARROWEST: f64 = 120.0;

/// Finds rooms and their names.
pub(crate) fn find(walls: &[Wall], found: &Primitives, origin: DVec2, effort: &Effort<'_>, plan: &mut Plan) {
    let bodies: Vec<Vec<[f64; 2]>> =
        walls.iter().map(|wall| turned(wall.body(), true).into_iter().map(Into::into).collect()).collect();
    if bodies.is_empty() || !may_be_united(walls, effort) {
        return;
    }
    let nothing: Vec<Vec<[f64; 2]>> = Vec::new();
    let shapes = bodies.overlay(&nothing, OverlayRule::Union, FillRule::NonZero);
    let mut outers: Vec<Vec<DVec2>> = Vec::new();
    let mut holes: Vec<Vec<DVec2>> = Vec::new();
    for shape in shapes {
        let mut contours =
            shape.into_iter().map(|contour| clean(contour.into_iter().map(DVec2::from).collect()));
        outers.extend(contours.next());
        holes.extend(contours);
    }
    let mut rooms: Vec<(Vec<DVec2>, Vec<Vec<DVec2>>, f64)> = Vec::new();
    let holes: Vec<Vec<DVec2>> = holes.into_iter().map(|hole| turned(hole, true)).collect();
    let boxes = boxes(holes.iter().map(Vec::as_slice));
    // what stands in each without touching its walls
    let mut within: Vec<Vec<usize>> = vec![Vec::new(); holes.len()];
    for (number, outer) in outers.iter().enumerate() {
        let Some(point) = outer.first() else { continue };
        for n in boxes.at(*point) {
            let Some(ring) = holes.get(n).filter(|ring| effort.goes_on(ring.len())) else { continue };
            if let Some(within) = within.get_mut(n).filter(|_| contains(ring, *point)) {
                within.push(number);
            }
        }
    }
    for (ring, within) in holes.into_iter().zip(within) {
        let around: f64 = ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| a.distance(*b)).sum();
        let inside: Vec<Vec<DVec2>> = within.into_iter().filter_map(|n| outers.get(n)).cloned().collect();
        let area =
            twice_area(&ring).abs() / 2.0 - inside.iter().map(|own| twice_area(own).abs() / 2.0).sum::<f64>();
        if area > SMALLEST * 1e6 && 2.0 * area / around > NARROWEST {
            rooms.push((ring, inside, area));
        }
    }
    if rooms.len() > MOST {
        plan.assumptions.push(format!(
            "walls surround {} places, which is more than any plan has rooms: they are taken for none",
            rooms.len()
        ));
        return;
    }
    // from the upper left to the lower right, as one reads
    let corner = |ring: &[DVec2]| {
        ring.iter().fold((f64::NEG_INFINITY, f64::INFINITY), |(y, x), p| (y.max(p.y), x.min(p.x)))
    };
    rooms.sort_by(|a, b| {
        let (a, b) = (corner(&a.0), corner(&b.0));
        (b.0 / 500.0).round().total_cmp(&(a.0 / 500.0).round()).then(a.1.total_cmp(&b.1))
    });
    let mut own: Vec<Vec<&Note>> = rooms.iter().map(|_| Vec::new()).collect();
    let boxes = self::boxes(rooms.iter().map(|room| room.0.as_slice()));
    for note in &found.notes {
        if !is_for_rooms(note) {
            continue;
        }
        let place = boxes
            .at(note.at)
            .filter_map(|n| Some((n, rooms.get(n).filter(|room| effort.goes_on(room.0.len()))?)))
            .filter(|(_, room)| contains(&room.0, note.at))
            .min_by(|a, b| a.1.2.total_cmp(&b.1.2).then(a.0.cmp(&b.0)));
        if let Some(notes) = place.and_then(|(n, _)| own.get_mut(n)) {
            notes.push(note);
        }
    }
    let doors = Doors::new(walls);
    let point = |at: DVec2| {
        let own = at - origin;
        [round(own.x), round(own.y)]
    };
    for ((ring, inside, area), notes) in rooms.into_iter().zip(own) {
        let area = area / 1e6;
        let said = Said::new(notes, area, &doors);
        if !said.further.is_empty() {
            plan.assumptions.push(format!(
                "no wall parts {} from {}: they are one room",
                said.further.join(", "),
                said.name.as_deref().unwrap_or("another room")
            ));
        }
        plan.rooms.push(Room {
            name: said.name,
            number: said.number,
            further_names: said.further,
            outline: ring.iter().copied().map(point).collect(),
            holes: inside.into_iter().map(|own| own.into_iter().map(point).collect()).collect(),
            area: (area * 1000.0).round() / 1000.0,
            stated_area: said.area,
            label: point(said.label.unwrap_or_else(|| middle(&ring))),
        });
    }
}

/// Rooms at most: some ten times what an airport has.
const MOST: usize = 20_000;

/// Pairs of walls in squares of a metre at most: where they cross, the union has corners.
const MOST_PAIRS: usize = 5_000_000;

/// True if bodies of walls can be united: they cross in no more places than they can in a plan.
fn may_be_united(walls: &[Wall], effort: &Effort<'_>) -> bool {
    let grid = wall_grid(walls, 1000.0, effort);
    let pairs: usize = grid.counts().map(|count| count * count.saturating_sub(1) / 2).sum();
    effort.goes_on(if pairs > MOST_PAIRS { usize::MAX } else { pairs * 20 })
}

/// The boxes of rings, by their number.
pub(crate) fn boxes<'a>(rings: impl Iterator<Item = &'a [DVec2]>) -> Boxes {
    let mut boxes = Boxes::default();
    for (number, ring) in rings.enumerate() {
        let least = ring.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        boxes.put(number, least, ring.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max));
    }
    boxes
}

/// The middles of openings.
struct Doors(Vec<DVec2>, Grid);

impl Doors {
    /// Words as near to an opening as this, in mm, are of it.
    const NEAR: f64 = 600.0;

    fn new(walls: &[Wall]) -> Self {
        let mut own = Self(Vec::new(), Grid::new(1000.0));
        for (wall, gap) in walls.iter().flat_map(|wall| wall.gaps.iter().map(move |gap| (wall, gap))) {
            let middle = wall.point(f64::midpoint(gap.from, gap.to));
            own.1.put(own.0.len(), middle, middle);
            own.0.push(middle);
        }
        own
    }

    fn is_near(&self, at: DVec2) -> bool {
        let near = self.1.around(at, Self::NEAR);
        near.into_iter().filter_map(|n| self.0.get(n)).any(|door| door.distance(at) < Self::NEAR)
    }
}

/// True if words may name a room.
pub(crate) fn is_for_rooms(note: &Note) -> bool {
    let is_block = !matches!(
        note.role,
        Role::Door | Role::Window | Role::Furniture | Role::Sanitary | Role::Stair | Role::Column
    );
    is_block && !matches!(note.role, Role::Dimension | Role::Grid | Role::Sheet)
}

#[derive(Default)]
struct Said {
    name: Option<String>,
    number: Option<String>,
    area: Option<f64>,
    label: Option<DVec2>,
    further: Vec<String>,
}

impl Said {
    fn new(mut notes: Vec<&Note>, area: f64, doors: &Doors) -> Self {
        let mut said = Self::default();
        notes.sort_by(|a, b| b.at.y.total_cmp(&a.at.y).then(a.at.x.total_cmp(&b.at.x)));
        let mut names: Vec<(&Note, Vec<&str>)> = Vec::new();
        let mut bare = None;
        for note in notes {
            let is_at_door = doors.is_near(note.at);
            let mut own: Vec<&str> = Vec::new();
            for line in note.words.lines() {
                match words(line) {
                    Words::Name if !(is_at_door && line.chars().any(|char| char.is_ascii_digit())) => {
                        own.push(line.trim());
                    }
                    Words::Number if !is_at_door && said.number.is_none() => {
                        said.number = Some(line.trim().to_owned());
                    }
                    Words::Area(own) => said.area = said.area.or(Some(own)),
                    Words::Bare(value) if (value / area - 1.0).abs() < 0.1 => {
                        said.area = said.area.or(Some(value));
                    }
                    Words::Bare(_) => bare = bare.or_else(|| Some(line.trim().to_owned())),
                    _ => {}
                }
            }
            if !own.is_empty() {
                names.push((note, own));
            }
        }
        said.number = said.number.take().or(bare);
        // the largest words are the name; lines right below them go on with it
        let height = names.iter().map(|own| own.0.height).fold(0.0, f64::max);
        let Some(first) = names.iter().position(|own| own.0.height > height * 0.95) else { return said };
        let mut lines: Vec<&str> = Vec::new();
        let mut last: Option<&Note> = None;
        let mut after = first;
        for (note, own) in names.iter().skip(first) {
            let is_next = last.is_none_or(|last: &Note| {
                let off = last.at - note.at;
                off.y > 0.0 && off.y < last.height * 2.6 && off.x.abs() < last.height * 12.0
            });
            if note.height < height * 0.95 || !is_next || lines.len() > 2 {
                break;
            }
            lines.extend(own.iter().take(2));
            last = Some(note);
            after += 1;
        }
        let further = names.iter().skip(after).filter(|(note, _)| note.height > height * 0.95);
        said.further =
            further.map(|(_, own)| own.join(" ")).filter(|name| *name != lines.join(" ")).collect();
        said.label = names.get(first).map(|own| own.0.at);
        said.name = Some(lines.join(" "));
        said
    }
}

fn twice_area(ring: &[DVec2]) -> f64 {
    let base = ring.first().copied().unwrap_or_default();
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| (*a - base).perp_dot(*b - base)).sum()
}

/// A ring turned counter-clockwise.
fn turned(mut ring: Vec<DVec2>, is_ccw: bool) -> Vec<DVec2> {
    if (twice_area(&ring) > 0.0) != is_ccw {
        ring.reverse();
    }
    ring
}

/// A ring without corners that are none, and without spikes of less than a mm.
fn clean(ring: Vec<DVec2>) -> Vec<DVec2> {
    let mut corners: Vec<DVec2> = ring;
    loop {
        let count = corners.len();
        if count < 4 {
            return corners;
        }
        let mut kept: Vec<DVec2> = Vec::with_capacity(count);
        for n in 0..count {
            let (Some(before), Some(own), Some(next)) = (
                kept.last().or_else(|| corners.last()).copied(),
                corners.get(n).copied(),
                corners.get((n + 1) % count).copied(),
            ) else {
                continue;
            };
            let (a, b) = (own - before, next - own);
            let is_short = a.length() < 0.5;
            let is_straight = a.perp_dot(b).abs() < 0.5 * a.length().max(b.length()).max(1.0) * 0.2;
            if !is_short && !is_straight {
                kept.push(own);
            }
        }
        if kept.len() == count || kept.len() < 3 {
            return kept;
        }
        corners = kept;
    }
}

/// A place within a ring: half way across it at the middle of its height, in the widest part.
fn middle(ring: &[DVec2]) -> DVec2 {
    let (low, high) = ring
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), point| (a.min(point.y), b.max(point.y)));
    let mut best = (0.0, ring.first().copied().unwrap_or_default());
    for n in 1..8 {
        let y = low + (high - low) * (f64::from(n) / 8.0) + 0.37;
        let mut xs: Vec<f64> = ring
            .iter()
            .zip(ring.iter().cycle().skip(1))
            .filter(|(a, b)| (a.y > y) != (b.y > y))
            .map(|(a, b)| a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y))
            .collect();
        xs.sort_by(f64::total_cmp);
        for pair in xs.chunks_exact(2) {
            if let [a, b] = pair
                && b - a > best.0
            {
                best = (b - a, DVec2::new(f64::midpoint(*a, *b), y));
            }
        }
    }
    best.1
}
