//! Doors in plan: leaves that stand open with the arcs of their swings, sliding, folding and revolving leaves.
//!
//! The panels are those of OperationType; their sides are as one looks along the y of the door's placement, to which a door opens
//! (IfcDoorTypeOperationEnum, ISO 16739-1:2018, 6.1.2.5). Where nothing is said, the lines of a footprint are drawn, or of a body whose leaf
//! stands open, else a closed leaf.

use super::filling::Filling;
use super::sheet::{Order, Sheet, layer, outlined, stroked, through};
use super::viewed::Figure;
use super::words::Box2;
use building::filling::operation::{Action, door_panels};
use geometry::Shaper;
use geometry::region::Area;
use glam::DVec2;
use paper::{Part, Segment, Subject, Subpath};

/// The thickness of a leaf, in metres.
const LEAF: f64 = 0.04;
/// The width of a frame at one side, in metres.
const FRAME: f64 = 0.05;

/// A panel between two places along the wall, in a door's coordinates.
struct Panel {
    action: Action,
    from: f64,
    to: f64,
}

/// Draws a door that the plane cuts, or one that lies below it.
pub(super) fn draw(
    sheet: &mut Sheet<'_>,
    shaper: &Shaper<'_>,
    door: &Filling,
    figure: Option<&Figure>,
) -> Option<&'static str> {
    let mut pen = Pen { nodes: Vec::new(), sheet, door };
    let mut note = None;
    pen.threshold();
    pen.frame();
    let is_known = !door.operation.is_empty() && door.operation != "USERDEFINED";
    let footprint = if is_known { Vec::new() } else { footprint(shaper, door) };
    let body = figure.filter(|_| door.is_open && !is_known && footprint.is_empty());
    if let Some(body) = body {
        // the body itself has a leaf that stands open
        let lines = body.seen.visible.iter().map(|l| pen.sheet.subpath(l, false));
        let cuts = body.seen.cut.areas.iter().flat_map(Area::loops).map(|l| pen.sheet.subpath(l, true));
        let all = lines.chain(cuts).collect();
        pen.line(all);
        note = Some("says nothing of how it opens: drawn as its body stands");
    } else if footprint.is_empty() {
        if !is_known {
            note = Some("says nothing of how it opens: drawn closed");
        }
        for panel in panels(door) {
            pen.panel(&panel);
        }
    } else {
        let lines = footprint.iter().map(|l| pen.sheet.subpath(l, false)).collect();
        pen.line(lines);
    }
    let nodes = pen.nodes;
    sheet.put(Order::Filling, Some(door.id), nodes);
    note
}

/// The clear panels of a door, from left to right, within its frame.
fn panels(door: &Filling) -> Vec<Panel> {
    let actions = door_panels(&door.operation);
    let frame = FRAME.min(door.width() / 8.0);
    let (left, right) = (door.x[0] + frame, door.x[1] - frame);
    let each = (right - left) / actions.len().max(1) as f64;
    let panel = |(n, action)| {
        let from = left + each * n as f64;
        Panel { action, from, to: from + each }
    };
    actions.into_iter().enumerate().map(panel).collect()
}

/// The lines of the door's own drawing in plan.
fn footprint(shaper: &Shaper<'_>, door: &Filling) -> Vec<Vec<DVec2>> {
    let lines = shaper.lines(door.id).unwrap_or_default();
    let own = lines.iter().filter(|l| ["FootPrint", "Plan", "Annotation"].iter().any(|name| l.is_of(name)));
    own.map(|l| {
        let closing = l.points.first().filter(|_| l.closed);
        l.points.iter().chain(closing).map(|p| p.truncate()).collect()
    })
    .collect()
}

struct Pen<'p, 'a> {
    nodes: Vec<paper::Node>,
    sheet: &'p mut Sheet<'a>,
    door: &'p Filling,
}

impl Pen<'_, '_> {
    fn at(&self, x: f64, y: f64) -> DVec2 {
        self.sheet.at(self.door.at(x, y))
    }

    fn line(&mut self, subpaths: Vec<Subpath>) {
        let stroke = self.sheet.line(self.sheet.style.weights.symbol);
        self.nodes.push(stroked(subpaths, stroke, Subject::Door, Part::Symbol));
    }

    fn dashed(&mut self, subpaths: Vec<Subpath>) {
        let style = self.sheet.style;
        let stroke = self.sheet.dashed(style.weights.hidden, &style.dashes.hidden);
        self.nodes.push(stroked(subpaths, stroke, Subject::Door, Part::Hidden));
    }

    fn body(&mut self, corners: &[DVec2]) {
        let stroke = self.sheet.line(self.sheet.style.weights.cut_light);
        self.nodes.push(outlined(
            vec![through(corners, true)],
            [255; 4],
            stroke,
            layer(Subject::Door, Part::Cut),
        ));
    }

    fn rectangle(&mut self, x: [f64; 2], y: [f64; 2]) {
        let corners = [self.at(x[0], y[0]), self.at(x[1], y[0]), self.at(x[1], y[1]), self.at(x[0], y[1])];
        self.body(&corners);
    }

    /// The faces of the wall go on as thin lines: the floor changes there.
    fn threshold(&mut self) {
        let ([l, r], [a, b]) = (self.door.x, self.door.wall);
        let lines = [a, b].map(|y| through(&[self.at(l, y), self.at(r, y)], false));
        let stroke = self.sheet.line(self.sheet.style.weights.seen);
        self.nodes.push(stroked(lines.to_vec(), stroke, Subject::Door, Part::Seen));
    }

    fn frame(&mut self) {
        if !self.sheet.rule.frames {
            return;
        }
        let ([l, r], own) = (self.door.x, self.door.own);
        let frame = FRAME.min(self.door.width() / 8.0);
        self.rectangle([l, l + frame], own);
        self.rectangle([r - frame, r], own);
    }

    fn panel(&mut self, panel: &Panel) {
        let Panel { action, from, to } = *panel;
        let wide = to - from;
        let own = self.door.own;
        let mid = f64::midpoint(own[0], own[1]);
        match action {
            Action::Swing { left, forward } => self.swing([from, to], left, forward, true),
            Action::Double { left } => {
                self.swing([from, to], left, true, true);
                self.swing([from, to], left, false, false);
            }
            Action::Slide { left } => {
                let by = if left { -0.35 } else { 0.35 } * wide;
                self.rectangle([from + by, to + by], [mid - LEAF / 2.0, mid + LEAF / 2.0]);
                let y = self.door.wall[1].max(own[1]) + 0.08;
                let (tail, tip) = if left { (to, from) } else { (from, to) };
                let (tail, tip) = (tail.lerp(tip, 0.2), tail.lerp(tip, 0.8));
                self.arrow(self.at(tail, y), self.at(tip, y));
            }
            Action::Fold { left } => {
                let (hinge, end) = if left { (from, to) } else { (to, from) };
                let knee = [hinge.lerp(end, 0.25), own[1] + wide * 0.43];
                let tip = hinge.lerp(end, 0.5);
                let points = [self.at(hinge, own[1]), self.at(knee[0], knee[1]), self.at(tip, own[1])];
                self.line(vec![through(&points, false)]);
                self.keep([from, to], [own[1], knee[1]]);
            }
            Action::Revolve => {
                let radius = wide / 2.0;
                let middle = f64::midpoint(from, to);
                let centre = self.at(middle, mid);
                let mut lines = vec![super::sheet::circle(centre, radius * self.sheet.factor)];
                for turn in [45.0_f64, 135.0] {
                    let (sin, cos) = turn.to_radians().sin_cos();
                    let (x, y) = (radius * cos, radius * sin);
                    lines.push(through(&[self.at(middle - x, mid - y), self.at(middle + x, mid + y)], false));
                }
                self.line(lines);
                self.keep([from, to], [mid - radius, mid + radius]);
            }
            Action::Roll | Action::Lift => {
                let lines = [own[0], own[1]].map(|y| through(&[self.at(from, y), self.at(to, y)], false));
                self.dashed(lines.to_vec());
            }
            Action::Fixed => self.rectangle([from, to], [mid - LEAF / 2.0, mid + LEAF / 2.0]),
        }
    }

    /// A leaf that stands open at a right angle, and the arc on which its end comes.
    fn swing(&mut self, x: [f64; 2], left: bool, forward: bool, with_leaf: bool) {
        let wide = x[1] - x[0];
        let (hinge, end) = if left { (x[0], x[1]) } else { (x[1], x[0]) };
        let (base, sign) = if forward { (self.door.own[1], 1.0) } else { (self.door.own[0], -1.0) };
        let tip = base + sign * wide;
        let inward = if left { LEAF } else { -LEAF };
        if with_leaf && self.sheet.rule.frames {
            self.rectangle([hinge, hinge + inward], [base, tip]);
        } else if with_leaf {
            self.line(vec![through(&[self.at(hinge, base), self.at(hinge, tip)], false)]);
        }
        let (centre, from, to) = (self.at(hinge, base), self.at(hinge, tip), self.at(end, base));
        // the paper's y goes down: there a positive turn is clockwise
        let is_clockwise = (from - centre).perp_dot(to - centre) > 0.0;
        self.line(vec![Subpath {
            start: from,
            segments: vec![Segment::Arc { to, centre, is_clockwise }],
            is_closed: false,
        }]);
        self.keep(x, [base.min(tip), base.max(tip)]);
    }

    fn arrow(&mut self, tail: DVec2, tip: DVec2) {
        let way = (tip - tail).normalize_or_zero();
        let side = |s: f64| tip - way * 1.2 + way.perp() * (0.5 * s);
        self.line(vec![through(&[tail, tip], false), through(&[side(1.0), tip, side(-1.0)], false)]);
    }

    /// Words leave this rectangle of the plan free.
    fn keep(&mut self, x: [f64; 2], y: [f64; 2]) {
        let (middle, along) =
            (self.at(f64::midpoint(x[0], x[1]), f64::midpoint(y[0], y[1])), self.door.along);
        let half = DVec2::new(x[1] - x[0], y[1] - y[0]).abs() / 2.0 * self.sheet.factor;
        let along = DVec2::new(along.x, -along.y * self.sheet.mirror);
        self.sheet.busy.push(Box2 { middle, half, along });
    }
}

trait Lerp {
    fn lerp(self, to: f64, share: f64) -> f64;
}

impl Lerp for f64 {
    fn lerp(self, to: f64, share: f64) -> f64 {
        self + (to - self) * share
    }
}
