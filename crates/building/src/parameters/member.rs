//! A column's height, place, section and turn; a beam's or brace's ends, length, section and turn.

use super::change::{Change, number, point};
use crate::author::Author;
use crate::measures::{finite, mm, positive};
use crate::polygon::{height_of, plan_point};
use crate::storey::{above_storey, level_of};
use crate::structure::dress::{dress, material_of};
use crate::structure::line::Line;
use crate::structure::member::{Redraw, redraw};
use crate::structure::resection;
use crate::structure::sections::{self, Section};
use crate::{lookup, movement};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::Id;
use serde_json::{Value as Json, json};

pub(super) fn change(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let old = Line::read(author, id)?;
    let before = shown(author, &old, parameter);
    let mut change = Redraw::default();
    let mut regenerated = Vec::new();
    match parameter {
        "height" | "length" => change.end = Some(old.at(positive("value", number(value)?)?)),
        "rotation" => change.rotation = Some(finite("value", number(value)?)?),
        "start" => change.start = Some(place(author, id, value, old.at(0.0))?),
        "end" => change.end = Some(place(author, id, value, old.at(old.length))?),
        "section" => {
            let section = section(value)?;
            let material = material_of(author.edit, id).unwrap_or_else(|| section.material().to_owned());
            change.dress = Some(dress(author, &old.noun, &section, &material, old.cardinal())?);
        }
        _ => {
            let to = place(author, id, value, old.at(0.0))?;
            regenerated = movement::shift(author, &[id], to - old.at(0.0))?;
        }
    }
    if change != Redraw::default() {
        regenerated = redraw(author, id, &change)?;
    }
    let after = shown(author, &Line::read(author, id)?, parameter);
    Ok(Change { before, after, regenerated })
}

/// Gives a type of columns, beams or braces another section.
pub(super) fn of_type(author: &mut Author, kind: Id, value: &Json) -> Result<Change, Fault> {
    let before = json!(resection::section_of(author.edit, kind));
    let section = section(value)?;
    let regenerated = resection::change_type(author, kind, &section)?;
    Ok(Change { before, after: json!(resection::section_of(author.edit, kind)), regenerated })
}

/// A point in the world; without z at the height of what it takes the place of.
fn place(author: &Author, id: Id, value: &Json, was: DVec3) -> Result<DVec3, Fault> {
    let given = point(value)?;
    let plan: DVec2 = plan_point("value", &given)?;
    let floor = level_of(author, id).map_or(0.0, |(_, z)| z);
    let z = if given.len() == 3 { floor + finite("value", height_of(&given))? } else { was.z };
    Ok(plan.extend(z))
}

/// A section as a value: a name, [width, depth], or a diameter.
fn section(value: &Json) -> Result<Section, Fault> {
    let numbers: Option<Vec<f64>> = value.as_array().and_then(|l| l.iter().map(Json::as_f64).collect());
    match (value, numbers.as_deref()) {
        (Json::String(text), _) => Ok(Section::Named(sections::named("value", text)?)),
        (_, Some([width, depth])) => {
            Ok(Section::Rectangle { width: positive("value", *width)?, depth: positive("value", *depth)? })
        }
        (Json::Number(_), _) => Ok(Section::Round { diameter: positive("value", number(value)?)? }),
        _ => Err(Fault::invalid(
            "value",
            "`value` is the name of a section such as HEB200, [width, depth] in mm, or a diameter.",
        )),
    }
}

fn shown(author: &Author, line: &Line, parameter: &str) -> Json {
    match parameter {
        "height" | "length" => json!(mm(line.length)),
        "rotation" => json!(mm(line.rotation())),
        "end" => json!(above_storey(author, line.id, line.at(line.length))),
        "section" => {
            let profile = author.edit.get(line.section.profile);
            json!(
                profile
                    .and_then(|p| p.text("ProfileName"))
                    .unwrap_or_else(|| lookup::label(author.edit, line.id))
            )
        }
        _ => json!(above_storey(author, line.id, line.at(0.0))),
    }
}
