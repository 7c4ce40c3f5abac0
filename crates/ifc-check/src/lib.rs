//! Checks of an IFC model against ISO 10303-21, its schema with the rules written in EXPRESS, and the agreements of implementers.
//!
//! Reading takes what it can and editing lets nothing wrong in; this is the third door: everything that is wrong with
//! a model as it stands, read from a file or edited since, each with its place and what to do. It changes nothing. Of geometry it
//! judges what implementers agreed on: that outlines do not cross themselves, faces are flat, shells of one piece, and alignments go on.

mod due;
mod explained;
pub mod express;
mod file;
mod finding;
mod guids;
pub mod implementer;
mod instances;
mod inverses;
mod message;
mod progress;
mod report;
#[cfg(test)]
#[path = "../../ifc/src/sample/mod.rs"]
#[allow(dead_code, reason = "shared by the tests of several crates")]
mod sample;
mod severities;
mod strings;
#[cfg(test)]
mod tests;
mod unique;
mod walk;

pub use explained::{Explanation, RulePart, explain, explained_changes, explanations};
pub use finding::{Exception, Finding, FindingCode, Severity};
pub use instances::{dangling, verify};
pub use progress::GoOn;
pub use report::{Group, ValidationReport};
pub use severities::severity_table;

use ifc::Model;

/// The parts of a validation that are run, and how many findings are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValidationOptions {
    /// True if the file's text and header and every instance are held against ISO 10303-21 and the schema.
    pub schema: bool,
    /// True if the schema's WHERE, UNIQUE and global rules are evaluated.
    pub rules: bool,
    /// True if the agreements of implementers are ([`implementer::RULES`]) that their authors enforce; for the others see [`validate_rules`].
    pub implementer: bool,
    /// At most so many findings of one group are listed; all are counted.
    pub limit: usize,
}

impl Default for ValidationOptions {
    fn default() -> Self {
        Self { schema: true, rules: true, implementer: true, limit: 100 }
    }
}

/// Looks for everything that is wrong with a model.
pub fn validate(model: &Model, options: &ValidationOptions) -> ValidationReport {
    let mut collector = report::Collector::new(options.limit);
    let _ = collect(model, options, &mut collector, &|_, _, _| true);
    collector.finish()
}

/// Validates as [`validate`] does; `None` where `go_on` ended it.
pub fn validate_while(
    model: &Model,
    options: &ValidationOptions,
    go_on: GoOn<'_>,
) -> Option<ValidationReport> {
    let mut collector = report::Collector::new(options.limit);
    collect(model, options, &mut collector, go_on)?;
    Some(collector.finish())
}

/// Holds a model against these agreements of implementers alone, listing at most `limit` findings of each; `None` where `go_on` ended it.
pub fn validate_rules(
    model: &Model,
    rules: &[&implementer::Rule],
    limit: usize,
    go_on: GoOn<'_>,
) -> Option<ValidationReport> {
    let mut collector = report::Collector::new(limit);
    implementer::check(model, rules, &mut collector, go_on)?;
    Some(collector.finish())
}

fn collect(
    model: &Model,
    options: &ValidationOptions,
    collector: &mut report::Collector,
    go_on: GoOn<'_>,
) -> Option<()> {
    if options.schema {
        file::syntax(model, collector);
        instances::check(model, collector, go_on)?;
        guids::repeated(model, collector);
        inverses::check(model, collector, go_on)?;
    }
    if options.rules {
        let (findings, more) = express::rule_findings(model, options.limit, go_on)?;
        for finding in findings {
            collector.add(finding);
        }
        for ((code, rule), count) in more {
            collector.count(code, &rule, count);
        }
    }
    if options.implementer {
        let is_asked = |rule: &&implementer::Rule| rule.agreement != implementer::Agreement::NotEnforced;
        let rules: Vec<&implementer::Rule> = implementer::RULES.iter().filter(is_asked).collect();
        implementer::check(model, &rules, collector, go_on)?;
    }
    Some(())
}
