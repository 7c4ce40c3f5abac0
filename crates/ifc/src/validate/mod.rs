//! Whether a model is as ISO 10303-21, its schema and the agreements of implementers have it.
//!
//! Reading takes what it can and editing lets nothing wrong in; this is the third door: everything that is wrong with
//! a model as it stands, read from a file or edited since, each with its place and what to do. It changes nothing, and
//! it does not judge geometry.

mod finding;
mod report;

pub use finding::{Finding, FindingCode};
pub use report::{Group, Report};

use crate::Model;

/// What to look for and how much of it to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether the schema's WHERE, UNIQUE and global rules are evaluated.
    pub rules: bool,
    /// At most so many findings of one group are listed; all are counted.
    pub limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { rules: true, limit: 100 }
    }
}

impl Model {
    /// Looks for everything that is wrong with the model.
    pub fn validate(&self, options: &Options) -> Report {
        let mut collector = report::Collector::new(options.limit);
        for problem in self.verify() {
            let code = match problem.code {
                crate::ProblemCode::DanglingReference => FindingCode::Reference,
                crate::ProblemCode::AttributeCount => FindingCode::AttributeCount,
                _ => FindingCode::Syntax,
            };
            collector.add(Finding {
                code,
                id: problem.id,
                class: problem.id.and_then(|id| self.get(id)).map(|i| i.class_name().to_owned()),
                attribute: None,
                rule: None,
                message: problem.message,
                line: problem.line,
                column: problem.column,
            });
        }
        collector.finish()
    }
}
