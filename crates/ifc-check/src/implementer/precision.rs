//! The precision of geometric contexts: how near two points may be and still be two (IfcGeometricRepresentationContext.Precision).
//! Where nothing says which, 1e-5 of the file's unit.

use ifc::{Id, Model};
use std::collections::{HashMap, HashSet};

/// The precision where no context says one.
const PRECISION: f64 = 1e-5;

/// The precision that counts for an item: that of the contexts of the representations it is part of.
pub(super) struct Precisions<'m> {
    model: &'m Model,
    /// If all contexts have the same.
    same: Option<f64>,
    /// The least of all, for items that it would take too long to follow.
    least: f64,
    known: HashMap<Id, f64>,
    /// The number of referrers that may still be looked at.
    left: usize,
}

impl<'m> Precisions<'m> {
    pub fn new(model: &'m Model) -> Self {
        let contexts = model.of_class_exact("IfcGeometricRepresentationContext");
        let mut all: Vec<f64> = contexts.iter().map(|id| own_precision(model, *id)).collect();
        all.dedup();
        let same = match all.as_slice() {
            [] => Some(PRECISION),
            [one] => Some(*one),
            _ => None,
        };
        let least = all.iter().copied().fold(PRECISION, f64::min);
        Self { model, same, least, known: HashMap::new(), left: model.len().saturating_mul(64) }
    }

    pub fn precision(&mut self, item: Id) -> f64 {
        if let Some(same) = self.same {
            return same;
        }
        // up through what refers to the item, as far as representations
        let mut found: Option<f64> = None;
        let mut seen = HashSet::from([item]);
        let mut open = vec![item];
        while let Some(id) = open.pop() {
            if self.left == 0 {
                return self.least;
            }
            let referrers = self.model.referrers(id);
            self.left = self.left.saturating_sub(referrers.len() + 1);
            for referrer in referrers {
                let Some(instance) = self.model.get(referrer) else { continue };
                if instance.is_a("IfcRepresentation") {
                    let precision = instance
                        .reference("ContextOfItems")
                        .map_or(PRECISION, |context| self.of_context(context));
                    found = Some(found.map_or(precision, |found| found.max(precision)));
                } else if !instance.is_a("IfcRoot") && seen.len() < 10_000 && seen.insert(referrer) {
                    open.push(referrer);
                }
            }
        }
        found.unwrap_or(PRECISION)
    }

    fn of_context(&mut self, context: Id) -> f64 {
        if let Some(known) = self.known.get(&context) {
            return *known;
        }
        let precision = own_precision(self.model, context);
        self.known.insert(context, precision);
        precision
    }
}

/// The precision of a context; a subcontext has its parent's.
fn own_precision(model: &Model, context: Id) -> f64 {
    let mut at = context;
    for _ in 0..ifc::relations::DEPTH {
        let Some(instance) = model.get(at) else { break };
        match instance.reference("ParentContext") {
            Some(parent) => at = parent,
            None => {
                return instance
                    .number("Precision")
                    .filter(|precision| *precision > 0.0)
                    .unwrap_or(PRECISION);
            }
        }
    }
    PRECISION
}
