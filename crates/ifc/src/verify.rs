//! Looks at every attribute of every instance, which opening does not: what cannot be read, what refers to nowhere,
//! and instances with too many or too few attributes.

use crate::instance::Instance;
use crate::{Id, Model, Problem, ProblemCode};
use rayon::prelude::*;

impl Model {
    /// References to instances that are not there, by id of the instance that has them.
    pub fn dangling(&self) -> Vec<Problem> {
        let base = &self.base;
        let mut found: Vec<(u32, u32)> = base
            .indexes
            .references(base)
            .dangling
            .iter()
            .filter_map(|(row, target)| Some((base.id(*row as usize)?, *target)))
            .filter(|(source, target)| !self.overlay.contains(*source) && !self.contains(Id(*target)))
            .collect();
        // what was removed may still be referred to by what was not changed, if a delta says so
        for (id, _) in self.overlay.slots.iter().filter(|(id, _)| !self.contains(Id(**id))) {
            found.extend(self.referrers(Id(*id)).into_iter().map(|source| (source.0, *id)));
        }
        for (id, _) in &self.overlay.slots {
            for value in self.get(Id(*id)).map(|instance| instance.attributes()).unwrap_or_default() {
                value.for_each_ref(&mut |target| {
                    if !self.contains(target) {
                        found.push((*id, target.0));
                    }
                });
            }
        }
        found.sort_unstable();
        found.dedup();
        found
            .into_iter()
            .filter_map(|(source, target)| {
                let instance = self.get(Id(source))?;
                let message = format!(
                    "{} ({}) refers to #{target}, which does not exist",
                    instance.id(),
                    instance.class_name()
                );
                Some(self.problem(&instance, 0, ProblemCode::DanglingReference, message))
            })
            .collect()
    }

    /// Everything wrong that shows only when every attribute is read: dangling references included.
    pub fn verify(&self) -> Vec<Problem> {
        let ids: Vec<Id> = self.ids().collect();
        let mut problems: Vec<Problem> =
            ids.par_iter().with_min_len(1024).flat_map_iter(|id| self.verify_instance(*id)).collect();
        problems.extend(self.dangling());
        problems.sort_by_key(|problem| (problem.line, problem.column, problem.id));
        problems
    }

    fn verify_instance(&self, id: Id) -> Vec<Problem> {
        let Some(instance) = self.get(id) else { return Vec::new() };
        let mut problems = Vec::new();
        let mut count = 0;
        let name = |at: usize| match instance.entity().and_then(|entity| entity.attributes.get(at)) {
            Some(attribute) => format!("{id} ({}.{})", instance.class_name(), attribute.name),
            None => format!("{id} ({}, attribute {})", instance.class_name(), at + 1),
        };
        let is_complex = instance.class_name().starts_with('(');
        if is_complex {
            return problems;
        }
        let end = instance.try_attributes(|value| {
            if let Err(error) = value {
                let message = format!("{}: {}", name(count), error.message);
                problems.push(self.problem(&instance, error.at, ProblemCode::Value, message));
            }
            count += 1;
        });
        if let Err(error) = end {
            let message = format!("{}: {}", name(count), error.message);
            problems.push(self.problem(&instance, error.at, ProblemCode::Value, message));
        } else if let Some(entity) = instance.entity()
            && entity.attributes.len() != count
        {
            let message =
                format!("{id}: {} has {} attributes, not {count}", entity.name, entity.attributes.len());
            problems.push(self.problem(&instance, 0, ProblemCode::AttributeCount, message));
        }
        problems
    }

    fn problem(&self, instance: &Instance<'_>, at: usize, code: ProblemCode, message: String) -> Problem {
        let base = &self.base;
        let start = base.row(instance.id().0).and_then(|row| base.rows.span(row)).map(|(start, _)| start);
        let (line, column) =
            start.map_or((0, 0), |start| base.indexes.lines(&base.bytes).place(&base.bytes, start + at));
        Problem { line, column, id: Some(instance.id()), code, message }
    }
}
