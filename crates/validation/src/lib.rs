//! Requirements on building models, held against them: the Information Delivery Specification of buildingSMART (IDS 1.0) read,
//! audited, checked, written and reported; clashes; constraints that every building keeps; rules as data, in packs; fire compartments
//! and ways out.
//!
//! It refuses to judge whether a model is valid by its schema (`ifc-check`), and changes no model.

mod around;
pub mod clash;
pub mod constraints;
mod dwelling;
pub mod egress;
pub mod finding;
pub mod fire;
mod grouping;
pub mod ids;
#[cfg(test)]
mod invariance;
pub mod packs;
pub mod page;
mod rule_page;
mod subject;
mod swing;
mod wall_run;
mod widened;

pub use finding::{Finding, Fix, Measured, Quantity, Required, Severity, Unit};
pub use rule_page::RulePage;
pub use subject::Subject;
