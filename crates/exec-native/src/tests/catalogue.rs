//! The adapter with the tools that ship.

use super::*;

#[test]
fn every_tool_on_a_model_is_an_operation_with_a_name_of_its_own() {
    let info = NativeAdapter::default().info();
    let mut names: Vec<&str> = info.operations.iter().map(|operation| operation.name.as_str()).collect();
    names.sort_unstable();
    let listed = names.len();
    names.dedup();
    assert_eq!(names.len(), listed, "a tool has the name of an operation of the adapter's own");
    for tool in tools::catalogue().iter().filter(|tool| !tool.spec.platform) {
        let operation = info.operations.iter().find(|operation| operation.name == tool.spec.name).unwrap();
        assert_eq!(operation.effect, tool.spec.effect, "{}", tool.spec.name);
    }
}
