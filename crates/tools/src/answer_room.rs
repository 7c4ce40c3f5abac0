//! How much room an answer takes, and lists cut to what there is room for.

use serde::Serialize;

/// About how many characters an answer on a model has at most.
pub const ANSWER: usize = 12_000;

/// Returns the bytes that a value has as JSON.
pub fn weight<T: Serialize>(value: &T) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.len())
}

/// As many of the first rows as fit; answers how many were left out.
pub fn fit<T: Serialize>(rows: &mut Vec<T>, room: usize) -> usize {
    let mut spent = 0;
    let kept = rows.iter().take_while(|row| {
        spent += weight(row) + 1;
        spent <= room
    });
    let kept = kept.count();
    let left_out = rows.len() - kept;
    rows.truncate(kept);
    left_out
}

/// Sentences as far as there is room, and how many there are more; `rest` says where those are.
pub fn sentences(mut all: Vec<String>, room: usize, rest: &str) -> Vec<String> {
    let left_out = fit(&mut all, room);
    if left_out > 0 {
        all.push(format!("… and {left_out} more{rest}"));
    }
    all
}
