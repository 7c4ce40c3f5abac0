//! Names of copies: the same words with the next number that nobody bears, `Wall 1` → `Wall 4`, `W-007` → `W-012`,
//! `North wall` → `North wall 2`.

use ifc::Model;
use std::collections::{HashMap, HashSet};

/// The names that are taken, by class, and how far each series has come.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashMap<String, HashSet<String>>,
    reached: HashMap<(String, String), u64>,
}

impl Names {
    /// Returns the next free name after one of an element of this class, and takes it.
    pub fn next(&mut self, model: &Model, class: &str, name: &str) -> String {
        let (stem, number, width) = parted(name);
        let key = (class.to_owned(), stem.clone());
        let mut at = self.reached.get(&key).copied().unwrap_or(number).max(number);
        loop {
            at = at.saturating_add(1);
            let candidate = format!("{stem}{at:0width$}");
            if self.take(model, class, &candidate) {
                self.reached.insert(key, at);
                return candidate;
            }
        }
    }

    /// Takes a name if it is free among elements of this class; answers whether it was.
    pub fn take(&mut self, model: &Model, class: &str, name: &str) -> bool {
        self.of_class(model, class).insert(name.to_owned())
    }

    /// Forgets that a name is taken, for an element that is given another one.
    pub fn free(&mut self, model: &Model, class: &str, name: &str) {
        self.of_class(model, class).remove(name);
    }

    fn of_class(&mut self, model: &Model, class: &str) -> &mut HashSet<String> {
        // walls of one kind are numbered with all walls
        let family = class.trim_end_matches("StandardCase").trim_end_matches("ElementedCase");
        self.taken.entry(family.to_owned()).or_insert_with(|| {
            model.of_class(family).into_iter().filter_map(|id| model.get(id)?.name()).collect()
        })
    }
}

/// Returns names for so many elements of a class that are made in one call: where `{n}` stands its number; after a name that
/// ends in a number the next free ones, `Wall 1`, `Wall 2`; else the name with numbers from 1. Those that are borne are left out.
pub fn series(model: &Model, class: &str, text: &str, count: usize) -> Vec<String> {
    let mut names = Names::default();
    if text.contains("{n}") || !text.ends_with(|c: char| c.is_ascii_digit()) {
        let pattern =
            if text.contains("{n}") { text.to_owned() } else { format!("{} {{n}}", text.trim_end()) };
        let all = (1_u64..).map(|n| pattern.replace("{n}", &n.to_string()));
        return all.filter(|name| names.take(model, class, name)).take(count).collect();
    }
    let mut last = text.to_owned();
    let mut found = Vec::with_capacity(count);
    for i in 0..count {
        // the first name is the one that was asked for
        if i > 0 || !names.take(model, class, &last) {
            last = names.next(model, class, &last);
        }
        found.push(last.clone());
    }
    found
}

/// The words before a name's number, the number, and how many digits it is written with.
fn parted(name: &str) -> (String, u64, usize) {
    let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (stem, number) = name.split_at(name.len() - digits);
    match number.parse::<u64>() {
        Ok(value) if digits < 16 => {
            let width = if number.starts_with('0') { digits } else { 1 };
            (stem.to_owned(), value, width)
        }
        _ => (format!("{} ", name.trim_end()), 1, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ifc::{Header, SchemaVersion};

    #[test]
    fn a_copy_bears_the_next_number_in_the_same_writing() {
        let model = Model::blank(SchemaVersion::Ifc4, Header::new("a.ifc", "2026-11-21T22:00:00"));
        let mut names = Names::default();
        let mut next = |name: &str| names.next(&model, "IfcWall", name);
        assert_eq!(next("Wall 1"), "Wall 2");
        assert_eq!(next("Wall 1"), "Wall 3");
        assert_eq!(next("W-007"), "W-008");
        assert_eq!(next("North wall"), "North wall 2");
        assert_eq!(next("North wall"), "North wall 3");
        assert_eq!(next("099"), "100");
        assert_eq!(next(""), " 2");
    }

    #[test]
    fn names_of_several_count_on_from_the_one_that_is_given() {
        let model = Model::blank(SchemaVersion::Ifc4, Header::new("a.ifc", "2026-11-21T22:00:00"));
        let three = |text: &str| series(&model, "IfcWall", text, 3);
        assert_eq!(three("Wall 1"), ["Wall 1", "Wall 2", "Wall 3"]);
        assert_eq!(three("W-09"), ["W-09", "W-10", "W-11"]);
        assert_eq!(three("North"), ["North 1", "North 2", "North 3"]);
        assert_eq!(three("A{n} north"), ["A1 north", "A2 north", "A3 north"]);
    }
}
