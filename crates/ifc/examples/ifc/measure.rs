//! The kernel's side of `cargo xtask bench`: opens a file, asks it what is asked first, makes one edit and saves, and prints
//! CPU time, wall time and memory as JSON. Each step is one that a process takes for the first time, unless it is named
//! warm.

use crate::Arguments;
use crate::figures::{memory, timed};
use ifc::{Id, Limits, Model, Selector};
use serde_json::{Value, json};
use std::error::Error;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::Path;

/// The selector that is timed.
const RATED: &str = r#"IfcWall, location="Level 2", Pset_WallCommon.FireRating=EI60"#;

pub fn run(mut arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let (Some(source), Some(target)) = (arguments.next(), arguments.next()) else {
        return Err("usage: measure SOURCE.ifc TARGET.ifc".into());
    };
    let (source, limits) = (Path::new(&source), Limits::default());
    let (opened, open) = timed(|| Model::open(source, &limits));
    let (model, problems) = opened?;
    let resident = memory("VmRSS:");
    let last = model.ids().last().ok_or("the file has no instance")?;
    let (_, id) = timed(|| black_box(model.get(last).map(|instance| instance.class_name().to_owned())));
    let (walls, count) = timed(|| model.of_class("IfcWall"));
    // a file of ducts or rebars has no wall; any product does
    let products = if walls.is_empty() { model.of_class("IfcProduct") } else { Vec::new() };
    let wall = *walls.first().or(products.first()).ok_or("the file has no product")?;
    let guid = model.get(wall).and_then(|wall| wall.guid()).ok_or("a product without GlobalId")?;
    let (_, by_guid) = timed(|| black_box(model.by_guid(&guid)));
    let (_, references) = timed(|| black_box(model.referrers(wall)));
    let (edited, edit) = timed(|| -> Result<Model, Box<dyn Error>> {
        let mut edit = model.edit();
        edit.set(wall, "Name", "measured")?;
        let (after, delta) = edit.finish();
        black_box(delta.encode());
        Ok(after)
    });
    let edited = edited?;
    let (saved, save) = timed(|| -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&target)?);
        edited.write_at("2026-01-01T00:00:00", &mut out)?;
        out.flush()
    });
    saved?;

    let (fresh, _) = Model::open(source, &limits)?;
    let selector = Selector::parse(RATED)?;
    let (found, query_cold) = timed(|| selector.run(&fresh));
    let mut query_warm = Value::Null;
    for _ in 0..3 {
        query_warm = timed(|| black_box(selector.run(&fresh))).1;
    }
    let (decoded, decode) = timed(|| fresh.ids().filter_map(|id| values(&fresh, id)).sum::<usize>());
    drop(fresh);

    let index = Path::new(&target).with_extension("index");
    let content = [0; 32];
    let (indexed, save_index) = timed(|| model.save_index(&index, &content, &problems));
    indexed?;
    let (known, reopen) = timed(|| Model::open_known(source, &index, &content, &limits));
    let (known, _) = known.ok_or("the index does not fit")?;
    let (_, reopen_id) =
        timed(|| black_box(known.get(last).map(|instance| instance.class_name().to_owned())));
    let (_, reopen_count) = timed(|| black_box(known.of_class("IfcWall")));
    let (_, reopen_guid) = timed(|| black_box(known.by_guid(&guid)));
    let (_, reopen_references) = timed(|| black_box(known.referrers(wall)));
    let index_mb = fs::metadata(&index)?.len() as f64 / 1e6;
    fs::remove_file(&index)?;

    let (_, pass) = timed(|| one_pass(source));
    let figures = json!({
        "instances": model.len(), "walls": walls.len(), "found": found.len(), "values": decoded,
        "pass": pass, "open": open, "resident_mb": resident, "id": id, "count": count, "guid": by_guid,
        "references": references, "decode": decode, "query_cold": query_cold, "query_warm": query_warm,
        "edit": edit, "save": save, "save_index": save_index, "index_mb": index_mb, "reopen": reopen,
        "reopen_id": reopen_id, "reopen_count": reopen_count, "reopen_guid": reopen_guid,
        "reopen_references": reopen_references, "peak_mb": memory("VmHWM:"),
    });
    println!("{figures}");
    Ok(())
}

/// Counts the values of an instance, all of them read.
fn values(model: &Model, id: Id) -> Option<usize> {
    Some(black_box(model.get(id)?.attributes()).len())
}

/// Every byte of a file looked at once, as fast as memory allows.
fn one_pass(path: &Path) -> std::io::Result<u64> {
    let file = File::open(path)?;
    // SAFETY: the file is not changed while it is measured
    let map = unsafe { memmap2::Mmap::map(&file) }?;
    let mut sums = [0u64; 8];
    for chunk in map.chunks_exact(64) {
        for (sum, word) in sums.iter_mut().zip(chunk.as_chunks::<8>().0) {
            *sum = sum.wrapping_add(u64::from_le_bytes(*word));
        }
    }
    Ok(black_box(sums.iter().fold(0, |all, sum| all ^ sum)))
}
