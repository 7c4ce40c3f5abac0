//! The style of drawings: widths, letters, hatches, words, and what is drawn at which scale, as data.
//!
//! The defaults are shipped as `default.toml`; a style of one's own names only what it changes.

mod figures;
mod parts;
mod read;
#[cfg(test)]
mod tests;

pub use figures::Figure;
pub use parts::{
    CutStyle, Dashes, Dimensions, FontFiles, FurnitureStyle, HatchStyle, Letters, LineStyle, MaterialStyle,
    Positive, ScaleStyle, Unit, Weights, Words,
};
pub use read::BadStyle;

use paper::{Colour, Fill, Hatch, HatchLine, Stroke};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Black ink.
pub const BLACK: Colour = [0, 0, 0, 255];

/// The style of drawings.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    /// The language of words, one of the keys of `words`.
    pub language: String,
    /// The widths of lines.
    pub weights: Weights,
    /// The heights of letters.
    pub letters: Letters,
    /// The fonts of words.
    pub fonts: FontFiles,
    /// Dashes of lines.
    pub dashes: Dashes,
    /// The form of dimensions.
    pub dimensions: Dimensions,
    /// The things drawn at each scale, from the largest drawing on.
    pub scales: Vec<ScaleStyle>,
    /// Hatches by words in the names of materials.
    pub materials: Vec<MaterialStyle>,
    /// Patterns by name.
    pub hatches: BTreeMap<String, HatchStyle>,
    /// Words by language.
    pub words: BTreeMap<String, Words>,
}

impl Style {
    /// The row of `scales` that holds for a drawing at one to `scale`.
    pub fn at_scale(&self, scale: f64) -> ScaleStyle {
        let row = self.scales.iter().find(|row| scale <= row.up_to.0).or(self.scales.last());
        row.cloned().unwrap_or_default()
    }

    /// The words of the style's language.
    pub fn words(&self) -> Words {
        self.words.get(&self.language).cloned().unwrap_or_default()
    }

    /// The name of the hatch of a material, `other` where no row names it.
    pub fn hatch_name(&self, material: &str) -> &str {
        let name = material.to_lowercase();
        let is_named =
            |row: &&MaterialStyle| row.words.iter().any(|word| name.contains(&word.to_lowercase()));
        self.materials.iter().find(is_named).map_or("other", |row| row.hatch.as_str())
    }

    /// The fill of a hatch, its lines at this width in mm.
    pub fn fill(&self, hatch: &str, width: f64) -> Fill {
        let Some(found) = self.hatches.get(hatch) else { return Fill::Solid([255, 255, 255, 255]) };
        if found.lines.is_empty() {
            return Fill::Solid(found.ground.as_ref().map_or([255, 255, 255, 255], |colour| colour.0));
        }
        let line = |line: &LineStyle| HatchLine {
            angle: line.angle,
            origin: line.start.into(),
            step: [line.shift, line.spacing.0].into(),
            dashes: line.dashes.clone(),
        };
        Fill::Hatch(Arc::new(Hatch {
            name: hatch.to_uppercase(),
            lines: found.lines.iter().map(line).collect(),
            stroke: Stroke { width, colour: BLACK, dashes: Vec::new() },
            ground: Some(found.ground.as_ref().map_or([255, 255, 255, 255], |colour| colour.0)),
        }))
    }
}
