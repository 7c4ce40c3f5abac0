//! Windows and doors in the surfaces that they lie in: in its plane, within its outline, facing the same way, and not larger.

use super::model::{Model, value};
use super::near::Near;
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::geometry::polygon::{DETAILED, SIMPLE, area_vector, corners};
use crate::idf::Object;
use glam::{DVec2, DVec3};

/// The distance, in metres, by which a corner may lie beside the plane or the outline of its surface.
const BESIDE: f64 = 0.05;

/// The largest number of corners of a window or of what it lies in; polygons with more are not compared.
const CORNERS: usize = 2_000;

/// Adds windows that lie in no surface, or not within it.
pub fn check(document: &Model<'_>, near: &mut Near, issues: &mut Vec<Issue>) {
    for window in document.of_type("FenestrationSurface:Detailed") {
        let wall = value(window, "building_surface_name");
        let host = DETAILED.iter().chain(&SIMPLE).find_map(|name| document.get(name, wall));
        if let Some(host) = host.filter(|_| !wall.is_empty()) {
            within(window, host, issues);
            continue;
        }
        let names =
            DETAILED.iter().chain(&SIMPLE).flat_map(|name| document.of_type(name)).map(|wall| wall.name());
        let meant = near.meant(wall, names);
        let message = format!(
            "FenestrationSurface:Detailed `{}` lies in no surface: `{wall}` is not one.{meant}",
            window.name()
        );
        let what = "Give it the name of the surface it lies in (`Building Surface Name`).";
        issues.push(issue(Severity::Error, IssueKind::UnattachedSurface, vec![window.into()], message, what));
    }
}

/// Reports a window that is larger than what it lies in, looks the other way, or lies beside it.
fn within(window: Object<'_>, host: Object<'_>, issues: &mut Vec<Issue>) {
    let (Some(inner), Some(outer)) = (corners(window), corners(host)) else { return };
    let (inner_normal, outer_normal) = (area_vector(&inner), area_vector(&outer));
    let mut say = |severity, kind, message: String, what: &str| {
        let both = vec![Subject::from(window), Subject::from(host)];
        issues.push(issue(severity, kind, both, message, what));
    };
    if inner_normal.length() > outer_normal.length() * 1.001 {
        let message = format!(
            "`{}` has {:.2} m² and the surface `{}` it lies in {:.2} m².",
            window.name(),
            inner_normal.length() / 2.0,
            host.name(),
            outer_normal.length() / 2.0
        );
        say(Severity::Error, IssueKind::UnattachedSurface, message, "Make it smaller than its surface.");
        return;
    }
    if inner_normal.dot(outer_normal) < 0.0 {
        let message =
            format!("`{}` faces the other way than the surface `{}` it lies in.", window.name(), host.name());
        say(Severity::Error, IssueKind::WrongNormal, message, "Give its corners in the opposite order.");
    }
    if inner.len().max(outer.len()) > CORNERS {
        return;
    }
    let Some(plane) = Plane::of_polygon(&outer) else { return };
    let off = inner.iter().map(|corner| plane.height(*corner).abs()).fold(0.0, f64::max);
    let move_it = "Move its corners into the surface; those of both are given in the same frame.";
    if off > BESIDE {
        let message = format!(
            "`{}` does not lie in the plane of the surface `{}`: a corner is {off:.2} m off it.",
            window.name(),
            host.name()
        );
        say(Severity::Warning, IssueKind::WindowOutside, message, move_it);
        return;
    }
    let outline: Vec<DVec2> = outer.iter().map(|corner| plane.flat(*corner)).collect();
    let beside = inner.iter().map(|corner| outside(&outline, plane.flat(*corner))).fold(0.0, f64::max);
    if beside > BESIDE {
        let message = format!(
            "`{}` reaches {beside:.2} m beyond the outline of the surface `{}` it lies in.",
            window.name(),
            host.name()
        );
        say(Severity::Warning, IssueKind::WindowOutside, message, move_it);
    }
}

/// A plane, and two directions in it.
struct Plane {
    origin: DVec3,
    normal: DVec3,
    along: DVec3,
    across: DVec3,
}

impl Plane {
    fn of_polygon(points: &[DVec3]) -> Option<Self> {
        let origin = *points.first()?;
        let normal = area_vector(points).try_normalize()?;
        let along = normal.any_orthonormal_vector();
        Some(Self { origin, normal, along, across: normal.cross(along) })
    }

    fn height(&self, point: DVec3) -> f64 {
        (point - self.origin).dot(self.normal)
    }

    fn flat(&self, point: DVec3) -> DVec2 {
        let from = point - self.origin;
        DVec2::new(from.dot(self.along), from.dot(self.across))
    }
}

/// The distance of a point to an outline it lies outside of; zero within.
fn outside(outline: &[DVec2], point: DVec2) -> f64 {
    let mut inside = false;
    let mut least = f64::INFINITY;
    for (a, b) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        if (a.y > point.y) != (b.y > point.y) && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x {
            inside = !inside;
        }
        let edge = *b - *a;
        let share = ((point - *a).dot(edge) / edge.length_squared().max(1e-12)).clamp(0.0, 1.0);
        least = least.min((*a + edge * share).distance(point));
    }
    if inside || !least.is_finite() { 0.0 } else { least }
}
