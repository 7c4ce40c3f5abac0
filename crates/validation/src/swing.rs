//! The swings of doors: where each panel hangs, how far it reaches, and the ground that it sweeps.
//!
//! By IfcDoorTypeOperationEnum (ISO 16739-1, 6.1.4): a door opens towards the +y of its placement, and left and right are seen that
//! way. A panel hangs at the face of the door's body, no deeper than the wall's, and is as wide as its part of the opening less the
//! frame.

use crate::Subject;
use building::filling::operation::{Action, door_panels};
use geometry::Bounds;
use geometry::query::Element;
use geometry::region::Loop;
use glam::DVec2;
use ifc::{Id, Model};
use spatial::ways::doors::{Door, FRAME};

/// The swing of one panel.
#[derive(Debug, Clone)]
pub(crate) struct Swing {
    /// The door.
    pub door: Id,
    /// The hinge in plan.
    pub hinge: DVec2,
    /// From the hinge along the closed panel, at length one.
    pub closed: DVec2,
    /// The direction in which it opens, at length one and square to the closed panel.
    pub open: DVec2,
    /// The width of the panel in metres.
    pub radius: f64,
    /// The height of the threshold.
    pub sill: f64,
    /// The height of the panel's top.
    pub head: f64,
}

/// The step in which a swing is drawn, in degrees.
const STEP: usize = 10;

impl Swing {
    /// The end of the panel, opened by so many degrees.
    pub fn tip(&self, degrees: f64, radius: f64) -> DVec2 {
        let (sin, cos) = degrees.to_radians().sin_cos();
        self.hinge + (self.closed * cos + self.open * sin) * radius
    }

    /// The ground swept between two angles, counter-clockwise.
    pub fn ground(&self, from: usize, to: usize) -> Loop {
        let mut points = vec![self.hinge];
        points.extend((from..=to).step_by(STEP).map(|degrees| self.tip(degrees as f64, self.radius)));
        if self.closed.perp_dot(self.open) < 0.0 {
            points.reverse();
        }
        points
    }

    /// The box around the swing.
    pub fn bounds(&self) -> Bounds {
        let corners = self.ground(0, 90).into_iter();
        Bounds::from_points(corners.flat_map(|p| [p.extend(self.sill), p.extend(self.head)]))
    }
}

impl Subject<'_> {
    /// The swings of the panels of one of its doors.
    pub(crate) fn swings(&self, door: &Door) -> Vec<Swing> {
        swings_of(self.model, door, self.index.get(door.element).map(AsRef::as_ref))
    }
}

/// The swings of the panels of one door, whose body is `body`; none where its operation is not known.
pub(crate) fn swings_of(model: &Model, door: &Door, body: Option<&Element>) -> Vec<Swing> {
    let panels = door_panels(&door.operation);
    let axes = ifc::placement::of_product(model, door.element).matrix3;
    let side = axes.x_axis.truncate();
    let Some(right) = side.try_normalize().filter(|side| side.dot(door.along).abs() > 0.9) else {
        return Vec::new();
    };
    let right = door.along * right.dot(door.along).signum();
    let forward = right.perp();
    let width = door.width / panels.len().max(1) as f64;
    let mut found = Vec::new();
    for (place, panel) in panels.iter().enumerate() {
        let (left, ways) = match *panel {
            Action::Swing { left, forward: ahead } => (left, vec![if ahead { forward } else { -forward }]),
            Action::Double { left } => (left, vec![forward, -forward]),
            _ => continue,
        };
        let from = -door.width / 2.0 + width * place as f64;
        let is_outer = if left { place == 0 } else { place + 1 == panels.len() };
        let frame = if is_outer { FRAME } else { 0.0 };
        let (at, closed) = if left { (from + frame, right) } else { (from + width - frame, -right) };
        let radius = width - FRAME - frame;
        for open in ways.into_iter().filter(|_| radius > 0.3) {
            let hinge = door.middle + right * at + open * face(body, door, open);
            found.push(Swing {
                door: door.element,
                hinge,
                closed,
                open,
                radius,
                sill: door.sill,
                head: door.head,
            });
        }
    }
    found
}

/// How far from the middle of the opening the panel hangs, towards where it opens: at the face of the body, within the wall.
fn face(body: Option<&Element>, door: &Door, open: DVec2) -> f64 {
    let points = body.into_iter().flat_map(|body| body.mesh().positions.iter().copied());
    let own = points.map(|p| (p.truncate() - door.middle).dot(open)).fold(f64::NEG_INFINITY, f64::max);
    let turned = open.dot(door.through()) < 0.0;
    let [low, high] = if turned { [-door.across[1], -door.across[0]] } else { door.across };
    if own.is_finite() { own.clamp(low.min(high), low.max(high)) } else { high }
}
