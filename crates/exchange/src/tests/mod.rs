//! Tests over small models that are written out, and over real ones.

mod files;
mod parts;
mod real;
mod views;

use ifc::{Limits, Model};

/// A house in IFC4 with a clipped wall, a round column, a door, a room, terrain and a note; names and properties that look like formulas.
pub(crate) const HOUSE: &str = include_str!("../../fuzz/seeds/export/01");
/// A basin and a thing in IFC2X3 with a mapped sphere and a revolved solid.
pub(crate) const BASIN: &str = include_str!("../../fuzz/seeds/export/02");

pub(crate) fn open(text: &str) -> Model {
    Model::from_bytes(text.as_bytes().to_vec(), &Limits::default()).unwrap().0
}

/// The model written and read again; nothing of it may be lost.
pub(crate) fn again(model: &Model) -> Model {
    let (read, problems) = Model::from_bytes(model.to_bytes(), &Limits::default()).unwrap();
    assert!(problems.iter().all(|problem| !problem.code.is_severe()), "{problems:?}");
    assert_eq!(read.len(), model.len());
    read
}

/// Models of the test data by name; those that are missing fail where nothing may be.
pub(crate) fn models(names: &[&str]) -> Vec<(String, Model)> {
    let read = |name: &&str| {
        let path = testing::model(name)?;
        Some(((*name).to_owned(), Model::open(&path, &Limits::default()).unwrap().0))
    };
    names.iter().filter_map(read).collect()
}
