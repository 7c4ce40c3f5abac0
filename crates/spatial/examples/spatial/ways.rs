//! The ways of a file: how long its premises and a navigation mesh take, and ways between all rooms, one by one and all at once.
//! `cargo run --release -p spatial --example spatial -- ways MODEL.ifc [width=0.6]`.

use crate::Arguments;
use crate::figures::{memory, timed};
use geometry::Scene;
use geometry::query::Index;
use ifc::{Limits, Model};
use serde_json::json;
use spatial::Layout;
use spatial::ways::{Mesh, Premises, Spot, Traveller, Ways, lengths};
use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// Rounds of which the quickest counts.
const ROUNDS: usize = 9;

/// Runs some work and returns the seconds that all threads were at it.
fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let (value, spent) = timed(work);
    (value, spent["cpu"].as_f64().unwrap_or(f64::NAN))
}

pub fn run(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let (mut file, mut traveller) = (None, Traveller::slightest().wide(0.6));
    for argument in arguments {
        match argument.split_once('=') {
            Some(("width", v)) => traveller.width = v.parse()?,
            _ => file = Some(argument),
        }
    }
    let file = file.ok_or("usage: ways MODEL.ifc [width=0.6]")?;
    let (model, _) = Model::open(Path::new(&file), &Limits::default())?;
    let scene = Scene::from_model(&model);
    let index = Index::of_scene(&scene, &|_| true);
    let (layout, of_layout) = seconds(|| Arc::new(Layout::from_scene(&scene)));
    let rooms = &layout.rooms;
    let quickest = |work: &dyn Fn()| (0..ROUNDS).map(|_| seconds(work).1).fold(f64::INFINITY, f64::min);
    let of_premises = quickest(&|| drop(Premises::from_scene(&scene, &index, &layout)));
    let ways = Ways::from_scene(&scene, &index, Arc::clone(&layout));
    let none = BTreeSet::new();
    let of_mesh = quickest(&|| drop(Mesh::new(&ways.premises, rooms, &traveller, &none)));
    let mesh = ways.mesh(&traveller, &none);
    let of_same = quickest(&|| drop(Mesh::following(Some(&mesh), &ways.premises, rooms, &traveller, &none)));
    let spots: Vec<Spot> = (0..rooms.rooms.len()).filter_map(|n| mesh.room_spot(rooms, n)).collect();
    let mut single: Vec<f64> = Vec::new();
    for a in &spots {
        for b in &spots {
            single.push(seconds(|| lengths(&mesh.net, &[*a], &[*b])).1);
        }
    }
    single.sort_by(f64::total_cmp);
    let at = |share: f64| single.get(((single.len() as f64 - 1.0) * share) as usize).copied().unwrap_or(0.0);
    let all = quickest(&|| {
        for a in &spots {
            drop(lengths(&mesh.net, &[*a], &spots));
        }
    });
    let flights = ways.premises.flights.iter().zip(&mesh.joins);
    let flights = flights.map(|(f, joined)| {
        json!({"element": f.element.0, "risers": f.risers, "foot": f.foot, "top": f.top, "width": f.width, "joined": joined})
    });
    let ms = |seconds: f64| (seconds * 1e6).round() / 1e3;
    let answer = json!({
        "rooms": rooms.rooms.len(), "spots": spots.len(), "doors": ways.premises.doors.len(),
        "flights": flights.collect::<Vec<_>>(), "levels": mesh.layers.iter().map(|l| l.height).collect::<Vec<_>>(), "exits": ways.premises.exits.len(),
        "layers": mesh.layers.len(), "triangles": mesh.net.triangles.len(),
        "layout_ms": ms(of_layout), "premises_ms": ms(of_premises), "mesh_ms": ms(of_mesh), "mesh_again_ms": ms(of_same),
        "way_ms_median": ms(at(0.5)), "way_ms_most": ms(at(1.0)),
        "one_room_to_all_ms": ms(all / spots.len().max(1) as f64), "peak_mb": memory("VmHWM:"),
    });
    println!("{answer}");
    Ok(())
}
