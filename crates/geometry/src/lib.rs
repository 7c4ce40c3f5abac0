//! Shapes: IFC representations become bodies, triangles, measures and tiles. It reads models and changes none.
//!
//! Inside, everything is metres and radians; a body keeps flat faces as polygons (`solid`) until it is drawn, so that openings and
//! clippings are cut in two dimensions (`prism`, `region`). Bodies are made once per representation item (`item`) and placed per
//! element (`element`). A `scene` holds what is drawn of a model and follows its edits; viewers get its `tiles`, pictures come of
//! `render`, drawings of `section` and `view`, take-offs of `quantity`, volumes of `measured`, clashes and distances of
//! `query`, the side that looks out of `facing`, the planes of roofs of `skeleton`. What was meant by a shape, such as a wall's height, is read from it by `parameters`. Free solids are combined by `csg`.
//! Triangles of GLB and OBJ files are read by `import`.

pub mod bodies;
pub mod csg;
pub mod curve;
pub mod cutter;
mod delaunay;
pub mod drawn;
pub mod element;
pub mod facing;
pub mod glb;
pub mod import;
pub mod item;
mod joined;
pub mod lines;
pub mod math;
pub mod measured;
pub mod mesh;
pub mod nurbs;
mod panel;
pub mod parameters;
mod pierce;
pub mod prism;
pub mod profile;
pub mod quantity;
pub mod query;
pub mod read;
pub mod region;
pub mod render;
pub mod scene;
pub mod section;
pub mod skeleton;
pub mod solid;
pub mod style;
pub mod surface;
#[cfg(test)]
mod tests;
pub mod tiles;
pub mod view;
mod wire;

pub use element::{Part, Shape, bounds, bounds_of_many, drawable, measure};
pub use item::Shaper;
pub use lines::{Lines, Polyline3};
pub use math::Bounds;
pub use measured::{Basis, Measured, NoMeasure, measured};
pub use mesh::{Measures, Mesh};
pub use read::ShapeError;
pub use scene::Scene;
pub use solid::{Face, Solid};
pub use tiles::{TileInfo, Tileset};
