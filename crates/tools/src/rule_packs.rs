//! Rule packs as tools name them, and what comes of holding a model against one.

use crate::findings;
use crate::pack_library::{self, ENDINGS, MAX_BYTES, RULE_PACKS};
use crate::{IfcCall, given_file};
use contract::{Fault, FileNeed, LibraryNeed};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use validation::Finding;
use validation::ids::Document;
use validation::packs::{self, Overrides, Pack, Problem, Refused, Report};

/// The role of a pack of the caller's own.
pub(crate) const PACK: &str = "pack";
/// The role of a pack of the library.
const NAMED: &str = "named_pack";
/// Mistakes of a pack that are told.
const TOLD: usize = 20;
/// Reasons that are told of one rule.
const REASONS: usize = 3;

/// A pack that a caller means: rules, or requirements of an IDS file.
#[derive(Debug, Clone)]
pub(crate) enum Asked {
    /// Rules.
    Rules(Box<Pack>),
    /// Requirements of an IDS file.
    Ids(Box<IdsPack>),
}

/// An IDS document as a pack.
#[derive(Debug, Clone)]
pub(crate) struct IdsPack {
    /// Its name: that of its file.
    pub id: String,
    /// The document.
    pub document: Document,
    /// Mistakes of the file that do not keep it from being checked.
    pub harmless: Vec<String>,
}

/// A pack held against a model.
pub(crate) struct Judged {
    /// Rules checked.
    pub checked: usize,
    /// Those that something failed or could not be judged by.
    pub rows: Vec<RuleRow>,
    /// The findings.
    pub findings: Vec<Finding>,
    /// Sentences on how far the answer can be relied on.
    pub notes: Vec<String>,
}

/// A rule and how it went.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RuleRow {
    pub(crate) rule: String,
    pub(crate) clause: String,
    pub(crate) title: String,
    /// Things that it asks something of.
    pub(crate) applicable: usize,
    pub(crate) failed: usize,
    /// Things that could not be judged, by the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) not_judged: BTreeMap<String, usize>,
}

impl Asked {
    /// The identifier.
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Rules(pack) => &pack.id,
            Self::Ids(pack) => &pack.id,
        }
    }

    /// The title.
    pub(crate) fn title(&self) -> &str {
        match self {
            Self::Rules(pack) => &pack.title,
            Self::Ids(pack) => &pack.document.info.title,
        }
    }
}

/// The file that a tool needs whose parameter may name a pack of the library.
pub(crate) fn need(parameter: &str) -> FileNeed {
    FileNeed::Library(LibraryNeed {
        role: NAMED.to_owned(),
        library: RULE_PACKS.to_owned(),
        parameter: parameter.to_owned(),
        endings: ENDINGS.map(str::to_owned).to_vec(),
    })
}

/// The pack that a standard's name or a file of the caller's own means.
pub(crate) fn asked(call: &mut IfcCall, standard: Option<&str>, own: Option<&str>) -> Result<Asked, Fault> {
    match (standard, own) {
        (Some(name), None) => named(call, "standard", name),
        (None, Some(file)) => {
            let bytes = given_file::bytes(call, PACK, PACK, MAX_BYTES)?;
            let bytes = bytes.ok_or_else(|| {
                let file: String = file.chars().take(200).collect();
                Fault::invalid(PACK, format!("There is no file `{file}`; give path or bucket key of a pack."))
            })?;
            pack_library::read(file, &bytes)
                .map_err(|mistakes| mistaken(PACK, "The pack has mistakes.", mistakes))
        }
        (Some(_), Some(_)) => Err(Fault::invalid(PACK, "Give `standard` or `pack`, not both.")),
        (None, None) => {
            let problem = format!("Give `standard`, one of {}, or a `pack` of your own.", names());
            Err(Fault::invalid("standard", problem))
        }
    }
}

/// The pack that a name means: one that comes with the program, one of the library, or the one shipped whose name begins so.
pub(crate) fn named(call: &IfcCall, field: &str, name: &str) -> Result<Asked, Fault> {
    if let Some(pack) = packs::shipped().iter().find(|pack| is_called(pack, name)) {
        return Ok(Asked::Rules(Box::new(pack.clone())));
    }
    let of_library = call.files.iter().filter(|file| file.role == NAMED);
    let mut of_library = of_library.filter_map(|file| Some((file, file.media_type.split_once("name=")?.1)));
    let is_meant =
        |own: &str| [plain(name), pack_library::identifier(name)].contains(&pack_library::identifier(own));
    if let Some((file, own)) = of_library.find(|(_, own)| is_meant(own)) {
        let bytes = given_file::read(file, field, MAX_BYTES)?;
        let what = format!("The pack in the file {own} has mistakes.");
        // one that is given by its path may be called otherwise than its file
        let is_name = pack_library::identifier(own) == plain(name);
        let read =
            if is_name { pack_library::of_library(own, &bytes) } else { pack_library::read(own, &bytes) };
        return read.map_err(|mistakes| mistaken(field, &what, mistakes));
    }
    shipped(field, name).map(|pack| Asked::Rules(Box::new(pack.clone())))
}

/// The letters and digits of a name, in small letters.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn is_called(pack: &Pack, name: &str) -> bool {
    [&pack.id, &pack.title].iter().any(|own| plain(own) == plain(name))
}

/// A pack that comes with the program, by its identifier, its title, or the beginning of either.
pub(crate) fn shipped(field: &str, name: &str) -> Result<&'static Pack, Fault> {
    let wanted = plain(name);
    let begins = |pack: &&Pack| {
        wanted.len() >= 3 && [&pack.id, &pack.title].iter().any(|own| plain(own).starts_with(&wanted))
    };
    let all = packs::shipped();
    let mut likely = all.iter().filter(begins);
    let found = all.iter().find(|pack| is_called(pack, name));
    let found = found.or_else(|| likely.next().filter(|_| likely.next().is_none()));
    found.ok_or_else(|| {
        let near = crate::input::near_matches(name, all.iter().map(|pack| pack.id.as_str()));
        let name: String = name.chars().take(80).collect();
        let problem = format!(
            "No pack is called '{name}'. With the program come {}; list_rule_packs tells those of your own; a file is named by its path or bucket key.",
            names()
        );
        Fault::invalid(field, problem).with("near_matches", near)
    })
}

fn names() -> String {
    packs::shipped().iter().map(|pack| pack.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// A pack of one rule, for whoever writes the first one.
const EXAMPLE: &str = r#"[pack]
id = "office"
title = "Office standard"
edition = "2026"
source = "own"
licence = "own"
notes = "What it covers."

[[rule]]
id = "door-width"
clause = "1.1"
title = "Clear width of doors"
text = "Doors are at least 900 mm wide in the clear."
why = "Two persons pass with a stretcher."
severity = "error"
verified = false
suggestion = "Make the door wider."
each = "door"
require = { measure = "door.clear_width", at_least = "900 mm" }
"#;

/// A Fault on a pack with mistakes, with line and column of each, and a pack without any beside.
pub(crate) fn mistaken(field: &str, what: &str, mistakes: Vec<String>) -> Fault {
    let told: Vec<String> = mistakes.iter().map(|mistake| format!("{mistake}.")).collect();
    let fault = Fault::invalid(field, format!("{what} {}", told.join(" "))).with("problems", mistakes);
    fault.with("example", EXAMPLE)
}

fn refused(field: &str, what: &str, problems: &[Problem]) -> Fault {
    let mut listed: Vec<String> = problems.iter().take(TOLD).map(ToString::to_string).collect();
    if problems.len() > TOLD {
        listed.push(format!("… and {} more", problems.len() - TOLD));
    }
    mistaken(field, what, listed)
}

/// Leaves only these rules in a pack: identifiers or clauses, or what they begin with; of an IDS file identifiers or names of
/// specifications.
pub(crate) fn only(asked: &mut Asked, rules: Option<&[String]>) -> Result<(), Fault> {
    let Some(rules) = rules else { return Ok(()) };
    if rules.is_empty() {
        return Err(Fault::invalid("rules", "Name at least one rule, or leave `rules` out."));
    }
    let id = asked.id().to_owned();
    let prefix = format!("{id}.");
    let wanted: Vec<&str> = rules.iter().map(|own| own.strip_prefix(&prefix).unwrap_or(own)).collect();
    match asked {
        Asked::Rules(pack) => {
            let names = |rule: &packs::Rule| vec![rule.id.clone(), rule.clause.clone()];
            kept(&id, &mut pack.rules, &wanted, names)
        }
        Asked::Ids(pack) => crate::ids_packs::only(&id, &mut pack.document, &wanted),
    }
}

/// Leaves those of some rules of which a name is wanted, or lies within one that is; a name that means none is refused.
pub(crate) fn kept<R>(
    pack: &str,
    rules: &mut Vec<R>,
    wanted: &[&str],
    names: impl Fn(&R) -> Vec<String>,
) -> Result<(), Fault> {
    let is = |rule: &R, wanted: &str| {
        // a clause includes what is within it
        let within = |text: &String| {
            let rest = text.strip_prefix(wanted);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
        };
        names(rule).iter().any(within)
    };
    for (at, name) in wanted.iter().enumerate() {
        if !rules.iter().any(|rule| is(rule, name)) {
            let all: Vec<String> = rules.iter().filter_map(|rule| names(rule).into_iter().next()).collect();
            let near = crate::input::near_matches(name, all.iter().map(String::as_str));
            let name: String = name.chars().take(80).collect();
            let problem = format!("The pack `{pack}` has no rule '{name}'. See list_rule_packs.");
            return Err(Fault::invalid(&format!("rules[{at}]"), problem).with("near_matches", near));
        }
    }
    rules.retain(|rule| wanted.iter().any(|name| is(rule, name)));
    Ok(())
}

/// Holds the model against a pack of either kind.
pub(crate) fn held(call: &IfcCall, asked: &Asked, parameters: &Overrides) -> Result<Judged, Fault> {
    match asked {
        Asked::Rules(pack) => {
            let report = judged(call, pack, parameters)?;
            let rows = rows(pack, &report);
            let notes = unverified(pack).into_iter().collect();
            Ok(Judged { checked: pack.rules.len(), rows, findings: report.findings, notes })
        }
        Asked::Ids(_) if !parameters.is_empty() => {
            Err(Fault::invalid("parameters", "Requirements of an IDS file have no parameters; leave it out."))
        }
        Asked::Ids(pack) => crate::ids_packs::held(call, pack),
    }
}

/// Holds the model against a pack of rules.
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
pub(crate) fn in_brief(asked: &Asked) -> Value {
    match asked {
        Asked::Rules(pack) => json!({
            "id": pack.id, "title": pack.title, "edition": pack.edition, "rules": pack.rules.len(),
            "verified": pack.rules.iter().filter(|rule| rule.verified).count()
        }),
        Asked::Ids(pack) => json!({
            "id": pack.id, "title": pack.document.info.title, "edition": pack.document.info.version,
            "rules": pack.document.specifications.len(), "kind": "ids"
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::EXAMPLE;

    #[test]
    fn the_example_of_a_pack_is_one() {
        let pack = validation::packs::read(EXAMPLE).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!((pack.id.as_str(), pack.rules.len()), ("office", 1));
    }
}
