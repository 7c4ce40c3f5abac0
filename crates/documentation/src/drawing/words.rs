//! The room that words take on paper, as boxes that may be turned, and boxes that must not meet.

use glam::DVec2;
use paper::{Anchor, Baseline, Text, Weight};

/// The width of words as they are drawn and the height of their capitals, in mm.
pub fn extent(words: &str, height: f64, weight: Weight) -> DVec2 {
    let text = Text { weight, ..Text::new(DVec2::ZERO, words, height) };
    DVec2::new(text.extent().width, height)
}

/// A rectangle on paper, at any turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Box2 {
    /// Its middle.
    pub middle: DVec2,
    /// Half of its width and height.
    pub half: DVec2,
    /// The direction of its width, at length one.
    pub along: DVec2,
}

impl Box2 {
    /// The level rectangle between two corners.
    pub fn between(low: DVec2, high: DVec2) -> Box2 {
        Box2 { middle: low.midpoint(high), half: (high - low).abs() / 2.0, along: DVec2::X }
    }

    /// The rectangle around a line of words.
    pub fn around(text: &Text) -> Box2 {
        let size = DVec2::new(text.extent().width, text.height);
        let (sin, cos) = text.angle.to_radians().sin_cos();
        // the paper's y goes down
        let (along, up) = (DVec2::new(cos, -sin), DVec2::new(-sin, -cos));
        let x = match text.anchor {
            Anchor::Left => 0.5,
            Anchor::Middle => 0.0,
            Anchor::Right => -0.5,
        };
        let y = match text.baseline {
            Baseline::Foot => 0.5,
            Baseline::Middle => 0.0,
            Baseline::Top => -0.5,
        };
        Box2 { middle: text.at + along * (x * size.x) + up * (y * size.y), half: size / 2.0, along }
    }

    /// The rectangle, moved.
    pub fn moved(self, by: DVec2) -> Box2 {
        Box2 { middle: self.middle + by, ..self }
    }

    /// The rectangle, this much larger on every side.
    pub fn grown(self, by: f64) -> Box2 {
        Box2 { half: self.half + by, ..self }
    }

    /// Its corners.
    pub fn corners(&self) -> [DVec2; 4] {
        let (x, y) = (self.along * self.half.x, self.along.perp() * self.half.y);
        [self.middle - x - y, self.middle + x - y, self.middle + x + y, self.middle - x + y]
    }

    /// Returns true if two rectangles share more than their rims (separating axes).
    pub fn meets(&self, other: &Box2) -> bool {
        let reach = self.half.length() + other.half.length();
        if self.middle.distance_squared(other.middle) > reach * reach {
            return false;
        }
        let axes = [self.along, self.along.perp(), other.along, other.along.perp()];
        axes.iter().all(|axis| {
            let own =
                |b: &Box2| b.half.x * b.along.dot(*axis).abs() + b.half.y * b.along.perp().dot(*axis).abs();
            (self.middle - other.middle).dot(*axis).abs() < own(self) + own(other) - 1e-6
        })
    }

    /// Returns true if a line comes into it.
    pub fn is_crossed(&self, a: DVec2, b: DVec2) -> bool {
        let local = |p: DVec2| {
            let d = p - self.middle;
            DVec2::new(d.dot(self.along), d.dot(self.along.perp()))
        };
        let (p, q) = (local(a), local(b));
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for k in 0..2 {
            let (start, way) = (p[k], q[k] - p[k]);
            if way.abs() < 1e-12 {
                if start.abs() >= self.half[k] {
                    return false;
                }
                continue;
            }
            let (s, t) = ((-self.half[k] - start) / way, (self.half[k] - start) / way);
            from = from.max(s.min(t));
            to = to.min(s.max(t));
        }
        from < to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_boxes_meet_where_they_share_room() {
        let flat = Box2::between(DVec2::ZERO, DVec2::new(10.0, 2.0));
        let turned = |x: f64, y: f64| Box2 {
            middle: DVec2::new(x, y),
            half: DVec2::new(5.0, 1.0),
            along: DVec2::ONE.normalize(),
        };
        assert!(flat.meets(&turned(5.0, 1.0)));
        // the level boxes around both meet, they do not
        assert!(!flat.meets(&turned(14.0, 2.0)));
        assert!(!flat.meets(&Box2::between(DVec2::new(10.0, 0.0), DVec2::new(12.0, 2.0))));
        assert!(flat.is_crossed(DVec2::new(-1.0, 1.0), DVec2::new(1.0, 1.0)));
        assert!(!flat.is_crossed(DVec2::new(-1.0, 3.0), DVec2::new(1.0, 2.5)));
    }
}
