//! ISO 10303-21, the text form of STEP: where instances begin and end, what their attributes say, and how both are
//! written. Nothing here knows IFC, save for the spelling of type names, which the caller hands in.

pub(crate) mod blocks;
mod cursor;
pub mod encode;
pub(crate) mod head;
mod plain;

pub mod quote;
pub(crate) mod scan;
pub mod text;
pub(crate) mod thorough;

pub use cursor::{Cursor, Spelling, Unreadable};
pub use head::Head;
