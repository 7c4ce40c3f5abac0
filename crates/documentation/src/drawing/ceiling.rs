//! Reflected ceiling plans: a storey seen upwards, mirrored as if on the floor, with the clear heights of its rooms.

use super::plan::{asked, finish};
use super::sheet::{Order, Sheet, stroked};
use super::viewed::Viewed;
use super::{BadDrawing, Drawing, Note, Wanted, frame, poche, room};
use crate::style::Style;
use building::picture::title;
use geometry::Shaper;
use geometry::scene::Scene;
use ifc::Id;
use paper::{Part, Subject};

/// Draws the ceiling plan of a storey.
pub(super) fn draw(
    scene: &Scene,
    wanted: &Wanted,
    style: &Style,
    storey: Id,
    viewed: Viewed,
) -> Result<Drawing, BadDrawing> {
    let model = scene.model();
    let mut sheet = Sheet::new(scene, style, wanted.scale);
    sheet.mirror = -1.0;
    poche::draw(&mut sheet, &viewed.figures);
    for figure in &viewed.figures {
        let (subject, order) = (figure.role.subject, figure.role.order);
        let order = if figure.is_cut() { Order::Cut } else { order };
        if !figure.seen.visible.is_empty() {
            let paths = figure.seen.visible.iter().map(|l| sheet.subpath(l, false)).collect();
            let node = stroked(paths, sheet.line(style.weights.seen), subject, Part::Seen);
            sheet.group(order, Some(figure.id)).nodes.insert(0, node);
        }
        // leaves and frames below the ceiling are no part of it; where they are cut, the opening is
        let is_filling = matches!(subject, Subject::Door | Subject::Window);
        if figure.is_cut() && !figure.role.is_heavy && !is_filling {
            poche::draw_light(&mut sheet, figure, order);
        }
    }
    let mut notes = Vec::new();
    let height = viewed.plane.frame().translation.z;
    let rooms = room::rooms(scene, &Shaper::plain(model), storey, height, &mut notes);
    for place in room::draw(&mut sheet, &rooms, room::Measure::Height) {
        let element = rooms.get(place).and_then(|room| room.id);
        notes.push(Note { element, words: "has no place for its name".to_owned() });
    }
    let dimensions = asked(&mut sheet, &viewed.plane, wanted, &mut notes);
    let words = style.words();
    let heading =
        wanted.title.clone().unwrap_or_else(|| format!("{} {}", words.ceiling_plan, title(model, storey)));
    frame::draw(&mut sheet, &heading, Some(ifc::georeference::true_north(model)));
    finish(sheet, viewed, heading, rooms, dimensions, notes)
}
