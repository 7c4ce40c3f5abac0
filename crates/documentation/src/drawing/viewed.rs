//! The view under a drawing: the plane, what is cut and seen beyond it, and what it is made of.

use super::closing::closed;
use super::known::Known;
use super::roles::Role;
use super::{BadDrawing, Kind, Wanted};
use crate::style::{CutStyle, ScaleStyle};
use building::storey::{floor_height, storeys_by_height};
use geometry::Shaper;
use geometry::math::Bounds;
use geometry::region::Area;
use geometry::scene::{Entry, GoOn, Scene};
use geometry::section::{Layers, Outline, Plane};
use geometry::view::{self, Seen};
use glam::DVec3;
use ifc::placement::unit;
use ifc::relations::Links;
use ifc::{Id, Model};
use paper::Subject;

/// Metres below a storey's floor that a plan still shows: thresholds and finishes.
const BELOW_FLOOR: f64 = 0.1;
/// Metres over the next floor that a ceiling plan still shows.
const ABOVE_CEILING: f64 = 0.1;
/// Metres beside a plane that still lie on it.
const ON_PLANE: f64 = 1e-3;
/// Metres that a ceiling plan looks up where there is no storey above.
const NO_CEILING: f64 = 3.5;

/// One element of a drawing.
pub(crate) struct Figure {
    pub id: Id,
    pub(super) role: Role,
    pub seen: Seen,
    pub bounds: Bounds,
    /// Its cut by material.
    pub pieces: Vec<Piece>,
}

/// A part of a cut that is of one material.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    /// The material's name; empty where nothing is said.
    pub material: String,
    /// The layer's function, such as `LoadBearing`.
    pub function: String,
    pub areas: Vec<Area>,
}

/// A view.
pub(crate) struct Viewed {
    pub plane: Plane,
    /// Metres before and behind the plane of what belongs to the view.
    pub reach: [f64; 2],
    pub figures: Vec<Figure>,
}

impl Figure {
    /// True if the plane cuts it.
    pub fn is_cut(&self) -> bool {
        !self.seen.cut.areas.is_empty() || !self.seen.cut.lines.is_empty()
    }
}

/// The plane of a drawing, with north or the sky at its top, and the depth looked into.
pub(super) fn plane(scene: &Scene, wanted: &Wanted) -> Result<(Plane, f64), BadDrawing> {
    let model = scene.model();
    let all = || {
        let drawn = scene.entries().iter().filter(|e| e.is_drawn() && !e.is_space);
        drawn.fold(Bounds::EMPTY, |all, e| all.join(&e.bounds))
    };
    // a plane before all that is drawn
    let before = |direction: DVec3| {
        let to_viewer = unit(direction).ok_or(BadDrawing::NoDirection)?;
        let bounds = all();
        if bounds.is_empty() {
            return Err(BadDrawing::Empty);
        }
        let most = bounds.corners().map(|c| c.dot(to_viewer)).fold(f64::NEG_INFINITY, f64::max) + 0.01;
        upright(to_viewer * most, to_viewer).ok_or(BadDrawing::NoDirection)
    };
    let (found, usual) = match wanted.kind {
        Kind::Plan { storey, height } => {
            let level = Plane::level(floor_height(model, storey) + height);
            (level.ok_or(BadDrawing::NoDirection)?, height + BELOW_FLOOR)
        }
        Kind::CeilingPlan { storey, height } => {
            let floor = floor_height(model, storey);
            let origin = DVec3::new(0.0, 0.0, floor + height);
            let found = Plane::new(origin, DVec3::NEG_Z, DVec3::X).ok_or(BadDrawing::NoDirection)?;
            let next = next_floor(model, floor).map_or(NO_CEILING, |next| next - floor + ABOVE_CEILING);
            (found, (next - height).max(0.1))
        }
        Kind::Section { origin, normal } => {
            (upright(origin, normal).ok_or(BadDrawing::NoDirection)?, f64::INFINITY)
        }
        Kind::Elevation { direction } => (before(direction.extend(0.0))?, f64::INFINITY),
        Kind::Axonometry { direction } => (before(direction)?, f64::INFINITY),
    };
    Ok((found, wanted.depth.unwrap_or(usual)))
}

/// The height of the lowest floor well above another, in metres.
pub(super) fn next_floor(model: &Model, floor: f64) -> Option<f64> {
    storeys_by_height(model).into_iter().map(|(_, z)| z).find(|z| *z > floor + 1.0)
}

/// A plane whose y goes up as far as it can: to the sky, or to north where it is level.
fn upright(origin: DVec3, normal: DVec3) -> Option<Plane> {
    let n = unit(normal)?;
    let up = if n.z.abs() > 0.999 { DVec3::Y } else { DVec3::Z };
    Plane::new(origin, normal, up.cross(n))
}

/// Metres over the next floor that a plan still shows dashed, and over its cut where no storey is above.
const OVER: [f64; 2] = [0.3, 8.0];
/// Metres below the next floor from where what lies there counts as on it.
const ON_NEXT: f64 = 0.05;
/// Metres that flights may reach below a floor that has no storey below.
const FLIGHT: f64 = 6.0;

/// The elements that a drawing hangs on: those that its plane meets or that lie behind it; for plans those of the storey, what is drawn dashed
/// above the cut, and flights from the storey below. All that a drawing shows is among them.
pub(crate) fn near<'s>(scene: &'s Scene, wanted: &Wanted) -> Result<Vec<&'s Entry>, BadDrawing> {
    let (plane, depth) = plane(scene, wanted)?;
    let entries = scene.entries().iter().map(AsRef::as_ref);
    let (Kind::Plan { storey, height } | Kind::CeilingPlan { storey, height }) = wanted.kind else {
        return Ok(entries.filter(|e| e.is_drawn() && is_met(e, &plane, depth)).collect());
    };
    let model = scene.model();
    let floor = floor_height(model, storey);
    let high = next_floor(model, floor).map_or(floor + height + OVER[1], |next| next + OVER[0]);
    let lower = storeys_by_height(model).into_iter().map(|(_, z)| z).filter(|z| *z < floor - 1.0);
    let below = lower.fold(f64::NEG_INFINITY, f64::max);
    let below = if below.is_finite() { below } else { floor - FLIGHT };
    let is_over = |e: &Entry| {
        ["IfcRoof", "IfcSlab", "IfcBeam"].iter().any(|class| e.class.starts_with(class))
            && e.bounds.max.z > floor
            && e.bounds.min.z < high
    };
    let is_climb = |e: &Entry| {
        (e.class.starts_with("IfcStair") || e.class.starts_with("IfcRamp"))
            && e.bounds.max.z > below
            && e.bounds.min.z < high
    };
    let is_shown = |e: &&Entry| {
        e.storey == Some(storey)
            || (e.is_drawn() && !e.is_space && (is_met(e, &plane, depth) || is_over(e) || is_climb(e)))
    };
    Ok(entries.filter(is_shown).collect())
}

/// Cuts a model and finds what is seen beyond; `None` where `go_on` ended it.
pub(super) fn view(
    scene: &Scene,
    links: &Links<'_>,
    wanted: &Wanted,
    rule: &ScaleStyle,
    known: &mut Known,
    go_on: GoOn<'_>,
) -> Result<Option<Viewed>, BadDrawing> {
    let (plane, depth) = plane(scene, wanted)?;
    let layered = rule.cut == CutStyle::Layers;
    let met = || {
        let entries = scene.entries().iter().map(AsRef::as_ref);
        entries.filter(|e: &&Entry| e.is_drawn() && !e.is_space && is_met(e, &plane, depth))
    };
    // triangles of terrain say nothing on a plan of rooms; before an elevation's wall they hide nothing
    let has_terrain = matches!(wanted.kind, Kind::Section { .. } | Kind::Axonometry { .. });
    let drawn: Vec<&Entry> = met().filter(|e| has_terrain || !is_ground(e)).collect();
    let is_upright = matches!(wanted.kind, Kind::Section { .. } | Kind::Elevation { .. });
    let solid_glass = is_upright && !rule.see_through_glass;
    let options = view::Wanted { depth, solid_glass, ..view::Wanted::default() };
    let Some(mut all) = known.seen(scene, wanted, (&plane, options), &drawn, go_on) else { return Ok(None) };
    if matches!(wanted.kind, Kind::Elevation { .. }) {
        let none = |element| Seen { element, cut: Outline::default(), visible: vec![], hidden: vec![] };
        all.extend(met().filter(|e| is_ground(e)).map(|e| none(e.id)));
    }
    let shaper = Shaper::plain(scene.model());
    let figures =
        all.into_iter().filter_map(|seen| figure(scene, &shaper, links, seen, &plane, layered)).collect();
    let before = match wanted.kind {
        Kind::Plan { storey, height } => {
            let floor = floor_height(scene.model(), storey);
            // what lies on the next floor is no part of this storey
            let room = next_floor(scene.model(), floor).map_or(NO_CEILING, |next| next - floor - ON_NEXT);
            (room - height).max(0.0)
        }
        // what stands on the floor below
        Kind::CeilingPlan { height, .. } => height.max(0.0) + BELOW_FLOOR,
        _ => ON_PLANE,
    };
    Ok(Some(Viewed { plane, reach: [before, depth + ON_PLANE], figures }))
}

fn is_ground(entry: &Entry) -> bool {
    matches!(entry.class.as_str(), "IfcSite" | "IfcGeographicElement")
}

/// Returns true if an element's box lies partly behind the plane, no deeper than this.
fn is_met(entry: &Entry, plane: &Plane, depth: f64) -> bool {
    let depths = entry.bounds.corners().map(|corner| -plane.flat(corner).z);
    let (near, far) = depths.fold((f64::INFINITY, f64::NEG_INFINITY), |(n, f), d| (n.min(d), f.max(d)));
    near <= depth && far >= -1e-5
}

fn figure(
    scene: &Scene,
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    seen: Seen,
    plane: &Plane,
    layered: bool,
) -> Option<Figure> {
    let entry = scene.entry(seen.element)?;
    let instance = scene.model().get(seen.element)?;
    // a part plays the role of the whole that it is a layer or piece of
    let is_part = instance.is_a("IfcBuildingElementPart");
    let whole = links.aggregate_parent(seen.element).filter(|_| is_part);
    let mut role = Role::new(&whole.and_then(|id| scene.model().get(id)).unwrap_or(instance));
    let is_member = matches!(role.subject, Subject::Beam | Subject::CurtainWall | Subject::Other);
    if is_member && links.ancestor(seen.element, "IfcCurtainWall").is_some() {
        role = Role { subject: Subject::CurtainWall, is_heavy: false, ..role };
    }
    let mut seen = seen;
    if role.is_heavy && role.subject != Subject::Site {
        seen.cut = closed(seen.cut);
    }
    let pieces = if role.is_heavy && !seen.cut.areas.is_empty() {
        pieces(shaper, links, &seen, plane, layered)
    } else {
        Vec::new()
    };
    Some(Figure { id: seen.element, role, seen, bounds: entry.bounds, pieces })
}

/// The cut of an element by its layers, or as one piece of what bears.
fn pieces(shaper: &Shaper<'_>, links: &Links<'_>, seen: &Seen, plane: &Plane, layered: bool) -> Vec<Piece> {
    let model = links.model();
    let whole = || links.composition_of(links.aggregate_parent(seen.element)?);
    let composition = links.composition_of(seen.element).or_else(whole);
    let name = |material: Option<Id>| material.and_then(|id| model.get(id)?.name()).unwrap_or_default();
    let parts = composition.map(|c| c.parts).unwrap_or_default();
    if layered {
        // an element that cannot be placed has no cut either
        if let Ok(Some(layers)) = Layers::read(shaper, seen.element) {
            let function = |layer: Option<Id>| {
                let part = parts.iter().find(|part| layer.is_some() && part.id == layer);
                part.and_then(|part| part.category.clone()).unwrap_or_default()
            };
            let divided = layers.divide(&seen.cut, plane).into_iter();
            return divided
                .map(|piece| Piece {
                    material: match (piece.layer, piece.material) {
                        (Some(_), None) => "Air layer".to_owned(),
                        (_, material) => name(material),
                    },
                    function: function(piece.layer),
                    areas: piece.areas,
                })
                .collect();
        }
    }
    let bears = |part: &&ifc::relations::Part| {
        part.category
            .as_deref()
            .is_some_and(|word| word.to_lowercase().replace([' ', '-', '_'], "") == "loadbearing")
    };
    let thick = |part: &ifc::relations::Part| part.thickness.unwrap_or(0.0);
    let bearing = parts.iter().find(bears).or_else(|| {
        parts.iter().filter(|p| p.material.is_some()).max_by(|a, b| thick(a).total_cmp(&thick(b)))
    });
    let material = name(bearing.and_then(|part| part.material));
    vec![Piece { material, function: String::new(), areas: seen.cut.areas.clone() }]
}
