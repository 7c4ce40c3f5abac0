//! The surfaces of a building: what they belong to, what lies behind them, and where their corners are.

use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::geometry::polygon::{DETAILED, SIMPLE, area, area_vector, corners};
use crate::geometry::zone_named;
use crate::idf::{Document, Object};

/// Surfaces given by their corners.
fn detailed(document: &Document) -> impl Iterator<Item = Object<'_>> {
    DETAILED.into_iter().flat_map(|name| document.of_type(name))
}

/// Adds surfaces that belong to nothing, and boundaries without another side.
pub fn check(document: &Document, issues: &mut Vec<Issue>) {
    for surface in detailed(document) {
        let zone = surface.get("zone_name").unwrap_or_default();
        if zone.is_empty() || document.get("Zone", zone).is_none() {
            let message = format!(
                "{} `{}` belongs to no zone: `{zone}` is not one.",
                surface.type_name(),
                surface.name()
            );
            let what = "Give it the name of a zone (`Zone Name`), or add the zone.";
            issues.push(issue(
                Severity::Error,
                IssueKind::UnattachedSurface,
                vec![surface.into()],
                message,
                what,
            ));
        }
        other_side(document, surface, issues);
    }
    for window in document.of_type("FenestrationSurface:Detailed") {
        let wall = window.get("building_surface_name").unwrap_or_default();
        let host = DETAILED.iter().chain(&SIMPLE).find_map(|name| document.get(name, wall));
        match host.filter(|_| !wall.is_empty()) {
            None => {
                let message = format!(
                    "FenestrationSurface:Detailed `{}` lies in no surface: `{wall}` is not one.",
                    window.name()
                );
                let what = "Give it the name of the surface it lies in (`Building Surface Name`).";
                issues.push(issue(
                    Severity::Error,
                    IssueKind::UnattachedSurface,
                    vec![window.into()],
                    message,
                    what,
                ));
            }
            Some(host) => within(window, host, issues),
        }
    }
}

/// Reports a window that is larger than what it lies in, or looks the other way.
fn within(window: Object<'_>, host: Object<'_>, issues: &mut Vec<Issue>) {
    let (Some(inner), Some(outer)) = (corners(window), corners(host)) else { return };
    let (inner, outer) = (area_vector(&inner), area_vector(&outer));
    let both = || vec![Subject::from(window), Subject::from(host)];
    if inner.length() > outer.length() * 1.001 {
        let message = format!(
            "`{}` has {:.2} m² and the surface `{}` it lies in {:.2} m².",
            window.name(),
            inner.length() / 2.0,
            host.name(),
            outer.length() / 2.0
        );
        issues.push(issue(
            Severity::Error,
            IssueKind::UnattachedSurface,
            both(),
            message,
            "Make it smaller than its surface.",
        ));
    }
    if inner.dot(outer) < 0.0 {
        let message =
            format!("`{}` faces the other way than the surface `{}` it lies in.", window.name(), host.name());
        issues.push(issue(
            Severity::Error,
            IssueKind::WrongNormal,
            both(),
            message,
            "Give its corners in the opposite order.",
        ));
    }
}

fn other_side(document: &Document, surface: Object<'_>, issues: &mut Vec<Issue>) {
    let boundary = surface.get("outside_boundary_condition").unwrap_or_default();
    let named = surface.get("outside_boundary_condition_object").unwrap_or_default();
    if boundary.eq_ignore_ascii_case("Zone") || boundary.eq_ignore_ascii_case("Space") {
        if zone_named(document, named).is_none() {
            let kind = boundary.to_lowercase();
            let message =
                format!("`{}` borders on the {kind} `{named}`, which is not there.", surface.name());
            let what = format!("Name a {kind} in `Outside Boundary Condition Object`, or add it.");
            let objects = vec![surface.into()];
            issues.push(issue(Severity::Error, IssueKind::UnattachedSurface, objects, message, &what));
        }
        return;
    }
    if !boundary.eq_ignore_ascii_case("Surface") {
        return;
    }
    let what = "Let both surfaces name each other in `Outside Boundary Condition Object`.";
    let Some(other) =
        DETAILED.iter().find_map(|name| document.get(name, named)).filter(|_| !named.is_empty())
    else {
        // surfaces of the simple types may be meant too
        if SIMPLE.iter().all(|name| document.get(name, named).is_none()) || named.is_empty() {
            let message =
                format!("`{}` borders on the surface `{named}`, which is not there.", surface.name());
            issues.push(issue(
                Severity::Error,
                IssueKind::UnattachedSurface,
                vec![surface.into()],
                message,
                what,
            ));
        }
        return;
    };
    let back = other.get("outside_boundary_condition_object").unwrap_or_default();
    if !back.eq_ignore_ascii_case(surface.name()) {
        let message =
            format!("`{}` borders on `{}`, which borders on `{back}`.", surface.name(), other.name());
        let both = vec![Subject::from(surface), Subject::from(other)];
        issues.push(issue(Severity::Warning, IssueKind::UnattachedSurface, both, message, what));
    } else if surface.handle() < other.handle()
        && let (Some(a), Some(b)) = (area(surface), area(other))
        && (a - b).abs() > 0.05 * a.max(b)
    {
        let message = format!(
            "`{}` ({a:.2} m²) and `{}` ({b:.2} m²) are two sides of one surface and not of one size.",
            surface.name(),
            other.name()
        );
        let both = vec![Subject::from(surface), Subject::from(other)];
        let what = "Give both sides the same corners, in opposite order.";
        issues.push(issue(Severity::Warning, IssueKind::UnattachedSurface, both, message, what));
    }
}
