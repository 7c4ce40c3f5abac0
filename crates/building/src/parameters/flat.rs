//! Parameters in plan: a slab's or a roof's thickness and outline, a space's height and outline.

use super::change::{Change, number};
use crate::author::Author;
use crate::host::{self, Slab};
use crate::leaning;
use crate::library::buildup::{self, only_material};
use crate::lookup::{label, predefined_type};
use crate::measures::{mm, positive};
use crate::polygon::{self, area};
use crate::quantities::is_ours;
use crate::quantity_sets;
use crate::slab::{self, SlabKind};
use crate::{regions, roof, solids, space, totals};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};
use serde_json::{Value as Json, json};

pub(super) fn slab(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let old = Slab::read(author, id)?;
    if let Some(whole) = relations::aggregate_parent(author.edit, id).filter(|w| roof::is_kept(author, *w)) {
        return Err(Fault::constraint(format!(
            "{} is a plane of the roof {}; change {parameter} of that: its planes are drawn anew together.",
            label(author.edit, id),
            label(author.edit, whole)
        ))
        .with("field", "element_id")
        .with("roof_id", crate::lookup::guid(author.edit, whole)));
    }
    let leans = !old.plain && leaning::can_redraw(author, &old);
    if !old.plain && !leans {
        return Err(not_plain(author, id));
    }
    let kind = match predefined_type(author.edit, id).as_deref() {
        Some("ROOF") => SlabKind::Roof,
        Some("BASESLAB") => SlabKind::BaseSlab,
        Some("LANDING") => SlabKind::Landing,
        _ => SlabKind::Floor,
    };
    let mut new = old.clone();
    let before = if parameter == "thickness" {
        new.thickness = positive("value", number(value)?)?;
        // a roof's plate keeps what it rests on, a floor its top
        if kind != SlabKind::Roof {
            new.base = old.base + old.thickness - new.thickness;
        }
        json!(mm(old.thickness))
    } else {
        let outline = outline(value)?;
        new.outline = if leans { leaning::outline_below(&old, &outline) } else { into_own(&outline, &old) };
        json!(rounded(&old.outline_in_world()))
    };
    if leans {
        leaning::redraw(author, &old, &mut new)?;
    } else {
        let solid = author.upright(&new.outline, &[], new.base, new.thickness)?;
        let body = author.body(&[solid])?;
        author.replace_representation(id, "Body", body)?;
    }
    let openings = host::openings(author, id, &old.frame);
    for (opening, extent) in &openings {
        let outline = geometry::region::rectangle(extent.low.truncate(), extent.high.truncate());
        if !regions::difference(&[outline], std::slice::from_ref(&new.outline)).is_empty() {
            return Err(Fault::constraint(format!(
                "The opening {} would no longer lie inside the slab; move or delete it first.",
                label(author.edit, *opening)
            ))
            .with("field", "value"));
        }
        if parameter == "thickness" {
            let (x, y) = (extent.size(0), extent.size(1));
            let origin = old.frame.transform_point3(extent.low.with_z(new.base));
            let frame = old.frame.with_origin(origin);
            let outline = crate::opening::stands(author, *opening, &old.frame, true);
            crate::placing::place(author, *opening, &frame)?;
            let size = DVec3::new(x, y, new.thickness);
            crate::opening::redraw(author, *opening, outline.as_deref(), size, true)?;
        }
    }
    if parameter == "thickness" && is_ours(author.edit, id, quantity_sets::SLAB) {
        one_layer(author, id, new.thickness)?;
        let material = only_material(author, id);
        author.leave(id, "IfcRelDefinesByType")?;
        author.leave(id, "IfcRelAssociatesMaterial")?;
        let from = if leans { new.base } else { -new.thickness };
        slab::dress_from(author, id, kind, new.thickness, material.as_deref(), from)?;
    }
    slab::requantify(author, id)?;
    let mut regenerated: Vec<Id> = openings.into_iter().map(|(opening, _)| opening).collect();
    if let Some(whole) =
        relations::aggregate_parent(author.edit, id).filter(|w| is_ours(author.edit, *w, quantity_sets::ROOF))
    {
        roof::quantify(author, whole)?;
        regenerated.push(whole);
    }
    totals::around(author, id)?;
    let stands = Slab::read(author, id)?;
    let after = if parameter == "thickness" {
        json!(mm(stands.thickness))
    } else {
        json!(rounded(&stands.outline_in_world()))
    };
    Ok(Change { before, after, regenerated })
}

/// Refuses a thickness that several layers of a slab's type would have to share.
fn one_layer(author: &Author, id: Id, thickness: f64) -> Result<(), Fault> {
    let set = relations::type_of(author.edit, id).and_then(|of_type| buildup::set_of(author, of_type));
    let layers = set.map(|set| buildup::read(author, set)).unwrap_or_default();
    if layers.len() < 2 || (buildup::total(&layers) - thickness).abs() < 1e-3 {
        return Ok(());
    }
    Err(Fault::constraint(format!(
        "{} has {} layers; say with assign_material and `layers` which becomes thicker.",
        label(author.edit, id),
        layers.len()
    ))
    .with("field", "value"))
}

pub(super) fn roof(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let plates: Vec<Id> = relations::children(author.edit, id)
        .into_iter()
        .filter(|plate| author.edit.get(*plate).is_some_and(|p| p.is_a("IfcSlab")))
        .collect();
    let plate = match plates[..] {
        [plate] if !roof::is_kept(author, id) && roof::PARAMETERS[..2].contains(&parameter) => plate,
        _ => {
            let (before, after, regenerated) = roof::change(author, id, parameter, value)?;
            return Ok(Change { before, after, regenerated });
        }
    };
    let mut change = slab(author, plate, parameter, value)?;
    change.regenerated.retain(|other| *other != id);
    change.regenerated.insert(0, plate);
    Ok(change)
}

pub(super) fn space(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let frame = author.frame(id)?;
    let prism = solids::prism_of(author.edit, id, author.units().length_mm)
        .filter(|prism| prism.plain && frame.is_upright())
        .ok_or_else(|| not_plain(author, id))?;
    let world = |points: &[DVec2]| -> Vec<DVec2> {
        rounded(
            &points
                .iter()
                .map(|p| frame.transform_point3(p.extend(0.0)))
                .map(DVec3::truncate)
                .collect::<Vec<_>>(),
        )
    };
    let (outline, height, before, after);
    if parameter == "height" {
        height = positive("value", number(value)?)?;
        outline = prism.outline.clone();
        before = json!(mm(prism.height));
        after = json!(mm(height));
    } else {
        let given = self::outline(value)?;
        outline = given
            .iter()
            .map(|p| frame.into_own(p.extend(frame.translation.z)))
            .map(DVec3::truncate)
            .collect::<Vec<DVec2>>();
        height = prism.height;
        before = json!(world(&prism.outline));
        after = json!(world(&outline));
    }
    let solid = author.upright(&outline, &[], prism.base, height)?;
    let body = author.body(&[solid])?;
    author.replace_representation(id, "Body", body)?;
    space::requantify(author, id)?;
    let coverings = crate::covering::refit(author, id)?;
    crate::furniture::house::settle_in(author, id)?;
    totals::around(author, id)?;
    Ok(Change { before, after, regenerated: coverings })
}

fn not_plain(author: &Author, id: Id) -> Fault {
    Fault::constraint(format!(
        "The body of {} is not one upright extrusion, so it cannot be drawn anew from an outline. It can be moved, turned, copied or deleted as it is; or make another in its place with {}.",
        label(author.edit, id),
        match author.edit.get(id) {
            Some(it) if it.is_a("IfcSpace") => "create_space",
            Some(it) if it.is_a("IfcRoof") => "create_roof",
            _ => "create_floor",
        }
    ))
    .with("field", "parameter_name")
}

fn outline(value: &Json) -> Result<Vec<DVec2>, Fault> {
    let points: Vec<Vec<f64>> = serde_json::from_value(value.clone()).map_err(|_| {
        Fault::invalid(
            "value",
            "`value` must be a list of points [[x, y], …] in mm, in order around the outline.",
        )
    })?;
    let outline = polygon::boundary("value", &points)?;
    debug_assert!(area(&outline) > 0.0);
    Ok(outline)
}

fn into_own(points: &[DVec2], slab: &Slab) -> Vec<DVec2> {
    points
        .iter()
        .map(|p| slab.frame.into_own(p.extend(slab.frame.translation.z)))
        .map(DVec3::truncate)
        .collect()
}

fn rounded(points: &[DVec2]) -> Vec<DVec2> {
    points.iter().map(|p| p.map(mm)).collect()
}
