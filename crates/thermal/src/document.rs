//! An energy model as epJSON while it is being made: objects by class and name.

use serde_json::{Map, Value, json};

/// The version of EnergyPlus that the objects are for.
pub(crate) const VERSION: &str = "25.2";

/// The objects so far.
#[derive(Debug)]
pub(crate) struct Document {
    classes: Map<String, Value>,
}

impl Document {
    /// A document with nothing but its version.
    pub fn new() -> Document {
        let mut document = Document { classes: Map::new() };
        document.one("Version", json!({ "version_identifier": VERSION }));
        document
    }

    /// Puts an object in, in the place of one of the same class and name.
    pub fn put(&mut self, class: &str, name: &str, fields: Value) {
        let objects = self.classes.entry(class).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(objects) = objects {
            objects.insert(name.to_owned(), fields);
        }
    }

    /// Puts in an object of a class that has no names; epJSON numbers them.
    pub fn one(&mut self, class: &str, fields: Value) {
        let number = self.count(class) + 1;
        self.put(class, &format!("{class} {number}"), fields);
    }

    /// Returns true if there is an object of this class and name.
    pub fn has(&self, class: &str, name: &str) -> bool {
        self.classes.get(class).is_some_and(|c| c.get(name).is_some())
    }

    /// The number of objects of a class.
    pub fn count(&self, class: &str) -> usize {
        self.classes.get(class).and_then(Value::as_object).map_or(0, Map::len)
    }

    /// The whole as epJSON.
    pub fn finish(self) -> Value {
        Value::Object(self.classes)
    }
}

/// A length in metres as it is written: to a hundredth of a millimetre, without a minus before nothing.
pub(crate) fn metres(v: f64) -> f64 {
    let rounded = (v * 1e5).round() / 1e5;
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// A value as it is written: to six digits.
pub(crate) fn digits(v: f64) -> f64 {
    if v == 0.0 || !v.is_finite() {
        return 0.0;
    }
    let factor = 10f64.powi(5 - v.abs().log10().floor() as i32);
    (v * factor).round() / factor
}
