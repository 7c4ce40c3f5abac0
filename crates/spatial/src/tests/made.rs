//! A storey of equal rooms, of which everything is known.

#[path = "../../examples/spatial/grid.rs"]
pub(super) mod grid;

use super::*;
use crate::{adjacency::Through, exposure::Exposure, measures::RoomMeasures, passage::Side};

const COLUMNS: usize = 4;
const ROWS: usize = 3;

fn grid(with_spaces: bool) -> Layout {
    let text = grid::storey(COLUMNS, ROWS, with_spaces);
    let (model, problems) = Model::from_bytes(text.into_bytes(), &Limits::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    layout(&model)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn neighbours_of_a_grid_are_all_there_with_what_they_share() {
    for with_spaces in [true, false] {
        let layout = grid(with_spaces);
        assert_eq!(layout.rooms.rooms.len(), COLUMNS * ROWS, "{with_spaces}");
        assert!(layout.rooms.rooms.iter().all(|room| room.is_found() != with_spaces && !room.is_outside));
        let of = |through: Through| -> Vec<_> {
            layout.adjacencies().iter().filter(|a| a.through == through).collect()
        };
        let (in_rows, in_columns) = ((COLUMNS - 1) * ROWS, COLUMNS * (ROWS - 1));
        let doors = of(Through::Door);
        assert_eq!(doors.len(), in_rows, "{with_spaces}");
        assert!(
            doors.iter().all(|a| near(a.length, 0.9) && near(a.area, 0.9 * 2.1) && a.elements.len() == 1)
        );
        let walls = of(Through::Wall);
        assert_eq!(walls.len(), in_rows + in_columns, "{with_spaces}");
        for wall in walls {
            assert!(near(wall.length, grid::CLEAR) && near(wall.area, grid::CLEAR * grid::HIGH), "{wall:?}");
            assert_eq!(wall.elements.len(), 1, "{wall:?}");
        }
        assert!(of(Through::Opening).is_empty() && of(Through::Slab).is_empty());
    }
}

#[test]
fn measures_of_a_grid_are_exact() {
    for with_spaces in [true, false] {
        let layout = grid(with_spaces);
        let mut outside = 0.0;
        for number in 0..layout.rooms.rooms.len() {
            let own = RoomMeasures::of_room(&layout, number);
            let size = grid::CLEAR * grid::CLEAR;
            assert!(near(own.gross_floor_area, size) && near(own.net_floor_area, size), "{own:?}");
            assert!(
                near(own.volume, size * grid::HIGH) && near(own.gross_perimeter, 4.0 * grid::CLEAR),
                "{own:?}"
            );
            assert!(near(own.least_height, grid::HIGH) && near(own.mean_height, grid::HIGH), "{own:?}");
            let doors = layout.passages.iter().filter(|p| p.from_room(number).next().is_some()).count();
            assert!(near(own.net_perimeter, own.gross_perimeter - 0.9 * doors as f64), "{own:?}");
            let around: f64 = layout.bounding(number).iter().map(|b| b.area).sum();
            assert!(near(around, 2.0 * size + own.wall_area), "{:?}", layout.bounding(number));
            let exposure = Exposure::of_room(&layout, number, 0.0);
            outside += exposure.facades.iter().map(|f| f.wall).sum::<f64>();
        }
        let faces = 2.0 * (COLUMNS + ROWS) as f64;
        assert!(near(outside, faces * grid::CLEAR * grid::HIGH), "{outside}");
    }
}

#[test]
fn a_point_in_a_wall_is_in_no_room_and_one_beside_it_in_one() {
    let layout = grid(true);
    let wall = glam::DVec3::new(grid::CLEAR + 1.5 * grid::THICK, 1.0, 1.0);
    assert!(layout.rooms.at(wall).is_empty());
    assert_eq!(layout.rooms.at(wall - glam::DVec3::X * 0.2).len(), 1);
    assert!(layout.passages.iter().all(|p| p.crossings.len() == 1 && matches!(p.crossings[0].sides, [Side::Room(_), Side::Room(_)])));
}
