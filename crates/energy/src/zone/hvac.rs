//! What serves a zone: its equipment, the air loop that a terminal is on, and the plant that feeds coils.
//!
//! A terminal is followed by its inlet node to the splitter or plenum, from there by the supply path to the loop; coils are followed by the
//! branches that they stand on. Every step is bounded, since a model may lead in circles.

use super::{named_by, starts};
use crate::idf::{Document, Handle, Object};
use crate::references::Graph;
use std::collections::{BTreeMap, BTreeSet};

/// Steps from a piece of equipment down to its coils.
const DEPTH: usize = 6;
/// Components of a loop that are followed.
const MOST: usize = 200;

/// A component and the loops that feed it.
#[derive(Debug, Clone)]
pub struct Component<'a> {
    /// The component.
    pub object: Object<'a>,
    /// The plant loops that its coils stand on.
    pub plants: Vec<Object<'a>>,
}

/// A piece of equipment of a zone with what stands behind it.
#[derive(Debug, Clone)]
pub struct System<'a> {
    /// The equipment.
    pub equipment: Component<'a>,
    /// The air loop that brings its air.
    pub air_loop: Option<Object<'a>>,
    /// The components on the supply side of that loop, in order.
    pub supply: Vec<Component<'a>>,
}

/// Who stands on which branch, and where nodes lead.
struct Paths<'a> {
    document: &'a Document,
    graph: &'a Graph,
    /// The objects that let air out into a node, splitters and plenums of the supply side, by the node in lower case.
    splits: BTreeMap<String, Object<'a>>,
}

/// The equipment of a zone with the loops behind it.
pub fn systems<'a>(document: &'a Document, graph: &'a Graph, equipment: &[Object<'a>]) -> Vec<System<'a>> {
    if equipment.is_empty() {
        return Vec::new();
    }
    let mut splits = BTreeMap::new();
    for kind in ["AirLoopHVAC:ZoneSplitter", "AirLoopHVAC:SupplyPlenum"] {
        for object in document.of_type(kind) {
            for group in object.groups() {
                for node in group.into_iter().filter(|node| !node.is_empty()) {
                    splits.insert(node.to_lowercase(), object);
                }
            }
        }
    }
    let paths = Paths { document, graph, splits };
    equipment.iter().map(|object| paths.system(*object)).collect()
}

impl<'a> Paths<'a> {
    fn system(&self, object: Object<'a>) -> System<'a> {
        let air_loop = self.air_loop(object);
        let supply = air_loop.map(|air_loop| self.supply(air_loop)).unwrap_or_default();
        System { equipment: self.component(object), air_loop, supply }
    }

    /// The plant loops that an object or a coil within it stands on.
    fn component(&self, object: Object<'a>) -> Component<'a> {
        let mut plants: Vec<Object<'a>> = Vec::new();
        let mut seen = BTreeSet::from([object.handle()]);
        let mut level = vec![object];
        for _ in 0..DEPTH {
            let mut next = Vec::new();
            for one in level {
                for plant in self.loops_of(one, &["PlantLoop", "CondenserLoop"]) {
                    if !plants.iter().any(|known| known.handle() == plant.handle()) {
                        plants.push(plant);
                    }
                }
                let within = named_by(self.document, self.graph, one).into_iter().filter(|within| {
                    starts(
                        *within,
                        &[
                            "Coil",
                            "Fan:",
                            "HeatExchanger:",
                            "AirTerminal:",
                            "AirLoopHVAC:Unitary",
                            "WaterHeater:",
                        ],
                    )
                });
                next.extend(within.filter(|within| seen.insert(within.handle())));
            }
            level = next;
        }
        Component { object, plants }
    }

    /// The loops of these types that an object stands on, by its branches.
    fn loops_of(&self, object: Object<'a>, types: &[&str]) -> Vec<Object<'a>> {
        let referrers = |handle: Handle, types: &[&str]| -> Vec<Object<'a>> {
            let from =
                self.graph.to(handle).iter().filter_map(|reference| self.document.object(reference.from));
            from.filter(|one| types.iter().any(|name| one.type_name().eq_ignore_ascii_case(name))).collect()
        };
        let mut found = Vec::new();
        for branch in referrers(object.handle(), &["Branch"]) {
            for list in referrers(branch.handle(), &["BranchList"]) {
                found.extend(referrers(list.handle(), types));
            }
        }
        found
    }

    /// The air loop that a terminal is on, or a unit that is fed by one.
    fn air_loop(&self, object: Object<'a>) -> Option<Object<'a>> {
        let nodes = object.fields().filter(|value| {
            let key = value.field.map_or("", |field| &*field.key);
            key.contains("inlet_node")
                || key == "supply_air_inlet_node_name"
                || key == "primary_air_inlet_node_name"
        });
        let mut split =
            nodes.filter_map(|value| self.splits.get(&value.value.to_lowercase())).copied().next()?;
        // a plenum may stand behind a splitter
        for _ in 0..DEPTH {
            let paths = self
                .graph
                .to(split.handle())
                .iter()
                .filter_map(|reference| self.document.object(reference.from));
            let path =
                paths.into_iter().find(|one| one.type_name().eq_ignore_ascii_case("AirLoopHVAC:SupplyPath"));
            if let Some(path) = path {
                let node = path.get("supply_air_path_inlet_node_name")?;
                return self.document.of_type("AirLoopHVAC").find(|air_loop| self.leads(*air_loop, node));
            }
            let inlet = split.get("inlet_node_name")?.to_lowercase();
            split = *self.splits.get(&inlet)?;
        }
        None
    }

    /// True if the supply of an air loop goes to a node, by itself or through a list.
    fn leads(&self, air_loop: Object<'a>, node: &str) -> bool {
        let Some(named) = air_loop.get("demand_side_inlet_node_names") else { return false };
        named.eq_ignore_ascii_case(node)
            || self
                .document
                .get("NodeList", named)
                .is_some_and(|list| list.values().skip(1).any(|one| one.eq_ignore_ascii_case(node)))
    }

    /// The components on the branches of an air loop's supply side, those of its outdoor air system in its place.
    fn supply(&self, air_loop: Object<'a>) -> Vec<Component<'a>> {
        let mut found = Vec::new();
        let lists = named_by(self.document, self.graph, air_loop).into_iter();
        for list in lists.filter(|one| one.type_name().eq_ignore_ascii_case("BranchList")) {
            for branch in named_by(self.document, self.graph, list) {
                for object in named_by(self.document, self.graph, branch) {
                    if !starts(object, &["AirLoopHVAC:OutdoorAirSystem"]) {
                        found.push(self.component(object));
                        continue;
                    }
                    let equipment = named_by(self.document, self.graph, object).into_iter();
                    for list in
                        equipment.filter(|one| starts(*one, &["AirLoopHVAC:OutdoorAirSystem:EquipmentList"]))
                    {
                        let within = named_by(self.document, self.graph, list).into_iter();
                        found.extend(within.map(|one| self.component(one)));
                    }
                }
                if found.len() > MOST {
                    return found;
                }
            }
        }
        found
    }
}
