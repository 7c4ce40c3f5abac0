//! The process is killed (-9) at every step of a commit, again and again on the same data. Whatever was acknowledged is
//! there afterwards, what was not is there whole or not at all, and what is there is sound.
//!
//! By default as often as a quick run affords; `PENSAER_CRASH_ROUNDS=250` kills 250 times on each database.

use super::cluster::Cluster;
use super::place::Place;
use super::*;
use crate::fault_points::armed::{STEPS, VARIABLE};
use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};

const PLACE: &str = "PENSAER_TEST_CRASH_PLACE";
const DATABASE: &str = "PENSAER_TEST_CRASH_DATABASE";
const ROUNDS: &str = "PENSAER_CRASH_ROUNDS";
const WRITERS: usize = 3;

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // What is cut off by the end of the process has no mark at its end.
    writeln!(out, "\n{line} .").unwrap();
    out.flush().unwrap();
}

/// Commits until it is killed, saying what it tries and what was acknowledged.
#[test]
#[ignore = "runs only as the killed process of the other tests"]
fn the_process_that_is_killed() {
    let folder = std::env::var(PLACE).unwrap();
    let config = StoreConfig {
        database: std::env::var(DATABASE).ok(),
        blobs: Some(std::path::Path::new(&folder).join("blobs")),
        ..StoreConfig::in_folder(
            std::path::Path::new(&folder).join(format!("gateway-{}", std::process::id())),
        )
    };
    let config = if config.database.is_none() { StoreConfig::in_folder(folder) } else { config };
    on_runtime(async {
        let store = Store::open(config).await.unwrap();
        let house = match store.find_model("House").await {
            Ok(found) => found.model_id,
            Err(_) => model(&store, "House", b"base;").await.0,
        };
        let writers: Vec<_> =
            (0..WRITERS).map(|writer| tokio::spawn(write(store.clone(), house.clone(), writer))).collect();
        for writer in writers {
            writer.await.unwrap();
        }
    });
}

async fn write(store: Store, house: ModelId, writer: usize) {
    for n in 0_usize.. {
        let mark = format!("{writer}.{n};{}", std::process::id());
        // Some commits make a model of their own; some deltas are large enough to be blobs.
        let (id, parent, content) = if n % 4 == 1 {
            let blob = store.put_blob(mark.clone().into_bytes()).await.unwrap();
            (ModelId::new(), None, Content::File { sha256: blob.sha256, size: blob.size })
        } else {
            let mut delta = mark.clone().into_bytes();
            delta.resize(if n % 3 == 2 { 100_000 } else { 200 }, b' ');
            (house.clone(), Some(store.model(&house).await.unwrap().head), Content::Delta(delta))
        };
        let mut commit = draft(&id, parent.as_ref(), content);
        commit.new_model =
            parent.is_none().then(|| NewModel { name: mark.clone(), kind: ModelKind::Ifc, origin: None });
        commit.remember = Some(Remembered {
            principal: "ada".into(),
            key: format!("{}-{}", commit.version, writer),
            request_sha256: "r".into(),
            answer: json!({ "version": commit.version }),
        });
        let version = commit.version.clone();
        say(&format!("tries {id} {version} {version}-{writer}"));
        if let CommitOutcome::Committed { .. } = store.commit(commit).await.unwrap() {
            say(&format!("acknowledged {id} {version} {version}-{writer}"));
        }
        if n % 16 == 15 {
            let blob = store.put_blob(format!("whole {version}")).await.unwrap();
            store.set_checkpoint(&version, &blob.sha256).await.unwrap();
        }
    }
}

/// A process that commits, and what it said.
struct Gateway {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    tried: Vec<[String; 3]>,
    acknowledged: Vec<[String; 3]>,
}

impl Gateway {
    fn start(place: &Place<'_>, fault: Option<&str>) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "tests::crashes::the_process_that_is_killed", "--ignored", "--nocapture"])
            .env(PLACE, place.config().blobs.map_or(place.config().folder, |_| place.folder().to_owned()))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(url) = place.config().database {
            command.env(DATABASE, url);
        }
        if let Some(fault) = fault {
            command.env(VARIABLE, fault);
        }
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines, tried: Vec::new(), acknowledged: Vec::new() }
    }

    /// Reads what it says until it has acknowledged so many, or has ended.
    fn listen(&mut self, acknowledged: usize) {
        while self.acknowledged.len() < acknowledged
            && let Some(Ok(line)) = self.lines.next()
        {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            if let [what, model, version, key, mark] = words.as_slice()
                && mark == "."
            {
                let said = [model.clone(), version.clone(), key.clone()];
                if what == "tries" { self.tried.push(said) } else { self.acknowledged.push(said) }
            }
        }
    }

    /// Hears it out; it has to have been killed and not to have ended otherwise.
    fn bury(mut self) -> (Vec<[String; 3]>, Vec<[String; 3]>) {
        self.listen(usize::MAX);
        drop(self.lines);
        let output = self.child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(9), "it ended by itself: {said}");
        (self.tried, self.acknowledged)
    }
}

/// Everything that was acknowledged is there, with its answer; what was only tried is there with its answer or without
/// both. Every version has its event and its audit entry.
async fn nothing_is_lost(store: &Store, tried: &[[String; 3]], acknowledged: &[[String; 3]], when: &str) {
    assert_eq!(store.check(true).await.unwrap(), Vec::<String>::new(), "{when}");
    for [model, version, key] in acknowledged {
        let found = store.version(&ModelId(model.clone()), version).await;
        assert!(found.is_ok(), "{when}: {version} was acknowledged and is lost");
        assert!(store.answer("ada", key).await.unwrap().is_some(), "{when}: its answer is lost");
    }
    for [model, version, key] in tried {
        let is_there = store.version(&ModelId(model.clone()), version).await.is_ok();
        assert_eq!(store.answer("ada", key).await.unwrap().is_some(), is_there, "{when}: half of {version}");
    }
    let (mut events, mut last) = (0, 0);
    loop {
        let page = store.events(None, last, 1000).await.unwrap();
        let Some(event) = page.last() else { break };
        last = event.sequence;
        events += page.len() as u64;
    }
    assert_eq!(events, last, "{when}: the log has a gap");
    // whole files that were made of versions have entries, too, and no events
    let made = contract::AuditFilter { tool: Some("checkpoint".into()), ..contract::AuditFilter::default() };
    let (mut wholes, mut cursor) = (0, None::<String>);
    loop {
        let page = store.audit_entries(&made, 200, cursor.as_deref()).await.unwrap();
        wholes += page.items.len() as u64;
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(store.verify_audit().await.unwrap(), Ok(events + wholes), "{when}");
}

fn rounds() -> usize {
    std::env::var(ROUNDS).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(2 * STEPS.len())
}

fn killed_at_every_step<'a>(place: impl Fn() -> Place<'a>) {
    let mut here = place();
    let mut known = 0;
    for round in 0..rounds() {
        // New data now and then, so that the start of a store is met, too, and a round does not cost more and more.
        if round % 50 == 49 {
            here = place();
        }
        let step = STEPS[round % STEPS.len()];
        let fault = format!("{step}={}", 1 + (round * 7) % 5);
        let (tried, acknowledged) = Gateway::start(&here, Some(&fault)).bury();
        known += acknowledged.len();
        on_runtime(async {
            let store = here.open().await;
            nothing_is_lost(&store, &tried, &acknowledged, &format!("round {round}, killed at {fault}"))
                .await;
        });
    }
    assert!(known > rounds(), "too little was acknowledged for this to mean something: {known}");
}

#[test]
fn nothing_is_lost_when_the_process_is_killed_at_any_step_on_sqlite() {
    killed_at_every_step(Place::sqlite);
}

#[test]
fn nothing_is_lost_when_the_process_is_killed_at_any_step_on_postgresql() {
    let Some(cluster) = Cluster::start() else { return };
    killed_at_every_step(|| Place::postgresql(&cluster));
}

#[test]
fn one_of_two_gateways_is_killed_under_load_and_the_other_goes_on() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::postgresql(&cluster);
    let mut stays = Gateway::start(&place, None);
    stays.listen(10);
    let mut goes = Gateway::start(&place, None);
    goes.listen(20);
    goes.child.kill().unwrap();
    let (tried, acknowledged) = goes.bury();
    let before = stays.acknowledged.len();
    stays.listen(before + 200);
    assert_eq!(stays.acknowledged.len(), before + 200, "the other gateway stopped");
    stays.child.kill().unwrap();
    let (more_tried, more_acknowledged) = stays.bury();
    on_runtime(async {
        let store = place.open().await;
        nothing_is_lost(&store, &tried, &acknowledged, "the one that was killed").await;
        nothing_is_lost(&store, &more_tried, &more_acknowledged, "the one that went on").await;
    });
}

#[test]
fn nothing_is_lost_when_the_server_ends_without_a_word() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::postgresql(&cluster);
    for round in 0..3 {
        let mut gateway = Gateway::start(&place, None);
        gateway.listen(30 + round * 20);
        cluster.kill();
        // It may have given up by itself.
        let _ = gateway.child.kill();
        gateway.listen(usize::MAX);
        gateway.child.wait().unwrap();
        let (tried, acknowledged) = (gateway.tried, gateway.acknowledged);
        assert!(acknowledged.len() >= 30 + round * 20);
        cluster.run();
        on_runtime(async {
            let store = place.open().await;
            let when = format!("the server was killed, round {round}");
            nothing_is_lost(&store, &tried, &acknowledged, &when).await;
        });
    }
}
