//! A server behind a proxy that ends TLS (nginx), as it is reached from a network: with and without the headers that say for whom it asks.

use super::office::Office;
use crate::place::wait_until;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const NAME: &str = "bim.example.org";

/// The proxy, ended with the test.
struct Proxy {
    child: Child,
    /// The port that says for whom it asks, and the one that does not.
    ports: [u16; 2],
    folder: tempfile::TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Proxy {
    fn start(before: &str) -> Option<Self> {
        let (nginx, openssl) = (testing::proxy()?, testing::program("openssl")?);
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name).display().to_string();
        let made = Command::new(openssl)
            .args([
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                &format!("/CN={NAME}"),
            ])
            .args(["-addext", &format!("subjectAltName=DNS:{NAME}")])
            .args(["-keyout", &file("key.pem"), "-out", &file("cert.pem")])
            .stderr(Stdio::null())
            .status();
        assert!(made.unwrap().success());
        let ports = [free_port(), free_port()];
        let server = |port: u16, more: &str| {
            format!(
                "server {{ listen 127.0.0.1:{port} ssl; server_name {NAME};
                 ssl_certificate {cert}; ssl_certificate_key {key};
                 location / {{ proxy_pass http://{before}; proxy_http_version 1.1; proxy_set_header Connection '';
                   proxy_set_header Host {NAME}; proxy_buffering off; client_max_body_size 0; {more} }} }}\n",
                cert = file("cert.pem"),
                key = file("key.pem")
            )
        };
        let says = server(ports[0], "proxy_set_header X-Forwarded-For $remote_addr;");
        let silent = server(ports[1], "");
        let paths: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {};\n", file(kind)))
            .concat();
        let settings = format!(
            "daemon off; pid {pid}; error_log {log}; events {{ }}\nhttp {{ access_log off;\n{paths}{says}{silent} }}\n",
            pid = file("pid"),
            log = file("error.log")
        );
        fs::write(folder.path().join("nginx.conf"), settings).unwrap();
        let child = Command::new(nginx)
            .args(["-e", &file("error.log"), "-p", &file(""), "-c", &file("nginx.conf")])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let proxy = Self { child, ports, folder };
        wait_until("the proxy listens", || {
            proxy.ports.iter().all(|port| std::net::TcpStream::connect(("127.0.0.1", *port)).is_ok())
        });
        Some(proxy)
    }

    /// A request over TLS; status and body.
    fn ask(&self, port: u16, method: &str, path: &str, headers: &[&str], body: &str) -> (u16, String) {
        let mut client = Command::new("openssl")
            .args([
                "s_client",
                "-quiet",
                "-verify_return_error",
                "-servername",
                NAME,
                "-verify_hostname",
                NAME,
            ])
            .args(["-connect", &format!("127.0.0.1:{port}"), "-CAfile"])
            .arg(self.folder.path().join("cert.pem"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut text = format!("{method} {path} HTTP/1.1\r\nhost: {NAME}\r\nconnection: close\r\n");
        for line in headers {
            text.extend([line, "\r\n"]);
        }
        text.extend(["content-length: ", &body.len().to_string(), "\r\n\r\n", body]);
        // kept open until the answer has come: its end is the end of the conversation
        let mut stdin = client.stdin.take().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        std::io::Read::read_to_string(&mut client.stdout.take().unwrap(), &mut answer).unwrap();
        drop(stdin);
        let _ = client.wait();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default();
        (status.unwrap_or_else(|| panic!("no answer: {answer:?}")), body)
    }
}

fn initialize() -> String {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": crate::wire::hello()}).to_string()
}

#[test]
fn behind_a_proxy_with_tls_nobody_is_somebody_without_a_key() {
    let office = Office::keyed(&format!("hosts = ['{NAME}']\n"));
    let Some(proxy) = Proxy::start(&office.address) else { return };
    let key = office.key("ada", "house");
    let bearer = format!("authorization: Bearer {key}");
    let local = fs::read_to_string(Path::new(office.place.data()).join("local-key")).unwrap();
    let local = format!("authorization: Bearer {}", local.trim());
    let json = ["content-type: application/json", "accept: application/json, text/event-stream"];
    for port in proxy.ports {
        for (method, path) in [
            ("GET", "/api/models"),
            ("GET", "/bucket"),
            ("GET", "/api/approvals"),
            ("POST", "/bucket?name=x.ifc"),
        ] {
            assert_eq!(proxy.ask(port, method, path, &[], "").0, 401, "{method} {path} at {port}");
        }
        assert_eq!(proxy.ask(port, "POST", "/mcp", &json, &initialize()).0, 401);
        assert_eq!(proxy.ask(port, "GET", "/healthz", &[], "").0, 200);
        assert_eq!(proxy.ask(port, "GET", "/api/models", &[&bearer], "").0, 200);
        let (status, answer) =
            proxy.ask(port, "POST", "/mcp", &[&json[..], &[bearer.as_str()]].concat(), &initialize());
        assert_eq!(status, 200, "{answer}");
        // a name that the proxy passes on is no proof of anything either
        for forged in ["x-forwarded-for: 127.0.0.1", "forwarded: for=127.0.0.1", "x-real-ip: 127.0.0.1"] {
            assert_eq!(proxy.ask(port, "GET", "/api/models", &[forged], "").0, 401, "{forged}");
        }
    }
    let (status, _) = proxy.ask(proxy.ports[0], "GET", "/api/models", &[&local], "");
    assert_eq!(status, 401, "the key of this machine's user is none from elsewhere");
    let (_, log, _) = office.admin(&["audit", "export"]);
    let refused = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    assert!(refused.filter(|entry| entry["principal"] == "?").count() <= 2, "they come from one address");
}
