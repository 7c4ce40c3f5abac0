//! The last change of an instance, by whom and when: IfcOwnerHistory. Nothing here happens by itself; a caller that wants the
//! history kept asks for it, as with IfcOpenShell's `update_owner_history`.

use super::{Edit, EditError};
use crate::{Id, Value};

/// The author and the time of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// An IfcPersonAndOrganization of the model.
    pub user: Id,
    /// An IfcApplication of the model.
    pub application: Id,
    /// Seconds since 1970, as IfcTimeStamp counts.
    pub time: i64,
    /// True if the instance is new, so that ChangeAction is ADDED and not MODIFIED.
    pub added: bool,
}

impl Edit {
    /// Notes on a rooted instance who changed it and when: ChangeAction, LastModifiedDate and the last modifying user
    /// and application. An owner history that others share is copied first, so that theirs stays; the creation date
    /// and owner of one that is there are kept. Answers the owner history.
    pub fn update_owner_history(&mut self, id: Id, change: &Change) -> Result<Id, EditError> {
        self.attempt(|edit| edit.noted(id, change))
    }

    fn noted(&mut self, id: Id, change: &Change) -> Result<Id, EditError> {
        let instance = self.model.get(id).ok_or(EditError::UnknownInstance(id))?;
        let action = Value::enumeration(if change.added { "ADDED" } else { "MODIFIED" });
        let present = instance.reference("OwnerHistory").filter(|history| self.model.contains(*history));
        let mut attributes = vec![("ChangeAction", action)];
        if !change.added {
            attributes.extend([
                ("LastModifiedDate", Value::Integer(change.time)),
                ("LastModifyingUser", change.user.into()),
                ("LastModifyingApplication", change.application.into()),
            ]);
        }
        match present {
            Some(history) if self.model.referrers(history) == [id] => {
                self.set_all(history, &attributes)?;
                Ok(history)
            }
            Some(history) => {
                let shared = self.model.get(history);
                let kept = ["OwningUser", "OwningApplication", "State", "CreationDate"]
                    .map(|name| (name, shared.map(|shared| shared.attr(name)).unwrap_or_default()));
                attributes.extend(kept.into_iter().filter(|(_, value)| !value.is_null()));
                let own = self.create("IfcOwnerHistory", &attributes)?;
                self.set(id, "OwnerHistory", own)?;
                Ok(own)
            }
            None => {
                attributes.extend([
                    ("OwningUser", change.user.into()),
                    ("OwningApplication", change.application.into()),
                    ("CreationDate", Value::Integer(change.time)),
                ]);
                let own = self.create("IfcOwnerHistory", &attributes)?;
                self.set(id, "OwnerHistory", own)?;
                Ok(own)
            }
        }
    }
}
