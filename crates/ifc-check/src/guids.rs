//! GlobalIds: 22 characters of 64, the first carrying two bits, and none twice in a model (IfcRoot.UR1).

use super::report::Collector;
use super::{Finding, FindingCode};
use ifc::parts::Slot;
use ifc::{Id, Model};

/// True if the raw text of a string is a GlobalId.
#[inline]
pub(super) fn is_valid(raw: &[u8]) -> bool {
    raw.len() == 22
        && raw.first().is_some_and(|first| (b'0'..=b'3').contains(first))
        && raw.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
}

/// The reason why a text is no GlobalId.
pub(super) fn fault(text: &str) -> String {
    let count = text.chars().count();
    if count != 22 {
        return format!("it has {count} characters");
    }
    match text.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))) {
        Some(wrong) => format!("it has {wrong:?} in it"),
        None => "it does not begin with 0, 1, 2 or 3, so it is more than 128 bits".to_owned(),
    }
}

/// GlobalIds that several instances have: a finding for each but the first.
pub(super) fn repeated(model: &Model, collector: &mut Collector) {
    let base = model.base();
    let unchanged = model.overlay().is_empty();
    let mut all: Vec<(u64, u32)> = base
        .guid_rows()
        .iter()
        .filter_map(|(hash, row)| Some((*hash, base.id(*row as usize)?)))
        .filter(|(_, id)| unchanged || !model.overlay().contains(*id))
        .collect();
    if !unchanged {
        for (id, slot) in model.overlay().slots() {
            if let Slot::Present(stored) = slot
                && let Some(guid) = stored.guid()
            {
                all.push((ifc::parts::guid_hash(guid.as_bytes()), id));
            }
        }
        all.sort_unstable();
    }
    for same_hash in all.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        let mut ids: Vec<(String, Id)> = same_hash
            .iter()
            .filter_map(|(_, id)| Some((model.get(Id(*id))?.guid()?, Id(*id))))
            .filter(|(guid, _)| !guid.is_empty())
            .collect();
        ids.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| order(model, a.1).cmp(&order(model, b.1))));
        for same in ids.chunk_by(|a, b| a.0 == b.0) {
            let Some(((guid, first), others)) = same.split_first() else { continue };
            for (_, id) in others {
                report(model, collector, guid, *first, *id);
            }
        }
    }
}

/// Instances in the order of the file, those not in it behind.
fn order(model: &Model, id: Id) -> (usize, Id) {
    (model.base().row(id.0).unwrap_or(usize::MAX), id)
}

fn report(model: &Model, collector: &mut Collector, guid: &str, first: Id, id: Id) {
    let Some((instance, first)) = model.get(id).zip(model.get(first)) else { return };
    if !collector.admits(FindingCode::GlobalId, "IfcRoot.UR1") {
        return;
    }
    let message = format!(
        "{id} ({}) has the GlobalId '{guid}', which {} ({}) has already; a GlobalId names one element for good: give \
         this one another, or remove it if it is the same element exported twice",
        instance.class_name(),
        first.id(),
        first.class_name(),
    );
    let finding = Finding::of_instance(FindingCode::GlobalId, &instance, message);
    collector.list(finding.about("GlobalId").by_rule("IfcRoot.UR1"));
}
