//! Joins of walls: where ends meet or an end meets another wall's path, bodies are cut so that nothing is there twice, and
//! the connection is stored. Lengths stay those of the axes.
//!
//! `corner` is the geometry alone, `layered` that of walls of several layers, `links` what the model stores, `ends` how a wall ends by what it is connected to,
//! `meeting` finds what meets, `asked` is what somebody asked for, `trial` says beforehand what comes of it.

mod asked;
mod corner;
mod ends;
mod layered;
mod links;
mod meeting;
mod trial;

pub use asked::{JoinAnswer, JoinType, JoinsAnswer, answer, join};
pub use corner::{Arm, mitre};
pub use ends::{Ends, fit, is_fixed, part, refit, write_body};
pub use links::{Link, links, prioritise};
pub use meeting::{joined, meet, rejoin, touching};
pub use trial::joins_cleanly;
