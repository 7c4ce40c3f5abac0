//! A change of one parameter as it is answered, and its value as it is read.

use crate::lookup;
use contract::Fault;
use ifc::Id;
use serde_json::Value as Json;

/// The outcome of a change: the value before and after, and the other elements that were drawn again.
pub(crate) struct Change {
    pub before: Json,
    pub after: Json,
    pub regenerated: Vec<Id>,
}

/// The name in another spelling: `OverallWidth`, `overall_width`.
pub(crate) fn is_same(known: &str, given: &str) -> bool {
    let plain = |text: &str| text.to_lowercase().replace(['_', ' ', '-'], "");
    let given = plain(given);
    plain(known) == given || format!("overall{}", plain(known)) == given
}

/// A number of mm.
pub(crate) fn number(value: &Json) -> Result<f64, Fault> {
    value
        .as_f64()
        .or_else(|| value.as_str().and_then(|text| text.trim().parse().ok()))
        .ok_or_else(|| Fault::invalid("value", format!("`value` must be a number of mm, not {value}.")))
}

/// A point `[x, y]` or `[x, y, z]` in mm.
pub(crate) fn point(value: &Json) -> Result<Vec<f64>, Fault> {
    value
        .as_array()
        .and_then(|numbers| numbers.iter().map(Json::as_f64).collect::<Option<Vec<_>>>())
        .ok_or_else(|| Fault::invalid("value", format!("`value` must be a point [x, y] in mm, not {value}.")))
}

pub(crate) fn lookup_fault(parameter: &str, known: &[&str]) -> Fault {
    let near = lookup::near(parameter, known.iter().copied());
    Fault::invalid(
        "parameter_name",
        format!("`{parameter}` is not a parameter of this element. It has: {}; or an attribute by its IFC name, or Pset.Property.", known.join(", ")),
    )
    .with("near_matches", near)
    .with("allowed", known)
}
