//! The schema's own rules, evaluated: an interpreter of EXPRESS (ISO 10303-11) for the where rules, UNIQUE rules,
//! global rules, derived attributes and functions of IFC2X3, IFC4 and IFC4X3.
//!
//! The rules lie in the program as text (`generated/`, one line each) and are read into trees with resolved names when
//! a model is first validated, once for each schema. A rule is broken only where it is false: what cannot be known,
//! because a value that it speaks of is not given, breaks nothing (9.2.2.2). Evaluation changes nothing, takes bounded
//! time and memory whatever the model holds, and says of a rule that it could not evaluate why not.
//!
//! It does not declare: there are no schemas but those three, and no rules but theirs.

mod check;
mod datum;
mod evaluate;
mod lexer;
mod names;
mod parse;
mod rules;
mod syntax;
#[cfg(test)]
mod tests;
mod texts;
mod truth;

pub use check::check_rules;
pub(crate) use check::rule_findings;
pub use evaluate::Stop;
pub use lexer::SyntaxError;
pub use texts::{RuleText, RuleTextKind, rule_texts};
pub use truth::Truth;

use datum::Datum;
use evaluate::{Evaluator, Pool};
use ifc::{Id, Model, Value};
use rules::Rules;

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpressError {
    /// It is no EXPRESS, or has a name that stands for nothing.
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
    /// It takes too much, or does what no rule may do.
    #[error("the expression cannot be evaluated: {0}")]
    Stopped(Stop),
}

/// The value of an EXPRESS expression over a model, SELF being an instance of it or nothing. Names are those of the
/// model's schema: `SIZEOF(SELF.IsDefinedBy) > 0`, `IfcNormalise(Axis)`. An indeterminate value is [`Value::Null`].
pub fn evaluate(model: &Model, text: &str, this: Option<Id>) -> Result<Value, ExpressError> {
    evaluate::with_room(|| evaluated(model, text, this))
}

fn evaluated(model: &Model, text: &str, this: Option<Id>) -> Result<Value, ExpressError> {
    let rules = Rules::for_version(model.schema().version());
    let entity = this.and_then(|id| model.get(id)).and_then(|instance| instance.entity());
    let formula = parse::formula(text, rules.names(), entity)?;
    let pool = Pool::new(model);
    let mut evaluator = Evaluator::new(model, rules, &pool);
    let this = this.map_or(Datum::Indeterminate, Datum::Instance);
    evaluator.value(&formula, this).map(|value| evaluator.shown(&value)).map_err(ExpressError::Stopped)
}
