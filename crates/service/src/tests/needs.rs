//! What tools need beside their arguments, provided.

use super::*;
use contract::FaultCode;
use std::fs;

#[tokio::test]
async fn a_further_model_is_another_model_or_another_version_of_the_calls_own() {
    let world = world().await;
    let other = world.ask("create_project", json!({ "name": "Other" })).await["model_id"].clone();
    let project = world.ask("create_project", json!({ "name": "House" })).await;
    world.ask("set_line", json!({ "text": "a=1" })).await;
    let alone = world.ask("beside", json!({})).await;
    assert_eq!((&alone["target"], &alone["scratch"]), (&Value::Null, &json!(false)), "{alone}");
    assert_eq!(alone["own"], json!(["a=1", "first"]));
    let with_other = world.ask("beside", json!({ "target_id": other })).await;
    assert_eq!(with_other["target"], json!(["first"]), "{with_other}");
    let earlier = world.ask("beside", json!({ "target_version": project["model_version"] })).await;
    assert_eq!(earlier["own"], json!(["a=1", "first"]), "{earlier}");
    assert_eq!(earlier["target"], json!(["first"]), "{earlier}");
    let none = world.call("beside", json!({ "target_id": "Barn" })).await.unwrap_err();
    assert_eq!((none.code, &none.data["field"]), (FaultCode::ModelNotFound, &json!("target_id")));
    let lost = world.call("beside", json!({ "target_version": "ffff" })).await.unwrap_err();
    assert_eq!(lost.data["field"], "target_version", "{lost:?}");
}

#[tokio::test]
async fn a_file_that_a_parameter_names_comes_under_its_role() {
    let world = world().await;
    world.ask("create_project", json!({ "name": "House" })).await;
    fs::write(world.folder.path().join("notes.txt"), "n").unwrap();
    assert_eq!(world.ask("beside", json!({})).await["files"], json!([]));
    assert_eq!(world.ask("beside", json!({ "notes": "notes.txt" })).await["files"], json!(["notes"]));
    let missing = world.call("beside", json!({ "notes": "none.txt" })).await.unwrap_err();
    assert_eq!((missing.code, &missing.data["field"]), (FaultCode::NotFound, &json!("notes")));
}

#[tokio::test]
async fn a_file_of_a_library_comes_by_its_name_from_the_operators_folder_or_the_callers_uploads() {
    let books = tempfile::tempdir().unwrap();
    fs::write(books.path().join("Our Book.md"), "b").unwrap();
    let config = ServiceConfig {
        libraries: [("books".to_owned(), books.path().to_owned())].into(),
        ..ServiceConfig::default()
    };
    let world = world_with(config).await;
    world.ask("create_project", json!({ "name": "House" })).await;
    let given = |name: &str| json!({ "book": name });
    assert_eq!(world.ask("beside", given("our-book")).await["files"], json!(["book"]));
    // a name may mean what needs no file
    assert_eq!(world.ask("beside", given("sent")).await["files"], json!([]));
    let context = here(world.folder.path());
    for (name, is_found) in [("sent.txt", false), ("sent.md", true)] {
        let mut incoming = world.service.incoming(&context).await.unwrap();
        incoming.write(b"s").unwrap();
        let staged = incoming.finish().await.unwrap();
        world.service.upload(&context, name, "text/plain", staged).await.unwrap();
        let files = if is_found { json!(["book"]) } else { json!([]) };
        assert_eq!(world.ask("beside", given("sent")).await["files"], files, "{name}");
    }
    // a path means the file that lies there
    let path = world.folder.path().join("Beside.md");
    fs::write(&path, "p").unwrap();
    assert_eq!(world.ask("beside", given(&path.display().to_string())).await["files"], json!(["book"]));
}
