//! The tool catalogue: one file per tool, listed by build.rs. Tools know models and parameters; transports and storage are elsewhere.
