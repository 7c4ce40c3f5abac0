//! Columns, beams and braces: made along an axis, and drawn anew when it or their section changes.

use super::dress::Dress;
use super::ends::{self, Finish, Plane, Run};
use super::line::{Line, frame};
use super::links::{self, Role};
use super::noun::{COLUMN, Noun};
use super::profile::CrossSection;
use super::stop::Bar;
use crate::author::{Author, boolean};
use crate::frame::Frame;
use crate::lookup::free_name;
use crate::measures::{SMALLEST, name};
use crate::placing::place;
use crate::quantities::{Quantity, is_ours};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, Value};
use std::collections::BTreeSet;

/// A member asked for; points in the world in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMember {
    /// The storey that holds it.
    pub storey: Id,
    /// Start of the axis.
    pub start: DVec3,
    /// End of the axis.
    pub end: DVec3,
    /// Turn of the section about the axis, in degrees.
    pub rotation: f64,
    /// Its ends.
    pub finishes: [Finish; 2],
    /// Name.
    pub name: Option<String>,
}

/// The direction and length of an axis.
pub fn direction(field: &str, start: DVec3, end: DVec3) -> Result<(DVec3, f64), Fault> {
    let length = start.distance(end);
    if length < 1.0 {
        return Err(Fault::invalid(
            field,
            "The start and the end are in the same place; a member is at least 1 mm long. Points are mm.",
        ));
    }
    crate::measures::positive(field, length)?;
    // what stands upright but for rounding, is upright
    let along = (end - start) / length;
    let along = if along.truncate().length() < 1e-9 { DVec3::Z * along.z.signum() } else { along };
    Ok((along, length))
}

/// Makes a member.
pub fn create(author: &mut Author, noun: &Noun, dress: &Dress, new: &NewMember) -> Result<Id, Fault> {
    let (along, length) = direction("end", new.start, new.end)?;
    let frame = frame(new.start, along, new.rotation);
    let offset = dress.section.cardinal(dress.cardinal);
    let run = ends::run(&frame, length, &new.finishes, &dress.section, offset)?;
    let storey = author.frame(new.storey)?;
    let within = author.placement_of(new.storey);
    let placement = author.placement(within, &frame.seen_from(&storey))?;
    let (item, kind) = author.bar(&Frame::WORLD, &dress.section, offset, &run)?;
    let body = author.representation("Body", kind, &[item])?;
    let axis = axis(author, DVec3::ZERO, DVec3::Z * length)?;
    let shape = author.shape(&[axis, body])?;
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, noun.class, noun.word),
    };
    let member = author.root(
        noun.class,
        Some(&text),
        &[("ObjectPlacement", placement.into()), ("Representation", shape.into())],
    )?;
    author.contain(new.storey, member)?;
    if let Some(kind) = dress.kind {
        author.type_as(kind, member)?;
    }
    author.make_of(dress.material, member)?;
    let mut common = vec![("LoadBearing", boolean(true))];
    if *noun != COLUMN {
        let span = Value::typed("IfcPositiveLengthMeasure", author.real(length));
        common.push(("Span", span));
    }
    author.describe(member, noun.properties, &common)?;
    write_quantities(author, member, noun, &dress.section, offset, &run)?;
    Ok(member)
}

/// The representation of a straight axis within the placement.
fn axis(author: &mut Author, from: DVec3, to: DVec3) -> Result<Id, Fault> {
    let points = [author.point3(from)?, author.point3(to)?];
    let line = author.create("IfcPolyline", &[("Points", Value::list(points.map(Value::Ref)))])?;
    author.axis_in_space(line)
}

fn write_quantities(
    author: &mut Author,
    id: Id,
    noun: &Noun,
    section: &CrossSection,
    offset: DVec2,
    run: &Run,
) -> Result<(), Fault> {
    // ends are planes, so that what is along the axis at a centroid is the mean
    let mean = |p: DVec2| {
        let [from, to] = run.between(p - offset);
        to - from
    };
    let ends = section.outline.iter().map(|p| run.between(*p - offset));
    let [low, high] =
        ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], [a, b]| [low.min(a), high.max(b)]);
    let sides = section.round * mean(section.rim);
    let cut: f64 = run.planes.iter().map(|plane| 1.0 / plane.normal.z.abs() - 1.0).sum();
    let volume = section.area * mean(section.centroid);
    let all = [
        ("Length", Quantity::Length(high - low)),
        ("CrossSectionArea", Quantity::Area(section.area)),
        ("OuterSurfaceArea", Quantity::Area(sides)),
        ("GrossSurfaceArea", Quantity::Area(sides + section.area * (2.0 + cut))),
        ("GrossVolume", Quantity::Volume(volume)),
        ("NetVolume", Quantity::Volume(volume)),
    ];
    author.quantify(id, noun.quantities, &all)
}

/// The changes to a member; what is left out stays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Redraw {
    /// Start of the axis, in the world.
    pub start: Option<DVec3>,
    /// End of the axis.
    pub end: Option<DVec3>,
    /// Turn about the axis, in degrees.
    pub rotation: Option<f64>,
    /// Type, section and material.
    pub dress: Option<Dress>,
    /// An end that no longer stops at a column.
    pub free: Option<Role>,
}

/// Draws a member anew, and the beams that stop at it; answers those.
pub fn redraw(author: &mut Author, id: Id, change: &Redraw) -> Result<Vec<Id>, Fault> {
    let old = Line::read(author, id)?;
    let start = change.start.unwrap_or_else(|| old.at(0.0));
    let end = change.end.unwrap_or_else(|| old.at(old.length));
    let (along, length) = direction("value", start, end)?;
    let fresh = frame(start, along, change.rotation.unwrap_or_else(|| old.rotation()));
    place(author, id, &(fresh * Frame::WORLD.seen_from(&old.local)))?;
    let grown = length - old.length;
    let section = change.dress.as_ref().map_or(&old.section, |dress| &dress.section);
    // the same point of the section's box stays on the axis, whatever its size
    let offset = match &change.dress {
        Some(dress) => dress.section.cardinal(dress.cardinal),
        None => old.offset,
    };
    let shift = |plane: &Plane| Plane {
        at: if plane.normal.z > 0.0 { plane.at + grown } else { plane.at },
        ..*plane
    };
    let planes: Vec<Plane> = old.planes.iter().map(shift).collect();
    let mut run = Run { from: old.extruded[0], to: old.extruded[1] + grown, planes };
    let mut stops: Vec<(Role, f64)> = change.free.iter().map(|role| (*role, 0.0)).collect();
    let bar = Bar { frame: &fresh, length, section, offset };
    for (role, column) in links::columns_of(author.edit, id) {
        let column = Line::read(author, column)?;
        let is_start = role != Role::End;
        let cut = run.planes.iter().find(|plane| (plane.normal.z < 0.0) == is_start);
        let is_upright = cut.map(|plane| fresh.transform_vector3(plane.normal).z.abs() < 1e-6);
        // an end cut another way stays as it is
        if is_upright != Some(false) {
            stops.push((role, bar.stop(role, is_upright.is_some(), &column)));
        }
    }
    for (role, mm) in stops {
        run.stop(role != Role::End, mm, length);
    }
    run.fit(section, offset);
    if run.to - run.from < SMALLEST {
        return Err(Fault::invalid("value", "That would leave nothing of the member between its ends."));
    }
    run.check(section, offset)?;
    let (item, kind) = author.bar(&old.local, section, offset, &run)?;
    let body = author.representation("Body", kind, &[item])?;
    author.replace_representation(id, "Body", body)?;
    if grown.abs() > 1e-6 {
        let from = old.local.translation;
        let line = axis(author, from, from + old.local.z_axis * length)?;
        author.replace_representation(id, "Axis", line)?;
        if old.noun != COLUMN && is_ours(author.edit, id, old.noun.quantities) {
            let span = Value::typed("IfcPositiveLengthMeasure", author.real(length));
            author.describe(id, old.noun.properties, &[("Span", span)])?;
        }
    }
    if let Some(dress) = &change.dress {
        author.leave(id, "IfcRelDefinesByType")?;
        author.leave(id, "IfcRelAssociatesMaterial")?;
        if let Some(kind) = dress.kind {
            author.type_as(kind, id)?;
        }
        author.make_of(dress.material, id)?;
    }
    if is_ours(author.edit, id, old.noun.quantities) {
        write_quantities(author, id, &old.noun, section, offset, &run)?;
    }
    let beams = if old.noun == COLUMN { links::beams_of(author.edit, id) } else { BTreeSet::new() };
    for beam in &beams {
        redraw(author, *beam, &Redraw::default())?;
    }
    Ok(beams.into_iter().collect())
}
