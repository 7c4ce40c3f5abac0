//! Topics of the BIM Collaboration Format made of a model's elements: viewpoints that look at them, with a picture.

use crate::IfcCall;
use bcf::{
    Camera, Colouring, Component, Components, Eye, Guid, HeaderFile, Projection, View, Viewpoint, Visibility,
};
use contract::Fault;
use geometry::render::{self, Camera as Lens, Item, Look, Named, Setting};
use geometry::style::Colour;
use geometry::{Bounds, Scene};
use ifc::{Id, Model};
use std::collections::HashMap;

/// The size of a picture in pixels.
const SIZE: [u32; 2] = [800, 600];
/// Metres around the elements that are seen.
const AROUND: f64 = 1.0;
/// Metres around that in which others are drawn faintly.
const BEYOND: f64 = 2.0;
/// The share of the picture that is left free on each side.
const MARGIN: f64 = 0.04;

/// The colours of what a topic is about.
pub(crate) const RED: Colour = [208, 66, 60, 255];
pub(crate) const BLUE: Colour = [58, 110, 200, 255];
pub(crate) const GREEN: Colour = [62, 160, 85, 255];
pub(crate) const AMBER: Colour = [232, 160, 40, 255];

/// Elements of a model that a topic is about, each in a colour.
pub(crate) struct Subject<'a> {
    pub scene: &'a Scene,
    pub elements: Vec<(Id, Colour)>,
}

/// The model as a file that a topic speaks of.
pub(crate) fn header_file(model: &Model, name: Option<&contract::ModelRef>) -> HeaderFile {
    let project = model.of_class("IfcProject").into_iter().next().and_then(|id| guid_of(model, id));
    HeaderFile {
        project,
        spatial_element: None,
        is_external: true,
        filename: name.map(|name| format!("{}.ifc", name.id)),
        date: None,
        reference: name.and_then(|name| name.version.as_ref()).map(|version| format!("version {version}")),
    }
}

/// The GlobalId of an instance, where it is one that a component may have.
pub(crate) fn guid_of(model: &Model, id: Id) -> Option<String> {
    let guid = model.get(id)?.text("GlobalId")?;
    (guid.len() == 22).then_some(guid)
}

/// A viewpoint that looks at some elements from above, in their colours, with what is around them faintly; none if they have neither a
/// GlobalId nor a shape. Without `with_picture` it has no picture.
pub(crate) fn viewpoint(
    call: &IfcCall,
    guid: Guid,
    subjects: &[Subject<'_>],
    with_picture: bool,
) -> Result<Option<Viewpoint>, Fault> {
    let components = components(subjects);
    let boxes = boxes(subjects);
    if boxes.is_empty() && components.selection.is_empty() {
        return Ok(None);
    }
    let aspect = f64::from(SIZE[0]) / f64::from(SIZE[1]);
    let lens = Lens::named(Named::SouthEast, &boxes, aspect, MARGIN);
    let snapshot = match lens.filter(|_| with_picture) {
        Some(lens) => Some(picture(call, subjects, &boxes, &lens)?),
        None => None,
    };
    let view = View {
        components: Some(components),
        camera: lens.map(|lens| camera(&lens, aspect)),
        ..View::default()
    };
    Ok(Some(Viewpoint { guid, index: Some(0), snapshot, view: Some(view) }))
}

fn components(subjects: &[Subject<'_>]) -> Components {
    let mut components = Components { visibility: Visibility::default(), ..Components::default() };
    for subject in subjects {
        for (id, colour) in &subject.elements {
            let Some(guid) = guid_of(subject.scene.model(), *id) else { continue };
            let component = Component { ifc_guid: Some(guid), ..Component::default() };
            components.selection.push(component.clone());
            let [red, green, blue, _] = colour;
            let colour = format!("{red:02X}{green:02X}{blue:02X}");
            match components.colouring.iter_mut().find(|known| known.colour == colour) {
                Some(known) => known.components.push(component),
                None => components.colouring.push(Colouring { colour, components: vec![component] }),
            }
        }
    }
    components
}

/// The boxes around the elements that are drawn.
fn boxes(subjects: &[Subject<'_>]) -> Vec<Bounds> {
    let entries = subjects.iter().flat_map(|subject| {
        subject
            .elements
            .iter()
            .filter_map(|(id, _)| subject.scene.entry(*id))
            .filter(|entry| entry.is_drawn())
    });
    let boxes = entries.map(|entry| entry.bounds).filter(|bounds| !bounds.is_empty());
    boxes.map(|b| Bounds { min: b.min - AROUND, max: b.max + AROUND }).collect()
}

fn picture(
    call: &IfcCall,
    subjects: &[Subject<'_>],
    boxes: &[Bounds],
    lens: &Lens,
) -> Result<Vec<u8>, Fault> {
    let whole = boxes.iter().fold(Bounds::EMPTY, |all, own| all.join(own));
    let mut items: Vec<Item> = Vec::new();
    for subject in subjects {
        let colours: HashMap<Id, Colour> = subject.elements.iter().copied().collect();
        for mut item in render::of_scene(subject.scene) {
            match colours.get(&item.element) {
                Some(colour) => item.look = Look::Colour(*colour),
                None if item.look == Look::Hidden || !item.bounds().meets(&whole, BEYOND) => continue,
                None => item.look = Look::Ghost,
            }
            items.push(item);
        }
    }
    let watch = call.watch.as_ref();
    let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
    let failed = |error: render::PictureError| match error {
        render::PictureError::Cancelled => Fault::given_up("export_bcf"),
        error => Fault::backend(format!("A picture of a topic cannot be drawn: {error}.")),
    };
    let drawn = render::draw(&items, lens, &Setting::new(SIZE[0], SIZE[1]), &go_on).map_err(failed)?;
    drawn.png().map_err(failed)
}

/// The camera of a picture as topics say it.
fn camera(lens: &Lens, aspect: f64) -> Camera {
    let eye =
        Eye { point: lens.eye().to_array(), direction: (-lens.back()).to_array(), up: lens.up().to_array() };
    let seen = 1.0 / lens.heights_per_metre(1.0);
    let projection = if lens.is_perspective() {
        Projection::Perspective(2.0 * (seen / 2.0).atan().to_degrees())
    } else {
        Projection::Orthogonal(seen)
    };
    Camera { eye, projection, aspect: Some(aspect) }
}
