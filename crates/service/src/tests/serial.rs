//! What many clients did at once, at two gateways, is what they would have done one after another.

use super::*;
use contract::ModelId;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// A step of a client: sets a line of a few, or adds one.
#[derive(Debug, Clone)]
enum Step {
    Set(u8, u8),
    Add(u8),
}

impl Step {
    fn call(&self) -> (&'static str, String) {
        match self {
            Self::Set(key, value) => ("set_line", format!("k{key}={value}")),
            Self::Add(name) => ("add_line", format!("n{name}")),
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let step = prop_oneof![
        (0_u8..3, any::<u8>()).prop_map(|(key, value)| Step::Set(key, value)),
        any::<u8>().prop_map(Step::Add),
    ];
    prop::collection::vec(prop::collection::vec(step, 1..6), 2..6)
}

/// The lines after these calls, one after another.
fn one_after_another(calls: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines = vec!["first".to_owned()];
    for text in calls {
        if let Some((key, _)) = text.split_once('=') {
            lines.retain(|line| line.split('=').next() != Some(key));
        }
        lines.push(text);
    }
    lines.sort();
    lines
}

async fn run(clients: Vec<Vec<Step>>) {
    let world = world().await;
    let made = world.ask("create_project", json!({ "name": "House" })).await;
    let id = ModelId(made["model_id"].as_str().unwrap().into());
    let gateways = [world.service.clone(), world.another_gateway()];
    let count: usize = clients.iter().map(Vec::len).sum();
    let working: Vec<_> = clients
        .into_iter()
        .enumerate()
        .map(|(n, steps)| {
            let (service, context, id) = (gateways[n % 2].clone(), here(world.folder.path()), id.clone());
            tokio::spawn(async move {
                let mut done = Vec::new();
                for step in steps {
                    let (tool, text) = step.call();
                    let arguments = json!({ "text": text, "model_id": id, "reasoning": text });
                    let answer = service.call(&context, tool, arguments).await.unwrap();
                    let version = answer.model_version.unwrap();
                    // a call that changes nothing answers with the version that it found so
                    done.push((version, answer.status.unwrap() != "unchanged"));
                }
                done
            })
        })
        .collect();
    let mut order: Vec<Vec<(contract::VersionId, bool)>> = Vec::new();
    for client in working {
        order.push(client.await.unwrap());
    }
    let mut history = world.store.versions(&id, 200, None).await.unwrap().items;
    history.reverse();
    let changed: usize = order.iter().flatten().filter(|(_, changed)| *changed).count();
    assert_eq!(history.len(), changed + 1, "every change of {count} calls is one version");
    // in the order of the versions, the same calls come to the same lines
    let calls = history.iter().skip(1).map(|version| version.reasoning.clone().unwrap());
    assert_eq!(world.lines().await, one_after_another(calls));
    // and each client's calls are in its own order
    let place = |wanted: &contract::VersionId| history.iter().position(|v| v.version == *wanted).unwrap();
    for own in order {
        assert!(own.windows(2).all(|two| place(&two[0].0) <= place(&two[1].0)));
    }
    assert_eq!(world.store.replay().await.unwrap(), world.store.projection().await.unwrap());
}

#[test]
fn concurrent_histories_equal_a_serial_order() {
    let mut runner = TestRunner::new(Config { cases: 24, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&steps(), |clients| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(3).enable_all().build();
        runtime.unwrap().block_on(run(clients));
        Ok(())
    });
    outcome.unwrap();
}
