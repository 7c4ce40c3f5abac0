//! Arranging what stands already: copies in rows, grids and circles, turning, mirroring, aligning and spacing.
//!
//! What belongs to an element goes with it (openings and what fills them, parts, projections); what elements share (types,
//! materials, contexts) stays shared. What cannot be arranged so is refused by its name, and nothing is done by halves.

pub mod aligning;
pub mod carrying;
pub mod copying;
pub mod mirroring;
pub mod naming;
mod plan;
mod reflection;
pub mod turns;
pub mod twin;
