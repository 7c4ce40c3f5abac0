//! Rated walls that end below the slab or roof above them, so that fire goes over them.

use super::Survey;
use super::rules::WALL_BELOW_SLAB;
use crate::wall_run::WallRun;
use crate::{Finding, Quantity, Required};
use geometry::query::{Element, Ray};
use glam::DVec3;
use ifc::Id;

/// The places along a wall that are looked at, as parts of its length.
const PLACES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];
/// The number of them that have to show the gap.
const SHOWN: usize = 3;
/// A hair over the wall, in metres.
const OVER: f64 = 1e-3;
/// Classes that close a compartment at its top.
const CLOSING: [&str; 5] = ["IfcSlab", "IfcRoof", "IfcWall", "IfcBeam", "IfcPlate"];

/// Adds a finding for each rated wall within the building that ends below the slab over it.
pub(super) fn find(survey: &Survey<'_>, findings: &mut Vec<Finding>) {
    let rated = survey
        .stated
        .ratings
        .iter()
        .filter(|(_, rating)| rating.minutes() >= survey.parameters.least_minutes);
    for (id, rating) in rated {
        if !survey.is_a(*id, "IfcWall") {
            continue;
        }
        let shape = survey.shaper.uncut_element(*id).ok().filter(|shape| !shape.is_box);
        let Some(body) = shape.map(|shape| Element::new(*id, shape.mesh())) else { continue };
        let Some((gap, place)) = gap(survey, &body) else { continue };
        let width = Quantity::length(gap);
        let message = format!(
            "{} is rated for {:.0} min and ends {width} below what is over it.",
            survey.called(*id),
            rating.minutes()
        );
        let finding = WALL_BELOW_SLAB
            .finding(vec![*id], message)
            .measured(width, Required::AtMost(Quantity::length(survey.parameters.gap)))
            .at(place)
            .suggest("Let the wall go up to the slab: modify_parameter, height.");
        findings.push(finding);
    }
}

/// The least gap between a wall and what closes the building over it, with its place; none where it reaches it, or nothing is there.
fn gap(survey: &Survey<'_>, body: &Element) -> Option<(f64, DVec3)> {
    let run = WallRun::of_body(body)?;
    let middle = run.along.perp() * f64::midpoint(run.across[0], run.across[1]);
    let [from, to] = run.length;
    let places = PLACES.iter().map(|share| run.along * (from + (to - from) * share) + middle);
    let gaps = places.filter_map(|p| {
        let up = Ray::new(p.extend(run.height[0] - 1.0), DVec3::Z)?;
        let top = body.hits(&up).last()?.point;
        Some((over(survey, body.id(), top)?, top))
    });
    let gaps: Vec<(f64, DVec3)> = gaps.filter(|(gap, _)| *gap > survey.parameters.gap).collect();
    if gaps.len() < SHOWN {
        return None;
    }
    gaps.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))
}

/// The distance from the top of a wall to what is over it.
fn over(survey: &Survey<'_>, wall: Id, top: DVec3) -> Option<f64> {
    let index = survey.subject.index;
    let from = top + DVec3::Z * OVER;
    let closes = |id: Id| {
        id != wall && survey.subject.model.get(id).is_some_and(|e| CLOSING.iter().any(|class| e.is_a(class)))
    };
    if index.at_point(from).into_iter().any(closes) {
        return Some(0.0);
    }
    let ray = Ray::new(top - DVec3::Z * OVER, DVec3::Z)?.up_to(survey.parameters.reach);
    Some((index.first_hit(&ray, closes)?.distance - OVER).max(0.0))
}
