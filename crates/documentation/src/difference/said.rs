//! Changes in words.

use super::What;
use crate::phrases::{Phrases, put};
use glam::DVec3;

/// The words for one thing that is different.
pub(super) fn what(what: &What, phrases: &Phrases) -> String {
    let t = phrases.t;
    match what {
        What::New => t.new.to_owned(),
        What::Removed => t.removed.to_owned(),
        What::Moved { by, turned } => moved(*by, *turned, phrases),
        What::Shape { from, to } => {
            let (from, to) = (size(*from, phrases), size(*to, phrases));
            if from == to { t.other_shape.to_owned() } else { format!("{}: {from} → {to}", t.other_shape) }
        }
        What::Openings { new, removed, changed } => {
            let parts = [(t.openings_new, new), (t.openings_gone, removed), (t.openings_changed, changed)];
            let told = parts.into_iter().filter(|(_, n)| **n > 0).map(|(words, n)| put(words, &[n]));
            put(t.other_openings, &[&told.collect::<Vec<_>>().join(", ")])
        }
        What::Look => t.other_look.to_owned(),
        What::Class { to, .. } => put(t.other_class, &[&phrases.class(to)]),
        What::Values(values) if values.len() == 1 => t.one_property.to_owned(),
        What::Values(values) => put(t.properties, &[&values.len()]),
    }
}

/// A move: its length, and where it goes if that is a wind, up or down.
fn moved(by: DVec3, turned: f64, phrases: &Phrases) -> String {
    let t = phrases.t;
    let mut parts = Vec::new();
    let (flat, height) = (by.truncate(), by.z);
    let is_long = |metres: f64| metres.abs() > 1e-4;
    if is_long(flat.length()) {
        let words = put(t.moved, &[&phrases.mm(flat.length())]);
        parts.push(match phrases.wind(flat) {
            Some(wind) => format!("{words} {}", put(t.moves_to, &[&wind])),
            None => words,
        });
    }
    if is_long(height) {
        let way = if height > 0.0 { t.up } else { t.down };
        parts.push(format!("{} {way}", put(t.moved, &[&phrases.mm(height.abs())])));
    }
    if turned > 0.05 {
        parts.push(put(t.turned, &[&phrases.number(turned, 1)]));
    }
    parts.join(", ")
}

/// A size in whole millimetres.
pub(super) fn size(size: DVec3, phrases: &Phrases) -> String {
    let mm = |metres: f64| phrases.number(metres * 1000.0, 0);
    put(phrases.t.size, &[&mm(size.x), &mm(size.y), &mm(size.z)])
}
