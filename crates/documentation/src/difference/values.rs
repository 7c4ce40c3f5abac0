//! What is stated of an element in two versions: attributes, type, material, storey and properties, each as words.

use super::Value;
use ifc::psets::{self, Detail, Property};
use ifc::relations::Links;
use ifc::units::Units;
use ifc::{Id, Value as Stated};
use std::collections::BTreeMap;

/// Attributes that say nothing of a building, or what is told elsewhere.
const NOT: [&str; 4] = ["GlobalId", "OwnerHistory", "ObjectPlacement", "Representation"];
/// The most words of a value that are told, in characters.
const MOST: usize = 120;

/// All that one version states of elements.
pub(super) struct Stating<'m> {
    links: Links<'m>,
    units: Units,
}

/// The statements of an element by set and name; the set is empty for attributes and relations.
type Statements = BTreeMap<(String, String), String>;

impl<'m> Stating<'m> {
    pub fn new(model: &'m ifc::Model) -> Stating<'m> {
        Stating { links: Links::of_many(model), units: Units::from_model(model) }
    }

    pub fn links(&self) -> &Links<'m> {
        &self.links
    }

    fn statements(&self, id: Id) -> Statements {
        let mut all = Statements::new();
        let model = self.links.model();
        let Some(instance) = model.get(id) else { return all };
        let mut add = |set: &str, name: &str, words: String| {
            if !words.is_empty() {
                all.insert((set.to_owned(), name.to_owned()), short(words));
            }
        };
        let attributes = instance.entity().map(|entity| entity.attributes).unwrap_or_default();
        for (at, attribute) in attributes.iter().enumerate().filter(|(_, a)| !NOT.contains(&a.name)) {
            let value = instance.attr_at(at);
            if value.as_ref().is_none() {
                let length = attribute.declared.contains("LengthMeasure");
                let unit = if length { Some(self.units.length_label().to_owned()) } else { None };
                add("", attribute.name, with_unit(said(&value), unit));
            }
        }
        let named = |id: Id| model.get(id).and_then(|i| i.name()).unwrap_or_default();
        if let Some(of_type) = self.links.type_of(id) {
            add("", "Type", named(of_type));
        }
        let materials: Vec<String> = self.material_words(id);
        add("", "Material", materials.join(" + "));
        if let Some(storey) = self.links.storey_of(id) {
            add("", "Storey", named(storey));
        }
        for set in psets::merged(&self.links, id) {
            for property in &set.properties {
                add(&set.name, &property.name, self.property(property));
            }
        }
        all
    }

    fn material_words(&self, id: Id) -> Vec<String> {
        let model = self.links.model();
        let name = |id: Option<Id>| id.and_then(|id| model.get(id)?.name()).unwrap_or_default();
        let parts = self.links.composition_of(id).map(|c| c.parts).unwrap_or_default();
        let layer = |part: ifc::relations::Part| match part.thickness {
            Some(thickness) => {
                let mm = (self.units.to_mm(thickness) * 10.0).round() / 10.0;
                format!("{} {mm} mm", name(part.material))
            }
            None => name(part.material),
        };
        parts.into_iter().map(layer).filter(|words| !words.trim().is_empty()).collect()
    }

    fn property(&self, property: &Property) -> String {
        match &property.detail {
            Detail::Complex(parts) => {
                let parts = parts.iter().map(|p| format!("{}: {}", p.name, self.property(p)));
                parts.collect::<Vec<_>>().join("; ")
            }
            Detail::Bounded { lower, upper } => {
                let words = format!("{} … {}", said(lower), said(upper));
                with_unit(words, property.unit_label(self.links.model(), &self.units))
            }
            Detail::Table { defining, defined } => {
                let rows = defining.iter().zip(defined).map(|(a, b)| format!("{}: {}", said(a), said(b)));
                rows.collect::<Vec<_>>().join("; ")
            }
            Detail::Reference(to) => to.and_then(|id| self.links.model().get(id)?.name()).unwrap_or_default(),
            _ => with_unit(said(&property.value), property.unit_label(self.links.model(), &self.units)),
        }
    }
}

fn with_unit(words: String, unit: Option<String>) -> String {
    match unit {
        Some(unit) if !words.is_empty() && !unit.is_empty() => format!("{words} {unit}"),
        _ => words,
    }
}

fn short(words: String) -> String {
    if words.chars().count() <= MOST {
        return words;
    }
    words.chars().take(MOST - 1).chain(['…']).collect()
}

/// A value as words; numbers to six digits behind the point, so that how a program rounds is no change.
fn said(value: &Stated) -> String {
    match value.untyped() {
        // a type within a type is none of a file's
        Stated::Null | Stated::Derived | Stated::Ref(_) | Stated::Typed(..) => String::new(),
        Stated::Integer(number) => number.to_string(),
        Stated::Real(number) => {
            let rounded = (number * 1e6).round() / 1e6;
            // no -0
            format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
        }
        Stated::Boolean(true) => "true".to_owned(),
        Stated::Boolean(false) => "false".to_owned(),
        Stated::Unknown => "unknown".to_owned(),
        Stated::Text(text) => text.trim().to_owned(),
        Stated::Enum(item) => item.clone(),
        Stated::Binary(digits) => format!("{} bits", digits.len() * 4),
        Stated::List(members) => members.iter().map(said).collect::<Vec<_>>().join(", "),
    }
}

/// The statements that differ, in the order of set and name.
pub(super) fn differing(before: (&Stating<'_>, Id), after: (&Stating<'_>, Id)) -> Vec<Value> {
    let (old, mut new) = (before.0.statements(before.1), after.0.statements(after.1));
    let mut found = Vec::new();
    for ((set, name), from) in old {
        let to = new.remove(&(set.clone(), name.clone()));
        if to.as_ref() != Some(&from) {
            found.push(Value { set, name, from: Some(from), to });
        }
    }
    let only_new = new.into_iter().map(|((set, name), to)| Value { set, name, from: None, to: Some(to) });
    found.extend(only_new);
    found.sort_by(|a, b| (&a.set, &a.name).cmp(&(&b.set, &b.name)));
    found
}
