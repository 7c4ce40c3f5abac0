//! Whether a model is as ISO 10303-21, its schema and the agreements of implementers have it.
//!
//! Reading takes what it can and editing lets nothing wrong in; this is the third door: everything that is wrong with
//! a model as it stands, read from a file or edited since, each with its place and what to do. It changes nothing, and
//! it does not judge geometry.

mod due;
mod file;
mod finding;
mod guids;
pub mod implementer;
mod instances;
mod inverses;
mod message;
mod report;
mod strings;
#[cfg(test)]
mod tests;
mod unique;
mod walk;

pub use finding::{Finding, FindingCode};
pub use report::{Group, Report};

use crate::Model;

/// Told which part of a validation is at work and how much of how much of it is done, from any thread; 0 where the part begins.
/// Where it answers no, the work ends without a result.
pub type GoOn<'a> = &'a (dyn Fn(&'static str, usize, usize) -> bool + Sync);

/// What to look for and how much of it to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether the file's text and header and every instance are held against ISO 10303-21 and the schema.
    pub schema: bool,
    /// Whether the schema's WHERE, UNIQUE and global rules are evaluated.
    pub rules: bool,
    /// Whether the agreements of implementers are ([`implementer::RULES`]).
    pub implementer: bool,
    /// At most so many findings of one group are listed; all are counted.
    pub limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { schema: true, rules: true, implementer: true, limit: 100 }
    }
}

impl Model {
    /// Looks for everything that is wrong with the model.
    pub fn validate(&self, options: &Options) -> Report {
        let mut collector = report::Collector::new(options.limit);
        let _ = self.look(options, &mut collector, &|_, _, _| true);
        collector.finish()
    }

    /// The same; `None` where `go_on` ended it.
    pub fn validate_while(&self, options: &Options, go_on: GoOn<'_>) -> Option<Report> {
        let mut collector = report::Collector::new(options.limit);
        self.look(options, &mut collector, go_on)?;
        Some(collector.finish())
    }

    fn look(&self, options: &Options, collector: &mut report::Collector, go_on: GoOn<'_>) -> Option<()> {
        if options.schema {
            file::syntax(self, collector);
            instances::check(self, collector, go_on)?;
            guids::repeated(self, collector);
            inverses::check(self, collector, go_on)?;
        }
        if options.rules {
            let (findings, more) = self.rule_findings(options.limit, go_on)?;
            for finding in findings {
                collector.add(finding);
            }
            for ((code, rule), count) in more {
                collector.count(code, &rule, count);
            }
        }
        if options.implementer {
            implementer::check(self, collector, go_on)?;
        }
        Some(())
    }
}
