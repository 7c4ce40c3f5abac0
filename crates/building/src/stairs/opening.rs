//! The opening of a stair in the slabs above it: over every step from which the slab leaves less than the headroom. It is
//! tied to its stair by an assignment, so that it goes when the stair goes and moves when it moves.

use super::layout::Step;
use crate::author::{Author, word};
use crate::frame::Frame;
use crate::host::{self, Slab};
use crate::lookup::free_name;
use crate::measures::mm;
use crate::polygon::{area, bounds, without_spikes};
use crate::quantities::Quantity;
use crate::{quantity_sets, regions, slab, solids, totals};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Model, Value, relations};

/// Openings smaller than this are not cut, in mm².
const LEAST: f64 = 10_000.0;

/// The slabs that storeys hold, as far as they can be read by their outlines.
pub fn slabs_on(author: &Author, storeys: &[Id]) -> Vec<Slab> {
    let held = storeys.iter().flat_map(|storey| relations::contained(author.edit, *storey));
    let mut ids: Vec<Id> =
        held.filter(|id| author.edit.get(*id).is_some_and(|e| e.is_a("IfcSlab"))).collect();
    ids.dedup();
    let slabs = ids.into_iter().filter_map(|id| Slab::read(author, id).ok());
    slabs.filter(|slab| slab.frame.is_upright()).collect()
}

/// The slab whose top lies at a height in the world, in mm, under a point.
pub fn slab_at(slabs: &[Slab], p: DVec2, top: f64) -> Option<&Slab> {
    slabs.iter().find(|slab| {
        let level = slab.frame.translation.z + slab.base + slab.thickness;
        (level - top).abs() < 5.0 && crate::polygon::contains(&slab.outline_in_world(), p)
    })
}

/// Cuts what a stair needs into the slabs over it: those whose underside lies less than `headroom` over one of its places, and
/// whose top is not above where it leads. Answers the openings; those that it has already are drawn anew, and go where nothing is
/// needed any more.
pub fn cut(
    author: &mut Author,
    stair: Id,
    frame: &Frame,
    places: &[Step],
    heights: (f64, f64),
    slabs: &[Slab],
) -> Result<Vec<Id>, Fault> {
    let mut made = Vec::new();
    let mut known = cut_for(author.edit, stair);
    for slab in slabs {
        let needed = below(frame, places, heights, slab);
        if needed.is_empty() {
            continue;
        }
        let mut own: Vec<Id> = known
            .extract_if(.., |id| relations::host_of_opening(author.edit, *id) == Some(slab.id))
            .collect();
        own.reverse();
        for outline in pieces(author, slab, &needed, &own) {
            let existing = own.pop();
            let opening = draw(author, slab, &outline, existing)?;
            if existing.is_none() {
                assign(author, stair, opening)?;
            }
            made.push(opening);
        }
        known.extend(own);
        slab::requantify(author, slab.id)?;
        totals::around(author, slab.id)?;
    }
    if !known.is_empty() {
        crate::deletion::delete(author, &known, false)?;
    }
    Ok(made)
}

/// Returns true if a stair needs some of a slab cut out for it.
pub fn needs(frame: &Frame, places: &[Step], heights: (f64, f64), slab: &Slab) -> bool {
    let needed = below(frame, places, heights, slab);
    let within = regions::intersection(&needed, &[slab.outline_in_world()]);
    within.iter().any(|r| area(&r.outer) >= LEAST)
}

/// The outlines in the world of those places from which a slab leaves less than the headroom; none where it lies beside or above.
fn below(frame: &Frame, places: &[Step], (height, headroom): (f64, f64), slab: &Slab) -> Vec<Vec<DVec2>> {
    let underside = slab.frame.translation.z + slab.base - frame.translation.z;
    if underside < 300.0 || underside + slab.thickness > height + 5.0 {
        return Vec::new();
    }
    let low = places.iter().filter(|step| step.top + headroom > underside + 0.1);
    let placed = |p: &DVec2| rounded(frame.transform_point3(p.extend(0.0)).truncate());
    low.map(|step| step.outline.iter().map(placed).collect()).collect()
}

/// A point to a thousandth of a millimetre, so that steps side by side have the same corners wherever a stair stands.
fn rounded(p: DVec2) -> DVec2 {
    (p * 1000.0).round() / 1000.0
}

/// The part of some outlines in the world that lies in a slab and in none of its openings but `own`.
pub(super) fn pieces(author: &Author, slab: &Slab, needed: &[Vec<DVec2>], own: &[Id]) -> Vec<Vec<DVec2>> {
    let within = regions::intersection(needed, &[slab.outline_in_world()]);
    let taken: Vec<Vec<DVec2>> = host::opening_outlines_but(author, slab, own)
        .into_iter()
        .map(|o| o.iter().map(|p| slab.frame.transform_point3(p.extend(0.0)).truncate()).collect())
        .collect();
    let outer: Vec<Vec<DVec2>> = within.into_iter().map(|r| r.outer).collect();
    let left = if taken.is_empty() {
        outer
    } else {
        regions::difference(&outer, &taken).into_iter().map(|r| r.outer).collect()
    };
    left.into_iter().map(|o| without_spikes(&o, 0.1)).filter(|o| area(o) >= LEAST).collect()
}

/// Writes an opening through a slab over an outline in the world.
pub fn write(author: &mut Author, slab: &Slab, outline: &[DVec2]) -> Result<Id, Fault> {
    draw(author, slab, outline, None)
}

/// Writes an opening through a slab over an outline in the world, or draws one that it has anew.
fn draw(author: &mut Author, slab: &Slab, outline: &[DVec2], existing: Option<Id>) -> Result<Id, Fault> {
    let own: Vec<DVec2> =
        outline.iter().map(|p| slab.frame.into_own(p.extend(slab.frame.translation.z)).truncate()).collect();
    let (low, high) = bounds(&own);
    let at = Frame::at(low.extend(slab.base));
    let own: Vec<DVec2> = own.iter().map(|p| *p - low).collect();
    let solid = author.upright(&own, &[], 0.0, slab.thickness)?;
    let body = author.body(&[solid])?;
    let opening = if let Some(opening) = existing {
        crate::placing::place(author, opening, &(slab.frame * at))?;
        author.replace_representation(opening, "Body", body)?;
        opening
    } else {
        let within = author.placement_of(slab.id);
        let placement = author.placement(within, &at)?;
        let shape = author.shape(&[body])?;
        let text = free_name(author.edit, "IfcOpeningElement", "Opening");
        let mut attributes =
            vec![("ObjectPlacement", Value::Ref(placement)), ("Representation", shape.into())];
        if author.has_attribute("IfcOpeningElement", "PredefinedType") {
            attributes.push(("PredefinedType", word("OPENING")));
        }
        let opening = author.root("IfcOpeningElement", Some(&text), &attributes)?;
        author.void(slab.id, opening)?;
        opening
    };
    let size = high - low;
    let whole = area(&own);
    let mut quantities = vec![
        ("Depth", Quantity::Length(slab.thickness)),
        ("Area", Quantity::Area(whole)),
        ("Volume", Quantity::Volume(whole * slab.thickness)),
    ];
    if (whole - size.x * size.y).abs() < 1.0 {
        quantities.insert(0, ("Width", Quantity::Length(size.x)));
        quantities.insert(1, ("Height", Quantity::Length(size.y)));
    }
    author.quantify(opening, quantity_sets::OPENING, &quantities)?;
    Ok(opening)
}

/// Ties an opening to the stair or ramp that it is for.
fn assign(author: &mut Author, stair: Id, opening: Id) -> Result<(), Fault> {
    let known = author
        .edit
        .referrers_of(stair, "IfcRelAssignsToProduct")
        .into_iter()
        .find(|id| author.edit.get(*id).is_some_and(|r| r.reference("RelatingProduct") == Some(stair)));
    if let Some(known) = known {
        return author.add_to(known, "RelatedObjects", opening);
    }
    let members = Value::list([Value::Ref(opening)]);
    let ends = [("RelatedObjects", members), ("RelatingProduct", stair.into())];
    author.root("IfcRelAssignsToProduct", Some("Opening for it"), &ends).map(|_| ())
}

/// Moves the opening of a stair along with it, within its slab's plane; one that no longer meets its slab goes.
pub fn shift(author: &mut Author, opening: Id, by: DVec3) -> Result<(), Fault> {
    let mut frame = author.frame(opening)?;
    frame.0.translation += by.with_z(0.0);
    crate::placing::place(author, opening, &frame)?;
    let Some(host) = relations::host_of_opening(author.edit, opening) else { return Ok(()) };
    if let Ok(slab) = Slab::read(author, host)
        && host::opened_area(author, &slab) < 1.0
    {
        return crate::deletion::delete(author, &[opening], false).map(|_| ());
    }
    slab::requantify(author, host)?;
    totals::around(author, host)
}

/// The openings that were cut for a stair or ramp, and are there for nothing else.
pub fn cut_for(model: &Model, stair: Id) -> Vec<Id> {
    if !model.get(stair).is_some_and(|s| s.is_a("IfcStair") || s.is_a("IfcRamp")) {
        return Vec::new();
    }
    model
        .referrers_of(stair, "IfcRelAssignsToProduct")
        .into_iter()
        .filter_map(|id| model.get(id))
        .filter(|r| r.reference("RelatingProduct") == Some(stair))
        .flat_map(|r| r.references("RelatedObjects"))
        .filter(|id| model.get(*id).is_some_and(|e| e.is_a("IfcOpeningElement")))
        .collect()
}

/// The middle and size of an opening in plan, for answers: lowest and highest corner in the world, in mm.
pub fn extent(author: &Author, opening: Id) -> Option<[[f64; 2]; 2]> {
    let placed = author.frame(opening).ok()?;
    let corners = solids::corners_of(author.edit, opening, author.units().length_mm);
    let all: Vec<DVec2> =
        corners.into_iter().map(|p| placed.transform_point3(p)).map(DVec3::truncate).collect();
    let (low, high) = bounds(&all);
    (!all.is_empty()).then(|| [[mm(low.x), mm(low.y)], [mm(high.x), mm(high.y)]])
}
