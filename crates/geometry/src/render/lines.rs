//! The lines of a picture: where neighbouring samples differ in element, depth or direction.

use super::{
    band::{Band, Surface},
    gather::{Facet, Kind},
};

impl Band<'_> {
    /// Returns the strength of the line that parts two neighbouring samples of a surface: nothing to one.
    fn parted(&self, surface: &Surface, a: usize, b: usize) -> f32 {
        if surface.facet[a] == surface.facet[b] {
            return 0.0;
        }
        let facet = |at: usize| self.facets.get(surface.facet[at] as usize);
        match (facet(a), facet(b)) {
            (None, None) => 0.0,
            (Some(_), None) | (None, Some(_)) => 0.85,
            (Some(f), Some(g)) => {
                let (n, m) = (surface.normal[a], surface.normal[b]);
                let (za, zb) = (surface.away[a], surface.away[b]);
                let step = self.light.step_at(za.min(zb));
                // how much the distance changes from one sample to the next on either face
                let change = |f: &Facet, z: f32| {
                    let own = if b == a + 1 { f.depth[1] } else { f.depth[2] } as f32;
                    if self.light.perspective { -own * z * z } else { own }
                };
                let (on_f, on_g) = (change(f, za), change(g, zb));
                let off = (zb - za - on_f).abs().min((zb - za - on_g).abs());
                let apart = off / (1.5 * step + 2e-3 + 0.5 * on_f.abs().max(on_g.abs()));
                if apart > 1.0 {
                    // a jump of a few millimetres is no corner of a house
                    let jump = ((za - zb).abs() / (0.05 + 4.0 * step)).min(1.0);
                    return 0.45 + 0.4 * jump;
                }
                let kinds = if f.kind == g.kind { 0.0 } else { 0.8 };
                let cosine = n.dot(m);
                let crease: f32 = if cosine < self.light.crease { 0.62 } else { 0.0 };
                let other = if f.item == g.item { 0.0 } else { 0.42 };
                crease.max(other).max(kinds)
            }
        }
    }

    fn strengths(&self, surface: &Surface) -> Vec<f32> {
        let mut strength = vec![0.0_f32; self.item.len()];
        let mut mark = |a: usize, b: usize| {
            let s = self.parted(surface, a, b);
            if s > 0.0 {
                strength[a] = strength[a].max(s);
                strength[b] = strength[b].max(s);
            }
        };
        for row in 0..self.rows {
            for at in row * self.width..(row + 1) * self.width {
                if at + 1 < (row + 1) * self.width {
                    mark(at, at + 1);
                }
                if row + 1 < self.rows {
                    mark(at, at + self.width);
                }
            }
        }
        strength
    }

    fn ink(&mut self, at: usize, strength: f32) {
        const INK: [f32; 3] = [38.0, 42.0, 48.0];
        let c = &mut self.colour[at];
        // on a see-through background a line is as opaque as it is strong
        let alpha = c[3] + (1.0 - c[3]) * strength;
        for i in 0..3 {
            let under = if c[3] > 0.0 { c[i] } else { INK[i] };
            c[i] = under + (INK[i] - under) * strength;
        }
        c[3] = alpha;
    }

    /// Draws the lines of what is opaque.
    pub(super) fn lines(&mut self) {
        let strength = self.strengths(&self.solid);
        for (at, s) in strength.into_iter().enumerate().filter(|(_, s)| *s > 0.0) {
            self.ink(at, s);
        }
    }

    /// The lines of what is clear and in front: fainter.
    pub(super) fn clear_lines(&mut self, front: &Surface) {
        let kind = |at: usize| self.facets.get(front.facet[at] as usize).map(|f| f.kind);
        let faint: Vec<f32> = (0..self.item.len())
            .map(|at| match kind(at) {
                Some(Kind::Clear) => 0.6,
                Some(Kind::Ghost) => 0.22,
                _ => 0.0,
            })
            .collect();
        if faint.iter().all(|f| *f == 0.0) {
            return;
        }
        let strength = self.strengths(front);
        for (at, (s, faint)) in strength.into_iter().zip(faint).enumerate() {
            if s > 0.0 && faint > 0.0 {
                self.ink(at, s * faint);
            }
        }
    }
}
