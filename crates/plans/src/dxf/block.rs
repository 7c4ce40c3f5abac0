//! Blocks, references to them, and what is drawn when these are exploded.

use super::LayerRecord;
use crate::builder::Builder;
use crate::drawing::{DEEPEST, Entity, Instance, Shape, Style};
use crate::error::Error;
use glam::{DAffine2, DVec2};
use std::collections::HashMap;

/// The look that an entity names.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Look {
    pub(super) layer: String,
    /// AutoCAD's index; 0 as the block's reference, 256 as the layer.
    pub(super) colour: Option<i64>,
    pub(super) true_colour: Option<i64>,
    pub(super) linetype: String,
    /// Hundredths of a mm.
    pub(super) weight: Option<i64>,
}

/// Something drawn, by the number of its look.
#[derive(Debug, Clone)]
pub(super) struct Drawn {
    pub(super) look: u32,
    pub(super) source: u64,
    pub(super) shape: Shape,
}

/// A reference to a block.
#[derive(Debug, Clone)]
pub(super) struct Reference {
    pub(super) look: u32,
    pub(super) source: u64,
    pub(super) name: String,
    /// From the block to where the reference is.
    pub(super) map: DAffine2,
    /// Columns, rows, and the distances between them, along the axes of the reference.
    pub(super) array: (u32, u32, DVec2),
    pub(super) angle: f64,
    /// Words that belong to it.
    pub(super) attributes: Vec<Drawn>,
}

/// Entities of a block or of the model space.
#[derive(Debug, Clone, Default)]
pub(super) struct Content {
    pub(super) looks: Vec<Look>,
    known: HashMap<(String, i64, i64, String, i64), u32>,
    pub(super) drawn: Vec<Drawn>,
    pub(super) references: Vec<Reference>,
    /// Dimensions by their number in `drawn`, and the blocks that show them.
    pub(super) shown: Vec<(usize, String)>,
    /// A thing that is left out: kind, layer, why, where.
    pub(super) passed: Vec<(String, String, &'static str, Option<DVec2>)>,
}

impl Content {
    pub(super) fn is_empty(&self) -> bool {
        self.drawn.is_empty() && self.references.is_empty()
    }

    pub(super) fn look(&mut self, look: Look) -> u32 {
        let key = (
            look.layer.clone(),
            look.colour.unwrap_or(256),
            look.true_colour.unwrap_or(-1),
            look.linetype.clone(),
            look.weight.unwrap_or(-1),
        );
        let next = self.looks.len() as u32;
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.looks.push(look);
        }
        number
    }
}

/// A block.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub(super) base: DVec2,
    /// True if it is another file.
    pub(super) is_foreign: bool,
    pub(super) content: Content,
}

/// Puts everything into the drawing, references as what their blocks hold.
pub(super) fn explode(
    model: Content,
    blocks: &HashMap<String, Block>,
    layers: &HashMap<String, LayerRecord>,
    builder: &mut Builder<'_>,
) -> Result<(), Error> {
    let mut explosion = Explosion { blocks, layers, builder, path: Vec::new() };
    let own = Context { map: DAffine2::IDENTITY, instance: Entity::ALONE, look: None };
    let Content { looks, mut drawn, references, passed, shown, .. } = model;
    for (number, block) in shown {
        if let (Some(Drawn { shape: Shape::Dimension(own), .. }), Some(block)) =
            (drawn.get_mut(number), blocks.get(&block))
            && own.stated.is_none()
        {
            own.stated = block.content.drawn.iter().find_map(|drawn| match &drawn.shape {
                Shape::Text(text) => Some(text.words.clone()),
                _ => None,
            });
        }
    }
    for (kind, layer, why, at) in passed {
        explosion.builder.pass(&kind, &layer, why, at);
    }
    let styles = explosion.styles(&looks, &own);
    for own_entity in drawn {
        if let Some(Some((layer, style))) = styles.get(own_entity.look as usize) {
            let Drawn { source, shape, .. } = own_entity;
            let (layer, style) = (*layer, *style);
            explosion.builder.push(Entity { shape, layer, style, instance: Entity::ALONE, source })?;
        } else {
            explosion.hidden(&looks, &own_entity);
        }
    }
    for reference in &references {
        explosion.reference(reference, &looks, &own)?;
    }
    Ok(())
}

struct Context {
    map: DAffine2,
    instance: u32,
    /// Layer, and look of the reference.
    look: Option<Look>,
}

struct Explosion<'b, 'w> {
    blocks: &'b HashMap<String, Block>,
    layers: &'b HashMap<String, LayerRecord>,
    builder: &'b mut Builder<'w>,
    /// The names of blocks that are being exploded.
    path: Vec<String>,
}

impl Explosion<'_, '_> {
    /// The look with what it takes from the reference that it lies within.
    fn resolved(own: &Look, context: &Context) -> Look {
        let mut look = own.clone();
        if let Some(outer) = &context.look {
            if look.layer == "0" || look.layer.is_empty() {
                look.layer.clone_from(&outer.layer);
            }
            if look.colour == Some(0) {
                look.colour = outer.colour;
                look.true_colour = look.true_colour.or(outer.true_colour);
            }
            if look.linetype.eq_ignore_ascii_case("BYBLOCK") {
                look.linetype.clone_from(&outer.linetype);
            }
            if look.weight == Some(-2) {
                look.weight = outer.weight;
            }
        }
        look
    }

    /// Layer and style of each look; none where its layer is not shown.
    fn styles(&mut self, looks: &[Look], context: &Context) -> Vec<Option<(u32, u32)>> {
        looks
            .iter()
            .map(|own| {
                let look = Self::resolved(own, context);
                let record = self.layers.get(&look.layer);
                if record.is_some_and(|record| record.is_hidden) {
                    return None;
                }
                let index = look.colour.filter(|index| (1..256).contains(index));
                let index = index.or(record.and_then(|record| record.colour));
                let colour = look.true_colour.map(|own| [(own >> 16) as u8, (own >> 8) as u8, own as u8]);
                let name = if look.linetype.is_empty() || look.linetype.eq_ignore_ascii_case("BYLAYER") {
                    record.map_or("", |record| record.linetype.as_str())
                } else {
                    look.linetype.as_str()
                };
                let is_whole = name.is_empty()
                    || name.eq_ignore_ascii_case("CONTINUOUS")
                    || name.eq_ignore_ascii_case("BYBLOCK");
                let style = Style {
                    colour: colour.or(index.map(aci)),
                    weight: look.weight.filter(|own| *own >= 0).map(|own| own as f64 / 100.0),
                    linetype: (!is_whole).then(|| name.to_owned()),
                };
                Some((self.builder.layer(&look.layer), self.builder.style(style)))
            })
            .collect()
    }

    fn hidden(&mut self, looks: &[Look], own: &Drawn) {
        let layer = looks.get(own.look as usize).map_or("", |look| look.layer.as_str());
        self.builder.pass(own.shape.kind(), layer, "its layer is off or frozen", Some(own.shape.at()));
    }

    fn reference(&mut self, own: &Reference, looks: &[Look], context: &Context) -> Result<(), Error> {
        let look = looks.get(own.look as usize).map(|look| Self::resolved(look, context)).unwrap_or_default();
        let at = context.map.transform_point2(own.map.translation);
        let name = own.name.to_uppercase();
        let pass = |builder: &mut Builder<'_>, why| builder.pass("INSERT", &look.layer, why, Some(at));
        if self.layers.get(&look.layer).is_some_and(|record| record.is_hidden) {
            pass(self.builder, "its layer is off or frozen");
            return Ok(());
        }
        let Some(block) = self.blocks.get(&name) else {
            pass(self.builder, "its block is not in the file");
            return Ok(());
        };
        if block.is_foreign && block.content.is_empty() {
            self.builder.notice(format!("the block \"{}\" is another file, which is not read", own.name));
            pass(self.builder, "its block is another file");
            return Ok(());
        }
        if self.path.contains(&name) || self.path.len() >= DEEPEST {
            self.builder.notice(format!("the block \"{}\" holds itself, or lies too deep", own.name));
            pass(self.builder, "its block holds itself or lies too deep");
            return Ok(());
        }
        self.builder.check()?;
        self.path.push(name);
        let (columns, rows, distance) = own.array;
        let turned = DAffine2::from_angle(own.angle.to_radians());
        for row in 0..rows.max(1) {
            for column in 0..columns.max(1) {
                let step = DVec2::new(f64::from(column) * distance.x, f64::from(row) * distance.y);
                let moved = DAffine2::from_translation(turned.transform_vector2(step)) * own.map;
                let map = context.map * moved * DAffine2::from_translation(-block.base);
                self.content(own, &look, &block.content, map, context)?;
            }
        }
        self.path.pop();
        Ok(())
    }

    fn content(
        &mut self,
        own: &Reference,
        look: &Look,
        content: &Content,
        map: DAffine2,
        context: &Context,
    ) -> Result<(), Error> {
        let parent = (context.instance != Entity::ALONE).then_some(context.instance);
        let layer = self.builder.layer(&look.layer);
        let at = map.translation;
        let angle = map.matrix2.x_axis.to_angle().to_degrees();
        let instance = self.builder.instance(Instance {
            name: own.name.clone(),
            parent,
            layer,
            at,
            angle,
            source: own.source,
        })?;
        let inner = Context { map, instance, look: Some(look.clone()) };
        let styles = self.styles(&content.looks, &inner);
        for drawn in &content.drawn {
            if let Some(Some((layer, style))) = styles.get(drawn.look as usize) {
                let shape = drawn.shape.clone().mapped(&map);
                let source = if drawn.source == 0 { own.source } else { drawn.source };
                self.builder.push(Entity { shape, layer: *layer, style: *style, instance, source })?;
            } else {
                self.hidden(&content.looks, drawn);
            }
        }
        for (kind, layer, why, at) in &content.passed {
            let layer = if layer == "0" { &look.layer } else { layer };
            self.builder.pass(kind, layer, why, at.map(|at| map.transform_point2(at)));
        }
        for attribute in &own.attributes {
            let shape = attribute.shape.clone().mapped(&context.map);
            let style = self.builder.style(Style::default());
            self.builder.push(Entity { shape, layer, style, instance, source: attribute.source })?;
        }
        for reference in &content.references {
            self.reference(reference, &content.looks, &inner)?;
        }
        Ok(())
    }
}

/// The colour of an index; those beyond the first nine by their family, which is enough to tell them apart.
fn aci(index: i64) -> [u8; 3] {
    match index {
        1 => [255, 0, 0],
        2 => [255, 255, 0],
        3 => [0, 255, 0],
        4 => [0, 255, 255],
        5 => [0, 0, 255],
        6 => [255, 0, 255],
        7 => [0, 0, 0],
        8 => [65, 65, 65],
        9 => [128, 128, 128],
        250..=255 => [((index - 250) * 40 + 50) as u8; 3],
        _ => {
            let hue = (index / 10 - 1).clamp(0, 23) as f64 / 24.0 * 6.0;
            let part = |shift: f64| {
                let far = ((hue + shift).rem_euclid(6.0) - 3.0).abs() - 1.0;
                (far.clamp(0.0, 1.0) * 255.0) as u8
            };
            [part(0.0), part(4.0), part(2.0)]
        }
    }
}
