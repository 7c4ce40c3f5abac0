//! The loop of a commit: made again where the head moved, bounded, answered once for one key.

use super::*;
use crate::arguments::Common;
use crate::branches::RefPosition;
use crate::call::{Call, Opening};
use crate::commit::{Authority, CommitResult, Draft, Proposal};
use crate::run::Subject;
use contract::{Action, EventType, FaultCode, ModelRecord, Operation, VersionId};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use store::Content;

/// A call of `add_line` with a model to add to.
struct Adding {
    world: World,
    call: Call,
    model: ModelRecord,
    position: RefPosition,
    attempts: AtomicUsize,
}

impl Adding {
    async fn with(common: Common) -> Self {
        let world = world().await;
        Box::pin(world.ask("create_project", json!({ "name": "House" }))).await;
        let context = here(world.folder.path());
        let arguments = json!({ "text": "ours" });
        let principal = world.service.principal(&context).await.unwrap();
        let opening = Opening {
            tool: "add_line",
            effect: Effect::Create,
            action: Action::Create,
            entry: world.service.catalogue().get("add_line"),
            arguments: &arguments,
            started: Instant::now(),
        };
        let mut call = Call::new(world.service.inner(), &context, principal, opening);
        call.is_not_audited();
        call.take(&context, common, &arguments);
        let model = world.store.find_model("House").await.unwrap();
        let position = call.position(&model.model_id).await.unwrap();
        Self { world, call, model, position, attempts: AtomicUsize::new(0) }
    }

    /// Commits a line, while another gateway makes these calls in the first attempts.
    async fn commit(&self, meanwhile: &[Value]) -> Result<CommitResult<VersionId>, Fault> {
        self.call
            .commit_on_head(&self.position, &Authority::Call, |head| async move {
                let attempt = self.attempts.fetch_add(1, Ordering::SeqCst);
                if let Some(arguments) = meanwhile.get(attempt) {
                    let context = here(self.world.folder.path());
                    self.world.another_gateway().call(&context, "add_line", arguments.clone()).await?;
                }
                let params = json!({ "text": "ours" });
                let operation = Operation { effect: Effect::Create, name: "add_line".into(), params };
                let subject = Subject { role: "model", model: &self.model, version: &head };
                let artifact = self.call.run(operation, &[subject], None).await?;
                let delta = self.call.only_delta(&artifact, None).await?.unwrap();
                let (content, event) = (Content::Delta(delta), EventType::ModelChanged);
                let draft = Draft::on_head(&self.position, head.clone(), content, event, &artifact);
                Ok(Proposal::Change(Box::new(draft), Some((artifact.result, Vec::new())), head))
            })
            .await
    }

    fn attempts(&self) -> usize {
        self.attempts.load(Ordering::SeqCst)
    }
}

#[tokio::test]
async fn a_head_that_moved_meanwhile_is_built_upon() {
    let adding = Adding::with(Common::default()).await;
    let theirs: Vec<Value> = (0..3).map(|n| json!({ "text": format!("theirs{n}") })).collect();
    let Ok(CommitResult::Committed(committed, answer, head)) = adding.commit(&theirs).await else {
        panic!("not committed");
    };
    assert_eq!(adding.attempts(), 4);
    assert_eq!(committed.parent.as_ref(), Some(&head), "it follows what the others did");
    assert_eq!(answer.model_version.as_ref(), Some(&committed.version));
    assert_eq!(adding.world.lines().await, ["first", "ours", "theirs0", "theirs1", "theirs2"]);
    assert_eq!(adding.world.store.check(true).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_head_that_never_rests_is_given_up_after_so_many_attempts() {
    let adding = Adding::with(Common::default()).await;
    let theirs: Vec<Value> = (0..40).map(|n| json!({ "text": format!("theirs{n}") })).collect();
    let fault = adding.commit(&theirs).await.err().unwrap();
    assert_eq!((fault.code, adding.attempts()), (FaultCode::Busy, 32));
    let lines = adding.world.lines().await;
    assert_eq!(lines.len(), 33);
    assert!(!lines.contains(&"ours".to_owned()));
}

#[tokio::test]
async fn a_key_that_was_used_meanwhile_gives_that_answer_and_commits_nothing_more() {
    let common = Common { idempotency_key: Some("k".into()), ..Common::default() };
    let adding = Adding::with(common).await;
    let theirs = [json!({ "text": "ours", "idempotency_key": "k" })];
    let Ok(CommitResult::Replayed(answer)) = adding.commit(&theirs).await else { panic!("not replayed") };
    let head = adding.world.store.find_model("House").await.unwrap().head;
    assert_eq!(answer.model_version, Some(head));
    assert_eq!(adding.world.lines().await, ["first", "ours"]);
}

#[tokio::test]
async fn a_pin_that_is_not_the_head_is_refused_before_anything_runs() {
    let mut adding = Adding::with(Common::default()).await;
    adding.position.pinned = Some(adding.model.head.clone());
    adding.world.ask("add_line", json!({ "text": "theirs" })).await;
    let fault = adding.commit(&[]).await.err().unwrap();
    assert_eq!((fault.code, adding.attempts()), (FaultCode::Conflict, 0));
}

#[tokio::test]
async fn a_dry_run_makes_the_draft_once_and_commits_nothing() {
    let adding = Adding::with(Common { dry_run: true, ..Common::default() }).await;
    let theirs = [json!({ "text": "theirs" })];
    let Ok(CommitResult::Preview(committed, _)) = adding.commit(&theirs).await else {
        panic!("not previewed")
    };
    assert_eq!(adding.attempts(), 1);
    assert_eq!(committed.changes.unwrap().added["Line"], 1);
    assert_eq!(adding.world.lines().await, ["first", "theirs"]);
}
