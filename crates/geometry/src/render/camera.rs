//! The camera of a picture: an eye, a direction, and how much of the world is in sight.

use crate::math::Bounds;
use glam::{DAffine3, DVec3};
use ifc::placement::unit;

/// The way in which space becomes flat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// As an eye sees it; half of the angle that the picture's height takes, in radians, above 0 and below a right angle.
    Perspective(f64),
    /// All lines of sight are parallel; half of the picture's height in metres.
    Parallel(f64),
}

/// The camera of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// x to the right, y up, z towards the viewer, the eye as origin; orthonormal.
    frame: DAffine3,
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

    /// Returns the direction of the viewer, seen from the middle of things, and the direction that is up in the picture.
    fn directions(self) -> (DVec3, DVec3) {
        let up = DVec3::Z;
        // a little off the corner, so that both sides of a house are told apart
        let corner = |x: f64, y: f64| DVec3::new(x * 0.78, y, 0.62);
        match self {
            Named::SouthEast => (corner(1.0, -1.0), up),
            Named::SouthWest => (corner(-1.0, -1.0), up),
            Named::NorthEast => (corner(1.0, 1.0), up),
            Named::NorthWest => (corner(-1.0, 1.0), up),
            Named::Plan => (up, DVec3::Y),
            Named::North => (DVec3::Y, up),
            Named::East => (DVec3::X, up),
            Named::South => (DVec3::NEG_Y, up),
            Named::West => (DVec3::NEG_X, up),
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
    pub fn at(eye: DVec3, target: DVec3, up: DVec3, projection: Projection) -> Option<Camera> {
        let z = unit(eye - target)?;
        let x = unit(up.cross(z))?;
        let extent = match projection {
            Projection::Perspective(half) => half < 1.5,
            Projection::Parallel(half) => half < 1e9,
        };
        let (Projection::Perspective(half) | Projection::Parallel(half)) = projection;
        let sound = extent && half > 1e-6 && eye.is_finite();
        let frame = DAffine3::from_cols(x, z.cross(x), z, eye);
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
        back: DVec3,
        up: DVec3,
        perspective: bool,
        boxes: &[Bounds],
        aspect: f64,
        margin: f64,
    ) -> Option<Camera> {
        let sound = |b: &&Bounds| !b.is_empty() && b.min.abs().max(b.max.abs()).max_element() < 1e12;
        let corners: Vec<DVec3> = boxes.iter().filter(sound).flat_map(Bounds::corners).collect();
        let whole = Bounds::from_points(corners.iter().copied());
        if whole.is_empty() || !(aspect > 1e-3 && aspect < 1e3) {
            return None;
        }
        let fill = 1.0 - 2.0 * margin.clamp(0.0, 0.45);
        let z = unit(back)?;
        let x = unit(up.cross(z))?;
        let y = z.cross(x);
        let middle = whole.centre();
        let local: Vec<DVec3> = corners
            .iter()
            .map(|p| {
                let d = *p - middle;
                DVec3::new(d.dot(x), d.dot(y), d.dot(z))
            })
            .collect();
        let flat = Bounds::from_points(local.iter().copied());
        let place = |at: DVec3| middle + (x * at.x + y * at.y + z * at.z);
        if !perspective {
            let half = (flat.size().y / 2.0).max(flat.size().x / 2.0 / aspect).max(0.01) / fill;
            let eye = flat.centre().with_z(flat.max.z + 1.0 + half);
            let target = place(eye - DVec3::Z);
            return Camera::at(place(eye), target, up, Projection::Parallel(half));
        }
        // 32 degrees of height: neither a fish's eye nor a telescope
        let angle = 16_f64.to_radians();
        let (tan_y, tan_x) = (angle.tan() * fill, angle.tan() * fill * aspect);
        // the eye lies where the four planes through the outermost corners meet, two by two
        let most = |f: &dyn Fn(&DVec3) -> f64| local.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
        let (right, left) = (most(&|p| p.x + p.z * tan_x), most(&|p| p.z * tan_x - p.x));
        let (top, bottom) = (most(&|p| p.y + p.z * tan_y), most(&|p| p.z * tan_y - p.y));
        let away = ((right + left) / (2.0 * tan_x)).max((top + bottom) / (2.0 * tan_y));
        let mut eye = DVec3::new((right - left) / 2.0, (top - bottom) / 2.0, away.max(flat.max.z + 0.1));
        // where there is room, what is seen comes to the middle
        for _ in 0..24 {
            let slopes =
                Bounds::from_points(local.iter().map(|p| (*p - eye).with_z(0.0) / (eye.z - p.z).max(1e-3)));
            let deep = eye.z - flat.min.z;
            eye += slopes.centre() * deep * 0.5;
        }
        Camera::at(place(eye), place(eye - DVec3::Z), up, Projection::Perspective(angle))
    }

    /// The direction from what is seen to the viewer, at length one.
    pub fn back(&self) -> DVec3 {
        self.frame.z_axis
    }

    /// To the right of the picture, at length one.
    pub fn right(&self) -> DVec3 {
        self.frame.x_axis
    }

    /// To the top of the picture, at length one.
    pub fn up(&self) -> DVec3 {
        self.frame.y_axis
    }

    /// The place of the eye, in metres of the world.
    pub fn eye(&self) -> DVec3 {
        self.frame.translation
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
    pub(super) fn local(&self, p: DVec3) -> DVec3 {
        let d = p - self.frame.translation;
        DVec3::new(d.dot(self.frame.x_axis), d.dot(self.frame.y_axis), -d.dot(self.frame.z_axis))
    }

    /// Returns width over height of what some boxes take in a picture.
    pub fn spread(&self, boxes: &[Bounds]) -> f64 {
        let places = boxes.iter().flat_map(Bounds::corners).filter_map(|p| self.pixel(p, 1000, 1000));
        let whole = Bounds::from_points(places);
        if whole.is_empty() {
            return 1.0;
        }
        whole.size().x.max(1e-3) / whole.size().y.max(1e-3)
    }

    /// Returns the share of the picture's height that a metre takes at a distance from the eye.
    pub fn heights_per_metre(&self, away: f64) -> f64 {
        match self.projection {
            Projection::Perspective(half) => 0.5 / (half.tan() * away.max(self.near)),
            Projection::Parallel(half) => 0.5 / half,
        }
    }

    /// A point as pixels from the left and from the top, and metres from the eye; `None` where it is behind the eye.
    pub fn pixel(&self, p: DVec3, width: u32, height: u32) -> Option<DVec3> {
        let DVec3 { x, y, z: away } = self.local(p);
        if !(away >= self.near && away.is_finite()) {
            return None;
        }
        let s = self.heights_per_metre(away) * f64::from(height);
        Some(DVec3::new(f64::from(width) / 2.0 + x * s, f64::from(height) / 2.0 - y * s, away))
    }
}
