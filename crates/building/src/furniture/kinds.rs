//! The kinds of furniture and sanitary objects: what they are in IFC, how large they are by default, and how small they can be.

use crate::lookup::near;
use contract::Fault;
use glam::DVec3;

/// The class of a piece in IFC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `IfcFurniture`; in IFC2X3 `IfcFurnishingElement`.
    Furniture,
    /// `IfcSanitaryTerminal`; in IFC2X3 `IfcFlowTerminal`.
    Sanitary,
    /// `IfcTransportElement`.
    Transport,
}

impl Family {
    /// The class of elements, and that of their types.
    pub fn classes(self, legacy: bool) -> (&'static str, &'static str) {
        match (self, legacy) {
            (Self::Furniture, false) => ("IfcFurniture", "IfcFurnitureType"),
            (Self::Furniture, true) => ("IfcFurnishingElement", "IfcFurnitureType"),
            (Self::Sanitary, false) => ("IfcSanitaryTerminal", "IfcSanitaryTerminalType"),
            (Self::Sanitary, true) => ("IfcFlowTerminal", "IfcSanitaryTerminalType"),
            (Self::Transport, _) => ("IfcTransportElement", "IfcTransportElementType"),
        }
    }
}

/// A kind of furniture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// For one.
    Bed,
    /// For two.
    DoubleBed,
    /// On four legs.
    Table,
    /// On one leg.
    RoundTable,
    /// Low.
    CoffeeTable,
    /// With a back.
    Chair,
    /// With drawers.
    Desk,
    /// For several.
    Sofa,
    /// For one.
    Armchair,
    /// With doors.
    Wardrobe,
    /// Open.
    Shelf,
    /// Cupboards, worktop, sink and hob in a row.
    KitchenRun,
    /// With cistern.
    Wc,
    /// On a pedestal.
    Basin,
    /// Tray with glass.
    Shower,
    /// Built in.
    Bath,
    /// Car of a lift.
    LiftCar,
}

/// The facts known of a kind.
struct About {
    kind: Kind,
    word: &'static str,
    title: &'static str,
    family: Family,
    /// Item of PredefinedType; empty where the enumeration has none for it.
    item: &'static str,
    /// Width, depth, height in mm.
    size: [f64; 3],
    least: [f64; 3],
}

const fn about(
    kind: Kind,
    word: &'static str,
    title: &'static str,
    family: Family,
    item: &'static str,
    size: [f64; 3],
    least: [f64; 3],
) -> About {
    About { kind, word, title, family, item, size, least }
}

use Family::{Furniture, Sanitary, Transport};

const ALL: [About; 17] = [
    about(Kind::Bed, "bed", "Bed", Furniture, "BED", [900.0, 2000.0, 900.0], [600.0, 1200.0, 500.0]),
    about(
        Kind::DoubleBed,
        "double_bed",
        "Double bed",
        Furniture,
        "BED",
        [1600.0, 2000.0, 900.0],
        [1200.0, 1700.0, 500.0],
    ),
    about(Kind::Table, "table", "Table", Furniture, "TABLE", [1600.0, 900.0, 740.0], [400.0, 400.0, 300.0]),
    about(
        Kind::RoundTable,
        "round_table",
        "Round table",
        Furniture,
        "TABLE",
        [1200.0, 1200.0, 740.0],
        [400.0, 400.0, 300.0],
    ),
    about(
        Kind::CoffeeTable,
        "coffee_table",
        "Coffee table",
        Furniture,
        "TABLE",
        [1100.0, 600.0, 420.0],
        [300.0, 300.0, 200.0],
    ),
    about(Kind::Chair, "chair", "Chair", Furniture, "CHAIR", [450.0, 520.0, 850.0], [300.0, 300.0, 500.0]),
    about(Kind::Desk, "desk", "Desk", Furniture, "DESK", [1600.0, 800.0, 740.0], [700.0, 400.0, 500.0]),
    about(Kind::Sofa, "sofa", "Sofa", Furniture, "SOFA", [2000.0, 900.0, 800.0], [1200.0, 600.0, 500.0]),
    about(
        Kind::Armchair,
        "armchair",
        "Armchair",
        Furniture,
        "CHAIR",
        [850.0, 850.0, 800.0],
        [600.0, 600.0, 500.0],
    ),
    about(
        Kind::Wardrobe,
        "wardrobe",
        "Wardrobe",
        Furniture,
        "",
        [1800.0, 600.0, 2100.0],
        [400.0, 300.0, 800.0],
    ),
    about(Kind::Shelf, "shelf", "Shelf", Furniture, "SHELF", [900.0, 350.0, 1900.0], [300.0, 150.0, 300.0]),
    about(
        Kind::KitchenRun,
        "kitchen_run",
        "Kitchen run",
        Furniture,
        "",
        [2400.0, 600.0, 2150.0],
        [1200.0, 500.0, 850.0],
    ),
    about(Kind::Wc, "wc", "WC", Sanitary, "TOILETPAN", [370.0, 650.0, 800.0], [300.0, 450.0, 600.0]),
    about(
        Kind::Basin,
        "basin",
        "Basin",
        Sanitary,
        "WASHHANDBASIN",
        [600.0, 460.0, 850.0],
        [300.0, 250.0, 600.0],
    ),
    about(
        Kind::Shower,
        "shower",
        "Shower",
        Sanitary,
        "SHOWER",
        [900.0, 900.0, 2000.0],
        [700.0, 700.0, 1800.0],
    ),
    about(Kind::Bath, "bath", "Bath", Sanitary, "BATH", [1700.0, 750.0, 580.0], [1000.0, 550.0, 400.0]),
    about(
        Kind::LiftCar,
        "lift_car",
        "Lift car",
        Transport,
        "ELEVATOR",
        [1100.0, 1400.0, 2200.0],
        [800.0, 800.0, 2000.0],
    ),
];

/// Other words for kinds.
const ALSO: [(&str, Kind); 18] = [
    ("single_bed", Kind::Bed),
    ("dining_table", Kind::Table),
    ("couch", Kind::Sofa),
    ("closet", Kind::Wardrobe),
    ("cupboard", Kind::Wardrobe),
    ("bookcase", Kind::Shelf),
    ("bookshelf", Kind::Shelf),
    ("kitchen", Kind::KitchenRun),
    ("toilet", Kind::Wc),
    ("water_closet", Kind::Wc),
    ("sink", Kind::Basin),
    ("washbasin", Kind::Basin),
    ("wash_basin", Kind::Basin),
    ("bathtub", Kind::Bath),
    ("tub", Kind::Bath),
    ("lift", Kind::LiftCar),
    ("elevator", Kind::LiftCar),
    ("elevator_car", Kind::LiftCar),
];

impl Kind {
    /// Reads a kind as an agent names it.
    pub fn read(text: &str) -> Result<Self, Fault> {
        let word = text.trim().to_lowercase().replace([' ', '-'], "_");
        let known = ALL.iter().map(|about| (about.word, about.kind)).chain(ALSO);
        if let Some((_, kind)) = known.clone().find(|(known, _)| *known == word) {
            return Ok(kind);
        }
        let near = near(&word, known.map(|(known, _)| known));
        let hint = near.first().map_or_else(
            || "Anything else is made by create_element.".to_owned(),
            |first| format!("Did you mean {first}?"),
        );
        Err(Fault::invalid("kind", format!("There is no furniture of the kind {text}. {hint}"))
            .with("near_matches", near)
            .with("allowed", Self::words()))
    }

    /// The kind whose title a text begins with, and the rest of the text.
    pub fn titled(text: &str) -> Option<(Self, &str)> {
        ALL.iter().find_map(|about| Some((about.kind, text.strip_prefix(about.title)?.strip_prefix(' ')?)))
    }

    /// The words for all kinds.
    pub fn words() -> Vec<&'static str> {
        ALL.iter().map(|about| about.word).collect()
    }

    fn about(self) -> &'static About {
        const FIRST: &About = &ALL[0];
        ALL.iter().find(|about| about.kind == self).unwrap_or(FIRST)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        self.about().word
    }

    /// The words that its elements are named by.
    pub fn title(self) -> &'static str {
        self.about().title
    }

    /// Its class in IFC.
    pub fn family(self) -> Family {
        self.about().family
    }

    /// The item of PredefinedType, where there is one for it.
    pub fn item(self) -> Option<&'static str> {
        Some(self.about().item).filter(|item| !item.is_empty())
    }

    /// Width, depth and height where none are given.
    pub fn size(self) -> DVec3 {
        DVec3::from(self.about().size)
    }

    /// The least width, depth and height.
    pub fn least(self) -> DVec3 {
        DVec3::from(self.about().least)
    }

    /// Returns true if one sits on it at a table.
    pub fn is_chair(self) -> bool {
        self == Self::Chair
    }

    /// Returns true if chairs stand under it.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Table | Self::RoundTable | Self::Desk)
    }
}
