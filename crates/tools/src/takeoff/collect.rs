//! The quantities of a model by group.

use super::group::{self, By, Share};
use super::quantity::{self, Both};
use super::rates::Mapping;
use super::{Group, Prefer, Sum, Unit};
use crate::fields::Reading;
use crate::schedule::Places;
use crate::selecting;
use contract::{Fault, Watch};
use ifc::Id;
use spatial::Layout;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Quantities of other sets that are named.
const OTHERS: usize = 6;
/// The quantity that counts elements.
pub(super) const COUNT: &str = "Count";

/// A take-off as it is asked for.
pub(crate) struct Asked<'a> {
    /// Categories, classes and selectors.
    pub categories: &'a [String],
    /// The grouping.
    pub grouping: &'a [String],
    /// Names of quantities; all where it is empty.
    pub quantities: &'a [String],
    /// The source that counts where there are two.
    pub prefer: Prefer,
    /// Codes for elements.
    pub mapping: Option<&'a Mapping>,
}

impl Asked<'_> {
    /// True if the layout of rooms is needed.
    pub(crate) fn needs_layout(&self) -> bool {
        self.grouping.iter().any(|name| matches!(name.trim(), "room" | "space"))
    }
}

/// The quantities of a model.
#[derive(Default)]
pub(crate) struct Collected {
    /// Groups in the order of their keys.
    pub groups: Vec<Group>,
    /// Elements in all.
    pub elements: usize,
    /// Remarks.
    pub notes: Vec<String>,
}

/// Adds up the quantities of the elements asked for.
pub(crate) fn collect(
    reading: &Reading<'_>,
    layout: Option<Arc<Layout>>,
    asked: &Asked<'_>,
    watch: &dyn Watch,
) -> Result<Collected, Fault> {
    let mut collected = Collected::default();
    let elements = elements(reading, asked, &mut collected.notes)?;
    collected.elements = elements.len();
    let by = asked.grouping.iter().enumerate();
    let by: Vec<By> =
        by.map(|(at, name)| By::parse(name, &format!("grouping[{at}]"))).collect::<Result<_, _>>()?;
    for (at, field) in by.iter().enumerate().filter_map(|(at, by)| Some((at, by.field()?))) {
        reading.prepare([field], &elements);
        field.check(reading, &elements, &format!("grouping[{at}]"))?;
    }
    watch.begins("measuring");
    reading.measure(&elements);
    let places = Places::new(reading, layout);
    let mut groups: BTreeMap<Vec<String>, Group> = BTreeMap::new();
    let mut undivided: BTreeSet<Id> = BTreeSet::new();
    let (mut seen, mut other) = (BTreeSet::new(), BTreeSet::new());
    for (done, id) in elements.iter().enumerate() {
        if done % 256 == 0 && !watch.at(done as u64, elements.len() as u64) {
            return Err(Fault::given_up("quantity_takeoff"));
        }
        let quantities = quantity::of_element(reading, *id, !asked.quantities.is_empty(), &mut other);
        seen.extend(quantities.keys().cloned());
        for share in group::shares(reading, &places, asked.mapping, &by, *id) {
            if share.volume.is_none() {
                undivided.insert(*id);
            }
            let group = groups
                .entry(share.keys.clone())
                .or_insert_with(|| Group { keys: share.keys.clone(), ..Group::default() });
            group.elements += 1;
            add(group, &quantities, &share, asked);
        }
    }
    check_quantities(asked, &seen, &elements)?;
    if asked.quantities.is_empty() && !other.is_empty() {
        let named = other.iter().take(OTHERS).cloned().collect::<Vec<_>>().join(", ");
        let more = if other.len() > OTHERS { ", …" } else { "" };
        collected.notes.push(format!(
            "{} quantities of other sets than the base quantities are left out ({named}{more}); `quantities` names those that are wanted.",
            other.len()
        ));
    }
    if !undivided.is_empty() {
        let count = undivided.len();
        collected.notes.push(format!(
            "{count} elements have several materials and no shares of them (a list, or constituents without fraction): of these, areas \
             are given for each material, and volumes for none."
        ));
    }
    collected.groups = groups.into_values().collect();
    Ok(collected)
}

fn add(group: &mut Group, quantities: &BTreeMap<String, Both>, share: &Share, asked: &Asked<'_>) {
    let is_asked = |name: &str| asked.quantities.is_empty() || asked.quantities.iter().any(|own| own == name);
    if is_asked(COUNT) {
        let (_, sum) = group.quantities.entry(COUNT.to_owned()).or_insert((Unit::Piece, Sum::default()));
        sum.count += 1;
        sum.value += 1.0;
    }
    for (name, both) in quantities.iter().filter(|(name, _)| is_asked(name)) {
        let scaled = |value: Option<f64>| match both.unit {
            Unit::CubicMetre | Unit::Kilogram => Some(value? * share.volume?),
            Unit::SquareMetre => value,
            // a length or a number is of the whole element
            _ if share.is_part => None,
            _ => value,
        };
        let (stored, computed) = (scaled(both.stored), scaled(both.computed));
        if stored.is_none() && computed.is_none() {
            continue;
        }
        let (_, sum) = group.quantities.entry(name.clone()).or_insert((both.unit, Sum::default()));
        sum.add(stored, computed, asked.prefer);
    }
}

/// The elements that the categories choose, each once. Of a whole and its parts the parts count.
fn elements(reading: &Reading<'_>, asked: &Asked<'_>, notes: &mut Vec<String>) -> Result<Vec<Id>, Fault> {
    if asked.categories.is_empty() {
        return Err(Fault::invalid(
            "categories",
            "Name at least one category, such as walls, a class or a selector.",
        ));
    }
    let mut elements: Vec<Id> = Vec::new();
    let mut seen = BTreeSet::new();
    for (at, category) in asked.categories.iter().enumerate() {
        let found = selecting::of_category(reading, category, &[], &format!("categories[{at}]"))?;
        if found.elements.is_empty() {
            notes.push(format!("The model has no elements of `{}`.", category.trim()));
        }
        notes.extend(found.notes);
        elements.extend(found.elements.into_iter().filter(|id| seen.insert(*id)));
    }
    let links = &reading.links;
    let has_parts: BTreeSet<Id> = elements
        .iter()
        .filter(|id| links.children(**id).iter().any(|part| seen.contains(part)))
        .copied()
        .collect();
    if !has_parts.is_empty() {
        notes.push(format!(
            "{} elements are made of parts that are among the categories, too; the parts count, not the wholes.",
            has_parts.len()
        ));
        elements.retain(|id| !has_parts.contains(id));
    }
    Ok(elements)
}

fn check_quantities(asked: &Asked<'_>, seen: &BTreeSet<String>, elements: &[Id]) -> Result<(), Fault> {
    for (at, name) in asked.quantities.iter().enumerate() {
        if name == COUNT || seen.contains(name) || elements.is_empty() {
            continue;
        }
        let field = format!("quantities[{at}]");
        if !quantity::adds_up(name) {
            let message = format!(
                "{name} is a dimension of each element, which says nothing added up; generate_schedule lists it."
            );
            return Err(Fault::invalid(&field, message));
        }
        let near = crate::near_matches(name, seen.iter().map(String::as_str));
        let names = seen.iter().cloned().collect::<Vec<_>>().join(", ");
        let message = format!("None of these elements has {name}; there are {COUNT}, {names}.");
        return Err(Fault::invalid(&field, message).with("near_matches", near));
    }
    Ok(())
}
