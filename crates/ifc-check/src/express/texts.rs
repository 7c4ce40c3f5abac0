//! The rules of a schema as they are written in EXPRESS, by name, without being read into trees.

use ifc::SchemaVersion;

/// The kinds of rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleTextKind {
    /// A WHERE rule of an entity or a defined type.
    Where,
    /// A UNIQUE rule of an entity.
    Unique,
    /// A RULE of the schema as a whole.
    Global,
}

/// A rule as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleText {
    /// Its kind.
    pub kind: RuleTextKind,
    /// The entity or type that declares it; of a global rule its name.
    pub owner: &'static str,
    /// `CorrectPredefinedType`, `WR1`; empty of a global rule.
    pub label: &'static str,
    /// The expression, or the body of a global rule.
    pub text: &'static str,
}

impl RuleText {
    /// Its name in findings: `IfcWall.CorrectPredefinedType`, `IfcSingleProjectInstance`.
    pub fn name(&self) -> String {
        match self.kind {
            RuleTextKind::Global => self.owner.to_owned(),
            RuleTextKind::Where | RuleTextKind::Unique => format!("{}.{}", self.owner, self.label),
        }
    }

    /// True if this is its name, in any letter case.
    pub fn is_called(&self, name: &str) -> bool {
        match self.kind {
            RuleTextKind::Global => name.eq_ignore_ascii_case(self.owner),
            RuleTextKind::Where | RuleTextKind::Unique => {
                name.split_once('.').is_some_and(|(owner, label)| {
                    owner.eq_ignore_ascii_case(self.owner) && label.eq_ignore_ascii_case(self.label)
                })
            }
        }
    }
}

/// The rules of a schema, in the order of its table.
pub fn rule_texts(version: SchemaVersion) -> impl Iterator<Item = RuleText> {
    super::rules::table(version).lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut parts = line.splitn(4, '\t');
        let (kind, owner, label, text) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let kind = match kind {
            "where" | "type" => RuleTextKind::Where,
            "unique" => RuleTextKind::Unique,
            "rule" => RuleTextKind::Global,
            _ => return None,
        };
        let label = if kind == RuleTextKind::Global { "" } else { label };
        Some(RuleText { kind, owner, label, text })
    })
}
