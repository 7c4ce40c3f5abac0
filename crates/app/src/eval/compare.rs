//! Two reports beside each other: how figures differ over the cases that both have, and how sure that is.
//!
//! The interval is the middle 95 % of differences of means when runs are drawn again from those there are (bootstrap, within each case, so
//! that each case weighs the same). The draws are always the same ones.

use super::table::Table;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Draws.
const DRAWS: usize = 10_000;

/// A report as another program reads it.
#[derive(Debug, Deserialize)]
pub struct Told {
    /// The language model; none where traces were played.
    pub agent: Option<String>,
    runs: Vec<ToldRun>,
}

#[derive(Debug, Deserialize)]
struct ToldRun {
    case: String,
    figures: BTreeMap<String, f64>,
}

impl Told {
    /// Reads a report that was written as JSON.
    pub fn read(file: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        serde_json::from_str(&text).with_context(|| format!("{} is no report in JSON", file.display()))
    }

    /// The figures of a name by case; only cases all of whose runs have it.
    fn figures(&self, name: &str) -> BTreeMap<&str, Vec<f64>> {
        let mut by_case: BTreeMap<&str, Option<Vec<f64>>> = BTreeMap::new();
        for run in &self.runs {
            let figures = by_case.entry(&run.case).or_insert_with(|| Some(Vec::new()));
            match (figures.as_mut(), run.figures.get(name)) {
                (Some(figures), Some(figure)) => figures.push(*figure),
                _ => *figures = None,
            }
        }
        by_case.into_iter().filter_map(|(case, figures)| Some((case, figures?))).collect()
    }
}

/// Compares two reports.
pub fn compare(one: &Told, other: &Told, names: [&str; 2]) -> Result<Table> {
    let label = |told: &Told, name: &str| {
        told.agent.as_ref().map_or(name.to_owned(), |agent| format!("{agent} ({name})"))
    };
    let [first, second] = [label(one, names[0]), label(other, names[1])];
    let mut table = Table::new(
        &format!("{first} beside {second}"),
        &["figure", "first", "second", "difference", "95 % interval", "cases", "is it clear?"],
    );
    let order = [
        "steps",
        "tool calls",
        "success (%)",
        "tokens (K)",
        "seconds",
        "characters",
        "manual review",
        "model (%)",
        "schema (%)",
        "practice (%)",
        "all met (%)",
    ];
    for name in order {
        let (mine, theirs) = (one.figures(name), other.figures(name));
        let both: Vec<(&[f64], &[f64])> = mine
            .iter()
            .filter_map(|(case, figures)| Some((figures.as_slice(), theirs.get(case)?.as_slice())))
            .collect();
        if both.is_empty() {
            continue;
        }
        let cases = both.len() as f64;
        let of = |pick: fn(&(&[f64], &[f64])) -> f64| both.iter().map(pick).sum::<f64>() / cases;
        let (a, b) = (of(|(one, _)| mean(one)), of(|(_, other)| mean(other)));
        let (low, high) = interval(&both);
        let clear = if low > 0.0 || high < 0.0 { "yes" } else { "no" };
        table.row([
            name.to_owned(),
            format!("{a:.2}"),
            format!("{b:.2}"),
            format!("{:+.2}", b - a),
            format!("{low:+.2} to {high:+.2}"),
            both.len().to_string(),
            clear.to_owned(),
        ]);
    }
    if table.rows.is_empty() {
        bail!("the reports have no case in common");
    }
    table.notes.push(format!(
        "Means over cases, each weighing the same. The interval: the middle 95 % of {DRAWS} differences of runs drawn again within each case; \
         with few runs it is too narrow."
    ));
    Ok(table)
}

fn mean(figures: &[f64]) -> f64 {
    figures.iter().sum::<f64>() / figures.len().max(1) as f64
}

fn interval(both: &[(&[f64], &[f64])]) -> (f64, f64) {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut differences: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let sum: f64 = both.iter().map(|(one, other)| dice.mean(other) - dice.mean(one)).sum();
            sum / both.len().max(1) as f64
        })
        .collect();
    differences.sort_by(f64::total_cmp);
    let at = |share: f64| {
        differences.get((share * (DRAWS - 1) as f64).round() as usize).copied().unwrap_or_default()
    };
    (at(0.025), at(0.975))
}

/// Draws that are the same each time (xorshift64*).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// The mean of as many figures drawn from these as there are.
    fn mean(&mut self, figures: &[f64]) -> f64 {
        let count = figures.len().max(1) as u64;
        let drawn: f64 = figures
            .iter()
            .map(|_| figures.get((self.next() % count) as usize).copied().unwrap_or_default())
            .sum();
        drawn / count as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(agent: &str, figures: &[(&str, &[f64])]) -> Told {
        let runs = figures.iter().flat_map(|(case, values)| {
            values.iter().map(|value| ToldRun {
                case: (*case).to_owned(),
                figures: BTreeMap::from([("tool calls".to_owned(), *value), ("seconds".to_owned(), 1.0)]),
            })
        });
        Told { agent: Some(agent.to_owned()), runs: runs.collect() }
    }

    fn row(table: &Table, name: &str) -> Vec<String> {
        table.rows.iter().find(|row| row[0] == name).unwrap().clone()
    }

    #[test]
    fn a_difference_that_every_run_shows_is_clear_and_one_within_the_spread_is_not() {
        let one = report("a", &[("x", &[10.0, 11.0, 12.0, 11.0]), ("y", &[20.0, 21.0, 22.0])]);
        let better = report("b", &[("x", &[4.0, 5.0, 4.0, 5.0]), ("y", &[12.0, 11.0, 12.0])]);
        let same = report("c", &[("x", &[9.0, 13.0, 11.0, 11.0]), ("y", &[19.0, 23.0, 21.0])]);
        let clear = row(&compare(&one, &better, ["1", "2"]).unwrap(), "tool calls");
        assert_eq!(
            (clear[1].as_str(), clear[6].as_str(), clear[5].as_str()),
            ("16.00", "yes", "2"),
            "{clear:?}"
        );
        assert!(clear[3].starts_with('-'));
        let unclear = row(&compare(&one, &same, ["1", "2"]).unwrap(), "tool calls");
        assert_eq!(unclear[6], "no", "{unclear:?}");
        assert_eq!(row(&compare(&one, &same, ["1", "2"]).unwrap(), "seconds")[6], "no");
    }

    #[test]
    fn cases_that_only_one_has_do_not_count_and_without_a_common_one_there_is_no_table() {
        let one = report("a", &[("x", &[10.0, 10.0]), ("only here", &[900.0])]);
        let other = report("b", &[("x", &[12.0, 12.0]), ("only there", &[1.0])]);
        let found = row(&compare(&one, &other, ["1", "2"]).unwrap(), "tool calls");
        assert_eq!((found[1].as_str(), found[2].as_str(), found[5].as_str()), ("10.00", "12.00", "1"));
        assert_eq!(found[4], "+2.00 to +2.00");
        assert!(compare(&one, &report("c", &[("z", &[1.0])]), ["1", "2"]).is_err());
    }
}
