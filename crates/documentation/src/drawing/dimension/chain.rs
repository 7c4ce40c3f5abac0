//! A chain of dimensions as lines and words on paper.

use super::super::sheet::{Letter, Order, Sheet, layer, stroked, through};
use super::super::words::Box2;
use super::{Dimension, Of};
use geometry::section::Plane;
use glam::DVec2;
use ifc::Id;
use paper::{Baseline, Part, Subject};

/// The distance in mm that figures keep from each other.
const APART: f64 = 0.25;
/// The distance in mm from one place along the line to the next.
pub(super) const STEP: f64 = 1.5;
/// The places aside that are tried for figures without room, in mm along the line.
const ASIDE: [f64; 13] = [0.0, 1.5, -1.5, 3.0, -3.0, 4.5, -4.5, 6.0, -6.0, 9.0, -9.0, 12.0, -12.0];

/// Places in a row, in coordinates of the plane.
#[derive(Debug, Clone)]
pub(in crate::drawing) struct Chain {
    pub of: Of,
    /// The measured places, in order along the line.
    pub feet: Vec<DVec2>,
    /// The direction of the line in the plane, at length one.
    pub along: DVec2,
    /// The place of the line: a point of it in the plane.
    pub on: DVec2,
    /// True with lines from the places to the chain.
    pub extended: bool,
    /// The element that it belongs to.
    pub element: Option<Id>,
}

/// Draws a chain; answers its dimensions. Measures below the style's least are not told.
pub(in crate::drawing) fn draw(sheet: &mut Sheet<'_>, plane: &Plane, chain: &Chain) -> Vec<Dimension> {
    let style = sheet.style.dimensions.clone();
    let least = style.least.0 / 1000.0;
    let mut feet: Vec<(f64, DVec2)> =
        chain.feet.iter().map(|f| ((*f - chain.on).dot(chain.along), *f)).collect();
    feet.retain(|(t, _)| t.is_finite());
    feet.sort_by(|a, b| a.0.total_cmp(&b.0));
    feet.dedup_by(|next, kept| next.0 - kept.0 < least);
    if feet.len() < 2 {
        return Vec::new();
    }
    let on = |t: f64| sheet.at(chain.on + chain.along * t);
    let places: Vec<DVec2> = feet.iter().map(|(t, _)| on(*t)).collect();
    let (Some(first), Some(last)) = (places.first().copied(), places.last().copied()) else {
        return Vec::new();
    };
    let way = (last - first).normalize_or_zero();
    let over = way * style.overrun.0;
    let mut lines = vec![through(&[first - over, last + over], false)];
    let slant = rotated(way, -std::f64::consts::FRAC_PI_4) * (style.tick.0 / 2.0);
    let ticks = places.iter().map(|p| through(&[*p - slant, *p + slant], false)).collect();
    for ((_, foot), place) in feet.iter().zip(&places).filter(|_| chain.extended) {
        let foot = sheet.at(*foot);
        let out = *place - foot;
        // from the place measured, a gap away, to a little beyond the line
        if out.length() > style.gap.0 + style.overrun.0 {
            let way = out.normalize_or_zero();
            let start = foot + way * style.gap.0.max(out.length() - 12.0);
            lines.push(through(&[start, *place + way * style.overrun.0], false));
        }
    }
    // marks are not to lie on the line
    let middle = first.midpoint(last);
    let half = DVec2::new(first.distance(last) / 2.0, 0.4);
    sheet.chains.push(Box2 { middle, half, along: way });
    let fine = sheet.line(sheet.style.weights.dimension);
    let bold = sheet.line(sheet.style.weights.tick);
    sheet.put(
        Order::Dimension,
        chain.element,
        [
            stroked(lines, fine, Subject::Dimension, Part::Symbol),
            stroked(ticks, bold, Subject::Dimension, Part::Symbol),
        ],
    );
    let mut told: Vec<Dimension> = feet
        .windows(2)
        .map(|pair| Dimension {
            of: chain.of,
            metres: pair[1].0 - pair[0].0,
            ends: [0, 1].map(|k| plane.lift(pair[k].1)),
            words: sheet.style.measure(pair[1].0 - pair[0].0).words(),
        })
        .collect();
    figures(sheet, chain.element, &places, &mut told);
    told
}

/// Writes the figures: first those that fit between their strokes, then the others aside.
fn figures(sheet: &mut Sheet<'_>, element: Option<Id>, places: &[DVec2], told: &mut [Dimension]) {
    let (height, gap) = (sheet.style.letters.dimension, sheet.style.dimensions.text_gap.0);
    let Some((first, last)) = places.first().zip(places.last()) else { return };
    let way = (*last - *first).normalize_or_zero();
    // read from below or from the right
    let mut angle = (-way.y).atan2(way.x).to_degrees();
    if angle > 90.1 {
        angle -= 180.0;
    } else if angle <= -89.9 {
        angle += 180.0;
    }
    let (sin, cos) = angle.to_radians().sin_cos();
    let (right, up) = (DVec2::new(cos, -sin), DVec2::new(-sin, -cos));
    let letter = Letter { baseline: Baseline::Foot, angle, halo: 0.3, ..Letter::middle(height) };
    let step = height.0 + 2.0 * gap;
    let mut waiting = Vec::new();
    for (pair, dimension) in places.windows(2).zip(told.iter_mut()) {
        let middle = pair[0].midpoint(pair[1]);
        let text = letter.words(middle + up * gap, &dimension.words, None);
        let room = Box2::around(&text);
        let fits = room.half.x * 2.0 + 2.0 * APART <= pair[0].distance(pair[1]);
        if fits && !sheet.is_taken(&room.grown(APART)) {
            let node = sheet.text(text.at, &dimension.words, letter, layer(Subject::Dimension, Part::Text));
            sheet.put(Order::Dimension, element, [node]);
        } else {
            // where there is room between the strokes, first along the line
            let slack =
                if fits { (pair[0].distance(pair[1]) / 2.0 - room.half.x - APART).max(0.0) } else { 0.0 };
            waiting.push((middle, slack, dimension));
        }
    }
    for (middle, slack, dimension) in waiting {
        // below the line, then higher, then both farther along
        let levels = [-(height.0 + gap), gap + step, -(height.0 + gap) - step, gap, gap + 2.0 * step];
        let steps = (slack / STEP) as i32;
        let along = (1..=steps.min(40)).flat_map(|n| [f64::from(n) * STEP, -f64::from(n) * STEP]);
        let inside = along.flat_map(|x| [(x, gap), (x, -(height.0 + gap))]);
        let tries = inside.chain(ASIDE.iter().flat_map(|x| levels.iter().map(move |y| (*x, *y))));
        let shape = Box2::around(&letter.words(DVec2::ZERO, &dimension.words, None)).grown(APART);
        let mut place = tries.map(|(x, y)| middle + right * x + up * y).map(|at| (at, shape.moved(at)));
        match place.find(|(_, room)| !sheet.is_taken(room)) {
            Some((at, _)) => {
                let node = sheet.text(at, &dimension.words, letter, layer(Subject::Dimension, Part::Text));
                sheet.put(Order::Dimension, element, [node]);
            }
            None => dimension.words.clear(),
        }
    }
}

/// A direction on paper, turned clockwise as one looks at it.
fn rotated(way: DVec2, by: f64) -> DVec2 {
    DVec2::from_angle(by).rotate(way)
}
