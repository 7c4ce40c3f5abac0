//! Findings mended by the calls that they name, as one change, and the model checked again.

use crate::findings::{self, Counts, Named, Row};
use crate::rule_packs::{self, Asked};
use crate::validation::validate_constraints;
use crate::waivers;
use crate::{Body, IfcBody, IfcCall, Tool};
use contract::{Effect, Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use validation::packs::Overrides;
use validation::{Finding, Fix};

/// Findings that are mended at once, at most.
const MOST: usize = 1000;
/// Findings of each kind that are told.
const TOLD: usize = 40;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Ids of findings, as validate_constraints and code_compliance tell them.
    finding_ids: Option<Vec<String>>,
    /// Instead: all findings of a rule, or of those that begin so: constraints.duplicate, constraints.
    rule: Option<String>,
    /// The pack that the findings are of, where they are of one.
    #[schemars(extend("x-seldom" = true))]
    standard: Option<String>,
}

/// A finding that was mended.
#[derive(Debug, Serialize, JsonSchema)]
struct Fixed {
    id: String,
    rule: String,
    /// Tools that were called.
    tools: Vec<String>,
}

/// A finding that was not.
#[derive(Debug, Serialize, JsonSchema)]
struct Skipped {
    id: String,
    rule: String,
    reason: String,
}

/// The result.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    fixed: Vec<Fixed>,
    fixed_count: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skipped: Vec<Skipped>,
    skipped_count: usize,
    /// Checked again.
    left: Counts,
    /// Findings that were not there before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    new: Vec<Row>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("fix_findings", Effect::Modify, run)
        .title("Mend findings")
        .file(rule_packs::need("standard"))
        .long()
        .description(
            "Mends findings that carry a `fix`, as one version, and checks again. Try it with dry_run first.",
        )
        .example("What is there twice", json!({ "rule": "constraints.duplicate" }))
        .example("All constraints, as far as it is certain", json!({ "rule": "constraints" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let wanted = wanted(&input)?;
    let pack = input.standard.as_deref().map(|name| rule_packs::named(call, "standard", name)).transpose()?;
    let before = all(call, pack.as_ref())?;
    let known: BTreeSet<String> = before.iter().map(|(id, _)| id.clone()).collect();
    let chosen: Vec<Named> = before.into_iter().filter(|(id, finding)| wanted.holds(id, finding)).collect();
    wanted.check(&chosen)?;
    let chosen = wanted.certain(chosen)?;
    let (fixed, skipped) = mended(call, chosen)?;
    if fixed.is_empty() {
        let reasons: BTreeSet<&str> = skipped.iter().map(|own| own.reason.as_str()).take(5).collect();
        let reasons: Vec<&str> = reasons.into_iter().collect();
        let problem = format!("None of the {} findings was mended: {}", skipped.len(), reasons.join(" "));
        return Err(Fault::new(FaultCode::Conflict, problem).with("field", wanted.field()));
    }
    let after = all(call, pack.as_ref())?;
    let left = Counts::new(&after);
    let new: Vec<Named> = after.into_iter().filter(|(id, _)| !known.contains(id)).collect();
    Ok(Output {
        fixed_count: fixed.len(),
        fixed: fixed.into_iter().take(TOLD).collect(),
        skipped_count: skipped.len(),
        skipped: skipped.into_iter().take(TOLD).collect(),
        left,
        new: findings::page(call.edit.model(), &new, 0, TOLD).0,
    })
}

/// The findings that are to be mended.
enum Wanted {
    Ids(BTreeSet<String>),
    Rule(String),
}

fn wanted(input: &Input) -> Result<Wanted, Fault> {
    match (&input.finding_ids, &input.rule) {
        (Some(ids), None) if !ids.is_empty() && ids.len() <= MOST => {
            Ok(Wanted::Ids(ids.iter().cloned().collect()))
        }
        (Some(_), None) => {
            Err(Fault::invalid("finding_ids", format!("Give from 1 to {MOST} ids of findings.")))
        }
        (None, Some(rule)) if !rule.trim().is_empty() => Ok(Wanted::Rule(rule.trim().to_owned())),
        (Some(_), Some(_)) => Err(Fault::invalid("rule", "Give `finding_ids` or `rule`, not both.")),
        (None, _) => {
            Err(Fault::invalid("finding_ids", "Give `finding_ids`, or the `rule` whose findings to mend."))
        }
    }
}

impl Wanted {
    fn holds(&self, id: &str, finding: &Finding) -> bool {
        match self {
            Self::Ids(ids) => ids.contains(id),
            Self::Rule(rule) => {
                finding.rule == *rule
                    || finding
                        .rule
                        .strip_prefix(rule.trim_end_matches('.'))
                        .is_some_and(|rest| rest.starts_with('.'))
            }
        }
    }

    fn field(&self) -> &'static str {
        match self {
            Self::Ids(_) => "finding_ids",
            Self::Rule(_) => "rule",
        }
    }

    /// Those that a call mends, of all that a rule found; of findings that were named, all: each of them is answered.
    fn certain(&self, mut chosen: Vec<Named>) -> Result<Vec<Named>, Fault> {
        let Self::Rule(_) = self else { return Ok(chosen) };
        let all = chosen.len();
        chosen.retain(|(_, finding)| !finding.fix.is_empty());
        if chosen.is_empty() {
            let problem = format!("Nothing mends the {all} findings for certain; see their suggestions.");
            return Err(Fault::new(FaultCode::Conflict, problem).with("field", self.field()));
        }
        Ok(chosen)
    }

    /// A Fault where a name means nothing.
    fn check(&self, chosen: &[Named]) -> Result<(), Fault> {
        match self {
            Self::Ids(ids) => {
                let missing: Vec<&String> =
                    ids.iter().filter(|id| chosen.iter().all(|(known, _)| known != *id)).collect();
                if missing.is_empty() {
                    return Ok(());
                }
                let problem = "Some of these findings are not there (any more). Ids of a pack's findings need its `standard`.";
                let missing: Vec<&String> = missing.into_iter().take(TOLD).collect();
                Err(Fault::new(FaultCode::NotFound, problem)
                    .with("field", self.field())
                    .with("missing", missing))
            }
            Self::Rule(rule) if chosen.is_empty() => {
                let rule: String = rule.chars().take(80).collect();
                let problem = format!(
                    "The model has no finding of '{rule}'. Rules are named as findings name them; those of a pack need its `standard`."
                );
                Err(Fault::new(FaultCode::NotFound, problem).with("field", self.field()))
            }
            Self::Rule(_) => Ok(()),
        }
    }
}

/// All findings of the constraints, and of a pack, but for those that are waived.
fn all(call: &IfcCall, pack: Option<&Asked>) -> Result<Vec<Named>, Fault> {
    let mut all = validate_constraints::checked(call, None, &[])?.findings;
    if let Some(pack) = pack {
        all.extend(rule_packs::held(call, pack, &Overrides::new())?.findings);
    }
    let mut all = findings::named(call.edit.model(), all);
    waivers::take(call.edit.model(), &mut all);
    Ok(all)
}

/// Makes the calls of each finding; those of one are made all or not at all.
fn mended(call: &mut IfcCall, chosen: Vec<Named>) -> Result<(Vec<Fixed>, Vec<Skipped>), Fault> {
    let (mut fixed, mut skipped) = (Vec::new(), Vec::new());
    let mut bodies: BTreeMap<String, Option<IfcBody>> = BTreeMap::new();
    for (id, finding) in chosen.into_iter().take(MOST) {
        let rule = finding.rule.clone();
        if finding.fix.is_empty() {
            let reason = "Nothing mends it for certain; see its suggestion.".to_owned();
            skipped.push(Skipped { id, rule, reason });
            continue;
        }
        let savepoint = call.edit.savepoint();
        let made = finding.fix.iter().try_for_each(|fix| {
            let body = bodies.entry(fix.tool.clone()).or_insert_with(|| body_of(&fix.tool));
            one(call, fix, body.as_ref())
        });
        match made {
            Ok(()) => {
                fixed.push(Fixed { id, rule, tools: finding.fix.into_iter().map(|own| own.tool).collect() });
            }
            Err(fault) => {
                call.edit.roll_back(&savepoint).map_err(|error| Fault::backend(format!("{error}.")))?;
                skipped.push(Skipped { id, rule, reason: fault.message });
            }
        }
        call.edit.release(&savepoint).map_err(|error| Fault::backend(format!("{error}.")))?;
    }
    Ok((fixed, skipped))
}

fn one(call: &mut IfcCall, fix: &Fix, body: Option<&IfcBody>) -> Result<(), Fault> {
    let body = body.ok_or_else(|| Fault::backend(format!("No finding may call {}.", fix.tool)))?;
    body(call, fix.arguments.clone()).map(|_| ())
}

/// The body of a tool that findings may call.
fn body_of(tool: &str) -> Option<IfcBody> {
    let tool = match tool {
        "delete_elements" => crate::geometry::delete_elements::tool(),
        "modify_parameter" => crate::geometry::modify_parameter::tool(),
        "move_elements" => crate::geometry::move_elements::tool(),
        "join_elements" => crate::geometry::join_elements::tool(),
        "set_properties" => crate::model::set_properties::tool(),
        _ => return None,
    };
    match tool.body {
        Body::Ifc(body) => Some(body),
        Body::Energy(_) | Body::Platform(_) | Body::Adapter => None,
    }
}
