//! The model itself: its vectors, and files that are not its own.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod files;
mod needs;
mod vectors;
