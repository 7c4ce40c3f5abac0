//! Mistakes in packs: each is told with its line, its column and what would do.
