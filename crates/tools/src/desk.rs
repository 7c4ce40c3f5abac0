//! A model that tests of the tools work on, one call after the other.
//!
//! With `PENSAER_WRITE_SAMPLES` set to a folder, the models kept are written there for checks by other programs.

use crate::opened::{OpenVersion, OpenVersions, Unkept};
use crate::{Body, IfcCall, Tool, catalogue, modelling};
use building::Author;
use building::soundness::{self, Surroundings};
use contract::{Actor, Fault, FileInput, FileOut, Source};
use ifc::{Header, Limits, Model, SchemaVersion};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

thread_local! {
    /// The tools with their schemas, which take long to make.
    static TOOLS: Vec<Tool> = catalogue();
}

/// A file by its name.
type File = (String, Vec<u8>);

/// A model worked on by tool calls, one after the other.
pub(crate) struct Desk {
    pub(crate) model: Model,
    calls: u32,
    /// Problems that the file came with.
    problems: usize,
    /// Files that the last call made, by name.
    pub(crate) files: Vec<File>,
    /// Files that the next call is given.
    files_given: Vec<FileInput>,
}

impl Desk {
    pub(crate) fn new(schema: &str) -> Self {
        let model = Model::blank(SchemaVersion::Ifc4, Header::new("new.ifc", "2026-11-21T22:00:00"));
        let mut desk = Self { model, calls: 0, problems: 0, files: Vec::new(), files_given: Vec::new() };
        desk.call(
            "create_project",
            json!({
                "name": "Test", "schema": schema, "site": "Garden", "building": "House",
                "address": "Lane 5, Cambridge", "storeys": [{ "name": "Ground Floor", "elevation": 0 }]
            }),
        );
        desk
    }

    pub(crate) fn open(file: &str) -> Option<Self> {
        let (model, problems) = Model::open(&testing::model(file)?, &Limits::default()).unwrap();
        Some(Self { model, calls: 0, problems: problems.len(), files: Vec::new(), files_given: Vec::new() })
    }

    pub(crate) fn try_call(&mut self, tool: &str, arguments: Value) -> Result<Value, Fault> {
        self.try_beside(tool, None, arguments)
    }

    /// Calls a tool that is given another model or version under a role.
    pub(crate) fn beside(&mut self, tool: &str, role: &str, other: &Model, arguments: Value) -> Value {
        let answer = self.try_beside(tool, Some((role, other)), arguments.clone());
        answer.unwrap_or_else(|fault| panic!("{tool} {arguments}: {fault}"))
    }

    /// Calls a tool that is given files under their roles.
    pub(crate) fn given(&mut self, tool: &str, files: &[(&str, &[u8])], arguments: Value) -> Value {
        self.try_given(tool, files, arguments.clone())
            .unwrap_or_else(|fault| panic!("{tool} {arguments}: {fault}"))
    }

    /// As [`Self::given`], where the call may be refused.
    pub(crate) fn try_given(
        &mut self,
        tool: &str,
        files: &[(&str, &[u8])],
        arguments: Value,
    ) -> Result<Value, Fault> {
        self.files_given = files.iter().map(|(role, bytes)| given(role, bytes)).collect();
        let answer = self.try_beside(tool, None, arguments);
        self.files_given.clear();
        answer
    }

    /// Calls a tool that is given another version and a file under their roles.
    pub(crate) fn beside_given(
        &mut self,
        tool: &str,
        (role, other): (&str, &Model),
        (file, bytes): (&str, &[u8]),
        arguments: Value,
    ) -> Value {
        self.files_given = vec![given(file, bytes)];
        let answer = self.beside(tool, role, other, arguments);
        self.files_given.clear();
        answer
    }

    fn try_beside(
        &mut self,
        tool: &str,
        other: Option<(&str, &Model)>,
        arguments: Value,
    ) -> Result<Value, Fault> {
        let body = TOOLS.with(|tools| {
            let tool = tools.iter().find(|t| t.spec.name == tool).unwrap();
            let Body::Ifc(body) = &tool.body else { panic!("{} is no tool on a model", tool.spec.name) };
            Arc::clone(body)
        });
        self.calls += 1;
        let actor = Actor { principal: "modeller".into(), client: None };
        let mut call =
            IfcCall::new(&self.model, &format!("operation {}", self.calls), 1_795_305_600_000, actor);
        if let Some((role, other)) = other {
            let other: Arc<dyn OpenVersion> = Arc::new(Unkept(other.clone()));
            call = call.with_versions(OpenVersions::from([(role.to_owned(), other)]));
        }
        call.files = self.files_given.clone();
        let made: Arc<Mutex<Vec<File>>> = Arc::default();
        let into = Arc::clone(&made);
        call = call.making(Arc::new(move |role, name, media_type, write| {
            let mut bytes = Vec::new();
            write(&mut bytes).unwrap();
            let size = bytes.len() as u64;
            into.lock().unwrap().push((name.to_owned(), bytes));
            let (role, name, media_type) = (role.to_owned(), name.to_owned(), media_type.to_owned());
            Ok(FileOut { role, name, source: Source::inline(&[]), sha256: String::new(), size, media_type })
        }));
        let mut answer = body(&mut call, arguments)?;
        self.files = std::mem::take(&mut made.lock().unwrap());
        let touched: Vec<_> = call.edit.touched().collect();
        let after = call.edit.finish().0;
        // as the adapter says it
        if let (Value::Object(answer), false) = (&mut answer, touched.is_empty())
            && let Some((sound, _)) = soundness::look(
                &self.model,
                &after,
                &touched,
                &mut Surroundings::default(),
                validation::constraints::of_change,
            )
        {
            answer.insert("sound".to_owned(), sound.to_json());
        }
        self.model = after;
        Ok(answer)
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.try_call(tool, arguments.clone()).unwrap_or_else(|fault| panic!("{tool} {arguments}: {fault}"))
    }

    pub(crate) fn refuse(&mut self, tool: &str, arguments: Value) -> Fault {
        match self.try_call(tool, arguments.clone()) {
            Ok(answer) => panic!("{tool} {arguments} was not refused: {answer}"),
            Err(fault) => fault,
        }
    }

    /// Changes the model otherwise than by a tool.
    pub(crate) fn by_hand(&mut self, change: impl FnOnce(&mut Author<'_>) -> Result<(), Fault>) {
        let actor = Actor { principal: "modeller".into(), client: None };
        let mut call = IfcCall::new(&self.model, "by hand", 1_795_305_600_000, actor);
        change(&mut modelling::author(&mut call)).unwrap();
        self.model = call.edit.finish().0;
    }

    /// Asserts that the model has no error and no warning by our own rules.
    pub(crate) fn clean(&mut self) {
        let found = self.call("validate_model", json!({ "limit": 200 }));
        let bad: Vec<String> = found["groups"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|group| group["level"] != "notice")
            .map(|group| format!("{} ×{}: {}", text(&group["rule"]), group["count"], group["first"][0]))
            .collect();
        assert!(bad.is_empty(), "{:?}: {}", self.model.schema().version(), bad.join("\n"));
    }

    /// The file of a name that the last call made.
    pub(crate) fn file(&self, name: &str) -> &[u8] {
        let found = self.files.iter().find(|(own, _)| own == name);
        found.map_or_else(|| panic!("no {name}"), |(_, bytes)| bytes)
    }

    pub(crate) fn count(&self, class: &str) -> usize {
        self.model.of_class(class).len()
    }

    pub(crate) fn found(&self, selector: &str) -> usize {
        ifc::Selector::parse(selector).unwrap().run(&self.model).len()
    }

    /// Writes the model for other programs, and reads it back to see that it is whole.
    pub(crate) fn keep(&self, name: &str) {
        let mut bytes = Vec::new();
        self.model.write(&mut bytes).unwrap();
        if let Ok(folder) = std::env::var("PENSAER_WRITE_SAMPLES") {
            std::fs::write(std::path::Path::new(&folder).join(format!("{name}.ifc")), &bytes).unwrap();
        }
        let (again, problems) = Model::from_bytes(bytes, &Limits::default()).unwrap();
        assert!(problems.len() <= self.problems, "{problems:?}");
        assert_eq!(again.len(), self.model.len());
    }
}

/// A file as a call is given it.
fn given(role: &str, bytes: &[u8]) -> FileInput {
    FileInput {
        role: role.to_owned(),
        source: Source::inline(bytes),
        sha256: String::new(),
        media_type: String::new(),
    }
}

/// The text of a value; empty for what is none.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The schemas that everything is made in.
pub(crate) const SCHEMAS: [&str; 3] = ["IFC2X3", "IFC4", "IFC4X3"];
