//! Generated tables, one module a schema.

#[rustfmt::skip]
pub mod ifc2x3;
#[rustfmt::skip]
pub mod ifc4;
#[rustfmt::skip]
pub mod ifc4x3;
