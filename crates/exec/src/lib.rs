//! The Execution Service: operations on models in a process of their own, reached over HTTP on a Unix socket.
//!
//! A gateway talks to it through [`Executor`]. [`Pool`](pool::Pool) implements it over worker processes that it starts,
//! watches and replaces; [`Host`](host::Host) is what runs inside such a worker: it opens versions, keeps them, hands
//! operations to adapters and dresses what they return as artifacts. No adapter is named here: whoever composes the
//! program hands them in.

mod executor;

pub use executor::Executor;
