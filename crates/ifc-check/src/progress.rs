//! Progress of a long check, which also asks whether to go on.

/// Told which part of a validation is at work and how much of how much of it is done, from any thread; 0 where the part begins.
/// If it answers no, the work ends without a result.
pub type GoOn<'a> = &'a (dyn Fn(&'static str, usize, usize) -> bool + Sync);
