//! Two drawings over each other: the newer one in grey, green and amber, old outlines, and what is gone in red.

use super::colours::{AMBER, GREEN, GREY, Ink, RED, ink, is_framing};
use super::lines::{Loops, Piece, only, parted, pieces};
use super::page::Drawn;
use super::{Change, ChangeKind, Difference, What, cloud};
use crate::drawing::shapes::{Reach, filled, move_by, stroked, through};
use crate::drawing::{Drawing, Place};
use crate::style::Style;
use geometry::region::Area;
use geometry::view::Seen;
use glam::DVec2;
use ifc::Id;
use paper::{Colour, Fill, Group, Node, Part, Stroke, Subject, Subpath};
use std::collections::HashMap;

/// The width of lines of old outlines, in mm.
pub(super) const THIN: f64 = 0.13;
/// The dashes of what is hidden, in mm.
const DASHES: [f64; 2] = [1.4, 0.9];

/// A version's drawing, and where its elements are in it.
struct Version {
    drawing: Drawing,
    shown: HashMap<Id, usize>,
}

impl Version {
    fn new(drawing: Drawing) -> Version {
        let shown = drawing.shown.iter().enumerate().map(|(n, s)| (s.element, n)).collect();
        Version { drawing, shown }
    }

    fn seen(&self, id: Option<Id>) -> Option<&Seen> {
        self.drawing.shown.get(*self.shown.get(&id?)?)
    }

    fn room(&self, id: Option<Id>) -> Option<&crate::drawing::Room> {
        self.drawing.rooms.iter().find(|room| id.is_some() && room.id == id)
    }
}

/// All that is drawn so far, by how deep it lies.
#[derive(Default)]
pub(super) struct Layers {
    pub tints: Vec<Node>,
    pub same: Vec<Node>,
    pub different: Vec<Node>,
    pub old: Vec<Node>,
    pub gone: Vec<Node>,
    pub framing: Vec<Node>,
}

/// Puts both drawings, of which one may be missing, on one page.
pub(super) fn compose(
    [old, new]: [Option<Drawing>; 2],
    mut changes: Vec<Change>,
    listed: bool,
    style: &Style,
) -> Option<Difference> {
    let title = new.as_ref().or(old.as_ref())?.page.title.clone();
    let (old, new) = (old.map(Version::new), new.map(Version::new));
    let place = new.as_ref().or(old.as_ref())?.drawing.place;
    let mut layers = Layers::default();
    let inks: HashMap<&str, &Ink> = changes
        .iter()
        .filter_map(|c| match c.kind() {
            ChangeKind::New => Some((c.global_id.as_str(), &GREEN)),
            ChangeKind::Changed => Some((c.global_id.as_str(), &AMBER)),
            ChangeKind::Removed => None,
        })
        .collect();
    let mut groups: HashMap<String, [DVec2; 2]> = HashMap::new();
    if let Some(new) = &new {
        take_new(&new.drawing, &inks, &mut layers, &mut groups);
    }
    let cut_now = new.as_ref().map(|v| cut_areas(&v.drawing)).unwrap_or_default();
    let mut boxes = Vec::new();
    for change in &changes {
        let drawn = match change.kind() {
            ChangeKind::Removed => {
                old.as_ref().and_then(|old| gone(old, change, &place, &cut_now, &mut layers))
            }
            _ => changed(old.as_ref(), new.as_ref(), change, &place, &groups, &mut layers),
        };
        boxes.extend(drawn.filter(|[a, b]| a.is_finite() && b.is_finite()).map(|b| (change.number, b)));
    }
    if new.is_none()
        && let Some(old) = &old
    {
        // nothing is left of what was there: title and scale are those of the older version
        layers.framing = framing(&old.drawing.page.nodes);
    }
    let clouds = cloud::clouds(&boxes);
    let number_of: HashMap<usize, usize> =
        clouds.iter().flat_map(|c| c.changes.iter().map(|n| (*n, c.number))).collect();
    for change in &mut changes {
        change.cloud = number_of.get(&change.number).copied();
    }
    let drawn = Drawn { title, place, boxes, clouds, changes, layers };
    Some(drawn.page(style, listed))
}

/// Takes the newer drawing apart: what is the same in grey, what is not in its ink.
fn take_new(
    drawing: &Drawing,
    inks: &HashMap<&str, &Ink>,
    layers: &mut Layers,
    groups: &mut HashMap<String, [DVec2; 2]>,
) {
    layers.framing = framing(&drawing.page.nodes);
    for node in &drawing.page.nodes {
        let Node::Group(group) = node else { continue };
        let mut own = group.clone();
        own.nodes.retain(|node| !is_framing_node(node));
        let guid = own.about.as_ref().map(|about| about.global_id.as_str());
        let found = guid.and_then(|guid| inks.get(guid)).copied();
        if let (Some(guid), Some(_)) = (guid, found) {
            let mut reach = Reach::default();
            own.nodes.iter().filter(|n| !matches!(n, Node::Text(_))).for_each(|n| reach.node(n));
            if let Some(bounds) = reach.bounds() {
                groups.insert(guid.to_owned(), bounds);
            }
        }
        let mut node = Node::Group(own);
        ink(&mut node, found.unwrap_or(&GREY));
        if found.is_some() { layers.different.push(node) } else { layers.same.push(node) }
    }
}

fn is_framing_node(node: &Node) -> bool {
    match node {
        Node::Path(path) => is_framing(path.layer.map(|l| l.subject)),
        Node::Text(text) => is_framing(text.layer.map(|l| l.subject)),
        _ => false,
    }
}

fn framing(nodes: &[Node]) -> Vec<Node> {
    let groups = nodes.iter().filter_map(|n| if let Node::Group(group) = n { Some(group) } else { None });
    groups.flat_map(|g| &g.nodes).filter(|n| is_framing_node(n)).cloned().collect()
}

/// The areas that a drawing's plane cuts, each with its least and greatest corner, in metres of the plane.
fn cut_areas(drawing: &Drawing) -> Vec<(Loops, [DVec2; 2])> {
    let areas = drawing.shown.iter().flat_map(|seen| &seen.cut.areas);
    areas
        .map(|area| {
            let ends = [DVec2::INFINITY, DVec2::NEG_INFINITY];
            let bounds = area.outer.iter().fold(ends, |[a, b], p| [a.min(*p), b.max(*p)]);
            (area.loops().cloned().collect(), bounds)
        })
        .collect()
}

fn subpaths(pieces: &[Piece], place: &Place) -> Vec<Subpath> {
    pieces.iter().map(|piece| through(&piece.map(|p| place.flat(p)), false)).collect()
}

fn bounds_of(points: impl Iterator<Item = DVec2>) -> Option<[DVec2; 2]> {
    let ends = [DVec2::INFINITY, DVec2::NEG_INFINITY];
    let [low, high] = points.fold(ends, |[a, b], p| [a.min(p), b.max(p)]);
    (low.is_finite() && high.is_finite()).then_some([low, high])
}

/// A stroke.
pub(super) fn line(width: f64, colour: Colour, dashes: &[f64]) -> Stroke {
    Stroke { width, colour, dashes: dashes.to_vec() }
}

fn joined(a: Option<[DVec2; 2]>, b: Option<[DVec2; 2]>) -> Option<[DVec2; 2]> {
    match (a, b) {
        (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
        (a, b) => a.or(b),
    }
}

/// Draws an element that was in the older version alone: a light red where it was cut, and its lines, dashed where something is cut now. The box around it.
fn gone(
    old: &Version,
    change: &Change,
    place: &Place,
    cut_now: &[(Loops, [DVec2; 2])],
    layers: &mut Layers,
) -> Option<[DVec2; 2]> {
    let mut nodes = Vec::new();
    let own = if let Some(seen) = old.seen(change.before) {
        let areas = seen.cut.areas.iter().flat_map(Area::loops);
        let tint: Vec<Subpath> = areas.map(|l| ring(l, place)).collect();
        if !tint.is_empty() {
            layers.tints.push(filled(tint, Fill::Solid(RED.ground), Subject::Revision, Part::Pattern));
        }
        pieces(seen)
    } else {
        Vec::new()
    };
    // symbols of doors and windows are drawn as they were, and what was above the cut
    let shift = place.origin - old.drawing.place.origin;
    let is_symbol = |node: &&Node| match node {
        Node::Path(path) => {
            path.stroke.is_some() && path.layer.is_some_and(|l| matches!(l.part, Part::Symbol | Part::Hidden))
        }
        _ => false,
    };
    let of_it = old.drawing.page.nodes.iter().filter_map(|node| match node {
        Node::Group(group) => Some(group),
        _ => None,
    });
    let of_it = of_it.filter(|g| g.about.as_ref().is_some_and(|a| a.global_id == change.global_id));
    for node in of_it.flat_map(|g| &g.nodes).filter(is_symbol) {
        let mut node = node.clone();
        move_by(&mut node, shift);
        ink(&mut node, &RED);
        if let Node::Path(path) = &mut node {
            path.fill = None;
        }
        nodes.push(node);
    }
    let room = old.room(change.before);
    let mut outline: Vec<Piece> = Vec::new();
    if let Some(room) = room {
        outline = room_pieces(room, place);
        nodes.push(stroked(
            subpaths(&outline, place),
            line(THIN, RED.line, &DASHES),
            Subject::Revision,
            Part::Hidden,
        ));
    }
    let [hidden, open] = parted(&own, cut_now);
    if !open.is_empty() {
        let stroke = line(THIN * 1.9, RED.line, &[]);
        nodes.push(stroked(subpaths(&open, place), stroke, Subject::Revision, Part::Seen));
    }
    if !hidden.is_empty() {
        let stroke = line(THIN * 1.9, RED.line, &DASHES);
        nodes.push(stroked(subpaths(&hidden, place), stroke, Subject::Revision, Part::Hidden));
    }
    if nodes.is_empty() {
        return None;
    }
    let mut reach = Reach::default();
    for node in &nodes {
        reach.node(node);
    }
    let about = paper::About {
        global_id: change.global_id.clone(),
        class: change.class.clone(),
        name: Some(change.name.clone()),
    };
    layers.gone.push(Node::Group(Group { about: Some(about), nodes, ..Group::default() }));
    let all = own.iter().chain(&outline).flatten().map(|p| place.flat(*p));
    joined(reach.bounds(), bounds_of(all))
}

fn ring(points: &[DVec2], place: &Place) -> Subpath {
    let points: Vec<DVec2> = points.iter().map(|p| place.flat(*p)).collect();
    through(&points, true)
}

/// The outline of a room in metres of the plane; rooms are in metres of the world.
fn room_pieces(room: &crate::drawing::Room, place: &Place) -> Vec<Piece> {
    let flat = |p: &DVec2| place.plane.flat(p.extend(0.0)).truncate();
    let loops = room.cut.iter().flat_map(Area::loops);
    loops.flat_map(|l| l.iter().zip(l.iter().cycle().skip(1)).map(|(a, b)| [flat(a), flat(b)])).collect()
}

/// Draws an element of the newer version, new or changed: its old outline where it has another, and the box around what is different.
fn changed(
    old: Option<&Version>,
    new: Option<&Version>,
    change: &Change,
    place: &Place,
    groups: &HashMap<String, [DVec2; 2]>,
    layers: &mut Layers,
) -> Option<[DVec2; 2]> {
    let lines_of = |version: Option<&Version>, id: Option<Id>| -> Vec<Piece> {
        let Some(version) = version else { return Vec::new() };
        let seen = version.seen(id).map(pieces);
        seen.or(version.room(id).map(|room| room_pieces(room, place))).unwrap_or_default()
    };
    let (was, is) = (lines_of(old, change.before), lines_of(new, change.after));
    if let Some(room) = new.and_then(|v| v.room(change.after)) {
        let colour = if change.kind() == ChangeKind::New { GREEN.ground } else { AMBER.ground };
        let flat = |p: &DVec2| place.plane.flat(p.extend(0.0)).truncate();
        let loops = room.cut.iter().flat_map(Area::loops);
        let tint = loops.map(|l| ring(&l.iter().map(flat).collect::<Vec<_>>(), place)).collect();
        layers.tints.push(filled(tint, Fill::Solid(colour), Subject::Revision, Part::Pattern));
    }
    let own = groups.get(&change.global_id).copied();
    if was.is_empty() && is.is_empty() && own.is_none() {
        return None;
    }
    let is_reshaped = change
        .whats
        .iter()
        .any(|what| matches!(what, What::Moved { .. } | What::Shape { .. } | What::Openings { .. }));
    let flat = |pieces: &[Piece]| bounds_of(pieces.iter().flatten().map(|p| place.flat(*p)));
    let whole = joined(own, flat(&is));
    if change.kind() != ChangeKind::Changed || !is_reshaped {
        return whole;
    }
    let left = only(&was, &is);
    if !left.is_empty() {
        let stroke = line(THIN, RED.line, &[]);
        layers.old.push(stroked(subpaths(&left, place), stroke, Subject::Revision, Part::Hidden));
    }
    // a wall with another opening is not clouded from end to end
    let different = joined(flat(&left), flat(&only(&is, &was)));
    if is.is_empty() { joined(whole, different) } else { different.or(whole) }
}
