//! The reasons why a file is not read as a picture.

/// The reason why a file is not traced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes are neither PNG nor JPEG.
    #[error("the file is neither PNG nor JPEG: it begins with {begins}; save the plan as PNG or JPEG")]
    Format {
        /// The first bytes, in hexadecimal, or the format that they are of.
        begins: String,
    },
    /// The picture has more pixels than are read.
    #[error(
        "the picture has {width} by {height} pixels, and at most {most} are read in all; make it smaller, or cut out the plan"
    )]
    Pixels {
        /// Pixels across.
        width: u64,
        /// Pixels down.
        height: u64,
        /// The largest number in all.
        most: u64,
    },
    /// The file has more bytes than are read.
    #[error("the file has {bytes} bytes, and at most {most} are read")]
    Bytes {
        /// The size of the file.
        bytes: u64,
        /// The largest size.
        most: u64,
    },
    /// The file is damaged so that no row of the picture can be read.
    #[error("the {format} file is damaged: {reason}; save it again")]
    Damaged {
        /// PNG or JPEG.
        format: &'static str,
        /// In words.
        reason: String,
    },
    /// A scale that is no scale.
    #[error("a scale needs pixels and mm above zero, not {pixels} pixels and {mm} mm")]
    Scale {
        /// As given.
        pixels: String,
        /// As given.
        mm: String,
    },
    /// A scale in words that is none.
    #[error(
        "'{text}' is no scale: write 1:200, or a length that is known in the picture as {{\"pixels\": 100, \"mm\": 635}}"
    )]
    Ratio {
        /// As given.
        text: String,
    },
    /// A scale as a ratio of a picture that does not say how large it is on paper.
    #[error(
        "the scale {text} says nothing as the file does not tell its dots to the inch; give a length that is known in the picture, as {{\"pixels\": 100, \"mm\": 635}}"
    )]
    Resolution {
        /// As given.
        text: String,
    },
    /// The picture with the trace could not be written.
    #[error("the picture with the trace is not written: {reason}")]
    Overlay {
        /// In words.
        reason: String,
    },
}
