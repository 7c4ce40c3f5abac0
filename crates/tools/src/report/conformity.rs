//! What the file keeps: ISO 10303-21, its schema with cardinalities and references, WHERE rules, agreements of implementers.

use super::{Family, Found, Issue, Level, Line, Requested, State, Unlisted};
use crate::elements::id_of;
use bcf::Guid;
use contract::Fault;
use ifc::Model;
use ifc_check::{Finding, FindingCode, ValidationOptions, ValidationReport, implementer};
use std::collections::HashMap;

/// The families that this module holds.
pub(super) const FAMILIES: [Family; 3] = [Family::Schema, Family::Rules, Family::Implementer];

/// Holds the file against those of its families that are requested.
pub(super) fn find(state: State<'_>, requested: &Requested, found: &mut Found) -> Result<(), Fault> {
    let asked: Vec<Family> = FAMILIES.into_iter().filter(|family| requested.asks(*family)).collect();
    if asked.is_empty() {
        return Ok(());
    }
    let model = state.model();
    let report = report(state, requested)?;
    let wanted = |finding: &&Finding| {
        let elements: Vec<_> = finding.id.into_iter().collect();
        requested.concerns(model, &elements)
            && (requested.references
                || !matches!(finding.code, FindingCode::Reference | FindingCode::Inverse))
    };
    let kept: Vec<&Finding> = report.findings.iter().filter(wanted).collect();
    let first = found.lines.len();
    let line = |code| first + asked.iter().position(|family| *family == family_of(code)).unwrap_or(0);
    if requested.classes.is_empty() {
        unlisted(&report, &kept, requested.references, &line, &mut found.unlisted);
    }
    let mut ids = Ids::default();
    let issue = |own| (ids.next(model, own), issue(own, line(own.code)));
    found.issues.extend(kept.into_iter().map(issue));
    found.lines.extend(asked.iter().map(|family| Line::new(*family, kept_words(*family, model))));
    Ok(())
}

fn report(state: State<'_>, requested: &Requested) -> Result<ValidationReport, Fault> {
    let watch = state.watch();
    let go_on = |part: &'static str, done: usize, total: usize| {
        if done == 0 {
            watch.begins(part);
        }
        watch.at(done as u64, total as u64)
    };
    let options = ValidationOptions {
        schema: requested.asks(Family::Schema),
        rules: requested.asks(Family::Rules),
        implementer: requested.asks(Family::Implementer),
        limit: requested.listed,
    };
    let found = match &requested.rules {
        Some(rules) => ifc_check::validate_rules(state.model(), rules, options.limit, &go_on),
        None => ifc_check::validate_while(state.model(), &options, &go_on),
    };
    found.ok_or_else(|| Fault::given_up("validate_model"))
}

/// The findings that are counted but not listed: they belong to the last level of their kind and subject.
fn unlisted(
    report: &ValidationReport,
    kept: &[&Finding],
    references: bool,
    line: &dyn Fn(FindingCode) -> usize,
    into: &mut Unlisted,
) {
    let mut listed: HashMap<(FindingCode, String), (usize, Level)> = HashMap::new();
    for own in kept {
        let entry = listed.entry((own.code, own.subject())).or_insert((0, Level::Error));
        entry.0 += 1;
        entry.1 = entry.1.max(own.severity().into());
    }
    for group in &report.groups {
        if !references && matches!(group.code, FindingCode::Reference | FindingCode::Inverse) {
            continue;
        }
        let Some((count, level)) = listed.get(&(group.code, group.subject.clone())) else { continue };
        let more = group.count.saturating_sub(*count);
        if more > 0 {
            into.insert((*level, group.code as usize, group.subject.clone()), (more, line(group.code)));
        }
    }
}

/// The family of a kind of finding.
fn family_of(code: FindingCode) -> Family {
    match code {
        FindingCode::WhereRule
        | FindingCode::UniqueRule
        | FindingCode::GlobalRule
        | FindingCode::NotEvaluated => Family::Rules,
        FindingCode::Implementer => Family::Implementer,
        _ => Family::Schema,
    }
}

fn issue(finding: &Finding, line: usize) -> Issue {
    let rule = finding.subject();
    Issue {
        line,
        level: finding.severity().into(),
        kind: (finding.code.as_str(), finding.code as usize),
        title: rule.split(' ').next().and_then(implementer::rule_of).map(|rule| rule.title.to_owned()),
        rule,
        clause: None,
        elements: finding.id.into_iter().collect(),
        at: (finding.line > 0).then(|| format!("{}:{}", finding.line, finding.column)),
        message: finding.message.clone(),
        suggestion: None,
    }
}

/// Ids of findings, which stay the same while kind, rule and instance do; of several about one, in the order of the file.
#[derive(Default)]
struct Ids(HashMap<String, usize>);

impl Ids {
    fn next(&mut self, model: &Model, finding: &Finding) -> String {
        // an instance without a GlobalId is called by its number; what is about none, by its words
        let about = match finding.id {
            Some(id) if model.contains(id) => id_of(model, id),
            Some(id) => id.to_string(),
            None => finding.message.clone(),
        };
        let rule = finding.subject();
        let parts = [b"finding", finding.code.as_str().as_bytes(), rule.as_bytes(), about.as_bytes()];
        let guid = Guid::made_of(&parts).to_string();
        let short: String = guid.chars().filter(|letter| *letter != '-').take(12).collect();
        let count = self.0.entry(short.clone()).or_default();
        *count += 1;
        if *count == 1 { short } else { format!("{short}-{count}") }
    }
}

/// The sentence on a family without findings.
fn kept_words(family: Family, model: &Model) -> String {
    let schema = model.schema().name();
    match family {
        Family::Schema => format!("The file keeps ISO 10303-21 and {schema}"),
        Family::Rules => format!("The WHERE, UNIQUE and global rules of {schema} hold"),
        _ => "buildingSMART's rules for implementers are kept".to_owned(),
    }
}
