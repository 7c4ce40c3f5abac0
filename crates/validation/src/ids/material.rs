//! Materials of an element, its type's where it has none: names and categories of materials, sets, layers, profiles and constituents.

use super::check::Outcome;
use super::context::Context;
use super::document::MaterialFacet;
use ifc::Id;
use ifc::relations::MADE_OF;

impl Context<'_> {
    /// Returns whether an instance meets a material facet.
    pub fn material(&self, id: Id, facet: &MaterialFacet) -> Outcome {
        let of = |id| self.links.across(id, MADE_OF, "RelatingMaterial");
        let mut own = of(id);
        if own.is_empty() {
            own = self.type_of(id).map(of).unwrap_or_default();
        }
        if own.is_empty() {
            return Outcome::absent("it has no material");
        }
        let Some(value) = facet.value.as_ref().filter(|value| !value.is_empty()) else { return Outcome::Met };
        let mut words = Vec::new();
        for material in own {
            self.words(material, 4, &mut words);
        }
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

    /// Names and categories of a material and of what it consists of.
    fn words(&self, material: Id, depth: usize, words: &mut Vec<String>) {
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
                self.words(part, depth, words);
            }
        }
    }
}
