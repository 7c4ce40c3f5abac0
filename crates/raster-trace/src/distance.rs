//! How far ink is from paper, and thinned ink: strokes as lines of one pixel.

use crate::grid::{AROUND, Grid};

/// The distance of each pixel of ink to the paper in thirds of a pixel (chamfer 3-4); beyond the edge there is paper.
pub(crate) fn to_paper(mask: &Grid<u8>) -> Grid<u16> {
    let (width, height) = (mask.width as i64, mask.height as i64);
    let mut own: Grid<u16> = Grid::new(mask.width, mask.height);
    let near = |own: &Grid<u16>, x: i64, y: i64, steps: [(i64, i64, u16); 4]| {
        steps.iter().map(|(dx, dy, cost)| own.at(x + dx, y + dy).saturating_add(*cost)).min().unwrap_or(3)
    };
    for y in 0..height {
        for x in 0..width {
            if mask.at(x, y) != 0 {
                own.set(x, y, near(&own, x, y, [(-1, 0, 3), (0, -1, 3), (-1, -1, 4), (1, -1, 4)]));
            }
        }
    }
    for y in (0..height).rev() {
        for x in (0..width).rev() {
            let here = own.at(x, y);
            if here != 0 {
                own.set(x, y, here.min(near(&own, x, y, [(1, 0, 3), (0, 1, 3), (1, 1, 4), (-1, 1, 4)])));
            }
        }
    }
    own
}

const QUEUED: [u8; 2] = [2, 4];

/// Thins ink to lines of one pixel (Zhang and Suen 1984). Only borders are looked at, so that what it costs is what there is of ink.
pub(crate) fn thin(mask: &Grid<u8>) -> Grid<u8> {
    let mut own = mask.clone();
    let mut lists: [Vec<(i32, i32)>; 2] = [Vec::new(), Vec::new()];
    for y in 0..own.height as i64 {
        for x in 0..own.width as i64 {
            if own.at(x, y) & 1 == 1 && AROUND.iter().any(|(dx, dy)| own.at(x + dx, y + dy) & 1 == 0) {
                own.set(x, y, 1 | QUEUED[0] | QUEUED[1]);
                for list in &mut lists {
                    list.push((x as i32, y as i32));
                }
            }
        }
    }
    let mut round = 0;
    while !lists[0].is_empty() || !lists[1].is_empty() {
        let queued = QUEUED[round];
        let list = std::mem::take(&mut lists[round]);
        let mut gone = Vec::new();
        for (x, y) in list {
            let (x, y) = (i64::from(x), i64::from(y));
            let here = own.at(x, y);
            own.set(x, y, here & !queued);
            if here & 1 == 1 && is_removable(&own, x, y, round) {
                gone.push((x, y));
            }
        }
        for (x, y) in &gone {
            let here = own.at(*x, *y);
            own.set(*x, *y, here & !1);
        }
        for (x, y) in gone {
            for (dx, dy) in AROUND {
                let (u, v) = (x + dx, y + dy);
                let here = own.at(u, v);
                if here & 1 == 0 {
                    continue;
                }
                let mut flags = here;
                for (list, queued) in lists.iter_mut().zip(QUEUED) {
                    if here & queued == 0 {
                        flags |= queued;
                        list.push((u as i32, v as i32));
                    }
                }
                own.set(u, v, flags);
            }
        }
        round = 1 - round;
    }
    own.data.iter_mut().for_each(|value| *value &= 1);
    own
}

fn is_removable(own: &Grid<u8>, x: i64, y: i64, round: usize) -> bool {
    let p = AROUND.map(|(dx, dy)| own.at(x + dx, y + dy) & 1);
    let count: u8 = p.iter().sum();
    if !(2..=6).contains(&count) {
        return false;
    }
    let turns = p.iter().zip(p.iter().cycle().skip(1)).filter(|(a, b)| **a == 0 && **b == 1).count();
    if turns != 1 {
        return false;
    }
    let [up, _, right, _, down, _, left, _] = p;
    if round == 0 {
        up * right * down == 0 && right * down * left == 0
    } else {
        up * right * left == 0 && up * down * left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{thin, to_paper};
    use crate::grid::Grid;

    fn bar() -> Grid<u8> {
        let mut own = Grid::new(60, 40);
        for y in 10..21 {
            for x in 5..55 {
                own.set(x, y, 1);
            }
        }
        own
    }

    #[test]
    fn a_bar_is_as_far_from_paper_as_half_its_thickness() {
        let own = to_paper(&bar());
        assert_eq!((own.at(30, 15), own.at(30, 10), own.at(30, 9)), (18, 3, 0));
    }

    #[test]
    fn a_bar_is_thinned_to_its_axis() {
        let own = thin(&bar());
        for x in 15..45 {
            let rows: Vec<i64> = (0..40).filter(|y| own.at(x, *y) == 1).collect();
            assert!(matches!(rows.as_slice(), [14..=16]), "{x}: {rows:?}");
        }
    }
}
