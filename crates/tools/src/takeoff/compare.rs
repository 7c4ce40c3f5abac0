//! Two take-offs beside each other.

use super::rates::main_quantity;
use super::{Collected, Unit};
use std::collections::BTreeMap;

/// A quantity of a group in two versions.
pub(crate) struct Difference {
    pub keys: Vec<String>,
    pub quantity: String,
    pub unit: Unit,
    /// True of the quantity that a rate of its unit is for.
    pub is_main: bool,
    pub before: f64,
    pub after: f64,
}

impl Difference {
    /// The change.
    pub(crate) fn change(&self) -> f64 {
        self.after - self.before
    }
}

/// The quantities that differ, by group; what is in one of both alone is nought in the other.
pub(crate) fn compare(before: &Collected, after: &Collected) -> Vec<Difference> {
    let mut found: BTreeMap<(Vec<String>, String), (Unit, f64, f64)> = BTreeMap::new();
    for (of, is_after) in [(before, false), (after, true)] {
        for group in &of.groups {
            for (name, (unit, sum)) in &group.quantities {
                let place = found.entry((group.keys.clone(), name.clone())).or_insert((*unit, 0.0, 0.0));
                if is_after {
                    place.2 = sum.value;
                } else {
                    place.1 = sum.value;
                }
            }
        }
    }
    let differs =
        |before: f64, after: f64| (before - after).abs() > 1e-6 * before.abs().max(after.abs()).max(1e-3);
    let is_main = |keys: &[String], quantity: &str, unit: Unit| {
        let of_group = found.range((keys.to_vec(), String::new())..).take_while(|((own, _), _)| own == keys);
        let names = of_group.map(|((_, name), (unit, ..))| (name.as_str(), *unit));
        main_quantity(names, unit) == Some(quantity)
    };
    found
        .iter()
        .filter(|(_, (_, before, after))| differs(*before, *after))
        .map(|((keys, quantity), (unit, before, after))| Difference {
            keys: keys.clone(),
            quantity: quantity.clone(),
            unit: *unit,
            is_main: is_main(keys, quantity, *unit),
            before: *before,
            after: *after,
        })
        .collect()
}
