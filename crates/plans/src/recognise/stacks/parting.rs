//! Stacks parted into walls, each from its first to its last face with the lines of its layers between.

use super::Strip;
use super::sweep::{HIGHEST, Stack};
use crate::effort::Effort;
use crate::recognise::Options;
use crate::recognise::lines::{Class, Merged};
use crate::recognise::roles::Role;
use std::collections::BTreeMap;

/// Thicknesses that stand alone, with the length of walls that has them, in steps of 2 mm.
#[derive(Default)]
pub(super) struct Known(BTreeMap<i64, f64>, f64);

impl Known {
    const STEP: f64 = 2.0;

    pub(super) fn add(&mut self, thickness: f64, length: f64) {
        *self.0.entry((thickness / Self::STEP).round() as i64).or_default() += length;
        self.1 += length;
    }

    fn is_known(&self, thickness: f64) -> bool {
        let own = (thickness / Self::STEP).round() as i64;
        let length: f64 = self.0.range(own - 1..=own + 1).map(|(_, length)| length).sum();
        length > (self.1 * 0.04).max(1500.0)
    }
}

/// A piece of a wall by its faces, and the lines between.
struct Parted {
    low: usize,
    high: usize,
    inner: Vec<usize>,
}

/// Parts a stack into walls.
fn part(role: Role, lines: &[Merged], stack: &[usize], options: &Options, known: &Known) -> Vec<Parted> {
    // on a layer of walls a line that is of none is odd; elsewhere it is furniture
    let (skip, other) = if role == Role::Wall { (1.0, 0.5) } else { (0.5, 0.3) };
    let kept = without_patterns(lines, stack);
    let count = kept.len();
    if !(2..=HIGHEST).contains(&count) {
        return Vec::new();
    }
    let off = |n: usize| kept.get(n).and_then(|line| lines.get(*line)).map_or(0.0, |line| line.off);
    // the least cost of the first n lines, and where the last wall of them begins
    let mut best: Vec<(f64, Option<usize>)> = vec![(0.0, None)];
    for n in 1..=count {
        let skipped = best.get(n - 1).map_or(0.0, |own| own.0) + skip;
        let mut own = (skipped, None);
        for start in (0..n - 1).rev() {
            let thickness = off(n - 1) - off(start);
            if thickness > options.thickness[1] {
                break;
            }
            if thickness < options.thickness[0] {
                continue;
            }
            let inner = (n - 2 - start) as f64;
            let bonus = if known.is_known(thickness) { 2.0 } else { other };
            let each = if thickness < 550.0 { 0.3 } else { 2.0 };
            let cost = best.get(start).map_or(0.0, |own| own.0) + inner * each - bonus + thickness / 1750.0;
            if cost < own.0 {
                own = (cost, Some(start));
            }
        }
        best.push(own);
    }
    let mut made = Vec::new();
    let mut n = count;
    while n > 0 {
        match best.get(n).and_then(|own| own.1) {
            Some(start) => {
                if let (Some(low), Some(high)) = (kept.get(start), kept.get(n - 1)) {
                    let inner = kept.get(start + 1..n - 1).unwrap_or_default().to_vec();
                    made.push(Parted { low: *low, high: *high, inner });
                }
                n = start;
            }
            None => n -= 1,
        }
    }
    made
}

/// Leaves out the lines within rows of five and more at equal distances: treads of stairs, boards, hatches.
fn without_patterns(lines: &[Merged], stack: &[usize]) -> Vec<usize> {
    if stack.len() < 5 {
        return stack.to_vec();
    }
    let off = |n: usize| stack.get(n).and_then(|line| lines.get(*line)).map_or(0.0, |line| line.off);
    let mut is_out = vec![false; stack.len()];
    let mut at = 0;
    while at + 4 < stack.len() {
        let step = off(at + 1) - off(at);
        let mut end = at + 1;
        while end + 1 < stack.len() && (off(end + 1) - off(end) - step).abs() < (step * 0.04).max(1.0) {
            end += 1;
        }
        if end - at >= 4 {
            for own in is_out.iter_mut().take(end).skip(at + 1) {
                *own = true;
            }
            at = end;
        } else {
            at += 1;
        }
    }
    stack.iter().zip(is_out).filter(|(_, is_out)| !is_out).map(|(line, _)| *line).collect()
}

pub(super) fn class_strips(
    role: Role,
    class: &Class,
    stacks: &[Stack],
    options: &Options,
    known: &Known,
    effort: &Effort<'_>,
) -> Vec<Strip> {
    let lines = &class.lines;
    // by the distance of faces, so that pieces of other lines in the same place go on
    let mut parted: Vec<(f64, f64, Parted)> = Vec::new();
    for stack in stacks {
        // of each line those before it are looked at that lie within a wall
        if !effort.goes_on(10 + stack.lines.len() * stack.lines.len() / 4) {
            return Vec::new();
        }
        parted.extend(
            part(role, lines, &stack.lines, options, known)
                .into_iter()
                .map(|own| (stack.from, stack.to, own)),
        );
    }
    parted.sort_by(|a, b| (a.2.low, a.2.high).cmp(&(b.2.low, b.2.high)).then(a.0.total_cmp(&b.0)));
    let mut made: Vec<Strip> = Vec::new();
    let mut last_key = None;
    for (from, to, own) in parted {
        let (Some(low), Some(high)) = (lines.get(own.low), lines.get(own.high)) else { continue };
        let inner: Vec<(f64, f64, f64)> =
            own.inner.iter().filter_map(|n| lines.get(*n)).map(|line| (line.off, from, to)).collect();
        let key = (own.low, own.high);
        if last_key == Some(key)
            && let Some(last) = made.last_mut()
            && from <= last.to + 3.0
        {
            last.to = last.to.max(to);
            last.inner.extend(inner);
            continue;
        }
        last_key = Some(key);
        let mut entities: Vec<u32> = low.entities.iter().chain(&high.entities).copied().collect();
        entities.extend(
            own.inner.iter().filter_map(|n| lines.get(*n)).flat_map(|line| line.entities.iter().copied()),
        );
        entities.sort_unstable();
        entities.dedup();
        made.push(Strip {
            role,
            way: class.way,
            low: low.off,
            high: high.off,
            from,
            to,
            inner,
            entities,
            is_single: false,
        });
    }
    made
}
