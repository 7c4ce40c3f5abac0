//! What may be read and steered, from tables: output variables (`variables.csv`), and components with their control types (`actuators.txt`).

use crate::schema::Schema;
use foldhash::{HashMap, HashSet};
use std::sync::OnceLock;

const VARIABLES: &str = include_str!("variables.csv");
const ACTUATORS: &str = include_str!("actuators.txt");

/// Types of surfaces and of windows in them.
const SURFACES: [&str; 12] = [
    "BuildingSurface:Detailed",
    "FenestrationSurface:Detailed",
    "Wall*",
    "Roof*",
    "Floor*",
    "Ceiling*",
    "Window",
    "Window:*",
    "Door*",
    "GlazedDoor*",
    "InternalMass",
    "Zone",
];

/// The names of output variables, those with `*` left as they are.
pub fn variables() -> impl Iterator<Item = &'static str> {
    VARIABLES.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// The text before and behind the part of a name that varies.
type Parted = (String, String);

/// True if EnergyPlus has an output variable of this name.
pub fn has_variable(name: &str) -> bool {
    static KNOWN: OnceLock<(HashSet<String>, Vec<Parted>)> = OnceLock::new();
    let (whole, parted) = KNOWN.get_or_init(|| {
        let (mut whole, mut parted) = (HashSet::default(), Vec::new());
        for name in variables() {
            let name = name.to_ascii_lowercase();
            match (name.split_once('*'), name.rsplit_once('*')) {
                (Some((start, _)), Some((_, end))) => parted.push((start.to_owned(), end.to_owned())),
                _ => {
                    whole.insert(name);
                }
            }
        }
        (whole, parted)
    });
    let name = name.trim().to_ascii_lowercase();
    whole.contains(&name)
        || parted.iter().any(|(start, end)| {
            name.len() > start.len() + end.len()
                && name.starts_with(start.as_str())
                && name.ends_with(end.as_str())
        })
}

/// Whose names the unique names of an actuator are.
#[derive(Debug, Clone, PartialEq)]
pub enum Named {
    /// Those of objects of these types; `*` stands for anything behind.
    Types(Vec<String>),
    /// Those of nodes.
    Node,
    /// The one of the weather.
    Environment,
}

/// A type of component that can be steered.
#[derive(Debug, Clone)]
pub struct Kind {
    /// Whose names its components have.
    pub named: Named,
    /// Its control types; empty where they are not known.
    pub controls: Vec<&'static str>,
}

fn kinds() -> &'static HashMap<String, (&'static str, Kind)> {
    static KNOWN: OnceLock<HashMap<String, (&'static str, Kind)>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let rows = ACTUATORS.lines().filter(|line| !line.starts_with('#'));
        rows.filter_map(|row| {
            let mut cells = row.split('\t');
            let name = cells.next()?;
            let named = match cells.next()? {
                "(node)" => Named::Node,
                "(environment)" => Named::Environment,
                "(surface)" => Named::Types(SURFACES.map(str::to_owned).to_vec()),
                types => Named::Types(types.split('|').map(str::to_owned).collect()),
            };
            Some((name.to_ascii_lowercase(), (name, Kind { named, controls: cells.collect() })))
        })
        .collect()
    })
}

impl Kind {
    /// The kind of this name; types of objects are kinds, and so are they behind `Plant Component`.
    pub fn named(component: &str, schema: &Schema) -> Option<Self> {
        const PLANT: &str = "plant component ";
        let key = component.trim().to_ascii_lowercase();
        if let Some((_, kind)) = kinds().get(&key) {
            return Some(kind.clone());
        }
        let types = |name: &str| schema.get(name).map(|about| about.name.to_string());
        let (found, controls) = match key.strip_prefix(PLANT) {
            Some(rest) => (types(rest)?, vec!["On/Off Supervisory"]),
            None => (types(&key)?, Vec::new()),
        };
        Some(Self { named: Named::Types(vec![found]), controls })
    }

    /// The names of all kinds.
    pub fn all() -> impl Iterator<Item = &'static str> {
        kinds().values().map(|(name, _)| *name)
    }

    /// True if it may be steered so, or that is not known.
    pub fn has_control(&self, control: &str) -> bool {
        self.controls.is_empty() || self.controls.iter().any(|own| own.eq_ignore_ascii_case(control.trim()))
    }
}
