//! What a script talks to: the adapter and the elements it hands out, as the crate that knows models implements them.

use contract::Fault;
use serde_json::{Map, Value};

/// The object that a call or a read is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handle {
    /// The `adapter`, or a plain function of the same name as one of its methods.
    Adapter,
    /// An element that was handed out, by the number that the host gave it.
    Element(u64),
}

/// The arguments of a call: JSON, with elements as their ids.
#[derive(Debug, Default)]
pub struct Arguments {
    /// Without names, in order.
    pub positional: Vec<Value>,
    /// By name.
    pub named: Map<String, Value>,
}

/// An element as the script holds it. What is not here is asked for when it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The host's number for it.
    pub handle: u64,
    /// Its `id`.
    pub id: String,
    /// Its `ifc_class`.
    pub class: String,
}

/// The outcome of a call or a read.
#[derive(Debug)]
pub enum Reply {
    /// Data.
    Value(Value),
    /// One element.
    Element(Element),
    /// A list of elements.
    Elements(Vec<Element>),
    /// A method of the adapter, to be called later.
    Function(String),
}

/// Why a call or a read comes to nothing.
#[derive(Debug)]
pub enum Refused {
    /// The operation's Fault; an exception that the script may catch, with its message and code.
    Fault(Box<Fault>),
    /// There is nothing of this name; an `AttributeError`.
    Attribute(String),
    /// It takes other arguments; a `TypeError`.
    Type(String),
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self::Fault(Box::new(fault))
    }
}

/// The adapter behind a script.
pub trait Host {
    /// True if the adapter has a method of this name.
    fn has(&self, name: &str) -> bool;

    /// An attribute; none if there is none of this name.
    fn read(&mut self, on: Handle, name: &str) -> Result<Option<Reply>, Refused>;

    /// A call of a method.
    fn call(&mut self, on: Handle, name: &str, arguments: Arguments) -> Result<Reply, Refused>;

    /// The id that operations know an element by.
    fn id(&self, element: u64) -> String;

    /// True while the script is still wanted, which has made so many calls.
    fn goes_on(&mut self, calls: u64) -> bool;

    /// The time of the operation, in Unix milliseconds; the same when it is run again.
    fn time_ms(&self) -> u64;
}
