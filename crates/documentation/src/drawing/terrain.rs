//! The ground of sections and elevations: terrain as it is cut, or as it meets the nearest wall, with a heavy line on top; where it meets none,
//! as it stands before the sky; where a model has none, a line at the height of its site.

use super::clip::sides;
use super::sheet::{Order, Sheet, filled, stroked};
use super::viewed::{Figure, Viewed};
use geometry::region::{self, Area, Loop};
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
    let walls = viewed.figures.iter().filter(|f| f.role.subject == Subject::Wall);
    let depths = walls.flat_map(|f| f.bounds.corners()).map(|c| -viewed.plane.flat(c).z);
    let frame = viewed.plane.frame();
    let origin = frame.translation - frame.z_axis * depths.fold(f64::INFINITY, f64::min);
    let Some(facade) = Plane::new(origin, frame.z_axis, frame.x_axis) else { return false };
    let Some(shape) = sheet.scene.shape(id) else { return false };
    let outline = section::of_mesh(&shape.mesh(), &facade);
    let loops: Vec<Loop> = outline.areas.iter().flat_map(|a| a.loops().cloned()).collect();
    let areas = region::intersection(&loops, std::slice::from_ref(window));
    let mut all = outline.lines;
    all.extend(upper(&areas, window).map(|ends| ends.to_vec()));
    // where a house stands in a hole of its terrain, the ground goes on to its other side
    let mut pieces: Vec<[DVec2; 2]> = all
        .iter()
        .flat_map(|line| line.windows(2))
        .map(|pair| if pair[0].x <= pair[1].x { [pair[0], pair[1]] } else { [pair[1], pair[0]] })
        .collect();
    pieces.sort_by(|a, b| a[0].x.total_cmp(&b[0].x));
    let mut reached: Option<DVec2> = None;
    for [from, to] in pieces {
        if let Some(end) = reached.filter(|end| from.x > end.x) {
            all.push(vec![end, from]);
        }
        reached = reached.filter(|end| end.x >= to.x).or(Some(to));
    }
    ground_lines(sheet, id, &all, window)
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

/// The height in the plane below which what is built lies in the ground, as an elevation shows it: the foot of terrain that hides what
/// is higher by itself, or the site's.
pub(super) fn buried(model: &Model, viewed: &Viewed, extent: [DVec2; 2]) -> Option<f64> {
    let grounds = viewed.figures.iter().filter(|f| is_ground(f));
    let heights = grounds.flat_map(|f| f.bounds.corners()).map(|c| viewed.plane.flat(c).y);
    let foot = heights.fold(f64::INFINITY, f64::min);
    if foot.is_finite() { Some(foot) } else { site_height(model, viewed, extent).map(|(_, y)| y) }
}

/// A line parted at a height: what lies above it, and what lies below.
pub(super) fn parted(line: &[DVec2], height: f64) -> [Vec<Vec<DVec2>>; 2] {
    let (mut over, mut under): (Vec<Vec<DVec2>>, Vec<Vec<DVec2>>) = (Vec::new(), Vec::new());
    let mut last: Option<bool> = None;
    for pair in line.windows(2) {
        let &[a, b] = pair else { continue };
        let (is_above, is_below) = (a.y.max(b.y) > height, a.y.min(b.y) < height);
        let cross = if is_above && is_below { a.lerp(b, (height - a.y) / (b.y - a.y)) } else { b };
        let begins_below = if a.y == height { is_below } else { a.y < height };
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

/// The line of the ground at the height of the site.
fn site_line(sheet: &mut Sheet<'_>, viewed: &Viewed, [low, high]: [DVec2; 2]) {
    let Some((site, y)) = site_height(sheet.scene.model(), viewed, [low, high]) else { return };
    let more = BESIDE / sheet.factor;
    let line = sheet.subpath(&[DVec2::new(low.x - more, y), DVec2::new(high.x + more, y)], false);
    let stroke = sheet.line(sheet.style.weights.ground);
    sheet.put(Order::Above, Some(site), [stroked(vec![line], stroke, Subject::Site, Part::Cut)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_parted_where_it_goes_into_the_ground() {
        let p = |x: f64, y: f64| DVec2::new(x, y);
        let frame = [p(0.0, -1.0), p(0.0, 1.0), p(2.0, 1.0), p(2.0, -1.0)];
        let [above, below] = parted(&frame, 0.0);
        assert_eq!(above, [vec![p(0.0, 0.0), p(0.0, 1.0), p(2.0, 1.0), p(2.0, 0.0)]]);
        assert_eq!(below, [vec![p(0.0, -1.0), p(0.0, 0.0)], vec![p(2.0, 0.0), p(2.0, -1.0)]]);
        // a line in the ground's own height is above it
        let [above, below] = parted(&[p(0.0, 0.0), p(1.0, 0.0)], 0.0);
        assert_eq!((above.len(), below.len()), (1, 0));
    }
}
