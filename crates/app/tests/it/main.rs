//! The whole program, started as a user starts it: the real binary, a data folder of its own, hand-written clients.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

#[cfg(unix)]
mod backend;
mod beside;
mod branches;
mod bucket;
mod budgets;
#[cfg(target_os = "linux")]
#[path = "../../../store/src/tests/cluster.rs"]
#[expect(dead_code, reason = "the store's tests do more with it")]
mod cluster;
mod conformance;
#[cfg(target_os = "linux")]
mod connections;
mod daemon;
mod elsewhere;
#[cfg(target_os = "linux")]
mod energy;
#[cfg(target_os = "linux")]
mod energy_building;
mod energy_lines;
#[cfg(target_os = "linux")]
mod energy_programs;
mod energy_reading;
#[cfg(target_os = "linux")]
mod examples;
#[cfg(target_os = "linux")]
mod gateways;
#[cfg(target_os = "linux")]
mod hostile;
mod http;
#[cfg(target_os = "linux")]
mod killed;
mod knowledge;
mod many;
#[cfg(target_os = "linux")]
mod models;
#[cfg(target_os = "linux")]
mod parameters;
mod place;
mod resources;
#[cfg(target_os = "linux")]
mod sandbox;
mod script;
mod security;
mod shown_answers;
mod solutions;
mod stdio;
mod surface;
mod upkeep;
#[cfg(target_os = "linux")]
mod views;
mod weather;
mod wire;
