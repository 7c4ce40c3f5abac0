//! Doors and other passages through walls: where they are in plan, how wide they are clear, and what they lead to.
//!
//! The clear width of a door is what the file states of it (a property named ClearWidth), else the lesser of its own width and its
//! opening's, less the frame at both sides: the lining's thickness where the file has it, else 40 mm a side. An opening
//! without a door is clear as wide as it is.

use geometry::query::{Element, Index, Ray};
use geometry::region::Loop;
use geometry::{Bounds, Shaper};
use glam::{DVec2, DVec3};
use ifc::relations::Links;
use ifc::{Id, psets};

/// A passage through a wall, in metres of the world.
#[derive(Debug, Clone)]
pub struct Door {
    /// The door, or the opening where nothing fills it.
    pub element: Id,
    /// True for an opening without a door.
    pub is_open: bool,
    /// The middle of its threshold in plan.
    pub middle: DVec2,
    /// Along the wall, at length one.
    pub along: DVec2,
    /// From where to where the wall goes across, counted from the middle.
    pub across: [f64; 2],
    /// Width of the opening.
    pub width: f64,
    /// Clear width.
    pub clear: f64,
    /// The ground that the clear width stands on.
    pub basis: Basis,
    /// Height of its threshold.
    pub sill: f64,
    /// Height of its head.
    pub head: f64,
    /// The way that it opens, as the schema says it, such as SINGLE_SWING_LEFT; empty where nothing is said.
    pub operation: String,
    /// True if the file says that it leads outside, false if it says that it does not.
    pub is_external: Option<bool>,
}

/// The ground that a clear width stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// A property of the file.
    Stated,
    /// The width less the lining that the file has.
    Lining,
    /// The width less 40 mm a side.
    Usual,
    /// The opening's own width.
    Opening,
}

/// The frame at one side where the file has none, in metres.
pub const FRAME: f64 = 0.04;
/// The least depth of a passage, in metres.
const THIN: f64 = 0.05;

impl Door {
    /// Across the wall, at length one.
    pub fn through(&self) -> DVec2 {
        self.along.perp()
    }

    /// A point in plan, `x` along the wall from the middle and `y` across.
    pub fn at(&self, x: f64, y: f64) -> DVec2 {
        self.middle + self.along * x + self.through() * y
    }

    /// The rectangle between two places along the wall, as deep as the wall and `more` beyond on both sides.
    pub fn rectangle(&self, from: f64, to: f64, more: f64) -> Loop {
        let [low, high] = [self.across[0] - more, self.across[1] + more];
        vec![self.at(from, low), self.at(to, low), self.at(to, high), self.at(from, high)]
    }

    /// The two points before and behind it, so many metres off the wall, half a metre over its threshold.
    pub fn sides(&self, off: f64) -> [DVec3; 2] {
        let ends = [self.across[0] - off, self.across[1] + off];
        ends.map(|y| self.at(0.0, y).extend(self.sill + 0.5))
    }

    /// Returns true if a line in plan goes through it.
    pub fn is_crossed(&self, p: DVec2, q: DVec2) -> bool {
        let local = |p: DVec2| {
            let d = p - self.middle;
            DVec2::new(d.dot(self.along), d.dot(self.through()))
        };
        let (a, b) = (local(p), local(q));
        let middle = f64::midpoint(self.across[0], self.across[1]);
        if (a.y < middle) == (b.y < middle) {
            return false;
        }
        let x = a.x + (b.x - a.x) * (middle - a.y) / (b.y - a.y);
        x.abs() <= self.width / 2.0 + 1e-6
    }
}

/// The doors of a model and the openings through which one could walk, in the order of their numbers.
pub fn doors(shaper: &Shaper<'_>, links: &Links<'_>, index: &Index) -> Vec<Door> {
    let model = shaper.reader.model;
    let mut found = Vec::new();
    for id in model.of_class("IfcDoor") {
        let Some(own) = index.get(id) else { continue };
        let host = links.host_of(id).and_then(|host| index.get(host));
        found.extend(door(shaper, links, own, host.map(AsRef::as_ref)));
    }
    let voids = model.of_class("IfcOpeningElement").into_iter();
    for id in voids.filter(|id| links.fillings_of(*id).is_empty()) {
        let Some(host) = links.host_of_opening(id) else { continue };
        let is_wall = model.get(host).is_some_and(|i| i.is_a("IfcWall"));
        let Some(wall) = index.get(host).filter(|_| is_wall) else { continue };
        let made = passage(shaper, links, id, Some(id), Some(wall.as_ref()), None);
        found.extend(made.filter(|door| door.head - door.sill > 1.0 && door.width > 0.3));
    }
    found.sort_by_key(|door| door.element);
    found
}

/// The passage that a door makes in its host, of the bodies of both.
pub fn door(shaper: &Shaper<'_>, links: &Links<'_>, own: &Element, host: Option<&Element>) -> Option<Door> {
    passage(shaper, links, own.id(), links.opening_of_filling(own.id()), host, Some(own))
}

/// The passage that a door or an opening makes.
fn passage(
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    id: Id,
    opening: Option<Id>,
    host: Option<&Element>,
    own: Option<&Element>,
) -> Option<Door> {
    let model = shaper.reader.model;
    let cut = opening.and_then(|opening| shaper.gross_bodies(opening).ok());
    let points: Vec<DVec3> = match (&cut, own) {
        (Some(bodies), _) => bodies.iter().flat_map(geometry::Solid::points).collect(),
        (None, Some(own)) => own.mesh().positions.clone(),
        _ => return None,
    };
    let along = direction(shaper, id, own, host, &points)?;
    let through = along.perp();
    let extent = |axis: DVec2, of: &[DVec3]| {
        let all = of.iter().map(|p| p.truncate().dot(axis));
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
    };
    let bounds = Bounds::from_points(points.iter().copied());
    let (left, right) = extent(along, &points);
    let (low, high) = extent(through, own.map_or(points.as_slice(), |own| &own.mesh().positions));
    let middle = along * f64::midpoint(left, right) + through * f64::midpoint(low, high);
    let width = right - left;
    let depth = host.and_then(|host| jamb(host, along, middle, width, bounds.min.z));
    let half = ((high - low) / 2.0).max(THIN);
    let across = depth.unwrap_or([-half, half]);
    let stated_width = own.and_then(|_| model.get(id)?.number("OverallWidth"));
    let units = ifc::Units::from_model(model);
    let stated_width = stated_width.map(|w| units.to_mm(w) / 1000.0).filter(|w| *w > 0.1);
    let least = stated_width.map_or(width, |stated| stated.min(width));
    let (clear, basis) = match own {
        None => (width, Basis::Opening),
        Some(_) => match clear_property(links, id, &units) {
            Some(stated) => (stated.min(width), Basis::Stated),
            None => match lining(links, id, &units) {
                Some(lining) => (least - 2.0 * lining, Basis::Lining),
                None => (least - 2.0 * FRAME, Basis::Usual),
            },
        },
    };
    let external =
        psets::find_with(links, id, "Pset_DoorCommon", "IsExternal").and_then(|p| p.value.as_bool());
    Some(Door {
        element: id,
        is_open: own.is_none(),
        middle,
        along,
        across,
        width,
        clear,
        basis,
        sill: bounds.min.z,
        head: bounds.max.z,
        operation: operation(links, id),
        is_external: external,
    })
}

/// Along the wall: the door's own x axis where the wall or the body agrees, else the way that the body is longer.
fn direction(
    shaper: &Shaper<'_>,
    id: Id,
    own: Option<&Element>,
    host: Option<&Element>,
    points: &[DVec3],
) -> Option<DVec2> {
    let model = shaper.reader.model;
    let placement = model.get(id)?.reference("ObjectPlacement");
    let axis = placement.and_then(|p| shaper.reader.world(p)).map(|frame| frame.x_axis.truncate());
    let axis = axis.filter(|axis| axis.length() > 0.9).map_or(DVec2::X, DVec2::normalize);
    let size = |axis: DVec2, of: &[DVec3]| {
        let all = of.iter().map(|p| p.truncate().dot(axis));
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        high - low
    };
    // a wall is thin across at the opening: how far one sees through it on either axis
    if let Some(host) = host {
        let middle = Bounds::from_points(points.iter().copied()).centre();
        let free = |way: DVec2| {
            let reach = |way: DVec2| {
                let ray = Ray::new(middle, way.extend(0.0))?.up_to(10.0);
                host.first_hit(&ray).map(|hit| hit.distance)
            };
            reach(way).into_iter().chain(reach(-way)).fold(f64::INFINITY, f64::min)
        };
        let (one, other) = (free(axis), free(axis.perp()));
        if one.is_finite() && !other.is_finite() {
            return Some(axis);
        }
        if other.is_finite() && !one.is_finite() {
            return Some(axis.perp());
        }
    }
    let of = own.map_or(points, |own| &own.mesh().positions);
    Some(if size(axis, of) >= size(axis.perp(), of) { axis } else { axis.perp() })
}

/// From where to where the wall goes across beside an opening, counted from the opening's middle.
fn jamb(host: &Element, along: DVec2, middle: DVec2, width: f64, sill: f64) -> Option<[f64; 2]> {
    let through = along.perp();
    for (beside, over) in [(0.05, 1.0), (-0.05, 1.0), (0.02, 0.5), (-0.02, 0.5), (0.15, 1.5), (-0.15, 1.5)] {
        let x = (width / 2.0 + f64::abs(beside)) * f64::signum(beside);
        let from = middle + along * x - through * 2.0;
        let Some(ray) = Ray::new(from.extend(sill + over), through.extend(0.0)) else { continue };
        let hits = host.hits(&ray.up_to(4.0));
        let mut entered: Option<f64> = None;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for hit in hits {
            let at = hit.distance - 2.0;
            if !hit.is_from_inside(through.extend(0.0)) {
                entered = Some(at);
            } else if let Some(start) = entered.take() {
                // the leaves of a cavity wall are one wall
                if start < 0.4 && at > -0.4 {
                    (low, high) = (low.min(start), high.max(at));
                }
            }
        }
        if high - low > 0.01 {
            return Some([low, high]);
        }
    }
    None
}

/// A property of any set that is named as the clear width, in metres.
fn clear_property(links: &Links<'_>, id: Id, units: &ifc::Units) -> Option<f64> {
    let model = links.model();
    let is_clear = |name: &str| {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        plain.eq_ignore_ascii_case("ClearWidth") || plain.eq_ignore_ascii_case("ClearOpeningWidth")
    };
    let sets = psets::merged(links, id);
    let found = sets.iter().flat_map(|set| &set.properties).find(|p| is_clear(&p.name))?;
    found
        .in_si(model, units)
        .or_else(|| found.value.as_f64().map(|v| units.to_mm(v) / 1000.0))
        .filter(|w| *w > 0.1)
}

/// The thickness of a door's lining that the file has, in metres.
fn lining(links: &Links<'_>, id: Id, units: &ifc::Units) -> Option<f64> {
    let model = links.model();
    let (own, of_type) = psets::definitions_of(links, id);
    let sets = own.into_iter().chain(of_type).filter_map(|set| model.get(set));
    let lining =
        sets.filter(|set| set.is_a("IfcDoorLiningProperties")).find_map(|set| set.number("LiningThickness"));
    lining.map(|v| units.to_mm(v) / 1000.0).filter(|v| *v > 0.0 && *v < 0.3)
}

/// The way a door opens, of its own or of its type.
pub fn operation(links: &Links<'_>, id: Id) -> String {
    let model = links.model();
    let owners = [Some(id), links.type_of(id)].into_iter().flatten();
    let mut words = owners.filter_map(|owner| model.get(owner)?.enumeration("OperationType"));
    words.find(|word| word != "NOTDEFINED").unwrap_or_default()
}
