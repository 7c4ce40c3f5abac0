//! Dividing an outline into rooms by their areas: two rows along a corridor, each row cut across in proportion to the
//! areas asked for, so that every room has a wall on the corridor for its door and, in a compact plan, one outside.
//!
//! One or two rooms need no corridor. The whole outline is given out: rooms grow or shrink together.

use crate::measures::{mm, square_metres};
use crate::polygon::{area, bounds, direction, edges};
use crate::regions;
use contract::Fault;
use glam::DVec2;

/// The least depth of a row of rooms, in mm.
const LEAST_DEPTH: f64 = 1500.0;

/// A room to be placed, and where it came to lie: the middle lines of its partitions and the inner faces of the
/// outline.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// The room's place in the list asked for; `None` for the corridor.
    pub room: Option<usize>,
    /// Its outline.
    pub outline: Vec<DVec2>,
}

/// Places rooms of these areas (mm²) in an outline, beside a corridor and between partitions so thick (mm).
pub fn divide(outline: &[DVec2], areas: &[f64], corridor: f64, partition: f64) -> Result<Vec<Plot>, Fault> {
    fits(outline, areas)?;
    let ground = Ground::new(outline)?;
    let plots = match areas.len() {
        0 => Vec::new(),
        1 => vec![Plot { room: Some(0), outline: ground.outline.clone() }],
        2 => Ground::slices(&ground.outline, &[(0, at(areas, 0)), (1, at(areas, 1))])?,
        _ => ground.along_corridor(areas, corridor + partition)?,
    };
    Ok(plots.into_iter().map(|p| Plot { outline: ground.world(&p.outline), ..p }).collect())
}

/// Refuses rooms (mm²) that ask for more than there is inside an outline.
pub(super) fn fits(outline: &[DVec2], areas: &[f64]) -> Result<(), Fault> {
    let asked: f64 = areas.iter().sum();
    let whole = area(outline);
    if asked > whole * 1.02 {
        return Err(Fault::constraint(format!(
            "The rooms ask for {} m² together, but only {} m² lie inside the walls. Ask for less or make the shell larger.",
            square_metres(asked),
            square_metres(whole)
        ))
        .with("field", "rooms")
        .with("inside_m2", square_metres(whole)));
    }
    Ok(())
}

fn at(areas: &[f64], i: usize) -> f64 {
    areas.get(i).copied().unwrap_or(0.0)
}

/// The outline turned so that its longest side runs along x.
pub(super) struct Ground {
    /// As seen from itself.
    pub outline: Vec<DVec2>,
    origin: DVec2,
    along: DVec2,
}

impl Ground {
    pub fn new(outline: &[DVec2]) -> Result<Self, Fault> {
        let longest = edges(outline)
            .max_by(|a, b| a.0.distance(a.1).total_cmp(&b.0.distance(b.1)))
            .and_then(|(a, b)| Some((a, direction(a, b)?)));
        let Some((origin, along)) = longest else {
            return Err(Fault::constraint("The storey's walls enclose no outline to divide."));
        };
        Ok(Self::along(outline, origin, along))
    }

    /// The outline as it is seen from a point along a way.
    pub fn along(outline: &[DVec2], origin: DVec2, along: DVec2) -> Self {
        let mut ground = Self { outline: Vec::new(), origin, along };
        ground.outline = ground.own(outline);
        ground
    }

    /// Points of the world as they are seen from it.
    pub fn own(&self, points: &[DVec2]) -> Vec<DVec2> {
        let own = |p: &DVec2| {
            let d = *p - self.origin;
            DVec2::new(round(self.along.dot(d)), round(self.along.perp_dot(d)))
        };
        points.iter().map(own).collect()
    }

    /// Another outline as it is seen from where this one is.
    pub fn beside(&self, outline: &[DVec2]) -> Self {
        Self::along(outline, self.origin, self.along)
    }

    /// The way along its longest side, in degrees counter-clockwise from x.
    pub fn degrees(&self) -> f64 {
        self.along.to_angle().to_degrees()
    }

    pub fn world(&self, points: &[DVec2]) -> Vec<DVec2> {
        points.iter().map(|p| (self.origin + self.along.rotate(*p)).map(round)).collect()
    }

    /// Two rows beside a corridor whose partitions' middle lines are `strip` apart.
    fn along_corridor(&self, areas: &[f64], strip: f64) -> Result<Vec<Plot>, Fault> {
        let (low, high) = bounds(&self.outline);
        if high.y - low.y < strip + 2.0 * LEAST_DEPTH {
            return Err(unsuited(&format!(
                "it is only {} mm deep, too little for rooms on both sides of a corridor",
                mm(high.y - low.y)
            )));
        }
        let (first, second) = rows(areas);
        let sum = |row: &[usize]| row.iter().map(|i| at(areas, *i)).sum::<f64>();
        let share = sum(&first) / (sum(&first) + sum(&second));
        // the corridor's middle, so that the rows' areas stand as those of their rooms
        let free = |middle: f64| {
            let below = area_of(&self.part([low.y, middle - strip / 2.0], 1));
            let above = area_of(&self.part([middle + strip / 2.0, high.y], 1));
            below - share * (below + above)
        };
        let middle = bisect(low.y + strip / 2.0 + LEAST_DEPTH, high.y - strip / 2.0 - LEAST_DEPTH, free);
        let (lower, upper) = (middle - strip / 2.0, middle + strip / 2.0);
        let corridor = one(self.part([lower, upper], 1))?;
        let mut plots = vec![Plot { room: None, outline: corridor }];
        for (row, span) in [(first, [low.y, lower]), (second, [upper, high.y])] {
            let ground = one(self.part(span, 1))?;
            let wanted: Vec<(usize, f64)> = row.iter().map(|i| (*i, at(areas, *i))).collect();
            plots.extend(Self::slices(&ground, &wanted)?);
        }
        Ok(plots)
    }

    /// Cuts an outline across x into parts whose areas stand as those wanted.
    fn slices(outline: &[DVec2], wanted: &[(usize, f64)]) -> Result<Vec<Plot>, Fault> {
        let (low, high) = bounds(outline);
        let total: f64 = wanted.iter().map(|w| w.1).sum();
        let whole = area(outline);
        let mut plots = Vec::new();
        let (mut from, mut share) = (low.x, 0.0);
        for (i, (room, part)) in wanted.iter().enumerate() {
            share += part / total;
            let to = if i + 1 == wanted.len() {
                high.x
            } else {
                let before = |x: f64| area_of(&clip(outline, [low.x, x], 0)) - share * whole;
                bisect(from, high.x, before)
            };
            plots.push(Plot { room: Some(*room), outline: one(clip(outline, [from, to], 0))? });
            from = to;
        }
        Ok(plots)
    }

    fn part(&self, span: [f64; 2], axis: usize) -> Vec<regions::Region> {
        clip(&self.outline, span, axis)
    }
}

/// Clips an outline to the span between two values of x (axis 0) or y (axis 1), in mm.
pub(super) fn clip(outline: &[DVec2], span: [f64; 2], axis: usize) -> Vec<regions::Region> {
    let (low, high) = bounds(outline);
    let (mut low, mut high) = (low - 1.0, high + 1.0);
    (low[axis], high[axis]) = (span[0], span[1]);
    regions::intersection(&[outline.to_vec()], &[geometry::region::rectangle(low, high)])
}

fn area_of(parts: &[regions::Region]) -> f64 {
    parts.iter().map(|r| area(&r.outer)).sum()
}

fn one(parts: Vec<regions::Region>) -> Result<Vec<DVec2>, Fault> {
    match <[regions::Region; 1]>::try_from(parts) {
        Ok([only]) if only.holes.is_empty() => Ok(only.outer),
        _ => Err(unsuited("its shape falls into pieces when it is divided")),
    }
}

pub(super) fn unsuited(why: &str) -> Fault {
    Fault::constraint(format!(
        "Rooms cannot be laid out by area in this outline: {why}. Give each room its boundary [[x, y], …] instead."
    ))
    .with("field", "rooms")
}

/// Rooms into two rows of nearly the same area, in the order asked for within each.
fn rows(areas: &[f64]) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..areas.len()).collect();
    order.sort_by(|a, b| at(areas, *b).total_cmp(&at(areas, *a)).then(a.cmp(b)));
    let (mut first, mut second) = ((Vec::new(), 0.0), (Vec::new(), 0.0));
    for room in order {
        let row = if first.1 <= second.1 { &mut first } else { &mut second };
        row.0.push(room);
        row.1 += at(areas, room);
    }
    first.0.sort_unstable();
    second.0.sort_unstable();
    (first.0, second.0)
}

/// The place at which a rising function crosses zero, to a whole mm.
fn bisect(mut low: f64, mut high: f64, rising: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if rising(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high).round()
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_rooms_lie_in_two_rows_along_a_corridor_in_proportion_to_their_areas() {
        let outline =
            [[200.0, 200.0], [11_800.0, 200.0], [11_800.0, 9800.0], [200.0, 9800.0]].map(DVec2::from);
        let areas = [15e6, 14e6, 12e6, 6e6, 5e6, 14e6, 30e6];
        let plots = divide(&outline, &areas, 1200.0, 100.0).unwrap();
        assert_eq!(plots.len(), 8);
        let placed: f64 = plots.iter().map(|p| area(&p.outline)).sum();
        assert!((placed - area(&outline)).abs() < 1.0, "nothing is left over and nothing is there twice");
        let size = |room: usize| area(&plots.iter().find(|p| p.room == Some(room)).unwrap().outline);
        let scale = size(6) / areas[6];
        for (room, asked) in areas.iter().enumerate() {
            assert!((size(room) / asked / scale - 1.0).abs() < 0.01, "room {room}");
        }
    }

    #[test]
    fn more_than_there_is_room_for_is_refused() {
        let outline = [[0.0, 0.0], [5000.0, 0.0], [5000.0, 5000.0], [0.0, 5000.0]].map(DVec2::from);
        assert!(divide(&outline, &[20e6, 20e6], 1200.0, 100.0).is_err());
    }

    #[test]
    fn a_hexagon_is_divided_too() {
        let outline: Vec<DVec2> = (0..6)
            .map(|i| f64::from(i) * std::f64::consts::FRAC_PI_3)
            .map(|a| DVec2::new(8000.0 * a.cos(), 8000.0 * a.sin()))
            .collect();
        let plots = divide(&outline, &[30e6, 30e6, 40e6, 20e6], 1200.0, 100.0).unwrap();
        assert_eq!(plots.len(), 5);
    }
}
