//! The names that are borne by instances of a class, kept so that a new one finds a free name without a look at all others; and the
//! instances of a class by a text of theirs, so that what a library has is found as fast in a large file as in a small one.
//!
//! Those of the file as it was opened are read once for each class that is asked about, and hold for every version over it; those
//! given since stand in the overlay.

use crate::Value;
use crate::base::Base;
use crate::overlay::NAME;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Names by the codes of a class and its subtypes.
#[derive(Default)]
pub(crate) struct Names {
    by_codes: Mutex<HashMap<RangeInclusive<u16>, Arc<Borne>>>,
    /// Rows by a text, for the code of a class and the place of an attribute.
    by_text: Mutex<HashMap<(u16, usize), Arc<Rows>>>,
}

/// Rows by a text of theirs, in file order.
pub(crate) type Rows = HashMap<String, Vec<u32>>;

/// Names that are borne, each once, in their order.
pub(crate) struct Borne(Vec<String>);

impl Borne {
    /// True if a name is borne.
    pub fn contains(&self, name: &str) -> bool {
        self.0.binary_search_by(|other| other.as_str().cmp(name)).is_ok()
    }

    /// The number of names that begin so.
    pub fn count(&self, beginning: &str) -> usize {
        let from = self.0.partition_point(|name| name.as_str() < beginning);
        let rest = self.0.get(from..).unwrap_or_default();
        rest.partition_point(|name| name.starts_with(beginning))
    }
}

impl Names {
    /// The names that instances of a class bear in the file.
    pub fn of_codes(&self, base: &Base, codes: &RangeInclusive<u16>) -> Arc<Borne> {
        let known = |names: &Self| names.by_codes.lock().get(codes).map(Arc::clone);
        if let Some(names) = known(self) {
            return names;
        }
        let rows = base.indexes.of_class(base, codes.clone());
        let mut names: Vec<String> = rows.iter().filter_map(|row| name_of(base, *row as usize)).collect();
        names.sort_unstable();
        names.dedup();
        let names = Arc::new(Borne(names));
        let mut all = self.by_codes.lock();
        all.insert(codes.clone(), Arc::clone(&names));
        names
    }
}

impl Names {
    /// The rows of a class, without subtypes, by the text of the attribute at a place.
    pub fn of_texts(&self, base: &Base, code: u16, at: usize) -> Arc<Rows> {
        if let Some(known) = self.by_text.lock().get(&(code, at)) {
            return Arc::clone(known);
        }
        let mut rows = base.indexes.of_class(base, code..=code).into_owned();
        rows.sort_unstable();
        let mut found = Rows::new();
        for row in rows {
            if let Some(text) = text_at(base, row as usize, at) {
                found.entry(text).or_default().push(row);
            }
        }
        Arc::clone(self.by_text.lock().entry((code, at)).or_insert_with(|| Arc::new(found)))
    }
}

fn name_of(base: &Base, row: usize) -> Option<String> {
    text_at(base, row, NAME)
}

fn text_at(base: &Base, row: usize, at: usize) -> Option<String> {
    let mut cursor = base.attributes(row)?;
    for _ in 0..at {
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

    #[test]
    fn instances_are_found_by_a_text_as_they_are_by_looking_at_all() {
        let house = model(SchemaVersion::Ifc4, HOUSE);
        let check = |model: &crate::Model, text: &str| {
            for class in ["IfcWall", "IfcWallStandardCase", "IfcMaterial", "IfcNothing"] {
                let all = model.of_class_exact(class);
                let looked: Vec<_> =
                    all.into_iter().filter(|id| model.get(*id).unwrap().says("Name", text)).collect();
                assert_eq!(model.of_text(class, "Name", text), looked, "{class} {text}");
            }
        };
        let wall = house.of_class("IfcWall")[0];
        let class = house.get(wall).unwrap().class_name();
        let name = house.get(wall).unwrap().name().unwrap();
        assert!(house.of_text(class, "Name", &name).contains(&wall));
        check(&house, &name);
        let mut edit = house.edit();
        edit.set(wall, "Name", "East").unwrap();
        let values = [("GlobalId", crate::guid::compress(7).into()), ("Name", name.as_str().into())];
        let new = edit.create(class, &values).unwrap();
        check(&edit, &name);
        check(&edit, "East");
        assert!(edit.of_text(class, "Name", &name).ends_with(&[new]));
        edit.remove(new).unwrap();
        edit.set(wall, "Name", name.as_str()).unwrap();
        check(&edit, &name);
        assert!(house.of_text(class, "Nothing", &name).is_empty());
    }
}
