//! The whole program, started as a user starts it: the real binary, a data folder of its own, hand-written clients.

mod bucket;
mod daemon;
mod http;
mod many;
mod place;
mod stdio;
mod surface;
mod wire;
