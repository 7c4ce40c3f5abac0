//! Doors that hit something as they open: another door's swing, a wall, furniture or a fixture.

use super::Constraint;
use super::context::{Context, at};
use crate::around::Around;
use crate::swing::Swing;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use geometry::query::Element;
use geometry::region::{self, Area, Loop};
use glam::DVec2;
use ifc::Id;
use spatial::shadow::shadow_within;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::DOOR_SWING,
    title: "Doors open without hitting anything",
    text: "A hinged door opens to a right angle before it hits a wall, furniture, a fixture, or the swing of another door.",
    why: "A door that does not open wide narrows the way, and two that meet hurt whoever comes through.",
    severity: Severity::Warning,
    find,
};

/// Classes of what a door hits.
pub(super) const HARD: [&str; 10] = [
    "IfcWall",
    "IfcColumn",
    "IfcCurtainWall",
    "IfcFurnishingElement",
    "IfcFlowTerminal",
    "IfcSanitaryTerminal",
    "IfcRailing",
    "IfcEnergyConversionDevice",
    "IfcFlowStorageDevice",
    "IfcStair",
];
/// A door that opens so far opens wide, in degrees: what it meets then stops it where it should.
const WIDE: f64 = 80.0;
/// The first angle that is looked at, in degrees: less is the frame's play.
const FIRST: f64 = 5.0;
/// The step between angles, in degrees.
const STEP: f64 = 2.5;
/// A door keeps so far off a wall beside its hinge and at its edge, in metres.
const PLAY: f64 = 0.03;
/// Swings that share no more than this touch at their tips, in m².
const SHARED: f64 = 0.02;

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let doors = context.ways.premises.doors.iter().filter(|door| !door.is_open);
    let all: Vec<Swing> = doors.flat_map(|door| context.swings(door)).collect();
    for (place, swing) in all.iter().enumerate() {
        if context.concerns(swing.door) || context.concerns_near(swing) {
            findings.extend(hits(context, swing, |_| true));
        }
        let is_asked = |other: &Swing| context.concerns(swing.door) || context.concerns(other.door);
        let others = all.iter().skip(place + 1).filter(|other| other.door != swing.door && is_asked(other));
        findings.extend(others.filter_map(|other| meeting(context, swing, other)));
    }
    findings.dedup_by(|a, b| a.elements == b.elements);
}

impl Context<'_> {
    /// Returns true if something that is asked about lies near a swing.
    fn concerns_near(&self, swing: &Swing) -> bool {
        self.index.near(&swing.bounds(), 0.0).iter().any(|body| self.concerns(body.id()))
    }
}

/// The findings on what a panel hits of the elements that are asked about.
pub(super) fn hits(around: &impl Around, swing: &Swing, is_asked: impl Fn(Id) -> bool) -> Vec<Finding> {
    let host = around.links().host_of(swing.door);
    let (low, high) = (swing.sill + 0.1, (swing.head - 0.05).min(swing.sill + 1.9));
    let is_hard =
        |id: &Id| is_asked(*id) && Some(*id) != host && *id != swing.door && around.is_any(*id, &HARD);
    // of a railing round a terrace only what is near tells
    let ground = swing.bounds();
    let hard = around.near(&ground, 0.0).into_iter().filter(is_hard).filter_map(|id| around.body(id));
    let outline = |body: &Element| shadow_within(body, low, high, &ground);
    hard.filter_map(|body| Some(told(around, swing, &body, first_hit(swing, &outline(&body))?))).collect()
}

/// The angle at which a panel meets an outline first, before it is wide open.
fn first_hit(swing: &Swing, outline: &[Loop]) -> Option<f64> {
    let steps = ((WIDE - FIRST) / STEP) as usize;
    let angles = (0..steps).map(|step| FIRST + STEP * step as f64);
    let mut angles = angles.filter(|angle| {
        let inner = (PLAY / angle.to_radians().sin()).max(2.0 * PLAY);
        inner < swing.radius - PLAY
            && crosses(outline, swing.tip(*angle, inner), swing.tip(*angle, swing.radius - PLAY))
    });
    angles.next()
}

/// Returns true if a line meets loops or lies within them.
fn crosses(loops: &[Loop], p: DVec2, q: DVec2) -> bool {
    let side = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
    let meets =
        |a: DVec2, b: DVec2| side(p, q, a) * side(p, q, b) < 0.0 && side(a, b, p) * side(a, b, q) < 0.0;
    let edges = || loops.iter().flat_map(|l| l.iter().zip(l.iter().cycle().skip(1)));
    let middle = p.midpoint(q);
    let is_within = edges().filter(|(a, b)| {
        (a.y > middle.y) != (b.y > middle.y) && middle.x < a.x + (b.x - a.x) * (middle.y - a.y) / (b.y - a.y)
    });
    edges().any(|(a, b)| meets(*a, *b)) || is_within.count() % 2 == 1
}

fn told(around: &impl Around, swing: &Swing, body: &Element, angle: f64) -> Finding {
    let (one, other) = (around.called(swing.door), around.called(body.id()));
    let place = swing.tip(angle, swing.radius / 2.0).extend(swing.sill);
    let opened = Quantity::angle(angle);
    let message = format!("{one} hits {other} when it is opened by {opened}, at {} mm.", at(place));
    let finding = CONSTRAINT
        .breach(vec![swing.door, body.id()], message)
        .measured(opened, Required::AtLeast(Quantity::angle(90.0)))
        .at(place)
        .suggest("Hang the door at its other side, let it open the other way, or move what stands there.");
    Finding { lines: vec![outline(swing)], ..finding }
}

/// The edge of the ground that a panel sweeps, as a closed line.
fn outline(swing: &Swing) -> Vec<glam::DVec3> {
    let ground = swing.ground(0, 90);
    ground.iter().chain(ground.first()).map(|p| p.extend(swing.sill)).collect()
}

/// The finding on two doors whose swings meet.
pub(super) fn meeting(around: &impl Around, one: &Swing, other: &Swing) -> Option<Finding> {
    if (one.sill - other.sill).abs() > 0.5 || !one.bounds().meets(&other.bounds(), 0.0) {
        return None;
    }
    // a door that is there twice is told as such
    if one.hinge.distance(other.hinge) < 1e-3 && one.open.dot(other.open) > 0.99 {
        return None;
    }
    let shared = region::intersection(&[one.ground(10, 90)], &[other.ground(10, 90)]);
    let size: f64 = shared.iter().map(Area::size).sum();
    if size <= SHARED {
        return None;
    }
    let (first, second) = (around.called(one.door), around.called(other.door));
    let middle = shared
        .iter()
        .flat_map(|area| &area.outer)
        .fold((DVec2::ZERO, 0.0), |(sum, n), p| (sum + *p, n + 1.0));
    let place = (middle.0 / f64::max(middle.1, 1.0)).extend(one.sill);
    let message =
        format!("{first} and {second} swing over the same {}, at {} mm.", Quantity::area(size), at(place));
    let finding = CONSTRAINT
        .breach(ids(one.door, other.door), message)
        .measured(Quantity::area(size), Required::AtMost(Quantity::area(SHARED)))
        .at(place)
        .suggest("Let one of them open the other way, or hang it at its other side.");
    Some(Finding { lines: vec![outline(one), outline(other)], ..finding })
}

fn ids(a: Id, b: Id) -> Vec<Id> {
    vec![a.min(b), a.max(b)]
}
