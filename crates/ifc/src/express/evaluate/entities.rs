//! Instances: their attributes (explicit, derived, inverse), groups, constructors, and the record of what was decoded.

use super::{Evaluator, Outcome, Stop};
use crate::express::datum::{AggregateKind, Datum, Made, Text, Types};
use crate::express::rules::{Place, Rules};
use crate::express::syntax::{Expr, Symbol};
use crate::express::truth::Truth;
use crate::schema::{Entity, EntityId, Inverse, Schema};
use crate::{Id, Kind, Model, Value};
use std::rc::Rc;

/// An instance of the model with its attributes decoded.
#[derive(Debug)]
pub(in crate::express) struct Decoded<'a> {
    pub entity: &'static Entity,
    pub values: Vec<Datum<'a>>,
}

/// Instances decoded of late.
#[derive(Default)]
pub(super) struct Cache<'a> {
    slots: Vec<Option<(Id, Rc<Decoded<'a>>)>>,
    /// How much the slots hold, roughly in values.
    weight: usize,
}

const SLOTS: usize = 2048;
const WEIGHT: usize = 500_000;

impl<'a> Cache<'a> {
    /// The record of an instance and what it cost to make it; none for a class that the schema does not have.
    pub fn get(&mut self, id: Id, model: &Model, rules: &Rules) -> (Option<Rc<Decoded<'a>>>, u64) {
        let place = id.0 as usize % SLOTS;
        if let Some(Some((known, record))) = self.slots.get(place)
            && *known == id
        {
            return (Some(record.clone()), 0);
        }
        let Some(instance) = model.get(id) else { return (None, 1) };
        let Some(entity) = instance.entity() else { return (None, 1) };
        let mut values = Vec::with_capacity(entity.attributes.len());
        let mut weight = 1;
        for (value, attribute) in instance.attributes().into_iter().zip(entity.attributes) {
            values.push(datum(value, attribute.kind, rules.schema(), &mut weight));
        }
        values.resize(entity.attributes.len(), Datum::Indeterminate);
        let record = Rc::new(Decoded { entity, values });
        if self.weight + weight > WEIGHT {
            self.slots.clear();
            self.weight = 0;
        }
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        self.weight += weight;
        if let Some(slot) = self.slots.get_mut(place) {
            *slot = Some((id, record.clone()));
        }
        (Some(record), 1 + weight as u64 / 4)
    }
}

/// A value of the model as the schema's kind for it says.
pub(in crate::express) fn datum<'a>(
    value: Value,
    kind: Kind,
    schema: &Schema,
    weight: &mut usize,
) -> Datum<'a> {
    *weight += 1;
    match value {
        Value::Null | Value::Derived => Datum::Indeterminate,
        Value::Integer(value) if kind == Kind::Number => Datum::Real(value as f64),
        Value::Integer(value) => Datum::Integer(value),
        Value::Real(value) => Datum::Real(value),
        Value::Boolean(value) => Datum::truth(value),
        Value::Unknown => Datum::Logical(Truth::Unknown),
        Value::Text(text) => {
            *weight += text.len() / 16;
            Datum::Text(Text::Shared(text.into()))
        }
        Value::Enum(item) => {
            let known = match kind {
                Kind::Enumeration(items) => items.iter().find(|known| known.eq_ignore_ascii_case(&item)),
                _ => None,
            };
            Datum::Item(known.map_or_else(|| Text::Shared(item.into()), |known| Text::Borrowed(known)))
        }
        Value::Binary(digits) => {
            *weight += digits.len() / 16;
            Datum::Binary(Text::Shared(digits.into()))
        }
        Value::Ref(id) => Datum::Instance(id),
        Value::List(members) => {
            let (of, kind) = match kind {
                Kind::List(list) if list.set => (list.of, AggregateKind::Set),
                Kind::List(list) => (list.of, AggregateKind::List),
                other => (other, AggregateKind::List),
            };
            let members = members.into_iter().map(|member| datum(member, of, schema, weight)).collect();
            Datum::aggregate(kind, members)
        }
        Value::Typed(name, inner) => match schema.type_declaration(&name) {
            Some(declared) => {
                let kind = schema.kind_of_type(declared.name).unwrap_or(kind);
                Datum::Typed(declared, Rc::new(datum(*inner, kind, schema, weight)))
            }
            None => datum(*inner, kind, schema, weight),
        },
    }
}

/// Explicit attributes of an instance, of the model or made, by the number of their name.
pub(super) enum Explicit<'a> {
    Decoded(Rc<Decoded<'a>>, Vec<Symbol>),
    Made(Rc<Made<'a>>),
}

impl<'a> Explicit<'a> {
    /// The entities that it is an instance of, leaves only.
    pub fn entities(&self) -> &[EntityId] {
        match self {
            Self::Decoded(record, _) => std::slice::from_ref(&record.entity.id),
            Self::Made(made) => &made.entities,
        }
    }

    /// Attributes that have a value of their own.
    pub fn values(&self) -> Vec<(Symbol, &Datum<'a>)> {
        match self {
            Self::Decoded(record, symbols) => symbols.iter().copied().zip(&record.values).collect(),
            Self::Made(made) => made.values.iter().map(|(symbol, value)| (*symbol, value)).collect(),
        }
    }

    pub fn value(&self, symbol: Symbol) -> Datum<'a> {
        let found = self.values().into_iter().find(|(known, _)| *known == symbol);
        found.map_or(Datum::Indeterminate, |(_, value)| value.clone())
    }
}

impl<'a> Evaluator<'a> {
    /// `of.Name` (12.7.3); of nothing, or of what has no such attribute, indeterminate.
    pub(super) fn attribute(&mut self, of: &Datum<'a>, symbol: Symbol) -> Outcome<'a> {
        match of {
            Datum::Instance(id) => {
                let Some(record) = self.record(*id)? else { return Ok(Datum::Indeterminate) };
                match self.rules.place(record.entity, symbol) {
                    Some(Place::Explicit(at)) => {
                        Ok(record.values.get(usize::from(at)).cloned().unwrap_or(Datum::Indeterminate))
                    }
                    Some(Place::Derived(at)) => self.derived(at, of),
                    Some(Place::Inverse(inverse)) => self.inverse(*id, inverse),
                    None => Ok(Datum::Indeterminate),
                }
            }
            Datum::Made(made) => {
                if let Some((_, value)) = made.values.iter().find(|(known, _)| *known == symbol) {
                    return Ok(value.clone());
                }
                for entity in &made.entities {
                    if let Some(entity) = self.rules.schema().entity_at(*entity)
                        && let Some(Place::Derived(at)) = self.rules.place(entity, symbol)
                    {
                        return self.derived(at, of);
                    }
                }
                Ok(Datum::Indeterminate)
            }
            Datum::Typed(_, inner) => self.attribute(inner, symbol),
            _ => Ok(Datum::Indeterminate),
        }
    }

    #[inline(never)]
    fn derived(&mut self, at: u16, of: &Datum<'a>) -> Outcome<'a> {
        match self.rules.derived(at) {
            Some(formula) => self.in_frame(formula, of.clone()),
            None => Ok(Datum::Indeterminate),
        }
    }

    /// Who refers here by the inverse's attribute, as a set, or alone where the schema declares one alone (9.2.1.3).
    #[inline(never)]
    fn inverse(&mut self, id: Id, inverse: &'static Inverse) -> Outcome<'a> {
        let mut found = self.referring(id, inverse.entity, inverse.attribute)?;
        found.dedup();
        if inverse.single {
            return Ok(found.first().map_or(Datum::Indeterminate, |id| Datum::Instance(*id)));
        }
        Ok(Datum::aggregate(AggregateKind::Set, found.into_iter().map(Datum::Instance).collect()))
    }

    /// Instances of an entity, subtypes included, whose attribute refers here, by id, as often as it does.
    pub(super) fn referring(&mut self, id: Id, entity: &str, attribute: &str) -> Result<Vec<Id>, Stop> {
        let Some(wanted) = self.rules.schema().entity(entity) else { return Ok(Vec::new()) };
        let Some(symbol) = self.rules.names().symbol(attribute) else { return Ok(Vec::new()) };
        let sources = self.model.referrers(id);
        self.charge(sources.len() as u64)?;
        let mut found = Vec::new();
        for source in sources {
            let is_a = |entity: &Entity| wanted.id <= entity.id && entity.id <= wanted.last;
            if !self.model.get(source).and_then(|instance| instance.entity()).is_some_and(is_a) {
                continue;
            }
            let Some(record) = self.record(source)? else { continue };
            let Some(Place::Explicit(at)) = self.rules.place(record.entity, symbol) else { continue };
            let times = record.values.get(usize::from(at)).map_or((0, 0), |value| occurrences(value, id));
            self.charge(times.0 as u64 / 16)?;
            found.extend(std::iter::repeat_n(source, times.1));
        }
        Ok(found)
    }

    /// `of\IfcRoot` (12.7.4): the same instance, if it is one of these; the attribute behind it is found by its name.
    pub(super) fn group(&mut self, of: Datum<'a>, entity: EntityId) -> Datum<'a> {
        let schema = self.rules.schema();
        let fits = match &of {
            Datum::Instance(id) => {
                let class = self.model.get(*id).and_then(|instance| instance.entity());
                class.is_some_and(|class| schema.is_a(class.id, entity))
            }
            Datum::Made(made) => made.entities.iter().any(|part| schema.is_a(*part, entity)),
            Datum::Typed(_, inner) => {
                let inner = (**inner).clone();
                return self.group(inner, entity);
            }
            _ => false,
        };
        if fits { of } else { Datum::Indeterminate }
    }

    /// All instances of an entity, as a RULE sees them.
    pub(super) fn population(&mut self, entity: EntityId) -> Outcome<'a> {
        let Some(entity) = self.rules.schema().entity_at(entity) else { return Ok(Datum::Indeterminate) };
        let ids = self.model.of_class(entity.name);
        self.charge(ids.len() as u64 / 4)?;
        Ok(Datum::aggregate(AggregateKind::Set, ids.into_iter().map(Datum::Instance).collect()))
    }

    /// `IfcDirection([1., 0.])`: values for the attributes that the entity itself declares (12.10).
    #[inline(never)]
    pub(super) fn construct(&mut self, entity: EntityId, arguments: &'a [Expr]) -> Outcome<'a> {
        let Some(entity) = self.rules.schema().entity_at(entity) else { return Ok(Datum::Indeterminate) };
        let mut values = Vec::with_capacity(arguments.len());
        let own = entity.attributes.iter().filter(|attribute| attribute.owner == entity.name);
        for (attribute, argument) in own.zip(arguments) {
            let value = self.eval(argument)?;
            if let Some(symbol) = self.rules.names().symbol(attribute.name) {
                values.push((symbol, kept_as(value, attribute.kind)));
            }
        }
        Ok(Datum::Made(Rc::new(Made { entities: vec![entity.id], values })))
    }

    /// `a || b`: one instance of the entities of both (12.11).
    pub(super) fn combine(&mut self, left: &Datum<'a>, right: &Datum<'a>) -> Datum<'a> {
        let (Datum::Made(a), Datum::Made(b)) = (left.plain(), right.plain()) else {
            return Datum::Indeterminate;
        };
        let schema = self.rules.schema();
        let mut entities: Vec<EntityId> = a.entities.iter().chain(&b.entities).copied().collect();
        // what another one specialises goes without saying
        let all = entities.clone();
        entities.retain(|entity| !all.iter().any(|other| other != entity && schema.is_a(*other, *entity)));
        entities.sort_unstable();
        entities.dedup();
        let mut values = a.values.clone();
        values.extend(
            b.values.iter().filter(|(symbol, _)| !a.values.iter().any(|(known, _)| known == symbol)).cloned(),
        );
        Datum::Made(Rc::new(Made { entities, values }))
    }

    /// The explicit attributes of an instance, of the model or made.
    pub(super) fn explicit(&mut self, of: &Datum<'a>) -> Result<Option<Explicit<'a>>, Stop> {
        Ok(match of {
            Datum::Instance(id) => self.record(*id)?.map(|record| {
                let symbol = |name: &str| self.rules.names().symbol(name).unwrap_or(Symbol::MAX);
                let symbols =
                    record.entity.attributes.iter().map(|attribute| symbol(attribute.name)).collect();
                Explicit::Decoded(record, symbols)
            }),
            Datum::Made(made) => Some(Explicit::Made(made.clone())),
            _ => None,
        })
    }

    /// An instance as one that may be changed: what the model has is copied first, for rules change nothing.
    pub(super) fn made_of(&mut self, of: &Datum<'a>) -> Result<Option<Rc<Made<'a>>>, Stop> {
        Ok(match self.explicit(of)? {
            Some(Explicit::Made(made)) => Some(made),
            Some(decoded @ Explicit::Decoded(..)) => Some(Rc::new(Made {
                entities: decoded.entities().to_vec(),
                values: decoded.values().into_iter().map(|(symbol, value)| (symbol, value.clone())).collect(),
            })),
            None => None,
        })
    }

    /// The types of a value (15.25).
    pub(super) fn types_of(&mut self, value: &Datum<'a>) -> Datum<'a> {
        let simple = |name| Datum::Types(Types::Simple(name));
        match value {
            Datum::Indeterminate | Datum::Item(_) => Datum::aggregate(AggregateKind::Set, Vec::new()),
            Datum::Instance(id) => match self.model.get(*id).and_then(|instance| instance.entity()) {
                Some(entity) => Datum::Types(Types::Entity(entity.id)),
                None => Datum::aggregate(AggregateKind::Set, Vec::new()),
            },
            Datum::Made(made) => Datum::Types(Types::Entities(made.entities.as_slice().into())),
            Datum::Typed(declared, _) => Datum::Types(Types::Defined(declared)),
            Datum::Integer(_) => simple("INTEGER"),
            Datum::Real(_) => simple("REAL"),
            Datum::Logical(_) => simple("LOGICAL"),
            Datum::Text(_) => simple("STRING"),
            Datum::Binary(_) => simple("BINARY"),
            Datum::Types(_) => simple("SET"),
            Datum::Aggregate(aggregate) => simple(match aggregate.kind {
                AggregateKind::Open | AggregateKind::List => "LIST",
                AggregateKind::Set => "SET",
                AggregateKind::Bag => "BAG",
                AggregateKind::Array(_) => "ARRAY",
            }),
        }
    }
}

/// A value as an attribute of this kind keeps it.
fn kept_as(value: Datum<'_>, kind: Kind) -> Datum<'_> {
    match (value, kind) {
        (Datum::Integer(value), Kind::Number) => Datum::Real(value as f64),
        (Datum::Aggregate(aggregate), Kind::List(list)) if aggregate.kind == AggregateKind::Open => {
            let kind = if list.set { AggregateKind::Set } else { AggregateKind::List };
            Datum::aggregate(kind, aggregate.members.clone())
        }
        (other, _) => other,
    }
}

/// How many values were looked at, and how often an instance is among them.
fn occurrences(value: &Datum<'_>, id: Id) -> (usize, usize) {
    match value {
        Datum::Instance(other) => (1, usize::from(*other == id)),
        Datum::Aggregate(aggregate) => aggregate.members.iter().fold((1, 0), |sum, member| {
            let (looked, found) = occurrences(member, id);
            (sum.0 + looked, sum.1 + found)
        }),
        Datum::Typed(_, inner) => occurrences(inner, id),
        _ => (1, 0),
    }
}
