//! The `adapter` of a script: tools as methods, elements to choose and read, helpers for units.

use super::room_state::{FoundRooms, RoomState};
use super::{NAME, Tools, arguments};
use crate::held;
use crate::model::NativeModel;
use crate::run::Call;
use contract::{Condition, Effect, Fault, FaultCode, ModelUse, Request, ToolSpec, mend_slips};
use ifc::guid::GuidSource;
use ifc::{Edit, Id, Units};
use script::{Arguments, Element, Handle, Host, Refused, Reply};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use tools::{IfcBody, IfcCall, Tool, near_matches, number_json, script_api};

/// Methods of the adapter that are no tools.
const OWN: [&str; 4] = ["select", "element", "to_mm", "from_mm"];
/// Answers about elements that are kept until the next edit.
pub(super) const KEPT: usize = 10_000;

/// A model on which a script works.
pub(super) struct Bench<'a> {
    request: &'a Request,
    tools: &'a Tools,
    may_edit: bool,
    pub(super) call: IfcCall,
    /// Calls of tools so far: with the operation's id, what GlobalIds derive from.
    calls: u64,
    pub(super) known: HashMap<(Id, &'static str), Value>,
    pub(super) units: Units,
    /// Rooms of the model as it is, kept until the next edit.
    pub(super) rooms: Option<Arc<RoomState>>,
    pub(super) found: FoundRooms,
    /// The lines that help on what was refused last.
    help: Option<Help>,
}

/// Lines of the API that help a script which failed.
#[derive(Debug)]
struct Help {
    /// The name that it is about, which the failure's message has.
    about: String,
    section: String,
    lines: Vec<String>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(call: &Call<'a>, before: &NativeModel, tools: &'a Tools, may_edit: bool) -> Self {
        let request = call.request;
        let id = request.operation_id.as_str();
        let versions = held::versions(request, &call.models, call.scenes);
        let call = IfcCall::new(&before.model, id, request.time_ms, request.actor.clone())
            .watched(call.watch)
            .reading(call.library)
            .with_versions(versions)
            .making(call.maker());
        let units = Units::from_model(&before.model);
        Self {
            request,
            tools,
            may_edit,
            call,
            calls: 0,
            known: HashMap::new(),
            units,
            rooms: None,
            found: FoundRooms::default(),
            help: None,
        }
    }

    /// A script's failure with the lines of the API that help, and the section that has more.
    pub(super) fn helped(&self, fault: Fault) -> Fault {
        let named = fault.data.get("exception").is_some_and(|exception| exception == "NameError");
        let unknown =
            fault.message.split('\'').nth(1).filter(|_| named).map(|name| self.help_on_adapter(name));
        let known = self.help.as_ref().filter(|help| fault.message.contains(&help.about));
        match unknown.as_ref().or(known) {
            Some(help) if !help.lines.is_empty() => {
                fault.with("api", &help.lines).with("section", &help.section)
            }
            _ => fault,
        }
    }

    /// Help where the adapter, or the script at large, has nothing of a name.
    fn help_on_adapter(&self, name: &str) -> Help {
        let tools = self.tools.keys().map(String::as_str).filter(|known| self.tool(known).is_some());
        let near = near_matches(name, tools);
        let mut lines: Vec<String> = near
            .iter()
            .filter_map(|near| self.tool(near))
            .map(|(tool, _)| script_api::line_of_tool(&tool.spec))
            .take(2)
            .collect();
        let section =
            near.first().map_or("guides/run_code#adapter".to_owned(), |near| format!("tools/{near}"));
        lines.extend(script_api::lines_near(&["adapter"], name).into_iter().take(3 - lines.len()));
        Help { about: name.to_owned(), section, lines }
    }

    /// Help where a tool refuses its arguments.
    fn help_on_tool(spec: &ToolSpec, fault: Option<&Fault>) -> Help {
        let field = fault.and_then(|fault| fault.data.get("field")).and_then(Value::as_str);
        let names: Vec<String> =
            field.and_then(|field| field.split(['.', '[']).next()).map(str::to_owned).into_iter().collect();
        let mut lines = vec![script_api::line_of_tool(spec)];
        lines.extend(script_api::lines_of_parameters(spec, &names));
        Help { about: spec.name.clone(), section: format!("tools/{}", spec.name), lines }
    }

    fn help_on_element(&mut self, name: &str) {
        let lines = script_api::lines_near(&["element", "room"], name);
        self.help =
            Some(Help { about: name.to_owned(), section: "guides/run_code#elements".to_owned(), lines });
    }

    pub(super) fn into_edit(self) -> Edit {
        self.call.edit
    }

    /// A tool of this name that works on the model as it is.
    pub(super) fn tool(&self, name: &str) -> Option<&'a (Tool, IfcBody)> {
        self.tools.get(name).filter(|(tool, _)| tool.spec.needs.model != ModelUse::New && name != NAME)
    }

    /// Runs a tool's body on the model as it is by now. One that fails leaves nothing behind.
    pub(super) fn run(&mut self, name: &str, params: Value) -> Result<Value, Fault> {
        let Some((tool, body)) = self.tool(name) else {
            return Err(Fault::new(FaultCode::NotSupported, format!("This adapter has no {name}.")));
        };
        if let Some(Condition::Given { parameter }) = &tool.spec.needs.new_when
            && tool.spec.needs.model_of(&params) == ModelUse::New
        {
            let problem =
                format!("`{parameter}` would begin another model, and this is about one; leave it out.");
            return Err(Fault::invalid(parameter, problem));
        }
        let reads = tool.spec.effect == Effect::Query;
        if !reads && !self.may_edit {
            return Err(Fault::new(
                FaultCode::PermissionDenied,
                format!("{name} would change the model, and this script runs with mode=query."),
            ));
        }
        if !reads {
            self.calls += 1;
            self.call.guids = GuidSource::new(&format!("{}/{}", self.request.operation_id, self.calls));
            self.known.clear();
            self.rooms = None;
        }
        let params = mended(&tool.spec, params);
        let savepoint = self.call.edit.savepoint();
        let answer = body(&mut self.call, params);
        self.call.event = None;
        let back = answer.is_err() || reads;
        let edit = &mut self.call.edit;
        let settled = if back {
            edit.roll_back(&savepoint).and_then(|()| edit.release(&savepoint))
        } else {
            edit.release(&savepoint)
        };
        settled.map_err(|error| Fault::backend(format!("{name} broke off the transaction: {error}.")))?;
        answer
    }

    /// Runs the body of a tool that begins a model; the transaction is on that model from then on.
    pub(super) fn begin(&mut self, name: &str, params: Value) -> Result<Value, Fault> {
        let tools = self.tools;
        let Some((tool, body)) = tools.get(name) else {
            return Err(Fault::new(FaultCode::NotSupported, format!("This adapter has no {name}.")));
        };
        let answer = body(&mut self.call, mended(&tool.spec, params))?;
        self.call.event = None;
        self.units = Units::from_model(self.call.edit.model());
        Ok(answer)
    }

    pub(super) fn element(&self, id: Id) -> Element {
        let model = self.call.edit.model();
        let class = model.get(id).map_or_else(String::new, |instance| instance.class_name().to_owned());
        Element { handle: u64::from(id.0), id: tools::id_of(model, id), class }
    }

    pub(super) fn elements(&self, ids: impl IntoIterator<Item = Id>) -> Reply {
        Reply::Elements(ids.into_iter().map(|id| self.element(id)).collect())
    }

    /// A method of the adapter that is no tool.
    fn own(&self, name: &str, arguments: Arguments) -> Result<Reply, Refused> {
        let model = self.call.edit.model();
        match name {
            "select" => {
                let selector = arguments::only(name, "selector", arguments)?;
                let Some(selector) = selector.as_str() else {
                    return Err(Refused::Type(
                        "select takes a selector as text, such as \"IfcWall\"".to_owned(),
                    ));
                };
                Ok(self.elements(tools::select_in(&self.call, selector)?.elements))
            }
            "element" => match arguments::only(name, "id", arguments)? {
                Value::String(id) => Ok(Reply::Element(self.element(tools::named(model, "id", &id)?))),
                _ => Err(Refused::Type("element takes an id as text".to_owned())),
            },
            _ => {
                let factor = if name == "to_mm" { self.units.length_mm } else { 1.0 / self.units.length_mm };
                scaled(arguments::only(name, "length", arguments)?, factor)
                    .map(Reply::Value)
                    .ok_or_else(|| Refused::Type(format!("{name} takes a number or a list of numbers")))
            }
        }
    }

    fn unknown(&self, name: &str) -> Refused {
        let names = self.tools.keys().map(String::as_str).filter(|name| self.tool(name).is_some()).chain(OWN);
        let near = near_matches(name, names);
        let hint = match near.first() {
            Some(near) => format!("did you mean {near}?"),
            None => "it has select, element and the tools that work on a model".to_owned(),
        };
        Refused::Attribute(format!("the adapter has no {name}; {hint}"))
    }
}

/// Numbers, also in lists, times a factor.
fn scaled(value: Value, factor: f64) -> Option<Value> {
    match value {
        Value::Number(number) => number.as_f64().map(|number| number_json(number * factor)),
        Value::Array(items) => items.into_iter().map(|item| scaled(item, factor)).collect(),
        _ => None,
    }
}

impl Host for Bench<'_> {
    fn has(&self, name: &str) -> bool {
        self.tool(name).is_some() || OWN.contains(&name)
    }

    fn read(&mut self, on: Handle, name: &str) -> Result<Option<Reply>, Refused> {
        match on {
            Handle::Element(number) => {
                let read = match self.found.id(number).map(str::to_owned) {
                    Some(room) => self.read_found(&room, name),
                    None => self.read_element(of_number(number)?, name),
                };
                if matches!(read, Ok(None) | Err(Refused::Attribute(_))) {
                    self.help_on_element(name);
                }
                read
            }
            Handle::Adapter if self.has(name) => Ok(Some(Reply::Function(name.to_owned()))),
            Handle::Adapter => Ok(match name {
                "unit" => Some(Reply::Value(self.units.length_label().into())),
                "schema" => Some(Reply::Value(json!(self.call.edit.model().schema().version().to_string()))),
                _ => {
                    self.help = Some(self.help_on_adapter(name));
                    None
                }
            }),
        }
    }

    fn call(&mut self, on: Handle, name: &str, arguments: Arguments) -> Result<Reply, Refused> {
        match on {
            Handle::Element(number) => {
                let called = match self.found.id(number).map(str::to_owned) {
                    Some(room) => self.call_found(&room, name, arguments),
                    None => self.call_element(of_number(number)?, name, arguments),
                };
                if matches!(called, Err(Refused::Attribute(_) | Refused::Type(_))) {
                    self.help_on_element(name);
                }
                called
            }
            Handle::Adapter if OWN.contains(&name) => self.own(name, arguments),
            Handle::Adapter => {
                let Some((tool, _)) = self.tool(name) else {
                    self.help = Some(self.help_on_adapter(name));
                    return Err(self.unknown(name));
                };
                let params = match arguments::params(&tool.spec, arguments) {
                    Ok(params) => params,
                    Err(refused) => {
                        self.help = Some(Self::help_on_tool(&tool.spec, None));
                        return Err(refused);
                    }
                };
                self.run(name, params).map(Reply::Value).map_err(|fault| {
                    if fault.code == FaultCode::InvalidParams {
                        self.help = Some(Self::help_on_tool(&tool.spec, Some(&fault)));
                    }
                    named(name, fault).into()
                })
            }
        }
    }

    fn id(&self, element: u64) -> String {
        if let Some(room) = self.found.id(element) {
            return room.to_owned();
        }
        let model = self.call.edit.model();
        of_number(element).map_or_else(|_| String::new(), |id| tools::id_of(model, id))
    }

    fn goes_on(&mut self, calls: u64) -> bool {
        self.call.watch.at(calls, 0)
    }

    fn time_ms(&self) -> u64 {
        self.request.time_ms
    }
}

/// A Fault says which call of the script it is about.
fn named(name: &str, fault: Fault) -> Fault {
    Fault { message: format!("{name}: {}", fault.message), ..fault }
}

fn of_number(number: u64) -> Result<Id, Fault> {
    u32::try_from(number).map(Id).map_err(|_| Fault::no_element(&format!("#{number}")))
}

/// Arguments with the slips mended that leave no doubt.
fn mended(spec: &ToolSpec, params: Value) -> Value {
    match params {
        Value::Object(mut arguments) => {
            mend_slips(&spec.input_schema, &mut arguments);
            arguments.into()
        }
        other => other,
    }
}
