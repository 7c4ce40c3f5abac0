//! The functions of the language (ISO 10303-11, clause 15).

use super::operators::{bits, real};
use super::{Evaluator, Outcome};
use crate::express::datum::{Aggregate, AggregateKind, Datum, Types};
use crate::express::syntax::{BuiltIn, Expr};
use crate::express::truth::Truth;
use ifc::schema::Definition;

impl<'a> Evaluator<'a> {
    #[inline(never)]
    pub(super) fn built_in(&mut self, function: BuiltIn, arguments: &'a [Expr]) -> Outcome<'a> {
        let [first, rest @ ..] = arguments else { return Ok(Datum::Indeterminate) };
        let value = self.eval(first)?;
        Ok(match function {
            BuiltIn::Exists => Datum::truth(!value.is_indeterminate()),
            BuiltIn::Nvl => match rest.first() {
                Some(otherwise) if value.is_indeterminate() => self.eval(otherwise)?,
                _ => value,
            },
            BuiltIn::TypeOf => self.type_of(first, &value)?,
            BuiltIn::SizeOf => self.measured(&value, |aggregate| aggregate.members.len() as i64)?,
            BuiltIn::HiIndex => self.measured(&value, Aggregate::high)?,
            BuiltIn::LoIndex => self.measured(&value, Aggregate::low)?,
            // a value does not say what bounds were declared for it: only those of arrays follow from it
            BuiltIn::HiBound | BuiltIn::LoBound => match value.as_aggregate() {
                Some(array) if matches!(array.kind, AggregateKind::Array(_)) => {
                    Datum::Integer(if function == BuiltIn::HiBound { array.high() } else { array.low() })
                }
                Some(_) if function == BuiltIn::LoBound => Datum::Integer(0),
                _ => Datum::Indeterminate,
            },
            BuiltIn::Abs => match value.plain() {
                Datum::Integer(value) => value.checked_abs().map_or(Datum::Indeterminate, Datum::Integer),
                Datum::Real(value) => Datum::Real(value.abs()),
                _ => Datum::Indeterminate,
            },
            BuiltIn::Sqrt => number(&value, f64::sqrt),
            BuiltIn::Exp => number(&value, f64::exp),
            BuiltIn::Log => number(&value, f64::ln),
            BuiltIn::Log2 => number(&value, f64::log2),
            BuiltIn::Log10 => number(&value, f64::log10),
            BuiltIn::Sin => number(&value, f64::sin),
            BuiltIn::Cos => number(&value, f64::cos),
            BuiltIn::Tan => number(&value, f64::tan),
            BuiltIn::Asin => number(&value, f64::asin),
            BuiltIn::Acos => number(&value, f64::acos),
            BuiltIn::Atan => match rest.first() {
                None => number(&value, f64::atan),
                Some(by) => match (value.as_number(), self.eval(by)?.as_number()) {
                    (Some(a), Some(b)) if a != 0.0 || b != 0.0 => real(a.atan2(b)),
                    _ => Datum::Indeterminate,
                },
            },
            BuiltIn::Odd => match value.as_integer() {
                Some(value) => Datum::truth(value % 2 != 0),
                None => Datum::Logical(Truth::Unknown),
            },
            BuiltIn::Length => match value.as_text() {
                Some(text) => Datum::Integer(text.chars().count() as i64),
                None => Datum::Indeterminate,
            },
            BuiltIn::BLength => match value.plain() {
                Datum::Binary(digits) => Datum::Integer(bits(digits).count() as i64),
                _ => Datum::Indeterminate,
            },
            BuiltIn::Value => match value.as_text().map(str::trim) {
                Some(text) => match (text.parse::<i64>(), text.parse::<f64>()) {
                    (Ok(whole), _) => Datum::Integer(whole),
                    (_, Ok(number)) => real(number),
                    _ => Datum::Indeterminate,
                },
                None => Datum::Indeterminate,
            },
            BuiltIn::Format => match rest.first() {
                Some(format) => {
                    let format = self.eval(format)?;
                    formatted(&value, format.as_text())
                }
                None => Datum::Indeterminate,
            },
            BuiltIn::ValueIn => match rest.first() {
                Some(element) => {
                    let element = self.eval(element)?;
                    self.value_in(&value, &element)?
                }
                None => Datum::Indeterminate,
            },
            BuiltIn::ValueUnique => self.value_unique(&value)?,
            BuiltIn::UsedIn => match rest.first() {
                Some(role) => {
                    let role = self.eval(role)?;
                    self.used_in(&value, &role)?
                }
                None => Datum::Indeterminate,
            },
            BuiltIn::RolesOf => self.roles_of(&value)?,
        })
    }

    fn measured(&mut self, value: &Datum<'a>, measure: impl Fn(&Aggregate<'a>) -> i64) -> Outcome<'a> {
        Ok(self.members(value)?.map_or(Datum::Indeterminate, |aggregate| Datum::Integer(measure(&aggregate))))
    }

    /// TYPEOF; a value read from an attribute of a defined type is of that type, which the value itself does not say.
    fn type_of(&mut self, expr: &'a Expr, value: &Datum<'a>) -> Outcome<'a> {
        let is_simple = matches!(
            value,
            Datum::Integer(_)
                | Datum::Real(_)
                | Datum::Logical(_)
                | Datum::Text(_)
                | Datum::Binary(_)
                | Datum::Item(_)
                | Datum::Aggregate(_)
        );
        if is_simple
            && let Expr::Attribute(of, symbol) = expr
            && let Datum::Instance(id) = self.eval(of)?
            && let Some(record) = self.record(id)?
            && let Some(crate::express::rules::Place::Explicit(at)) = self.rules.place(record.entity, *symbol)
            && let Some(attribute) = record.entity.attributes.get(usize::from(at))
            && let Some(declared) = self.rules.schema().type_declaration(attribute.declared)
            && !matches!(declared.definition, Definition::Select { .. })
        {
            return Ok(Datum::Types(Types::Defined(declared)));
        }
        Ok(self.types_of(value))
    }

    /// VALUE_IN (15.28): membership by value.
    fn value_in(&mut self, whole: &Datum<'a>, element: &Datum<'a>) -> Outcome<'a> {
        let Some(members) = self.members(whole)? else { return Ok(Datum::Logical(Truth::Unknown)) };
        let mut result = Truth::False;
        for member in &members.members {
            result = result.or(self.equal(member, element)?);
            if result == Truth::True {
                break;
            }
        }
        Ok(Datum::Logical(result))
    }

    /// VALUE_UNIQUE (15.29): unknown if a member is indeterminate.
    fn value_unique(&mut self, whole: &Datum<'a>) -> Outcome<'a> {
        let Some(members) = self.members(whole)? else { return Ok(Datum::Logical(Truth::Unknown)) };
        if members.members.iter().any(Datum::is_indeterminate) {
            return Ok(Datum::Logical(Truth::Unknown));
        }
        let mut result = Truth::True;
        for (at, member) in members.members.iter().enumerate() {
            for other in members.members.iter().take(at) {
                result = result.and(self.equal(member, other)?.negated());
                if result == Truth::False {
                    return Ok(Datum::truth(false));
                }
            }
        }
        Ok(Datum::Logical(result))
    }

    /// USEDIN (15.26): who refers here in a role `'SCHEMA.ENTITY.ATTRIBUTE'`, or in any if it is empty.
    fn used_in(&mut self, value: &Datum<'a>, role: &Datum<'a>) -> Outcome<'a> {
        let Datum::Instance(id) = value.plain() else {
            return Ok(Datum::aggregate(AggregateKind::Bag, Vec::new()));
        };
        let Some(role) = role.as_text() else { return Ok(Datum::Indeterminate) };
        let found = if role.is_empty() {
            let all = self.model.referrers(*id);
            self.charge(all.len() as u64)?;
            all
        } else {
            let mut parts = role.rsplit('.');
            match (parts.next(), parts.next()) {
                (Some(attribute), Some(entity)) => self.referring(*id, entity, attribute)?,
                _ => Vec::new(),
            }
        };
        Ok(Datum::aggregate(AggregateKind::Bag, found.into_iter().map(Datum::Instance).collect()))
    }

    /// ROLESOF (15.20): the names of the attributes that refer here.
    fn roles_of(&mut self, value: &Datum<'a>) -> Outcome<'a> {
        let Datum::Instance(id) = value.plain() else {
            return Ok(Datum::aggregate(AggregateKind::Set, Vec::new()));
        };
        let mut roles = Vec::new();
        for source in self.model.referrers(*id) {
            let Some(record) = self.record(source)? else { continue };
            self.charge(record.values.len() as u64)?;
            for (attribute, value) in record.entity.attributes.iter().zip(&record.values) {
                let mut refers = false;
                value.to_value().for_each_ref(&mut |target| refers |= target == *id);
                if refers {
                    let role =
                        format!("{}.{}.{}", self.rules.schema().name(), attribute.owner, attribute.name);
                    roles.push(role.to_ascii_uppercase());
                }
            }
        }
        roles.sort_unstable();
        roles.dedup();
        Ok(Datum::aggregate(AggregateKind::Set, roles.iter().map(|role| Datum::text(role)).collect()))
    }
}

fn number<'a>(value: &Datum<'a>, function: impl Fn(f64) -> f64) -> Datum<'a> {
    value.as_number().map_or(Datum::Indeterminate, |value| real(function(value)))
}

/// FORMAT (15.9), for its symbolic forms `5I`, `8.2F`, `10.3E` with a sign or a nought before them.
fn formatted<'a>(value: &Datum<'a>, format: Option<&str>) -> Datum<'a> {
    let (Some(value), Some(format)) = (value.as_number(), format) else { return Datum::Indeterminate };
    let signed = format.starts_with('+');
    let format = format.trim_start_matches(['+', '-']);
    let zeros = format.starts_with('0');
    let Some((at, kind)) =
        format.char_indices().find(|(_, c)| matches!(c, 'I' | 'F' | 'E' | 'i' | 'f' | 'e'))
    else {
        return Datum::Indeterminate;
    };
    let head = format.get(..at).unwrap_or_default();
    let (width, decimals) = head.split_once('.').unwrap_or((head, ""));
    let width: usize = if width.is_empty() { 0 } else { width.parse().unwrap_or(usize::MAX) };
    let decimals: usize = if decimals.is_empty() { 0 } else { decimals.parse().unwrap_or(usize::MAX) };
    if width > 400 || decimals > 400 {
        return Datum::Indeterminate;
    }
    let text = match kind.to_ascii_uppercase() {
        'I' => format!("{value:.0}"),
        'F' => format!("{value:.decimals$}"),
        _ => format!("{value:.decimals$E}"),
    };
    let text = if signed && value >= 0.0 { format!("+{text}") } else { text };
    let missing = width.saturating_sub(text.chars().count());
    Datum::text(&if zeros {
        let (sign, digits) = text.split_at(usize::from(text.starts_with(['+', '-'])));
        format!("{sign}{}{digits}", "0".repeat(missing))
    } else {
        format!("{}{text}", " ".repeat(missing))
    })
}
