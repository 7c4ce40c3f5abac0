//! The surfaces of a building: what they belong to, what lies behind them, and where their corners are.

use super::model::{Model, value};
use super::near::Near;
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::geometry::polygon::{DETAILED, SIMPLE, area, area_vector, corners};
use crate::geometry::zone_named;
use crate::idf::Object;

/// Surfaces given by their corners.
fn detailed<'a>(document: &Model<'a>) -> impl Iterator<Item = Object<'a>> {
    DETAILED.into_iter().flat_map(|name| document.of_type(name))
}

/// Area, in m², below which a surface has none: corners on one line are written to a millimetre or so.
const NO_AREA: f64 = 1e-3;

/// Adds surfaces that belong to nothing or enclose nothing, and boundaries without another side.
pub fn check(document: &Model<'_>, near: &mut Near, issues: &mut Vec<Issue>) {
    if document.of_type("Zone").next().is_none() {
        let message = "The model has no zone.".to_owned();
        let what = "Add a Zone and the surfaces that enclose it.";
        issues.push(issue(Severity::Error, IssueKind::NoZones, Vec::new(), message, what));
    }
    let with_corners = [
        "FenestrationSurface:Detailed",
        "Shading:Site:Detailed",
        "Shading:Building:Detailed",
        "Shading:Zone:Detailed",
    ];
    for surface in detailed(document).chain(with_corners.into_iter().flat_map(|name| document.of_type(name)))
    {
        shape(surface, issues);
    }
    for surface in detailed(document) {
        let zone = value(surface, "zone_name");
        if zone.is_empty() || document.get("Zone", zone).is_none() {
            let meant = near.meant(zone, document.of_type("Zone").map(|zone| zone.name()));
            let message = format!(
                "{} `{}` belongs to no zone: `{zone}` is not one.{meant}",
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
        other_side(document, surface, near, issues);
    }
}

/// Reports a surface with fewer than three corners, or with none of its area between them.
fn shape(surface: Object<'_>, issues: &mut Vec<Issue>) {
    let mut say = |severity, why: String, what: &str| {
        let message = format!("{} `{}` {why}.", surface.type_name(), surface.name());
        issues.push(issue(severity, IssueKind::BadSurface, vec![surface.into()], message, what));
    };
    // what is not a number is a matter of the schema
    let Some(points) = corners(surface) else { return };
    if points.len() < 3 {
        let what = "Give it at least three corners, or remove it.";
        return say(Severity::Error, format!("has {} corners", points.len()), what);
    }
    let size = area_vector(&points).length() / 2.0;
    if size < NO_AREA {
        let what = "Move its corners apart, or remove it.";
        return say(
            Severity::Error,
            format!("has no area: its {} corners lie on one line", points.len()),
            what,
        );
    }
    let said = surface.number("number_of_vertices");
    if let Some(said) = said.filter(|said| *said != points.len() as f64) {
        let what = "Let `Number of Vertices` be the number of corners, or leave it blank.";
        // corners that are said and not given count as the origin
        let severity = if said > points.len() as f64 { Severity::Error } else { Severity::Warning };
        say(severity, format!("is said to have {said} corners and has {}", points.len()), what);
    }
}

fn other_side(document: &Model<'_>, surface: Object<'_>, near: &mut Near, issues: &mut Vec<Issue>) {
    let boundary = value(surface, "outside_boundary_condition");
    let named = value(surface, "outside_boundary_condition_object");
    if boundary.eq_ignore_ascii_case("Zone") || boundary.eq_ignore_ascii_case("Space") {
        if zone_named(document.document(), named).is_none() {
            let kind = boundary.to_lowercase();
            let message =
                format!("`{}` borders on the {kind} `{named}`, which is not there.", surface.name());
            let what = format!("Name a {kind} in `Outside Boundary Condition Object`, or add it.");
            let objects = vec![surface.into()];
            issues.push(issue(Severity::Error, IssueKind::UnattachedSurface, objects, message, &what));
        }
        return;
    }
    let needs_object = ["OtherSideCoefficients", "OtherSideConditionsModel", "Foundation"];
    if named.is_empty() && needs_object.iter().any(|word| boundary.eq_ignore_ascii_case(word)) {
        let message = format!("`{}` borders on {boundary}, and names none.", surface.name());
        let what = "Name the object in `Outside Boundary Condition Object`, or choose another boundary.";
        issues.push(issue(
            Severity::Error,
            IssueKind::UnattachedSurface,
            vec![surface.into()],
            message,
            what,
        ));
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
            let names = detailed(document).map(|other| other.name());
            let meant = near.meant(named, names.filter(|name| !name.eq_ignore_ascii_case(surface.name())));
            let message =
                format!("`{}` borders on the surface `{named}`, which is not there.{meant}", surface.name());
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
    let back = value(other, "outside_boundary_condition_object");
    let its = value(other, "outside_boundary_condition");
    let both = || vec![Subject::from(surface), Subject::from(other)];
    if !its.eq_ignore_ascii_case("Surface") {
        let message =
            format!("`{}` borders on `{}`, whose other side is `{its}`.", surface.name(), other.name());
        issues.push(issue(Severity::Error, IssueKind::UnattachedSurface, both(), message, what));
    } else if !back.eq_ignore_ascii_case(surface.name()) {
        let message =
            format!("`{}` borders on `{}`, which borders on `{back}`.", surface.name(), other.name());
        issues.push(issue(Severity::Warning, IssueKind::UnattachedSurface, both(), message, what));
    } else if surface.handle() < other.handle()
        && let (Some(a), Some(b)) = (corners(surface), corners(other))
        && a.len() != b.len()
    {
        let message = format!(
            "`{}` ({} corners) and `{}` ({} corners) are two sides of one surface.",
            surface.name(),
            a.len(),
            other.name(),
            b.len()
        );
        let what = "Give both sides the same corners, in opposite order.";
        issues.push(issue(Severity::Error, IssueKind::UnattachedSurface, both(), message, what));
    } else if surface.handle() < other.handle()
        && let (Some(a), Some(b)) = (area(surface), area(other))
        && (a - b).abs() > 0.05 * a.max(b)
    {
        let message = format!(
            "`{}` ({a:.2} m²) and `{}` ({b:.2} m²) are two sides of one surface and not of one size.",
            surface.name(),
            other.name()
        );
        let what = "Give both sides the same corners, in opposite order.";
        issues.push(issue(Severity::Warning, IssueKind::UnattachedSurface, both(), message, what));
    }
}
