//! Evaluates expressions and statements over a model (ISO 10303-11, clauses 12, 13 and 15).
//!
//! Values that are not given are indeterminate and make what is computed from them indeterminate or unknown, as the
//! standard says; a value of a kind that an operator cannot take, which only a model with wrong types has, counts as
//! not given. Work, depth and memory are bounded: what goes beyond is answered with the reason, not with a guess.

mod aggregates;
mod builtin;
mod compare;
mod entities;
mod operators;
mod statements;

use super::datum::{AggregateKind, Datum, Text};
use super::rules::{Place, Rules};
use super::syntax::{Binary, Expr, Formula, Interval, Shape, Symbol, Unary};
use super::truth::Truth;
use entities::Decoded;
use ifc::{Id, Model, Value};
use std::fmt;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

/// The most levels that expressions, functions and derived attributes may nest while they are evaluated.
const DEPTH: u32 = 2_000;

/// Bytes of stack that this depth may need, even where nothing is optimised; only what is used is ever taken.
const STACK: usize = 64 << 20;

/// The most members of an aggregate that an expression makes.
const MEMBERS: usize = 4_000_000;

/// Steps that one evaluation may take.
const STEPS: u64 = 20_000_000;

/// Steps that an evaluation takes without asking.
const FREE: u64 = 4_096;

/// Why an expression has no value, not even an indeterminate one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// It takes too many steps.
    Steps,
    /// It nests too deep, or runs in a circle.
    Depth,
    /// It makes an aggregate that is too large.
    Memory,
    /// It does what no rule may do.
    Unsupported(&'static str),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Steps => "it takes more steps than are allowed",
            Self::Depth => {
                "it nests deeper than is allowed, perhaps because instances refer to each other in a circle"
            }
            Self::Memory => "it makes an aggregate that is larger than is allowed",
            Self::Unsupported(what) => what,
        })
    }
}

/// Runs something where there is room for the depth that is allowed: on threads of its own, made when first needed.
pub(super) fn with_room<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    static THREADS: OnceLock<Option<rayon::ThreadPool>> = OnceLock::new();
    let threads = THREADS.get_or_init(|| {
        let builder = rayon::ThreadPoolBuilder::new().stack_size(STACK);
        builder.thread_name(|n| format!("express-{n}")).build().ok()
    });
    match threads {
        Some(threads) => threads.install(work),
        // a process that may not make threads has its own stack, which is enough for rules that end
        None => work(),
    }
}

pub(super) type Outcome<'a> = Result<Datum<'a>, Stop>;

/// Steps that all evaluations of a run may take together, beyond what each takes freely.
#[derive(Debug)]
pub(super) struct Pool(AtomicI64);

impl Pool {
    /// A pool for a model: in proportion to its instances.
    pub fn new(model: &Model) -> Self {
        Self(AtomicI64::new(200_000_000 + 4_000 * model.len() as i64))
    }
}

/// Evaluates over one model, on one thread.
pub(super) struct Evaluator<'a> {
    model: &'a Model,
    rules: &'a Rules,
    pool: &'a Pool,
    decoded: entities::Cache<'a>,
    /// SELF
    this: Datum<'a>,
    /// Frames of functions and queries, one after the other.
    stack: Vec<Datum<'a>>,
    /// The place at which the frame at hand begins.
    frame: usize,
    /// The shapes of the variables of the function at hand.
    shapes: &'a [Shape],
    steps: u64,
    /// The steps up to which the pool was asked.
    granted: u64,
    depth: u32,
}

impl<'a> Evaluator<'a> {
    pub fn new(model: &'a Model, rules: &'a Rules, pool: &'a Pool) -> Self {
        Self {
            model,
            rules,
            pool,
            decoded: entities::Cache::default(),
            this: Datum::Indeterminate,
            stack: Vec::new(),
            frame: 0,
            shapes: &[],
            steps: 0,
            granted: FREE,
            depth: 0,
        }
    }

    /// The value of a formula where SELF is `this`.
    pub fn value(&mut self, formula: &'a Formula, this: Datum<'a>) -> Outcome<'a> {
        self.begin();
        self.in_frame(formula, this)
    }

    fn begin(&mut self) {
        self.steps = 0;
        self.granted = FREE;
        self.depth = 0;
        self.stack.clear();
        self.frame = 0;
        self.shapes = &[];
    }

    /// Evaluates a formula in a frame of its own, with SELF as given.
    fn in_frame(&mut self, formula: &'a Formula, this: Datum<'a>) -> Outcome<'a> {
        let before = std::mem::replace(&mut self.this, this);
        let (frame, shapes) = (self.frame, self.shapes);
        self.frame = self.stack.len();
        self.shapes = &[];
        self.stack.resize(self.frame + usize::from(formula.slots), Datum::Indeterminate);
        let value = self.eval(&formula.expr);
        self.stack.truncate(self.frame);
        (self.frame, self.shapes) = (frame, shapes);
        self.this = before;
        value
    }

    /// Counts steps; beyond the free ones the pool is asked.
    fn charge(&mut self, steps: u64) -> Result<(), Stop> {
        self.steps += steps;
        if self.steps <= self.granted { Ok(()) } else { self.ask() }
    }

    #[cold]
    fn ask(&mut self) -> Result<(), Stop> {
        if self.steps > STEPS {
            return Err(Stop::Steps);
        }
        let more = (self.steps - self.granted).max(1 << 16);
        if self.pool.0.fetch_sub(more as i64, Ordering::Relaxed) < more as i64 {
            return Err(Stop::Steps);
        }
        self.granted += more;
        Ok(())
    }

    fn eval(&mut self, expr: &'a Expr) -> Outcome<'a> {
        self.charge(1)?;
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Stop::Depth);
        }
        let value = self.eval_here(expr);
        self.depth -= 1;
        value
    }

    fn eval_here(&mut self, expr: &'a Expr) -> Outcome<'a> {
        Ok(match expr {
            Expr::Integer(value) => Datum::Integer(*value),
            Expr::Real(value) => Datum::Real(*value),
            Expr::Logical(truth) => Datum::Logical(*truth),
            Expr::Text(text, _) => Datum::Text(Text::Borrowed(text)),
            Expr::Item(item) => Datum::Item(Text::Borrowed(item)),
            Expr::Binary(digits) => operators::binary_of(digits.bytes().map(|digit| digit == b'1')),
            Expr::Indeterminate => Datum::Indeterminate,
            Expr::This => self.this.clone(),
            Expr::Slot(slot) => self.slot(*slot),
            Expr::Population(entity) => self.population(*entity)?,
            Expr::Attribute(of, symbol) => {
                let of = self.eval(of)?;
                self.attribute(&of, *symbol)?
            }
            Expr::Group(of, entity) => {
                let of = self.eval(of)?;
                self.group(of, *entity)
            }
            Expr::Index(pair) => self.index(&pair.0, &pair.1)?,
            Expr::Slice(parts) => self.slice(parts)?,
            Expr::Unary(operator, operand) => {
                let operand = self.eval(operand)?;
                match operator {
                    Unary::Not => Datum::truth(operand.as_truth().negated()),
                    Unary::Plus => operand,
                    Unary::Minus => operators::negated(&operand),
                }
            }
            Expr::Binary2(operator, pair) => self.binary(*operator, &pair.0, &pair.1)?,
            Expr::Interval(interval) => self.interval(interval)?,
            Expr::Aggregate(members) => self.initialiser(members)?,
            Expr::Query(slot, pair) => self.query(*slot, &pair.0, &pair.1)?,
            Expr::Call(function, arguments) => self.call(*function, arguments)?,
            Expr::BuiltIn(function, arguments) => self.built_in(*function, arguments)?,
            Expr::Construct(entity, arguments) => self.construct(*entity, arguments)?,
        })
    }

    fn slot(&self, slot: u16) -> Datum<'a> {
        self.stack.get(self.frame + usize::from(slot)).cloned().unwrap_or(Datum::Indeterminate)
    }

    fn set_slot(&mut self, slot: u16, value: Datum<'a>) {
        if let Some(place) = self.stack.get_mut(self.frame + usize::from(slot)) {
            *place = value;
        }
    }

    #[inline(never)]
    fn binary(&mut self, operator: Binary, left: &'a Expr, right: &'a Expr) -> Outcome<'a> {
        match operator {
            // what the left one decides needs no right one (12.4.2, 12.4.3)
            Binary::And => {
                let left = self.eval(left)?.as_truth();
                if left == Truth::False {
                    return Ok(Datum::truth(false));
                }
                Ok(Datum::truth(left.and(self.eval(right)?.as_truth())))
            }
            Binary::Or => {
                let left = self.eval(left)?.as_truth();
                if left == Truth::True {
                    return Ok(Datum::truth(true));
                }
                Ok(Datum::truth(left.or(self.eval(right)?.as_truth())))
            }
            Binary::In => self.is_in(left, right),
            Binary::Times => self.times(left, right),
            _ => {
                let left = self.eval(left)?;
                let right = self.eval(right)?;
                self.operate(operator, left, right)
            }
        }
    }

    #[inline(never)]
    fn interval(&mut self, interval: &'a Interval) -> Outcome<'a> {
        let low = self.eval(&interval.low)?;
        let item = self.eval(&interval.item)?;
        let high = self.eval(&interval.high)?;
        let order = |strict| if strict { Binary::Less } else { Binary::LessOrEqual };
        let above = self.operate(order(interval.low_strict), low, item.clone())?.as_truth();
        let below = self.operate(order(interval.high_strict), item, high)?.as_truth();
        Ok(Datum::truth(above.and(below)))
    }

    /// `[a, b : 3]`: a repetition that is no whole number from nought makes the whole indeterminate.
    #[inline(never)]
    fn initialiser(&mut self, members: &'a [(Expr, Option<Expr>)]) -> Outcome<'a> {
        let mut list = Vec::with_capacity(members.len());
        for (member, count) in members {
            let value = self.eval(member)?;
            let count = match count {
                None => 1,
                Some(count) => match self.eval(count)?.as_integer().map(usize::try_from) {
                    Some(Ok(count)) => count,
                    _ => return Ok(Datum::Indeterminate),
                },
            };
            if count > MEMBERS - list.len().min(MEMBERS) {
                return Err(Stop::Memory);
            }
            self.charge(count as u64)?;
            list.extend(std::iter::repeat_n(value, count));
        }
        Ok(Datum::aggregate(AggregateKind::Open, list))
    }

    #[inline(never)]
    fn query(&mut self, slot: u16, source: &'a Expr, condition: &'a Expr) -> Outcome<'a> {
        let source = self.eval(source)?;
        let Some(source) = self.members(&source)? else { return Ok(Datum::Indeterminate) };
        let mut kept = Vec::new();
        for member in &source.members {
            self.set_slot(slot, member.clone());
            if self.eval(condition)?.as_truth() == Truth::True {
                kept.push(member.clone());
            }
        }
        self.set_slot(slot, Datum::Indeterminate);
        let kind = if let AggregateKind::Array(_) = source.kind { AggregateKind::Open } else { source.kind };
        Ok(Datum::aggregate(kind, kept))
    }

    /// The aggregate that a value is, names of types spelt out.
    fn members(&mut self, value: &Datum<'a>) -> Result<Option<Rc<super::datum::Aggregate<'a>>>, Stop> {
        if let Datum::Types(types) = value {
            let names = types.names(self.rules.schema());
            self.charge(names.len() as u64 * 8)?;
            let members = names.iter().map(|name| Datum::text(name)).collect();
            return Ok(Some(Rc::new(super::datum::Aggregate { kind: AggregateKind::Set, members })));
        }
        Ok(value.as_aggregate().cloned())
    }

    /// The explicit attributes of an instance of the model.
    pub fn explicit_values(&mut self, id: Id) -> Option<Rc<Decoded<'a>>> {
        self.begin();
        self.record(id).ok().flatten()
    }

    /// An explicit attribute of an instance of the model by the number of its name.
    pub fn own(&mut self, id: Id, symbol: Symbol) -> Option<Datum<'a>> {
        let record = self.explicit_values(id)?;
        match self.rules.place(record.entity, symbol)? {
            Place::Explicit(at) => record.values.get(usize::from(at)).cloned(),
            _ => None,
        }
    }

    /// A value as the model would write it; the names of types spelt out.
    pub fn shown(&mut self, value: &Datum<'a>) -> Value {
        match value {
            Datum::Types(types) => Value::list(types.names(self.rules.schema())),
            other => other.to_value(),
        }
    }

    /// The record of an instance of the model, decoded once and kept for a while.
    fn record(&mut self, id: Id) -> Result<Option<Rc<Decoded<'a>>>, Stop> {
        let (model, rules) = (self.model, self.rules);
        let (record, cost) = self.decoded.get(id, model, rules);
        self.charge(cost)?;
        Ok(record)
    }
}
