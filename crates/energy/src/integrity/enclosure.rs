//! Whether the surfaces of a zone close around it and face outwards.
//!
//! A piece of edge that one surface passes alone is a gap; one that two pass the same way tells that one of both faces inwards
//! (`geometry::closure`). What borders on a zone closes that zone, too: it is mirrored there, as EnergyPlus
//! does it. Zones with a surface that has no place are left out.

use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::geometry::closure::{Edges, SHORT, TOLERANCE, volume_within};
use crate::geometry::polygon::{DETAILED, SIMPLE};
use crate::geometry::zones::ZoneSurfaces;
use crate::geometry::{Scene, Surface};
use crate::idf::{Document, Handle};
use std::collections::HashSet;

/// Adds zones with gaps and surfaces that face inwards.
pub fn check(document: &Document, issues: &mut Vec<Issue>) {
    let scene = Scene::from_document(document);
    let lost: HashSet<(&str, &str)> =
        scene.unplaced.iter().map(|lost| (lost.object_type.as_str(), lost.name.as_str())).collect();
    let mut partly: HashSet<String> = HashSet::new();
    for surface in DETAILED.iter().chain(&SIMPLE).flat_map(|name| document.of_type(name)) {
        if lost.contains(&(surface.type_name(), surface.label().as_str())) {
            partly.insert(surface.get("zone_name").unwrap_or_default().trim().to_lowercase());
        }
    }
    let zones = ZoneSurfaces::from_scene(&scene);
    let mut turned = HashSet::new();
    for zone in document.of_type("Zone") {
        let key = zone.name().to_lowercase();
        if partly.contains(&key) {
            continue;
        }
        let surfaces = zones.around(zone.name());
        if surfaces.is_empty() {
            let message = format!("Zone `{}` has no surfaces.", zone.name());
            let what = "Add the surfaces that enclose it, or remove the zone.";
            issues.push(issue(Severity::Error, IssueKind::ZoneNotClosed, vec![zone.into()], message, what));
        } else {
            enclosed(document, zone.into(), surfaces, &mut turned, issues);
        }
    }
}

/// A surface as an issue names it.
fn subject(document: &Document, surface: &Surface) -> Option<Subject> {
    document.object(surface.handle).map(Subject::from)
}

fn enclosed(
    document: &Document,
    zone: Subject,
    surfaces: &[&Surface],
    turned_before: &mut HashSet<Handle>,
    issues: &mut Vec<Issue>,
) {
    let Some(edges) = Edges::of_surfaces(surfaces) else { return };
    let named = |lengths: &[f64], least: &dyn Fn(usize) -> f64| -> Vec<&Surface> {
        let chosen = lengths.iter().enumerate().filter(|(at, length)| **length > least(*at));
        chosen.filter_map(|(at, _)| surfaces.get(at).copied()).collect()
    };
    if edges.gap > SHORT {
        let at = named(&edges.open, &|_| TOLERANCE);
        let list: Vec<&str> = at.iter().take(6).map(|surface| surface.name.as_str()).collect();
        let more = if at.len() > 6 { ", …" } else { "" };
        let message = format!(
            "Zone `{}` is not closed: {:.2} m of edges border on nothing, at {}{more}.",
            zone.name,
            edges.gap,
            list.join(", ")
        );
        let what = "Add the missing surface, or move the corners of those named onto their neighbours'. Until then EnergyPlus estimates the zone's volume.";
        let around = at.into_iter().filter_map(|surface| subject(document, surface));
        let objects = std::iter::once(zone.clone()).chain(around).collect();
        issues.push(issue(Severity::Warning, IssueKind::ZoneNotClosed, objects, message, what));
    }
    // a surface that runs against most of its neighbours is the one that is turned
    let turned = named(&edges.clashing, &|at| edges.around.get(at).map_or(0.0, |around| around * 0.6));
    let inwards = "Give its corners in the opposite order.";
    // one that is mirrored is turned on both sides
    for surface in turned.iter().filter(|surface| turned_before.insert(surface.handle)) {
        let name = surface.mirror_of.as_ref().unwrap_or(&surface.name);
        let own_zone = document.object(surface.handle).and_then(|object| object.get("zone_name"));
        let message = format!(
            "{} `{name}` of zone `{}` faces inwards.",
            surface.object_type,
            own_zone.unwrap_or(&surface.zone)
        );
        let objects = subject(document, surface).into_iter().collect();
        // EnergyPlus simulates it, without a word
        issues.push(issue(Severity::Warning, IssueKind::WrongNormal, objects, message, inwards));
    }
    if edges.gap <= SHORT && turned.is_empty() && volume_within(surfaces) < -TOLERANCE {
        let message = format!("All surfaces of zone `{}` face inwards.", zone.name);
        let what = "Give their corners in the opposite order, or change `Vertex Entry Direction` of GlobalGeometryRules.";
        let around = surfaces.iter().filter_map(|surface| subject(document, surface));
        let objects = std::iter::once(zone).chain(around).collect();
        issues.push(issue(Severity::Error, IssueKind::WrongNormal, objects, message, what));
    }
}
