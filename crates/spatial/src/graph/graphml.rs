//! GraphML, as yEd, Gephi and networkx read it.

use super::{Graph, escaped};
use ifc::Id;
use std::fmt::Write as _;

/// The graph as GraphML: nodes with name, storey, area (m²) and place (m), edges with kind, length (m), area (m²) and the ids of the
/// elements. `storey` names the storey of a number, `id` an element.
pub fn graphml(graph: &Graph, storey: impl Fn(usize) -> String, id: impl Fn(Id) -> String) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    let keys = [
        ("name", "node", "string"),
        ("storey", "node", "string"),
        ("floor_area_m2", "node", "double"),
        ("x_m", "node", "double"),
        ("y_m", "node", "double"),
        ("through", "edge", "string"),
        ("length_m", "edge", "double"),
        ("area_m2", "edge", "double"),
        ("elements", "edge", "string"),
    ];
    for (name, of, kind) in keys {
        let _ =
            writeln!(text, "  <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>");
    }
    text.push_str("  <graph id=\"rooms\" edgedefault=\"undirected\">\n");
    let datum = |text: &mut String, key: &str, value: &str| {
        let _ = writeln!(text, "      <data key=\"{key}\">{}</data>", escaped(value));
    };
    for node in &graph.nodes {
        let _ = writeln!(text, "    <node id=\"{}\">", escaped(&node.id));
        datum(&mut text, "name", &node.label);
        datum(&mut text, "storey", &node.storey.map(&storey).unwrap_or_default());
        datum(&mut text, "floor_area_m2", &format!("{:.3}", node.area));
        datum(&mut text, "x_m", &format!("{:.3}", node.middle.x));
        datum(&mut text, "y_m", &format!("{:.3}", node.middle.y));
        text.push_str("    </node>\n");
    }
    for edge in &graph.edges {
        let [Some(a), Some(b)] = edge.ends.map(|n| graph.nodes.get(n)) else { continue };
        let _ = writeln!(text, "    <edge source=\"{}\" target=\"{}\">", escaped(&a.id), escaped(&b.id));
        datum(&mut text, "through", edge.through.word());
        datum(&mut text, "length_m", &format!("{:.3}", edge.length));
        datum(&mut text, "area_m2", &format!("{:.3}", edge.area));
        let elements: Vec<String> = edge.elements.iter().map(|e| id(*e)).collect();
        datum(&mut text, "elements", &elements.join(" "));
        text.push_str("    </edge>\n");
    }
    text.push_str("  </graph>\n</graphml>\n");
    text
}
