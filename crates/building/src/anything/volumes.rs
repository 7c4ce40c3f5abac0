//! Which base quantities an element of some class has that follow from any body. Those of proxies are left out: the template
//! of IFC4 has their areas and volumes as counts.

use ifc::{Id, Model};

/// The sets that have volumes, by class.
const SETS: [(&str, &str); 10] = [
    ("IfcWall", "Qto_WallBaseQuantities"),
    ("IfcSlab", "Qto_SlabBaseQuantities"),
    ("IfcColumn", "Qto_ColumnBaseQuantities"),
    ("IfcBeam", "Qto_BeamBaseQuantities"),
    ("IfcMember", "Qto_MemberBaseQuantities"),
    ("IfcPlate", "Qto_PlateBaseQuantities"),
    ("IfcFooting", "Qto_FootingBaseQuantities"),
    ("IfcPile", "Qto_PileBaseQuantities"),
    ("IfcStairFlight", "Qto_StairFlightBaseQuantities"),
    ("IfcRampFlight", "Qto_RampFlightBaseQuantities"),
];

/// The base quantity set of an element's class that has GrossVolume and NetVolume.
pub(super) fn set_with_volumes(model: &Model, id: Id) -> Option<&'static str> {
    let element = model.get(id)?;
    SETS.iter().find(|(class, _)| element.is_a(class)).map(|(_, set)| *set)
}
