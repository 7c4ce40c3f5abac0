//! Rows of letters.
