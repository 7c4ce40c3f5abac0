//! Sections, elevations and axonometries: what is cut and seen, lighter the farther it lies, with the ground, levels and heights.

use super::dimension::{Chain, Of, draw_chain};
use super::plan::{asked, finish};
use super::sheet::{Order, Sheet, stroked};
use super::terrain::{Ground, is_ground};
use super::viewed::{Figure, Viewed};
use super::{BadDrawing, Dimension, Drawing, Kind, Wanted, filling, frame, level, poche, sash, terrain};
use crate::style::{Positive, Style};
use building::picture::title;
use building::storey::storeys_by_height;
use geometry::Shaper;
use geometry::scene::Scene;
use geometry::section::Plane;
use glam::{DVec2, DVec3};
use ifc::Model;
use ifc::placement::unit;
use ifc::relations::Links;
use paper::{Part, Subject};

/// Millimetres between the building and the marks of levels.
const LEVELS: f64 = 16.0;
/// Walls of a storey are those between these heights in metres over its floor.
const ABOVE_FLOOR: f64 = 0.3;
const REACH: f64 = 2.0;
/// Sills and heads that differ less than this, in metres, are one.
const SAME_HEIGHT: f64 = 0.05;
/// The share of a window's width and height that has to be seen for its symbol.
const MOSTLY: f64 = 0.8;
/// The most heights of openings that one chain bears.
const MOST_HEIGHTS: usize = 24;

/// Draws a section, an elevation or an axonometry.
pub(super) fn draw(
    scene: &Scene,
    links: &Links<'_>,
    wanted: &Wanted,
    style: &Style,
    mut viewed: Viewed,
) -> Result<Drawing, BadDrawing> {
    let model = scene.model();
    let mut sheet = Sheet::new(scene, style, wanted.scale);
    let depths = viewed.figures.iter().filter(|f| !is_ground(f)).map(|f| depth(f, &viewed.plane));
    let ends = [f64::INFINITY, f64::NEG_INFINITY];
    let [near, far] = depths.fold(ends, |[near, far], depth| [near.min(depth), far.max(depth)]);
    for figure in viewed.figures.iter_mut().filter(|f| is_ground(f)) {
        figure.pieces.clear();
    }
    poche::draw(&mut sheet, &viewed.figures);
    let ground = match wanted.kind {
        Kind::Elevation { .. } => extent(&viewed).and_then(|extent| terrain::buried(scene, &viewed, extent)),
        _ => None,
    };
    for figure in &viewed.figures {
        let share = (depth(figure, &viewed.plane) - near) / (far - near).max(1e-9);
        lines(&mut sheet, figure, share.clamp(0.0, 1.0), ground.as_ref());
    }
    if matches!(wanted.kind, Kind::Elevation { .. }) && sheet.rule.frames {
        sashes(&mut sheet, links, &viewed);
    }
    let (mut dimensions, mut notes) = (Vec::new(), Vec::new());
    // the sky is up, and the view level
    let is_level = viewed.plane.frame().y_axis.z > 0.999;
    if is_level
        && !matches!(wanted.kind, Kind::Axonometry { .. })
        && let Some(extent) = extent(&viewed)
    {
        terrain::draw(&mut sheet, &viewed, extent);
        if wanted.dimensions {
            dimensions = heights(&mut sheet, links, &viewed, extent);
            dimensions.extend(widths(&mut sheet, &viewed, extent));
        }
        levels(&mut sheet, model, &viewed.plane, extent);
    }
    dimensions.extend(asked(&mut sheet, &viewed.plane, wanted, &mut notes));
    let title = wanted.title.clone().unwrap_or_else(|| heading(style, wanted.kind));
    frame::draw(&mut sheet, &title, None);
    finish(sheet, viewed, title, Vec::new(), dimensions, notes)
}

/// The depth in metres behind the plane at which an element begins.
fn depth(figure: &Figure, plane: &Plane) -> f64 {
    let near = figure.bounds.corners().map(|c| -plane.flat(c).z).fold(f64::INFINITY, f64::min);
    if near.is_finite() { near.max(0.0) } else { 0.0 }
}

/// The lines of an element, lighter the farther they lie (a share of the whole depth), dashed below the ground, and its cut where
/// it is not hatched.
fn lines(sheet: &mut Sheet<'_>, figure: &Figure, share: f64, ground: Option<&Ground>) {
    let subject = figure.role.subject;
    let order = if figure.is_cut() { Order::Cut } else { Order::Seen };
    // the lines of a terrain's triangles say nothing; its cut is the ground
    if !figure.seen.visible.is_empty() && !is_ground(figure) {
        let (near, light) = (sheet.style.weights.seen.0, sheet.style.weights.seen_far.0);
        let stroke = sheet.line(Positive(near + (light - near) * share));
        let (mut over, mut under) = (Vec::new(), Vec::new());
        for line in &figure.seen.visible {
            let whole = || [vec![line.clone()], Vec::new()];
            let [above, below] = ground.map_or_else(whole, |ground| ground.parted(line));
            over.extend(above.iter().map(|l| sheet.subpath(l, false)));
            under.extend(below.iter().map(|l| sheet.subpath(l, false)));
        }
        let mut nodes = Vec::new();
        if !over.is_empty() {
            nodes.push(stroked(over, stroke, subject, Part::Seen));
        }
        if !under.is_empty() {
            let dashed = sheet.dashed(sheet.style.weights.hidden, &sheet.style.dashes.hidden);
            nodes.push(stroked(under, dashed, subject, Part::Hidden));
        }
        sheet.group(order, Some(figure.id)).nodes.splice(0..0, nodes);
    }
    if !figure.role.is_heavy && figure.is_cut() {
        poche::draw_light(sheet, figure, order);
    }
    if figure.role.is_heavy && !is_ground(figure) && !figure.seen.cut.lines.is_empty() {
        let stroke = sheet.line(sheet.style.weights.cut_light);
        let paths = figure.seen.cut.lines.iter().map(|l| sheet.subpath(l, false)).collect();
        sheet.put(order, Some(figure.id), [stroked(paths, stroke, subject, Part::Cut)]);
    }
}

/// Draws how the windows of an elevation open of which most is seen, those that lead inside left out.
fn sashes(sheet: &mut Sheet<'_>, links: &Links<'_>, viewed: &Viewed) {
    let shaper = Shaper::plain(links.model());
    for figure in viewed.figures.iter().filter(|f| f.role.subject == Subject::Window) {
        if is_mostly(figure, &viewed.plane) && !is_inside(sheet, figure) {
            let [low, high] = reach(figure.seen.visible.iter().flatten().copied());
            sash::draw(sheet, &shaper, links, (figure, &viewed.plane), [low, high]);
        }
    }
}

/// The least and greatest coordinates of what is built.
fn extent(viewed: &Viewed) -> Option<[DVec2; 2]> {
    let built = viewed.figures.iter().filter(|f| !is_ground(f));
    let points = built.flat_map(|f| {
        let cut = f.seen.cut.areas.iter().flat_map(|a| &a.outer);
        f.seen.visible.iter().flatten().chain(cut)
    });
    let (low, high) =
        points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    (low.is_finite() && high.is_finite()).then_some([low, high])
}

/// Marks of storeys in a row to the right; one whose words have no room stands farther out.
fn levels(sheet: &mut Sheet<'_>, model: &Model, plane: &Plane, [low, high]: [DVec2; 2]) {
    let slack = 3.0;
    for (storey, z) in storeys_by_height(model) {
        let y = z - plane.frame().translation.z;
        if y < low.y - slack || y > high.y + slack {
            continue;
        }
        let edge = sheet.at(DVec2::new(high.x, y));
        let words = format!("{} {}", sheet.style.level(z), title(model, storey));
        let room = |x: f64| level::room_of(sheet, DVec2::new(x, edge.y), &words);
        let mut x = edge.x + LEVELS;
        let usual = x;
        for _ in 0..6 {
            if !sheet.is_taken(&room(x)) {
                break;
            }
            x += room(x).half.x * 2.0 + 6.0;
        }
        if sheet.is_taken(&room(x)) {
            continue;
        }
        level::mark(sheet, DVec2::new(x, edge.y), &words, z.abs() < 0.005);
        // the line of a mark that stands farther out does not go through the words before it
        let start = if x > usual { x - LEVELS / 2.0 } else { edge.x + 2.0 };
        let style = sheet.style;
        let stroke = sheet.dashed(style.weights.seen, &style.dashes.level);
        let line = super::sheet::through(&[DVec2::new(start, edge.y), DVec2::new(x + 3.0, edge.y)], false);
        sheet.put(Order::Below, Some(storey), [stroked(vec![line], stroke, Subject::Level, Part::Seen)]);
    }
}

/// Chains of heights to the left: sills and heads of openings, storeys, and the whole.
fn heights(
    sheet: &mut Sheet<'_>,
    links: &Links<'_>,
    viewed: &Viewed,
    [low, high]: [DVec2; 2],
) -> Vec<Dimension> {
    let style = sheet.style.dimensions.clone();
    let base = viewed.plane.frame().translation.z;
    let foot = |z: f64| DVec2::new(low.x, z);
    let ends = [foot(low.y), foot(high.y)];
    let is_cut_any = viewed.figures.iter().any(Figure::is_cut);
    let openings = viewed.figures.iter().filter(|f| {
        matches!(f.role.subject, Subject::Door | Subject::Window)
            && if is_cut_any { f.is_cut() } else { is_mostly(f, &viewed.plane) && !is_inside(sheet, f) }
    });
    let shaper = Shaper::plain(sheet.scene.model());
    let mut sills: Vec<DVec2> = openings
        .flat_map(|f| {
            let heights = filling::extent(filling::hole(&shaper, links, f.id).iter().map(|p| p.z));
            if heights[0].is_finite() { heights } else { [f.bounds.min.z, f.bounds.max.z] }
        })
        .map(|z| foot(z - base))
        .collect();
    sills.sort_by(|a, b| a.y.total_cmp(&b.y));
    sills.dedup_by(|a, b| (a.y - b.y).abs() < SAME_HEIGHT);
    sills.retain(|p| p.y > low.y && p.y < high.y);
    if sills.is_empty() || sills.len() > MOST_HEIGHTS {
        sills.clear();
    } else {
        sills.extend(ends);
    }
    let storeys = storeys_by_height(sheet.scene.model()).into_iter().map(|(_, z)| z - base);
    let mut floors: Vec<DVec2> = storeys.filter(|y| *y > low.y && *y < high.y).map(foot).collect();
    if !floors.is_empty() {
        floors.extend(ends);
    }
    let mut told = Vec::new();
    let mut row = 0;
    for (of, feet) in [(Of::Heights, sills), (Of::Storeys, floors), (Of::Overall, ends.to_vec())] {
        if feet.len() < 2 {
            continue;
        }
        let x = low.x - (style.first_row.0 + terrain::BESIDE + style.row.0 * f64::from(row)) / sheet.factor;
        let chain =
            Chain { of, feet, along: DVec2::Y, on: DVec2::new(x, 0.0), extended: true, element: None };
        told.extend(draw_chain(sheet, &viewed.plane, &chain));
        row += 1;
    }
    told
}

/// Chains below a section: the walls and columns cut of the storey that has most of them, what lies between them, and the whole.
fn widths(sheet: &mut Sheet<'_>, viewed: &Viewed, [low, _]: [DVec2; 2]) -> Vec<Dimension> {
    let style = sheet.style.dimensions.clone();
    let base = viewed.plane.frame().translation.z;
    let is_wall =
        |f: &&Figure| matches!(f.role.subject, Subject::Wall | Subject::Column | Subject::CurtainWall);
    let walls: Vec<[DVec2; 2]> = viewed
        .figures
        .iter()
        .filter(is_wall)
        .flat_map(|f| &f.seen.cut.areas)
        .map(|area| {
            let ends = [DVec2::INFINITY, DVec2::NEG_INFINITY];
            area.outer.iter().fold(ends, |[low, high], p| [low.min(*p), high.max(*p)])
        })
        .collect();
    let of_storey = |floor: f64| {
        let mut parts: Vec<[f64; 2]> = walls
            .iter()
            .filter(|[a, b]| b.y > floor + ABOVE_FLOOR && a.y < floor + REACH)
            .map(|[a, b]| [a.x, b.x])
            .collect();
        parts.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut joined: Vec<[f64; 2]> = Vec::new();
        for part in parts {
            match joined.last_mut() {
                Some(last) if part[0] <= last[1] + 1e-3 => last[1] = last[1].max(part[1]),
                _ => joined.push(part),
            }
        }
        joined
    };
    let storeys = storeys_by_height(sheet.scene.model()).into_iter().rev();
    let best = storeys.map(|(_, z)| of_storey(z - base)).max_by_key(Vec::len).unwrap_or_default();
    let feet: Vec<DVec2> = best.iter().flatten().map(|x| DVec2::new(*x, low.y)).collect();
    let ends: Vec<DVec2> = feet.first().into_iter().chain(feet.last()).copied().collect();
    let mut told = Vec::new();
    for (row, (of, feet)) in [(Of::Walls, feet), (Of::Overall, ends)].into_iter().enumerate() {
        let y = low.y - (style.first_row.0 + style.row.0 * row as f64) / sheet.factor;
        let chain =
            Chain { of, feet, along: DVec2::X, on: DVec2::new(0.0, y), extended: true, element: None };
        told.extend(draw_chain(sheet, &viewed.plane, &chain));
    }
    told
}

/// Returns true if most of an element is seen: sills and frames behind the wall may be hidden; of what is seen through a window, more is.
fn is_mostly(figure: &Figure, plane: &Plane) -> bool {
    let [low, high] = reach(figure.seen.visible.iter().flatten().copied());
    let [foot, top] = reach(figure.bounds.corners().map(|c| plane.flat(c).truncate()));
    (high - low).cmpge((top - foot) * MOSTLY).all()
}

/// The least and greatest coordinates of points.
fn reach(points: impl Iterator<Item = DVec2>) -> [DVec2; 2] {
    points.fold([DVec2::INFINITY, DVec2::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)])
}

/// Returns true if the file says of a door or window that it does not lead outside.
fn is_inside(sheet: &Sheet<'_>, figure: &Figure) -> bool {
    let model = sheet.scene.model();
    let stated = |set: &str| ifc::psets::get(model, figure.id, set, "IsExternal").and_then(|v| v.as_bool());
    stated("Pset_WindowCommon").or_else(|| stated("Pset_DoorCommon")) == Some(false)
}

/// The title of a view: its kind, and the wind that it looks to or is seen from.
fn heading(style: &Style, kind: Kind) -> String {
    let words = style.words();
    let wind = |way: DVec2| {
        let eighth = (way.to_angle() / std::f64::consts::FRAC_PI_4).round() as i64;
        let at = eighth.rem_euclid(8) as usize;
        words.winds.get(at).cloned().unwrap_or_default()
    };
    let is_level = |normal: DVec3| unit(normal).is_some_and(|n| n.z.abs() > 0.999);
    match kind {
        Kind::Section { normal, .. } if is_level(normal) => words.section.clone(),
        Kind::Section { normal, .. } => {
            format!("{} {} {}", words.section, words.looking, wind(-normal.truncate()))
        }
        Kind::Elevation { direction } => format!("{} {}", words.elevation, wind(direction)),
        _ => words.axonometry.clone(),
    }
}
