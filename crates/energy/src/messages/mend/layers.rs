//! The two sides of a surface between zones: what lies outermost on one is innermost on the other.

use super::super::subject;
use super::work::Work;
use crate::edit::Fields;
use crate::geometry::polygon::{DETAILED, SIMPLE};
use crate::idf::{Document, Handle, Object};
use serde_json::Value;

/// Gives the surface beyond the same layers as a surface, in the opposite order: a construction that has them so, or one that is added.
pub fn mirror(work: &mut Work, surface: &str, beyond: &str) -> Result<(), String> {
    let document = work.document();
    let one = surface_of(document, surface)?;
    let (handle, at) =
        surface_of(document, beyond).and_then(|object| Ok((object.handle(), construction_at(object)?)))?;
    let name = one.value(construction_at(one)?).to_owned();
    let mut layers = layers_of(document, &name)?;
    layers.reverse();
    let same = |object: &Object<'_>| {
        layers_of(document, object.name()).is_ok_and(|other| {
            other.len() == layers.len() && other.iter().zip(&layers).all(|(a, b)| a.eq_ignore_ascii_case(b))
        })
    };
    // a construction that is the same both ways is its own other side
    let own = document.get("Construction", &name).filter(|object| same(object));
    let found =
        own.or_else(|| document.of_type("Construction").find(same)).map(|object| object.name().to_owned());
    work.whole(|work| {
        let wanted = match found {
            Some(found) => found,
            None => add(work, &name, &layers)?,
        };
        work.set(handle, at, &wanted)
    })?;
    work.assumptions.push(format!("The layers of `{surface}` are right, and `{beyond}` is its other side."));
    Ok(())
}

fn add(work: &mut Work, name: &str, layers: &[String]) -> Result<String, String> {
    let mut reversed = format!("{name} Reversed");
    let mut number = 2;
    while let Some(about) = work.document().schema().get("Construction")
        && crate::check::names::taken(work.document(), about, &reversed).is_some()
    {
        reversed = format!("{name} Reversed {number}");
        number += 1;
    }
    let about = work.document().schema().get("Construction").ok_or("The schema has no constructions.")?;
    let keys: Vec<String> = about.fields.iter().skip(1).map(|field| field.key.to_string()).collect();
    let fields: Fields =
        keys.into_iter().zip(layers).map(|(key, layer)| (key, Value::from(layer.as_str()))).collect();
    work.add("Construction", &reversed, &fields)?;
    Ok(reversed)
}

fn surface_of<'a>(document: &'a Document, name: &str) -> Result<Object<'a>, String> {
    let types: Vec<&str> =
        DETAILED.into_iter().chain(SIMPLE).chain(["FenestrationSurface:Detailed"]).collect();
    let found = subject::named(document, &types, Some(name));
    found.first().copied().ok_or_else(|| format!("The model has no surface `{name}`."))
}

fn construction_at(surface: Object<'_>) -> Result<usize, String> {
    let at = surface.about().and_then(|about| about.position("construction_name"));
    at.ok_or_else(|| "The surface has no construction.".to_owned())
}

/// The layers of a construction, from outside to inside.
fn layers_of(document: &Document, name: &str) -> Result<Vec<String>, String> {
    let construction = document.get("Construction", name);
    let construction = construction.ok_or_else(|| format!("`{name}` is no construction of layers."))?;
    Ok(construction.values().skip(1).filter(|layer| !layer.is_empty()).map(str::to_owned).collect())
}

/// The surface of that name.
pub fn handle_of(document: &Document, name: &str) -> Result<Handle, String> {
    surface_of(document, name).map(|object| object.handle())
}
