//! Places that lie near each other, as one heap each.

use glam::DVec3;
use std::collections::HashMap;

/// The number of the cluster of each place: places that are no farther apart than `reach` metres are in one, and so are those that
/// others lie between. Clusters are numbered in the order in which their first place comes.
pub fn clusters(places: &[DVec3], reach: f64) -> Vec<usize> {
    let cell = |p: DVec3| (p / reach).floor().to_array().map(|x| x as i64);
    let mut by_cell: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (number, place) in places.iter().enumerate() {
        by_cell.entry(cell(*place)).or_default().push(number);
    }
    let mut of = vec![usize::MAX; places.len()];
    let mut count = 0;
    for first in 0..places.len() {
        if of.get(first).is_none_or(|own| *own != usize::MAX) {
            continue;
        }
        let mut open = vec![first];
        if let Some(own) = of.get_mut(first) {
            *own = count;
        }
        while let Some(at) = open.pop() {
            let Some(place) = places.get(at) else { continue };
            for near in around(cell(*place)).filter_map(|cell| by_cell.get(&cell)).flatten() {
                let is_near = places.get(*near).is_some_and(|other| other.distance(*place) <= reach);
                if let Some(own) = of.get_mut(*near).filter(|own| is_near && **own == usize::MAX) {
                    *own = count;
                    open.push(*near);
                }
            }
        }
        count += 1;
    }
    of
}

/// A cell of the raster and those beside it.
fn around([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    let steps = -1..=1;
    steps.clone().flat_map(move |i| {
        let steps = steps.clone();
        steps.clone().flat_map(move |j| {
            steps.clone().map(move |k| [x.saturating_add(i), y.saturating_add(j), z.saturating_add(k)])
        })
    })
}
