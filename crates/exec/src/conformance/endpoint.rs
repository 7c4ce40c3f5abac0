//! The suite against an address, with what only shows on the wire: statuses, bodies that are no JSON, unknown addresses.

use super::{Finding, Subject, check, ensure, finding};
use crate::{Endpoint, EndpointConfig};
use contract::{BoxFuture, Fault};
use std::io;

/// Bytes of one answer.
const ANSWER: usize = 256 << 20;

/// Runs the whole suite against the service there.
pub fn check_endpoint<'a>(
    config: &'a EndpointConfig,
    subject: &'a Subject,
) -> BoxFuture<'a, io::Result<Vec<Finding>>> {
    // boxed, so that the suite is compiled here and not where it is awaited
    Box::pin(run(config, subject))
}

async fn run(config: &EndpointConfig, subject: &Subject) -> io::Result<Vec<Finding>> {
    let endpoint = Endpoint::new(config, ANSWER)?;
    let mut findings = vec![
        finding("the service says that it is there".into(), health(&endpoint).await),
        finding(
            "what is no request is a fault under a status that says so".into(),
            nonsense(&endpoint).await,
        ),
    ];
    if config.token.is_some() {
        let stranger = Endpoint::new(&EndpointConfig { token: None, ..config.clone() }, ANSWER)?;
        findings.push(finding("who has no token is not let in".into(), stranger_is_refused(&stranger).await));
    }
    findings.extend(check(&endpoint, subject).await);
    Ok(findings)
}

async fn health(endpoint: &Endpoint) -> Result<(), String> {
    let reply = endpoint.get("/healthz").await.map_err(|lost| lost.to_string())?;
    ensure(reply.ok(), || format!("/healthz answers {}", reply.status))
}

fn expect(reply: &crate::client::Reply, status: u16) -> Result<Fault, String> {
    let fault = reply.fault().ok_or("the answer is no fault")?;
    ensure(reply.status.as_u16() == status, || format!("expected {status}, got {}: {fault}", reply.status))?;
    ensure(fault.message.len() > 10, || "the fault says nothing".into())?;
    Ok(fault)
}

async fn nonsense(endpoint: &Endpoint) -> Result<(), String> {
    let lost = |lost: crate::client::Lost| lost.to_string();
    for body in ["", "{", "[]", "{\"operation\": 1}"] {
        expect(&endpoint.post("/query", body.into()).await.map_err(lost)?, 400)?;
    }
    expect(&endpoint.get("/no-such-address").await.map_err(lost)?, 404)?;
    expect(&endpoint.post("/destroy", "{}".into()).await.map_err(lost)?, 404).map(drop)
}

async fn stranger_is_refused(endpoint: &Endpoint) -> Result<(), String> {
    let reply = endpoint.get("/info").await.map_err(|lost| lost.to_string())?;
    expect(&reply, 401).map(drop)
}
