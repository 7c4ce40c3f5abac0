//! The packs that come with the program.

use super::read;
use super::rule::Pack;
use std::sync::LazyLock;

/// The texts of the packs, by their identifiers.
pub(super) const TEXTS: [(&str, &str); 4] = [
    ("ada-2010", include_str!("../../packs/ada-2010.toml")),
    ("ibc-2021-egress", include_str!("../../packs/ibc-2021-egress.toml")),
    ("model-quality", include_str!("../../packs/model-quality.toml")),
    ("dwelling-space", include_str!("../../packs/dwelling-space.toml")),
];

static PACKS: LazyLock<Vec<Pack>> =
    LazyLock::new(|| TEXTS.iter().filter_map(|(_, text)| read::read(text).ok()).collect());

/// The packs that come with the program; tests hold that each of them can be read.
pub fn shipped() -> &'static [Pack] {
    &PACKS
}
