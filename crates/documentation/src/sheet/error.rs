//! The reasons why a sheet is not made.

use std::fmt;

/// A sheet cannot be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadSheet {
    /// The title block is no template, or there is none of its name.
    TitleBlock {
        /// In words.
        reason: String,
    },
    /// A view cannot be drawn.
    View {
        /// The drawing's name.
        view: String,
        /// In words.
        reason: String,
    },
    /// Something has no room.
    Room {
        /// The thing, such as `the view plan:Level 1 at 1:50`.
        what: String,
        /// Its width and height in whole mm.
        size: [u32; 2],
        /// The reason, and what would do.
        reason: String,
    },
    /// A picture is not given, or is none.
    Picture {
        /// Its key.
        key: String,
        /// In words.
        reason: String,
    },
    /// A table is none.
    Table {
        /// Its title.
        title: String,
        /// In words.
        reason: String,
    },
    /// The set has no sheet, or two of one number.
    Set {
        /// In words.
        reason: String,
    },
}

impl fmt::Display for BadSheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TitleBlock { reason } => write!(f, "the title block: {reason}"),
            Self::View { view, reason } => write!(f, "the view {view}: {reason}"),
            Self::Room { what, size: [width, height], reason } => {
                write!(f, "{what} takes {width} by {height} mm and has no room on the sheet: {reason}")
            }
            Self::Picture { key, reason } => write!(f, "the picture {key}: {reason}"),
            Self::Table { title, reason } => write!(f, "the table {title}: {reason}"),
            Self::Set { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for BadSheet {}
