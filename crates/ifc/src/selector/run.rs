//! Selectors applied to a model: each list of facets from left to right, then the union of the lists.
//!
//! A class or GlobalId is looked up in the model's indexes. Filters that follow one another may come in any order, so
//! the cheap ones run first and the dear ones see what is left. A filter goes from each element along its own
//! relations by the reverse index, never over all relations or sets of the model, and remembers what many elements
//! share: what a relation lists, whether a storey has the right name, what a set says of a property.

use super::filter::Filter;
use super::{Computes, Datum, Facet, Selector};
use crate::{Id, Model};
use rayon::prelude::*;

/// More elements than this are filtered by all threads, each with a memory of its own.
const MANY: usize = 4_096;

/// Runs over the whole model or, where `within` is given (sorted), over these elements alone.
pub(super) fn run(
    selector: &Selector,
    model: &Model,
    within: Option<&[Id]>,
    computes: Option<&dyn Computes>,
) -> Vec<Id> {
    let mut chosen = Vec::new();
    for facets in &selector.lists {
        let mut list = List { model, within, computes, elements: Vec::new(), begun: false };
        let mut filters = Vec::new();
        for facet in facets {
            match facet {
                Facet::Class { .. } | Facet::Instance { .. } => {
                    list.keep(std::mem::take(&mut filters));
                    list.change(facet);
                }
                filter => filters.push(filter),
            }
        }
        list.keep(filters);
        chosen = union(chosen, list.elements);
    }
    chosen
}

struct List<'r> {
    model: &'r Model,
    within: Option<&'r [Id]>,
    computes: Option<&'r dyn Computes>,
    /// Sorted, each once.
    elements: Vec<Id>,
    /// True if a facet has said what to begin with.
    begun: bool,
}

impl List<'_> {
    /// Adds or takes away a class or an element.
    fn change(&mut self, facet: &Facet) {
        self.begun = true;
        let (mut ids, not) = match facet {
            Facet::Class { name, not } => (self.model.of_class(name), *not),
            Facet::Instance { guid, not } => (self.model.by_guid(guid).into_iter().collect(), *not),
            _ => return,
        };
        ids.sort_unstable();
        if let Some(within) = self.within {
            ids.retain(|id| within.binary_search(id).is_ok());
        }
        if not {
            self.elements.retain(|id| ids.binary_search(id).is_err());
        } else {
            self.elements = union(std::mem::take(&mut self.elements), ids);
        }
    }

    /// A list that begins with a filter begins with all products and product types.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        self.elements = if let Some(within) = self.within { within.to_vec() } else { everything(self.model) };
    }

    fn keep(&mut self, mut filters: Vec<&Facet>) {
        if filters.is_empty() {
            return;
        }
        self.begin();
        filters.sort_by_key(|facet| price(facet));
        for facet in filters {
            if self.elements.is_empty() {
                return;
            }
            if let Facet::Computed { name, test } = facet {
                // together: who computes has threads of their own
                let values = self.computes.map(|computes| computes.values(name, &self.elements));
                let mut values = values.unwrap_or_default().into_iter();
                self.elements.retain(|_| values.next().unwrap_or(Datum::Null).passes(test));
                continue;
            }
            if self.elements.len() <= MANY {
                let mut filter = Filter::new(self.model, facet);
                self.elements.retain(|id| filter.passes(*id));
                continue;
            }
            let piece = self.elements.len().div_ceil(rayon::current_num_threads().max(1) * 2).max(1);
            let kept: Vec<Vec<Id>> = self
                .elements
                .par_chunks(piece)
                .map(|part| {
                    let mut filter = Filter::new(self.model, facet);
                    part.iter().copied().filter(|id| filter.passes(*id)).collect()
                })
                .collect();
            self.elements = kept.concat();
        }
    }
}

/// All products and product types, sorted.
pub(super) fn everything(model: &Model) -> Vec<Id> {
    let mut all = model.of_class("IfcProduct");
    all.extend(model.of_class("IfcTypeProduct"));
    all.sort_unstable();
    all
}

/// The cost of a filter for one element, in no unit.
fn price(facet: &Facet) -> u8 {
    match facet {
        Facet::Class { .. } | Facet::Instance { .. } => 0,
        Facet::Attribute { name, .. } if name != "PredefinedType" => 1,
        Facet::Attribute { .. } | Facet::Type(_) => 2,
        Facet::Group(_) | Facet::Location(_) | Facet::Related { .. } => 3,
        Facet::Material(_) | Facet::Classification(_) => 4,
        Facet::Property { .. } => 5,
        Facet::Parent(_) => 6,
        Facet::Query { .. } => 7,
        Facet::Computed { .. } => 8,
    }
}

/// Both, sorted, each once.
fn union(mut all: Vec<Id>, other: Vec<Id>) -> Vec<Id> {
    if all.is_empty() {
        return other;
    }
    all.extend(other);
    // two runs that are sorted: the stable sort merges them
    all.sort();
    all.dedup();
    all
}
