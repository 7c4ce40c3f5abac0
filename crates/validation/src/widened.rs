//! The call that makes a door as wide as it has to be, where it can be: what its wall has no room for, or another program drew, is left to
//! whoever designs it.

use crate::Finding;
use building::parameters::is_taken;
use ifc::Model;
use serde_json::json;
use spatial::ways::{Basis, Door};

/// Widths go by this step, in mm.
const STEP: f64 = 10.0;

/// Returns the finding on a door that is `short` metres too narrow in the clear with the call that widens it, if that is taken.
pub(crate) fn widened(finding: Finding, model: &Model, door: &Door, short: f64) -> Finding {
    // a clear width that the file states stays as it is
    if door.is_open || door.basis == Basis::Stated || !(short > 0.0 && short < door.width) {
        return finding;
    }
    let width = (((door.width + short) * 1000.0 - 1e-6) / STEP).ceil() * STEP;
    let guid = model.get(door.element).and_then(|instance| instance.guid());
    match guid.filter(|guid| model.by_guid(guid) == Some(door.element)) {
        Some(guid) if is_taken(model, door.element, "width", &json!(width)) => {
            let arguments = json!({ "element_id": guid, "parameter_name": "width", "value": width });
            finding.mended_by("modify_parameter", arguments)
        }
        _ => finding,
    }
}
