//! Drawings, sheets and reports of a building, as pages.
//!
//! A drawing is made of one state of a model ([`geometry::Scene`]) in a [`style::Style`]: plans, sections, elevations, reflected
//! ceiling plans and axonometries, with hatches, symbols, tags and dimensions. A [`sheet`] is drawings on paper with frame and title block,
//! alone or in a set. What is drawn are parts of a `paper::Page`; formats are that crate's.

pub mod drawing;
pub mod sheet;
pub mod style;
