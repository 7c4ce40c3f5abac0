//! Authoring as a careful modeller would do it: walls, slabs, openings, spaces and what must follow when one of them changes.
//!
//! An [`Author`] works on one [`ifc::Edit`]: everything a call asks for is written in it or nothing is. Parameters and
//! answers are in millimetres and world coordinates; the file keeps its own units, schema and habits (its contexts, its
//! storeys' placements), and so do elements of other programs, which are read from their bodies and axes as far as
//! these are straight and upright.
//!
//! It knows no tools, no files and no network; bodies and what they measure are the business of `geometry`.

pub mod address;
pub mod anything;
pub mod arc_wall;
pub mod arranging;
pub mod author;
pub mod bend;
pub mod bent_body;
pub mod boolean;
pub mod boundaries;
pub mod categories;
pub mod covering;
pub mod curtain;
pub mod deletion;
pub mod filling;
pub mod follow;
pub mod frame;
pub mod furniture;
pub mod host;
pub mod joins;
pub mod kinds;
pub mod layer_priority;
mod leaning;
pub mod library;
pub mod lookup;
pub mod measured;
pub mod measures;
pub mod movement;
pub mod opening;
pub mod openings;
pub mod parameters;
pub mod picture;
pub mod placing;
pub mod polygon;
pub mod project;
pub mod quantities;
pub mod quantity_sets;
pub mod recess;
pub mod regeneration;
pub mod regions;
pub mod rehosting;
pub mod relations;
mod removal;
pub mod renewal;
pub mod roof;
pub mod roof_ties;
pub mod rooms;
pub mod shapes;
pub mod shell;
pub mod slab;
pub mod slope;
pub mod solids;
pub mod soundness;
pub mod space;
pub mod stairs;
pub mod storey;
pub mod structure;
pub mod sweep;
pub mod tops;
pub mod totals;
pub mod wall;
pub mod wall_layers;
pub mod wall_profile;
pub mod wall_top;
pub mod wall_way;

pub use author::Author;
