//! The severity of a finding, and the published table of all, written from what kinds of finding and rules declare.

use super::implementer::{Agreement, RULES, rule_of};
use super::{Finding, FindingCode, Severity};
use std::fmt::Write as _;

impl Finding {
    /// Its weight, as published in docs/severities.md: by its rule and the rule's exceptions, else by its kind; never by its words.
    pub fn severity(&self) -> Severity {
        match (self.exception, self.code) {
            (Some(exception), _) => exception.severity,
            (None, FindingCode::Implementer) => {
                let rule = self.rule.as_deref().and_then(rule_of);
                rule.map_or(Severity::Error, |rule| rule.agreement.severity())
            }
            (None, code) => code.severity(),
        }
    }
}

/// The page docs/severities.md: the severity of every kind of finding, of every implementers' rule, and of the rules' exceptions.
pub fn severity_table() -> String {
    let mut text = "# Severities of findings\n\nWritten by `pensaer tools --severities` from what kinds of finding and rules \
                    declare, not by hand: `cargo xtask codegen` writes it anew.\nA finding's severity follows from its kind or \
                    its rule alone: whoever made the file, and whatever its message says.\n\n\
                    | severity | meaning |\n| --- | --- |\n\
                    | error | the file is not as the standard or the implementers' agreements have it; `valid` is false |\n\
                    | warning | good practice asks for something else, or the file was read as another |\n\
                    | notice | to be known; nothing is asked |\n\n## Kinds\n\n| kind | severity |\n| --- | --- |\n"
        .to_owned();
    for code in FindingCode::ALL {
        let severity = match code {
            FindingCode::Implementer => "by the rule, below",
            code => code.severity().as_str(),
        };
        let _ = writeln!(text, "| `{code}` | {severity} |");
    }
    text.push_str("\n## Implementers' rules\n\n| force of a rule | severity |\n| --- | --- |\n");
    for agreement in Agreement::ALL {
        let _ = writeln!(text, "| {} | {} |", agreement.as_str(), agreement.severity().as_str());
    }
    text.push_str("\n| rule | demand | severity |\n| --- | --- | --- |\n");
    for rule in RULES {
        let _ = writeln!(text, "| {} | {} | {} |", rule.id, rule.title, rule.agreement.severity().as_str());
    }
    text.push_str("\n## Exceptions\n\n| rule | about | severity | why |\n| --- | --- | --- | --- |\n");
    for rule in RULES {
        for exception in rule.exceptions {
            let (about, why) = (exception.about, exception.why);
            let _ = writeln!(text, "| {} | {about} | {} | {why} |", rule.id, exception.severity.as_str());
        }
    }
    text
}
