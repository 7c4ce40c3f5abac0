//! Shapes of any element: a box, a profile extruded, turned about an axis or led along a path, a pipe, or triangles. Coordinates are the
//! element's own, in mm, z up.

use super::colour::Colour;
use super::faces::{self, Triangles};
use super::path;
use crate::author::{Author, tidy};
use crate::frame::Frame;
use crate::measures::{LARGEST, positive};
use crate::polygon::{checked, direction};
use contract::Fault;
use geometry::region::rectangle;
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Value};

/// The most points of a profile or path.
const MOST_POINTS: usize = 2000;

/// A shape asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A box: its size; it stands on its origin, centred on it.
    Box(DVec3),
    /// A profile in plan, extruded from its plane.
    Extrusion {
        /// The profile, in x and y.
        profile: Vec<DVec2>,
        /// Depth along the direction.
        height: f64,
        /// The direction.
        direction: DVec3,
    },
    /// A profile in the upright plane through x, turned about a line in that plane.
    Revolve {
        /// The profile, in x and z.
        profile: Vec<DVec2>,
        /// The axis: two points, in x and z.
        axis: [DVec2; 2],
        /// Degrees turned.
        angle: f64,
    },
    /// A round bar led along a path.
    Pipe {
        /// Its radius.
        radius: f64,
        /// The path.
        path: Vec<DVec3>,
    },
    /// A profile led along a path, mitred at its corners.
    Sweep {
        /// The profile: x to the right of the path, y up.
        profile: Vec<DVec2>,
        /// The path.
        path: Vec<DVec3>,
    },
    /// Triangles.
    Mesh(Vec<Triangles>),
}

/// A shape as it is written: its items, each with a colour of its own where it has one, and the type of representation that they make.
pub(super) struct Body {
    pub(super) items: Vec<(Id, Option<Colour>)>,
    pub(super) kind: &'static str,
}

/// Writes a shape.
pub(super) fn write(author: &mut Author, form: &Form) -> Result<Body, Fault> {
    match form {
        Form::Box(size) => {
            for (field, size) in ["shape.box.x", "shape.box.y", "shape.box.z"].iter().zip(size.to_array()) {
                positive(field, size)?;
            }
            let half = size.truncate() / 2.0;
            let solid = author.upright(&rectangle(-half, half), &[], 0.0, size.z)?;
            Ok(swept(solid))
        }
        Form::Extrusion { profile, height, direction } => {
            let profile = within("shape.extrusion.profile", profile)?;
            positive("shape.extrusion.height", *height)?;
            let way = lean(*direction)?;
            let solid = author.upright(&profile, &[], 0.0, *height)?;
            if way != DVec3::Z {
                let ratios = Value::list(way.to_array().map(|c| Value::Real(tidy(c))));
                let lean = author.create("IfcDirection", &[("DirectionRatios", ratios)])?;
                let old = author.edit.get(solid).and_then(|s| s.reference("ExtrudedDirection"));
                author.set(solid, "ExtrudedDirection", lean)?;
                author.sweep(&old.into_iter().collect::<Vec<_>>())?;
            }
            Ok(swept(solid))
        }
        Form::Revolve { profile, axis, angle } => revolved(author, profile, *axis, *angle).map(swept),
        Form::Pipe { radius, path } => {
            positive("shape.sweep.radius", *radius)?;
            let path = path::checked(path)?;
            path::bends(&path, *radius)?;
            let points = path.iter().map(|p| author.point3(*p)).collect::<Result<Vec<_>, _>>()?;
            let line = author
                .create("IfcPolyline", &[("Points", Value::list(points.into_iter().map(Value::Ref)))])?;
            let mut attributes = vec![("Directrix", Value::Ref(line)), ("Radius", author.real(*radius))];
            if author.legacy() {
                let last = path.len().saturating_sub(1) as f64;
                attributes.push(("StartParam", Value::Real(0.0)));
                attributes.push(("EndParam", Value::Real(last)));
            }
            let solid = author.create("IfcSweptDiskSolid", &attributes)?;
            Ok(Body { items: vec![(solid, None)], kind: "AdvancedSweptSolid" })
        }
        Form::Sweep { profile, path } => {
            let profile = within("shape.sweep.profile", profile)?;
            let path = path::checked(path)?;
            faces::write(author, &[path::mitred(&profile, &path)?])
        }
        Form::Mesh(pieces) => faces::write(author, pieces),
    }
}

fn swept(solid: Id) -> Body {
    Body { items: vec![(solid, None)], kind: "SweptSolid" }
}

/// A profile that is an outline, of a size that a building can have.
fn within(field: &str, profile: &[DVec2]) -> Result<Vec<DVec2>, Fault> {
    if profile.len() > MOST_POINTS {
        return Err(Fault::invalid(
            field,
            format!("`{field}` has {} points; at most {MOST_POINTS} are taken.", profile.len()),
        ));
    }
    if profile.iter().any(|p| !p.is_finite() || p.abs().max_element() > LARGEST) {
        return Err(Fault::invalid(
            field,
            format!(
                "`{field}` has a coordinate beyond ten kilometres; a profile is told from the shape's own origin, in mm."
            ),
        ));
    }
    checked(field, profile.to_vec())
}

/// The direction of an extrusion, at length one.
fn lean(direction: DVec3) -> Result<DVec3, Fault> {
    let way = direction.try_normalize().filter(|way| direction.is_finite() && way.z > 0.01);
    way.map(|way| if way.z > 1.0 - 1e-12 { DVec3::Z } else { way }).ok_or_else(|| {
        Fault::invalid(
            "shape.extrusion.direction",
            "`shape.extrusion.direction` must lead up, out of the profile's plane: its z is more than nought. To lay a shape down use placement.axis.",
        )
    })
}

fn revolved(author: &mut Author, profile: &[DVec2], axis: [DVec2; 2], angle: f64) -> Result<Id, Fault> {
    let profile = within("shape.revolve.profile", profile)?;
    if !angle.is_finite() || angle <= 0.01 || angle > 360.0 {
        return Err(Fault::invalid(
            "shape.revolve.angle",
            format!("`shape.revolve.angle` is {angle}; it is more than 0 and at most 360 degrees."),
        ));
    }
    let [from, to] = axis;
    let sound = axis.iter().all(|p| p.is_finite() && p.abs().max_element() <= LARGEST);
    let Some(along) = direction(from, to).filter(|_| sound) else {
        return Err(Fault::invalid(
            "shape.revolve.axis",
            "`shape.revolve.axis` is two different points [[x, z], [x, z]] in mm; the upright line through the origin is [[0, 0], [0, 1000]].",
        ));
    };
    let sides: Vec<f64> = profile.iter().map(|p| along.perp_dot(*p - from)).collect();
    if sides.iter().any(|side| *side > 0.01) && sides.iter().any(|side| *side < -0.01) {
        return Err(Fault::invalid(
            "shape.revolve.profile",
            "`shape.revolve.profile` lies on both sides of its axis; keep it on one side, touching it at most.",
        ));
    }
    let area = author.profile(&profile, &[])?;
    // the plane's own y is the element's z
    let plane = Frame(DAffine3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y, DVec3::ZERO));
    let position = author.axes(&plane)?;
    let location = author.point3(from.extend(0.0))?;
    let ratios = Value::list([along.x, along.y, 0.0].map(|c| Value::Real(tidy(c))));
    let ratios = author.create("IfcDirection", &[("DirectionRatios", ratios)])?;
    let line =
        author.create("IfcAxis1Placement", &[("Location", location.into()), ("Axis", ratios.into())])?;
    let angle = Value::Real(angle / author.units().angle_deg);
    author.create(
        "IfcRevolvedAreaSolid",
        &[("SweptArea", area.into()), ("Position", position.into()), ("Axis", line.into()), ("Angle", angle)],
    )
}
