//! Where a picture is taken from: an eye, a direction, and how much of the world is in sight.

use crate::math::{Bounds, Frame, P3, add, cross, dot, scale, sub, unit};

/// How space becomes flat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// As an eye sees it; half of the angle that the picture's height takes, in radians, above 0 and below a right angle.
    Perspective(f64),
    /// All lines of sight are parallel; half of the picture's height in metres.
    Parallel(f64),
}

/// Where a picture is taken from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// x to the right, y up, z towards the viewer, the eye as origin; orthonormal.
    frame: Frame,
    projection: Projection,
    /// The nearest distance that is in the picture, in metres.
    near: f64,
}

/// The views that have a name. North is the world's y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// From above and the south-east.
    SouthEast,
    /// From above and the south-west.
    SouthWest,
    /// From above and the north-east.
    NorthEast,
    /// From above and the north-west.
    NorthWest,
    /// From straight above, north up.
    Plan,
    /// The north side, seen from the north.
    North,
    /// The east side, seen from the east.
    East,
    /// The south side, seen from the south.
    South,
    /// The west side, seen from the west.
    West,
}

impl Named {
    /// All of them by the names that they go by.
    pub const ALL: [(&'static str, Named); 9] = [
        ("south-east", Named::SouthEast),
        ("south-west", Named::SouthWest),
        ("north-east", Named::NorthEast),
        ("north-west", Named::NorthWest),
        ("plan", Named::Plan),
        ("north", Named::North),
        ("east", Named::East),
        ("south", Named::South),
        ("west", Named::West),
    ];

    /// The view of a name.
    pub fn parse(name: &str) -> Option<Named> {
        Named::ALL.iter().find(|(n, _)| *n == name).map(|(_, view)| *view)
    }

    /// Where the viewer stands, seen from the middle of things, and what is up in the picture.
    fn directions(self) -> (P3, P3) {
        let up = [0.0, 0.0, 1.0];
        // a little off the corner, so that both sides of a house are told apart
        let corner = |x: f64, y: f64| [x * 0.78, y, 0.62];
        match self {
            Named::SouthEast => (corner(1.0, -1.0), up),
            Named::SouthWest => (corner(-1.0, -1.0), up),
            Named::NorthEast => (corner(1.0, 1.0), up),
            Named::NorthWest => (corner(-1.0, 1.0), up),
            Named::Plan => (up, [0.0, 1.0, 0.0]),
            Named::North => ([0.0, 1.0, 0.0], up),
            Named::East => ([1.0, 0.0, 0.0], up),
            Named::South => ([0.0, -1.0, 0.0], up),
            Named::West => ([-1.0, 0.0, 0.0], up),
        }
    }

    /// Returns true if it looks along an axis, as drawings do.
    fn is_straight(self) -> bool {
        matches!(self, Named::Plan | Named::North | Named::East | Named::South | Named::West)
    }
}

impl Camera {
    /// A camera at a point that looks at another. `None` where the two are one, `up` is the line of sight, a number is not
    /// finite, or the projection shows nothing.
    pub fn at(eye: P3, target: P3, up: P3, projection: Projection) -> Option<Camera> {
        let z = unit(sub(eye, target))?;
        let x = unit(cross(up, z))?;
        let extent = match projection {
            Projection::Perspective(half) => half < 1.5,
            Projection::Parallel(half) => half < 1e9,
        };
        let (Projection::Perspective(half) | Projection::Parallel(half)) = projection;
        let sound = extent && half > 1e-6 && eye.iter().all(|v| v.is_finite());
        let frame = Frame { x, y: cross(z, x), z, o: eye };
        sound.then_some(Camera { frame, projection, near: 0.05 })
    }

    /// A named view of some boxes, fitted into a picture of an aspect (width over height) with a margin (a share of the
    /// picture). Corners are seen in perspective, the others in parallel. `None` where all boxes are empty.
    pub fn named(view: Named, boxes: &[Bounds], aspect: f64, margin: f64) -> Option<Camera> {
        let (back, up) = view.directions();
        Camera::fitted(back, up, !view.is_straight(), boxes, aspect, margin)
    }

    /// A view from a direction (from the middle of things to the viewer), fitted as [`Camera::named`].
    pub fn fitted(
        back: P3,
        up: P3,
        perspective: bool,
        boxes: &[Bounds],
        aspect: f64,
        margin: f64,
    ) -> Option<Camera> {
        let sound = |b: &&Bounds| !b.is_empty() && b.min.iter().chain(&b.max).all(|v| v.abs() < 1e12);
        let corners: Vec<P3> = boxes.iter().filter(sound).flat_map(corners).collect();
        let whole = Bounds::from_points(corners.iter().copied());
        if whole.is_empty() || !(aspect > 1e-3 && aspect < 1e3) {
            return None;
        }
        let fill = 1.0 - 2.0 * margin.clamp(0.0, 0.45);
        let z = unit(back)?;
        let x = unit(cross(up, z))?;
        let y = cross(z, x);
        let middle = whole.centre();
        let local: Vec<P3> = corners
            .iter()
            .map(|p| {
                let d = sub(*p, middle);
                [dot(d, x), dot(d, y), dot(d, z)]
            })
            .collect();
        let flat = Bounds::from_points(local.iter().copied());
        let place = |at: P3| add(middle, add(add(scale(x, at[0]), scale(y, at[1])), scale(z, at[2])));
        if !perspective {
            let half = (flat.size()[1] / 2.0).max(flat.size()[0] / 2.0 / aspect).max(0.01) / fill;
            let eye = [flat.centre()[0], flat.centre()[1], flat.max[2] + 1.0 + half];
            let target = place([eye[0], eye[1], eye[2] - 1.0]);
            return Camera::at(place(eye), target, up, Projection::Parallel(half));
        }
        // 32 degrees of height: neither a fish's eye nor a telescope
        let angle = 16_f64.to_radians();
        let (tan_y, tan_x) = (angle.tan() * fill, angle.tan() * fill * aspect);
        // the eye lies where the four planes through the outermost corners meet, two by two
        let most = |f: &dyn Fn(&P3) -> f64| local.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
        let (right, left) = (most(&|p| p[0] + p[2] * tan_x), most(&|p| p[2] * tan_x - p[0]));
        let (top, bottom) = (most(&|p| p[1] + p[2] * tan_y), most(&|p| p[2] * tan_y - p[1]));
        let away = ((right + left) / (2.0 * tan_x)).max((top + bottom) / (2.0 * tan_y));
        let mut eye = [(right - left) / 2.0, (top - bottom) / 2.0, away.max(flat.max[2] + 0.1)];
        // where there is room, what is seen comes to the middle
        for _ in 0..24 {
            let slopes = Bounds::from_points(local.iter().map(|p| {
                let deep = (eye[2] - p[2]).max(1e-3);
                [(p[0] - eye[0]) / deep, (p[1] - eye[1]) / deep, 0.0]
            }));
            let deep = eye[2] - flat.min[2];
            eye[0] += slopes.centre()[0] * deep * 0.5;
            eye[1] += slopes.centre()[1] * deep * 0.5;
        }
        Camera::at(place(eye), place([eye[0], eye[1], eye[2] - 1.0]), up, Projection::Perspective(angle))
    }

    /// The direction from what is seen to the viewer, at length one.
    pub fn back(&self) -> P3 {
        self.frame.z
    }

    /// To the right of the picture, at length one.
    pub fn right(&self) -> P3 {
        self.frame.x
    }

    /// To the top of the picture, at length one.
    pub fn up(&self) -> P3 {
        self.frame.y
    }

    /// Where the eye is, in metres of the world.
    pub fn eye(&self) -> P3 {
        self.frame.o
    }

    /// Returns true if lines of sight meet in the eye.
    pub fn is_perspective(&self) -> bool {
        matches!(self.projection, Projection::Perspective(_))
    }

    /// The nearest distance that is in the picture, in metres.
    pub(super) fn near(&self) -> f64 {
        self.near
    }

    /// A point as metres to the right, up, and away from the eye.
    pub(super) fn local(&self, p: P3) -> P3 {
        let d = sub(p, self.frame.o);
        [dot(d, self.frame.x), dot(d, self.frame.y), -dot(d, self.frame.z)]
    }

    /// How many picture heights a metre takes at a distance from the eye.
    pub(super) fn heights_per_metre(&self, away: f64) -> f64 {
        match self.projection {
            Projection::Perspective(half) => 0.5 / (half.tan() * away.max(self.near)),
            Projection::Parallel(half) => 0.5 / half,
        }
    }

    /// A point as pixels from the left and from the top, and metres from the eye; `None` where it is behind the eye.
    pub fn pixel(&self, p: P3, width: u32, height: u32) -> Option<P3> {
        let [x, y, away] = self.local(p);
        if !(away >= self.near && away.is_finite()) {
            return None;
        }
        let s = self.heights_per_metre(away) * f64::from(height);
        Some([f64::from(width) / 2.0 + x * s, f64::from(height) / 2.0 - y * s, away])
    }
}

/// The eight corners of a box.
fn corners(b: &Bounds) -> impl Iterator<Item = P3> + use<> {
    let (low, high) = (b.min, b.max);
    (0..8).map(move |i| [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { low[axis] } else { high[axis] }))
}
