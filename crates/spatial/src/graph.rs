//! Neighbours as a graph: rooms are nodes, and what two of them share is an edge. Written as GraphML, or as a bubble diagram.

mod bubbles;
mod graphml;

pub use bubbles::bubble_diagram;
pub use graphml::graphml;

use crate::{Layout, adjacency::Through, facet::extent, outline, passage::Side};
use glam::DVec2;
use ifc::Id;

/// A node: a room, or the open air.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The room, or what it is otherwise.
    pub side: Side,
    /// The id of the room; `outdoors` for the open air.
    pub id: String,
    /// Name and long name.
    pub label: String,
    /// The place of the storey in [`crate::Rooms::storeys`].
    pub storey: Option<usize>,
    /// Floor area in m².
    pub area: f64,
    /// The middle of its floor in plan, in metres.
    pub middle: DVec2,
}

/// An edge: two nodes that are neighbours in one way.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The places of its nodes in [`Graph::nodes`].
    pub ends: [usize; 2],
    /// The way.
    pub through: Through,
    /// Doors, windows, openings, or the elements between.
    pub elements: Vec<Id>,
    /// The length in plan that both share, in metres; 0 for slabs.
    pub length: f64,
    /// The area that both share, in m².
    pub area: f64,
}

/// Rooms and their neighbours.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graph {
    /// The rooms, in the order of the layout, then the open air if it is in.
    pub nodes: Vec<Node>,
    /// The neighbours.
    pub edges: Vec<Edge>,
}

impl Graph {
    /// The graph of those rooms that `wanted` accepts, by their numbers, with the neighbours in these ways; `outdoors` puts the
    /// open air in as a node.
    pub fn new(layout: &Layout, wanted: impl Fn(usize) -> bool, ways: &[Through], outdoors: bool) -> Graph {
        let node = |(number, room): (usize, &crate::Room)| {
            let middle = extent(room.floor.iter().flat_map(|a| &a.outer));
            Node {
                side: Side::Room(number),
                id: room.id.clone(),
                label: room.label(),
                storey: room.storey,
                area: outline::size(&room.floor),
                middle: middle.map_or(DVec2::ZERO, |(low, high)| low.midpoint(high)),
            }
        };
        let rooms = layout.rooms.rooms.iter().enumerate();
        let mut nodes: Vec<Node> = rooms.filter(|(number, _)| wanted(*number)).map(node).collect();
        if outdoors {
            let low = nodes.iter().map(|n| n.middle).reduce(DVec2::min).unwrap_or_default();
            nodes.push(Node {
                side: Side::Outdoors,
                id: "outdoors".to_owned(),
                label: "outdoors".to_owned(),
                storey: None,
                area: 0.0,
                middle: low - 3.0,
            });
        }
        let place = |side: Side| nodes.iter().position(|n| n.side == side);
        let edge = |a: &crate::adjacency::Adjacency| {
            let ends = [place(a.sides[0])?, place(a.sides[1])?];
            let is_wanted = ways.contains(&a.through);
            is_wanted.then_some(Edge {
                ends,
                through: a.through,
                elements: a.elements.clone(),
                length: a.length,
                area: a.area,
            })
        };
        let edges = layout.adjacencies().iter().filter_map(edge).collect();
        Graph { nodes, edges }
    }

    /// The nodes that no edge reaches, by their places.
    pub fn alone(&self) -> Vec<usize> {
        let reached = |n: &usize| self.edges.iter().any(|edge| edge.ends.contains(n));
        (0..self.nodes.len()).filter(|n| !reached(n)).collect()
    }
}

/// Text as it may stand in XML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // XML 1.0 has no other characters below the space
            c if c < ' ' && !matches!(c, '\t' | '\n' | '\r') => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three_rooms() -> Graph {
        let node = |number: usize, label: &str, area: f64, x: f64| Node {
            side: Side::Room(number),
            id: format!("id{number}"),
            label: label.to_owned(),
            storey: Some(0),
            area,
            middle: DVec2::new(x, 0.0),
        };
        let edge =
            |a, b, through| Edge { ends: [a, b], through, elements: vec![Id(7)], length: 0.9, area: 1.8 };
        Graph {
            nodes: vec![
                node(0, "Hall & stairs", 9.0, 0.0),
                node(1, "Kitchen", 16.0, 1.0),
                node(2, "Store", 4.0, 1.5),
            ],
            edges: vec![edge(0, 1, Through::Door), edge(0, 1, Through::Wall)],
        }
    }

    #[test]
    fn a_room_that_nothing_reaches_is_alone() {
        assert_eq!(three_rooms().alone(), vec![2]);
    }

    #[test]
    fn graphml_names_rooms_and_what_they_share() {
        let text = graphml(&three_rooms(), |_| "Ground".to_owned(), |id| format!("door{}", id.0));
        assert!(text.contains("Hall &amp; stairs") && text.contains("door7"), "{text}");
        assert_eq!(text.matches("<node ").count(), 3);
        assert_eq!(text.matches("<edge ").count(), 2);
    }

    #[test]
    fn bubbles_are_as_large_as_rooms_and_lie_apart() {
        let svg = bubble_diagram(&three_rooms(), |_| "Ground".to_owned());
        let number = |circle: &str, name: &str| -> f64 {
            let rest = circle.split(&format!(" {name}=\"")).nth(1).and_then(|r| r.split('"').next());
            rest.and_then(|r| r.parse().ok()).unwrap_or(f64::NAN)
        };
        let circles: Vec<[f64; 3]> =
            svg.split("<circle").skip(1).map(|c| ["cx", "cy", "r"].map(|name| number(c, name))).collect();
        assert_eq!(circles.len(), 3, "{svg}");
        assert!((circles[1][2] / circles[0][2] - 4.0 / 3.0).abs() < 0.02, "{circles:?}");
        for (i, a) in circles.iter().enumerate() {
            for b in circles.iter().skip(i + 1) {
                assert!((a[0] - b[0]).hypot(a[1] - b[1]) >= a[2] + b[2] - 0.5, "{circles:?}");
            }
        }
    }
}
