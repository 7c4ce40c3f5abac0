//! Comparing values (ISO 10303-11, 12.2): by value, by instance, by order, and membership.

use super::{DEPTH, Evaluator, Outcome, Stop};
use crate::express::datum::{Aggregate, AggregateKind, Datum};
use crate::express::syntax::{Binary, Expr};
use crate::express::truth::Truth;
use std::cmp::Ordering;
use std::rc::Rc;

/// The way members are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// `=`: instances are equal if their classes and attributes are.
    Value,
    /// `:=:`: instances are the same if they are one.
    Instance,
}

impl<'a> Evaluator<'a> {
    /// `=` (12.2.1)
    pub(super) fn equal(&mut self, left: &Datum<'a>, right: &Datum<'a>) -> Result<Truth, Stop> {
        self.compared(left, right, By::Value)
    }

    /// `:=:` (12.2.2)
    pub(super) fn same(&mut self, left: &Datum<'a>, right: &Datum<'a>) -> Result<Truth, Stop> {
        self.compared(left, right, By::Instance)
    }

    pub(super) fn compared(&mut self, left: &Datum<'a>, right: &Datum<'a>, by: By) -> Result<Truth, Stop> {
        self.charge(1)?;
        Ok(match (left.plain(), right.plain()) {
            (Datum::Indeterminate, _) | (_, Datum::Indeterminate) => Truth::Unknown,
            (Datum::Integer(a), Datum::Integer(b)) => Truth::from(a == b),
            (Datum::Logical(a), Datum::Logical(b)) => Truth::from(a == b),
            (Datum::Text(a), Datum::Text(b)) | (Datum::Item(a), Datum::Item(b)) => {
                self.charge(a.len().min(b.len()) as u64 / 32)?;
                Truth::from(**a == **b)
            }
            (Datum::Binary(a), Datum::Binary(b)) => {
                self.charge(a.len().min(b.len()) as u64 / 32)?;
                Truth::from(a.eq_ignore_ascii_case(b))
            }
            (Datum::Instance(a), Datum::Instance(b)) if a == b => Truth::True,
            (Datum::Made(a), Datum::Made(b)) if Rc::ptr_eq(a, b) => Truth::True,
            (Datum::Instance(_) | Datum::Made(_), Datum::Instance(_) | Datum::Made(_)) => match by {
                By::Instance => Truth::False,
                By::Value => self.equal_instances(left.plain(), right.plain())?,
            },
            (Datum::Types(a), Datum::Types(b)) => match a.is_same(b) {
                Some(same) => Truth::from(same),
                None => Truth::from(a.names(self.rules.schema()) == b.names(self.rules.schema())),
            },
            (Datum::Types(_), Datum::Aggregate(_)) | (Datum::Aggregate(_), Datum::Types(_)) => {
                match (self.members(left)?, self.members(right)?) {
                    (Some(a), Some(b)) => self.equal_aggregates(&a, &b, by)?,
                    _ => Truth::Unknown,
                }
            }
            (Datum::Aggregate(a), Datum::Aggregate(b)) => {
                let (a, b) = (a.clone(), b.clone());
                self.equal_aggregates(&a, &b, by)?
            }
            (a, b) => match (a.as_number(), b.as_number()) {
                (Some(a), Some(b)) => Truth::from(a == b),
                _ => Truth::False,
            },
        })
    }

    /// Lists and arrays member by member, sets and bags in any order (12.2.1.6).
    fn equal_aggregates(
        &mut self,
        a: &Rc<Aggregate<'a>>,
        b: &Rc<Aggregate<'a>>,
        by: By,
    ) -> Result<Truth, Stop> {
        if Rc::ptr_eq(a, b) && !a.members.iter().any(Datum::is_indeterminate) {
            return Ok(Truth::True);
        }
        if a.members.len() != b.members.len() {
            return Ok(Truth::False);
        }
        self.deeper()?;
        let is_loose = |kind| matches!(kind, AggregateKind::Set | AggregateKind::Bag);
        let mut result = Truth::True;
        if is_loose(a.kind) || is_loose(b.kind) {
            let mut free: Vec<bool> = vec![true; b.members.len()];
            'members: for member in &a.members {
                let mut best = Truth::False;
                for (other, free) in b.members.iter().zip(&mut free).filter(|(_, free)| **free) {
                    let truth = self.compared(member, other, by)?;
                    if truth == Truth::True {
                        *free = false;
                        continue 'members;
                    }
                    best = best.max(truth);
                }
                result = result.and(best);
            }
        } else {
            for (member, other) in a.members.iter().zip(&b.members) {
                result = result.and(self.compared(member, other, by)?);
                if result == Truth::False {
                    break;
                }
            }
        }
        self.depth -= 1;
        Ok(result)
    }

    fn deeper(&mut self) -> Result<(), Stop> {
        self.depth += 1;
        if self.depth > DEPTH { Err(Stop::Depth) } else { Ok(()) }
    }

    /// Two instances are equal if they are of the same class and their explicit attributes are equal, absent ones
    /// to absent ones (12.2.1.7).
    fn equal_instances(&mut self, left: &Datum<'a>, right: &Datum<'a>) -> Result<Truth, Stop> {
        let (Some(a), Some(b)) = (self.explicit(left)?, self.explicit(right)?) else {
            return Ok(Truth::False);
        };
        if a.entities() != b.entities() {
            return Ok(Truth::False);
        }
        self.deeper()?;
        let mut result = Truth::True;
        for (symbol, value) in a.values() {
            let other = b.value(symbol);
            let truth = match (value.is_indeterminate(), other.is_indeterminate()) {
                (true, true) => Truth::True,
                (false, false) => self.compared(value, &other, By::Value)?,
                _ => Truth::False,
            };
            result = result.and(truth);
            if result == Truth::False {
                break;
            }
        }
        self.depth -= 1;
        Ok(result)
    }

    /// `<`, `<=`, `>`, `>=` (12.2.1): numbers, texts, LOGICAL and enumerations by their order, sets by inclusion.
    pub(super) fn ordered(
        &mut self,
        operator: Binary,
        left: &Datum<'a>,
        right: &Datum<'a>,
    ) -> Result<Truth, Stop> {
        let order = match (left.plain(), right.plain()) {
            (Datum::Integer(a), Datum::Integer(b)) => Some(a.cmp(b)),
            (Datum::Text(a), Datum::Text(b)) | (Datum::Binary(a), Datum::Binary(b)) => {
                self.charge(a.len().min(b.len()) as u64 / 32)?;
                Some((**a).cmp(&**b))
            }
            (Datum::Logical(a), Datum::Logical(b)) => Some(a.cmp(b)),
            (Datum::Item(a), Datum::Item(b)) => self.rules.item_order(a, b),
            (Datum::Aggregate(_) | Datum::Types(_), Datum::Aggregate(_) | Datum::Types(_)) => {
                return match operator {
                    Binary::LessOrEqual => self.is_subset(left, right),
                    Binary::GreaterOrEqual => self.is_subset(right, left),
                    _ => Ok(Truth::Unknown),
                };
            }
            (a, b) => match (a.as_number(), b.as_number()) {
                (Some(a), Some(b)) => a.partial_cmp(&b),
                _ => None,
            },
        };
        Ok(match (order, operator) {
            (None, _) => Truth::Unknown,
            (Some(order), Binary::Less) => Truth::from(order == Ordering::Less),
            (Some(order), Binary::LessOrEqual) => Truth::from(order != Ordering::Greater),
            (Some(order), Binary::Greater) => Truth::from(order == Ordering::Greater),
            (Some(order), _) => Truth::from(order != Ordering::Less),
        })
    }

    /// True if every member of one is a member of the other (12.6.5).
    fn is_subset(&mut self, part: &Datum<'a>, whole: &Datum<'a>) -> Result<Truth, Stop> {
        let Some(members) = self.members(part)? else { return Ok(Truth::Unknown) };
        let mut result = Truth::True;
        for member in &members.members {
            result = result.and(self.contained(member, whole)?);
            if result == Truth::False {
                break;
            }
        }
        Ok(result)
    }

    /// `IN` with its operands not yet evaluated: a literal looked up in TYPEOF needs no names spelt out.
    #[inline(never)]
    pub(super) fn is_in(&mut self, left: &'a Expr, right: &'a Expr) -> Outcome<'a> {
        if let Expr::Text(text, named) = left {
            let whole = self.eval(right)?;
            if let Datum::Types(types) = &whole {
                return Ok(Datum::truth(types.contains(self.rules.schema(), text, *named)));
            }
            let element = Datum::Text(crate::express::datum::Text::Borrowed(text));
            return Ok(Datum::truth(self.contained(&element, &whole)?));
        }
        let element = self.eval(left)?;
        if let (Expr::Aggregate(members), Some(text)) = (right, element.as_text())
            && members.iter().all(|(member, count)| matches!(member, Expr::Text(..)) && count.is_none())
        {
            self.charge(members.len() as u64)?;
            let found =
                members.iter().any(|(member, _)| matches!(member, Expr::Text(known, _) if **known == *text));
            return Ok(Datum::truth(found));
        }
        let whole = self.eval(right)?;
        Ok(Datum::truth(self.contained(&element, &whole)?))
    }

    /// `IN` (12.2.3): true if some member is the element, unknown if that is unknown of some member.
    pub(super) fn contained(&mut self, element: &Datum<'a>, whole: &Datum<'a>) -> Result<Truth, Stop> {
        if element.is_indeterminate() {
            return Ok(Truth::Unknown);
        }
        if let (Datum::Types(types), Some(text)) = (whole, element.as_text()) {
            let named = self.rules.names().named(text);
            return Ok(Truth::from(types.contains(self.rules.schema(), text, named)));
        }
        let Some(members) = self.members(whole)? else { return Ok(Truth::Unknown) };
        self.found(element, &members.members)
    }

    pub(super) fn found(&mut self, element: &Datum<'a>, members: &[Datum<'a>]) -> Result<Truth, Stop> {
        let mut result = Truth::False;
        for member in members {
            result = result.or(self.same(element, member)?);
            if result == Truth::True {
                break;
            }
        }
        Ok(result)
    }
}
