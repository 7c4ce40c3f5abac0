//! Sheets as they are asked for: data, read from JSON or TOML.

use super::size::{Orientation, Size};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A sheet asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetDefinition {
    /// Its number, such as `A-101`.
    pub number: String,
    /// Its name, such as `Ground floor`.
    pub name: String,
    /// The size of the paper: `A4` to `A0`, `ANSI A` to `ANSI E`, `ARCH A` to `ARCH E1`.
    pub size: Size,
    /// The way that it lies; by default A4 and ANSI A upright, all others with the long side at the bottom.
    #[serde(default)]
    pub orientation: Option<Orientation>,
    /// The title block; by default that which is shipped for the size.
    #[serde(default)]
    pub title_block: TitleBlock,
    /// Where views may lie, as left, top, width and height in mm; by default all within the frame.
    #[serde(default)]
    pub drawing_area: Option<[f64; 4]>,
    /// Values of the title block's fields by name. Number, name, scale, format, date, revision and language are known without.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
    /// The drawings on it.
    #[serde(default)]
    pub views: Vec<ViewDefinition>,
    /// True with a legend of the hatches, colours and line types that its views use.
    #[serde(default)]
    pub legend: bool,
    /// Numbered notes, each with elements that it is about.
    #[serde(default)]
    pub keynotes: Vec<Keynote>,
    /// Tables, such as schedules.
    #[serde(default)]
    pub tables: Vec<Table>,
    /// Pictures.
    #[serde(default)]
    pub pictures: Vec<PlacedPicture>,
    /// The versions of the sheet, the oldest first.
    #[serde(default)]
    pub revisions: Vec<Revision>,
}

/// The title block of a sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TitleBlock {
    /// That which is shipped for the size.
    #[default]
    Standard,
    /// One of those shipped, by its name: `iso-large`, `iso-medium`, `iso-small`, `strip`.
    Named(String),
    /// One's own as SVG with fields such as `{{title}}`: of the sheet's size with its own frame, or smaller, and then put into the
    /// lower right corner of the frame.
    Svg(String),
}

/// A drawing on a sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViewDefinition {
    /// The drawing: `plan:STOREY`, `ceiling:STOREY`, `section:x` and `section:y` (cut through the middle of the building, looking along
    /// that axis), `section` (with `at` and `direction`), `elevation:south` and so on by the four winds, or `axonometry:south-west` and so on.
    pub drawing: String,
    /// The number of the scale, such as 50 for 1:50.
    pub scale: f64,
    /// Its title; by default that of the storey or view.
    #[serde(default)]
    pub title: Option<String>,
    /// The place of its upper left corner on the sheet in mm; by default one is found.
    #[serde(default)]
    pub place: Option<[f64; 2]>,
    /// Metres above the storey's floor at which a plan is cut; by default 1.2.
    #[serde(default)]
    pub height: Option<f64>,
    /// A point of a section's plane in metres of the world.
    #[serde(default)]
    pub at: Option<[f64; 3]>,
    /// From the building to the viewer, for sections, elevations and axonometries in other directions than the named ones.
    #[serde(default)]
    pub direction: Option<[f64; 3]>,
    /// Metres seen beyond the plane; by default a plan's floor, the rest's all.
    #[serde(default)]
    pub depth: Option<f64>,
    /// True with chains of dimensions.
    #[serde(default = "yes")]
    pub dimensions: bool,
}

fn yes() -> bool {
    true
}

impl ViewDefinition {
    /// A view with everything as usual.
    pub fn new(drawing: &str, scale: f64) -> ViewDefinition {
        ViewDefinition {
            drawing: drawing.to_owned(),
            scale,
            title: None,
            place: None,
            height: None,
            at: None,
            direction: None,
            depth: None,
            dimensions: true,
        }
    }
}

/// A numbered note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keynote {
    /// Its number or letter, at most a few characters.
    pub number: String,
    /// Its words.
    pub text: String,
    /// The GlobalIds of the elements that it is about; each has a bubble on every view that shows it.
    #[serde(default)]
    pub elements: Vec<String>,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Its title.
    #[serde(default)]
    pub title: String,
    /// The heads of its columns.
    #[serde(default)]
    pub header: Vec<String>,
    /// Its rows, each with a cell for each column.
    #[serde(default)]
    pub rows: Vec<Vec<String>>,
    /// The numbers of columns whose cells stand at the right, as numbers do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub right: Vec<usize>,
    /// The numbers of rows in bold, such as headings of groups and totals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bold: Vec<usize>,
    /// The request that its columns and rows are made by, for who keeps the definition and draws it; it is not read here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<serde_json::Value>,
    /// The place of its upper left corner on the sheet in mm; by default one is found.
    #[serde(default)]
    pub place: Option<[f64; 2]>,
    /// Its width in mm; by default what its words need, 180 or two fifths of the sheet at most beside views.
    #[serde(default)]
    pub width: Option<f64>,
}

/// A picture on a sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedPicture {
    /// The key of its bytes among the pictures that are given.
    pub key: String,
    /// Width in mm; its height follows.
    pub width: f64,
    /// Words below it.
    #[serde(default)]
    pub caption: String,
    /// The place of its upper left corner on the sheet in mm; by default one is found.
    #[serde(default)]
    pub place: Option<[f64; 2]>,
}

/// A version of a sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revision {
    /// Its index, such as `A` or `P02`.
    pub index: String,
    /// Its date as it is written.
    pub date: String,
    /// Who made it.
    pub by: String,
    /// The version of the model that was drawn, as short as it is told apart; empty where it has no name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The difference in words.
    pub text: String,
}
