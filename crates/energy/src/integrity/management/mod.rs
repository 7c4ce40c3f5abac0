//! The energy management system: sensors and actuators that name what is there, and programs that can be read.

mod program;
mod table;
#[cfg(test)]
mod tests;

use super::model::{Model, value};
use super::near::Near;
use super::{Issue, IssueKind, Severity, issue};
use crate::idf::Object;
use crate::schema::FieldKind;
use foldhash::{HashMap, HashSet};
use table::{Kind, Named, has_variable, variables};

/// Keys of output variables that are no object's name.
const KEYS: [&str; 8] =
    ["environment", "simulation", "whole building", "facility", "site", "ems", "syshvac", "entire facility"];

/// Objects through which programs outside the model give variables and actuators of their own.
const FOREIGN: [&str; 2] = ["PythonPlugin:Instance", "ExternalInterface"];

/// Adds sensors and actuators of what is not there, and programs that cannot be read.
pub fn check(document: &Model<'_>, near: &mut Near, issues: &mut Vec<Issue>) {
    let sensors: Vec<Object<'_>> = document.of_type("EnergyManagementSystem:Sensor").collect();
    let actuators: Vec<Object<'_>> = document.of_type("EnergyManagementSystem:Actuator").collect();
    program::check(document, near, issues);
    if sensors.is_empty() && actuators.is_empty() {
        return;
    }
    let world = World::from_model(document);
    let foreign = FOREIGN.iter().any(|name| document.of_type(name).next().is_some());
    let mut checker = Checker { document, components: HashMap::default(), world: &world, near, issues };
    for sensor in sensors.into_iter().filter(|_| !foreign) {
        checker.sensor(sensor);
    }
    for actuator in actuators {
        checker.actuator(actuator);
    }
}

/// The names of a model, in small letters.
struct World<'a> {
    names: HashSet<String>,
    nodes: HashSet<String>,
    spelt: Vec<&'a str>,
    spelt_nodes: Vec<&'a str>,
    /// Variables that the model itself makes.
    own: HashSet<String>,
}

impl<'a> World<'a> {
    fn from_model(document: &Model<'a>) -> Self {
        let mut world = World {
            names: HashSet::default(),
            nodes: HashSet::default(),
            spelt: Vec::new(),
            spelt_nodes: Vec::new(),
            own: HashSet::default(),
        };
        for object in document.objects() {
            let name = object.type_name();
            if name.starts_with("Meter:") || name.ends_with("OutputVariable") {
                world.own.insert(object.name().to_lowercase());
            }
        }
        for object in
            document.objects().filter(|object| !object.type_name().starts_with("EnergyManagementSystem:"))
        {
            // names that stand at other places, and what is no node but text, are found too
            if !object.name().is_empty() && world.names.insert(object.name().to_lowercase()) {
                world.spelt.push(object.name());
            }
            for value in object.fields().filter(|value| !value.value.is_empty()) {
                if value.field.is_some_and(|field| field.kind == FieldKind::Node)
                    && world.nodes.insert(value.value.to_lowercase())
                {
                    world.spelt_nodes.push(value.value);
                }
            }
        }
        world
    }

    /// True if an object has this name, or one that stands for it in a zone or space: `ZONE LIGHTS` of lights for a list of zones.
    fn has(&self, name: &str) -> bool {
        let name = name.trim().to_lowercase();
        self.names.contains(&name)
            || self.nodes.contains(&name)
            || name.match_indices(' ').any(|(at, _)| {
                let (zone, rest) = name.split_at(at);
                self.names.contains(zone) && self.names.contains(rest.trim_start())
            })
    }
}

/// The names of the components of one kind, in small letters and as they are spelt.
#[derive(Default)]
struct Components<'a> {
    lower: HashSet<String>,
    spelt: Vec<&'a str>,
}

struct Checker<'a, 'b> {
    document: &'b Model<'a>,
    components: HashMap<Vec<String>, Components<'a>>,
    world: &'b World<'a>,
    near: &'b mut Near,
    issues: &'b mut Vec<Issue>,
}

impl Checker<'_, '_> {
    fn say(&mut self, severity: Severity, object: Object<'_>, message: String, what: &str) {
        self.issues.push(issue(severity, IssueKind::EnergyManagement, vec![object.into()], message, what));
    }

    fn sensor(&mut self, sensor: Object<'_>) {
        let variable = value(sensor, "output_variable_or_output_meter_name");
        // meters have colons, and may be the model's own
        let own = self.world.own.contains(&variable.to_lowercase());
        if !variable.is_empty() && !variable.contains(':') && !own && !has_variable(variable) {
            let near = self.near.name(variable, variables());
            let meant = near.as_ref().map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
            let message = format!(
                "The sensor `{}` reads `{variable}`, which is no output variable.{meant}",
                sensor.name()
            );
            let severity = if near.is_some() { Severity::Error } else { Severity::Warning };
            let what =
                "Name an output variable or meter; the file eplusout.rdd of a run lists those of a model.";
            self.say(severity, sensor, message, what);
        }
        let key = value(sensor, "output_variable_or_output_meter_index_key_name");
        let free = key.is_empty() || key == "*" || KEYS.contains(&key.to_lowercase().as_str());
        if !free && !variable.contains(':') && !self.world.has(key) {
            let names = self.world.spelt.iter().chain(&self.world.spelt_nodes).copied();
            let near = self.near.name(key, names);
            let meant = near.as_ref().map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
            let message = format!(
                "The sensor `{}` reads `{variable}` of `{key}`, and no object or node has that name.{meant}",
                sensor.name()
            );
            let severity = if near.is_some() { Severity::Error } else { Severity::Warning };
            self.say(severity, sensor, message, "Name the object, zone or node that the variable is of.");
        }
    }

    fn actuator(&mut self, actuator: Object<'_>) {
        let unique = value(actuator, "actuated_component_unique_name");
        let component = value(actuator, "actuated_component_type");
        let control = value(actuator, "actuated_component_control_type");
        if component.is_empty() || control.is_empty() {
            return;
        }
        let what = "Take all three names of the actuator from the file eplusout.edd of a run (Output:EnergyManagementSystem, Verbose).";
        let schema = self.document.schema();
        let Some(kind) = Kind::named(component, schema) else {
            let meant = self.near.name(component, Kind::all());
            let severity = if meant.is_some() { Severity::Error } else { Severity::Warning };
            let meant = meant.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
            let message = format!(
                "The actuator `{}` steers a `{component}`, which is no component type that is known here.{meant}",
                actuator.name()
            );
            return self.say(severity, actuator, message, what);
        };
        if !kind.has_control(control) {
            let meant = self.near.name(control, kind.controls.iter().copied());
            let severity = if meant.is_some() { Severity::Error } else { Severity::Warning };
            let meant = meant.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
            let message = format!(
                "The actuator `{}` steers the `{control}` of a {component}, which is no control type of it that is known here.{meant}",
                actuator.name()
            );
            self.say(severity, actuator, message, what);
        }
        let (found, meant) = self.component(unique, &kind.named);
        if !found {
            let message = format!(
                "The actuator `{}` steers the {component} `{unique}`, which is not there.{meant}",
                actuator.name()
            );
            self.say(Severity::Error, actuator, message, what);
        }
    }

    /// True if what an actuator steers is there, and else the name that is likely meant.
    fn component(&mut self, unique: &str, named: &Named) -> (bool, String) {
        let document = self.document;
        match named {
            Named::Environment => {
                (unique.eq_ignore_ascii_case("Environment"), " Did you mean `Environment`?".to_owned())
            }
            Named::Node => {
                let nodes = &self.world.nodes;
                let found = nodes.contains(&unique.trim().to_lowercase());
                let meant = if found {
                    String::new()
                } else {
                    self.near.meant(unique, self.world.spelt_nodes.iter().copied())
                };
                (found, meant)
            }
            Named::Types(patterns) => {
                let known = self
                    .components
                    .entry(patterns.clone())
                    .or_insert_with(|| Components::of_types(document, patterns));
                let unique = unique.trim().to_lowercase();
                // lights of a list of zones are told by the zone in front of their name
                let mut ends = unique.match_indices(' ').filter_map(|(at, _)| unique.get(at + 1..));
                if known.lower.contains(&unique) || ends.any(|end| known.lower.contains(end)) {
                    return (true, String::new());
                }
                (false, self.near.meant(&unique, known.spelt.iter().copied()))
            }
        }
    }
}

impl<'a> Components<'a> {
    fn of_types(document: &Model<'a>, patterns: &[String]) -> Self {
        let fits = |object: &Object<'_>| {
            let name = object.type_name();
            patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
                Some(start) => name.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)),
                None => name.eq_ignore_ascii_case(pattern),
            })
        };
        let mut found = Self::default();
        for object in document.objects().filter(fits).filter(|object| !object.name().is_empty()) {
            if found.lower.insert(object.name().to_lowercase()) {
                found.spelt.push(object.name());
            }
        }
        found
    }
}
