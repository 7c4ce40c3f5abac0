//! One day of a schedule: values that hold until a time, and how those times are brought onto time steps.

/// The treatment of values that change within a time step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// The value at the end of the step.
    #[default]
    No,
    /// The mean over the step's minutes.
    Average,
    /// Straight lines between the values, taken at the end of the step.
    Linear,
}

impl Interpolation {
    /// The word of a field: `No`, `Average`, `Linear`; `Yes` of old files is `Average`.
    pub fn from_word(word: &str) -> Self {
        let word = word.to_ascii_lowercase();
        if word.contains("linear") {
            Self::Linear
        } else if word.contains("average") || word.contains("yes") {
            Self::Average
        } else {
            Self::No
        }
    }
}

/// Minutes of a day.
pub const MINUTES: usize = 1440;

/// A day.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DayProfile {
    /// Until which minute, from 1 to 1440, which value holds.
    pub intervals: Vec<(usize, f64)>,
    /// The treatment of changes within a time step.
    pub interpolation: Interpolation,
}

impl DayProfile {
    /// One value all day.
    pub fn constant(value: f64) -> Self {
        Self { intervals: vec![(MINUTES, value)], interpolation: Interpolation::No }
    }

    /// Values of equal length, as many as fill the day.
    pub fn equal(values: &[f64], minutes: usize, interpolation: Interpolation) -> Result<Self, String> {
        if minutes == 0 || values.len() * minutes != MINUTES {
            return Err(format!("{} values of {minutes} minutes do not make a day", values.len()));
        }
        let intervals = values.iter().enumerate().map(|(at, value)| ((at + 1) * minutes, *value)).collect();
        Ok(Self { intervals, interpolation })
    }

    /// Values until times that grow to the end of the day.
    pub fn until(intervals: Vec<(usize, f64)>, interpolation: Interpolation) -> Result<Self, String> {
        let mut last = 0;
        for (minute, _) in &intervals {
            if *minute <= last {
                return Err(format!("the time {} does not follow {}", clock(*minute), clock(last)));
            }
            last = *minute;
        }
        if last != MINUTES {
            return Err(format!("the day ends at {}, not at 24:00", clock(last)));
        }
        Ok(Self { intervals, interpolation })
    }

    /// The value in each minute.
    fn minutes(&self) -> Vec<f64> {
        let mut values = Vec::with_capacity(MINUTES);
        let mut before = None;
        for (until, value) in &self.intervals {
            let length = until.saturating_sub(values.len());
            // the first interval has nothing to come from
            let start = before.filter(|_| self.interpolation == Interpolation::Linear).unwrap_or(*value);
            let slope = (value - start) / length.max(1) as f64;
            values.extend((1..=length).map(|minute| start + slope * minute as f64));
            before = Some(*value);
        }
        values.resize(MINUTES, before.unwrap_or_default());
        values
    }

    /// The mean of each hour, made of the program's own time steps.
    pub fn hours(&self, steps_per_hour: usize) -> [f64; 24] {
        let minutes = self.minutes();
        let step = 60 / steps_per_hour.clamp(1, 60);
        let mut hours = [0.0; 24];
        for (hour, minutes) in hours.iter_mut().zip(minutes.chunks(60)) {
            let of_step = |step: &[f64]| match self.interpolation {
                Interpolation::Average => step.iter().sum::<f64>() / step.len() as f64,
                Interpolation::No | Interpolation::Linear => step.last().copied().unwrap_or_default(),
            };
            let steps: Vec<f64> = minutes.chunks(step).map(of_step).collect();
            let first = steps.first().copied().unwrap_or_default();
            // a mean of equal values is that value, to the last digit
            *hour = if steps.iter().all(|value| *value == first) {
                first
            } else {
                steps.iter().sum::<f64>() / steps.len() as f64
            };
        }
        hours
    }
}

/// `7:30` → 450; `Until: 24:00` → 1440.
pub fn minute(text: &str) -> Option<usize> {
    let text = text.trim().to_ascii_lowercase();
    let text = text.strip_prefix("until").map_or(text.as_str(), |rest| rest.trim_start_matches([':', ' ']));
    let (hours, minutes) = text.trim().split_once(':')?;
    let (hours, minutes) = (hours.trim().parse::<usize>().ok()?, minutes.trim().parse::<usize>().ok()?);
    let at = hours * 60 + minutes;
    (hours <= 24 && minutes < 60 && (1..=MINUTES).contains(&at)).then_some(at)
}

/// 450 → `7:30`.
pub fn clock(minute: usize) -> String {
    format!("{}:{:02}", minute / 60, minute % 60)
}
