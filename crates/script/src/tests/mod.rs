//! Scripts against a host that only counts: the bridge in `bridge`, those that mean harm in `hostile`.

mod bridge;
mod hostile;

use crate::{Arguments, Element, Handle, Host, Limits, Ran, Refused, Reply, memory::Counted, run};
use contract::{Fault, FaultCode};
use serde_json::{Value, json};
use std::alloc::System;
use std::time::Duration;

/// As in the program: without it the limit on memory would not hold.
#[global_allocator]
static ALLOCATOR: Counted<System> = Counted(System);

/// Keeps what it is told; `fail` refuses, `number` 7 is an element.
#[derive(Default)]
struct Notes {
    kept: Vec<Value>,
    /// Calls after which nobody wants the script any more.
    wanted_for: Option<u64>,
}

impl Host for Notes {
    fn has(&self, name: &str) -> bool {
        ["keep", "fail", "elements", "long"].contains(&name)
    }

    fn read(&mut self, on: Handle, name: &str) -> Result<Option<Reply>, Refused> {
        Ok(match (on, name) {
            (Handle::Adapter, _) if self.has(name) => Some(Reply::Function(name.to_owned())),
            (Handle::Adapter, "unit") => Some(Reply::Value("mm".into())),
            (Handle::Element(number), "number") => Some(Reply::Value(number.into())),
            (Handle::Element(number), "next") => Some(Reply::Element(element(number + 1))),
            _ => None,
        })
    }

    fn call(&mut self, on: Handle, name: &str, arguments: Arguments) -> Result<Reply, Refused> {
        match (on, name) {
            (Handle::Adapter, "keep") => {
                let named = Value::Object(arguments.named);
                self.kept.push(json!([arguments.positional, named]));
                Ok(Reply::Value(json!({ "kept": self.kept.len(), "half": 0.5 })))
            }
            (Handle::Adapter, "fail") => Err(Fault::no_element("x").with("near_matches", ["y"]).into()),
            (Handle::Adapter, "elements") => Ok(Reply::Elements(vec![element(3), element(7)])),
            (Handle::Adapter, "long") => Ok(Reply::Value("x".repeat(1 << 20).into())),
            (Handle::Element(number), "double") => Ok(Reply::Value((number * 2).into())),
            _ => Err(Refused::Attribute(format!("there is no {name}"))),
        }
    }

    fn id(&self, element: u64) -> String {
        format!("id-{element}")
    }

    fn goes_on(&mut self, calls: u64) -> bool {
        self.wanted_for.is_none_or(|wanted| calls <= wanted)
    }

    fn time_ms(&self) -> u64 {
        1_795_305_600_123
    }
}

fn element(handle: u64) -> Element {
    Element { handle, id: format!("id-{handle}"), class: "IfcWall".into() }
}

fn small() -> Limits {
    Limits { wall: Duration::from_secs(5), memory: 32 << 20, ..Limits::default() }
}

fn try_with(code: &str, limits: &Limits) -> (Result<Ran, Fault>, Vec<Value>) {
    let mut host = Notes::default();
    let outcome = run(code, &mut host, limits);
    (outcome, host.kept)
}

fn ran(code: &str) -> Ran {
    try_with(code, &small()).0.unwrap_or_else(|fault| panic!("{code}: {}", fault.to_json()))
}

fn value(code: &str) -> Value {
    ran(code).value
}

fn fault(code: &str) -> Fault {
    match try_with(code, &small()).0 {
        Ok(ran) => panic!("{code} ran: {ran:?}"),
        Err(fault) => fault,
    }
}
