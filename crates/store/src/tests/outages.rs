//! The bucket and the database fail in the middle of a commit. Whoever commits is told so; nothing of it is there, what was
//! acknowledged before is, and when they are back the next commit is as any other.

use super::bucket::{Server, config};
use super::cluster::Cluster;
use super::place::Place;
use super::*;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// The fate of a request to the bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Weather {
    /// It gets there, and the answer comes back.
    Fair,
    /// It is answered that the server is too busy.
    Busy,
    /// It is refused for good.
    Refused,
    /// The connection ends before it is sent.
    Cut,
    /// The connection ends when half of it is sent.
    Half,
    /// It gets there, and the answer does not come back.
    Unanswered,
}

const WEATHERS: [Weather; 6] =
    [Weather::Fair, Weather::Busy, Weather::Refused, Weather::Cut, Weather::Half, Weather::Unanswered];

/// Stands between a gateway and the bucket.
struct Between {
    address: String,
    state: Arc<State>,
}

struct State {
    weather: AtomicU8,
    /// Requests that fare badly before it is fair again; all of them at zero.
    left: AtomicU32,
    server: String,
}

impl State {
    fn now(&self) -> Weather {
        WEATHERS[usize::from(self.weather.load(Ordering::SeqCst))]
    }

    /// The fate of the request that begins now.
    fn next(&self) -> Weather {
        let now = self.now();
        let last =
            self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)) == Ok(1);
        if last {
            self.weather.store(Weather::Fair as u8, Ordering::SeqCst);
        }
        now
    }

    /// One connection, whose requests come one after another.
    fn serve(&self, mut client: TcpStream) -> std::io::Result<()> {
        let mut server = TcpStream::connect(&self.server)?;
        let (mut back, mut to) = (server.try_clone()?, client.try_clone()?);
        let unanswered = Arc::new(AtomicU8::new(0));
        let silent = Arc::clone(&unanswered);
        let answers = std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(read @ 1..) = back.read(&mut buffer) {
                if silent.load(Ordering::SeqCst) == 1 || to.write_all(&buffer[..read]).is_err() {
                    break;
                }
            }
            let _ = to.shutdown(Shutdown::Both);
        });
        let mut buffer = vec![0; 1 << 16];
        // in a connection that was fair, the next request may not be
        let mut fares = Weather::Fair;
        while let Ok(read @ 1..) = client.read(&mut buffer) {
            let piece = &buffer[..read];
            let begins = [&b"PUT "[..], b"GET ", b"HEAD ", b"POST ", b"DELETE "];
            if begins.iter().any(|method| piece.starts_with(method)) {
                fares = self.next();
            }
            let answered = |status: &str| {
                format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").into_bytes()
            };
            match fares {
                Weather::Fair => server.write_all(piece)?,
                Weather::Unanswered => {
                    unanswered.store(1, Ordering::SeqCst);
                    server.write_all(piece)?;
                }
                Weather::Busy => client.write_all(&answered("503 Slow Down"))?,
                Weather::Refused => client.write_all(&answered("403 Forbidden"))?,
                Weather::Cut => {}
                Weather::Half => server.write_all(&piece[..read / 2])?,
            }
            if !matches!(fares, Weather::Fair | Weather::Unanswered) {
                break;
            }
        }
        let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
        let _ = answers.join();
        Ok(())
    }
}

impl Between {
    fn start(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let state = Arc::new(State {
            weather: AtomicU8::new(Weather::Fair as u8),
            left: AtomicU32::new(0),
            server: server.to_owned(),
        });
        let shared = Arc::clone(&state);
        // ends with the process
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                std::thread::spawn(move || state.serve(client));
            }
        });
        Self { address, state }
    }

    fn set(&self, weather: Weather, requests: u32) {
        self.state.left.store(requests, Ordering::SeqCst);
        self.state.weather.store(weather as u8, Ordering::SeqCst);
    }
}

/// A delta that is kept in the bucket; none is as another.
fn large(mark: &str) -> Vec<u8> {
    let mut delta = mark.as_bytes().to_vec();
    delta.resize(INLINE_DELTA_BYTES + 1000, b' ');
    delta
}

#[test]
fn a_bucket_that_fails_within_a_commit_fails_that_commit_alone() {
    let Some(server) = Server::start() else { return };
    let between = Between::start(server.address());
    let folder = tempfile::tempdir().unwrap();
    on_runtime(async {
        let bucket =
            config(&format!("s3://models/outage?endpoint=http://{}&region=us-east-1", between.address));
        let place = StoreConfig { bucket: Some(bucket), ..StoreConfig::in_folder(folder.path()) };
        let store = Store::open(place.clone()).await.unwrap();
        let (id, mut head) = model(&store, "House", b"base;").await;
        let mut bytes = b"base;".to_vec();
        for (n, weather) in WEATHERS.into_iter().enumerate().skip(1) {
            // an outage that is longer than anybody waits
            between.set(weather, 0);
            let lost = large(&format!("lost {n};"));
            let failed = store.commit(draft(&id, Some(&head), Content::Delta(lost.clone()))).await;
            let fault = contract::Fault::from(failed.expect_err("the bucket was away"));
            assert!(fault.message.contains("bucket"), "{weather:?}: {fault}");
            assert!(!fault.message.contains("a secret of tests"), "{fault}");
            assert_eq!(store.model(&id).await.unwrap().head, head, "{weather:?}: nothing moved");
            // what needs no bucket goes on
            let small = format!("small {n};").into_bytes();
            add(&store, &id, &small).await;
            bytes.extend(&small);
            // it is back, and so is the one who was refused
            between.set(Weather::Fair, 0);
            head = add(&store, &id, &lost).await.0;
            bytes.extend(&lost);
            // a short one is not noticed, but for a refusal, which is final
            between.set(weather, 2);
            let delta = large(&format!("late {n};"));
            let outcome = store.commit(draft(&id, Some(&head), Content::Delta(delta.clone()))).await;
            assert_eq!(outcome.is_err(), weather == Weather::Refused, "{weather:?}: {outcome:?}");
            between.set(Weather::Fair, 0);
            if outcome.is_ok() {
                head = store.model(&id).await.unwrap().head;
                bytes.extend(&delta);
            }
        }
        assert_eq!(content(&store, &head).await, bytes);
        sound(&store).await;
        drop(store);
        // another gateway, whose folder has no copies, reads the same
        let other = tempfile::tempdir().unwrap();
        let copy = format!("VACUUM INTO '{}'", other.path().join("pensaer.db").display());
        rusqlite::Connection::open(folder.path().join("pensaer.db")).unwrap().execute_batch(&copy).unwrap();
        let there = Store::open(StoreConfig { folder: other.path().to_owned(), ..place }).await.unwrap();
        assert_eq!(content(&there, &head).await, bytes);
        sound(&there).await;
    });
}

#[test]
fn a_database_server_without_room_loses_nothing_that_it_acknowledged() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::postgresql(&cluster);
    on_runtime(async {
        let store = place.open().await;
        let (id, mut head) = model(&store, "House", b"base;").await;
        drop(store);
        // No file of the server grows beyond this, which is more than one of its logs: it answers as on a full disk.
        cluster.limit_files(Some(18 << 20));
        let store = place.open().await;
        let mut acknowledged = Vec::new();
        let mut noise = 1_u64;
        let refused = loop {
            // nothing that the server could make smaller
            let delta: Vec<u8> = std::iter::repeat_with(|| {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (noise >> 56) as u8
            })
            .take(INLINE_DELTA_BYTES)
            .collect();
            let commit = draft(&id, Some(&head), Content::Delta(delta));
            let version = commit.version.clone();
            match store.commit(commit).await {
                Ok(_) => {
                    head = version.clone();
                    acknowledged.push(version);
                }
                Err(error) => break error,
            }
            assert!(acknowledged.len() < 2000, "there is no limit");
        };
        let fault = contract::Fault::from(refused);
        assert!(fault.message.contains("nothing was committed"), "{fault}");
        assert_eq!(store.model(&id).await.unwrap().head, head);
        drop(store);

        cluster.limit_files(None);
        let store = place.open().await;
        assert_eq!(store.model(&id).await.unwrap().head, head);
        for version in &acknowledged {
            assert!(store.lineage(version).await.is_ok(), "{version} is gone");
        }
        add(&store, &id, b"there is room again;").await;
        sound(&store).await;
    });
}
