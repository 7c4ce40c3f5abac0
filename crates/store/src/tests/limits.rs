//! A disk without room. The limit is set on a process of its own, for every file that it writes.

use super::*;
use contract::Fault;
use std::process::Command;

const FOLDER: &str = "PENSAER_TEST_SMALL_DISK";

/// Commits until there is no room, which has to be said as a Fault; then what was acknowledged is all there.
#[test]
#[ignore = "runs only as the process without room of the test below"]
fn the_process_without_room() {
    let folder = std::env::var(FOLDER).unwrap();
    on_runtime(async {
        let store = open(folder.as_ref()).await;
        let (id, mut head) = model(&store, "House", b"base;").await;
        let mut bytes = b"base;".to_vec();
        let refused = loop {
            let delta = format!("{};", head.as_str().repeat(500)).into_bytes();
            let commit = draft(&id, Some(&head), Content::Delta(delta.clone()));
            let version = commit.version.clone();
            match store.commit(commit).await {
                Ok(_) => {
                    head = version;
                    bytes.extend(delta);
                }
                Err(error) => break error,
            }
            assert!(bytes.len() < 64 << 20, "there is no limit");
        };
        let fault = Fault::from(refused);
        assert!(fault.message.contains("nothing was committed"), "{fault}");
        // A blob larger than what may be written is refused, too, and leaves nothing under its name.
        assert!(store.put_blob(vec![7; 8 << 20]).await.is_err());
        assert_eq!(store.model(&id).await.unwrap().head, head);
        assert_eq!(content(&store, &head).await, bytes);
        sound(&store).await;
        let said = std::path::Path::new(&folder).join("acknowledged");
        std::fs::write(said, head.as_str()).unwrap();
    });
}

#[test]
fn a_full_disk_is_a_fault_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // Blocks of 512 or 1024 bytes, as the shell has it; beyond them a write fails instead of ending the process.
    let output = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 4096; exec \"$0\" --exact tests::limits::the_process_without_room --ignored",
        ])
        .arg(std::env::current_exe().unwrap())
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let head = VersionId(std::fs::read_to_string(folder.path().join("acknowledged")).unwrap());
    on_runtime(async {
        let store = open(folder.path()).await;
        let id = store.find_model("House").await.unwrap().model_id;
        assert_eq!(store.model(&id).await.unwrap().head, head);
        add(&store, &id, b"there is room again;").await;
        sound(&store).await;
    });
}
