//! The filters of a selector by what they name: for saying whether a name that matched nothing exists at all, and which values it has.

use super::{Datum, Facet, Path, Pattern, Test, Wanted, expression, filter, keys};
use crate::psets;
use crate::relations::Links;
use crate::{Id, Model};

/// A filter and what stands before it in its list.
pub struct Asked<'s> {
    facet: &'s Facet,
    test: &'s Test,
    /// The classes that its list begins with; none where it begins with all products or with GlobalIds.
    pub classes: Vec<&'s str>,
}

/// The thing that a filter names.
pub enum Subject<'s> {
    /// An attribute.
    Attribute(&'s str),
    /// A property or quantity; none for a part that is a regular expression.
    Property {
        /// The set's name.
        set: Option<&'s str>,
        /// The property's.
        name: Option<&'s str>,
    },
    /// A relation, whose values are names: `type`, `storey`, …
    Relation(&'static str),
    /// A value that is computed, by its name.
    Computed(&'static str),
    /// A path of keys.
    Path(&'s Path),
}

/// The filters of one list.
pub(super) fn of_list(facets: &[Facet]) -> Vec<Asked<'_>> {
    let mut classes: Vec<&str> = Vec::new();
    let mut by_id = false;
    let mut found = Vec::new();
    for facet in facets {
        match facet {
            Facet::Class { name, not: false } => classes.push(name),
            Facet::Class { .. } => {}
            Facet::Instance { .. } => by_id = true,
            other => {
                if let Some(test) = test_of(other) {
                    let classes = if by_id { Vec::new() } else { classes.clone() };
                    found.push(Asked { facet, test, classes });
                }
            }
        }
    }
    found
}

fn test_of(facet: &Facet) -> Option<&Test> {
    match facet {
        Facet::Class { .. } | Facet::Instance { .. } => None,
        Facet::Attribute { test, .. }
        | Facet::Property { test, .. }
        | Facet::Type(test)
        | Facet::Material(test)
        | Facet::Classification(test)
        | Facet::Location(test)
        | Facet::Group(test)
        | Facet::Parent(test)
        | Facet::Related { test, .. }
        | Facet::Computed { test, .. }
        | Facet::Query { test, .. } => Some(test),
    }
}

impl<'s> Asked<'s> {
    /// The thing that it names.
    pub fn subject(&self) -> Subject<'s> {
        match self.facet {
            Facet::Attribute { name, .. } => Subject::Attribute(name),
            Facet::Property { set, name, .. } => {
                let exact = |pattern: &'s Pattern| match pattern {
                    Pattern::Exact(name) => Some(name.as_str()),
                    Pattern::Regex(_) => None,
                };
                Subject::Property { set: exact(set), name: exact(name) }
            }
            Facet::Material(_) => Subject::Relation("material"),
            Facet::Classification(_) => Subject::Relation("classification"),
            Facet::Location(_) => Subject::Relation("location"),
            Facet::Group(_) => Subject::Relation("group"),
            Facet::Parent(_) => Subject::Relation("parent"),
            Facet::Related { key, .. } => Subject::Relation(key),
            Facet::Computed { name, .. } => Subject::Computed(name),
            Facet::Query { path, .. } => Subject::Path(path),
            Facet::Type(_) | Facet::Class { .. } | Facet::Instance { .. } => Subject::Relation("type"),
        }
    }

    /// The name as it was written: `Pset_WallCommon.IsExternal`, `storey`; a regular expression between strokes.
    pub fn label(&self) -> String {
        let written = |pattern: &Pattern| match pattern {
            Pattern::Exact(name) => name.clone(),
            Pattern::Regex(regex) => expression::written(regex),
        };
        match self.facet {
            Facet::Attribute { name, .. } => name.clone(),
            Facet::Property { set, name, .. } => format!("{}.{}", written(set), written(name)),
            Facet::Query { path, .. } => path.to_string(),
            _ => match self.subject() {
                Subject::Relation(key) | Subject::Computed(key) => key.to_owned(),
                _ => String::new(),
            },
        }
    }

    /// The comparison as it was written, but for the value's quotes: `=F90`.
    pub fn comparison(&self) -> String {
        let operator = match self.test.operator {
            super::Operator::Equal => "=",
            super::Operator::Less => "<",
            super::Operator::LessOrEqual => "<=",
            super::Operator::Greater => ">",
            super::Operator::GreaterOrEqual => ">=",
            super::Operator::Contains => "*=",
        };
        let wanted = match &self.test.wanted {
            Wanted::Null => "NULL".to_owned(),
            Wanted::Truth(truth) => truth.to_string().to_uppercase(),
            Wanted::Text(text) => text.clone(),
            Wanted::Regex(regex) => expression::written(regex),
        };
        format!("{}{operator}{wanted}", if self.test.not { "!" } else { "" })
    }

    /// The text that it asks for as it stands; none where it asks for another kind of value, or for part of it.
    pub fn wanted_text(&self) -> Option<&'s str> {
        match (&self.test.wanted, self.test.operator) {
            (Wanted::Text(text), super::Operator::Equal) => Some(text),
            _ => None,
        }
    }

    /// True if only what has a value can pass it.
    pub fn is_positive(&self) -> bool {
        !self.test.not && !matches!(self.test.wanted, Wanted::Null)
            || self.test.not && matches!(self.test.wanted, Wanted::Null)
    }

    /// True if an element has the name, with a value or without.
    pub fn has(&self, links: &Links<'_>, id: Id) -> bool {
        let model = links.model();
        match self.facet {
            Facet::Attribute { name, .. } => model.get(id).and_then(|i| i.entity()).is_some_and(|entity| {
                entity.index_of(name).is_some() || model.schema().inverses(entity).any(|i| i.name == *name)
            }),
            Facet::Property { set: Pattern::Exact(set), name: Pattern::Exact(name), .. } => {
                psets::find_with(links, id, set, name).is_some()
            }
            Facet::Property { set, name, .. } => psets::of_with(links, id)
                .iter()
                .filter(|known| set.matches(&known.name))
                .any(|known| known.properties.iter().any(|property| name.matches(&property.name))),
            _ => !self.values(links, id).is_empty(),
        }
    }

    /// True if it names a set, by a name or a regular expression, that an element has.
    pub fn has_set(&self, links: &Links<'_>, id: Id) -> bool {
        match self.facet {
            Facet::Property { set, .. } => {
                psets::of_with(links, id).iter().any(|known| set.matches(&known.name))
            }
            _ => false,
        }
    }

    /// True if a value passes its comparison.
    pub fn takes(&self, value: &Datum) -> bool {
        value.passes(self.test)
    }

    /// The values of an element that it compares; none where there is nothing.
    pub fn values(&self, links: &Links<'_>, id: Id) -> Vec<Datum> {
        let model = links.model();
        let names = |ids: Vec<Id>| {
            filter::named(links, Datum::entities(ids)).into_iter().step_by(2).collect::<Vec<_>>()
        };
        let found = match self.facet {
            // what is computed is known elsewhere
            Facet::Class { .. } | Facet::Instance { .. } | Facet::Computed { .. } => Vec::new(),
            Facet::Attribute { name, .. } if name == "PredefinedType" => {
                links.predefined_type(id).map(Datum::Text).into_iter().collect()
            }
            Facet::Attribute { name, .. } => vec![Datum::of_attribute(model, id, name)],
            Facet::Property { set: Pattern::Exact(set), name: Pattern::Exact(name), .. } => {
                let found = psets::find_with(links, id, set, name);
                found.map(|property| Datum::of_property(model, &property)).into_iter().collect()
            }
            Facet::Property { set, name, .. } => vec![filter::matching(links, id, set, name)],
            Facet::Type(_) => names(links.type_of(id).into_iter().collect()),
            Facet::Material(_) => names(links.materials_of(id)),
            Facet::Classification(_) => links
                .classifications_of(id)
                .into_iter()
                .flat_map(|id| {
                    ["Identification", "ItemReference", "Name"]
                        .map(|name| Datum::of_attribute(model, id, name))
                })
                .collect(),
            Facet::Location(_) | Facet::Parent(_) => names(links.upwards(id).into_iter().skip(1).collect()),
            Facet::Group(_) => names(links.groups_of(id)),
            Facet::Related { key, .. } => {
                filter::named(links, keys::of_entity(links, id, key)).into_iter().step_by(2).collect()
            }
            Facet::Query { path, .. } => vec![path.follow(links, id)],
        };
        let members = found.into_iter().flat_map(|value| match value.untyped() {
            Datum::List(members) => members,
            other => vec![other],
        });
        members.map(Datum::untyped).filter(|value| *value != Datum::Null).collect()
    }

    /// The elements among some that pass it by itself.
    pub fn passing(&self, model: &Model, elements: &[Id]) -> usize {
        let mut filter = filter::Filter::new(model, self.facet);
        elements.iter().filter(|id| filter.passes(**id)).count()
    }
}
