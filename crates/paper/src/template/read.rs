//! The tree of an SVG file as nodes.

use super::number::{PIXEL, Scan, length, transform};
use super::outline::{MANY, Outline};
use super::style::{Rule, Style, sheet};
use super::{Note, Problem, Template};
use crate::page::{Fill, Group, Node, Path, Picture, Stroke, Subpath};
use crate::picture;
use crate::shape::is_near;
use base64::Engine as _;
use glam::{DAffine2, DVec2};
use std::collections::HashSet;
use xml::{Element, Limits};

const LIMITS: Limits = Limits { bytes: 16 << 20, depth: 60, nodes: 200_000 };

/// Attributes of shapes that are lengths.
const LENGTHS: [&str; 13] =
    ["x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2", "y2"];

/// Notes that are kept.
const NOTES: usize = 200;

pub(super) const SVG: &str = "http://www.w3.org/2000/svg";

pub(super) fn read(bytes: &[u8]) -> Result<Template, Problem> {
    let root = xml::read(bytes, &LIMITS)
        .map_err(|problem| Problem { line: problem.place.line.max(1), reason: problem.message })?;
    let fail = |reason: &str| Problem { line: root.place.line, reason: reason.to_owned() };
    if root.name != "svg" || !is_svg(&root) {
        return Err(fail("the outermost element is no <svg>"));
    }
    let (size, map) = frame(&root).map_err(fail)?;
    let mut reader = Reader {
        template: Template { size, ..Template::default() },
        rules: Vec::new(),
        known: HashSet::new(),
        pieces: 0,
    };
    reader.sheets(&root);
    let style = reader.styled(&root, &Style::default());
    let nodes = reader.children(&root, map, &style)?;
    reader.template.nodes = nodes;
    reader.template.notes.sort_by_key(|note| note.line);
    Ok(reader.template)
}

/// True of elements of SVG, declared as such or not at all.
pub(super) fn is_svg(element: &Element) -> bool {
    element.namespace.as_deref().is_none_or(|namespace| namespace == SVG)
}

/// The size in mm, and the map to mm from the units of the root.
fn frame(root: &Element) -> Result<(DVec2, DAffine2), &'static str> {
    let own = |name: &str| root.attribute(name).and_then(length);
    let view = root.attribute("viewBox").map(|text| {
        let mut scan = Scan::new(text);
        let corners = scan.point().zip(scan.point());
        corners
            .filter(|(_, size)| scan.is_end() && size.min_element() > 0.0)
            .ok_or("its viewBox is no box: four numbers, the last two above zero")
    });
    let view = view.transpose()?;
    let size = match (own("width"), own("height"), view) {
        (Some(width), Some(height), _) => DVec2::new(width, height),
        (Some(width), None, Some((_, box_size))) => DVec2::new(width, width * box_size.y / box_size.x),
        (None, Some(height), Some((_, box_size))) => DVec2::new(height * box_size.x / box_size.y, height),
        (None, None, Some((_, box_size))) => box_size,
        _ => return Err("it has no size: give width and height in mm"),
    };
    // millimetres became pixels and are millimetres again: whole ones stay whole
    let size = (size * PIXEL * 1e6).round() / 1e6;
    if !is_near(size) || size.min_element() <= 0.0 || size.max_element() > f64::from(crate::error::LARGEST) {
        return Err("its width and height are no size of a sheet");
    }
    let Some((corner, box_size)) = view else { return Ok((size, DAffine2::from_scale(DVec2::splat(PIXEL)))) };
    let scale = size / box_size;
    let scale = match root.attribute("preserveAspectRatio").map(str::trim) {
        Some(how) if how.starts_with("none") => scale,
        _ => DVec2::splat(scale.min_element()),
    };
    let shift = (size - box_size * scale) / 2.0 - corner * scale;
    Ok((size, DAffine2::from_scale_angle_translation(scale, 0.0, shift)))
}

pub(super) struct Reader {
    pub(super) template: Template,
    pub(super) rules: Vec<Rule>,
    /// The names of the template's fields.
    pub(super) known: HashSet<String>,
    pieces: usize,
}

impl Reader {
    pub(super) fn note(&mut self, element: &Element, reason: impl Into<String>) {
        if self.template.notes.len() < NOTES {
            let name: String = element.name.chars().take(60).collect();
            self.template.notes.push(Note { line: element.place.line, element: name, reason: reason.into() });
        }
    }

    /// Reads the style sheets of the whole file, wherever they stand.
    fn sheets(&mut self, element: &Element) {
        for child in &element.children {
            if child.name == "style" && is_svg(child) {
                let passed = sheet(&child.text, &mut self.rules);
                for reason in passed {
                    self.note(child, reason);
                }
            }
            self.sheets(child);
        }
    }

    pub(super) fn styled(&mut self, element: &Element, outer: &Style) -> Style {
        let mut passed = Vec::new();
        let style = outer.of_child(element, &self.rules, &mut passed);
        for reason in passed {
            self.note(element, reason);
        }
        style
    }

    fn children(&mut self, element: &Element, map: DAffine2, style: &Style) -> Result<Vec<Node>, Problem> {
        let mut nodes = Vec::new();
        for child in &element.children {
            // elements of editors are nothing to see
            if is_svg(child) {
                self.element(child, map, style, &mut nodes)?;
            }
        }
        Ok(nodes)
    }

    fn element(
        &mut self,
        element: &Element,
        map: DAffine2,
        outer: &Style,
        nodes: &mut Vec<Node>,
    ) -> Result<(), Problem> {
        if matches!(element.name.as_str(), "style" | "title" | "desc" | "metadata" | "defs") {
            return Ok(());
        }
        let style = self.styled(element, outer);
        if style.is_left_out {
            return Ok(());
        }
        let map = match element.attribute("transform").map(transform) {
            None => map,
            Some(Some(own)) if is_near(map.transform_point2(own.translation)) => map * own,
            Some(_) => {
                self.note(element, "its transform is none, and it is left out");
                return Ok(());
            }
        };
        match element.name.as_str() {
            "g" | "a" => {
                let within = self.children(element, map, &style)?;
                if !within.is_empty() {
                    nodes.push(Node::Group(Group { nodes: within, ..Group::default() }));
                }
            }
            "text" => self.text(element, map, &style, nodes)?,
            "image" => self.image(element, map, &style, nodes),
            _ => {
                let mut outline = Outline::new(map);
                match self.shape(element, &mut outline) {
                    Some(is_area) => {
                        self.count(element, outline.count())?;
                        let subpaths = outline.finish();
                        self.path(element, subpaths, map, &style, is_area, nodes);
                    }
                    None => self.note(element, "this element is not understood"),
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, element: &Element, pieces: usize) -> Result<(), Problem> {
        self.pieces += pieces;
        if self.pieces > MANY {
            let reason = format!("the template draws more than {MANY} pieces of lines");
            return Err(Problem { line: element.place.line, reason });
        }
        Ok(())
    }

    /// Draws the outline of a shape; none for elements that are no shapes, false for those without an area.
    fn shape(&mut self, element: &Element, outline: &mut Outline) -> Option<bool> {
        let own = |name: &str| element.attribute(name).and_then(length);
        let zero = |name: &str| own(name).unwrap_or_default();
        for name in LENGTHS {
            if let (Some(text), None) = (element.attribute(name), own(name)) {
                let shown: String = text.chars().take(40).collect();
                self.note(element, format!("{name} is no length with a unit of its own: {shown}"));
            }
        }
        match element.name.as_str() {
            "path" => {
                if !outline.data(element.attribute("d").unwrap_or_default()) {
                    self.note(element, "its path data is drawn up to where it goes wrong");
                }
            }
            "rect" => {
                let size = DVec2::new(zero("width"), zero("height"));
                let rx = own("rx").or(own("ry")).unwrap_or_default().max(0.0);
                let ry = own("ry").or(own("rx")).unwrap_or_default().max(0.0);
                if size.min_element() > 0.0 {
                    outline.rectangle(DVec2::new(zero("x"), zero("y")), size, DVec2::new(rx, ry));
                }
            }
            "circle" | "ellipse" => {
                let radii = if element.name == "circle" {
                    DVec2::splat(zero("r"))
                } else {
                    DVec2::new(zero("rx"), zero("ry"))
                };
                if radii.min_element() > 0.0 {
                    outline.round(DVec2::new(zero("cx"), zero("cy")), radii);
                }
            }
            "line" => {
                outline.move_to(DVec2::new(zero("x1"), zero("y1")));
                outline.line_to(DVec2::new(zero("x2"), zero("y2")));
                return Some(false);
            }
            "polyline" | "polygon" => {
                let mut scan = Scan::new(element.attribute("points").unwrap_or_default());
                let mut is_first = true;
                while let Some(point) = scan.point() {
                    if is_first {
                        outline.move_to(point);
                    } else {
                        outline.line_to(point);
                    }
                    is_first = false;
                }
                if !scan.is_end() {
                    self.note(element, "its points are drawn up to where they go wrong");
                }
                if element.name == "polygon" {
                    outline.close();
                }
            }
            _ => return None,
        }
        Some(true)
    }

    fn path(
        &mut self,
        element: &Element,
        subpaths: Vec<Subpath>,
        map: DAffine2,
        style: &Style,
        is_area: bool,
        nodes: &mut Vec<Node>,
    ) {
        if subpaths.is_empty() || style.is_hidden {
            return;
        }
        let fill = style.resolved(&style.fill, style.fill_opacity).filter(|_| is_area).map(Fill::Solid);
        let scale = map.matrix2.determinant().abs().sqrt();
        let stroke = style.resolved(&style.stroke, style.stroke_opacity).map(|colour| Stroke {
            width: style.width * scale,
            colour,
            dashes: style.dashes.iter().map(|length| length * scale).collect(),
        });
        let stroke = stroke.filter(crate::shape::is_stroke);
        if crate::shape::sound(&subpaths).count() < subpaths.len() {
            self.note(element, "it lies too far away, and is left out");
        } else if fill.is_some() || stroke.is_some() {
            nodes.push(Node::Path(Path { subpaths, stroke, fill, layer: None }));
        }
    }

    fn image(&mut self, element: &Element, map: DAffine2, style: &Style, nodes: &mut Vec<Node>) {
        if style.is_hidden {
            return;
        }
        let own = |name: &str| element.attribute(name).and_then(length);
        // `href` with the prefix of XLink or without
        let link = element.attributes.iter().find(|attribute| attribute.name == "href");
        let data = link.and_then(|link| link.value.trim().strip_prefix("data:image/png;base64,"));
        let Some(data) = data else {
            self.note(element, "pictures are drawn from PNG data in the file alone (data:image/png;base64,); nothing is fetched");
            return;
        };
        let packed: String = data.chars().filter(|char| !char.is_whitespace()).collect();
        let decoded = base64::engine::general_purpose::STANDARD.decode(packed).ok();
        let Some((png, (across, down))) =
            decoded.and_then(|png| picture::read(&png).ok().map(|read| (png, (read.width, read.height))))
        else {
            self.note(element, "its data is no PNG that can be read");
            return;
        };
        let (across, down) = (f64::from(across), f64::from(down));
        let (width, height) = match (own("width"), own("height")) {
            (Some(width), Some(height)) => (width, height),
            (Some(width), None) => (width, width * down / across),
            (None, Some(height)) => (height * across / down, height),
            (None, None) => (across, down),
        };
        let (mut at, mut size) = (
            DVec2::new(own("x").unwrap_or_default(), own("y").unwrap_or_default()),
            DVec2::new(width, height),
        );
        if !element.attribute("preserveAspectRatio").is_some_and(|how| how.trim().starts_with("none")) {
            let scale = (size / DVec2::new(across, down)).min_element();
            let fitted = DVec2::new(across, down) * scale;
            at += (size - fitted) / 2.0;
            size = fitted;
        }
        let (x, y) = (map.matrix2.x_axis, map.matrix2.y_axis);
        if x.y.abs() > 1e-6 * x.x.abs() || y.x.abs() > 1e-6 * y.y.abs() || x.x <= 0.0 || y.y <= 0.0 {
            self.note(element, "pictures are drawn upright alone");
            return;
        }
        let (at, size) = (map.transform_point2(at), size * DVec2::new(x.x, y.y));
        if is_near(at) && is_near(size) && size.min_element() > 0.0 {
            nodes.push(Node::Picture(Picture { at, size, png: png.into() }));
        }
    }
}
