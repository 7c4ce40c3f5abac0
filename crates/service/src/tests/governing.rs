//! Who may do what, as callers meet it: models of others, keys, gates and those who decide, limits.

use super::*;
use contract::{Action, ApprovalStatus, FaultCode, Narrowing, OperationId, Secret};
use governance::{KeyRecord, Policy};
use store::{ByCall, KeyRow};

pub(super) const POLICY: &str = r#"
[[roles.tower.grants]]
actions = ["query", "create", "modify", "delete", "export"]
models = ["Tower*"]

[[roles.house.grants]]
actions = ["query", "create", "modify", "delete", "export"]
models = ["House*"]

[[roles.house-approver.grants]]
actions = ["query", "approve"]
models = ["House*"]

[[roles.tower-and-a-look.grants]]
actions = ["query", "create", "modify", "delete", "export"]
models = ["Tower*"]
[[roles.tower-and-a-look.grants]]
actions = ["query"]
models = ["House*"]

[roles.slow]
includes = ["house"]
limits = { calls-per-minute = 2 }

[[gates]]
name = "care"
tools = ["set_line"]
approvers = ["house-approver", "admin"]
"#;

fn policy() -> Policy {
    governance::parse(POLICY, |class, ancestor| class == ancestor).unwrap()
}

/// A world under the policy, and what makes callers of it.
pub(super) struct Office {
    pub(super) world: World,
}

impl Office {
    pub(super) async fn open() -> Self {
        Self::under(policy()).await
    }

    pub(super) async fn under(policy: Policy) -> Self {
        let config = ServiceConfig { policy: Arc::new(policy), ..ServiceConfig::default() };
        let mut world = world().await;
        world.service = governed(&world, config);
        Self { world }
    }

    /// Somebody with a key.
    pub(super) async fn key(
        &self,
        name: &str,
        role: &str,
        within: Option<Narrowing>,
    ) -> (String, CallContext) {
        let (record, key) = governance::new_key(KeyRecord {
            id: String::new(),
            hash: String::new(),
            principal: name.into(),
            roles: vec![role.into()],
            within,
            made_by: "test".into(),
            created_ms: 1,
            expires_ms: None,
            revoked_ms: None,
        })
        .unwrap();
        self.put(&record).await;
        (record.id, with_key(key))
    }

    pub(super) async fn put(&self, record: &KeyRecord) {
        let row = KeyRow {
            id: record.id.clone(),
            principal: record.principal.clone(),
            created_ms: record.created_ms,
            record: serde_json::to_value(record).unwrap(),
        };
        self.world.store.put_key(row).await.unwrap();
    }

    pub(super) async fn call(&self, who: &CallContext, tool: &str, arguments: Value) -> Result<Value, Fault> {
        let answer = self.world.service.call(who, tool, arguments).await?;
        Ok(serde_json::to_value(answer).unwrap())
    }

    pub(super) async fn decide(
        &self,
        who: &CallContext,
        id: &str,
        approve: bool,
    ) -> Result<(contract::ApprovalRecord, Option<contract::Committed>), Fault> {
        let id = id.to_owned();
        self.world
            .service
            .perform(who, "decide_approval", Action::Approve, json!({}), move |platform| {
                Box::pin(async move { platform.decide_approval(&id, approve, Some("so be it")).await })
            })
            .await
    }

    /// A house, its author and its approver, and a change that waits.
    pub(super) async fn waiting(&self) -> (CallContext, CallContext, String) {
        let (_, author) = self.key("ada", "house", None).await;
        let (_, approver) = self.key("ben", "house-approver", None).await;
        self.call(&author, "create_project", json!({ "name": "House" })).await.unwrap();
        let fault = self.set(&author, "height=4").await.unwrap_err();
        assert_eq!(fault.code, FaultCode::ApprovalRequired, "{fault}");
        (author, approver, fault.data["approval_id"].as_str().unwrap().to_owned())
    }

    pub(super) async fn set(&self, who: &CallContext, text: &str) -> Result<Value, Fault> {
        self.call(who, "set_line", json!({ "text": text, "model_id": "House" })).await
    }

    pub(super) async fn lines(&self, who: &CallContext) -> Vec<String> {
        words(&self.call(who, "lines", json!({ "model_id": "House" })).await.unwrap()["lines"])
    }
}

pub(super) fn governed(world: &World, config: ServiceConfig) -> Service {
    let authenticators: Vec<Box<dyn crate::Authenticator>> =
        vec![Box::new(crate::LocalUser), Box::new(crate::KeyHolders::new(world.store.clone()))];
    Service::with_authenticators(
        world.store.clone(),
        world.executor.clone(),
        catalogue(),
        config,
        authenticators,
    )
}

fn with_key(key: Secret) -> CallContext {
    CallContext { credentials: Credentials::Key { key, local: false }, ..CallContext::default() }
}

#[tokio::test]
async fn a_model_of_others_is_not_there() {
    let office = Office::open().await;
    let (_, ada) = office.key("ada", "house", None).await;
    let (_, tom) = office.key("tom", "tower", None).await;
    let made = office.call(&ada, "create_project", json!({ "name": "House" })).await.unwrap();
    let (id, version) = (made["model_id"].as_str().unwrap(), made["model_version"].as_str().unwrap());
    for named in [id, "House"] {
        for (tool, more) in [("lines", json!({})), ("add_line", json!({ "text": "x" })), ("undo", json!({}))]
        {
            let mut arguments = more;
            arguments["model_id"] = named.into();
            let theirs = office.call(&tom, tool, arguments.clone()).await.unwrap_err();
            arguments["model_id"] = "nothing-like-it".into();
            let nowhere = office.call(&tom, tool, arguments).await.unwrap_err();
            assert_eq!(
                (theirs.code, theirs.data.len()),
                (FaultCode::ModelNotFound, nowhere.data.len()),
                "{tool}"
            );
        }
        let select = office.call(&tom, "select", json!({ "id": named })).await.unwrap_err();
        assert_eq!(select.code, FaultCode::ModelNotFound);
    }
    // what was made of it for others is not given out by its name either
    let tile = json!({ "model_id": id, "model_version": version });
    let done =
        office.world.service.perform(&tom, "tile", Action::Query, tile, |_| Box::pin(async { Ok(()) }));
    assert_eq!(done.await.unwrap_err().code, FaultCode::ModelNotFound);
    let listed = office
        .world
        .service
        .perform(&tom, "list_models", Action::Query, json!({}), |platform| {
            Box::pin(async move { platform.models(50, None).await })
        })
        .await
        .unwrap();
    assert!(listed.items.is_empty());
    let same = office.call(&tom, "create_project", json!({ "name": "House" })).await.unwrap_err();
    assert_eq!(same.code, FaultCode::PermissionDenied, "a name is the scope of a model that is new");
    assert!(office.call(&tom, "create_project", json!({ "name": "Tower" })).await.is_ok());
}

#[tokio::test]
async fn two_models_of_one_name_are_no_ambiguity_to_those_who_see_one() {
    let office = Office::open().await;
    let (_, everybody) = office.key("root", "admin", None).await;
    let first = office.call(&everybody, "create_project", json!({ "name": "House" })).await.unwrap();
    office.call(&everybody, "create_project", json!({ "name": "House" })).await.unwrap();
    assert_eq!(office.set(&everybody, "a").await.unwrap_err().code, FaultCode::InvalidParams);
    let models = vec![first["model_id"].as_str().unwrap().to_owned()];
    let (_, narrow) = office.key("root", "admin", Some(Narrowing { models, actions: vec![] })).await;
    assert!(office.call(&narrow, "lines", json!({ "model_id": "House" })).await.is_ok());
}

#[tokio::test]
async fn a_key_ends_at_once_when_it_is_taken_back_and_never_does_more_than_it_was_made_for() {
    let office = Office::open().await;
    let actions = vec![contract::Action::Query];
    let (id, reader) = office.key("ada", "admin", Some(Narrowing { models: vec![], actions })).await;
    assert!(
        office.call(&reader, "select", json!({ "id": "x" })).await.unwrap_err().code
            == FaultCode::ModelNotFound
    );
    let made = office.call(&reader, "create_project", json!({ "name": "House" })).await.unwrap_err();
    assert_eq!(made.code, FaultCode::PermissionDenied);
    let row = office.world.store.key(&id).await.unwrap().unwrap();
    let record: KeyRecord = serde_json::from_value(row.record).unwrap();
    office.put(&KeyRecord { revoked_ms: Some(1), ..record.clone() }).await;
    let fault = office.call(&reader, "select", json!({ "id": "x" })).await.unwrap_err();
    assert!(fault.code == FaultCode::Unauthenticated && fault.message.contains("revoked"), "{fault}");
    office.put(&KeyRecord { expires_ms: Some(1), ..record }).await;
    let fault = office.call(&reader, "select", json!({ "id": "x" })).await.unwrap_err();
    assert!(fault.message.contains("expired"), "{fault}");
    for wrong in [format!("psk_{id}_wrong"), "psk_000000000000_wrong".into(), "wrong".into(), String::new()] {
        let fault = office.call(&with_key(Secret::new(wrong)), "lines", json!({})).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::Unauthenticated);
        assert!(!fault.message.contains("expired"), "who has no secret is told nothing of the key");
    }
}

#[tokio::test]
async fn a_gated_change_waits_unseen_and_a_yes_commits_just_that() {
    let office = Office::open().await;
    let (author, approver, id) = office.waiting().await;
    assert!(office.lines(&author).await.iter().all(|line| !line.starts_with("height")));
    let again = office.set(&author, "height=4").await.unwrap_err();
    assert_eq!(again.data["approval_id"], id, "the same call asks once");

    let own = office.decide(&author, &id, true).await.unwrap_err();
    assert_eq!(own.code, FaultCode::PermissionDenied);
    let (record, committed) = office.decide(&approver, &id, true).await.unwrap();
    assert_eq!((record.status, record.decided_by.as_deref()), (ApprovalStatus::Approved, Some("ben")));
    assert_eq!(record.comment.as_deref(), Some("so be it"));
    let version = committed.unwrap().version;
    let kept = office.world.store.version(&record.model_id, version.as_str()).await.unwrap();
    assert_eq!((kept.author.as_str(), kept.tool.as_str()), ("ada", "set_line"));
    assert!(office.lines(&author).await.contains(&"height=4".to_owned()));
    for approve in [true, false] {
        let second = office.decide(&approver, &id, approve).await.unwrap_err();
        assert_eq!(second.code, FaultCode::Conflict, "a second decision is refused");
    }
    let log = office.world.store.audit_page(None, 20, None).await.unwrap().items;
    let outcomes: Vec<_> = log.iter().filter(|e| e.tool == "decide_approval").map(|e| &e.outcome).collect();
    assert!(outcomes.contains(&&json!("approved")), "{outcomes:?}");
    assert!(log.iter().any(|e| e.tool == "set_line" && e.outcome["code"] == 1004));
    assert!(office.world.store.verify_audit().await.unwrap().is_ok());
}

#[tokio::test]
async fn nobody_decides_on_what_they_asked_for_whichever_key_and_role_they_take() {
    let office = Office::open().await;
    let (_, _, id) = office.waiting().await;
    let (_, same) = office.key("ada", "admin", None).await;
    let fault = office.decide(&same, &id, true).await.unwrap_err();
    assert!(fault.code == FaultCode::PermissionDenied && fault.message.contains("yourself"), "{fault}");
    let (_, viewer) = office.key("eve", "viewer", None).await;
    assert_eq!(office.decide(&viewer, &id, true).await.unwrap_err().code, FaultCode::PermissionDenied);
    let (_, stranger) = office.key("tom", "tower", None).await;
    let (_, approver) = office.key("kim", "approver", None).await;
    assert!(office.decide(&stranger, &id, true).await.is_err());
    let fault = office.decide(&approver, &id, true).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::PermissionDenied, "a role that the gate does not name");
}

#[tokio::test]
async fn of_many_who_decide_at_once_one_is_first() {
    let office = Arc::new(Office::open().await);
    let (author, approver, id) = office.waiting().await;
    let tasks: Vec<_> = (0..16)
        .map(|n| {
            let (office, approver, id) = (Arc::clone(&office), approver.clone(), id.clone());
            tokio::spawn(async move { office.decide(&approver, &id, n % 2 == 0).await })
        })
        .collect();
    let mut decided = Vec::new();
    for task in tasks {
        match task.await.unwrap() {
            Ok((record, _)) => decided.push(record.status),
            Err(fault) => assert_eq!(fault.code, FaultCode::Conflict, "{fault}"),
        }
    }
    assert_eq!(decided.len(), 1);
    let there = office.lines(&author).await.contains(&"height=4".to_owned());
    assert_eq!(there, decided[0] == ApprovalStatus::Approved);
}

#[tokio::test]
async fn a_yes_holds_on_a_head_that_moved_on_as_long_as_it_does_the_same() {
    let office = Office::open().await;
    let (author, approver, id) = office.waiting().await;
    office.call(&author, "add_line", json!({ "text": "wall", "model_id": "House" })).await.unwrap();
    office.decide(&approver, &id, true).await.unwrap();
    let lines = office.lines(&author).await;
    assert!(lines.contains(&"wall".to_owned()) && lines.contains(&"height=4".to_owned()), "{lines:?}");

    let waits = office.set(&author, "width=1").await.unwrap_err();
    let other = office.set(&author, "width=2").await.unwrap_err();
    let id_of = |fault: &Fault| fault.data["approval_id"].as_str().unwrap().to_owned();
    office.decide(&approver, &id_of(&other), true).await.unwrap();
    let fault = office.decide(&approver, &id_of(&waits), true).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Conflict);
    assert!(office.lines(&author).await.contains(&"width=2".to_owned()));
    let (record, none) = office.decide(&approver, &id_of(&waits), false).await.unwrap();
    assert_eq!((record.status, none), (ApprovalStatus::Rejected, None), "a no is still possible");
}

#[tokio::test]
async fn a_no_keeps_the_record_and_changes_nothing() {
    let office = Office::open().await;
    let (author, approver, id) = office.waiting().await;
    office.decide(&approver, &id, false).await.unwrap();
    assert!(office.lines(&author).await.iter().all(|line| !line.starts_with("height")));
    let all = office.world.store.approvals(false, 10, None).await.unwrap().items;
    assert_eq!((all.len(), all[0].status), (1, ApprovalStatus::Rejected));
    assert!(office.world.store.approvals(true, 10, None).await.unwrap().items.is_empty());
}

#[tokio::test]
async fn nobody_says_yes_after_its_time() {
    let office = Office::open().await;
    let (_, approver, id) = office.waiting().await;
    let held = office.world.store.held(&id).await.unwrap().unwrap();
    let mut late = held.clone();
    late.record.approval_id = "late".into();
    late.record.expires_ms = 1;
    late.request_sha256 = "another".into();
    let call =
        ByCall { operation_id: OperationId::new(), tool: "set_line".into(), params_sha256: String::new() };
    office.world.store.hold(late, call).await.unwrap();
    let fault = office.decide(&approver, "late", true).await.unwrap_err();
    assert!(fault.code == FaultCode::Conflict && fault.message.contains("expired"), "{fault}");
}

#[tokio::test]
async fn read_only_also_stops_what_was_approved() {
    let office = Office::open().await;
    let (_, approver, id) = office.waiting().await;
    let config = ServiceConfig {
        policy: Arc::new(Policy { read_only: true, ..policy() }),
        ..ServiceConfig::default()
    };
    let office = Office { world: World { service: governed(&office.world, config), ..office.world } };
    assert_eq!(office.decide(&approver, &id, true).await.unwrap_err().code, FaultCode::PermissionDenied);
}

#[tokio::test]
async fn who_calls_too_often_is_told_when_to_come_again() {
    let office = Office::open().await;
    let (_, slow) = office.key("sam", "slow", None).await;
    for _ in 0..2 {
        assert_eq!(
            office.call(&slow, "select", json!({ "id": "x" })).await.unwrap_err().code,
            FaultCode::ModelNotFound
        );
    }
    let fault = office.call(&slow, "select", json!({ "id": "x" })).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::LimitReached);
    assert!(fault.data["retry_after_ms"].as_u64().unwrap() > 0, "{fault:?}");
}

#[tokio::test]
async fn files_and_audit_entries_of_others_stay_theirs() {
    let office = Office::open().await;
    let (_, ada) = office.key("ada", "house", None).await;
    let (_, tom) = office.key("tom", "tower", None).await;
    let (_, root) = office.key("root", "admin", None).await;
    let mut incoming = office.world.service.incoming(&ada).await.unwrap();
    incoming.write(b"a\n").unwrap();
    let staged = incoming.finish().await.unwrap();
    let file = office.world.service.upload(&ada, "House.ifc", "application/x-step", staged).await.unwrap();
    let load = json!({ "key": file.key });
    assert_eq!(office.call(&tom, "load", load.clone()).await.unwrap_err().code, FaultCode::NotFound);
    office.call(&ada, "load", load).await.unwrap();
    let audit = |who: CallContext| {
        let service = office.world.service.clone();
        async move {
            let read = service.perform(&who, "get_audit_log", Action::Query, json!({}), |platform| {
                Box::pin(async move { platform.audit(&contract::AuditFilter::default(), 100, None).await })
            });
            read.await.unwrap().items
        }
    };
    assert!(audit(tom).await.iter().all(|entry| entry.principal == "tom"));
    assert!(audit(root).await.iter().any(|entry| entry.principal == "ada"));
}

#[tokio::test]
async fn a_read_only_store_takes_no_version_whatever_stands_above_it() {
    let folder = tempfile::tempdir().unwrap();
    let config = StoreConfig { read_only: true, ..StoreConfig::in_folder(folder.path().join("data")) };
    let store = Store::open(config).await.unwrap();
    let service = Service::new(
        store,
        Arc::new(LinesExecutor::default()),
        catalogue(),
        ServiceConfig { policy: Arc::new(Policy::open(false)), ..ServiceConfig::default() },
    );
    let made = service.call(&here(folder.path()), "create_project", json!({ "name": "House" })).await;
    assert_eq!(made.unwrap_err().code, FaultCode::PermissionDenied);
}

#[tokio::test]
async fn audit_entries_are_found_by_actor_tool_and_time() {
    let office = Office::open().await;
    let (_, ada) = office.key("ada", "house", None).await;
    let (_, root) = office.key("root", "admin", None).await;
    office.call(&ada, "create_project", json!({ "name": "House" })).await.unwrap();
    office.call(&ada, "add_line", json!({ "text": "x", "model_id": "House" })).await.unwrap();
    office.call(&root, "add_line", json!({ "text": "y", "model_id": "House" })).await.unwrap();
    let find = |filter: contract::AuditFilter| {
        let store = office.world.store.clone();
        async move { store.audit_entries(&filter, 10, None).await.unwrap().items.len() }
    };
    let plain = contract::AuditFilter::default;
    assert_eq!(find(contract::AuditFilter { principal: Some("ada".into()), ..plain() }).await, 2);
    assert_eq!(find(contract::AuditFilter { tool: Some("add_line".into()), ..plain() }).await, 2);
    let both =
        contract::AuditFilter { principal: Some("root".into()), tool: Some("add_line".into()), ..plain() };
    assert_eq!(find(both).await, 1);
    assert_eq!(find(contract::AuditFilter { until_ms: Some(1), ..plain() }).await, 0);
    assert_eq!(find(contract::AuditFilter { since_ms: Some(1), ..plain() }).await, 3);
}

#[tokio::test]
async fn branches_of_a_model_are_made_and_given_up_by_those_who_may_change_it() {
    let office = Office::open().await;
    let (_, author) = office.key("ada", "house", None).await;
    let (_, onlooker) = office.key("tim", "tower-and-a-look", None).await;
    office.call(&author, "create_project", json!({ "name": "House" })).await.unwrap();
    let branch = json!({ "model_id": "House", "name": "side" });
    let refused = office.call(&onlooker, "create_branch", branch.clone()).await.unwrap_err();
    assert_eq!(refused.code, FaultCode::PermissionDenied, "{refused}");
    office.call(&author, "create_branch", branch.clone()).await.unwrap();
    let refused = office.call(&onlooker, "delete_branch", branch.clone()).await.unwrap_err();
    assert_eq!(refused.code, FaultCode::PermissionDenied, "{refused}");
    office.call(&author, "delete_branch", branch).await.unwrap();
}
