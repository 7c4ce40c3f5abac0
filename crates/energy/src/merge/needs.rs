//! What one side removed, and the other newly refers to.

use super::{Clash, Joining, Side};
use crate::idf::Handle;
use crate::references::Graph;

impl Joining<'_> {
    /// Finds objects that one side removed and the other newly refers to.
    pub(super) fn needed(&mut self) {
        if self.gone.is_empty() {
            return;
        }
        let sides = self.sides;
        let (of_ours, of_theirs) = (Graph::from_document(&sides.ours), Graph::from_document(&sides.theirs));
        for (base, by) in std::mem::take(&mut self.gone) {
            // the side that still has it, and the one that does not
            let (keeps, graph, to_keeps, to_lost, lost) = match by {
                Side::Theirs => (&sides.ours, &of_ours, &sides.to_ours, &sides.to_theirs, &sides.theirs),
                Side::Ours => (&sides.theirs, &of_theirs, &sides.to_theirs, &sides.to_ours, &sides.ours),
            };
            let Some(object) = to_keeps.to(base).and_then(|handle| keeps.object(handle)) else { continue };
            let mut needed_by = Vec::new();
            for reference in graph.to(object.handle()) {
                let at = reference.position as usize;
                let Some(from) = keeps.object(reference.from) else { continue };
                let in_document = match by {
                    Side::Theirs => Some(reference.from),
                    Side::Ours => self.places.get(&reference.from.0).copied().map(Handle),
                };
                let still = in_document.and_then(|handle| self.document.object(handle));
                let still = still.is_some_and(|now| now.value(at) == from.value(at));
                // whoever removed it with the same reference in view meant it
                let known = to_keeps.back(reference.from).and_then(|handle| lost.object(to_lost.to(handle)?));
                let was_left = known.is_some_and(|known| known.value(at) == from.value(at));
                if still && !was_left {
                    needed_by.push(format!("{} {}", from.type_name(), self.label(from)));
                }
            }
            if needed_by.is_empty() {
                continue;
            }
            needed_by.sort_unstable();
            needed_by.dedup();
            let Some(was) = sides.base.object(base) else { continue };
            let side = self.side(was, "removed", Clash::Removed { by, needed_by });
            match (side, by) {
                (Side::Ours, Side::Theirs) => self.document.put(object.handle(), Some(object.to_record())),
                (Side::Theirs, Side::Ours) => self.bring_back(object),
                _ => {}
            }
        }
    }
}
