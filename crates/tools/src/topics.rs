//! Topics of the BIM Collaboration Format made of a model's elements: viewpoints that look at them, with a picture.

use crate::IfcCall;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
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
/// The size of an image in a page in pixels.
pub(crate) const IMAGE: [u32; 2] = [640, 400];
/// Elements in one image at most.
const SHOWN: usize = 12;
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
        Some(lens) => Some(picture(call, subjects, &boxes, &lens, SIZE)?),
        None => None,
    };
    let view = View {
        components: Some(components),
        camera: lens.map(|lens| camera(&lens, aspect)),
        ..View::default()
    };
    Ok(Some(Viewpoint { guid, index: Some(0), snapshot, view: Some(view) }))
}

/// A picture of the first of some elements in red, as viewpoints have it, as the address of an image in a page; none where nothing of
/// them is drawn.
pub(crate) fn image(call: &IfcCall, elements: impl Iterator<Item = Id>) -> Result<Option<String>, Fault> {
    let scene = call.scene()?;
    let mut shown: Vec<(Id, Colour)> = Vec::new();
    for id in elements.filter(|id| scene.entry(*id).is_some_and(|entry| entry.is_drawn())) {
        // more would show the whole building in red
        if shown.len() >= SHOWN {
            break;
        }
        if shown.iter().all(|(own, _)| *own != id) {
            shown.push((id, RED));
        }
    }
    let subjects = [Subject { scene: &scene, elements: shown }];
    let boxes = boxes(&subjects);
    let lens = Lens::named(Named::SouthEast, &boxes, f64::from(IMAGE[0]) / f64::from(IMAGE[1]), MARGIN);
    let Some(lens) = lens.filter(|_| !boxes.is_empty()) else { return Ok(None) };
    let png = picture(call, &subjects, &boxes, &lens, IMAGE)?;
    Ok(Some(format!("data:image/png;base64,{}", STANDARD.encode(png))))
}

/// A picture of a view that has a camera, with what it selects in red; none where it has none, or nothing is selected that is drawn.
pub(crate) fn view_picture(
    call: &IfcCall,
    scene: &Scene,
    viewpoint: &Viewpoint,
) -> Result<Option<Vec<u8>>, Fault> {
    let model = scene.model();
    let ids = guids_of(viewpoint).into_iter().filter_map(|guid| model.by_guid(guid));
    let subjects = [Subject { scene, elements: ids.map(|id| (id, RED)).collect() }];
    let boxes = boxes(&subjects);
    let camera = viewpoint.view.as_ref().and_then(|view| view.camera);
    let Some(lens) = camera.and_then(|camera| lens(&camera)).filter(|_| !boxes.is_empty()) else {
        return Ok(None);
    };
    picture(call, &subjects, &boxes, &lens, SIZE).map(Some)
}

/// The camera of a view as pictures are drawn with it; none where its directions are none.
fn lens(camera: &Camera) -> Option<Lens> {
    let [eye, direction, up] =
        [camera.eye.point, camera.eye.direction, camera.eye.up].map(glam::DVec3::from_array);
    let projection = match camera.projection {
        Projection::Perspective(degrees) => render::Projection::Perspective((degrees / 2.0).to_radians()),
        Projection::Orthogonal(height) => render::Projection::Parallel(height / 2.0),
    };
    Lens::at(eye, eye + direction, up, projection)
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
    size: [u32; 2],
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
        render::PictureError::Cancelled => Fault::given_up("drawing pictures"),
        error => Fault::backend(format!("A picture of a topic cannot be drawn: {error}.")),
    };
    let drawn = render::draw(&items, lens, &Setting::new(size[0], size[1]), &go_on).map_err(failed)?;
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

/// The GlobalIds that a viewpoint speaks of: those that it selects and colours; where there are none, its exceptions of visibility.
pub(crate) fn guids_of(viewpoint: &Viewpoint) -> Vec<&str> {
    let Some(components) = viewpoint.view.as_ref().and_then(|view| view.components.as_ref()) else {
        return Vec::new();
    };
    let coloured = components.colouring.iter().flat_map(|colouring| &colouring.components);
    let meant: Vec<&str> =
        components.selection.iter().chain(coloured).filter_map(|own| own.ifc_guid.as_deref()).collect();
    if meant.is_empty() {
        return components.visibility.exceptions.iter().filter_map(|own| own.ifc_guid.as_deref()).collect();
    }
    meant
}
