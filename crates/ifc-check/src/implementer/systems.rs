//! SYS001: a cable segment has two ports, one where the signal comes in and one where it goes out (IFC4X3).

use super::Context;
use super::alignments::nested;

pub(super) fn cable_ports(context: &mut Context<'_, '_>) {
    if !context.is_4x3() {
        return;
    }
    for cable in context.of_class("IfcCableSegment") {
        let mut ports = nested(context, &cable);
        ports.retain(|port| port.is_a("IfcDistributionPort"));
        if ports.len() != 2 {
            let count = ports.len();
            context.report_about(&cable, Some("IsNestedBy"), |named| {
                format!("{named} nests {count} IfcDistributionPort; a cable has exactly 2")
            });
        }
        for due in ["SOURCE", "SINK"] {
            if !ports.iter().any(|port| port.enumeration("FlowDirection").as_deref() == Some(due)) {
                context.report_about(&cable, Some("IsNestedBy"), |named| {
                    format!("{named} has no port with the FlowDirection {due}; one is due")
                });
            }
        }
    }
}
