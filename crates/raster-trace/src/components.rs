//! Connected parts of a mask, by runs of rows.

use crate::grid::Grid;

/// One connected part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Component {
    pub pixels: u32,
    pub left: u32,
    pub top: u32,
    /// The last column and row within.
    pub right: u32,
    pub bottom: u32,
    /// The highest value of the field that was asked for.
    pub peak: u8,
    /// True if it reaches the edge of the picture.
    pub is_at_edge: bool,
}

impl Component {
    pub fn width(&self) -> u32 {
        self.right - self.left + 1
    }

    pub fn height(&self) -> u32 {
        self.bottom - self.top + 1
    }
}

struct Run {
    y: u32,
    start: u32,
    /// one beyond the last
    end: u32,
    parent: u32,
}

/// The parts of what holds `value`, and where each lies, as runs.
pub(crate) struct Components {
    pub parts: Vec<Component>,
    runs: Vec<(u32, u32, u32, u32)>,
}

impl Components {
    /// Finds parts; diagonal neighbours belong together where `is_diagonal`.
    pub fn find(mask: &Grid<u8>, value: u8, is_diagonal: bool, field: Option<&Grid<u8>>) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        let mut before = 0..0;
        let reach = u32::from(is_diagonal);
        for (y, row) in mask.rows().enumerate() {
            let first = runs.len();
            let mut x = 0;
            while let Some(start) =
                row.get(x..).and_then(|rest| rest.iter().position(|own| *own == value)).map(|n| n + x)
            {
                let end = row
                    .get(start..)
                    .and_then(|rest| rest.iter().position(|own| *own != value))
                    .map_or(row.len(), |n| n + start);
                let parent = runs.len() as u32;
                runs.push(Run { y: y as u32, start: start as u32, end: end as u32, parent });
                x = end;
            }
            let mut above = before.start;
            for n in first..runs.len() {
                let (start, end) = runs.get(n).map_or((0, 0), |run| (run.start, run.end));
                // runs above that end before this one begins touch none of the row
                while above < before.end && runs.get(above).is_some_and(|run| run.end + reach <= start) {
                    above += 1;
                }
                let mut other = above;
                while other < before.end && runs.get(other).is_some_and(|run| run.start < end + reach) {
                    join(&mut runs, other as u32, n as u32);
                    other += 1;
                }
            }
            before = first..runs.len();
        }
        Self::gather(mask, runs, field)
    }

    fn gather(mask: &Grid<u8>, mut runs: Vec<Run>, field: Option<&Grid<u8>>) -> Self {
        let mut parts: Vec<Component> = Vec::new();
        let mut number = vec![u32::MAX; runs.len()];
        let mut out = Vec::with_capacity(runs.len());
        let (last_x, last_y) =
            ((mask.width as u32).saturating_sub(1), (mask.height as u32).saturating_sub(1));
        for n in 0..runs.len() {
            let root = root(&mut runs, n as u32) as usize;
            let Some(run) = runs.get(n) else { continue };
            let (y, start, end) = (run.y, run.start, run.end);
            let Some(own) = number.get_mut(root) else { continue };
            if *own == u32::MAX {
                *own = parts.len() as u32;
                parts.push(Component {
                    pixels: 0,
                    left: start,
                    top: y,
                    right: end - 1,
                    bottom: y,
                    peak: 0,
                    is_at_edge: false,
                });
            }
            let own = *own;
            if let Some(part) = parts.get_mut(own as usize) {
                part.pixels += end - start;
                part.left = part.left.min(start);
                part.right = part.right.max(end - 1);
                part.bottom = part.bottom.max(y);
                part.is_at_edge |= start == 0 || end > last_x || y == 0 || y == last_y;
                if let Some(field) = field {
                    let at = y as usize * field.width;
                    let values = field.data.get(at + start as usize..at + end as usize).unwrap_or_default();
                    part.peak = part.peak.max(values.iter().copied().max().unwrap_or(0));
                }
            }
            out.push((y, start, end, own));
        }
        Self { parts, runs: out }
    }

    /// Writes `value` over each part that is chosen.
    pub fn paint(&self, mask: &mut Grid<u8>, value: u8, is_chosen: impl Fn(&Component) -> bool) {
        let chosen: Vec<bool> = self.parts.iter().map(is_chosen).collect();
        self.paint_numbered(mask, value, &chosen);
    }

    /// Writes `value` over each part whose number is chosen.
    pub fn paint_numbered(&self, mask: &mut Grid<u8>, value: u8, chosen: &[bool]) {
        self.each_run(|y, start, end, part| {
            if chosen.get(part).copied().unwrap_or(false) {
                let at = y * mask.width;
                if let Some(row) = mask.data.get_mut(at + start..at + end) {
                    row.fill(value);
                }
            }
        });
    }

    /// Calls for each run: row, first column, column beyond the last, part.
    pub fn each_run(&self, mut call: impl FnMut(usize, usize, usize, usize)) {
        for (y, start, end, part) in &self.runs {
            call(*y as usize, *start as usize, *end as usize, *part as usize);
        }
    }
}

fn root(runs: &mut [Run], mut n: u32) -> u32 {
    loop {
        let Some(parent) = runs.get(n as usize).map(|run| run.parent) else { return n };
        if parent == n {
            return n;
        }
        let above = runs.get(parent as usize).map_or(parent, |run| run.parent);
        if let Some(run) = runs.get_mut(n as usize) {
            run.parent = above;
        }
        n = above;
    }
}

fn join(runs: &mut [Run], a: u32, b: u32) {
    let (a, b) = (root(runs, a), root(runs, b));
    if let Some(run) = runs.get_mut(a.max(b) as usize) {
        run.parent = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::Components;
    use crate::grid::Grid;

    fn mask(rows: &[&str]) -> Grid<u8> {
        let data = rows.iter().flat_map(|row| row.bytes().map(|byte| u8::from(byte == b'#'))).collect();
        Grid { width: rows[0].len(), height: rows.len(), data }
    }

    #[test]
    fn parts_are_joined_over_forks_and_diagonals() {
        let own = mask(&["#.#..#", "#.#.#.", "###...", "......", "..#..."]);
        let mut sizes: Vec<u32> =
            Components::find(&own, 1, true, None).parts.iter().map(|c| c.pixels).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [1, 2, 7]);
        assert_eq!(Components::find(&own, 1, false, None).parts.len(), 4);
    }

    #[test]
    fn paper_that_is_enclosed_is_not_at_the_edge() {
        let own = mask(&["......", ".####.", ".#..#.", ".####.", "......"]);
        let parts = Components::find(&own, 0, false, None).parts;
        let enclosed: Vec<u32> = parts.iter().filter(|c| !c.is_at_edge).map(|c| c.pixels).collect();
        assert_eq!(enclosed, [2]);
    }
}
