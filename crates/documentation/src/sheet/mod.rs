//! Sheets: drawings to scale on paper of a standard size, with frame, title block, revisions, legend, notes, tables and pictures.
//!
//! [`draw`] makes one sheet of a [`SheetDefinition`], [`set::draw`] several as one document. Views that name no place are laid out in rows;
//! nothing lies over anything else, and what has no room is one error that says what would do. A [`Cache`] keeps drawings, so that after an
//! edit only those are made again that show something of it.

mod arrange;
mod block;
mod cache;
mod content;
mod definition;
mod draw;
mod error;
mod frame;
mod keynote;
mod legend;
mod picture;
mod place;
mod remedy;
mod revision;
pub mod set;
mod size;
mod table;
mod view;
mod words;

pub use block::SHIPPED as TITLE_BLOCKS;
pub use cache::Cache;
pub use definition::{Keynote, PlacedPicture, Revision, SheetDefinition, Table, TitleBlock, ViewDefinition};
pub use error::BadSheet;
pub use place::Room;
pub use size::{Orientation, Series, Size};

use crate::drawing::Drawing;
use crate::drawing::shapes::move_by;
use crate::style::Style;
use arrange::{Arranged, Given, NoPlace, arrange};
use content::{Contents, Digest};
use geometry::scene::{GoOn, Scene};
use ifc::Model;
use paper::{Group, Node, Page};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use words::Words;

/// A sheet that is made.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// The page.
    pub page: Page,
    /// Its number.
    pub number: String,
    /// Its name.
    pub name: String,
    /// Its views, in the order of the definition.
    pub views: Vec<PlacedView>,
    /// The room of the title block; `None` where it is a template of the whole sheet.
    pub title_block: Option<Room>,
    /// The area in which views may lie.
    pub drawing_area: Room,
    /// The names of the title block's fields that are empty, since nothing is known for them.
    pub empty_fields: Vec<String>,
    /// Things that are not drawn as they should be, in words.
    pub notes: Vec<String>,
}

/// A view on a sheet.
#[derive(Debug, Clone)]
pub struct PlacedView {
    /// Its title.
    pub title: String,
    /// The number of its scale.
    pub scale: f64,
    /// Its room on the sheet.
    pub room: Room,
    /// The drawing, in mm from the room's upper left corner.
    pub drawing: Arc<Drawing>,
}

/// Makes one sheet. `pictures` are PNG files by key. `Ok(None)` where `go_on` ended it; it is told how many views are done, of how many.
pub fn draw(
    scene: &Scene,
    definition: &SheetDefinition,
    style: &Style,
    pictures: &BTreeMap<String, Arc<[u8]>>,
    cache: &mut Cache,
    go_on: GoOn<'_>,
) -> Result<Option<Sheet>, BadSheet> {
    let _fonts = style.fonts.read.enter();
    let mut work = Work::new(scene, style, pictures, cache, go_on, definition.views.len());
    work.sheet(definition, [1, 1])
}

/// One run over a state of the model.
struct Work<'w> {
    scene: &'w Scene,
    style: &'w Style,
    style_key: Digest,
    contents: Contents<'w>,
    pictures: &'w BTreeMap<String, Arc<[u8]>>,
    cache: &'w mut Cache,
    go_on: GoOn<'w>,
    done: usize,
    total: usize,
}

impl<'w> Work<'w> {
    fn new(
        scene: &'w Scene,
        style: &'w Style,
        pictures: &'w BTreeMap<String, Arc<[u8]>>,
        cache: &'w mut Cache,
        go_on: GoOn<'w>,
        total: usize,
    ) -> Work<'w> {
        let (style_key, contents) = (cache::style_key(style), Contents::new(scene));
        Work { scene, style, style_key, contents, pictures, cache, go_on, done: 0, total }
    }

    /// The drawing of a view.
    fn drawing(&mut self, view: &ViewDefinition) -> Result<Option<Arc<Drawing>>, BadSheet> {
        let wanted = view::wanted(self.scene, view, self.style)?;
        let (go_on, done, total) = (self.go_on, self.done, self.total);
        let style = (self.style, &self.style_key);
        let drawn =
            self.cache.drawing(&mut self.contents, self.scene, &wanted, style, &|_, _| go_on(done, total));
        drawn.map_err(|bad| BadSheet::View { view: view.drawing.clone(), reason: bad.to_string() })
    }

    /// One sheet of a set, by its number from 1 and the number of all.
    fn sheet(
        &mut self,
        definition: &SheetDefinition,
        position: [usize; 2],
    ) -> Result<Option<Sheet>, BadSheet> {
        let mut drawings = Vec::with_capacity(definition.views.len());
        for view in &definition.views {
            let Some(drawing) = self.drawing(view)? else { return Ok(None) };
            drawings.push(drawing);
            self.done += 1;
            if !(self.go_on)(self.done, self.total) {
                return Ok(None);
            }
        }
        let words = Words::new(&self.style.language);
        let project = project_name(self.scene.model());
        let given = Given { style: self.style, words, pictures: self.pictures, position, project: &project };
        let arranged = match arrange(definition, &drawings, &given) {
            Ok(arranged) => arranged,
            Err(NoPlace::Bad(bad)) => return Err(bad),
            Err(NoPlace::View(at)) => return Err(remedy::told(self, definition, &drawings, &given, at)),
        };
        Ok(Some(composed(definition, drawings, arranged)))
    }
}

/// The name of the project, the long one where it has one; empty where it has none.
fn project_name(model: &Model) -> String {
    let project = model.of_class("IfcProject").first().and_then(|id| model.get(*id));
    let texts = project.map(|project| [project.text("LongName"), project.name()]);
    let mut texts = texts.into_iter().flatten().flatten();
    texts.find(|text| !text.trim().is_empty()).unwrap_or_default()
}

/// The sheet of drawings and places.
fn composed(definition: &SheetDefinition, drawings: Vec<Arc<Drawing>>, arranged: Arranged) -> Sheet {
    let Arranged { nodes: upper, views: rooms, block, area, empty, mut notes } = arranged;
    let mut nodes = Vec::with_capacity(upper.len() + rooms.len());
    let mut shown: HashSet<String> = HashSet::new();
    let mut symbols = BTreeMap::new();
    let mut views = Vec::with_capacity(rooms.len());
    for ((drawing, room), view) in drawings.into_iter().zip(rooms).zip(&definition.views) {
        let (bubbles, found) = keynote::bubbles(&drawing.page, &definition.keynotes);
        shown.extend(found);
        let mut own: Vec<Node> = drawing.page.nodes.iter().cloned().chain(bubbles).collect();
        for node in &mut own {
            move_by(node, room.low);
        }
        nodes.push(Node::Group(Group { nodes: own, ..Group::default() }));
        symbols.extend(drawing.page.symbols.clone());
        let title = drawing.page.title.clone();
        notes.extend(drawing.notes.iter().map(|note| match note.element {
            Some(element) => format!("{title}: {element} {}", note.words),
            None => format!("{title}: {}", note.words),
        }));
        views.push(PlacedView { title, scale: view.scale, room, drawing });
    }
    for note in &definition.keynotes {
        for element in note.elements.iter().filter(|element| !shown.contains(*element)) {
            let element: String = element.chars().take(40).collect();
            notes.push(format!("keynote {}: no view of the sheet shows {element}", note.number));
        }
    }
    nodes.extend(upper);
    let orientation = definition.orientation.unwrap_or(definition.size.usual());
    let title = format!("{} {}", definition.number, definition.name);
    let page = Page { size: definition.size.extent(orientation), title, nodes, symbols, ..Page::default() };
    Sheet {
        page,
        number: definition.number.clone(),
        name: definition.name.clone(),
        views,
        title_block: block,
        drawing_area: area,
        empty_fields: empty,
        notes,
    }
}
