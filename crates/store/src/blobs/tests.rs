//! The bucket elsewhere, against a server that speaks S3 (`s3s-fs`, which `cargo xtask setup` installs).

use super::*;
use crate::tests::bucket::{Server, config};

async fn blobs(server: &Server, folder: &Path, prefix: &str) -> Blobs {
    Blobs::elsewhere(folder, &server.config(prefix)).await.unwrap()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[tokio::test]
async fn what_one_gateway_writes_another_reads() {
    let Some(server) = Server::start() else { return };
    let (one, other) = (folder(), folder());
    let (here, there) = (blobs(&server, one.path(), "a/b").await, blobs(&server, other.path(), "a/b").await);
    let blob = here.put(Bytes::from_static(b"ISO-10303-21;")).await.unwrap();
    assert!(!there.path(&blob.sha256).exists());
    assert_eq!(there.size(&blob.sha256).await.unwrap(), 13);
    assert_eq!(fs::read(there.file(&blob.sha256).await.unwrap()).unwrap(), b"ISO-10303-21;");
    assert_eq!(there.get(&blob.sha256).await.unwrap().as_ref(), b"ISO-10303-21;");
    assert!(there.is_whole(&blob.sha256).await.unwrap());
    // another prefix is another bucket
    let elsewhere = folder();
    let elsewhere = blobs(&server, elsewhere.path(), "c").await;
    assert!(!elsewhere.exists(&blob.sha256).await.unwrap());
    assert!(matches!(elsewhere.file(&blob.sha256).await, Err(StoreError::NotFound { .. })));
    let listed = there.list().await.unwrap();
    assert_eq!(listed.iter().map(|blob| (&blob.sha256, blob.size)).collect::<Vec<_>>(), [(&blob.sha256, 13)]);
}

#[tokio::test]
async fn a_file_of_several_parts_arrives_whole() {
    let Some(server) = Server::start() else { return };
    let (one, other) = (folder(), folder());
    let here = blobs(&server, one.path(), "").await;
    let bytes: Vec<u8> = (0..40_u32 << 20).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut incoming = here.incoming(1 << 30).unwrap();
    for piece in bytes.chunks(1 << 20) {
        incoming.write(piece).unwrap();
    }
    let blob = here.adopt(incoming.finish().await.unwrap()).await.unwrap();
    let there = blobs(&server, other.path(), "").await;
    assert_eq!(fs::read(there.file(&blob.sha256).await.unwrap()).unwrap(), bytes);
    // written again by somebody else: nothing happens
    let staged = there.stage(&there.path(&blob.sha256), 1 << 30).await.unwrap();
    assert_eq!(there.adopt(staged).await.unwrap(), blob);
}

#[tokio::test]
async fn bytes_that_are_not_what_their_name_says_are_refused() {
    let Some(server) = Server::start() else { return };
    let (one, other) = (folder(), folder());
    let blob = blobs(&server, one.path(), "").await.put(Bytes::from_static(b"true")).await.unwrap();
    fs::write(server.file("", &blob.sha256), "fake").unwrap();
    let there = blobs(&server, other.path(), "").await;
    assert!(matches!(there.file(&blob.sha256).await, Err(StoreError::Damaged(_))));
    assert!(!there.is_whole(&blob.sha256).await.unwrap());
    assert!(!there.path(&blob.sha256).exists(), "nothing wrong is kept");
}

#[tokio::test]
async fn old_blobs_go_and_young_ones_stay() {
    let Some(server) = Server::start() else { return };
    let one = folder();
    let here = blobs(&server, one.path(), "").await;
    let blob = here.put(Bytes::from_static(b"old")).await.unwrap();
    assert!(!here.remove_old(&blob.sha256, crate::now_ms() - 60_000).await.unwrap());
    assert!(here.exists(&blob.sha256).await.unwrap());
    assert!(here.remove_old(&blob.sha256, crate::now_ms() + 60_000).await.unwrap());
    assert!(!here.exists(&blob.sha256).await.unwrap());
    assert!(!here.path(&blob.sha256).exists());
}

#[tokio::test]
async fn copies_make_room_and_are_fetched_again() {
    let Some(server) = Server::start() else { return };
    let one = folder();
    let config = BucketConfig { copies: 3_000_000, ..server.config("") };
    let small = Blobs::elsewhere(one.path(), &config).await.unwrap();
    let mut blobs = Vec::new();
    for n in 0..4_u8 {
        let blob = small.put(Bytes::from(vec![n; 1_000_000])).await.unwrap();
        // all but the newest were used an hour ago
        let hour = std::time::SystemTime::now() - Duration::from_hours(1);
        File::options().append(true).open(small.path(&blob.sha256)).unwrap().set_modified(hour).unwrap();
        blobs.push(blob);
    }
    let held = || blobs.iter().filter(|blob| small.path(&blob.sha256).exists()).count();
    assert!(held() < 4, "{} copies", held());
    for blob in &blobs {
        assert_eq!(small.get(&blob.sha256).await.unwrap().len(), 1_000_000);
    }
}

#[tokio::test]
async fn a_bucket_that_cannot_be_used_is_said_so() {
    let one = folder();
    for wrong in ["http://models", "s3://", "s3://models?colour=red", "s3://me:secret@models", "no url"] {
        let refused = Blobs::elsewhere(one.path(), &config(wrong)).await.err().unwrap();
        assert!(matches!(refused, StoreError::Config(_)), "{wrong}: {refused}");
        assert!(!refused.to_string().contains("secret"), "{refused}");
    }
    let Some(server) = Server::start() else { return };
    let wrong = BucketConfig { key: Some(("pensaer".into(), "another".into())), ..server.config("") };
    assert!(matches!(Blobs::elsewhere(one.path(), &wrong).await, Err(StoreError::Bucket(_))));
    let here = blobs(&server, one.path(), "").await;
    let blob = here.put(Bytes::from_static(b"kept")).await.unwrap();
    drop(server);
    // what is here is still read; what would have to be written is refused
    assert_eq!(here.get(&blob.sha256).await.unwrap().as_ref(), b"kept");
}
