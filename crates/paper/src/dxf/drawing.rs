//! A drawing in the making: blocks, layers and linetypes as they are met.

use super::layers::{LayerStandard, Style, style};
use super::tags::{Handle, Tags, name};
use crate::names::{DEEPEST, symbols};
use crate::page::{About, Fill, Group, Layer, Node, Page, Part, Path, Picture, Stroke, Subject, Subpath};
use crate::shape::{corners, is_near, sound, stroke};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

/// The first number that is given away; those below are the tables' and dictionaries'.
const FIRST: Handle = 0x100;

/// The way from places of the page to places of what is written.
#[derive(Debug, Clone)]
pub(super) struct Space {
    /// The record of the block that entities belong to.
    pub(super) owner: Handle,
    /// The page's place of the origin.
    pub(super) origin: DVec2,
    /// The factor to the drawing's size.
    pub(super) scale: f64,
    /// The y from which patterns are counted: the page's height, or zero in a symbol.
    pub(super) foot: f64,
    /// True within a symbol, whose entities take the layer of what places it.
    pub(super) is_symbol: bool,
    /// The extent of what is drawn.
    pub(super) reach: Reach,
}

impl Space {
    /// A place of the page in the drawing, where y goes up.
    pub(super) fn place(&self, point: DVec2) -> DVec2 {
        (point - self.origin) * self.scale * DVec2::new(1.0, -1.0)
    }
}

/// The corners of what is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reach(pub(super) Option<(DVec2, DVec2)>);

impl Extend<DVec2> for Reach {
    fn extend<T: IntoIterator<Item = DVec2>>(&mut self, points: T) {
        for point in points {
            let (least, most) = self.0.unwrap_or((point, point));
            self.0 = Some((least.min(point), most.max(point)));
        }
    }
}

/// A block that is written.
pub(super) struct Block {
    pub(super) name: String,
    pub(super) record: Handle,
    pub(super) entities: String,
    /// The reference to it and the area that is drawn of it, where it is that of a group.
    pub(super) clip: Option<Clip>,
}

/// The area within which a reference to a block is drawn.
pub(super) struct Clip {
    pub(super) insert: Handle,
    pub(super) dictionary: Handle,
    pub(super) ring: Vec<DVec2>,
}

/// A drawing in the making.
pub(super) struct Drawing<'a> {
    pub(super) tags: Tags,
    pub(super) space: Space,
    pub(super) blocks: Vec<Block>,
    pub(super) layers: BTreeMap<String, Style>,
    /// The lengths of dashes by the names of linetypes.
    pub(super) linetypes: BTreeMap<String, Vec<f64>>,
    /// The elements of the groups that are open.
    pub(super) abouts: Vec<&'a About>,
    symbols: BTreeMap<&'a str, String>,
    /// The names of all blocks, in small letters.
    names: BTreeSet<String>,
    standard: LayerStandard,
    handle: Handle,
}

impl<'a> Drawing<'a> {
    /// Draws a page into the space of models.
    pub(super) fn new(page: &'a Page, standard: LayerStandard, model: Handle) -> Self {
        let own = page.model.filter(|own| is_near(own.origin) && own.scale > 0.0 && own.scale <= 1e5);
        let origin = own.map_or(DVec2::new(0.0, page.size.y), |own| own.origin);
        let scale = own.map_or(1.0, |own| own.scale);
        let space = Space {
            owner: model,
            origin,
            scale,
            foot: page.size.y,
            is_symbol: false,
            reach: Reach::default(),
        };
        let mut drawing = Self {
            tags: Tags::default(),
            space,
            blocks: Vec::new(),
            layers: BTreeMap::new(),
            linetypes: BTreeMap::new(),
            abouts: Vec::new(),
            symbols: BTreeMap::new(),
            names: BTreeSet::new(),
            standard,
            handle: FIRST,
        };
        for (symbol, nodes) in symbols(page) {
            let own = drawing.free(&name(symbol));
            let record = drawing.next();
            let within = Space {
                owner: record,
                origin: DVec2::ZERO,
                foot: 0.0,
                is_symbol: true,
                ..drawing.space.clone()
            };
            let entities = drawing.within(within, |drawing| drawing.nodes(nodes, None, 0));
            drawing.blocks.push(Block { name: own.clone(), record, entities, clip: None });
            drawing.symbols.insert(symbol, own);
        }
        drawing.space.reach = Reach::default();
        drawing.nodes(&page.nodes, None, 0);
        drawing
    }

    /// A number that no object has.
    pub(super) fn next(&mut self) -> Handle {
        let own = self.handle;
        self.handle += 1;
        own
    }

    /// A place of the page in the drawing, which the drawing then reaches.
    pub(super) fn place(&mut self, point: DVec2) -> DVec2 {
        let place = self.space.place(point);
        self.space.reach.extend([place]);
        place
    }

    /// The name of a symbol's block.
    pub(super) fn block(&self, symbol: &str) -> Option<String> {
        self.symbols.get(symbol).cloned()
    }

    /// A name that no block has, which then is one's: names differ by more than the size of letters.
    fn free(&mut self, wanted: &str) -> String {
        let mut found = wanted.to_owned();
        let mut number = 2;
        while !self.names.insert(found.to_lowercase()) {
            found = format!("{wanted} {number}");
            number += 1;
        }
        found
    }

    /// The entities that are written within a space.
    fn within(&mut self, space: Space, draw: impl FnOnce(&mut Self)) -> String {
        let (before, outer) = (std::mem::take(&mut self.tags), std::mem::replace(&mut self.space, space));
        draw(self);
        self.space = outer;
        std::mem::replace(&mut self.tags, before).0
    }

    fn nodes(&mut self, nodes: &'a [Node], layer: Option<Layer>, depth: usize) {
        for node in nodes {
            match node {
                Node::Group(group) if depth < DEEPEST => self.group(group, layer, depth),
                Node::Group(_) => {}
                Node::Path(path) => self.path(path, layer),
                Node::Text(text) => {
                    let own = text.layer.or(layer.map(|layer| Layer { part: Part::Text, ..layer }));
                    let name = self.layer(own);
                    self.text(text, &name);
                }
                Node::Use(own) => {
                    let name = self.layer(own.layer.or(layer));
                    self.insert(own, &name);
                }
                Node::Picture(picture) => self.frame(picture, layer),
            }
        }
    }

    fn group(&mut self, group: &'a Group, outer: Option<Layer>, depth: usize) {
        let layer = group.layer.or(outer);
        if let Some(about) = &group.about {
            self.abouts.push(about);
        }
        // the largest ring: references are drawn within one
        let rings =
            group.clip.as_ref().map(|clip| sound(clip).map(|ring| corners(ring, 0.01)).collect::<Vec<_>>());
        let largest = rings.and_then(|rings| rings.into_iter().max_by(|a, b| size(a).total_cmp(&size(b))));
        match (largest, &group.clip) {
            (Some(ring), _) if ring.len() > 2 => {
                let (record, insert, dictionary) = (self.next(), self.next(), self.next());
                // the two objects that say so take the numbers after it
                self.handle += 2;
                let name = self.free(&format!("*U{}", self.blocks.len() + 1));
                let ring = ring.into_iter().map(|point| self.space.place(point)).collect();
                let within = Space { owner: record, ..self.space.clone() };
                let mut reach = Reach::default();
                let entities = self.within(within, |drawing| {
                    drawing.nodes(&group.nodes, layer, depth + 1);
                    reach = drawing.space.reach;
                });
                self.space.reach = reach;
                self.blocks.push(Block {
                    name: name.clone(),
                    record,
                    entities,
                    clip: Some(Clip { insert, dictionary, ring }),
                });
                let layer = self.layer(layer);
                self.clipped(&name, &layer, insert, dictionary);
            }
            // an area that is none shows nothing
            (_, Some(_)) => {}
            (_, None) => self.nodes(&group.nodes, layer, depth + 1),
        }
        if group.about.is_some() {
            self.abouts.pop();
        }
    }

    fn path(&mut self, path: &Path, outer: Option<Layer>) {
        let layer = path.layer.or(outer);
        match &path.fill {
            Some(Fill::Solid(colour)) => {
                let name = self.layer(layer);
                self.solid(&path.subpaths, *colour, &name);
            }
            Some(Fill::Hatch(hatch)) => {
                let name = self.layer(layer.map(|layer| Layer { part: Part::Pattern, ..layer }));
                self.hatch(hatch, &path.subpaths, &name);
            }
            None => {}
        }
        if let Some(stroke) = stroke(path) {
            let name = self.layer(layer);
            for subpath in sound(&path.subpaths) {
                self.outline(subpath, stroke, &name);
            }
        }
    }

    /// Draws the frame of a picture: its pixels would be another file.
    fn frame(&mut self, picture: &Picture, layer: Option<Layer>) {
        if !is_near(picture.at) || !is_near(picture.size) || picture.size.min_element() <= 0.0 {
            return;
        }
        let (at, size) = (picture.at, picture.size);
        let corner = |x: f64, y: f64| crate::page::Segment::Line(at + DVec2::new(x, y));
        let segments = vec![corner(size.x, 0.0), corner(size.x, size.y), corner(0.0, size.y)];
        let stroke = Stroke { width: 0.13, colour: [0, 0, 0, 255], dashes: Vec::new() };
        let name = self.layer(layer);
        self.outline(&Subpath { start: at, segments, is_closed: true }, &stroke, &name);
    }

    /// The name of a layer, which the drawing then has. Within a symbol what names none takes that of the reference.
    fn layer(&mut self, layer: Option<Layer>) -> String {
        if layer.is_none() && self.space.is_symbol {
            return "0".into();
        }
        let own = style(layer.unwrap_or(Layer { subject: Subject::Other, part: Part::Seen }), self.standard);
        let name = own.name.clone();
        self.layers.entry(name.clone()).or_insert(own);
        name
    }

    /// The linetype of a layer.
    pub(super) fn linetype_of(&self, layer: &str) -> &str {
        self.layers.get(layer).map_or("Continuous", |style| style.linetype)
    }

    /// The weight of a layer.
    pub(super) fn weight_of(&self, layer: &str) -> i16 {
        self.layers.get(layer).map_or(-3, |style| style.weight)
    }

    /// The name of the linetype of these dashes, in mm of paper.
    pub(super) fn linetype(&mut self, dashes: &[f64]) -> String {
        let lengths: Vec<String> =
            dashes.iter().map(|length| format!("{}", (length * 100.0).round() / 100.0)).collect();
        let name = format!("DASH {}", lengths.join("-"));
        self.linetypes.entry(name.clone()).or_insert_with(|| dashes.to_vec());
        name
    }

    /// The number after the last that was given away.
    pub(super) fn end(&self) -> Handle {
        self.handle
    }
}

/// Twice the area of a ring.
fn size(ring: &[DVec2]) -> f64 {
    let ends = ring.iter().skip(1).chain(ring.first());
    ring.iter().zip(ends).map(|(a, b)| a.perp_dot(*b)).sum::<f64>().abs()
}
