//! Models on their way to other programs: cut to a view definition, to some elements, to storeys or disciplines, joined with others,
//! or turned into another format: glTF, OBJ, gbXML, tables.
//!
//! A model goes in; what comes out is a model or bytes, with a report of what was left out or became something else. It writes no
//! files, reads none but the models that it is given, and changes none of them. Conversion between schema versions is
//! `ifc-convert`'s, the three-way merge of one model's histories `ifc-compare`'s.

mod archive;
mod cells;
mod error;
mod export;
mod faces;
mod gbxml;
mod gltf;
mod labels;
mod merge;
mod obj;
mod parquet;
mod place;
mod report;
mod select;
mod shown;
mod split;
mod subset;
mod tables;
#[cfg(test)]
mod tests;
mod text;
pub mod view;

pub use self::tables::{Tables, tables};
pub use archive::{File, zip};
pub use error::ExchangeError;
pub use export::{Asker, Export, Exported, Format, Split, export};
pub use gbxml::{GbXml, gbxml};
pub use gltf::{Gltf, GltfForm, gltf};
pub use merge::{Joining, MergeReport, Merged, Merging, merge_models};
pub use obj::{Obj, obj};
pub use report::{Action, Change, Report};
pub use split::{Part, disciplines, split_by_discipline, split_by_storey};
pub use subset::{Subset, subset};
pub use text::with_header;
pub use view::{View, apply, check, page};
