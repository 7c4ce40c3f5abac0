//! The packs of rules that models can be held against, and the rules and parameters of one.

use crate::pack_library::{self, ENDINGS, PackFile, RULE_PACKS};
use crate::rule_packs::{self, Asked};
use crate::{Reply, Tool, ids_packs};
use contract::{Effect, Fault, Files, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use validation::constraints;
use validation::ids::Specification;
use validation::packs;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// One pack: its rules and parameters.
    pack: Option<String>,
    /// The measures that packs of your own may use.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    measures: bool,
}

/// A rule of a pack.
#[derive(Debug, Serialize, JsonSchema)]
struct RuleTold {
    rule: String,
    clause: String,
    title: String,
    severity: &'static str,
    verified: bool,
    /// Parameters with their values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<String, String>,
}

/// A measure.
#[derive(Debug, Serialize, JsonSchema)]
struct MeasureTold {
    name: &'static str,
    value: String,
    means: &'static str,
}

/// The packs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Of one pack only that. `file` and `place` (`folder`, or the key of an upload) of your own; `mistakes` of a file that cannot be used.
    packs: Vec<Value>,
    /// Rules of the pack asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<RuleTold>,
    /// Source and terms of the pack asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
    /// Constraints of validate_constraints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    measures: Vec<MeasureTold>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("list_rule_packs", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .title("Rule packs")
        .toolset(Toolset::Compliance)
        .description("Lists the packs of code_compliance, yours too, or rules and parameters of one.")
        .example("All", json!({}))
        .example("The rules of one", json!({ "pack": "ada-2010" }))
}

pub(crate) async fn run(platform: &(impl Files + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let files = platform.library_files(RULE_PACKS, &ENDINGS).await?;
    let own = pack_library::read_all(files);
    let measures = if input.measures { packs::measures().map(told).collect() } else { Vec::new() };
    let mut output = match &input.pack {
        Some(name) => one(name, own)?,
        None => all(&own),
    };
    output.measures = measures;
    Ok(Reply::new(output))
}

/// All packs: those that come with the program, then the caller's own, those with mistakes last.
fn all(own: &[PackFile]) -> Output {
    let shipped =
        packs::shipped().iter().map(|pack| rule_packs::in_brief(&Asked::Rules(Box::new(pack.clone()))));
    let (good, mistaken): (Vec<_>, Vec<_>) = own.iter().partition(|file| file.pack.is_ok());
    Output {
        packs: shipped.chain(good.into_iter().chain(mistaken).map(file)).collect(),
        rules: Vec::new(),
        source: None,
        notes: None,
        constraints: constraints::constraints().map(|own| own.id).collect(),
        measures: Vec::new(),
    }
}

/// A file of the caller's own: its pack, or its mistakes.
fn file(own: &PackFile) -> Value {
    let mut told = match &own.pack {
        Ok(pack) => rule_packs::in_brief(pack),
        Err(mistakes) => json!({ "mistakes": mistakes }),
    };
    told["file"] = json!(own.name);
    told["place"] = own.key.as_ref().map_or_else(|| json!("folder"), |key| json!(key));
    told
}

/// One pack with its rules.
fn one(name: &str, own: Vec<PackFile>) -> Result<Output, Fault> {
    let is_shipped =
        packs::shipped().iter().any(|pack| rule_packs::plain(&pack.id) == rule_packs::plain(name));
    let found = own.into_iter().find(|file| !is_shipped && file.is_called(name));
    let (brief, pack) = if let Some(found) = found {
        let brief = file(&found);
        let what = format!("The pack in the file {} has mistakes.", found.name);
        (brief, found.pack.map_err(|mistakes| rule_packs::mistaken("pack", &what, mistakes))?)
    } else {
        let pack = Asked::Rules(Box::new(rule_packs::shipped("pack", name)?.clone()));
        (rule_packs::in_brief(&pack), pack)
    };
    let (rules, source, notes) = match &pack {
        Asked::Rules(pack) => (
            pack.rules.iter().map(rule).collect(),
            Some(format!("{} ({})", pack.source, pack.licence)),
            Some(pack.notes.clone()),
        ),
        Asked::Ids(pack) => {
            let info = &pack.document.info;
            let source = [&info.author, &info.copyright].into_iter().flatten().cloned().collect::<Vec<_>>();
            let names = ids_packs::rules(&pack.document).into_iter();
            let rules = names.zip(&pack.document.specifications).map(specification).collect();
            (rules, Some(source.join(", ")).filter(|text| !text.is_empty()), info.description.clone())
        }
    };
    Ok(Output { packs: vec![brief], rules, source, notes, constraints: Vec::new(), measures: Vec::new() })
}

fn rule(own: &packs::Rule) -> RuleTold {
    RuleTold {
        rule: own.id.clone(),
        clause: own.clause.clone(),
        title: own.title.clone(),
        severity: own.severity.as_str(),
        verified: own.verified,
        parameters: own.parameters.iter().map(|one| (one.name.clone(), one.default.to_string())).collect(),
    }
}

/// A specification of an IDS file as a rule. The file itself is what is asked, so that there is nothing to compare it with.
fn specification((rule, own): (String, &Specification)) -> RuleTold {
    RuleTold {
        rule,
        clause: own.identifier.clone().unwrap_or_default(),
        title: own.name.clone(),
        severity: "error",
        verified: true,
        parameters: BTreeMap::new(),
    }
}

fn told(measure: &'static packs::Measure) -> MeasureTold {
    MeasureTold { name: measure.name, value: measure.value.to_string(), means: measure.means }
}
