//! The agent's Python: a script runs in Monty, an interpreter in Rust that reaches nothing by itself, with one object of
//! ours in it, the `adapter`. What that object and the elements it hands out can do is the [`Host`]'s business; this
//! crate knows no model and no tool.
//!
//! Nothing here trusts the script. It has a stack, a clock and a memory of its own, each with a limit that a Fault names;
//! what it hands to the host becomes plain JSON or an exception in the script; what it answers and prints is cut at a
//! bound. Files, environment, network and other modules than Monty's few are refused, never emulated.
//!
//! | module | what it knows |
//! | --- | --- |
//! | run | the steps of a run: calls, reads and names that the interpreter stops for |
//! | value | Python values as JSON and back |
//! | failure | exceptions and limits as Faults with lines, and Faults as exceptions |
//! | printed | what `print` wrote, to a bound |
//! | memory | what a script holds, counted by the program's allocator |
//! | clock | the time of the operation, which is all a script sees of time |
//! | turn | one script at a time, so that memory is its own |

mod clock;
mod failure;
mod host;
pub mod memory;
mod printed;
mod run;
#[cfg(test)]
mod tests;
mod turn;
mod value;

pub use host::{Arguments, Element, Handle, Host, Refused, Reply};
pub use run::{Limits, Ran, run};
