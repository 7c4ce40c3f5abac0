//! A launcher that plays the programs, so that what they are given and what is made of what they leave can be tested without them. Real
//! ones are run through the whole program, in app.

use crate::tests::request;
use crate::{EnergyAdapter, Simulator};
use contract::{
    Adapter, Effect, Fault, FileInput, Launch, Launched, Launcher, OpenedModel, Outcome, Unwatched, Watch,
};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Left by a program that does not end by itself.
pub(crate) const GOES_ON: &str = "goes-on";

type Play = dyn Fn(&Launch, &mut dyn FnMut(&str)) -> Launched + Send + Sync;

/// Plays programs, and remembers what it was asked for.
struct FakeLauncher {
    play: Box<Play>,
    asked: Mutex<Vec<Launch>>,
}

impl Launcher for FakeLauncher {
    fn launch(
        &self,
        launch: &Launch,
        said: &mut dyn FnMut(&str),
        wanted: &dyn Fn() -> bool,
    ) -> Result<Launched, Fault> {
        self.asked.lock().unwrap().push(launch.clone());
        let launched = (self.play)(launch, said);
        // a program that leaves this file goes on until it is ended
        if launch.folder.join(GOES_ON).exists() {
            while wanted() {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            return Ok(Launched { cancelled: true, signal: Some(9), ..launched });
        }
        Ok(launched)
    }
}

/// The outcome of an operation, and the programs that it asked for.
pub(crate) struct FakeRun {
    pub outcome: Result<Outcome, Fault>,
    pub asked: Vec<Launch>,
    // the files of the outcome lie in it
    _scratch: tempfile::TempDir,
}

/// A folder that looks like an EnergyPlus 25.2.
pub(crate) fn installed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Energy+.idd"), "!IDD_Version 25.2.0\n!IDD_BUILD x\n").unwrap();
    folder
}

/// Runs an operation with an EnergyPlus in `folder` whose programs are played. The outcome's files are there as long as it is.
pub(crate) fn play(
    folder: &Path,
    (name, effect, params): (&str, Effect, Value),
    model: &OpenedModel,
    files: &[FileInput],
    play: impl Fn(&Launch, &mut dyn FnMut(&str)) -> Launched + Send + Sync + 'static,
) -> FakeRun {
    let scratch = tempfile::tempdir().unwrap();
    let player = Arc::new(FakeLauncher { play: Box::new(play), asked: Mutex::default() });
    let simulator = Simulator::new(player.clone(), folder.to_owned()).unwrap();
    let adapter = EnergyAdapter::default().with_simulator(simulator);
    assert!(adapter.info().operations.iter().any(|operation| operation.name == name));
    let mut request = request(name, params, &["model"]);
    request.operation.effect = effect;
    request.scratch = Some(scratch.path().display().to_string());
    let watch: Arc<dyn Watch> = Arc::new(Unwatched);
    let outcome = adapter.run(&request, std::slice::from_ref(model), files, &watch);
    // nothing is left but what is handed on
    for entry in fs::read_dir(scratch.path()).unwrap() {
        assert!(entry.unwrap().path().is_file());
    }
    let asked = player.asked.lock().unwrap().clone();
    FakeRun { outcome, asked, _scratch: scratch }
}

/// A program that ended with a code.
pub(crate) fn code(code: i32) -> Launched {
    Launched { exit_code: Some(code), ..Launched::default() }
}
