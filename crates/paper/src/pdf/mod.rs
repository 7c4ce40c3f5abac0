//! Documents of pages as PDF 1.7: vectors, fonts embedded as far as they are used, words that can be searched and copied.
//!
//! A document has no date and no number but what it is given or what follows from its content, so that the same pages are the same
//! bytes.

mod surface;

use crate::canvas::draw;
use crate::error::{Error, LARGEST};
use crate::page::Page;
use glam::DVec2;
use krilla::destination::XyzDestination;
use krilla::geom::Point;
use krilla::metadata::DateTime;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use surface::Sheet;

/// Points of 1/72 inch to a mm.
pub(crate) const POINTS: f64 = 72.0 / 25.4;

/// An entry in the tree of contents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bookmark {
    /// Its words.
    pub title: String,
    /// The number of the page that it leads to, from zero.
    pub page: usize,
    /// The place on that page, in mm.
    pub at: DVec2,
    /// The entries below it.
    pub children: Vec<Bookmark>,
}

/// Facts about a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Its title; that of the first page where there is none.
    pub title: Option<String>,
    /// Who made it.
    pub authors: Vec<String>,
    /// Its subject.
    pub subject: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// The program that it was made with.
    pub creator: Option<String>,
    /// Its language, as in BCP 47: `de`, `en-GB`.
    pub language: Option<String>,
    /// When it was made: year, month, day, hour, minute and second of UTC.
    pub date: Option<(u16, u8, u8, u8, u8, u8)>,
}

/// Writes pages, each of its own size, into one document.
pub fn write(pages: &[Page], bookmarks: &[Bookmark], metadata: &Metadata) -> Result<Vec<u8>, Error> {
    let first = pages.first().ok_or(Error::NoPage)?;
    let mut document = krilla::Document::new();
    document.set_metadata(described(metadata, first));
    for page in pages {
        let _fonts = page.fonts.enter();
        let is_size = |length: f64| length > 0.0 && length <= f64::from(LARGEST);
        let size = page.size * POINTS;
        let settings = PageSettings::from_wh(size.x as f32, size.y as f32);
        let settings = settings.filter(|_| is_size(page.size.x) && is_size(page.size.y));
        let mut own = document.start_page_with(settings.ok_or(Error::Size { most: LARGEST })?);
        let mut sheet = Sheet::new(own.surface());
        let drawn = draw(page, &mut sheet);
        sheet.finish();
        own.finish();
        drawn?;
    }
    let mut outline = Outline::new();
    for bookmark in bookmarks {
        outline.push_child(entry(bookmark, pages.len(), 0)?);
    }
    document.set_outline(outline);
    document.finish().map_err(|error| Error::Document { reason: error.to_string() })
}

/// Bookmarks within each other beyond this are left out.
const DEEPEST: usize = 50;

fn entry(bookmark: &Bookmark, pages: usize, depth: usize) -> Result<OutlineNode, Error> {
    if bookmark.page >= pages {
        return Err(Error::Bookmark { title: bookmark.title.clone(), page: bookmark.page + 1, pages });
    }
    let at = if crate::shape::is_near(bookmark.at) { bookmark.at * POINTS } else { DVec2::ZERO };
    let target = XyzDestination::new(bookmark.page, Point::from_xy(at.x as f32, at.y as f32));
    let mut node = OutlineNode::new(bookmark.title.clone(), target);
    if depth < DEEPEST {
        for child in &bookmark.children {
            node.push_child(entry(child, pages, depth + 1)?);
        }
    }
    Ok(node)
}

fn described(metadata: &Metadata, first: &Page) -> krilla::metadata::Metadata {
    let title = metadata.title.clone().unwrap_or_else(|| first.title.clone());
    let mut own = krilla::metadata::Metadata::new().title(title);
    if !metadata.authors.is_empty() {
        own = own.authors(metadata.authors.clone());
    }
    if !metadata.keywords.is_empty() {
        own = own.keywords(metadata.keywords.clone());
    }
    if let Some(subject) = &metadata.subject {
        own = own.description(subject.clone());
    }
    if let Some(creator) = &metadata.creator {
        own = own.creator(creator.clone());
    }
    if let Some(language) = &metadata.language {
        own = own.language(language.clone());
    }
    if let Some((year, month, day, hour, minute, second)) = metadata.date {
        let date = DateTime::new(year).month(month).day(day).hour(hour).minute(minute).second(second);
        own = own.creation_date(date.utc_offset_hour(0).utc_offset_minute(0));
    }
    own
}
