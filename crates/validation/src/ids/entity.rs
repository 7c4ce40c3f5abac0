//! Instances by class and predefined type.
//!
//! Classes match exactly. In IFC2X3 many a class hangs on the type: an `IfcFlowTerminal` of an `IfcAirTerminalType` is an
//! `IFCAIRTERMINAL` too (IDS documentation, occurrence and type mapping of IFC2X3).

use super::constraint::Constraint;
use super::context::Context;
use super::document::EntityFacet;
use ifc::{Id, SchemaVersion};

/// Names that hang on the type in IFC2X3, by the class of the occurrences; the class of the types ends with `Type`.
const MAPPED: [(&str, &[&str]); 11] = [
    ("IfcFurnishingElement", &["IfcFurniture", "IfcSystemFurnitureElement"]),
    (
        "IfcDistributionControlElement",
        &["IfcActuator", "IfcAlarm", "IfcController", "IfcFlowInstrument", "IfcSensor"],
    ),
    (
        "IfcEnergyConversionDevice",
        &[
            "IfcAirToAirHeatRecovery",
            "IfcBoiler",
            "IfcChiller",
            "IfcCoil",
            "IfcCondenser",
            "IfcCooledBeam",
            "IfcCoolingTower",
            "IfcElectricGenerator",
            "IfcElectricMotor",
            "IfcEvaporativeCooler",
            "IfcEvaporator",
            "IfcHeatExchanger",
            "IfcHumidifier",
            "IfcMotorConnection",
            "IfcSpaceHeater",
            "IfcTransformer",
            "IfcTubeBundle",
            "IfcUnitaryEquipment",
        ],
    ),
    (
        "IfcFlowController",
        &[
            "IfcAirTerminalBox",
            "IfcDamper",
            "IfcElectricTimeControl",
            "IfcFlowMeter",
            "IfcProtectiveDevice",
            "IfcSwitchingDevice",
            "IfcValve",
        ],
    ),
    ("IfcFlowFitting", &["IfcCableCarrierFitting", "IfcDuctFitting", "IfcJunctionBox", "IfcPipeFitting"]),
    ("IfcFlowMovingDevice", &["IfcCompressor", "IfcFan", "IfcPump"]),
    ("IfcFlowSegment", &["IfcCableCarrierSegment", "IfcCableSegment", "IfcDuctSegment", "IfcPipeSegment"]),
    ("IfcFlowStorageDevice", &["IfcElectricFlowStorageDevice", "IfcTank"]),
    (
        "IfcFlowTerminal",
        &[
            "IfcAirTerminal",
            "IfcElectricAppliance",
            "IfcFireSuppressionTerminal",
            "IfcLamp",
            "IfcLightFixture",
            "IfcOutlet",
            "IfcSanitaryTerminal",
            "IfcStackTerminal",
            "IfcWasteTerminal",
        ],
    ),
    ("IfcFlowTreatmentDevice", &["IfcDuctSilencer", "IfcFilter"]),
    ("IfcEquipmentElement", &["IfcVibrationIsolator"]),
];

/// The names that hang on the type in a schema.
pub(super) fn mapped_names(version: SchemaVersion) -> impl Iterator<Item = &'static str> {
    let of_old = version == SchemaVersion::Ifc2x3;
    MAPPED.iter().filter(move |_| of_old).flat_map(|(_, names)| names.iter().copied())
}

/// The classes of occurrences and types behind a name that hangs on the type, in any letter case.
pub(super) fn mapping(version: SchemaVersion, name: &str) -> Option<(&'static str, &'static str)> {
    if version != SchemaVersion::Ifc2x3 {
        return None;
    }
    MAPPED.iter().find_map(|(occurrence, names)| {
        let found = names.iter().find(|known| known.eq_ignore_ascii_case(name))?;
        let of_type = version.schema().entity(&format!("{found}Type"))?;
        Some((*occurrence, of_type.name))
    })
}

impl Context<'_> {
    /// The name, in capitals, that an instance has by its type in IFC2X3.
    fn mapped_name(&self, id: Id) -> Option<String> {
        if self.version != SchemaVersion::Ifc2x3 {
            return None;
        }
        let class = self.class(id)?.name;
        let (_, names) = MAPPED.iter().find(|(occurrence, _)| *occurrence == class)?;
        let of_type = self.class(self.type_of(id)?)?.name.strip_suffix("Type")?;
        names.iter().find(|name| **name == of_type).map(|name| name.to_ascii_uppercase())
    }

    /// True if the name of an instance's class is as asked.
    pub fn is_named(&self, id: Id, name: &Constraint) -> bool {
        let Some(class) = self.class(id) else { return false };
        name.accepts_text(&self.upper(class.name))
            || self.mapped_name(id).is_some_and(|mapped| name.accepts_text(&mapped))
    }

    /// The predefined types that an instance goes by: that of its type, else its own; for a user defined one `USERDEFINED` and what it
    /// is called.
    pub fn predefined_types(&self, id: Id) -> Vec<String> {
        let text = |of: Id, name: &str| {
            let value = self.model.get(of)?.attr(name);
            let text = value.as_enum().or_else(|| value.as_text()).map(str::to_owned);
            text.filter(|text| !text.is_empty())
        };
        let said = |of: Id, names: &[&str]| {
            let word = text(of, "PredefinedType");
            let custom = || names.iter().find_map(|name| text(of, name));
            match word.as_deref() {
                Some("USERDEFINED") => {
                    Some(std::iter::once("USERDEFINED".to_owned()).chain(custom()).collect())
                }
                Some("NOTDEFINED") => None,
                Some(word) => Some(vec![word.to_owned()]),
                None => custom().map(|own| vec![own]),
            }
        };
        let types = ["ElementType", "ProcessType", "ResourceType"];
        let is_type = self.model.get(id).is_some_and(|instance| instance.is_a("IfcTypeObject"));
        if is_type {
            return said(id, &types).unwrap_or_default();
        }
        let of_type = self.type_of(id).and_then(|of_type| said(of_type, &types));
        of_type.or_else(|| said(id, &["ObjectType"])).unwrap_or_default()
    }

    /// The reason why an instance does not meet an entity facet; none if it does.
    pub fn entity_failure(&self, id: Id, facet: &EntityFacet) -> Option<String> {
        if let Some(name) = &facet.name
            && !self.is_named(id, name)
        {
            let class = self.class(id).map_or("of an unknown class", |class| class.name);
            return Some(format!("it is {class}, not {}", name.describe()));
        }
        let wanted = facet.predefined_type.as_ref()?;
        let own = self.predefined_types(id);
        if own.iter().any(|word| wanted.accepts_text(word)) {
            return None;
        }
        Some(match own.last() {
            Some(word) => format!("its predefined type is {word}, not {}", wanted.describe()),
            None => format!("it has no predefined type; asked is {}", wanted.describe()),
        })
    }
}
