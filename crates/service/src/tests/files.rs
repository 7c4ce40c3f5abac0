//! Files in and out.

use super::*;
use contract::{Action, FaultCode, Operation};
use std::fs;

#[tokio::test]
async fn a_file_is_loaded_by_a_path_as_the_caller_writes_it() {
    let world = world().await;
    fs::write(world.folder.path().join("house.ifc"), "a\nb\n").unwrap();
    let loaded = world.ask("load", json!({ "path": "house.ifc" })).await;
    assert_eq!(loaded["summary"]["lines"], 2);
    assert_eq!(
        world.store.find_model("house").await.unwrap().model_id.0,
        loaded["model_id"].as_str().unwrap()
    );
    fs::remove_file(world.folder.path().join("house.ifc")).unwrap();
    world.executor.forget();
    assert_eq!(world.lines().await, ["a", "b"], "the model does not need the file any more");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_leaves_no_trace_but_in_the_audit() {
    let world = world().await;
    fs::write(world.folder.path().join("bad.ifc"), "BROKEN\n").unwrap();
    let fault = world.call("load", json!({ "path": "bad.ifc" })).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::UnreadableFile);
    assert_eq!(fault.data["file"], "bad.ifc");
    let missing = world.call("load", json!({ "path": "none.ifc" })).await.unwrap_err();
    assert_eq!(missing.code, FaultCode::NotFound);
    let unknown = world.call("load", json!({ "path": world.folder.path() })).await.unwrap_err();
    assert_eq!(unknown.code, FaultCode::NotFound, "a folder is no file");
    assert!(world.store.models(10, None).await.unwrap().items.is_empty());
    assert_eq!(world.store.events(None, 0, 10).await.unwrap().len(), 0);
    let left = fs::read_dir(world.store.blob_folder().join("incoming")).unwrap().count();
    assert_eq!(left, 0);
    assert_eq!(world.store.audit_page(None, 10, None).await.unwrap().items.len(), 3);
}

#[tokio::test]
async fn a_file_over_the_limit_is_refused() {
    let config = ServiceConfig { import_bytes: 1000, ..ServiceConfig::default() };
    let world = world_with(config).await;
    fs::write(world.folder.path().join("big.ifc"), vec![b'x'; 1001]).unwrap();
    let fault = world.call("load", json!({ "path": "big.ifc" })).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::LimitReached);
}

#[tokio::test]
async fn callers_from_elsewhere_cannot_name_files_of_this_machine() {
    struct Remote;
    impl crate::Authenticator for Remote {
        fn authenticate<'a>(
            &'a self,
            _: &'a CallContext,
            _: &'a governance::Policy,
        ) -> BoxFuture<'a, Option<Result<contract::Principal, Fault>>> {
            let roles = vec!["author".into()];
            let eve = contract::Principal { name: "eve".into(), roles, ..contract::Principal::default() };
            Box::pin(std::future::ready(Some(Ok(eve))))
        }
    }
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let service = Service::with_authenticators(
        world.store.clone(),
        world.executor.clone(),
        catalogue(),
        ServiceConfig::default(),
        vec![Box::new(Remote)],
    );
    let context = here(world.folder.path());
    let target = world.folder.path().join("out.ifc");
    let load = service.call(&context, "load", json!({ "path": "/etc/hostname" })).await.unwrap_err();
    let arguments = json!({ "path": target, "model_id": "House" });
    let save = service.call(&context, "save", arguments).await.unwrap_err();
    assert_eq!((load.code, save.code), (FaultCode::PermissionDenied, FaultCode::PermissionDenied));
    assert!(!target.exists());
}

#[tokio::test]
async fn saving_writes_the_version_and_replaces_only_when_asked() {
    let world = world().await;
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    world.ask("add_line", json!({ "text": "wall" })).await;
    let target = world.folder.path().join("out.ifc");
    world.ask("save", json!({ "path": "out.ifc", "model_version": made["model_version"] })).await;
    assert_eq!(fs::read_to_string(&target).unwrap(), "first\n");
    let fault = world.call("save", json!({ "path": "out.ifc" })).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::ConstraintViolation);
    assert_eq!(fs::read_to_string(&target).unwrap(), "first\n");
    let preview = world.ask("save", json!({ "path": "out.ifc", "overwrite": true, "dry_run": true })).await;
    assert_eq!(preview["status"], "preview");
    assert_eq!(fs::read_to_string(&target).unwrap(), "first\n");
    world.ask("save", json!({ "path": "out.ifc", "overwrite": true })).await;
    assert_eq!(
        words(&fs::read_to_string(&target).unwrap().lines().collect::<Vec<_>>().into()),
        ["first", "wall"]
    );
    for bad in ["no/such/folder.ifc", ".", ""] {
        assert!(world.call("save", json!({ "path": bad, "overwrite": true })).await.is_err(), "{bad}");
    }
}

#[tokio::test]
async fn an_archive_is_kept_as_what_is_in_it_and_made_where_the_name_says_so() {
    let world = world().await;
    fs::write(world.folder.path().join("house.ifczip"), "PK\x03\x04a\nb\n").unwrap();
    let loaded = world.ask("load", json!({ "path": "house.ifczip" })).await;
    assert_eq!(loaded["summary"]["lines"], 2);
    world.executor.forget();
    assert_eq!(world.lines().await, ["a", "b"]);
    for (name, content) in [("out.ifc", "a\nb\n"), ("out.IFCZIP", "PK\x03\x04a\nb\n")] {
        world.ask("save", json!({ "path": name })).await;
        assert_eq!(fs::read_to_string(world.folder.path().join(name)).unwrap(), content);
        assert!(world.call("save", json!({ "path": name })).await.is_err(), "it is there already");
    }
}

#[tokio::test]
async fn an_upload_is_loaded_by_its_key() {
    let world = world().await;
    let context = here(world.folder.path());
    let mut incoming = world.service.incoming(&context).await.unwrap();
    incoming.write(b"a\nb\n").unwrap();
    let staged = incoming.finish().await.unwrap();
    let record = world.service.upload(&context, "up.ifc", "application/x-step", staged).await.unwrap();
    let loaded = world.ask("load", json!({ "key": record.key })).await;
    assert_eq!(loaded["summary"]["lines"], 2);
    for name in ["", "..", "a/b.ifc", "a\\b.ifc"] {
        let mut incoming = world.service.incoming(&context).await.unwrap();
        incoming.write(b"a").unwrap();
        let staged = incoming.finish().await.unwrap();
        assert!(world.service.upload(&context, name, "text/plain", staged).await.is_err(), "{name}");
    }
}

#[tokio::test]
async fn files_that_an_operation_makes_are_kept_and_linked_unless_they_lie_elsewhere() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let answer = world.ask("report", json!({})).await;
    assert_eq!(answer["links"][0]["title"], "report.txt");
    let fault = world.call("escape", json!({})).await.unwrap_err();
    assert_eq!(fault.code, FaultCode::BackendFailed);
    assert_eq!(fs::read_dir(world.store.scratch_folder()).unwrap().count(), 0, "scratch is tidied");
}

#[tokio::test]
async fn what_is_derived_from_a_version_is_made_once() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let context = here(world.folder.path());
    let operation = |name: &str| Operation { effect: Effect::Query, name: name.into(), params: json!({}) };
    let before = world.executor.runs.load(std::sync::atomic::Ordering::SeqCst);
    for _ in 0..3 {
        let report = operation("report");
        let file = world
            .service
            .perform(&context, "tile", Action::Query, json!({ "model_id": "House" }), |platform| {
                Box::pin(async move { platform.derived_file("tile/1", report).await })
            })
            .await
            .unwrap();
        assert_eq!(fs::read_to_string(file.path).unwrap(), "first");
    }
    let value = world
        .service
        .perform(&context, "tileset", Action::Query, json!({ "model_id": "House" }), |platform| {
            let lines = operation("lines");
            Box::pin(async move { platform.derived_value("tileset/1", lines).await })
        })
        .await
        .unwrap();
    assert_eq!(value["lines"], json!(["first"]));
    let runs = world.executor.runs.load(std::sync::atomic::Ordering::SeqCst);
    for _ in 0..2 {
        let report = operation("report");
        let derived = world
            .service
            .perform(&context, "tile", Action::Export, json!({ "model_id": "House" }), |platform| {
                Box::pin(async move { platform.derived(report, &[]).await })
            })
            .await
            .unwrap();
        assert_eq!(fs::read_to_string(derived.file.path).unwrap(), "first");
        assert!(derived.further.is_empty());
    }
    assert_eq!(world.executor.runs.load(std::sync::atomic::Ordering::SeqCst) - runs, 1, "once");
    assert!(world.executor.runs.load(std::sync::atomic::Ordering::SeqCst) - before <= 3);
}
