//! The ends of a wall's body by the walls it is connected to, and drawing a wall anew where its neighbours changed.
//!
//! What stands in one corner is seen as a whole, so that every wall of it comes to the same seams: two are mitred, or one
//! runs through; of three and more a straight line runs through and others stop at its faces, else all are mitred. Walls of
//! other programs are never cut: ours stop at their faces.

use super::corner::{Arm, Tip, butt, mitred, tee};
use super::links::{Kind, Link, links, unlink};
use crate::author::Author;
use crate::bent_body;
use crate::host::Wall;
use crate::polygon::{bounds, contains, on_outline};
use crate::quantities::is_ours;
use crate::quantity_sets;
use crate::regions;
use crate::relations::End;
use crate::space::outline_in_world;
use crate::wall;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::Id;
use std::collections::BTreeSet;

/// Axis ends nearer than this meet, in mm.
pub const MEETING: f64 = 1.0;

/// The ends of a wall's body, seen along its axis from its start: the points of each from its right to its left face.
#[derive(Debug, Clone, PartialEq)]
pub struct Ends {
    /// At the start.
    pub start: Vec<DVec2>,
    /// At the end.
    pub end: Vec<DVec2>,
}

impl Ends {
    /// Square ends.
    pub fn square(wall: &Wall) -> Self {
        let (right, left) = wall.faces;
        let at = |x: f64| vec![DVec2::new(x, right), DVec2::new(x, left)];
        Self { start: at(0.0), end: at(wall.length) }
    }

    /// The outline of the body, counter-clockwise, seen from the axis.
    pub fn outline(&self) -> Vec<DVec2> {
        let mut outline: Vec<DVec2> = self.end.clone();
        outline.extend(self.start.iter().rev());
        // begins at the start's right face, as a square one does
        outline.rotate_right(1);
        outline
    }

    /// True if something of both faces is left between the ends.
    fn is_whole(&self) -> bool {
        let x = |p: Option<&DVec2>| p.map_or(0.0, |p| p.x);
        x(self.start.first()) + 1.0 < x(self.end.first()) && x(self.start.last()) + 1.0 < x(self.end.last())
    }
}

/// A wall at a corner.
struct Member {
    id: Id,
    arm: Arm,
    /// Its base and its top in the world.
    height: (f64, f64),
    fixed: bool,
}

impl Member {
    fn at_end(author: &Author, wall: &Wall, end: End) -> Self {
        let base = wall.frame.translation.z;
        Self {
            id: wall.id,
            arm: Arm::at_end(wall, end),
            height: (base, base + wall.height),
            fixed: is_fixed(author, wall),
        }
    }

    /// True if its body goes higher than another's, or as high and lower down.
    fn outdoes(&self, other: &Self) -> bool {
        let (top, base) = (self.height.1 - other.height.1, other.height.0 - self.height.0);
        top > 1.0 || (top > -1.0 && base > 1.0)
    }

    fn is_as_high(&self, other: &Self) -> bool {
        !self.outdoes(other) && !other.outdoes(self)
    }
}

/// True if a wall's body is not ours to cut: another program drew it, or it is no plain extrusion any more.
pub fn is_fixed(author: &Author, wall: &Wall) -> bool {
    !wall.plain || !is_ours(author.edit, wall.id, quantity_sets::WALL)
}

/// True if a point in plan lies in the body of a wall, ends included.
pub fn lies_in(wall: &Wall, p: DVec2) -> bool {
    let own = wall.place(p);
    let (low, high) = bounds(&wall.outline);
    let within = |x: f64, from: f64, to: f64| (from - MEETING..=to + MEETING).contains(&x);
    within(own.y, wall.faces.0, wall.faces.1) && within(own.x, low.x, high.x)
}

/// True if the axes of two walls meet at these places.
fn still_meet(wall: &Wall, own: End, other: &Wall, there: End) -> bool {
    match (own, there) {
        (End::Path, End::Path) => true,
        (End::Path, end) => lies_in(wall, Arm::at_end(other, end).corner),
        (end, End::Path) => lies_in(other, Arm::at_end(wall, end).corner),
        (a, b) => Arm::at_end(wall, a).corner.distance(Arm::at_end(other, b).corner) <= MEETING,
    }
}

/// Returns the ends of a wall by the walls it is connected to now. Connections whose axes no longer meet are taken away.
pub fn ends(author: &mut Author, wall: &Wall) -> Result<Ends, Fault> {
    let mut at: Vec<(Link, Wall)> = Vec::new();
    for link in links(author, wall.id) {
        let Ok(other) = Wall::read_any(author, link.other) else { continue };
        if still_meet(wall, link.own, &other, link.there) {
            at.push((link, other));
        } else {
            unlink(author, link.relation)?;
        }
    }
    let mut ends = Ends::square(wall);
    for end in [End::Start, End::End] {
        let here: Vec<&(Link, Wall)> = at.iter().filter(|(link, _)| link.own == end).collect();
        let Some(tip) = tip(author, wall, end, &here) else { continue };
        let near = if end == End::Start { 0.0 } else { wall.length };
        let line = wall.line();
        let own = |p: &DVec2| line.place(*p, near);
        if end == End::Start {
            ends.start = tip.iter().map(own).collect();
        } else {
            // seen from the end, right and left are the other way round
            ends.end = tip.iter().rev().map(own).collect();
        }
    }
    Ok(if ends.is_whole() { ends } else { Ends::square(wall) })
}

/// How a wall ends at one end; `None` for a square end.
fn tip(author: &Author, wall: &Wall, end: End, here: &[&(Link, Wall)]) -> Option<Tip> {
    let own = Member::at_end(author, wall, end);
    if let Some((_, path)) = here.iter().find(|(link, _)| link.there == End::Path) {
        return tee(&own.arm, &Arm::through(path, own.arm.corner));
    }
    let others: Vec<Member> =
        here.iter().map(|(link, other)| Member::at_end(author, other, link.there)).collect();
    // what another program made is drawn as it would have been where somebody changes it
    if !own.fixed
        && let Some(fixed) = others.iter().find(|other| other.fixed)
    {
        return butt(&fixed.arm, &own.arm).map(|(_, stop)| stop);
    }
    match (&others[..], here) {
        ([], _) => None,
        ([other], [(link, _)]) => of_two(&own, other, link),
        _ => of_many(author, own, others),
    }
}

fn of_two(own: &Member, other: &Member, link: &Link) -> Option<Tip> {
    let butted = |through: bool| {
        if through {
            butt(&own.arm, &other.arm).map(|(end, _)| end)
        } else {
            butt(&other.arm, &own.arm).map(|(_, stop)| stop)
        }
    };
    let seamed = || mitred(&[own.arm, other.arm])?.into_iter().next();
    match link.kind {
        Kind::Butt => butted(link.first).or_else(seamed),
        Kind::Auto if !own.is_as_high(other) && !own.arm.is_opposite(&other.arm) => {
            butted(own.outdoes(other)).or_else(seamed)
        }
        _ => seamed().or_else(|| butted(link.first)),
    }
}

fn of_many(author: &Author, own: Member, others: Vec<Member>) -> Option<Tip> {
    let me = own.id;
    let mut all: Vec<Member> = std::iter::once(own).chain(others).collect();
    all.sort_by_key(|member| member.id);
    let ids: Vec<Id> = all.iter().map(|m| m.id).collect();
    let asked = ids
        .iter()
        .any(|id| links(author, *id).iter().any(|l| ids.contains(&l.other) && l.kind == Kind::Mitre));
    let at = ids.iter().position(|id| *id == me)?;
    let arms: Vec<Arm> = all.iter().map(|m| m.arm).collect();
    if let Some((i, j)) = (!asked).then(|| straight(&arms)).flatten() {
        let pair = [*arms.get(i)?, *arms.get(j)?];
        return match at {
            _ if at == i => mitred(&pair)?.into_iter().next(),
            _ if at == j => mitred(&pair)?.into_iter().next_back(),
            _ => tee(arms.get(at)?, &pair),
        };
    }
    mitred(&arms)?.into_iter().nth(at)
}

/// The two arms that run through a corner in one line, the thickest of several; `None` where more than one of the others
/// stands on one side of them.
fn straight(arms: &[Arm]) -> Option<(usize, usize)> {
    let mut best: Option<(f64, usize, usize)> = None;
    for (i, a) in arms.iter().enumerate() {
        for (j, b) in arms.iter().enumerate().skip(i + 1) {
            let thickness = a.thickness() + b.thickness();
            if a.is_opposite(b) && best.is_none_or(|(most, ..)| thickness > most + 0.1) {
                best = Some((thickness, i, j));
            }
        }
    }
    let (_, i, j) = best?;
    let line = arms.get(i)?.away;
    let sides: Vec<bool> = arms
        .iter()
        .enumerate()
        .filter(|(k, _)| *k != i && *k != j)
        .map(|(_, arm)| line.perp_dot(arm.away) > 0.0)
        .collect();
    let one_each = sides.iter().filter(|s| **s).count() <= 1 && sides.iter().filter(|s| !**s).count() <= 1;
    one_each.then_some((i, j))
}

/// Writes a wall's body over an outline that is seen from its axis.
pub fn write_body(author: &mut Author, wall: &Wall, outline: &[DVec2]) -> Result<(), Fault> {
    if wall.line().is_bent() {
        let heights = [wall.local.translation.z, wall.height];
        let body = bent_body::draw_body(author, &wall.local_line(), outline, wall.faces, heights)?;
        return author.replace_representation(wall.id, "Body", body);
    }
    let outline: Vec<DVec2> =
        outline.iter().map(|p| wall.local.transform_point3(p.extend(0.0))).map(DVec3::truncate).collect();
    let solid = author.upright(&outline, &[], wall.local.translation.z, wall.height)?;
    let body = author.body(&[solid])?;
    author.replace_representation(wall.id, "Body", body)
}

/// Cuts the ends of a wall of ours anew where its neighbours changed. Answers whether anything changed.
pub fn refit(author: &mut Author, id: Id) -> Result<bool, Fault> {
    if is_ours(author.edit, id, quantity_sets::WALL) { fit(author, id) } else { Ok(false) }
}

/// Cuts the ends of a wall anew, whoever made it. Answers whether anything changed.
pub fn fit(author: &mut Author, id: Id) -> Result<bool, Fault> {
    let wall = Wall::read_any(author, id)?;
    if !wall.plain {
        return Ok(false);
    }
    let outline = ends(author, &wall)?.outline();
    let same = outline.len() == wall.outline.len()
        && outline.iter().all(|p| wall.outline.iter().any(|q| p.distance(*q) < 0.001));
    if same {
        return Ok(false);
    }
    write_body(author, &wall, &outline)?;
    wall::requantify(author, id)?;
    Ok(true)
}

/// Takes away the connections of walls to others that they stand apart from, whoever made them, and cuts the ends of these anew. Answers
/// the walls that were drawn again.
pub fn part(author: &mut Author, walls: &BTreeSet<Id>) -> Result<BTreeSet<Id>, Fault> {
    let mut parted = BTreeSet::new();
    for id in walls {
        let Ok(wall) = Wall::read_any(author, *id) else { continue };
        for link in links(author, *id) {
            let Ok(other) = Wall::read_any(author, link.other) else { continue };
            if are_apart(&wall, &other) {
                unlink(author, link.relation)?;
                parted.extend([*id, link.other]);
            }
        }
    }
    let mut drawn = BTreeSet::new();
    for id in parted {
        if refit(author, id)? {
            drawn.insert(id);
        }
    }
    Ok(drawn)
}

/// True if the bodies of two walls do not touch.
fn are_apart(a: &Wall, b: &Wall) -> bool {
    let heights = |wall: &Wall| (wall.frame.translation.z, wall.frame.translation.z + wall.height);
    let (one, other) = (heights(a), heights(b));
    if one.0 > other.1 + MEETING || other.0 > one.1 + MEETING {
        return true;
    }
    let outlines = [outline_in_world(a), outline_in_world(b)];
    let slack = MEETING + sag(a).max(sag(b));
    let near = |corners: &[DVec2], outline: &[DVec2]| {
        corners.iter().any(|p| contains(outline, *p) || on_outline(outline, *p, slack))
    };
    let [one, other] = &outlines;
    let cross = || !regions::intersection(&outlines[..1], &outlines[1..]).is_empty();
    !near(one, other) && !near(other, one) && !cross()
}

/// By how much the chords that stand for an arc stray from its faces, in mm; 0 for a straight wall.
fn sag(wall: &Wall) -> f64 {
    let line = wall.line();
    if !line.is_bent() {
        return 0.0;
    }
    let radius = line.radius(wall.faces.0).max(line.radius(wall.faces.1));
    let turn = (wall.length * wall.bend).abs();
    let many = geometry::curve::chords(radius / 1000.0, turn);
    radius * (1.0 - (turn / many as f64 / 2.0).cos())
}
