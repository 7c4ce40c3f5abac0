//! Every rule, function and derived attribute of the schemas can be read.

use crate::express::rules::Rules;
use ifc::SchemaVersion;

#[test]
fn every_rule_of_every_schema_is_read_and_resolved() {
    for version in SchemaVersion::ALL {
        let faults = &Rules::for_version(version).faults;
        assert!(faults.is_empty(), "{version}: {}", faults.join("\n"));
    }
}

#[test]
fn no_rule_is_lost_on_the_way() {
    // where rules of entities, of types, UNIQUE rules, global rules, as the EXPRESS files have them
    assert_eq!(Rules::for_version(SchemaVersion::Ifc2x3).counts(), [339, 24, 17, 2]);
    assert_eq!(Rules::for_version(SchemaVersion::Ifc4).counts(), [652, 25, 4, 2]);
    assert_eq!(Rules::for_version(SchemaVersion::Ifc4x3).counts(), [752, 25, 4, 2]);
}
