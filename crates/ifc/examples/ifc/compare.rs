//! Compares two files and says how long it took: two versions of one history after one edit, and two
//! files of any origin; if only one is named, it and the same in other numbers with
//! one edit. Prints figures as JSON; with `--list`, the entries before them, with `--elements`, in what each thing changed, by
//! GlobalId.

use crate::Arguments;
use crate::figures::{memory, timed};
use ifc::{Limits, Model, Order, Renumber};
use ifc_compare::{Aspect, CompareOptions, ElementChange};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

pub fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = arguments.collect();
    let mut flag = |name: &str| {
        let found = arguments.iter().any(|argument| argument == name);
        arguments.retain(|argument| argument != name);
        found
    };
    let (listed, named) = (flag("--list"), flag("--elements"));
    let open = |path: &String| Model::open(Path::new(path), &Limits::default()).map(|(model, _)| model);
    let (before, after) = match arguments.as_slice() {
        [one, other] => (open(one)?, open(other)?),
        [one] => {
            let model = open(one)?;
            let other = in_other_numbers(&model)?;
            (model, other)
        }
        _ => return Err("usage: compare ONE.ifc [OTHER.ifc] [--list] [--elements]".into()),
    };
    let (history, entries) = in_history(&before)?;
    let (comparison, unrelated) = timed(|| ifc_compare::compare(&before, &after, &CompareOptions::default()));
    if listed {
        for entry in &comparison.entries {
            println!("{entry:?}");
        }
    }
    let (elements, meaning) = timed(|| ifc_compare::elements_of(&comparison, &before, &after));
    let elements = named.then(|| kinds(&elements));
    let figures = json!({
        "elements": elements, "meaning": meaning,
        "history": history, "history_entries": entries, "unrelated": unrelated, "instances": [before.len(), after.len()],
        "added": comparison.added, "removed": comparison.removed, "modified": comparison.modified,
        "peak_mb": memory("VmHWM:"),
    });
    println!("{figures}");
    Ok(())
}

/// A model as another program could have written it, and one edit.
fn in_other_numbers(model: &Model) -> Result<Model, Box<dyn Error>> {
    let how = Renumber { order: Order::Dependency, merge: false };
    let (other, _) = model.renumber(how)?;
    let mut edit = other.edit();
    if let Some(wall) = other.of_class("IfcWall").first() {
        edit.set(*wall, "Name", "measured")?;
    }
    let bytes = edit.finish().0.to_bytes();
    Ok(Model::from_bytes(bytes, &Limits::default())?.0)
}

/// In what each thing changed, in a word each, by GlobalId.
fn kinds(changes: &[ElementChange]) -> BTreeMap<String, BTreeSet<&'static str>> {
    let mut kinds: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
    for change in changes {
        let words = change.aspects.iter().map(|aspect| match aspect {
            Aspect::Added => "added",
            Aspect::Removed => "removed",
            Aspect::Moved { .. } => "moved",
            Aspect::Reshaped => "shape",
            Aspect::Renamed { .. } => "name",
            Aspect::Attribute { .. } => "attribute",
            Aspect::Property { .. } => "properties",
            Aspect::Recontained { .. } => "container",
            Aspect::Rehosted { .. } => "host",
            Aspect::Retyped { .. } => "type",
            Aspect::Material { .. } => "material",
            Aspect::Openings { .. } => "openings",
            Aspect::Groups { .. } => "groups",
            Aspect::Classification { .. } => "classification",
        });
        kinds.entry(change.global_id.clone().unwrap_or_default()).or_default().extend(words);
    }
    kinds
}

/// A new name, and the difference that it makes, with its delta.
fn in_history(before: &Model) -> Result<(Value, usize), Box<dyn Error>> {
    let thing = *before.of_class("IfcProduct").first().ok_or("the file has no product")?;
    let mut edit = before.edit();
    edit.set(thing, "Name", "measured")?;
    let (after, _) = edit.finish();
    let (entries, time) = timed(|| {
        std::hint::black_box(ifc::Delta::between(before, &after).encode());
        ifc_compare::diff(before, &after)
    });
    Ok((time, entries.len()))
}
