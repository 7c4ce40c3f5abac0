//! Five hundred pairs of bodies whose interference is known before anything is asked: made to go into each other to a given depth with
//! a given volume, to lie within each other, to touch, or to keep apart; each turned anyhow and set where maps put buildings, millions
//! of metres from the origin.
//!
//! A depth is known to a micrometre, a volume to a tenth of a cubic centimetre, an area to a square millimetre, a distance to a
//! micrometre: coordinates of 5,000 km are rounded to a nanometre.

mod apart;
mod body;
mod convex;
mod deep;
mod random;

use crate::query::{Element, Index, Interference, Kind, Rules, interference, interferences};
use body::Body;
use glam::{DAffine3, DVec3};
use ifc::Id;
use random::Random;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The relation that two bodies are made to have.
#[derive(Debug, Clone, Copy)]
enum Expected {
    /// They share a volume; the depth lies between two bounds, of which the least is what was made.
    Hard { depth: [f64; 2], volume: f64 },
    /// The second lies in the first.
    Contains { volume: f64 },
    /// They are one shape.
    Duplicate,
    /// They meet in an area.
    Touching { area: f64 },
    /// They keep a distance of less than [`CLEARANCE`].
    Clear { distance: f64 },
}

/// A pair that is made.
struct Made {
    a: Body,
    b: Body,
    expected: Expected,
}

/// Makes a pair.
type Family = fn(&mut Random) -> Made;

/// All families by name.
macro_rules! families {
    ($($module:ident::$name:ident),* $(,)?) => { [$((stringify!($name), $module::$name as Family)),*] };
}

const FAMILIES: [(&str, Family); 29] = families![
    deep::box_into_a_slab,
    deep::corners_of_two_boxes,
    deep::edge_into_a_slab,
    deep::corner_into_a_slab,
    deep::beam_through_a_wall,
    deep::pipe_through_a_wall,
    deep::pipe_askew_through_a_wall,
    deep::pipe_that_ends_in_a_wall,
    deep::hollow_through_a_wall,
    deep::box_across_the_legs_of_an_angle,
    deep::beam_through_both_flanges_of_a_channel,
    deep::plate_in_a_frame_that_is_too_small,
    deep::walls_of_one_height,
    deep::box_through_a_thin_floor,
    apart::box_on_a_slab,
    apart::edge_on_a_slab,
    apart::corner_on_a_slab,
    apart::edge_on_edge_or_corner_on_corner,
    apart::ends_of_walls_in_line,
    apart::bar_that_lies_on_a_slab,
    apart::bar_that_fits_its_sleeve,
    apart::box_in_the_notch_of_an_angle,
    apart::box_within_the_tolerance_of_a_slab,
    apart::box_over_a_slab_by_more,
    apart::bar_between_the_flanges_of_a_channel,
    apart::pipe_in_a_sleeve_that_is_wider,
    apart::bar_in_a_box,
    apart::box_in_a_bar,
    apart::shape_that_is_there_twice,
];

const PAIRS: usize = 500;
const CLEARANCE: f64 = 0.1;
/// Where the first pair stands: about where Europe's grids have their buildings.
const FAR: DVec3 = DVec3::new(3_512_000.37, 5_403_000.91, 480.53);

/// A pair with the name of its family and its place in the world.
struct Placed {
    name: &'static str,
    made: Made,
    world: DAffine3,
}

fn pairs() -> Vec<Placed> {
    let mut random = Random::new(26);
    let place = |number: usize| {
        let cell = [number % 10, number / 10 % 10, number / 100].map(|i| i as f64 * 40.0);
        FAR + DVec3::from(cell)
    };
    (0..PAIRS)
        .map(|number| {
            let (name, family) = FAMILIES[number % FAMILIES.len()];
            let made = family(&mut random);
            let world = random.motion(place(number));
            Placed { name, made, world }
        })
        .collect()
}

impl Placed {
    /// The two elements, as the program is given them.
    fn elements(&self, number: usize) -> [Element; 2] {
        let id = |second: usize| Id((2 * number + second + 1) as u32);
        let element = |body: &Body, second: usize| Element::new(id(second), body.mesh(&self.world));
        [element(&self.made.a, 0), element(&self.made.b, 1)]
    }
}

fn is_hard(expected: &Expected) -> bool {
    !matches!(expected, Expected::Touching { .. } | Expected::Clear { .. })
}

/// Returns what is wrong with a finding, by the pair's family.
fn wrong(expected: &Expected, found: Option<Kind>) -> Option<String> {
    let near = |a: f64, b: f64, by: f64| (a - b).abs() <= by;
    let is_right = match (*expected, found) {
        (Expected::Hard { depth: [least, most], volume }, Some(Kind::Hard { depth, volume: Some(v) })) => {
            near(v, volume, 1e-7) && (least - 1e-6..=most + 1e-6).contains(&depth)
        }
        (Expected::Contains { volume }, Some(Kind::Contains { volume: v })) => near(v, volume, 1e-7),
        (Expected::Duplicate, Some(Kind::Duplicate { volume: Some(_) })) => true,
        (Expected::Touching { area }, Some(Kind::Touching { area: a })) => near(a, area, 1e-6),
        (Expected::Clear { distance }, Some(Kind::Clearance { distance: d })) => near(d, distance, 1e-6),
        _ => false,
    };
    (!is_right).then(|| format!("expected {expected:?}, found {found:?}"))
}

/// Fails with what is wrong by family, and how often.
fn none_wrong(wrong: BTreeMap<&str, Vec<String>>) {
    let told: Vec<String> =
        wrong.iter().map(|(name, all)| format!("{name}: {} times, first {}", all.len(), all[0])).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn exactly_those_of_500_pairs_that_share_space_are_found_in_one_scene() {
    let pairs = pairs();
    let elements = pairs.iter().enumerate().flat_map(|(number, pair)| pair.elements(number));
    let scene: Index = elements.map(|e| (e.id(), Arc::clone(e.mesh()))).collect();
    let found = interferences(&scene, None, &Rules::default(), &|_, _| true).unwrap();
    let found: Vec<(Id, Id)> = found.iter().map(|f: &Interference| (f.a, f.b)).collect();
    let expected: Vec<(Id, Id)> = (0..PAIRS)
        .filter(|number| is_hard(&pairs[*number].made.expected))
        .map(|number| (Id(2 * number as u32 + 1), Id(2 * number as u32 + 2)))
        .collect();
    assert!(expected.len() > 250 && expected.len() < 350, "{}", expected.len());
    let name = |pair: &(Id, Id)| (pairs[(pair.0.0 as usize - 1) / 2].name, *pair);
    let missed: Vec<_> = expected.iter().filter(|p| !found.contains(p)).map(name).collect();
    let more: Vec<_> = found.iter().filter(|p| !expected.contains(p)).map(name).collect();
    assert!(missed.is_empty() && more.is_empty(), "missed {missed:?}, and found {more:?} that do not clash");
}

#[test]
fn depth_volume_area_and_distance_of_500_pairs_are_those_they_were_made_with() {
    let rules = Rules { touching: true, clearance: CLEARANCE, ..Rules::default() };
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (number, pair) in pairs().iter().enumerate() {
        let [a, b] = pair.elements(number);
        let mirrored = |kind: Kind| match kind {
            Kind::Inside { volume } => Kind::Contains { volume },
            Kind::Contains { volume } => Kind::Inside { volume },
            other => other,
        };
        let there = interference(&a, &b, &rules).map(|i| i.kind);
        let back = interference(&b, &a, &rules).map(|i| mirrored(i.kind));
        for told in [there, back].into_iter().filter_map(|kind| wrong(&pair.made.expected, kind)) {
            all.entry(pair.name).or_default().push(told);
        }
    }
    none_wrong(all);
}

#[test]
fn the_volumes_that_pairs_are_made_with_are_those_of_their_convex_pieces_cut_by_planes() {
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for pair in pairs() {
        let Made { a, b, expected } = &pair.made;
        let cut = a.shared_volume(b);
        let known = match *expected {
            Expected::Hard { volume, .. } | Expected::Contains { volume } => volume,
            Expected::Duplicate => a.shared_volume(a),
            Expected::Touching { .. } => cut.min(2e-4),
            Expected::Clear { .. } => 0.0,
        };
        if (cut - known).abs() > 1e-9 {
            all.entry(pair.name).or_default().push(format!("{cut}, not {known}"));
        }
    }
    none_wrong(all);
}

#[test]
fn two_boxes_or_bars_at_any_angle_share_what_planes_cut_out_of_them_as_deep() {
    let mut random = Random::new(7);
    let mut compared = 0;
    for number in 0..400 {
        let body = |random: &mut Random| {
            let half = random.vector(0.1, 1.0);
            let body = if random.one_of(&[true, false]) {
                Body::cuboid(-half, half)
            } else {
                Body::bar(6, half.x, [-half.z, half.z])
            };
            let way = random.vector(-0.7, 0.7);
            body.moved(&random.motion(way))
        };
        let made = Made { a: body(&mut random), b: body(&mut random), expected: Expected::Duplicate };
        let shared = made.a.convexes()[0].shared(&made.b.convexes()[0]);
        let volume = shared.volume();
        let is_whole = [&made.a, &made.b].iter().any(|body| volume > body.convexes()[0].volume() - 1e-6);
        if volume < 1e-5 || is_whole {
            continue;
        }
        let depth = shared.depth();
        let pair = Placed { name: "any", made, world: random.motion(FAR) };
        let [a, b] = pair.elements(number);
        let found = interference(&a, &b, &Rules::default()).map(|i| i.kind);
        let expected = Expected::Hard { depth: [depth, depth], volume };
        assert_eq!(wrong(&expected, found), None, "pair {number}");
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}
