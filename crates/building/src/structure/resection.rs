//! Another section for a type of columns, beams or braces: its occurrences are drawn anew with it, and so is what is cut to them.

use super::dress::{Dress, material_of, only_profile, profile_of, profile_set};
use super::line::Line;
use super::member::{Redraw, redraw};
use super::profile::CrossSection;
use super::sections::Section;
use crate::author::Author;
use crate::lookup::{self, guid, label};
use contract::Fault;
use ifc::{Id, Model, Value, relations};
use std::collections::BTreeMap;

/// The classes of types that have a section.
pub const TYPES: [&str; 3] = ["IfcColumnType", "IfcBeamType", "IfcMemberType"];

/// The name of a type's section; `None` where it has not one alone.
pub fn section_of(model: &Model, kind: Id) -> Option<String> {
    model.get(profile_of(model, kind)?)?.text("ProfileName")
}

/// Gives a type another section; answers its occurrences, and the elements that stop at them.
pub fn change_type(author: &mut Author, kind: Id, section: &Section) -> Result<Vec<Id>, Fault> {
    let occurrences = relations::occurrences_of(author.edit, kind);
    if author.legacy() && occurrences.is_empty() {
        return Err(Fault::constraint(format!(
            "{} has no elements, and in IFC2X3 it is they that have a section. Give the type to one first, or change `section` of that.",
            label(author.edit, kind)
        ))
        .with("field", "parameter_name")
        .with("element_id", guid(author.edit, kind)));
    }
    let mut lines = Vec::with_capacity(occurrences.len());
    for id in &occurrences {
        let whole = relations::aggregate_parent(author.edit, *id);
        if let Some(whole) = whole.filter(|w| author.edit.get(*w).is_some_and(|w| w.is_a("IfcCurtainWall"))) {
            return Err(Fault::constraint(format!(
                "{} is a member of {}; change mullion_width or mullion_depth of that: its parts are drawn anew together.",
                label(author.edit, *id),
                label(author.edit, whole)
            ))
            .with("field", "element_id")
            .with("curtain_wall_id", guid(author.edit, whole)));
        }
        lines.push(Line::read(author, *id)?);
    }
    let material = material_of(author.edit, kind).unwrap_or_else(|| section.material().to_owned());
    let title = section.title();
    let former = profile_of(author.edit, kind);
    rename(author, kind, &title, &material)?;
    let profile = author.section_profile(section)?;
    let cross = CrossSection::measure(author.edit, profile).ok_or_else(|| {
        Fault::invalid("value", format!("The section {title} encloses no area that could be drawn."))
    })?;
    let set = if author.legacy() { None } else { Some(set_section(author, kind, &title, profile)?) };
    let made_of = author.material(&material)?;
    let mut usages: BTreeMap<u8, Id> = BTreeMap::new();
    let mut followed = Vec::new();
    for line in &lines {
        let cardinal = line.cardinal();
        let material = match (set, usages.get(&cardinal)) {
            (None, _) => made_of,
            (Some(_), Some(usage)) => *usage,
            // the one there is goes with the last that leaves it
            (Some(set), None) => {
                let point = Value::Integer(i64::from(cardinal));
                let of = [("ForProfileSet", set.into()), ("CardinalPoint", point)];
                let usage = author.create("IfcMaterialProfileSetUsage", &of)?;
                usages.insert(cardinal, usage);
                usage
            }
        };
        let dress = Dress { kind: Some(kind), section: cross.clone(), material, cardinal };
        let drawn = redraw(author, line.id, &Redraw { dress: Some(dress), ..Redraw::default() })?;
        for id in std::iter::once(line.id).chain(drawn) {
            if !followed.contains(&id) {
                followed.push(id);
            }
        }
    }
    author.sweep(&former.into_iter().collect::<Vec<_>>())?;
    Ok(followed)
}

/// Names a type by its new section, if it was named by its old one.
fn rename(author: &mut Author, kind: Id, title: &str, material: &str) -> Result<(), Fault> {
    let Some(old) = section_of(author.edit, kind) else { return Ok(()) };
    let name = author.edit.get(kind).and_then(|k| k.name()).unwrap_or_default();
    let fresh = if name == old {
        title.to_owned()
    } else if name == format!("{old}, {material}") {
        format!("{title}, {material}")
    } else {
        return Ok(());
    };
    let class = author.edit.get(kind).map(|k| k.class_name().to_owned()).unwrap_or_default();
    if let Some(other) = lookup::bearing(author.edit, &class, &fresh).filter(|other| *other != kind) {
        return Err(Fault::constraint(format!(
            "There is a type {fresh} already; give its elements that with assign_type, or give this one another Name first."
        ))
        .with("field", "value")
        .with("type_id", guid(author.edit, other)));
    }
    author.set(kind, "Name", fresh.as_str())
}

/// Puts a section into a type's profile set.
fn set_section(author: &mut Author, kind: Id, title: &str, profile: Id) -> Result<Id, Fault> {
    let set = profile_set(author.edit, kind);
    let only = set.and_then(|set| only_profile(author.edit, set).map(|only| only.id()));
    let (Some(set), Some(only)) = (set, only) else {
        return Err(Fault::constraint(format!(
            "{} has no profile set with one profile, so it has no section to change. Give its elements another type with assign_type, or change `section` of each.",
            label(author.edit, kind)
        ))
        .with("field", "parameter_name")
        .with("element_id", guid(author.edit, kind)));
    };
    author.set(only, "Profile", profile)?;
    author.set(only, "Name", title)?;
    let name = author.edit.get(kind).and_then(|k| k.name()).unwrap_or_else(|| title.to_owned());
    author.set(set, "Name", name.as_str())?;
    Ok(set)
}
