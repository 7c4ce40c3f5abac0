//! A PostgreSQL server of a test's own: made in a folder of its own, reached through a socket there, with fsync on, and
//! ended with the thread that started it, also when that is killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Long enough for a machine that is busy with other tests.
const START: Duration = Duration::from_secs(60);

/// A running server. It ends with this.
pub(crate) struct Cluster {
    programs: PathBuf,
    folder: PathBuf,
    user: Option<(u32, u32)>,
    server: Mutex<Option<Child>>,
    schemas: AtomicU32,
    port: AtomicU16,
}

impl Cluster {
    /// Makes and starts one. None where there is no PostgreSQL.
    pub(crate) fn start() -> Option<Self> {
        let programs = testing::postgresql()?;
        let unique = format!("pensaer-pg-{}-{:x}", std::process::id(), rand_part());
        let folder = std::env::temp_dir().join(unique);
        std::fs::create_dir(&folder).unwrap();
        // PostgreSQL refuses to run as root.
        let user = is_root().then(|| (id_of("-u"), id_of("-g")));
        if let Some((user, group)) = user {
            std::os::unix::fs::chown(&folder, Some(user), Some(group)).unwrap();
        }
        let cluster = Self {
            programs,
            folder,
            user,
            server: Mutex::new(None),
            schemas: AtomicU32::new(0),
            port: AtomicU16::new(5432),
        };
        let made = cluster
            .program("initdb")
            .args(["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "-D"])
            .arg(cluster.data())
            .output()
            .unwrap();
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        cluster.run();
        Some(cluster)
    }

    /// Starts the server over what is in its folder.
    pub(crate) fn run(&self) {
        self.run_with(&["-c", "listen_addresses="]);
    }

    fn run_with(&self, more: &[&str]) {
        let socket = format!("unix_socket_directories={}", self.folder.display());
        let log = std::fs::File::create(self.folder.join("log")).unwrap();
        let server = self
            .program("postgres")
            .arg("-D")
            .arg(self.data())
            .args(["-c", &socket, "-c", "fsync=on", "-c", "shared_buffers=32MB"])
            .args(["-c", "max_connections=200"])
            .args(more)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        *self.server.lock().unwrap() = Some(server);
        let until = Instant::now() + START;
        while self.sql("SELECT 1").is_err() {
            assert!(Instant::now() < until, "the server did not start");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Ends the server at once, as a power cut would: it has to recover when it runs again.
    pub(crate) fn kill(&self) {
        if let Some(mut server) = self.server.lock().unwrap().take() {
            let _ = Command::new("kill").arg("-QUIT").arg(server.id().to_string()).status();
            server.wait().unwrap();
        }
    }

    /// Lets no file of the server's grow beyond this; connections that are open keep to what held for them.
    pub(crate) fn limit_files(&self, bytes: Option<u64>) {
        let server = self.server.lock().unwrap().as_ref().map(Child::id).unwrap();
        let limit = bytes.map_or_else(|| "unlimited".to_owned(), |bytes| bytes.to_string());
        // the soft limit alone, so that it can be lifted by whoever set it
        let set = self
            .as_its_user()
            .arg("prlimit")
            .args(["--pid", &server.to_string(), &format!("--fsize={limit}:")])
            .output()
            .unwrap();
        assert!(set.status.success(), "prlimit: {}", String::from_utf8_lossy(&set.stderr));
    }

    /// The server's answer to statements, as text.
    pub(crate) fn sql(&self, statements: &str) -> Result<String, String> {
        let output = Command::new(self.programs.join("psql"))
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", "postgres", "-h"])
            .arg(&self.folder)
            .args(["-p", &self.port.load(Ordering::Relaxed).to_string(), "-c", statements])
            .output()
            .unwrap();
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// The address of an empty schema of its own; its name.
    pub(crate) fn schema(&self) -> (String, String) {
        let name = format!("case_{}", self.schemas.fetch_add(1, Ordering::Relaxed));
        self.sql(&format!("CREATE SCHEMA {name}")).unwrap();
        let host = self.folder.display().to_string().replace('/', "%2F");
        (format!("postgresql://postgres@{host}/postgres?options=-csearch_path%3D{name}"), name)
    }

    /// Begins to serve TLS at a port of `localhost`: the certificate, which is its own authority, and the port. None where
    /// there is nothing to make a certificate with.
    pub(crate) fn serve_tls(&self) -> Option<(PathBuf, u16)> {
        let data = self.data();
        let (certificate, key) = (data.join("server.crt"), data.join("server.key"));
        let made = Command::new(testing::program("openssl")?)
            .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
            .args([
                "-addext",
                "subjectAltName=DNS:localhost",
                "-addext",
                "basicConstraints=critical,CA:FALSE",
            ])
            .arg("-keyout")
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .output()
            .unwrap();
        assert!(made.status.success(), "openssl: {}", String::from_utf8_lossy(&made.stderr));
        std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        if let Some((user, group)) = self.user {
            for file in [&certificate, &key] {
                std::os::unix::fs::chown(file, Some(user), Some(group)).unwrap();
            }
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        self.kill();
        self.port.store(port, Ordering::Relaxed);
        self.run_with(&["-c", "ssl=on", "-c", "listen_addresses=localhost", "-c", &format!("port={port}")]);
        Some((certificate, port))
    }

    /// The folder that its socket is in.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its socket.
    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// A program of PostgreSQL's as a user it accepts, that is ended with the thread that starts it.
    fn program(&self, name: &str) -> Command {
        let mut command = self.as_its_user();
        command.args(["--pdeathsig", "QUIT"]).arg(self.programs.join(name)).current_dir("/");
        command
    }

    /// The program that begins another as the server's user.
    fn as_its_user(&self) -> Command {
        let mut command = Command::new("setpriv");
        if let Some((user, group)) = self.user {
            command.arg(format!("--reuid={user}")).arg(format!("--regid={group}")).arg("--clear-groups");
        }
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.trim_ascii() == b"0"
}

/// The user that PostgreSQL's packages made, or nobody.
fn id_of(which: &str) -> u32 {
    let output = Command::new("id").args([which, "postgres"]).output().ok();
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    said.and_then(|said| said.parse().ok()).unwrap_or(65534)
}

fn rand_part() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_nanos() as u64)
}
