//! The packs that come with the program.

use super::read;
use super::rule::Pack;
use std::sync::LazyLock;

/// The texts of the packs, by their identifiers.
pub(super) const TEXTS: [(&str, &str); 1] = [("model-quality", include_str!("../../packs/model-quality.toml"))];

static PACKS: LazyLock<Vec<Pack>> =
    LazyLock::new(|| TEXTS.iter().filter_map(|(_, text)| read::read(text).ok()).collect());

/// The packs that come with the program; tests hold that each of them can be read.
pub fn shipped() -> &'static [Pack] {
    &PACKS
}
