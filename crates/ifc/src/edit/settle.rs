//! Settles instances whose references cannot stand: from lists the reference is dropped, optional attributes
//! become `$`, and an instance that can do neither must go too, or the whole change is refused. Each round looks at
//! every instance concerned once, however many of its references fall, so a relationship with a hundred thousand
//! members costs no more than its length.

use super::check;
use crate::schema::{Attribute, Kind, List};
use crate::{Id, Instance, Model, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The changes that settle a model: instances removed, and attributes with other values.
#[derive(Debug, Default)]
pub struct Settlement {
    /// The instances that go, with the instance and attribute that made it go; none for what was asked for.
    pub gone: BTreeMap<Id, Option<Cause>>,
    /// The instances that stay with other values, by the attribute's place.
    pub changed: BTreeMap<Id, Vec<(usize, Value)>>,
}

/// Why an instance goes: its attribute at this place could not do without `lost`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    /// The place of the attribute.
    pub at: usize,
    /// The instance that it referred to.
    pub lost: Id,
}

/// An instance that cannot do without another, and may not go.
#[derive(Debug, Clone, Copy)]
pub struct Stuck {
    /// The instance.
    pub id: Id,
    /// The one that it needs.
    pub by: Id,
    /// The place of the attribute that refers to it.
    pub at: usize,
}

/// Settles the instances that refer to `gone`. `may_go` says which instances may go with what they need.
pub fn without(
    model: &Model,
    gone: impl IntoIterator<Item = Id>,
    may_go: impl Fn(&Instance<'_>) -> bool,
) -> Result<Settlement, Stuck> {
    settle(model, BTreeSet::new(), gone, |_, _| true, may_go)
}

/// Settles `doubtful` instances, of which only references that `stands` accepts are kept, and of those that
/// refer to `gone`.
pub fn settle(
    model: &Model,
    doubtful: BTreeSet<Id>,
    gone: impl IntoIterator<Item = Id>,
    stands: impl Fn(Option<Kind>, Id) -> bool,
    may_go: impl Fn(&Instance<'_>) -> bool,
) -> Result<Settlement, Stuck> {
    let mut out =
        Settlement { gone: gone.into_iter().map(|id| (id, None)).collect(), ..Settlement::default() };
    let mut fresh: Vec<Id> = out.gone.keys().copied().collect();
    let mut concerned = doubtful;
    loop {
        for id in fresh.drain(..) {
            concerned.extend(model.referrers(id));
        }
        if concerned.is_empty() {
            return Ok(out);
        }
        for source in std::mem::take(&mut concerned) {
            let Some(instance) = model.get(source).filter(|_| !out.gone.contains_key(&source)) else {
                continue;
            };
            match kept(&instance, |kind, target| !out.gone.contains_key(&target) && stands(kind, target)) {
                Ok(changes) if changes.is_empty() => {
                    out.changed.remove(&source);
                }
                Ok(changes) => {
                    out.changed.insert(source, changes);
                }
                Err(cause) if may_go(&instance) => {
                    out.changed.remove(&source);
                    out.gone.insert(source, Some(cause));
                    fresh.push(source);
                }
                Err(cause) => return Err(Stuck { id: cause.lost, by: source, at: cause.at }),
            }
        }
    }
}

/// The attributes of an instance that change if only references that `stands` accepts are kept; an error if one of
/// them cannot be without.
pub fn kept(
    instance: &Instance<'_>,
    stands: impl Fn(Option<Kind>, Id) -> bool,
) -> Result<Vec<(usize, Value)>, Cause> {
    let mut changes = Vec::new();
    for (at, value) in instance.attributes().iter().enumerate() {
        let declared = instance.entity().and_then(|entity| entity.attributes.get(at)).copied();
        let kind = declared.map(|attribute| attribute.kind);
        if let Some(lost) = first_lost(value, kind, &stands) {
            match without_lost(value, declared, &stands) {
                Some(value) => changes.push((at, value)),
                None => return Err(Cause { at, lost }),
            }
        }
    }
    Ok(changes)
}

fn member_kind(kind: Option<Kind>) -> (Option<Kind>, Option<&'static List>) {
    match kind {
        Some(Kind::List(list)) => (Some(list.of), Some(list)),
        other => (other, None),
    }
}

fn first_lost(value: &Value, kind: Option<Kind>, stands: &impl Fn(Option<Kind>, Id) -> bool) -> Option<Id> {
    match value {
        Value::Ref(id) => (!stands(kind, *id)).then_some(*id),
        Value::List(members) => {
            let (of, _) = member_kind(kind);
            members.iter().find_map(|member| first_lost(member, of, stands))
        }
        Value::Typed(_, inner) => first_lost(inner, None, stands),
        _ => None,
    }
}

/// A value without its lost references, if the attribute may be so.
pub fn without_lost(
    value: &Value,
    declared: Option<&Attribute>,
    stands: &impl Fn(Option<Kind>, Id) -> bool,
) -> Option<Value> {
    let optional = declared.is_none_or(|attribute| attribute.optional);
    match dropped(value, declared.map(|attribute| attribute.kind), stands) {
        Some(kept) => Some(kept),
        None => optional.then_some(Value::Null),
    }
}

fn dropped(value: &Value, kind: Option<Kind>, stands: &impl Fn(Option<Kind>, Id) -> bool) -> Option<Value> {
    match value {
        Value::Ref(target) if !stands(kind, *target) => None,
        Value::List(members) => {
            let (of, bounds) = member_kind(kind);
            let kept: Vec<Value> = members.iter().filter_map(|member| dropped(member, of, stands)).collect();
            bounds.is_none_or(|list| check::bounds(list, kept.len()).is_ok()).then_some(Value::List(kept))
        }
        Value::Typed(name, inner) => {
            Some(Value::Typed(name.clone(), Box::new(dropped(inner, None, stands)?)))
        }
        other => Some(other.clone()),
    }
}
