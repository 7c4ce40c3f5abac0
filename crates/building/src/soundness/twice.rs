//! Elements that are there twice: one class, one shape, one place.

use super::overlap::RULES;
use geometry::query::{Element, Kind, interference};
use ifc::Model;

/// Returns true if two bodies of one class are the same at the same place. Parts that a whole has many of, such as rebars and screws, are
/// no elements.
pub fn is_twice(model: &Model, a: &Element, b: &Element) -> bool {
    let class = |body: &Element| model.get(body.id()).map(|instance| instance.class_name());
    let is_part = |body: &Element| model.get(body.id()).is_some_and(|e| e.is_a("IfcElementComponent"));
    class(a) == class(b) && !is_part(a) && is_same(a, b)
}

/// Returns true if two bodies are the same at the same place.
pub fn is_same(a: &Element, b: &Element) -> bool {
    let (one, other) = (a.bounds(), b.bounds());
    let is_near =
        one.min.abs_diff_eq(other.min, RULES.tolerance) && one.max.abs_diff_eq(other.max, RULES.tolerance);
    is_near && interference(a, b, &RULES).is_some_and(|found| matches!(found.kind, Kind::Duplicate { .. }))
}
