//! Measures, and shows on paper: `cargo run --example validation -- MODEL.ifc FILE.ids REPORT.html` writes the report of a document held
//! against a model; `ids`, `ids-cases` and `ids-made` measure that. `constraints MODEL.ifc` holds a model against the constraints, `egress
//! MODEL.ifc` analyses its egress and fire ratings, `edits MODEL.ifc` measures how long a change is looked at, `packs MODEL.ifc [PACK]`
//! tells what the rules of packs find.
#![allow(clippy::print_stdout, reason = "it is a program for the shell")]

#[path = "validation/constraints.rs"]
mod constraints;
#[path = "validation/edits.rs"]
mod edits;
#[path = "validation/egress.rs"]
mod egress;
// asks rustix for the time that this process has had
#[path = "../../ifc/examples/ifc/figures.rs"]
mod figures;
#[path = "validation/made.rs"]
mod made;
#[path = "validation/opened.rs"]
mod opened;
#[path = "validation/packs.rs"]
mod packs;
#[path = "validation/requirements.rs"]
mod requirements;

use validation::ids::{Images, check, html, read};

/// The program's own allocator: models are of many small parts.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, rest)) if first == "constraints" => return constraints::run(rest),
        Some((first, rest)) if first == "edits" => return edits::run(rest),
        Some((first, rest)) if first == "egress" => return egress::run(rest),
        Some((first, rest)) if first == "ids" => return requirements::one(rest),
        Some((first, rest)) if first == "ids-cases" => return requirements::cases(rest),
        Some((first, rest)) if first == "ids-made" => return made::run(rest),
        _ => {}
    }
    if let [task, path, rest @ ..] = arguments.as_slice()
        && task == "packs"
    {
        return packs::run(path, rest.first().map(String::as_str));
    }
    let [path, file, page] = arguments.as_slice() else {
        return Err("give a model, an IDS file and the name of a page".into());
    };
    let (model, _) = ifc::Model::open(path.as_ref(), &ifc::Limits::default())?;
    let document = read(&std::fs::read(file)?)?.document;
    let report = check(&document, &model, false, &mut || true).ok_or("given up")?;
    std::fs::write(page, html(&document, &report, &model, path, &Images::new()))?;
    Ok(())
}
