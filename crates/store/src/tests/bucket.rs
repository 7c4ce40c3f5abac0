//! A server that speaks S3 (`s3s-fs`, which `cargo xtask setup` installs), for one test or all of a process.

use crate::BucketConfig;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const KEY: &str = "pensaer";
const SECRET: &str = "a secret of tests";

/// A server of its own for one test, ended with it.
pub(crate) struct Server {
    child: Child,
    address: String,
    folder: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Starts it; none where it is not installed.
    pub(crate) fn start() -> Option<Self> {
        let program = testing::bucket_server()?;
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("models")).unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new(program)
            .args(["--host", "127.0.0.1", "--port", &free.to_string()])
            .args(["--access-key", KEY, "--secret-key", SECRET])
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { child, address: format!("127.0.0.1:{free}"), folder };
        let begun = Instant::now();
        while std::net::TcpStream::connect(&server.address).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "the S3 server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    /// A bucket of its own at this server.
    pub(crate) fn config(&self, prefix: &str) -> BucketConfig {
        config(&format!("s3://models/{prefix}?endpoint=http://{}&region=us-east-1", self.address))
    }

    /// The address on which it listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The file in which the server keeps a blob.
    pub(crate) fn file(&self, prefix: &str, sha256: &str) -> PathBuf {
        let (first, rest) = sha256.split_at(2);
        self.folder.path().join("models").join(prefix).join(first).join(rest)
    }
}

/// A bucket at an address, with the key of the tests' servers.
pub(crate) fn config(address: &str) -> BucketConfig {
    BucketConfig { address: address.to_owned(), key: Some((KEY.into(), SECRET.into())), copies: 1 << 30 }
}
