//! Leaning slabs: the planes of roofs and floors with a slope. A slab lies between two outlines in space, one above the
//! other; its placement leans with it, so that its layers lie across the placement's z.
//!
//! Where the upper outline stands straight above the lower one, as at walls, ridges and hips that are cut upright, the body
//! is one extrusion that goes straight up; otherwise (the break of a mansard roof) it is written as faces.

use crate::author::{Author, boolean};
use crate::boolean::facets;
use crate::frame::Frame;
use crate::host::Slab;
use crate::lookup::free_name;
use crate::measures::name;
use crate::quantities::Quantity;
use crate::quantity_sets;
use crate::regions::counter_clockwise;
use crate::slab::{self, SlabKind};
use crate::solids;
use contract::Fault;
use geometry::csg::{Shell, Shells};
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Value};

/// A leaning slab asked for, in the world in mm.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaning {
    /// The outline of its underside, counter-clockwise seen from above; all points in one plane.
    pub low: Vec<DVec3>,
    /// The outline of its top, point by point above the lower one.
    pub high: Vec<DVec3>,
    /// A level direction in its plane.
    pub along: DVec2,
    /// Its thickness across the plane.
    pub thickness: f64,
    /// Its use.
    pub kind: SlabKind,
    /// Name.
    pub name: Option<String>,
    /// Material of its layer.
    pub material: Option<String>,
}

/// Twice the area of an outline in space, as a vector across it.
fn newell(points: &[DVec3]) -> DVec3 {
    let Some(origin) = points.first().copied() else { return DVec3::ZERO };
    points.iter().zip(points.iter().cycle().skip(1)).map(|(a, b)| (*a - origin).cross(*b - origin)).sum()
}

fn length(points: &[DVec3]) -> f64 {
    points.iter().zip(points.iter().cycle().skip(1)).map(|(a, b)| a.distance(*b)).sum()
}

impl Leaning {
    fn middle(&self) -> Vec<DVec3> {
        self.low.iter().zip(&self.high).map(|(a, b)| a.midpoint(*b)).collect()
    }

    /// Its area along the plane, midway between underside and top, in mm².
    pub(crate) fn area(&self) -> f64 {
        newell(&self.middle()).length() / 2.0
    }

    /// Its volume in mm³: by Simpson's rule, which is exact for what lies between two outlines.
    fn volume(&self) -> f64 {
        let area = |points: &[DVec3]| newell(points).length() / 2.0;
        self.thickness / 6.0 * (area(&self.low) + 4.0 * self.area() + area(&self.high))
    }

    /// Its angle to the level, in degrees.
    fn pitch(&self) -> f64 {
        newell(&self.low).normalize_or(DVec3::Z).z.clamp(-1.0, 1.0).acos().to_degrees()
    }

    /// The frame that leans with it, from the first point of its underside.
    fn frame(&self) -> Frame {
        let z = newell(&self.low).normalize_or(DVec3::Z);
        let x = self.along.extend(0.0);
        let x = (x - z * x.dot(z)).normalize_or(DVec3::X);
        let origin = self.low.first().copied().unwrap_or_default();
        Frame(DAffine3::from_cols(x, z.cross(x), z, origin))
    }
}

/// Writes a leaning slab within a placement, whose frame in the world is `outer`; whole and storey are for the caller.
pub(crate) fn write(
    author: &mut Author,
    new: &Leaning,
    within: Option<Id>,
    outer: &Frame,
) -> Result<Id, Fault> {
    let frame = new.frame();
    let placement = author.placement(within, &frame.seen_from(outer))?;
    let body = body(author, new, &frame)?;
    let shape = author.shape(&[body])?;
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcSlab", new.kind.title()),
    };
    let attributes = [("ObjectPlacement", placement.into()), ("Representation", shape.into())];
    let slab = author.root("IfcSlab", Some(&text), &attributes)?;
    slab::dress_from(author, slab, new.kind, new.thickness, new.material.as_deref(), 0.0)?;
    let external = matches!(new.kind, SlabKind::Roof | SlabKind::BaseSlab);
    let pitch = Value::Real(crate::author::tidy(new.pitch() / author.units().angle_deg));
    author.describe(
        slab,
        "Pset_SlabCommon",
        &[
            ("IsExternal", boolean(external)),
            ("LoadBearing", boolean(true)),
            ("PitchAngle", Value::typed("IfcPlaneAngleMeasure", pitch)),
        ],
    )?;
    quantify(author, slab, new)?;
    Ok(slab)
}

fn body(author: &mut Author, new: &Leaning, frame: &Frame) -> Result<Id, Fault> {
    let own = |points: &[DVec3]| -> Vec<DVec3> { points.iter().map(|p| frame.into_own(*p)).collect() };
    let rise = new.low.iter().zip(&new.high).map(|(a, b)| *b - *a);
    let first = rise.clone().next().unwrap_or(DVec3::Z);
    let upright = first.truncate().length() < 1e-6 && rise.clone().all(|r| r.abs_diff_eq(first, 1e-6));
    if upright {
        let outline: Vec<DVec2> = own(&new.low).into_iter().map(DVec3::truncate).collect();
        let profile = author.profile(&outline, &[])?;
        let position = author.axes(&Frame::WORLD)?;
        let solid = oblique(author, profile, position, frame.turn_into_own(DVec3::Z) * first.z)?;
        return author.body(&[solid]);
    }
    let n = new.low.len() as u32;
    let points = own(&new.low).into_iter().chain(own(&new.high)).map(|p| p / 1000.0).collect();
    let mut outer = vec![vec![(0..n).rev().collect()], vec![(n..2 * n).collect()]];
    outer.extend((0..n).map(|i| vec![vec![i, (i + 1) % n, n + (i + 1) % n, n + i]]));
    let shells = Shells { points, shells: vec![Shell { outer, hollows: Vec::new() }] };
    let (items, kind) = facets::write(author, &shells)?;
    author.representation("Body", kind, &items)
}

/// The way in which a leaning slab is swept, per mm across it, where that is straight up.
fn upward(slab: &Slab) -> DVec2 {
    let up = slab.frame.turn_into_own(DVec3::Z);
    if up.z.abs() > 1e-6 { up.truncate() / up.z } else { DVec2::ZERO }
}

/// Returns true if a slab is one extrusion that leans and goes straight up, so that it can be drawn anew.
pub(crate) fn can_redraw(author: &Author, slab: &Slab) -> bool {
    let solid = solids::solid_of(author.edit, slab.id, author.units().length_mm);
    solid.is_some_and(|solid| {
        let way = solid.sweep.truncate() / solid.sweep.z;
        solid.plain && solid.holes.is_empty() && way.abs_diff_eq(upward(slab), 1e-6)
    })
}

/// The outline of a leaning slab midway between its faces, in its own coordinates, that lies below an outline in plan.
pub(crate) fn outline_below(slab: &Slab, outline: &[DVec2]) -> Vec<DVec2> {
    let middle = upward(slab) * (slab.base + slab.thickness / 2.0);
    counter_clockwise(&outline.iter().map(|p| slab.below(*p) + middle).collect::<Vec<DVec2>>())
}

/// Draws a leaning slab anew with another outline midway between its faces, or from another underside and thickness, whose middle
/// moves straight up or down with them.
pub(crate) fn redraw(author: &mut Author, old: &Slab, new: &mut Slab) -> Result<(), Fault> {
    let way = upward(old);
    let middle = |slab: &Slab| slab.base + slab.thickness / 2.0;
    let moved = way * (middle(new) - middle(old));
    for p in &mut new.outline {
        *p += moved;
    }
    let low: Vec<DVec2> = new.outline.iter().map(|p| *p - way * (new.thickness / 2.0)).collect();
    let profile = author.profile(&low, &[])?;
    let position = author.axes(&Frame::at([0.0, 0.0, new.base]))?;
    let sweep = way.extend(1.0) * new.thickness;
    let solid = oblique(author, profile, position, sweep)?;
    let body = author.body(&[solid])?;
    author.replace_representation(new.id, "Body", body)
}

/// A profile swept along a vector in mm.
fn oblique(author: &mut Author, profile: Id, position: Id, sweep: DVec3) -> Result<Id, Fault> {
    let ratios = Value::list(sweep.normalize_or(DVec3::Z).to_array().map(Value::Real));
    let way = author.create("IfcDirection", &[("DirectionRatios", ratios)])?;
    let depth = author.real(sweep.length());
    author.create(
        "IfcExtrudedAreaSolid",
        &[
            ("SweptArea", profile.into()),
            ("Position", position.into()),
            ("ExtrudedDirection", way.into()),
            ("Depth", depth),
        ],
    )
}

fn quantify(author: &mut Author, slab: Id, new: &Leaning) -> Result<(), Fault> {
    let (area, volume) = (new.area(), new.volume());
    author.quantify(
        slab,
        quantity_sets::SLAB,
        &[
            ("Width", Quantity::Length(new.thickness)),
            ("Perimeter", Quantity::Length(length(&new.middle()))),
            ("GrossArea", Quantity::Area(area)),
            ("NetArea", Quantity::Area(area)),
            ("GrossVolume", Quantity::Volume(volume)),
            ("NetVolume", Quantity::Volume(volume)),
        ],
    )
}
