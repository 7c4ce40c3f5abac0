//! Undo and redo over a history that is never rewritten.
//!
//! Every version is an *edit* or a *move*. An edit is what a tool did, an import or a restore; a move was made by undo or
//! redo and carries the content of the edit that it names, its cursor. The content of the head is thus always that of
//! one edit: the head itself, or its cursor.
//!
//! Undo goes to what the head's edit was made on. Redo goes the other way along the line of edits that ends in the last
//! version before the present run of moves; after a new edit there is nothing to redo. So undo, undo, redo, redo is back
//! where it began, and an undo can itself be undone by redo, however often.

use crate::error::StoreError;
use contract::VersionId;

/// The facts about one version that undo and redo need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The version it was made on.
    pub parent: Option<VersionId>,
    /// The edit whose content it carries, if undo or redo made it.
    pub cursor: Option<VersionId>,
}

/// The edit to go to, and how many steps it is away: as many as asked for or as there are. `None` if there is nothing to
/// undo.
pub fn undo(
    head: &VersionId,
    steps: u32,
    mut step: impl FnMut(&VersionId) -> Result<Step, StoreError>,
) -> Result<Option<(VersionId, u32)>, StoreError> {
    let mut at = edit_of(head, &mut step)?;
    let mut gone = 0;
    while gone < steps {
        let Some(before) = edit_before(&at, &mut step)? else { break };
        at = before;
        gone += 1;
    }
    Ok((gone > 0).then_some((at, gone)))
}

/// The edit to go to, and how many steps it is away. `None` if there is nothing to redo.
pub fn redo(
    head: &VersionId,
    steps: u32,
    mut step: impl FnMut(&VersionId) -> Result<Step, StoreError>,
) -> Result<Option<(VersionId, u32)>, StoreError> {
    let here = edit_of(head, &mut step)?;
    let mut newest = head.clone();
    loop {
        let now = step(&newest)?;
        let (Some(_), Some(parent)) = (now.cursor, now.parent) else { break };
        newest = parent;
    }
    // From the newest edit back to where the cursor stands.
    let mut line = vec![newest];
    while let Some(last) = line.last()
        && *last != here
    {
        let Some(before) = edit_before(last, &mut step)? else { return Ok(None) };
        line.push(before);
    }
    let available = line.len() - 1;
    let gone = (steps as usize).min(available);
    Ok(line.into_iter().nth(available - gone).filter(|_| gone > 0).map(|target| (target, gone as u32)))
}

fn edit_of(
    version: &VersionId,
    step: &mut impl FnMut(&VersionId) -> Result<Step, StoreError>,
) -> Result<VersionId, StoreError> {
    Ok(step(version)?.cursor.unwrap_or_else(|| version.clone()))
}

fn edit_before(
    edit: &VersionId,
    step: &mut impl FnMut(&VersionId) -> Result<Step, StoreError>,
) -> Result<Option<VersionId>, StoreError> {
    match step(edit)?.parent {
        Some(parent) => edit_of(&parent, step).map(Some),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// A history beside what an editor with an undo stack would show.
    #[derive(Default)]
    struct Editor {
        steps: HashMap<VersionId, Step>,
        head: Option<VersionId>,
        stack: Vec<VersionId>,
        shown: usize,
    }

    impl Editor {
        fn add(&mut self, cursor: Option<VersionId>) -> VersionId {
            let id = VersionId(format!("v{}", self.steps.len()));
            self.steps.insert(id.clone(), Step { parent: self.head.clone(), cursor });
            self.head = Some(id.clone());
            id
        }

        fn edit(&mut self) {
            let id = self.add(None);
            self.stack.truncate(self.shown + 1);
            self.stack.push(id);
            self.shown = self.stack.len() - 1;
        }

        fn go(&mut self, back: bool, steps: u32) {
            let head = self.head.clone().unwrap();
            let lookup = |id: &VersionId| Ok(self.steps[id].clone());
            let found = if back { undo(&head, steps, lookup) } else { redo(&head, steps, lookup) }.unwrap();
            let room = if back { self.shown } else { self.stack.len() - 1 - self.shown };
            let gone = (steps as usize).min(room);
            let expected = if back { self.shown - gone } else { self.shown + gone };
            assert_eq!(found, (gone > 0).then(|| (self.stack[expected].clone(), gone as u32)));
            if let Some((target, _)) = found {
                self.add(Some(target));
                self.shown = expected;
            }
        }
    }

    proptest! {
        #[test]
        fn undo_and_redo_behave_as_a_stack_of_edits(moves in prop::collection::vec((0_u8..3, 1_u32..4), 1..60)) {
            let mut editor = Editor::default();
            editor.edit();
            for (kind, steps) in moves {
                match kind {
                    0 => editor.edit(),
                    1 => editor.go(true, steps),
                    _ => editor.go(false, steps),
                }
            }
        }
    }

    #[test]
    fn a_first_version_has_nothing_to_undo_or_redo() {
        let mut editor = Editor::default();
        editor.edit();
        editor.go(true, 1);
        editor.go(false, 1);
        assert_eq!(editor.steps.len(), 1);
    }
}
