use super::*;
use crate::sandbox::Confinement;
use crate::{Control, Launches};
use contract::{Fault, Launcher};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use tempfile::TempDir;

/// A launcher whose programs are confined by nothing, and the worker's side of its socket.
struct World {
    scratch: TempDir,
    bench: Arc<Bench>,
    worker: Launches,
}

fn world() -> World {
    let scratch = tempfile::tempdir().unwrap();
    fs::create_dir(scratch.path().join("run")).unwrap();
    let this = std::env::current_exe().unwrap();
    let become_it = ["--exact", "sandbox::launching::tests::becoming", "--ignored", "--nocapture"];
    let launching = Launching {
        confined_by: std::iter::once(this.into()).chain(become_it.map(OsString::from)).collect(),
        confinement: Confinement::default(),
        programs: BTreeMap::from([("shell".to_owned(), PathBuf::from("/bin/sh"))]),
        scratch: vec![scratch.path().to_owned()],
        wall: Duration::from_secs(60),
        at_once: 2,
    };
    let bench = Arc::new(Bench { launching, running: AtomicUsize::new(0) });
    let (ours, its) = UnixStream::pair().unwrap();
    let serving = Arc::clone(&bench);
    std::thread::spawn(move || serving.serve(&its));
    World { scratch, bench, worker: Launches::at(Control::from(ours)) }
}

impl World {
    fn launch(&self, script: &str) -> Launch {
        Launch {
            program: "shell".into(),
            arguments: vec!["-c".into(), script.into()],
            folder: self.scratch.path().join("run"),
            wall_ms: 30_000,
            memory_bytes: 1 << 30,
            file_bytes: 1 << 30,
        }
    }

    fn run(&self, launch: &Launch) -> Result<(Launched, String), Fault> {
        let mut said = String::new();
        let ended = self.worker.launch(launch, &mut |text| said.push_str(&of_program(text)), &|| true)?;
        Ok((ended, said))
    }

    fn refused(&self, launch: &Launch) -> String {
        self.run(launch).unwrap_err().message
    }

    /// The same, once no place is held any more by those that were refused just before.
    fn refused_by_itself(&self, launch: &Launch) -> String {
        for _ in 0..200 {
            let message = self.refused(launch);
            if !message.contains("run already") {
                return message;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the places of programs that were refused are never free again");
    }
}

/// Not a test: becomes the program that it is handed, without confining itself.
#[test]
#[ignore = "runs only as the launched process of the other tests"]
fn becoming() {
    let ConfinedProgram { confinement, command } = crate::sandbox::receive().unwrap();
    assert_eq!(confinement.write, [PathBuf::from(".")]);
    panic!("{}", Command::new(&command[0]).args(&command[1..]).exec());
}

/// Returns the printed text without what the test program says before it becomes another.
fn of_program(text: &str) -> String {
    let lines = text.split_inclusive('\n').filter(|line| !["", "running 1 test"].contains(&line.trim()));
    lines.collect()
}

/// True if there is such a process, and it is no corpse.
fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

#[test]
fn a_program_runs_in_its_folder_and_what_it_says_and_how_it_ends_is_told() {
    let world = world();
    let (ended, said) = world.run(&world.launch("pwd; echo wrong >&2; exit 3")).unwrap();
    let folder = world.scratch.path().join("run").canonicalize().unwrap();
    assert!(said.contains(&folder.display().to_string()) && said.contains("wrong"), "{said}");
    assert_eq!(ended, Launched { exit_code: Some(3), ..Launched::default() });
    let (ended, _) = world.run(&world.launch("kill -SEGV $$")).unwrap();
    assert_eq!(ended, Launched { signal: Some(11), ..Launched::default() });
}

#[test]
fn only_named_programs_run_and_only_below_the_scratch() {
    let world = world();
    let good = world.launch("true");
    let unknown = Launch { program: "/bin/sh".into(), ..good.clone() };
    assert!(world.refused(&unknown).contains("there is shell"), "{}", world.refused(&unknown));
    std::os::unix::fs::symlink("/tmp", world.scratch.path().join("link")).unwrap();
    fs::create_dir(world.scratch.path().join("run/deep")).unwrap();
    for bad in ["/tmp", "/", "link", "run/../..", "", "run/none", "../x"] {
        let folder = if bad.starts_with('/') { PathBuf::from(bad) } else { world.scratch.path().join(bad) };
        let message = world.refused_by_itself(&Launch { folder, ..good.clone() });
        assert!(message.contains("scratch") || message.contains("cannot be opened"), "{bad}: {message}");
    }
    let folder = world.scratch.path().join("run/deep");
    assert_eq!(world.run(&Launch { folder, ..good }).unwrap().0.exit_code, Some(0));
}

#[test]
fn a_program_ends_when_its_time_is_over_and_when_nobody_wants_it_with_all_that_it_started() {
    let world = world();
    let script = "sleep 600 & echo $! $$; wait";
    let late = Launch { wall_ms: 300, ..world.launch(script) };
    let (ended, said) = world.run(&late).unwrap();
    assert!(ended.timed_out && !ended.cancelled && ended.signal == Some(9), "{ended:?}");
    let pids: Vec<&str> = said.split_whitespace().collect();
    assert!(pids.len() == 2 && !pids.iter().any(|pid| is_running(pid)), "{said}");

    let said = Mutex::new(String::new());
    let wanted = || said.lock().unwrap().is_empty();
    let mut hear = |text: &str| said.lock().unwrap().push_str(&of_program(text));
    let ended = world.worker.launch(&world.launch(script), &mut hear, &wanted).unwrap();
    assert!(ended.cancelled && !ended.timed_out, "{ended:?}");
    let said = said.lock().unwrap();
    assert!(!said.split_whitespace().any(is_running), "{said}");
}

#[test]
fn what_ran_for_a_worker_ends_with_its_connections() {
    let world = world();
    let (ours, its) = UnixStream::pair().unwrap();
    let bench = Arc::clone(&world.bench);
    bench.running.fetch_add(1, Ordering::SeqCst);
    let answering = std::thread::spawn(move || {
        let _counted = Counted(&bench.running);
        bench.answer(&its, 0);
    });
    write_line(&ours, &world.launch("echo $$; sleep 600")).unwrap();
    let (mut said, mut line) = (BufReader::new(&ours), Vec::new());
    let pid = loop {
        line.clear();
        let told: Option<LauncherMessage> = read_line(&mut said, &mut line).unwrap();
        let Some(LauncherMessage::Printed(text)) = told else { panic!("{told:?}") };
        let pid = of_program(&text);
        if !pid.is_empty() {
            break pid;
        }
    };
    assert!(is_running(&pid));
    drop(ours);
    answering.join().unwrap();
    assert!(!is_running(&pid));
    assert_eq!(world.bench.running.load(Ordering::SeqCst), 0);
}

#[test]
fn as_many_run_at_once_as_may_and_nonsense_is_refused() {
    let world = world();
    let slow = world.launch("sleep 1");
    std::thread::scope(|scope| {
        let two = [(), ()].map(|()| scope.spawn(|| world.run(&slow)));
        std::thread::sleep(Duration::from_millis(300));
        assert!(world.refused(&world.launch("true")).contains("2 programs run already"));
        for run in two {
            assert_eq!(run.join().unwrap().unwrap().0.exit_code, Some(0));
        }
    });
    let (ours, its) = UnixStream::pair().unwrap();
    write_line(&ours, &"not a launch").unwrap();
    world.bench.answer(&its, 0);
    let mut line = Vec::new();
    let told: Option<LauncherMessage> = read_line(&mut BufReader::new(&ours), &mut line).unwrap();
    assert!(matches!(told, Some(LauncherMessage::Refused(_))), "{told:?}");
}
