//! What a run came to, bounded: how it ended and why, the worst messages, end uses. Everything else is in its files.

use super::Ran;
use super::folder::RunFolder;
use energy::ops::SimulateAnswer;
use energy::results::errors::Group;
use energy::results::summary::{EndUse, EndUses};
use energy::results::{ErrorReport, Results, RunStatus, Span, judge};

/// Bytes of the list of errors that are read.
const ERRORS: u64 = 16 << 20;
/// Bytes of the last line's file.
const END: u64 = 64 << 10;
/// Messages that are listed; the others are counted.
const MESSAGES: usize = 12;
/// Characters of one.
const MESSAGE: usize = 300;
/// Lines that continue one.
const DETAILS: usize = 3;
/// End uses that are listed, the largest first.
const USES: usize = 30;

/// Reads what the programs left.
pub(super) fn answer(folder: &RunFolder, ran: &Ran, span: Span, version: &str) -> SimulateAnswer {
    let errors = folder.bytes("eplusout.err", ERRORS).map(|bytes| ErrorReport::parse(&bytes));
    let end = folder.bytes("eplusout.end", END).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let sqlite = folder.bytes("sqlite.err", END).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let mut outcome = judge(ran.exit, end.as_deref(), errors.as_ref(), sqlite.as_deref());
    if let Some((program, said)) = &ran.stuck {
        outcome.status = if ran.exit.signal.is_some() { RunStatus::Crashed } else { RunStatus::Fatal };
        let said = if said.is_empty() { "it said nothing".to_owned() } else { said.clone() };
        outcome.reason = format!("{program}, which runs before EnergyPlus, did not do its work: {said}.");
    }
    outcome.reason = cut(&outcome.reason, 2 * MESSAGE);
    let (messages, messages_left_out) = errors.map_or_else(Default::default, |errors| {
        let summary = errors.summary(MESSAGES);
        (summary.groups.into_iter().map(bounded).collect(), summary.groups_left_out)
    });
    let mut notes = ran.notes.clone();
    let end_uses = folder
        .file("eplusout.sql")
        .filter(|_| outcome.status == RunStatus::Completed)
        .and_then(|path| Results::open(&path).and_then(|results| results.end_uses()).ok())
        .map(|uses| largest(uses, &mut notes));
    let program = format!("EnergyPlus {version}");
    SimulateAnswer { outcome, span, program, messages, messages_left_out, end_uses, notes }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or(text)),
        None => text.to_owned(),
    }
}

fn bounded(group: Group) -> Group {
    let text = cut(&group.text, MESSAGE);
    let details = group.details.iter().take(DETAILS).map(|line| cut(line, MESSAGE)).collect();
    Group { text, details, ..group }
}

fn largest(mut uses: EndUses, notes: &mut Vec<String>) -> EndUses {
    let size = |one: &EndUse| one.kwh.unwrap_or(0.0).abs();
    uses.uses.sort_by(|a, b| size(b).total_cmp(&size(a)));
    if uses.uses.len() > USES {
        notes.push(format!("{} smaller end uses are left out.", uses.uses.len() - USES));
        uses.uses.truncate(USES);
    }
    uses
}
