use super::*;
use crate::testing::{after, at_base, host, on, operation};
use crate::{Endpoint, EndpointConfig, HostConfig};
use axum::body::Body;
use axum::http::{Request as Http, StatusCode};
use contract::{Effect, FaultCode, FileOut, ModelId, Source};
use http_body_util::BodyExt;
use serde_json::json;
use std::io::Write;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

const TOKEN: &str = "a rather long secret";

/// Answers the same three lines for every link, and counts.
struct Net(std::sync::atomic::AtomicUsize);

impl Fetch for Net {
    fn fetch(&self, _: &str, limit: u64, _: Duration, out: &mut dyn Write) -> io::Result<()> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        if limit < 13 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        out.write_all(b"one\ntwo\nthree")
    }
}

struct Place {
    _folder: TempDir,
    gate: Arc<Gate>,
    net: Arc<Net>,
}

fn place_over(executor: Arc<dyn Executor>, change: impl FnOnce(&mut GateConfig)) -> Place {
    let folder = tempfile::tempdir().unwrap();
    let net = Arc::new(Net(0.into()));
    let mut config = GateConfig::in_folder(folder.path());
    config.token = Some(TOKEN.into());
    config.fetch = Some(Arc::clone(&net) as Arc<dyn Fetch>);
    config.fetch_from = vec!["https://bucket.example/".into()];
    change(&mut config);
    Place { gate: Gate::new(executor, config).unwrap(), _folder: folder, net }
}

fn place() -> Place {
    place_over(Arc::new(host(HostConfig::default()).0), |_| {})
}

fn lines(base: Source) -> Request {
    let mut request = on(at_base(Path::new("unused")), Effect::Query, "count", json!(null));
    request.models[0].base = Some(base);
    request
}

fn inline() -> Request {
    lines(Source::inline(b"one\ntwo\nthree"))
}

async fn ask(place: &Place, request: Http<Body>) -> (StatusCode, serde_json::Value) {
    let answer = place.gate.router().oneshot(request).await.unwrap();
    let status = answer.status();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

#[tokio::test]
async fn who_does_not_know_the_token_only_sees_that_somebody_is_there() {
    let place = place();
    let get = |path: &str, token: Option<&str>| {
        let mut request = Http::get(path);
        if let Some(token) = token {
            request = request.header("authorization", token);
        }
        request.body(Body::empty()).unwrap()
    };
    assert_eq!(ask(&place, get("/healthz", None)).await.0, StatusCode::OK);
    for (path, token) in [
        ("/info", None),
        ("/info", Some("Bearer a rather long secre")),
        ("/info", Some("Basic a rather long secret")),
        ("/files/1", None),
        ("/nowhere", None),
    ] {
        let (status, fault) = ask(&place, get(path, token)).await;
        assert_eq!((status, &fault["code"]), (StatusCode::UNAUTHORIZED, &json!(1015)), "{path}");
    }
    let (status, info) = ask(&place, get("/info", Some("bearer a rather long secret"))).await;
    assert_eq!((status, &info["adapters"][0]["name"]), (StatusCode::OK, &json!("lines")));
}

#[tokio::test]
async fn without_a_token_pages_of_a_browser_are_turned_away() {
    let place = place_over(Arc::new(host(HostConfig::default()).0), |config| config.token = None);
    let request = Http::get("/info").header("origin", "http://evil.example").body(Body::empty()).unwrap();
    assert_eq!(ask(&place, request).await.0, StatusCode::FORBIDDEN);
    assert_eq!(ask(&place, Http::get("/info").body(Body::empty()).unwrap()).await.0, StatusCode::OK);
}

#[tokio::test]
async fn models_come_within_the_request_or_from_allowed_links_and_never_by_path() {
    let place = place();
    assert_eq!(place.gate.run(inline()).await.unwrap().result, json!({"lines": 3}));
    for source in [Source::Path("/etc/passwd".into()), Source::Href("https://elsewhere.example/a".into())] {
        let fault = place.gate.run(lines(source)).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::PermissionDenied);
        assert_eq!(fault.data["field"], "models[0].base");
    }
    let mut with_scratch = inline();
    with_scratch.scratch = Some("/tmp".into());
    assert_eq!(place.gate.run(with_scratch).await.unwrap_err().code, FaultCode::InvalidParams);
    let mut with_delta = inline();
    with_delta.models = vec![after(Path::new("unused"), &["four"])];
    with_delta.models[0].base = Some(Source::inline(b"one\ntwo\nthree"));
    assert_eq!(place.gate.run(with_delta).await.unwrap().result, json!({"lines": 4}));
}

#[tokio::test]
async fn what_is_behind_a_link_is_fetched_once_though_its_signature_changes() {
    let place = place();
    for signature in 0..3 {
        let url = format!("https://bucket.example/house.ifc?signature={signature}");
        let mut request = lines(Source::Href(url));
        request.models[0].id = ModelId::from(format!("model-{signature}"));
        assert_eq!(place.gate.run(request).await.unwrap().result, json!({"lines": 3}));
    }
    assert_eq!(place.net.0.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[tokio::test]
async fn files_that_are_too_large_or_not_what_they_should_be_are_refused() {
    let small = place_over(Arc::new(host(HostConfig::default()).0), |config| config.fetch_bytes = 5);
    let link = || lines(Source::Href("https://bucket.example/house.ifc".into()));
    assert_eq!(small.gate.run(link()).await.unwrap_err().code, FaultCode::LimitReached);
    let crowded = place_over(Arc::new(host(HostConfig::default()).0), |config| config.kept_bytes = 5);
    assert_eq!(crowded.gate.run(inline()).await.unwrap_err().code, FaultCode::Busy);
    let place = place();
    let mut other = operation(Effect::Query, "count", json!(null));
    let file = |sha256: String| contract::FileInput {
        role: "plan".into(),
        source: Source::inline(b"plan"),
        sha256,
        media_type: "text/plain".into(),
    };
    other.files = vec![file("0".repeat(64))];
    assert_eq!(place.gate.run(other).await.unwrap_err().code, FaultCode::UnreadableFile);
}

/// Makes a file of so many bytes in the folder of each call.
struct Maker(usize);

#[async_trait]
impl Executor for Maker {
    async fn run(&self, request: Request) -> Result<Artifact, Fault> {
        let path = Path::new(request.scratch.as_deref().unwrap()).join("plan.svg");
        let bytes = vec![b'x'; self.0];
        std::fs::write(&path, &bytes).unwrap();
        let mut artifact = host(HostConfig::default()).0.run(inline_path(&path)).await?;
        artifact.files.push(FileOut {
            role: "plan".into(),
            name: "plan.svg".into(),
            source: Source::Path(path.display().to_string()),
            sha256: contract::sha256_hex(&bytes),
            size: bytes.len() as u64,
            media_type: "image/svg+xml".into(),
        });
        Ok(artifact)
    }

    async fn info(&self) -> Result<HostInfo, Fault> {
        self::host(HostConfig::default()).0.info().await
    }
}

fn inline_path(path: &Path) -> Request {
    on(at_base(path), Effect::Query, "count", json!(null))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_file_is_fetched_by_a_pool_into_the_folder_of_its_call() {
    for (size, inline) in [(100, true), (5 << 20, false)] {
        let place = place_over(Arc::new(Maker(size)), |_| {});
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let stop = CancellationToken::new();
        let gate = Arc::clone(&place.gate);
        let serving = tokio::spawn({
            let stop = stop.clone();
            async move { gate.serve(listener, stop, Duration::from_secs(1)).await }
        });
        let endpoint = EndpointConfig { url, token: Some(TOKEN.into()) };
        let here = tempfile::tempdir().unwrap();
        let base = here.path().join("base.txt");
        std::fs::write(&base, "one").unwrap();
        let mut config = crate::PoolConfig::empty();
        config.default = "lines".into();
        config.endpoints = vec![endpoint.clone()];
        let pool = crate::Pool::start(config).unwrap();
        let mut request = inline_path(&base);
        request.scratch = Some(here.path().display().to_string());
        let artifact = pool.run(request.clone()).await.unwrap();
        let source = &artifact.files[0].source;
        match source {
            Source::Inline(_) => assert!(inline),
            Source::Path(path) => {
                assert!(!inline && path.starts_with(&*here.path().to_string_lossy()));
                assert_eq!(std::fs::metadata(path).unwrap().len(), size as u64);
            }
            Source::Href(link) => panic!("{link}"),
        }
        let wrong = EndpointConfig { token: Some("another".into()), ..endpoint };
        let fault = Endpoint::new(&wrong, 1 << 20).unwrap().info().await.unwrap_err();
        assert_eq!(fault.code, FaultCode::Unauthenticated);
        drop(pool);
        stop.cancel();
        serving.await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_stops_in_the_middle_of_a_request_is_not_waited_for() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let place = place_over(Arc::new(host(HostConfig::default()).0), |config| {
        config.patience = Duration::from_millis(200);
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let gate = Arc::clone(&place.gate);
    tokio::spawn(async move { gate.serve(listener, CancellationToken::new(), Duration::ZERO).await });
    let head = format!(
        "POST /query HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: 100\r\n\r\n{{"
    );
    for (begin, expected) in [("GET /healthz HT", ""), (head.as_str(), "1016")] {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream.write_all(begin.as_bytes()).await.unwrap();
        let mut answer = String::new();
        let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_string(&mut answer)).await;
        assert!(read.is_ok() && answer.contains(expected), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_ends_lets_calls_end_and_takes_no_more() {
    let place = place();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let stop = CancellationToken::new();
    let (gate, stopped) = (Arc::clone(&place.gate), stop.clone());
    let serving = tokio::spawn(async move { gate.serve(listener, stopped, Duration::from_secs(20)).await });
    let config = EndpointConfig { url, token: Some(TOKEN.into()) };
    let endpoint = Arc::new(Endpoint::new(&config, 1 << 20).unwrap());
    let sleep = |ms: u64| operation(Effect::Query, "sleep", json!({"ms": ms}));
    let (running, request) = (Arc::clone(&endpoint), sleep(700));
    let running = tokio::spawn(async move { running.run(request).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    stop.cancel();
    tokio::time::sleep(Duration::from_millis(100)).await;
    let fault = endpoint.run(sleep(0)).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["draining"]), (FaultCode::Busy, &json!(true)));
    assert_eq!(running.await.unwrap().unwrap().result, json!({"slept": true}));
    tokio::time::timeout(Duration::from_secs(5), serving).await.unwrap().unwrap().unwrap();
}
