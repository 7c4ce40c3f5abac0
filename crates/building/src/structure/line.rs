//! Members read back: their axis, section and ends, whoever wrote them, as far as their body is one extrusion.

use super::ends::Plane;
use super::noun::{Noun, noun_of};
use super::profile::CrossSection;
use crate::author::Author;
use crate::frame::Frame;
use crate::lookup::{guid, label};
use crate::solids;
use contract::Fault;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Model};

/// The deepest chain of cuts that is followed.
const CUTS: usize = 8;

/// A member as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The element.
    pub id: Id,
    /// Its class' words.
    pub noun: Noun,
    /// The axis in the world: origin at its start, z along it, x and y those of the section.
    pub frame: Frame,
    /// The same within the element's placement.
    pub local: Frame,
    /// Length of the axis in mm.
    pub length: f64,
    /// The cross-section.
    pub section: CrossSection,
    /// The section's point on the axis.
    pub offset: DVec2,
    /// From where to where along the axis the section is extruded.
    pub extruded: [f64; 2],
    /// The parts that are cut off the ends.
    pub planes: Vec<Plane>,
}

impl Line {
    /// Reads a member.
    pub fn read(author: &Author, id: Id) -> Result<Self, Fault> {
        let model: &Model = author.edit;
        let mm = author.units().length_mm;
        let unknown = |what: &str| {
            Fault::constraint(format!(
                "The member {} cannot be worked with by its axis: {what}. Members whose body is one straight extrusion of a profile can; its attributes and properties can be changed, and it can be moved.",
                label(model, id)
            ))
            .with("element_id", guid(model, id))
        };
        let noun = noun_of(model, id).ok_or_else(|| unknown("it is no column, beam or member"))?;
        let body = solids::representation(model, id, "Body").ok_or_else(|| unknown("it has no body"))?;
        let [item] = body.references("Items")[..] else {
            return Err(unknown("its body has several parts"));
        };
        let (solid, halves) =
            extrusion(model, item).ok_or_else(|| unknown("its body is shared, or built another way"))?;
        let solid = model.get(solid).ok_or_else(|| unknown("its body is missing"))?;
        let read = || {
            let position = match solid.reference("Position") {
                Some(position) => solids::axes(model, position, mm)?,
                None => Frame::WORLD,
            };
            let way = model.get(solid.reference("ExtrudedDirection")?)?.attr("DirectionRatios");
            let way: Vec<f64> = way.as_list()?.iter().filter_map(ifc::Value::as_f64).collect();
            let straight = matches!(way[..], [x, y, z] if x.abs() < 1e-9 && y.abs() < 1e-9 && z > 0.0);
            let depth = solid.number("Depth")? * mm;
            let section = CrossSection::measure(model, solid.reference("SweptArea")?)?;
            straight.then_some((position, depth, section))
        };
        let (position, depth, section) =
            read().ok_or_else(|| unknown("its profile is not extruded square to itself"))?;
        let z = position.z_axis;
        // the axis runs as the extrusion does; where none is drawn, along the profile's origin
        let (start, length) = match axis(model, id, mm) {
            Some((a, b)) if (b - a).cross(z).length() < 1.0 && (b - a).dot(z) > 0.0 => (a, (b - a).length()),
            _ => (position.translation, depth),
        };
        let local = position.with_origin(start);
        let origin = local.into_own(position.translation);
        let mut planes = Vec::new();
        for half in halves {
            let plane = plane(model, half, mm, &local)
                .ok_or_else(|| unknown("its ends are cut by something else than planes"))?;
            planes.push(plane);
        }
        Ok(Self {
            id,
            noun,
            frame: author.frame(id)? * local,
            local,
            length,
            section,
            offset: -origin.truncate(),
            extruded: [origin.z, origin.z + depth],
            planes,
        })
    }

    /// A point of the axis in the world.
    pub fn at(&self, along: f64) -> DVec3 {
        self.frame.transform_point3(DVec3::Z * along)
    }

    /// The cardinal point whose place is nearest to the axis.
    pub fn cardinal(&self) -> u8 {
        let distance = |point: &u8| self.section.cardinal(*point).distance(self.offset);
        let nearest = (1..=10).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.filter(|p| distance(p) < 1.0).unwrap_or(5)
    }

    /// Its turn about its axis, in degrees.
    pub fn rotation(&self) -> f64 {
        let plain = frame(self.frame.translation, self.frame.z_axis, 0.0);
        let x = plain.turn_into_own(self.frame.x_axis);
        let degrees = x.y.atan2(x.x).to_degrees();
        if degrees.abs() < 1e-9 { 0.0 } else { degrees }
    }
}

/// The frame of an axis: z along it; y of the section upright, or x along the world's where the axis is; turned by degrees.
pub fn frame(start: DVec3, along: DVec3, rotation: f64) -> Frame {
    let x = if along.truncate().length() < 1e-9 { DVec3::X } else { DVec3::Z.cross(along).normalize() };
    // seen along the axis left is where x grows
    let y = along.cross(x);
    let (sin, cos) = rotation.to_radians().sin_cos();
    Frame(DAffine3::from_cols(x * cos + y * sin, y * cos - x * sin, along, start))
}

/// The profile that the body of a member is extruded from, whatever was cut off it.
pub fn profile(model: &Model, id: Id) -> Option<Id> {
    let body = solids::representation(model, id, "Body")?;
    let item = *body.references("Items").first()?;
    model.get(extrusion(model, item)?.0)?.reference("SweptArea")
}

/// The extrusion below what was cut off it, and the second operands, the first cut first.
fn extrusion(model: &Model, item: Id) -> Option<(Id, Vec<Id>)> {
    let (mut at, mut halves) = (item, Vec::new());
    for _ in 0..CUTS {
        let instance = model.get(at)?;
        if instance.class_name() == "IfcExtrudedAreaSolid" {
            halves.reverse();
            return Some((at, halves));
        }
        if instance.class_name() != "IfcBooleanClippingResult" {
            return None;
        }
        halves.push(instance.reference("SecondOperand")?);
        at = instance.reference("FirstOperand")?;
    }
    None
}

/// The ends of the axis that is drawn, within the placement.
fn axis(model: &Model, id: Id, mm: f64) -> Option<(DVec3, DVec3)> {
    let axis = solids::representation(model, id, "Axis")?;
    let mut curve = model.get(*axis.references("Items").first()?)?;
    if curve.is_a("IfcGeometricSet") {
        curve = model.get(*curve.references("Elements").first()?)?;
    }
    if !curve.is_a("IfcPolyline") {
        return None;
    }
    let [a, b] = curve.references("Points")[..] else { return None };
    Some((solids::point(model, a, mm)?, solids::point(model, b, mm)?))
}

/// A half space as the cut of an end.
fn plane(model: &Model, half: Id, mm: f64, local: &Frame) -> Option<Plane> {
    let half = model.get(half)?;
    let surface = model.get(half.reference("BaseSurface")?)?;
    if half.class_name() != "IfcHalfSpaceSolid" || !surface.is_a("IfcPlane") {
        return None;
    }
    let frame = solids::axes(model, surface.reference("Position")?, mm)?;
    let out = if half.attr("AgreementFlag").as_bool()? { -frame.z_axis } else { frame.z_axis };
    let normal = local.turn_into_own(out);
    let on = local.into_own(frame.translation);
    // where the plane meets the axis
    (normal.z.abs() > 1e-6)
        .then(|| Plane { at: on.z + normal.truncate().dot(on.truncate()) / normal.z, normal })
}
