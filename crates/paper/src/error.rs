//! The reasons why a page is not written.

/// The reason why a page is not written in a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The page has no size.
    #[error("the page's size is no size: width and height have to be above zero and below {most} mm")]
    Size {
        /// The largest width or height in mm.
        most: u32,
    },
    /// The picture would have too many pixels.
    #[error("{width} by {height} pixels are too many: {most} are drawn; ask for fewer to the inch")]
    Pixels {
        /// Pixels across.
        width: u64,
        /// Pixels down.
        height: u64,
        /// The largest number in all.
        most: u64,
    },
    /// The page draws without end.
    #[error("the page draws more than {nodes} things, uses of symbols counted")]
    TooMuch {
        /// The largest number.
        nodes: usize,
    },
    /// A picture on the page is no PNG that can be read.
    #[error("a picture on the page is not read as PNG: {reason}")]
    Picture {
        /// In words.
        reason: String,
    },
    /// A bookmark leads nowhere.
    #[error("the bookmark \"{title}\" leads to page {page}, of {pages}")]
    Bookmark {
        /// Its title.
        title: String,
        /// The number of the page that it names, from 1.
        page: usize,
        /// The number of pages.
        pages: usize,
    },
    /// There is nothing to write.
    #[error("a document needs a page")]
    NoPage,
    /// The document cannot be put together.
    #[error("the document is not written: {reason}")]
    Document {
        /// In words.
        reason: String,
    },
}

/// The largest width or height of a page in mm: that which PDF has by default, 14,400 points.
pub(crate) const LARGEST: u32 = 5080;
