//! Plans and sections of a model: which plane, how far beyond it is looked, which elements are drawn how, and the words on them.
//!
//! A plan is cut above a storey's floor, seen from above and no deeper than that floor. A section looks along its plane's normal,
//! from the side that the normal points to. Rooms give plans their names, storeys give sections their heights. Lines and cuts are
//! the business of `geometry::view`, paper that of `geometry::drawing`.

use crate::picture::title;
use crate::storey::{floor_height, storeys_by_height};
use geometry::drawing::{Caption, Cut, Drawing, Figure, LevelLine};
use geometry::region::Area;
use geometry::scene::{Entry, GoOn, Scene};
use geometry::section::{self, Plane};
use geometry::view::{self, Seen, Shown};
use glam::{DVec2, DVec3};
use ifc::placement::unit;
use ifc::{Id, Model};

/// Metres below a storey's floor that a plan still shows: thresholds and finishes.
const BELOW_FLOOR: f64 = 0.1;

/// The classes whose cut is filled: what carries or divides.
const HEAVY: [&str; 14] = [
    "IfcWall",
    "IfcSlab",
    "IfcRoof",
    "IfcColumn",
    "IfcBeam",
    "IfcMember",
    "IfcFooting",
    "IfcPile",
    "IfcStair",
    "IfcStairFlight",
    "IfcRamp",
    "IfcRampFlight",
    "IfcSite",
    "IfcBuildingElementProxy",
];

/// Where a model is cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CutPlane {
    /// A storey, so many metres above its floor.
    Plan {
        /// The storey.
        storey: Id,
        /// Metres above the floor.
        height: f64,
    },
    /// Any plane.
    Section {
        /// A point of it in metres of the world.
        origin: DVec3,
        /// The direction to the viewer.
        normal: DVec3,
    },
}

/// A view that was cut, as data.
pub struct CutView {
    at: CutPlane,
    plane: Plane,
    seen: Vec<Seen>,
}

impl CutPlane {
    /// A section at a point, in metres of the world, seen from where a direction points to.
    pub fn section(origin: [f64; 3], normal: [f64; 3]) -> Self {
        Self::Section { origin: DVec3::from(origin), normal: DVec3::from(normal) }
    }

    /// Returns the plane with north or the sky at its top; `None` where its normal has no direction.
    fn plane(&self, model: &Model) -> Option<Plane> {
        match *self {
            Self::Plan { storey, height } => Plane::level(floor_height(model, storey) + height),
            Self::Section { origin, normal } => {
                let up = if is_level(normal) { DVec3::Y } else { DVec3::Z };
                Plane::new(origin, normal, up.cross(unit(normal)?))
            }
        }
    }
}

/// Returns true if a plane of this normal is level.
fn is_level(normal: DVec3) -> bool {
    unit(normal).is_some_and(|n| n.z.abs() > 0.999)
}

/// Cuts a model and finds what is seen beyond, down to a depth in metres (for a plan without one: to its floor). `Ok(None)`
/// where `go_on` ended it.
pub fn cut(
    scene: &Scene,
    at: CutPlane,
    depth: Option<f64>,
    go_on: GoOn<'_>,
) -> Result<Option<CutView>, BadPlane> {
    let plane = at.plane(scene.model()).ok_or(BadPlane)?;
    let usual = match at {
        CutPlane::Plan { height, .. } => height + BELOW_FLOOR,
        CutPlane::Section { .. } => f64::INFINITY,
    };
    let wanted = view::Wanted { depth: depth.unwrap_or(usual), ..view::Wanted::default() };
    let is_plan = matches!(at, CutPlane::Plan { .. });
    let drawn = scene.entries().iter().filter(|e| {
        // triangles of terrain say nothing on a plan of rooms
        e.is_drawn() && !e.is_space && !(is_plan && is_ground(e)) && is_met(e, &plane, wanted.depth)
    });
    let shown: Vec<Shown<'static>> =
        drawn.filter_map(|e| Some(Shown::new(e.id, scene.shape(e.id)?.as_ref()))).collect();
    Ok(view::of_elements(&shown, &plane, &wanted, go_on).map(|seen| CutView { at, plane, seen }))
}

/// The plane has no direction, or a number in it is not finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadPlane;

fn is_ground(entry: &Entry) -> bool {
    matches!(entry.class.as_str(), "IfcSite" | "IfcGeographicElement")
}

/// Returns true if an element's box lies partly behind the plane, no deeper than this.
fn is_met(entry: &Entry, plane: &Plane, depth: f64) -> bool {
    let depths = entry.bounds.corners().map(|corner| -plane.flat(corner).z);
    let (near, far) = depths.fold((f64::INFINITY, f64::NEG_INFINITY), |(n, f), d| (n.min(d), f.max(d)));
    near <= depth && far >= -1e-5
}

impl CutView {
    /// Returns the elements that are cut, in no particular order.
    pub fn cut_elements(&self) -> impl Iterator<Item = Id> {
        self.seen.iter().filter(|s| !s.cut.areas.is_empty() || !s.cut.lines.is_empty()).map(|s| s.element)
    }

    /// Returns how many elements are seen beyond the plane and not cut.
    pub fn seen_only(&self) -> usize {
        self.seen.len() - self.cut_elements().count()
    }

    /// Returns the area that is cut of all elements, in m².
    pub fn cut_area(&self) -> f64 {
        self.seen.iter().map(|s| s.cut.size()).sum()
    }

    /// Puts it on paper at one to `scale`.
    pub fn drawing(&self, scene: &Scene, scale: f64) -> Drawing<'_> {
        let model = scene.model();
        let figures = self.seen.iter().map(|seen| {
            let entry = scene.entry(seen.element);
            let is_heavy = model.get(seen.element).is_some_and(|e| HEAVY.iter().any(|class| e.is_a(class)));
            Figure {
                seen,
                id: entry.map(|e| e.global_id.clone()).unwrap_or_default(),
                class: entry.map(|e| e.class.clone()).unwrap_or_default(),
                name: model.get(seen.element).and_then(|e| e.name()),
                cut: if is_heavy { Cut::Heavy } else { Cut::Light },
            }
        });
        let (title, captions, levels) = match self.at {
            CutPlane::Plan { storey, height } => {
                let words = format!("{}, cut {height:.2} m above its floor", title(model, storey));
                (words, self.room_names(scene, storey), Vec::new())
            }
            CutPlane::Section { normal, .. } => {
                let levels = if is_level(normal) { Vec::new() } else { self.level_lines(model) };
                (format!("Section looking {}", direction(normal)), Vec::new(), levels)
            }
        };
        Drawing { title, scale, figures: figures.collect(), captions, levels }
    }

    /// The names of a storey's rooms, in the middle of the widest place of each.
    fn room_names(&self, scene: &Scene, storey: Id) -> Vec<Caption> {
        let rooms = scene.entries().iter().filter(|e| e.is_space && e.storey == Some(storey) && e.is_drawn());
        let caption = |room: &std::sync::Arc<Entry>| {
            let cut = section::of_mesh(&scene.shape(room.id)?.mesh(), &self.plane);
            let area = cut.areas.into_iter().max_by(|a, b| a.size().total_cmp(&b.size()))?;
            Some(Caption { at: widest_place(&area)?, text: title(scene.model(), room.id) })
        };
        rooms.filter_map(caption).collect()
    }

    /// The storeys' heights, where the plane stands upright.
    fn level_lines(&self, model: &Model) -> Vec<LevelLine> {
        if self.plane.frame().y_axis.z < 0.999 {
            return Vec::new();
        }
        let line = |(storey, z): (Id, f64)| LevelLine {
            height: z - self.plane.frame().translation.z,
            text: format!("{} {z:+.2}", title(model, storey)),
        };
        storeys_by_height(model).into_iter().map(line).collect()
    }
}

/// Where one looks to, in the winds of the project's axes.
fn direction(normal: DVec3) -> String {
    const WINDS: [&str; 8] =
        ["east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east"];
    if is_level(normal) {
        return if normal.z > 0.0 { "down" } else { "up" }.to_owned();
    }
    let eighth = (-normal.y).atan2(-normal.x) / std::f64::consts::FRAC_PI_4;
    let at = (eighth.round() as i64).rem_euclid(8) as usize;
    WINDS.get(at).copied().unwrap_or_default().to_owned()
}

/// The middle of the longest of some level lines within an area.
fn widest_place(area: &Area) -> Option<DVec2> {
    let ys = area.outer.iter().map(|p| p.y);
    let (low, high) = ys.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
    let mut best: Option<(f64, DVec2)> = None;
    // the middle first: of lines equally long that one is the place where words are looked for
    for share in [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8] {
        let y = low + (high - low) * share + 1e-6;
        let mut xs: Vec<f64> = Vec::new();
        for ring in area.loops() {
            let next = ring.iter().skip(1).chain(ring.first());
            for (p, q) in ring.iter().zip(next) {
                if (p.y <= y) != (q.y <= y) {
                    xs.push(p.x + (y - p.y) * (q.x - p.x) / (q.y - p.y));
                }
            }
        }
        xs.sort_by(f64::total_cmp);
        for pair in xs.chunks_exact(2) {
            let wide = pair[1] - pair[0];
            if best.is_none_or(|(known, _)| wide > known * 1.05) {
                best = Some((wide, DVec2::new(f64::midpoint(pair[0], pair[1]), y)));
            }
        }
    }
    best.map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caption_stands_within_its_room_where_that_is_wide() {
        // an L: narrow at the top left, wide at the bottom
        let outer: Vec<DVec2> = [[0.0, 0.0], [6.0, 0.0], [6.0, 2.0], [1.0, 2.0], [1.0, 6.0], [0.0, 6.0]]
            .map(DVec2::from)
            .to_vec();
        let DVec2 { x, y } = widest_place(&Area::new(outer, Vec::new())).unwrap();
        assert!((x - 3.0).abs() < 1e-9 && y < 2.0, "{x} {y}");
        assert!(widest_place(&Area::default()).is_none());
    }

    #[test]
    fn a_section_says_where_it_looks() {
        // the normal points to the viewer
        assert_eq!(direction(DVec3::NEG_Y), "north");
        assert_eq!(direction(DVec3::X), "west");
        assert_eq!(direction(DVec3::new(-1.0, -1.0, 0.0)), "north-east");
        assert_eq!(direction(DVec3::new(0.0, 0.0, 2.0)), "down");
    }
}
