//! Stacks: the lines that lie beside each other at each place along a direction.

use crate::effort::Effort;
use crate::recognise::lines::Merged;
use std::collections::BTreeMap;

/// Lines beside each other along a piece, from the right to the left.
pub(super) struct Stack {
    pub(super) lines: Vec<usize>,
    pub(super) from: f64,
    pub(super) to: f64,
}

/// Lines beside each other beyond this are a pattern.
pub(super) const HIGHEST: usize = 40;

/// The stacks of a direction: at every place the lines that lie no further from the next one than a wall is thick.
pub(super) fn stacks(lines: &[Merged], reach: f64, effort: &Effort<'_>) -> Vec<Stack> {
    let mut made: Vec<Stack> = Vec::new();
    let mut at = 0;
    // lines of which each is near to the one before, whatever lies between along the direction
    while at < lines.len() {
        let mut end = at + 1;
        while let (Some(last), Some(next)) = (lines.get(end - 1), lines.get(end)) {
            if next.off - last.off > reach {
                break;
            }
            end += 1;
        }
        component(lines, at, end, reach, effort, &mut made);
        at = end;
    }
    made
}

fn component(
    lines: &[Merged],
    start: usize,
    end: usize,
    reach: f64,
    effort: &Effort<'_>,
    made: &mut Vec<Stack>,
) {
    if end - start < 2 {
        return;
    }
    // places where lines begin or end, in order
    let mut events: Vec<(f64, bool, usize)> = Vec::with_capacity((end - start) * 2);
    for n in start..end {
        if let Some(line) = lines.get(n) {
            events.push((line.from, true, n));
            events.push((line.to, false, n));
        }
    }
    events.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut active: Vec<usize> = Vec::new();
    let mut open: Vec<Stack> = Vec::new();
    let mut last = f64::NEG_INFINITY;
    let mut n = 0;
    while let Some((at, ..)) = events.get(n).copied() {
        if at - last > 2.0 && active.len() > 1 {
            if !effort.goes_on(active.len() * 4) {
                return;
            }
            open = step(lines, &active, reach, (last, at), open, effort, made);
        } else if at - last > 2.0 {
            made.append(&mut open);
        }
        // events as near as this are at one place
        let begin = at;
        while let Some((at, is_begin, line)) = events.get(n).copied().filter(|event| event.0 - begin <= 2.0) {
            let place = active.binary_search(&line);
            match (is_begin, place) {
                (true, Err(place)) => active.insert(place, line),
                (false, Ok(place)) => {
                    active.remove(place);
                }
                _ => {}
            }
            if !effort.goes_on(1 + active.len() / 16) {
                return;
            }
            last = at;
            n += 1;
        }
    }
    made.append(&mut open);
}

/// The stacks of a piece of the direction; those that go on from before are made longer.
fn step(
    lines: &[Merged],
    active: &[usize],
    reach: f64,
    (from, to): (f64, f64),
    open: Vec<Stack>,
    effort: &Effort<'_>,
    made: &mut Vec<Stack>,
) -> Vec<Stack> {
    let mut now: Vec<Stack> = Vec::new();
    let mut before: BTreeMap<Vec<usize>, Stack> =
        open.into_iter().map(|stack| (stack.lines.clone(), stack)).collect();
    let mut own: Vec<usize> = Vec::new();
    let mut put = |own: &mut Vec<usize>, now: &mut Vec<Stack>| {
        // what is much higher than walls are is a pattern, and would be kept at every step
        if (2..=HIGHEST * 2).contains(&own.len()) {
            let lines = std::mem::take(own);
            let went_on = before.remove(&lines);
            now.push(Stack { from: went_on.map_or(from, |stack| stack.from), lines, to });
        }
        own.clear();
    };
    for n in active {
        let (Some(line), last) = (lines.get(*n), own.last().and_then(|n| lines.get(*n))) else { continue };
        if last.is_some_and(|last| line.off - last.off > reach) {
            put(&mut own, &mut now);
        }
        own.push(*n);
    }
    put(&mut own, &mut now);
    // what is kept takes room as well as time
    if effort.goes_on(before.len() * 60) {
        made.extend(before.into_values());
    }
    now
}
