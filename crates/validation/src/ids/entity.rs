//! Instances by class and predefined type.
//!
//! Classes match exactly. In IFC2X3 many a class hangs on the type: an `IfcFlowTerminal` of an `IfcAirTerminalType` is an
//! `IFCAIRTERMINAL` too (IDS documentation, occurrence and type mapping of IFC2X3).

use super::constraint::Constraint;
use super::context::Context;
use super::document::EntityFacet;
use super::element::Element;
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

/// True if a constraint accepts a name of the schema in capitals.
pub(super) fn accepts_in_capitals(constraint: &Constraint, name: &str) -> bool {
    match constraint {
        Constraint::Simple(text) => {
            text.eq_ignore_ascii_case(name) && !text.bytes().any(|byte| byte.is_ascii_lowercase())
        }
        Constraint::Restriction(_) => constraint.accepts_text(&name.to_ascii_uppercase()),
    }
}

impl Context<'_> {
    /// The name that an instance has by its type in IFC2X3.
    fn mapped_name(&self, element: &Element<'_>) -> Option<&'static str> {
        if self.version != SchemaVersion::Ifc2x3 {
            return None;
        }
        let class = element.class?.name;
        let (_, names) = MAPPED.iter().find(|(occurrence, _)| *occurrence == class)?;
        let of_type = self.class(self.type_of(element)?)?.name.strip_suffix("Type")?;
        names.iter().find(|name| **name == of_type).copied()
    }

    /// True if the name of an instance's class is as asked.
    pub fn is_named(&self, element: &Element<'_>, name: &Constraint) -> bool {
        let Some(class) = element.class else { return false };
        accepts_in_capitals(name, class.name)
            || self.mapped_name(element).is_some_and(|mapped| accepts_in_capitals(name, mapped))
    }

    /// The predefined types that an instance goes by: that of its type, else its own; for a user defined one `USERDEFINED` and what it
    /// is called.
    fn predefined_types<'e>(&self, element: &'e Element<'_>) -> &'e [String] {
        element.predefined.get_or_init(|| self.found_predefined_types(element))
    }

    fn found_predefined_types(&self, element: &Element<'_>) -> Vec<String> {
        let id = element.id;
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
        let is_type = element.instance.is_some_and(|instance| instance.is_a("IfcTypeObject"));
        if is_type {
            return said(id, &types).unwrap_or_default();
        }
        let of_type = self.type_of(element).and_then(|of_type| said(of_type, &types));
        of_type.or_else(|| said(id, &["ObjectType"])).unwrap_or_default()
    }

    /// The reason why an instance does not meet an entity facet; none if it does.
    pub fn entity_failure(&self, element: &Element<'_>, facet: &EntityFacet) -> Option<String> {
        if let Some(name) = &facet.name
            && !self.is_named(element, name)
        {
            let class = element.class.map_or("of an unknown class", |class| class.name);
            return Some(format!("it is {class}, not {}", name.describe()));
        }
        let wanted = facet.predefined_type.as_ref()?;
        let own = self.predefined_types(element);
        if own.iter().any(|word| wanted.accepts_text(word)) {
            return None;
        }
        Some(match own.last() {
            Some(word) => format!("its predefined type is {word}, not {}", wanted.describe()),
            None => format!("it has no predefined type; asked is {}", wanted.describe()),
        })
    }
}
