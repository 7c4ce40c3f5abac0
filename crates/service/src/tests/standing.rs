//! What is done later in somebody's name: by the rights of then, on the versions of when it was asked for, told to each as it may
//! be told.

use super::governing::{Office, POLICY, governed};
use super::studies::quick;
use super::*;
use contract::{ApprovalStatus, FaultCode, JobDraft, JobState};
use governance::KeyRecord;
use std::path::PathBuf;

impl Office {
    /// Changes a key that is kept.
    async fn change_key(&self, id: &str, change: impl FnOnce(&mut KeyRecord)) {
        let row = self.world.store.key(id).await.unwrap().unwrap();
        let mut record: KeyRecord = serde_json::from_value(row.record).unwrap();
        change(&mut record);
        self.put(&record).await;
    }

    /// The Fault of a job of this caller that is submitted, and begun after `meanwhile`.
    async fn fault_after(&self, who: &CallContext, meanwhile: impl Future<Output = ()>) -> Value {
        let job = self.call(who, "study", json!({ "as_job": true, "model_id": "House" })).await.unwrap();
        meanwhile.await;
        let _work = self.world.service.do_jobs(vec![self.world.service.calls_as_jobs()], 1, quick());
        let ended = self.world.when(&job["job_id"], |job| job.state.is_over()).await;
        assert_eq!(ended.state, JobState::Failed);
        ended.result.unwrap()
    }
}

#[tokio::test]
async fn a_job_is_done_by_the_rights_that_its_caller_has_when_it_is_begun() {
    let office = Office::open().await;
    let (id, ada) = office.key("ada", "house", None).await;
    office.call(&ada, "create_project", json!({ "name": "House" })).await.unwrap();
    let fault = office.fault_after(&ada, office.change_key(&id, |key| key.revoked_ms = Some(1))).await;
    assert_eq!(
        (&fault["code"], fault["message"].as_str()),
        (&json!(FaultCode::Unauthenticated), Some("This key was revoked. Ask for a new one."))
    );
    let (id, ben) = office.key("ben", "house", None).await;
    let fault =
        office.fault_after(&ben, office.change_key(&id, |key| key.roles = vec!["tower".into()])).await;
    assert_eq!(fault["code"], json!(FaultCode::ModelNotFound), "{fault}");
    // one whose rights did not change is done
    let (_, kim) = office.key("kim", "house", None).await;
    let job = office.call(&kim, "study", json!({ "as_job": true, "model_id": "House" })).await.unwrap();
    let _work = office.world.service.do_jobs(vec![office.world.service.calls_as_jobs()], 1, quick());
    let ended = office.world.when(&job["job_id"], |job| job.state.is_over()).await;
    assert_eq!(ended.state, JobState::Done, "{:?}", ended.result);
}

#[tokio::test]
async fn a_role_that_the_policy_gives_by_name_and_takes_away_is_not_kept_by_a_job() {
    let with = |more: &str| {
        let text = format!("{POLICY}{more}");
        Arc::new(governance::parse(&text, |class, ancestor| class == ancestor).unwrap())
    };
    let named = "\n[principals.ada]\nroles = ['house']\n";
    let office = Office::under((*with(named)).clone()).await;
    let (_, ada) = office.key("ada", "tower", None).await;
    office.call(&ada, "create_project", json!({ "name": "House" })).await.unwrap();
    let job = office.call(&ada, "study", json!({ "as_job": true, "model_id": "House" })).await.unwrap();
    let later = governed(&office.world, ServiceConfig { policy: with(""), ..ServiceConfig::default() });
    let _work = later.do_jobs(vec![later.calls_as_jobs()], 1, quick());
    let ended = office.world.when(&job["job_id"], |job| job.state.is_over()).await;
    assert_eq!(ended.state, JobState::Failed, "{:?}", ended.result);
}

#[tokio::test]
async fn a_yes_commits_nothing_that_its_requester_may_not_do_any_more() {
    let office = Office::open().await;
    let (id, ada) = office.key("ada", "house", None).await;
    let (_, ben) = office.key("ben", "house-approver", None).await;
    office.call(&ada, "create_project", json!({ "name": "House" })).await.unwrap();
    let held = office.set(&ada, "height=4").await.unwrap_err();
    let approval = held.data["approval_id"].as_str().unwrap();
    office.change_key(&id, |key| key.revoked_ms = Some(1)).await;
    let fault = office.decide(&ben, approval, true).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::PermissionDenied);
    assert_eq!(
        fault.message,
        "ada may not do this any more: This key was revoked. Ask for a new one. Reject it."
    );
    office.change_key(&id, |key| (key.revoked_ms, key.roles) = (None, vec!["tower".into()])).await;
    let fault = office.decide(&ben, approval, true).await.unwrap_err();
    assert!(fault.message.starts_with("ada may not do this any more: "), "{fault}");
    assert!(office.lines(&ben).await.iter().all(|line| !line.starts_with("height")));
    office.change_key(&id, |key| key.roles = vec!["house".into()]).await;
    assert_eq!(office.decide(&ben, approval, true).await.unwrap().0.status, ApprovalStatus::Approved);
}

#[tokio::test]
async fn a_gate_that_came_meanwhile_is_not_passed_by_a_yes_at_another() {
    let office = Office::open().await;
    let (_, ben, approval) = office.waiting().await;
    let text = format!(
        "{POLICY}\n[[gates]]\nname = \"more care\"\ntools = [\"set_line\"]\napprovers = [\"house-approver\"]\n"
    );
    let policy = Arc::new(governance::parse(&text, |class, ancestor| class == ancestor).unwrap());
    let later = Office {
        world: World {
            service: governed(&office.world, ServiceConfig { policy, ..ServiceConfig::default() }),
            ..office.world
        },
    };
    let fault = later.decide(&ben, &approval, true).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["gate"]), (FaultCode::Conflict, &json!("more care")), "{fault}");
    assert_eq!(later.decide(&ben, &approval, false).await.unwrap().0.status, ApprovalStatus::Rejected);
}

#[tokio::test]
async fn the_fault_of_a_job_tells_those_elsewhere_no_paths_and_the_audit_log_neither() {
    let office = Office::open().await;
    let config =
        ServiceConfig { own_folders: vec![PathBuf::from("/srv/pensaer")], ..ServiceConfig::default() };
    let service = governed(&office.world, config);
    let (_, ada) = office.key("ada", "admin", None).await;
    let here = here(office.world.folder.path());
    let draft = JobDraft { kind: "double".into(), about: None, parameters: json!({ "n": 7 }) };
    let of = |who: CallContext, draft: JobDraft| {
        let service = service.clone();
        async move {
            let submitted = service.perform(&who, "jobs", contract::Action::Query, json!({}), |platform| {
                Box::pin(platform.submit_job(draft))
            });
            submitted.await.unwrap().job_id
        }
    };
    let (remote, local) = (of(ada.clone(), draft.clone()).await, of(here.clone(), draft).await);
    let _work = service.do_jobs(vec![Arc::new(Full)], 2, quick());
    let told = |who: CallContext, id: String| {
        let service = service.clone();
        async move {
            let job = service.perform(&who, "jobs", contract::Action::Query, json!({}), move |platform| {
                Box::pin(async move { platform.await_job(&id, std::time::Duration::from_secs(10)).await })
            });
            job.await.unwrap().result.unwrap()["message"].as_str().unwrap().to_owned()
        }
    };
    assert_eq!(told(ada.clone(), remote).await, "(on the server): no space left");
    assert_eq!(told(here.clone(), local).await, "/srv/pensaer/scratch/7: no space left");

    let failed = service.perform(&ada, "study", contract::Action::Query, json!({}), |_| {
        Box::pin(async { Err::<(), _>(Fault::backend("/srv/pensaer/scratch/8: no space left")) })
    });
    assert!(failed.await.is_err());
    let log = |who: CallContext| {
        let service = service.clone();
        async move {
            let filter =
                contract::AuditFilter { tool: Some("study".into()), ..contract::AuditFilter::default() };
            let page = service.perform(&who, "log", contract::Action::Query, json!({}), move |platform| {
                Box::pin(async move { platform.audit(&filter, 5, None).await })
            });
            page.await.unwrap().items[0].outcome["message"].as_str().unwrap().to_owned()
        }
    };
    assert_eq!(log(ada).await, "(on the server): no space left");
    assert_eq!(log(here).await, "/srv/pensaer/scratch/8: no space left", "the log itself keeps all");
}

/// Finds no room for anything.
struct Full;

impl crate::JobWorker for Full {
    fn kind(&self) -> &'static str {
        "double"
    }

    fn run<'a>(
        &'a self,
        job: &'a contract::JobRecord,
        _: &'a crate::JobWatch,
    ) -> BoxFuture<'a, Result<Value, Fault>> {
        let told = format!("/srv/pensaer/scratch/{}: no space left", job.parameters["n"]);
        Box::pin(std::future::ready(Err(Fault::backend(told))))
    }
}

#[tokio::test]
async fn a_queue_is_not_filled_by_one() {
    let office = Office::open().await;
    let (_, ada) = office.key("ada", "house", None).await;
    let (_, kim) = office.key("kim", "house", None).await;
    office.call(&ada, "create_project", json!({ "name": "House" })).await.unwrap();
    let office = &office;
    let ask = |who: &CallContext| {
        let who = who.clone();
        let asked = json!({ "as_job": true, "model_id": "House" });
        async move { office.call(&who, "study", asked).await }
    };
    for _ in 0..64 {
        ask(&ada).await.unwrap();
    }
    let fault = ask(&ada).await.unwrap_err();
    assert_eq!((fault.code, &fault.data["limit"]), (FaultCode::Busy, &json!("queued jobs")));
    ask(&kim).await.unwrap();
}

#[tokio::test]
async fn another_model_is_read_by_a_job_as_it_was_and_hides_the_job_from_those_who_do_not_see_it() {
    let office = Office::open().await;
    let (_, tom) = office.key("tom", "tower-and-a-look", None).await;
    let (_, ada) = office.key("ada", "house", None).await;
    let (_, eve) = office.key("eve", "tower", None).await;
    office.call(&ada, "create_project", json!({ "name": "House" })).await.unwrap();
    office.call(&tom, "create_project", json!({ "name": "Tower" })).await.unwrap();
    let asked = json!({ "as_job": true, "model_id": "Tower", "other_id": "House" });
    let job = office.call(&tom, "study", asked).await.unwrap();
    office.call(&ada, "add_line", json!({ "text": "later", "model_id": "House" })).await.unwrap();
    let _work = office.world.service.do_jobs(vec![office.world.service.calls_as_jobs()], 1, quick());
    let ended = office.world.when(&job["job_id"], |job| job.state.is_over()).await;
    assert_eq!(ended.result.unwrap()["seen"], json!([1, 1]), "the other one as it was");
    let sees = |who: &CallContext| {
        let (service, who) = (office.world.service.clone(), who.clone());
        let id = job["job_id"].as_str().unwrap().to_owned();
        async move {
            let job = service.perform(&who, "jobs", contract::Action::Query, json!({}), move |platform| {
                Box::pin(async move { platform.job(&id).await })
            });
            job.await.is_ok()
        }
    };
    assert!(sees(&tom).await);
    assert!(!sees(&eve).await, "she sees the one and not the other");
}

#[tokio::test]
async fn links_in_the_answer_of_a_job_let_its_local_caller_in() {
    let key = Some(contract::Secret::new("the key of this machine"));
    let world = world_with(ServiceConfig { local_key: key, ..ServiceConfig::default() }).await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let direct = world.ask("study", json!({})).await;
    let job = world.ask("study", json!({ "as_job": true, "wait": false })).await;
    let _work = world.service.do_jobs(vec![world.service.calls_as_jobs()], 1, quick());
    let kept = world.when(&job["job_id"], |job| job.state.is_over()).await;
    let href = |result: &Value| result["links"][0]["href"].as_str().unwrap().to_owned();
    assert!(!href(kept.result.as_ref().unwrap()).contains("access="), "what is kept lets nobody in");
    let id = kept.job_id;
    let who = here(world.folder.path());
    let told = world.service.perform(&who, "jobs", contract::Action::Query, json!({}), move |platform| {
        Box::pin(async move { platform.job(&id).await })
    });
    let told = told.await.unwrap().result.unwrap();
    assert!(href(&told).contains("access=") && href(&direct).contains("access="), "{told}");
}
