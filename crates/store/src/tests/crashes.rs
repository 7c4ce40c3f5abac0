//! The process is killed while it commits, again and again on the same folder. Whatever was acknowledged is there
//! afterwards, and what is there is sound.

use super::{add, model, open};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

const FOLDER: &str = "PENSAER_CRASH_FOLDER";
const ROUNDS: usize = 8;

/// Commits until it is killed. Prints each version once it was acknowledged. Run as a process of its own by the test
/// below; on its own it does nothing.
#[test]
fn the_process_that_is_killed() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let store = open(folder.as_ref()).await;
        let id = match store.find_model("House").await {
            Ok(found) => found.model_id,
            Err(_) => model(&store, "House", b"base;").await.0,
        };
        let writers: Vec<_> = (0..4)
            .map(|writer: usize| {
                let (store, id) = (store.clone(), id.clone());
                tokio::spawn(async move {
                    for n in 0_usize.. {
                        // Every few deltas is large enough to be a blob; once in a while a checkpoint is made.
                        let size = if n % 5 == 4 { 100_000 } else { 200 };
                        let mut delta = format!("{writer}.{n};{}", std::process::id()).into_bytes();
                        delta.resize(size, b' ');
                        let (version, _) = add(&store, &id, &delta).await;
                        if n % 16 == 15 {
                            let blob = store.put_blob(format!("whole {version}")).await.unwrap();
                            store.set_checkpoint(&version, &blob.sha256).await.unwrap();
                        }
                        let mut out = std::io::stdout().lock();
                        writeln!(out, "\nacknowledged {version}").unwrap();
                        out.flush().unwrap();
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.await.unwrap();
        }
    });
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_when_the_process_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut acknowledged = BTreeSet::new();
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::crashes::the_process_that_is_killed", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut left = 5 + round * 7;
        for line in &mut lines {
            if let Some(version) = line.unwrap().strip_prefix("acknowledged ") {
                acknowledged.insert(version.to_owned());
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        }
        assert_eq!(left, 0, "the process ended by itself");
        child.kill().unwrap();
        // What it had said before it died counts too.
        for line in lines.map_while(Result::ok) {
            if let Some(version) = line.strip_prefix("acknowledged ").filter(|version| version.len() == 64) {
                acknowledged.insert(version.to_owned());
            }
        }
        child.wait().unwrap();

        let store = open(folder.path()).await;
        assert_eq!(store.check(true).await.unwrap(), Vec::<String>::new(), "round {round}");
        let id = store.find_model("House").await.unwrap().model_id;
        let (mut history, mut cursor) = (BTreeSet::new(), None::<String>);
        loop {
            let page = store.versions(&id, 200, cursor.as_deref()).await.unwrap();
            history.extend(page.items.into_iter().map(|version| version.version.0));
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let lost: Vec<_> = acknowledged.difference(&history).collect();
        assert!(lost.is_empty(), "round {round} lost {lost:?}");
        let events = store.events(Some(&id), 0, 1000).await.unwrap().len();
        assert_eq!(events, history.len().min(1000), "every version has its event");
    }
    assert!(acknowledged.len() > ROUNDS * 5);
}
