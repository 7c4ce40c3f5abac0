//! The reasons why a drawing is not read.

/// The reason why a drawing is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The file is larger than what is read.
    #[error(
        "the drawing has {bytes} bytes, of {most} at most; take out what is no plan, or save each storey by itself"
    )]
    TooLarge {
        /// Its bytes.
        bytes: usize,
        /// The largest number.
        most: usize,
    },
    /// The bytes are no DXF and no SVG.
    #[error("this is no drawing that can be read: {reason}")]
    NotADrawing {
        /// In words.
        reason: String,
    },
    /// A line of a DXF file is none.
    #[error("{place}: {reason}; open the file in a CAD program and save it as DXF again")]
    Dxf {
        /// The line of text, or the byte of a binary file.
        place: String,
        /// In words.
        reason: String,
    },
    /// An SVG document is none.
    #[error("{place}: {reason}")]
    Svg {
        /// Line and column.
        place: String,
        /// In words.
        reason: String,
    },
    /// There is more of something than what is read.
    #[error("the drawing has more than {most} {of}; {remedy}")]
    TooMany {
        /// The things that are counted.
        of: &'static str,
        /// The largest number.
        most: usize,
        /// In words.
        remedy: &'static str,
    },
    /// More lies beside and across each other than in any plan.
    #[error(
        "what is drawn lies so densely that no plan can be told from it; most of it is on {layers}: say which layers the walls are on, have layers ignored, or save each storey by itself"
    )]
    TooDense {
        /// The layers with most entities, and how many.
        layers: String,
    },
    /// The outcome is not wanted any more.
    #[error("reading the plan was given up")]
    GivenUp,
    /// Nothing is drawn.
    #[error("nothing is drawn in the model space: {reason}")]
    Empty {
        /// In words.
        reason: String,
    },
}
