//! Reports for people who do not open models: the passport of a model, and what has changed between two versions.
//!
//! A report is a [`Document`]; it is written as pages of A4, as Markdown, and as HTML that needs no other file. Its sentences are in the
//! style's language where there are some in it, else in English, which it then says.

mod changed;
mod facts;
mod html;
mod layout;
mod markdown;
mod passport;
mod table;

pub use changed::{Told, changes, places};
pub use facts::{ClassCount, Facts, Map, StoreyFacts, facts};
pub use passport::passport;

use ifc::Id;
use paper::{Fonts, Page};
use std::sync::Arc;

/// A picture that the caller gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The picture as PNG.
    pub png: Arc<[u8]>,
    /// Pixels across and down; what is not told as it is is drawn out of proportion.
    pub pixels: [u32; 2],
    /// The words under it.
    pub caption: String,
    /// The name of the file that Markdown refers to; without one it has the caption alone.
    pub file_name: Option<String>,
}

/// A line about the quality of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quality {
    /// The words.
    pub words: String,
    /// True if it is as it should be.
    pub is_fulfilled: bool,
}

/// The part of a report that its caller gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    /// Lines about the quality.
    pub quality: Vec<Quality>,
    /// Pictures; a passport shows the first two.
    pub pictures: Vec<Picture>,
    /// The storey of the plan; without one, the storey with most rooms.
    pub storey: Option<Id>,
}

/// A report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// The language that it is written in, as in BCP 47.
    pub language: String,
    /// Its title.
    pub title: String,
    /// Words below the title.
    pub subtitle: String,
    /// Its parts in order.
    pub blocks: Vec<Block>,
    form: Form,
    /// The number of blocks in the first of two columns.
    split: usize,
    page_words: String,
    more_words: String,
    /// The fonts that it is laid out in.
    fonts: Fonts,
}

/// The form of a document on paper.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Form {
    /// Pages as many as there have to be.
    #[default]
    Flowing,
    /// One page of two columns.
    OnePage,
}

/// A part of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// Names and what they are.
    Facts(Vec<(String, String)>),
    /// A table.
    Table {
        /// The words over its columns.
        head: Vec<String>,
        /// The share of each column in the width.
        shares: Vec<f64>,
        /// Its rows.
        rows: Vec<Vec<String>>,
    },
    /// Lines that are in order or not.
    Marks(Vec<(bool, String)>),
    /// Pictures beside each other.
    Pictures(Vec<Picture>),
    /// A drawing.
    Drawing(Page),
}

impl Document {
    /// The drawings in it, each with the name of the file that Markdown refers to.
    pub fn drawings(&self) -> Vec<(String, &Page)> {
        let drawings = self.blocks.iter().filter_map(|block| match block {
            Block::Drawing(page) => Some(page),
            _ => None,
        });
        drawings.zip(1..).map(|(page, number)| (markdown::drawing_name(number), page)).collect()
    }

    /// The document as pages of A4.
    pub fn pages(&self) -> Vec<Page> {
        let _fonts = self.fonts.enter();
        match self.form {
            Form::Flowing => layout::flowing(self),
            Form::OnePage => vec![layout::one_page(self)],
        }
    }

    /// The document as Markdown (CommonMark with tables). Pictures are referred to by their file names, drawings by those of [`Document::drawings`].
    pub fn markdown(&self) -> String {
        markdown::write(self)
    }

    /// The document as HTML with all that it shows in it.
    pub fn html(&self) -> String {
        html::write(self)
    }
}
