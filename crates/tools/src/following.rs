//! What follows a tool's change in the same edit, and how its answer says so.

use crate::IfcCall;
use crate::modelling::author;
use building::lookup::guid;
use building::regeneration;
use contract::Fault;
use ifc::{Id, Model};
use serde_json::{Value, json};

/// Draws again what hangs on what a body changed since `before`, and adds it to the body's answer: `regenerated`, and `left_as_it_was`
/// with reasons. `began_empty` is true where the transaction holds nothing but what this body did.
pub(crate) fn follow(
    call: &mut IfcCall,
    before: &Model,
    began_empty: bool,
    answer: &mut Value,
) -> Result<(), Fault> {
    let Value::Object(members) = answer else { return Ok(()) };
    // a body that began a new model changed none
    if call.edit.is_empty() || !before.has_same_base(call.edit.model()) {
        return Ok(());
    }
    let touched: Vec<Id> = if began_empty {
        call.edit.touched().collect()
    } else {
        before.differing(call.edit.model()).unwrap_or_default()
    };
    let followed = regeneration::follow(&mut author(call), before, &touched)?;
    let mut all: Vec<String> = members
        .get("regenerated")
        .and_then(Value::as_array)
        .map(|ids| ids.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    for id in followed.regenerated.iter().map(|id| guid(call.edit.model(), *id)) {
        if !all.contains(&id) {
            all.push(id);
        }
    }
    call.regenerated.extend(all.iter().cloned());
    if !followed.regenerated.is_empty() {
        members.insert("regenerated".to_owned(), json!(all));
    }
    if !followed.left.is_empty() {
        members.insert("left_as_it_was".to_owned(), json!(followed.left));
    }
    Ok(())
}
