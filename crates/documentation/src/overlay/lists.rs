//! The list of findings and the legends of severities and ways.

use super::{LeftOut, Mark, Marks, Severity, way};
use crate::beside::{self, Block, Row};
use crate::phrases::{Phrases, put};
use crate::style::BLACK;
use paper::{Stroke, Subject, Weight};

/// The lists beside a drawing.
pub(super) fn blocks(marks: &Marks, left_out: &[LeftOut], phrases: &Phrases) -> Vec<Block> {
    let t = phrases.t;
    let is_off = |mark: Mark| {
        left_out.iter().any(|out| out.mark == mark && out.reason != super::Reason::PartlyOffView)
    };
    let mut blocks = Vec::new();
    let ways: Vec<Row> = marks
        .ways
        .iter()
        .enumerate()
        .map(|(n, way)| {
            let length = way::length(way).map_or_else(|| t.not_said.to_owned(), |m| phrases.number(m, 2));
            let mut words = put(t.way, &[&way.name, &length]);
            if is_off(Mark::Way(n)) {
                words = format!("{words} ({})", t.not_on_view);
            }
            let stroke = Stroke { width: 0.6, colour: way::colour(n), dashes: Vec::new() };
            Row::plain(beside::Mark::Line(stroke), words)
        })
        .collect();
    blocks.push(Block { title: t.ways.to_owned(), rows: ways, layer: Subject::Route });
    let kinds = [
        (Severity::Error, t.severity_error),
        (Severity::Warning, t.severity_warning),
        (Severity::Note, t.severity_note),
    ];
    let kinds: Vec<Row> = kinds
        .into_iter()
        .filter_map(|(severity, words)| {
            let count = marks.findings.iter().filter(|f| f.severity == severity).count();
            let mark = beside::Mark::Disc(String::new(), severity.colour());
            (count > 0).then(|| Row::plain(mark, format!("{words} ({count})")))
        })
        .collect();
    blocks.push(Block { title: t.legend.to_owned(), rows: kinds, layer: Subject::Finding });
    let findings: Vec<Row> = marks
        .findings
        .iter()
        .enumerate()
        .map(|(n, finding)| {
            let mark = beside::Mark::Disc((n + 1).to_string(), finding.severity.colour());
            let mut words = vec![(finding.title.clone(), Weight::Bold, BLACK)];
            if !finding.note.trim().is_empty() {
                words.push((finding.note.clone(), Weight::Regular, BLACK));
            }
            if is_off(Mark::Finding(n)) {
                words.push((t.not_on_view.to_owned(), Weight::Regular, [110, 110, 110, 255]));
            }
            Row { mark, words }
        })
        .collect();
    blocks.push(Block { title: t.findings.to_owned(), rows: findings, layer: Subject::Finding });
    blocks
}
