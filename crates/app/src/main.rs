//! The `pensaer` program: composition root and subcommands.

fn main() {}
