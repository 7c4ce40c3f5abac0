//! `convert_osm`: a model of OpenStudio is written as one of EnergyPlus by OpenStudio's own translators, which its program, or a Python
//! that has its package, runs in a script of a few lines. Started like the programs of EnergyPlus: in a folder of its own, and confined
//! to that.

use crate::installed::{OPENSTUDIO, OpenStudio};
use crate::operations::Resolve;
use crate::programs::{FILE, Program, TOLD, cut, last, said};
use crate::run::{Call, begun};
use crate::simulate::RunFolder;
use contract::ops::PlatformOperation;
use contract::{Fault, FaultCode, Outcome};
use energy::idf::Document;
use energy::ops::{ConvertOsm, ConvertOsmAnswer};
use std::path::Path;

/// The longest time of a conversion, in ms.
const WALL_MS: u64 = 10 * 60 * 1000;
/// Bytes of memory that it may have.
const MEMORY: u64 = 4 << 30;

impl OpenStudio {
    fn script(self) -> (&'static str, &'static str) {
        match self {
            Self::Program => ("convert.rb", RUBY),
            Self::Python => ("convert.py", PYTHON),
        }
    }

    /// Returns the arguments before the name of the script.
    fn before(self) -> &'static [&'static str] {
        match self {
            Self::Program => &["execute_ruby_script"],
            Self::Python => &["-I", "-B"],
        }
    }
}

/// The conversion as a script for Python. A model of a newer version than the program's is only read where that is allowed.
const PYTHON: &str = "import sys
import openstudio
source, target, newer = sys.argv[1:]
translator = openstudio.osversion.VersionTranslator()
translator.setAllowNewerVersions(newer == 'true')
model = translator.loadModel(openstudio.path(source))
for message in [*translator.errors(), *translator.warnings()]:
    print('**', message.logMessage(), flush=True)
if model.empty():
    sys.exit('** The model cannot be read.')
forward = openstudio.energyplus.ForwardTranslator()
workspace = forward.translateModel(model.get())
for message in [*forward.errors(), *forward.warnings()]:
    print('**', message.logMessage(), flush=True)
if not workspace.save(openstudio.path(target), True):
    sys.exit('** The model cannot be written.')
";

/// The conversion as a script for OpenStudio's own Ruby.
const RUBY: &str = "require 'openstudio'
translator = OpenStudio::OSVersion::VersionTranslator.new
translator.setAllowNewerVersions(ARGV[2] == 'true')
model = translator.loadModel(OpenStudio::Path.new(ARGV[0]))
(translator.errors + translator.warnings).each { |message| puts \"** #{message.logMessage}\" }
if model.empty?
  puts '** The model cannot be read.'
  exit 1
end
forward = OpenStudio::EnergyPlus::ForwardTranslator.new
workspace = forward.translateModel(model.get)
(forward.errors + forward.warnings).each { |message| puts \"** #{message.logMessage}\" }
unless workspace.save(OpenStudio::Path.new(ARGV[1]), true)
  puts '** The model cannot be written.'
  exit 1
end
";

impl Resolve for ConvertOsm {
    const NEEDS_PROGRAMS: bool = true;

    /// Writes a model of OpenStudio as one of EnergyPlus.
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let simulator = call.simulator()?;
        let Some(openstudio) = simulator.openstudio() else {
            return Err(Fault::new(
                FaultCode::NotSupported,
                "There is no OpenStudio here: no program openstudio in the folder of OPENSTUDIO_DIR (--openstudio-dir, openstudio-dir under \
                 [backends] in pensaer.toml) or in its bin, and none in PATH, nor a Python with its package. On the server: pensaer backend install \
                 openstudio; or install the OpenStudio SDK of its makers (openstudio.net), and name its folder.",
            )
            .with("looked_for", OPENSTUDIO));
        };
        let Some(file) = call.files.iter().find(|file| file.role == "osm") else {
            return Err(Fault::invalid("files", "convert_osm needs a file with the role \"osm\"."));
        };
        let Some(scratch) = call.request.scratch.as_deref().map(Path::new) else {
            return Err(Fault::invalid("scratch", "A conversion needs a scratch folder to run in."));
        };
        let folder = RunFolder::new(scratch, call.request)?;
        folder.take(file, "in.osm")?;
        let (script, text) = openstudio.script();
        folder.write(script, text.as_bytes())?;
        let allow = self.allow_newer_versions.to_string();
        let arguments = [script, "in.osm", "out.idf", &allow];
        let program = Program {
            name: OPENSTUDIO,
            arguments: openstudio.before().iter().copied().chain(arguments).map(str::to_owned).collect(),
            wall_ms: WALL_MS,
            memory_bytes: MEMORY,
        };
        call.watch.begins("OpenStudio translates");
        let (launched, words) = call.program(simulator, &folder, program, "convert_osm_to_idf")?;
        let told = lines(&words);
        let made: Option<Vec<u8>> = folder.bytes("out.idf", FILE).filter(|_| launched.exit_code == Some(0));
        let Some(made) = made else {
            let why = if launched.timed_out { "it ran out of time".to_owned() } else { told.join(" ") };
            let why = if why.is_empty() { "it said nothing".to_owned() } else { why };
            return Err(Fault::new(
                FaultCode::UnreadableFile,
                format!("OpenStudio made no EnergyPlus model of this file: {why}"),
            )
            .with("field", "osm_path"));
        };
        let (document, problems) = Document::open(&made)?;
        let answer = ConvertOsmAnswer {
            version: document.version().map(str::to_owned),
            objects: document.len() as u64,
            messages: told,
            problem_count: problems.len() as u64,
        };
        begun(&document, Self::outcome(answer)?)
    }
}

/// Returns the lines that a script was told to say, else its last words.
fn lines(words: &str) -> Vec<String> {
    let told = |line: &str| cut(line.trim_start_matches("** "));
    let marked: Vec<String> =
        said(words).filter(|line| line.starts_with("** ")).take(TOLD).map(told).collect();
    if marked.is_empty() { last(words).into_iter().map(told).collect() } else { marked }
}
