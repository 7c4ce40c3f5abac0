//! How far a run is, from the program's own words on standard output; its very last ones are on standard error.
//!
//! EnergyPlus names its steps (`Performing Zone Sizing Simulation`), and every few days of simulated time where it is
//! (`Continuing Simulation at 02/21/2017 for RUNPERIOD 1`). Sizing and setting up take a fixed share of the bar; days take the
//! rest. The fraction never goes back.

use crate::days::days_before;

/// One period that a run will simulate, as far as the model says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// The number of its days.
    pub days: u32,
}

impl Expected {
    /// A period from one day of the year to another, each as (month, day); over New Year if the second is earlier.
    pub fn between(begin: (u32, u32), end: (u32, u32)) -> Self {
        let (first, last) = (day_of_year(begin.0, begin.1), day_of_year(end.0, end.1));
        let days = if last >= first { last - first + 1 } else { 365 + last + 1 - first };
        Self { days }
    }

    /// A whole year.
    pub fn year() -> Self {
        Self { days: 365 }
    }

    /// A design day.
    pub fn day() -> Self {
        Self { days: 1 }
    }
}

/// The progress of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// The share that is done, 0 to 1, never less than before.
    pub fraction: f64,
    /// The present step, in a few words.
    pub words: String,
}

/// Follows the lines of one run.
#[derive(Debug, Clone)]
pub struct ProgressReader {
    expected: Vec<Expected>,
    /// The number of periods that have begun.
    begun: usize,
    /// Days of the periods that are over.
    before: u32,
    /// The day of the year on which the current period began.
    start: u32,
    fraction: f64,
}

const SET_UP: f64 = 0.03;
const SIZED: f64 = 0.15;
const SIMULATED: f64 = 0.97;

impl ProgressReader {
    /// A reader; `expected` are the periods that the model says, in order, and may be empty.
    pub fn new(expected: Vec<Expected>) -> Self {
        Self { expected, begun: 0, before: 0, start: 1, fraction: 0.0 }
    }

    /// Reads one line; `None` if it says nothing of where the run is.
    pub fn read(&mut self, line: &str) -> Option<Update> {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("Starting Simulation at ") {
            let (date, name) = rest.split_once(" for ")?;
            if self.begun > 0 {
                let over = self.expected.get(self.begun - 1).map_or(1, |period| period.days);
                self.before = self.before.saturating_add(over);
            }
            self.begun += 1;
            self.start = day(date)?;
            return Some(self.simulating(self.start, date, name));
        }
        if let Some(rest) = line.strip_prefix("Continuing Simulation at ") {
            let (date, name) = rest.split_once(" for ")?;
            return Some(self.simulating(day(date)?, date, name));
        }
        // said every few weeks of the simulated year, more often than the above
        if let Some(date) = line.strip_prefix("Updating Shadowing Calculations, Start Date=") {
            return (self.begun > 0).then(|| day(date).map(|day| self.simulating(day, date, ""))).flatten();
        }
        let (fraction, words) = if let Some(name) = line.strip_prefix("...for Sizing Period: ") {
            // towards the end of the sizing share, without knowing how many there are
            (
                self.fraction.max(SET_UP) + (SIZED - self.fraction.max(SET_UP)) * 0.25,
                format!("sizing: {name}"),
            )
        } else if line.starts_with("Warming up") {
            (self.fraction, "warming up".to_owned())
        } else {
            let known = [
                ("EnergyPlus Starting", 0.0, "starting"),
                ("Initializing Response Factors", 0.01, "setting up"),
                ("Performing Zone Sizing Simulation", SET_UP, "sizing zones"),
                ("Calculating System sizing", SET_UP, "sizing systems"),
                ("Adjusting Air System Sizing", SIZED, "sizing systems"),
                ("Beginning Primary Simulation", SIZED, "simulating"),
                ("Writing tabular output file", SIMULATED, "writing tables"),
                ("Writing final SQL reports", 0.99, "writing the database"),
                ("EnergyPlus Completed Successfully", 1.0, "completed"),
            ];
            let (_, fraction, words) = known.into_iter().find(|(mark, ..)| line.starts_with(mark))?;
            (fraction, words.to_owned())
        };
        // sizing returns to steps it had left; the simulation itself is only ever before its end
        Some(self.told(fraction, words))
    }

    fn simulating(&mut self, day: u32, date: &str, name: &str) -> Update {
        let within = if day >= self.start { day - self.start } else { 365 + day - self.start };
        let current = self.expected.get(self.begun.saturating_sub(1)).map_or_else(
            // an unknown period: to the end of the year, and a design day says no year
            || if date.matches('/').count() > 1 { 366 - self.start.min(365) } else { 1 },
            |period| period.days,
        );
        let known: u32 = self.expected.iter().map(|period| period.days).fold(0, u32::saturating_add);
        let total = known.max(self.before.saturating_add(current)).max(1);
        let done = f64::from(self.before.saturating_add(within.min(current)).min(total)) / f64::from(total);
        let words = match name {
            "" => format!("simulating {date}"),
            name => format!("simulating {date}, {name}"),
        };
        self.told(SIZED + (SIMULATED - SIZED) * done, words)
    }

    fn told(&mut self, fraction: f64, words: String) -> Update {
        self.fraction = self.fraction.max(fraction.clamp(0.0, 1.0));
        Update { fraction: self.fraction, words }
    }
}

/// `02/21/2017` or `02/21` as the day of a year of 365 days.
fn day(date: &str) -> Option<u32> {
    let mut parts = date.trim().split('/');
    let month: u32 = parts.next()?.trim().parse().ok()?;
    let day: u32 = parts.next()?.trim().parse().ok()?;
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then(|| day_of_year(month, day))
}

fn day_of_year(month: u32, day: u32) -> u32 {
    (days_before(month.min(12), false) + day.clamp(1, 31)).min(365)
}
