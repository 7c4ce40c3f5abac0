//! Railings: posts, a rail on them, and balusters, panes or rails between, along a path in space: free, along the edges of
//! a stair, or around a slab or an opening.
//!
//! Along a stair the path runs over the fronts of the steps, the height is counted from there, and posts stand on steps.

use super::layout::{Layout, Measures};
use super::parameters;
use super::run::{Block, Build};
use crate::author::{Author, boolean, word};
use crate::frame::Frame;
use crate::host::Slab;
use crate::lookup::{free_name, guid, label};
use crate::measures::{finite, mm, name};
use crate::polygon::{height_of, meet, plan_point};
use crate::quantities::{Quantities, Quantity, read};
use crate::quantity_sets;
use crate::storey::level_of;
use contract::Fault;
use geometry::region::rectangle;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Value};
use schemars::JsonSchema;
use serde::Serialize;

/// The filling of a railing between its posts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Infill {
    /// Upright bars.
    #[default]
    Balusters,
    /// A pane.
    Panel,
    /// Bars along the path.
    Rails,
    /// Nothing.
    Open,
}

impl Infill {
    /// The word that tools use for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Balusters => "balusters",
            Self::Panel => "panel",
            Self::Rails => "rails",
            Self::Open => "open",
        }
    }
}

/// The look of a railing.
#[derive(Debug, Clone, PartialEq)]
pub struct Style {
    /// Height of its upper edge over the path in mm.
    pub height: f64,
    /// Its filling.
    pub infill: Infill,
    /// Material.
    pub material: Option<String>,
}

/// A railing as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RailingAnswer {
    /// GlobalId.
    pub railing_id: String,
    /// Name.
    pub name: String,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Height of its upper edge over the path in mm.
    pub height: f64,
    /// Length of its path in mm.
    pub length: f64,
    /// The number of posts.
    pub posts: usize,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// Distance of a railing's middle from the edge that it runs along, in mm.
pub const ASIDE: f64 = 40.0;
/// Side of a post in mm.
const POST: f64 = 40.0;
/// Width and depth of a rail in mm.
const RAIL: DVec2 = DVec2::new(50.0, 40.0);
/// Side of a baluster or bar in mm.
const BAR: f64 = 16.0;
/// Thickness of a pane in mm.
const PANE: f64 = 12.0;
/// Clear height under balusters and panes in mm.
const FOOT: f64 = 80.0;
/// The widest distance of posts in mm.
const POSTS: f64 = 1200.0;
/// The widest distance of balusters from middle to middle in mm.
const BALUSTERS: f64 = 120.0;
/// The most solids that a railing is made of.
const MOST: usize = 3000;

/// A path in space by the length of its plan.
struct Path {
    points: Vec<DVec3>,
    ways: Vec<f64>,
}

impl Path {
    fn new(points: &[DVec3]) -> Self {
        let mut kept: Vec<DVec3> = Vec::new();
        for p in points {
            if kept.last().is_none_or(|last| last.distance(*p) > 0.5) {
                kept.push(*p);
            }
        }
        let mut way = 0.0;
        let mut ways = Vec::with_capacity(kept.len());
        for (i, p) in kept.iter().enumerate() {
            if let Some(before) = i.checked_sub(1).and_then(|i| kept.get(i)) {
                way += before.truncate().distance(p.truncate());
            }
            ways.push(way);
        }
        Self { points: kept, ways }
    }

    fn length(&self) -> f64 {
        self.points.iter().zip(self.points.iter().skip(1)).map(|(a, b)| a.distance(*b)).sum()
    }

    fn plan_length(&self) -> f64 {
        self.ways.last().copied().unwrap_or(0.0)
    }

    fn segments(&self) -> impl Iterator<Item = (DVec3, DVec3, f64, f64)> + '_ {
        let ends = self.points.iter().zip(&self.ways);
        ends.clone().zip(ends.skip(1)).map(|((a, s), (b, t))| (*a, *b, *s, *t))
    }

    /// The point so far along; where the path climbs upright, its upper one.
    fn at(&self, way: f64) -> DVec3 {
        let mut found = self.points.first().copied().unwrap_or_default();
        for (a, b, s, t) in self.segments() {
            if t - s < 0.5 {
                if (way - s).abs() < 0.5 {
                    found = a.max(b);
                }
            } else if way >= s - 1e-6 {
                found = a.lerp(b, ((way - s) / (t - s)).clamp(0.0, 1.0));
            }
        }
        found
    }

    /// Where the path begins, ends, and turns sharply.
    fn corners(&self) -> Vec<f64> {
        let mut corners = vec![0.0];
        let mut before: Option<DVec2> = None;
        for (a, b, s, t) in self.segments() {
            let Some(way) = crate::polygon::direction(a.truncate(), b.truncate()).filter(|_| t - s >= 0.5)
            else {
                continue;
            };
            if before.is_some_and(|before| before.dot(way) < 0.94) {
                corners.push(s);
            }
            before = Some(way);
        }
        corners.push(self.plan_length());
        corners.dedup_by(|a, b| (*a - *b).abs() < 1.0);
        corners
    }

    /// True if it comes back to where it began.
    fn is_closed(&self) -> bool {
        self.points.first().zip(self.points.last()).is_some_and(|(a, b)| a.distance(*b) < 0.5)
    }

    /// Where posts stand: those at the ends with their whole side on the path, so that none reaches into what it ends at.
    fn posts(&self) -> Vec<f64> {
        let mut corners = self.corners();
        let inside = if self.is_closed() { 0.0 } else { POST / 2.0 };
        if let Some(first) = corners.first_mut() {
            *first += inside;
        }
        if let Some(last) = corners.last_mut() {
            *last -= inside;
        }
        let mut posts = Vec::new();
        for (from, to) in corners.iter().zip(corners.iter().skip(1)) {
            let spans = ((to - from) / POSTS).ceil().max(1.0);
            posts.extend((0..spans as usize).map(|i| from + (to - from) * i as f64 / spans));
        }
        posts.extend(corners.last());
        posts
    }
}

/// A bar from one point to another, its width level.
fn bar(a: DVec3, b: DVec3, size: DVec2) -> Block {
    let z = (b - a).normalize();
    let x = DVec3::Z.cross(z).try_normalize().unwrap_or(DVec3::X);
    let plane = Frame(DAffine3::from_cols(x, z.cross(x), z, a));
    Block { plane, outline: rectangle(-size / 2.0, size / 2.0), depth: a.distance(b) }
}

fn upright(p: DVec2, side: f64, low: f64, high: f64) -> Block {
    let half = DVec2::splat(side / 2.0);
    Block::upright(rectangle(p - half, p + half), low, high)
}

/// The solids of a railing along a path, seen from where the path is; `ground` is the height of what posts stand on.
fn blocks(path: &Path, style: &Style, ground: &dyn Fn(DVec3) -> f64) -> Result<(Vec<Block>, usize), Fault> {
    let total = path.plan_length();
    let posts = path.posts();
    let balusters = if style.infill == Infill::Balusters { total / BALUSTERS } else { 0.0 };
    if posts.len() as f64 + balusters > MOST as f64 {
        let longest = if style.infill == Infill::Balusters { BALUSTERS * 0.9 } else { POSTS } * MOST as f64;
        return Err(Fault::constraint(format!(
            "A railing of {} mm would be made of more than {MOST} parts; make several, at most {} mm long each, or give infill=panel.",
            mm(total),
            mm(longest)
        ))
        .with("field", "path"));
    }
    let under = style.height - RAIL.y;
    let mut found = Vec::new();
    for way in &posts {
        let p = path.at(*way);
        found.push(upright(p.truncate(), POST, ground(p).min(p.z + under - 1.0), p.z + under));
    }
    for (a, b, from, to) in path.segments() {
        let up = |way: f64| DVec3::Z * way;
        let middle = style.height - RAIL.y / 2.0;
        found.push(bar(a + up(middle), b + up(middle), RAIL));
        let level = a.truncate().distance(b.truncate());
        if level < 0.5 {
            continue;
        }
        match style.infill {
            Infill::Balusters => found.push(bar(a + up(FOOT), b + up(FOOT), DVec2::splat(BAR * 1.5))),
            Infill::Panel => {
                let end = |at: bool| if at && !path.is_closed() { POST } else { POST / 2.0 };
                found.extend(pane(a, b, under, [end(from < 0.5), end(to > total - 0.5)]));
            }
            Infill::Rails => {
                let bars = ((under - FOOT) / 150.0).floor().max(1.0);
                for i in 0..bars as usize {
                    let z = FOOT + (under - FOOT) * i as f64 / bars;
                    found.push(bar(a + up(z), b + up(z), DVec2::splat(BAR)));
                }
            }
            Infill::Open => {}
        }
    }
    if style.infill == Infill::Balusters {
        for (from, to) in posts.iter().zip(posts.iter().skip(1)) {
            let spans = ((to - from) / BALUSTERS).ceil().max(1.0);
            for i in 1..spans as usize {
                let p = path.at(from + (to - from) * i as f64 / spans);
                found.push(upright(p.truncate(), BAR, p.z + FOOT, p.z + under));
            }
        }
    }
    Ok((found, posts.len()))
}

/// The pane over a straight piece of the path, between the posts at its ends, which take up so much of it.
fn pane(a: DVec3, b: DVec3, under: f64, posts: [f64; 2]) -> Option<Block> {
    let gap = 10.0;
    let length = a.truncate().distance(b.truncate());
    let along = crate::polygon::direction(a.truncate(), b.truncate())?;
    let (from, to) = (posts[0] + gap, length - posts[1] - gap);
    (to - from > 20.0).then(|| {
        let rise = |x: f64| (b.z - a.z) * x / length;
        let outline = vec![
            DVec2::new(from, rise(from) + FOOT),
            DVec2::new(to, rise(to) + FOOT),
            DVec2::new(to, rise(to) + under),
            DVec2::new(from, rise(from) + under),
        ];
        Block::along(a.truncate(), along, a.z, outline, PANE / 2.0, PANE / 2.0)
    })
}

/// A line moved aside in plan: to the left where `by` is positive.
pub fn aside(points: &[DVec3], by: f64) -> Vec<DVec3> {
    let plan = |i: usize| points.get(i).map(|p| p.truncate());
    let way = |i: usize, j: usize| -> Option<DVec2> {
        let (a, b) = (plan(i)?, plan(j)?);
        (a.distance(b) > 0.5).then(|| (b - a).normalize())
    };
    let mut moved = Vec::new();
    for (i, p) in points.iter().enumerate() {
        let before = (0..i).rev().find_map(|j| way(j, j + 1));
        let after = (i..points.len()).find_map(|j| way(j, j + 1));
        let flat = p.truncate();
        match (before, after) {
            (Some(d), Some(e)) if d.dot(e) < -0.999 => {
                // a line that folds back goes around its end
                moved.push((flat + d.perp() * by + d * by.abs()).extend(p.z));
                moved.push((flat + e.perp() * by + d * by.abs()).extend(p.z));
            }
            (Some(d), Some(e)) => {
                let corner = meet(flat + d.perp() * by, d, flat + e.perp() * by, e);
                moved.push(corner.unwrap_or(flat + d.perp() * by).extend(p.z));
            }
            (Some(d), None) | (None, Some(d)) => moved.push((flat + d.perp() * by).extend(p.z)),
            (None, None) => moved.push(*p),
        }
    }
    moved
}

/// A railing's place: what holds it, the placement that it stands within and the frame of that in the world.
pub struct Place {
    /// The storey, or the stair that it is a part of.
    pub whole: Id,
    /// True where it is a part of a stair.
    pub is_part: bool,
}

/// Makes a railing along a path given within the placement of what holds it.
pub fn create(
    author: &mut Author,
    place: &Place,
    points: &[DVec3],
    style: &Style,
    text: Option<&str>,
    ground: &dyn Fn(DVec3) -> f64,
) -> Result<RailingAnswer, Fault> {
    write(author, place, points, style, text, ground, None)
}

/// Makes a railing, or draws the one there is along another path.
fn write(
    author: &mut Author,
    place: &Place,
    points: &[DVec3],
    style: &Style,
    text: Option<&str>,
    ground: &dyn Fn(DVec3) -> f64,
    existing: Option<Id>,
) -> Result<RailingAnswer, Fault> {
    if !(300.0..=5000.0).contains(&style.height) {
        return Err(Fault::invalid(
            "height",
            format!("`height` is {} mm; railings of 300 to 5000 mm are made.", style.height),
        ));
    }
    let path = Path::new(points);
    if path.plan_length() < 100.0 {
        return Err(Fault::invalid(
            "path",
            "The path of the railing is shorter than 100 mm; points are in mm.",
        ));
    }
    let (blocks, posts) = blocks(&path, style, ground)?;
    let within = author.placement_of(place.whole);
    let placement = author.placement(within, &Frame::WORLD)?;
    let solids = blocks.iter().map(|block| block.write(author)).collect::<Result<Vec<_>, _>>()?;
    let body = author.body(&solids)?;
    let line = super::line3(author, &path.points)?;
    let axis = author.axis_in_space(line)?;
    let shape = author.shape(&[axis, body])?;
    let text = match (existing, text) {
        (Some(id), _) => label(author.edit, id),
        (None, Some(text)) => name("name", text)?,
        (None, None) => free_name(author.edit, "IfcRailing", "Railing"),
    };
    let railing = super::parts::put(
        author,
        existing,
        "IfcRailing",
        &text,
        placement,
        &[("Representation", shape.into())],
    )?;
    match existing {
        Some(_) => {}
        None if place.is_part => author.aggregate(place.whole, railing)?,
        None => author.contain(place.whole, railing)?,
    }
    // the looks of one that is drawn anew stay as they are
    if existing.is_none() {
        let material = style.material.as_deref().unwrap_or("Steel");
        if style.material.is_none() {
            author.assume(format!("railings of {material}"));
        }
        let title = format!("Railing {} mm, {}, {material}", mm(style.height), style.infill.word());
        let kind = author.kind("IfcRailingType", &title, &[("PredefinedType", word("GUARDRAIL"))])?;
        let material = author.material(material)?;
        if author.edit.referrers_of(kind, "IfcRelAssociatesMaterial").is_empty() {
            author.make_of(material, kind)?;
        }
        author.type_as(kind, railing)?;
        author.make_of(material, railing)?;
    }
    let height = author.length_in_file_units(style.height);
    author.describe(
        railing,
        "Pset_RailingCommon",
        &[
            ("Height", Value::typed("IfcPositiveLengthMeasure", Value::Real(height))),
            ("IsExternal", boolean(false)),
        ],
    )?;
    author.quantify(railing, quantity_sets::RAILING, &[("Length", Quantity::Length(path.length()))])?;
    Ok(RailingAnswer {
        railing_id: guid(author.edit, railing),
        name: text,
        level: level_of(author, railing).map(|(storey, _)| label(author.edit, storey)),
        height: mm(style.height),
        length: mm(path.length()),
        posts,
        quantities: read(author.edit, railing, quantity_sets::RAILING),
    })
}

/// The edges of a stair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// Both.
    Both,
    /// The left one, going up.
    Left,
    /// The right one.
    Right,
}

/// The edges of a stair or ramp in its own coordinates, and what posts along them stand on.
pub struct Edges<'a> {
    /// The left and the right one, going up.
    pub edges: [&'a [DVec3]; 2],
    /// Distance of a railing's middle from its edge in mm.
    pub inner: f64,
    /// The height that a post at a point of a railing stands on.
    pub ground: Box<dyn Fn(DVec3) -> f64 + 'a>,
}

impl<'a> Edges<'a> {
    /// Those of a stair.
    pub fn stair(layout: &'a Layout, measures: &Measures, build: Build) -> Self {
        let over = if build == Build::Open { 20.0 } else { 0.0 };
        let riser = measures.riser;
        let ground = move |p: DVec3| {
            let step = layout.ground(p.truncate()).unwrap_or(p.z - riser);
            // an open stair's posts stand on its strings, a solid one's on the steps
            if over > 0.0 && layout.landings.iter().all(|l| (l.top - step).abs() > 0.1) {
                p.z + over
            } else {
                step.min(p.z)
            }
        };
        Self {
            edges: [&layout.left, &layout.right],
            inner: if build == Build::Open { ASIDE.min(measures.width / 16.0) } else { ASIDE },
            ground: Box::new(ground),
        }
    }

    /// Those of a ramp.
    pub fn ramp(left: &'a [DVec3], right: &'a [DVec3]) -> Self {
        Self { edges: [left, right], inner: ASIDE, ground: Box::new(|p| p.z) }
    }

    fn path(&self, side: usize) -> Option<Vec<DVec3>> {
        let edge = self.edges.get(side).filter(|edge| edge.len() > 1)?;
        Some(shortened(aside(edge, if side == 0 { -self.inner } else { self.inner }), POST / 2.0))
    }
}

/// A line that ends so much earlier in plan, so that the last post does not stand in the slab that is reached.
fn shortened(mut points: Vec<DVec3>, by: f64) -> Vec<DVec3> {
    let mut left = by;
    while let [.., a, b] = points[..] {
        let length = a.truncate().distance(b.truncate());
        points.pop();
        if length > left + 0.1 {
            points.push(b.lerp(a, left / length));
            return points;
        }
        left -= length;
    }
    points
}

const SIDES: [&str; 2] = ["left", "right"];
/// The set of properties that a railing along a stair or ramp is drawn anew by.
const SET: &str = "RailingParameters";

/// Makes railings along the edges of a stair or ramp, as parts of it. A spiral stair has an outer edge alone.
pub fn along(
    author: &mut Author,
    whole: Id,
    edges: &Edges<'_>,
    sides: Sides,
    style: &Style,
) -> Result<Vec<RailingAnswer>, Fault> {
    let mut made = Vec::new();
    let text = label(author.edit, whole);
    for (i, side) in SIDES.iter().enumerate() {
        let wanted = match sides {
            Sides::Both => true,
            Sides::Left => i == 0,
            Sides::Right => i == 1,
        };
        let Some(path) = edges.path(i).filter(|_| wanted) else { continue };
        let place = Place { whole, is_part: true };
        let text = format!("{text} railing {side}");
        let one = write(author, &place, &path, style, Some(&text), &edges.ground, None)?;
        if let Some(id) = author.edit.by_guid(&one.railing_id) {
            let height = Value::Real(author.length_in_file_units(style.height));
            let known = [
                ("Side", Value::typed("IfcLabel", Value::from(*side))),
                ("Infill", Value::typed("IfcLabel", Value::from(style.infill.word()))),
                ("Height", Value::typed("IfcLengthMeasure", height)),
            ];
            author.describe(id, SET, &known)?;
        }
        made.push(one);
    }
    if made.is_empty() {
        return Err(Fault::constraint(format!(
            "{text} has no edge on this side that a railing could stand on; a spiral stair has its outer edge alone."
        ))
        .with("field", "railings"));
    }
    Ok(made)
}

/// Draws the railings of a stair or ramp along its edges as they are now; answers those that were. One that was not made along an
/// edge stays as it is.
pub fn redraw(author: &mut Author, whole: Id, railings: &[Id], edges: &Edges<'_>) -> Result<Vec<Id>, Fault> {
    let mut drawn = Vec::new();
    for id in railings {
        let get = |name: &str| ifc::psets::get(author.edit, *id, SET, name);
        let word = |name: &str| get(name).and_then(|v| v.as_text().map(ToString::to_string));
        let side = word("Side").and_then(|side| SIDES.iter().position(|s| *s == side));
        let infill = word("Infill").and_then(|infill| {
            [Infill::Balusters, Infill::Panel, Infill::Rails, Infill::Open]
                .into_iter()
                .find(|i| i.word() == infill)
        });
        let height = get("Height").and_then(|h| h.as_f64()).map(|h| author.units().to_mm(h));
        let Some(((side, infill), height)) = side.zip(infill).zip(height) else { continue };
        let Some(path) = edges.path(side) else { continue };
        let style = Style { height, infill, material: None };
        let place = Place { whole, is_part: true };
        write(author, &place, &path, &style, None, &edges.ground, Some(*id))?;
        drawn.push(*id);
    }
    Ok(drawn)
}

/// Reads a path [[x, y, z], …] in the world, z above the storey, as seen from the storey's placement.
pub fn path_on(author: &Author, storey: Id, points: &[Vec<f64>], closed: bool) -> Result<Vec<DVec3>, Fault> {
    let frame = author.frame(storey)?;
    let mut path = Vec::with_capacity(points.len() + 1);
    for (i, point) in points.iter().enumerate() {
        let field = format!("path[{i}]");
        let plan = plan_point(&field, point)?;
        let z = finite(&field, height_of(point))?;
        path.push(frame.into_own(plan.extend(frame.translation.z)).with_z(z));
    }
    if path.len() < 2 {
        return Err(Fault::invalid("path", "`path` needs at least two points [x, y] or [x, y, z] in mm."));
    }
    if closed {
        path.extend(path.first().copied());
    }
    Ok(path)
}

/// The edge of a slab, or of an opening in one, as the path of a railing on it: points seen from the storey's placement, closed
/// unless a stair arrives at it, where it has a gap as wide as the stair.
pub fn edge_of(author: &Author, element: Id) -> Result<(Id, Vec<DVec3>), Fault> {
    let host = ifc::relations::host_of_opening(author.edit, element);
    let slab = Slab::read(author, host.unwrap_or(element))?;
    let storey = ifc::relations::storey_of(author.edit, slab.id)
        .ok_or_else(|| Fault::constraint(format!("{} stands in no storey.", label(author.edit, slab.id))))?;
    let frame = author.frame(storey)?;
    let outline = if host.is_none() {
        slab.outline_in_world()
    } else {
        let placed = author.frame(element)?;
        let prism = crate::solids::prism_of(author.edit, element, author.units().length_mm);
        let prism = prism.filter(|_| placed.is_upright()).ok_or_else(|| {
            Fault::constraint(format!(
                "The opening {} is not upright with straight edges, so its edge cannot be followed; give `path` instead.",
                label(author.edit, element)
            ))
            .with("field", "along")
        })?;
        prism.outline.iter().map(|p| placed.transform_point3(p.extend(0.0)).truncate()).collect()
    };
    let outline = crate::regions::counter_clockwise(&outline);
    // on the slab: inside its edge, outside that of an opening
    let away = if host.is_some() { ASIDE } else { -ASIDE };
    let moved = crate::regions::offset(&outline, away).ok_or_else(|| {
        Fault::constraint("The edge is too short for a railing beside it; give `path` instead.")
            .with("field", "along")
    })?;
    let top = slab.frame.translation.z + slab.base + slab.thickness;
    let arrivals = host.map(|_| arrivals_at(author, element)).unwrap_or_default();
    let path = gapped(&moved, &arrivals);
    Ok((storey, path.into_iter().map(|p| frame.into_own(p.extend(top))).collect()))
}

/// Makes railings beside the edge of an opening where a room's floor goes on, as far as no stair arrives there and no wall stands.
pub fn around(
    author: &mut Author,
    opening: Id,
    room: &[DVec2],
    style: &Style,
) -> Result<Vec<RailingAnswer>, Fault> {
    let (storey, path) = edge_of(author, opening)?;
    let frame = author.frame(storey)?;
    let world: Vec<DVec2> = path.iter().map(|p| frame.transform_point3(*p).truncate()).collect();
    let top = path.first().map_or(0.0, |p| p.z);
    // so far from walls that posts stand free
    let Some(free) = crate::regions::offset(room, -POST) else { return Ok(Vec::new()) };
    let mut made = Vec::new();
    for part in parts_within(&world, &free) {
        if part.array_windows::<2>().map(|[a, b]| a.distance(*b)).sum::<f64>() < 200.0 {
            continue;
        }
        let points: Vec<DVec3> =
            part.iter().map(|p| frame.into_own(p.extend(frame.translation.z)).with_z(top)).collect();
        let place = Place { whole: storey, is_part: false };
        made.push(create(author, &place, &points, style, None, &|p| p.z)?);
    }
    Ok(made)
}

/// The parts of a line that lie within an outline.
fn parts_within(line: &[DVec2], outline: &[DVec2]) -> Vec<Vec<DVec2>> {
    let mut parts: Vec<Vec<DVec2>> = Vec::new();
    for [a, b] in line.array_windows::<2>() {
        let way = *b - *a;
        let mut cuts = vec![0.0, 1.0];
        for (p, q) in crate::polygon::edges(outline) {
            let edge = q - p;
            let turn = way.perp_dot(edge);
            if turn.abs() > 1e-9 {
                let (own, theirs) = ((p - *a).perp_dot(edge) / turn, (p - *a).perp_dot(way) / turn);
                if (0.0..=1.0).contains(&own) && (0.0..=1.0).contains(&theirs) {
                    cuts.push(own);
                }
            }
        }
        cuts.sort_by(f64::total_cmp);
        for [from, to] in cuts.array_windows::<2>() {
            let (start, end) = (*a + way * *from, *a + way * *to);
            if start.distance(end) < 1.0 || !crate::polygon::contains(outline, start.midpoint(end)) {
                continue;
            }
            match parts.last_mut() {
                Some(part) if part.last().is_some_and(|last| last.distance(start) < 1.0) => part.push(end),
                _ => parts.push(vec![start, end]),
            }
        }
    }
    parts
}

/// Where stairs arrive at an opening that was cut for them: middle of the last riser, and half the width.
fn arrivals_at(author: &Author, opening: Id) -> Vec<(DVec2, f64)> {
    author
        .edit
        .referrers_of(opening, "IfcRelAssignsToProduct")
        .into_iter()
        .filter_map(|id| author.edit.get(id)?.reference("RelatingProduct"))
        .filter_map(|stair| {
            let known = parameters::known(author, stair)?;
            let arrival = author.frame(stair).ok()?.transform_point3(known.layout.arrival.extend(0.0));
            Some((arrival.truncate(), known.measures.width / 2.0))
        })
        .collect()
}

/// A closed outline as a path that begins and ends beside the first arrival near it; closed where there is none.
fn gapped(outline: &[DVec2], arrivals: &[(DVec2, f64)]) -> Vec<DVec2> {
    for (arrival, half) in arrivals {
        for (i, (a, b)) in crate::polygon::edges(outline).enumerate() {
            let Some(way) = crate::polygon::direction(a, b) else { continue };
            let along = (*arrival - a).dot(way);
            let off = (*arrival - a).perp_dot(way).abs();
            if off > ASIDE + 5.0 || along < 0.0 || along > a.distance(b) {
                continue;
            }
            // from behind the gap around to before it
            let mut path = Vec::new();
            let length = a.distance(b);
            if along + half < length - 1.0 {
                path.push(a + way * (along + half));
            }
            let n = outline.len();
            path.extend((1..=n).filter_map(|j| outline.get((i + j) % n)));
            if along - half > 1.0 {
                path.push(a + way * (along - half));
            }
            return path;
        }
    }
    outline.iter().chain(outline.first()).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_moved_aside_keeps_its_corners() {
        let line = [DVec3::ZERO, DVec3::new(1000.0, 0.0, 5.0), DVec3::new(1000.0, 1000.0, 9.0)];
        let moved = aside(&line, 40.0);
        assert_eq!(
            moved,
            [DVec3::new(0.0, 40.0, 0.0), DVec3::new(960.0, 40.0, 5.0), DVec3::new(960.0, 1000.0, 9.0)]
        );
    }

    #[test]
    fn posts_stand_at_ends_and_corners_and_no_further_apart_than_they_may() {
        let path = Path::new(&[DVec3::ZERO, DVec3::new(3000.0, 0.0, 0.0), DVec3::new(3000.0, 1000.0, 0.0)]);
        let rounded: Vec<f64> = path.posts().iter().map(|way| way.round()).collect();
        assert_eq!(rounded, [20.0, 1013.0, 2007.0, 3000.0, 3980.0]);
    }
}
