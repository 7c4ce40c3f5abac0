//! Roofs: an IfcRoof made of slabs, one for each plane, over an outline and out over it by an overhang. Flat, shed, gable,
//! hip and mansard roofs over any simple polygon.
//!
//! The underside of the planes meets the outline at the height that the roof rests on, so that walls whose outer faces lie
//! on it end there; walls below reach up to the planes ([`walls`]). What a roof was made from is kept with it, so that it
//! can be made anew when one of its parameters changes ([`design`]).

mod design;
mod form;
mod planes;
pub mod walls;

pub use design::{PARAMETERS, change, follow, image, is_kept, keep_image, outline_of};
pub use form::{Form, RoofShape, Wish};
pub use walls::ReachedWall;

use crate::author::{Author, boolean, word};
use crate::frame::Frame;
use crate::leaning::{self, Leaning};
use crate::lookup::{free_name, guid, label};
use crate::measures::{mm, name, not_negative, positive, square_metres};
use crate::polygon::{area, inset};
use crate::quantities::{Quantities, Quantity, is_ours, read};
use crate::quantity_sets;
use crate::slab::{self, NewSlab, SlabKind};
use crate::solids;
use crate::storey::{above_storey, level_of};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};
use planes::{Plan, Planes};
use schemars::JsonSchema;
use serde::Serialize;

/// A roof asked for, in mm.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRoof {
    /// The storey whose level it rests on.
    pub storey: Id,
    /// The outline of what it covers.
    pub outline: Vec<DVec2>,
    /// Height of its underside above the storey, in mm.
    pub base: f64,
    /// The overhang of its edge over the outline, in mm.
    pub overhang: f64,
    /// Thickness of its slabs in mm.
    pub thickness: f64,
    /// Name.
    pub name: Option<String>,
    /// Shape, pitch and what else its form hangs on.
    pub wish: Wish,
    /// True if walls below are drawn up to it; without it those below a roof with a pitch are.
    pub walls_reach: Option<bool>,
}

/// A slab of a roof.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RoofSlab {
    /// GlobalId.
    pub slab_id: String,
    /// Name; it ends with the number of the side that the slab rises from.
    pub name: String,
    /// Angle to the level in degrees.
    pub pitch: f64,
    /// Gross area along the slab in m².
    pub area: f64,
}

/// A roof as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RoofAnswer {
    /// GlobalId of the roof.
    pub roof_id: String,
    /// GlobalId of its slab, which holds the geometry; the first of several.
    pub slab_id: String,
    /// Name.
    pub name: String,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Gross area in m², along the planes.
    pub area: f64,
    /// Thickness of its slabs in mm.
    pub thickness: f64,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
    /// The slabs of a roof with a pitch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slabs: Vec<RoofSlab>,
    /// Its lowest point in mm above the storey, where it has a pitch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lowest: Option<f64>,
    /// Its highest point in mm above the storey, where it has a pitch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub highest: Option<f64>,
    /// The walls that reach up to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub walls: Vec<ReachedWall>,
}

/// Makes a roof; answers it.
pub fn create(author: &mut Author, new: &NewRoof) -> Result<Id, Fault> {
    positive("thickness", new.thickness)?;
    not_negative("overhang", new.overhang)?;
    let form = new.wish.form(author, new.outline.len())?;
    let (plan, planes) = if form.shape == RoofShape::Flat {
        (None, None)
    } else {
        let plan = Plan::new(&new.outline)?;
        let planes = planes::planes(&plan, &form, new.overhang, new.thickness)?;
        (Some(plan), Some(planes))
    };
    let within = author.placement_of(new.storey);
    let placement = author.placement(within, &Frame::at([0.0, 0.0, new.base]))?;
    let text = match &new.name {
        Some(text) => name("name", text)?,
        None => free_name(author.edit, "IfcRoof", "Roof"),
    };
    let shape = if author.legacy() { "ShapeType" } else { "PredefinedType" };
    let roof = author.root(
        "IfcRoof",
        Some(&text),
        &[("ObjectPlacement", placement.into()), (shape, word(form.shape.predefined()))],
    )?;
    author.contain(new.storey, roof)?;
    if let (Some(plan), Some(planes)) = (&plan, &planes) {
        tell(author, &form, planes, new);
        cover(author, roof, planes, new)?;
        author.describe(roof, "Pset_RoofCommon", &[("IsExternal", boolean(true))])?;
        design::keep(author, roof, new, &form)?;
        quantify(author, roof)?;
        if new.walls_reach != Some(false) {
            walls::reach(author, roof, plan, &form, new)?;
        }
    } else {
        plate(author, roof, new, &text)?;
        author.describe(roof, "Pset_RoofCommon", &[("IsExternal", boolean(true))])?;
        quantify(author, roof)?;
        if new.walls_reach == Some(true) {
            let plan = Plan::new(&new.outline)?;
            walls::reach(author, roof, &plan, &form, new)?;
        }
    }
    Ok(roof)
}

/// Tells what the caller left to choose.
fn tell(author: &mut Author, form: &Form, planes: &Planes, new: &NewRoof) {
    match form.shape {
        RoofShape::Gable if form.eaves.is_empty() => {
            if planes.gables.is_empty() {
                author.assume("no side can carry a gable here: hips all round");
            } else {
                author.assume(format!("gables on the sides {:?}", planes.gables));
            }
        }
        RoofShape::Shed if form.eaves.is_empty() => {
            if let Some(plane) = planes.all.first() {
                author.assume(format!("rises from side {}", plane.side));
            }
        }
        RoofShape::Mansard if new.wish.break_height.is_none() => {
            author.assume(format!("break_height {} mm", mm(planes.break_height.unwrap_or_default())));
        }
        _ => {}
    }
}

/// The one slab of a flat roof.
fn plate(author: &mut Author, roof: Id, new: &NewRoof, text: &str) -> Result<(), Fault> {
    let outline = if new.overhang > 0.0 {
        let out = vec![-new.overhang; new.outline.len()];
        inset(&new.outline, &out).ok_or_else(|| {
            Fault::constraint(format!(
                "An overhang of {} mm makes the roof's edge cross itself; make it smaller.",
                mm(new.overhang)
            ))
            .with("field", "overhang")
        })?
    } else {
        new.outline.clone()
    };
    let frame = author.frame(roof)?;
    let plate = NewSlab {
        storey: new.storey,
        outline,
        top: new.thickness,
        thickness: new.thickness,
        kind: SlabKind::Roof,
        name: Some(format!("{text} slab")),
        material: None,
    };
    let within = author.placement_of(roof);
    let plate = slab::write(author, &plate, within, &frame)?;
    author.aggregate(roof, plate)
}

/// Writes the slabs of a roof's planes.
fn cover(author: &mut Author, roof: Id, planes: &Planes, new: &NewRoof) -> Result<(), Fault> {
    let frame = author.frame(roof)?;
    let within = author.placement_of(roof);
    let text = label(author.edit, roof);
    let mut names: Vec<String> = Vec::new();
    for plane in &planes.all {
        let zero = DVec3::Z * frame.translation.z;
        let lift = |points: &[DVec3]| points.iter().map(|p| *p + zero).collect();
        let upper = if plane.upper { "upper " } else { "" };
        let mut title = format!("{text} {upper}slab {}", plane.side);
        let same = names.iter().filter(|n| **n == title).count();
        names.push(title.clone());
        if same > 0 {
            title = format!("{title} ({})", same + 1);
        }
        let leaning = Leaning {
            low: lift(&plane.low),
            high: lift(&plane.high),
            along: plane.along,
            thickness: new.thickness,
            kind: SlabKind::Roof,
            name: Some(title),
            material: None,
        };
        let slab = leaning::write(author, &leaning, within, &frame)?;
        author.aggregate(roof, slab)?;
    }
    Ok(())
}

/// The slabs of a roof.
pub(crate) fn slabs(author: &Author, roof: Id) -> Vec<Id> {
    relations::children(author.edit, roof)
        .into_iter()
        .filter(|id| author.edit.get(*id).is_some_and(|s| s.is_a("IfcSlab")))
        .collect()
}

/// Writes a roof's quantities from those of its slabs.
pub fn quantify(author: &mut Author, roof: Id) -> Result<(), Fault> {
    let (mut gross, mut net, mut projected) = (0.0, 0.0, 0.0);
    let per_m2 = author.units().area_m2 * 1e6;
    for plate in relations::children(author.edit, roof) {
        let frame = author.frame(plate)?;
        let (own, own_net) = if is_ours(author.edit, plate, quantity_sets::SLAB) {
            let stored = read(author.edit, plate, quantity_sets::SLAB);
            let of_name = |name: &str| stored.get(name).map_or(0.0, |q| q.value * per_m2);
            (of_name("GrossArea"), of_name("NetArea"))
        } else {
            let Ok(plate) = crate::host::Slab::read(author, plate) else { continue };
            let cut = crate::opening::shape::cut_area(author, plate.id, &plate.frame);
            (area(&plate.outline), area(&plate.outline) - cut)
        };
        gross += own;
        net += own_net;
        projected += own * frame.z_axis.z.abs();
    }
    author.quantify(
        roof,
        quantity_sets::ROOF,
        &[
            ("GrossArea", Quantity::Area(gross)),
            ("NetArea", Quantity::Area(net)),
            ("ProjectedArea", Quantity::Area(projected)),
        ],
    )
}

/// Writes the quantities of the roof that a slab belongs to anew, where they are ours.
pub fn requantify_around(author: &mut Author, slab: Id) -> Result<(), Fault> {
    match relations::aggregate_parent(author.edit, slab) {
        Some(whole) if is_ours(author.edit, whole, quantity_sets::ROOF) => quantify(author, whole),
        _ => Ok(()),
    }
}

/// A roof as it stands.
pub fn answer(author: &Author, roof: Id) -> Result<RoofAnswer, Fault> {
    let plates = slabs(author, roof);
    let plate = plates
        .first()
        .copied()
        .ok_or_else(|| Fault::constraint(format!("The roof {} has no slab.", label(author.edit, roof))))?;
    let per_m2 = author.units().area_m2;
    let stored = |plate: Id, name: &str| {
        read(author.edit, plate, quantity_sets::SLAB).get(name).map_or(0.0, |q| q.value)
    };
    let pitch = |plate: Id| {
        author.frame(plate).map_or(0.0, |frame| frame.z_axis.z.clamp(-1.0, 1.0).acos().to_degrees())
    };
    let slabs: Vec<RoofSlab> = plates
        .iter()
        .map(|plate| RoofSlab {
            slab_id: guid(author.edit, *plate),
            name: label(author.edit, *plate),
            pitch: mm(pitch(*plate)),
            area: square_metres(stored(*plate, "GrossArea") * per_m2 * 1e6),
        })
        .collect();
    let leans = slabs.iter().any(|s| s.pitch > 1e-6);
    let heights: Vec<f64> = if leans {
        plates
            .iter()
            .filter_map(|plate| Some((author.frame(*plate).ok()?, *plate)))
            .flat_map(|(frame, plate)| {
                solids::corners_of(author.edit, plate, author.units().length_mm)
                    .into_iter()
                    .map(move |p| frame.transform_point3(p))
            })
            .map(|p| above_storey(author, roof, p).z)
            .collect()
    } else {
        Vec::new()
    };
    Ok(RoofAnswer {
        roof_id: guid(author.edit, roof),
        slab_id: guid(author.edit, plate),
        name: label(author.edit, roof),
        level: level_of(author, roof).map(|(storey, _)| label(author.edit, storey)),
        area: square_metres(slabs.iter().map(|s| s.area * 1e6).sum()),
        thickness: mm(author.units().to_mm(stored(plate, "Width"))),
        quantities: read(author.edit, roof, quantity_sets::ROOF),
        slabs: if leans { slabs } else { Vec::new() },
        lowest: heights.iter().copied().reduce(f64::min),
        highest: heights.iter().copied().reduce(f64::max),
        walls: walls::reached(author, roof),
    })
}
