//! Two changes of one model made into one: base, ours, theirs.
//!
//! The work of each side is a delta from the base; both are joined by instance and by meaning. Members of relations join
//! as sets, lists of one length by position, property sets of one name given to one element by both sides become one
//! set. Where both sides cannot hold, a [`Conflict`] says what it is about, what either side wants, and what choosing
//! a side does: an attribute or property given two values, two moves of one thing, a removal of what the other side
//! changed or relies on, a place that can be taken once only (an element in two storeys), a list left too short, a
//! GlobalId made twice. [`Merge::resolve`] takes a choice for each and answers the merged model with the delta that
//! leads to it from ours.
//!
//! Nothing here decides by itself who is right, and geometry is not looked at.

mod attributes;
mod conflict;
mod placements;
mod removals;
mod renumber;
mod sets;
#[cfg(test)]
mod tests;
mod union;
mod withhold;

pub use conflict::{Conflict, ConflictKind, Thing};
pub use renumber::IdMap;

use conflict::Part;
use ifc::delta::{AttributeEdit, Delta, DeltaError};
use ifc::{Id, Model, Side, Value};
use std::collections::BTreeSet;

/// The most times that choices may lead to conflicts that were not there before.
const ROUNDS: usize = 8;

/// Two changes of one base, joined as far as they go together.
pub struct Merge {
    base: Model,
    ours: Model,
    theirs: Model,
    of_ours: Delta,
    of_theirs: Delta,
    /// From the ids of theirs, as it was given, to those in `theirs`.
    ids: IdMap,
    conflicts: Vec<Conflict>,
}

/// The outcome of a merge.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The model with both changes.
    pub model: Model,
    /// The delta that leads from ours to it.
    pub delta: Delta,
    /// Under which ids it has what theirs has; to be given to [`Merge::between`] when versions after both meet again.
    pub ids: IdMap,
}

/// Why a merge cannot be finished.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MergeError {
    /// Nobody chose a side in these; some may follow from choices that were made.
    #[error("{} conflicts are not resolved, the first: {}", .0.len(), .0.first().map_or_else(String::new, ToString::to_string))]
    Unresolved(Vec<Conflict>),
    /// The models are not versions of one history.
    #[error("the models do not belong to one history: {0}")]
    Unrelated(#[from] DeltaError),
}

impl Merge {
    /// Joins the changes that lead from `base` to `ours` and to `theirs`, which are versions of one history. O(changes)
    /// where all three stand over one opened file.
    pub fn new(base: &Model, ours: &Model, theirs: &Model) -> Result<Self, MergeError> {
        let mut merge = Self {
            base: base.clone(),
            ours: ours.clone(),
            theirs: theirs.clone(),
            of_ours: Delta::between(base, ours),
            of_theirs: Delta::between(base, theirs),
            ids: IdMap::default(),
            conflicts: Vec::new(),
        };
        merge.conflicts = merge.join(&[], &[])?.conflicts;
        Ok(merge)
    }

    /// Merges versions of which `ours` or `theirs` took what is in `base` over by a merge, and so has it under other
    /// ids: `to_ours` and `to_theirs` lead from the ids of the base to theirs, merge by merge (see [`Merged::ids`]).
    pub fn between(
        base: &Model,
        ours: &Model,
        theirs: &Model,
        to_ours: &IdMap,
        to_theirs: &IdMap,
    ) -> Result<Self, MergeError> {
        if to_ours.is_identity() && to_theirs.is_identity() {
            return Self::new(base, ours, theirs);
        }
        let free = [base, ours, theirs].map(|model| model.next_id().0).into_iter().max().unwrap_or(0);
        let (of_base, free) = to_ours.with_new(base, free).ok_or(DeltaError::OutOfIds)?;
        let of_theirs = to_theirs.inverted().then(&of_base);
        let (ids, _) = of_theirs.with_new(theirs, free).ok_or(DeltaError::OutOfIds)?;
        let base = renumber::renumbered(base, &of_base)?;
        let theirs = renumber::renumbered(theirs, &ids)?;
        Ok(Self { ids, ..Self::new(&base, ours, &theirs)? })
    }

    /// Base, ours and theirs, in the one numbering that conflicts speak in.
    pub fn models(&self) -> [&Model; 3] {
        [&self.base, &self.ours, &self.theirs]
    }

    /// The conflicts, by what they are about; empty if all of both holds.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The merged model, with a side chosen for every conflict, and for those that follow from choices made. What is
    /// in no conflict holds from both sides.
    pub fn resolve(&self, mut choose: impl FnMut(&Conflict) -> Option<Side>) -> Result<Merged, MergeError> {
        let (mut from_ours, mut from_theirs) = (Vec::new(), Vec::new());
        let mut pending = self.conflicts.clone();
        for _ in 0..ROUNDS {
            let mut open = Vec::new();
            for conflict in pending {
                match choose(&conflict) {
                    Some(Side::Ours) => from_theirs.extend(conflict.theirs),
                    Some(Side::Theirs) => from_ours.extend(conflict.ours),
                    None => open.push(conflict),
                }
            }
            if !open.is_empty() {
                return Err(MergeError::Unresolved(open));
            }
            let Joined { model, conflicts, shift } = self.join(&from_ours, &from_theirs)?;
            if conflicts.is_empty() {
                let delta = Delta::between(&self.ours, &model);
                let (from, to) = shift;
                let runs = vec![(0, from, 0), (from, self.theirs.next_id().0.max(from), to)];
                let ids = IdMap::of_runs(runs).ok_or(DeltaError::OutOfIds)?;
                return Ok(Merged { model, delta, ids: self.ids.then(&ids) });
            }
            pending = conflicts;
        }
        Err(MergeError::Unresolved(pending))
    }

    /// Joins both changes without those parts; the model holds what is in no conflict.
    fn join(&self, from_ours: &[Part], from_theirs: &[Part]) -> Result<Joined, DeltaError> {
        let (mut from_ours, mut from_theirs) = (from_ours.to_vec(), from_theirs.to_vec());
        loop {
            let mut join = Join::new(self, &from_ours, &from_theirs);
            let model = join.run()?;
            // what follows by itself is left out, too, and all is looked at again without it
            let mut more = false;
            for (side, part) in join.back {
                let parts = if side == Side::Ours { &mut from_ours } else { &mut from_theirs };
                if !parts.contains(&part) {
                    parts.push(part);
                    more = true;
                }
            }
            if !more {
                join.conflicts.sort_by(|one, other| one.key.cmp(&other.key));
                join.conflicts.dedup_by(|one, other| one.key == other.key);
                let shift = (join.two.first, join.rest.first);
                return Ok(Joined { model, conflicts: join.conflicts, shift });
            }
        }
    }
}

/// The outcome of joining both changes.
struct Joined {
    /// The model with what is in no conflict.
    model: Model,
    conflicts: Vec<Conflict>,
    /// The first id that theirs gave out, and what became of it.
    shift: (u32, u32),
}

/// Two changes on the way to one.
struct Join<'m> {
    merge: &'m Merge,
    /// The change of ours, from the base.
    one: Delta,
    /// The change of theirs, from the base.
    two: Delta,
    /// The change of theirs, behind ours.
    rest: Delta,
    conflicts: Vec<Conflict>,
    /// Parts that are to be left out without asking: of theirs what ours has already, of either what choices took the
    /// ground from.
    back: Vec<(Side, Part)>,
    /// Placements that a conflict about a move speaks of.
    placements: BTreeSet<Id>,
}

impl<'m> Join<'m> {
    fn new(merge: &'m Merge, from_ours: &[Part], from_theirs: &[Part]) -> Self {
        let one = withhold::withhold(&merge.base, &merge.of_ours, from_ours);
        let two = withhold::withhold(&merge.base, &merge.of_theirs, from_theirs);
        Self {
            merge,
            one,
            two,
            rest: Delta::default(),
            conflicts: Vec::new(),
            back: Vec::new(),
            placements: BTreeSet::new(),
        }
    }

    fn run(&mut self) -> Result<Model, DeltaError> {
        // behind ours their instances must keep clear of ids that the file refers to without having them, too
        let ordinals = self.two.created.iter().map(|(ordinal, _)| *ordinal);
        let first = self.merge.base.free_ids(self.two.first_behind(&self.one), ordinals);
        let (rest, clashes) = self.two.rebased_from(&self.one, first.ok_or(DeltaError::OutOfIds)?);
        self.rest = rest;
        self.moves();
        self.attributes(&clashes);
        self.removals(&clashes);
        self.sets();
        self.same_global_ids();
        let mut model = self.merge.base.apply(&self.one)?.apply(&self.rest)?;
        self.too_many(&model);
        self.too_few(&mut model);
        if self.conflicts.is_empty() && self.back.is_empty() {
            self.lost(&mut model);
        }
        Ok(model)
    }

    /// An id of theirs as it is behind ours.
    fn later(&self, id: Id) -> Id {
        if self.two.is_local(id.0) { Id(id.0 - self.two.first + self.rest.first) } else { id }
    }

    /// An id behind ours as theirs has it.
    fn earlier(&self, id: Id) -> Id {
        if self.rest.is_local(id.0) { Id(id.0 - self.rest.first + self.two.first) } else { id }
    }

    /// A value of theirs as it is behind ours.
    fn value_later(&self, value: &Value) -> Value {
        let Ok(value) = value.map_refs(&mut |id| Ok::<_, std::convert::Infallible>(self.later(id)));
        value
    }

    /// Changes an attribute in what theirs does behind ours.
    fn change_rest(&mut self, id: Id, at: u32, edit: AttributeEdit) {
        let changed = &mut self.rest.changed;
        let place = changed.partition_point(|(other, _)| *other < id.0);
        if changed.get(place).is_none_or(|(other, _)| *other != id.0) {
            changed.insert(place, (id.0, Vec::new()));
        }
        if let Some((_, edits)) = changed.get_mut(place) {
            match edits.binary_search_by_key(&at, |(at, _)| *at) {
                Ok(known) => {
                    if let Some((_, known)) = edits.get_mut(known) {
                        *known = known.clone().then(&edit);
                    }
                }
                Err(free) => edits.insert(free, (at, edit)),
            }
        }
    }

    /// GlobalIds that both sides make.
    fn same_global_ids(&mut self) {
        let guids = |delta: &Delta| -> Vec<(String, Id)> {
            let rooted = delta.created.iter().filter_map(|(ordinal, content)| {
                let entity = self.merge.base.schema().entity(&content.class)?;
                let is_rooted = entity.attributes.first()?.name == "GlobalId";
                let guid = content.values.first()?.as_text().filter(|_| is_rooted)?;
                Some((guid.to_owned(), Id(delta.first.saturating_add(*ordinal))))
            });
            rooted.collect()
        };
        let ours: std::collections::BTreeMap<String, Id> = guids(&self.one).into_iter().collect();
        for (guid, theirs) in guids(&self.two) {
            let Some(id) = ours.get(&guid).copied() else { continue };
            self.conflicts.push(Conflict {
                key: format!("{guid}:GlobalId"),
                about: Thing::new(&self.merge.ours, id),
                kind: ConflictKind::SameGlobalId,
                ours: vec![Part::Made(id)],
                theirs: vec![Part::Made(theirs)],
            });
        }
    }
}
