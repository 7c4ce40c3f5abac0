//! Clashes: pairs of elements of two sets that go through each other, are the same twice, or come nearer than they may.
//!
//! Pairs that the file itself binds (a door and its wall, a covering and its slab, parts of one element) are meant to meet: they
//! are counted, not listed, unless the caller wants them ([`Ignore`]). How a pair stands to each other is `geometry::query`'s business;
//! who has to move is nobody's here.

mod cluster;
mod ignore;
mod insulation;
#[cfg(test)]
mod insulation_tests;
mod matrix;
#[cfg(test)]
mod tests;

pub use cluster::clusters;
pub use ignore::Ignore;
pub use matrix::{Matrix, Row};

use geometry::query::{Index, Interference, Kind, Refused, Relation, Rules, interferences};
use glam::DVec3;
use ifc::relations::Links;
use ifc::{Id, Model};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

/// The pairs that are looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mode {
    /// Elements that share space.
    Hard,
    /// Those, and elements nearer than so many metres.
    Clearance(f64),
    /// The same shape at the same place.
    Duplicate,
    /// One wholly within the other.
    Inside,
}

/// The pairs that are wanted.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    /// The kind of pair.
    pub mode: Mode,
    /// Metres of depth that are let pass.
    pub tolerance: f64,
    /// The bonds whose pairs are counted and not listed.
    pub ignore: &'a [Ignore],
}

/// A pair that clashes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clash {
    /// The pair, its kind and its place.
    pub pair: Interference,
    /// The bond between the two that the file states.
    pub relation: Relation,
}

/// The set of elements that the first one is held against.
#[derive(Clone, Copy)]
pub enum Against<'a> {
    /// Elements of the same version; the set may share some with the first.
    SameVersion(&'a Index),
    /// Elements of another version of the same model: an element does not clash with what it was.
    OtherVersion(&'a Index, &'a Model),
    /// Elements of another model.
    OtherModel(&'a Index),
}

impl<'a> Against<'a> {
    fn index(&self) -> &'a Index {
        match self {
            Self::SameVersion(index) | Self::OtherVersion(index, _) | Self::OtherModel(index) => index,
        }
    }
}

/// The clashes found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clashes {
    /// The worst first: what lies in or on another, then by depth; what is only near by distance.
    pub found: Vec<Clash>,
    /// True if both sets are the same, so that which of a pair is the first means nothing.
    pub is_one_set: bool,
    /// Pairs that are bound and meet as they should, by the bond's name.
    pub bound: BTreeMap<String, usize>,
}

/// Returns the clashes between elements of a model and others. `go_on` is told how many of how many pairs are done; where it answers
/// no, the answer is [`Refused::Stopped`].
pub fn clashes(
    model: &Model,
    source: &Index,
    against: &Against<'_>,
    wanted: &Wanted<'_>,
    go_on: &(dyn Fn(usize, usize) -> bool + Sync),
) -> Result<Clashes, Refused> {
    let clearance = if let Mode::Clearance(metres) = wanted.mode { metres } else { 0.0 };
    let usual = Rules::default();
    let rules = Rules {
        tolerance: wanted.tolerance.max(usual.tolerance),
        clearance,
        // of what is to be kept apart, what touches is the nearest
        touching: clearance > 0.0,
        ..usual
    };
    let is_one_set = matches!(against, Against::SameVersion(target) if ids(source) == ids(target));
    let target = (!is_one_set).then(|| against.index());
    let mut found = interferences(source, target, &rules, go_on)?;
    found.retain(|pair| is_wanted(pair, wanted.mode));
    let mut clashes = Clashes { is_one_set, ..Clashes::default() };
    let unbound = |pair: Interference| Clash { pair, relation: Relation::None };
    match against {
        Against::SameVersion(target) => {
            let (in_source, in_target) = (ids(source), ids(target));
            // a pair of elements that are both in both sets is met from either side
            let is_second = |p: &Interference| {
                !is_one_set && p.a > p.b && in_source.contains(&p.b) && in_target.contains(&p.a)
            };
            let links = Links::of_many(model);
            for pair in found.into_iter().filter(|p| p.a != p.b && !is_second(p)) {
                let relation = Relation::between(&links, pair.a, pair.b);
                let elements = source.get(pair.a).zip(target.get(pair.b));
                let bond = elements.and_then(|(a, b)| ignore::bond(&links, &pair, [a, b], relation));
                let is_twice = matches!(pair.kind, Kind::Duplicate { .. });
                match bond.filter(|bond| wanted.ignore.contains(bond) && !is_twice) {
                    Some(bond) => *clashes.bound.entry(name_of(relation, bond)).or_default() += 1,
                    None => clashes.found.push(Clash { pair, relation }),
                }
            }
        }
        Against::OtherVersion(_, other) => {
            let guid = |model: &Model, id| model.get(id).and_then(|i| i.guid());
            found.retain(|p| guid(model, p.a).is_none_or(|own| guid(other, p.b).as_ref() != Some(&own)));
            clashes.found = found.into_iter().map(unbound).collect();
        }
        Against::OtherModel(_) => clashes.found = found.into_iter().map(unbound).collect(),
    }
    clashes.found.sort_by(by_weight);
    Ok(clashes)
}

fn ids(index: &Index) -> HashSet<Id> {
    index.iter().map(|e| e.id()).collect()
}

fn is_wanted(pair: &Interference, mode: Mode) -> bool {
    match mode {
        Mode::Hard => pair.kind.is_hard(),
        Mode::Clearance(_) => true,
        Mode::Duplicate => matches!(pair.kind, Kind::Duplicate { .. }),
        Mode::Inside => matches!(pair.kind, Kind::Inside { .. } | Kind::Contains { .. }),
    }
}

/// The order of clashes: the worst first.
pub fn by_weight(p: &Clash, q: &Clash) -> Ordering {
    let (p, q) = (&p.pair, &q.pair);
    rank(&p.kind).total_cmp(&rank(&q.kind)).then((p.a, p.b).cmp(&(q.a, q.b)))
}

/// Less is worse.
fn rank(kind: &Kind) -> f64 {
    match kind {
        Kind::Duplicate { .. } => -3e9,
        Kind::Inside { .. } | Kind::Contains { .. } => -2e9,
        Kind::Hard { depth, .. } => -1e9 - depth,
        Kind::Touching { .. } => 0.0,
        Kind::Clearance { distance } => *distance,
    }
}

/// The name of a bond: `Filling` → `filling`; where the file states none, the rule's.
fn name_of(relation: Relation, rule: Ignore) -> String {
    let value = match relation {
        Relation::None => serde_json::to_value(rule),
        relation => serde_json::to_value(relation),
    };
    value.ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Returns how far apart two sets lie in metres, where their boxes do not even meet: models that do not share their origin.
pub fn apart(source: &Index, target: &Index) -> Option<f64> {
    let (a, b) = (source.bounds(), target.bounds());
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let gap = (b.min - a.max).max(a.min - b.max).max(DVec3::ZERO);
    let metres = gap.length();
    (metres > 0.0).then_some(metres)
}
