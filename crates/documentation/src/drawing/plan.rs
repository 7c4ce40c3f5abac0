//! Plans: what is cut and seen of a storey, doors and windows as symbols, rooms with their names.

use super::clip::sides;
use super::filling::{self, Filling};
use super::roles::Role;
use super::sheet::{Order, Sheet, stroked};
use super::stair::Stairs;
use super::viewed::{Figure, Viewed};
use super::words::Box2;
use super::{BadDrawing, Dimension, Drawing, Note, Place, Room, Wanted};
use super::{above, dimension, door, frame, grid, level, poche, room, tag, window};
use crate::style::{FurnitureStyle, Style};
use building::picture::title;
use building::storey::floor_height;
use geometry::region::Area;
use geometry::scene::Scene;
use geometry::section::Plane;
use geometry::{Bounds, Shaper};
use glam::{DVec2, DVec3};
use ifc::Id;
use ifc::relations::Links;
use paper::{Part, Subject};
use std::collections::{HashMap, HashSet};

/// The margin around a drawing, in mm.
pub(super) const MARGIN: f64 = 10.0;

/// Draws a plan of a storey, cut so many metres above its floor.
pub(super) fn draw(
    scene: &Scene,
    links: &Links<'_>,
    wanted: &Wanted,
    style: &Style,
    (storey, height): (Id, f64),
    mut viewed: Viewed,
) -> Result<Drawing, BadDrawing> {
    let model = scene.model();
    let shaper = Shaper::plain(model);
    let mut sheet = Sheet::new(scene, style, wanted.scale);
    let mut notes = Vec::new();
    let floor = floor_height(model, storey);
    let cut_at = floor + height;
    let stairs = Stairs::read(scene, links, floor, cut_at);
    let climbs: HashSet<Id> = stairs.elements().collect();
    for figure in viewed.figures.iter_mut().filter(|f| climbs.contains(&f.id)) {
        figure.pieces.clear();
    }
    let fillings = fillings(scene, &shaper, links, &viewed, storey);
    let by_id: HashMap<Id, &Filling> = fillings.iter().map(|f| (f.id, f)).collect();
    poche::draw(&mut sheet, &viewed.figures);
    for figure in &viewed.figures {
        if !by_id.contains_key(&figure.id) && !climbs.contains(&figure.id) {
            draw_figure(&mut sheet, figure);
        }
    }
    let mut drawn = above::draw(&mut sheet, &viewed.figures, floor, cut_at);
    drawn.extend(viewed.figures.iter().flat_map(|f| {
        let cut = f.seen.cut.areas.iter().flat_map(|area| &area.outer);
        f.seen.visible.iter().flatten().chain(cut)
    }));
    stairs.draw(&mut sheet, &viewed.figures);
    let before = sheet.busy.len();
    for filling in &fillings {
        let figure = viewed.figures.iter().find(|f| f.id == filling.id);
        if !filling.is_door || filling.sill >= cut_at {
            window::draw(&mut sheet, filling, figure, cut_at);
        } else if let Some(words) = door::draw(&mut sheet, &shaper, filling, figure) {
            notes.push(Note { element: Some(filling.id), words: words.to_owned() });
        }
    }
    let swings: Vec<DVec2> =
        sheet.busy.iter().skip(before).flat_map(Box2::corners).map(|p| sheet.from(p)).collect();
    let rooms = room::rooms(scene, &shaper, storey, cut_at, &mut notes);
    for place in room::draw(&mut sheet, &rooms, room::Measure::Area) {
        let element = rooms.get(place).and_then(|room| room.id);
        notes.push(Note { element, words: "has no place for its name".to_owned() });
    }
    level::on_plan(&mut sheet, &rooms, floor);
    let axes = grid::axes(&shaper, storey);
    let mut dimensions = Vec::new();
    let facades = dimension::outline(&viewed.figures, &fillings);
    if wanted.dimensions {
        if let Some(facades) = &facades {
            let lines: Vec<[DVec2; 2]> = axes.iter().filter_map(grid::Axis::ends).collect();
            let cut: Vec<Filling> =
                fillings.iter().filter(|f| f.sill < cut_at && f.head > cut_at).cloned().collect();
            let kept = [swings.as_slice(), &drawn];
            let told = dimension::draw_facades(&mut sheet, &viewed.plane, facades, &cut, &lines, kept);
            dimensions.extend(told);
        }
        if sheet.rule.inner_dimensions {
            let along = facades.as_ref().map_or(DVec2::X, |f| f.along);
            dimensions.extend(dimension::draw_inner(&mut sheet, &viewed.plane, &rooms, along));
        }
    }
    dimensions.extend(asked(&mut sheet, &viewed.plane, wanted, &mut notes));
    if sheet.rule.opening_tags {
        let cut = viewed.figures.iter().filter(|f| f.role.is_heavy).flat_map(|f| &f.seen.cut.areas);
        let sides = cut.flat_map(Area::loops).flat_map(sides);
        sheet.walls = sides.map(|(a, b)| [sheet.at(a), sheet.at(b)]).collect();
        let left_out = tag::draw(&mut sheet, &fillings).into_iter();
        notes.extend(
            left_out.map(|id| Note { element: Some(id), words: "has no place for its mark".to_owned() }),
        );
    }
    grid::draw(&mut sheet, &axes);
    let words = style.words();
    let title = wanted.title.clone().unwrap_or_else(|| format!("{} {}", words.plan, title(model, storey)));
    frame::draw(&mut sheet, &title, Some(ifc::georeference::true_north(model)));
    finish(sheet, viewed, title, rooms, dimensions, notes)
}

/// Draws the dimensions asked for; those that cannot be drawn are noted.
pub(super) fn asked(
    sheet: &mut Sheet<'_>,
    plane: &Plane,
    wanted: &Wanted,
    notes: &mut Vec<Note>,
) -> Vec<Dimension> {
    let (told, failed) = dimension::draw_asked(sheet, plane, &wanted.asked);
    let note = |n: usize| Note {
        element: None,
        words: format!("the dimension asked for as number {} has no length here", n + 1),
    };
    notes.extend(failed.into_iter().map(note));
    told
}

/// The drawing of a sheet, and what is on it.
pub(super) fn finish(
    sheet: Sheet<'_>,
    viewed: Viewed,
    title: String,
    rooms: Vec<Room>,
    dimensions: Vec<Dimension>,
    mut notes: Vec<Note>,
) -> Result<Drawing, BadDrawing> {
    if viewed.figures.is_empty() {
        return Err(BadDrawing::NothingMet);
    }
    let mute = dimensions.iter().filter(|d| d.words.is_empty()).count();
    if mute > 0 {
        notes
            .push(Note { element: None, words: format!("{mute} dimensions have no room for their figures") });
    }
    for figure in &viewed.figures {
        let words = if sheet.scene.entry(figure.id).is_some_and(|e| e.is_box) {
            "is drawn as a box: its shape, or a part of it, could not be made"
        } else if figure.seen.cut.is_partial {
            "has a cut that is not whole: too many of its faces lie in the plane"
        } else {
            continue;
        };
        notes.push(Note { element: Some(figure.id), words: words.to_owned() });
    }
    let cut = viewed.figures.iter().filter(|f| f.is_cut());
    let guid = |id: Id| sheet.scene.entry(id).map(|e| e.global_id.clone()).unwrap_or_default();
    let global_ids = viewed.figures.iter().map(|f| (f.id, guid(f.id))).collect();
    let (factor, mirror) = (sheet.factor, sheet.mirror);
    let (page, origin) = sheet.page(title, MARGIN).ok_or(BadDrawing::NothingMet)?;
    Ok(Drawing {
        cut: cut.clone().map(|f| f.id).collect(),
        seen: viewed.figures.iter().filter(|f| !f.is_cut()).map(|f| f.id).collect(),
        // no areas are 0 and not -0
        cut_area: cut.map(|f| f.seen.cut.size()).fold(0.0, |sum, size| sum + size),
        rooms,
        dimensions,
        notes,
        place: Place { plane: viewed.plane, origin, factor, mirror, reach: viewed.reach },
        global_ids,
        shown: viewed.figures.into_iter().map(|f| f.seen).collect(),
        page,
    })
}

/// The doors and windows that are on a plan: those met, and those of the storey that lie above the cut.
fn fillings(
    scene: &Scene,
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    viewed: &Viewed,
    storey: Id,
) -> Vec<Filling> {
    let is_filling = |class: &str| class.starts_with("IfcDoor") || class.starts_with("IfcWindow");
    let met: HashSet<Id> = viewed.figures.iter().map(|f| f.id).collect();
    let wanted: Vec<(Id, Bounds)> = scene
        .entries()
        .iter()
        .filter(|e| e.is_drawn() && is_filling(&e.class) && (met.contains(&e.id) || e.storey == Some(storey)))
        .map(|e| (e.id, e.bounds))
        .collect();
    let mesh = |id: Id| -> Vec<DVec3> { scene.shape(id).map(|s| s.mesh().positions).unwrap_or_default() };
    filling::fillings(shaper, links, viewed, &wanted, &mesh)
}

/// Draws the lines of an element, and its cut where it is not hatched.
fn draw_figure(sheet: &mut Sheet<'_>, figure: &Figure) {
    let Role { subject, is_heavy, order } = figure.role;
    let is_furniture = order == Order::Furniture && subject != Subject::Railing;
    if is_furniture {
        let points = [figure.bounds.min, figure.bounds.max].map(|p| sheet.at(p.truncate()));
        sheet.busy.push(Box2::between(points[0], points[1]));
        match sheet.rule.furniture {
            FurnitureStyle::None => return,
            FurnitureStyle::Outline => return outline(sheet, figure),
            FurnitureStyle::Lines => {}
        }
    }
    let width = if is_furniture { sheet.style.weights.furniture } else { sheet.style.weights.seen };
    let order = if figure.is_cut() && is_heavy { Order::Cut } else { order };
    if !figure.seen.visible.is_empty() {
        let lines = figure.seen.visible.iter().map(|l| sheet.subpath(l, false)).collect();
        let stroke = sheet.line(width);
        // lines lie under the cut of the same element
        let group = sheet.group(order, Some(figure.id));
        group.nodes.insert(0, stroked(lines, stroke, subject, Part::Seen));
    }
    if figure.is_cut() && !is_heavy {
        poche::draw_light(sheet, figure, order);
    } else if is_heavy && !figure.seen.cut.lines.is_empty() {
        let lines = figure.seen.cut.lines.iter().map(|l| sheet.subpath(l, false)).collect();
        let stroke = sheet.line(sheet.style.weights.cut_light);
        sheet.put(order, Some(figure.id), [stroked(lines, stroke, subject, Part::Cut)]);
    }
}

/// The outline of all lines and cuts of an element.
fn outline(sheet: &mut Sheet<'_>, figure: &Figure) {
    let cut = figure.seen.cut.areas.iter().flat_map(|a| &a.outer);
    let points: Vec<DVec2> = figure.seen.visible.iter().flatten().chain(cut).copied().collect();
    let hull = spatial::plan::hull(points);
    if hull.len() > 2 {
        let stroke = sheet.line(sheet.style.weights.furniture);
        let line = sheet.subpath(&hull, true);
        sheet.put(
            figure.role.order,
            Some(figure.id),
            [stroked(vec![line], stroke, figure.role.subject, Part::Seen)],
        );
    }
}
