//! Elements mirrored in an upright plane, or mirror images of them beside: placements, shapes, build-ups and the hand of doors
//! and windows.
//!
//! A placement cannot mirror, so each element is turned and its shape reflected within, end for end along its own x axis: what was a
//! wall's start is its image's end, its right side stays right, and a door still opens to the side of the wall it opened to.

use super::carrying::{check, contents, settle, tree};
use super::{copying, reflection, turns};
use crate::author::{Author, word};
use crate::frame::Frame;
use crate::host::{Extent, Wall};
use crate::library::retyping;
use crate::lookup::label;
use crate::placing::place;
use crate::{curtain, roof, solids, stairs};
use contract::Fault;
use glam::{DAffine3, DMat3, DVec2, DVec3};
use ifc::{Id, Value, relations};
use std::collections::BTreeSet;

/// The outcome of a mirroring.
pub struct Mirrored {
    /// The elements that were asked for, or their images beside.
    pub elements: Vec<Id>,
    /// The elements that went along because they stand in a room among them.
    pub along: Vec<Id>,
}

/// Mirrors elements in the upright plane over a line, with what stands in rooms among them; with `copies` the originals stay and their
/// images are answered.
pub fn mirror(
    author: &mut Author,
    ids: &[Id],
    line: (DVec2, DVec2),
    copies: bool,
) -> Result<Mirrored, Fault> {
    let Some(map) = turns::across(line.0, line.1) else {
        return Err(Fault::invalid(
            "line",
            "The two points of `line` are in the same place; a mirror needs two.",
        ));
    };
    let chosen: BTreeSet<Id> = ids.iter().copied().collect();
    for id in ids {
        check(author, *id, "mirrored", &chosen)?;
    }
    let (elements, along): (Vec<Id>, Vec<Id>) = if copies {
        (copying::copy(author, ids, &[Frame::WORLD], None)?.into_iter().flatten().collect(), Vec::new())
    } else {
        (ids.to_vec(), contents(author.edit, ids))
    };
    let mut done = BTreeSet::new();
    let mut order = Vec::new();
    for id in elements.iter().chain(&along) {
        order.extend(tree(author.edit, *id).into_iter().filter(|id| done.insert(*id)));
    }
    let frames = order
        .into_iter()
        .filter(|id| author.placement_of(*id).is_some())
        .map(|id| author.frame(id).map(|frame| (id, frame)))
        .collect::<Result<Vec<_>, _>>()?;
    for (id, frame) in frames {
        let is_text = author.edit.get(id).is_some_and(|it| it.is_a("IfcAnnotation"));
        if is_text && along.contains(&id) {
            // nobody asked for its image, which would read backwards: it goes along as it reads
            let origin = map.transform_point3(frame.translation);
            place(author, id, &Frame(DAffine3 { translation: origin, ..frame.0 }))?;
        } else {
            mirror_one(author, id, &frame, &map)?;
        }
    }
    settle(author, &done)?;
    if !copies {
        stairs::carry_shafts(author, &done, &map)?;
    }
    stairs::cut_among(author, &done)?;
    Ok(Mirrored { elements, along })
}

fn mirror_one(author: &mut Author, id: Id, frame: &Frame, map: &DAffine3) -> Result<(), Fault> {
    let Some(element) = author.edit.get(id) else { return Ok(()) };
    let (class, text) = (element.class_name().to_owned(), label(author.edit, id));
    let handed = element.is_a("IfcDoor") || element.is_a("IfcWindow");
    let refused = |why: &str| {
        Fault::constraint(format!(
            "{text} ({class}) cannot be mirrored: {why}. Leave it out, or make its image anew."
        ))
        .with("field", "element_ids")
    };
    if element.is_a("IfcAnnotation") {
        return Err(refused("texts and symbols would read backwards"));
    }
    let (own, ends) = within(author, id, handed);
    let own_mm = DAffine3 { translation: own.translation * author.units().length_mm, ..own };
    if !reflection::reflect(author, id, &own)? {
        return Err(refused("its lines or symbols are of a kind that has no image here"));
    }
    if class == "IfcGrid" && !reflection::reflect_grid(author, id, &own)? {
        return Err(refused("an axis is neither straight nor an arc"));
    }
    let roof = roof::image(author, id, map);
    place(author, id, &Frame(*map * frame.0 * own_mm))?;
    if let Some(roof) = roof {
        roof::keep_image(author, id, &roof)?;
    }
    if class == "IfcCurtainWall" {
        curtain::keep_image(author, id)?;
    }
    if handed {
        change_hand(author, id)?;
    }
    if ends == Ends::Kept { turn_layers(author, id) } else { swap_ends(author, id) }
}

/// The fate of the start and the end of an element's axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    Swapped,
    Kept,
}

/// The reflection within an element's placement, in the file's units: end for end, about the middle of what it takes up; a wall whose
/// axis is no plain line from side to side.
fn within(author: &Author, id: Id, handed: bool) -> (DAffine3, Ends) {
    let mm = author.units().length_mm;
    let about = |middle: f64| DAffine3 {
        matrix3: DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)),
        translation: DVec3::X * (2.0 * middle),
    };
    let element = author.edit.get(id);
    if element.as_ref().is_some_and(|e| e.is_a("IfcWall")) {
        let Some(wall) = Wall::read(author, id).ok().filter(|_| has_plain_axis(author, id)) else {
            return (DAffine3::from_mat3(DMat3::from_diagonal(DVec3::new(1.0, -1.0, 1.0))), Ends::Kept);
        };
        let local = DAffine3 { translation: wall.local.translation / mm, ..wall.local.0 };
        return (local * about(wall.length / mm / 2.0) * local.inverse(), Ends::Swapped);
    }
    let width = element.and_then(|e| e.number("OverallWidth")).filter(|_| handed);
    let middle = match width {
        Some(width) => width / 2.0,
        None => Extent::around(solids::corners_of(author.edit, id, mm))
            .map_or(0.0, |extent| f64::midpoint(extent.low.x, extent.high.x) / mm),
    };
    (about(middle), Ends::Swapped)
}

/// The line of a wall's axis representation, where it is a plain one.
fn axis_line(author: &Author, id: Id) -> Option<Id> {
    let items = solids::representation(author.edit, id, "Axis")?.references("Items");
    match items[..] {
        [only] => author.edit.get(only).filter(|line| line.is_a("IfcPolyline")).map(|_| only),
        _ => None,
    }
}

/// Returns true if a wall's axis can be turned end for end, or if it has none.
fn has_plain_axis(author: &Author, id: Id) -> bool {
    axis_line(author, id).is_some() || solids::representation(author.edit, id, "Axis").is_none()
}

/// Lets a wall's axis begin where it ended, and says so of its connections.
fn swap_ends(author: &mut Author, id: Id) -> Result<(), Fault> {
    if !author.edit.get(id).is_some_and(|element| element.is_a("IfcWall")) {
        return Ok(());
    }
    if let Some(line) = axis_line(author, id) {
        let mut points = author.edit.get(line).map(|line| line.references("Points")).unwrap_or_default();
        points.reverse();
        author.set(line, "Points", Value::list(points.into_iter().map(Value::Ref)))?;
    }
    for relation in author.edit.referrers_of(id, "IfcRelConnectsPathElements") {
        for (end, kind) in
            [("RelatingElement", "RelatingConnectionType"), ("RelatedElement", "RelatedConnectionType")]
        {
            let Some(instance) = author.edit.get(relation) else { continue };
            if instance.reference(end) != Some(id) {
                continue;
            }
            let other = match instance.attr(kind).as_enum() {
                Some("ATSTART") => "ATEND",
                Some("ATEND") => "ATSTART",
                _ => continue,
            };
            author.set(relation, kind, word(other))?;
        }
    }
    Ok(())
}

/// Gives a door or window the other hand, and a type of that hand.
fn change_hand(author: &mut Author, id: Id) -> Result<(), Fault> {
    for attribute in ["OperationType", "PartitioningType"] {
        let own = author.edit.get(id).and_then(|e| e.attr(attribute).as_enum().and_then(other_hand));
        if let Some(own) = own {
            author.set(id, attribute, word(&own))?;
        }
        let Some(of_type) = relations::type_of(author.edit, id) else { continue };
        let types = author.edit.get(of_type).and_then(|t| t.attr(attribute).as_enum().and_then(other_hand));
        if let Some(types) = types {
            let other = retyping::alike(author, of_type, &[(attribute, word(&types))])?;
            author.leave(id, "IfcRelDefinesByType")?;
            author.type_as(other, id)?;
        }
    }
    Ok(())
}

/// The word for the other hand; `None` where it says none.
fn other_hand(operation: &str) -> Option<String> {
    if operation.contains("LEFT") {
        Some(operation.replace("LEFT", "RIGHT"))
    } else if operation.contains("RIGHT") {
        Some(operation.replace("RIGHT", "LEFT"))
    } else {
        None
    }
}

/// Lets the layers across an element run the other way, since its y does.
fn turn_layers(author: &mut Author, id: Id) -> Result<(), Fault> {
    let links = relations::Links::of_one(author.edit);
    let Some(usage) = links.own_material(id) else { return Ok(()) };
    let Some(instance) = author.edit.get(usage).filter(|u| u.is_a("IfcMaterialLayerSetUsage")) else {
        return Ok(());
    };
    if instance.attr("LayerSetDirection").as_enum() != Some("AXIS2") {
        return Ok(());
    }
    let positive = instance.attr("DirectionSense").as_enum() == Some("POSITIVE");
    let offset = instance.number("OffsetFromReferenceLine").unwrap_or_default();
    let Some(set) = instance.reference("ForLayerSet") else { return Ok(()) };
    let extent = instance.number("ReferenceExtent");
    author.leave(id, "IfcRelAssociatesMaterial")?;
    let turned = author.layer_set_usage(set, "AXIS2", !positive, author.units().to_mm(-offset))?;
    if let Some(extent) = extent
        && author.edit.get(turned).is_some_and(|u| u.number("ReferenceExtent").is_none())
    {
        author.set(turned, "ReferenceExtent", Value::Real(extent))?;
    }
    author.make_of(turned, id)
}
