//! Booleans of two elements: the body of the first becomes the union, difference or intersection of both.
//!
//! The first element keeps its id, name, properties, openings and place; the second stays as it is unless it is to go. Where both
//! bodies are single solids with parameters, the result is written as an IfcBooleanResult of them, so that the parameters live on;
//! where openings, mapped items, several items or faces forbid that, it is written as faces. What would be empty or change nothing is
//! refused before anything is written, and what was written is measured again.

pub(crate) mod facets;
mod operands;

use crate::author::{Author, word};
use crate::deletion::{self, Deleted};
use crate::lookup::{guid, label};
use crate::quantities::{Quantities, read};
use crate::{measured, totals};
use contract::Fault;
use geometry::csg::{self, CsgError, Op};
use geometry::{Shaper, Solid, bodies::Bodies};
use ifc::{Id, Model, Value, relations};
use schemars::JsonSchema;
use serde::Serialize;

/// Parts of a volume below which two are the same.
const SAME: f64 = 1e-6;

/// A boolean asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewBoolean {
    /// The element whose body becomes the result.
    pub a: Id,
    /// The other.
    pub b: Id,
    /// The operation: union, difference or intersection.
    pub op: Op,
    /// True if the second element stays in the model.
    pub keep_b: bool,
}

/// The result as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BooleanAnswer {
    /// GlobalId of element_a, whose body is the result now.
    pub result_id: String,
    /// Its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// The class that its body is written as: IfcBooleanResult where the parameters of both live on, else a face set or brep.
    pub representation: String,
    /// Volume of element_a's body before, its openings not taken out, in m³.
    pub volume_a: f64,
    /// Volume of element_b, in m³.
    pub volume_b: f64,
    /// Volume of the result, openings not taken out, in m³.
    pub volume: f64,
    /// Pieces that do not touch each other.
    pub pieces: usize,
    /// Base quantities as stored, in the file's units.
    #[serde(skip_serializing_if = "Quantities::is_empty")]
    pub quantities: Quantities,
    /// The elements that were deleted: element_b with its dependents, where it was not to stay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deleted: Vec<Deleted>,
}

/// Combines two elements.
pub fn combine(author: &mut Author, new: &NewBoolean) -> Result<BooleanAnswer, Fault> {
    for (field, id) in [("element_a", new.a), ("element_b", new.b)] {
        fit(author.edit, field, id)?;
    }
    if new.a == new.b {
        return Err(Fault::invalid("element_b", "`element_b` is element_a; give two elements."));
    }
    let own = author.frame(new.a)?.in_metres();
    let to_own = geometry::math::inverse(&own)
        .ok_or_else(|| Fault::backend("The element's placement has no inverse."))?;
    let (first, second) = {
        let shaper = Shaper::plain(author.edit);
        let a =
            shaper.gross_bodies(new.a).map_err(|e| bodiless(author, "element_a", new.a, &e.to_string()))?;
        let b = shaper.net_bodies(new.b).map_err(|e| bodiless(author, "element_b", new.b, &e.to_string()))?;
        let first = whole(author, "element_a", new.a, &a)?.moved(&to_own);
        (first, whole(author, "element_b", new.b, &b)?.moved(&to_own))
    };
    let result = csg::combine(&first, &second, new.op).map_err(|error| uncombined(author, new, &error))?;
    let volumes = [first.volume(), second.volume(), result.volume()];
    changes(author, new, volumes)?;
    let expected = net_of_union(author, new, &second.moved(&own))?;
    let shells = csg::shells(&result).map_err(|error| uncombined(author, new, &error))?;

    let mut class = parametric(author, new)?;
    if class.is_some() && (gross(author, new.a) - volumes[2]).abs() > SAME * volumes[2].max(volumes[0]) {
        class = None;
    }
    let representation = match class {
        Some(class) => class,
        None => faceted(author, new.a, &shells)?,
    };
    let written = gross(author, new.a);
    if (written - volumes[2]).abs() > 1e-4 * volumes[2] {
        return Err(Fault::backend(format!(
            "The result was written, but measures {written:.6} m³ instead of {:.6}; nothing was kept.",
            volumes[2]
        )));
    }
    if let Some(expected) = expected {
        spared(author, new, expected)?;
    }
    measured::requantify(author, new.a)?;
    if author.edit.get(new.a).is_some_and(|e| e.is_a("IfcSlab") || e.is_a("IfcSpace")) {
        totals::around(author, new.a)?;
    }
    let deleted = if new.keep_b { Vec::new() } else { deletion::delete(author, &[new.b], false)? };
    let set = measured::set_of(author.edit, new.a).unwrap_or_default();
    let round = |v: f64| (v * 1e9).round() / 1e9;
    Ok(BooleanAnswer {
        result_id: guid(author.edit, new.a),
        class: author.edit.get(new.a).map(|e| e.class_name().to_owned()).unwrap_or_default(),
        name: label(author.edit, new.a),
        representation,
        volume_a: round(volumes[0]),
        volume_b: round(volumes[1]),
        volume: round(volumes[2]),
        pieces: shells.shells.len(),
        quantities: read(author.edit, new.a, set),
        deleted,
    })
}

fn fit(model: &Model, field: &str, id: Id) -> Result<(), Fault> {
    let Some(element) = model.get(id) else { return Err(Fault::no_element(&id.to_string())) };
    let is_body = element.is_a("IfcElement") || element.is_a("IfcSpace");
    if is_body && !element.is_a("IfcFeatureElement") {
        return Ok(());
    }
    Err(Fault::invalid(
        field,
        format!(
            "`{field}` must be an element with a body or a space, but {} is an {}.",
            label(model, id),
            element.class_name()
        ),
    )
    .with("class", element.class_name()))
}

fn bodiless(author: &Author, field: &str, id: Id, reason: &str) -> Fault {
    let parts = relations::children(author.edit, id);
    let hint = match parts.first() {
        Some(part) => format!(
            " It is a whole of {} parts; take one of them, such as {}.",
            parts.len(),
            guid(author.edit, *part)
        ),
        None => String::new(),
    };
    Fault::constraint(format!("{} has no closed body to combine: {reason}.{hint}", label(author.edit, id)))
        .with("field", field)
}

fn uncombined(author: &Author, new: &NewBoolean, error: &CsgError) -> Fault {
    let (a, b) = (label(author.edit, new.a), label(author.edit, new.b));
    Fault::constraint(format!("{a} and {b} cannot be combined: one of them {error}."))
}

/// All bodies of an element as one.
fn whole(author: &Author, field: &str, id: Id, bodies: &Bodies) -> Result<Solid, Fault> {
    if !bodies.are_sound() {
        let reason =
            bodies.notes.first().map_or_else(|| "its faces do not close".to_owned(), ToString::to_string);
        return Err(bodiless(author, field, id, &reason));
    }
    let solids: Vec<&Solid> = bodies.iter().collect();
    match solids.as_slice() {
        [one] => Ok((*one).clone()),
        several => csg::union(several).map_err(|error| bodiless(author, field, id, &error.to_string())),
    }
}

/// Refuses a result that is nothing, or nothing else than before; volumes of both and of the result in m³.
fn changes(author: &Author, new: &NewBoolean, [a, b, result]: [f64; 3]) -> Result<(), Fault> {
    let (first, second) = (label(author.edit, new.a), label(author.edit, new.b));
    let refuse = |text: String| Err(Fault::constraint(text).with("field", "element_b"));
    let nothing = result.abs() <= SAME * a.min(b);
    let same = (result - a).abs() <= SAME * a;
    match new.op {
        Op::Intersection if nothing => {
            refuse(format!("{first} and {second} share no volume, so that nothing would be left."))
        }
        Op::Difference if nothing => {
            refuse(format!("{second} takes up all of {first}, so that nothing would be left of it."))
        }
        Op::Difference if same => {
            refuse(format!("{second} shares no volume with {first}, so that nothing would change."))
        }
        Op::Intersection if same => {
            refuse(format!("{first} lies wholly within {second}, so that nothing would change."))
        }
        Op::Union if same => {
            refuse(format!("{second} lies wholly within {first}, so that nothing would change."))
        }
        _ => Ok(()),
    }
}

/// Returns the volume in m³ that the first element less its openings shares with the second or has alone: what a
/// union must leave when its openings are cut.
fn net_of_union(author: &Author, new: &NewBoolean, second: &Solid) -> Result<Option<f64>, Fault> {
    if new.op != Op::Union || relations::openings_of(author.edit, new.a).is_empty() {
        return Ok(None);
    }
    let net = Shaper::plain(author.edit).net_bodies(new.a);
    let net = net.map_err(|e| bodiless(author, "element_a", new.a, &e.to_string()))?;
    let net = whole(author, "element_a", new.a, &net)?;
    let both = csg::combine(&net, second, Op::Union).map_err(|error| uncombined(author, new, &error))?;
    Ok(Some(both.volume()))
}

/// Refuses a union that an opening of the first element would cut as well.
fn spared(author: &Author, new: &NewBoolean, expected: f64) -> Result<(), Fault> {
    let left = Shaper::plain(author.edit).net_bodies(new.a).map_or(0.0, |b| b.volume());
    if (left - expected).abs() <= 1e-4 * expected {
        return Ok(());
    }
    let opening = relations::openings_of(author.edit, new.a).first().map(|o| guid(author.edit, *o));
    Err(Fault::constraint(format!(
        "{} has openings that would be cut out of {} too. Delete or move them first, or unite the other way round.",
        label(author.edit, new.a),
        label(author.edit, new.b)
    ))
    .with("field", "element_a")
    .with("opening", opening.unwrap_or_default()))
}

/// The volume of an element's bodies in m³, openings not taken out.
fn gross(author: &Author, id: Id) -> f64 {
    Shaper::plain(author.edit)
        .gross_bodies(id)
        .ok()
        .filter(Bodies::are_sound)
        .map_or(f64::NAN, |b| b.volume())
}

/// Writes the result as IfcBooleanResult of the first element's solid and a copy of the second's; `None` where that cannot be.
fn parametric(author: &mut Author, new: &NewBoolean) -> Result<Option<String>, Fault> {
    let Some(first) = operands::only_solid(author.edit, new.a) else { return Ok(None) };
    let Some(second) = operands::only_solid(author.edit, new.b) else { return Ok(None) };
    if !relations::openings_of(author.edit, new.b).is_empty() || !operands::can_move(author.edit, second, 0) {
        return Ok(None);
    }
    let (own, other) = (author.frame(new.a)?, author.frame(new.b)?);
    let by = other.seen_from(&own);
    let Some(second) = operands::moved(author, second, &by, 0)? else { return Ok(None) };
    let operator = match new.op {
        Op::Union => "UNION",
        Op::Difference => "DIFFERENCE",
        Op::Intersection => "INTERSECTION",
    };
    let result = author.create(
        "IfcBooleanResult",
        &[("Operator", word(operator)), ("FirstOperand", first.into()), ("SecondOperand", second.into())],
    )?;
    // what dressed the solid dresses the result
    for style in author.edit.referrers_of(first, "IfcStyledItem") {
        author.set(style, "Item", result)?;
    }
    put(author, new.a, "CSG", &[result])?;
    Ok(Some("IfcBooleanResult".to_owned()))
}

/// Writes the result as faces, in the style of the body before.
fn faceted(author: &mut Author, element: Id, shells: &csg::Shells) -> Result<String, Fault> {
    let styles = operands::styles(author.edit, element);
    let (items, kind) = facets::write(author, shells)?;
    if !styles.is_empty() {
        for item in &items {
            let styles = Value::list(styles.iter().copied().map(Value::Ref));
            author.create("IfcStyledItem", &[("Item", (*item).into()), ("Styles", styles)])?;
        }
    }
    put(author, element, kind, &items)?;
    let class = items.first().and_then(|i| author.edit.get(*i)).map(|i| i.class_name().to_owned());
    Ok(class.unwrap_or_default())
}

/// Puts the body in the place of the old one, on the same layers; the box and footprint of the old one go.
fn put(author: &mut Author, element: Id, kind: &str, items: &[Id]) -> Result<(), Fault> {
    let shape = author.edit.get(element).and_then(|e| e.reference("Representation"));
    let all =
        shape.and_then(|s| author.edit.get(s)).map(|s| s.references("Representations")).unwrap_or_default();
    let called =
        |author: &Author, id: Id| author.edit.get(id).and_then(|r| r.text("RepresentationIdentifier"));
    let new = author.representation("Body", kind, items)?;
    let (mut stale, mut kept) = (Vec::new(), Vec::new());
    for old in all {
        match called(author, old).as_deref() {
            Some("Body") => {
                for layer in author.edit.referrers_of(old, "IfcPresentationLayerAssignment") {
                    author.add_to(layer, "AssignedItems", new)?;
                }
                kept.push(old);
            }
            Some("Box" | "FootPrint" | "Body-FallBack" | "Facetation") => stale.push(old),
            _ => kept.push(old),
        }
    }
    if let Some(shape) = shape
        && !stale.is_empty()
    {
        kept.push(new);
        author.set(shape, "Representations", Value::list(kept.into_iter().map(Value::Ref)))?;
        author.sweep(&stale)?;
    }
    author.replace_representation(element, "Body", new)
}
