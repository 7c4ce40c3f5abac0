//! Doors: the end that a leaf is hinged at and the side that it swings to, however the drawing lies and the door is drawn.

use super::{ROOM, drawing, line, plan};
use crate::plan::{DoorKind, Side};
use glam::{DAffine2, DVec2};

/// A leaf in the south wall of the room: where it hangs, where it closes, and where it ends when open.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    hinge: DVec2,
    closed: DVec2,
    open: DVec2,
}

/// Hinged at either end, and swung into the room or out of it.
fn leaves() -> impl Iterator<Item = Leaf> {
    [(1000.0, 1900.0), (1900.0, 1000.0)].into_iter().flat_map(|(hinge, closed)| {
        [(0.0, 900.0), (-200.0, -1100.0)].map(|(face, end)| Leaf {
            hinge: DVec2::new(hinge, face),
            closed: DVec2::new(closed, face),
            open: DVec2::new(hinge, end),
        })
    })
}

/// Turned by many angles, and mirrored.
fn maps() -> impl Iterator<Item = DAffine2> {
    [0.0_f64, 30.0, 90.0, 137.5, 180.0, 270.0].into_iter().flat_map(|angle| {
        [1.0, -1.0].map(|side| {
            DAffine2::from_angle(angle.to_radians()) * DAffine2::from_scale(DVec2::new(side, 1.0))
        })
    })
}

impl Leaf {
    fn mapped(self, map: &DAffine2) -> Self {
        let [hinge, closed, open] =
            [self.hinge, self.closed, self.open].map(|point| map.transform_point2(point));
        Self { hinge, closed, open }
    }

    fn arc(self, layer: &str) -> String {
        let (a, b) = (self.closed - self.hinge, self.open - self.hinge);
        let (from, to) = if a.perp_dot(b) > 0.0 { (a, b) } else { (b, a) };
        let (from, to) = (from.to_angle().to_degrees(), to.to_angle().to_degrees());
        let (x, y, radius) = (self.hinge.x, self.hinge.y, a.length());
        format!("0 ARC|8 {layer}|10 {x}|20 {y}|40 {radius}|50 {from}|51 {to}|")
    }

    fn stroke(self, layer: &str) -> String {
        line(layer, [self.hinge.x, self.hinge.y, self.open.x, self.open.y])
    }

    /// A leaf 40 mm thick.
    fn panel(self, layer: &str) -> String {
        let aside = (self.closed - self.hinge).normalize() * 40.0;
        let corners = [self.hinge, self.open, self.open + aside, self.hinge + aside];
        corners.iter().fold(format!("0 LWPOLYLINE|8 {layer}|90 4|70 1|"), |out, own| {
            out + &format!("10 {}|20 {}|", own.x, own.y)
        })
    }

    /// A reference to a block whose leaf hangs in zero, closes along x and opens along y.
    fn insert(self, layer: &str, name: &str, is_turned: bool) -> String {
        let (a, b) = (self.closed - self.hinge, self.open - self.hinge);
        let (x, y) = (self.hinge.x, self.hinge.y);
        let up = if a.perp_dot(b) > 0.0 { 1.0 } else { -1.0 };
        // the same by another angle and the other axis mirrored
        let (turn, [sx, sy]) = if is_turned { (180.0, [-1.0, -up]) } else { (0.0, [1.0, up]) };
        let angle = a.to_angle().to_degrees() + turn;
        format!("0 INSERT|8 {layer}|2 {name}|10 {x}|20 {y}|41 {sx}|42 {sy}|50 {angle}|")
    }
}

/// The room with its south wall drawn through.
fn uncut() -> impl Iterator<Item = [f64; 4]> {
    let through = [[-200.0, -200.0, 4200.0, -200.0], [0.0, 0.0, 4000.0, 0.0]];
    through.into_iter().chain(ROOM.into_iter().skip(6))
}

fn walls(own: impl IntoIterator<Item = [f64; 4]>, map: &DAffine2, layer: &str) -> String {
    let mapped = |[x1, y1, x2, y2]: [f64; 4]| {
        let [a, b] = [DVec2::new(x1, y1), DVec2::new(x2, y2)].map(|point| map.transform_point2(point));
        line(layer, [a.x, a.y, b.x, b.y])
    };
    own.into_iter().map(mapped).collect()
}

fn check(bytes: &[u8], leaf: Leaf, manner: &str) {
    let own = plan(bytes);
    let [door] = own.doors.as_slice() else { panic!("{manner}, {leaf:?}: {:?}", own.doors) };
    let origin = DVec2::from(own.origin.drawing);
    let wall = &own.walls[door.place.wall];
    let (start, end) = (DVec2::from(wall.start) + origin, DVec2::from(wall.end) + origin);
    let way = (end - start).normalize();
    let side = if way.perp_dot(leaf.open - start) > 0.0 { Side::Left } else { Side::Right };
    let is_at_start = way.dot(leaf.hinge) < way.dot(leaf.closed);
    assert_eq!(door.kind, DoorKind::SingleSwing, "{manner}, {leaf:?}");
    assert_eq!(door.swing, Some(side), "{manner}, {leaf:?}, wall from {start} to {end}");
    let at = if is_at_start { "start" } else { "end" };
    assert_eq!(door.hinge_end, Some(at), "{manner}, {leaf:?}, wall from {start} to {end}");
    let hinge = DVec2::from(door.hinge.unwrap()) + origin;
    assert!(hinge.distance(leaf.hinge) < 50.0, "{manner}: hinged at {hinge} and not {}", leaf.hinge);
}

#[test]
fn a_door_is_hinged_and_swings_as_it_is_drawn_however_the_drawing_lies() {
    for map in maps() {
        for leaf in leaves().map(|leaf| leaf.mapped(&map)) {
            for (layer, named) in [("WALLS", "DOORS"), ("0", "0")] {
                let walls = walls(ROOM, &map, layer);
                for (manner, drawn) in [
                    ("a leaf and its swing", leaf.stroke(named) + &leaf.arc(named)),
                    ("a swing alone", leaf.arc(named)),
                    ("a leaf alone", leaf.stroke(named)),
                    ("a panel and its swing", leaf.panel(named) + &leaf.arc(named)),
                ] {
                    check(&drawing(4, "", &(walls.clone() + &drawn)), leaf, manner);
                }
            }
        }
    }
}

#[test]
fn a_door_of_a_block_is_hinged_and_swings_as_the_block_is_turned_and_mirrored() {
    let own = Leaf { hinge: DVec2::ZERO, closed: DVec2::new(900.0, 0.0), open: DVec2::new(0.0, 900.0) };
    let inside = own.stroke("0") + &own.arc("0");
    let blocks = format!(
        "0 BLOCK|2 T900|10 0|20 0|{inside}|0 ENDBLK|\
         0 BLOCK|2 OUTER|10 0|20 0|0 INSERT|8 0|2 T900|10 0|20 0|0 ENDBLK|"
    );
    for map in maps() {
        for leaf in leaves().map(|leaf| leaf.mapped(&map)) {
            for (layer, named) in [("WALLS", "DOORS"), ("0", "0")] {
                let walls = walls(ROOM, &map, layer);
                for (name, is_turned) in [("T900", false), ("T900", true), ("OUTER", false), ("OUTER", true)]
                {
                    let drawn = leaf.insert(named, name, is_turned);
                    check(&drawing(4, &blocks, &(walls.clone() + &drawn)), leaf, name);
                }
            }
        }
    }
}

#[test]
fn a_door_of_a_plan_that_is_one_block_is_hinged_and_swings_as_that_lies() {
    for leaf in leaves() {
        let inside = walls(ROOM, &DAffine2::IDENTITY, "WALLS") + &leaf.stroke("DOORS") + &leaf.arc("DOORS");
        let blocks = format!("0 BLOCK|2 PLAN|10 0|20 0|{inside}|0 ENDBLK|");
        for angle in [0.0_f64, 30.0, 90.0, 200.0] {
            for scale in [DVec2::ONE, DVec2::new(-1.0, 1.0), DVec2::new(1.0, -1.0), DVec2::splat(-1.0)] {
                let map = DAffine2::from_angle(angle.to_radians()) * DAffine2::from_scale(scale);
                let insert =
                    format!("0 INSERT|8 0|2 PLAN|10 0|20 0|41 {}|42 {}|50 {angle}|", scale.x, scale.y);
                check(&drawing(4, &blocks, &insert), leaf.mapped(&map), "a plan in a block");
            }
        }
    }
}

#[test]
fn a_door_on_a_wall_that_is_not_cut_is_hinged_and_swings_as_it_is_drawn() {
    for map in maps() {
        for leaf in leaves().map(|leaf| leaf.mapped(&map)) {
            let drawn = leaf.stroke("DOORS") + &leaf.arc("DOORS");
            check(&drawing(4, "", &(walls(uncut(), &map, "WALLS") + &drawn)), leaf, "not cut");
        }
    }
}
