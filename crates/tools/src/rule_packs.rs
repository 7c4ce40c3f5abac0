//! Rule packs as tools name them, and what comes of holding a model against one.

use crate::findings;
use crate::{IfcCall, given_file};
use contract::Fault;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use validation::packs::{self, Overrides, Pack, Problem, Refused, Report};

/// The role of a pack of the caller's own.
pub(crate) const PACK: &str = "pack";
/// Bytes of a pack at most.
const MAX_BYTES: usize = 4 << 20;
/// Mistakes of a pack that are told.
const TOLD: usize = 20;
/// Reasons that are told of one rule.
const REASONS: usize = 3;

/// A rule and how it went.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RuleRow {
    rule: String,
    clause: String,
    title: String,
    /// Things that it asks something of.
    applicable: usize,
    failed: usize,
    /// Things that could not be judged, by the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    not_judged: BTreeMap<String, usize>,
}

/// The pack that a standard's name or a file of the caller's own means.
pub(crate) fn asked(call: &mut IfcCall, standard: Option<&str>, own: Option<&str>) -> Result<Pack, Fault> {
    match (standard, own) {
        (Some(name), None) => shipped("standard", name).cloned(),
        (None, Some(named)) => {
            let bytes = given_file::bytes(call, PACK, PACK, MAX_BYTES)?;
            let bytes = bytes.ok_or_else(|| {
                Fault::invalid(
                    PACK,
                    format!("There is no file `{named}`; give path or bucket key of a pack in TOML."),
                )
            })?;
            read(&bytes)
        }
        (Some(_), Some(_)) => Err(Fault::invalid(PACK, "Give `standard` or `pack`, not both.")),
        (None, None) => {
            let problem = format!("Give `standard`, one of {}, or a `pack` of your own.", names());
            Err(Fault::invalid("standard", problem))
        }
    }
}

/// A pack of a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Pack, Fault> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Fault::invalid(PACK, format!("The pack is no text in UTF-8: {error}.")))?;
    packs::read(text).map_err(|problems| refused(PACK, "The pack has mistakes.", &problems))
}

/// A pack that comes with the program, by its identifier, its title, or the beginning of either.
pub(crate) fn shipped(field: &str, name: &str) -> Result<&'static Pack, Fault> {
    let plain = |text: &str| -> String {
        text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let is = |pack: &&Pack| [&pack.id, &pack.title].iter().any(|own| plain(own) == wanted);
    let begins = |pack: &&Pack| {
        wanted.len() >= 3 && [&pack.id, &pack.title].iter().any(|own| plain(own).starts_with(&wanted))
    };
    let all = packs::shipped();
    let mut likely = all.iter().filter(begins);
    let found = all.iter().find(is).or_else(|| likely.next().filter(|_| likely.next().is_none()));
    found.ok_or_else(|| {
        let near = crate::input::near_matches(name, all.iter().map(|pack| pack.id.as_str()));
        let name: String = name.chars().take(80).collect();
        let problem = format!("No pack is called '{name}'. There are {}.", names());
        Fault::invalid(field, problem).with("near_matches", near)
    })
}

fn names() -> String {
    packs::shipped().iter().map(|pack| pack.id.as_str()).collect::<Vec<_>>().join(", ")
}

fn refused(field: &str, what: &str, problems: &[Problem]) -> Fault {
    let mut listed: Vec<String> = problems.iter().take(TOLD).map(ToString::to_string).collect();
    if problems.len() > TOLD {
        listed.push(format!("… and {} more", problems.len() - TOLD));
    }
    let told: Vec<String> = listed.iter().map(|problem| format!("{problem}.")).collect();
    Fault::invalid(field, format!("{what} {}", told.join(" "))).with("problems", listed)
}

/// Leaves only these rules in a pack: identifiers or clauses, or what they begin with.
pub(crate) fn only(pack: &mut Pack, rules: Option<&[String]>) -> Result<(), Fault> {
    let Some(rules) = rules else { return Ok(()) };
    if rules.is_empty() {
        return Err(Fault::invalid("rules", "Name at least one rule, or leave `rules` out."));
    }
    let own = |id: &str| -> String {
        let prefix = format!("{}.", pack.id);
        id.strip_prefix(&prefix).unwrap_or(id).to_owned()
    };
    let wanted: Vec<String> = rules.iter().map(|id| own(id)).collect();
    let is = |rule: &packs::Rule, wanted: &String| {
        // a clause includes what is within it
        let within = |text: &str| {
            text == wanted
                || text.starts_with(&format!("{wanted}."))
                || text.starts_with(&format!("{wanted}-"))
        };
        within(&rule.id) || within(&rule.clause)
    };
    for (at, name) in wanted.iter().enumerate() {
        if !pack.rules.iter().any(|rule| is(rule, name)) {
            let near = crate::input::near_matches(name, pack.rules.iter().map(|rule| rule.id.as_str()));
            let name: String = name.chars().take(80).collect();
            let problem = format!("The pack `{}` has no rule '{name}'. See list_rule_packs.", pack.id);
            return Err(Fault::invalid(&format!("rules[{at}]"), problem).with("near_matches", near));
        }
    }
    pack.rules.retain(|rule| wanted.iter().any(|name| is(rule, name)));
    Ok(())
}

/// Holds the model against a pack.
pub(crate) fn judged(call: &IfcCall, pack: &Pack, parameters: &Overrides) -> Result<Report, Fault> {
    call.watch.begins("checking rules");
    let go_on = |done: usize, total: usize| call.watch.at(done as u64, total as u64);
    let found = findings::on_subject(call, |subject| Ok(packs::check(subject, pack, parameters, &go_on)))?;
    found.map_err(|refused_by| match refused_by {
        Refused::Stopped => Fault::given_up("checking rules"),
        Refused::Overrides(problems) => refused("parameters", "`parameters` cannot be set so.", &problems),
    })
}

/// The rules that anything failed, or could not be judged.
pub(crate) fn rows(pack: &Pack, report: &Report) -> Vec<RuleRow> {
    let told = pack.rules.iter().zip(&report.rules);
    told.filter(|(_, result)| result.failed > 0 || !result.not_judged.is_empty())
        .map(|(rule, result)| RuleRow {
            rule: rule.id.clone(),
            clause: rule.clause.clone(),
            title: rule.title.clone(),
            applicable: result.applicable,
            failed: result.failed,
            not_judged: result.not_judged.iter().take(REASONS).map(|(why, n)| (why.clone(), *n)).collect(),
        })
        .collect()
}

/// Rules of a pack whose figures nobody compared with their source, in words; nothing where there are none.
pub(crate) fn unverified(pack: &Pack) -> Option<String> {
    let open = pack.rules.iter().filter(|rule| !rule.verified).count();
    (open > 0).then(|| {
        format!(
            "{open} of {} rules have figures that were not compared with the text of the source; check them before you rely on them.",
            pack.rules.len()
        )
    })
}

/// A pack as a list tells it.
pub(crate) fn in_brief(pack: &Pack) -> Value {
    json!({
        "id": pack.id, "title": pack.title, "edition": pack.edition, "rules": pack.rules.len(),
        "verified": pack.rules.iter().filter(|rule| rule.verified).count()
    })
}
