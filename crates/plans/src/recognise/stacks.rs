//! Parallel lines beside each other, as pieces of walls.
//!
//! Along a direction, lines that lie beside each other at a place are a stack. A stack is parted into walls, each from its first to its last
//! face with the lines of its layers between, so that what is likely costs least: thicknesses that are met where nothing else is near cost
//! less than others, and lines that belong to no wall cost something.

use super::Options;
use super::grid::Grid;
use super::lines::{Class, Group, Merged};
use super::roles::Role;
use super::shapes::{Area, Primitives, contains};
use crate::effort::Effort;
use crate::plan::{Plan, Question};
use glam::DVec2;
use std::collections::BTreeMap;

/// A straight piece of a wall.
#[derive(Debug, Clone)]
pub(crate) struct Strip {
    pub(crate) role: Role,
    pub(crate) way: DVec2,
    /// The faces, as distances to the left of zero.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// From and to along the direction.
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Lines between the faces: distance, from, to.
    pub(crate) inner: Vec<(f64, f64, f64)>,
    pub(crate) entities: Vec<u32>,
    /// True where it was drawn as one line, and its thickness is assumed.
    pub(crate) is_single: bool,
}

impl Strip {
    pub(crate) fn thickness(&self) -> f64 {
        self.high - self.low
    }

    pub(crate) fn length(&self) -> f64 {
        self.to - self.from
    }

    pub(crate) fn point(&self, along: f64, off: f64) -> DVec2 {
        self.way * along + self.way.perp() * off
    }
}

/// Areas that show what walls are made of.
pub(crate) struct Material<'a> {
    areas: Vec<(&'a Area, DVec2, DVec2)>,
    grid: Grid,
    effort: &'a Effort<'a>,
}

impl<'a> Material<'a> {
    pub(crate) fn new(found: &'a Primitives, role: Role, effort: &'a Effort<'a>) -> Self {
        let mut areas: Vec<(&Area, DVec2, DVec2)> = Vec::new();
        let mut grid = Grid::new(4000.0);
        for area in &found.areas {
            let is_one = area.role == role || (area.role == Role::Hatch && role == Role::Wall);
            if !is_one || !(35.0..=750.0).contains(&area.thickness) || areas.len() > 20_000 {
                continue;
            }
            let corners = || area.rings.iter().flatten().copied();
            let (least, most) = (
                corners().fold(DVec2::INFINITY, DVec2::min),
                corners().fold(DVec2::NEG_INFINITY, DVec2::max),
            );
            grid.put(areas.len(), least, most);
            areas.push((area, least, most));
        }
        Self { areas, grid, effort }
    }

    fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// True if a place lies in an area: within an odd number of its outlines.
    fn covers(&self, at: DVec2) -> bool {
        self.grid.near(at, at).into_iter().filter_map(|n| self.areas.get(n)).any(|(area, least, most)| {
            self.effort.goes_on(1)
                && at.cmpge(*least).all()
                && at.cmple(*most).all()
                && self.effort.goes_on(area.rings.iter().map(Vec::len).sum())
                && area.rings.iter().filter(|ring| contains(ring, at)).count() % 2 == 1
        })
    }

    /// The share of a strip that lies in areas.
    fn share(&self, way: DVec2, low: f64, high: f64, from: f64, to: f64) -> f64 {
        let middle = f64::midpoint(low, high);
        let hits = (0..7).filter(|n| {
            self.covers(way * (from + (to - from) * (f64::from(*n) + 0.5) / 7.0) + way.perp() * middle)
        });
        hits.count() as f64 / 7.0
    }
}

/// Pieces of walls of one group: some ten times what an airport has.
const MOST_STRIPS: usize = 150_000;

/// Metres of walls that make further groups needless.
const ENOUGH: f64 = 5_000.0;

/// The pieces of walls of all groups. Layers whose names say nothing are looked at where layers of walls hold none.
pub(crate) fn strips(
    groups: &[Group],
    found: &Primitives,
    options: &Options,
    effort: &Effort<'_>,
    plan: &mut Plan,
) -> Vec<Strip> {
    let mut made = Vec::new();
    let mut has_named = false;
    for group in groups {
        if group.role == Role::Unknown && has_named {
            break;
        }
        let material = Material::new(found, group.role, effort);
        let mut own = group_strips(group, options, &material, effort);
        if effort.end().is_some() {
            return made;
        }
        let paired: f64 = own.iter().map(Strip::length).sum::<f64>() * 2.0;
        let wides: f64 = found
            .wides
            .iter()
            .filter(|wide| wide.role == group.role)
            .map(|wide| wide.from.distance(wide.to))
            .sum();
        if own.len() > if group.role == Role::Wall { MOST_STRIPS } else { MOST_STRIPS / 8 } {
            ask_layers(own.len(), group.role, plan);
            own.clear();
        }
        // where walls are wide lines, lines beside each other are something else
        if wides * 2.0 > paired && wides > 5000.0 {
            own.clear();
        }
        made.extend(own);
        let is_single = group.role == Role::Wall
            && paired < group.length * 0.25
            && group.length > 3000.0
            && wides < group.length
            && !is_asked(plan);
        if is_single {
            let singles = singles(group, options.single_line_thickness);
            plan.assumptions.push(format!(
                "walls are drawn as single lines; a thickness of {} mm is assumed",
                options.single_line_thickness
            ));
            if singles.len() > MOST_STRIPS {
                ask_layers(singles.len(), group.role, plan);
            } else {
                made.extend(singles);
            }
        }
        if group.role == Role::Wall {
            let all: f64 = made.iter().map(Strip::length).sum::<f64>() + wides;
            has_named = all > ENOUGH;
        }
    }
    if made.is_empty() && found.wides.is_empty() && !is_asked(plan) {
        // nothing has two faces: walls of one line on layers whose names say nothing
        for group in groups.iter().filter(|group| group.role == Role::Unknown && group.length > 10_000.0) {
            made.extend(singles(group, options.single_line_thickness));
        }
        if made.len() > MOST_STRIPS / 8 {
            ask_layers(made.len(), Role::Unknown, plan);
            made.clear();
        }
        if !made.is_empty() {
            plan.assumptions.push(format!(
                "no lines lie beside each other as faces of walls do; single lines are taken for walls, {} mm thick",
                options.single_line_thickness
            ));
        }
    }
    let mut ways: Vec<DVec2> =
        groups.iter().flat_map(|group| group.classes.iter().map(|class| class.way)).collect();
    for wide in &found.wides {
        let (low, high) = (options.thickness[0], options.thickness[1]);
        let is_wall = (low..=high).contains(&wide.width) && (wide.role == Role::Wall || !has_named);
        let length = wide.from.distance(wide.to);
        if let (true, Some(way)) = (is_wall && length > 50.0, (wide.to - wide.from).try_normalize()) {
            let way = super::lines::upper(way);
            if !effort.goes_on(10 + ways.len() / 8) {
                return made;
            }
            if made.len() > MOST_STRIPS {
                ask_layers(found.wides.len(), wide.role, plan);
                return Vec::new();
            }
            // pieces of one wall have one direction, whatever their last digits say
            let near =
                ways.iter().find(|own| own.perp_dot(way).abs() * length < 2.0 && own.dot(way) > 0.0).copied();
            let way = near.unwrap_or_else(|| super::lines::along_axes(way));
            if near.is_none() && ways.len() < 1000 {
                ways.push(way);
            }
            let (a, b) = (way.dot(wide.from), way.dot(wide.to));
            let off = way.perp_dot(wide.from);
            made.push(Strip {
                role: wide.role,
                way,
                low: off - wide.width / 2.0,
                high: off + wide.width / 2.0,
                from: a.min(b),
                to: a.max(b),
                inner: Vec::new(),
                entities: vec![wide.entity],
                is_single: false,
            });
        }
    }
    made
}

/// Asks for the layers of walls, where there are too many pieces to be walls.
fn ask_layers(count: usize, role: Role, plan: &mut Plan) {
    let mut layers: Vec<_> = plan.layers.iter().filter(|layer| layer.entities > 100).collect();
    layers.sort_by_key(|layer| std::cmp::Reverse(layer.entities));
    let candidates = layers.into_iter().take(20).map(|layer| layer.layer.clone()).collect();
    let remedy = if role == Role::Wall {
        "name fewer layers of walls and have others ignored, or save each storey by itself"
    } else {
        "name the layers that walls are on, or have layers ignored"
    };
    let message =
        format!("{count} pieces of lines might be walls, which is more than any plan has; {remedy}");
    plan.questions.push(Question::NeedsLayers { message, candidates });
}

/// How far the middle of a strip is to the left of zero.
fn middle(strip: &Strip) -> f64 {
    f64::midpoint(strip.low, strip.high)
}

/// True if the layers of walls are asked for.
pub(crate) fn is_asked(plan: &Plan) -> bool {
    plan.questions.iter().any(|own| matches!(own, Question::NeedsLayers { .. }))
}

fn singles(group: &Group, thickness: f64) -> Vec<Strip> {
    let of_class = |class: &Class| {
        let way = class.way;
        let role = group.role;
        let lines = class.lines.iter().filter(|line| line.to - line.from > 100.0);
        let make = move |line: &Merged| Strip {
            role,
            way,
            low: line.off - thickness / 2.0,
            high: line.off + thickness / 2.0,
            from: line.from,
            to: line.to,
            inner: Vec::new(),
            entities: line.entities.clone(),
            is_single: true,
        };
        lines.map(make).collect::<Vec<_>>()
    };
    group.classes.iter().flat_map(of_class).collect()
}

/// Thicknesses that stand alone, with the length of walls that has them, in steps of 2 mm.
struct Known(BTreeMap<i64, f64>, f64);

impl Known {
    const STEP: f64 = 2.0;

    fn add(&mut self, thickness: f64, length: f64) {
        *self.0.entry((thickness / Self::STEP).round() as i64).or_default() += length;
        self.1 += length;
    }

    fn is_known(&self, thickness: f64) -> bool {
        let own = (thickness / Self::STEP).round() as i64;
        let length: f64 = self.0.range(own - 1..=own + 1).map(|(_, length)| length).sum();
        length > (self.1 * 0.04).max(1500.0)
    }
}

fn group_strips(
    group: &Group,
    options: &Options,
    material: &Material<'_>,
    effort: &Effort<'_>,
) -> Vec<Strip> {
    let reach = options.thickness[1];
    let stacked: Vec<Vec<Stack>> =
        group.classes.iter().map(|class| stacks(&class.lines, reach, effort)).collect();
    let mut known = Known(BTreeMap::new(), 0.0);
    for (class, stacks) in group.classes.iter().zip(&stacked) {
        for stack in stacks {
            if let [a, b] = stack.lines.as_slice()
                && let (Some(a), Some(b)) = (class.lines.get(*a), class.lines.get(*b))
            {
                let thickness = b.off - a.off;
                let length = stack.to - stack.from;
                if thickness >= options.thickness[0] && length > thickness * 1.5 {
                    known.add(thickness, length);
                }
            }
        }
    }
    let mut made = Vec::new();
    for (class, stacks) in group.classes.iter().zip(&stacked) {
        made.extend(class_strips(group.role, class, stacks, options, &known, effort));
    }
    if material.is_empty() {
        return made;
    }
    // where most walls are filled, what is not filled is none, and what is filled between walls is one
    let share = |strip: &Strip| material.share(strip.way, strip.low, strip.high, strip.from, strip.to);
    let all: f64 = made.iter().map(Strip::length).sum();
    let with: f64 = made.iter().map(|strip| share(strip) * strip.length()).sum();
    if with > all * 0.5 {
        // faces may go on along windows, which are not filled
        made.retain(|strip| share(strip) > 0.05);
        for (class, stacks) in group.classes.iter().zip(&stacked) {
            between(group.role, class, stacks, options, material, &mut made);
        }
    }
    made
}

/// Adds the pieces between neighbouring lines that are filled and in no wall yet: walls that share a face with another one.
fn between(
    role: Role,
    class: &Class,
    stacks: &[Stack],
    options: &Options,
    material: &Material<'_>,
    made: &mut Vec<Strip>,
) {
    let mut own: Vec<Strip> = Vec::new();
    let mut there = Grid::new(2000.0);
    let mut number = 0;
    for strip in made.iter().filter(|strip| strip.way == class.way) {
        let squares = there.put_along(
            number,
            DVec2::new(strip.from, middle(strip)),
            DVec2::new(strip.to, middle(strip)),
        );
        number += 1;
        if !material.effort.goes_on(squares * 10) {
            return;
        }
    }
    let same: Vec<&Strip> = made.iter().filter(|strip| strip.way == class.way).collect();
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

/// Lines beside each other along a piece, from the right to the left.
struct Stack {
    lines: Vec<usize>,
    from: f64,
    to: f64,
}

/// Lines beside each other beyond this are a pattern.
const HIGHEST: usize = 40;

/// The stacks of a direction: at every place the lines that lie no further from the next one than a wall is thick.
fn stacks(lines: &[Merged], reach: f64, effort: &Effort<'_>) -> Vec<Stack> {
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

fn class_strips(
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
