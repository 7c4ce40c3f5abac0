//! The model itself: its vectors, files that are not its own, and the program as whoever asks it sees it.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod files;
mod lines;
mod needs;
mod vectors;
