//! Rows reduced by a whole factor as they come: each pixel that is worked on is the mean of a square.

use crate::grid::Grid;
use crate::picture::Limits;

pub(super) struct Reducer {
    pub width: u32,
    pub height: u32,
    pub factor: u32,
    colours: Grid<[u8; 3]>,
    sums: Vec<[u32; 3]>,
    /// rows seen, and rows in the sums
    row: u32,
    gathered: u32,
}

impl Reducer {
    pub fn new(width: u32, height: u32, limits: &Limits) -> Self {
        let factor = width.max(height).div_ceil(limits.longest_side.max(1)).max(1);
        let (across, down) = (width.div_ceil(factor) as usize, height.div_ceil(factor) as usize);
        let mut colours = Grid::new(across, down);
        // what a damaged file does not say is paper
        colours.data.fill([255; 3]);
        Self { width, height, factor, colours, sums: vec![[0; 3]; across], row: 0, gathered: 0 }
    }

    /// Takes the next row, as colours over white.
    pub fn push(&mut self, row: impl Iterator<Item = [u8; 3]>) {
        if self.row >= self.height {
            return;
        }
        let factor = self.factor as usize;
        if factor == 1 {
            let start = self.row as usize * self.colours.width;
            for (own, colour) in self.colours.data.iter_mut().skip(start).take(self.colours.width).zip(row) {
                *own = colour;
            }
            self.row += 1;
            return;
        }
        for (x, colour) in row.take(self.width as usize).enumerate() {
            if let Some(sum) = self.sums.get_mut(x / factor) {
                for (sum, value) in sum.iter_mut().zip(colour) {
                    *sum += u32::from(value);
                }
            }
        }
        self.row += 1;
        self.gathered += 1;
        if self.gathered == self.factor || self.row == self.height {
            self.put();
        }
    }

    fn put(&mut self) {
        let y = (self.row.saturating_sub(1) / self.factor) as usize;
        let last = self.width - (self.sums.len() as u32).saturating_sub(1) * self.factor;
        let columns = self.sums.len();
        for (x, sum) in self.sums.iter_mut().enumerate() {
            let count = self.gathered * if x + 1 == columns { last.max(1) } else { self.factor };
            let mean = sum.map(|value| (value / count.max(1)).min(255) as u8);
            if let Some(own) = self.colours.data.get_mut(y * columns + x) {
                *own = mean;
            }
            *sum = [0; 3];
        }
        self.gathered = 0;
    }

    /// Rows that were taken.
    pub fn rows(&self) -> u32 {
        self.row
    }

    pub fn finish(mut self) -> Grid<[u8; 3]> {
        if self.gathered > 0 {
            self.put();
        }
        self.colours
    }
}
