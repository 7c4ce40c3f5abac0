//! Rows of letters, and what looks like them.

use super::find;
use crate::components::Components;
use crate::grid::Grid;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};

fn write(mask: &mut Grid<u8>, text: &str, (x, y): (i64, i64), size: i64, is_upright: bool) {
    let mut left = x;
    for letter in text.chars() {
        let raster = get_raster(letter, FontWeight::Regular, RasterHeight::Size16).unwrap();
        for (v, row) in raster.rows().enumerate() {
            for (u, dark) in row.iter().enumerate().filter(|(_, dark)| **dark > 110) {
                for n in 0..size * size {
                    let along = left + u as i64 * size + n % size;
                    let down = y + v as i64 * size + n / size;
                    let (x, y) = if is_upright { (down, 500 - along) } else { (along, down) };
                    mask.set(x, y, u8::from(*dark > 0));
                }
            }
        }
        left += raster.width() as i64 * size;
    }
}

fn fill(mask: &mut Grid<u8>, [left, top, right, bottom]: [i64; 4]) {
    for y in top..bottom {
        for x in left..right {
            mask.set(x, y, 1);
        }
    }
}

#[test]
fn titles_and_names_are_rows_across_and_upwards() {
    for (size, is_upright) in [(1, false), (5, false), (1, true), (3, true)] {
        let mut mask = Grid::new(600, 600);
        write(&mut mask, "Level", (30, 60), size, is_upright);
        let found = Components::find(&mask, 1, true, None);
        let rows = find(&found, 150.0);
        assert_eq!(rows.boxes.len(), 1, "{size} {is_upright}: {:?}", rows.boxes);
        assert!(rows.is_letter.iter().all(|own| *own), "{size} {is_upright}");
    }
}

#[test]
fn piers_columns_dashes_and_furniture_in_outline_are_none() {
    let mut mask = Grid::new(600, 600);
    for n in 0..8 {
        // piers between windows, and columns
        fill(&mut mask, [20 + n * 70, 20, 50 + n * 70, 40]);
        fill(&mut mask, [20 + n * 30, 100, 40 + n * 30, 120]);
        // dashes of two lines
        fill(&mut mask, [20 + n * 20, 200, 32 + n * 20, 202]);
        fill(&mut mask, [20 + n * 20, 208, 32 + n * 20, 210]);
        // pillows, chairs
        fill(&mut mask, [20 + n * 50, 300, 64 + n * 50, 330]);
    }
    for n in 0..8 {
        for y in 302..328 {
            for x in 22 + n * 50..62 + n * 50 {
                mask.set(x, y, 0);
            }
        }
    }
    let rows = find(&Components::find(&mask, 1, true, None), 150.0);
    assert!(rows.boxes.is_empty(), "{:?}", rows.boxes);
}
