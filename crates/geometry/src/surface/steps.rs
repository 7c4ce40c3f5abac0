//! Parameters told in steps of a grid that is fine enough for a surface.

/// The steps of one parameter, of a grid that is fine enough.
#[derive(Debug, Clone, PartialEq)]
pub enum Steps {
    /// All steps are as large; the first is the parameter of step nought.
    Even(f64, f64),
    /// The parameters of the steps, ascending; if they close, the last is the first again.
    Lines(Vec<f64>, bool),
}

impl Steps {
    /// The steps from nought to a parameter.
    pub fn count_to(&self, parameter: f64) -> f64 {
        match self {
            Steps::Even(from, size) => (parameter - from) / size,
            Steps::Lines(lines, closed) => {
                let (Some(&first), Some(&last)) = (lines.first(), lines.last()) else { return 0.0 };
                let count = (lines.len() - 1) as f64;
                let turns = if *closed { ((parameter - first) / (last - first)).floor() } else { 0.0 };
                let within = parameter - turns * (last - first);
                let i = lines.partition_point(|l| *l <= within).clamp(1, lines.len() - 1);
                let (a, b) = (lines[i - 1], lines[i]);
                turns * count + (i - 1) as f64 + (within - a) / (b - a)
            }
        }
    }

    /// The parameter after so many steps.
    pub fn parameter(&self, steps: f64) -> f64 {
        match self {
            Steps::Even(from, size) => from + steps * size,
            Steps::Lines(lines, closed) => {
                let (Some(&first), Some(&last)) = (lines.first(), lines.last()) else { return 0.0 };
                let count = (lines.len() - 1) as f64;
                let turns = if *closed { (steps / count).floor() } else { 0.0 };
                let within = steps - turns * count;
                let i = (within.floor().max(0.0) as usize).min(lines.len() - 2);
                let (a, b) = (lines[i], lines[i + 1]);
                turns * (last - first) + a + (within - i as f64) * (b - a)
            }
        }
    }
}
