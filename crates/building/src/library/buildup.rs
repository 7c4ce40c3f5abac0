//! Build-ups: layers of materials as a set that types and elements share, read and written in mm.

use crate::author::Author;
use crate::kinds::Layer;
use crate::layer_priority::{self, category};
use crate::measures::{mm, name, positive};
use contract::Fault;
use ifc::{Id, Value, relations};

/// The most layers of a build-up.
const MOST: usize = 40;

/// Reads layers as they were given, with the field of what is wrong.
pub fn checked(field: &str, layers: &[Layer]) -> Result<Vec<Layer>, Fault> {
    if layers.is_empty() || layers.len() > MOST {
        return Err(Fault::invalid(
            field,
            format!("`{field}` has {} layers; a build-up has from 1 to {MOST}.", layers.len()),
        ));
    }
    layers
        .iter()
        .enumerate()
        .map(|(i, layer)| {
            Ok(Layer {
                material: name(&format!("{field}[{i}].material"), &layer.material)?,
                thickness: positive(&format!("{field}[{i}].thickness"), layer.thickness)?,
                function: layer.function.as_deref().map(|function| category(function).to_owned()),
                priority: layer.priority,
            })
        })
        .collect()
}

/// The thickness of all layers in mm.
pub fn total(layers: &[Layer]) -> f64 {
    layers.iter().map(|layer| layer.thickness).sum()
}

/// The layer set of an element or type: its own, else its type's; not what else it may be made of.
pub fn set_of(author: &Author, object: Id) -> Option<Id> {
    let set = relations::Links::of_one(author.edit).material_of(object)?;
    author.edit.get(set).filter(|set| set.is_a("IfcMaterialLayerSet")).map(|_| set)
}

/// The layers of a set; an air gap without a material is called so.
pub fn read(author: &Author, set: Id) -> Vec<Layer> {
    layer_priority::layers(author, set)
}

/// The material of an element or type that is made of one layer; `None` where there are more, or none.
pub(crate) fn only_material(author: &Author, id: Id) -> Option<String> {
    match &read(author, set_of(author, id)?)[..] {
        [only] => Some(only.material.clone()),
        _ => None,
    }
}

/// Returns true if two build-ups are the same, to a thousandth of a millimetre, as far as the schema can say so.
pub fn same(author: &Author, a: &[Layer], b: &[Layer]) -> bool {
    let said = |a: &Layer, b: &Layer| a.function == b.function && a.priority == b.priority;
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            a.material == b.material
                && (a.thickness - b.thickness).abs() < 1e-3
                && (author.legacy() || said(a, b))
        })
}

/// The name of a type after its build-up changed: its words, the thickness, and the materials where there are several or another
/// one. A name in which no thickness stands is kept.
pub fn title(old: &str, before: &[Layer], after: &[Layer]) -> String {
    let Some((words, _)) = old.split_once(&format!(" {} mm", mm(total(before)))) else {
        return old.to_owned();
    };
    let materials = |layers: &[Layer]| -> Vec<String> { layers.iter().map(|l| l.material.clone()).collect() };
    let kept = old.split_once(" mm, ").map(|(_, rest)| rest.to_owned());
    let rest = if materials(before) == materials(after) { kept } else { Some(materials(after).join(" + ")) };
    let thickness = mm(total(after));
    match rest {
        Some(rest) => format!("{words} {thickness} mm, {rest}"),
        None => format!("{words} {thickness} mm"),
    }
}

impl Author<'_> {
    /// The layer set of this name with these layers: found, or written with their materials.
    pub fn layered_set(&mut self, text: &str, layers: &[Layer]) -> Result<Id, Fault> {
        if let [only] = layers {
            return self.layer_set(text, only);
        }
        let known = self.edit.of_class_exact("IfcMaterialLayerSet").into_iter().find(|set| {
            self.edit.get(*set).is_some_and(|s| s.text("LayerSetName").as_deref() == Some(text))
                && same(self, &read(self, *set), layers)
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let mut made = Vec::with_capacity(layers.len());
        for layer in layers {
            made.push(Value::Ref(self.material_layer(layer)?));
        }
        self.create(
            "IfcMaterialLayerSet",
            &[("MaterialLayers", Value::List(made)), ("LayerSetName", text.into())],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_type_follows_its_layers() {
        let layer = Layer::plain;
        let brick = [layer("Masonry", 300.0)];
        assert_eq!(title("Exterior wall 300 mm", &brick, &[layer("Masonry", 365.0)]), "Exterior wall 365 mm");
        let two = [layer("Masonry", 240.0), layer("Wool", 160.0)];
        assert_eq!(title("Exterior wall 300 mm", &brick, &two), "Exterior wall 400 mm, Masonry + Wool");
        let thicker = [layer("Clay", 365.0)];
        let clay = [layer("Clay", 300.0)];
        assert_eq!(title("Exterior wall 300 mm, Clay", &clay, &thicker), "Exterior wall 365 mm, Clay");
        assert_eq!(title("AW-01", &brick, &two), "AW-01");
    }
}
