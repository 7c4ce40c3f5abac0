//! Doors and windows in plan: where their openings lie, how deep the wall is there, and the symbols of their leaves.

use super::clip::crossings;
use super::viewed::{Figure, Viewed};
use geometry::bodies::Bodies;
use geometry::region::Loop;
use geometry::{Bounds, Shaper};
use glam::{DVec2, DVec3};
use ifc::relations::Links;
use ifc::{Id, psets};
use std::collections::HashMap;

/// The distance in metres beside an opening at which the wall's faces are looked for.
const BESIDE: f64 = 0.03;
/// A body that goes farther across the wall than this, in metres, holds an open leaf and tells no frame.
const DEEP: f64 = 0.6;
/// The depth of a frame whose body tells none, in metres.
const FRAME_DEPTH: f64 = 0.08;
/// The distance in metres by which a frame may stand out of the wall.
const PROUD: f64 = 0.02;
/// The least depth of a frame in metres.
const LEAST_FRAME: f64 = 0.03;
/// The longest text that is a mark as it stands.
const MARK_LETTERS: usize = 8;

/// A door or window in plan, in metres of the world.
#[derive(Debug, Clone)]
pub(super) struct Filling {
    pub id: Id,
    pub is_door: bool,
    /// The middle of the opening, in the middle of the filling's own depth.
    pub middle: DVec2,
    /// The x axis of its placement, in plan.
    pub along: DVec2,
    /// From where to where the opening goes along, counted from the middle.
    pub x: [f64; 2],
    /// From where to where its own body goes across.
    pub own: [f64; 2],
    /// From where to where the wall goes across.
    pub wall: [f64; 2],
    pub sill: f64,
    pub head: f64,
    /// The way that it opens, as the schema says it; empty where nothing is said.
    pub operation: String,
    /// Its mark; empty where the file has none.
    pub mark: String,
    /// True if the body holds a leaf that stands open.
    pub is_open: bool,
}

impl Filling {
    /// Across the wall towards the y of its placement.
    pub fn through(&self) -> DVec2 {
        self.along.perp()
    }

    /// A point in plan, `x` along the wall from the middle and `y` across.
    pub fn at(&self, x: f64, y: f64) -> DVec2 {
        self.middle + self.along * x + self.through() * y
    }

    /// The width of its opening.
    pub fn width(&self) -> f64 {
        self.x[1] - self.x[0]
    }

    /// The rectangle of its frame.
    pub fn frame(&self) -> Loop {
        let ([l, r], [a, b]) = (self.x, self.own);
        vec![self.at(l, a), self.at(r, a), self.at(r, b), self.at(l, b)]
    }
}

/// The doors and windows among elements, each where its opening is.
pub(super) fn fillings(
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    viewed: &Viewed,
    ids: &[(Id, Bounds)],
    mesh: &dyn Fn(Id) -> Vec<DVec3>,
) -> Vec<Filling> {
    let cuts: HashMap<Id, &Figure> = viewed.figures.iter().map(|f| (f.id, f)).collect();
    let model = links.model();
    let one = |(id, bounds): &(Id, Bounds)| {
        let instance = model.get(*id)?;
        let frame = instance.reference("ObjectPlacement").and_then(|p| shaper.reader.world(p));
        let axis = frame.map(|f| f.x_axis.truncate()).filter(|a| a.length() > 0.9);
        let mut along = axis.map_or(DVec2::X, DVec2::normalize);
        let points = mesh(*id);
        let size = |axis: DVec2, of: &[DVec3]| extent(of.iter().map(|p| p.truncate().dot(axis)));
        let hole = hole(shaper, links, *id);
        // an exporter's axis may go across the wall: a filling without a hole lies along its longer side
        if hole.is_empty() {
            let ([a, b], [c, d]) = (size(along, &points), size(along.perp(), &points));
            if d - c > 1.5 * (b - a) {
                along = along.perp();
            }
        }
        let own = size(along.perp(), &points);
        let [left, right] = size(along, if hole.is_empty() { &points } else { &hole });
        let [low, high] =
            if hole.is_empty() { [bounds.min.z, bounds.max.z] } else { extent(hole.iter().map(|p| p.z)) };
        if ![own[0], own[1], left, right, low, high].iter().all(|v| v.is_finite()) || right - left < 1e-3 {
            return None;
        }
        let host = links.host_of(*id);
        let is_open = own[1] - own[0] > DEEP && own[1] - own[0] > 0.4 * (right - left);
        let hole_across = if hole.is_empty() { own } else { size(along.perp(), &hole) };
        let across = if is_open { hole_across } else { own };
        let y = f64::midpoint(across[0], across[1]);
        let middle = along * f64::midpoint(left, right) + along.perp() * y;
        let half = (right - left) / 2.0;
        let own = [across[0] - y, across[1] - y];
        let own = if own[1] - own[0] > DEEP { [-FRAME_DEPTH / 2.0, FRAME_DEPTH / 2.0] } else { own };
        let wall = host
            .and_then(|host| cuts.get(&host))
            .and_then(|figure| faces(figure, middle, along, half))
            .unwrap_or(own);
        // handles stand out of the wall; the frame does not
        let own = within_wall(own, wall);
        Some(Filling {
            id: *id,
            is_door: instance.is_a("IfcDoor"),
            middle,
            along,
            x: [-half, half],
            own,
            wall,
            sill: low,
            head: high,
            operation: operation(links, *id),
            mark: mark(links, *id),
            is_open,
        })
    };
    ids.iter().filter_map(one).collect()
}

/// The part of a body's depth that lies in the wall, where enough of it does.
fn within_wall(own: [f64; 2], wall: [f64; 2]) -> [f64; 2] {
    let inner = [own[0].max(wall[0] - PROUD), own[1].min(wall[1] + PROUD)];
    if inner[1] - inner[0] > LEAST_FRAME { inner } else { own }
}

/// The faces of the wall beside an opening, from its cut.
fn faces(host: &Figure, middle: DVec2, along: DVec2, half: f64) -> Option<[f64; 2]> {
    let loops: Vec<Loop> = host.seen.cut.areas.iter().flat_map(|a| a.loops().cloned()).collect();
    let through = along.perp();
    const REACH: f64 = 2.0;
    // beside a row of windows the wall is farther off
    let beside = [BESIDE, 4.0 * BESIDE, 0.5, 1.0, 2.0].into_iter().flat_map(|x| [half + x, -half - x]);
    for x in std::iter::once(0.0).chain(beside) {
        let foot = middle + along * x;
        let (a, b) = (foot - through * REACH, foot + through * REACH);
        let at = crossings(a, b, &loops);
        // the leaves of a cavity wall are one wall
        let near = at.as_chunks::<2>().0.iter().map(|p| p.map(|t| (t * 2.0 - 1.0) * REACH));
        let near: Vec<[f64; 2]> = near.filter(|p| p[0] < 0.5 && p[1] > -0.5).collect();
        if let (Some(first), Some(last)) = (near.first(), near.last()) {
            return Some([first[0], last[1]]);
        }
    }
    None
}

/// The corners of the opening that a door or window fills, in metres of the world; none where it fills none.
pub(super) fn hole(shaper: &Shaper<'_>, links: &Links<'_>, id: Id) -> Vec<DVec3> {
    let cut = links.opening_of_filling(id).and_then(|opening| shaper.gross_bodies(opening).ok());
    cut.iter().flat_map(Bodies::iter).flat_map(geometry::Solid::points).collect()
}

/// The least and the greatest of numbers.
pub(super) fn extent(of: impl Iterator<Item = f64>) -> [f64; 2] {
    of.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
}

/// The way a door opens, of its own or of its type (OperationType; IFC2X3: IfcDoorStyle.OperationType).
fn operation(links: &Links<'_>, id: Id) -> String {
    let owners = [Some(id), links.type_of(id)].into_iter().flatten();
    let mut words = owners.filter_map(|owner| links.model().get(owner)?.enumeration("OperationType"));
    words.find(|word| word != "NOTDEFINED").unwrap_or_default()
}

/// The mark of a door or window: a property `Mark`, a short name, or its Tag.
fn mark(links: &Links<'_>, id: Id) -> String {
    let sets = psets::of_with(links, id);
    let property = sets.iter().flat_map(|s| &s.properties).find(|p| p.name.eq_ignore_ascii_case("mark"));
    let stated = property.and_then(|p| p.value.as_text().map(str::to_owned));
    let instance = links.model().get(id);
    let is_short = |text: &String| !text.trim().is_empty() && text.chars().count() <= MARK_LETTERS;
    stated
        .filter(is_short)
        .or_else(|| instance.and_then(|i| i.name()).filter(is_short))
        .or_else(|| instance.and_then(|i| i.text("Tag")).filter(is_short))
        .unwrap_or_default()
}
