//! Types of doors and windows: one for those of one size and looks, which holds their shape; each of them shows that shape mapped, so
//! that one more is a few instances.

use super::drawing::{self, Line, Part, Solid, Way};
use super::style::Style;
use super::{Filling, Leaf, materials, properties};
use crate::author::{Author, word};
use crate::frame::Frame;
use crate::quantities::is_ours;
use crate::quantity_sets;
use contract::Fault;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Model, Value};

/// The type of fillings of this size and looks.
pub(super) fn kind(author: &mut Author, leaf: &Leaf, style: &Style) -> Result<Id, Fault> {
    let title = style.title(leaf);
    let (class, attributes) = class_of(author, leaf, style);
    let known = author.edit.of_text(class, "Name", &title).into_iter().find(|id| {
        author.edit.get(*id).is_some_and(|t| {
            // one of another program may bear the name and mean something else; ours of older versions hold no shape
            attributes.iter().all(|(attribute, value)| t.attr(attribute) == *value)
                && !t.references("RepresentationMaps").is_empty()
        })
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let drawn = drawing::solids(leaf, style);
    let mut all = attributes;
    let maps = maps(author, leaf, style, &drawn)?;
    let sets = properties::sets(author, leaf, style)?;
    let refs = |ids: &[Id]| Value::list(ids.iter().copied().map(Value::Ref));
    all.push(("RepresentationMaps", refs(&maps)));
    all.push(("HasPropertySets", refs(&sets)));
    let made = author.root(class, Some(&title), &all)?;
    let parts: Vec<Part> = [Part::Lining, Part::Framing, Part::Glazing]
        .into_iter()
        .filter(|part| drawn.iter().any(|solid| solid.part == *part))
        .collect();
    let material = materials::made_of(author, &parts)?;
    author.make_of(material, made)?;
    Ok(made)
}

/// The class of a type, and what tells it from others of its title.
fn class_of(author: &Author, leaf: &Leaf, style: &Style) -> (&'static str, Vec<(&'static str, Value)>) {
    let window = leaf.kind == Filling::Window;
    let how = word(&style.operation);
    if author.legacy() {
        return (
            if window { "IfcWindowStyle" } else { "IfcDoorStyle" },
            vec![
                ("OperationType", how),
                ("ConstructionType", word("WOOD")),
                ("ParameterTakesPrecedence", Value::Boolean(false)),
                ("Sizeable", Value::Boolean(false)),
            ],
        );
    }
    if window {
        ("IfcWindowType", vec![("PredefinedType", word("WINDOW")), ("PartitioningType", how)])
    } else {
        ("IfcDoorType", vec![("PredefinedType", word("DOOR")), ("OperationType", how)])
    }
}

/// The maps of a type: its body, and its symbol in plan.
fn maps(author: &mut Author, leaf: &Leaf, style: &Style, drawn: &[Solid]) -> Result<Vec<Id>, Fault> {
    let mut by_part: Vec<(Part, Id)> = Vec::with_capacity(drawn.len());
    for solid in drawn {
        let id = write(author, solid)?;
        materials::dress(author, id, solid.part, leaf.kind)?;
        by_part.push((solid.part, id));
    }
    let solids: Vec<Id> = by_part.iter().map(|(_, id)| *id).collect();
    let body = author.body(&solids)?;
    let body_map = map(author, body)?;
    // IFC2X3 has aspects of occurrences alone
    if !author.legacy() {
        for part in [Part::Lining, Part::Framing, Part::Glazing] {
            let own: Vec<Id> = by_part.iter().filter(|(of, _)| *of == part).map(|(_, id)| *id).collect();
            if own.is_empty() {
                continue;
            }
            let shown = author.body(&own)?;
            author.create(
                "IfcShapeAspect",
                &[
                    ("ShapeRepresentations", Value::list([Value::Ref(shown)])),
                    ("Name", part.name().into()),
                    ("ProductDefinitional", Value::Boolean(true)),
                    ("PartOfProductDefinitionShape", body_map.into()),
                ],
            )?;
        }
    }
    let mut lines = Vec::new();
    for line in drawing::symbol(leaf, style) {
        lines.push(draw(author, &line)?);
    }
    let symbol = author.representation("FootPrint", "Curve2D", &lines)?;
    Ok(vec![body_map, map(author, symbol)?])
}

fn map(author: &mut Author, representation: Id) -> Result<Id, Fault> {
    let origin = author.axes(&Frame::WORLD)?;
    author.create(
        "IfcRepresentationMap",
        &[("MappingOrigin", origin.into()), ("MappedRepresentation", representation.into())],
    )
}

/// The solids of a filling, for one that has no type to hold them.
pub(super) fn bare(author: &mut Author, leaf: &Leaf, style: &Style) -> Result<Id, Fault> {
    let mut solids = Vec::new();
    for solid in drawing::solids(leaf, style) {
        let id = write(author, &solid)?;
        materials::dress(author, id, solid.part, leaf.kind)?;
        solids.push(id);
    }
    author.body(&solids)
}

fn write(author: &mut Author, solid: &Solid) -> Result<Id, Fault> {
    match solid.way {
        Way::Through(from, to) => {
            // the plane's normal is -y, so that its own x and y are the wall's x and z
            let plane = Frame(DAffine3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y, DVec3::Y * to));
            author.extrusion(&plane, &solid.outline, &solid.holes, to - from)
        }
        Way::Up(from, to) => author.upright(&solid.outline, &solid.holes, from, to - from),
    }
}

fn draw(author: &mut Author, line: &Line) -> Result<Id, Fault> {
    match line {
        Line::Straight(points, closed) => author.polyline(points, *closed),
        Line::Arc(centre, from, to) => arc(author, *centre, *from, *to),
    }
}

fn arc(author: &mut Author, centre: DVec2, from: DVec2, to: DVec2) -> Result<Id, Fault> {
    let location = author.point2(centre)?;
    let position = author.create("IfcAxis2Placement2D", &[("Location", location.into())])?;
    let radius = author.real(centre.distance(from));
    let circle = author.create("IfcCircle", &[("Position", position.into()), ("Radius", radius)])?;
    let (first, last) = (author.point2(from)?, author.point2(to)?);
    author.create(
        "IfcTrimmedCurve",
        &[
            ("BasisCurve", circle.into()),
            ("Trim1", Value::list([Value::Ref(first)])),
            ("Trim2", Value::list([Value::Ref(last)])),
            ("SenseAgreement", Value::Boolean(true)),
            ("MasterRepresentation", word("CARTESIAN")),
        ],
    )
}

/// The representations of an occurrence: those of its type, mapped as they are.
pub(super) fn shown(author: &mut Author, of_type: Id) -> Result<Vec<Id>, Fault> {
    let maps = author.edit.get(of_type).map(|t| t.references("RepresentationMaps")).unwrap_or_default();
    let mut target = maps.iter().find_map(|map| {
        let item = author.edit.referrers_of(*map, "IfcMappedItem").first().copied()?;
        author.edit.get(item)?.reference("MappingTarget")
    });
    let mut shown = Vec::with_capacity(maps.len());
    for map in maps {
        let mapped = author.edit.get(map).and_then(|m| m.reference("MappedRepresentation"));
        let identifier = mapped
            .and_then(|r| author.edit.get(r)?.text("RepresentationIdentifier"))
            .unwrap_or_else(|| "Body".to_owned());
        let onto = if let Some(target) = target {
            target
        } else {
            let origin = author.point3(DVec3::ZERO)?;
            author.create("IfcCartesianTransformationOperator3D", &[("LocalOrigin", origin.into())])?
        };
        target = Some(onto);
        let item = author
            .create("IfcMappedItem", &[("MappingSource", map.into()), ("MappingTarget", onto.into())])?;
        shown.push(author.representation(&identifier, "MappedRepresentation", &[item])?);
    }
    Ok(shown)
}

/// Returns the type of a filling if both were made here: it is titled as ours are, and the filling has quantities of ours.
pub(super) fn ours(model: &Model, filling: Id) -> Option<Id> {
    let of_type = ifc::relations::type_of(model, filling)?;
    let title = model.get(of_type)?.name()?;
    let window = model.get(filling)?.is_a("IfcWindow");
    let (noun, set) =
        if window { ("Window ", quantity_sets::WINDOW) } else { ("Door ", quantity_sets::DOOR) };
    (title.starts_with(noun) && title.contains(" mm") && is_ours(model, filling, set)).then_some(of_type)
}
