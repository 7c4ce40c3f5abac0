//! Colours: what styles give to items and materials, and a calm palette by class for everything else.

use foldhash::HashMap;
use ifc::{Id, Instance, Model};
use rayon::prelude::*;
use std::collections::HashSet;

/// Red, green, blue and opacity, each 0 to 255, as on screen (sRGB).
pub type Colour = [u8; 4];

/// The colours that a model's styles give.
#[derive(Debug, Clone, Default)]
pub struct Styles {
    items: HashMap<Id, Colour>,
    materials: HashMap<Id, Colour>,
}

impl Styles {
    /// Reads the styles of a model once.
    pub fn from_model(model: &Model) -> Styles {
        let mut styles = Styles::default();
        for id in model.of_class("IfcPresentationLayerWithStyle") {
            let Some(layer) = model.get(id) else { continue };
            if let Some(colour) = first_colour(model, &layer.references("LayerStyles"), 0) {
                for item in layer.references("AssignedItems") {
                    styles.items.insert(item, colour);
                }
            }
        }
        // where every item has a style of its own, this is a tenth of all work on the model
        let styled = model.of_class("IfcStyledItem");
        let found: Vec<Vec<(Id, Colour)>> =
            styled.par_chunks(256).map(|some| coloured(model, some)).collect();
        styles.items.reserve(styled.len());
        styles.items.extend(found.into_iter().flatten());
        for id in model.of_class("IfcMaterialDefinitionRepresentation") {
            let Some(definition) = model.get(id) else { continue };
            let Some(material) = definition.reference("RepresentedMaterial") else { continue };
            if let Some(colour) = material_colour(model, &definition) {
                styles.materials.insert(material, colour);
            }
        }
        styles
    }

    /// Reads the styles of some items and materials again, which a later state of the model may give other ones.
    pub(crate) fn renew(&mut self, model: &Model, changed: &HashSet<Id>) {
        let put = |into: &mut HashMap<Id, Colour>, id: Id, colour: Option<Colour>| match colour {
            Some(colour) => drop(into.insert(id, colour)),
            None => drop(into.remove(&id)),
        };
        for &id in changed {
            // as in `of`: a style of the item's own goes before a layer's, and the last one counts
            let styled = model.referrers_of(id, "IfcStyledItem").into_iter().rev().filter_map(|s| {
                let styled = model.get(s)?;
                (styled.reference("Item") == Some(id))
                    .then(|| first_colour(model, &styled.references("Styles"), 0))?
            });
            let layers = model.referrers_of(id, "IfcPresentationLayerWithStyle").into_iter().rev();
            let layered =
                layers.filter_map(|l| first_colour(model, &model.get(l)?.references("LayerStyles"), 0));
            put(&mut self.items, id, styled.chain(layered).next());
            let mut looks = model.referrers_of(id, "IfcMaterialDefinitionRepresentation").into_iter().rev();
            put(&mut self.materials, id, looks.find_map(|d| material_colour(model, &model.get(d)?)));
        }
    }

    /// The colour of a representation item by its own style.
    pub fn of_item(&self, item: Id) -> Option<Colour> {
        self.items.get(&item).copied()
    }

    /// The colour of the first of an element's materials that has one.
    pub fn of_materials(&self, model: &Model, element: Id) -> Option<Colour> {
        if self.materials.is_empty() {
            return None;
        }
        ifc::relations::materials_of(model, element).iter().find_map(|m| self.materials.get(m).copied())
    }
}

/// The items that styled items speak of, with their colours.
fn coloured(model: &Model, styled: &[Id]) -> Vec<(Id, Colour)> {
    let mut known: HashMap<Id, Option<Colour>> = HashMap::default();
    let mut colour = |style: &Id| *known.entry(*style).or_insert_with(|| first_colour(model, &[*style], 0));
    let of = |id: &Id| {
        let styled = model.get(*id)?;
        Some((styled.reference("Item")?, styled.references("Styles").iter().find_map(&mut colour)?))
    };
    styled.iter().filter_map(of).collect()
}

/// The colour of a material's looks.
fn material_colour(model: &Model, definition: &Instance<'_>) -> Option<Colour> {
    definition
        .references("Representations")
        .into_iter()
        .filter_map(|r| model.get(r))
        .flat_map(|r| r.references("Items"))
        .filter_map(|i| model.get(i))
        .find_map(|i| first_colour(model, &i.references("Styles"), 0))
}

/// The first surface colour among styles, through `IfcPresentationStyleAssignment` where the schema has it.
fn first_colour(model: &Model, styles: &[Id], depth: usize) -> Option<Colour> {
    styles.iter().filter_map(|s| model.get(*s)).find_map(|style| {
        match style.class_name() {
            "IfcSurfaceStyle" | "IfcPresentationStyleAssignment" if depth < 4 => {
                return first_colour(model, &style.references("Styles"), depth + 1);
            }
            "IfcSurfaceStyleShading" | "IfcSurfaceStyleRendering" => {}
            _ => return None,
        }
        let rgb = colour_of(&model.get(style.reference("SurfaceColour")?)?)?;
        let clear = style.number("Transparency").filter(|t| t.is_finite()).unwrap_or(0.0).clamp(0.0, 1.0);
        // wholly clear things would be lost from sight
        Some([rgb[0], rgb[1], rgb[2], (255.0 * (1.0 - clear)).round().max(30.0) as u8])
    })
}

fn colour_of(rgb: &Instance<'_>) -> Option<[u8; 3]> {
    let part = |name: &str| {
        let v = rgb.number(name).filter(|v| v.is_finite())?;
        Some((v.clamp(0.0, 1.0) * 255.0).round() as u8)
    };
    Some([part("Red")?, part("Green")?, part("Blue")?])
}

/// The palette: class, with its subtypes, and colour. The first that fits counts.
const PALETTE: &[(&str, Colour)] = &[
    ("IfcSpace", [126, 174, 214, 56]),
    ("IfcSpatialZone", [126, 174, 214, 56]),
    ("IfcWindow", [150, 190, 208, 130]),
    ("IfcPlate", [158, 194, 210, 140]),
    ("IfcCurtainWall", [158, 194, 210, 140]),
    ("IfcDoor", [176, 141, 106, 255]),
    ("IfcWall", [231, 226, 216, 255]),
    ("IfcRoof", [176, 122, 102, 255]),
    ("IfcSlab", [205, 201, 193, 255]),
    ("IfcCovering", [222, 217, 208, 255]),
    ("IfcBeam", [168, 176, 186, 255]),
    ("IfcColumn", [168, 176, 186, 255]),
    ("IfcMember", [150, 156, 164, 255]),
    ("IfcRailing", [132, 138, 146, 255]),
    ("IfcStair", [201, 193, 182, 255]),
    ("IfcRamp", [201, 193, 182, 255]),
    ("IfcFooting", [180, 176, 168, 255]),
    ("IfcPile", [180, 176, 168, 255]),
    ("IfcFurnishingElement", [200, 180, 150, 255]),
    ("IfcSanitaryTerminal", [240, 240, 238, 255]),
    ("IfcFlowSegment", [134, 166, 178, 255]),
    ("IfcFlowFitting", [120, 152, 166, 255]),
    ("IfcDistributionElement", [160, 176, 172, 255]),
    ("IfcReinforcingElement", [140, 118, 108, 255]),
    ("IfcGeographicElement", [150, 176, 132, 255]),
    ("IfcSite", [168, 184, 152, 255]),
];

/// The colour of a class that no style speaks of.
pub fn by_class(element: &Instance<'_>) -> Colour {
    let known = PALETTE.iter().find(|(class, _)| element.is_a(class));
    known.map_or([196, 193, 186, 255], |(_, colour)| *colour)
}
