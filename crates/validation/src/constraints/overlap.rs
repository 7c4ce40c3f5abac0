//! Elements that share space with others, as nothing that is built does.
//!
//! What is meant to meet is left out: an opening and its host, a door and its wall, a covering and what it covers, parts of one whole,
//! and what the file says is connected. Two walls that meet are to be cut there, whatever the file says. What shares space by custom
//! ([`building::soundness::custom`]) is counted and not told. Elements that are there twice are told as such ([`super::duplicate`]), and
//! what goes into a copy is told of its original alone; parts of one whole, such as the panes of a curtain wall, are told together.

use super::Constraint;
use super::context::{Context, at};
use super::duplicate;
use super::unjoined::joined_by_call;
use crate::around::Around as _;
use crate::grouping::joined;
use crate::wall_run::WallRun;
use crate::{Finding, Quantity, Required, Severity};
use building::soundness::constraint;
use building::soundness::custom::{Custom, FINISH, FITTED};
use building::soundness::framing::FRAME;
use building::soundness::overlap::{RULES, Shared, Verdict, is_meant, judge, takes_space};
use geometry::query::{Element, Index, Kind};
use ifc::Id;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) const CONSTRAINT: Constraint = Constraint {
    id: constraint::OVERLAP,
    title: "Elements do not share space",
    text: "Bodies of building elements, furniture and fixtures touch at most, but for what the file binds, such as a door and its wall, and what is drawn through each other by custom: feet in the finish of a floor, beams that bear in walls, members in what is drawn around them, slabs cast into walls. Corners of walls that are not cut, walls that end in slabs and columns in walls are warnings.",
    why: "Two things cannot be built in one place, and volumes and areas are counted twice.",
    severity: Severity::Error,
    find,
};

/// Pairs of near elements that are looked at at most.
const MOST_PAIRS: usize = 2_000_000;
/// Overlaps shallower than this are told as warnings, in metres: tolerances of drawing.
const SHALLOW: f64 = 0.010;

/// A pair of elements that come near each other.
type Pair = (Arc<Element>, Arc<Element>);

fn find(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(pairs) = pairs(context) else {
        let message = format!(
            "More than {MOST_PAIRS} pairs of elements are near each other; overlaps were not looked for."
        );
        findings.push(CONSTRAINT.unjudged(&message));
        return;
    };
    let copies: BTreeMap<Id, Id> = duplicate::groups(context)
        .into_iter()
        .flat_map(|group| group.clone().into_iter().map(move |id| (id, group.first().copied().unwrap_or(id))))
        .collect();
    let original = |id: Id| copies.get(&id).copied().unwrap_or(id);
    let wanted: Vec<Pair> = pairs
        .into_iter()
        .filter(|(a, b)| {
            let is_copy = original(a.id()) == original(b.id())
                || original(a.id()) != a.id()
                || original(b.id()) != b.id();
            !is_copy && !is_meant(&context.links, a.id(), b.id())
        })
        .collect();
    let floors: Vec<f64> = context.layout.rooms.storeys.iter().map(|storey| storey.elevation).collect();
    let model = context.model;
    let judged: Vec<(Verdict, Pair)> = wanted
        .into_par_iter()
        .map(|(a, b)| (judge(model, &a, &b, || floors.clone()), (a, b)))
        .filter(|(verdict, _)| *verdict != Verdict::Apart)
        .collect();
    note_customs(context, judged.iter().map(|(verdict, _)| verdict));
    let told = judged.into_iter().filter_map(|(verdict, (a, b))| match verdict {
        Verdict::Overlap(shared) => Some(told(context, &shared, &a, &b)),
        Verdict::Custom(_) | Verdict::Apart => None,
    });
    let told = of_wholes(context, told.collect());
    let class = |id: &Id| context.model.get(*id).map(|e| e.class_name()).unwrap_or_default();
    let cause = |finding: &Finding| {
        let mut classes: Vec<&str> = finding.elements.iter().map(class).collect();
        classes.sort_unstable();
        let storey = finding.elements.first().and_then(|id| context.storey(*id));
        (classes, storey, finding.severity)
    };
    let say = |(classes, storey, _): &(Vec<&str>, Option<Id>, Severity), group: &[Finding]| {
        let on = storey.map_or(String::new(), |id| format!(" on {}", context.called(id)));
        format!(
            "{} pairs of {}{on} share space. The first: {}",
            group.len(),
            classes.join(" and "),
            first(group)
        )
    };
    findings.extend(joined(told, cause, say));
}

fn first(group: &[Finding]) -> &str {
    group.first().map(|finding| finding.message.as_str()).unwrap_or_default()
}

/// The pairs of elements that take up space and come near each other; none where there are too many.
fn pairs(context: &Context<'_>) -> Option<Vec<Pair>> {
    let all = context.bodies().into_iter().filter(|body| takes_space(context.model, body.id()));
    let all: Vec<&Arc<Element>> = all.collect();
    let mut ids: BTreeSet<Id> = all.iter().map(|body| body.id()).collect();
    let asked: Vec<&&Arc<Element>> = all.iter().filter(|body| context.concerns(body.id())).collect();
    if asked.len() < all.len() {
        let near = asked.iter().flat_map(|body| context.index.near(&body.bounds(), 0.0));
        let around: BTreeSet<Id> =
            near.map(|body| body.id()).chain(asked.iter().map(|body| body.id())).collect();
        ids.retain(|id| around.contains(id));
    }
    let subset: Index = context.index.subset(ids);
    let mut pairs = subset.near_pairs(None, -RULES.tolerance, MOST_PAIRS)?;
    pairs.retain(|(a, b)| context.concerns(a.id()) || context.concerns(b.id()));
    Some(pairs)
}

/// Notes how many pairs share space by custom.
fn note_customs<'v>(context: &Context<'_>, verdicts: impl Iterator<Item = &'v Verdict>) {
    let mut counts: BTreeMap<Custom, usize> = BTreeMap::new();
    for verdict in verdicts {
        if let Verdict::Custom(custom) = verdict {
            *counts.entry(*custom).or_default() += 1;
        }
    }
    for (custom, count) in counts {
        context.note(format!(
            "Pairs that share space by custom and are no overlaps: {count} {}.",
            custom.words()
        ));
    }
}

/// Joins the findings on parts of one whole and another element, or whole.
fn of_wholes(context: &Context<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let whole = |id: Id| {
        context.links.aggregate_parent(id).filter(|up| context.is_a(*up, "IfcElement")).unwrap_or(id)
    };
    let mut groups: BTreeMap<(BTreeSet<Id>, Severity), Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        let wholes = finding.elements.iter().map(|id| whole(*id)).collect();
        groups.entry((wholes, finding.severity)).or_default().push(finding);
    }
    let one = |((wholes, _), group): ((BTreeSet<Id>, Severity), Vec<Finding>)| {
        let count = group.len();
        let elements: BTreeSet<Id> =
            group.iter().flat_map(|finding| finding.elements.iter().copied()).collect();
        let mut group = group.into_iter();
        let first = group.next()?;
        if count == 1 {
            return Some(first);
        }
        let names: Vec<String> = wholes.iter().map(|id| context.called(*id)).collect();
        let message =
            format!("{} share space at {count} places. The first: {}", names.join(" and "), first.message);
        Some(Finding { elements: elements.into_iter().collect(), message, ..first })
    };
    groups.into_iter().filter_map(one).collect()
}

fn told(context: &Context<'_>, shared: &Shared, a: &Element, b: &Element) -> Finding {
    let found = shared.found;
    let (one, other) = (context.called(found.a), context.called(found.b));
    let (place, volume, depth) = (found.place, shared.volume, shared.depth);
    let message = match (found.kind, depth) {
        (Kind::Inside { .. }, _) => format!("{one} lies wholly in {other}: they"),
        (Kind::Contains { .. }, _) => format!("{other} lies wholly in {one}: they"),
        (_, Some(depth)) => format!("{one} and {other} go {} into each other and", Quantity::length(depth)),
        (_, None) => format!("{one} and {other} are the same body at the same place: they"),
    };
    let message = format!("{message} share {}, at {} mm.", space(volume), at(place));
    let finding = CONSTRAINT
        .breach(vec![found.a, found.b], message)
        .at(place)
        .suggest("Move or shorten one of them, join them if they are walls, or cut one out of the other.");
    let finding = match depth {
        Some(depth) => {
            finding.measured(Quantity::length(depth), Required::AtMost(Quantity::length(RULES.tolerance)))
        }
        None => {
            finding.measured(Quantity::volume(volume), Required::AtMost(Quantity::volume(RULES.least_volume)))
        }
    };
    let is_fitted = context.is_any(found.a, &FITTED) || context.is_any(found.b, &FITTED);
    let is_shallow = depth.is_some_and(|depth| depth < if is_fitted { FINISH } else { SHALLOW });
    let is_corner = is_corner(context, a, b);
    let is_usual = is_shallow || is_left_whole(context, found.a, found.b) || is_corner;
    let finding = if is_corner { joined_by_call(context, finding) } else { finding };
    Finding { severity: if is_usual { Severity::Warning } else { finding.severity }, ..finding }
}

/// Returns true of two elements that are often drawn through each other and cut on site by custom: the frame in what it carries, walls in
/// slabs and roofs, casings of doors in the next wall.
fn is_left_whole(context: &Context<'_>, a: Id, b: Id) -> bool {
    const PLATES: [&str; 5] = ["IfcSlab", "IfcRoof", "IfcStair", "IfcStairFlight", "IfcRamp"];
    let pair = |one: &[&str], other: &[&str]| {
        (context.is_any(a, one) && context.is_any(b, other))
            || (context.is_any(b, one) && context.is_any(a, other))
    };
    let enclosing = ["IfcWall", "IfcSlab", "IfcRoof", "IfcCurtainWall", "IfcPlate"];
    pair(&FRAME, &enclosing)
        || pair(&["IfcWall", "IfcCurtainWall", "IfcPlate"], &PLATES)
        || pair(&["IfcDoor", "IfcWindow"], &["IfcWall"])
        || [a, b].iter().all(|id| is_of_curtain_wall(context, *id))
}

fn is_of_curtain_wall(context: &Context<'_>, id: Id) -> bool {
    context.links.aggregate_parent(id).is_some_and(|whole| context.is_a(whole, "IfcCurtainWall"))
}

/// Returns true of two walls of which each ends where the other is, so that their corner is drawn by both.
fn is_corner(context: &Context<'_>, a: &Element, b: &Element) -> bool {
    const TURNED: f64 = 0.2;
    let wall = |body: &Element| WallRun::of_body(body).filter(|_| context.is_a(body.id(), "IfcWall"));
    let (Some(one), Some(other)) = (wall(a), wall(b)) else { return false };
    one.turn(&other) > TURNED && one.ends_at(&other, 0.01) && other.ends_at(&one, 0.01)
}

/// A shared volume in words, small ones in litres.
fn space(cubic_metres: f64) -> String {
    if cubic_metres < 0.1 {
        format!("{:.2} litres", cubic_metres * 1e3)
    } else {
        Quantity::volume(cubic_metres).to_string()
    }
}
