//! Words on a picture: a plate beside what is meant, and a line that leads there.
//!
//! Letters are Noto Sans Mono of 16 pixels (SIL Open Font Licence), Latin with accents; others become a question mark. Plates
//! do not lie on each other as long as there is room.

use super::{Picture, camera::Camera, stage::Item};
use glam::{DVec2, DVec3};
use ifc::Id;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use std::collections::{HashMap, HashSet};

/// The thing that a label names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// An element: where it is seen, or its middle where it is not.
    Element(Id),
    /// A point, in metres of the world.
    Point(DVec3),
}

/// Words on a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The thing that it names.
    pub target: Target,
    /// One line; beyond 60 letters it is cut.
    pub text: String,
}

const LETTERS: usize = 60;
const HIGH: i64 = 22;
const INK: [f32; 3] = [30.0, 34.0, 40.0];
const PLATE: [f32; 3] = [255.0, 255.0, 255.0];

/// A rectangle of pixels: left, top, width, height.
type Plate = [i64; 4];

pub(super) fn write(picture: &mut Picture, items: &[Item], camera: &Camera, labels: &[Label]) {
    if labels.is_empty() {
        return;
    }
    let seen = seen(picture, labels);
    let mut taken: Vec<Plate> = Vec::new();
    let mut placed = Vec::new();
    for label in labels {
        let at = match label.target {
            Target::Point(p) => camera.pixel(p, picture.width, picture.height),
            Target::Element(id) => seen.get(&id).copied().or_else(|| {
                let item = items.iter().find(|i| i.element == id)?;
                let bounds = item.bounds();
                let middle = (!bounds.is_empty()).then(|| bounds.centre())?;
                camera.pixel(middle, picture.width, picture.height)
            }),
        };
        let Some(DVec3 { x, y, .. }) = at.filter(|p| p.abs().cmplt(DVec3::splat(1e6)).all()) else {
            continue;
        };
        let text: Vec<char> = label.text.chars().take(LETTERS).collect();
        let plate = place(picture, [x as i64, y as i64], text.len() as i64, &taken);
        taken.push(plate);
        placed.push((plate, DVec2::new(x, y), text));
    }
    for (plate, at, _) in &placed {
        leader(picture, plate, *at);
    }
    for (plate, _, text) in &placed {
        draw(picture, plate, text);
    }
}

/// Returns the pixels at which elements with a label are seen: of all pixels of one, that nearest to their middle.
fn seen(picture: &Picture, labels: &[Label]) -> HashMap<Id, DVec3> {
    let wanted: HashSet<Id> = labels
        .iter()
        .filter_map(|l| if let Target::Element(id) = l.target { Some(id) } else { None })
        .collect();
    let width = picture.width as usize;
    let mut sums: HashMap<Id, [f64; 3]> = HashMap::new();
    let pixels = || {
        picture.items.iter().enumerate().filter_map(|(at, item)| {
            let id = *picture.elements.get((*item as usize).checked_sub(1)?)?;
            wanted.contains(&id).then_some((id, [(at % width) as f64, (at / width) as f64]))
        })
    };
    for (id, [x, y]) in pixels() {
        let sum = sums.entry(id).or_default();
        *sum = [sum[0] + x, sum[1] + y, sum[2] + 1.0];
    }
    let mut best: HashMap<Id, (f64, DVec3)> = HashMap::new();
    for (id, [x, y]) in pixels() {
        let Some([sx, sy, n]) = sums.get(&id) else { continue };
        let off = (x - sx / n).hypot(y - sy / n);
        let entry = best.entry(id).or_insert((f64::INFINITY, DVec3::ZERO));
        if off < entry.0 {
            *entry = (off, DVec3::new(x, y, 0.0));
        }
    }
    best.into_iter().map(|(id, (_, p))| (id, p)).collect()
}

/// Around the target, the nearest place that is free and in the picture.
fn place(picture: &Picture, at: [i64; 2], letters: i64, taken: &[Plate]) -> Plate {
    let wide = letters * get_raster_width(FontWeight::Regular, RasterHeight::Size16) as i64 + 12;
    let (right, bottom) = (i64::from(picture.width) - wide - 2, i64::from(picture.height) - HIGH - 2);
    let inside = |x: i64, y: i64| [x.min(right).max(2), y.min(bottom).max(2), wide, HIGH];
    let free = |p: &Plate| {
        !taken.iter().any(|t| {
            p[0] < t[0] + t[2] + 3
                && t[0] < p[0] + p[2] + 3
                && p[1] < t[1] + t[3] + 3
                && t[1] < p[1] + p[3] + 3
        })
    };
    let rings = (1..=8).flat_map(|ring| {
        let away = 26 * ring;
        [
            [away, -away - HIGH],
            [-away - wide, -away - HIGH],
            [away, away],
            [-away - wide, away],
            [-wide / 2, -away - HIGH],
            [-wide / 2, away],
            [away, -HIGH / 2],
            [-away - wide, -HIGH / 2],
        ]
    });
    let mut places = rings.map(|[dx, dy]| inside(at[0] + dx, at[1] + dy));
    places.find(free).unwrap_or_else(|| inside(at[0] + 26, at[1] - 26 - HIGH))
}

fn blend(picture: &mut Picture, x: i64, y: i64, colour: [f32; 3], strength: f32) {
    if x < 0 || y < 0 || x >= i64::from(picture.width) || y >= i64::from(picture.height) {
        return;
    }
    let at = (y as usize * picture.width as usize + x as usize) * 4;
    let Some(pixel) = picture.rgba.get_mut(at..at + 4) else { return };
    let under = f32::from(pixel[3]) / 255.0;
    let total = strength + under * (1.0 - strength);
    for (c, over) in pixel.iter_mut().zip(colour) {
        let mixed = (over * strength + f32::from(*c) * (total - strength)) / total.max(1e-6);
        *c = mixed.round() as u8;
    }
    pixel[3] = (total * 255.0).round() as u8;
}

/// A line from the plate's nearest point to the target, with a dot at its end.
fn leader(picture: &mut Picture, plate: &Plate, at: DVec2) {
    let from = DVec2::new(
        at.x.clamp(plate[0] as f64, (plate[0] + plate[2]) as f64),
        at.y.clamp(plate[1] as f64, (plate[1] + plate[3]) as f64),
    );
    let d = at - from;
    let long = d.length();
    let low = [0, 1].map(|i| (from[i].min(at[i]) - 4.0).floor() as i64);
    let high = [0, 1].map(|i| (from[i].max(at[i]) + 4.0).ceil() as i64);
    // plates are near what they mean, but a target may lie far beside the picture
    for y in low[1].max(0)..=high[1].min(i64::from(picture.height)) {
        for x in low[0].max(0)..=high[0].min(i64::from(picture.width)) {
            let p = DVec2::new(x as f64, y as f64) - from;
            let t = (p.dot(d) / (long * long).max(1e-9)).clamp(0.0, 1.0);
            let off = p.distance(d * t);
            let dot = p.distance(d);
            let cover = (1.1 - off).max(3.2 - dot).clamp(0.0, 1.0) as f32;
            let halo = (2.4 - off).max(4.4 - dot).clamp(0.0, 1.0) as f32;
            if halo > 0.0 {
                blend(picture, x, y, PLATE, halo * 0.7 * (1.0 - cover));
                blend(picture, x, y, INK, cover);
            }
        }
    }
}

fn draw(picture: &mut Picture, plate: &Plate, text: &[char]) {
    let [left, top, wide, high] = *plate;
    for y in 0..high {
        for x in 0..wide {
            let rim = x == 0 || y == 0 || x == wide - 1 || y == high - 1;
            let corner = (x == 0 || x == wide - 1) && (y == 0 || y == high - 1);
            if !corner {
                let colour = if rim { [120.0, 126.0, 134.0] } else { PLATE };
                blend(picture, left + x, top + y, colour, if rim { 1.0 } else { 0.93 });
            }
        }
    }
    let advance = get_raster_width(FontWeight::Regular, RasterHeight::Size16) as i64;
    for (number, letter) in (0..).zip(text) {
        let glyph = |c: char| get_raster(c, FontWeight::Regular, RasterHeight::Size16);
        let Some(raster) = glyph(*letter).or_else(|| glyph('?')) else { continue };
        for (row, line) in (0..).zip(raster.rows()) {
            for (column, strength) in (0..).zip(line) {
                if *strength > 0 {
                    let (x, y) = (left + 6 + number * advance + column, top + 3 + row);
                    blend(picture, x, y, INK, f32::from(*strength) / 255.0);
                }
            }
        }
    }
}
