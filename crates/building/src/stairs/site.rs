//! Where a stair stands: from a start in a direction, or in a room, in which it is turned and moved until it fits.

use super::layout::{Layout, Measures, Shape, Turn};
use super::rule::{Sized, Wishes};
use crate::author::Author;
use crate::frame::Frame;
use crate::host::Wall;
use crate::lookup::{guid, label};
use crate::measures::mm;
use crate::polygon::{area, bounds, direction, edges};
use crate::regions;
use crate::space::outline_in_world;
use contract::Fault;
use glam::DVec2;

/// The place asked for, in the world in mm.
#[derive(Debug, Clone, PartialEq)]
pub enum Site {
    /// The middle of the lowest riser, and the way up from it in degrees, counter-clockwise from x.
    Start(DVec2, f64),
    /// Within an outline, in a direction where one is given.
    Within(Vec<DVec2>, Option<f64>),
}

/// A stair that has its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Its measures.
    pub sized: Sized,
    /// Its plan.
    pub layout: Layout,
    /// The number of steps before its turn, where that is not the middle.
    pub first: Option<usize>,
    /// Its origin in the world; z is left to the storey.
    pub start: DVec2,
    /// The way up its first flight.
    pub along: DVec2,
}

impl Placed {
    fn outlines(&self) -> Vec<Vec<DVec2>> {
        self.layout.outlines().iter().map(|o| self.in_world(o)).collect()
    }

    fn in_world(&self, outline: &[DVec2]) -> Vec<DVec2> {
        outline.iter().map(|p| self.start + self.along.rotate(*p)).collect()
    }

    /// Its frame in the world on a floor at this height in mm.
    pub fn frame(&self, floor: f64) -> Frame {
        Frame::in_plan(self.start.extend(floor), self.along)
    }

    /// Returns true if the place beyond its last riser is free of walls.
    pub fn is_free_beyond(&self, walls: &[Wall]) -> bool {
        let m = &self.sized.measures;
        let (way, half) = (self.layout.onward, m.width / 2.0);
        let aside = way.perp() * (half - 1.0);
        let (near, far) = (self.layout.arrival + way, self.layout.arrival + way * (m.tread * 2.0));
        let beyond = self.in_world(&[near - aside, far - aside, far + aside, near + aside]);
        walls_in(&[beyond], walls).next().is_none()
    }
}

/// The walls that stand in outlines, with the outlines of what both share.
pub(super) fn walls_in<'w>(
    outlines: &[Vec<DVec2>],
    walls: &'w [Wall],
) -> impl Iterator<Item = (&'w Wall, Vec<DVec2>)> {
    let (low, high) = bounds(&outlines.concat());
    walls.iter().filter_map(move |wall| {
        let body = outline_in_world(wall);
        let (from, to) = bounds(&body);
        if from.x > high.x || from.y > high.y || to.x < low.x || to.y < low.y {
            return None;
        }
        let shared = regions::intersection(outlines, &[body]);
        // faces that touch share a line, drawn to a thousandth of a millimetre
        shared.into_iter().find(|r| area(&r.outer) > 500.0).map(|r| (wall, r.outer))
    })
}

/// The wall that one meets first along a way from a start, with how far it is there, in mm.
pub(super) fn first_wall<'w>(
    outlines: &[Vec<DVec2>],
    walls: &'w [Wall],
    start: DVec2,
    along: DVec2,
) -> Option<(&'w Wall, f64)> {
    let free =
        |shared: &[DVec2]| shared.iter().map(|p| (*p - start).dot(along)).fold(f64::INFINITY, f64::min);
    walls_in(outlines, walls)
        .map(|(wall, shared)| (wall, mm(free(&shared).max(0.0))))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Length and width in mm that a plan takes up.
fn size(layout: &Layout) -> [f64; 2] {
    let (low, high) = layout.bounds();
    [mm(high.x - low.x), mm(high.y - low.y)]
}

/// Finds the place. A shape that is not given is chosen; `walls` stand in the way.
pub fn find(
    author: &mut Author,
    site: &Site,
    shape: Option<Shape>,
    turn: Option<Turn>,
    wishes: &Wishes,
    height: f64,
    walls: &[Wall],
) -> Result<Placed, Fault> {
    match site {
        Site::Start(start, degrees) => {
            let shape = shape.unwrap_or_else(|| {
                author.assume("straight");
                Shape::Straight
            });
            if turn.is_none() && shape != Shape::Straight {
                author.assume("turning left");
            }
            let sized = wishes.sized(shape, turn.unwrap_or_default(), height)?;
            let layout = Layout::draw(&sized.measures, None);
            let placed = Placed { sized, layout, first: None, start: *start, along: way(*degrees) };
            match first_wall(&placed.outlines(), walls, placed.start, placed.along) {
                None => Ok(placed),
                Some((wall, free)) => Err(in_the_way(author, &placed, (wall, free), wishes, height)),
            }
        }
        Site::Within(room, degrees) => {
            let all = [Shape::Straight, Shape::U, Shape::L, Shape::Winder, Shape::Spiral];
            let shapes = shape.map_or_else(|| all.to_vec(), |one| vec![one]);
            let mut needs = Vec::new();
            for candidate in shapes {
                let sized = match wishes.sized(candidate, turn.unwrap_or_default(), height) {
                    Ok(sized) => sized,
                    // of several shapes one may be too large for the height
                    Err(_) if shape.is_none() && candidate != Shape::Straight => continue,
                    Err(fault) => return Err(fault),
                };
                if let Some(placed) = fitted(&sized, room, *degrees, turn, walls) {
                    if shape.is_none() {
                        author.assume(format!("shape {}", candidate.word()));
                    }
                    return Ok(placed);
                }
                needs.push((candidate, size(&Layout::draw(&sized.measures, None))));
            }
            Err(no_room(room, &needs, walls))
        }
    }
}

/// The same stair on the storey above, over the height of that one.
pub fn above(
    author: &Author,
    below: &Placed,
    wishes: &Wishes,
    height: f64,
    walls: &[Wall],
) -> Result<Placed, Fault> {
    let m = &below.sized.measures;
    let mut sized = wishes.sized(m.shape, m.turn, height)?;
    let same = sized.measures.risers == m.risers;
    sized.measures.tread = m.tread;
    let first = below.first.filter(|_| same);
    let layout = Layout::draw(&sized.measures, first);
    let placed = Placed { sized, layout, first, ..below.clone() };
    match first_wall(&placed.outlines(), walls, placed.start, placed.along) {
        None => Ok(placed),
        Some((wall, free)) => Err(in_the_way(author, &placed, (wall, free), wishes, height)),
    }
}

/// A stair drawn anew where it stands: the turn stays where it was, as near as it can, and so does a tread that is given beside the
/// wishes while the risers are as high. Walls that stood in its way already are no reason to refuse it.
pub(super) fn again(
    author: &Author,
    was: &Placed,
    (wishes, tread): (&Wishes, Option<f64>),
    height: f64,
    walls: &[Wall],
) -> Result<Placed, Fault> {
    let m = &was.sized.measures;
    let mut sized = wishes.sized(m.shape, m.turn, height)?;
    let is_as_high = (sized.measures.riser - m.riser).abs() < 1e-3;
    if let Some(tread) = tread.filter(|_| is_as_high && m.shape != Shape::Spiral) {
        sized.measures.tread = tread;
    }
    let passed: Vec<ifc::Id> = walls_in(&was.outlines(), walls).map(|(wall, _)| wall.id).collect();
    let walls: Vec<Wall> = walls.iter().filter(|wall| !passed.contains(&wall.id)).cloned().collect();
    let kept = was.first.or_else(|| was.layout.flights.first().map(|flight| flight.risers));
    let mut firsts = vec![was.first];
    if matches!(m.shape, Shape::L | Shape::Winder) && sized.measures != *m {
        let turned = kept.filter(|_| m.shape == Shape::L).or(was.first);
        let middle = turned.unwrap_or(sized.measures.risers / 2);
        let mut others: Vec<usize> = (0..sized.measures.risers).collect();
        others.sort_by_key(|n| n.abs_diff(middle));
        firsts = turned.map_or_else(|| vec![None], |n| vec![Some(n)]);
        firsts.extend(others.into_iter().map(Some));
    }
    let mut refused = None;
    for first in firsts {
        let layout = Layout::draw(&sized.measures, first);
        let placed = Placed { sized, layout, first, ..was.clone() };
        match first_wall(&placed.outlines(), &walls, placed.start, placed.along) {
            None => return Ok(placed),
            Some((wall, free)) => {
                if refused.is_none() {
                    refused = Some(in_the_way(author, &placed, (wall, free), wishes, height));
                }
            }
        }
    }
    Err(refused.unwrap_or_else(|| Fault::constraint("The stair has no place.")))
}

/// A direction by its degrees; those of the axes are exact.
pub(super) fn way(degrees: f64) -> DVec2 {
    let quarter = degrees.rem_euclid(360.0) / 90.0;
    if (quarter - quarter.round()).abs() < 1e-9 {
        let axes = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y];
        return axes.get(quarter.round() as usize % 4).copied().unwrap_or(DVec2::X);
    }
    DVec2::from_angle(degrees.to_radians())
}

/// The plans to be tried: the turn in the middle first.
fn plans(sized: &Sized, turn: Option<Turn>) -> Vec<(Measures, Option<usize>)> {
    let m = sized.measures;
    let turns = match (turn, m.shape) {
        (Some(turn), _) => vec![turn],
        (None, Shape::Straight) => vec![Turn::Left],
        (None, _) => vec![Turn::Left, Turn::Right],
    };
    let firsts: Vec<Option<usize>> = match m.shape {
        Shape::L | Shape::Winder => {
            let middle = m.risers / 2;
            let mut firsts: Vec<usize> = (0..m.risers).collect();
            firsts.sort_by_key(|n| n.abs_diff(middle));
            std::iter::once(None).chain(firsts.into_iter().map(Some)).collect()
        }
        _ => vec![None],
    };
    turns
        .into_iter()
        .flat_map(|turn| firsts.iter().map(move |first| (Measures { turn, ..m }, *first)))
        .collect()
}

fn fitted(
    sized: &Sized,
    room: &[DVec2],
    degrees: Option<f64>,
    turn: Option<Turn>,
    walls: &[Wall],
) -> Option<Placed> {
    let longest = edges(room).max_by(|a, b| a.0.distance(a.1).total_cmp(&b.0.distance(b.1)))?;
    let side = direction(longest.0, longest.1)?;
    let ways = match degrees {
        Some(degrees) => vec![way(degrees)],
        None => vec![side, -side, side.perp(), -side.perp()],
    };
    for (measures, first) in plans(sized, turn) {
        let layout = Layout::draw(&measures, first);
        let (low, high) = layout.bounds();
        for along in &ways {
            let turned: Vec<DVec2> = room.iter().map(|p| along.conjugate().rotate(*p)).collect();
            let (near, far) = bounds(&turned);
            if high.x - low.x > far.x - near.x + 0.5 || high.y - low.y > far.y - near.y + 0.5 {
                continue;
            }
            for anchor in anchors(measures.shape, measures.turn, (low, high), (near, far)) {
                let placed = Placed {
                    sized: Sized { measures, ..*sized },
                    layout: layout.clone(),
                    first,
                    start: along.rotate(anchor),
                    along: *along,
                };
                let outlines = placed.outlines();
                let beyond = regions::difference(&outlines, &[room.to_vec()]);
                let beyond: f64 = beyond.iter().map(|r| area(&r.outer)).sum();
                if beyond < 500.0 * (outlines.len() as f64) && walls_in(&outlines, walls).next().is_none() {
                    return Some(placed);
                }
            }
        }
    }
    None
}

/// Turns back what a direction turned.
trait Conjugate {
    fn conjugate(self) -> Self;
}

impl Conjugate for DVec2 {
    fn conjugate(self) -> Self {
        Self::new(self.x, -self.y)
    }
}

/// The places in a box that a plan is tried at: at its far end, against the wall around which it turns.
fn anchors(shape: Shape, turn: Turn, (low, high): (DVec2, DVec2), (near, far): (DVec2, DVec2)) -> Vec<DVec2> {
    let middle = near.midpoint(far) - low.midpoint(high);
    let xs = [far.x - high.x, near.x - low.x, middle.x];
    let mut ys = [near.y - low.y, far.y - high.y, middle.y];
    if turn == Turn::Right {
        ys.swap(0, 1);
    }
    if shape == Shape::Straight {
        return [middle.x, xs[0], xs[1]].iter().flat_map(|x| ys.map(|y| DVec2::new(*x, y))).collect();
    }
    xs.iter().flat_map(|x| ys.map(|y| DVec2::new(*x, y))).collect()
}

fn in_the_way(
    author: &Author,
    placed: &Placed,
    (wall, there): (&Wall, f64),
    wishes: &Wishes,
    height: f64,
) -> Fault {
    let [length, width] = size(&placed.layout);
    let others: Vec<String> = [Shape::Straight, Shape::L, Shape::U, Shape::Spiral]
        .into_iter()
        .filter(|shape| *shape != placed.sized.measures.shape)
        .filter_map(|shape| {
            let sized = wishes.sized(shape, Turn::Left, height).ok()?;
            let [length, width] = size(&Layout::draw(&sized.measures, None));
            Some(format!("{} {length} by {width}", shape.word()))
        })
        .collect();
    Fault::constraint(format!(
        "The stair needs {length} by {width} mm from its start and runs into the wall {} after {there} mm. Move its start, turn it, or give another shape: {} mm.",
        label(author.edit, wall.id),
        others.join(", ")
    ))
    .with("field", "start")
    .with("needed", [length, width])
    .with("free_along", there)
    .with("wall_id", guid(author.edit, wall.id))
}

fn no_room(room: &[DVec2], needs: &[(Shape, [f64; 2])], walls: &[Wall]) -> Fault {
    let longest = edges(room).max_by(|a, b| a.0.distance(a.1).total_cmp(&b.0.distance(b.1)));
    let side = longest.and_then(|(a, b)| direction(a, b)).unwrap_or(DVec2::X);
    let turned: Vec<DVec2> = room.iter().map(|p| side.conjugate().rotate(*p)).collect();
    let (near, far) = bounds(&turned);
    let there = [mm(far.x - near.x), mm(far.y - near.y)];
    let needed: Vec<String> = needs
        .iter()
        .map(|(shape, [length, width])| format!("{} {length} by {width}", shape.word()))
        .collect();
    let first = needs.first().map_or([0.0; 2], |(_, size)| *size);
    let walled = if walls_in(&[room.to_vec()], walls).next().is_some() {
        ", part of it taken up by walls"
    } else {
        ""
    };
    Fault::constraint(format!(
        "The stair does not fit: needed are (length by width) {} mm, there are {} by {} mm{walled}. A narrower `width`, a shorter `tread` or more room would do.",
        needed.join(", "),
        there[0],
        there[1]
    ))
    .with("field", "within")
    .with("needed", first)
    .with("there", there)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(length: f64, width: f64) -> Vec<DVec2> {
        geometry::region::rectangle(DVec2::new(1000.0, 2000.0), DVec2::new(1000.0 + length, 2000.0 + width))
    }

    fn fits(shape: Shape, room: &[DVec2]) -> Option<Placed> {
        let sized = Wishes::default().sized(shape, Turn::Left, 3000.0).unwrap();
        fitted(&sized, room, None, None, &[])
    }

    #[test]
    fn a_stair_is_turned_until_it_fits() {
        // seven treads of 255 and a landing of 1000, two flights of 1000 and a well of 100
        let placed = fits(Shape::U, &room(2100.0, 2785.0)).unwrap();
        assert_eq!(placed.along.x, 0.0);
        assert!(fits(Shape::U, &room(2785.0, 2100.0)).is_some());
        assert!(fits(Shape::U, &room(2780.0, 2100.0)).is_none());
        assert!(fits(Shape::Straight, &room(3825.0, 1000.0)).is_some());
        // the turn moves along where one side is short
        assert!(fits(Shape::L, &room(4000.0, 2100.0)).is_some());
        assert!(fits(Shape::Spiral, &room(1720.0, 1720.0)).is_some());
    }
}
