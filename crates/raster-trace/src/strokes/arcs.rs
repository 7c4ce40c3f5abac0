//! Arcs: the swings of doors, round walls, fixtures.

use super::direction::AxisPixel;
use super::group::Group;
use crate::grid::Grid;
use glam::DVec2;

/// A part of a circle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arc {
    pub centre: DVec2,
    pub radius: f64,
    /// Degrees from the x axis towards y (down), where it begins.
    pub from: f64,
    /// Degrees that it sweeps.
    pub sweep: f64,
    pub thickness: f64,
    /// The share of it that is ink.
    pub coverage: f64,
}

impl Arc {
    /// The point at a part of the sweep, 0 to 1.
    pub fn at(&self, part: f64) -> DVec2 {
        self.centre + DVec2::from_angle((self.from + self.sweep * part).to_radians()) * self.radius
    }
}

/// Finds arcs by groups that bend; answers which pixels lie on one.
pub(super) fn find(
    groups: &[Group],
    pixels: &[AxisPixel],
    mask: &Grid<u8>,
    longest: f64,
    waver: f64,
) -> (Vec<Arc>, Vec<bool>) {
    let mut number: Grid<u32> = Grid::new(mask.width, mask.height);
    for (n, pixel) in pixels.iter().enumerate() {
        number.set(i64::from(pixel.x), i64::from(pixel.y), n as u32 + 1);
    }
    let mut in_arc = vec![false; pixels.len()];
    let mut arcs: Vec<Arc> = Vec::new();
    let mut order: Vec<&Group> =
        groups.iter().filter(|group| group.points.len() >= 9 && group.half < 4.0).collect();
    order.sort_by_key(|group| std::cmp::Reverse(group.points.len()));
    for group in order.into_iter().take(4000) {
        let taken =
            group.members.iter().filter(|n| in_arc.get(**n as usize).copied().unwrap_or(false)).count();
        if taken * 2 > group.members.len() {
            continue;
        }
        let Some((mut centre, mut radius)) = circle(&group.points) else { continue };
        let mut found = None;
        for round in 0..4 {
            if !(9.0..longest * 0.2).contains(&radius) {
                found = None;
                break;
            }
            let wide = if round == 0 { 3.5 } else { 2.0 + waver };
            found = gather(centre, radius, wide, pixels, &number);
            let Some((_, members)) = &found else { break };
            let points: Vec<DVec2> = members
                .iter()
                .filter_map(|n| pixels.get(*n as usize))
                .map(|p| DVec2::new(f64::from(p.x) + 0.5, f64::from(p.y) + 0.5))
                .collect();
            let Some(better) = circle(&points) else { break };
            (centre, radius) = better;
        }
        let Some((arc, members)) = found else { continue };
        if arc.sweep < 38.0 || arc.coverage < 0.75 || arc.radius * arc.sweep.to_radians() < 20.0 {
            continue;
        }
        for n in members {
            if let Some(own) = in_arc.get_mut(n as usize) {
                *own = true;
            }
        }
        arcs.push(arc);
    }
    (arcs, in_arc)
}

/// The circle through points by least squares (Kåsa 1976).
fn circle(points: &[DVec2]) -> Option<(DVec2, f64)> {
    let count = points.len() as f64;
    let middle = points.iter().copied().sum::<DVec2>() / count.max(1.0);
    let (mut xx, mut xy, mut yy, mut xz, mut yz, mut zz) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for point in points {
        let d = *point - middle;
        let z = d.length_squared();
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
        xz += d.x * z;
        yz += d.y * z;
        zz += z;
    }
    let determinant = xx * yy - xy * xy;
    if determinant.abs() < 1e-6 * (xx + yy).powi(2) {
        return None;
    }
    let offset = DVec2::new((xz * yy - yz * xy) / determinant, (yz * xx - xz * xy) / determinant) / 2.0;
    let radius = (offset.length_squared() + zz / count).sqrt();
    radius.is_finite().then_some((middle + offset, radius))
}

/// The longest stretch of a circle that is drawn, and the pixels on it.
fn gather(
    centre: DVec2,
    radius: f64,
    wide: f64,
    pixels: &[AxisPixel],
    number: &Grid<u32>,
) -> Option<(Arc, Vec<u32>)> {
    let count = ((radius * std::f64::consts::TAU) as usize).clamp(24, 8000);
    let reach = wide.ceil() as i64;
    let hits: Vec<Option<u32>> = (0..count)
        .map(|n| {
            let turn = n as f64 / count as f64 * std::f64::consts::TAU;
            let out = DVec2::from_angle(turn);
            let tangent = (turn.to_degrees() + 90.0).rem_euclid(180.0);
            (0..=2 * reach).find_map(|step| {
                let aside = if step % 2 == 0 { step / 2 } else { -(step + 1) / 2 };
                let n = number.under(centre + out * (radius + aside as f64)).checked_sub(1)?;
                let pixel = pixels.get(n as usize)?;
                let off = (f64::from(pixel.angle) - tangent).rem_euclid(180.0);
                (off.min(180.0 - off) < 15.0).then_some(n)
            })
        })
        .collect();
    // gaps up to 6 degrees or 4 pixels do not end an arc
    let most = (count as f64 / 60.0).max(4.0) as usize;
    let start = hits.iter().position(Option::is_none).unwrap_or(0);
    let (mut best, mut own): ((usize, usize), Option<(usize, usize)>) = ((0, 0), None);
    for step in 0..count {
        let at = (start + step) % count;
        if hits.get(at).is_some_and(Option::is_some) {
            own = match own {
                Some((first, last)) if step - last <= most => Some((first, step)),
                _ => Some((step, step)),
            };
            if let Some((first, last)) = own
                && last - first > best.1 - best.0
            {
                best = (first, last);
            }
        }
    }
    let within: Vec<Option<u32>> =
        (best.0..=best.1).map(|step| hits.get((start + step) % count).copied().flatten()).collect();
    let mut members: Vec<u32> = within.iter().copied().flatten().collect();
    let coverage = members.len() as f64 / within.len() as f64;
    members.sort_unstable();
    members.dedup();
    if members.len() < 9 {
        return None;
    }
    let half: f64 =
        members.iter().filter_map(|n| pixels.get(*n as usize)).map(|p| f64::from(p.half)).sum::<f64>()
            / members.len() as f64;
    let degrees = 360.0 / count as f64;
    let from = ((start + best.0) as f64 * degrees).rem_euclid(360.0);
    let sweep = (best.1 - best.0) as f64 * degrees;
    Some((Arc { centre, radius, from, sweep, thickness: (half * 2.0).max(1.0), coverage }, members))
}
