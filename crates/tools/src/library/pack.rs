//! What a task needs to know, within a budget: whole sections on tools, ways of working, and the standard.

use super::{Asked, Found, Searched, search, section};
use contract::Fault;
use knowledge::Section;
use knowledge::corpora::names::{GUIDES, SCRIPT, TOOLS};

/// The corpora on how things are done here, with how many sections of each are looked at.
const GROUPS: [(&str, usize); 3] = [(TOOLS, 5), (GUIDES, 3), (SCRIPT, 2)];
/// Sections of all others.
const OTHERS: usize = 6;
/// Sections of a corpus that was named.
const OF_ONE: usize = 12;
/// The share of a budget that one section may take: one over this.
const SHARE: usize = 3;
/// Characters by which an answer names the parts of a section.
const MARKS: usize = 60;
/// Characters below which a beginning says too little to be worth its place.
const LEAST: usize = 200;

/// A section as far as it fits.
pub(crate) struct Packed {
    pub(crate) section: Section,
    /// True where its end was left out.
    pub(crate) is_cut: bool,
    /// How well it answers beside the best of its group, which has 1.
    pub(crate) share: f64,
}

/// Everything that was packed.
pub(crate) struct Pack {
    pub(crate) sections: Vec<Packed>,
    /// The last search, for its words on how it was done.
    pub(crate) searched: Searched,
    pub(crate) notices: Vec<String>,
    /// The corpora that were searched.
    pub(crate) corpora: Vec<String>,
}

/// Packs the best sections for the words of a task into so many characters, those of each group in turn.
pub(crate) fn packed(
    asked: &Asked<'_>,
    query: &str,
    corpus: Option<&str>,
    tags: &[String],
    budget: usize,
) -> Result<Pack, Fault> {
    let shelves = asked.shelves(corpus, tags)?;
    let (mut notices, mut corpora) = (shelves.notices, shelves.corpora);
    let mut groups: Vec<Vec<Found>> = Vec::new();
    let mut searched = if corpus.is_some() {
        search(asked.library, &shelves.indexes, query, OF_ONE)?
    } else {
        for (name, count) in GROUPS {
            let own = asked.shelves(Some(name), tags)?;
            groups.push(search(asked.library, &own.indexes, query, count)?.found);
        }
        let is_other = |found: &Found| GROUPS.iter().all(|(name, _)| found.hit.corpus != *name);
        let mut searched = search(asked.library, &shelves.indexes, query, OTHERS * 4)?;
        searched.found.retain(is_other);
        searched.found.truncate(OTHERS);
        corpora.extend(GROUPS.map(|(name, _)| name.to_owned()));
        searched
    };
    groups.push(std::mem::take(&mut searched.found));
    corpora.sort();
    corpora.dedup();
    let books = asked.indexes()?;
    let (mut sections, mut left) = (Vec::new(), budget);
    let mut turns: Vec<_> = groups.into_iter().map(Vec::into_iter).collect();
    let mut left_out = 0;
    loop {
        let round: Vec<Found> = turns.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() {
            break;
        }
        for found in round {
            let Some(section) = section(&books, &found.hit.location)? else { continue };
            match fitted(section, left.min(budget / SHARE)) {
                Some((section, is_cut)) => {
                    left = left.saturating_sub(cost(&section));
                    sections.push(Packed { section, is_cut, share: found.share });
                }
                None => left_out += 1,
            }
        }
    }
    if left_out > 0 {
        notices.push(format!("{left_out} further sections did not fit."));
    }
    Ok(Pack { sections, searched, notices, corpora })
}

/// Characters of a section beside its text: titles, address, and the marks between.
fn head(section: &Section) -> usize {
    let titles = section.path.iter().chain([&section.title]).map(|title| title.chars().count() + 3);
    titles.sum::<usize>() + section.location.len() + MARKS
}

fn cost(section: &Section) -> usize {
    section.text.chars().count() + head(section)
}

/// A section as far as it fits into so many characters, and whether its end was left out; none where next to nothing would be left.
fn fitted(mut section: Section, room: usize) -> Option<(Section, bool)> {
    if cost(&section) <= room {
        return Some((section, false));
    }
    let room = room.checked_sub(head(&section)).filter(|room| *room >= LEAST)?;
    let end = section.text.char_indices().nth(room).map_or(section.text.len(), |(at, _)| at);
    let text = section.text.get(..end).unwrap_or_default();
    // at the end of a line or sentence, if one is near
    let line = text.rfind('\n').or_else(|| text.rfind(". ").map(|at| at + 1));
    let end = line.filter(|at| *at > end / 2).unwrap_or(end);
    section.text.truncate(end);
    Some((section, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(text: &str) -> Section {
        Section { location: "a/b".into(), title: "B".into(), text: text.into(), ..Section::default() }
    }

    #[test]
    fn a_section_is_cut_at_a_line_and_left_out_where_little_would_be_left() {
        let long = "A line of twenty-six.....\n".repeat(40);
        let (whole, is_cut) = fitted(section(&long), 2_000).unwrap();
        assert!(!is_cut && whole.text == long);
        let (cut, is_cut) = fitted(section(&long), 500).unwrap();
        assert!(is_cut && cut.text.ends_with("twenty-six.....") && cost(&cut) <= 500);
        assert!(fitted(section(&long), 250).is_none());
        assert!(fitted(section(&"ä".repeat(900)), 500).is_some_and(|(cut, _)| cost(&cut) <= 500));
    }
}
