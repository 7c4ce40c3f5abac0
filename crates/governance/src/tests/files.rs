//! Policies as people write them, and what they are told when they write them wrong.

use super::is_a;
use crate::{Asked, Decision, ModelTarget, Policy, Touched, decide, parse};
use contract::{Action, Principal};
use std::collections::BTreeMap;

const OFFICE: &str = r#"
[local]
roles = ["viewer"]

[roles.services-author]
includes = ["viewer"]
[[roles.services-author.grants]]
actions = ["create", "modify"]
models = ["Tower*"]
storeys = ["Level 1", "Level 2"]
disciplines = ["services"]
[roles.services-author.limits]
calls-per-minute = 30

[disciplines]
services = ["IfcDistributionElement"]

[principals.agent-7]
roles = ["services-author"]
person = "anna"

[[gates]]
name = "many"
elements = 10
except = ["admin"]

[limits]
concurrent-calls = 4
"#;

fn office() -> Policy {
    parse(OFFICE, is_a).unwrap()
}

fn touched(added: &[(&str, u64)], storeys: &[&str]) -> Touched {
    Touched {
        added: added.iter().map(|(class, count)| ((*class).to_owned(), *count)).collect::<BTreeMap<_, _>>(),
        storeys: storeys.iter().map(|name| (*name).to_owned()).collect(),
        instances: 9,
        ..Touched::default()
    }
}

fn ask(policy: &Policy, role: &str, model: &str, touched: Option<&Touched>) -> Decision {
    let principal = Principal { name: "ada".into(), roles: vec![role.into()], ..Principal::default() };
    let asked = Asked {
        tool: "create_pipe",
        action: Action::Create,
        model: Some(ModelTarget { id: None, name: model }),
        touched,
    };
    decide(policy, &principal, &asked, is_a)
}

#[test]
fn a_grant_holds_on_its_models_storeys_and_classes_with_what_descends_from_them() {
    let policy = office();
    let try_it = |model: &str, class: &str, storeys: &[&str]| {
        ask(&policy, "services-author", model, Some(&touched(&[(class, 1)], storeys))).is_allowed()
    };
    assert!(try_it("Tower A", "IfcPipeSegment", &["Level 1"]));
    assert!(!try_it("House", "IfcPipeSegment", &["Level 1"]));
    assert!(!try_it("Tower A", "IfcWall", &["Level 1"]));
    assert!(!try_it("Tower A", "IfcPipeSegment", &["Level 3"]));
    assert!(!try_it("Tower A", "IfcPipeSegment", &["Level 1", "Roof"]));
    assert!(!try_it("Tower A", "IfcPipeSegment", &[]), "what is on no storey is on none of theirs");
}

#[test]
fn a_call_may_begin_where_some_grant_might_hold_and_a_refusal_says_what_lacks() {
    let policy = office();
    assert!(ask(&policy, "services-author", "Tower A", None).is_allowed());
    let Decision::Deny { why, .. } = ask(&policy, "viewer", "Tower A", None) else {
        panic!("a viewer creates")
    };
    assert!(why.contains("create") && why.contains("viewer") && why.contains("services-author"), "{why}");
    let wall = touched(&[("IfcWall", 1)], &["Level 1"]);
    let Decision::Deny { why, .. } = ask(&policy, "services-author", "Tower A", Some(&wall)) else {
        panic!("a wall is no pipe")
    };
    assert!(why.contains("IfcWall"), "{why}");
}

#[test]
fn a_gate_asks_and_is_not_in_the_way_of_those_it_excepts() {
    let policy = office();
    let many = touched(&[("IfcPipeSegment", 10)], &["Level 1"]);
    let Decision::Ask { gates } = ask(&policy, "services-author", "Tower A", Some(&many)) else {
        panic!("ten were let through")
    };
    assert_eq!(gates.len(), 1);
    assert_eq!(gates[0].gate, "many");
    assert!(gates[0].reason.contains("10 elements"), "{gates:?}");
    assert!(ask(&policy, "admin", "Tower A", Some(&many)).is_allowed());
}

#[test]
fn an_explanation_names_the_line_of_the_grant() {
    let policy = office();
    let pipe = touched(&[("IfcPipeSegment", 1)], &["Level 1"]);
    let Decision::Allow { by } = ask(&policy, "services-author", "Tower A", Some(&pipe)) else { panic!() };
    assert!(by[0].contains("line 7"), "{by:?}");
}

#[test]
fn limits_of_a_role_stand_before_those_of_all() {
    let policy = office();
    let principal =
        Principal { name: "a".into(), roles: vec!["services-author".into()], ..Principal::default() };
    let limits = policy.limits_of(&principal);
    assert_eq!((limits.calls_per_minute, limits.concurrent_calls), (Some(30), Some(4)));
    assert_eq!(policy.principals["agent-7"].person.as_deref(), Some("anna"));
    assert_eq!(policy.local, ["viewer"]);
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_what_to_do() {
    for (text, line, says) in [
        ("read-only = true\nread-onyl = 1", 2, "read-onyl"),
        ("[roles.a]\n[[roles.a.grants]]\nactions = ['quary']", 3, "query, create"),
        ("[local]\nroles = ['boss']", 2, "there is no role `boss`"),
        ("[roles.a]\nincludes = ['b']\n[roles.b]\nincludes = ['a']", 4, "includes itself"),
        ("[[roles.a.grants]]\nactions = ['create']\nclasses = [\n 'IfcWal']", 4, "`IfcWal` is no class"),
        ("[[roles.a.grants]]\nactions = ['query']\nstoreys = ['Level 1']", 3, "grant of its own"),
        ("[[gates]]\nname = 'x'\nactions = ['query']", 3, "changes nothing"),
        ("[[gates]]\nname = 'x'\napprovers = ['viewer']", 3, "not granted `approve`"),
        ("[[gates]]\nname = 'x'\n[[gates]]\nname = 'x'", 4, "two gates"),
        ("[[gates]]\nname = 'x'\ndisciplines = ['music']", 3, "architecture"),
        ("[oauth]\nissuer = 'http://login.example.org'\naudience = ['x']", 2, "https://"),
        ("[oauth]\nissuer = 'https://login.example.org'\naudience = []", 3, "audience"),
        ("[oauth]\nissuer = 'https://a'\naudience = ['x']\nalgorithms = ['none']", 4, "RS256"),
        ("[oauth]\nissuer = 'https://a'\naudience = ['x']\nalgorithms = ['HS256']", 4, "RS256"),
        ("roles = 3", 1, "invalid type"),
        ("[[gates]", 1, ""),
    ] {
        let error = parse(text, is_a).unwrap_err();
        assert_eq!(error.line, line, "{text}\n{error}");
        assert!(error.message.contains(says), "{text}\n{error}");
    }
}

#[test]
fn an_empty_file_is_the_policy_without_one() {
    assert_eq!(parse("", is_a).unwrap(), Policy::default());
}
