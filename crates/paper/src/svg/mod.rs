//! Pages as SVG 1.1: groups named by what they show, arcs as arcs, symbols once, words as words.
//!
//! Hatches are the lines that lie within their areas rather than `<pattern>`s: a pattern of several families of lines has no tile, and
//! tiles show seams where a viewer draws them from pixels. Words keep their width in other fonts by `textLength`.

mod write;

use crate::names::{DEEPEST, symbols};
use crate::page::{Fill, Group, Layer, Node, Page, Path, Picture, Segment, Stroke, Subpath, Text, Use};
use crate::shape::{Arc, dashes, is_near, is_stroke, sound, stroke};
use crate::text::face::FAMILY;
use crate::{hatch, page::Weight};
use base64::Engine as _;
use glam::DVec2;
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use write::Out;

/// Writes a page. The same page is the same text.
pub fn write(page: &Page) -> String {
    write_within(page, "")
}

/// Writes a page whose ids begin with a prefix, for a document that several are put into.
pub fn write_within(page: &Page, prefix: &str) -> String {
    let size = if is_near(page.size) { page.size.max(DVec2::ZERO) } else { DVec2::ZERO };
    let _fonts = page.fonts.enter();
    let symbols = symbols(page);
    let ids = symbols.iter().enumerate().map(|(n, (name, _))| (*name, n + 1)).collect();
    let mut writer =
        Writer { out: Out(String::with_capacity(1 << 16)), prefix, ids, clips: 0, height: size.y };
    let out = &mut writer.out;
    out.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
    out.raw(" width=\"").number(size.x).raw("mm\" height=\"").number(size.y).raw("mm\" viewBox=\"0 0 ");
    out.number(size.x).raw(" ").number(size.y).raw("\"");
    out.raw(" font-family=\"");
    if let Some(own) = page.fonts.name() {
        out.raw(own).raw(", ");
    }
    out.raw(FAMILY).raw(", Noto Sans Arabic, Noto Sans Hebrew, Arial, sans-serif\"");
    out.raw(" fill=\"none\" fill-rule=\"evenodd\" stroke-linecap=\"round\" stroke-miterlimit=\"4\">\n");
    if !page.title.is_empty() {
        out.raw("<title>").escaped(&page.title).raw("</title>\n");
    }
    if !symbols.is_empty() {
        writer.out.raw("<defs>\n");
        writer.height = 0.0;
        for (n, (name, nodes)) in symbols.iter().enumerate() {
            writer.out.raw("<g id=\"");
            writer.id("s", n + 1);
            writer.out.raw("\"").attribute("data-symbol", name).raw(">\n");
            writer.nodes(nodes, 0);
            writer.out.raw("</g>\n");
        }
        writer.height = size.y;
        writer.out.raw("</defs>\n");
    }
    let out = &mut writer.out;
    out.raw("<rect").length("width", size.x).length("height", size.y).raw(" fill=\"#fff\"/>\n");
    writer.nodes(&page.nodes, 0);
    writer.out.raw("</svg>\n");
    writer.out.0
}

struct Writer<'a> {
    out: Out,
    prefix: &'a str,
    /// The numbers of the symbols.
    ids: BTreeMap<&'a str, usize>,
    /// The areas of groups so far.
    clips: usize,
    /// The height that hatches are counted from: the page's, or zero within a symbol.
    height: f64,
}

impl Writer<'_> {
    fn id(&mut self, kind: &str, number: usize) {
        self.out.escaped(self.prefix).raw(kind).decimal::<0>(number as f64);
    }

    fn nodes(&mut self, nodes: &[Node], depth: usize) {
        for node in nodes {
            match node {
                Node::Group(group) if depth < DEEPEST => self.group(group, depth),
                Node::Group(_) => {}
                Node::Path(path) => self.path(path),
                Node::Text(text) => self.text(text),
                Node::Use(own) => self.place(own),
                Node::Picture(picture) => self.picture(picture),
            }
        }
    }

    fn group(&mut self, group: &Group, depth: usize) {
        let clip = group.clip.as_ref().map(|clip| {
            self.clips += 1;
            self.out.raw("<clipPath id=\"");
            self.id("c", self.clips);
            self.out.raw("\"><path clip-rule=\"evenodd\" d=\"");
            for subpath in sound(clip) {
                self.subpath(subpath, true);
            }
            self.out.raw("\"/></clipPath>\n");
            self.clips
        });
        self.out.raw("<g");
        if let Some(about) = &group.about {
            self.out.attribute("data-id", &about.global_id).attribute("data-class", &about.class);
        }
        self.layer(group.layer);
        if let Some(clip) = clip {
            self.out.raw(" clip-path=\"url(#");
            self.id("c", clip);
            self.out.raw(")\"");
        }
        self.out.raw(">\n");
        if let Some(name) = group.about.as_ref().and_then(|about| about.name.as_deref()) {
            self.out.raw("<title>").escaped(name).raw("</title>\n");
        }
        self.nodes(&group.nodes, depth + 1);
        self.out.raw("</g>\n");
    }

    fn layer(&mut self, layer: Option<Layer>) {
        if let Some(Layer { subject, part }) = layer {
            self.out.attribute("data-layer", subject.name()).attribute("data-part", part.name());
        }
    }

    fn path(&mut self, path: &Path) {
        if sound(&path.subpaths).next().is_none() {
            return;
        }
        let (stroke, mut has_area) = (stroke(path), false);
        let ground = match &path.fill {
            Some(Fill::Solid(colour)) => Some(*colour),
            Some(Fill::Hatch(hatch)) => {
                has_area = true;
                hatch.ground
            }
            None => None,
        };
        // the lines of a hatch lie above its ground and below the outline
        if let (true, Some(colour)) = (has_area, ground) {
            self.outline(path, Some(colour), None);
        }
        if let Some(Fill::Hatch(hatch)) = &path.fill
            && is_stroke(&hatch.stroke)
        {
            let pieces = hatch::pieces(hatch, &path.subpaths, self.height);
            if !pieces.is_empty() {
                self.out.raw("<path");
                self.layer(path.layer);
                self.out.attribute("data-hatch", &hatch.name).raw(" stroke-linecap=\"butt\"");
                self.stroke(&hatch.stroke);
                self.out.raw(" d=\"");
                for [from, to] in pieces {
                    self.out.raw("M").point(from);
                    self.line(from, to);
                }
                self.out.raw("\"/>\n");
            }
        }
        let ground = ground.filter(|_| !has_area);
        if stroke.is_some() || ground.is_some() {
            self.outline(path, ground, stroke);
        }
    }

    fn outline(&mut self, path: &Path, fill: Option<[u8; 4]>, stroke: Option<&Stroke>) {
        self.out.raw("<path");
        self.layer(path.layer);
        if let Some(colour) = fill {
            self.out.colour("fill", colour);
        }
        if let Some(own) = stroke {
            if !dashes(own).is_empty() {
                self.out.raw(" stroke-linecap=\"butt\"");
            }
            self.stroke(own);
        }
        self.out.raw(" d=\"");
        for subpath in sound(&path.subpaths) {
            self.subpath(subpath, false);
        }
        self.out.raw("\"/>\n");
    }

    fn stroke(&mut self, stroke: &Stroke) {
        self.out.colour("stroke", stroke.colour).length("stroke-width", stroke.width);
        for (n, length) in dashes(stroke).into_iter().enumerate() {
            self.out.raw(if n == 0 { " stroke-dasharray=\"" } else { " " }).number(length);
        }
        if !dashes(stroke).is_empty() {
            self.out.raw("\"");
        }
    }

    fn subpath(&mut self, subpath: &Subpath, is_area: bool) {
        self.out.raw("M").point(subpath.start);
        let mut last = subpath.start;
        for segment in &subpath.segments {
            match *segment {
                Segment::Line(to) => {
                    self.line(last, to);
                    last = to;
                }
                Segment::Arc { to, centre, is_clockwise } => {
                    match Arc::new(last, to, centre, is_clockwise) {
                        Some(arc) => self.arc(&arc, to),
                        None => self.line(last, to),
                    }
                    last = to;
                }
            }
        }
        if subpath.is_closed || is_area {
            self.out.raw("Z");
        }
    }

    fn line(&mut self, from: DVec2, to: DVec2) {
        let same = |a: f64, b: f64| (a * 100.0).round() == (b * 100.0).round();
        if same(from.y, to.y) {
            self.out.raw("H").number(to.x);
        } else if same(from.x, to.x) {
            self.out.raw("V").number(to.y);
        } else {
            self.out.raw("L").point(to);
        }
    }

    /// Writes an arc, in two halves where it is nearly a circle: rounded ends would say little of where that lies.
    fn arc(&mut self, arc: &Arc, to: DVec2) {
        let is_most = arc.sweep.abs() > TAU * 0.7;
        let halves = if is_most { vec![arc.at(0.5), to] } else { vec![to] };
        let sweep = arc.sweep / halves.len() as f64;
        for end in halves {
            self.out.raw("A").number(arc.radius).raw(" ").number(arc.radius).raw(" 0 ");
            self.out.raw(if sweep.abs() > TAU / 2.0 { "1 " } else { "0 " });
            self.out.raw(if sweep > 0.0 { "1 " } else { "0 " });
            self.out.point(end);
        }
    }

    fn text(&mut self, text: &Text) {
        let Some(line) = text.line() else { return };
        if line.width <= 0.0 || !is_near(text.at) {
            return;
        }
        // programs do not agree on which end of a line from right to left is its start; on its middle they do
        let middle = if line.is_right_to_left { line.width / 2.0 } else { 0.0 };
        let (start, size) = (text.frame(&line).transform_point2(DVec2::new(middle, 0.0)), text.ems());
        self.out.raw("<text");
        self.layer(text.layer);
        self.out.length("x", start.x).length("y", start.y);
        if text.angle != 0.0 {
            self.out.raw(" transform=\"rotate(").decimal::<4>(-text.angle).raw(" ").point(start).raw(")\"");
        }
        self.out.raw(" font-size=\"").decimal::<3>(size).raw("\"");
        if text.weight == Weight::Bold {
            self.out.raw(" font-weight=\"700\"");
        }
        self.out
            .length("textLength", line.width * size)
            .raw(" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\"");
        self.out.colour("fill", text.colour);
        if text.halo > 0.0 && is_near(DVec2::splat(text.halo)) {
            self.out.raw(" paint-order=\"stroke\" stroke=\"#fff\" stroke-linejoin=\"round\"");
            self.out.length("stroke-width", text.halo * 2.0);
        }
        if line.is_right_to_left {
            self.out.raw(" text-anchor=\"middle\" direction=\"rtl\"");
        }
        self.out.raw(">").escaped(&line.words);
        self.out.raw("</text>\n");
    }

    fn place(&mut self, own: &Use) {
        let Some(id) = self.ids.get(own.symbol.as_str()).copied() else { return };
        if !is_near(own.at) || !own.angle.is_finite() || !is_near(own.scale) {
            return;
        }
        self.out.raw("<use");
        self.layer(own.layer);
        self.out.raw(" href=\"#");
        self.id("s", id);
        self.out.raw("\" transform=\"translate(").point(own.at).raw(")");
        if own.angle != 0.0 {
            self.out.raw("rotate(").decimal::<4>(-own.angle).raw(")");
        }
        if own.scale != DVec2::ONE {
            self.out.raw("scale(").decimal::<5>(own.scale.x).raw(" ").decimal::<5>(own.scale.y).raw(")");
        }
        self.out.raw("\"/>\n");
    }

    fn picture(&mut self, picture: &Picture) {
        if !is_near(picture.at) || !is_near(picture.size) || picture.size.min_element() <= 0.0 {
            return;
        }
        self.out.raw("<image").length("x", picture.at.x).length("y", picture.at.y);
        self.out.length("width", picture.size.x).length("height", picture.size.y);
        self.out.raw(" preserveAspectRatio=\"none\" href=\"data:image/png;base64,");
        base64::engine::general_purpose::STANDARD.encode_string(&picture.png, &mut self.out.0);
        self.out.raw("\"/>\n");
    }
}
