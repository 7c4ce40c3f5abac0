//! The bubble diagram that architects draw before plans: a circle for each room, as large as its floor and about where it lies, and lines
//! between neighbours; storeys stand beside each other.

use super::{Graph, escaped};
use crate::{adjacency::Through, facet::extent};
use glam::DVec2;
use std::fmt::Write as _;

/// Pixels for a metre.
const SCALE: f64 = 28.0;
/// The least radius of a bubble, in metres, so that its name is read.
const LEAST_RADIUS: f64 = 0.7;
/// The space between bubbles, in metres.
const BETWEEN: f64 = 0.35;
/// The space around and between storeys, in metres.
const MARGIN: f64 = 1.5;
/// The rounds in which bubbles make room for each other.
const ROUNDS: usize = 400;

/// The graph as an SVG picture; `storey` names the storey of a number.
pub fn bubble_diagram(graph: &Graph, storey: impl Fn(usize) -> String) -> String {
    let radii: Vec<f64> =
        graph.nodes.iter().map(|n| (n.area / std::f64::consts::PI).sqrt().max(LEAST_RADIUS)).collect();
    let mut places: Vec<DVec2> = graph.nodes.iter().map(|n| n.middle).collect();
    let mut storeys: Vec<Option<usize>> = graph.nodes.iter().map(|n| n.storey).collect();
    storeys.sort_unstable();
    storeys.dedup();
    let mut titles: Vec<(String, DVec2)> = Vec::new();
    let mut left = MARGIN;
    let mut height = 0.0_f64;
    for level in &storeys {
        let members: Vec<usize> = (0..graph.nodes.len())
            .filter(|n| graph.nodes.get(*n).is_some_and(|node| node.storey == *level))
            .collect();
        part(&mut places, &radii, &members);
        let corners: Vec<DVec2> = members
            .iter()
            .filter_map(|n| Some((*places.get(*n)?, *radii.get(*n)?)))
            .flat_map(|(p, r)| [p - r, p + r])
            .collect();
        let Some((low, high)) = extent(&corners) else { continue };
        for n in &members {
            if let Some(p) = places.get_mut(*n) {
                // the plan's y runs up, the picture's down
                *p = DVec2::new(p.x - low.x + left, high.y - p.y + 2.0 * MARGIN);
            }
        }
        titles.push((level.map(&storey).unwrap_or_default(), DVec2::new(left, MARGIN)));
        left += high.x - low.x + MARGIN;
        height = height.max(high.y - low.y + 3.0 * MARGIN);
    }
    let mut svg = String::new();
    let (width, height) = (left * SCALE, height.max(2.0 * MARGIN) * SCALE);
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\">"
    );
    let _ = writeln!(svg, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
    for (title, at) in titles.iter().filter(|(title, _)| !title.is_empty()) {
        let at = *at * SCALE;
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{:.0}\" font-size=\"14\" text-anchor=\"start\" fill=\"#555555\">{}</text>",
            at.x,
            at.y,
            escaped(title)
        );
    }
    for edge in &graph.edges {
        let [Some(a), Some(b)] = edge.ends.map(|n| places.get(n).map(|p| *p * SCALE)) else { continue };
        let (stroke, wide, dash) = line(edge.through);
        let _ = writeln!(
            svg,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{stroke}\" stroke-width=\"{wide}\" stroke-dasharray=\"{dash}\"><title>{}</title></line>",
            a.x,
            a.y,
            b.x,
            b.y,
            edge.through.word()
        );
    }
    for ((node, place), radius) in graph.nodes.iter().zip(&places).zip(&radii) {
        let (p, r) = (*place * SCALE, radius * SCALE);
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{r:.2}\" fill=\"#e8f0f8\" stroke=\"#41607f\"/>",
            p.x, p.y
        );
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", p.x, p.y, escaped(&node.label));
        if node.area > 0.0 {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#555555\">{:.1} m²</text>",
                p.x,
                p.y + 13.0,
                node.area
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Colour, width and dashes of a line.
fn line(through: Through) -> (&'static str, f64, &'static str) {
    match through {
        Through::Door => ("#1f3f5f", 2.5, "none"),
        Through::Opening => ("#2f8f4f", 4.0, "none"),
        Through::Window => ("#4f9fdf", 1.5, "6 3"),
        Through::Wall => ("#b0b0b0", 1.0, "2 3"),
        Through::Slab => ("#c09050", 1.0, "8 4"),
    }
}

/// Moves bubbles of one storey apart until they do not touch.
fn part(places: &mut [DVec2], radii: &[f64], members: &[usize]) {
    for _ in 0..ROUNDS {
        let mut moved = false;
        for (i, &a) in members.iter().enumerate() {
            for &b in members.iter().skip(i + 1) {
                let (Some(&p), Some(&q), Some(ra), Some(rb)) =
                    (places.get(a), places.get(b), radii.get(a), radii.get(b))
                else {
                    continue;
                };
                let wanted = ra + rb + BETWEEN;
                let apart = q - p;
                let distance = apart.length();
                if distance >= wanted {
                    continue;
                }
                moved = true;
                // rooms that lie on one place are parted to a side that their numbers say
                let way = apart.try_normalize().unwrap_or_else(|| DVec2::from_angle(i as f64));
                let step = way * ((wanted - distance) / 2.0 + 1e-3);
                if let Some(p) = places.get_mut(a) {
                    *p -= step;
                }
                if let Some(q) = places.get_mut(b) {
                    *q += step;
                }
            }
        }
        if !moved {
            break;
        }
    }
}
