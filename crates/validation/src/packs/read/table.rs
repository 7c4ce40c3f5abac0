//! Reads the tables of a pack, from usages to quantities, and the usages that it adds.

use crate::finding::{Quantity, Unit};
use crate::packs::problem::instead;
use crate::packs::rule;
use crate::packs::source::{Table, as_table};
use crate::packs::usage::Vocabulary;
use crate::packs::value;
use toml::Spanned;
use toml::de::DeValue;

/// Reads the usages that a pack adds, into its vocabulary too.
pub(super) fn usages(root: &Table<'_, '_>, vocabulary: &mut Vocabulary) -> Vec<(String, String)> {
    let mut added = Vec::new();
    let Some(table) = root.table("usages") else { return added };
    for (usage, at, value) in table.entries() {
        let Some(words) = value.get_ref().as_array() else {
            table.source.problem(value.span().start, format!("`{usage}` has to be a list of words"));
            continue;
        };
        if words.is_empty() {
            table.source.problem(at, format!("`{usage}` has no word by which it is known"));
        }
        for word in words {
            match word.get_ref().as_str().filter(|word| !word.trim().is_empty()) {
                Some(word) => {
                    vocabulary.add(usage, word);
                    added.push((usage.to_owned(), word.to_owned()));
                }
                None => table.source.problem(word.span().start, "a word is a text that is not empty"),
            }
        }
    }
    added
}

/// The names of a pack's tables with their places.
pub(super) fn places<'s>(root: &Table<'s, '_>) -> Vec<(&'s str, usize)> {
    let Some(tables) = root.table("table") else { return Vec::new() };
    tables.entries().into_iter().map(|(name, at, _)| (name, at)).collect()
}

/// Reads the tables of a pack.
pub(super) fn tables(root: &Table<'_, '_>, vocabulary: &Vocabulary) -> Vec<rule::Table> {
    let Some(tables) = root.table("table") else { return Vec::new() };
    let mut found = Vec::new();
    for (name, at, value) in tables.entries() {
        match as_table(tables.source, value) {
            Some(own) => found.extend(table(name, &own, vocabulary)),
            None => tables.source.problem(at, format!("`{name}` has to be a table with `means` and `rows`")),
        }
    }
    found
}

fn table(name: &str, own: &Table<'_, '_>, vocabulary: &Vocabulary) -> Option<rule::Table> {
    let means = own.needed_text("means", "what the numbers are, with their source");
    let default = own.get("default").and_then(|value| number(own, value));
    let rows = own.table("rows");
    if rows.is_none() && !own.has("rows") {
        own.missing("rows", "a quantity for each usage");
    }
    own.finish();
    let known = vocabulary.usages();
    let mut found: Vec<(String, Quantity)> = Vec::new();
    for (usage, at, value) in rows?.entries() {
        if !known.contains(&usage) {
            own.source.problem(
                at,
                format!("`{usage}` is no usage of rooms{}", instead(usage, known.iter().copied())),
            );
        }
        let Some(quantity) = number(own, value) else { continue };
        let unit = found.first().map_or(quantity.unit, |(_, first)| first.unit);
        if unit != quantity.unit {
            own.source.problem(value.span().start, "the quantities of a table are of one kind");
        }
        found.push((usage.to_owned(), quantity));
    }
    let unit = found.first().map(|(_, quantity)| quantity.unit)?;
    if let Some(other) = default.filter(|default| default.unit != unit) {
        own.source.problem(
            own.place("default"),
            format!("`default` is {other}, which is of another kind than the rows"),
        );
    }
    Some(rule::Table { name: name.to_owned(), means, unit, rows: found, default })
}

/// Reads a quantity, or a plain number of things.
fn number(own: &Table<'_, '_>, value: &Spanned<DeValue<'_>>) -> Option<Quantity> {
    if let Some(text) = value.get_ref().as_str() {
        return match value::quantity(text) {
            Ok(quantity) => Some(quantity),
            Err((at, message)) => {
                own.source.problem(own.source.within(&value.span(), at), message);
                None
            }
        };
    }
    let plain = super::operand::plain_number(value.get_ref());
    if plain.is_none() {
        own.source.problem(value.span().start, "a quantity is a number of things, or a text as \"9.3 m²\"");
    }
    plain.map(|value| Quantity { value, unit: Unit::Count })
}
