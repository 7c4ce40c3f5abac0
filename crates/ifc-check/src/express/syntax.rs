//! Expressions and statements as they are evaluated: names resolved, variables numbered.
//!
//! A name that the text spells has become what it stands for: an attribute its number among all attribute names of the
//! schema ([`super::names`]), an entity its place in the table, a variable its slot in the frame of its function, an
//! enumeration item its word in capitals.

use super::truth::Truth;
use ifc::schema::{EntityId, TypeDeclaration};

/// The number of an attribute's name among all attribute names of a schema.
pub(super) type Symbol = u16;

/// The type or entity that a string literal of the form `'IFC4.IFCWALL'` names.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named {
    Entity(EntityId),
    Type(&'static TypeDeclaration),
}

/// An expression (ISO 10303-11, clause 12).
#[derive(Debug, Clone)]
pub(super) enum Expr {
    Integer(i64),
    Real(f64),
    Logical(Truth),
    /// A string, with what it names if it names a type of the schema.
    Text(Box<str>, Option<Named>),
    /// Binary digits, `0` and `1`.
    Binary(Box<str>),
    /// An enumeration item in capitals.
    Item(Box<str>),
    /// `?`
    Indeterminate,
    /// `SELF`
    This,
    /// A variable, parameter or the variable of a QUERY.
    Slot(u16),
    /// All instances of an entity, as the head of a RULE binds them.
    Population(EntityId),
    /// `of.Name`
    Attribute(Box<Expr>, Symbol),
    /// `of\IfcRoot`
    Group(Box<Expr>, EntityId),
    /// `of[i]`
    Index(Box<(Expr, Expr)>),
    /// `of[i:j]`
    Slice(Box<(Expr, Expr, Expr)>),
    Unary(Unary, Box<Expr>),
    Binary2(Binary, Box<(Expr, Expr)>),
    /// `{low < item <= high}`
    Interval(Box<Interval>),
    /// `[a, b : 3]`
    Aggregate(Box<[(Expr, Option<Expr>)]>),
    /// `QUERY(slot <* source | condition)`
    Query(u16, Box<(Expr, Expr)>),
    /// A function of the schema.
    Call(u16, Box<[Expr]>),
    /// A function of the language.
    BuiltIn(BuiltIn, Box<[Expr]>),
    /// `IfcDirection([1., 0.])`
    Construct(EntityId, Box<[Expr]>),
}

impl Expr {
    /// Calls `visit` with each expression that this one consists of.
    pub fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        match self {
            Self::Attribute(of, _) | Self::Group(of, _) | Self::Unary(_, of) => visit(of),
            Self::Index(pair) | Self::Binary2(_, pair) | Self::Query(_, pair) => {
                visit(&pair.0);
                visit(&pair.1);
            }
            Self::Slice(parts) => {
                visit(&parts.0);
                visit(&parts.1);
                visit(&parts.2);
            }
            Self::Interval(interval) => {
                visit(&interval.low);
                visit(&interval.item);
                visit(&interval.high);
            }
            Self::Aggregate(members) => {
                for (member, count) in members {
                    visit(member);
                    count.iter().for_each(&mut *visit);
                }
            }
            Self::Call(_, arguments) | Self::BuiltIn(_, arguments) | Self::Construct(_, arguments) => {
                arguments.iter().for_each(visit);
            }
            _ => {}
        }
    }
}

/// `{low < item <= high}`
#[derive(Debug, Clone)]
pub(super) struct Interval {
    pub low: Expr,
    pub low_strict: bool,
    pub item: Expr,
    pub high_strict: bool,
    pub high: Expr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unary {
    Plus,
    Minus,
    Not,
}

/// Operators with two operands, in the order of clause 12.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Power,
    Times,
    Divide,
    IntegerDivide,
    Modulo,
    And,
    Combine,
    Plus,
    Minus,
    Or,
    Xor,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Same,
    NotSame,
    In,
    Like,
}

/// Functions of the language (clause 15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BuiltIn {
    Abs,
    Acos,
    Asin,
    Atan,
    BLength,
    Cos,
    Exists,
    Exp,
    Format,
    HiBound,
    HiIndex,
    Length,
    LoBound,
    LoIndex,
    Log,
    Log2,
    Log10,
    Nvl,
    Odd,
    RolesOf,
    Sin,
    SizeOf,
    Sqrt,
    Tan,
    TypeOf,
    UsedIn,
    Value,
    ValueIn,
    ValueUnique,
}

impl BuiltIn {
    /// Name, function, and how many arguments at least and at most.
    pub const ALL: [(&'static str, Self, usize, usize); 29] = [
        ("abs", Self::Abs, 1, 1),
        ("acos", Self::Acos, 1, 1),
        ("asin", Self::Asin, 1, 1),
        ("atan", Self::Atan, 1, 2),
        ("blength", Self::BLength, 1, 1),
        ("cos", Self::Cos, 1, 1),
        ("exists", Self::Exists, 1, 1),
        ("exp", Self::Exp, 1, 1),
        ("format", Self::Format, 2, 2),
        ("hibound", Self::HiBound, 1, 1),
        ("hiindex", Self::HiIndex, 1, 1),
        ("length", Self::Length, 1, 1),
        ("lobound", Self::LoBound, 1, 1),
        ("loindex", Self::LoIndex, 1, 1),
        ("log", Self::Log, 1, 1),
        ("log2", Self::Log2, 1, 1),
        ("log10", Self::Log10, 1, 1),
        ("nvl", Self::Nvl, 2, 2),
        ("odd", Self::Odd, 1, 1),
        ("rolesof", Self::RolesOf, 1, 1),
        ("sin", Self::Sin, 1, 1),
        ("sizeof", Self::SizeOf, 1, 1),
        ("sqrt", Self::Sqrt, 1, 1),
        ("tan", Self::Tan, 1, 1),
        ("typeof", Self::TypeOf, 1, 1),
        ("usedin", Self::UsedIn, 2, 2),
        ("value", Self::Value, 1, 1),
        ("value_in", Self::ValueIn, 2, 2),
        ("value_unique", Self::ValueUnique, 1, 1),
    ];
}

/// The kind of aggregate that a variable holds; all else is left to the value.
#[derive(Debug, Clone)]
pub(super) enum Shape {
    Any,
    List,
    Set,
    Bag,
    /// First and last index, evaluated when the variable comes into being; none where the declaration leaves them open.
    Array(Option<Box<(Expr, Expr)>>),
}

/// One step from a variable to the place in it that is assigned.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Attribute(Symbol),
    Index(Expr),
}

/// A place that is assigned: a variable, or something in it.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub slot: u16,
    pub path: Box<[Step]>,
}

/// A statement (clause 13).
#[derive(Debug, Clone)]
pub(super) enum Statement {
    Assign(Target, Expr),
    If(Expr, Box<[Statement]>, Box<[Statement]>),
    /// Selector, labels with what they do, and OTHERWISE.
    Case(Expr, Box<[CaseAction]>, Box<[Statement]>),
    Repeat(Box<Repeat>),
    Return(Option<Expr>),
    Escape,
    Skip,
    Block(Box<[Statement]>),
    /// `INSERT(list, element, position)` (16.1)
    Insert(Target, Expr, Expr),
    /// `REMOVE(list, position)` (16.2)
    Remove(Target, Expr),
    Nothing,
}

/// Labels of a CASE and what they do.
#[derive(Debug, Clone)]
pub(super) struct CaseAction {
    pub labels: Box<[Expr]>,
    pub body: Box<[Statement]>,
}

/// `REPEAT slot := from TO to BY by WHILE … UNTIL …;`
#[derive(Debug, Clone)]
pub(super) struct Repeat {
    pub count: Option<(u16, Expr, Expr, Option<Expr>)>,
    pub while_true: Option<Expr>,
    pub until: Option<Expr>,
    pub body: Box<[Statement]>,
}

/// An expression with the slots that its queries need.
#[derive(Debug, Clone)]
pub(super) struct Formula {
    pub expr: Expr,
    pub slots: u16,
}

/// A FUNCTION of the schema, or the body of a RULE.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub name: &'static str,
    /// The shape of each slot: parameters, then variables; slots behind these belong to loops and queries.
    pub shapes: Box<[Shape]>,
    pub slots: u16,
    pub body: Box<[Statement]>,
    /// Domain rules of a RULE, with their labels.
    pub domain: Box<[(&'static str, Expr)]>,
}
