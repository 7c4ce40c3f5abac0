//! The findings of a validation: a finding is one thing that is wrong, with its place, what was found, what is
//! due and what to do about it.

use ifc::{Id, Instance};
use std::fmt;

/// The weight of a finding, the heaviest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file is not as the standard or the implementers' agreements have it.
    Error,
    /// Good practice asks for something else, or the file was read as another.
    Warning,
    /// To be known; nothing is asked.
    Notice,
}

impl Severity {
    /// Its name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

/// A case of a rule that weighs otherwise than the rule, whoever made the file.
#[derive(Debug, PartialEq, Eq)]
pub struct Exception {
    /// The thing that it is about: `Qto_SlabBaseQuantities.GrossPerimeter`.
    pub about: &'static str,
    /// The weight of findings about it.
    pub severity: Severity,
    /// The reason.
    pub why: &'static str,
}

/// Something in a model that is not as ISO 10303-21, the schema or an agreement of implementers has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The class of the fault.
    pub code: FindingCode,
    /// The instance concerned, if one is.
    pub id: Option<Id>,
    /// Its class in the schema's spelling; none where no instance is concerned.
    pub class: Option<String>,
    /// The attribute concerned (explicit or inverse), if one is.
    pub attribute: Option<String>,
    /// The rule that is broken, if it has a name: `IfcWall.CorrectPredefinedType`, `IfcRoot.UR1`,
    /// `IfcSingleProjectInstance`, or an implementers' agreement such as `SPS007`.
    pub rule: Option<String>,
    /// The rule's exception that it falls under, if it does.
    pub exception: Option<&'static Exception>,
    /// The message: what was found, what is due and what to do, in one or two sentences that stand by themselves.
    pub message: String,
    /// Line, from 1; nought for what is not in the file as it was opened.
    pub line: usize,
    /// Column in bytes, from 1; nought where the line is.
    pub column: usize,
}

/// The kinds of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingCode {
    /// Text that ISO 10303-21 does not allow.
    Syntax,
    /// A header entry that is missing, not known, or not as ISO 10303-21 clause 8 has it.
    Header,
    /// A schema that is none of those published, read as its nearest relative.
    Schema,
    /// A class that the schema does not have.
    UnknownClass,
    /// An instance of an abstract class.
    Abstract,
    /// More or fewer attributes than the class has.
    AttributeCount,
    /// `$` where a value is due.
    Missing,
    /// A value, or `$`, where the class derives the attribute and `*` is due.
    Derived,
    /// A value of another type than the attribute's.
    Type,
    /// Too few or too many members of an aggregate, or too long a text.
    Bounds,
    /// A member of a set or of a list of unique members that comes twice.
    Unique,
    /// A word that the enumeration does not have.
    Enumeration,
    /// A reference to an instance that is not there, or to one of the wrong class.
    Reference,
    /// Too few or too many instances that refer here.
    Inverse,
    /// A GlobalId that is none, or that another instance has too.
    GlobalId,
    /// A WHERE rule of a class or type that does not hold.
    WhereRule,
    /// A UNIQUE rule of a class that does not hold.
    UniqueRule,
    /// A RULE of the schema that does not hold.
    GlobalRule,
    /// A rule that could not be evaluated, with the reason.
    NotEvaluated,
    /// An implementers' agreement, informal proposition or practice that is not kept.
    Implementer,
}

impl FindingCode {
    /// Every kind, in the order of the enumeration.
    pub const ALL: [Self; 20] = [
        Self::Syntax,
        Self::Header,
        Self::Schema,
        Self::UnknownClass,
        Self::Abstract,
        Self::AttributeCount,
        Self::Missing,
        Self::Derived,
        Self::Type,
        Self::Bounds,
        Self::Unique,
        Self::Enumeration,
        Self::Reference,
        Self::Inverse,
        Self::GlobalId,
        Self::WhereRule,
        Self::UniqueRule,
        Self::GlobalRule,
        Self::NotEvaluated,
        Self::Implementer,
    ];

    /// The weight of its findings, but for those of implementers' rules, which have weights of their own.
    pub fn severity(self) -> Severity {
        match self {
            Self::NotEvaluated => Severity::Notice,
            Self::Schema => Severity::Warning,
            Self::Syntax
            | Self::Header
            | Self::UnknownClass
            | Self::Abstract
            | Self::AttributeCount
            | Self::Missing
            | Self::Derived
            | Self::Type
            | Self::Bounds
            | Self::Unique
            | Self::Enumeration
            | Self::Reference
            | Self::Inverse
            | Self::GlobalId
            | Self::WhereRule
            | Self::UniqueRule
            | Self::GlobalRule
            | Self::Implementer => Severity::Error,
        }
    }

    /// Its name in answers: `where-rule`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Header => "header",
            Self::Schema => "schema",
            Self::UnknownClass => "unknown-class",
            Self::Abstract => "abstract",
            Self::AttributeCount => "attribute-count",
            Self::Missing => "missing",
            Self::Derived => "derived",
            Self::Type => "type",
            Self::Bounds => "bounds",
            Self::Unique => "unique",
            Self::Enumeration => "enumeration",
            Self::Reference => "reference",
            Self::Inverse => "inverse",
            Self::GlobalId => "global-id",
            Self::WhereRule => "where-rule",
            Self::UniqueRule => "unique-rule",
            Self::GlobalRule => "global-rule",
            Self::NotEvaluated => "not-evaluated",
            Self::Implementer => "implementer",
        }
    }
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Finding {
    /// A finding about the model as a whole.
    pub fn of_model(code: FindingCode, message: String) -> Self {
        Self {
            code,
            id: None,
            class: None,
            attribute: None,
            rule: None,
            exception: None,
            message,
            line: 0,
            column: 0,
        }
    }

    /// A finding about an instance, placed where the instance begins.
    pub fn of_instance(code: FindingCode, instance: &Instance<'_>, message: String) -> Self {
        let (line, column) = instance.place();
        Self {
            code,
            id: Some(instance.id()),
            class: Some(instance.class_name().to_owned()),
            attribute: None,
            rule: None,
            exception: None,
            message,
            line,
            column,
        }
    }

    /// Returns the finding, about an attribute.
    #[must_use]
    pub fn about(mut self, attribute: &str) -> Self {
        self.attribute = Some(attribute.to_owned());
        self
    }

    /// Returns the finding, of a rule that has a name.
    #[must_use]
    pub fn by_rule(mut self, rule: &str) -> Self {
        self.rule = Some(rule.to_owned());
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        f.write_str(&self.message)
    }
}
