//! The faults that a walk can find in an instance.

use ifc::schema::Width;

/// One thing that is wrong with an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The place, from the beginning of the instance's text.
    pub at: usize,
    /// The place of the attribute concerned, from nought; `NO_ATTRIBUTE` for the instance as such.
    pub attribute: u16,
    pub kind: FaultKind,
}

/// For faults that concern no attribute of the class.
pub(crate) const NO_ATTRIBUTE: u16 = u16::MAX;

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    UnknownClass,
    Abstract,
    /// So many attributes there are.
    Count(usize),
    /// No value can be read, for this reason.
    Unreadable(&'static str),
    /// A backslash in a string that is neither doubled nor begins a control directive.
    Directive,
    /// `$`
    Missing,
    /// Not `*`
    NotDerived,
    /// A value of another type.
    Type,
    /// A typed value of a type that the select does not have, or of none that is known.
    TypeName,
    /// A list of so many members.
    Members(usize),
    /// A text of so many characters, which are more or fewer than these.
    Characters(usize, Width),
    /// A binary of so many bits, which are more or fewer than these.
    Bits(usize, Width),
    /// The member that stands here has stood before.
    Twice,
    /// A word that the enumeration does not have.
    Word,
    /// Refers to an instance that is not there.
    Dangling(u32),
    /// Refers to an instance of the wrong class.
    WrongClass(u32),
    /// Not a GlobalId.
    GlobalId,
}
