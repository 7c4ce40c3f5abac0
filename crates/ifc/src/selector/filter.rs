//! One filter of a selector, asked of one element after another; it remembers what they share.

use super::{Datum, Facet, Pattern, Test, keys};
use crate::relations::{DEPTH, Links};
use crate::{Id, Model, psets};
use foldhash::{HashMap, HashSet};

/// A filter with its memory.
pub(super) struct Filter<'f, 'm> {
    facet: &'f Facet,
    links: Links<'m>,
    /// Places by whether they or a place around them are so named.
    places: HashMap<Id, bool>,
    /// Sets by what they say of the property; none for sets of another name.
    sets: HashMap<Id, Option<Datum>>,
    /// Types by what their sets say of the property.
    types: HashMap<Id, Option<Datum>>,
    /// The elements at or below a parent so named, once they were asked for.
    below: Option<HashSet<Id>>,
}

impl<'f, 'm> Filter<'f, 'm> {
    pub fn new(model: &'m Model, facet: &'f Facet) -> Self {
        Self {
            facet,
            links: Links::of_many(model),
            places: HashMap::default(),
            sets: HashMap::default(),
            types: HashMap::default(),
            below: None,
        }
    }

    /// True if an element stays.
    pub fn passes(&mut self, id: Id) -> bool {
        let model = self.links.model();
        match self.facet {
            Facet::Class { .. } | Facet::Instance { .. } => true,
            Facet::Attribute { name, test } if name == "PredefinedType" => {
                self.links.predefined_type(id).map_or(Datum::Null, Datum::Text).passes(test)
            }
            Facet::Attribute { name, test } => Datum::of_attribute(model, id, name).passes(test),
            Facet::Property { set: Pattern::Exact(set), name: Pattern::Exact(name), test } => {
                self.property(id, set, name).passes(test)
            }
            Facet::Property { set, name, test } => matching(&self.links, id, set, name).passes(test),
            Facet::Type(test) => {
                let of_type = self.links.type_of(id);
                let attribute = |name| of_type.map_or(Datum::Null, |id| Datum::of_attribute(model, id, name));
                attribute("Name").passes(test) || attribute("GlobalId").passes(test)
            }
            Facet::Material(test) => {
                let materials = self.links.materials_of(id).into_iter();
                any(
                    materials
                        .flat_map(|m| ["Name", "Category"].map(|name| Datum::of_attribute(model, m, name))),
                    test,
                )
            }
            Facet::Classification(test) => self.classification(id, test),
            Facet::Location(test) => self.location(id, test) != test.not,
            Facet::Group(test) => {
                let plain = plain(test);
                let mut groups = self.links.groups_of(id).into_iter();
                groups.any(|group| is_named(model, group, &plain)) != test.not
            }
            Facet::Parent(test) => self.is_below(id, test) != test.not,
            Facet::Related { key, test } => {
                let names = named(&self.links, keys::of_entity(&self.links, id, key));
                any(names.into_iter(), test)
            }
            // nobody computes here
            Facet::Computed { test, .. } => Datum::Null.passes(test),
            Facet::Query { path, test } => path.follow(&self.links, id).passes(test),
        }
    }

    /// One property of an element: of its first set of that name or, where that says nothing, of its type's.
    fn property(&mut self, id: Id, set: &str, name: &str) -> Datum {
        let links = &self.links;
        let own = psets::definitions(links, id);
        if let Some(found) =
            in_sets(links.model(), &mut self.sets, own, set, name).filter(|v| *v != Datum::Null)
        {
            return found;
        }
        let Some(of_type) = links.type_of(id).filter(|of| *of != id) else { return Datum::Null };
        let inherited = self.types.entry(of_type).or_insert_with(|| {
            let sets =
                links.model().get(of_type).map(|t| t.references("HasPropertySets")).unwrap_or_default();
            in_sets(links.model(), &mut self.sets, sets, set, name)
        });
        inherited.clone().unwrap_or(Datum::Null)
    }

    /// True if a reference has the name or code. `NULL` asks for no reference, or one that lacks either, as
    /// IfcOpenShell has it; the code of IFC2X3 has another attribute.
    fn classification(&self, id: Id, test: &Test) -> bool {
        let model = self.links.model();
        let references = self.links.classifications_of(id);
        if references.is_empty() {
            return Datum::Null.passes(test);
        }
        let plain = plain(test);
        let found = references.into_iter().any(|reference| {
            let code = match Datum::of_attribute(model, reference, "Identification") {
                Datum::Null => Datum::of_attribute(model, reference, "ItemReference"),
                code => code,
            };
            code.passes(&plain) || Datum::of_attribute(model, reference, "Name").passes(&plain)
        });
        found != test.not
    }

    /// True if a place that an element is in, or a place around that, is so named; the test taken without its `!`.
    fn location(&mut self, id: Id, test: &Test) -> bool {
        let links = &self.links;
        let model = links.model();
        let plain = plain(test);
        // a project is no place
        let is_place = |id: &Id| model.get(*id).is_some_and(|i| !i.is_a("IfcProject"));
        let first = links.container(id).or_else(|| links.aggregate_parent(id)).filter(is_place);
        let Some(first) = first else { return Datum::Null.passes(&plain) };
        if let Some(known) = self.places.get(&first) {
            return *known;
        }
        let mut at = Some(first);
        let mut found = false;
        for _ in 0..DEPTH {
            let Some(place) = at.filter(is_place) else { break };
            found |= is_named(model, place, &plain);
            at = links.aggregate_parent(place);
        }
        self.places.insert(first, found);
        found
    }

    /// True if an element is, or is below, a whole, container, host or opening that is so named.
    fn is_below(&mut self, id: Id, test: &Test) -> bool {
        let links = &self.links;
        self.below.get_or_insert_with(|| below(links, &plain(test))).contains(&id)
    }
}

/// Names and GlobalIds of what a key led to.
pub(super) fn named(links: &Links<'_>, found: Datum) -> Vec<Datum> {
    let ids = match found {
        Datum::List(members) => members,
        other => vec![other],
    };
    let names = |id| ["Name", "GlobalId"].map(|name| Datum::of_attribute(links.model(), id, name));
    let of = |datum| match datum {
        Datum::Entity(id) => names(id).to_vec(),
        _ => Vec::new(),
    };
    ids.into_iter().flat_map(of).collect()
}

/// The test without its negation.
fn plain(test: &Test) -> Test {
    Test { not: false, ..test.clone() }
}

fn is_named(model: &Model, id: Id, test: &Test) -> bool {
    ["Name", "GlobalId"].into_iter().any(|name| Datum::of_attribute(model, id, name).passes(test))
}

fn below(links: &Links<'_>, test: &Test) -> HashSet<Id> {
    let model = links.model();
    let relations = [
        ("IfcRelAggregates", "RelatingObject"),
        ("IfcRelContainedInSpatialStructure", "RelatingStructure"),
        ("IfcRelNests", "RelatingObject"),
        ("IfcRelVoidsElement", "RelatingBuildingElement"),
        ("IfcRelFillsElement", "RelatingOpeningElement"),
    ];
    let mut parents = HashSet::default();
    for (class, attribute) in relations {
        parents
            .extend(model.of_class(class).into_iter().filter_map(|id| model.get(id)?.reference(attribute)));
    }
    parents.retain(|id| is_named(model, *id, test));
    let mut found = HashSet::default();
    for parent in parents {
        links.decompose_into(parent, &mut found);
    }
    found
}

/// True if any of the values passes; negated: if none does. Without any values: if nothing passes.
fn any(values: impl Iterator<Item = Datum>, test: &Test) -> bool {
    let mut values = values.filter(|value| *value != Datum::Null).peekable();
    if values.peek().is_none() {
        return Datum::Null.passes(test);
    }
    let plain = plain(test);
    values.any(|value| value.passes(&plain)) != test.not
}

/// The value of a property in the first of some sets with this name; none if there is no such set.
fn in_sets(
    model: &Model,
    known: &mut HashMap<Id, Option<Datum>>,
    sets: Vec<Id>,
    set: &str,
    name: &str,
) -> Option<Datum> {
    sets.into_iter().find_map(|id| {
        let found = known.entry(id).or_insert_with(|| {
            if keys::set_name(model, id).is_none_or(|known| known != set) {
                return None;
            }
            let property = psets::property_named(model, id, name);
            Some(property.map_or(Datum::Null, |property| Datum::of_property(model, &property)))
        });
        found.clone()
    })
}

/// The value that a property facet with a regular expression compares: the first that matches and says something.
pub(super) fn matching(links: &Links<'_>, element: Id, set: &Pattern, name: &Pattern) -> Datum {
    let sets: Vec<keys::Set> = match set {
        Pattern::Exact(set) => keys::whole_set(links, element, set).into_iter().collect(),
        Pattern::Regex(set) => {
            let all = keys::sets(links, element).into_iter();
            all.filter(|(known, _)| set.is_match(known)).map(|(_, properties)| properties).collect()
        }
    };
    for (known, value) in sets.into_iter().flatten() {
        // a set that has the exact name without a value leaves the search to the next set
        if name.matches(&known) && (matches!(name, Pattern::Regex(_)) || value != Datum::Null) {
            return value;
        }
    }
    Datum::Null
}
