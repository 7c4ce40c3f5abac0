//! Constructions out of what stands behind a face: every element's layers, from outside to inside.
//!
//! An element with a layer set has its layers, turned by the usage's direction to how the face looks; one with a single material has
//! that in the thickness measured. Gaps between elements are air. Where an element states a thermal transmittance and its layers'
//! conductivities are not all stated, the layer that insulates most is made to fit it; so it is in any case where a correction says one.

use crate::{
    corrections::Here,
    document::{Document, digits},
    material::{self, Thermal},
    names::Names,
    report::{ConstructionReport, Notes},
};
use geometry::read::Reader;
use glam::DVec3;
use ifc::{
    Id, psets,
    relations::{Composition, Links},
    units::Units,
};
use serde_json::{Map, Value, json};
use spatial::elements::{Crossed, guid};
use std::collections::HashMap;

/// A layer of a construction.
#[derive(Debug, Clone, PartialEq)]
enum Layer {
    Solid { name: String, thickness: f64, thermal: Thermal },
    Air { thickness: f64, resistance: f64 },
}

impl Layer {
    fn resistance(&self) -> f64 {
        match self {
            Layer::Solid { thickness, thermal, .. } => thickness / thermal.conductivity,
            Layer::Air { resistance, .. } => *resistance,
        }
    }

    fn thickness(&self) -> f64 {
        match self {
            Layer::Solid { thickness, .. } | Layer::Air { thickness, .. } => *thickness,
        }
    }
}

/// An air space in a wall, m²·K/W (data set ASHRAE_2005_HOF_Materials.idf, F04).
const AIR_RESISTANCE: f64 = 0.15;
/// Gaps between elements that are narrower, in metres, are modelling and no cavities.
const CAVITY: f64 = 0.01;
/// EnergyPlus takes ten layers.
const MOST: usize = 10;
/// The thickest layer, in metres: more mass than this takes part in no day's course.
const THICKEST: f64 = 0.6;
/// The films of air of an element, inside and outside together, by where its outer face looks, m²·K/W (ISO 6946, table 7).
fn films(normal: DVec3) -> f64 {
    if normal.z > 0.5 {
        0.14
    } else if normal.z < -0.5 {
        0.21
    } else {
        0.17
    }
}

/// The property sets in which elements state a thermal transmittance.
const SETS: [&str; 5] = [
    "Pset_WallCommon",
    "Pset_SlabCommon",
    "Pset_RoofCommon",
    "Pset_CoveringCommon",
    "Pset_CurtainWallCommon",
];

/// The materials and names of constructions, with those made so far.
pub(crate) struct Constructions<'m> {
    reader: Reader<'m>,
    links: &'m Links<'m>,
    units: Units,
    by_class: bool,
    names: Names,
    material_names: Names,
    /// Layers of an element as a face with this rounded normal sees them.
    made: HashMap<String, String>,
    materials: HashMap<String, String>,
    /// The outcome beside what the file states.
    pub reports: Vec<ConstructionReport>,
}

impl<'m> Constructions<'m> {
    pub fn new(reader: Reader<'m>, links: &'m Links<'m>, by_class: bool) -> Constructions<'m> {
        let units = Units::from_model(links.model());
        Constructions {
            reader,
            links,
            units,
            by_class,
            names: Names::default(),
            material_names: Names::default(),
            made: HashMap::new(),
            materials: HashMap::new(),
            reports: Vec::new(),
        }
    }

    /// The construction behind a face with this outward normal, outside first. `kind` is what it is where no element stands there.
    pub fn behind_face(
        &mut self,
        crossed: &[Crossed],
        normal: DVec3,
        kind: &str,
        document: &mut Document,
        notes: &mut Notes,
    ) -> String {
        let mut layers = self.layers(crossed, normal, kind, notes);
        layers.reverse();
        self.put(layers, crossed, (normal, kind), document, notes)
    }

    /// Returns the construction seen from the other side, behind the paired face.
    pub fn reversed(
        &mut self,
        crossed: &[Crossed],
        normal: DVec3,
        kind: &str,
        document: &mut Document,
        notes: &mut Notes,
    ) -> String {
        let layers = self.layers(crossed, normal, kind, notes);
        self.put(layers, crossed, (normal, kind), document, notes)
    }

    /// From the zone outward.
    fn layers(&self, crossed: &[Crossed], normal: DVec3, kind: &str, notes: &mut Notes) -> Vec<Layer> {
        let mut layers: Vec<Layer> = Vec::new();
        let mut end: Option<f64> = None;
        for c in crossed {
            let inside_of_last = end.is_some_and(|e| c.to <= e + 1e-3);
            if inside_of_last {
                // a part of an element that is there already
                continue;
            }
            if let Some(gap) = end.map(|e| c.from - e).filter(|gap| *gap > CAVITY) {
                layers.push(Layer::Air { thickness: gap, resistance: AIR_RESISTANCE });
            }
            let own = self.of_element(c, normal, notes);
            layers.extend(own);
            end = Some(c.to);
        }
        while layers.len() > MOST {
            // what resists least gives way
            let least =
                layers.iter().enumerate().min_by(|a, b| a.1.resistance().total_cmp(&b.1.resistance()));
            let Some((at, _)) = least else { break };
            layers.remove(at);
        }
        layers.dedup_by(|a, b| matches!((a, b), (Layer::Air { .. }, Layer::Air { .. })));
        // air has no side of its own
        while matches!(layers.last(), Some(Layer::Air { .. })) {
            layers.pop();
        }
        while matches!(layers.first(), Some(Layer::Air { .. })) {
            layers.remove(0);
        }
        if layers.is_empty() {
            layers = vec![usual(kind, notes)];
        }
        layers
    }

    /// The layers of one element, from the zone outward.
    fn of_element(&self, crossed: &Crossed, normal: DVec3, notes: &mut Notes) -> Vec<Layer> {
        let model = self.links.model();
        let Some(element) = model.get(crossed.element) else { return Vec::new() };
        let (class, place) = (element.class_name(), guid(model, crossed.element));
        let composition = self.composition(crossed.element).filter(|_| !self.by_class);
        let thick = crossed.thickness();
        let Some(composition) = composition else {
            let element = (crossed.element, class);
            let thermal = material::thermal(self.links, &self.units, None, element, &place, notes);
            let name = class.trim_start_matches("Ifc").to_owned();
            let mut layers = vec![Layer::Solid { name, thickness: thick, thermal }];
            if notes.has_corrections("thermal transmittance") {
                self.fit(crossed.element, &place, normal, &mut layers, notes);
            }
            return layers;
        };
        let metre = self.reader.metre;
        let mut layers = Vec::new();
        let has_layers = composition.parts.iter().any(|p| p.thickness.is_some_and(|t| t > 0.0));
        if has_layers {
            for part in &composition.parts {
                let thickness = part.thickness.unwrap_or(0.0) * metre;
                let name = part.material.and_then(|m| model.get(m)?.name());
                if thickness <= 1e-6 || !thickness.is_finite() {
                    continue;
                }
                let is_air = part.ventilated == Some(true)
                    || name.as_deref().map_or(part.material.is_none(), material::is_air);
                if is_air {
                    let what = "resistance of a layer of air";
                    let here = Here::element(self.links, crossed.element, &[]);
                    let corrected = notes.number(what, &place, "m²·K/W", &here);
                    if corrected.is_none() {
                        notes.assume(
                            what,
                            &place,
                            &format!("{AIR_RESISTANCE} m²·K/W"),
                            "EnergyPlus data set ASHRAE_2005_HOF_Materials.idf, F04 Wall air space resistance",
                        );
                    }
                    layers.push(Layer::Air { thickness, resistance: corrected.unwrap_or(AIR_RESISTANCE) });
                    continue;
                }
                let element = (crossed.element, class);
                let thermal =
                    material::thermal(self.links, &self.units, part.material, element, &place, notes);
                layers.push(Layer::Solid { name: name.unwrap_or_default(), thickness, thermal });
            }
            if self.first_layer_is_outside(&composition, crossed.element, normal, &place, notes) {
                layers.reverse();
            }
        } else {
            let most = composition.parts.iter().max_by(|a, b| {
                a.fraction
                    .unwrap_or(0.0)
                    .total_cmp(&b.fraction.unwrap_or(0.0))
                    .then(std::cmp::Ordering::Greater)
            });
            let material = most.and_then(|p| p.material);
            let element = (crossed.element, class);
            let thermal = material::thermal(self.links, &self.units, material, element, &place, notes);
            let name = material.and_then(|m| model.get(m)?.name()).unwrap_or_default();
            layers.push(Layer::Solid { name, thickness: thick, thermal });
        }
        self.fit(crossed.element, &place, normal, &mut layers, notes);
        layers
    }

    /// Returns the composition of an element; a part's whole speaks for it.
    fn composition(&self, element: Id) -> Option<Composition> {
        let own = self.links.composition_of(element);
        own.or_else(|| self.links.composition_of(self.links.aggregate_parent(element)?))
            .filter(|c| !c.parts.is_empty())
    }

    /// Returns true if the first layer of the set is the one furthest from the zone.
    fn first_layer_is_outside(
        &self,
        composition: &Composition,
        element: Id,
        normal: DVec3,
        place: &str,
        notes: &mut Notes,
    ) -> bool {
        let placed = self.links.model().get(element).and_then(|e| e.reference("ObjectPlacement"));
        let frame = placed.and_then(|p| self.reader.world(p));
        let usage = composition.usage.as_ref().filter(|u| u.direction.is_some());
        if let Some((usage, frame)) = usage.zip(frame) {
            let axis = match usage.direction.as_deref() {
                Some("AXIS1") => frame.x_axis,
                Some("AXIS3") => frame.z_axis,
                _ => frame.y_axis,
            };
            let sense = if usage.sense.as_deref() == Some("NEGATIVE") { -1.0 } else { 1.0 };
            let along = (axis * sense).dot(normal);
            if along.abs() > 0.2 {
                // the set runs along `along`: with the outward normal from inside to outside
                return along < 0.0;
            }
        }
        if composition.parts.len() > 1 {
            notes.assume(
                "order of layers",
                place,
                "the first layer is the outer or upper one",
                "the element has no IfcMaterialLayerSetUsage that says how they lie",
            );
        }
        normal.z > -0.5
    }

    /// Makes layers fit the thermal transmittance that a correction says, or that the element states where conductivities are guesses.
    fn fit(&self, element: Id, place: &str, normal: DVec3, layers: &mut [Layer], notes: &mut Notes) {
        let what = "thermal transmittance";
        let here = Here::element(self.links, element, &[]);
        let corrected = notes.number(what, place, "W/(m²·K)", &here);
        let solid = |l: &Layer| matches!(l, Layer::Solid { .. });
        let guessed = |l: &Layer| matches!(l, Layer::Solid { thermal, .. } if !thermal.is_stated);
        let is_guessed = layers.iter().any(guessed);
        let stated = self.stated(element).filter(|_| is_guessed);
        let Some(transmittance) = corrected.or(stated) else { return };
        let may = |l: &Layer| if is_guessed { guessed(l) } else { solid(l) };
        let best = layers
            .iter()
            .enumerate()
            .filter(|(_, l)| may(l))
            .max_by(|a, b| a.1.resistance().total_cmp(&b.1.resistance()))
            .map(|(i, _)| i);
        let others: f64 =
            layers.iter().enumerate().filter(|(i, _)| Some(*i) != best).map(|(_, l)| l.resistance()).sum();
        let films = films(normal);
        let wanted = 1.0 / transmittance - films - others;
        let Some(Layer::Solid { name, thickness, thermal }) = best.and_then(|i| layers.get_mut(i)) else {
            return;
        };
        if wanted <= 0.005 {
            notes.find(
                place,
                format!(
                    "its other layers alone let through less than {transmittance} W/(m²·K); they stay as they are"
                ),
            );
            return;
        }
        thermal.conductivity = (*thickness / wanted).clamp(0.0005, 500.0);
        if corrected.is_none() {
            notes.assume(
                "conductivity fitted to the stated thermal transmittance",
                place,
                &format!("{:.3} W/(m·K) for {name}", thermal.conductivity),
                &format!(
                    "ThermalTransmittance {transmittance} W/(m²·K) of the element, films {films} m²·K/W (ISO 6946)"
                ),
            );
        }
    }

    /// The thermal transmittance that an element states, in W/(m²·K).
    fn stated(&self, element: Id) -> Option<f64> {
        SETS.iter().find_map(|set| {
            let found = psets::find_with(self.links, element, set, "ThermalTransmittance")?;
            found.in_si(self.links.model(), &self.units).filter(|u| (0.05..=6.0).contains(u))
        })
    }

    /// A row of the report for a construction.
    fn report(&mut self, name: &str, layers: &[Layer], crossed: &[Crossed], normal: DVec3, notes: &Notes) {
        let main = thickest(crossed);
        let is_alone = crossed.iter().all(|c| Some(c.element) == main.map(|m| m.element));
        let element = main.map(|c| guid(self.links.model(), c.element)).unwrap_or_default();
        let resistance: f64 = layers.iter().map(Layer::resistance).sum();
        self.reports.push(ConstructionReport {
            construction: name.to_owned(),
            thickness: layers.iter().map(Layer::thickness).sum(),
            transmittance: 1.0 / (resistance + films(normal)),
            stated_transmittance: main.filter(|_| is_alone).and_then(|c| self.stated(c.element)),
            is_corrected: notes.is_corrected("thermal transmittance", &element),
            element,
        });
    }

    /// Puts a construction in, outside first, unless the very same is there.
    fn put(
        &mut self,
        layers: Vec<Layer>,
        crossed: &[Crossed],
        (normal, kind): (DVec3, &str),
        document: &mut Document,
        notes: &Notes,
    ) -> String {
        let names: Vec<String> = layers.iter().map(|l| self.material(l, document)).collect();
        let key = names.join("|");
        if let Some(known) = self.made.get(&key) {
            return known.clone();
        }
        let model = self.links.model();
        let main = thickest(crossed);
        let title = main.and_then(|c| {
            let of_type = self.links.type_of(c.element).and_then(|t| model.get(t)?.name());
            of_type
                .or_else(|| model.get(self.links.material_of(c.element)?)?.name())
                .or_else(|| model.get(c.element)?.name())
        });
        let name = self
            .names
            .unique(&title.filter(|t| !t.trim().is_empty()).unwrap_or_else(|| format!("Default {kind}")));
        let mut fields = Map::new();
        for (number, layer) in names.iter().enumerate() {
            let field =
                if number == 0 { "outside_layer".to_owned() } else { format!("layer_{}", number + 1) };
            fields.insert(field, Value::from(layer.as_str()));
        }
        document.put("Construction", &name, Value::Object(fields));
        self.report(&name, &layers, crossed, normal, notes);
        self.made.insert(key, name.clone());
        name
    }

    fn material(&mut self, layer: &Layer, document: &mut Document) -> String {
        let layer = &match layer.clone() {
            // as much resistance in what the transfer functions can still be made for
            Layer::Solid { name, thickness, mut thermal } if thickness > THICKEST => {
                thermal.conductivity *= THICKEST / thickness;
                Layer::Solid { name, thickness: THICKEST, thermal }
            }
            layer => layer,
        };
        let key = match layer {
            Layer::Air { resistance, .. } => format!("air|{resistance:.3}"),
            Layer::Solid { name, thickness, thermal } => format!(
                "{name}|{:.4}|{:.5}|{:.2}|{:.1}",
                thickness, thermal.conductivity, thermal.density, thermal.specific_heat
            ),
        };
        if let Some(known) = self.materials.get(&key) {
            return known.clone();
        }
        let name = match layer {
            Layer::Air { resistance, .. } => {
                let name = self.material_names.unique("Air space");
                document.put("Material:AirGap", &name, json!({ "thermal_resistance": digits(*resistance) }));
                name
            }
            Layer::Solid { name, thickness, thermal } => {
                let title = if name.is_empty() { "Layer" } else { name };
                let name = self.material_names.unique(&format!("{title} {:.0} mm", thickness * 1000.0));
                // too thin to store heat, or too conductive for the transfer functions to converge
                if *thickness < 0.003 || thickness / thermal.conductivity < 0.0005 {
                    let resistance = (thickness / thermal.conductivity).max(0.001);
                    document.put(
                        "Material:NoMass",
                        &name,
                        json!({ "roughness": "MediumSmooth", "thermal_resistance": digits(resistance) }),
                    );
                } else {
                    document.put(
                        "Material",
                        &name,
                        json!({
                            "roughness": "MediumRough",
                            "thickness": digits(*thickness),
                            "conductivity": digits(thermal.conductivity),
                            "density": digits(thermal.density),
                            "specific_heat": digits(thermal.specific_heat),
                            "thermal_absorptance": 0.9,
                            "solar_absorptance": 0.7,
                            "visible_absorptance": 0.7,
                        }),
                    );
                }
                name
            }
        };
        self.materials.insert(key, name.clone());
        name
    }
}

/// The element that takes most of a line.
fn thickest(crossed: &[Crossed]) -> Option<&Crossed> {
    crossed.iter().max_by(|a, b| a.thickness().total_cmp(&b.thickness()))
}

/// One layer where no element stands behind a face.
fn usual(kind: &str, notes: &mut Notes) -> Layer {
    let (thickness, conductivity, density, specific_heat, like) = match kind {
        "Wall" => (0.2, 0.89, 1920.0, 790.0, "M01 100mm brick, 200 mm of it"),
        _ => (0.2, 1.95, 2240.0, 900.0, "M15 200mm heavyweight concrete"),
    };
    notes.assume(
        "construction",
        &format!("{kind} without an element behind it"),
        like,
        "EnergyPlus data set ASHRAE_2005_HOF_Materials.idf",
    );
    let thermal = Thermal { conductivity, density, specific_heat, is_stated: false };
    Layer::Solid { name: format!("Default {}", kind.to_lowercase()), thickness, thermal }
}
