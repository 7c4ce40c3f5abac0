//! Putting an element elsewhere: its placement written anew, or left where nothing changes; and what placements are relative to, where
//! that goes. What stands on a grid or along a curve is placed by itself from then on.

use crate::author::Author;
use crate::frame::Frame;
use crate::lookup::label;
use crate::solids;
use contract::Fault;
use ifc::{Id, Value, relations};
use std::collections::BTreeSet;

/// Puts an element at a frame in the world, in mm, keeping what its placement is relative to. A placement that other products
/// share is left to them.
pub fn place(author: &mut Author, id: Id, frame: &Frame) -> Result<(), Fault> {
    let Some(placement) = author.placement_of(id) else {
        return Err(Fault::constraint(format!("{} has no placement.", label(author.edit, id))));
    };
    let mm = author.units().length_mm;
    if !author.edit.get(placement).is_some_and(|p| p.is_a("IfcLocalPlacement")) {
        return stand_by_itself(author, id, placement, frame);
    }
    let within = author.edit.get(placement).and_then(|p| p.reference("PlacementRelTo"));
    let outer = Frame::of_placement(author.edit, within, mm)?;
    let own = frame.seen_from(&outer);
    let shared = author
        .edit
        .referrers(placement)
        .into_iter()
        .any(|user| user != id && author.edit.get(user).is_some_and(|u| u.is_a("IfcProduct")));
    if shared {
        let fresh = author.placement(within, &own)?;
        return author.set(id, "ObjectPlacement", fresh);
    }
    let old = author.edit.get(placement).and_then(|p| p.reference("RelativePlacement"));
    let unchanged =
        old.and_then(|old| solids::axes(author.edit, old, mm)).is_some_and(|was| same(&was, &own));
    if unchanged {
        return Ok(());
    }
    let axes = author.axes(&own)?;
    author.set(placement, "RelativePlacement", axes)?;
    author.sweep(&old.into_iter().collect::<Vec<_>>())
}

/// Gives an element a placement of its own at a frame in the world instead of one on a grid or along a curve. What is placed relative to
/// that goes along, unless other elements have it.
fn stand_by_itself(author: &mut Author, id: Id, old: Id, frame: &Frame) -> Result<(), Fault> {
    let model: &ifc::Model = author.edit;
    let whole = relations::aggregate_parent(model, id)
        .or_else(|| relations::host_of_opening(model, id))
        .or_else(|| relations::opening_of_filling(model, id))
        .or_else(|| relations::direct_container(model, id));
    let within = whole.and_then(|whole| author.placement_of(whole)).filter(|within| *within != old);
    let outer = Frame::of_placement(author.edit, within, author.units().length_mm)?;
    let fresh = author.placement(within, &frame.seen_from(&outer))?;
    author.set(id, "ObjectPlacement", fresh)?;
    let users = author.edit.referrers(old);
    if users.iter().any(|user| author.edit.get(*user).is_some_and(|u| u.is_a("IfcProduct"))) {
        return Ok(());
    }
    for inner in users {
        if author.edit.get(inner).is_some_and(|p| p.reference("PlacementRelTo") == Some(old)) {
            author.set(inner, "PlacementRelTo", fresh)?;
        }
    }
    author.sweep(&[old])
}

/// Gives what another program placed on the axes of a grid, which is about to go, placements of their own where they stand.
pub(crate) fn leave_grid(author: &mut Author, grid: Id) -> Result<(), Fault> {
    let Some(instance) = author.edit.get(grid) else { return Ok(()) };
    let axes: Vec<Id> =
        ["UAxes", "VAxes", "WAxes"].iter().flat_map(|axes| instance.references(axes)).collect();
    let crossings =
        axes.into_iter().flat_map(|axis| author.edit.referrers_of(axis, "IfcVirtualGridIntersection"));
    let crossings: BTreeSet<Id> = crossings.collect();
    let placements =
        crossings.iter().flat_map(|crossing| author.edit.referrers_of(*crossing, "IfcGridPlacement"));
    let placements: BTreeSet<Id> = placements.collect();
    for placement in placements {
        for product in author.edit.referrers_of(placement, "IfcProduct") {
            let frame = author.frame(product)?;
            stand_by_itself(author, product, placement, &frame)?;
        }
        // one that no product has may still carry others
        hand_on(author, placement)?;
        author.sweep(&[placement])?;
    }
    Ok(())
}

/// Sets what is placed relative to a placement that no product has any more relative to what that is relative to, where it is in the
/// world. Where either cannot be resolved all stays as it is.
pub(crate) fn hand_on(author: &mut Author, placement: Id) -> Result<(), Fault> {
    let users = author.edit.referrers(placement);
    let is = |id: Id, class: &str| author.edit.get(id).is_some_and(|it| it.is_a(class));
    if users.iter().any(|id| is(*id, "IfcProduct")) {
        return Ok(());
    }
    // one along a curve or on a grid is placed by that, and only says what its coordinates are told in
    let inner: Vec<Id> = users.into_iter().filter(|id| is(*id, "IfcLocalPlacement")).collect();
    let mm = author.units().length_mm;
    let within = author.edit.get(placement).and_then(|p| p.reference("PlacementRelTo"));
    for id in inner {
        let (Ok(outer), Ok(frame)) =
            (Frame::of_placement(author.edit, within, mm), Frame::of_placement(author.edit, Some(id), mm))
        else {
            continue;
        };
        let old = author.edit.get(id).and_then(|p| p.reference("RelativePlacement"));
        let own = frame.seen_from(&outer);
        author.set(id, "PlacementRelTo", within.map_or(Value::Null, Value::Ref))?;
        if old.and_then(|old| solids::axes(author.edit, old, mm)).is_some_and(|was| same(&was, &own)) {
            continue;
        }
        let axes = author.axes(&own)?;
        author.set(id, "RelativePlacement", axes)?;
        author.sweep(&old.into_iter().collect::<Vec<_>>())?;
    }
    Ok(())
}

fn same(a: &Frame, b: &Frame) -> bool {
    a.translation.abs_diff_eq(b.translation, 1e-6) && a.matrix3.abs_diff_eq(b.matrix3, 1e-12)
}
