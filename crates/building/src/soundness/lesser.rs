//! Lesser faults of a change: elements without size, far off or there twice; openings that are cut into nothing, doors and windows
//! without a host.
//!
//! A fault that was there before the change is not told again.

use super::bodies::Bodies;
use super::overlap::takes_space;
use super::{Finding, Kind, called, constraint, extent, fillings, finding, outlier, twice};
use geometry::Bounds;
use ifc::Id;
use std::collections::BTreeSet;

/// Adds the findings on what was touched, and on doors and windows that stood by what was moved or taken away.
pub(super) fn find(bodies: &Bodies<'_>, findings: &mut Vec<Finding>) {
    for id in &bodies.change.touched {
        findings.extend(without_size(bodies, *id));
        findings.extend(idle(bodies, *id));
    }
    copies(bodies, findings);
    far_off(bodies, findings);
    let touched = bodies.change.touched.iter().copied();
    let is_filling = |id: &Id| fillings::is_unbound(&bodies.links, *id);
    let all: BTreeSet<Id> = touched.filter(is_filling).collect();
    let left = bodies.left_behind().iter().copied().filter(is_filling);
    findings.extend(all.into_iter().chain(left).filter_map(|id| unhosted(bodies, id)));
}

/// The finding on an element without extent, or a door or window that states no size.
fn without_size(bodies: &Bodies<'_>, id: Id) -> Option<Finding> {
    let model = bodies.model();
    let kind = (Kind::ZeroSize, constraint::ZERO_SIZE);
    let tell = |what: &str| finding(model, kind, &[id], format!("{} {what}.", called(model, id)));
    if let Some((attribute, value)) = extent::noughts(model, id).first() {
        return Some(tell(&format!("states {value} as its {attribute}")));
    }
    if !model.get(id).is_some_and(|e| geometry::element::is_drawable(&e)) {
        return None;
    }
    let lack = extent::lack(model, &*bodies.cut(id)?)?;
    Some(tell(lack.words()))
}

/// The finding on an opening that is cut into nothing.
fn idle(bodies: &Bodies<'_>, id: Id) -> Option<Finding> {
    let model = bodies.model();
    if !bodies.is_a(id, "IfcOpeningElement") || bodies.links.host_of_opening(id).is_some() {
        return None;
    }
    let kind = (Kind::IdleOpening, constraint::IDLE_OPENING);
    Some(finding(model, kind, &[id], format!("{} voids no element.", called(model, id))))
}

/// Adds the elements that are there twice and take up no space, such as coverings; others overlap.
fn copies(bodies: &Bodies<'_>, findings: &mut Vec<Finding>) {
    let model = bodies.model();
    let mut seen: BTreeSet<(Id, Id)> = BTreeSet::new();
    for id in bodies.change.touched.iter().filter(|id| !takes_space(model, **id)) {
        let Some(bounds) = bodies.bounds(*id) else { continue };
        let class = |id: Id| model.get(id).map(|e| e.class_name());
        let is_like =
            |(other, its): &(Id, Bounds)| other != id && is_one(&bounds, its) && class(*other) == class(*id);
        for (other, _) in bodies.near(bounds, 0.0).filter(is_like) {
            let pair = (other.min(*id), other.max(*id));
            let (true, Some(one), Some(two)) = (seen.insert(pair), bodies.cut(pair.0), bodies.cut(pair.1))
            else {
                continue;
            };
            let was = [pair.0, pair.1].map(|id| bodies.former_cut(id));
            let was_there = matches!(was, [Some(a), Some(b)] if twice::is_twice(model, &a, &b));
            if twice::is_twice(model, &one, &two) && !was_there {
                let say = format!(
                    "{} and {} are the same body at the same place.",
                    called(model, pair.0),
                    called(model, pair.1)
                );
                let kind = (Kind::Duplicate, constraint::DUPLICATE);
                findings.push(finding(model, kind, &[pair.0, pair.1], say));
            }
        }
    }
}

fn is_one(a: &Bounds, b: &Bounds) -> bool {
    const APART: f64 = 2e-3;
    a.min.abs_diff_eq(b.min, APART) && a.max.abs_diff_eq(b.max, APART)
}

/// Adds the elements that stand far from all others on the storeys that are looked at.
fn far_off(bodies: &Bodies<'_>, findings: &mut Vec<Finding>) {
    let model = bodies.model();
    // most buildings are too small to have anything far off
    if bodies.boxes().fold(Bounds::EMPTY, |all, (_, b)| all.join(&b)).size().length() <= outlier::NEAREST {
        return;
    }
    let all_belong = outlier::all_belong(model);
    let all: Vec<(Id, Bounds)> =
        bodies.boxes().filter(|(id, _)| all_belong || outlier::belongs(model, *id)).collect();
    let boxes: Vec<Bounds> = all.iter().map(|(_, b)| *b).collect();
    let Some(site) = outlier::Site::from_boxes(&boxes) else { return };
    for (id, bounds) in all.into_iter().filter(|(id, _)| bodies.change.touched.contains(id)) {
        let was_off = || bodies.former_bounds(id).is_some_and(|was| site.too_far(&was).is_some());
        if let Some(off) = site.too_far(&bounds).filter(|_| !was_off()) {
            let say = format!("{} stands {off:.0} m from the middle of the building.", called(model, id));
            findings.push(finding(model, (Kind::Outlier, constraint::OUTLIER), &[id], say));
        }
    }
}

/// The finding on a door or window that fills no opening and stands in nothing, since this change.
fn unhosted(bodies: &Bodies<'_>, id: Id) -> Option<Finding> {
    let model = bodies.model();
    let body = bodies.cut(id)?;
    let mut near = bodies.near(body.bounds(), fillings::REACH);
    let stands = near.any(|(other, _)| {
        other != id
            && fillings::is_host(model, other)
            && bodies.cut(other).is_some_and(|host| fillings::stands_in(&body, &host))
    });
    if stands {
        return None;
    }
    let say = format!("{} fills no opening and stands in no wall.", called(model, id));
    Some(finding(model, (Kind::UnhostedFilling, constraint::UNHOSTED_FILLING), &[id], say))
}
