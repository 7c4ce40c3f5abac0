//! Slabs: floors, base slabs, landings and the plates of roofs, extruded down from their top (a roof's plate: up from
//! what it rests on) over an outline in plan.

use crate::author::{Author, boolean, word};
use crate::frame::Frame;
use crate::host::Slab;
use crate::kinds::Layer;
use crate::leaning::{self, Leaning};
use crate::lookup::{free_name, guid, label, predefined_type};
use crate::measured;
use crate::measures::{mm, name, positive, square_metres};
use crate::opening::shape::cut_area;
use crate::polygon::{area, perimeter};
use crate::quantities::{Quantities, Quantity, is_ours, read};
use crate::quantity_sets;
use crate::regions::counter_clockwise;
use crate::slope::Lean;
use crate::storey::{above_storey, level_of};
use crate::totals;
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::Id;
use schemars::JsonSchema;
use serde::Serialize;

/// The use of a slab, after IfcSlabTypeEnum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SlabKind {
    /// Between storeys.
    #[default]
    Floor,
    /// A roof's plate.
    Roof,
    /// On the ground.
    BaseSlab,
    /// Of a stair.
    Landing,
}

impl SlabKind {
    /// The item of IfcSlabTypeEnum.
    pub fn predefined(self) -> &'static str {
        match self {
            Self::Floor => "FLOOR",
            Self::Roof => "ROOF",
            Self::BaseSlab => "BASESLAB",
            Self::Landing => "LANDING",
        }
    }

    /// The words its types and slabs are named by.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Floor => "Floor slab",
            Self::Roof => "Roof slab",
            Self::BaseSlab => "Base slab",
            Self::Landing => "Landing",
        }
    }
}

/// A slab asked for: outline in the world in mm, `top` above the storey.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSlab {
    /// The storey it belongs to.
    pub storey: Id,
    /// The outline.
    pub outline: Vec<DVec2>,
    /// Height of its top above the storey, in mm.
    pub top: f64,
    /// Thickness in mm.
    pub thickness: f64,
    /// Its use.
    pub kind: SlabKind,
    /// Name.
    pub name: Option<String>,
    /// Material of its layer.
    pub material: Option<String>,
}

/// A slab as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SlabAnswer {
    /// GlobalId.
    pub floor_id: String,
    /// Name.
    pub name: String,
    /// FLOOR, ROOF, BASESLAB or LANDING.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predefined_type: Option<String>,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Height of its top above the storey in mm.
    pub top: f64,
    /// Thickness in mm.
    pub thickness: f64,
    /// Gross area in m².
    pub area: f64,
    /// Its angle to the level in degrees, where it leans.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slope: Option<f64>,
    /// GlobalIds of its openings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<String>,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// Makes a slab held by its storey.
pub fn create(author: &mut Author, new: &NewSlab) -> Result<Id, Fault> {
    let within = author.placement_of(new.storey);
    let frame = author.frame(new.storey)?;
    let slab = write(author, new, within, &frame)?;
    author.contain(new.storey, slab)?;
    totals::of_storey(author, new.storey)?;
    Ok(slab)
}

/// Makes a slab that leans; its top is at `new.top` where the slope begins.
pub fn create_leaning(author: &mut Author, new: &NewSlab, lean: &Lean) -> Result<Id, Fault> {
    let Lean { from, gradient } = *lean;
    positive("thickness", new.thickness)?;
    let within = author.placement_of(new.storey);
    let frame = author.frame(new.storey)?;
    let zero = frame.translation.z + new.top;
    let rise = new.thickness * (1.0 + gradient.length_squared()).sqrt();
    let high: Vec<DVec3> = counter_clockwise(&new.outline)
        .into_iter()
        .map(|p| p.extend(zero + (p - from).dot(gradient)))
        .collect();
    let leaning = Leaning {
        low: high.iter().map(|p| *p - DVec3::Z * rise).collect(),
        high,
        along: gradient.perp().normalize_or(DVec2::X),
        thickness: new.thickness,
        kind: new.kind,
        name: new.name.clone(),
        material: new.material.clone(),
    };
    let slab = leaning::write(author, &leaning, within, &frame)?;
    author.contain(new.storey, slab)?;
    totals::of_storey(author, new.storey)?;
    Ok(slab)
}

/// Writes a slab within a placement, whose frame in the world is `frame`; whole and storey are for the caller.
pub(crate) fn write(
    author: &mut Author,
    new: &NewSlab,
    within: Option<Id>,
    frame: &Frame,
) -> Result<Id, Fault> {
    positive("thickness", new.thickness)?;
    let outline: Vec<DVec2> = new
        .outline
        .iter()
        .map(|p| frame.into_own(p.extend(frame.translation.z)))
        .map(DVec3::truncate)
        .collect();
    let own = Frame::at([0.0, 0.0, new.top]);
    let placement = author.placement(within, &own)?;
    let solid = author.upright(&outline, &[], -new.thickness, new.thickness)?;
    let body = author.body(&[solid])?;
    let shape = author.shape(&[body])?;
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcSlab", new.kind.title()),
    };
    let slab = author.root(
        "IfcSlab",
        Some(&text),
        &[("ObjectPlacement", placement.into()), ("Representation", shape.into())],
    )?;
    dress(author, slab, new.kind, new.thickness, new.material.as_deref())?;
    let external = matches!(new.kind, SlabKind::Roof | SlabKind::BaseSlab);
    author.describe(
        slab,
        "Pset_SlabCommon",
        &[("IsExternal", boolean(external)), ("LoadBearing", boolean(true))],
    )?;
    quantify(author, slab)?;
    Ok(slab)
}

/// Gives a slab its type and layers.
pub fn dress(
    author: &mut Author,
    slab: Id,
    kind: SlabKind,
    thickness: f64,
    material: Option<&str>,
) -> Result<(), Fault> {
    dress_from(author, slab, kind, thickness, material, -thickness)
}

/// Gives a slab its type and layers, whose lowest begins so far above its reference plane.
pub(crate) fn dress_from(
    author: &mut Author,
    slab: Id,
    kind: SlabKind,
    thickness: f64,
    material: Option<&str>,
    from: f64,
) -> Result<(), Fault> {
    const CONCRETE: &str = "Reinforced concrete";
    let material = material.unwrap_or(CONCRETE);
    let mut title = format!("{} {} mm", kind.title(), mm(thickness));
    if material != CONCRETE {
        title = format!("{title}, {material}");
    }
    let set = author.layer_set(&title, &Layer::plain(material, thickness))?;
    let slab_type = author.kind("IfcSlabType", &title, &[("PredefinedType", word(kind.predefined()))])?;
    if author.edit.referrers_of(slab_type, "IfcRelAssociatesMaterial").is_empty() {
        author.make_of(set, slab_type)?;
    }
    author.type_as(slab_type, slab)?;
    // layers lie from the underside up
    let usage = author.layer_set_usage(set, "AXIS3", true, from)?;
    author.make_of(usage, slab)
}

/// Writes a slab's quantities anew where it carries ours.
pub fn requantify(author: &mut Author, slab: Id) -> Result<(), Fault> {
    if is_ours(author.edit, slab, quantity_sets::SLAB) { quantify(author, slab) } else { Ok(()) }
}

pub(crate) fn quantify(author: &mut Author, id: Id) -> Result<(), Fault> {
    // a body that was combined with another is no longer an outline and a thickness
    let slab = match Slab::read(author, id) {
        Ok(slab) if slab.plain => slab,
        _ => return measured::requantify(author, id),
    };
    let gross = area(&slab.outline);
    let round = perimeter(&slab.outline);
    let cut = cut_area(author, id, &slab.frame);
    // its width is its thickness; length and depth are the sides of its outline, told of rectangles alone (Qto_SlabBaseQuantities)
    let mut quantities = vec![("Width", Quantity::Length(slab.thickness))];
    if let Some([length, depth]) = sides_of_rectangle(&slab.outline) {
        quantities.extend([("Length", Quantity::Length(length)), ("Depth", Quantity::Length(depth))]);
    }
    quantities.extend([
        ("Perimeter", Quantity::Length(round)),
        ("GrossPerimeter", Quantity::Length(round)),
        ("GrossArea", Quantity::Area(gross)),
        ("NetArea", Quantity::Area(gross - cut)),
        ("GrossVolume", Quantity::Volume(gross * slab.thickness)),
        ("NetVolume", Quantity::Volume((gross - cut) * slab.thickness)),
    ]);
    author.quantify(id, quantity_sets::SLAB, &quantities)
}

/// The longer and the shorter side of an outline that is a rectangle.
fn sides_of_rectangle(outline: &[DVec2]) -> Option<[f64; 2]> {
    let &[a, b, c, d] = outline else { return None };
    let (along, across) = (b - a, d - a);
    let is_rectangle =
        along.dot(across).abs() < 1e-6 * along.length() * across.length() && c.distance(b + across) < 0.01;
    is_rectangle.then(|| [along.length().max(across.length()), along.length().min(across.length())])
}

/// A slab as it stands.
pub fn answer(author: &Author, id: Id) -> Result<SlabAnswer, Fault> {
    let slab = Slab::read(author, id)?;
    let top = slab.frame.transform_point3(DVec3::new(0.0, 0.0, slab.base + slab.thickness));
    Ok(SlabAnswer {
        floor_id: guid(author.edit, id),
        name: label(author.edit, id),
        predefined_type: predefined_type(author.edit, id),
        level: level_of(author, id).map(|(storey, _)| label(author.edit, storey)),
        top: above_storey(author, id, top).z,
        thickness: mm(slab.thickness),
        area: square_metres(area(&slab.outline)),
        slope: (!slab.frame.is_upright())
            .then(|| mm(slab.frame.z_axis.z.clamp(-1.0, 1.0).acos().to_degrees())),
        openings: ifc::relations::openings_of(author.edit, id)
            .into_iter()
            .map(|opening| guid(author.edit, opening))
            .collect(),
        quantities: read(author.edit, id, quantity_sets::SLAB),
    })
}
