//! Tasks on shapes from the command line, for measuring, for comparing with other programs and for looking at; each module says
//! what its task takes and prints. `cargo run --release -p geometry --example geometry -- TASK …`.
#![expect(clippy::print_stdout, reason = "its answers are what it is for")]

mod booleans;
mod clashes;
mod fed;
#[path = "../../../ifc/examples/ifc/figures.rs"]
mod figures;
mod mesh;
mod nearby;
mod picture;
mod section;
mod shapes;
mod tiles;

use std::error::Error;

/// The program's own allocator: half of meshing is small lists.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The arguments behind the task's name on the command line.
type Arguments = std::iter::Skip<std::env::Args>;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    match task.as_str() {
        "booleans" => booleans::run(),
        "clashes" => clashes::run(arguments),
        "fed" => fed::run(arguments),
        "mesh" => mesh::run(arguments),
        "nearby" => nearby::run(arguments),
        "picture" => picture::run(arguments),
        "section" => section::run(arguments),
        "shapes" => shapes::run(arguments),
        "tiles" => tiles::run(arguments),
        _ => Err("the task is one of: booleans, clashes, fed, mesh, nearby, picture, section, shapes, tiles"
            .into()),
    }
}
