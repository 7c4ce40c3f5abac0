//! Which gateway does a piece of work that several would begin at the same time.

use crate::database::{Connection, values};
use crate::error::StoreError;

/// Takes work that nobody has, or whose holder let the time pass; false if another has it.
pub(crate) fn take(
    connection: &Connection,
    work: &str,
    holder: &str,
    now_ms: u64,
    until_ms: u64,
) -> Result<bool, StoreError> {
    let changed = connection.execute(
        "INSERT INTO claims (work, holder, until_ms) VALUES (?1, ?2, ?4)
         ON CONFLICT (work) DO UPDATE SET holder = excluded.holder, until_ms = excluded.until_ms
             WHERE claims.until_ms < ?3",
        values![work, holder, now_ms, until_ms],
    )?;
    Ok(changed > 0)
}

/// Gives work back, unless another has it by now.
pub(crate) fn give_back(connection: &Connection, work: &str, holder: &str) -> Result<(), StoreError> {
    connection.execute("DELETE FROM claims WHERE work = ?1 AND holder = ?2", values![work, holder])?;
    Ok(())
}
