//! Types given to elements: what the type decides follows (thickness, build-up, shape, size of doors and windows), and what the
//! element repeated of its old type is taken from it.

use super::buildup::set_of;
use super::layers::{drop_set, is_layered, rejoin, wear};
use crate::author::{Author, refused, word};
use crate::lookup::{self, label};
use crate::measures::name;
use crate::{measured, parameters};
use contract::Fault;
use ifc::{Id, Model, Value, relations};
use serde_json::{Map, Value as Json, json};

/// Two sizes in mm that differ by less are the same.
const SAME: f64 = 0.5;
/// Elements whose bodies follow from what they are given, whatever shapes the type that another program wrote has.
const DRAWN_BY_HAND: [&str; 9] = [
    "IfcWall",
    "IfcSlab",
    "IfcRoof",
    "IfcBeam",
    "IfcColumn",
    "IfcMember",
    "IfcCovering",
    "IfcFooting",
    "IfcSpace",
];

/// The attributes that an occurrence leaves to its type.
const OF_TYPE: [&str; 3] = ["PredefinedType", "OperationType", "PartitioningType"];

/// Finds a type by id or name.
pub fn find(author: &Author, field: &str, text: &str) -> Result<Id, Fault> {
    lookup::element(author.edit, field, text, &["IfcTypeObject"], "a type")
}

/// Makes a type: like another, or for elements such as one; then changes it parameter by parameter.
pub fn create(
    author: &mut Author,
    text: &str,
    like: Option<Id>,
    element: Id,
    changes: &Map<String, Json>,
) -> Result<Id, Fault> {
    let text = name("new_type.name", text)?;
    if let Some(known) = lookup::bearing(author.edit, "IfcTypeObject", &text) {
        return Err(Fault::constraint(format!(
            "There is a type {text} already; give it by type_id, or take another name."
        ))
        .with("field", "new_type.name")
        .with("type_id", lookup::guid(author.edit, known)));
    }
    let made = match like {
        Some(like) => super::retyping::twin(author, like, &[("Name", text.as_str().into())])?,
        None => blank(author, element, &text)?,
    };
    for (parameter, value) in changes {
        let field = format!("new_type.changes.{parameter}");
        parameters::modify(author, made, parameter, value).map_err(|fault| fault.with("field", field))?;
    }
    Ok(made)
}

/// Makes a type for elements of a class that have none.
fn blank(author: &mut Author, element: Id, text: &str) -> Result<Id, Fault> {
    let class = author.edit.get(element).map(|e| e.class_name().to_owned()).unwrap_or_default();
    let stem = class.trim_end_matches("StandardCase").trim_end_matches("ElementedCase");
    let of_type = format!("{stem}Type");
    let known = author.edit.schema().entity(&of_type).filter(|entity| !entity.is_abstract);
    let Some(entity) = known else {
        return Err(Fault::constraint(format!(
            "{} has no class {of_type}, so a type for {} must be like one there is: give new_type.like.",
            author.edit.schema().version().as_str(),
            label(author.edit, element)
        ))
        .with("field", "new_type.like"));
    };
    let mandatory = entity.attributes.iter().any(|a| a.name == "PredefinedType" && !a.optional);
    let attributes = if mandatory { vec![("PredefinedType", word("NOTDEFINED"))] } else { Vec::new() };
    author.root(&of_type, Some(text), &attributes)
}

/// Gives elements a type.
pub fn assign(author: &mut Author, ids: &[Id], of_type: Id) -> Result<(), Fault> {
    for id in ids {
        fits(author, *id, of_type)?;
    }
    for id in ids {
        assign_one(author, *id, of_type)?;
    }
    Ok(())
}

/// Refuses a type of another class than the element's.
fn fits(author: &Author, id: Id, of_type: Id) -> Result<(), Fault> {
    let model: &Model = author.edit;
    let (Some(element), Some(kind)) = (model.get(id), model.get(of_type)) else {
        return Err(Fault::no_element(&id.to_string()));
    };
    let wrong = || {
        Fault::constraint(format!(
            "{} is an {}, which cannot be of the type {} ({}).",
            label(model, id),
            element.class_name(),
            label(model, of_type),
            kind.class_name()
        ))
        .with("field", "type_id")
        .with("class", element.class_name())
    };
    let mut entity = kind.entity();
    while let Some(at) = entity {
        let stem = at.name.strip_suffix("Type").or_else(|| at.name.strip_suffix("Style")).unwrap_or_default();
        // of IfcSanitaryTerminalType, IFC2X3 has only the elements of what it specialises
        if model.schema().entity(stem).is_some() {
            return if element.is_a(stem) { Ok(()) } else { Err(wrong()) };
        }
        entity = at.supertype.and_then(|id| model.schema().entities().get(usize::from(id.0)));
    }
    Err(wrong())
}

fn assign_one(author: &mut Author, id: Id, of_type: Id) -> Result<(), Fault> {
    let old = relations::type_of(author.edit, id);
    if old == Some(of_type) {
        return Ok(());
    }
    let filling = relations::opening_of_filling(author.edit, id).is_some();
    let size = if filling { size_of(author, of_type) } else { None };
    let material = |author: &Author, object: Id| relations::Links::of_one(author.edit).material_of(object);
    let inherited = old.and_then(|old| material(author, old));
    let follows = material(author, id) == inherited;
    author.leave(id, "IfcRelDefinesByType")?;
    author.type_as(of_type, id)?;
    yield_to_type(author, id, of_type)?;
    match set_of(author, of_type) {
        Some(set) if is_layered(author.edit, id) => {
            wear(author, id, Some(of_type), set)?;
            rejoin(author, &[id])?;
        }
        // what it was made of by its old type goes with that
        _ if follows && material(author, of_type).is_some() => {
            author.leave(id, "IfcRelAssociatesMaterial")?;
        }
        _ => {}
    }
    if filling {
        resize(author, id, of_type, size)?;
    }
    reshape(author, id, of_type, filling)?;
    measured::requantify(author, id)
}

/// Takes from an element what its type says.
fn yield_to_type(author: &mut Author, id: Id, of_type: Id) -> Result<(), Fault> {
    for attribute in OF_TYPE {
        let stated = author.edit.get(of_type).and_then(|t| t.attr(attribute).as_enum().map(str::to_owned));
        let own = author.edit.get(id).is_some_and(|e| e.attr(attribute).as_enum().is_some());
        let class = author.edit.get(id).and_then(|e| e.entity());
        let optional = class
            .and_then(|class| class.attributes.iter().find(|a| a.name == attribute))
            .is_some_and(|a| a.optional);
        if own && optional && stated.is_some_and(|item| item != "NOTDEFINED") {
            author.set(id, attribute, Value::Null)?;
        }
    }
    Ok(())
}

/// The width and height in mm of doors or windows of a type: of one there is, else what its name says.
fn size_of(author: &Author, of_type: Id) -> Option<(f64, f64)> {
    let of_one = relations::occurrences_of(author.edit, of_type).into_iter().find_map(|id| {
        let one = author.edit.get(id)?;
        let units = author.units();
        Some((units.to_mm(one.number("OverallWidth")?), units.to_mm(one.number("OverallHeight")?)))
    });
    of_one.or_else(|| {
        let text = author.edit.get(of_type)?.name()?;
        let (before, after) = text.split_once(" x ")?;
        let width = before.rsplit(' ').next()?.parse().ok()?;
        Some((width, after.split(' ').next()?.parse().ok()?))
    })
}

/// Gives a door or window the size of its new type, in its opening, and draws it as that says.
fn resize(author: &mut Author, id: Id, of_type: Id, size: Option<(f64, f64)>) -> Result<(), Fault> {
    let number = |author: &Author, attribute: &str| {
        author.edit.get(id).and_then(|e| e.number(attribute)).map(|value| author.units().to_mm(value))
    };
    let width = size.map(|size| size.0).or_else(|| number(author, "OverallWidth"));
    let height = size.map(|size| size.1).or_else(|| number(author, "OverallHeight"));
    for (parameter, value) in [("width", width), ("height", height)] {
        let Some(value) = value else { continue };
        let attribute = if parameter == "width" { "OverallWidth" } else { "OverallHeight" };
        if number(author, attribute).is_some_and(|now| (now - value).abs() < SAME) {
            continue;
        }
        parameters::modify(author, id, parameter, &json!(value)).map_err(|fault| Fault {
            message: format!(
                "{} cannot be of the type {}: {}",
                label(author.edit, id),
                label(author.edit, of_type),
                fault.message
            ),
            ..fault
        })?;
    }
    let given = relations::type_of(author.edit, id);
    if given != Some(of_type) {
        author.leave(id, "IfcRelDefinesByType")?;
        author.type_as(of_type, id)?;
        if let Some(given) = given {
            forget_if_new(author, given)?;
        }
    }
    Ok(())
}

/// True if an element has a body of its own that no type's shape takes the place of.
fn has_own_body(author: &Author, id: Id) -> bool {
    let is_drawn = author.edit.get(id).is_some_and(|e| DRAWN_BY_HAND.iter().any(|class| e.is_a(class)));
    let body = crate::solids::representation(author.edit, id, "Body");
    is_drawn
        && body.is_some_and(|body| body.text("RepresentationType").as_deref() != Some("MappedRepresentation"))
}

/// Draws an element as its type does, where the type has shapes of its own.
fn reshape(author: &mut Author, id: Id, of_type: Id, filling: bool) -> Result<(), Fault> {
    let maps = author.edit.get(of_type).map(|t| t.references("RepresentationMaps")).unwrap_or_default();
    if maps.is_empty() || filling || has_own_body(author, id) {
        return Ok(());
    }
    let origin = author.point3(glam::DVec3::ZERO)?;
    for map in maps {
        let shown = author.edit.get(map).and_then(|map| map.reference("MappedRepresentation"));
        let Some(shown) = shown else { continue };
        let identifier = author.edit.get(shown).and_then(|r| r.text("RepresentationIdentifier"));
        let context = author.edit.get(shown).and_then(|r| r.reference("ContextOfItems"));
        let (Some(identifier), Some(context)) = (identifier, context) else { continue };
        let target =
            author.create("IfcCartesianTransformationOperator3D", &[("LocalOrigin", origin.into())])?;
        let item = author
            .create("IfcMappedItem", &[("MappingSource", map.into()), ("MappingTarget", target.into())])?;
        let representation = author.create(
            "IfcShapeRepresentation",
            &[
                ("ContextOfItems", context.into()),
                ("RepresentationIdentifier", identifier.as_str().into()),
                ("RepresentationType", "MappedRepresentation".into()),
                ("Items", Value::list([Value::Ref(item)])),
            ],
        )?;
        author.replace_representation(id, &identifier, representation)?;
    }
    Ok(())
}

/// Takes a type away that was written in this edit and that nothing is of.
pub(super) fn forget_if_new(author: &mut Author, of_type: Id) -> Result<(), Fault> {
    if author.edit.before().contains(of_type) || !relations::occurrences_of(author.edit, of_type).is_empty() {
        return Ok(());
    }
    let set = set_of(author, of_type);
    author.leave(of_type, "IfcRelAssociatesMaterial")?;
    author.edit.remove(of_type).map_err(|error| refused(&error))?;
    match set {
        Some(set) if !author.edit.before().contains(set) => drop_set(author, set),
        _ => Ok(()),
    }
}
