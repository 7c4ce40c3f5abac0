//! The parts that classes play on a drawing: their layer, the weight of their cut, and their place in the order.

use super::sheet::Order;
use ifc::Instance;
use paper::Subject;

/// The role of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Role {
    /// Its layer.
    pub subject: Subject,
    /// True if what is cut of it carries or divides: hatched, with a heavy outline.
    pub is_heavy: bool,
    /// Its place in the order, where it is not cut.
    pub order: Order,
}

/// Roles by class, the first that an element is of.
const ROLES: [(&str, Subject, bool, Order); 34] = [
    ("IfcCurtainWall", Subject::CurtainWall, false, Order::Seen),
    ("IfcWall", Subject::Wall, true, Order::Seen),
    ("IfcDoor", Subject::Door, false, Order::Filling),
    ("IfcWindow", Subject::Window, false, Order::Filling),
    ("IfcPlate", Subject::CurtainWall, false, Order::Seen),
    ("IfcRoof", Subject::Roof, true, Order::Below),
    ("IfcSlab", Subject::Slab, true, Order::Below),
    ("IfcCovering", Subject::Ceiling, false, Order::Below),
    ("IfcColumn", Subject::Column, true, Order::Seen),
    ("IfcBeam", Subject::Beam, true, Order::Seen),
    ("IfcMember", Subject::Beam, true, Order::Seen),
    ("IfcFooting", Subject::Foundation, true, Order::Below),
    ("IfcPile", Subject::Foundation, true, Order::Below),
    ("IfcStair", Subject::Stair, true, Order::Stair),
    ("IfcStairFlight", Subject::Stair, true, Order::Stair),
    ("IfcRamp", Subject::Ramp, true, Order::Stair),
    ("IfcRampFlight", Subject::Ramp, true, Order::Stair),
    ("IfcRailing", Subject::Railing, false, Order::Furniture),
    ("IfcSanitaryTerminal", Subject::Sanitary, false, Order::Furniture),
    ("IfcFurnishingElement", Subject::Furniture, false, Order::Furniture),
    ("IfcFlowTerminal", Subject::Sanitary, false, Order::Furniture),
    ("IfcElectricAppliance", Subject::Electrical, false, Order::Furniture),
    ("IfcLightFixture", Subject::Electrical, false, Order::Furniture),
    ("IfcDistributionElement", Subject::Mechanical, false, Order::Furniture),
    ("IfcTransportElement", Subject::Other, false, Order::Furniture),
    ("IfcSite", Subject::Site, true, Order::Below),
    ("IfcGeographicElement", Subject::Site, true, Order::Below),
    ("IfcBuildingElementProxy", Subject::Other, true, Order::Seen),
    ("IfcShadingDevice", Subject::Other, false, Order::Seen),
    ("IfcChimney", Subject::Wall, true, Order::Seen),
    ("IfcReinforcingElement", Subject::Other, false, Order::Seen),
    ("IfcDiscreteAccessory", Subject::Other, false, Order::Seen),
    ("IfcElementAssembly", Subject::Other, false, Order::Seen),
    ("IfcCivilElement", Subject::Other, true, Order::Below),
];

impl Role {
    /// The role of an element by its class; what no row names is drawn lightly.
    pub fn new(instance: &Instance<'_>) -> Role {
        let row = ROLES.iter().find(|(class, ..)| instance.is_a(class));
        let (subject, is_heavy, order) = row
            .map_or((Subject::Other, false, Order::Seen), |(_, subject, heavy, order)| {
                (*subject, *heavy, *order)
            });
        Role { subject, is_heavy, order }
    }
}
