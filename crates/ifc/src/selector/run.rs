//! Selectors applied to a model: each list of facets from left to right, then the union of the lists.

use super::{Datum, Facet, Pattern, Selector, Test, path};
use crate::relations::Links;
use crate::{Id, Model};
use std::collections::{BTreeSet, HashMap};

pub(super) fn run(selector: &Selector, model: &Model) -> Vec<Id> {
    let links = Links::of_many(model);
    let mut chosen = BTreeSet::new();
    for facets in &selector.lists {
        let mut list = Run { links: &links, elements: BTreeSet::new(), begun: false };
        for facet in facets {
            list.apply(facet);
        }
        chosen.append(&mut list.elements);
    }
    chosen.into_iter().collect()
}

struct Run<'r, 'm> {
    links: &'r Links<'m>,
    elements: BTreeSet<Id>,
    /// Whether a facet has said what to begin with.
    begun: bool,
}

impl Run<'_, '_> {
    fn apply(&mut self, facet: &Facet) {
        let links = self.links;
        let model = links.model();
        match facet {
            Facet::Class { name, not } => self.change(model.of_class(name), *not),
            Facet::Instance { guid, not } => self.change(model.by_guid(guid).into_iter().collect(), *not),
            Facet::Attribute { name, test } if name == "PredefinedType" => {
                self.keep(|id| links.predefined_type(id).map_or(Datum::Null, Datum::Text).passes(test));
            }
            Facet::Attribute { name, test } => {
                self.keep(|id| Datum::of_attribute(model, id, name).passes(test));
            }
            Facet::Property { set, name, test } => {
                self.keep(|id| property(links, id, set, name).passes(test));
            }
            Facet::Type(test) => self.keep(|id| {
                let of_type = links.type_of(id);
                let attribute = |name| of_type.map_or(Datum::Null, |id| Datum::of_attribute(model, id, name));
                attribute("Name").passes(test) || attribute("GlobalId").passes(test)
            }),
            Facet::Material(test) => self.keep(|id| {
                let materials = path::material_names(links, id);
                any(materials.into_iter().flatten(), test)
            }),
            Facet::Classification(test) => self.keep(|id| {
                let references = links.classifications_of(id).into_iter().flat_map(|reference| {
                    ["Name", "Identification", "ItemReference"]
                        .map(|name| Datum::of_attribute(model, reference, name))
                });
                any(references, test)
            }),
            Facet::Location(test) => self.keep_with_cache(test, |id, cache| location(links, id, test, cache)),
            Facet::Group(test) => self.keep(|id| {
                let groups = links.groups_of(id).into_iter();
                let names = groups
                    .flat_map(|group| ["Name", "GlobalId"].map(|n| Datum::of_attribute(model, group, n)));
                any_named(names, test)
            }),
            Facet::Parent(test) => self.parent(test),
            Facet::Query { path, test } => self.keep(|id| path.follow(links, id).passes(test)),
        }
    }

    fn change(&mut self, ids: Vec<Id>, not: bool) {
        self.begun = true;
        if not {
            for id in ids {
                self.elements.remove(&id);
            }
        } else {
            self.elements.extend(ids);
        }
    }

    /// A list that begins with a filter begins with all products and product types.
    fn begin(&mut self) {
        if !self.begun {
            self.begun = true;
            self.elements.extend(self.links.model().of_class("IfcProduct"));
            self.elements.extend(self.links.model().of_class("IfcTypeProduct"));
        }
    }

    fn keep(&mut self, passes: impl Fn(Id) -> bool) {
        self.begin();
        self.elements.retain(|id| passes(*id));
    }

    fn keep_with_cache(&mut self, test: &Test, passes: impl Fn(Id, &mut HashMap<Id, bool>) -> bool) {
        self.begin();
        let mut cache = HashMap::new();
        self.elements.retain(|id| passes(*id, &mut cache) != test.not);
    }

    /// Everything at or below what is so named, or everything else.
    fn parent(&mut self, test: &Test) {
        let model = self.links.model();
        let relations = [
            ("IfcRelAggregates", "RelatingObject"),
            ("IfcRelContainedInSpatialStructure", "RelatingStructure"),
            ("IfcRelNests", "RelatingObject"),
            ("IfcRelVoidsElement", "RelatingBuildingElement"),
            ("IfcRelFillsElement", "RelatingOpeningElement"),
        ];
        let plain = Test { not: false, ..test.clone() };
        let mut parents = BTreeSet::new();
        for (class, attribute) in relations {
            parents.extend(
                model.of_class(class).into_iter().filter_map(|id| model.get(id)?.reference(attribute)),
            );
        }
        parents.retain(|id| {
            ["Name", "GlobalId"].into_iter().any(|name| Datum::of_attribute(model, *id, name).passes(&plain))
        });
        let mut found = parents.clone();
        for parent in parents {
            if !found.is_empty() {
                found.extend(self.links.decomposition(parent));
            }
        }
        self.keep(|id| found.contains(&id) != test.not);
    }
}

/// Whether any of the values passes; negated: whether none does. Without any values: whether nothing passes.
fn any(values: impl Iterator<Item = Datum>, test: &Test) -> bool {
    let mut values = values.filter(|value| *value != Datum::Null).peekable();
    if values.peek().is_none() {
        return Datum::Null.passes(test);
    }
    let plain = Test { not: false, ..test.clone() };
    values.any(|value| value.passes(&plain)) != test.not
}

/// The same where no value means no match.
fn any_named(mut values: impl Iterator<Item = Datum>, test: &Test) -> bool {
    let plain = Test { not: false, ..test.clone() };
    values.any(|value| value.passes(&plain)) != test.not
}

/// Whether a place that an element is in, or a place around that, is so named.
fn location(links: &Links<'_>, element: Id, test: &Test, cache: &mut HashMap<Id, bool>) -> bool {
    let model = links.model();
    let plain = Test { not: false, ..test.clone() };
    let Some(first) = links.container(element).or_else(|| links.aggregate_parent(element)) else {
        return Datum::Null.passes(&plain);
    };
    if let Some(known) = cache.get(&first) {
        return *known;
    }
    let mut at = Some(first);
    let mut found = false;
    for _ in 0..crate::relations::DEPTH {
        let Some(place) = at.filter(|id| model.get(*id).is_some_and(|i| !i.is_a("IfcProject"))) else {
            break;
        };
        found |= ["Name", "GlobalId"]
            .into_iter()
            .any(|name| Datum::of_attribute(model, place, name).passes(&plain));
        at = links.aggregate_parent(place);
    }
    cache.insert(first, found);
    found
}

/// The value that a property facet compares: with regular expressions, the first that matches and says something.
fn property(links: &Links<'_>, element: Id, set: &Pattern, name: &Pattern) -> Datum {
    match (set, name) {
        (Pattern::Exact(set), Pattern::Exact(name)) => path::property(links, element, set, name),
        (set, name) => {
            for (_, properties) in
                path::sets(links, element).into_iter().filter(|(known, _)| set.matches(known))
            {
                for (known, value) in properties {
                    // a set that has the exact name without a value leaves the search to the next set
                    if name.matches(&known) && (matches!(name, Pattern::Regex(_)) || value != Datum::Null) {
                        return value;
                    }
                }
            }
            Datum::Null
        }
    }
}
