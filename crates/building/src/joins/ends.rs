//! The ends of a wall's body by the walls it is connected to, and drawing a wall anew where its neighbours changed.
//!
//! What stands in one corner is seen as a whole, so that every wall of it comes to the same seams: two are mitred, or one
//! runs through; of three and more a straight line runs through and others stop at its faces, else all are mitred. Walls of
//! other programs are never cut: ours stop at their faces.

use super::corner::{Arm, Tip, butt, mitred, stop, tee};
use super::layered::{self, seen};
use super::links::{Kind, Link, links, prioritise, unlink};
use crate::author::Author;
use crate::bent_body;
use crate::host::Wall;
use crate::layer_priority::{Strip, strips};
use crate::polygon::{area, bounds, contains, on_outline};
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
    /// The parts of it that are left to the layers of other walls that run into it.
    pub notches: Vec<Vec<DVec2>>,
}

impl Ends {
    /// Square ends.
    pub fn square(wall: &Wall) -> Self {
        let (right, left) = wall.faces;
        let at = |x: f64| vec![DVec2::new(x, right), DVec2::new(x, left)];
        Self { start: at(0.0), end: at(wall.length), notches: Vec::new() }
    }

    /// The outline of the body, counter-clockwise, seen from the axis.
    pub fn outline(&self) -> Vec<DVec2> {
        let mut outline: Vec<DVec2> = self.end.clone();
        outline.extend(self.start.iter().rev());
        // begins at the start's right face, as a square one does
        outline.rotate_right(1);
        if self.notches.is_empty() {
            return outline;
        }
        let left = regions::difference(&[outline.clone()], &self.notches);
        let largest = left.into_iter().max_by(|a, b| area(&a.outer).total_cmp(&area(&b.outer)));
        largest.map_or(outline, |region| region.outer)
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
    wall: Wall,
    arm: Arm,
    /// Its layers as the arm sees them.
    strips: Vec<Strip>,
    /// Its base and its top in the world.
    height: (f64, f64),
    fixed: bool,
}

impl Member {
    fn at_end(author: &Author, wall: &Wall, end: End) -> Self {
        let base = wall.frame.translation.z;
        Self {
            id: wall.id,
            wall: wall.clone(),
            arm: Arm::at_end(wall, end),
            strips: seen(&strips(author, wall), end == End::Start),
            height: (base, base + wall.height),
            fixed: is_fixed(author, wall),
        }
    }

    /// The wall through the point of its path that is nearest to a corner, as the arm sees it that leads on.
    fn through(author: &Author, wall: &Wall, corner: DVec2) -> Self {
        let [arm, _] = Arm::through(wall, corner);
        Self { arm, strips: strips(author, wall), ..Self::at_end(author, wall, End::Start) }
    }

    /// True if its layers can be cut one by one: it is ours, and straight.
    fn is_layered(&self) -> bool {
        !self.fixed && self.arm.bend == 0.0
    }

    /// The same wall where it goes on beyond the corner: true if its layers lie in line with this one's.
    fn goes_on_in(&self, other: &Self) -> bool {
        let turned = seen(&other.strips, false);
        let near = |a: f64, b: f64| (a - b).abs() < 0.1;
        self.strips.len() == turned.len()
            && self
                .strips
                .iter()
                .zip(&turned)
                .all(|(a, b)| near(a.right, b.right) && near(a.left, b.left) && a.priority == b.priority)
    }

    /// True if its body goes higher than another's, or as high and lower down.
    fn outdoes(&self, other: &Self) -> bool {
        let (top, base) = (self.height.1 - other.height.1, other.height.0 - self.height.0);
        top > 1.0 || (top > -1.0 && base > 1.0)
    }

    /// True if its body stands beside the whole height of another's.
    fn covers(&self, other: &Self) -> bool {
        self.height.1 > other.height.1 - 1.0 && self.height.0 < other.height.0 + 1.0
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
    if is_ours(author.edit, wall.id, quantity_sets::WALL) {
        for (link, _) in &at {
            prioritise(author, link.relation)?;
        }
    }
    let mut ends = Ends::square(wall);
    let mut notches = Vec::new();
    for (link, stem) in at.iter().filter(|(link, _)| link.own == End::Path && link.there != End::Path) {
        let stem = Member::at_end(author, stem, link.there);
        let path = Member::through(author, wall, stem.arm.corner);
        notches.extend(
            layered_tee(author, &stem, &path, &[wall]).map(|(_, tongues)| tongues).unwrap_or_default(),
        );
    }
    for end in [End::Start, End::End] {
        let here: Vec<&(Link, Wall)> = at.iter().filter(|(link, _)| link.own == end).collect();
        let Some((tip, left)) = tip(author, wall, end, &here) else { continue };
        notches.extend(left);
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
    if !ends.is_whole() {
        return Ok(Ends::square(wall));
    }
    let line = wall.line();
    let own = |notch: Vec<DVec2>| notch.into_iter().map(|p| line.place(p, 0.0)).collect();
    ends.notches = notches.into_iter().map(own).collect();
    Ok(ends)
}

/// The layers of a stem that run into a wall, as [`layered::tee`] has them; `None` where it stops at the face: where either is not
/// ours, where the stem is along an arc, where the wall goes on above or below the stem, and where an opening of the wall is in the way.
fn layered_tee(
    author: &Author,
    stem: &Member,
    path: &Member,
    bodies: &[&Wall],
) -> Option<(Tip, Vec<Vec<DVec2>>)> {
    if !stem.is_layered() || path.fixed || !stem.covers(path) {
        return None;
    }
    let found = layered::tee((&stem.arm, &stem.strips), (&path.arm, &path.strips))?;
    let is_in_the_way = bodies.iter().any(|wall| {
        let (from, to) = bounds(&found.1.iter().flatten().map(|p| wall.place(*p)).collect::<Vec<_>>());
        wall.openings(author).iter().any(|(_, cut)| cut.low.x < to.x - 0.1 && from.x + 0.1 < cut.high.x)
    });
    (!is_in_the_way).then_some(found)
}

/// How a wall ends at one end, and what it leaves to others there; `None` for a square end.
fn tip(author: &Author, wall: &Wall, end: End, here: &[&(Link, Wall)]) -> Option<(Tip, Vec<Vec<DVec2>>)> {
    let whole = |tip: Tip| (tip, Vec::new());
    if here.is_empty() {
        return None;
    }
    let own = Member::at_end(author, wall, end);
    if let Some((_, path)) = here.iter().find(|(link, _)| link.there == End::Path) {
        let through = Member::through(author, path, own.arm.corner);
        let layered = layered_tee(author, &own, &through, &[path]).map(|(tip, _)| tip);
        return layered.or_else(|| tee(&own.arm, &Arm::through(path, own.arm.corner))).map(whole);
    }
    let others: Vec<Member> =
        here.iter().map(|(link, other)| Member::at_end(author, other, link.there)).collect();
    // what another program made is drawn as it would have been where somebody changes it
    if !own.fixed
        && let Some(fixed) = others.iter().find(|other| other.fixed)
    {
        return butt(&fixed.arm, &own.arm).map(|(_, stop)| whole(stop));
    }
    match (&others[..], here) {
        ([], _) => None,
        ([other], [(link, _)]) => of_two(&own, other, link).map(whole),
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
    let tip = match link.kind {
        Kind::Butt => butted(link.first).or_else(seamed),
        Kind::Auto if !own.is_as_high(other) && !own.arm.is_opposite(&other.arm) => {
            butted(own.outdoes(other)).or_else(seamed)
        }
        Kind::Auto => layered_corner(own, other).or_else(seamed).or_else(|| butted(link.first)),
        Kind::Mitre => seamed().or_else(|| butted(link.first)),
    };
    // a wall that runs along the end of an arc has no seam with it: it stops at the face of that, which ends square
    let stops = if own.arm.bend == other.arm.bend { !link.first } else { own.arm.bend == 0.0 };
    tip.or_else(|| stop(&other.arm, &own.arm).filter(|_| stops))
}

/// How a wall ends by its layers and another's; both come to the same cuts.
fn layered_corner(own: &Member, other: &Member) -> Option<Tip> {
    if !own.is_layered() || !other.is_layered() || own.arm.is_opposite(&other.arm) {
        return None;
    }
    let (first, second) = if own.id < other.id { (own, other) } else { (other, own) };
    let [one, two] = layered::corner((&first.arm, &first.strips), (&second.arm, &second.strips))?;
    Some(if own.id < other.id { one } else { two })
}

/// How a wall ends in a corner of three or more, and what it leaves to the layers of others where it runs on.
fn of_many(author: &Author, own: Member, others: Vec<Member>) -> Option<(Tip, Vec<Vec<DVec2>>)> {
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
        let (one, other) = (all.get(i)?, all.get(j)?);
        let runs_on = one.goes_on_in(other) && one.is_as_high(other) && other.is_layered();
        let layered = |stem: &Member| {
            runs_on.then(|| layered_tee(author, stem, one, &[&one.wall, &other.wall])).flatten()
        };
        if at != i && at != j {
            let stem = all.get(at)?;
            let cut = layered(stem).map(|(tip, _)| tip);
            return cut.or_else(|| tee(&stem.arm, &pair)).map(|tip| (tip, Vec::new()));
        }
        let stems = all.iter().enumerate().filter(|(k, _)| *k != i && *k != j);
        let left = stems.filter_map(|(_, stem)| layered(stem)).flat_map(|(_, tongues)| tongues).collect();
        let mut tips = mitred(&pair)?.into_iter();
        return Some((if at == i { tips.next()? } else { tips.next_back()? }, left));
    }
    mitred(&arms)?.into_iter().nth(at).map(|tip| (tip, Vec::new()))
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
