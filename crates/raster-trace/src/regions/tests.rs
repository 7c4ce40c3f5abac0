//! Rooms between walls given as axes.

use super::find;
use crate::line::Span;
use crate::walls::{Manner, Wall};
use glam::dvec2;

fn wall(from: (f64, f64), to: (f64, f64), meets: [bool; 2]) -> Wall {
    let axis = Span::new(dvec2(from.0, from.1), dvec2(to.0, to.1));
    let solid = vec![(0.0, axis.length())];
    Wall {
        axis,
        thickness: 10.0,
        gauge: 10.0,
        manner: Manner::Filled,
        gaps: Vec::new(),
        solid,
        meets,
        confidence: 0.9,
        reasons: Vec::new(),
    }
}

fn house(gap: f64) -> Vec<Wall> {
    let both = [true; 2];
    vec![
        wall((100.0, 100.0), (500.0, 100.0), both),
        wall((500.0, 100.0), (500.0, 400.0), both),
        wall((500.0, 400.0), (100.0, 400.0), both),
        wall((100.0, 400.0), (100.0, 100.0), both),
        wall((300.0, 100.0), (300.0, 400.0 - gap), [true, gap == 0.0]),
    ]
}

#[test]
fn rooms_lie_between_the_faces_of_walls() {
    let rooms = find(&house(0.0), 600, 500, 400.0);
    assert_eq!(rooms.len(), 2);
    for room in rooms {
        assert!((room.area - 190.0 * 290.0).abs() < 600.0, "{}", room.area);
        assert_eq!(room.outline.len(), 4, "{:?}", room.outline);
        assert!(room.gaps.is_empty());
    }
}

#[test]
fn a_wall_with_a_gap_leaves_one_room_and_a_gap_outside_an_open_one() {
    // the inner gap joins both halves: enclosed all the same
    assert_eq!(find(&house(50.0), 600, 500, 400.0).len(), 1);
    let mut open = house(0.0);
    open[1] = wall((500.0, 100.0), (500.0, 340.0), [true, false]);
    let rooms = find(&open, 600, 500, 400.0);
    let open: Vec<_> = rooms.iter().filter(|room| !room.gaps.is_empty()).collect();
    assert_eq!((rooms.len(), open.len()), (2, 1));
    let gap = open[0].gaps[0];
    assert!(
        gap.start.distance(dvec2(500.0, 340.0)) < 1.0 && gap.end.distance(dvec2(500.0, 400.0)) < 1.0,
        "{gap:?}"
    );
}

#[test]
fn without_walls_there_are_no_rooms() {
    assert!(find(&[], 600, 500, 400.0).is_empty());
}
