//! Rows of equal length: grey values, masks, distances.

/// A field of values, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grid<T> {
    pub width: usize,
    pub height: usize,
    pub data: Vec<T>,
}

impl<T: Copy + Default> Grid<T> {
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, data: vec![T::default(); width * height] }
    }

    /// The value at a place, or the default beyond the edge.
    pub fn at(&self, x: i64, y: i64) -> T {
        if x < 0 || y < 0 || x >= self.width as i64 || y >= self.height as i64 {
            return T::default();
        }
        self.data.get(y as usize * self.width + x as usize).copied().unwrap_or_default()
    }

    pub fn set(&mut self, x: i64, y: i64, value: T) {
        if x < 0 || y < 0 || x >= self.width as i64 || y >= self.height as i64 {
            return;
        }
        if let Some(own) = self.data.get_mut(y as usize * self.width + x as usize) {
            *own = value;
        }
    }

    /// The value under a point in continuous coordinates, where the first pixel reaches from 0 to 1.
    pub fn under(&self, point: glam::DVec2) -> T {
        if !point.is_finite() {
            return T::default();
        }
        self.at(point.x.floor() as i64, point.y.floor() as i64)
    }

    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.data.chunks_exact(self.width.max(1))
    }
}

/// Steps to the eight neighbours, clockwise from above.
pub(crate) const AROUND: [(i64, i64); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
