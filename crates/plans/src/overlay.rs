//! The plan drawn over its source: what was there in grey, what was recognised in colours, what was not understood in red.

use crate::drawing::{Drawing, Piece, Shape};
use crate::plan::{Placement, Plan, Wall};
use glam::DVec2;
use paper::{
    Anchor, Baseline, Colour, Fill, Group, Layer, Node, Page, Part, Path, Segment, Stroke, Subject, Subpath,
    Text,
};

const GREY: Colour = [150, 150, 150, 255];
const WALL: Colour = [40, 90, 200, 110];
const AXIS: Colour = [20, 50, 140, 255];
const DOOR: Colour = [0, 140, 60, 255];
const WINDOW: Colour = [0, 160, 200, 255];
const OPENING: Colour = [160, 110, 0, 255];
const ROOM: Colour = [255, 200, 60, 60];
const RED: Colour = [220, 0, 0, 255];

/// The margin around the plan in mm of paper.
const MARGIN: f64 = 15.0;

/// Entities of the source that are drawn at most: further ones would make a picture that nothing shows.
const MOST: usize = 150_000;

/// The longest side of a page in mm.
const LONGEST: f64 = 800.0;

/// Draws a plan over its source, to a round scale at which it fits a page.
pub fn page(drawing: &Drawing, plan: &Plan) -> Page {
    let view = View::new(drawing, plan);
    let mut nodes = vec![Node::Group(Group {
        layer: Some(Layer { subject: Subject::Other, part: Part::Seen }),
        nodes: view.source(drawing),
        ..Group::default()
    })];
    let group = |subject, nodes| {
        Node::Group(Group { layer: Some(Layer { subject, part: Part::Symbol }), nodes, ..Group::default() })
    };
    nodes.push(group(Subject::Space, view.rooms(plan)));
    nodes.push(group(
        Subject::Wall,
        plan.walls.iter().enumerate().flat_map(|(n, wall)| view.wall(n, wall)).collect(),
    ));
    let of = |places: Vec<(&Placement, &str, Colour)>| -> Vec<Node> {
        let shown = places.into_iter().take(MOST / 10);
        shown.flat_map(|(place, word, colour)| view.opening(plan, place, word, colour)).collect()
    };
    nodes.push(group(Subject::Door, of(plan.doors.iter().map(|own| (&own.place, "D", DOOR)).collect())));
    nodes
        .push(group(Subject::Window, of(plan.windows.iter().map(|own| (&own.place, "W", WINDOW)).collect())));
    nodes.push(group(
        Subject::Other,
        of(plan.openings.iter().map(|own| (&own.place, "O", OPENING)).collect()),
    ));
    nodes.push(group(Subject::Finding, view.leftovers(plan)));
    nodes.extend(view.legend(plan));
    Page { size: view.size, title: "Plan as it was read".to_owned(), nodes, ..Page::default() }
}

/// The place of mm in the world on the page.
struct View {
    least: DVec2,
    scale: f64,
    size: DVec2,
    /// mm of a unit, and the origin in the drawing.
    unit: f64,
    origin: DVec2,
}

impl View {
    fn new(drawing: &Drawing, plan: &Plan) -> Self {
        let (unit, origin) = (plan.scale.mm_per_unit, DVec2::from(plan.origin.drawing));
        let own = plan.walls.iter().flat_map(|wall| [DVec2::from(wall.start), DVec2::from(wall.end)]);
        let left =
            plan.not_understood.iter().flat_map(|own| own.places.iter().map(|place| DVec2::from(place.mm)));
        let mut points: Vec<DVec2> = own.collect();
        if points.is_empty() {
            points.extend(
                drawing.entities.iter().take(20_000).map(|entity| (entity.shape.at() - origin) * unit),
            );
        }
        let bounds = |points: &[DVec2]| {
            points
                .iter()
                .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(a, b), point| (a.min(*point), b.max(*point)))
        };
        let (mut least, mut most) = bounds(&points);
        if !least.is_finite() {
            (least, most) = (DVec2::ZERO, DVec2::splat(1000.0));
        }
        // what was not understood is shown as far as it lies about the plan
        let reach = (most - least).max_element().max(2000.0);
        for point in left
            .filter(|own| own.cmpgt(least - reach).all() && own.cmplt(most + reach).all())
            .collect::<Vec<_>>()
        {
            (least, most) = (least.min(point), most.max(point));
        }
        (least, most) = (least - 1000.0, most + 1000.0);
        let size = most - least;
        let scales = [20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 100_000.0];
        let fits = |scale: &f64| size.max_element() / scale <= LONGEST - 2.0 * MARGIN;
        let scale =
            scales.into_iter().skip(1).find(fits).unwrap_or(size.max_element() / (LONGEST - 2.0 * MARGIN));
        let page = size / scale + DVec2::new(2.0 * MARGIN, 3.0 * MARGIN);
        Self { least, scale, size: page.max(DVec2::new(160.0, 80.0)), unit, origin }
    }

    fn at(&self, mm: DVec2) -> DVec2 {
        let own = (mm - self.least) / self.scale;
        DVec2::new(own.x + MARGIN, self.size.y - 2.0 * MARGIN - own.y)
    }

    fn drawn(&self, point: DVec2) -> DVec2 {
        self.at((point - self.origin) * self.unit)
    }

    fn is_on(&self, point: DVec2) -> bool {
        let slack = DVec2::splat(40.0);
        point.cmpgt(-slack).all() && point.cmplt(self.size + slack).all()
    }

    fn source(&self, drawing: &Drawing) -> Vec<Node> {
        let mut lines: Vec<Subpath> = Vec::new();
        let mut areas: Vec<Subpath> = Vec::new();
        let mut words: Vec<Node> = Vec::new();
        let line = |from: DVec2, to: DVec2| Subpath {
            start: self.drawn(from),
            segments: vec![Segment::Line(self.drawn(to))],
            is_closed: false,
        };
        for entity in
            drawing.entities.iter().filter(|entity| self.is_on(self.drawn(entity.shape.at()))).take(MOST)
        {
            match &entity.shape {
                Shape::Segment { from, to } => lines.push(line(*from, *to)),
                Shape::Arc { centre, radius, start, sweep } => {
                    lines.push(self.arc(*centre, *radius, *start, *sweep));
                }
                Shape::Polyline(own) => lines.extend(own.pieces().map(|piece| match piece {
                    Piece::Line(from, to) => line(from, to),
                    Piece::Arc { centre, radius, start, sweep } => self.arc(centre, radius, start, sweep),
                })),
                Shape::Fill(own) => areas.extend(own.rings.iter().filter_map(|ring| self.ring(ring))),
                Shape::Text(own) => {
                    for (n, row) in own.words.lines().enumerate() {
                        let height = (own.height * self.unit / self.scale).clamp(0.3, 20.0);
                        let off = (own.words.lines().count() as f64 / 2.0 - n as f64 - 0.5) * height * 1.6;
                        let way = DVec2::from_angle(own.angle.to_radians());
                        let up = DVec2::new(-way.y, -way.x);
                        let text = Text::new(self.drawn(own.middle) + up * off, row, height);
                        words.push(Node::Text(Text {
                            anchor: Anchor::Middle,
                            baseline: Baseline::Middle,
                            angle: own.angle,
                            colour: GREY,
                            ..text
                        }));
                    }
                }
                Shape::Dimension(own) => lines.push(line(own.from, own.to)),
            }
        }
        let mut nodes = Vec::new();
        if !areas.is_empty() {
            nodes.push(Node::Path(Path {
                subpaths: areas,
                fill: Some(Fill::Solid([225, 225, 225, 255])),
                ..Path::default()
            }));
        }
        nodes.push(Node::Path(Path { subpaths: lines, stroke: Some(stroke(GREY, 0.13)), ..Path::default() }));
        nodes.extend(words);
        nodes
    }

    fn arc(&self, centre: DVec2, radius: f64, start: f64, sweep: f64) -> Subpath {
        let at = |share: f64| self.drawn(centre + DVec2::from_angle(start + sweep * share) * radius);
        let centre = self.drawn(centre);
        // y goes down on the page, so that what turns counter-clockwise in the drawing is so on paper
        let half = |to: DVec2| Segment::Arc { to, centre, is_clockwise: false };
        Subpath { start: at(0.0), segments: vec![half(at(0.5)), half(at(1.0))], is_closed: false }
    }

    fn ring(&self, ring: &[DVec2]) -> Option<Subpath> {
        let (first, rest) = ring.split_first()?;
        let segments = rest.iter().map(|point| Segment::Line(self.drawn(*point))).collect();
        Some(Subpath { start: self.drawn(*first), segments, is_closed: true })
    }

    fn polygon(&self, ring: &[DVec2]) -> Option<Subpath> {
        let (first, rest) = ring.split_first()?;
        let segments = rest.iter().map(|point| Segment::Line(self.at(*point))).collect();
        Some(Subpath { start: self.at(*first), segments, is_closed: true })
    }

    fn rooms(&self, plan: &Plan) -> Vec<Node> {
        let mut nodes = Vec::new();
        for room in &plan.rooms {
            let rings = std::iter::once(&room.outline).chain(&room.holes);
            let subpaths = rings.filter_map(|ring| {
                let points: Vec<DVec2> = ring.iter().copied().map(DVec2::from).collect();
                self.polygon(&points)
            });
            let subpaths = subpaths.collect();
            nodes.push(Node::Path(Path { subpaths, fill: Some(Fill::Solid(ROOM)), ..Path::default() }));
            let name = [room.number.as_deref(), room.name.as_deref()]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" ");
            let words = format!("{name} {:.2} m²", room.area);
            nodes.push(self.word(
                DVec2::from(room.label) - DVec2::new(0.0, 4.0 * self.scale),
                words.trim(),
                2.0,
                [120, 80, 0, 255],
            ));
        }
        nodes
    }

    fn word(&self, mm: DVec2, words: &str, height: f64, colour: Colour) -> Node {
        let text = Text::new(self.at(mm), words, height);
        Node::Text(Text { anchor: Anchor::Middle, baseline: Baseline::Middle, colour, halo: 0.4, ..text })
    }

    fn wall(&self, number: usize, wall: &Wall) -> Vec<Node> {
        let (start, end) = (DVec2::from(wall.start), DVec2::from(wall.end));
        let across = (end - start).normalize_or_zero().perp() * wall.thickness / 2.0;
        let ring = [start - across, end - across, end + across, start + across];
        let body = self.polygon(&ring).filter(|_| wall.arc.is_none()).map(|outline| {
            Node::Path(Path { subpaths: vec![outline], fill: Some(Fill::Solid(WALL)), ..Path::default() })
        });
        let width = (wall.thickness / self.scale).max(0.2);
        let axis = match wall.arc {
            Some(arc) => {
                let centre = self.at(DVec2::from(arc.centre));
                let is_clockwise = !arc.is_counter_clockwise;
                Subpath {
                    start: self.at(start),
                    segments: vec![Segment::Arc { to: self.at(end), centre, is_clockwise }],
                    is_closed: false,
                }
            }
            None => Subpath {
                start: self.at(start),
                segments: vec![Segment::Line(self.at(end))],
                is_closed: false,
            },
        };
        let path = |colour, width| {
            Node::Path(Path {
                subpaths: vec![axis.clone()],
                stroke: Some(stroke(colour, width)),
                ..Path::default()
            })
        };
        let middle = (start + end) / 2.0;
        vec![
            body.unwrap_or_else(|| path(WALL, width)),
            path(AXIS, 0.18),
            self.word(middle, &format!("{}", number + 1), 1.4, AXIS),
        ]
    }

    fn opening(&self, plan: &Plan, place: &Placement, word: &str, colour: Colour) -> Vec<Node> {
        let Some(wall) = plan.walls.get(place.wall) else { return Vec::new() };
        let way = (DVec2::from(wall.end) - DVec2::from(wall.start)).normalize_or_zero();
        let centre = DVec2::from(place.centre);
        let half = way * place.width / 2.0;
        let across = way.perp() * wall.thickness / 2.0;
        let ring =
            [centre - half - across, centre + half - across, centre + half + across, centre - half + across];
        let mut nodes = Vec::new();
        if let Some(outline) = self.polygon(&ring) {
            let [red, green, blue, _] = colour;
            let fill = Some(Fill::Solid([red, green, blue, 90]));
            nodes.push(Node::Path(Path {
                subpaths: vec![outline],
                stroke: Some(stroke(colour, 0.35)),
                fill,
                layer: None,
            }));
        }
        let words = format!("{word} {:.0}", place.width);
        nodes.push(self.word(centre + across * 2.0 + way.perp() * 1.5 * self.scale, &words, 1.6, colour));
        nodes
    }

    fn leftovers(&self, plan: &Plan) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (number, group) in plan.not_understood.iter().enumerate() {
            for place in &group.places {
                let at = self.at(DVec2::from(place.mm));
                if !self.is_on(at) {
                    continue;
                }
                let cross = |off: DVec2| Subpath {
                    start: at - off,
                    segments: vec![Segment::Line(at + off)],
                    is_closed: false,
                };
                let subpaths = vec![cross(DVec2::splat(1.2)), cross(DVec2::new(1.2, -1.2))];
                nodes.push(Node::Path(Path { subpaths, stroke: Some(stroke(RED, 0.35)), ..Path::default() }));
                let text = Text::new(at + DVec2::new(1.6, -1.0), &format!("{}", number + 1), 1.6);
                nodes.push(Node::Text(Text { colour: RED, ..text }));
            }
        }
        nodes
    }

    fn legend(&self, plan: &Plan) -> Vec<Node> {
        let y = self.size.y - MARGIN;
        let counts = [
            (format!("{} walls", plan.walls.len()), AXIS),
            (format!("{} doors", plan.doors.len()), DOOR),
            (format!("{} windows", plan.windows.len()), WINDOW),
            (format!("{} openings", plan.openings.len()), OPENING),
            (format!("{} rooms", plan.rooms.len()), [120, 80, 0, 255]),
            (format!("{} groups not understood", plan.not_understood.len()), RED),
        ];
        let mut nodes = Vec::new();
        for (n, (words, colour)) in counts.into_iter().enumerate() {
            let at = DVec2::new(MARGIN + (n % 3) as f64 * 45.0, y + (n / 3) as f64 * 5.0);
            nodes.push(Node::Text(Text { colour, ..Text::new(at, &words, 2.5) }));
        }
        nodes
    }
}

fn stroke(colour: Colour, width: f64) -> Stroke {
    Stroke { width, colour, dashes: Vec::new() }
}
