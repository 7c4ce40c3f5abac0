//! Requirements on building models, held against them: the Information Delivery Specification of buildingSMART (IDS 1.0) read,
//! audited, checked, written and reported; rules as data, in packs; and the findings of checks that look at shapes, rooms and ways.
//!
//! It refuses to judge whether a model is valid by its schema (`ifc-check`), and changes no model.

pub mod finding;
pub mod ids;
pub mod packs;
mod subject;

pub use finding::{Finding, Fix, Measured, Quantity, Required, Severity, Unit};
pub use subject::Subject;
