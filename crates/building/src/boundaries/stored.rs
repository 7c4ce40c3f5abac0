//! The boundaries that a model has.

use super::boundary::Level;
use super::surface::{Surface, surfaces};
use geometry::Shaper;
use glam::DAffine3;
use ifc::relations::{Boundary, BoundaryLevel, Links};
use ifc::{Id, Model};
use std::collections::BTreeSet;

/// A boundary of the model.
#[derive(Debug, Clone)]
pub(super) struct StoredBoundary {
    pub relation: Id,
    pub space: Id,
    pub element: Option<Id>,
    pub surfaces: Vec<Surface>,
    pub is_inner: bool,
}

/// The level that a boundary says it is of, by class, Name or Description; none where it does not say.
pub fn level_of(model: &Model, boundary: &Boundary) -> Option<Level> {
    match boundary.level {
        BoundaryLevel::First => Some(Level::First),
        BoundaryLevel::SecondA | BoundaryLevel::SecondB | BoundaryLevel::Second => Some(Level::Second),
        BoundaryLevel::Unknown => {
            let name = model.get(boundary.relation).and_then(|it| it.name())?.to_lowercase();
            match () {
                () if name.starts_with("second") => Some(Level::Second),
                () if name.starts_with("first") => Some(Level::First),
                () => None,
            }
        }
    }
}

/// The levels of a room's boundaries; `None` among them where one does not say.
pub fn levels(links: &Links<'_>, space: Id) -> BTreeSet<Option<Level>> {
    links.boundaries_of_space(space).iter().map(|boundary| level_of(links.model(), boundary)).collect()
}

/// The boundaries of a room on one level; those that do not say theirs with them where they are to be replaced, too.
pub(super) fn stored(
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    space: Id,
    level: Level,
    with_unknown: bool,
) -> Vec<StoredBoundary> {
    let model = links.model();
    let placement = model.get(space).and_then(|it| it.reference("ObjectPlacement"));
    let frame = placement.and_then(|placement| shaper.reader.world(placement)).unwrap_or(DAffine3::IDENTITY);
    let is_of = |boundary: &Boundary| match level_of(model, boundary) {
        Some(own) => own == level,
        None => with_unknown,
    };
    let own = links.boundaries_of_space(space).into_iter().filter(is_of);
    own.map(|boundary| StoredBoundary {
        relation: boundary.relation,
        space,
        element: boundary.element,
        surfaces: surfaces(shaper, boundary.relation, &frame),
        is_inner: boundary.parent.is_some(),
    })
    .collect()
}
