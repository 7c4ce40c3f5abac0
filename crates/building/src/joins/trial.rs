//! A join that is tried on a copy of the model, so that it can be said beforehand whether it mends a corner.

use super::asked::{JoinType, join};
use crate::author::Author;
use crate::soundness::overlap::{Verdict, judge};
use contract::Actor;
use geometry::Shaper;
use geometry::query::Element;
use ifc::guid::GuidSource;
use ifc::{Id, Model};

/// Bodies that were apart by no more touch, in metres.
const TOUCHING: f64 = 1e-3;

/// Returns true if two walls can be joined, and touch each other then without sharing space.
pub fn joins_cleanly(model: &Model, a: Id, b: Id) -> bool {
    let (mut edit, mut guids) = (model.edit(), GuidSource::new("trial"));
    let actor = Actor { principal: String::new(), client: None };
    let mut author = Author::new(&mut edit, &mut guids, 0, &actor);
    if join(&mut author, &[a, b], JoinType::Auto).is_err() {
        return false;
    }
    let (after, _) = edit.finish();
    let shaper = Shaper::plain(&after);
    let body = |id: Id| {
        let shape = shaper.element(id).ok().filter(|shape| !shape.is_box)?;
        Some(Element::new(id, shape.mesh()))
    };
    let (Some(one), Some(other)) = (body(a), body(b)) else { return false };
    judge(&after, &one, &other, Vec::new) == Verdict::Apart && one.distance(&other, TOUCHING).is_some()
}
