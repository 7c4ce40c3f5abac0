//! View definitions: subsets of a schema that programs agree on. A table says what each allows; a model is held against it, or cut to it.

mod apply;
mod check;
mod curves;
mod materials;
mod page;
mod shapes;
mod table;

pub use apply::apply;
pub use check::{Finding, Rule, check};
pub use page::page;
pub use table::{Added, Becomes, Representation, View};

use ifc::{Id, Model};

/// A GlobalId by which a person finds an instance: its own, or that of the first rooted instance that leads to it; else its number.
pub(crate) fn example(model: &Model, id: Id) -> Option<String> {
    let mut seen = vec![id];
    let mut at = 0;
    while let Some(id) = seen.get(at).copied() {
        at += 1;
        let instance = model.get(id)?;
        if let Some(guid) = instance.guid() {
            return Some(guid);
        }
        for by in model.referrers(id).into_iter().take(8) {
            if seen.len() < 64 && !seen.contains(&by) {
                seen.push(by);
            }
        }
    }
    Some(id.to_string())
}
