//! Ways whose lengths are known by calculation.

use super::doors::{Basis, Door};
use super::flights::{slopes, stairs};
use super::floors::Floor;
use super::premises::{Lift, Premises};
use super::search::{Spot, lengths, ways};
use super::{Mesh, Route, Traveller};
use crate::Rooms;
use geometry::query::Element;
use geometry::region::{self, Area};
use geometry::{Bounds, Solid};
use glam::{DAffine3, DVec2, DVec3};
use ifc::Id;
use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::sync::Arc;

fn cuboid(low: [f64; 3], high: [f64; 3]) -> geometry::Mesh {
    let bounds = Bounds { min: DVec3::from(low), max: DVec3::from(high) };
    Solid::cuboid(&bounds, &DAffine3::IDENTITY).unwrap().mesh()
}

fn wall(id: u32, low: [f64; 2], high: [f64; 2]) -> Arc<Element> {
    Arc::new(Element::new(Id(id), cuboid([low[0], low[1], 0.0], [high[0], high[1], 3.0])))
}

fn floor(height: f64, low: [f64; 2], high: [f64; 2]) -> Floor {
    Floor::new(height, vec![Area::new(region::rectangle(low.into(), high.into()), Vec::new())])
}

fn door(middle: [f64; 2], width: f64, clear: f64) -> Door {
    Door {
        element: Id(900),
        is_open: false,
        middle: middle.into(),
        along: DVec2::Y,
        across: [-0.1, 0.1],
        width,
        clear,
        basis: Basis::Usual,
        sill: 0.0,
        head: 2.1,
        operation: String::new(),
        is_external: Some(false),
    }
}

fn mesh(premises: &Premises, width: f64) -> Mesh {
    Mesh::new(premises, &Rooms::default(), &Traveller::slightest().wide(width), &BTreeSet::new())
}

fn at(mesh: &Mesh, p: [f64; 3]) -> Spot {
    mesh.spot(DVec3::from(p), 0.3).unwrap_or_else(|| panic!("no floor at {p:?}"))
}

fn length(mesh: &Mesh, p: [f64; 3], q: [f64; 3]) -> Option<f64> {
    lengths(&mesh.net, &[at(mesh, p)], &[at(mesh, q)])[0]
}

#[test]
fn on_an_empty_floor_the_way_is_the_straight_line() {
    let premises = Premises { floors: vec![floor(0.0, [0.0, 0.0], [12.0, 9.0])], ..Premises::default() };
    let mesh = mesh(&premises, 0.6);
    let found = length(&mesh, [1.0, 1.0, 0.0], [11.0, 8.0, 0.0]).unwrap();
    assert!((found - 10.0_f64.hypot(7.0)).abs() < 1e-9, "{found}");
    assert!(mesh.spot(DVec3::new(0.2, 4.0, 0.0), 0.3).is_none(), "nearer to the edge than half the width");
}

#[test]
fn a_place_a_hair_beyond_the_edge_of_its_triangle_is_left_on_every_side() {
    let premises = Premises { floors: vec![floor(0.0, [0.0, 0.0], [12.0, 9.0])], ..Premises::default() };
    let mesh = mesh(&premises, 0.6);
    let targets =
        [[1.0, 1.0, 0.0], [11.0, 1.0, 0.0], [11.0, 8.0, 0.0], [1.0, 8.0, 0.0]].map(|p| at(&mesh, p));
    let mut looked_at = 0;
    for (number, triangle) in mesh.net.triangles.iter().enumerate() {
        let corners = mesh.net.corners(number as u32);
        for k in 0..3 {
            let (a, b, c) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
            let out = (a.midpoint(b) - c).reject_from(b - a).normalize_or_zero();
            let spot = Spot { point: a.midpoint(b) + out * 3e-8, triangle: number as u32 };
            if triangle.beyond[k] == super::net::NONE {
                continue;
            }
            looked_at += 1;
            for (target, found) in targets.iter().zip(lengths(&mesh.net, &[spot], &targets)) {
                let straight = spot.point.distance(target.point);
                assert!((found.unwrap() - straight).abs() < 1e-6, "{spot:?} {target:?} {found:?} {straight}");
            }
        }
    }
    assert!(looked_at > 0);
}

/// A floor with a wall across it that leaves one end open: the way turns around its end twice.
fn with_wall() -> Premises {
    Premises {
        floors: vec![floor(0.0, [0.0, 0.0], [12.0, 9.0])],
        obstacles: vec![wall(1, [5.0, -1.0], [5.4, 6.0])],
        ..Premises::default()
    }
}

#[test]
fn around_the_end_of_a_wall_a_point_goes_from_corner_to_corner() {
    let mesh = mesh(&with_wall(), 0.0);
    let found = length(&mesh, [2.0, 2.0, 0.0], [8.4, 2.0, 0.0]).unwrap();
    let exact = 2.0 * 3.0_f64.hypot(4.0) + 0.4;
    assert!((found - exact).abs() < 1e-6, "{found} {exact}");
}

#[test]
fn a_disc_goes_around_corners_on_arcs() {
    let mesh = mesh(&with_wall(), 0.8);
    let found = length(&mesh, [2.0, 2.0, 0.0], [8.4, 2.0, 0.0]).unwrap();
    // tangents from a point 5 m from the corner to the circle of 0.4 m, and two arcs
    let (far, r) = (5.0_f64, 0.4_f64);
    let tangent = (far * far - r * r).sqrt();
    // direction to the corner (3, 4), and the angle by which the tangent is off it
    let turned = (4.0_f64).atan2(3.0) + (r / far).asin();
    let exact = 2.0 * (tangent + r * turned) + 0.4;
    assert!(found >= exact - 1e-4 && found <= exact * 1.0015, "{found} {exact}");
    let ways = ways(&mesh.net, &[at(&mesh, [2.0, 2.0, 0.0])], &[at(&mesh, [8.4, 2.0, 0.0])]);
    let points = &ways[0].as_ref().unwrap().points;
    let sum: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
    assert!((sum - found).abs() < 1e-9, "the points are the way");
    for pair in points.windows(2) {
        for i in 0..=20 {
            let p = (pair[0] + (pair[1] - pair[0]) * (f64::from(i) / 20.0)).truncate();
            let off = p.distance(p.clamp(DVec2::new(5.0, -1.0), DVec2::new(5.4, 6.0)));
            assert!(off >= r - 1e-4, "{p} is {off} from the wall");
        }
    }
}

/// Two rooms with a wall between them, 0.2 m thick, with a door of 1 m opening and 0.9 m clear in it.
fn with_door(clear: f64) -> Premises {
    Premises {
        floors: vec![floor(0.0, [0.0, 0.0], [10.0, 6.0])],
        obstacles: vec![wall(1, [4.9, 0.0], [5.1, 2.5]), wall(2, [4.9, 3.5], [5.1, 6.0])],
        doors: vec![door([5.0, 3.0], 1.0, clear)],
        ..Premises::default()
    }
}

#[test]
fn a_door_is_as_wide_as_it_is_clear() {
    let premises = with_door(0.9);
    for (width, passes) in [(0.6, true), (0.9, true), (0.901, false), (1.0, false)] {
        let mesh = mesh(&premises, width);
        let found = length(&mesh, [2.0, 3.0, 0.0], [8.0, 3.0, 0.0]);
        assert_eq!(found.is_some(), passes, "{width}");
        if let Some(found) = found {
            assert!((found - 6.0).abs() < 1e-9, "{width} {found}");
        }
    }
    let shut = Mesh::new(&premises, &Rooms::default(), &Traveller::slightest(), &BTreeSet::from([0]));
    assert_eq!(length(&shut, [2.0, 3.0, 0.0], [8.0, 3.0, 0.0]), None);
}

#[test]
fn a_route_names_its_doors_and_its_narrowest_place() {
    let premises = with_door(0.9);
    let mesh = mesh(&premises, 0.6);
    let found = ways(&mesh.net, &[at(&mesh, [2.0, 3.2, 0.0])], &[at(&mesh, [8.0, 2.9, 0.0])]);
    let route = Route::new(&mesh, &premises, found[0].as_ref().unwrap());
    assert_eq!(route.doors.iter().map(|d| d.door).collect::<Vec<_>>(), [0]);
    assert!((route.doors[0].at.x - 5.0).abs() < 1e-9);
    let narrow = route.narrowest.unwrap();
    assert!((narrow.width - 0.9).abs() < 0.01, "{narrow:?}");
    assert!((route.seconds - route.length / 1.34).abs() < 1e-9);
    assert_eq!((route.points.len(), route.flights.len()), (2, 0));
}

/// Steps of 1 m width from (4, 1) in direction x: 10 risers of 0.17 m, goings of 0.28 m; the floor above begins where they end.
fn with_stair() -> Premises {
    let mut steps = geometry::Mesh::default();
    for i in 0..9 {
        let (x, z) = (4.0 + 0.28 * f64::from(i), 0.17 * f64::from(i + 1));
        steps.append(&cuboid([x, 1.0, 0.0], [x + 0.28, 2.0, z]));
    }
    // a shoulder under the slab, a little lower than the last tread
    steps.append(&cuboid([6.52, 1.0, 1.3], [6.72, 2.0, 1.52]));
    let steps = Arc::new(Element::new(Id(5), steps));
    let mut premises = Premises {
        floors: vec![floor(0.0, [0.0, 0.0], [8.0, 3.0]), floor(1.7, [6.52, 0.0], [12.0, 3.0])],
        obstacles: vec![Arc::clone(&steps)],
        ..Premises::default()
    };
    stairs(&steps, &|_| false, &mut premises.flights, &mut Vec::new());
    for flight in &mut premises.flights {
        flight.width = 1.0;
    }
    premises
}

#[test]
fn stairs_are_walked_along_their_pitch() {
    let premises = with_stair();
    assert_eq!(premises.flights.len(), 1);
    let flight = &premises.flights[0];
    assert!(
        (flight.foot).abs() < 1e-9 && (flight.top - 1.7).abs() < 1e-9 && flight.risers == 10,
        "{flight:?}"
    );
    let mesh = mesh(&premises, 0.6);
    assert_eq!(mesh.joins.len(), 1);
    assert!(mesh.joins[0].is_some(), "{:?}", mesh.layers.iter().map(|l| l.height).collect::<Vec<_>>());
    let run = 9.0_f64 * 0.28;
    let found = length(&mesh, [2.0, 1.5, 0.0], [9.0, 1.5, 1.7]).unwrap();
    let exact = 2.0 + run.hypot(1.7) + (9.0 - 4.0 - run);
    assert!((found - exact).abs() < 1e-6, "{found} {exact}");
    let back = length(&mesh, [9.0, 1.5, 1.7], [2.0, 1.5, 0.0]).unwrap();
    assert!((found - back).abs() < 1e-9);
    let way = ways(&mesh.net, &[at(&mesh, [2.0, 1.5, 0.0])], &[at(&mesh, [9.0, 1.5, 1.7])]);
    let route = Route::new(&mesh, &premises, way[0].as_ref().unwrap());
    assert_eq!(route.flights.len(), 1);
    assert!((route.flights[0].rise - 1.7).abs() < 1e-9 && (route.flights[0].run - run).abs() < 1e-6);
    assert_eq!(route.points.len(), 4, "{:?}", route.points);
    // no stairs for wheels
    let chair = Traveller { stairs: false, ..Traveller::slightest() };
    let mesh = Mesh::new(&premises, &Rooms::default(), &chair, &BTreeSet::new());
    assert_eq!(length(&mesh, [2.0, 1.5, 0.0], [9.0, 1.5, 1.7]), None);
}

#[test]
fn treads_whose_triangles_differ_by_rounding_are_whole() {
    // 0.375 lies on the border of every grid of 2 mm
    let mut steps = cuboid([4.0, 1.0, 0.0], [4.28, 2.0, 0.1875]);
    steps.append(&cuboid([4.28, 1.0, 0.0], [4.56, 2.0, 0.375]));
    for p in steps.positions.iter_mut().skip(8).filter(|p| p.z > 0.3).step_by(3) {
        p.z -= 1e-12;
    }
    let steps = Element::new(Id(5), steps);
    let levels = super::floors::level_faces(&steps);
    assert_eq!(levels.iter().map(|l| l.loops.len()).collect::<Vec<_>>(), [1, 1]);
    assert!(levels.iter().all(|l| (l.size - 0.28).abs() < 1e-6), "{levels:?}");
}

#[test]
fn a_slanting_way_over_stairs_is_straight_in_the_folded_plane() {
    let premises = with_stair();
    let mesh = mesh(&premises, 0.2);
    // from the left of the flight's foot to the right of its top: one straight line when the three planes are laid flat
    let (p, q) = ([3.0, 1.3, 0.0], [7.5, 1.7, 1.7]);
    let run = 9.0_f64 * 0.28;
    let unfolded = (1.0 + run.hypot(1.7) + (7.5 - 4.0 - run)).hypot(0.4);
    let found = length(&mesh, p, q).unwrap();
    assert!((found - unfolded).abs() < 1e-6, "{found} {unfolded}");
}

#[test]
fn a_ramp_is_as_long_as_its_slope_and_as_steep_as_it_is() {
    // a ramp of 1:12 over 6 m, 1.2 m wide
    let points = [[4.0, 1.0, 0.0], [10.0, 1.0, 0.5], [10.0, 2.2, 0.5], [4.0, 2.2, 0.0]].map(DVec3::from);
    let slab = geometry::Mesh {
        positions: points.to_vec(),
        normals: Vec::new(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    let element = Element::new(Id(6), slab);
    let mut flights = slopes(&element);
    assert_eq!(flights.len(), 1);
    (flights[0].width, flights[0].slope) = (1.2, 0.5 / 6.0);
    let premises = Premises {
        floors: vec![floor(0.0, [0.0, 0.0], [4.0, 3.0]), floor(0.5, [10.0, 0.0], [14.0, 3.0])],
        flights,
        ..Premises::default()
    };
    let chair = Traveller::new(super::Kind::Wheelchair);
    let mesh = Mesh::new(&premises, &Rooms::default(), &chair, &BTreeSet::new());
    let found = length(&mesh, [2.0, 1.6, 0.0], [12.0, 1.6, 0.5]).unwrap();
    let exact = 4.0 + 6.0_f64.hypot(0.5);
    assert!((found - exact).abs() < 1e-6, "{found} {exact}");
    let cart = Traveller::new(super::Kind::Cart);
    let mesh = Mesh::new(&premises, &Rooms::default(), &cart, &BTreeSet::new());
    assert_eq!(length(&mesh, [2.0, 1.6, 0.0], [12.0, 1.6, 0.5]), None, "1:12 is more than 1:16");
}

#[test]
fn a_lift_joins_the_floors_it_stops_at() {
    let premises = Premises {
        floors: vec![
            floor(0.0, [0.0, 0.0], [6.0, 6.0]),
            floor(3.0, [0.0, 0.0], [6.0, 6.0]),
            floor(6.0, [0.0, 0.0], [6.0, 6.0]),
        ],
        lifts: vec![Lift {
            element: Id(8),
            bounds: Bounds { min: DVec3::new(2.0, 2.0, -0.2), max: DVec3::new(4.0, 4.0, 8.0) },
        }],
        ..Premises::default()
    };
    let mesh = mesh(&premises, 0.6);
    let found = ways(&mesh.net, &[at(&mesh, [1.0, 3.0, 0.0])], &[at(&mesh, [3.0, 5.0, 6.0])]);
    let way = found[0].as_ref().unwrap();
    assert!((way.length - (2.0 + 6.0 + 2.0)).abs() < 1e-9, "{}", way.length);
    let route = Route::new(&mesh, &premises, way);
    assert_eq!(route.lifts.len(), 1);
    assert!((route.lifts[0].rise - 6.0).abs() < 1e-9);
    assert!((route.seconds - (4.0 / 1.34 + 6.0)).abs() < 1e-9);
}

/// Numbers between 0 and 1 that are the same each time.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn between_random_obstacles_ways_are_symmetric_and_not_longer_than_over_all_corners() {
    for round in 0..12u64 {
        let mut seed = round + 7;
        let obstacles: Vec<Arc<Element>> = (0..14)
            .map(|i| {
                let (x, y) = (1.0 + 17.0 * random(&mut seed), 1.0 + 10.0 * random(&mut seed));
                let (w, h) = (0.2 + 3.0 * random(&mut seed), 0.2 + 3.0 * random(&mut seed));
                wall(i, [x, y], [x + w, y + h])
            })
            .collect();
        let premises =
            Premises { floors: vec![floor(0.0, [0.0, 0.0], [20.0, 14.0])], obstacles, ..Premises::default() };
        let mesh = mesh(&premises, 0.0);
        let spots: Vec<Spot> = (0..12)
            .filter_map(|_| {
                let p = DVec3::new(0.2 + 19.6 * random(&mut seed), 0.2 + 13.6 * random(&mut seed), 0.0);
                mesh.spot(p, 0.3)
            })
            .collect();
        let table: Vec<Vec<Option<f64>>> = spots.iter().map(|s| lengths(&mesh.net, &[*s], &spots)).collect();
        for (i, p) in spots.iter().enumerate() {
            for (j, q) in spots.iter().enumerate() {
                let exact = over_corners(&mesh, p.point.truncate(), q.point.truncate());
                let (found, back) = (table[i][j], table[j][i]);
                assert_eq!(found.is_some(), exact.is_some());
                let (Some(found), Some(back), Some(exact)) = (found, back, exact) else { continue };
                assert!((found - back).abs() < 1e-7, "{found} {back}");
                assert!((found - exact).abs() < 1e-6, "round {round}: {found}, over corners {exact}");
                let single = lengths(&mesh.net, &[*p], &[*q])[0].unwrap();
                assert!((found - single).abs() < 1e-9, "one by one {single}, together {found}");
            }
        }
    }
}

/// The shortest way by another method: Dijkstra over all corners that see each other.
fn over_corners(mesh: &Mesh, p: DVec2, q: DVec2) -> Option<f64> {
    let edges: Vec<[DVec2; 2]> = mesh.within[0]
        .iter()
        .flat_map(Area::loops)
        .flat_map(|l| l.iter().copied().zip(l.iter().copied().cycle().skip(1)))
        .map(|(a, b)| [a, b])
        .collect();
    let mut nodes = vec![p, q];
    nodes.extend(edges.iter().map(|e| e[0]));
    let sees = |a: DVec2, b: DVec2| {
        let side = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
        let crossed = edges.iter().any(|[c, d]| {
            side(a, b, *c) * side(a, b, *d) < -1e-12 && side(*c, *d, a) * side(*c, *d, b) < -1e-12
        });
        let loops: Vec<_> = mesh.within[0].iter().flat_map(Area::loops).cloned().collect();
        // the line may not lie outside between two corners of one loop
        let inner = (1..97).all(|i| {
            let m = a + (b - a) * (f64::from(i) / 97.0);
            crate::facet::holds(&loops, m)
                || edges.iter().any(|[c, d]| crate::shadow::to_line(m, *c, *d) < 1e-7)
        });
        !crossed && inner
    };
    let mut far = vec![f64::INFINITY; nodes.len()];
    let mut done = vec![false; nodes.len()];
    far[0] = 0.0;
    loop {
        let next = (0..nodes.len())
            .filter(|i| !done[*i] && far[*i].is_finite())
            .min_by(|a, b| far[*a].total_cmp(&far[*b]))?;
        if next == 1 {
            return Some(far[1]);
        }
        done[next] = true;
        for other in 0..nodes.len() {
            let length = far[next] + nodes[next].distance(nodes[other]);
            if !done[other] && length < far[other] && sees(nodes[next], nodes[other]) {
                far[other] = length;
            }
        }
    }
}

#[test]
fn what_is_cut_off_is_not_reached() {
    let premises = Premises {
        floors: vec![floor(0.0, [0.0, 0.0], [10.0, 6.0])],
        obstacles: vec![wall(1, [4.9, -1.0], [5.1, 7.0])],
        ..Premises::default()
    };
    let mesh = mesh(&premises, 0.6);
    assert_eq!(length(&mesh, [2.0, 3.0, 0.0], [8.0, 3.0, 0.0]), None);
    assert_ne!(
        mesh.island(at(&mesh, [2.0, 3.0, 0.0]).triangle),
        mesh.island(at(&mesh, [8.0, 3.0, 0.0]).triangle)
    );
}

#[test]
fn turning_around_a_full_circle_of_corners_adds_up() {
    // a square pillar: half around it is two sides and the way to them
    let premises = Premises {
        floors: vec![floor(0.0, [0.0, 0.0], [10.0, 10.0])],
        obstacles: vec![wall(1, [4.0, 4.0], [6.0, 6.0])],
        ..Premises::default()
    };
    let mesh = mesh(&premises, 1.0);
    let found = length(&mesh, [3.0, 5.0, 0.0], [7.0, 5.0, 0.0]).unwrap();
    let (far, r) = (1.0_f64.hypot(1.0), 0.5_f64);
    let tangent = (far * far - r * r).sqrt();
    let arc = r * (PI / 4.0 + (r / far).asin());
    let exact = 2.0 * (tangent + arc) + 2.0;
    assert!(found >= exact - 1e-4 && found < exact * 1.005, "{found} {exact}");
}
