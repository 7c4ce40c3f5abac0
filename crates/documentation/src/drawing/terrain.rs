//! The ground of sections and elevations: terrain as it is cut, or as it meets the nearest wall, with a heavy line on top; where it meets none,
//! as it stands before the sky; where a model has none, a line at the height of its site. What stands before an elevation's wall, such as a
//! slope in the garden, hides nothing of the house: elevations show the ground at the wall.

use super::clip::sides;
use super::sheet::{Order, Sheet, filled, stroked};
use super::viewed::{Figure, Viewed};
use geometry::region::{self, Area, Loop};
use geometry::scene::Scene;
use geometry::section::{self, Plane};
use glam::DVec2;
use ifc::{Id, Model};
use paper::{Part, Subject, Subpath};

/// Millimetres that the ground goes beyond the building.
pub(super) const BESIDE: f64 = 12.0;
/// Millimetres that the ground goes below the building.
const BELOW: f64 = 4.0;
/// Terrain of more triangles than this is drawn as the outline around them.
const MOST: usize = 20_000;
/// Sides steeper than this, as the upward part of their normal, are no ground.
const STEEP: f64 = 0.1;
/// Metres by which a cut may lie above or below the ground and still be at it.
const AT_GROUND: f64 = 0.02;

/// True if an element is terrain.
pub(super) fn is_ground(figure: &Figure) -> bool {
    figure.role.subject == Subject::Site
}

/// Draws the ground between the sides of a building, whose least and greatest coordinates are given.
pub(super) fn draw(sheet: &mut Sheet<'_>, viewed: &Viewed, [low, high]: [DVec2; 2]) {
    let beside = DVec2::new(BESIDE, BELOW) / sheet.factor;
    let window = region::rectangle(low - beside, high + beside);
    let mut is_drawn = false;
    for figure in viewed.figures.iter().filter(|f| is_ground(f)) {
        if figure.is_cut() {
            cut(sheet, figure, &window);
            is_drawn = true;
        }
    }
    if is_drawn {
        return;
    }
    let sites: Vec<Id> = viewed.figures.iter().filter(|f| is_ground(f)).map(|f| f.id).collect();
    for id in sites {
        if profile(sheet, viewed, id, &window) {
            is_drawn = true;
            continue;
        }
        let areas = shadow(sheet, viewed, id);
        let loops: Vec<Loop> = areas.iter().flat_map(|a| a.loops().cloned()).collect();
        let seen = region::intersection(&loops, std::slice::from_ref(&window));
        is_drawn |= tops(sheet, id, &seen, &window);
    }
    if !is_drawn {
        site_line(sheet, viewed, [low, high]);
    }
}

/// Terrain that is cut: its hatch, and its top.
fn cut(sheet: &mut Sheet<'_>, figure: &Figure, window: &Loop) {
    let loops: Vec<Loop> = figure.seen.cut.areas.iter().flat_map(|a| a.loops().cloned()).collect();
    let areas = region::intersection(&loops, std::slice::from_ref(window));
    if !areas.is_empty() {
        let fill = sheet.style.fill("earth", sheet.line(sheet.style.weights.hatch).width);
        let face = filled(sheet.areas(&areas), fill, Subject::Site, Part::Pattern);
        sheet.put(Order::Below, Some(figure.id), [face]);
    }
    tops(sheet, figure.id, &areas, window);
    ground_lines(sheet, figure.id, &figure.seen.cut.lines, window);
}

/// Draws the ground of an elevation as it meets the nearest wall; answers whether it does.
fn profile(sheet: &mut Sheet<'_>, viewed: &Viewed, id: Id, window: &Loop) -> bool {
    let all = profile_lines(sheet.scene, viewed, id, window);
    ground_lines(sheet, id, &all, window)
}

/// The lines of the ground as it meets the nearest wall; none where it meets none.
fn profile_lines(scene: &Scene, viewed: &Viewed, id: Id, window: &Loop) -> Vec<Loop> {
    let walls = viewed.figures.iter().filter(|f| f.role.subject == Subject::Wall);
    let depths = walls.flat_map(|f| f.bounds.corners()).map(|c| -viewed.plane.flat(c).z);
    let frame = viewed.plane.frame();
    let origin = frame.translation - frame.z_axis * depths.fold(f64::INFINITY, f64::min);
    let Some(facade) = Plane::new(origin, frame.z_axis, frame.x_axis) else { return Vec::new() };
    let Some(shape) = scene.shape(id) else { return Vec::new() };
    let outline = section::of_mesh(&shape.mesh(), &facade);
    let loops: Vec<Loop> = outline.areas.iter().flat_map(|a| a.loops().cloned()).collect();
    let areas = region::intersection(&loops, std::slice::from_ref(window));
    let mut all = outline.lines;
    all.extend(upper(&areas, window).map(|ends| ends.to_vec()));
    // where a house stands in a hole of its terrain, the ground goes on to its other side
    let mut pieces: Vec<[DVec2; 2]> = all.iter().flat_map(|line| pieces(line)).collect();
    pieces.sort_by(|a, b| a[0].x.total_cmp(&b[0].x));
    let mut reached: Option<DVec2> = None;
    for [from, to] in pieces {
        if let Some(end) = reached.filter(|end| from.x > end.x) {
            all.push(vec![end, from]);
        }
        reached = reached.filter(|end| end.x >= to.x).or(Some(to));
    }
    all
}

/// Draws lines of the ground within a window; answers whether there are any.
fn ground_lines(sheet: &mut Sheet<'_>, id: Id, all: &[Loop], window: &Loop) -> bool {
    let mut lines = Vec::new();
    for pair in all.iter().flat_map(|line| line.windows(2)) {
        let &[a, b] = pair else { continue };
        let within = super::clip::within(a, b, std::slice::from_ref(window));
        lines.extend(within.iter().map(|[s, t]| sheet.subpath(&[a.lerp(b, *s), a.lerp(b, *t)], false)));
    }
    let is_any = !lines.is_empty();
    if is_any {
        let stroke = sheet.line(sheet.style.weights.ground);
        sheet.put(Order::Above, Some(id), [stroked(lines, stroke, Subject::Site, Part::Cut)]);
    }
    is_any
}

/// The area that terrain covers as it is seen.
fn shadow(sheet: &Sheet<'_>, viewed: &Viewed, id: Id) -> Vec<Area> {
    let Some(shape) = sheet.scene.shape(id) else { return Vec::new() };
    let mesh = shape.mesh();
    let flat: Vec<DVec2> = mesh.positions.iter().map(|p| viewed.plane.flat(*p).truncate()).collect();
    if mesh.triangles.len() > MOST {
        let hull = spatial::plan::hull(flat);
        return if hull.is_empty() { Vec::new() } else { vec![Area::new(hull, Vec::new())] };
    }
    let corner = |i: u32| flat.get(i as usize).copied();
    let loops: Vec<Loop> = mesh
        .triangles
        .iter()
        .filter_map(|t| Some(Area::new(vec![corner(t[0])?, corner(t[1])?, corner(t[2])?], Vec::new()).outer))
        .collect();
    region::union(&loops)
}

/// Draws the upper sides of areas, without those that lie on the window's rim; answers whether there are any.
fn tops(sheet: &mut Sheet<'_>, id: Id, areas: &[Area], window: &Loop) -> bool {
    let lines: Vec<Subpath> = upper(areas, window).map(|ends| sheet.subpath(&ends, false)).collect();
    let is_any = !lines.is_empty();
    if is_any {
        let stroke = sheet.line(sheet.style.weights.ground);
        sheet.put(Order::Above, Some(id), [stroked(lines, stroke, Subject::Site, Part::Cut)]);
    }
    is_any
}

/// The upper sides of areas, without those that lie on the window's rim.
fn upper(areas: &[Area], window: &Loop) -> impl Iterator<Item = [DVec2; 2]> {
    let rim = window.iter().fold(f64::NEG_INFINITY, |most, p| most.max(p.y)) - 1e-6;
    let all = areas.iter().flat_map(Area::loops).flat_map(sides);
    let is_upper = move |(a, b): &(DVec2, DVec2)| {
        let out = -(*b - *a).perp().normalize_or_zero();
        out.y > STEEP && a.y.min(b.y) < rim
    };
    all.filter(is_upper).map(|(a, b)| [a, b])
}

/// The site and its height in the plane; `None` where none is near the building: it was placed elsewhere.
fn site_height(model: &Model, viewed: &Viewed, [low, high]: [DVec2; 2]) -> Option<(Id, f64)> {
    let site = model.of_class("IfcSite").into_iter().next()?;
    let metre = ifc::Units::from_model(model).length_mm / 1000.0;
    let z = ifc::placement::of_product(model, site).translation.z * metre;
    let y = z - viewed.plane.frame().translation.z;
    (low.y - 3.0..=high.y).contains(&y).then_some((site, y))
}

/// The line of the ground before what is built, from left to right.
pub(super) struct Ground(Vec<DVec2>);

/// The ground below which what is built is hidden in an elevation: terrain where it meets the nearest wall, else the foot of terrain, else the
/// height of the site.
pub(super) fn buried(scene: &Scene, viewed: &Viewed, [low, high]: [DVec2; 2]) -> Option<Ground> {
    let grounds: Vec<&Figure> = viewed.figures.iter().filter(|f| is_ground(f)).collect();
    let window = region::rectangle(low - 1.0, high + 1.0);
    let lines = grounds.iter().flat_map(|f| profile_lines(scene, viewed, f.id, &window));
    let mut pieces: Vec<[DVec2; 2]> = lines.flat_map(|line| pieces(&line)).collect();
    pieces.sort_by(|a, b| a[0].x.total_cmp(&b[0].x));
    let mut line: Vec<DVec2> = Vec::new();
    for [from, to] in pieces {
        let reached = line.last().map_or(f64::NEG_INFINITY, |end| end.x);
        if to.x > reached {
            line.extend((from.x > reached).then_some(from));
            line.push(to);
        }
    }
    if !line.is_empty() {
        return Some(Ground(line));
    }
    let heights = grounds.iter().flat_map(|f| f.bounds.corners()).map(|c| viewed.plane.flat(c).y);
    let foot = heights.fold(f64::INFINITY, f64::min);
    let site = || site_height(scene.model(), viewed, [low, high]).map(|(_, y)| y);
    let height = Some(foot).filter(|foot| foot.is_finite()).or_else(site)?;
    Some(Ground(vec![DVec2::new(low.x, height)]))
}

/// The stretches of a line, each from left to right.
fn pieces(line: &[DVec2]) -> Vec<[DVec2; 2]> {
    let ordered = |pair: &[DVec2]| match *pair {
        [a, b] if a.x <= b.x => Some([a, b]),
        [a, b] => Some([b, a]),
        _ => None,
    };
    line.windows(2).filter_map(ordered).collect()
}

impl Ground {
    /// The height of the ground; beyond its ends that of the nearest.
    fn height(&self, x: f64) -> f64 {
        let after = self.0.partition_point(|p| p.x <= x);
        match (after.checked_sub(1).and_then(|n| self.0.get(n)), self.0.get(after)) {
            (Some(a), Some(b)) => a.lerp(*b, (x - a.x) / (b.x - a.x)).y,
            (Some(end), None) | (None, Some(end)) => end.y,
            (None, None) => f64::NEG_INFINITY,
        }
    }

    /// A line parted at the ground: what lies above it, and what lies below.
    pub fn parted(&self, line: &[DVec2]) -> [Vec<Vec<DVec2>>; 2] {
        let (mut over, mut under): (Vec<Vec<DVec2>>, Vec<Vec<DVec2>>) = (Vec::new(), Vec::new());
        let mut last: Option<bool> = None;
        for (a, b) in line.windows(2).flat_map(|pair| self.stretches(pair)) {
            let (p, q) = (a.y - self.height(a.x), b.y - self.height(b.x));
            let cross = if p.min(q) < 0.0 && p.max(q) > 0.0 { a.lerp(b, p / (p - q)) } else { b };
            let begins_below = if p == 0.0 { q < 0.0 } else { p < 0.0 };
            for (goes_below, from, to) in [(begins_below, a, cross), (!begins_below, cross, b)] {
                if from == to {
                    continue;
                }
                let into = if goes_below { &mut under } else { &mut over };
                match into.last_mut() {
                    Some(known) if last == Some(goes_below) => known.push(to),
                    _ => into.push(vec![from, to]),
                }
                last = Some(goes_below);
            }
        }
        [over, under]
    }

    /// A stretch parted where the ground has a corner above or below it.
    fn stretches(&self, pair: &[DVec2]) -> Vec<(DVec2, DVec2)> {
        let &[a, b] = pair else { return Vec::new() };
        let (low, high) = (a.x.min(b.x), a.x.max(b.x));
        let corners = self.0.iter().filter(|p| p.x > low && p.x < high);
        let mut shares: Vec<f64> = corners.map(|p| (p.x - a.x) / (b.x - a.x)).collect();
        shares.extend([0.0, 1.0]);
        shares.sort_by(f64::total_cmp);
        let at = |share: &f64| if *share == 1.0 { b } else { a.lerp(b, *share) };
        shares.windows(2).filter_map(|s| Some((at(s.first()?), at(s.last()?)))).collect()
    }
}

/// The line of the ground at the height of the site; a section has none within what it cuts.
fn site_line(sheet: &mut Sheet<'_>, viewed: &Viewed, [low, high]: [DVec2; 2]) {
    let Some((site, y)) = site_height(sheet.scene.model(), viewed, [low, high]) else { return };
    let more = BESIDE / sheet.factor;
    let (from, to) = (low.x - more, high.x + more);
    let free = super::clip::less([from, to], &inside(viewed, y));
    let line = |[a, b]: &[f64; 2]| sheet.subpath(&[DVec2::new(*a, y), DVec2::new(*b, y)], false);
    let lines: Vec<Subpath> = free.iter().map(line).collect();
    if !lines.is_empty() {
        let stroke = sheet.line(sheet.style.weights.ground);
        sheet.put(Order::Above, Some(site), [stroked(lines, stroke, Subject::Site, Part::Cut)]);
    }
}

/// The stretches at a height that lie in what is cut, or between cut walls below a cut slab or roof.
fn inside(viewed: &Viewed, y: f64) -> Vec<[f64; 2]> {
    let heavy = viewed.figures.iter().filter(|f| f.role.is_heavy && !is_ground(f));
    let areas = heavy.flat_map(|f| f.seen.cut.areas.iter().map(|area| (f.role.subject, area)));
    let boxes: Vec<(Subject, DVec2, DVec2)> = areas
        .map(|(subject, area)| {
            let (low, high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
            let (low, high) = area.outer.iter().fold((low, high), |(l, h), p| (l.min(*p), h.max(*p)));
            (subject, low, high)
        })
        .collect();
    let met = boxes.iter().filter(|(_, low, high)| low.y <= y + AT_GROUND && high.y >= y - AT_GROUND);
    let mut solid: Vec<[f64; 2]> = met.map(|(_, low, high)| [low.x, high.x]).collect();
    solid.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut joined: Vec<[f64; 2]> = Vec::new();
    for part in solid {
        match joined.last_mut() {
            Some(last) => {
                let is_covered = boxes.iter().any(|(subject, low, high)| {
                    let is_floor = matches!(subject, Subject::Slab | Subject::Roof | Subject::Ceiling);
                    is_floor && high.y > y && low.x <= last[1] + AT_GROUND && high.x >= part[0] - AT_GROUND
                });
                if part[0] <= last[1] + AT_GROUND || is_covered {
                    last[1] = last[1].max(part[1]);
                } else {
                    joined.push(part);
                }
            }
            None => joined.push(part),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    #[test]
    fn a_line_is_parted_where_it_goes_into_the_ground() {
        let ground = Ground(vec![p(0.0, 0.0)]);
        let frame = [p(0.0, -1.0), p(0.0, 1.0), p(2.0, 1.0), p(2.0, -1.0)];
        let [above, below] = ground.parted(&frame);
        assert_eq!(above, [vec![p(0.0, 0.0), p(0.0, 1.0), p(2.0, 1.0), p(2.0, 0.0)]]);
        assert_eq!(below, [vec![p(0.0, -1.0), p(0.0, 0.0)], vec![p(2.0, 0.0), p(2.0, -1.0)]]);
        // a line in the ground's own height is above it
        let [above, below] = ground.parted(&[p(0.0, 0.0), p(1.0, 0.0)]);
        assert_eq!((above.len(), below.len()), (1, 0));
    }

    #[test]
    fn sloped_ground_parts_a_level_line_where_it_rises_through_it() {
        let ground = Ground(vec![p(0.0, 0.0), p(2.0, 0.0), p(4.0, 2.0)]);
        // quarters of the line, which have no rounding
        let [above, below] = ground.parted(&[p(-2.0, 1.0), p(6.0, 1.0)]);
        assert_eq!(above, [vec![p(-2.0, 1.0), p(0.0, 1.0), p(2.0, 1.0), p(3.0, 1.0)]]);
        assert_eq!(below, [vec![p(3.0, 1.0), p(4.0, 1.0), p(6.0, 1.0)]]);
        assert_eq!([-5.0, 1.0, 3.0, 9.0].map(|x| ground.height(x)), [0.0, 0.0, 1.0, 2.0]);
    }
}
