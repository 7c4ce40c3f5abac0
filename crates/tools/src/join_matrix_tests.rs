//! Corners and stems of walls in every combination of join, straight or along an arc, of one height or others, of one layer or several:
//! bodies overlap nowhere, leave no gap, and are as large as they should be.

use crate::desk::{Desk, SCHEMAS, text};
use building::host::Wall;
use building::polygon::{area, contains};
use building::{Author, regions, space};
use contract::Actor;
use geometry::region::rectangle;
use glam::DVec2;
use ifc::guid::GuidSource;
use serde_json::{Value, json};

/// How far beyond its ends a wall is looked along for where its faces cross others, in mm.
const BEYOND: f64 = 900.0;
/// By how much areas in plan may differ, in mm²; where faces are drawn by chords they stray from the arcs.
const STRAIGHT: f64 = 100.0;
const ROUND: f64 = 4000.0;

/// A wall of the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Form {
    bent: bool,
    height: u32,
    layers: Layers,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layers {
    /// One layer that bears.
    Plain,
    /// A core between plaster.
    Plastered,
    /// A core with insulation outside.
    Insulated,
}

impl Layers {
    fn arguments(self, thickness: u32) -> Value {
        let layer = |material: &str, thickness: u32, function: &str| json!({ "material": material, "thickness": thickness, "function": function });
        match self {
            Self::Plain => json!({ "thickness": thickness }),
            Self::Plastered => json!({ "layers": [
                layer("Plaster", 15, "finish"), layer("Brick", thickness, "core"), layer("Plaster", 15, "finish"),
            ] }),
            Self::Insulated => json!({ "layers": [
                layer("Plaster", 20, "finish"), layer("Wool", 120, "insulation"), layer("Concrete", thickness, "core"),
            ] }),
        }
    }
}

fn wall(desk: &mut Desk, [start, end, through]: [[f64; 2]; 3], form: Form, thickness: u32) -> String {
    let mut arguments = form.layers.arguments(thickness);
    arguments["start"] = json!(start);
    arguments["end"] = json!(end);
    arguments["height"] = json!(form.height);
    arguments["level_id"] = json!("Ground Floor");
    if form.bent {
        arguments["arc_through"] = json!(through);
    }
    text(&desk.call("create_wall", arguments)["wall_id"])
}

fn read(desk: &Desk, guid: &str) -> Wall {
    let mut edit = desk.model.edit();
    let mut guids = GuidSource::new("looking");
    let actor = Actor { principal: "test".into(), client: None };
    let author = Author::new(&mut edit, &mut guids, 0, &actor);
    Wall::read_any(&author, desk.model.by_guid(guid).unwrap()).unwrap()
}

/// The area between the faces of a wall from one place along it to another, arcs by chords that stray less than those of its body.
fn strip(wall: &Wall, from: f64, to: f64) -> Vec<DVec2> {
    let steps = if wall.bend == 0.0 { 1 } else { 400 };
    let at = |i: u32, face: f64| wall.line().at(from + (to - from) * f64::from(i) / f64::from(steps), face);
    let right = (0..=steps).map(|i| at(i, wall.faces.0));
    right.chain((0..=steps).rev().map(|i| at(i, wall.faces.1))).collect()
}

fn size(regions: &[regions::Region]) -> f64 {
    let holes = |region: &regions::Region| region.holes.iter().map(|hole| area(hole)).sum::<f64>();
    regions.iter().map(|region| area(&region.outer) - holes(region)).sum()
}

/// The part of some regions that a point lies in, or else that is nearest to it.
fn part_at(regions: Vec<regions::Region>, p: DVec2) -> Vec<DVec2> {
    let far = |outer: &[DVec2]| {
        if contains(outer, p) {
            0.0
        } else {
            outer.iter().map(|q| q.distance(p)).fold(f64::INFINITY, f64::min)
        }
    };
    regions.into_iter().map(|region| region.outer).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap()
}

fn covered(regions: &[regions::Region]) -> Vec<Vec<DVec2>> {
    regions.iter().map(|region| region.outer.clone()).collect()
}

/// Everything that was found wrong.
#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    fn unless(&mut self, is_right: bool, problem: impl FnOnce() -> String) {
        if !is_right {
            self.0.push(problem());
        }
    }

    fn none(self) {
        assert!(self.0.is_empty(), "{} problems:\n{}", self.0.len(), self.0.join("\n"));
    }
}

/// Two walls at the place where they meet.
struct Pair {
    walls: [Wall; 2],
    /// Everything that both together take up, in plan.
    whole: Vec<Vec<DVec2>>,
    /// The part of it between the faces of both.
    crossing: Vec<DVec2>,
    /// The part of the plan that is looked at: far from the corner round faces are drawn by chords, which stray from them.
    around: Vec<DVec2>,
    slack: f64,
}

impl Pair {
    fn read(desk: &Desk, ids: &[String; 2], corner: DVec2) -> Self {
        let walls = [read(desk, &ids[0]), read(desk, &ids[1])];
        let slack = if walls.iter().any(|wall| wall.bend != 0.0) { ROUND } else { STRAIGHT };
        let ext = |wall: &Wall| strip(wall, -BEYOND, wall.length + BEYOND);
        let crossing = part_at(regions::intersection(&[ext(&walls[0])], &[ext(&walls[1])]), corner);
        let around = rectangle(corner - DVec2::splat(700.0), corner + DVec2::splat(700.0));
        Self { whole: Vec::new(), crossing, around, slack, walls }
    }

    fn bodies(&self) -> [Vec<DVec2>; 2] {
        [space::outline_in_world(&self.walls[0]), space::outline_in_world(&self.walls[1])]
    }

    /// The area of a part that a wall's body does not take up.
    fn missing(&self, part: &[DVec2], wall: usize) -> f64 {
        area(part) - size(&regions::intersection(&[part.to_vec()], &[self.bodies()[wall].clone()]))
    }

    /// The area around the corner that is in some outlines and not in others.
    fn beyond(&self, some: &[Vec<DVec2>], others: &[Vec<DVec2>]) -> f64 {
        let some = covered(&regions::difference(some, others));
        size(&regions::intersection(&some, std::slice::from_ref(&self.around)))
    }

    /// The bodies overlap nowhere, and together take up the whole.
    fn is_whole(&self, desk: &Desk, said: &str, found: &mut Problems) {
        let bodies = self.bodies();
        let together = regions::union(&bodies);
        let twice = bodies.iter().map(|body| area(body)).sum::<f64>() - size(&together);
        found.unless(twice.abs() < self.slack, || format!("{said}: overlap of {twice} mm²"));
        let together = covered(&together);
        let gap = self.beyond(&self.whole, &together);
        found.unless(gap < self.slack, || format!("{said}: gap of {gap} mm²"));
        let beyond = self.beyond(&together, &self.whole);
        found.unless(beyond < self.slack, || format!("{said}: {beyond} mm² too much"));
        self.is_measured(desk, said, found);
    }

    /// Solids share nothing, are as large as their outlines say, and as their quantities do.
    fn is_measured(&self, desk: &Desk, said: &str, found: &mut Problems) {
        let shaper = geometry::Shaper::plain(&desk.model);
        let meshes = [0, 1].map(|i| shaper.element(self.walls[i].id).unwrap().mesh());
        let shared = geometry::csg::shared_volume(&meshes[0], &meshes[1]).unwrap_or(0.0);
        found.unless(shared < self.slack * 3e-6, || format!("{said}: {shared} m³ are there twice"));
        for (wall, body) in self.walls.iter().zip(self.bodies()) {
            let measured = geometry::measure(&desk.model, wall.id).unwrap();
            found.unless(measured.is_closed(), || format!("{said}: open by {}", measured.open));
            let (volume, drawn) = (measured.volume, area(&body) * wall.height / 1e9);
            found.unless((volume - drawn).abs() < 1e-6, || format!("{said}: {volume} m³ and not {drawn}"));
            let stored = building::quantities::read(&desk.model, wall.id, "Qto_WallBaseQuantities");
            let net = stored["NetVolume"].value;
            let slack = self.slack * 3.5e-6;
            found.unless((volume - net).abs() < slack, || format!("{said}: {volume} m³, told {net}"));
        }
    }
}

fn forms() -> Vec<[Form; 2]> {
    let mut all = Vec::new();
    for (first, second) in [(false, false), (false, true), (true, false), (true, true)] {
        for heights in [(3000, 3000), (2500, 3200), (3200, 2500)] {
            for layers in [
                (Layers::Plain, Layers::Plain),
                (Layers::Plastered, Layers::Plastered),
                (Layers::Insulated, Layers::Plastered),
            ] {
                all.push([
                    Form { bent: first, height: heights.0, layers: layers.0 },
                    Form { bent: second, height: heights.1, layers: layers.1 },
                ]);
            }
        }
    }
    all
}

#[test]
fn corners_of_every_kind_have_no_overlap_and_no_gap() {
    let corner = DVec2::ZERO;
    let mut found = Problems::default();
    for [first, second] in forms() {
        for degrees in [60.0, 90.0, 120.0_f64] {
            let mut desk = Desk::new("IFC4");
            let at = |along: f64, aside: f64| {
                let turn = DVec2::from_angle(degrees.to_radians());
                (turn * along + turn.perp() * aside).round().to_array()
            };
            let ids = [
                wall(&mut desk, [[-5000.0, 0.0], [0.0, 0.0], [-2500.0, 700.0]], first, 200),
                wall(&mut desk, [[0.0, 0.0], at(4000.0, 0.0), at(2000.0, -500.0)], second, 300),
            ];
            for kind in ["auto", "butt", "reversed butt", "mitre", "none", "auto"] {
                let said = format!("{first:?} {second:?} at {degrees}°, {kind}");
                let (order, word) = match kind {
                    "reversed butt" => (json!([ids[1], ids[0]]), "butt"),
                    _ => (json!(ids), kind),
                };
                let answer = desk.call("join_elements", json!({ "element_ids": order, "join_type": word }));
                if kind == "none" {
                    continue;
                }
                let join = &answer["joins"][0];
                let mut pair = Pair::read(&desk, &ids, corner);
                let strips = pair.walls.each_ref().map(|wall| strip(wall, 0.0, wall.length));
                let outlines = [strips[0].clone(), strips[1].clone(), pair.crossing.clone()];
                pair.whole = covered(&regions::union(&outlines));
                pair.is_whole(&desk, &said, &mut found);
                let is_auto = word == "auto";
                let higher =
                    (first.height != second.height).then(|| usize::from(second.height > first.height));
                found.unless(is_auto || join["join_type"] == word, || format!("{said}: {answer}"));
                let through = match kind {
                    "butt" => Some(0),
                    "reversed butt" => Some(1),
                    "auto" => higher,
                    _ => None,
                };
                if let Some(through) = through {
                    let is_butt =
                        join["join_type"] == "butt" && join["element_ids"][0] == json!(ids[through]);
                    found.unless(is_butt, || format!("{said}: {answer}"));
                    let missing = pair.missing(&pair.crossing, through);
                    found.unless(missing < pair.slack, || {
                        format!("{said}: {missing} mm² of the corner are the other's")
                    });
                }
                if kind == "mitre" && !first.bent && !second.bent {
                    let shares = [0, 1].map(|i| 1.0 - pair.missing(&pair.crossing, i) / area(&pair.crossing));
                    let is_shared = shares.iter().all(|share| (0.2..0.8).contains(share));
                    found.unless(is_shared, || format!("{said}: {shares:?}"));
                }
                // nothing is said where nothing was changed
                found.unless(answer["sound"].is_null() || answer["sound"] == true, || {
                    format!("{said}: {}", answer["sound"])
                });
            }
            desk.clean();
        }
    }
    found.none();
}

#[test]
fn a_wall_that_runs_along_the_end_of_an_arc_stops_at_its_face() {
    // the faces of both cross on one side of the corner alone
    let mut desk = Desk::new("IFC4");
    let form = |bent: bool| Form { bent, height: 3000, layers: Layers::Plain };
    let ids = [
        wall(&mut desk, [[-5000.0, 0.0], [0.0, 0.0], [-2500.0, 700.0]], form(true), 200),
        wall(&mut desk, [[0.0, 0.0], [-2828.0, 2828.0], [0.0; 2]], form(false), 300),
    ];
    for kind in ["auto", "butt", "mitre"] {
        desk.call("join_elements", json!({ "element_ids": ids, "join_type": kind }));
        let pair = Pair::read(&desk, &ids, DVec2::ZERO);
        let mut found = Problems::default();
        pair.is_measured(&desk, kind, &mut found);
        found.none();
        desk.clean();
    }
}

#[test]
fn stems_of_every_kind_stop_at_the_wall_that_they_end_on() {
    let corner = DVec2::new(500.0, 0.0);
    let mut found = Problems::default();
    for [first, second] in forms() {
        for through in [900.0, -900.0_f64] {
            for far in [[900.0, 4500.0], [2600.0, -4000.0_f64]] {
                let mut desk = Desk::new("IFC4");
                let path = wall(&mut desk, [[-4000.0, 0.0], [4000.0, 0.0], [0.0, through]], first, 200);
                let corner = if first.bent { read(&desk, &path).line().at(4300.0, 0.0) } else { corner };
                let aside = (corner + DVec2::from(far)) / 2.0 + (DVec2::from(far) - corner).perp() * 0.1;
                let stem = wall(&mut desk, [corner.to_array(), far, aside.to_array()], second, 300);
                let ids = [path, stem];
                for kind in ["auto", "tee", "none", "tee"] {
                    let said = format!("{first:?} {second:?} to {far:?} on {through}, {kind}");
                    let answer = desk.call("join_elements", json!({ "element_ids": ids, "join_type": kind }));
                    if kind == "none" {
                        continue;
                    }
                    found.unless(answer["joins"][0]["join_type"] == "tee", || format!("{said}: {answer}"));
                    let mut pair = Pair::read(&desk, &ids, corner);
                    let path = strip(&pair.walls[0], 0.0, pair.walls[0].length);
                    let stem = strip(&pair.walls[1], -BEYOND, pair.walls[1].length);
                    let beyond =
                        part_at(regions::difference(&[stem], std::slice::from_ref(&path)), DVec2::from(far));
                    pair.whole = covered(&regions::union(&[path, beyond]));
                    pair.is_whole(&desk, &said, &mut found);
                    found.unless(answer["sound"].is_null() || answer["sound"] == true, || {
                        format!("{said}: {}", answer["sound"])
                    });
                }
                desk.clean();
            }
        }
    }
    found.none();
}

#[test]
fn walls_along_arcs_close_a_room() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let form = |bent: bool| Form { bent, height: 3000, layers: Layers::Plain };
        let ids = [
            wall(&mut desk, [[0.0, 0.0], [6000.0, 0.0], [0.0; 2]], form(false), 200),
            wall(&mut desk, [[6000.0, 0.0], [6000.0, 4000.0], [6800.0, 2000.0]], form(true), 200),
            wall(&mut desk, [[6000.0, 4000.0], [0.0, 4000.0], [3000.0, 4900.0]], form(true), 200),
            wall(&mut desk, [[0.0, 4000.0], [0.0, 0.0], [0.0; 2]], form(false), 200),
        ];
        let walls = ids.each_ref().map(|id| read(&desk, id));
        // each wall takes half of its thickness from the area between the axes
        let axes: Vec<DVec2> = walls
            .iter()
            .flat_map(|wall| (0..400).map(|i| wall.line().at(wall.length * f64::from(i) / 400.0, 0.0)))
            .collect();
        let wanted = area(&regions::offset(&axes, -100.0).unwrap()) / 1e6;
        let near = |found: f64, wanted: f64| {
            assert!((found - wanted).abs() < wanted * 2e-3, "{found} and not {wanted}");
        };
        let room =
            desk.call("create_space", json!({ "walls": ids, "level_id": "Ground Floor", "name": "Round" }));
        assert_eq!(room["sound"], json!(true), "{room}");
        near(
            building::quantities::read(
                &desk.model,
                desk.model.of_class("IfcSpace")[0],
                "Qto_SpaceBaseQuantities",
            )["NetFloorArea"]
                .value,
            wanted,
        );
        desk.clean();
        desk.keep(&format!("walls-arcs-rooms-{schema}"));
    }
}
