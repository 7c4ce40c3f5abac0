//! GEM001: in a closed shell or face set, every edge is used by exactly two faces, once in each direction. Vertices are
//! the same if their coordinates are.

use super::Context;
use super::curves::point;
use ifc::{Instance, Model, Value};
use std::collections::HashMap;

/// Coordinates, exactly.
type Vertex = [u64; 3];

fn vertex(value: &Value) -> Vertex {
    // nought has two signs and is one place
    point(value).to_array().map(|x| (x + 0.0).to_bits())
}

pub(super) fn closed(context: &mut Context<'_, '_>) {
    for shell in context.of_class("IfcClosedShell") {
        let in_brep = context.model.referrers_of(shell.id(), "IfcFacetedBrep");
        if !in_brep.is_empty() {
            let edges = edges_of_shell(context.model, &shell);
            judge(context, &shell, edges);
        }
    }
    for class in ["IfcTriangulatedFaceSet", "IfcPolygonalFaceSet"] {
        for set in context.of_class(class) {
            if set.attr("Closed").as_bool() == Some(true) {
                let edges = edges_of_set(context.model, &set);
                judge(context, &set, edges);
            }
        }
    }
}

/// Uses of each edge, by its ends in order: forwards and backwards.
fn judge(context: &mut Context<'_, '_>, shell: &Instance<'_>, edges: Vec<(Vertex, Vertex)>) {
    let mut uses: HashMap<(Vertex, Vertex), (usize, usize)> = HashMap::with_capacity(edges.len() / 2);
    for (from, to) in edges {
        if from <= to {
            uses.entry((from, to)).or_default().0 += 1;
        } else {
            uses.entry((to, from)).or_default().1 += 1;
        }
    }
    let wrong = uses.values().filter(|used| **used != (1, 1)).count();
    if wrong == 0 {
        return;
    }
    // the least of them, so that the message does not depend on the order of a hash table
    let Some((edge, (forwards, backwards))) = uses.into_iter().filter(|(_, used)| *used != (1, 1)).min()
    else {
        return;
    };
    context.report(shell, |named| {
        let shown = |vertex: Vertex| {
            let [x, y, z] = vertex.map(f64::from_bits);
            format!("({x}, {y}, {z})")
        };
        format!(
            "{named} is closed, but {wrong} of its edges are not used once in each direction: that from {} to {} is used \
             {forwards} times forwards and {backwards} times backwards; close the gaps and turn faces the same way",
            shown(edge.0),
            shown(edge.1)
        )
    });
}

/// The edges of the poly loops and edge loops of a shell, each as its face goes round.
fn edges_of_shell(model: &Model, shell: &Instance<'_>) -> Vec<(Vertex, Vertex)> {
    let mut edges = Vec::new();
    let bounds = shell
        .references("CfsFaces")
        .into_iter()
        .filter_map(|id| model.get(id))
        .flat_map(|face| face.references("Bounds"))
        .filter_map(|id| model.get(id));
    for bound in bounds {
        let Some(ring) = bound.reference("Bound").and_then(|id| model.get(id)) else { continue };
        let forwards = bound.attr("Orientation").as_bool() != Some(false);
        let mut push = |from: Vertex, to: Vertex, along: bool| {
            edges.push(if along == forwards { (from, to) } else { (to, from) });
        };
        match ring.class_name() {
            "IfcPolyLoop" => {
                let vertices: Vec<Vertex> = ring
                    .references("Polygon")
                    .into_iter()
                    .filter_map(|id| model.get(id))
                    .map(|point| vertex(&point.attr("Coordinates")))
                    .collect();
                each_edge(&vertices, |from, to| push(from, to, true));
            }
            "IfcEdgeLoop" => {
                for oriented in ring.references("EdgeList").into_iter().filter_map(|id| model.get(id)) {
                    let end = |name: &str| {
                        let edge = model.get(oriented.reference("EdgeElement")?)?;
                        let point =
                            model.get(model.get(edge.reference(name)?)?.reference("VertexGeometry")?)?;
                        Some(vertex(&point.attr("Coordinates")))
                    };
                    if let (Some(from), Some(to)) = (end("EdgeStart"), end("EdgeEnd")) {
                        push(from, to, oriented.attr("Orientation").as_bool() != Some(false));
                    }
                }
            }
            _ => {}
        }
    }
    edges
}

/// The edges of a face set.
fn edges_of_set(model: &Model, set: &Instance<'_>) -> Vec<(Vertex, Vertex)> {
    let list = set.reference("Coordinates").and_then(|id| model.get(id)).map(|list| list.attr("CoordList"));
    let vertices: Vec<Vertex> =
        list.as_ref().and_then(Value::as_list).unwrap_or_default().iter().map(vertex).collect();
    let mut edges = Vec::new();
    let mut ring = |indices: &Value| {
        let at =
            |index: &Value| vertices.get(usize::try_from(index.as_i64()?).ok()?.checked_sub(1)?).copied();
        let ring: Vec<Vertex> = indices.as_list().unwrap_or_default().iter().filter_map(at).collect();
        each_edge(&ring, |from, to| edges.push((from, to)));
    };
    if set.is_a("IfcTriangulatedFaceSet") {
        set.attr("CoordIndex").as_list().unwrap_or_default().iter().for_each(&mut ring);
    } else {
        for face in set.references("Faces").into_iter().filter_map(|id| model.get(id)) {
            ring(&face.attr("CoordIndex"));
            face.attr("InnerCoordIndices").as_list().unwrap_or_default().iter().for_each(&mut ring);
        }
    }
    edges
}

/// From each vertex of a ring to the next, and from the last to the first.
fn each_edge(ring: &[Vertex], mut each: impl FnMut(Vertex, Vertex)) {
    for (from, to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        each(*from, *to);
    }
}
