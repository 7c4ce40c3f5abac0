//! `pensaer doctor`: what works on this machine, and how to mend what does not. It looks and tries, and changes nothing.

mod checks;

use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use std::io::Write as _;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// How a thing was found to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    /// It works.
    Works,
    /// It could be had, or could be better; nothing that is needed lacks it.
    Note,
    /// Something that is needed does not work.
    Broken,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    /// The thing.
    about: &'static str,
    verdict: Verdict,
    /// How it is.
    found: String,
    /// The remedy, where one is called for.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

impl Finding {
    fn works(about: &'static str, found: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Works, found: found.into(), remedy: None }
    }

    fn note(about: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Note, found: found.into(), remedy: Some(remedy.into()) }
    }

    fn broken(about: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Broken, found: found.into(), remedy: Some(remedy.into()) }
    }
}

/// Looks at everything and says how it is; exit code 1 if something that is needed does not work.
pub(crate) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    let findings = checks::all(settings)?;
    let broken = findings.iter().filter(|finding| finding.verdict == Verdict::Broken).count();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&findings)?)?;
    } else {
        for finding in &findings {
            let mark = match finding.verdict {
                Verdict::Works => "ok",
                Verdict::Note => "note",
                Verdict::Broken => "BROKEN",
            };
            writeln!(out, "{mark:<7} {:<13} {}", finding.about, finding.found)?;
            if let Some(remedy) = &finding.remedy {
                writeln!(out, "{:<21} {remedy}", "")?;
            }
        }
        let said = match broken {
            0 => "All that is needed works.".to_owned(),
            1 => "1 thing that is needed does not work.".to_owned(),
            more => format!("{more} things that are needed do not work."),
        };
        writeln!(out, "\n{said}")?;
    }
    Ok(if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
