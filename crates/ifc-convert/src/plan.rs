//! The treatment of the instances of a class, found once for each class.

use super::classes::{NO_STAND_IN, STAND_INS, TOO_GENERAL, rule};
use super::{Outcome, Way, special};
use ifc::edit::check;
use ifc::schema::{Attribute, Entity, Kind, Schema};

/// The treatment of the instances of a class.
#[derive(Debug, Clone, Copy)]
pub(super) enum Plan {
    /// The text may stay as it is.
    Verbatim,
    /// Attributes go one by one into this class of the target.
    Draft(&'static Entity, Outcome),
    /// As [`special`] says.
    Special,
    /// The target has nothing like it.
    Drop,
}

impl Plan {
    pub fn new(way: Way, from: &'static Schema, to: &'static Schema, entity: &'static Entity) -> Self {
        if special::handles(way, entity.name) {
            return Self::Special;
        }
        if let Some((_, class, outcome)) = rule(way, entity.name)
            && let Some(target) = to.entity(class)
        {
            return Self::Draft(target, outcome);
        }
        if let Some(target) = to.entity(entity.name).filter(|target| !target.is_abstract) {
            let verbatim = same_attributes(from, to, entity, target);
            return if verbatim { Self::Verbatim } else { Self::Draft(target, Outcome::Kept) };
        }
        let nearest = from
            .lineage(entity)
            .skip(1)
            .take_while(|ancestor| !TOO_GENERAL.contains(&ancestor.name))
            .find_map(|ancestor| to.entity(ancestor.name).filter(|target| !target.is_abstract));
        let stand_in = || {
            let is_a = |class: &str| entity.is_a(from, class);
            let found = STAND_INS.iter().find(|(class, _)| is_a(class) && !is_a(NO_STAND_IN));
            found.and_then(|(_, name)| to.entity(name)).filter(|target| !target.is_abstract)
        };
        match nearest.or_else(stand_in) {
            Some(target) => Self::Draft(target, Outcome::Approximated),
            None => Self::Drop,
        }
    }
}

/// True if every line of the one class is a line of the other.
fn same_attributes(from: &Schema, to: &Schema, one: &Entity, other: &Entity) -> bool {
    one.attributes.len() == other.attributes.len()
        && one.attributes.iter().zip(other.attributes).all(|(a, b)| same_attribute(from, to, a, b))
}

fn same_attribute(from: &Schema, to: &Schema, a: &Attribute, b: &Attribute) -> bool {
    let positive = |schema, declared| check::base(schema, check::leaf(declared)).0;
    let stricter = is_positive(b.declared) && !is_positive(a.declared)
        || check::width(to, positive(to, b.declared)) != check::width(from, positive(from, a.declared));
    a.name == b.name
        && a.derived == b.derived
        && (b.optional || !a.optional)
        && !stricter
        && covers(to, a.kind, b.kind)
}

/// True if a type's name says that nought is not allowed.
pub(super) fn is_positive(declared: &str) -> bool {
    check::leaf(declared).starts_with("IfcPositive")
}

/// True if a value of kind `a` is one of kind `b`. References are settled later, for they depend on what becomes of
/// the instance that they lead to.
fn covers(to: &Schema, a: Kind, b: Kind) -> bool {
    match (a, b) {
        (Kind::Enumeration(a), Kind::Enumeration(b)) => a.iter().all(|word| b.contains(word)),
        (Kind::Entity(_), Kind::Entity(class)) => to.entity(class).is_some(),
        (Kind::Select(a), Kind::Select(b)) => a.iter().all(|leaf| {
            let entity = to.entity(leaf);
            b.contains(leaf) || entity.is_some_and(|entity| b.iter().any(|other| entity.is_a(to, other)))
        }),
        (Kind::List(a), Kind::List(b)) => {
            let bounds = a.min >= b.min && b.max.is_none_or(|most| a.max.is_some_and(|max| max <= most));
            let members = (a.set || a.unique) >= (b.set || b.unique);
            bounds && members && covers(to, a.of, b.of)
        }
        (Kind::Boolean, Kind::Logical) | (Kind::Integer, Kind::Number) => false,
        (a, b) => a == b,
    }
}
