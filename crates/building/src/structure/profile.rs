//! Sections as IFC profiles: written by their own classes, and measured as `geometry` draws them, so that quantities are those of the
//! body.

use super::sections::{Section, shape::Shape};
use crate::author::{Author, word};
use contract::Fault;
use geometry::Shaper;
use geometry::measured::profile_area;
use glam::DVec2;
use ifc::{Id, Model, Value};

/// The figures of a profile, in mm and mm².
#[derive(Debug, Clone, PartialEq)]
pub struct CrossSection {
    /// The IfcProfileDef.
    pub profile: Id,
    /// Its area.
    pub area: f64,
    /// The length of all its edges.
    pub round: f64,
    /// Its lowest x and y.
    pub low: DVec2,
    /// Its highest x and y.
    pub high: DVec2,
    /// Its centroid.
    pub centroid: DVec2,
    /// The centroid of its edges.
    pub rim: DVec2,
    /// Points of its outer edges.
    pub outline: Vec<DVec2>,
}

impl CrossSection {
    /// Measures a profile; `None` where it cannot be drawn.
    pub fn measure(model: &Model, profile: Id) -> Option<Self> {
        let shaper = Shaper::plain(model);
        let areas = shaper.reader.profile(profile, 0).ok()?;
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let (mut drawn, mut moment) = (0.0, DVec2::ZERO);
        let (mut round, mut rim) = (0.0, DVec2::ZERO);
        for l in areas.iter().flat_map(geometry::region::Area::loops) {
            for (a, b) in crate::polygon::edges(l) {
                let part = a.perp_dot(b) / 2.0;
                drawn += part;
                moment += (a + b) * (part / 3.0);
                round += a.distance(b);
                rim += a.midpoint(b) * a.distance(b);
                low = low.min(a);
                high = high.max(a);
            }
        }
        let area = profile_area(&shaper.reader, profile).unwrap_or(drawn);
        (drawn > 0.0).then(|| Self {
            profile,
            area: area * 1e6,
            round: round * 1e3,
            low: low * 1e3,
            high: high * 1e3,
            centroid: moment / drawn * 1e3,
            rim: rim / round * 1e3,
            outline: areas.iter().flat_map(|a| &a.outer).map(|p| *p * 1e3).collect(),
        })
    }

    /// The point of the section that lies on the axis, by its cardinal point: 1 to 9 from the bottom left to the top right of its
    /// box, seen from the start to the end (left is where x grows), 10 the centroid.
    pub fn cardinal(&self, point: u8) -> DVec2 {
        let middle = self.low.midpoint(self.high);
        if point == 10 {
            return self.centroid;
        }
        let place = point.clamp(1, 9) - 1;
        let x = [self.high.x, middle.x, self.low.x];
        let y = [self.low.y, middle.y, self.high.y];
        let at = |list: [f64; 3], i: u8| list.get(usize::from(i)).copied().unwrap_or_default();
        DVec2::new(at(x, place % 3), at(y, place / 3))
    }
}

impl Author<'_> {
    /// The profile of a section, about the middle of its box.
    pub fn section_profile(&mut self, section: &Section) -> Result<Id, Fault> {
        let start = [("ProfileType", word("AREA")), ("ProfileName", Value::from(section.title().as_str()))];
        let mut attributes = start.to_vec();
        let class = match section {
            Section::Rectangle { width, depth } => {
                attributes.extend([("XDim", self.real(*width)), ("YDim", self.real(*depth))]);
                "IfcRectangleProfileDef"
            }
            Section::Round { diameter } => {
                attributes.push(("Radius", self.real(diameter / 2.0)));
                "IfcCircleProfileDef"
            }
            Section::Outline(points) => {
                let outer = self.polyline(points, true)?;
                attributes.push(("OuterCurve", outer.into()));
                "IfcArbitraryClosedProfileDef"
            }
            Section::Named(row) => self.dimensions(&row.shape, &mut attributes),
        };
        if matches!(section, Section::Outline(_)) {
            return self.create(class, &attributes);
        }
        // IFC2X3 wants a position
        let origin = self.point2(DVec2::ZERO)?;
        let position = self.create("IfcAxis2Placement2D", &[("Location", origin.into())])?;
        attributes.push(("Position", position.into()));
        self.create(class, &attributes)
    }

    fn dimensions(&self, shape: &Shape, into: &mut Vec<(&'static str, Value)>) -> &'static str {
        let length = |mm: f64| self.real(mm);
        let rounded = |mm: f64| if mm > 0.0 { self.real(mm) } else { Value::Null };
        match *shape {
            Shape::I { depth, width, web, flange, fillet } => {
                into.extend([
                    ("OverallWidth", length(width)),
                    ("OverallDepth", length(depth)),
                    ("WebThickness", length(web)),
                    ("FlangeThickness", length(flange)),
                    ("FilletRadius", rounded(fillet)),
                ]);
                "IfcIShapeProfileDef"
            }
            Shape::U { depth, width, web, flange, fillet, edge, slope } => {
                let angle = slope.atan().to_degrees() / self.units().angle_deg;
                into.extend([
                    ("Depth", length(depth)),
                    ("FlangeWidth", length(width)),
                    ("WebThickness", length(web)),
                    ("FlangeThickness", length(flange)),
                    ("FilletRadius", rounded(fillet)),
                    ("EdgeRadius", rounded(edge)),
                    ("FlangeSlope", if slope > 0.0 { Value::Real(angle) } else { Value::Null }),
                ]);
                "IfcUShapeProfileDef"
            }
            Shape::L { depth, width, thickness, fillet, edge } => {
                into.extend([
                    ("Depth", length(depth)),
                    ("Width", length(width)),
                    ("Thickness", length(thickness)),
                    ("FilletRadius", rounded(fillet)),
                    ("EdgeRadius", rounded(edge)),
                ]);
                "IfcLShapeProfileDef"
            }
            Shape::Box { depth, width, wall, outer, inner } => {
                into.extend([
                    ("XDim", length(width)),
                    ("YDim", length(depth)),
                    ("WallThickness", length(wall)),
                    ("InnerFilletRadius", rounded(inner)),
                    ("OuterFilletRadius", rounded(outer)),
                ]);
                "IfcRectangleHollowProfileDef"
            }
            Shape::Tube { diameter, wall } => {
                into.extend([("Radius", length(diameter / 2.0)), ("WallThickness", length(wall))]);
                "IfcCircleHollowProfileDef"
            }
        }
    }
}
