//! The way from the id of an instance to its row, and the instances that it does not lead to.

use crate::columns::{self, Columns, Pages};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// From id to row.
pub(crate) enum Lookup {
    /// Ids grow with the rows, and are searched for.
    Ascending(Searched),
    /// A table.
    Paged(Pages),
    /// Sorted by id.
    Sorted(Vec<(u32, u32)>),
}

/// Finds ascending ids: by search, until so many were asked for that a table is worth its making.
#[derive(Default)]
pub(crate) struct Searched {
    table: OnceLock<Option<Pages>>,
    asked: AtomicUsize,
}

/// Ids that are searched for before a table is made, however small it would be.
const LEAST: usize = 64;

impl Lookup {
    /// Ids grow with the rows.
    pub fn ascending() -> Self {
        Self::Ascending(Searched::default())
    }

    /// Bytes of memory.
    pub fn weight(&self) -> u64 {
        match self {
            Self::Paged(pages) => pages.weight(),
            Self::Sorted(pairs) => pairs.len() as u64 * 8,
            Self::Ascending(searched) => {
                searched.table.get().and_then(Option::as_ref).map_or(0, Pages::weight)
            }
        }
    }

    /// Makes the table where there is none, before very many ids are asked for.
    pub fn prepare(&self, columns: &Columns) {
        if let Self::Ascending(searched) = self {
            searched.table.get_or_init(|| Pages::new(&columns.id).map(|(pages, _)| pages));
        }
    }

    /// The row of an id.
    #[inline]
    pub fn row(&self, columns: &Columns, id: u32) -> Option<usize> {
        match self {
            Self::Paged(pages) => pages.row(id),
            Self::Sorted(pairs) => {
                let at = pairs.binary_search_by_key(&id, |(id, _)| *id).ok()?;
                pairs.get(at).map(|(_, row)| *row as usize)
            }
            Self::Ascending(searched) => match searched.table.get() {
                Some(Some(pages)) => pages.row(id),
                made => {
                    // a search takes about as long as the making of sixty rows of a table, which has a page of 256 at least
                    let worth = (columns.len() / 64).max(LEAST);
                    if made.is_none() && searched.asked.fetch_add(1, Ordering::Relaxed) > worth {
                        self.prepare(columns);
                    }
                    columns::search(columns.len(), id, |at| columns.id.get(at).copied()).ok().flatten()
                }
            },
        }
    }
}

/// A later instance with an id that was taken already.
#[derive(Debug, Clone, Copy)]
pub struct Shadowed {
    /// The id that it shares.
    pub id: u32,
    /// The byte of its `#`.
    pub start: usize,
    /// Bytes up to and with its `;`.
    pub length: usize,
}
