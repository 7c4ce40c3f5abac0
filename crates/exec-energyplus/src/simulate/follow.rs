//! How far a run is, told to whoever watches: from the lines that the program prints, with the periods that the model says it
//! will simulate.

use contract::Watch;
use energy::idf::{Document, Object};
use energy::results::plan::Program;
use energy::results::{Expected, ProgressReader, Span};
use std::collections::VecDeque;

/// In these parts progress is told.
const WHOLE: u64 = 1000;
/// Lines that are kept for the case that a program ends badly.
const LAST: usize = 5;
/// Bytes of one line that are looked at.
const LINE: usize = 4096;

/// Listens to the programs of one run.
pub(super) struct Follower<'a> {
    watch: &'a dyn Watch,
    reader: ProgressReader,
    /// The text printed since the last line's end.
    rest: String,
    last: VecDeque<String>,
    phase: String,
}

impl<'a> Follower<'a> {
    pub(super) fn new(watch: &'a dyn Watch, expected: Vec<Expected>) -> Self {
        let (rest, last, phase) = (String::new(), VecDeque::new(), String::new());
        Self { watch, reader: ProgressReader::new(expected), rest, last, phase }
    }

    /// Takes what a program printed.
    pub(super) fn read(&mut self, program: Program, text: &str) {
        self.rest.push_str(text);
        while let Some(end) = self.rest.find('\n') {
            let line: String = self.rest.drain(..=end).collect();
            self.line(program, line.trim());
        }
        if self.rest.len() > LINE {
            self.rest.clear();
        }
    }

    fn line(&mut self, program: Program, line: &str) {
        if line.is_empty() {
            return;
        }
        self.last.push_back(line.chars().take(300).collect());
        if self.last.len() > LAST {
            self.last.pop_front();
        }
        if program != Program::EnergyPlus {
            return;
        }
        if let Some(update) = self.reader.read(line) {
            // the day that it is at, without the name of the period
            let phase = update.words.split([':', ',']).next().unwrap_or_default();
            if phase != self.phase {
                phase.clone_into(&mut self.phase);
                self.watch.begins(phase);
            }
            self.watch.at((update.fraction * WHOLE as f64) as u64, WHOLE);
        }
    }

    /// The last lines that were printed.
    pub(super) fn last_words(&self) -> String {
        let lines: Vec<&str> = self.last.iter().map(String::as_str).chain([self.rest.trim()]).collect();
        lines.join(" ").trim().to_owned()
    }
}

/// The periods that a run will simulate, as far as the model says.
pub(super) fn expected(document: &Document, span: Span) -> Vec<Expected> {
    let design_days = || document.of_type("SizingPeriod:DesignDay").map(|_| Expected::day());
    match span {
        Span::DesignDay => design_days().collect(),
        Span::Annual => vec![Expected::year()],
        Span::AsModelled => {
            let control = document.of_type("SimulationControl").next();
            let says = |field: &str| {
                control
                    .as_ref()
                    .and_then(|object| object.get(field))
                    .is_some_and(|v| v.eq_ignore_ascii_case("yes"))
            };
            let days = design_days().filter(|_| says("run_simulation_for_sizing_periods"));
            let periods = document
                .of_type("RunPeriod")
                .filter(|_| says("run_simulation_for_weather_file_run_periods"))
                .filter_map(|object| period(&object));
            days.chain(periods).collect()
        }
    }
}

fn period(object: &Object<'_>) -> Option<Expected> {
    let number = |field: &str| Some(object.number(field)? as u32);
    let begin = (number("begin_month")?, number("begin_day_of_month")?);
    Some(Expected::between(begin, (number("end_month")?, number("end_day_of_month")?)))
}
