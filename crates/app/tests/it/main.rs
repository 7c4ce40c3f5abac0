//! The whole program, started as a user starts it.
