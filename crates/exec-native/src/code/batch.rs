//! `run_batch`: tools' bodies one after another on one transaction. What it comes to is one change or, if a step fails, nothing.

use super::Tools;
use super::adapter::Bench;
use crate::model::NativeModel;
use crate::run::{Call, begun, committed, telling_regenerated};
use contract::{Fault, FaultCode, FileNeed, ModelUse, Outcome, member};
use ifc::{Header, Model, SchemaVersion};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use tools::model::run_batch::{self, Detail, MOST, Output, Step, StepAnswer};
use tools::{Answers, names_referred_to, near_matches};

/// The name of the operation.
pub(crate) const NAME: &str = "run_batch";
/// Characters of all answers, where they are not wanted whole.
const CHARACTERS: usize = 5000;
/// Lengths to which lists are shortened, until the answers are short enough.
const LENGTHS: [usize; 6] = [50, 20, 10, 5, 2, 1];
/// Members that are told once for the batch instead of by each step.
const TOGETHER: [&str; 4] = ["assumed", "regenerated", "left_as_it_was", "space_boundaries"];
/// Parameters that belong to the batch as a whole.
const OF_THE_BATCH: [&str; 6] =
    ["model_id", "model_version", "reasoning", "idempotency_key", "dry_run", "as_job"];

/// Runs the steps of a request.
pub(crate) fn run(
    call: &Call<'_>,
    model: Option<&NativeModel>,
    tools: &Tools,
    others: &BTreeSet<String>,
) -> Result<Outcome, Fault> {
    let input = run_batch::input(call.request.operation.params.clone())?;
    let plan = Plan { steps: &input.steps, tools, others, is_new: model.is_none() };
    plan.check()?;
    let blank = || {
        let empty = Model::blank(SchemaVersion::Ifc4, Header::new("model.ifc", ""));
        NativeModel::of_file(empty, Vec::new())
    };
    call.watch.begins("running the steps");
    let mut bench = match model {
        Some(model) => Bench::new(call, model, tools, true),
        None => Bench::new(call, &blank(), tools, true),
    };
    let mut answers = Answers::default();
    let mut told = Told::default();
    let total = input.steps.len();
    for (at, step) in input.steps.iter().enumerate() {
        if !call.watch.at(at as u64, total as u64) {
            return Err(Fault::given_up(NAME));
        }
        let about = |fault| plan.about(at, fault);
        let arguments = answers.resolve(&Value::Object(step.arguments.clone())).map_err(about)?;
        plan.needs_no_file(at, &arguments)?;
        let answer = if at == 0 && plan.is_new {
            bench.begin(&step.tool, arguments)
        } else {
            bench.run(&step.tool, arguments)
        };
        let answer = answer.map_err(about)?;
        answers.keep(at + 1, step.name.as_deref(), answer.clone());
        told.add(at, step, answer);
    }
    let result = told.into_answer(input.detail)?;
    let files = std::mem::take(&mut bench.call.made);
    let again = std::mem::take(&mut bench.call.regenerated);
    let edit = bench.into_edit();
    let event_type = Some("BatchRun".into());
    if let Some(before) = model {
        let outcome = committed(before, edit, result, Some(call.reach()));
        return Ok(telling_regenerated(Outcome { files, event_type, ..outcome }, &again));
    }
    Ok(Outcome { files, event_type, ..begun(edit, result, Some(call.reach()))? })
}

/// The steps, and the tools that there are for them.
struct Plan<'a> {
    steps: &'a [Step],
    tools: &'a Tools,
    /// Tools that work on more than a model, and can be no step.
    others: &'a BTreeSet<String>,
    /// True if the first step begins the model.
    is_new: bool,
}

impl Plan<'_> {
    /// Looks at all steps before the first is run: tools, names and what they refer to.
    fn check(&self) -> Result<(), Fault> {
        if self.steps.is_empty() {
            return Err(Fault::invalid(
                "steps",
                "Give at least one step: {\"tool\": …, \"arguments\": {…}}.",
            ));
        }
        if self.steps.len() > MOST {
            let problem = format!("There are {} steps; give at most {MOST}.", self.steps.len());
            return Err(Fault::invalid("steps", problem));
        }
        let mut names: Vec<&str> = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            self.check_tool(at, step)?;
            self.check_references(at, step, &names)?;
            if let Some(name) = step.name.as_deref() {
                check_name(at, name, &names)?;
                names.push(name);
            }
        }
        Ok(())
    }

    fn check_tool(&self, at: usize, step: &Step) -> Result<(), Fault> {
        let field = format!("steps[{at}].tool");
        let name = step.tool.as_str();
        let begins = at == 0 && self.is_new;
        match self.tools.get(name) {
            Some((tool, _)) if begins || tool.spec.needs.model != ModelUse::New => {}
            Some(_) => {
                let problem = format!("{name} begins a model, so it can only be the first step.");
                return Err(Fault::invalid(&field, problem));
            }
            None if self.others.contains(name) => {
                let problem =
                    format!("{name} works on more than this model and can be no step; call it by itself.");
                return Err(Fault::invalid(&field, problem));
            }
            None => {
                let known = self.tools.keys().map(String::as_str);
                let near = near_matches(name, known);
                let hint = near.first().map_or_else(
                    || "search_tools finds what there is.".to_owned(),
                    |near| format!("did you mean {near}?"),
                );
                return Err(Fault::invalid(&field, format!("There is no tool {name}; {hint}"))
                    .with("near_matches", near));
            }
        }
        match OF_THE_BATCH.into_iter().find(|common| step.arguments.contains_key(*common)) {
            Some(common) => Err(Fault::invalid(
                &format!("steps[{at}].arguments.{common}"),
                format!("`{common}` is said of the whole batch: give it beside `steps`."),
            )),
            None => Ok(()),
        }
    }

    fn check_references(&self, at: usize, step: &Step, names: &[&str]) -> Result<(), Fault> {
        for value in step.arguments.values() {
            for name in names_referred_to(value) {
                let is_number = name.parse::<usize>().is_ok_and(|number| (1..=at).contains(&number));
                if is_number || names.contains(&name) {
                    continue;
                }
                let later = self.steps.iter().position(|step| step.name.as_deref() == Some(name));
                let problem = match later {
                    Some(later) => format!(
                        "Step {} refers to `${name}`, which is step {}; only earlier steps have answered.",
                        at + 1,
                        later + 1
                    ),
                    None if names.is_empty() => {
                        format!(
                            "Step {} refers to `${name}`; give an earlier step `\"as\": \"{name}\"`.",
                            at + 1
                        )
                    }
                    None => format!(
                        "Step {} refers to `${name}`; the earlier steps with names are {}.",
                        at + 1,
                        names.join(", ")
                    ),
                };
                let near = near_matches(name, names.iter().copied());
                return Err(
                    Fault::invalid(&format!("steps[{at}].arguments"), problem).with("near_matches", near)
                );
            }
        }
        Ok(())
    }

    /// A file of the caller's comes along with a call of the tool alone.
    fn needs_no_file(&self, at: usize, arguments: &Value) -> Result<(), Fault> {
        let Some((tool, _)) = self.steps.get(at).and_then(|step| self.tools.get(&step.tool)) else {
            return Ok(());
        };
        let named = tool.spec.needs.files.iter().find_map(|need| match need {
            FileNeed::Named(need) => member(arguments, &need.parameter)
                .and_then(Value::as_str)
                .filter(|text| !text.trim_start().starts_with('<') && !text.contains('\n'))
                .map(|_| need.parameter.as_str()),
            _ => None,
        });
        named.map_or(Ok(()), |parameter| {
            let name = &tool.spec.name;
            let problem =
                format!("{name} is given a file here, which no step can be; call {name} by itself.");
            Err(Fault::new(FaultCode::NotSupported, problem)
                .with("field", format!("steps[{at}].arguments.{parameter}"))
                .with("step", at + 1))
        })
    }

    /// Says which step a Fault is about; nothing of the batch was kept.
    fn about(&self, at: usize, fault: Fault) -> Fault {
        let tool = self.steps.get(at).map_or("", |step| step.tool.as_str());
        let mut fault = Fault {
            message: format!("Step {} of {}, {tool}: {}", at + 1, self.steps.len(), fault.message),
            ..fault
        };
        let within = match fault.data.get("field").and_then(Value::as_str) {
            None | Some("") => String::new(),
            Some(field) => format!(".{field}"),
        };
        fault.data.insert("field".into(), format!("steps[{at}].arguments{within}").into());
        fault.data.insert("step".into(), (at + 1).into());
        fault
    }
}

fn check_name(at: usize, name: &str, names: &[&str]) -> Result<(), Fault> {
    let begins_well = name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let is_plain = begins_well && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let field = format!("steps[{at}].as");
    if !is_plain {
        let problem = format!("`{name}` is no name for a step: letters, digits, _ and -, a letter first.");
        return Err(Fault::invalid(&field, problem));
    }
    if names.contains(&name) {
        return Err(Fault::invalid(&field, format!("Two steps are named `{name}`.")));
    }
    Ok(())
}

/// The answers of the steps, as the batch tells them.
#[derive(Default)]
struct Told {
    steps: Vec<StepAnswer>,
    together: Map<String, Value>,
}

impl Told {
    fn add(&mut self, at: usize, step: &Step, answer: Value) {
        let mut members = match answer {
            Value::Object(members) => members,
            other => Map::from_iter([("answer".to_owned(), other)]),
        };
        for name in TOGETHER {
            if let Some(Value::Array(said)) = members.get_mut(name) {
                let known = self.together.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(known) = known {
                    for item in std::mem::take(said) {
                        if !known.contains(&item) {
                            known.push(item);
                        }
                    }
                }
                members.shift_remove(name);
            }
        }
        self.steps.push(StepAnswer {
            step: step.name.clone().unwrap_or_else(|| (at + 1).to_string()),
            tool: step.tool.clone(),
            answer: members,
        });
    }

    fn into_answer(self, detail: Detail) -> Result<Value, Fault> {
        let Self { steps, together } = self;
        let mut output = Output { steps, lists_shortened_to: None };
        if detail == Detail::Ids {
            for step in &mut output.steps {
                let whole = std::mem::take(&mut step.answer);
                step.answer = whole
                    .into_iter()
                    .filter_map(|(name, value)| Some((name.clone(), ids_of(&name, value)?)))
                    .collect();
            }
        }
        let length = |output: &Output| serde_json::to_string(output).map_or(0, |text| text.chars().count());
        if detail != Detail::Full {
            for most in LENGTHS {
                if length(&output) <= CHARACTERS {
                    break;
                }
                output.lists_shortened_to = Some(most);
                output
                    .steps
                    .iter_mut()
                    .flat_map(|step| step.answer.values_mut())
                    .for_each(|value| shorten(value, most));
            }
        }
        let mut answer = serde_json::to_value(&output)
            .map_err(|error| Fault::backend(format!("The answer could not be written as JSON: {error}.")))?;
        if let Value::Object(members) = &mut answer {
            members.retain(|_, value| !value.is_null());
            members.extend(together);
        }
        Ok(answer)
    }
}

/// Returns what of an answer's member are ids and names, if anything.
fn ids_of(name: &str, value: Value) -> Option<Value> {
    let is_id = ["id", "name"].contains(&name) || name.ends_with("_id") || name.ends_with("_ids");
    match value {
        Value::Object(members) => {
            let kept: Map<String, Value> = members
                .into_iter()
                .filter_map(|(name, value)| Some((name.clone(), ids_of(&name, value)?)))
                .collect();
            (!kept.is_empty()).then(|| kept.into())
        }
        Value::Array(items) if !is_id => {
            let kept: Vec<Value> = items.into_iter().filter_map(|item| ids_of("", item)).collect();
            (!kept.is_empty()).then(|| kept.into())
        }
        other => is_id.then_some(other),
    }
}

/// Shortens lists; what they hold beyond is counted in their last item.
fn shorten(value: &mut Value, most: usize) {
    match value {
        Value::Array(items) => {
            // what was left out before is counted in the last item
            let before = items.last().and_then(|last| last.get("more")).and_then(Value::as_u64);
            if before.is_some() {
                items.pop();
            }
            let left_out = items.len().saturating_sub(most) as u64 + before.unwrap_or(0);
            items.truncate(most);
            for item in items.iter_mut() {
                shorten(item, most);
            }
            if left_out > 0 {
                items.push(serde_json::json!({ "more": left_out }));
            }
        }
        Value::Object(members) => members.values_mut().for_each(|member| shorten(member, most)),
        _ => {}
    }
}
