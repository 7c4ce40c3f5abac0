//! A model in another schema version: what both schemas hold is carried over under the same ids and GlobalIds, what
//! only has another name or place is put there, what has no equal becomes the nearest thing the target has, and the
//! rest is left out; [`ConversionReport`] says which was which, and why.
//!
//! Neighbouring versions are converted directly (IFC2X3 and IFC4, IFC4 and IFC4X3); between IFC2X3 and IFC4X3 the way
//! leads over IFC4, for the changes were published in that order. Instances whose class and attributes did not change
//! keep their text. The result is read again and settled: a reference that the target does not allow is dropped, and
//! what cannot be without it goes too, so that what comes out is as valid as what went in.
//!
//! Shapes that only a geometry kernel could turn into others (advanced breps, swept solids along alignments) are left
//! out and reported, not approximated.

mod adapt;
mod attributes;
mod classes;
mod defaults;
mod draft;
mod plan;
mod repair;
mod report;
#[cfg(test)]
#[path = "../../ifc/src/sample/mod.rs"]
#[allow(dead_code, reason = "shared by the tests of several crates")]
mod sample;
mod special;
mod step;
#[cfg(test)]
mod tests;
mod write;

pub use report::{ConversionReport, Note, Outcome, Tally};

use ifc::{Model, OpenError, SchemaVersion};

/// Why a model cannot be converted at all.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The converted text cannot be read again.
    #[error("the converted model cannot be read: {0}")]
    Open(#[from] OpenError),
    /// All ids to 2³² are used.
    #[error("the model has no free instance ids left; renumber it")]
    OutOfIds,
}

/// One published step from a schema to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// IFC2X3 to IFC4.
    TwoToFour,
    /// IFC4 to IFC2X3.
    FourToTwo,
    /// IFC4 to IFC4X3.
    FourToThree,
    /// IFC4X3 to IFC4.
    ThreeToFour,
}

impl Way {
    fn target(self) -> SchemaVersion {
        match self {
            Self::TwoToFour | Self::ThreeToFour => SchemaVersion::Ifc4,
            Self::FourToTwo => SchemaVersion::Ifc2x3,
            Self::FourToThree => SchemaVersion::Ifc4x3,
        }
    }

    fn between(from: SchemaVersion, to: SchemaVersion) -> &'static [Self] {
        use SchemaVersion::{Ifc2x3, Ifc4, Ifc4x3};
        match (from, to) {
            (Ifc2x3, Ifc4) => &[Self::TwoToFour],
            (Ifc4, Ifc2x3) => &[Self::FourToTwo],
            (Ifc4, Ifc4x3) => &[Self::FourToThree],
            (Ifc4x3, Ifc4) => &[Self::ThreeToFour],
            (Ifc2x3, Ifc4x3) => &[Self::TwoToFour, Self::FourToThree],
            (Ifc4x3, Ifc2x3) => &[Self::ThreeToFour, Self::FourToTwo],
            _ => &[],
        }
    }
}

/// The model in another schema version, with a report of what that cannot hold. For the version that it is in, the
/// model itself.
pub fn convert(source: &Model, to: SchemaVersion) -> Result<(Model, ConversionReport), ConvertError> {
    let from = source.schema().version();
    let mut model = source.clone();
    let mut report = ConversionReport::new(from, to);
    for way in Way::between(from, to) {
        let (next, record) = write::convert(&model, *way)?;
        report.follow(source, &model, record);
        model = next;
    }
    report.count_kept(source);
    Ok((model, report))
}
