//! Spreading openings along walls: so many in all, so many on each, or one every so many mm; beside what stands there already.

use crate::author::Author;
use crate::host::{self, Wall};
use crate::joins;
use crate::lookup::label;
use crate::measures::{mm, positive};
use crate::opening::{self, Stretch};
use crate::relations::End;
use contract::Fault;
use glam::DVec2;

/// The most openings that one wish may stand for.
pub const MOST: u32 = 1000;

/// The wall that stays between what is spread and an opening that is there, in mm.
const PIER: f64 = 100.0;

/// The size of an opening as a wall sees it, in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Height of its lower edge above the wall's base.
    pub sill: f64,
}

/// Returns the number of openings for each of several lengths so that there are `count` in all, more where there is more length.
/// `None` where so many do not fit beside each other.
pub fn shared(lengths: &[f64], width: f64, count: u32) -> Option<Vec<u32>> {
    let mut given = vec![0_u32; lengths.len()];
    for _ in 0..count {
        let most = lengths
            .iter()
            .zip(&given)
            .enumerate()
            .filter(|(_, (length, n))| f64::from(**n + 1) * width <= **length + 0.1)
            .map(|(i, (length, n))| (i, length / f64::from(n + 1)))
            .fold(
                None,
                |best: Option<(usize, f64)>, (i, bay)| {
                    if best.is_some_and(|(_, most)| most >= bay) { best } else { Some((i, bay)) }
                },
            );
        let n = most.and_then(|(i, _)| given.get_mut(i))?;
        *n += 1;
    }
    Some(given)
}

/// The centres of `count` openings in the middle of as many equal parts of a stretch.
fn evenly(from: f64, to: f64, count: u32) -> Vec<f64> {
    let bay = (to - from) / f64::from(count.max(1));
    (0..count).map(|i| from + bay * (f64::from(i) + 0.5)).collect()
}

/// The parts of a stretch that are free for openings of this height, from edge to edge, with a pier beside what ends them.
fn gaps(author: &Author, wall: &Wall, stretch: &Stretch, size: &Size, pier: f64) -> Vec<(f64, f64)> {
    let half = size.width / 2.0;
    let ((from, to), length) = (stretch.clear, wall.length);
    // where the wall itself ends, as the stretch does, nothing stands
    let beside = |edge: f64, by: f64| if edge > 0.1 && edge < length - 0.1 { edge + by } else { edge };
    opening::free(author, wall, size.sill, size.height, size.width, None)
        .into_iter()
        .map(|[low, high]| {
            let (low, high) = (low - half, high + half);
            let low = if low > from + 0.1 { beside(low, pier) } else { from };
            let high = if high < to - 0.1 { beside(high, -pier) } else { to };
            (low.max(from), high.min(to))
        })
        .filter(|(low, high)| high - low >= size.width - 0.1)
        .collect()
}

/// The stretches of a wall at which other walls end on it, such as partitions, in mm along it.
fn abutted(author: &Author, wall: &Wall) -> Vec<(f64, f64)> {
    // along an arc nothing is left free for them
    let Some((start, end)) = host::axis_in_plan(author, wall.id).filter(|_| wall.bend == 0.0) else {
        return Vec::new();
    };
    let Some(along) = (end - start).try_normalize() else { return Vec::new() };
    let links = joins::links(author, wall.id).into_iter().filter(|link| link.own == End::Path);
    links
        .filter_map(|link| {
            let (from, to) = host::axis_in_plan(author, link.other)?;
            let meeting = match link.there {
                End::Start => from,
                End::End => to,
                End::Path => return None,
            };
            let other = Wall::read_any(author, link.other).ok()?;
            let half = (other.faces.1 - other.faces.0).abs() / 2.0;
            let middle = f64::midpoint(other.faces.0, other.faces.1);
            // the axis of the other may lie on one of its faces
            let aside = (to - from).try_normalize().map_or(DVec2::ZERO, |onward| onward.perp() * middle);
            // one that meets at a slant takes up more
            let slant =
                (to - from).try_normalize().map_or(1.0, |onward| onward.perp_dot(along).abs().max(0.2));
            let at = (meeting + aside - start).dot(along);
            Some((at - half / slant, at + half / slant))
        })
        .collect()
}

/// Returns the rest of free parts beside other stretches, with a pier between.
fn beside(gaps: Vec<(f64, f64)>, taken: &[(f64, f64)], size: &Size, pier: f64) -> Vec<(f64, f64)> {
    taken.iter().fold(gaps, |gaps, (from, to)| {
        let (from, to) = (from - pier, to + pier);
        gaps.into_iter()
            .flat_map(|(low, high)| {
                if to <= low || from >= high {
                    vec![(low, high)]
                } else {
                    vec![(low, from.min(high)), (to.max(low), high)]
                }
            })
            .filter(|(low, high)| high - low >= size.width - 0.1)
            .collect()
    })
}

fn is_free(gaps: &[(f64, f64)], centre: f64, width: f64) -> bool {
    let half = width / 2.0;
    gaps.iter().any(|(low, high)| centre - half > low - 0.1 && centre + half < high + 0.1)
}

/// Returns the centres of `count` openings spread evenly over a stretch of a wall. Where something stands in the way of one, all are
/// spread over what is free beside it, and that is told.
pub fn count(
    author: &mut Author,
    wall: &Wall,
    stretch: &Stretch,
    size: &Size,
    count: u32,
) -> Result<Vec<f64>, Fault> {
    let regular = evenly(stretch.clear.0, stretch.clear.1, count);
    let spread = |gaps: &[(f64, f64)]| -> Vec<f64> { gaps.iter().map(|(low, high)| high - low).collect() };
    // before the end of a partition there is none, and a pier beside what is there, where so many have room
    let ends = abutted(author, wall);
    let wide = beside(gaps(author, wall, stretch, size, PIER), &ends, size, PIER);
    let close = || beside(gaps(author, wall, stretch, size, 0.0), &ends, size, 0.0);
    let has_room = |gaps: &[(f64, f64)], pier: f64| shared(&spread(gaps), size.width + pier, count).is_some();
    let gaps = if has_room(&wide, PIER) {
        wide
    } else {
        Some(close())
            .filter(|close| has_room(close, 0.0))
            .unwrap_or_else(|| gaps(author, wall, stretch, size, 0.0))
    };
    let apart = f64::from(count) * size.width <= stretch.length() + 0.1;
    if apart && regular.iter().all(|at| is_free(&gaps, *at, size.width)) {
        return Ok(regular);
    }
    let lengths = spread(&gaps);
    let Some(numbers) = shared(&lengths, size.width, count) else {
        let fit = most_in(&lengths, size.width);
        return Err(Fault::constraint(format!(
            "{count} openings {} mm wide do not fit beside each other into {} mm of the wall {}; {fit} do.",
            mm(size.width),
            mm(stretch.length()),
            label(author.edit, wall.id)
        ))
        .with("field", "count")
        .with("largest", fit)
        .with("wall_id", crate::lookup::guid(author.edit, wall.id)));
    };
    Ok(gaps.iter().zip(numbers).flat_map(|((low, high), n)| evenly(*low, *high, n)).collect())
}

fn most_in(lengths: &[f64], width: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "lengths are bounded and positive"
    )]
    lengths.iter().map(|length| ((length + 0.1) / width).floor() as u64).sum()
}

/// Returns the centres of openings so many mm apart, the row in the middle of its stretch, without those that something stands in the
/// way of; and how many these are.
pub fn every(
    author: &Author,
    wall: &Wall,
    stretch: &Stretch,
    size: &Size,
    apart: f64,
) -> Result<(Vec<f64>, usize), Fault> {
    positive("every", apart)?;
    if apart < size.width {
        return Err(Fault::invalid(
            "every",
            format!(
                "`every` is {} mm from middle to middle, less than the openings' width of {} mm; give at least that.",
                mm(apart),
                mm(size.width)
            ),
        ));
    }
    let room = stretch.length() - size.width;
    if room < -0.1 {
        return Ok((Vec::new(), 0));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded below and above")]
    let number = ((room.max(0.0) + 0.1) / apart).floor().min(f64::from(MOST) + 1.0) as u32 + 1;
    if number > MOST {
        return Err(Fault::invalid(
            "every",
            format!("`every` {} mm would be more than {MOST} openings in one wall.", mm(apart)),
        ));
    }
    let first = f64::midpoint(stretch.clear.0, stretch.clear.1) - f64::from(number - 1) * apart / 2.0;
    let gaps = gaps(author, wall, stretch, size, 0.0);
    let all = (0..number).map(|i| first + f64::from(i) * apart);
    let (kept, left): (Vec<f64>, Vec<f64>) = all.partition(|at| is_free(&gaps, *at, size.width));
    Ok((kept, left.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_openings_go_where_there_is_more_wall_and_none_where_there_is_no_room() {
        assert_eq!(shared(&[8000.0, 4000.0, 900.0], 1000.0, 6), Some(vec![4, 2, 0]));
        assert_eq!(shared(&[4000.0, 4000.0], 1000.0, 4), Some(vec![2, 2]));
        assert_eq!(shared(&[2500.0], 1000.0, 3), None);
    }

    #[test]
    fn openings_stand_in_the_middle_of_equal_parts() {
        assert_eq!(evenly(0.0, 6000.0, 3), vec![1000.0, 3000.0, 5000.0]);
        assert!(evenly(0.0, 6000.0, 0).is_empty());
    }
}
