//! Bodies that one can work out by hand, representations written out small, and real models.

mod advanced;
mod booleans;
mod cuts;
pub(crate) mod items;
mod lines;
mod measured;
mod openings;
mod real;
mod spoiled;
mod sweeps;

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-7 * (1.0 + b.abs()), "{a} is not {b}");
}

pub(crate) use real::open;
