//! Constructions with their layers and materials, and types of windows: what the file says of them, and nothing made up.

use super::polygon::number;
use ifc::relations::{Composition, Links};
use ifc::{Id, Units, psets};
use std::collections::BTreeMap;
use xml::Writer;

/// A layer: the name of its material, and what is known of that.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Layer {
    name: String,
    /// Metres.
    thickness: Option<String>,
    /// W/(m·K)
    conductivity: Option<String>,
    /// kg/m³
    density: Option<String>,
    /// J/(kg·K)
    heat: Option<String>,
}

/// A construction: its name, layers and thermal transmittance in W/(m²·K).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Construction {
    name: String,
    layers: Vec<Layer>,
    transmittance: Option<String>,
}

/// The constructions, window types and materials that were asked for, each once.
pub(super) struct Constructions<'l, 'm> {
    links: &'l Links<'m>,
    units: Units,
    made: BTreeMap<Construction, usize>,
    windows: BTreeMap<(String, Option<String>), usize>,
}

impl<'l, 'm> Constructions<'l, 'm> {
    pub fn new(links: &'l Links<'m>) -> Constructions<'l, 'm> {
        let units = Units::from_model(links.model());
        Constructions { links, units, made: BTreeMap::new(), windows: BTreeMap::new() }
    }

    /// The construction of an element; where none stands, one without layers by the kind of surface.
    pub fn of_element(&mut self, element: Option<Id>, kind: &str) -> String {
        let construction = element.map_or_else(
            || Construction { name: kind.to_owned(), layers: Vec::new(), transmittance: None },
            |element| self.read(element),
        );
        let next = self.made.len();
        format!("construction-{}", self.made.entry(construction).or_insert(next))
    }

    /// The type of a window.
    pub fn window(&mut self, element: Option<Id>) -> String {
        let model = self.links.model();
        let named = |id: Id| model.get(id).and_then(|i| i.name()).filter(|name| !name.is_empty());
        let of_type = element.and_then(|id| self.links.type_of(id)).and_then(named);
        let name = of_type.or_else(|| element.and_then(named)).unwrap_or_else(|| "Window".to_owned());
        let key = (name, element.and_then(|id| self.transmittance(id)));
        let next = self.windows.len();
        format!("window-{}", self.windows.entry(key).or_insert(next))
    }

    fn read(&self, element: Id) -> Construction {
        let model = self.links.model();
        let class = model.get(element).map(|i| i.class_name()).unwrap_or_default();
        let composition = self.links.composition_of(element);
        let own = composition.or_else(|| self.links.composition_of(self.links.aggregate_parent(element)?));
        let named = |id: Id| model.get(id).and_then(|i| i.name()).filter(|name| !name.is_empty());
        let of_type = self.links.type_of(element).and_then(named);
        let layers = own.as_ref().map(|own| self.layers(own)).unwrap_or_default();
        let joined = layers.iter().map(|l| l.name.as_str()).collect::<Vec<_>>().join(", ");
        let name =
            of_type.or(Some(joined).filter(|name| !name.is_empty())).unwrap_or_else(|| class.to_owned());
        Construction { name, layers, transmittance: self.transmittance(element) }
    }

    fn layers(&self, composition: &Composition) -> Vec<Layer> {
        let model = self.links.model();
        let layer = |part: &ifc::relations::Part| {
            let name = part.material.and_then(|id| model.get(id)?.name()).or_else(|| part.name.clone());
            let thickness = part.thickness.map(|t| self.units.to_mm(t) / 1000.0).filter(|t| *t > 0.0);
            let of_material = |names: &[&str]| part.material.and_then(|id| self.property(id, names));
            Layer {
                name: name.filter(|name| !name.is_empty()).unwrap_or_else(|| "Layer".to_owned()),
                thickness: thickness.map(number),
                conductivity: of_material(&["ThermalConductivity"]),
                density: of_material(&["MassDensity"]),
                heat: of_material(&["SpecificHeatCapacity"]),
            }
        };
        composition.parts.iter().map(layer).collect()
    }

    /// The first property of these names that says something above nought, in its SI unit.
    fn property(&self, id: Id, names: &[&str]) -> Option<String> {
        let model = self.links.model();
        let sets = psets::of_with(self.links, id);
        let found = sets.iter().flat_map(|set| &set.properties).filter(|p| names.contains(&p.name.as_str()));
        let mut values = found.filter_map(|p| p.in_si(model, &self.units).or_else(|| p.value.as_f64()));
        values.find(|v| v.is_finite() && *v > 0.0).map(number)
    }

    fn transmittance(&self, element: Id) -> Option<String> {
        self.property(element, &["ThermalTransmittance"])
    }

    /// Writes all of them.
    pub fn write(&self, writer: &mut Writer) {
        let mut layers: BTreeMap<&Layer, usize> = BTreeMap::new();
        for layer in self.made.keys().flat_map(|c| &c.layers) {
            let next = layers.len();
            layers.entry(layer).or_insert(next);
        }
        for (construction, number) in &self.made {
            writer.open("Construction").attribute("id", &format!("construction-{number}"));
            writer.leaf("Name", &construction.name);
            measure(writer, "U-value", "WPerSquareMeterK", construction.transmittance.as_deref());
            for layer in construction.layers.iter().filter_map(|layer| layers.get(layer)) {
                writer.open("LayerId").attribute("layerIdRef", &format!("layer-{layer}")).close();
            }
            writer.close();
        }
        for (layer, number) in &layers {
            writer.open("Layer").attribute("id", &format!("layer-{number}"));
            writer.leaf("Name", &layer.name);
            writer.open("MaterialId").attribute("materialIdRef", &format!("material-{number}")).close();
            writer.close();
            writer.open("Material").attribute("id", &format!("material-{number}"));
            writer.leaf("Name", &layer.name);
            measure(writer, "Thickness", "Meters", layer.thickness.as_deref());
            measure(writer, "Conductivity", "WPerMeterK", layer.conductivity.as_deref());
            measure(writer, "Density", "KgPerCubicM", layer.density.as_deref());
            measure(writer, "SpecificHeat", "JPerKgK", layer.heat.as_deref());
            writer.close();
        }
        for ((name, transmittance), number) in &self.windows {
            writer.open("WindowType").attribute("id", &format!("window-{number}"));
            writer.leaf("Name", name);
            measure(writer, "U-value", "WPerSquareMeterK", transmittance.as_deref());
            writer.close();
        }
    }
}

fn measure(writer: &mut Writer, name: &'static str, unit: &str, value: Option<&str>) {
    if let Some(value) = value {
        writer.open(name).attribute("unit", unit).text(value).close();
    }
}
