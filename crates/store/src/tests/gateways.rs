//! Several gateways at one PostgreSQL, and a server that goes away and comes back.

use super::cluster::Cluster;
use super::place::Place;
use super::*;
use contract::{EventRecord, Fault, FaultCode};
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use tokio::sync::broadcast::Receiver;

/// The next events, in a row without gaps.
async fn hear(events: &mut Receiver<EventRecord>, from: u64, to: u64) {
    for sequence in from..=to {
        let event = tokio::time::timeout(PATIENCE, events.recv()).await.unwrap().unwrap();
        assert_eq!(event.sequence, sequence);
    }
}

#[test]
fn subscribers_hear_of_every_gateway_in_order_also_when_connections_are_cut() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::postgresql(&cluster);
    on_runtime(async {
        let one = Store::open(place.gateway("one")).await.unwrap();
        let other = Store::open(place.gateway("other")).await.unwrap();
        let (mut hears, mut other_hears) = (one.subscribe(), other.subscribe());
        let (id, _) = model(&one, "House", b"").await;
        let writers: Vec<_> = [&one, &other]
            .into_iter()
            .enumerate()
            .map(|(writer, store)| {
                let (store, id) = (store.clone(), id.clone());
                tokio::spawn(async move {
                    for n in 0..20 {
                        add(&store, &id, format!("{writer}.{n};").as_bytes()).await;
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.await.unwrap();
        }
        hear(&mut hears, 1, 41).await;
        hear(&mut other_hears, 1, 41).await;
        cluster
            .sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pensaer'")
            .unwrap();
        for n in 0..10 {
            add(&one, &id, format!("again {n};").as_bytes()).await;
        }
        hear(&mut hears, 42, 51).await;
        hear(&mut other_hears, 42, 51).await;
        sound(&other).await;
    });
}

#[test]
fn a_database_that_is_away_is_said_so_and_used_again_when_it_is_back() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::postgresql(&cluster);
    on_runtime(async {
        let store = place.open().await;
        let mut events = store.subscribe();
        let (id, first) = model(&store, "House", b"").await;
        cluster.kill();
        let commit = draft(&id, Some(&first), Content::Delta(b"wall;".to_vec()));
        let refused = store.commit(commit.clone()).await.unwrap_err();
        assert!(matches!(refused, StoreError::Unavailable(_)), "{refused}");
        let fault = Fault::from(refused);
        assert_eq!(fault.code, FaultCode::StorageFailed);
        assert!(fault.message.contains("Try again in a moment"), "{fault}");
        assert!(matches!(store.model(&id).await, Err(StoreError::Unavailable(_))));
        let elsewhere = Store::open(place.gateway("late")).await.err().unwrap();
        assert!(matches!(elsewhere, StoreError::Unavailable(_)), "{elsewhere}");
        cluster.run();
        assert_eq!(store.model(&id).await.unwrap().head, first);
        assert!(matches!(store.commit(commit).await.unwrap(), CommitOutcome::Committed { .. }));
        hear(&mut events, 1, 2).await;
        sound(&store).await;
    });
}

#[test]
fn what_is_encrypted_is_verified_by_the_authority_that_the_address_names() {
    let Some(cluster) = Cluster::start() else { return };
    let Some((certificate, port)) = cluster.serve_tls() else { return };
    let place = Place::postgresql(&cluster);
    let at = |host: &str, query: &str| StoreConfig {
        database: Some(format!("postgresql://postgres@{host}:{port}/postgres?{query}")),
        ..place.config()
    };
    let trusted = format!("sslmode=verify-full&sslrootcert={}", certificate.display());
    on_runtime(async {
        let store = Store::open(at("localhost", &trusted)).await.unwrap();
        let encrypted = cluster.sql(
            "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'pensaer' AND ssl",
        );
        assert_ne!(encrypted.unwrap(), "0");
        model(&store, "House", b"").await;
        let stranger = Store::open(at("localhost", "sslmode=require")).await.err().unwrap();
        assert!(stranger.to_string().contains("certificate"), "{stranger}");
        let misnamed = Store::open(at("127.0.0.1", &trusted)).await.err().unwrap();
        assert!(misnamed.to_string().contains("certificate"), "{misnamed}");
    });
}

/// The fate of the next COMMIT at a [`Proxy`].
#[derive(Clone, Copy)]
#[repr(u8)]
enum Cut {
    Nothing,
    /// The server never sees it.
    Before,
    /// The server does it, and nobody hears so.
    After,
}

/// Stands between gateway and server and loses connections where it hurts.
struct Proxy {
    next: Arc<AtomicU8>,
}

impl Proxy {
    fn start(folder: &std::path::Path, server: std::path::PathBuf) -> Self {
        let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).unwrap();
        let next = Arc::new(AtomicU8::new(Cut::Nothing as u8));
        let cut = Arc::clone(&next);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = UnixStream::connect(&server) else { continue };
                let (back, to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
                let (cut, is_mute) = (Arc::clone(&cut), Arc::new(AtomicBool::new(false)));
                let is_silent = Arc::clone(&is_mute);
                std::thread::spawn(move || answer(back, to, &is_silent));
                std::thread::spawn(move || pass_on(client, server, &cut, &is_mute));
            }
        });
        Self { next }
    }

    fn cut(&self, what: Cut) {
        self.next.store(what as u8, Ordering::SeqCst);
    }
}

fn pass_on(mut client: UnixStream, mut server: UnixStream, cut: &AtomicU8, is_mute: &AtomicBool) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(read @ 1..) = client.read(&mut buffer) {
        if buffer[..read].windows(7).any(|window| window == b"COMMIT\0") {
            let what = cut.swap(Cut::Nothing as u8, Ordering::SeqCst);
            if what == Cut::Before as u8 {
                client.shutdown(std::net::Shutdown::Both).unwrap();
                return;
            }
            // The connection ends when the server has answered: a gateway that asks earlier what became of its commit ends it.
            is_mute.store(what == Cut::After as u8, Ordering::SeqCst);
        }
        if server.write_all(&buffer[..read]).is_err() {
            return;
        }
    }
    let _ = server.shutdown(std::net::Shutdown::Both);
}

fn answer(mut server: UnixStream, mut client: UnixStream, is_mute: &AtomicBool) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(read @ 1..) = server.read(&mut buffer) {
        if is_mute.load(Ordering::SeqCst) || client.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = client.shutdown(std::net::Shutdown::Both);
}

#[test]
fn a_commit_whose_answer_was_lost_is_answered_as_what_became_of_it() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::postgresql(&cluster);
    let between = tempfile::tempdir().unwrap();
    let proxy = Proxy::start(between.path(), cluster.socket());
    let mut config = place.config();
    let direct = config.database.take().unwrap();
    let path = |folder: &std::path::Path| folder.display().to_string().replace('/', "%2F");
    config.database = Some(direct.replace(&path(cluster.folder()), &path(between.path())));
    on_runtime(async {
        let store = Store::open(config).await.unwrap();
        let (id, first) = model(&store, "House", b"").await;
        let commit = draft(&id, Some(&first), Content::Delta(b"wall;".to_vec()));
        proxy.cut(Cut::Before);
        let refused = store.commit(commit.clone()).await.unwrap_err();
        assert!(matches!(refused, StoreError::Unavailable(_)), "{refused}");
        assert_eq!(store.model(&id).await.unwrap().head, first);
        proxy.cut(Cut::After);
        assert!(matches!(store.commit(commit.clone()).await.unwrap(), CommitOutcome::Committed { .. }));
        assert_eq!(store.model(&id).await.unwrap().head, commit.version);
        assert_eq!(store.verify_audit().await.unwrap(), Ok(2));
        sound(&store).await;
    });
}
