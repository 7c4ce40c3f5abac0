//! The elements of a document, one within the other, as entities.

use super::style::{Look, Node, pixels};
use super::{length, path, upright, view_box};
use crate::builder::Builder;
use crate::drawing::{DEEPEST, Entity, Fill, Instance, Polyline, Shape, Style, Text, Vertex};
use crate::error::Error;
use crate::recognise::Role;
use glam::{DAffine2, DVec2};
use simplecss::StyleSheet;
use std::collections::HashMap;
use std::str::FromStr as _;
use svgtypes::{PointsParser, Transform};
use xml::Element;

/// Pieces of one path.
const MOST_PIECES: usize = 2_000_000;

/// Puts all that a document draws into the drawing.
pub(super) fn walk(root: &Element, builder: &mut Builder<'_>) -> Result<(), Error> {
    let mut ids = HashMap::new();
    let mut sheets = String::new();
    collect(root, &mut ids, &mut sheets);
    let sheet = StyleSheet::parse(&sheets);
    let mut walk = Walk { ids, sheet, builder, uses: 0 };
    let node = Node { element: root, parent: None, number: 0 };
    let state =
        State { map: upright(), look: Look::default(), layer: String::new(), instance: Entity::ALONE };
    let look = state.look.of_element(&node, &walk.sheet);
    walk.children(&node, &State { look, ..state })
}

fn collect<'a>(element: &'a Element, ids: &mut HashMap<&'a str, &'a Element>, sheets: &mut String) {
    if let Some(id) = element.attribute("id") {
        ids.entry(id).or_insert(element);
    }
    if element.name == "style" {
        sheets.push_str(&element.text);
        sheets.push('\n');
    }
    for child in &element.children {
        collect(child, ids, sheets);
    }
}

struct Walk<'a, 'b, 'w> {
    ids: HashMap<&'a str, &'a Element>,
    sheet: StyleSheet<'b>,
    builder: &'b mut Builder<'w>,
    /// References within each other.
    uses: usize,
}

#[derive(Clone)]
struct State {
    map: DAffine2,
    look: Look,
    layer: String,
    instance: u32,
}

impl Walk<'_, '_, '_> {
    fn children(&mut self, parent: &Node<'_>, state: &State) -> Result<(), Error> {
        for (number, element) in parent.element.children.iter().enumerate() {
            self.builder.check()?;
            let node = Node { element, parent: Some(parent), number };
            self.element(&node, state)?;
        }
        Ok(())
    }

    fn element(&mut self, node: &Node<'_>, outer: &State) -> Result<(), Error> {
        let element = node.element;
        let name = element.name.as_str();
        if matches!(
            name,
            "defs"
                | "style"
                | "title"
                | "desc"
                | "metadata"
                | "clipPath"
                | "mask"
                | "pattern"
                | "marker"
                | "symbol"
                | "linearGradient"
                | "radialGradient"
                | "filter"
                | "script"
                | "namedview"
        ) {
            return Ok(());
        }
        let look = outer.look.of_element(node, &self.sheet);
        let layer = layer(element, &outer.layer);
        if !look.is_shown {
            self.builder.pass(name, &layer, "it is not shown", None);
            return Ok(());
        }
        let mut state = State { map: outer.map * transform(element), look, layer, instance: outer.instance };
        match name {
            "g" | "a" | "switch" => {
                // a group of our own drawings, and of some programs, is one element of the building
                if let Some(class) = element.attribute("data-class") {
                    state.instance = self.instance(element, class, &state)?;
                }
                self.children(node, &state)
            }
            "svg" => {
                state.map *= viewport(element);
                self.children(node, &state)
            }
            "use" => self.reference(node, &state),
            "text" => self.text(node, &state),
            "image" | "foreignObject" => {
                let at = state.map.transform_point2(corner(element));
                self.builder.pass(name, &state.layer, "pictures are not read", Some(at));
                Ok(())
            }
            _ => self.shape(node, &state),
        }
    }

    fn instance(&mut self, element: &Element, name: &str, state: &State) -> Result<u32, Error> {
        let parent = (state.instance != Entity::ALONE).then_some(state.instance);
        let layer = self.builder.layer(&state.layer);
        let angle = state.map.matrix2.x_axis.to_angle().to_degrees();
        let source = element.place.line as u64;
        let at = state.map.translation;
        self.builder.instance(Instance { name: name.to_owned(), parent, layer, at, angle, source })
    }

    fn reference(&mut self, node: &Node<'_>, state: &State) -> Result<(), Error> {
        let element = node.element;
        let own = element.attributes.iter().find(|own| own.name == "href");
        let target = own.and_then(|own| own.value.strip_prefix('#')).and_then(|id| self.ids.get(id).copied());
        let Some(target) = target else {
            self.builder.pass("use", &state.layer, "what it refers to is not in the file", None);
            return Ok(());
        };
        if self.uses >= DEEPEST {
            self.builder.notice("references (<use>) lie too deep, or refer to themselves");
            return Ok(());
        }
        let mut inner = state.clone();
        inner.map *= DAffine2::from_translation(corner(element));
        let name =
            ["data-symbol", "id", "class"].iter().find_map(|name| target.attribute(name)).unwrap_or("symbol");
        inner.instance = self.instance(element, name, &inner)?;
        self.uses += 1;
        let node = Node { element: target, parent: Some(node), number: 0 };
        let done = if target.name == "symbol" {
            inner.look = inner.look.of_element(&node, &self.sheet);
            if let (Some(view), Some(width)) = (view_box(target), length(element, "width")) {
                let scale = width.number / view.w;
                inner.map *= DAffine2::from_scale(DVec2::splat(scale))
                    * DAffine2::from_translation(-DVec2::new(view.x, view.y));
            }
            self.children(&node, &inner)
        } else {
            self.element(&node, &inner)
        };
        self.uses -= 1;
        done
    }

    fn shape(&mut self, node: &Node<'_>, state: &State) -> Result<(), Error> {
        let element = node.element;
        let number =
            |name: &str| element.attribute(name).and_then(|text| pixels(text.trim(), state.look.font_size));
        let lines = match element.name.as_str() {
            "path" => path::read(element.attribute("d").unwrap_or_default(), MOST_PIECES),
            "line" => {
                let end = |x: &str, y: &str| DVec2::new(number(x).unwrap_or(0.0), number(y).unwrap_or(0.0));
                vec![line(&[end("x1", "y1"), end("x2", "y2")], false)]
            }
            "polyline" | "polygon" => {
                let points: Vec<DVec2> = PointsParser::from(element.attribute("points").unwrap_or_default())
                    .map(|(x, y)| DVec2::new(x, y))
                    .collect();
                vec![line(&points, element.name == "polygon")]
            }
            "rect" => {
                let (Some(width), Some(height)) = (number("width"), number("height")) else { return Ok(()) };
                let at = corner(element);
                let (x, y) = (DVec2::new(width, 0.0), DVec2::new(0.0, height));
                vec![line(&[at, at + x, at + x + y, at + y], true)]
            }
            "circle" => {
                let Some(radius) = number("r").filter(|own| *own > 0.0) else { return Ok(()) };
                let centre = DVec2::new(number("cx").unwrap_or(0.0), number("cy").unwrap_or(0.0));
                vec![path::ellipse(centre, DVec2::splat(radius))]
            }
            "ellipse" => {
                let (Some(x), Some(y)) = (number("rx"), number("ry")) else { return Ok(()) };
                let centre = DVec2::new(number("cx").unwrap_or(0.0), number("cy").unwrap_or(0.0));
                vec![path::ellipse(centre, DVec2::new(x, y))]
            }
            other => {
                self.builder.pass(other, &state.layer, "elements of this kind are not read", None);
                return Ok(());
            }
        };
        self.draw(element, lines, state)
    }

    fn draw(&mut self, element: &Element, lines: Vec<Polyline>, state: &State) -> Result<(), Error> {
        let source = element.place.line as u64;
        let look = &state.look;
        let is_line = element.name == "line";
        let scale = state.map.matrix2.determinant().abs().sqrt();
        let layer = self.builder.layer(&state.layer);
        // white covers what lies below, unless it is the ground of a wall
        let is_wall = matches!(crate::recognise::role(&state.layer), Role::Wall | Role::Hatch)
            && state.layer.to_lowercase().contains("wall");
        let is_white = look.fill == Some([255, 255, 255]) && !is_wall;
        let hatch = element.attribute("data-hatch");
        if let (Some(colour), false, false) = (look.fill, is_line, is_white) {
            let rings: Vec<Vec<DVec2>> = lines.iter().filter_map(|line| ring(line, &state.map)).collect();
            if !rings.is_empty() {
                let style = self.builder.style(Style { colour: Some(colour), weight: None, linetype: None });
                let shape = Shape::Fill(Box::new(Fill { rings, pattern: None }));
                self.builder.push(Entity { shape, layer, style, instance: state.instance, source })?;
            }
        }
        let Some(colour) = look.stroke.filter(|_| look.width > 0.0) else {
            // a white area with nothing around it covers, and shows nothing
            return Ok(());
        };
        let weight = look.width * scale;
        let linetype = look.is_dashed.then(|| "dashed".to_owned());
        let style = self.builder.style(Style { colour: Some(colour), weight: Some(weight), linetype });
        for mut line in lines {
            if line.vertices.len() < 2 {
                continue;
            }
            let is_straight = matches!(line.vertices.as_slice(), [a, _] if a.bulge == 0.0);
            // lines of a hatch are no lines of their own
            let layer =
                if hatch.is_some() { self.builder.layer(&format!("{}-hatch", state.layer)) } else { layer };
            let shape = if let ([a, b], true) = (line.vertices.as_slice(), is_straight) {
                Shape::Segment { from: a.at, to: b.at }
            } else {
                line.width = 0.0;
                Shape::Polyline(Box::new(line))
            };
            let shape = shape.mapped(&state.map);
            self.builder.push(Entity { shape, layer, style, instance: state.instance, source })?;
        }
        Ok(())
    }

    fn text(&mut self, node: &Node<'_>, state: &State) -> Result<(), Error> {
        let (mut words, mut at, mut size) = (String::new(), corner(node.element), state.look.font_size);
        let mut anchor = state.look.anchor;
        self.words(node, &state.look, &mut words, &mut at, &mut size, &mut anchor, 0);
        let words: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if words.is_empty() {
            return Ok(());
        }
        let longest = words.iter().map(|line| line.chars().count()).max().unwrap_or(0) as f64;
        let width = node
            .element
            .attribute("textLength")
            .and_then(|own| own.parse().ok())
            .unwrap_or(longest * size * 0.55);
        let along = match anchor {
            0 => width / 2.0,
            2 => -width / 2.0,
            _ => 0.0,
        };
        let down = (words.len() as f64 - 1.0) * size * 0.6 - size * 0.35;
        let shape = Shape::Text(Box::new(Text {
            words: words.join("\n"),
            middle: at + DVec2::new(along, down),
            height: size * 0.7,
            angle: 0.0,
        }));
        let shape = shape.mapped(&state.map);
        let layer = self.builder.layer(&state.layer);
        let style = self.builder.style(Style { colour: state.look.fill, ..Style::default() });
        let source = node.element.place.line as u64;
        self.builder.push(Entity { shape, layer, style, instance: state.instance, source })
    }

    #[allow(clippy::too_many_arguments)]
    fn words(
        &self,
        node: &Node<'_>,
        look: &Look,
        words: &mut String,
        at: &mut DVec2,
        size: &mut f64,
        anchor: &mut u8,
        depth: usize,
    ) {
        words.push_str(&node.element.text.split_whitespace().collect::<Vec<_>>().join(" "));
        if depth > DEEPEST {
            return;
        }
        for (number, child) in
            node.element.children.iter().enumerate().filter(|(_, child)| child.name == "tspan")
        {
            let own = Node { element: child, parent: Some(node), number };
            let inner = look.of_element(&own, &self.sheet);
            let is_row = child.attribute("x").is_some() || child.attribute("dy").is_some();
            if words.is_empty() {
                let place = corner(child);
                *at = DVec2::new(
                    child.attribute("x").map_or(at.x, |_| place.x),
                    child.attribute("y").map_or(at.y, |_| place.y),
                );
                (*size, *anchor) = (inner.font_size, inner.anchor);
            } else {
                words.push(if is_row { '\n' } else { ' ' });
            }
            self.words(&own, &inner, words, at, size, anchor, depth + 1);
        }
    }
}

fn line(points: &[DVec2], is_closed: bool) -> Polyline {
    let vertices = points.iter().map(|at| Vertex { at: *at, bulge: 0.0 }).collect();
    Polyline { vertices, is_closed, width: 0.0 }
}

/// The outline of an area in the drawing.
fn ring(line: &Polyline, map: &DAffine2) -> Option<Vec<DVec2>> {
    let Shape::Polyline(own) = Shape::Polyline(Box::new(line.clone())).mapped(map) else { return None };
    let flat = crate::drawing::corners(&own);
    (flat.len() > 2).then_some(flat)
}

/// The first of the numbers of `x` and `y`.
fn corner(element: &Element) -> DVec2 {
    let first = |name: &str| {
        let text = element.attribute(name)?;
        let own = text.split([' ', ',', '\t', '\n']).find(|own| !own.is_empty())?;
        pixels(own, 16.0)
    };
    DVec2::new(first("x").unwrap_or(0.0), first("y").unwrap_or(0.0))
}

fn transform(element: &Element) -> DAffine2 {
    let own = element.attribute("transform").and_then(|text| Transform::from_str(text).ok());
    own.map_or(DAffine2::IDENTITY, |own| {
        DAffine2::from_cols_array(&[own.a, own.b, own.c, own.d, own.e, own.f])
    })
}

/// The map of a document within a document.
fn viewport(element: &Element) -> DAffine2 {
    let moved = DAffine2::from_translation(corner(element));
    let Some(view) = view_box(element) else { return moved };
    let size = |name: &str, own: f64| length(element, name).map_or(1.0, |length| length.number / own);
    let scale = size("width", view.w).min(size("height", view.h));
    moved
        * DAffine2::from_scale(DVec2::splat(scale))
        * DAffine2::from_translation(-DVec2::new(view.x, view.y))
}

/// The layer of an element: what it says of itself, or what it lies within.
///
/// Inkscape's layers are groups with a label; other programs name groups by `id` or `class`; our own drawings say `data-layer`.
fn layer(element: &Element, outer: &str) -> String {
    if let Some(layer) = element.attribute("data-layer") {
        return match element.attribute("data-part") {
            Some(part) => format!("{layer}-{part}"),
            None => layer.to_owned(),
        };
    }
    let labelled = element.attributes.iter().find(|own| own.name == "label" && own.namespace.is_some());
    if let Some(label) = labelled {
        return label.value.clone();
    }
    let own = element
        .attribute("class")
        .or_else(|| if element.name == "g" { element.attribute("id") } else { None });
    match own {
        Some(own) if crate::recognise::says_role(own) || (outer.is_empty() && element.name == "g") => {
            own.to_owned()
        }
        _ => {
            let by_id = element.attribute("id").filter(|id| crate::recognise::says_role(id));
            by_id.map_or_else(|| outer.to_owned(), str::to_owned)
        }
    }
}
