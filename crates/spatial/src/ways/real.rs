//! Ways in real models: never through a wall, the same both ways, as short as a fine grid allows, and from room to room wherever
//! doors lead.

use super::{Mesh, Premises, Spot, Traveller, Ways, lengths, ways};
use crate::Layout;
use crate::adjacency::{Through, adjacencies};
use crate::passage::{PassageKind, Side};
use geometry::Scene;
use geometry::query::Index;
use geometry::region::Area;
use glam::{DVec2, DVec3};
use ifc::{Limits, Model};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

/// Models of buildings with rooms, doors or floors.
const MODELS: [&str; 12] = [
    "Duplex_A_20110907.ifc",
    "Duplex_A_ifcbench_arc.ifc",
    "AC20-FZK-Haus.ifc",
    "AC11-FZK-Haus.ifc",
    "ExampleHOM.ifc",
    "Niedri.ifc",
    "House.ifc",
    "LargeBuilding.ifc",
    "TallBuilding.ifc",
    "SampleHouse4.ifc",
    "3rooms_with_SB.ifc",
    "basic_demo.ifc",
];

struct Opened {
    ways: Ways,
}

fn open(name: &'static str) -> Option<Opened> {
    let (model, _) = Model::open(&testing::model(name)?, &Limits::default()).unwrap();
    let scene = Scene::from_model(&model);
    let index = Index::of_scene(&scene, &|_| true);
    let ways = Ways::from_scene(&scene, &index, Arc::new(Layout::from_scene(&scene)));
    Some(Opened { ways })
}

/// A spot in each room that a traveller finds one in.
fn spots(ways: &Ways, mesh: &Mesh) -> Vec<(usize, Spot)> {
    (0..ways.rooms().rooms.len()).filter_map(|n| Some((n, mesh.room_spot(ways.rooms(), n)?))).collect()
}

/// The element that stands at a point, 1.2 m over the floor.
fn is_in_wall(opened: &Opened, p: DVec3) -> Option<ifc::Id> {
    let at = p + DVec3::Z * 1.2;
    opened.ways.premises.obstacles.iter().find(|e| e.contains(at)).map(|e| e.id())
}

#[test]
fn ways_in_real_models_are_free_symmetric_and_as_short_as_a_grid_allows() {
    for name in MODELS {
        let Some(opened) = open(name) else { return };
        let traveller = Traveller::slightest().wide(0.5);
        let traveller = Traveller { height: 1.9, ..traveller };
        let mesh = opened.ways.mesh(&traveller, &BTreeSet::new());
        let mut spots = spots(&opened.ways, &mesh);
        if spots.len() < 2 {
            // models without rooms: the middles of large triangles
            let mut sized: Vec<(f64, u32)> = (0..mesh.net.triangles.len() as u32)
                .map(|t| {
                    let [a, b, c] = mesh.net.corners(t);
                    ((b - a).cross(c - a).length(), t)
                })
                .collect();
            sized.sort_by(|a, b| b.0.total_cmp(&a.0));
            let middle = |t: u32| mesh.net.corners(t).iter().sum::<DVec3>() / 3.0;
            spots = sized
                .iter()
                .take(8)
                .map(|(_, t)| (usize::MAX, Spot { point: middle(*t), triangle: *t }))
                .collect();
        }
        assert!(spots.len() >= 2, "{name}: {} spots", spots.len());
        let all: Vec<Spot> = spots.iter().map(|(_, spot)| *spot).collect();
        let table: Vec<Vec<_>> = all.iter().map(|s| ways(&mesh.net, &[*s], &all)).collect();
        let (mut found, mut gridded, mut climbed) = (0, 0, 0);
        for (i, row) in table.iter().enumerate() {
            for (j, way) in row.iter().enumerate().skip(i + 1) {
                let back = table[j][i].as_ref();
                assert_eq!(way.is_some(), back.is_some(), "{name}: {i} to {j}");
                let (Some(way), Some(back)) = (way, back) else { continue };
                found += 1;
                assert!(
                    (way.length - back.length).abs() < 1e-6,
                    "{name}: {} and back {}",
                    way.length,
                    back.length
                );
                let sum: f64 = way.points.windows(2).map(|p| p[0].distance(p[1])).sum();
                assert!((sum - way.length).abs() < 1e-6, "{name}: points {sum}, length {}", way.length);
                for pair in way.points.windows(2) {
                    let is_on_layer = mesh.layers.iter().any(|l| (l.height - pair[0].z).abs() < 1e-9);
                    let on_level = is_on_layer && (pair[0].z - pair[1].z).abs() < 1e-9;
                    let count = (pair[0].distance(pair[1]) / 0.1).ceil() as usize;
                    for k in 0..=if on_level { count } else { 0 } {
                        let p = pair[0] + (pair[1] - pair[0]) * (k as f64 / count.max(1) as f64);
                        assert!(
                            !on_level || is_within(&mesh, p),
                            "{name}: {p} is nearer to something than half the width"
                        );
                        if on_level && let Some(id) = is_in_wall(&opened, p) {
                            panic!("{name}: the way goes through #{} at {p}", id.0);
                        }
                    }
                }
                climbed += usize::from(way.points.iter().any(|p| (p.z - way.points[0].z).abs() > 1.0));
                let level = way.points.iter().all(|p| (p.z - way.points[0].z).abs() < 1e-9);
                if level && (i + j) % 3 == 0 {
                    let layer =
                        mesh.layers.iter().position(|l| (l.height - way.points[0].z).abs() < 1e-9).unwrap();
                    let (from, to) = (all[i].point.truncate(), all[j].point.truncate());
                    if let Some(grid) = over_grid(&mesh.within[layer], from, to) {
                        gridded += 1;
                        assert!(
                            way.length <= grid + 1e-6,
                            "{name}: {} is longer than {grid} over a grid",
                            way.length
                        );
                    }
                }
            }
        }
        eprintln!(
            "{name}: {} places, {found} ways, {climbed} over stairs, {gridded} beside a grid",
            all.len()
        );
        assert!(found > 0, "{name}: no two places are joined");
    }
}

/// Returns true if a point lies in the areas of its level, or on their borders.
fn is_within(mesh: &Mesh, p: DVec3) -> bool {
    let level = mesh.layers.iter().zip(&mesh.within).find(|(layer, _)| (layer.height - p.z).abs() < 1e-9);
    level.is_some_and(|(_, areas)| {
        areas.iter().any(|area| {
            let near = |l: &Vec<DVec2>| {
                l.iter()
                    .zip(l.iter().cycle().skip(1))
                    .any(|(a, b)| crate::shadow::to_line(p.truncate(), *a, *b) < 1e-6)
            };
            crate::facet::holds(area.loops(), p.truncate()) || area.loops().any(near)
        })
    })
}

/// The least number in front.
struct Least(f64, [i64; 2]);

impl PartialEq for Least {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl Eq for Least {}
impl PartialOrd for Least {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Least {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.0.total_cmp(&self.0)
    }
}

/// A* over a grid of 60 mm with eight directions, all of whose steps stay within areas.
fn over_grid(areas: &[Area], from: DVec2, to: DVec2) -> Option<f64> {
    const CELL: f64 = 0.06;
    let edges: Vec<[DVec2; 2]> = areas
        .iter()
        .flat_map(Area::loops)
        .flat_map(|l| l.iter().copied().zip(l.iter().copied().cycle().skip(1)))
        .map(|(a, b)| [a, b])
        .collect();
    let mut rows: BTreeMap<i64, Vec<[DVec2; 2]>> = BTreeMap::new();
    let row = |y: f64| (y / 0.5).floor() as i64;
    for e in &edges {
        for y in row(e[0].y.min(e[1].y))..=row(e[0].y.max(e[1].y)) {
            rows.entry(y).or_default().push(*e);
        }
    }
    let side = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
    let free = |p: DVec2, q: DVec2| {
        let near = (row(p.y.min(q.y))..=row(p.y.max(q.y))).filter_map(|y| rows.get(&y)).flatten();
        !near
            .into_iter()
            .any(|[c, d]| side(p, q, *c) * side(p, q, *d) <= 0.0 && side(*c, *d, p) * side(*c, *d, q) <= 0.0)
    };
    let at = |n: [i64; 2]| from + DVec2::new(n[0] as f64, n[1] as f64) * CELL;
    let mut best: BTreeMap<[i64; 2], f64> = BTreeMap::from([([0, 0], 0.0)]);
    let mut open = BinaryHeap::from([Least(from.distance(to), [0, 0])]);
    let mut done: BTreeSet<[i64; 2]> = BTreeSet::new();
    while let Some(Least(_, node)) = open.pop() {
        if !done.insert(node) || done.len() > 400_000 {
            continue;
        }
        let (p, so_far) = (at(node), best[&node]);
        if p.distance(to) < 1.5 * CELL && free(p, to) {
            return Some(so_far + p.distance(to));
        }
        for dx in -1..=1 {
            for dy in -1..=1 {
                let next = [node[0] + dx, node[1] + dy];
                let q = at(next);
                let length = so_far + p.distance(q);
                if next != node && best.get(&next).is_none_or(|known| length < *known) && free(p, q) {
                    best.insert(next, length);
                    open.push(Least(length + q.distance(to), next));
                }
            }
        }
    }
    None
}

/// The groups of rooms and of the outdoors that doors, openings and flights join, as a number for each room and for outdoors.
fn groups(opened: &Opened, mesh: &Mesh) -> (Vec<usize>, usize) {
    let rooms = opened.ways.rooms();
    let outdoors = rooms.rooms.len();
    let mut group: Vec<usize> = (0..=outdoors).collect();
    let mut join = |a: usize, b: usize| {
        let (from, to) = (group[a], group[b]);
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    };
    let number = |side: Side| match side {
        Side::Room(n) => Some(n),
        Side::Outdoors => Some(outdoors),
        Side::Building => None,
    };
    for passage in
        opened.ways.layout.passages.iter().filter(|p| !p.is_level() && p.kind != PassageKind::Window)
    {
        for crossing in &passage.crossings {
            if let [Some(a), Some(b)] = crossing.sides.map(number) {
                join(a, b);
            }
        }
    }
    // rooms that are open to each other along an upright plane
    for open in adjacencies(&opened.ways.layout) {
        let is_plane = open.through == Through::Opening && open.elements.is_empty() && open.length > 0.3;
        if let ([Some(a), Some(b)], true) = (open.sides.map(number), is_plane) {
            join(a, b);
        }
    }
    for (flight, joined) in opened.ways.premises.flights.iter().zip(&mesh.joins) {
        let (Some(_), Some(first), Some(last)) = (joined, flight.lines.first(), flight.lines.last()) else {
            continue;
        };
        let middle = |l: &[DVec3; 2], z: f64| ((l[0] + l[1]) / 2.0).with_z(z + 0.1);
        let up = (middle(last, 0.0) - middle(first, 0.0)).normalize_or_zero().with_z(0.0);
        let ends = [middle(first, flight.foot) - up * 0.4, middle(last, flight.top) + up * 0.4];
        if let [Some(a), Some(b)] = ends.map(|p| Premises::room_at(rooms, p)) {
            join(a, b);
        }
    }
    (group[..outdoors].to_vec(), group[outdoors])
}

#[test]
fn rooms_are_reached_from_outside_where_doors_lead_to_them() {
    for name in MODELS {
        let Some(opened) = open(name) else { return };
        // nobody furnishes a door: who is 300 mm wide and a metre high gets through all of them
        let traveller = Traveller::slightest().wide(0.3);
        let mesh = opened.ways.mesh(&traveller, &BTreeSet::new());
        let outside: Vec<Spot> = opened.ways.outside(&mesh).iter().map(|(_, spot)| *spot).collect();
        let (groups, outdoors) = groups(&opened, &mesh);
        let spots = spots(&opened.ways, &mesh);
        let targets: Vec<Spot> = spots.iter().map(|(_, spot)| *spot).collect();
        let reached = lengths(&mesh.net, &outside, &targets);
        let mut odd = Vec::new();
        for ((number, _), length) in spots.iter().zip(&reached) {
            let by_doors = groups[*number] == outdoors;
            if by_doors != length.is_some() {
                let room = &opened.ways.rooms().rooms[*number];
                odd.push(format!(
                    "{} {} doors {by_doors}, way {}",
                    room.label(),
                    room.foot,
                    length.is_some()
                ));
            }
        }
        let count = reached.iter().flatten().count();
        eprintln!(
            "{name}: {} exits, {count} of {} rooms reached, {} without a spot; odd: {odd:?}",
            outside.len(),
            spots.len(),
            opened.ways.rooms().rooms.len() - spots.len()
        );
    }
}

#[test]
fn debug_print() {
    for name in MODELS {
        let Some(opened) = open(name) else { return };
        let ways = &opened.ways;
        let traveller = Traveller::slightest().wide(0.3);
        let mesh = ways.mesh(&traveller, &BTreeSet::new());
        eprintln!("== {name} ground {:?}", ways.premises.ground);
        for l in &mesh.layers {
            eprintln!(
                "layer {:.3} {:.1} m2 doors {}",
                l.height,
                l.free.iter().map(Area::size).sum::<f64>(),
                l.doors.len()
            );
        }
        for (f, j) in ways.premises.flights.iter().zip(&mesh.joins) {
            eprintln!(
                "flight #{} stair {} {:.2}..{:.2} w {:.2} risers {} lines {} joins {:?} first {:?} last {:?}",
                f.element.0,
                f.is_stair,
                f.foot,
                f.top,
                f.width,
                f.risers,
                f.lines.len(),
                j,
                f.lines.first(),
                f.lines.last()
            );
        }
        for (d, b) in ways.premises.doors.iter().zip(&ways.premises.beside) {
            eprintln!(
                "door #{} open {} w {:.2} clear {:.2} {:?} sill {:.2} head {:.2} across {:?} ext {:?} beside {b:?}",
                d.element.0, d.is_open, d.width, d.clear, d.basis, d.sill, d.head, d.across, d.is_external
            );
        }
        for (f, j) in ways.premises.flights.iter().zip(&mesh.joins) {
            let Some([lo, hi]) = j else { continue };
            let [p, q] = *f.lines.last().unwrap();
            let way = (q - p).truncate().normalize();
            for k in -6..=6 {
                let at = |x: f64| (p + (q - p) * x).truncate() + way.perp() * (f64::from(k) * 0.1);
                let on = |x: f64| {
                    let p = at(x);
                    let inn = |areas: &[Area]| areas.iter().any(|a| crate::facet::holds(a.loops(), p));
                    format!("{}{}", u8::from(inn(&mesh.layers[*hi].free)), u8::from(inn(&mesh.within[*hi])))
                };
                eprintln!("flight #{} top {k}: {} {} {}", f.element.0, on(0.25), on(0.5), on(0.75));
            }
            let _ = lo;
        }
        for (n, r) in ways.rooms().rooms.iter().enumerate() {
            eprintln!(
                "room {n} {} foot {:.2} top {:.2} area {:.1} spot {}",
                r.label(),
                r.foot,
                r.top,
                r.floor.iter().map(Area::size).sum::<f64>(),
                mesh.room_spot(ways.rooms(), n).is_some()
            );
        }
    }
}
