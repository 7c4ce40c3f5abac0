//! Functions and statements (ISO 10303-11, 9.5 and clause 13).

use super::{Evaluator, MEMBERS, Outcome, Stop};
use crate::express::datum::{Aggregate, AggregateKind, Datum};
use crate::express::syntax::{Expr, Function, Repeat, Shape, Statement, Step, Target};
use crate::express::truth::Truth;
use std::rc::Rc;

/// The end of a statement.
enum Flow<'a> {
    Next,
    Escape,
    Skip,
    Return(Datum<'a>),
}

/// One step into a value, its index evaluated.
enum Way {
    Attribute(crate::express::syntax::Symbol),
    Index(i64),
}

impl<'a> Evaluator<'a> {
    /// Calls a function of the schema. Parameters are values of its own.
    #[inline(never)]
    pub(super) fn call(&mut self, function: u16, arguments: &'a [Expr]) -> Outcome<'a> {
        let rules = self.rules;
        let Some(function) = rules.function(function) else {
            return Err(Stop::Unsupported("it calls a function that could not be read"));
        };
        let mut values = Vec::with_capacity(usize::from(function.slots));
        for argument in arguments {
            values.push(self.eval(argument)?);
        }
        let outer = self.enter(function, values)?;
        let flow = self.run(&function.body);
        self.leave(outer);
        Ok(match flow? {
            Flow::Return(value) => value,
            _ => Datum::Indeterminate,
        })
    }

    /// Evaluates each domain rule of a global rule.
    pub fn domain(&mut self, rule: &'a Function) -> Result<Vec<(&'static str, &'a Expr, Truth)>, Stop> {
        self.begin();
        let outer = self.enter(rule, Vec::new())?;
        let result = self.run(&rule.body).and_then(|_| {
            rule.domain.iter().map(|(label, expr)| Ok((*label, expr, self.eval(expr)?.as_truth()))).collect()
        });
        self.leave(outer);
        result
    }

    /// Makes a frame for a function; answers the one before.
    fn enter(
        &mut self,
        function: &'a Function,
        values: Vec<Datum<'a>>,
    ) -> Result<(usize, &'a [Shape]), Stop> {
        let outer = (self.frame, self.shapes);
        self.frame = self.stack.len();
        self.shapes = &function.shapes;
        let parameters = values.len();
        self.stack.extend(values);
        self.stack.resize(self.frame + usize::from(function.slots), Datum::Indeterminate);
        self.charge(u64::from(function.slots))?;
        for (slot, shape) in function.shapes.iter().enumerate() {
            let value = if slot < parameters {
                let value = self.slot(slot as u16);
                self.shaped(value, shape)?
            } else {
                self.blank(shape)?
            };
            self.set_slot(slot as u16, value);
        }
        Ok(outer)
    }

    fn leave(&mut self, outer: (usize, &'a [Shape])) {
        self.stack.truncate(self.frame);
        (self.frame, self.shapes) = outer;
    }

    fn run(&mut self, list: &'a [Statement]) -> Result<Flow<'a>, Stop> {
        for statement in list {
            match self.execute(statement)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn execute(&mut self, statement: &'a Statement) -> Result<Flow<'a>, Stop> {
        self.charge(1)?;
        Ok(match statement {
            Statement::Nothing => Flow::Next,
            Statement::Assign(target, value) => {
                let value = self.eval(value)?;
                self.assign(target, value)?;
                Flow::Next
            }
            Statement::If(condition, then, otherwise) => {
                // unknown goes the way of false (13.7)
                let branch = if self.eval(condition)?.as_truth() == Truth::True { then } else { otherwise };
                self.run(branch)?
            }
            Statement::Case(selector, actions, otherwise) => {
                let selector = self.eval(selector)?;
                for action in actions {
                    for label in &action.labels {
                        let label = self.eval(label)?;
                        if self.equal(&selector, &label)? == Truth::True {
                            return self.run(&action.body);
                        }
                    }
                }
                self.run(otherwise)?
            }
            Statement::Repeat(repeat) => self.repeat(repeat)?,
            Statement::Return(value) => Flow::Return(match value {
                Some(value) => self.eval(value)?,
                None => Datum::Indeterminate,
            }),
            Statement::Escape => Flow::Escape,
            Statement::Skip => Flow::Skip,
            Statement::Block(list) => self.run(list)?,
            Statement::Insert(target, element, position) => {
                let element = self.eval(element)?;
                let position = self.eval(position)?.as_integer();
                self.change_list(target, position, Some(element))?;
                Flow::Next
            }
            Statement::Remove(target, position) => {
                let position = self.eval(position)?.as_integer();
                self.change_list(target, position, None)?;
                Flow::Next
            }
        })
    }

    /// REPEAT (13.9): with a bound that is indeterminate it is not executed.
    #[inline(never)]
    fn repeat(&mut self, repeat: &'a Repeat) -> Result<Flow<'a>, Stop> {
        let mut count = None;
        if let Some((slot, from, to, by)) = &repeat.count {
            let from = self.eval(from)?.as_number();
            let to = self.eval(to)?.as_number();
            let by = match by {
                Some(by) => self.eval(by)?.as_number(),
                None => Some(1.0),
            };
            let (Some(from), Some(to), Some(by)) = (from, to, by) else { return Ok(Flow::Next) };
            if by == 0.0 {
                return Ok(Flow::Next);
            }
            count = Some((*slot, from, to, by));
        }
        loop {
            self.charge(1)?;
            if let Some((slot, at, to, by)) = &mut count {
                if (*by > 0.0 && *at > *to) || (*by < 0.0 && *at < *to) {
                    return Ok(Flow::Next);
                }
                let value = if at.fract() == 0.0 && at.abs() < 9e15 {
                    Datum::Integer(*at as i64)
                } else {
                    Datum::Real(*at)
                };
                let before = *at;
                *at += *by;
                if *at == before {
                    return Err(Stop::Steps);
                }
                let slot = *slot;
                self.set_slot(slot, value);
            }
            if let Some(condition) = &repeat.while_true
                && self.eval(condition)?.as_truth() != Truth::True
            {
                return Ok(Flow::Next);
            }
            match self.run(&repeat.body)? {
                Flow::Escape => return Ok(Flow::Next),
                Flow::Next | Flow::Skip => {}
                other @ Flow::Return(_) => return Ok(other),
            }
            if let Some(condition) = &repeat.until
                && self.eval(condition)?.as_truth() == Truth::True
            {
                return Ok(Flow::Next);
            }
        }
    }

    fn way(&mut self, path: &'a [Step]) -> Result<Option<Vec<Way>>, Stop> {
        let mut way = Vec::with_capacity(path.len());
        for step in path {
            way.push(match step {
                Step::Attribute(symbol) => Way::Attribute(*symbol),
                Step::Index(index) => match self.eval(index)?.as_integer() {
                    Some(index) => Way::Index(index),
                    None => return Ok(None),
                },
            });
        }
        Ok(Some(way))
    }

    /// `a.b[i] := value` (13.3)
    #[inline(never)]
    fn assign(&mut self, target: &'a Target, value: Datum<'a>) -> Result<(), Stop> {
        if target.path.is_empty() {
            let value = match self.shapes.get(usize::from(target.slot)) {
                Some(shape) => self.shaped(value, shape)?,
                None => value,
            };
            self.set_slot(target.slot, value);
            return Ok(());
        }
        let Some(way) = self.way(&target.path)? else {
            return Err(Stop::Unsupported("it assigns to a member at an indeterminate index"));
        };
        let mut holder = self.take_slot(target.slot);
        self.put(&mut holder, &way, value)?;
        self.set_slot(target.slot, holder);
        Ok(())
    }

    /// Takes a variable's value out, so that it is not shared while it is changed.
    fn take_slot(&mut self, slot: u16) -> Datum<'a> {
        let place = self.stack.get_mut(self.frame + usize::from(slot));
        place.map_or(Datum::Indeterminate, |place| std::mem::replace(place, Datum::Indeterminate))
    }

    fn put(&mut self, holder: &mut Datum<'a>, way: &[Way], value: Datum<'a>) -> Result<(), Stop> {
        let Some((step, rest)) = way.split_first() else {
            *holder = value;
            return Ok(());
        };
        self.charge(1)?;
        match step {
            Way::Attribute(symbol) => {
                let Some(mut made) = self.made_of(holder)? else {
                    return Err(Stop::Unsupported("it assigns to an attribute of no instance"));
                };
                *holder = Datum::Indeterminate;
                let inside = Rc::make_mut(&mut made);
                if !inside.values.iter().any(|(known, _)| known == symbol) {
                    inside.values.push((*symbol, Datum::Indeterminate));
                }
                if let Some((_, place)) = inside.values.iter_mut().find(|(known, _)| known == symbol) {
                    self.put(place, rest, value)?;
                }
                *holder = Datum::Made(made);
            }
            Way::Index(index) => {
                let Datum::Aggregate(aggregate) = holder else {
                    return Err(Stop::Unsupported("it assigns to a member of no aggregate"));
                };
                self.charge(1 + shared_cost(aggregate))?;
                let inside = Rc::make_mut(aggregate);
                let place = inside.place(*index);
                // a list grows by one at its end, as the functions of the schemas expect
                if place == Some(inside.members.len())
                    && matches!(inside.kind, AggregateKind::List | AggregateKind::Open)
                    && inside.members.len() < MEMBERS
                {
                    inside.members.push(Datum::Indeterminate);
                }
                match place.and_then(|place| inside.members.get_mut(place)) {
                    Some(place) => self.put(place, rest, value)?,
                    None => {
                        return Err(Stop::Unsupported(
                            "it assigns to a member beyond the ends of an aggregate",
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// INSERT behind a position, REMOVE at one (16.1, 16.2).
    fn change_list(
        &mut self,
        target: &'a Target,
        at: Option<i64>,
        new: Option<Datum<'a>>,
    ) -> Result<(), Stop> {
        let wrong = Stop::Unsupported("it inserts or removes where the list has no place");
        if !target.path.is_empty() {
            return Err(Stop::Unsupported("it inserts or removes in what is no variable"));
        }
        let Some(at) = at.and_then(|at| usize::try_from(at).ok()) else { return Err(wrong) };
        let mut holder = self.take_slot(target.slot);
        let Datum::Aggregate(list) = &mut holder else { return Err(wrong) };
        self.charge(1 + list.members.len() as u64 / 4)?;
        let inside = Rc::make_mut(list);
        match new {
            Some(new) if at <= inside.members.len() && inside.members.len() < MEMBERS => {
                inside.members.insert(at, new);
            }
            None if at >= 1 && at <= inside.members.len() => {
                inside.members.remove(at - 1);
            }
            _ => return Err(wrong),
        }
        self.set_slot(target.slot, holder);
        Ok(())
    }
}

/// The cost of copying an aggregate that others hold too.
fn shared_cost(aggregate: &Rc<Aggregate<'_>>) -> u64 {
    if Rc::strong_count(aggregate) > 1 { aggregate.members.len() as u64 / 4 } else { 0 }
}
