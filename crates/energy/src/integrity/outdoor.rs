//! Outdoor air systems: a controller steers the nodes of a mixer, each for what it is.

use super::model::{Model, value};
use super::{Issue, IssueKind, Severity, Subject, issue};
use crate::idf::Object;
use foldhash::HashMap;

/// The fields of a controller, and those of the mixer that must name the same nodes.
const SAME: [(&str, &str, &str); 2] = [
    ("return_air_node_name", "return_air_stream_node_name", "return air"),
    ("relief_air_outlet_node_name", "relief_air_stream_node_name", "relief air"),
];

/// Adds controllers whose nodes are not those of their mixer.
pub fn check(document: &Model<'_>, issues: &mut Vec<Issue>) {
    let mut mixers: HashMap<String, Object<'_>> = HashMap::default();
    for mixer in document.of_type("OutdoorAir:Mixer") {
        let node = value(mixer, "mixed_air_node_name");
        mixers.insert(node.to_lowercase(), mixer);
    }
    for controller in document.of_type("Controller:OutdoorAir") {
        let mixed = value(controller, "mixed_air_node_name");
        let Some(mixer) = mixers.get(&mixed.to_lowercase()).filter(|_| !mixed.is_empty()) else { continue };
        for (own, its, word) in SAME {
            let own = value(controller, own);
            let its = value(*mixer, its);
            if !own.is_empty() && !its.is_empty() && !own.eq_ignore_ascii_case(its) {
                let message = format!(
                    "Controller:OutdoorAir `{}` has `{own}` for {word}, and its mixer `{}` has `{its}`.",
                    controller.name(),
                    mixer.name()
                );
                let both = vec![Subject::from(controller), Subject::from(*mixer)];
                let what = "Give controller and mixer the same node; are two of them exchanged?";
                issues.push(issue(Severity::Error, IssueKind::DanglingNode, both, message, what));
            }
        }
    }
}
