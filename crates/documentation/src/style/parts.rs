//! The parts of a style, each as its table in TOML has it.

use paper::{Colour, Fonts};
use serde::Deserialize;

/// A length or factor above zero and at most a million.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Positive(pub f64);

impl TryFrom<f64> for Positive {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        if value > 0.0 && value <= 1e6 {
            Ok(Self(value))
        } else {
            Err(format!("{value} is not more than 0 and at most 1000000"))
        }
    }
}

/// A colour as `#rrggbb`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Hex(pub Colour);

impl TryFrom<String> for Hex {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii());
        let number = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
        let number = number.ok_or_else(|| format!("`{text}` is no colour such as #d9dce0"))?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Self([red, green, blue, 255]))
    }
}

macro_rules! lengths {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: Positive,)*
        }
    };
}

lengths! {
    /// The widths of lines in mm.
    Weights {
        /// The outline of what carries or divides, where it is cut.
        cut_heavy,
        /// Lines between layers; frames and leaves that are cut.
        cut_light,
        /// Lines beyond the cut.
        seen,
        /// Lines farthest beyond the cut of a section or elevation.
        seen_far,
        /// Lines above the cut of a plan.
        hidden,
        /// Swings, arrows, break lines.
        symbol,
        /// The lines of hatches.
        hatch,
        /// Dimension lines and their extension lines.
        dimension,
        /// The strokes across dimension lines.
        tick,
        /// The lines of grids.
        grid,
        /// Furniture and sanitary objects.
        furniture,
        /// The line of the ground.
        ground,
    }
}

lengths! {
    /// The heights of capitals in mm.
    Letters {
        /// The title.
        title,
        /// The words beside the scale bar.
        scale,
        /// The name of a room.
        room,
        /// The number and area of a room.
        room_note,
        /// The marks of doors and windows.
        tag,
        /// The figures of dimensions.
        dimension,
        /// The heights of levels.
        level,
        /// The names of grid lines.
        grid,
        /// The words beside stairs.
        stair,
    }
}

/// The files of fonts, TrueType or OpenType: paths or keys, which whoever reads the style finds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FontFiles {
    /// The usual font; without one, those that come with the program.
    pub regular: Option<String>,
    /// The font of names and titles; without one, the usual one.
    pub bold: Option<String>,
    /// The fonts as they were read.
    #[serde(skip)]
    pub read: Fonts,
}

/// Dashes and gaps of lines in turn, in mm.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dashes {
    /// Lines above the cut.
    pub hidden: Vec<Positive>,
    /// The lines of grids.
    pub grid: Vec<Positive>,
    /// Level lines.
    pub level: Vec<Positive>,
}

/// The units of dimensions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Millimetres.
    Mm,
    /// Centimetres.
    Cm,
    /// Metres.
    #[default]
    M,
}

/// The form of dimensions; lengths in mm of paper but for `least` and `step`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dimensions {
    /// The unit of the figures.
    pub unit: Unit,
    /// True where half a centimetre is a small raised 5 (with metres and centimetres).
    pub superscript: bool,
    /// From the building to the first row.
    pub first_row: Positive,
    /// From row to row.
    pub row: Positive,
    /// The length of the strokes at 45 degrees.
    pub tick: Positive,
    /// The length of lines beyond their last tick.
    pub overrun: Positive,
    /// Between the building and the beginning of extension lines.
    pub gap: Positive,
    /// Between the line and the feet of its figures.
    pub text_gap: Positive,
    /// Less than this, in mm of the world, is not dimensioned.
    pub least: Positive,
    /// Steps of a facade that are smaller than this, in mm of the world, are not dimensioned.
    pub step: Positive,
}

/// The look of what carries or divides where it is cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CutStyle {
    /// Every layer with its hatch.
    #[default]
    Layers,
    /// One area with the hatch of the layer that bears.
    Bearing,
    /// Black.
    Solid,
}

/// The look of furniture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FurnitureStyle {
    /// All lines.
    #[default]
    Lines,
    /// The outline alone.
    Outline,
    /// Nothing.
    None,
}

/// The things drawn up to a scale.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScaleStyle {
    /// The greatest number of the scale, such as 75 for 1:75.
    pub up_to: Positive,
    /// The look of what is cut.
    pub cut: CutStyle,
    /// The factor of all widths.
    pub weight: Positive,
    /// True where frames of windows and doors are drawn as they are cut.
    pub frames: bool,
    /// The look of furniture.
    pub furniture: FurnitureStyle,
    /// True with what lies behind glass, in sections and elevations.
    pub see_through_glass: bool,
    /// True with chains of the openings of facades.
    pub opening_dimensions: bool,
    /// True with chains of dimensions through rooms.
    pub inner_dimensions: bool,
    /// True with the marks of doors and windows.
    pub opening_tags: bool,
    /// True with the numbers of risers beside stairs.
    pub stair_numbers: bool,
}

/// The hatch of materials.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MaterialStyle {
    /// The name of the hatch.
    pub hatch: String,
    /// Words that are in the names of such materials.
    pub words: Vec<String>,
}

/// A pattern.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HatchStyle {
    /// The colour behind the lines; white where none is named.
    pub ground: Option<Hex>,
    /// Its families of lines.
    pub lines: Vec<LineStyle>,
}

/// A family of parallel lines.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LineStyle {
    /// Degrees counter-clockwise.
    pub angle: f64,
    /// From line to line in mm.
    pub spacing: Positive,
    /// Along the line from one to the next in mm.
    pub shift: f64,
    /// A point of the first line.
    pub start: [f64; 2],
    /// Dashes (above zero) and gaps (below zero) in turn; zero is a dot.
    pub dashes: Vec<f64>,
}

/// The words of a language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Words {
    /// The sign between units and tenths.
    pub decimal: String,
    /// The letter before the area of a room.
    pub area: String,
    /// Before the clear height of a room.
    pub clear_height: String,
    /// Beside a flight that one goes up.
    pub up: String,
    /// Beside a flight that one goes down.
    pub down: String,
    /// Behind a number of risers.
    pub risers: String,
    /// The title of a section.
    pub section: String,
    /// The title of an elevation.
    pub elevation: String,
    /// The title of a plan.
    pub plan: String,
    /// The title of a reflected ceiling plan.
    pub ceiling_plan: String,
    /// The title of an axonometry.
    pub axonometry: String,
    /// Before the wind that a section looks to.
    pub looking: String,
    /// The letter of north.
    pub north: String,
    /// The eight winds from east on, counter-clockwise.
    pub winds: [String; 8],
}
