//! Operations on aggregates (ISO 10303-11, 12.6): indexing, intersection, union, difference.

use super::{Evaluator, MEMBERS, Outcome, Stop};
use crate::express::datum::{Aggregate, AggregateKind, Datum};
use crate::express::syntax::{Binary, Expr, Shape};
use crate::express::truth::Truth;
use std::rc::Rc;

impl<'a> Evaluator<'a> {
    /// `of[i]`: beyond the ends indeterminate (12.6.1).
    #[inline(never)]
    pub(super) fn index(&mut self, of: &'a Expr, index: &'a Expr) -> Outcome<'a> {
        let of = self.eval(of)?;
        let Some(index) = self.eval(index)?.as_integer() else { return Ok(Datum::Indeterminate) };
        match of.plain() {
            Datum::Text(_) | Datum::Binary(_) => self.piece(&of, index, index),
            other => Ok(match self.members(other)? {
                Some(aggregate) => aggregate.get(index).cloned().unwrap_or(Datum::Indeterminate),
                None => Datum::Indeterminate,
            }),
        }
    }

    /// `*` with its operands not yet evaluated: TYPEOF with a list of literals needs no names spelt out.
    #[inline(never)]
    pub(super) fn times(&mut self, left: &'a Expr, right: &'a Expr) -> Outcome<'a> {
        for (list, other) in [(left, right), (right, left)] {
            let Expr::Aggregate(members) = list else { continue };
            let is_literal =
                |(member, count): &(Expr, Option<Expr>)| matches!(member, Expr::Text(..)) && count.is_none();
            if !members.iter().all(is_literal) {
                continue;
            }
            let other = self.eval(other)?;
            let Datum::Types(types) = &other else {
                let list = self.eval(list)?;
                return self.operate(Binary::Times, list, other);
            };
            self.charge(members.len() as u64)?;
            let kept = members.iter().filter_map(|(member, _)| match member {
                Expr::Text(text, named) if types.contains(self.rules.schema(), text, *named) => {
                    Some(Datum::Text(crate::express::datum::Text::Borrowed(text)))
                }
                _ => None,
            });
            return Ok(Datum::aggregate(AggregateKind::Set, kept.collect()));
        }
        let left = self.eval(left)?;
        let right = self.eval(right)?;
        self.operate(Binary::Times, left, right)
    }

    /// `+`, `-` and `*` where an operand is an aggregate (12.6.2 to 12.6.4).
    pub(super) fn set_operation(
        &mut self,
        operator: Binary,
        left: &Datum<'a>,
        right: &Datum<'a>,
    ) -> Outcome<'a> {
        if left.is_indeterminate() || right.is_indeterminate() {
            return Ok(Datum::Indeterminate);
        }
        let (a, b) = (self.members(left)?, self.members(right)?);
        let kind = |aggregate: &Option<Rc<Aggregate<'a>>>| aggregate.as_ref().map(|aggregate| aggregate.kind);
        let kind = match (kind(&a), kind(&b)) {
            (None, None) => return Ok(Datum::Indeterminate),
            (Some(AggregateKind::Open) | None, Some(other)) | (Some(other), _) => other,
        };
        match operator {
            Binary::Plus => {
                // an element in the place of an aggregate stands for one that has it alone
                let alone = |value: &Datum<'a>| {
                    Rc::new(Aggregate { kind: AggregateKind::Open, members: vec![value.clone()] })
                };
                let a = a.unwrap_or_else(|| alone(left));
                let b = b.unwrap_or_else(|| alone(right));
                self.union(kind, &a, &b)
            }
            Binary::Minus => {
                let Some(a) = a else { return Ok(Datum::Indeterminate) };
                let taken = b.map_or_else(|| vec![right.clone()], |b| b.members.clone());
                self.difference(kind, &a, taken)
            }
            _ => match (a, b) {
                (Some(a), Some(b)) => self.intersection(kind, &a, &b),
                _ => Ok(Datum::Indeterminate),
            },
        }
    }

    fn union(&mut self, kind: AggregateKind, a: &Aggregate<'a>, b: &Aggregate<'a>) -> Outcome<'a> {
        if a.members.len() + b.members.len() > MEMBERS {
            return Err(Stop::Memory);
        }
        self.charge((a.members.len() + b.members.len()) as u64 / 4)?;
        let mut members = Vec::with_capacity(a.members.len() + b.members.len());
        members.extend(a.members.iter().cloned());
        for member in &b.members {
            if kind != AggregateKind::Set || self.found(member, &members)? != Truth::True {
                members.push(member.clone());
            }
        }
        Ok(Datum::aggregate(kind, members))
    }

    fn difference(
        &mut self,
        kind: AggregateKind,
        a: &Aggregate<'a>,
        mut taken: Vec<Datum<'a>>,
    ) -> Outcome<'a> {
        let mut members = Vec::new();
        'members: for member in &a.members {
            for at in 0..taken.len() {
                if let Some(other) = taken.get(at).cloned()
                    && self.same(member, &other)? == Truth::True
                {
                    // a bag loses as many as are taken
                    if kind == AggregateKind::Bag {
                        taken.swap_remove(at);
                    }
                    continue 'members;
                }
            }
            members.push(member.clone());
        }
        Ok(Datum::aggregate(kind, members))
    }

    fn intersection(&mut self, kind: AggregateKind, a: &Aggregate<'a>, b: &Aggregate<'a>) -> Outcome<'a> {
        let mut members = Vec::new();
        for member in &a.members {
            if self.found(member, &b.members)? == Truth::True {
                members.push(member.clone());
            }
        }
        Ok(Datum::aggregate(kind, members))
    }

    /// A value as a variable of this shape holds it: an aggregate takes the variable's kind (13.3.2).
    pub(super) fn shaped(&mut self, value: Datum<'a>, shape: &'a Shape) -> Outcome<'a> {
        let kind = match shape {
            Shape::Any => return Ok(value),
            Shape::List => AggregateKind::List,
            Shape::Set => AggregateKind::Set,
            Shape::Bag => AggregateKind::Bag,
            Shape::Array(bounds) => match bounds {
                Some(bounds) => match self.eval(&bounds.0)?.as_integer() {
                    Some(first) => AggregateKind::Array(first),
                    None => return Ok(Datum::Indeterminate),
                },
                None => return Ok(value),
            },
        };
        let Some(aggregate) = value.as_aggregate().filter(|aggregate| aggregate.kind != kind).cloned() else {
            return Ok(value);
        };
        self.charge(aggregate.members.len() as u64 / 4)?;
        if kind == AggregateKind::Set {
            let nothing = Aggregate { kind, members: Vec::new() };
            return self.union(kind, &nothing, &aggregate);
        }
        Ok(Datum::aggregate(kind, aggregate.members.clone()))
    }

    /// The value of a variable of this shape before anything is assigned: an array of nothing, else nothing (9.5.3).
    pub(super) fn blank(&mut self, shape: &'a Shape) -> Outcome<'a> {
        let Shape::Array(Some(bounds)) = shape else { return Ok(Datum::Indeterminate) };
        let (Some(first), Some(last)) =
            (self.eval(&bounds.0)?.as_integer(), self.eval(&bounds.1)?.as_integer())
        else {
            return Ok(Datum::Indeterminate);
        };
        let count = usize::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or(0);
        if count > MEMBERS {
            return Err(Stop::Memory);
        }
        self.charge(count as u64 / 4)?;
        Ok(Datum::aggregate(AggregateKind::Array(first), vec![Datum::Indeterminate; count]))
    }
}

impl<'a> Aggregate<'a> {
    /// The place in `members` of an index.
    pub(in crate::express) fn place(&self, index: i64) -> Option<usize> {
        usize::try_from(index.checked_sub(self.low())?).ok()
    }

    /// The member at an index.
    pub(in crate::express) fn get(&self, index: i64) -> Option<&Datum<'a>> {
        self.members.get(self.place(index)?)
    }

    /// The index of the last member; of an empty one, one less than the first.
    pub(in crate::express) fn high(&self) -> i64 {
        self.low() + self.members.len() as i64 - 1
    }

    /// The index of the first member.
    pub(in crate::express) fn low(&self) -> i64 {
        match self.kind {
            AggregateKind::Array(first) => first,
            _ => 1,
        }
    }
}
