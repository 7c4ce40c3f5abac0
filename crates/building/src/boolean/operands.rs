//! The solids of two elements as operands of a boolean result: which have parameters to keep, and copies of them elsewhere.

use crate::author::Author;
use crate::frame::Frame;
use crate::solids;
use contract::Fault;
use ifc::{Id, Instance, Model, Value};

/// The most levels that boolean trees are followed.
const DEPTH: usize = 32;

/// The one item of an element's body, if it is a solid with parameters.
pub(super) fn only_solid(model: &Model, element: Id) -> Option<Id> {
    let body = solids::representation(model, element, "Body")?;
    let items = body.references("Items");
    let [item] = *items.as_slice() else { return None };
    let is_only = |id: &Id| {
        model.get(*id).is_some_and(|r| r.text("RepresentationIdentifier").as_deref() == Some("Body"))
    };
    let shape = model.get(model.get(element)?.reference("Representation")?)?;
    let bodies = shape.references("Representations").iter().filter(|r| is_only(r)).count();
    (bodies == 1 && has_parameters(model, item)).then_some(item)
}

/// Returns true if all leaves of a boolean tree, told with how deep they are in it, are as wanted.
fn every_leaf(model: &Model, id: Id, depth: usize, wanted: &dyn Fn(&Instance<'_>, usize) -> bool) -> bool {
    let Some(item) = model.get(id) else { return false };
    let below = |name: &str| item.reference(name).is_some_and(|o| every_leaf(model, o, depth + 1, wanted));
    depth <= DEPTH
        && if item.is_a("IfcBooleanResult") {
            below("FirstOperand") && below("SecondOperand")
        } else if item.is_a("IfcCsgSolid") {
            below("TreeRootExpression")
        } else {
            wanted(&item, depth)
        }
}

fn is_any(item: &Instance<'_>, classes: &[&str]) -> bool {
    classes.iter().any(|class| item.is_a(class))
}

/// Returns true if an item is swept, a primitive, or a tree of such; half spaces only cut others.
fn has_parameters(model: &Model, id: Id) -> bool {
    every_leaf(model, id, 0, &|leaf, depth| {
        let swept = ["IfcSweptAreaSolid", "IfcSweptDiskSolid", "IfcCsgPrimitive3D"];
        if leaf.is_a("IfcHalfSpaceSolid") { depth > 0 } else { is_any(leaf, &swept) }
    })
}

/// Returns true if [`moved`] can copy an item: everything in it stands by a position.
pub(super) fn can_move(model: &Model, id: Id, depth: usize) -> bool {
    every_leaf(model, id, depth, &|leaf, _| {
        if leaf.is_a("IfcHalfSpaceSolid") {
            let surface = leaf.reference("BaseSurface").and_then(|s| model.get(s));
            return surface.is_some_and(|s| s.is_a("IfcElementarySurface"));
        }
        // what is swept along a curve has it in coordinates of its own
        is_any(leaf, &["IfcExtrudedAreaSolid", "IfcRevolvedAreaSolid", "IfcCsgPrimitive3D"])
    })
}

/// A copy of a solid, moved by a frame in mm; `None` where something in it cannot be moved. Profiles and axes are shared.
pub(super) fn moved(author: &mut Author, id: Id, by: &Frame, depth: usize) -> Result<Option<Id>, Fault> {
    if depth > DEPTH || !can_move(author.edit, id, depth) {
        return Ok(None);
    }
    let Some(item) = author.edit.get(id) else { return Ok(None) };
    let Some(mut class) = item.entity().map(|e| e.name) else { return Ok(None) };
    let mut attributes = given(&item);
    let parts: &[&str] = if item.is_a("IfcBooleanResult") {
        &["FirstOperand", "SecondOperand"]
    } else if item.is_a("IfcCsgSolid") {
        &["TreeRootExpression"]
    } else if item.is_a("IfcHalfSpaceSolid") {
        &["BaseSurface"]
    } else {
        &[]
    };
    let parts: Vec<(&str, Id)> = parts.iter().filter_map(|p| Some((*p, item.reference(p)?))).collect();
    let stands = item.entity().is_some_and(|e| e.attributes.iter().any(|a| a.name == "Position"));
    let position = item.reference("Position");
    if class == "IfcBoxedHalfSpace" {
        // the box only says where it may be looked at
        class = "IfcHalfSpaceSolid";
        attributes.retain(|(name, _)| *name != "Enclosure");
    }
    for (name, part) in parts {
        let copy = if name == "BaseSurface" {
            placed(author, part, by)?
        } else {
            moved(author, part, by, depth + 1)?
        };
        let Some(copy) = copy else { return Ok(None) };
        replace(&mut attributes, name, copy);
    }
    if stands {
        let Some(place) = axes(author, position, by)? else { return Ok(None) };
        replace(&mut attributes, "Position", place);
    }
    author.create(class, &attributes).map(Some)
}

/// A copy of an elementary surface, moved.
fn placed(author: &mut Author, surface: Id, by: &Frame) -> Result<Option<Id>, Fault> {
    let Some(item) = author.edit.get(surface) else { return Ok(None) };
    let Some(class) = item.entity().map(|e| e.name) else { return Ok(None) };
    let (mut attributes, position) = (given(&item), item.reference("Position"));
    let Some(place) = axes(author, position, by)? else { return Ok(None) };
    replace(&mut attributes, "Position", place);
    author.create(class, &attributes).map(Some)
}

fn axes(author: &mut Author, position: Option<Id>, by: &Frame) -> Result<Option<Id>, Fault> {
    let mm = author.units().length_mm;
    let frame = match position {
        Some(position) => solids::axes(author.edit, position, mm),
        None => Some(Frame::WORLD),
    };
    frame.map(|f| author.axes(&(*by * f))).transpose()
}

/// The attributes that are given, by name.
fn given(item: &Instance<'_>) -> Vec<(&'static str, Value)> {
    let names = item.entity().map(|e| e.attributes).unwrap_or_default();
    let all = names.iter().map(|a| a.name).zip(item.attributes());
    all.filter(|(_, value)| !matches!(value, Value::Null | Value::Derived)).collect()
}

fn replace(attributes: &mut Vec<(&'static str, Value)>, name: &str, id: Id) {
    if let Some(found) = attributes.iter_mut().find(|(n, _)| *n == name) {
        found.1 = id.into();
    } else if name == "Position" {
        attributes.push(("Position", id.into()));
    }
}

/// The styles of an element's body: of its first item that has any, mapped ones looked through.
pub(super) fn styles(model: &Model, element: Id) -> Vec<Id> {
    let Some(body) = solids::representation(model, element, "Body") else { return Vec::new() };
    let mut open = body.references("Items");
    open.reverse();
    for _ in 0..1000 {
        let Some(id) = open.pop() else { break };
        let dressed = model.referrers_of(id, "IfcStyledItem").into_iter().find_map(|s| {
            let styles = model.get(s)?.references("Styles");
            (!styles.is_empty()).then_some(styles)
        });
        if let Some(styles) = dressed {
            return styles;
        }
        let Some(item) = model.get(id) else { continue };
        open.extend(item.reference("FirstOperand"));
        let mapped =
            item.reference("MappingSource").and_then(|m| model.get(m)?.reference("MappedRepresentation"));
        open.extend(mapped.and_then(|r| model.get(r)).map(|r| r.references("Items")).unwrap_or_default());
    }
    Vec::new()
}
