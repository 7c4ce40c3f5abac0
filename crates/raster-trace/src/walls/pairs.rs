//! Pairs of parallel lines that are the faces of a wall.

use super::band::Band;
use super::{Drawing, Manner};
use crate::line::Span;
use crate::strokes::Stroke;
use crate::text::Box4;
use glam::{DVec2, Vec2Swizzles};

struct Pair {
    a: usize,
    b: usize,
    distance: f64,
    /// Along the first.
    from: f64,
    to: f64,
}

impl Pair {
    fn length(&self) -> f64 {
        self.to - self.from
    }
}

/// The most lines that are paired.
const LINES: usize = 3000;

/// True if thick lines are themselves faces of walls: nearly all have a partner close by.
pub(super) fn are_faces(drawing: &Drawing, bars: &[&Stroke]) -> bool {
    if bars.is_empty() {
        return false;
    }
    let (mut paired, mut all) = (0.0, 0.0);
    let long = bars.iter().filter(|line| line.span.length() > 6.0 * line.thickness);
    for line in long {
        let length = line.span.length();
        all += length;
        let stretches = bars
            .iter()
            .filter(|other| {
                let distance = line.span.beside(other.span.middle()).abs();
                line.span.angle_to(&other.span) < 3.0
                    && distance > 1.5 * line.thickness
                    && distance < 0.045 * drawing.extent
                    && distance < 14.0 * line.thickness
            })
            .map(|other| line.span.shadow(&other.span))
            .map(|(from, to)| (from.max(0.0), to.min(length)))
            .filter(|(from, to)| to > from)
            .collect();
        paired += crate::line::join_stretches(stretches, 0.0).iter().map(|(from, to)| to - from).sum::<f64>();
    }
    all > 0.0 && paired > 0.72 * all
}

/// Finds bands between faces of lines thinner than `thick`, and the usual thickness.
pub(super) fn find(drawing: &Drawing, thick: f64) -> (Vec<Band>, f64) {
    let lines: Vec<&Stroke> =
        drawing.lines().map(|(_, line)| line).filter(|line| line.thickness < thick).take(LINES).collect();
    let pairs = candidates(drawing, &lines);
    let Some((usual, weight)) = usual(&pairs, &lines, drawing.extent) else { return (Vec::new(), 0.0) };
    let support =
        |distance: f64| -> f64 { weight_at(&weight, distance) / weight_at(&weight, usual).max(1e-9) };
    let mut ranked: Vec<(f64, &Pair)> = pairs
        .iter()
        .map(|pair| (support(pair.distance), pair))
        // furniture has faces as well, but hardly two at one distance over such a length
        .filter(|(support, pair)| {
            let part = pair.distance / usual;
            (0.2..4.5).contains(&part) && *support > if part < 1.4 { 0.06 } else { 0.3 }
        })
        .map(|(support, pair)| (pair.length() * (0.15 + support), pair))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    // each stretch of a face is of one wall
    let mut used: Vec<Vec<(f64, f64)>> = vec![Vec::new(); lines.len()];
    let mut bands = Vec::new();
    for (_, pair) in ranked {
        let (Some(a), Some(b)) = (lines.get(pair.a), lines.get(pair.b)) else { continue };
        let (on_a, on_b) = ((pair.from, pair.to), on_other(&a.span, &b.span, pair));
        let is_free = |used: &Vec<(f64, f64)>, (from, to): (f64, f64)| {
            let taken: f64 = used.iter().map(|(start, end)| (end.min(to) - start.max(from)).max(0.0)).sum();
            taken < 0.35 * (to - from)
        };
        if !used.get(pair.a).is_some_and(|own| is_free(own, on_a))
            || !used.get(pair.b).is_some_and(|own| is_free(own, on_b))
        {
            continue;
        }
        for (n, stretch) in [(pair.a, on_a), (pair.b, on_b)] {
            if let Some(own) = used.get_mut(n) {
                own.push(stretch);
            }
        }
        let mut own = band(&a.span, &b.span, pair, f64::midpoint(a.thickness, b.thickness));
        own.is_dimension = [a, b].iter().all(|line| is_dimensioned(&line.span, &drawing.words.boxes));
        bands.push(own);
    }
    (bands, usual)
}

/// True for the line of a chain of dimensions: figures stand beside it, along it, on one side.
fn is_dimensioned(line: &Span, words: &[Box4]) -> bool {
    /// The fewest figures of a chain.
    const FIGURES: usize = 3;
    let beside = |side: f64| {
        let figures = words.iter().filter(|[left, top, right, bottom]| {
            let middle = DVec2::new(left + right, top + bottom) / 2.0;
            let size = DVec2::new(right - left, bottom - top);
            let direction = line.direction().abs();
            let (along, high) = (size.dot(direction), size.dot(direction.yx()));
            let aside = side * line.beside(middle);
            along > 1.2 * high
                && (0.3 * high..1.1 * high).contains(&aside)
                && (0.0..line.length()).contains(&line.along(middle))
        });
        figures.count() >= FIGURES
    };
    beside(1.0) || beside(-1.0)
}

fn on_other(a: &Span, b: &Span, pair: &Pair) -> (f64, f64) {
    let (from, to) = (b.along(a.at(pair.from)), b.along(a.at(pair.to)));
    (from.min(to), from.max(to))
}

/// The band between two faces, as thick as from the outer edge of one line to that of the other.
fn band(a: &Span, b: &Span, pair: &Pair, line: f64) -> Band {
    let across = a.direction().perp();
    let middle = |along: f64| {
        let point = a.at(along);
        let opposite = b.at(b.along(point));
        point + across * ((opposite - point).dot(across) / 2.0)
    };
    Band {
        axis: Span::new(middle(pair.from), middle(pair.to)),
        thickness: pair.distance + line.min(pair.distance * 0.25),
        manner: Manner::Double,
        is_dimension: false,
    }
}

fn candidates(drawing: &Drawing, lines: &[&Stroke]) -> Vec<Pair> {
    let most = 0.06 * drawing.extent;
    let turn = 2.5 + drawing.strokes.waver * 1.5;
    let mut order: Vec<(f64, usize)> =
        lines.iter().enumerate().map(|(n, line)| (line.span.bearing(), n)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    // those just above 0 degrees are beside those just below 180
    let wrapped: Vec<(f64, usize)> = order
        .iter()
        .take_while(|(bearing, _)| *bearing <= turn)
        .map(|(bearing, n)| (bearing + 180.0, *n))
        .collect();
    let count = order.len();
    order.extend(wrapped);
    let mut pairs = Vec::new();
    for (place, (bearing, a)) in order.iter().take(count).enumerate() {
        for (other, b) in order.iter().skip(place + 1) {
            if other - bearing > turn {
                break;
            }
            if let (Some(one), Some(two)) = (lines.get(*a), lines.get(*b)) {
                let (a, b, one, two) = if one.span.length() >= two.span.length() {
                    (*a, *b, one, two)
                } else {
                    (*b, *a, two, one)
                };
                pairs.extend(pair(a, b, one, two, most, drawing));
            }
        }
    }
    pairs
}

fn pair(a: usize, b: usize, one: &Stroke, two: &Stroke, most: f64, drawing: &Drawing) -> Option<Pair> {
    if a == b {
        return None;
    }
    let distance = one.span.beside(two.span.middle()).abs();
    let line = f64::midpoint(one.thickness, two.thickness);
    if distance > most || distance < (line * 1.25 + 1.2).max(2.6) {
        return None;
    }
    if one.thickness.max(two.thickness) > 2.0 * one.thickness.min(two.thickness) + 1.0 {
        return None;
    }
    let (from, to) = one.span.shadow(&two.span);
    let (from, to) = (from.max(0.0), to.min(one.span.length()));
    if to - from < 0.4 * distance || to - from < 5.0 {
        return None;
    }
    // between the faces there may be a hatch, but no filling
    let across = one.span.direction().perp() * one.span.beside(two.span.middle()).signum();
    let inked = [0.33, 0.5, 0.67]
        .map(|part| {
            let shift = across * (distance * part);
            let between = Span::new(one.span.at(from) + shift, one.span.at(to) + shift);
            share(drawing, &between)
        })
        .into_iter()
        .fold(1.0, f64::min);
    (inked < 0.6).then_some(Pair { a, b, distance, from, to })
}

fn share(drawing: &Drawing, span: &Span) -> f64 {
    let count = (span.length() / 1.5).ceil().clamp(3.0, 400.0) as usize;
    let inked = (0..count)
        .filter(|n| drawing.mask.under(span.at(span.length() * (*n as f64 + 0.5) / count as f64)) == 1)
        .count();
    inked as f64 / count as f64
}

/// The distance that most length of pairs has, of pairs in which each is the nearest of the other.
fn usual(pairs: &[Pair], lines: &[&Stroke], extent: f64) -> Option<(f64, Vec<f64>)> {
    let mut nearest: Vec<f64> = vec![f64::INFINITY; lines.len()];
    let length = |n: usize| lines.get(n).map_or(0.0, |line| line.span.length());
    let is_long = |pair: &Pair| pair.length() > 1.5 * pair.distance;
    for pair in pairs.iter().filter(|pair| is_long(pair)) {
        for n in [pair.a, pair.b] {
            if pair.length() > 0.3 * length(n)
                && let Some(own) = nearest.get_mut(n)
            {
                *own = own.min(pair.distance);
            }
        }
    }
    let mut weight = vec![0.0; (extent * 0.06 * 2.0).ceil() as usize + 8];
    let near = |n: usize| nearest.get(n).copied().unwrap_or(f64::INFINITY);
    for pair in pairs.iter().filter(|pair| is_long(pair)) {
        // the other face may be nearer to a line of a window, over a part of its length
        let is_mutual = pair.distance <= near(pair.a) * 1.2 || pair.distance <= near(pair.b) * 1.2;
        if is_mutual && let Some(own) = weight.get_mut((pair.distance * 2.0).round() as usize) {
            // long ones say more than many short ones: furniture is short
            *own += pair.length() * (pair.length() / extent).min(0.5);
        }
    }
    let best = (0..weight.len())
        .max_by(|a, b| weight_at(&weight, *a as f64 / 2.0).total_cmp(&weight_at(&weight, *b as f64 / 2.0)))?;
    (weight_at(&weight, best as f64 / 2.0) > 0.0).then(|| (best as f64 / 2.0, weight))
}

/// The weight about a distance, within a tenth.
fn weight_at(weight: &[f64], distance: f64) -> f64 {
    let wide = (distance * 0.1).max(1.0);
    let (from, to) = (((distance - wide) * 2.0).max(0.0) as usize, ((distance + wide) * 2.0) as usize);
    weight.iter().skip(from).take(to - from + 1).sum()
}
