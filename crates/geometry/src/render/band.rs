//! Some rows of a picture: which facet each sample shows, light, lines, and what is seen through.
//!
//! Opaque facets go by depth; of two facets in one place the first of the list stays, so that pictures do not depend on
//! rounding. What is clear is kept as a list by sample and laid over from the far to the near, which is exact whatever crosses
//! whatever. Ghosts are all of one colour: how many lie over a sample, and how bright they are on average, is enough, so that a house
//! of ghosts costs no lists. They lie over what is clear.

use super::gather::{Facet, Kind};
use glam::Vec3;

/// No facet.
const NONE: u32 = u32::MAX;

/// The most clear layers kept at once, for each sample of a band on average; beyond, what is kept so far is laid over.
const LAYERS: usize = 12;

/// The light, and how lines are drawn.
pub(super) struct Light {
    /// Towards the lamp, at length one.
    pub lamp: Vec3,
    /// Towards the viewer, at length one.
    pub back: Vec3,
    /// True if lines are drawn.
    pub edges: bool,
    /// True if depths are one over the distance.
    pub perspective: bool,
    /// The distance between two samples in metres: per metre of distance in perspective.
    pub step: f64,
    /// The cosine of the angle between two faces above which no line parts them.
    pub crease: f32,
}

impl Light {
    /// Returns the brightness of a face.
    fn on(&self, normal: Vec3, kind: Kind) -> f32 {
        if kind == Kind::Cut {
            return 1.0;
        }
        let lamp = normal.dot(self.lamp).max(0.0);
        let facing = normal.dot(self.back).max(0.0);
        // the sky is brighter than the ground
        let sky = 0.5 + 0.5 * normal.z;
        0.56 + 0.14 * sky + 0.30 * lamp + 0.07 * facing
    }

    pub(super) fn step_at(&self, away: f32) -> f32 {
        self.step as f32 * if self.perspective { away } else { 1.0 }
    }
}

/// A clear layer over a sample.
#[derive(Debug, Clone, Copy)]
struct Layer {
    sample: u32,
    away: f32,
    facet: u32,
}

/// The samples of one surface.
pub(super) struct Surface {
    pub away: Vec<f32>,
    pub facet: Vec<u32>,
    pub normal: Vec<Vec3>,
}

impl Surface {
    fn new(count: usize) -> Surface {
        Surface {
            away: vec![f32::INFINITY; count],
            facet: vec![NONE; count],
            normal: vec![Vec3::ZERO; count],
        }
    }
}

/// Some rows of samples.
pub(super) struct Band<'f> {
    pub(super) facets: &'f [Facet],
    pub(super) light: &'f Light,
    pub(super) width: usize,
    /// The first row and the number of rows, with one more at each end that lines need.
    top: i64,
    pub(super) rows: usize,
    pub(super) solid: Surface,
    layers: Vec<Layer>,
    /// Red, green, blue and opacity, not multiplied.
    pub colour: Vec<[f32; 4]>,
    /// Metres from the eye, infinite where nothing is.
    pub away: Vec<f32>,
    /// The item's place in the list and one; nought where nothing is.
    pub item: Vec<u32>,
}

impl<'f> Band<'f> {
    pub(super) fn new(
        facets: &'f [Facet],
        light: &'f Light,
        width: usize,
        top: i64,
        rows: usize,
    ) -> Band<'f> {
        let count = width * rows;
        Band {
            facets,
            light,
            width,
            top,
            rows,
            solid: Surface::new(count),
            layers: Vec::new(),
            colour: vec![[0.0; 4]; count],
            away: Vec::new(),
            item: vec![0; count],
        }
    }

    /// Draws facets, by their numbers.
    pub(super) fn draw(&mut self, numbers: &[u32], background: impl Fn(i64) -> [f32; 4]) {
        let facets = self.facets;
        let of = |n: &u32| facets.get(*n as usize).map(|f| (*n, f));
        for (n, facet) in numbers.iter().filter_map(of).filter(|(_, f)| f.kind.is_opaque()) {
            self.solid_facet(n, facet);
        }
        self.shade(background);
        if self.light.edges {
            self.lines();
        }
        self.away = self.solid.away.clone();
        let mut front = self.front();
        let mut ghosts = Ghosts::default();
        for (n, facet) in numbers.iter().filter_map(of).filter(|(_, f)| f.kind == Kind::Ghost) {
            self.ghost_facet(n, facet, &mut ghosts, &mut front);
        }
        for (n, facet) in numbers.iter().filter_map(of).filter(|(_, f)| f.kind == Kind::Clear) {
            self.clear_facet(n, facet);
            if self.layers.len() > LAYERS * self.item.len().max(4096) {
                self.lay(&mut front);
            }
        }
        self.lay(&mut front);
        self.lay_ghosts(&ghosts);
        if self.light.edges {
            self.clear_lines(&front);
        }
    }

    /// Calls `each` with sample, distance and facet where a facet covers the middle of a sample. Two facets that share an edge
    /// never both cover a sample, nor do they leave one out.
    fn cover(&self, facet: &Facet, mut each: impl FnMut(usize, f32)) {
        let [a, b, c] = facet.at;
        let low = a.y.min(b.y).min(c.y);
        let high = a.y.max(b.y).max(c.y);
        let top = self.top as f64;
        let from = (low - 0.5 - top).ceil().max(0.0) as usize;
        let to = (high - 0.5 - top).ceil().clamp(0.0, self.rows as f64) as usize;
        for row in from..to {
            let y = top + row as f64 + 0.5;
            let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
            for (p, q) in [(a, b), (b, c), (c, a)] {
                // always from the upper end, so that both neighbours get the same number
                let (p, q) = if p.y < q.y { (p, q) } else { (q, p) };
                if p.y <= y && y < q.y {
                    let x = p.x + (y - p.y) * (q.x - p.x) / (q.y - p.y);
                    left = left.min(x);
                    right = right.max(x);
                }
            }
            if left >= right {
                continue;
            }
            let start = (left - 0.5).ceil().clamp(0.0, self.width as f64) as usize;
            let end = (right - 0.5).ceil().clamp(0.0, self.width as f64) as usize;
            let of_row = facet.depth[0] + facet.depth[2] * (y - a.y);
            for column in start..end {
                let value = of_row + facet.depth[1] * (column as f64 + 0.5 - a.x);
                // beyond its corners a facet has no depth: that of a sliver may change fast
                let value = value.clamp(facet.range[0], facet.range[1]);
                each(
                    row * self.width + column,
                    if self.light.perspective { 1.0 / value } else { value } as f32,
                );
            }
        }
    }

    fn solid_facet(&mut self, number: u32, facet: &Facet) {
        let mut surface = std::mem::replace(&mut self.solid, Surface::new(0));
        self.cover(facet, |at, away| {
            let before = surface.away[at];
            // half a millimetre, or what a float cannot tell
            if away < before - (5e-4 + 4e-6 * away) || (before == f32::INFINITY && away < before) {
                surface.away[at] = away;
                surface.facet[at] = number;
            }
        });
        self.solid = surface;
    }

    fn clear_facet(&mut self, number: u32, facet: &Facet) {
        let mut layers = std::mem::take(&mut self.layers);
        let solid = &self.solid.away;
        self.cover(facet, |at, away| {
            if away < solid[at] {
                layers.push(Layer { sample: at as u32, away, facet: number });
            }
        });
        self.layers = layers;
    }

    fn ghost_facet(&self, number: u32, facet: &Facet, ghosts: &mut Ghosts, front: &mut Surface) {
        if ghosts.count.is_empty() {
            ghosts.count = vec![0; self.item.len()];
            ghosts.light = vec![0.0; self.item.len()];
            ghosts.colour = facet.colour.map(f32::from);
        }
        let flat = facet.is_flat().then(|| (facet.normals[0], self.light.on(facet.normals[0], facet.kind)));
        self.cover(facet, |at, away| {
            if away >= self.solid.away[at] {
                return;
            }
            let (normal, light) = flat.unwrap_or_else(|| {
                let (x, y) = self.middle(at);
                let normal = facet.normal(x, y);
                (normal, self.light.on(normal, facet.kind))
            });
            ghosts.count[at] += 1;
            ghosts.light[at] += light;
            if away < front.away[at] {
                front.away[at] = away;
                front.facet[at] = number;
                front.normal[at] = normal;
            }
        });
    }

    fn middle(&self, at: usize) -> (f64, f64) {
        ((at % self.width) as f64 + 0.5, (self.top + (at / self.width) as i64) as f64 + 0.5)
    }

    fn lit(&self, at: usize, facet: &Facet) -> (Vec3, [f32; 4]) {
        let normal = if facet.is_flat() {
            facet.normals[0]
        } else {
            let (x, y) = self.middle(at);
            facet.normal(x, y)
        };
        let light = self.light.on(normal, facet.kind);
        let [r, g, b, a] = facet.colour.map(f32::from);
        (normal, [r * light, g * light, b * light, a / 255.0])
    }

    fn shade(&mut self, background: impl Fn(i64) -> [f32; 4]) {
        for row in 0..self.rows {
            let behind = background(self.top + row as i64);
            for at in row * self.width..(row + 1) * self.width {
                let Some(facet) = self.facets.get(self.solid.facet[at] as usize) else {
                    self.colour[at] = behind;
                    continue;
                };
                let (normal, colour) = self.lit(at, facet);
                self.solid.normal[at] = normal;
                self.colour[at] = [colour[0], colour[1], colour[2], 1.0];
                self.item[at] = facet.item + 1;
            }
        }
    }

    /// The nearest surface, clear or not, as far as it is known before anything clear is drawn.
    fn front(&self) -> Surface {
        Surface {
            away: self.solid.away.clone(),
            facet: self.solid.facet.clone(),
            normal: self.solid.normal.clone(),
        }
    }

    /// Lays the clear layers over the picture, the far ones first.
    fn lay(&mut self, front: &mut Surface) {
        let layers = std::mem::take(&mut self.layers);
        let (mut sorted, starts) = by_sample(&layers, self.item.len());
        let mut from = 0;
        for (at, start) in starts.into_iter().enumerate() {
            let to = start as usize;
            let Some(over) = sorted.get_mut(from..to) else { continue };
            from = to;
            over.sort_unstable();
            for layer in &*over {
                self.lay_one(at, *layer, front);
            }
        }
        // the buffer is used again
        self.layers = layers;
        self.layers.clear();
    }

    fn lay_ghosts(&mut self, ghosts: &Ghosts) {
        let [r, g, b, alpha] = ghosts.colour;
        let through = 1.0 - alpha / 255.0;
        for ((count, light), c) in ghosts.count.iter().zip(&ghosts.light).zip(&mut self.colour) {
            if *count == 0 {
                continue;
            }
            let light = light / *count as f32;
            let alpha = 1.0 - through.powi(*count as i32);
            lay_over(c, [r * light, g * light, b * light], alpha);
        }
    }

    fn lay_one(&mut self, at: usize, layer: Over, front: &mut Surface) {
        let (away, number) = (layer.away(), layer.facet());
        let Some(facet) = self.facets.get(number as usize) else { return };
        let (normal, [r, g, b, alpha]) = self.lit(at, facet);
        lay_over(&mut self.colour[at], [r, g, b], alpha);
        if facet.kind == Kind::Clear && away <= self.away[at] {
            self.away[at] = away;
            self.item[at] = facet.item + 1;
        }
        if away <= front.away[at] {
            front.away[at] = away;
            front.facet[at] = number;
            front.normal[at] = normal;
        }
    }
}

/// The ghosts over each sample; empty where there are none.
#[derive(Debug, Default)]
struct Ghosts {
    /// The number of their faces.
    count: Vec<u32>,
    /// The sum of their brightness.
    light: Vec<f32>,
    /// The colour of all, with its opacity of 255.
    colour: [f32; 4],
}

/// Lays a colour of some opacity over another.
fn lay_over(c: &mut [f32; 4], [r, g, b]: [f32; 3], alpha: f32) {
    let total = alpha + c[3] * (1.0 - alpha);
    let share = alpha / total.max(1e-6);
    for (under, over) in c.iter_mut().zip([r, g, b]) {
        *under += (over - *under) * share;
    }
    c[3] = total;
}

/// A clear layer in the list of its sample: distance and facet in one number, which is less the farther the layer is, and of two as
/// far the later facet's. (Distances are not negative, so their bits are in their order.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Over(u64);

impl Over {
    fn new(layer: &Layer) -> Over {
        Over(u64::from(!layer.away.to_bits()) << 32 | u64::from(!layer.facet))
    }

    fn away(self) -> f32 {
        f32::from_bits(!((self.0 >> 32) as u32))
    }

    fn facet(self) -> u32 {
        !(self.0 as u32)
    }
}

/// The layers by their samples, and where the layers of each sample end. A few layers lie over each of many samples: they are put
/// into their places by counting, many times faster than by comparing.
fn by_sample(layers: &[Layer], samples: usize) -> (Vec<Over>, Vec<u32>) {
    let mut places = vec![0_u32; samples];
    for layer in layers {
        if let Some(count) = places.get_mut(layer.sample as usize) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for place in &mut places {
        sum += std::mem::replace(place, sum);
    }
    let mut sorted = vec![Over(0); layers.len()];
    for layer in layers {
        let Some(place) = places.get_mut(layer.sample as usize) else { continue };
        if let Some(over) = sorted.get_mut(*place as usize) {
            *over = Over::new(layer);
        }
        *place += 1;
    }
    (sorted, places)
}
