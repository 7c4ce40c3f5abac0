//! What follows a tool's change in the same edit, and how its answer says so.

use crate::IfcCall;
use crate::modelling::author;
use crate::space_boundaries;
use building::lookup::guid;
use building::regeneration;
use contract::Fault;
use ifc::relations::Links;
use ifc::{Id, Model};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Draws again what hangs on what a body changed since `before`, and adds it to the body's answer: `regenerated`, with what the body itself
/// drew again beside what it was asked for, `space_boundaries` of the rooms that were reached, and `left_as_it_was` with reasons. `began_empty` is true where the transaction holds nothing
/// but what this body did.
pub(crate) fn follow(
    call: &mut IfcCall,
    asked: &Asked,
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
    let touched: Vec<Id> = if began_empty {
        call.edit.touched().collect()
    } else {
        before.differing(call.edit.model()).unwrap_or_default()
    };
    let renewed = space_boundaries::renew(call, before, &touched)?.unwrap_or_default();
    let by_hand = by_hand(call.edit.model(), asked, members);
    let redrawn = regeneration::redrawn(before, call.edit.model(), &touched);
    let followers =
        redrawn.into_iter().filter(|id| !by_hand.contains(id) && !asked.names(call.edit.model(), *id));
    let followed_too: Vec<Id> = followers.chain(followed.regenerated).collect();
    let mut all: Vec<String> = members
        .get("regenerated")
        .and_then(Value::as_array)
        .map(|ids| ids.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        .unwrap_or_default();
    let has_followers = !followed_too.is_empty() || !renewed.rooms.is_empty();
    let followed_too = followed_too.iter().map(|id| guid(call.edit.model(), *id));
    for id in followed_too.chain(renewed.rooms.iter().cloned()) {
        if !all.contains(&id) {
            all.push(id);
        }
    }
    call.regenerated.extend(all.iter().cloned());
    if has_followers {
        members.insert("regenerated".to_owned(), json!(all));
    }
    if !renewed.rooms.is_empty() {
        let mut told = json!(renewed.written);
        told["rooms"] = json!(renewed.rooms);
        members.insert("space_boundaries".to_owned(), told);
    }
    let left: Vec<_> = followed.left.into_iter().chain(renewed.left).collect();
    if !left.is_empty() {
        members.insert("left_as_it_was".to_owned(), json!(left));
    }
    Ok(())
}

/// The texts of a call's arguments, one of which may name an element.
pub(crate) struct Asked(BTreeSet<String>);

impl Asked {
    /// Those of these arguments.
    pub(crate) fn from_arguments(arguments: &Value) -> Self {
        let mut texts = BTreeSet::new();
        gather(arguments, &mut texts);
        Self(texts)
    }

    /// True if an element is called by its name.
    fn names(&self, model: &Model, id: Id) -> bool {
        let name = model.get(id).and_then(|element| element.name());
        name.is_some_and(|name| self.0.iter().any(|text| text.eq_ignore_ascii_case(&name)))
    }
}

/// Texts longer than this name no element.
const LONGEST_NAME: usize = 300;

fn gather(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.len() <= LONGEST_NAME => {
            into.insert(text.clone());
        }
        Value::Array(all) => all.iter().for_each(|value| gather(value, into)),
        Value::Object(all) => all.values().for_each(|value| gather(value, into)),
        _ => {}
    }
}

/// The elements that a call named, or its answer tells of beside what followed, and the parts of these.
fn by_hand(model: &Model, asked: &Asked, answer: &Map<String, Value>) -> BTreeSet<Id> {
    let mut texts = asked.0.clone();
    let told = answer.iter().filter(|(key, _)| !["regenerated", "left_as_it_was"].contains(&key.as_str()));
    told.for_each(|(_, value)| gather(value, &mut texts));
    let links = Links::of_one(model);
    let mut open: Vec<Id> = texts.iter().filter_map(|text| model.by_guid(text)).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        let is_part_of_place = model.get(id).is_some_and(|i| i.is_a("IfcSpatialStructureElement"));
        if found.insert(id) && !is_part_of_place {
            open.extend(links.children(id));
        }
    }
    found
}
