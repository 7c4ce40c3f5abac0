//! Materials of an element, its type's where it has none: names and categories of materials, sets, layers, profiles and constituents.

use super::context::Context;
use super::document::MaterialFacet;
use super::element::Element;
use super::outcome::Outcome;
use ifc::Id;
use std::sync::Arc;

/// Materials, layers and the like of one material that are looked at: a list that lists itself would otherwise go on for ever.
const MOST: usize = 100_000;

impl Context<'_> {
    /// Returns whether an instance meets a material facet.
    pub fn material(&self, element: &Element<'_>, facet: &MaterialFacet) -> Outcome {
        let own = self.materials(element);
        if own.is_empty() {
            return Outcome::absent("it has no material");
        }
        let Some(value) = facet.value.as_ref().filter(|value| !value.is_empty()) else { return Outcome::Met };
        let known: Vec<_> = own.iter().map(|material| self.words_of(*material)).collect();
        let mut words: Vec<&str> = known.iter().flat_map(|words| words.iter().map(String::as_str)).collect();
        if words.iter().any(|word| value.accepts_text(word)) {
            return Outcome::Met;
        }
        words.dedup();
        words.truncate(4);
        Outcome::wrong(if words.is_empty() {
            format!("its material has no name; asked is {}", value.describe())
        } else {
            format!("it is of {}, not {}", words.join(", "), value.describe())
        })
    }

    fn words_of(&self, material: Id) -> Arc<Vec<String>> {
        self.material_words.get(material, || {
            let (mut words, mut left) = (Vec::new(), MOST);
            self.words(material, 4, &mut left, &mut words);
            words
        })
    }

    /// Names and categories of a material and of what it consists of.
    fn words(&self, material: Id, depth: usize, left: &mut usize, words: &mut Vec<String>) {
        let Some(rest) = left.checked_sub(1) else { return };
        *left = rest;
        let Some(instance) = self.model.get(material) else { return };
        for name in ["Name", "LayerSetName", "Category"] {
            words.extend(instance.text(name).filter(|text| !text.is_empty()));
        }
        let Some(depth) = depth.checked_sub(1) else { return };
        for name in [
            "ForLayerSet",
            "ForProfileSet",
            "MaterialLayers",
            "MaterialProfiles",
            "MaterialConstituents",
            "Materials",
            "Material",
        ] {
            for part in instance.references(name) {
                self.words(part, depth, left, words);
            }
        }
    }
}
