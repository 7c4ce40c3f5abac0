//! Faces of two rooms that look at each other near enough to share something, and those of a version before that still do.

use super::{INTO, OPPOSITE, THICKEST};
use crate::facet::Facet;
use geometry::Bounds;
use std::collections::HashMap;

/// Two faces, by their numbers.
pub(super) struct Candidate {
    /// The face of the smaller number.
    pub(super) a: usize,
    /// The other.
    pub(super) b: usize,
    /// The distance between them in metres.
    pub(super) distance: f64,
    /// The place of the same two among the candidates of the version before.
    pub(super) before: Option<usize>,
}

/// The places of faces in two versions.
pub(super) struct Places {
    /// In the version before, by those of now.
    olds: Vec<Option<usize>>,
    /// Now, by those in the version before.
    news: Vec<Option<usize>>,
}

impl Places {
    /// The places of faces, by their keys in the version before. Faces that are taken over stand in the order that they had.
    pub(super) fn new(facets: &[Facet], before: &[u64]) -> Places {
        let mut places = Places { olds: Vec::with_capacity(facets.len()), news: vec![None; before.len()] };
        // keys only grow: what is newer than all of the version before is not among them
        let (newest, mut next) = (before.iter().max().copied(), 0);
        for (new, facet) in facets.iter().enumerate() {
            let rest = before.get(next..).unwrap_or_default();
            let is_older = newest.is_some_and(|newest| facet.key <= newest);
            let found = is_older.then(|| rest.iter().position(|key| *key == facet.key)).flatten();
            let old = found.map(|ahead| next + ahead);
            if let Some(old) = old {
                next = old + 1;
                if let Some(place) = places.news.get_mut(old) {
                    *place = Some(new);
                }
            }
            places.olds.push(old);
        }
        places
    }

    /// The place that a face had.
    pub(super) fn old(&self, new: usize) -> Option<usize> {
        self.olds.get(new).copied().flatten()
    }
}

/// The candidates, the nearest first.
pub(super) fn candidates(facets: &[Facet]) -> Vec<Candidate> {
    let bounds = bounds(facets);
    let mut order: Vec<usize> = (0..facets.len()).collect();
    let low = |i: usize| bounds.get(i).map_or(0.0, |b| b.min.x);
    order.sort_by(|a, b| low(*a).total_cmp(&low(*b)));
    let mut found = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        let high = bounds.get(i).map_or(0.0, |b| b.max.x);
        let others = order.iter().skip(place + 1).take_while(|j| low(**j) <= high + THICKEST);
        found.extend(others.filter_map(|&j| candidate(facets, &bounds, i, j)));
    }
    sorted(found)
}

/// The same, made of those of a version before: only new faces are looked at.
pub(super) fn following(facets: &[Facet], places: &Places, before: &[Candidate]) -> Vec<Candidate> {
    let new = |old: usize| places.news.get(old).copied().flatten();
    let kept = before.iter().enumerate().filter_map(|(place, c)| {
        Some(Candidate { a: new(c.a)?, b: new(c.b)?, distance: c.distance, before: Some(place) })
    });
    let mut found: Vec<Candidate> = kept.collect();
    let fresh: Vec<usize> = (0..facets.len()).filter(|place| places.old(*place).is_none()).collect();
    if !fresh.is_empty() {
        let bounds = bounds(facets);
        for &i in &fresh {
            let others = (0..facets.len()).filter(|j| *j > i || places.old(*j).is_some());
            found.extend(others.filter_map(|j| candidate(facets, &bounds, i, j)));
        }
    }
    sorted(found)
}

fn sorted(mut found: Vec<Candidate>) -> Vec<Candidate> {
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance).then((a.a, a.b).cmp(&(b.a, b.b))));
    found
}

fn bounds(facets: &[Facet]) -> Vec<Bounds> {
    let around = |facet: &Facet| Bounds::from_points(facet.loops.iter().flatten().map(|p| facet.lift(*p)));
    facets.iter().map(around).collect()
}

/// Two faces, if they look at each other near enough.
fn candidate(facets: &[Facet], bounds: &[Bounds], i: usize, j: usize) -> Option<Candidate> {
    let (box_i, box_j) = (bounds.get(i)?, bounds.get(j)?);
    if !box_i.meets(box_j, THICKEST) {
        return None;
    }
    // the distance is measured from the one that begins first, whichever was asked
    let is_first = box_i.min.x.total_cmp(&box_j.min.x).then(i.cmp(&j)).is_lt();
    let (first, second) = if is_first { (i, j) } else { (j, i) };
    let (f, g) = (facets.get(first)?, facets.get(second)?);
    if f.room == g.room || f.normal().dot(g.normal()) > OPPOSITE {
        return None;
    }
    let distance = (g.plane.translation - f.plane.translation).dot(f.normal());
    let is_near = (-INTO..THICKEST).contains(&distance);
    is_near.then_some(Candidate { a: i.min(j), b: i.max(j), distance, before: None })
}

/// The places of candidates in groups that have no face in common, each in their order.
pub(super) fn groups(faces: usize, candidates: &[Candidate]) -> Vec<Vec<usize>> {
    let mut heads: Vec<usize> = (0..faces).collect();
    for c in candidates {
        let (a, b) = (head(&mut heads, c.a), head(&mut heads, c.b));
        if let Some(place) = heads.get_mut(a) {
            *place = b;
        }
    }
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (number, c) in candidates.iter().enumerate() {
        let place = *places.entry(head(&mut heads, c.a)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
    }
    groups
}

/// The face that stands for all of its group.
fn head(heads: &mut [usize], face: usize) -> usize {
    let mut at = face;
    while let Some(next) = heads.get(at).copied().filter(|next| *next != at) {
        // half the way for who comes next
        let beyond = heads.get(next).copied().unwrap_or(next);
        if let Some(place) = heads.get_mut(at) {
            *place = beyond;
        }
        at = beyond;
    }
    at
}
