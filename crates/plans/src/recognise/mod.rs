//! What a drawing shows: walls from pairs of lines, doors from swings and gaps, windows, rooms with their names.
//!
//! The way: layers get roles by their names; the scale is found; lines become long straight ones; pairs of these with nothing between them
//! are pieces of walls; pieces in one line are joined across whatever explains the gap; ends are drawn to where axes meet; rooms are what
//! walls surround. What none of this explains is told with its place. Nothing is guessed in silence.

mod answer;
mod arcs;
mod curved;
mod doors;
mod grid;
mod join;
mod joints;
mod leftovers;
mod lines;
mod parts;
mod primitives;
mod roles;
mod rooms;
mod scale;
mod shapes;
mod stacks;
mod symbols;
mod windows;

pub use roles::{Role, role};

use crate::drawing::Drawing;
use crate::effort::{Effort, End, Wanted};
use crate::error::Error;
use crate::plan::{LayerRole, Origin, Plan, Question, ScaleSource};
use glam::DVec2;
use std::collections::{BTreeMap, HashMap};

/// The knowledge that a caller has of a drawing.
#[derive(Debug, Clone)]
pub struct Options {
    /// The mm in the world that a unit of the drawing stands for.
    pub scale: Option<f64>,
    /// The layers of a role by [`Role::name`]; `ignore` for those that are left out.
    pub layers: BTreeMap<String, Vec<String>>,
    /// The smallest and largest thickness of a wall in mm.
    pub thickness: [f64; 2],
    /// The thickness in mm of walls that are drawn as single lines.
    pub single_line_thickness: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { scale: None, layers: BTreeMap::new(), thickness: [40.0, 700.0], single_line_thickness: 150.0 }
    }
}

/// True if a name says a role.
pub(crate) fn says_role(name: &str) -> bool {
    role(name) != Role::Unknown
}

/// The roles of a drawing's layers and instances.
pub(crate) struct Roles {
    /// By number of layer; none for those that are left out.
    layers: Vec<Option<Role>>,
    /// By number of instance, by the names of the blocks that it lies within.
    instances: Vec<Role>,
}

impl Roles {
    fn new(drawing: &Drawing, options: &Options) -> Self {
        let given = |name: &str| {
            let found = options.layers.iter().find(|(_, layers)| {
                layers.iter().any(|layer| layer.trim().eq_ignore_ascii_case(name.trim()) || layer == name)
            });
            found.map(|(role, _)| Role::named(role))
        };
        let by_name = |name: &str| match role(name) {
            Role::Hatch if !matches!(roles::hatched(name), Role::Wall | Role::Unknown) => Role::Other,
            own => own,
        };
        let layers = drawing
            .layers
            .iter()
            .map(|layer| given(&layer.name).unwrap_or_else(|| Some(by_name(&layer.name))))
            .collect();
        let by_block = |name: &str| match role(name) {
            // our own drawings name the class of an element
            Role::Unknown | Role::Wall | Role::Other | Role::Text => match name {
                "IfcDoor" => Role::Door,
                "IfcWindow" => Role::Window,
                _ => Role::Unknown,
            },
            own => own,
        };
        // few blocks stand in many places
        let mut blocks: HashMap<&str, Role> = HashMap::new();
        let mut instances: Vec<Role> = Vec::with_capacity(drawing.instances.len());
        for instance in &drawing.instances {
            let own = *blocks.entry(&instance.name).or_insert_with(|| by_block(&instance.name));
            let outer = instance.parent.and_then(|parent| instances.get(parent as usize).copied());
            instances.push(if own == Role::Unknown { outer.unwrap_or(Role::Unknown) } else { own });
        }
        Self { layers, instances }
    }

    /// The role of an entity by its layer and its block; none where its layer is left out.
    pub(crate) fn entity(&self, layer: u32, instance: u32) -> Option<Role> {
        let own = (*self.layers.get(layer as usize)?)?;
        let block = self.instances.get(instance as usize).copied().unwrap_or(Role::Unknown);
        let is_block =
            matches!(block, Role::Door | Role::Window | Role::Furniture | Role::Sanitary | Role::Stair);
        // a door is a door on the layer of walls, too, but its words and dimensions are not
        let yields = matches!(own, Role::Unknown | Role::Wall | Role::Opening);
        Some(if is_block && yields { block } else { own })
    }
}

/// Finds what a drawing shows, as long as it is wanted. An error where it lies too densely for any plan, or is given up.
pub fn recognise(drawing: &Drawing, options: &Options, wanted: Wanted<'_>) -> Result<Plan, Error> {
    let effort = Effort::new(wanted);
    let plan = found(drawing, options, &effort);
    match effort.end() {
        None => Ok(plan),
        Some(End::GivenUp) => Err(Error::GivenUp),
        Some(End::TooMuch) => Err(Error::TooDense { layers: crowded(&plan) }),
    }
}

/// The layers with most entities, in words.
fn crowded(plan: &Plan) -> String {
    let mut layers: Vec<&LayerRole> = plan.layers.iter().collect();
    layers.sort_by_key(|layer| std::cmp::Reverse(layer.entities));
    let named = layers.into_iter().take(3);
    named.map(|own| format!("\"{}\" ({} entities)", own.layer, own.entities)).collect::<Vec<_>>().join(", ")
}

/// The plan; what is missing where the work ended before it was done is nobody's business.
fn found(drawing: &Drawing, options: &Options, effort: &Effort<'_>) -> Plan {
    let roles = Roles::new(drawing, options);
    let mut plan = Plan { layers: layer_roles(drawing, &roles), ..Plan::default() };
    plan.assumptions.extend(drawing.notices.iter().cloned());
    let scale = scale::find(drawing, &roles, options, effort, &mut plan);
    plan.scale = scale;
    let base = base(drawing);
    let frame = Frame { base, scale: plan.scale.mm_per_unit };
    let found = primitives::collect(drawing, &roles, &frame, effort);
    let symbols = doors::symbols(&found, effort);
    let groups = lines::groups(&found, &symbols, effort, &mut plan);
    let strips = stacks::strips(&groups, &found, options, effort, &mut plan);
    drop(groups);
    let mut walls = join::walls(&strips, &symbols, &found, effort, &mut plan);
    drop(strips);
    curved::walls(&found, options, effort, &mut walls);
    joints::meet(&mut walls, effort);
    joints::select(&mut walls, effort, &mut plan);
    doors::place(&mut walls, &symbols, &found, effort);
    windows::place(&mut walls, &found, effort);
    if effort.end().is_some() {
        return plan;
    }
    let origin = set_origin(drawing, &frame, &walls, &mut plan);
    answer::write(&walls, drawing, origin, &mut plan);
    rooms::find(&walls, &found, origin, effort, &mut plan);
    leftovers::tell(drawing, &roles, &found, &walls, &frame, origin, effort, &mut plan);
    if plan.walls.is_empty() {
        let mut candidates: Vec<&LayerRole> = plan.layers.iter().collect();
        candidates.sort_by_key(|layer| std::cmp::Reverse(layer.entities));
        let candidates = candidates.iter().take(12).map(|layer| layer.layer.clone()).collect();
        let message =
            "no walls were found; say which layers the walls are on, or whether the scale is another one"
                .to_owned();
        if !stacks::is_asked(&plan) {
            plan.questions.push(Question::NeedsLayers { message, candidates });
        }
    }
    plan
}

fn layer_roles(drawing: &Drawing, roles: &Roles) -> Vec<LayerRole> {
    let mut counts = vec![0; drawing.layers.len()];
    for entity in &drawing.entities {
        if let Some(count) = counts.get_mut(entity.layer as usize) {
            *count += 1;
        }
    }
    let names = drawing.layers.iter().zip(&roles.layers).zip(counts);
    names
        .map(|((layer, role), entities)| LayerRole {
            layer: layer.name.clone(),
            role: role.map_or("ignore", Role::name),
            entities,
        })
        .collect()
}

/// From the drawing to mm near zero, so that lines far from it keep their digits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    base: DVec2,
    scale: f64,
}

impl Frame {
    pub(crate) fn mm(&self, point: DVec2) -> DVec2 {
        (point - self.base) * self.scale
    }

    pub(crate) fn drawing(&self, point: DVec2) -> DVec2 {
        point / self.scale + self.base
    }
}

/// A place amid what is drawn.
fn base(drawing: &Drawing) -> DVec2 {
    let step = (drawing.entities.len() / 2000).max(1);
    let mut xs: Vec<f64> = Vec::new();
    let mut ys: Vec<f64> = Vec::new();
    for entity in drawing.entities.iter().step_by(step) {
        let at = entity.shape.at();
        xs.push(at.x);
        ys.push(at.y);
    }
    let middle = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    DVec2::new(middle(&mut xs), middle(&mut ys)).round()
}

/// The most that the coordinates of a plan may be away from zero, in mm, for the drawing's own origin to be kept.
const NEAR: f64 = 1_000_000.0;

/// Chooses the origin: the drawing's own where that is near, otherwise the lower left corner of the walls.
fn set_origin(drawing: &Drawing, frame: &Frame, walls: &[parts::Wall], plan: &mut Plan) -> DVec2 {
    let corners = walls.iter().flat_map(parts::Wall::body_bounds);
    let (least, most) =
        corners.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(a, b), point| (a.min(point), b.max(point)));
    let own_zero = frame.mm(DVec2::ZERO);
    let is_page = drawing.format == crate::drawing::Format::Svg;
    let is_near = least.is_finite()
        && (least - own_zero).abs().max_element() < NEAR
        && (most - own_zero).abs().max_element() < NEAR;
    let (origin, reason) = if !least.is_finite() {
        (own_zero, "the drawing's own origin")
    } else if is_page {
        (least, "the lower left corner of the walls, since a page has no origin of a building")
    } else if is_near {
        (own_zero, "the drawing's own origin")
    } else {
        (
            least,
            "the lower left corner of the walls, since the drawing lies more than a kilometre from its own origin",
        )
    };
    let at = frame.drawing(origin);
    plan.origin = Origin { drawing: [at.x, at.y], rotation: rotation(walls), reason: reason.to_owned() };
    if plan.scale.source == ScaleSource::Guess {
        plan.assumptions.push(format!("the scale is a guess, to be confirmed: {}", plan.scale.reason));
    }
    origin
}

/// Degrees by which most of the walls' length is turned from x, from 0 to 90.
fn rotation(walls: &[parts::Wall]) -> f64 {
    let mut found: Vec<(f64, f64)> = Vec::new();
    for wall in walls.iter().filter(|wall| wall.arc.is_none()) {
        let way = wall.end - wall.start;
        let angle = way.to_angle().to_degrees().rem_euclid(90.0);
        let angle = if angle > 89.95 { 0.0 } else { angle };
        match found.iter_mut().find(|(own, _)| (*own - angle).abs() < 0.1) {
            Some((_, length)) => *length += way.length(),
            None => found.push((angle, way.length())),
        }
    }
    let best = found.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or(0.0, |(angle, _)| (angle * 1000.0).round() / 1000.0)
}
