//! Drawings, sheets and reports of a building, as pages.
//!
//! A drawing is made of one state of a model ([`geometry::Scene`]) in a [`style::Style`]: plans, sections, elevations, reflected
//! ceiling plans and axonometries, with hatches, symbols, tags and dimensions. Two versions come together in a [`difference`], findings,
//! ways and colours are laid over a drawing by [`overlay`]. A [`sheet`] is drawings on paper with frame and title block, alone or in a
//! set, and a [`report`] tells of a model or of what changed for people who do not open it. What is drawn are parts of a `paper::Page`; formats are that crate's.

mod beside;
pub mod blocks;
pub mod difference;
pub mod drawing;
pub mod overlay;
mod phrases;
pub mod report;
pub mod sheet;
pub mod style;
