//! Neighbours among rooms, through doors, openings, windows, walls or slabs: as a matrix, a list, a graph, or a bubble diagram.

use crate::elements::{OneOrMore, id_of};
use crate::opened::file_stem;
use crate::room_report::{mm, rounded};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use spatial::Layout;
use spatial::adjacency::Through;
use spatial::graph::{Edge, Graph, bubble_diagram, graphml};
use std::collections::BTreeMap;

/// The way in which rooms are neighbours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// By doors.
    #[default]
    Door,
    /// By openings without a door, or open to each other.
    Opening,
    /// By windows.
    Window,
    /// By walls.
    Wall,
    /// By slabs, above and below.
    Slab,
    /// In every way.
    All,
}

impl Kind {
    fn ways(self) -> Vec<Through> {
        match self {
            Self::Door => vec![Through::Door],
            Self::Opening => vec![Through::Opening],
            Self::Window => vec![Through::Window],
            Self::Wall => vec![Through::Wall],
            Self::Slab => vec![Through::Slab],
            Self::All => Through::ALL.to_vec(),
        }
    }
}

/// The form of the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// `matrix[room][room]`, neighbours alone.
    #[default]
    Matrix,
    /// Pairs with the elements between.
    List,
    /// Nodes and edges with places, as JSON.
    Graph,
    /// A file for yEd, Gephi, networkx.
    Graphml,
    /// A bubble diagram as SVG.
    Bubbles,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Id or name of a storey; several for neighbours between them too; default: all.
    level_id: Option<OneOrMore>,
    #[serde(default)]
    kind: Kind,
    #[serde(default)]
    format: Format,
    /// With what leads outside, as the room `outdoors`.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    outdoors: bool,
}

/// A room.
#[derive(Debug, Serialize, JsonSchema)]
struct Node {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    storey: Option<String>,
    /// Of format graph: floor m², middle in mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    middle: Option<[Value; 2]>,
}

/// Two neighbours.
#[derive(Debug, Serialize, JsonSchema)]
struct Pair {
    a: String,
    b: String,
    through: &'static str,
    /// Shared mm in plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<Value>,
    /// Shared m².
    area: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elements: Vec<String>,
}

/// Rows by room id.
type Matrix = BTreeMap<String, BTreeMap<String, BTreeMap<&'static str, Value>>>;

/// The neighbours.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    rooms: Vec<Node>,
    /// By room and neighbour: what they share through each, mm in plan, of slabs m².
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<Matrix>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<Pair>>,
    count: usize,
    /// Ids of rooms without such a neighbour.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alone: Vec<String>,
    /// Rooms that no IfcSpace states and that were found between walls.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<usize>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("adjacency_matrix", Effect::Query, run)
        .title("Neighbours")
        .makes_files()
        .kept()
        .description("Tells which rooms are neighbours through doors, openings, windows, walls or slabs, and what they share.")
        .example("Doors of a storey", json!({ "level_id": "Ground floor" }))
        .example("A bubble diagram of all storeys", json!({ "level_id": "all", "kind": "all", "format": "bubbles" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let layout = call.layout()?;
    let levels = input.level_id.map_or_else(|| vec!["all".to_owned()], OneOrMore::list);
    let chosen = layout.rooms.choose("level_id", &levels)?;
    let graph = Graph::new(&layout, |room| chosen.contains(&room), &input.kind.ways(), input.outdoors);
    let storey = |number: usize| layout.rooms.storeys.get(number).map(|s| s.name.clone()).unwrap_or_default();
    let model = call.edit.model().clone();
    let stem = file_stem(&format!("neighbours {}", levels.join(" ")));
    match input.format {
        Format::Graphml => {
            let text = graphml(&graph, storey, |id| id_of(&model, id));
            let name = format!("{stem}.graphml");
            call.make_file("graph", &name, "application/graphml+xml", &mut |out| {
                out.write_all(text.as_bytes())
            })?;
        }
        Format::Bubbles => {
            let text = bubble_diagram(&graph, storey);
            let name = format!("{stem}.svg");
            call.make_file("drawing", &name, "image/svg+xml", &mut |out| out.write_all(text.as_bytes()))?;
        }
        Format::Matrix | Format::List | Format::Graph => {}
    }
    let node_id = |n: usize| graph.nodes.get(n).map(|node| node.id.clone()).unwrap_or_default();
    let pair = |edge: &Edge| Pair {
        a: node_id(edge.ends[0]),
        b: node_id(edge.ends[1]),
        through: edge.through.word(),
        length: (edge.length > 0.0).then(|| mm(edge.length)),
        area: rounded(edge.area),
        elements: edge.elements.iter().map(|id| id_of(&model, *id)).collect(),
    };
    let is_found = |n: &&usize| layout.rooms.rooms.get(**n).is_some_and(spatial::Room::is_found);
    let found = chosen.iter().filter(is_found).count();
    let is_listed = matches!(input.format, Format::List | Format::Graph);
    Ok(Output {
        rooms: nodes(&layout, &graph, input.format == Format::Graph),
        matrix: (input.format == Format::Matrix).then(|| matrix(&graph)),
        pairs: is_listed.then(|| graph.edges.iter().map(pair).collect()),
        count: graph.edges.len(),
        alone: graph.alone().into_iter().map(node_id).collect(),
        found: Some(found).filter(|count| *count > 0),
    })
}

fn nodes(layout: &Layout, graph: &Graph, with_places: bool) -> Vec<Node> {
    let node = |node: &spatial::graph::Node| Node {
        id: node.id.clone(),
        name: node.label.clone(),
        storey: node.storey.and_then(|s| layout.rooms.storeys.get(s)).map(|s| s.name.clone()),
        area: with_places.then(|| rounded(node.area)),
        middle: with_places.then(|| node.middle.to_array().map(mm)),
    };
    graph.nodes.iter().map(node).collect()
}

fn matrix(graph: &Graph) -> Matrix {
    let mut matrix = Matrix::new();
    for node in &graph.nodes {
        matrix.entry(node.id.clone()).or_default();
    }
    for edge in &graph.edges {
        let [Some(a), Some(b)] = edge.ends.map(|n| graph.nodes.get(n)) else { continue };
        let shared = if edge.length > 0.0 { mm(edge.length) } else { rounded(edge.area) };
        for (from, to) in [(a, b), (b, a)] {
            let row = matrix.entry(from.id.clone()).or_default().entry(to.id.clone()).or_default();
            row.insert(edge.through.word(), shared.clone());
        }
    }
    matrix
}
