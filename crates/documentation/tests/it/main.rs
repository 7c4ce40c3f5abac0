//! Drawings, sheets and reports of small made models and of real ones.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;
mod difference;
mod made;
mod overlay;
mod pictures;
mod real;
mod report;
mod sheets;
