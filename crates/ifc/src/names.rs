//! The names that are borne by instances of a class, kept so that a new one finds a free name without a look at all others.
//!
//! Those of the file as it was opened are read once for each class that is asked about, and hold for every version over it; those
//! given since stand in the overlay.

use crate::base::Base;
use crate::{Model, Value};
use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

/// The place of Name among the attributes of everything that has a GlobalId (IfcRoot).
pub(crate) const PLACE: usize = 2;

/// Names by the codes of a class and its subtypes.
#[derive(Default)]
pub(crate) struct Names {
    by_codes: Mutex<HashMap<RangeInclusive<u16>, Arc<BTreeSet<String>>>>,
}

impl Names {
    /// The names that instances of a class bear in the file.
    fn of_codes(&self, base: &Base, codes: &RangeInclusive<u16>) -> Arc<BTreeSet<String>> {
        let known = |names: &Self| {
            names.by_codes.lock().unwrap_or_else(PoisonError::into_inner).get(codes).map(Arc::clone)
        };
        if let Some(names) = known(self) {
            return names;
        }
        let rows = base.indexes.of_class(base, codes.clone());
        let names: BTreeSet<String> = rows.iter().filter_map(|row| name_of(base, *row as usize)).collect();
        let names = Arc::new(names);
        let mut all = self.by_codes.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(codes.clone(), Arc::clone(&names));
        names
    }
}

fn name_of(base: &Base, row: usize) -> Option<String> {
    let mut cursor = base.attributes(row)?;
    for _ in 0..PLACE {
        cursor.skip_value().ok()?;
        if !cursor.take(b',') {
            return None;
        }
    }
    match cursor.attribute(&|_| None).ok()? {
        Value::Text(name) => Some(name),
        _ => None,
    }
}

impl Model {
    /// True if an instance of a class or its subtypes bears this name, or bore it in the file as it was opened.
    pub fn is_name_taken(&self, class: &str, name: &str) -> bool {
        let Some(entity) = self.schema().entity(class) else { return false };
        let codes = entity.id.0..=entity.last.0;
        self.base.indexes.names.of_codes(&self.base, &codes).contains(name)
            || self.overlay.has_name(codes, name)
    }

    /// How many names instances of a class or its subtypes bear in the file as it was opened, and how many instances were added since;
    /// with a beginning, only of names that begin so.
    pub fn count_names(&self, class: &str, beginning: &str) -> usize {
        let Some(entity) = self.schema().entity(class) else { return 0 };
        let codes = entity.id.0..=entity.last.0;
        let opened = self.base.indexes.names.of_codes(&self.base, &codes);
        let in_file = opened.range(beginning.to_owned()..).take_while(|name| name.starts_with(beginning));
        let since = self.overlay.named(codes, beginning).filter(|id| self.base.row(*id).is_none());
        in_file.count() + since.count()
    }
}

#[cfg(test)]
mod tests {
    use crate::SchemaVersion;
    use crate::sample::{HOUSE, model};

    #[test]
    fn names_of_the_file_and_those_given_since_are_taken() {
        let house = model(SchemaVersion::Ifc4, HOUSE);
        let wall = house.of_class("IfcWall")[0];
        let name = house.get(wall).unwrap().name().unwrap();
        assert!(house.is_name_taken("IfcWall", &name) && house.is_name_taken("IfcBuildingElement", &name));
        assert!(!house.is_name_taken("IfcDoor", &name) && !house.is_name_taken("IfcNothing", &name));
        let before = house.count_names("IfcWall", "");
        let mut edit = house.edit();
        let values = [("GlobalId", crate::guid::compress(7).into()), ("Name", "Leeward 1".into())];
        let new = edit.create("IfcWallStandardCase", &values).unwrap();
        assert!(edit.is_name_taken("IfcWall", "Leeward 1") && !edit.is_name_taken("IfcWall", "Leeward"));
        assert_eq!(
            (edit.count_names("IfcWall", ""), edit.count_names("IfcWall", "Leeward ")),
            (before + 1, 1)
        );
        edit.set(new, "Name", "South").unwrap();
        assert!(!edit.is_name_taken("IfcWall", "Leeward 1") && edit.is_name_taken("IfcWall", "South"));
        // one of the file that was renamed counts once
        edit.set(wall, "Name", "East").unwrap();
        assert!(edit.is_name_taken("IfcWall", "East"));
        assert_eq!(edit.count_names("IfcWall", ""), before + 1);
    }
}
