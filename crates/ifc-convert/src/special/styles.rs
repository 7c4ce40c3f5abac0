//! IfcPresentationStyleAssignment, which stands between a styled item and its styles in IFC2X3, may in IFC4, and does
//! not exist in IFC4X3.

use crate::step::Step;
use ifc::{Id, Instance, Value};

impl Step<'_> {
    /// Styled items name their styles themselves.
    pub(super) fn styles_up(&mut self) {
        let mut assignments: std::collections::BTreeSet<Id> = std::collections::BTreeSet::new();
        for id in self.source.of_class("IfcPresentationStyleAssignment") {
            assignments.extend(self.source.referrers_of(id, "IfcStyledItem"));
        }
        for id in assignments {
            let Some(item) = self.source.get(id) else { continue };
            let styles = self.plain_styles(&item).into_iter().map(Value::Ref).collect();
            self.overrides.entry(id.0).or_default().push(("Styles", Value::List(styles)));
        }
    }

    /// Every styled item has one assignment with all its styles.
    pub(super) fn styles_down(&mut self) {
        for id in self.source.of_class("IfcStyledItem") {
            let Some(item) = self.source.get(id) else { continue };
            let styles = item.references("Styles");
            let is_assignment = |id: &Id| self.is_a(*id, "IfcPresentationStyleAssignment");
            if styles.len() == 1 && styles.iter().all(is_assignment) {
                continue;
            }
            let plain: Vec<Value> = self.plain_styles(&item).into_iter().map(Value::Ref).collect();
            if plain.is_empty() {
                continue;
            }
            let assignment = self.make("IfcPresentationStyleAssignment", &[("Styles", Value::List(plain))]);
            let assignment = assignment.into_iter().map(Value::Ref).collect();
            self.overrides.entry(id.0).or_default().push(("Styles", Value::List(assignment)));
        }
    }

    /// The styles of an item, assignments opened, each once.
    fn plain_styles(&self, item: &Instance<'_>) -> Vec<Id> {
        let mut plain = Vec::new();
        for style in item.references("Styles") {
            let Some(instance) = self.source.get(style) else { continue };
            let is_assignment = instance.is_a("IfcPresentationStyleAssignment");
            let inner = if is_assignment { instance.references("Styles") } else { vec![style] };
            for style in inner {
                if !plain.contains(&style) && self.is_a(style, "IfcPresentationStyle") {
                    plain.push(style);
                }
            }
        }
        plain
    }
}
