//! Tasks of this crate from the command line, for measuring and for comparing it with other programs:
//! `cargo run -p exchange --example exchange -- TASK MODEL … OUT`. Reports are printed as JSON.
#![expect(clippy::print_stdout, reason = "its answers are what it is for")]

use exchange::{Gltf, GltfForm, Joining, Merging, Part, View};
use geometry::Scene;
use ifc::{Limits, Model};
use serde_json::{Value, json};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: apply MODEL VIEW OUT | check MODEL VIEW | subset MODEL SELECTOR OUT | storeys MODEL FOLDER | disciplines \
     MODEL FOLDER | merge name|elevation|apart OUT MODEL MODEL … | glb MODEL OUT | gltf MODEL OUT | obj MODEL FOLDER | gbxml MODEL OUT | \
     csv MODEL FOLDER | parquet MODEL FOLDER | views";

type Outcome = Result<Value, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let begun = std::time::Instant::now();
    match run(&arguments) {
        Ok(mut answer) => {
            if let Some(answer) = answer.as_object_mut() {
                answer.insert("milliseconds".to_owned(), json!(begun.elapsed().as_millis()));
            }
            println!("{answer}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["views"] => {
            println!("{}", exchange::view::page());
            Ok(Value::Null)
        }
        ["apply", model, view, out] => apply(model, view, out),
        ["check", model, view] => {
            Ok(json!({ "findings": exchange::check(&open(model)?, View::named(view)?) }))
        }
        ["subset", model, selector, out] => subset(model, selector, out),
        ["storeys", model, folder] => parts(exchange::split_by_storey(&open(model)?)?, folder),
        ["disciplines", model, folder] => parts(exchange::split_by_discipline(&open(model)?)?, folder),
        ["merge", joining, out, models @ ..] => merge(joining, out, models),
        ["glb", model, out] => gltf(model, GltfForm::Binary, out),
        ["gltf", model, out] => gltf(model, GltfForm::Embedded, out),
        ["obj", model, folder] => {
            let made = exchange::obj(&Scene::from_model(&open(model)?), "model")?;
            files(made.files.iter(), folder)?;
            Ok(json!({ "elements": made.elements, "changes": made.report.changes }))
        }
        ["gbxml", model, out] => {
            let made = exchange::gbxml(&Scene::from_model(&open(model)?))?;
            std::fs::write(out, &made.bytes)?;
            let counts =
                json!({ "spaces": made.spaces, "surfaces": made.surfaces, "openings": made.openings });
            Ok(json!({ "counts": counts, "changes": made.report.changes }))
        }
        [form @ ("csv" | "parquet"), model, folder] => {
            let made = exchange::tables(&open(model)?, *form == "parquet")?;
            files(made.files.iter(), folder)?;
            std::fs::write(Path::new(folder).join("tables.zip"), made.zip()?)?;
            Ok(json!({ "rows": made.rows }))
        }
        _ => Err(USAGE.into()),
    }
}

fn open(path: &str) -> Result<Model, Box<dyn Error>> {
    Ok(Model::open(Path::new(path), &Limits::default())?.0)
}

fn apply(model: &str, view: &str, out: &str) -> Outcome {
    let view = View::named(view)?;
    let (made, report) = exchange::apply(&open(model)?, view)?;
    std::fs::write(out, made.to_bytes())?;
    Ok(json!({ "view": view.code, "changes": report.changes, "findings": exchange::check(&made, view) }))
}

fn subset(model: &str, selector: &str, out: &str) -> Outcome {
    let made = exchange::subset(&open(model)?, selector)?;
    std::fs::write(out, made.model.to_bytes())?;
    Ok(json!({ "selected": made.selected, "loose": made.loose, "changes": made.report.changes }))
}

fn parts(parts: Vec<Part>, folder: &str) -> Outcome {
    std::fs::create_dir_all(folder)?;
    let mut answer = Vec::new();
    for part in parts {
        let path: PathBuf = Path::new(folder).join(format!("{}.ifc", part.name));
        std::fs::write(path, part.subset.model.to_bytes())?;
        answer.push(json!({ "name": part.name, "products": part.products }));
    }
    Ok(json!({ "parts": answer }))
}

fn merge(joining: &str, out: &str, models: &[&str]) -> Outcome {
    let joining = match joining {
        "name" => Joining::Name,
        "elevation" => Joining::Elevation,
        "apart" => Joining::Apart,
        _ => return Err(USAGE.into()),
    };
    let models = models.iter().map(|model| open(model)).collect::<Result<Vec<_>, _>>()?;
    let (made, report) = exchange::merge_models(&models, &Merging { joining, seed: "merge".to_owned() })?;
    std::fs::write(out, made.to_bytes())?;
    Ok(serde_json::to_value(report)?)
}

fn gltf(model: &str, form: GltfForm, out: &str) -> Outcome {
    let Gltf { bytes, nodes, meshes, triangles, report } =
        exchange::gltf(&Scene::from_model(&open(model)?), form)?;
    std::fs::write(out, bytes)?;
    Ok(json!({ "nodes": nodes, "meshes": meshes, "triangles": triangles, "changes": report.changes }))
}

fn files<'f>(files: impl Iterator<Item = &'f exchange::File>, folder: &str) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    for file in files {
        std::fs::write(Path::new(folder).join(&file.name), &file.bytes)?;
    }
    Ok(())
}
