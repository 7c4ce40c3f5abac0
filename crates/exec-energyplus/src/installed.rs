//! The programs that are installed here: EnergyPlus and, where it is, OpenStudio, with who starts them.

use crate::simulate::version_of;
use contract::{Fault, FaultCode, Launcher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of OpenStudio with the launcher.
pub const OPENSTUDIO: &str = "openstudio";

/// The form in which OpenStudio is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenStudio {
    /// Its command line program.
    Program,
    /// A Python with the package of its makers.
    Python,
}

impl OpenStudio {
    /// Tells the form of a program by the name of its file.
    pub fn from_program(program: &Path) -> Self {
        let is_python = program.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python"));
        if is_python { Self::Python } else { Self::Program }
    }
}

/// EnergyPlus as it is installed here, and who starts its programs.
pub struct Simulator {
    launcher: Arc<dyn Launcher>,
    folder: PathBuf,
    version: String,
    openstudio: Option<OpenStudio>,
}

impl Simulator {
    /// The EnergyPlus in a folder. Its programs go by the names of their files there, such as `energyplus`, with the launcher.
    pub fn new(launcher: Arc<dyn Launcher>, folder: PathBuf) -> io::Result<Self> {
        let version = version_of(&folder)?;
        Ok(Self { launcher, folder, version, openstudio: None })
    }

    /// Adds OpenStudio in this form, where the launcher has it, too.
    #[must_use]
    pub fn with_openstudio(self, form: OpenStudio) -> Self {
        Self { openstudio: Some(form), ..self }
    }

    pub(crate) fn openstudio(&self) -> Option<OpenStudio> {
        self.openstudio
    }

    pub(crate) fn launcher(&self) -> &dyn Launcher {
        self.launcher.as_ref()
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its version, such as `25.2.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Refuses a run by another program than this one: which runs is for the server to say.
    pub(crate) fn is_meant(&self, folder: Option<&str>, version: Option<&str>) -> Result<(), Fault> {
        let other = |field: &str, asked: &str, there: &str| {
            let problem = format!(
                "The EnergyPlus here is {}, and {asked} is another. Which is used is the server's to say (--energyplus-dir, \
                 ENERGYPLUS_DIR, energyplus-dir in pensaer.toml): leave {field} out.",
                self.version
            );
            Err(Fault::new(FaultCode::NotSupported, problem).with("field", field).with("allowed", [there]))
        };
        if let Some(asked) = version {
            let asked = asked.trim().trim_start_matches(['v', 'V']).replace('-', ".");
            let rest = self.version.strip_prefix(&asked);
            if asked.is_empty() || rest.is_none_or(|rest| !rest.is_empty() && !rest.starts_with('.')) {
                return other("energyplus_version", &asked, &self.version);
            }
        }
        // a link to the folder, or a way around, is the folder
        let is_ours = |asked: &str| {
            Path::new(asked) == self.folder
                || Path::new(asked).canonicalize().is_ok_and(|real| real == self.folder)
        };
        match folder {
            Some(asked) if !is_ours(asked) => other("energyplus_dir", asked, "none"),
            _ => Ok(()),
        }
    }
}
