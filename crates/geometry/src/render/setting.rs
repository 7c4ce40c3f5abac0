//! Settings of a picture: its size, ground, lines and clipping.

use super::{HalfSpace, Label};
use crate::style::Colour;

/// The background, behind everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// One colour; clear where its opacity is nought.
    Plain(Colour),
    /// From the top of the picture to its bottom.
    Fading(Colour, Colour),
}

/// The settings of a picture.
#[derive(Debug, Clone)]
pub struct Setting {
    /// In pixels, see [`SIDES`].
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The background, behind everything.
    pub background: Background,
    /// True if lines are drawn.
    pub edges: bool,
    /// The angle between two faces, in radians, from which a line parts them.
    pub crease: f64,
    /// Samples along a pixel's side, 1 to 4: so many squared are averaged.
    pub samples: u32,
    /// The darkness of inner corners: nothing to one.
    pub corners: f32,
    /// The half spaces that all that is drawn lies in.
    pub clip: Vec<HalfSpace>,
    /// The colour of what they cut; without one, a darker colour of the element's own.
    pub cut_colour: Option<Colour>,
    /// The colour of elements that are shown faintly.
    pub ghost: Colour,
    /// The labels written on it.
    pub labels: Vec<Label>,
}

impl Setting {
    /// A picture of a size, with lines, on a light ground.
    pub fn new(width: u32, height: u32) -> Setting {
        Setting {
            width,
            height,
            background: Background::Fading([236, 241, 246, 255], [252, 252, 250, 255]),
            edges: true,
            crease: 28_f64.to_radians(),
            samples: 2,
            corners: 0.5,
            clip: Vec::new(),
            cut_colour: None,
            ghost: [150, 156, 164, 26],
            labels: Vec::new(),
        }
    }

    /// Width over height.
    pub fn aspect(&self) -> f64 {
        f64::from(self.width) / f64::from(self.height.max(1))
    }
}

/// The background at a share of the picture's height from the top.
pub(super) fn behind(setting: &Setting, down: f64) -> [f32; 4] {
    let mixed = match setting.background {
        Background::Plain(colour) => colour.map(f32::from),
        Background::Fading(top, bottom) => {
            let t = down.clamp(0.0, 1.0) as f32;
            [0, 1, 2, 3].map(|i| f32::from(top[i]) + (f32::from(bottom[i]) - f32::from(top[i])) * t)
        }
    };
    [mixed[0], mixed[1], mixed[2], mixed[3] / 255.0]
}
