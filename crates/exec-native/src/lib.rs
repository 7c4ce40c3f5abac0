//! The adapter over our own IFC kernel.
