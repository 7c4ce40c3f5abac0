//! The grid of a curtain wall: a line in plan parted into straight runs, each run into columns and rows between mullions, and where its
//! doors come to stand.

use crate::measures::mm;
use crate::polygon::direction;
use contract::Fault;
use glam::DVec2;

/// The least clear width and height of a panel, in mm.
const LEAST: f64 = 50.0;
/// The most panels of one curtain wall.
const MOST: usize = 3000;

/// A division of a length into equal parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Division {
    /// So many parts.
    Count(u32),
    /// Parts at most so long, in mm.
    AtMost(f64),
}

/// A straight run of a curtain wall.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Where its mullions begin, in the world.
    pub start: DVec2,
    /// Its direction.
    pub along: DVec2,
    /// Its length between its corners' posts.
    pub length: f64,
    /// How far along the whole line it begins.
    pub from: f64,
    /// The columns between its upright mullions.
    pub columns: Parts,
}

/// Equal clear parts between members.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts {
    /// How many.
    pub count: u32,
    /// The clear size of each, in mm.
    pub clear: f64,
    /// The size of the members between and around them.
    pub member: f64,
}

impl Parts {
    /// Parts of a length, with a member at both ends and between them.
    pub fn of_length(field: &str, length: f64, member: f64, division: Division) -> Result<Self, Fault> {
        let most = ((length - member) / (LEAST + member)).floor();
        let count = match division {
            Division::Count(count) => f64::from(count),
            Division::AtMost(size) => ((length - member) / size - 1e-9).ceil().max(1.0),
        };
        if count < 1.0 || count > most {
            let text = if most < 1.0 {
                format!("{} mm are too short for a panel between members of {} mm.", mm(length), mm(member))
            } else {
                format!(
                    "`{field}` makes {count} parts of {} mm between members of {} mm; 1 to {most} have room.",
                    mm(length),
                    mm(member)
                )
            };
            return Err(Fault::invalid(field, text).with("most", most.max(0.0)));
        }
        Ok(Self { count: count as u32, clear: (length - (count + 1.0) * member) / count, member })
    }

    /// Where a part begins.
    pub fn at(&self, i: u32) -> f64 {
        self.member + f64::from(i) * (self.clear + self.member)
    }

    /// Where the member before a part begins; that after the last part for its number.
    pub fn member_at(&self, i: u32) -> f64 {
        f64::from(i) * (self.clear + self.member)
    }
}

/// A post at a corner: its outline in the world.
pub type Post = Vec<DVec2>;

/// The runs of a line, and the posts at its corners.
pub fn runs(
    points: &[DVec2],
    closed: bool,
    columns: Division,
    rows: u32,
    mullion: DVec2,
) -> Result<(Vec<Run>, Vec<Post>), Fault> {
    let n = points.len();
    let legs = if closed { n } else { n.saturating_sub(1) };
    let at = |i: usize| points.get(i % n.max(1)).copied().unwrap_or_default();
    let ways: Vec<DVec2> = (0..legs).map(|i| direction(at(i), at(i + 1)).unwrap_or(DVec2::X)).collect();
    let way = |i: usize| ways.get(i % legs.max(1)).copied().unwrap_or(DVec2::X);
    let half = mullion.y / 2.0;
    // how far a corner's post reaches along both of its legs
    let reach = |i: usize| -> Result<f64, Fault> {
        if !closed && (i == 0 || i == n - 1) {
            return Ok(0.0);
        }
        let turn = way(i + legs - 1).angle_to(way(i)).abs();
        if turn > 2.7 {
            return Err(Fault::invalid(
                &format!("points[{}]", i % n),
                format!("The line turns back at point {}; a corner turns by at most 150 degrees.", i % n),
            ));
        }
        Ok(half * (turn / 2.0).tan())
    };
    let (mut all, mut posts, mut from, mut panels) = (Vec::new(), Vec::new(), 0.0, 0usize);
    for i in 0..legs {
        let (a, b, along) = (at(i), at(i + 1), way(i));
        let (before, after) = (reach(i)?, reach(i + 1)?);
        let length = a.distance(b) - before - after;
        let parts =
            Parts::of_length("columns", length, mullion.x, columns).map_err(|fault| fault.with("run", i))?;
        panels = panels.saturating_add(parts.count as usize * rows as usize);
        if panels > MOST {
            return Err(Fault::invalid(
                "columns",
                format!("This grid has more than {MOST} panels; give larger ones, or several curtain walls."),
            ));
        }
        all.push(Run { start: a + along * before, along, length, from: from + before, columns: parts });
        from += a.distance(b);
        let reaches = after;
        if reaches > 0.1 {
            posts.push(post(b, along, way(i + 1), reaches, half));
        }
    }
    Ok((all, posts))
}

/// The outline of the post between two runs: from the corner on the inside round the outside.
fn post(corner: DVec2, a: DVec2, b: DVec2, reach: f64, half: f64) -> Post {
    let left = a.perp_dot(b) > 0.0;
    let side = if left { -half } else { half };
    let inner = corner - a * reach - a.perp() * side;
    let outline = [
        inner,
        corner - a * reach + a.perp() * side,
        corner + a * reach + a.perp() * side,
        corner + b * reach + b.perp() * side,
    ];
    crate::regions::counter_clockwise(&outline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::area;

    #[test]
    fn members_and_parts_fill_a_length() {
        for division in [Division::Count(4), Division::AtMost(1500.0)] {
            let parts = Parts::of_length("columns", 6050.0, 50.0, division).unwrap();
            assert_eq!((parts.count, parts.clear), (4, 1450.0));
            assert_eq!(parts.member_at(4) + 50.0, 6050.0);
        }
        let fault = Parts::of_length("columns", 1000.0, 50.0, Division::Count(20)).unwrap_err();
        assert_eq!(fault.data["most"], 9.0);
    }

    #[test]
    fn a_right_corner_has_a_post_as_large_as_what_both_runs_leave() {
        let points = [DVec2::ZERO, DVec2::new(3000.0, 0.0), DVec2::new(3000.0, 3000.0)];
        let (runs, posts) = runs(&points, false, Division::Count(2), 1, DVec2::new(50.0, 150.0)).unwrap();
        assert_eq!((runs.len(), posts.len()), (2, 1));
        assert!((runs[0].length - 2925.0).abs() < 1e-9 && (runs[1].from - 3075.0).abs() < 1e-9);
        assert!((area(&posts[0]) - 150.0 * 150.0).abs() < 1e-6);
    }
}
