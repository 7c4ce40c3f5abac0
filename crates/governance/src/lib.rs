//! Who may do what, decided without asking anybody: roles and their grants, gates, keys, tokens, limits.
//!
//! Nothing here waits, stores or listens; time, rows and key sets are handed in. The service asks these questions before a
//! call runs and again, with what it really touched, before anything is committed. Knows no building: which class descends
//! from which is asked of a function that is handed in.

mod decide;
mod file;
mod key;
mod limits;
mod policy;
mod scope;
mod token;
mod touched;

pub use decide::{Asked, Decision, GateAsks, decide};
pub use file::{PolicyError, parse};
pub use key::{Checked, KeyProblem, KeyRecord, in_time, is_secret, new_key, parts};
pub use limits::{LimitsOf, Meter, Running, Way};
pub use policy::{Cost, Gate, Grant, Known, Policy, Role};
pub use scope::{IsA, ModelTarget, Pattern, Scope};
pub use token::{Bearer, Issuer, Keys, TokenProblem, is_token, verify};
pub use touched::Touched;

#[cfg(test)]
mod tests;
