//! Findings by what is broken, worst first.

use super::{Found, Issue, Level};
use std::collections::BTreeMap;

/// The findings of one rule and weight.
#[derive(Debug)]
pub(crate) struct Group<'f> {
    /// The weight.
    pub level: Level,
    /// `type`, `reference`, `where-rule`, `constraint`, …
    pub kind: &'static str,
    /// The rule.
    pub rule: &'f str,
    /// The demand of the rule.
    pub title: Option<&'f str>,
    /// Findings, listed or not.
    pub count: usize,
    /// Those listed, with their ids.
    pub issues: Vec<(&'f str, &'f Issue)>,
}

/// Groups with the numbers of findings by weight.
#[derive(Debug)]
pub(crate) struct Grouped<'f> {
    /// The groups, worst first, then by kind and rule.
    pub groups: Vec<Group<'f>>,
    /// Findings of each weight.
    pub counts: BTreeMap<Level, usize>,
}

/// Weight, kind's place and rule.
type Key<'f> = (Level, usize, &'f str);

/// Groups all that was found.
pub(crate) fn grouped(found: &Found) -> Grouped<'_> {
    let mut by_key: BTreeMap<Key<'_>, Vec<(&str, &Issue)>> = BTreeMap::new();
    for (id, issue) in &found.issues {
        by_key.entry((issue.level, issue.kind.1, &issue.rule)).or_default().push((id, issue));
    }
    let groups: Vec<Group<'_>> =
        by_key.into_iter().filter_map(|(key, issues)| group(found, key, issues)).collect();
    let mut counts: BTreeMap<Level, usize> = Level::ALL.into_iter().map(|level| (level, 0)).collect();
    for group in &groups {
        *counts.entry(group.level).or_default() += group.count;
    }
    Grouped { groups, counts }
}

fn group<'f>(
    found: &Found,
    (level, order, rule): Key<'f>,
    issues: Vec<(&'f str, &'f Issue)>,
) -> Option<Group<'f>> {
    let (_, first) = issues.first()?;
    let more = found.unlisted.get(&(level, order, rule.to_owned())).map_or(0, |(count, _)| *count);
    Some(Group {
        level,
        kind: first.kind.0,
        title: first.title.as_deref(),
        rule,
        count: issues.len() + more,
        issues,
    })
}
