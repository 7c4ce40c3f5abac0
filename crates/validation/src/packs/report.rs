//! The result of holding a pack against a model: findings, and for each rule how many things it judged, and which it could not judge and why.

use crate::Finding;
use std::collections::BTreeMap;

/// The result of one rule.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleResult {
    /// The identifier, with the pack's: `ada-2010.404.2.3`.
    pub rule: String,
    /// The things that it asks something of: those that passed, failed or could not be judged.
    pub applicable: usize,
    /// Things that are as it asks.
    pub passed: usize,
    /// Things that are not.
    pub failed: usize,
    /// Things that could not be judged, by the reason.
    pub not_judged: BTreeMap<String, usize>,
}

/// The result of a pack.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The findings, in the order of the rules.
    pub findings: Vec<Finding>,
    /// The results, in the order of the rules.
    pub rules: Vec<RuleResult>,
}
