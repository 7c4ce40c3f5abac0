//! Requirements on building models, held against them: the Information Delivery Specification of buildingSMART (IDS 1.0) read,
//! audited, checked, written and reported; and the findings of checks that look at shapes, rooms and ways.
//!
//! It refuses to judge whether a model is valid by its schema (`ifc-check`), and changes no model.

pub mod constraints;
