//! Walls that share a face with another one, where what walls are made of is shown.

use super::Strip;
use super::material::Material;
use super::sweep::Stack;
use crate::recognise::Options;
use crate::recognise::grid::Grid;
use crate::recognise::lines::Class;
use crate::recognise::roles::Role;
use glam::DVec2;

/// Adds the pieces between neighbouring lines that are filled and in no wall yet: walls that share a face with another one.
pub(super) fn add(
    role: Role,
    class: &Class,
    stacks: &[Stack],
    options: &Options,
    material: &Material<'_>,
    made: &mut Vec<Strip>,
) {
    let mut own: Vec<Strip> = Vec::new();
    let mut there = Grid::new(2000.0);
    let same: Vec<&Strip> = made.iter().filter(|strip| strip.way == class.way).collect();
    for (number, strip) in same.iter().enumerate() {
        let at = |along: f64| DVec2::new(along, middle(strip));
        let squares = there.put_along(number, at(strip.from), at(strip.to));
        if !material.effort.goes_on(squares * 10) {
            return;
        }
    }
    for stack in stacks {
        let pairs = stack.lines.iter().zip(stack.lines.iter().skip(1));
        for (low, high) in pairs.filter_map(|(a, b)| Some((class.lines.get(*a)?, class.lines.get(*b)?))) {
            let thickness = high.off - low.off;
            if !(options.thickness[0]..=options.thickness[1]).contains(&thickness)
                || stack.to - stack.from < 50.0
            {
                continue;
            }
            let middle = (f64::midpoint(low.off, high.off), f64::midpoint(stack.from, stack.to));
            let near = there.around(DVec2::new(middle.1, middle.0), options.thickness[1]);
            if !material.effort.goes_on(10 + near.len()) {
                return;
            }
            let is_known = near.into_iter().filter_map(|n| same.get(n)).any(|strip| {
                strip.low < middle.0 && strip.high > middle.0 && strip.from < middle.1 && strip.to > middle.1
            });
            if is_known || material.share(class.way, low.off, high.off, stack.from, stack.to) < 0.7 {
                continue;
            }
            // stacks come along the direction, so what goes on is among the last
            if let Some(last) = own.iter_mut().rev().take(200).find(|last| {
                last.low == low.off && last.high == high.off && (last.to - stack.from).abs() < 3.0
            }) {
                last.to = stack.to;
                continue;
            }
            let mut entities: Vec<u32> = low.entities.iter().chain(&high.entities).copied().collect();
            entities.sort_unstable();
            entities.dedup();
            own.push(Strip {
                role,
                way: class.way,
                low: low.off,
                high: high.off,
                from: stack.from,
                to: stack.to,
                inner: Vec::new(),
                entities,
                is_single: false,
            });
        }
    }
    own.retain(|strip| strip.length() > strip.thickness() * 0.98);
    made.extend(own);
}

/// How far the middle of a strip is to the left of zero.
fn middle(strip: &Strip) -> f64 {
    f64::midpoint(strip.low, strip.high)
}
