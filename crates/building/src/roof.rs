//! Flat roofs: an IfcRoof made of a slab that rests on its storey's level, its edge out over the walls by the overhang.

use crate::author::{Author, boolean, word};
use crate::frame::Frame;
use crate::lookup::{free_name, guid, label};
use crate::measures::{mm, name, not_negative, positive, square_metres};
use crate::polygon::{area, inset};
use crate::quantities::{Quantities, Quantity, read};
use crate::quantity_sets;
use crate::slab::{self, NewSlab, SlabKind};
use crate::storey::level_of;
use contract::Fault;
use glam::DVec2;
use ifc::{Id, relations};
use schemars::JsonSchema;
use serde::Serialize;

/// A flat roof asked for, in mm.
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
    /// Thickness of its slab in mm.
    pub thickness: f64,
    /// Name.
    pub name: Option<String>,
}

/// A roof as it stands in the model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RoofAnswer {
    /// GlobalId of the roof.
    pub roof_id: String,
    /// GlobalId of its slab, which holds the geometry.
    pub slab_id: String,
    /// Name.
    pub name: String,
    /// Name of its storey.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// Gross area in m².
    pub area: f64,
    /// Thickness of its slab in mm.
    pub thickness: f64,
    /// Base quantities as stored, in the file's units.
    pub quantities: Quantities,
}

/// Makes a flat roof; answers the roof.
pub fn create(author: &mut Author, new: &NewRoof) -> Result<Id, Fault> {
    positive("thickness", new.thickness)?;
    not_negative("overhang", new.overhang)?;
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
        &[("ObjectPlacement", placement.into()), (shape, word("FLAT_ROOF"))],
    )?;
    author.contain(new.storey, roof)?;
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
    let plate = slab::write(author, &plate, Some(placement), &frame)?;
    author.aggregate(roof, plate)?;
    author.describe(roof, "Pset_RoofCommon", &[("IsExternal", boolean(true))])?;
    quantify(author, roof)?;
    Ok(roof)
}

/// Writes a roof's quantities from those of its slabs.
pub fn quantify(author: &mut Author, roof: Id) -> Result<(), Fault> {
    let (mut gross, mut net) = (0.0, 0.0);
    for plate in relations::children(author.edit, roof) {
        let Ok(plate) = crate::host::Slab::read(author, plate) else { continue };
        let cut: f64 = crate::host::openings(author, plate.id, &plate.frame)
            .iter()
            .map(|(_, e)| e.size(0) * e.size(1))
            .sum();
        gross += area(&plate.outline);
        net += area(&plate.outline) - cut;
    }
    author.quantify(
        roof,
        quantity_sets::ROOF,
        &[
            ("GrossArea", Quantity::Area(gross)),
            ("NetArea", Quantity::Area(net)),
            ("ProjectedArea", Quantity::Area(gross)),
        ],
    )
}

/// A roof as it stands.
pub fn answer(author: &Author, roof: Id) -> Result<RoofAnswer, Fault> {
    let plate = relations::children(author.edit, roof)
        .into_iter()
        .next()
        .ok_or_else(|| Fault::constraint(format!("The roof {} has no slab.", label(author.edit, roof))))?;
    let slab = crate::host::Slab::read(author, plate)?;
    Ok(RoofAnswer {
        roof_id: guid(author.edit, roof),
        slab_id: guid(author.edit, plate),
        name: label(author.edit, roof),
        level: level_of(author, roof).map(|(storey, _)| label(author.edit, storey)),
        area: square_metres(area(&slab.outline)),
        thickness: mm(slab.thickness),
        quantities: read(author.edit, roof, quantity_sets::ROOF),
    })
}
