//! Views: what is seen, from where. Lengths are metres of the models' world, z up.

use serde::{Deserialize, Serialize};

/// A view.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// The elements that are meant, shown and coloured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub components: Option<Components>,
    /// The camera.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<Camera>,
    /// Lines drawn into the view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
    /// Planes that cut the models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clipping_planes: Vec<ClippingPlane>,
    /// Pictures in the view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bitmaps: Vec<Bitmap>,
}

/// Elements of a view.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Components {
    /// Those that are meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub selection: Vec<Component>,
    /// Those that are seen.
    pub visibility: Visibility,
    /// Those in colours of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub colouring: Vec<Colouring>,
}

/// Which elements are seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Visibility {
    /// True if all are but the exceptions, false if the exceptions alone are.
    pub default: bool,
    /// The exceptions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<Component>,
    /// True if rooms are seen.
    pub spaces: bool,
    /// True if space boundaries are.
    pub space_boundaries: bool,
    /// True if openings are.
    pub openings: bool,
}

impl Default for Visibility {
    fn default() -> Self {
        Self {
            default: true,
            exceptions: Vec::new(),
            spaces: false,
            space_boundaries: false,
            openings: false,
        }
    }
}

/// An element of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Component {
    /// Its GlobalId.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ifc_guid: Option<String>,
    /// The program that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Its id there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// Elements of a colour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Colouring {
    /// RRGGBB or AARRGGBB, hexadecimal.
    pub colour: String,
    /// The elements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<Component>,
}

/// A camera.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    /// Where it stands, where it looks, and what is up.
    pub eye: Eye,
    /// How it draws.
    pub projection: Projection,
    /// Width by height of the view; 3.0 alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aspect: Option<f64>,
}

/// Where a camera stands, where it looks, and what is up there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Eye {
    /// Point.
    pub point: [f64; 3],
    /// Direction.
    pub direction: [f64; 3],
    /// Direction.
    pub up: [f64; 3],
}

/// How a camera draws.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Projection {
    /// In parallel: the height that is seen, in metres.
    Orthogonal(f64),
    /// In perspective: the angle that is seen from top to bottom, in degrees.
    Perspective(f64),
}

/// A line in a view.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Point.
    pub start: [f64; 3],
    /// Point.
    pub end: [f64; 3],
}

/// A plane that cuts the models.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClippingPlane {
    /// A point of it.
    pub location: [f64; 3],
    /// Towards what is cut away.
    pub direction: [f64; 3],
}

/// The format of a bitmap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BitmapFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpg,
}

/// A picture in a view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bitmap {
    /// Its format.
    pub format: BitmapFormat,
    /// The name of a file among the topic's attachments.
    pub reference: String,
    /// The middle.
    pub location: [f64; 3],
    /// Towards the viewer.
    pub normal: [f64; 3],
    /// The direction that is up.
    pub up: [f64; 3],
    /// Height in metres.
    pub height: f64,
}
