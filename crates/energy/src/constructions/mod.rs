//! The layers of a construction and how much heat passes through them: thermal resistance and U-value.
//!
//! Layers of solid material count by thickness over conductivity, others by the resistance that they state. The surface resistances of the
//! air on both sides are those of ISO 6946 or those by which EnergyPlus reports `U-Factor with Film` ([`Films`]). Glazing given by its
//! U-value has that, films included, whatever films are asked for; panes with gas between them are computed as EN 673 does, at the centre
//! of vertical glass. What has no such value (underground walls by their C-factor, ground floors by their F-factor, boundaries of air,
//! glass with shades or of other programs) is answered with the reason.

mod gap;

use crate::idf::{Document, Object};

/// The direction in which heat passes through a building element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeatFlow {
    /// Through a wall or window.
    Horizontal,
    /// Through a roof or ceiling.
    Upward,
    /// Through a floor.
    Downward,
}

/// The surface resistances of the air on both sides of an element, in m²·K/W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Films {
    /// That of the inside.
    pub inside: f64,
    /// That of the outside.
    pub outside: f64,
}

impl Films {
    /// No air: the U-value is the conductance from surface to surface.
    pub const NONE: Self = Self { inside: 0.0, outside: 0.0 };

    /// Those of an element to outdoors by ISO 6946:2017, table 7.
    pub fn iso_6946(flow: HeatFlow) -> Self {
        let inside = match flow {
            HeatFlow::Horizontal => 0.13,
            HeatFlow::Upward => 0.10,
            HeatFlow::Downward => 0.17,
        };
        Self { inside, outside: 0.04 }
    }

    /// Those by which EnergyPlus reports the U-factor with film of a surface to outdoors (`EnvelopeSummary`): of ASHRAE 90.1-2004,
    /// appendix A.
    pub fn energyplus(flow: HeatFlow) -> Self {
        let inside = match flow {
            HeatFlow::Horizontal => 0.119_754_8,
            HeatFlow::Upward => 0.107_427_1,
            HeatFlow::Downward => 0.162_021_2,
        };
        Self { inside, outside: 0.029_938_7 }
    }

    /// The same for an element that has rooms on both sides.
    #[must_use]
    pub fn between_rooms(self) -> Self {
        Self { outside: self.inside, ..self }
    }

    /// Both together.
    pub fn resistance(self) -> f64 {
        self.inside + self.outside
    }
}

/// The thermal nature of a layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Layer {
    /// A solid with thickness in m and conductivity in W/(m·K).
    Solid {
        /// In m.
        thickness: f64,
        /// In W/(m·K).
        conductivity: f64,
    },
    /// A resistance in m²·K/W, without mass, or of a closed space of air.
    Resistance(f64),
    /// A whole glazing by its U-value in W/(m²·K), films included.
    Glazing(f64),
    /// A pane.
    Pane {
        /// In m.
        thickness: f64,
        /// In W/(m·K).
        conductivity: f64,
        /// The infrared emissivities of its front, which looks outwards, and of its back.
        emissivities: [f64; 2],
    },
    /// Gas between panes, of this thickness in m; up to four gases, each by its share.
    Gas {
        /// In m.
        thickness: f64,
        /// The gases.
        mixture: gap::Mixture,
    },
}

impl Layer {
    /// The resistance from surface to surface in m²·K/W, where the layer has one by itself.
    pub fn resistance(&self) -> Option<f64> {
        match self {
            Self::Solid { thickness, conductivity } | Self::Pane { thickness, conductivity, .. } => {
                Some(thickness / conductivity)
            }
            Self::Resistance(resistance) => Some(*resistance),
            Self::Glazing(_) | Self::Gas { .. } => None,
        }
    }
}

/// Types of objects that a layer may be.
const MATERIALS: [&str; 9] = [
    "Material",
    "Material:NoMass",
    "Material:AirGap",
    "Material:RoofVegetation",
    "WindowMaterial:SimpleGlazingSystem",
    "WindowMaterial:Glazing",
    "WindowMaterial:Glazing:RefractionExtinctionMethod",
    "WindowMaterial:Gas",
    "WindowMaterial:GasMixture",
];

/// Types of constructions, with the reason why those that have none have no U-value of their own.
const TYPES: [(&str, Option<&str>); 9] = [
    ("Construction", None),
    ("Construction:InternalSource", None),
    (
        "Construction:CfactorUndergroundWall",
        Some("it is given by its C-factor, from which EnergyPlus makes layers with the soil"),
    ),
    (
        "Construction:FfactorGroundFloor",
        Some("it is given by its F-factor, heat loss by length of exposed edge and not by area"),
    ),
    ("Construction:AirBoundary", Some("it is a boundary of air and no element")),
    ("Construction:ComplexFenestrationState", Some("it is a matrix of optical properties (BSDF)")),
    ("Construction:WindowEquivalentLayer", Some("it is glass with shades as equivalent layers")),
    ("Construction:WindowDataFile", Some("it stands in a file of another program")),
    ("WindowMaterial:GlazingGroup:Thermochromic", Some("its glass changes with its temperature")),
];

/// The first object of this name among types; none has an empty one.
fn named<'a>(
    document: &'a Document,
    mut types: impl Iterator<Item = &'a str>,
    name: &str,
) -> Option<Object<'a>> {
    if name.trim().is_empty() { None } else { types.find_map(|kind| document.get(kind, name)) }
}

/// A construction by its name, of whatever type.
pub fn find<'a>(document: &'a Document, name: &str) -> Option<Object<'a>> {
    named(document, TYPES.iter().map(|(kind, _)| *kind), name)
}

/// A material by its name, of whatever type that a U-value can be computed of.
pub fn material<'a>(document: &'a Document, name: &str) -> Option<Object<'a>> {
    named(document, MATERIALS.into_iter(), name)
}

/// The names of a construction's layers from outside to inside.
pub fn layer_names(construction: Object<'_>) -> impl Iterator<Item = &str> + use<'_> {
    construction.fields().filter_map(|value| {
        let key = &value.field?.key;
        let is_layer = **key == *"outside_layer" || key.starts_with("layer_");
        (is_layer && !value.value.trim().is_empty()).then(|| value.value.trim())
    })
}

/// The layers of a construction from outside to inside, each with its material; a reason where it has none, or one is not understood.
pub fn layers<'a>(
    document: &'a Document,
    construction: Object<'a>,
) -> Result<Vec<(Object<'a>, Layer)>, String> {
    let kind = construction.type_name();
    let known = TYPES.iter().find(|(name, _)| name.eq_ignore_ascii_case(kind));
    match known {
        None => return Err(format!("{kind} is no construction")),
        Some((_, Some(reason))) => return Err((*reason).to_owned()),
        Some((_, None)) => {}
    }
    let mut found = Vec::new();
    for name in layer_names(construction) {
        let own = material(document, name)
            .ok_or_else(|| format!("its layer `{name}` {}", other(document, name)))?;
        found.push((own, layer(own).ok_or_else(|| format!("its layer `{name}` lacks a number above zero"))?));
    }
    if found.is_empty() { Err("it has no layers".to_owned()) } else { Ok(found) }
}

/// The reason why a layer is none of [`MATERIALS`].
fn other(document: &Document, name: &str) -> String {
    let kinds = document.schema().types().iter().map(|about| &*about.name);
    let mut kinds = kinds.filter(|kind| kind.starts_with("Material:") || kind.starts_with("WindowMaterial:"));
    let kind = kinds.find(|kind| document.get(kind, name).is_some());
    kind.map_or("is not in the model".to_owned(), |kind| {
        format!("is a {kind}, which has no resistance of its own")
    })
}

fn layer(material: Object<'_>) -> Option<Layer> {
    let number = |field: &str| material.number(field).filter(|value| value.is_finite() && *value > 0.0);
    let usual = |field: &str, usual: f64| match material.get(field) {
        Some(text) if !text.trim().is_empty() => number(field),
        _ => Some(usual),
    };
    let name = material.type_name();
    Some(match name {
        "Material" => Layer::Solid { thickness: number("thickness")?, conductivity: number("conductivity")? },
        "Material:NoMass" | "Material:AirGap" => Layer::Resistance(number("thermal_resistance")?),
        "Material:RoofVegetation" => Layer::Solid {
            thickness: usual("thickness", 0.1)?,
            conductivity: usual("conductivity_of_dry_soil", 0.35)?,
        },
        "WindowMaterial:SimpleGlazingSystem" => Layer::Glazing(number("u_factor")?),
        "WindowMaterial:Glazing" => Layer::Pane {
            thickness: number("thickness")?,
            conductivity: usual("conductivity", 0.9)?,
            emissivities: [
                usual("front_side_infrared_hemispherical_emissivity", 0.84)?,
                usual("back_side_infrared_hemispherical_emissivity", 0.84)?,
            ],
        },
        "WindowMaterial:Glazing:RefractionExtinctionMethod" => Layer::Pane {
            thickness: number("thickness")?,
            conductivity: usual("conductivity", 0.9)?,
            emissivities: [usual("infrared_hemispherical_emissivity", 0.84)?; 2],
        },
        "WindowMaterial:Gas" | "WindowMaterial:GasMixture" => {
            Layer::Gas { thickness: number("thickness")?, mixture: gap::Mixture::from_material(material)? }
        }
        _ => return None,
    })
}

/// The thermal resistance from surface to surface in m²·K/W; a reason where there is none.
pub fn resistance(document: &Document, construction: Object<'_>) -> Result<f64, String> {
    let found: Vec<Layer> = layers(document, construction)?.into_iter().map(|(_, layer)| layer).collect();
    if found.iter().any(|layer| matches!(layer, Layer::Glazing(_))) {
        return Err("it is a glazing given by its U-value, the films of air within".to_owned());
    }
    let solid: f64 = found.iter().filter_map(Layer::resistance).sum();
    Ok(solid + gap::resistance(&found)?)
}

/// The U-value in W/(m²·K), from the air on one side to that on the other; a reason where there is none. Glazing given by its U-value
/// has that, whatever the films.
pub fn u_value(document: &Document, construction: Object<'_>, films: Films) -> Result<f64, String> {
    if let [(_, Layer::Glazing(u_value))] = layers(document, construction)?.as_slice() {
        return Ok(*u_value);
    }
    let whole = resistance(document, construction)? + films.resistance();
    if whole > 0.0 && whole.is_finite() {
        Ok(1.0 / whole)
    } else {
        Err("its layers have no resistance".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "Version,25.2;
        Material,Brick,Rough,0.1,0.5,1900,800;Material:NoMass,Wool,Rough,3;Material:AirGap,Air,0.15;
        Material,Nothing,Rough,0.1,0,1900,800;
        WindowMaterial:SimpleGlazingSystem,System,1.3,0.5;
        WindowMaterial:Glazing,Clear,SpectralAverage,,0.004,0.8,0.07,0.07,0.88,0.08,0.08,0,0.84,0.84,1.0;
        WindowMaterial:Glazing,Coated,SpectralAverage,,0.004,0.6,0.2,0.2,0.8,0.08,0.08,0,0.04,0.84,1.0;
        WindowMaterial:Gas,Argon16,Argon,0.016;WindowMaterial:Gas,Air12,Air,0.012;
        WindowMaterial:Shade,Cloth,0.1,0.5,0.1,0.5,0.9,0,0.005,0.1,0.05,0.5,0.5,0.5,0.5,0;
        Construction,Wall,Brick,Wool,Air;Construction,Bare,Nothing;Construction,Lost,Brick,Nobody;
        Construction,Window,System;Construction,Old,Clear,Air12,Clear;Construction,New,Clear,Argon16,Coated;
        Construction,Single,Clear;Construction,Shaded,Clear,Cloth;
        Construction:AirBoundary,Open,None;Construction:FfactorGroundFloor,Slab,0.5,10,4;";

    fn u(name: &str, films: Films) -> Result<f64, String> {
        let (document, _) = Document::open(MODEL.as_bytes()).unwrap();
        u_value(&document, find(&document, name).unwrap(), films)
    }

    #[test]
    fn opaque_layers_add_up_with_the_films() {
        let layers = 0.1 / 0.5 + 3.0 + 0.15;
        let wall = Films::iso_6946(HeatFlow::Horizontal);
        assert!((u("Wall", Films::NONE).unwrap() - 1.0 / layers).abs() < 1e-12);
        assert!((u("Wall", wall).unwrap() - 1.0 / (layers + 0.17)).abs() < 1e-12);
        assert!((u("Wall", wall.between_rooms()).unwrap() - 1.0 / (layers + 0.26)).abs() < 1e-12);
        assert!((Films::energyplus(HeatFlow::Downward).resistance() - 0.191_959_9).abs() < 1e-9);
    }

    #[test]
    fn glazing_has_the_u_value_that_it_is_given_or_that_of_its_panes() {
        let films = Films::iso_6946(HeatFlow::Horizontal);
        assert_eq!(u("Window", films), Ok(1.3));
        // a single pane of 4 mm, and the usual double glazing of EN 673: clear with 12 mm of air, coated with 16 mm of argon
        assert!((u("Single", films).unwrap() - 5.75).abs() < 0.01);
        assert!((u("Old", films).unwrap() - 2.85).abs() < 0.05, "{:?}", u("Old", films));
        assert!((u("New", films).unwrap() - 1.14).abs() < 0.06, "{:?}", u("New", films));
    }

    #[test]
    fn what_has_no_u_value_says_why() {
        for (name, reason) in [
            ("Open", "boundary of air"),
            ("Slab", "F-factor"),
            ("Lost", "`Nobody` is not in the model"),
            ("Bare", "lacks a number above zero"),
            ("Shaded", "is a WindowMaterial:Shade"),
        ] {
            let said = u(name, Films::NONE).unwrap_err();
            assert!(said.contains(reason), "{name}: {said}");
        }
        let (document, _) = Document::open(MODEL.as_bytes()).unwrap();
        assert!(find(&document, "").is_none() && find(&document, "Nowhere").is_none());
        assert!(layers(&document, document.get("Material", "Brick").unwrap()).is_err());
    }

    #[test]
    fn layers_stand_from_outside_to_inside() {
        let (document, _) = Document::open(MODEL.as_bytes()).unwrap();
        let found = layers(&document, find(&document, "wall").unwrap()).unwrap();
        let names: Vec<&str> = found.iter().map(|(material, _)| material.name()).collect();
        assert_eq!(names, ["Brick", "Wool", "Air"]);
        assert_eq!(found[0].1.resistance(), Some(0.2));
    }
}
