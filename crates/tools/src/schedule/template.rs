//! The schedules that every project has: which elements, and which columns.

use super::column::Wished;
use building::categories;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A schedule that is usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(crate) enum Template {
    /// Doors: size, operation, fire rating, rooms on both sides.
    Door,
    /// Windows: size, sill, glazing, thermal transmittance.
    Window,
    /// Rooms: number, name, area, height, use.
    Room,
    /// Rooms with the finish of floor, walls and ceiling.
    Finish,
    /// Types of walls with layers, thickness and how much there is of each.
    WallType,
    /// Furniture, sanitary and technical equipment with maker and room.
    Equipment,
}

/// A column of a template: field, heading, unit and total.
type Usual = (&'static str, &'static str, Option<&'static str>, Option<&'static str>);

const DOOR: [Usual; 13] = [
    ("Tag", "Mark", None, None),
    ("Name", "Name", None, None),
    ("type.Name", "Type", None, None),
    ("storey", "Storey", None, None),
    ("rooms", "Between", None, None),
    ("OverallWidth", "Width", Some("mm"), None),
    ("OverallHeight", "Height", Some("mm"), None),
    ("operation", "Operation", None, None),
    ("materials", "Material", None, None),
    ("Pset_DoorCommon.FireRating", "Fire rating", None, None),
    ("Pset_DoorCommon.AcousticRating", "Acoustic rating", None, None),
    ("Pset_DoorCommon.IsExternal", "External", None, None),
    ("Pset_DoorCommon.HandicapAccessible", "Accessible", None, None),
];

const WINDOW: [Usual; 13] = [
    ("Tag", "Mark", None, None),
    ("Name", "Name", None, None),
    ("type.Name", "Type", None, None),
    ("storey", "Storey", None, None),
    ("rooms", "Room", None, None),
    ("OverallWidth", "Width", Some("mm"), None),
    ("OverallHeight", "Height", Some("mm"), None),
    ("sill", "Sill height", Some("mm"), None),
    ("facing", "Facing", None, None),
    ("area", "Area", None, Some("sum")),
    ("operation", "Partitioning", None, None),
    ("Pset_WindowCommon.ThermalTransmittance", "U-value", None, None),
    ("Pset_WindowCommon.FireRating", "Fire rating", None, None),
];

const ROOM: [Usual; 9] = [
    ("Name", "Number", None, None),
    ("LongName", "Name", None, None),
    ("storey", "Storey", None, None),
    ("area", "Area", None, Some("sum")),
    ("computed.GrossPerimeter", "Perimeter", Some("m"), None),
    ("computed.Height", "Height", Some("mm"), None),
    ("volume", "Volume", None, Some("sum")),
    ("Pset_SpaceOccupancyRequirements.OccupancyType", "Use", None, None),
    ("Pset_SpaceCommon.IsExternal", "External", None, None),
];

const FINISH: [Usual; 8] = [
    ("Name", "Number", None, None),
    ("LongName", "Name", None, None),
    ("storey", "Storey", None, None),
    ("floor_finish", "Floor", None, None),
    ("skirting", "Skirting", None, None),
    ("wall_finish", "Walls", None, None),
    ("ceiling_finish", "Ceiling", None, None),
    ("area", "Floor area", None, Some("sum")),
];

const WALL_TYPE: [Usual; 9] = [
    ("type.Name", "Type", None, None),
    ("layers", "Layers", None, None),
    ("thickness", "Thickness", Some("mm"), None),
    ("Pset_WallCommon.FireRating", "Fire rating", None, None),
    ("Pset_WallCommon.IsExternal", "External", None, None),
    ("Pset_WallCommon.LoadBearing", "Load-bearing", None, None),
    ("Pset_WallCommon.ThermalTransmittance", "U-value", None, None),
    ("area", "Area", None, Some("sum")),
    ("volume", "Volume", None, Some("sum")),
];

const EQUIPMENT: [Usual; 9] = [
    ("Tag", "Mark", None, None),
    ("Name", "Name", None, None),
    ("class", "Class", None, None),
    ("type.Name", "Type", None, None),
    ("storey", "Storey", None, None),
    ("rooms", "Room", None, None),
    ("Pset_ManufacturerTypeInformation.Manufacturer", "Manufacturer", None, None),
    ("Pset_ManufacturerTypeInformation.ModelLabel", "Model", None, None),
    ("Pset_ManufacturerOccurrence.SerialNumber", "Serial number", None, None),
];

impl Template {
    /// Its title.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Door => "Door schedule",
            Self::Window => "Window schedule",
            Self::Room => "Room schedule",
            Self::Finish => "Finish schedule",
            Self::WallType => "Wall type schedule",
            Self::Equipment => "Equipment schedule",
        }
    }

    /// The classes of its elements.
    pub(super) fn classes(self) -> &'static [&'static str] {
        match self {
            Self::Door => &["IfcDoor"],
            Self::Window => &["IfcWindow"],
            Self::Room | Self::Finish => &["IfcSpace"],
            Self::WallType => &["IfcWall"],
            Self::Equipment => &["IfcFurnishingElement", "IfcDistributionElement", "IfcTransportElement"],
        }
    }

    /// Returns the field and unit that a heading of the usual schedules stands for, of an element of a class. `Name` is that of the element unless the
    /// headings are those of rooms, where `Number` is.
    pub(super) fn field_of(
        is_a: impl Fn(&str) -> bool,
        heading: &str,
        has_number: bool,
    ) -> Option<(&'static str, Option<&'static str>)> {
        const ALL: [Template; 6] = [
            Template::Door,
            Template::Window,
            Template::Room,
            Template::Finish,
            Template::WallType,
            Template::Equipment,
        ];
        let its = ALL.into_iter().filter(|template| template.classes().iter().any(|class| is_a(class)));
        let (field, _, unit, _) = its
            .flat_map(Template::usual)
            .find(|(field, title, ..)| *title == heading && (has_number || *field != "LongName"))?;
        Some((field, *unit))
    }

    /// The usual schedule of a category, such as doors, or of a class.
    pub(super) fn of_category(category: &str) -> Option<Self> {
        const ALL: [Template; 4] = [Template::Door, Template::Window, Template::Room, Template::WallType];
        let category = category.trim();
        let is_its = |template: &Template| {
            let own = template.classes();
            own.contains(&category) || categories::classes(category).is_some_and(|classes| classes == own)
        };
        ALL.into_iter().find(is_its)
    }

    /// True if each element has a row; of types each type has one.
    pub(super) fn is_itemized(self) -> bool {
        self != Self::WallType
    }

    fn usual(self) -> &'static [Usual] {
        match self {
            Self::Door => &DOOR,
            Self::Window => &WINDOW,
            Self::Room => &ROOM,
            Self::Finish => &FINISH,
            Self::WallType => &WALL_TYPE,
            Self::Equipment => &EQUIPMENT,
        }
    }

    /// Its columns.
    pub(super) fn columns(self) -> Vec<Wished> {
        self.usual().iter().map(|one| Wished::usual(*one)).collect()
    }
}
