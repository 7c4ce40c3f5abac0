//! Parallel lines beside each other, as pieces of walls.
//!
//! Along a direction, lines that lie beside each other at a place are a stack. A stack is parted into walls, each from its first to its last
//! face with the lines of its layers between, so that what is likely costs least: thicknesses that are met where nothing else is near cost
//! less than others, and lines that belong to no wall cost something.

mod between;
mod material;
mod parting;
mod sweep;

use super::Options;
use super::lines::{Class, Group, Merged};
use super::roles::Role;
use super::shapes::Primitives;
use crate::effort::Effort;
use crate::plan::{Plan, Question};
use glam::DVec2;
use material::Material;
use parting::{Known, class_strips};
use sweep::{Stack, stacks};

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

fn group_strips(
    group: &Group,
    options: &Options,
    material: &Material<'_>,
    effort: &Effort<'_>,
) -> Vec<Strip> {
    let reach = options.thickness[1];
    let stacked: Vec<Vec<Stack>> =
        group.classes.iter().map(|class| stacks(&class.lines, reach, effort)).collect();
    let mut known = Known::default();
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
            between::add(group.role, class, stacks, options, material, &mut made);
        }
    }
    made
}
