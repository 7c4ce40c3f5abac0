//! Inverse attributes: how many instances refer to one, against what its class says. Only inverses that ask for
//! something are counted; most are `SET [0:?]` and cannot be wrong.
//!
//! References are gathered from the side that writes them, all of one attribute at a time, and sorted: no look-up for
//! each of a million instances, and a relation with a million members is no worse than a million relations.

use super::report::Collector;
use super::{Finding, FindingCode, GoOn};
use ifc::parts::ClassCodes;
use ifc::parts::Slot;
use ifc::parts::each_reference;
use ifc::schema::{Entity, Inverse, Schema};
use ifc::{Id, Model};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Rows that one task looks through.
const TASK: usize = 1 << 13;

/// Inverses that ask for something, by the entity and the place of the attribute that they are the inverse of.
type Asked = BTreeMap<(u16, usize), Vec<(&'static Entity, &'static Inverse)>>;

fn asked(schema: &'static Schema) -> Asked {
    let mut asked = Asked::new();
    for entity in schema.entities() {
        for inverse in entity.inverses.iter().filter(|inverse| inverse.min > 0 || inverse.max.is_some()) {
            let Some(source) = schema.entity(inverse.entity) else { continue };
            let Some(at) = source.index_of(inverse.attribute) else { continue };
            asked.entry((source.id.0, at)).or_default().push((entity, inverse));
        }
    }
    asked
}

/// The name of this part of a validation.
const PART: &str = "checking inverse attributes";

/// Every inverse attribute of every instance.
pub(super) fn check(model: &Model, collector: &mut Collector, go_on: GoOn<'_>) -> Option<()> {
    let schema = model.schema();
    let asked = asked(schema);
    let total = asked.len();
    for (done, ((source, at), inverses)) in asked.into_iter().enumerate() {
        if !go_on(PART, done, total) {
            return None;
        }
        let Some(source) = schema.entity_at(ifc::EntityId(source)) else { continue };
        let counts = counts(model, source, at);
        for (entity, inverse) in inverses {
            let of = |id: u32| counts.binary_search_by_key(&id, |(id, _)| *id).ok();
            let count = |id: u32| of(id).and_then(|at| counts.get(at)).map_or(0, |(_, count)| *count);
            if inverse.min > 0 {
                for id in model.of_class(entity.name) {
                    let count = count(id.0);
                    if count < inverse.min as usize {
                        report(model, collector, id, inverse, count);
                    }
                }
            }
            if let Some(max) = inverse.max {
                for (id, count) in counts.iter().filter(|(_, count)| *count > max as usize) {
                    let class = model.get(Id(*id)).and_then(|instance| instance.entity());
                    if class.is_some_and(|class| entity.id <= class.id && class.id <= entity.last) {
                        report(model, collector, Id(*id), inverse, *count);
                    }
                }
            }
        }
    }
    Some(())
}

/// By how many instances of `source` and its subtypes each id is referred to in the attribute at this place.
fn counts(model: &Model, source: &Entity, at: usize) -> Vec<(u32, usize)> {
    let base = model.base();
    let unchanged = model.overlay().is_empty();
    let codes = source.id.0..=source.last.0;
    let rows = base.rows_of_class(codes.clone());
    let mut pairs: Vec<(u32, u32)> = rows
        .par_chunks(TASK)
        .flat_map_iter(|rows| {
            let mut pairs = Vec::new();
            for row in rows {
                let Some(id) =
                    base.id(*row as usize).filter(|id| unchanged || !model.overlay().contains(*id))
                else {
                    continue;
                };
                if let Some(value) = raw_attribute(model, *row as usize, at) {
                    each_reference(value, |target| pairs.push((target, id)));
                }
            }
            pairs
        })
        .collect();
    for id in model.overlay().of_class(codes) {
        if let Some(Slot::Present(stored)) = model.overlay().get(id)
            && let Some(value) = stored.values.get(at)
        {
            value.for_each_ref(&mut |target| pairs.push((target.0, id)));
        }
    }
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs.chunk_by(|a, b| a.0 == b.0).filter_map(|same| Some((same.first()?.0, same.len()))).collect()
}

/// The bytes of one attribute as they stand in the file, with the byte before them, which [`each_reference`] passes
/// over.
fn raw_attribute(model: &Model, row: usize, at: usize) -> Option<&[u8]> {
    debug_assert!(ClassCodes::entity_id(model.base().class(row)).is_some());
    let mut cursor = model.base().attributes(row)?;
    for _ in 0..at {
        cursor.skip_value().ok()?;
        if !cursor.take(b',') {
            return None;
        }
    }
    let start = cursor.at();
    cursor.skip_value().ok()?;
    model.base().text(row).get(start.checked_sub(1)?..cursor.at())
}

fn report(model: &Model, collector: &mut Collector, id: Id, inverse: &Inverse, count: usize) {
    let Some(instance) = model.get(id) else { return };
    let class = instance.class_name();
    if !collector.admits(FindingCode::Inverse, &format!("{class}.{}", inverse.name)) {
        return;
    }
    let due = match (inverse.min, inverse.max) {
        (1, Some(1)) => "exactly one".to_owned(),
        (0, Some(max)) => format!("at most {max}"),
        (min, None) => format!("at least {min}"),
        (min, Some(max)) => format!("{min} to {max}"),
    };
    let advice = if count < inverse.min as usize {
        "refer to it, or remove it if it is not used"
    } else {
        "take it out of all but one"
    };
    let found = match count {
        0 => "no".to_owned(),
        count => count.to_string(),
    };
    let message = format!(
        "{id} ({class}) is referred to by {found} {} in {}, where {due} may ({class}.{}); {advice}",
        inverse.entity, inverse.attribute, inverse.name
    );
    collector.list(Finding::of_instance(FindingCode::Inverse, &instance, message).about(inverse.name));
}
