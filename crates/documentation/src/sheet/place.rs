//! Places on a sheet: boxes that must not meet, found for what names none.

use glam::DVec2;

/// A level rectangle on paper, in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    /// Its upper left corner.
    pub low: DVec2,
    /// Its lower right corner.
    pub high: DVec2,
}

/// Lengths closer than this, in mm, are one.
const SAME: f64 = 1e-6;

impl Room {
    /// A rectangle of a size with its upper left corner at a place.
    pub fn new(low: DVec2, size: DVec2) -> Room {
        Room { low, high: low + size }
    }

    /// Width and height.
    pub fn size(&self) -> DVec2 {
        self.high - self.low
    }

    /// Returns true if both share more than a rim.
    pub fn meets(&self, other: &Room) -> bool {
        (self.low + SAME).cmplt(other.high).all() && (other.low + SAME).cmplt(self.high).all()
    }

    /// Returns true if another lies within it.
    pub fn holds(&self, other: &Room) -> bool {
        (self.low - SAME).cmple(other.low).all() && (other.high - SAME).cmple(self.high).all()
    }

    fn moved(&self, by: DVec2) -> Room {
        Room { low: self.low + by, high: self.high + by }
    }
}

/// A box that has no place yet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Loose {
    /// Its width and height.
    pub size: DVec2,
    /// The kind of view that it is, and how far below its top the line lies on which views of one kind stand: a place of the plan, or the
    /// height of nought.
    pub line: Option<(u64, f64)>,
}

fn is_free(own: &Room, within: &Room, taken: &[Room]) -> bool {
    within.holds(own) && !taken.iter().any(|other| other.meets(own))
}

/// The free place of a size that lies farthest to the lower right, with a gap to all that is taken; those to the right come first.
pub(super) fn from_corner(size: DVec2, within: &Room, taken: &[Room], gap: f64) -> Option<Room> {
    let wide: Vec<Room> = taken.iter().map(|r| Room { low: r.low - gap, high: r.high + gap }).collect();
    let mut lefts = vec![within.high.x - size.x];
    lefts.extend(wide.iter().map(|r| r.low.x - size.x));
    let mut tops = vec![within.high.y - size.y];
    tops.extend(wide.iter().map(|r| r.low.y - size.y));
    lefts.sort_by(|a, b| b.total_cmp(a));
    tops.sort_by(|a, b| b.total_cmp(a));
    let places = lefts.iter().flat_map(|x| tops.iter().map(|y| Room::new(DVec2::new(*x, *y), size)));
    places.into_iter().find(|own| is_free(own, within, &wide))
}

/// Places for boxes in rows, in the order given as far as they fit, views of one kind in a row with the same place of the building at one
/// height. Where that has no room, the highest come first; where rows have no room, each box takes the free place nearest to the top and the
/// left. An error is the number of the first box that has none.
pub(super) fn rows(boxes: &[Loose], within: &Room, taken: &[Room]) -> Result<Vec<Room>, usize> {
    let size = |n: usize| boxes.get(n).map(|own| own.size).unwrap_or_default();
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    let mut placed = in_rows(boxes, &order, within, taken);
    if placed.is_none() {
        order.sort_by(|a, b| size(*b).y.total_cmp(&size(*a).y));
        placed = in_rows(boxes, &order, within, taken);
    }
    let placed = placed.map_or_else(
        || {
            order.sort_by(|a, b| size(*b).element_product().total_cmp(&size(*a).element_product()));
            first_free(boxes, &order, within, taken)
        },
        Ok,
    )?;
    Ok(centred(placed, within, taken))
}

/// Rows of boxes in an order, each filled with those that still fit.
fn in_rows(boxes: &[Loose], order: &[usize], within: &Room, taken: &[Room]) -> Option<Vec<Room>> {
    let mut placed: Vec<Option<Room>> = vec![None; boxes.len()];
    let mut left: Vec<usize> = order.to_vec();
    let mut top = within.low.y;
    while !left.is_empty() {
        let (mut row, mut stays): (Vec<usize>, Vec<usize>) = Default::default();
        let mut rooms: Vec<Room> = Vec::new();
        for n in left {
            let longer: Option<Vec<Loose>> = row.iter().chain([&n]).map(|n| boxes.get(*n).copied()).collect();
            match one_row(&longer?, top, within, taken) {
                Some(found) => {
                    row.push(n);
                    rooms = found;
                }
                None => stays.push(n),
            }
        }
        if row.is_empty() {
            // nothing fits beside what is taken here: below it
            let feet = taken.iter().map(|r| r.high.y).filter(|y| *y > top + SAME);
            top = feet.fold(f64::INFINITY, f64::min);
            if top >= within.high.y {
                return None;
            }
        }
        for (n, room) in row.into_iter().zip(rooms) {
            top = top.max(room.high.y);
            *placed.get_mut(n)? = Some(room);
        }
        left = stays;
    }
    placed.into_iter().collect()
}

/// Boxes beside each other from a height down: those of the first one's kind with their lines at one height, the others standing on the foot.
fn one_row(boxes: &[Loose], top: f64, within: &Room, taken: &[Room]) -> Option<Vec<Room>> {
    let kind = boxes.first().and_then(|own| own.line).map(|(kind, _)| kind);
    let line = |own: &Loose| own.line.filter(|(own, _)| Some(*own) == kind).map(|(_, line)| line);
    let above = boxes.iter().filter_map(line).fold(f64::NEG_INFINITY, f64::max);
    let foot = |own: &Loose| line(own).map_or(own.size.y, |line| above - line + own.size.y);
    let height = boxes.iter().map(foot).fold(0.0, f64::max);
    let mut x = within.low.x;
    let mut row = Vec::with_capacity(boxes.len());
    for own in boxes {
        let down = line(own).map_or(height - own.size.y, |line| above - line);
        let at = |x: f64| Room::new(DVec2::new(x, top + down), own.size);
        let mut room = at(x);
        while let Some(other) = taken.iter().find(|other| other.meets(&room)) {
            room = at(other.high.x);
        }
        if !within.holds(&room) {
            return None;
        }
        x = room.high.x;
        row.push(room);
    }
    Some(row)
}

fn first_free(boxes: &[Loose], order: &[usize], within: &Room, taken: &[Room]) -> Result<Vec<Room>, usize> {
    let mut all = taken.to_vec();
    let mut placed: Vec<Option<Room>> = vec![None; boxes.len()];
    for n in order {
        let size = boxes.get(*n).map(|own| own.size).unwrap_or_default();
        let mut lefts: Vec<f64> = all.iter().map(|r| r.high.x).chain([within.low.x]).collect();
        let mut tops: Vec<f64> = all.iter().map(|r| r.high.y).chain([within.low.y]).collect();
        lefts.sort_by(f64::total_cmp);
        tops.sort_by(f64::total_cmp);
        let mut places = tops.iter().flat_map(|y| lefts.iter().map(|x| Room::new(DVec2::new(*x, *y), size)));
        let own = places.find(|own| is_free(own, within, &all)).ok_or(*n)?;
        all.push(own);
        if let Some(slot) = placed.get_mut(*n) {
            *slot = Some(own);
        }
    }
    Ok(placed.into_iter().flatten().collect())
}

/// All moved to the middle of the room that is left, as far as nothing is in the way.
fn centred(placed: Vec<Room>, within: &Room, taken: &[Room]) -> Vec<Room> {
    let low = placed.iter().fold(DVec2::INFINITY, |low, r| low.min(r.low));
    let high = placed.iter().fold(DVec2::NEG_INFINITY, |high, r| high.max(r.high));
    if !low.is_finite() || !high.is_finite() {
        return placed;
    }
    // the widest strip to the left of what is taken, where all lie in it
    let wall = taken.iter().map(|r| r.low.x).filter(|x| *x >= high.x - SAME).fold(within.high.x, f64::min);
    let free = DVec2::new(wall - high.x, within.high.y - high.y);
    for share in [DVec2::new(0.5, 0.5), DVec2::new(0.5, 0.25), DVec2::new(0.5, 0.0), DVec2::new(0.25, 0.0)] {
        let by = free * share;
        let moved: Vec<Room> = placed.iter().map(|r| r.moved(by)).collect();
        if moved.iter().all(|own| is_free(own, within, taken)) {
            return moved;
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(rooms: &[Room], within: &Room, taken: &[Room]) {
        for (n, own) in rooms.iter().enumerate() {
            assert!(is_free(own, within, taken), "{own:?}");
            assert!(rooms.iter().skip(n + 1).all(|other| !other.meets(own)), "{own:?}");
        }
    }

    #[test]
    fn boxes_lie_in_rows_and_never_over_each_other() {
        let within = Room::new(DVec2::new(20.0, 10.0), DVec2::new(400.0, 300.0));
        let taken = [Room::new(DVec2::new(300.0, 200.0), DVec2::new(120.0, 110.0))];
        let sizes =
            [(100.0, 80.0), (90.0, 100.0), (150.0, 60.0), (200.0, 90.0)].map(|(x, y)| DVec2::new(x, y));
        let placed = rows(&sizes.map(|size| Loose { size, line: None }), &within, &taken).unwrap();
        apart(&placed, &within, &taken);
        // in their order, those of a row on one line
        assert_eq!([placed[0].high.y, placed[1].high.y], [placed[2].high.y; 2]);
        assert!(placed[0].high.x <= placed[1].low.x && placed[3].low.y >= placed[2].high.y);
        for (room, size) in placed.iter().zip(sizes) {
            assert!((room.size() - size).length() < 1e-9);
        }
    }

    #[test]
    fn views_of_one_kind_stand_at_one_height() {
        let within = Room::new(DVec2::ZERO, DVec2::new(400.0, 300.0));
        let one = |wide: f64, high: f64, kind: u64, line: f64| Loose {
            size: DVec2::new(wide, high),
            line: Some((kind, line)),
        };
        let boxes = [one(100.0, 120.0, 1, 100.0), one(90.0, 100.0, 1, 60.0), one(60.0, 70.0, 2, 10.0)];
        let placed = rows(&boxes, &within, &[]).unwrap();
        apart(&placed, &within, &[]);
        assert_eq!(placed[0].low.y + 100.0, placed[1].low.y + 60.0);
        // another kind stands on the foot of the row
        assert_eq!(placed[2].high.y, placed[1].high.y);
    }

    #[test]
    fn many_boxes_of_any_size_lie_apart_or_are_refused() {
        let mut state = 7_u64;
        let mut next = |n: f64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % 1000) as f64 / 1000.0 * n + 1.0
        };
        let (mut fitted, mut refused) = (0, 0);
        for _ in 0..500 {
            let within = Room::new(DVec2::new(20.0, 10.0), DVec2::new(next(400.0), next(400.0)));
            let taken = [Room::new(within.high - DVec2::splat(next(60.0)), DVec2::splat(60.0))];
            let sizes: Vec<DVec2> = (0..6).map(|_| DVec2::new(next(120.0), next(120.0))).collect();
            let boxes: Vec<Loose> = sizes.iter().map(|size| Loose { size: *size, line: None }).collect();
            match rows(&boxes, &within, &taken) {
                Ok(placed) => {
                    apart(&placed, &within, &taken);
                    fitted += 1;
                }
                Err(n) => {
                    assert!(n < sizes.len());
                    refused += 1;
                }
            }
        }
        assert!(fitted > 100 && refused > 50, "{fitted} {refused}");
    }

    #[test]
    fn notes_are_stacked_from_the_lower_right_corner() {
        let within = Room::new(DVec2::ZERO, DVec2::new(400.0, 300.0));
        let taken = [Room::new(DVec2::new(220.0, 250.0), DVec2::new(180.0, 50.0))];
        let first = from_corner(DVec2::new(80.0, 40.0), &within, &taken, 5.0).unwrap();
        assert_eq!(first, Room::new(DVec2::new(320.0, 205.0), DVec2::new(80.0, 40.0)));
        assert_eq!(from_corner(DVec2::new(500.0, 1.0), &within, &taken, 5.0), None);
    }
}
