//! Instances: their attributes (explicit, derived, inverse), groups, constructors, and the record of what was decoded.

use super::{Evaluator, Outcome, Stop};
use crate::express::datum::{Aggregate, AggregateKind, Datum, Made, Text, Types};
use crate::express::rules::{Place, Rules};
use crate::express::syntax::{Expr, Symbol};
use crate::express::truth::Truth;
use ifc::schema::{Entity, EntityId, Inverse, Schema};
use ifc::{Id, Kind, Model, Value};
use std::collections::HashMap;
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
    /// The number of times that each instance is in a long aggregate, by owner and attribute: a relation of a hundred
    /// thousand elements is asked by each of them.
    long: HashMap<(Id, u16), HashMap<Id, usize>>,
    /// The number of instances that `long` has.
    long_weight: usize,
    /// The amount that the slots hold, roughly in values.
    weight: usize,
}

/// An aggregate of more members than this is long.
const LONG: usize = 256;

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
            values.push(
                Decoder { model, schema: rules.schema(), weight: &mut weight }.datum(value, attribute.kind),
            );
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

impl<'a> Cache<'a> {
    /// Counts an instance in a long aggregate, and says what that cost.
    fn occurrences(&mut self, source: Id, at: u16, aggregate: &Aggregate<'a>, id: Id) -> (usize, u64) {
        let mut cost = 1;
        if !self.long.contains_key(&(source, at)) {
            if self.long_weight > WEIGHT {
                self.long.clear();
                self.long_weight = 0;
            }
            let mut times: HashMap<Id, usize> = HashMap::new();
            for member in &aggregate.members {
                each_instance(member, &mut |id| *times.entry(id).or_default() += 1);
            }
            self.long_weight += times.len();
            cost += aggregate.members.len() as u64;
            self.long.insert((source, at), times);
        }
        let times = self.long.get(&(source, at)).and_then(|times| times.get(&id));
        (times.copied().unwrap_or(0), cost)
    }
}

/// Turns values of the model into values of the language.
struct Decoder<'d> {
    model: &'d Model,
    schema: &'static Schema,
    weight: &'d mut usize,
}

impl Decoder<'_> {
    /// A value as the schema's kind for it says. A reference to an instance that is not there gives no value, and no
    /// member of an aggregate: that it is there is not for these rules to say.
    fn datum<'a>(&mut self, value: Value, kind: Kind) -> Datum<'a> {
        *self.weight += 1;
        match value {
            Value::Integer(value) if kind == Kind::Number => Datum::Real(value as f64),
            Value::Integer(value) => Datum::Integer(value),
            Value::Real(value) => Datum::Real(value),
            Value::Boolean(value) => Datum::truth(value),
            Value::Unknown => Datum::Logical(Truth::Unknown),
            Value::Text(text) => {
                *self.weight += text.len() / 16;
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
                *self.weight += digits.len() / 16;
                Datum::Binary(Text::Shared(digits.into()))
            }
            Value::Ref(id) if self.model.contains(id) => Datum::Instance(id),
            Value::Ref(_) | Value::Null | Value::Derived => Datum::Indeterminate,
            Value::List(members) => {
                let (of, kind) = match kind {
                    Kind::List(list) if list.set => (list.of, AggregateKind::Set),
                    Kind::List(list) => (list.of, AggregateKind::List),
                    other => (other, AggregateKind::List),
                };
                let is_lost = |member: &Value| matches!(member, Value::Ref(id) if !self.model.contains(*id));
                let members: Vec<Value> = members.into_iter().filter(|member| !is_lost(member)).collect();
                let members = members.into_iter().map(|member| self.datum(member, of)).collect();
                Datum::aggregate(kind, members)
            }
            Value::Typed(name, inner) => match self.schema.type_declaration(&name) {
                Some(declared) => {
                    let kind = self.schema.kind_of_type(declared.name).unwrap_or(kind);
                    Datum::Typed(declared, Rc::new(self.datum(*inner, kind)))
                }
                None => self.datum(*inner, kind),
            },
        }
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

    /// Returns the instances that refer here by the inverse's attribute, as a set, or alone where the schema declares one alone (9.2.1.3).
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
            let Some(value) = record.values.get(usize::from(at)) else { continue };
            let times = match value {
                Datum::Aggregate(aggregate) if aggregate.members.len() > LONG => {
                    let (times, cost) = self.decoded.occurrences(source, at, aggregate, id);
                    self.charge(cost)?;
                    times
                }
                other => {
                    self.charge(LONG as u64 / 64)?;
                    occurrences(other, id)
                }
            };
            found.extend(std::iter::repeat_n(source, times));
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

    /// `IfcDirection([1., 0.])`: values for the attributes that the entity itself declares (9.2.6).
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

    /// `a || b`: one instance of the entities of both (12.10).
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

/// Counts an instance in a value.
fn occurrences(value: &Datum<'_>, id: Id) -> usize {
    match value {
        Datum::Instance(other) => usize::from(*other == id),
        Datum::Aggregate(aggregate) => aggregate.members.iter().map(|member| occurrences(member, id)).sum(),
        Datum::Typed(_, inner) => occurrences(inner, id),
        _ => 0,
    }
}

/// Calls `each` with every instance in a value.
fn each_instance(value: &Datum<'_>, each: &mut dyn FnMut(Id)) {
    match value {
        Datum::Instance(id) => each(*id),
        Datum::Aggregate(aggregate) => {
            aggregate.members.iter().for_each(|member| each_instance(member, each));
        }
        Datum::Typed(_, inner) => each_instance(inner, each),
        _ => {}
    }
}
