//! The sheet that a drawing grows on: groups of elements in their order, words with the room they take, and the page at the end.
//!
//! While it grows, places are mm of paper from the origin of the plane, y downwards; the page shifts all to its corner.

use super::shapes::{Reach, move_by};
pub(super) use super::shapes::{circle, filled, layer, outlined, stroked, through};
use super::words::Box2;
use crate::style::{BLACK, Positive, ScaleStyle, Style};
use geometry::region::Area;
use geometry::scene::Scene;
use glam::DVec2;
use ifc::Id;
use paper::{
    About, Anchor, Baseline, Group, Layer, ModelSpace, Node, Page, Segment, Stroke, Subpath, Text, Weight,
};
use std::collections::{BTreeMap, HashMap};

/// The order in which groups are drawn, the last on top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    Grid,
    Below,
    Seen,
    Stair,
    Furniture,
    Cut,
    Above,
    Filling,
    Room,
    Dimension,
    Frame,
}

/// A drawing while it grows.
pub(super) struct Sheet<'a> {
    pub scene: &'a Scene,
    pub style: &'a Style,
    pub rule: ScaleStyle,
    pub scale: f64,
    /// Millimetres of paper by metre.
    pub factor: f64,
    /// One, or minus one where the plane is seen in a mirror on the floor.
    pub mirror: f64,
    groups: BTreeMap<(Order, Option<Id>), Group>,
    /// The room that words take.
    pub texts: Vec<Box2>,
    /// The room that words leave free where they can: swings, furniture, marks.
    pub busy: Vec<Box2>,
    /// The sides of what is cut, which marks do not lie on where they can.
    pub walls: Vec<[DVec2; 2]>,
    /// Flights of stairs, which dimensions of rooms do not cross.
    pub climbs: Vec<Box2>,
    /// Lines above the cut, which names of rooms do not cross where they need not.
    pub overhead: Vec<Box2>,
    /// The lines of dimensions, which marks do not lie on where they can.
    pub chains: Vec<Box2>,
}

/// Words before they are placed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter {
    pub height: Positive,
    pub weight: Weight,
    pub anchor: Anchor,
    pub baseline: Baseline,
    pub angle: f64,
    pub halo: f64,
}

impl Letter {
    /// Upright words in the middle of their place.
    pub fn middle(height: Positive) -> Letter {
        let (anchor, baseline) = (Anchor::Middle, Baseline::Middle);
        Letter { height, weight: Weight::Regular, anchor, baseline, angle: 0.0, halo: 0.0 }
    }

    /// Words at a place, which have not taken their room yet.
    pub fn words(&self, at: DVec2, words: &str, layer: Option<Layer>) -> Text {
        Text {
            at,
            words: words.to_owned(),
            height: self.height.0,
            weight: self.weight,
            anchor: self.anchor,
            baseline: self.baseline,
            angle: self.angle,
            colour: BLACK,
            halo: self.halo,
            layer,
        }
    }
}

impl<'a> Sheet<'a> {
    pub fn new(scene: &'a Scene, style: &'a Style, scale: f64) -> Sheet<'a> {
        let rule = style.at_scale(scale);
        let factor = 1000.0 / scale;
        Sheet {
            scene,
            style,
            rule,
            scale,
            factor,
            mirror: 1.0,
            groups: BTreeMap::new(),
            texts: Vec::new(),
            busy: Vec::new(),
            walls: Vec::new(),
            climbs: Vec::new(),
            overhead: Vec::new(),
            chains: Vec::new(),
        }
    }

    /// A point of the plane on paper.
    pub fn at(&self, p: DVec2) -> DVec2 {
        p * DVec2::new(self.factor, -self.factor * self.mirror)
    }

    /// A point of the world in plan on paper, north up.
    pub fn ground(&self, p: DVec2) -> DVec2 {
        p * DVec2::new(self.factor, -self.factor)
    }

    /// The point of the plane at a place on paper.
    pub fn from(&self, p: DVec2) -> DVec2 {
        p / DVec2::new(self.factor, -self.factor * self.mirror)
    }

    /// A line in black of one of the style's widths.
    pub fn line(&self, width: Positive) -> Stroke {
        Stroke { width: (width.0 * self.rule.weight.0).max(0.05), colour: BLACK, dashes: Vec::new() }
    }

    /// The same, dashed.
    pub fn dashed(&self, width: Positive, dashes: &[Positive]) -> Stroke {
        Stroke { dashes: dashes.iter().map(|d| d.0).collect(), ..self.line(width) }
    }

    /// The group of an element, or of notes that are of none.
    pub fn group(&mut self, order: Order, element: Option<Id>) -> &mut Group {
        let scene = self.scene;
        self.groups.entry((order, element)).or_insert_with(|| {
            let about = element.map(|id| about(scene, id));
            Group { about, ..Group::default() }
        })
    }

    /// Adds nodes to the group of an element.
    pub fn put(&mut self, order: Order, element: Option<Id>, nodes: impl IntoIterator<Item = Node>) {
        self.group(order, element).nodes.extend(nodes);
    }

    /// Lines of the plane as subpaths on paper.
    pub fn subpath(&self, points: &[DVec2], is_closed: bool) -> Subpath {
        let mut all = points.iter().map(|p| self.at(*p));
        let start = all.next().unwrap_or_default();
        Subpath { start, segments: all.map(Segment::Line).collect(), is_closed }
    }

    /// Areas of the plane as subpaths on paper.
    pub fn areas(&self, areas: &[Area]) -> Vec<Subpath> {
        areas.iter().flat_map(Area::loops).map(|l| self.subpath(l, true)).collect()
    }

    /// Words, which take their room.
    pub fn text(&mut self, at: DVec2, words: &str, letter: Letter, layer: Layer) -> Node {
        let text = letter.words(at, words, Some(layer));
        self.texts.push(Box2::around(&text));
        Node::Text(text)
    }

    /// Returns true if words here would lie on others.
    pub fn is_taken(&self, room: &Box2) -> bool {
        self.texts.iter().any(|other| other.meets(room))
    }

    /// The least and greatest places drawn so far.
    pub fn extent(&self) -> Option<[DVec2; 2]> {
        let mut reach = Reach::default();
        self.groups.values().for_each(|g| g.nodes.iter().for_each(|n| reach.node(n)));
        reach.bounds()
    }

    /// The page of all that was drawn, with a margin around it, and the place on it of the plane's origin; `None` where there is nothing.
    pub fn page(self, title: String, margin: f64) -> Option<(Page, DVec2)> {
        let [low, high] = self.extent()?;
        let shift = DVec2::splat(margin) - low;
        let mut nodes: Vec<Node> = joined(self.groups)
            .into_iter()
            .filter(|group| !group.nodes.is_empty() || group.about.is_some())
            .map(Node::Group)
            .collect();
        for node in &mut nodes {
            move_by(node, shift);
        }
        let model = (self.mirror > 0.0).then_some(ModelSpace { origin: shift, scale: self.scale });
        let size = high - low + 2.0 * margin;
        Some((Page { size, title, nodes, model, ..Page::default() }, shift))
    }
}

/// The groups in their order, those of one element joined where its last one is.
fn joined(groups: BTreeMap<(Order, Option<Id>), Group>) -> Vec<Group> {
    let last: HashMap<Id, Order> = groups.keys().filter_map(|(order, id)| Some(((*id)?, *order))).collect();
    let mut waiting: HashMap<Id, Vec<Node>> = HashMap::new();
    let mut all = Vec::with_capacity(groups.len());
    for ((order, id), mut group) in groups {
        if let Some(id) = id {
            if last.get(&id) != Some(&order) {
                waiting.entry(id).or_default().append(&mut group.nodes);
                continue;
            }
            if let Some(mut before) = waiting.remove(&id) {
                before.append(&mut group.nodes);
                group.nodes = before;
            }
        }
        all.push(group);
    }
    all
}

/// Names the element that a group shows.
fn about(scene: &Scene, id: Id) -> About {
    let entry = scene.entry(id);
    let instance = scene.model().get(id);
    About {
        global_id: instance.and_then(|i| i.guid()).unwrap_or_default(),
        class: entry
            .map(|e| e.class.clone())
            .or(instance.map(|i| i.class_name().to_owned()))
            .unwrap_or_default(),
        name: instance.and_then(|i| i.name()),
    }
}
