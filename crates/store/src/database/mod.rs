//! The threads that own the connections to the database: one that writes, some that read.
//!
//! A write is durable before it is answered. Writes that wait while another is being made durable share the next
//! transaction, each in its own savepoint, so that many writers cost few syncs; what is answered to each is exactly what
//! it would have been alone. Nothing here knows a table, and nothing outside this folder knows which engine it is.

mod connection;
mod dialect;
mod link;
mod postgres;
mod sqlite;
mod values;

pub(crate) use connection::{Connection, Source};
pub(crate) use values::{Cell, Row, Value, values};

use crate::error::StoreError;
use crate::fault_points;
use link::Link;
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

const BATCH: usize = 64;
/// How long writes that nobody waits for are gathered into one transaction: each alone would cost a sync beside the next call.
const GATHER: Duration = Duration::from_millis(20);
/// Beside a server, a reader waits for the network most of its time.
const READERS: (usize, usize) = (2, 4);
/// The time after which a follower looks by itself.
const LOOK: Duration = Duration::from_secs(1);

/// A write that waits for its transaction to become durable before it answers.
trait Write: Send {
    /// Does its work inside a savepoint; false undoes it.
    fn run(&mut self, connection: &Connection) -> bool;
    /// Answers: what the work came to, or why the transaction around it failed.
    fn answer(self: Box<Self>, failure: Option<&StoreError>);
    /// True if somebody waits for the answer.
    fn is_waited_for(&self) -> bool;
}

type Read = Box<dyn FnOnce(Result<&Connection, StoreError>) + Send>;

struct Pending<T, W, A> {
    work: Option<W>,
    result: Option<Result<T, StoreError>>,
    after: A,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, W, A> Write for Pending<T, W, A>
where
    T: Send,
    W: FnOnce(&Connection) -> Result<T, StoreError> + Send,
    A: FnOnce(&T) + Send,
{
    fn run(&mut self, connection: &Connection) -> bool {
        let Some(work) = self.work.take() else { return false };
        let result = work(connection);
        let good = result.is_ok();
        self.result = Some(result);
        good
    }

    fn answer(self: Box<Self>, failure: Option<&StoreError>) {
        let result = match (failure, self.result) {
            (Some(failure), Some(Ok(_)) | None) => Err(failure.again()),
            (_, Some(result)) => result,
            (None, None) => Err(StoreError::Closed),
        };
        if let Ok(value) = &result {
            (self.after)(value);
        }
        // A caller that has gone away no longer wants the answer; the write stands.
        let _ = self.reply.send(result);
    }

    fn is_waited_for(&self) -> bool {
        true
    }
}

/// A write that nobody waits for; who asked for it hears only that it failed.
struct Unheard<W, F> {
    work: Option<W>,
    error: Option<StoreError>,
    failed: F,
}

impl<T, W, F> Write for Unheard<W, F>
where
    W: FnOnce(&Connection) -> Result<T, StoreError> + Send,
    F: FnOnce(StoreError) + Send,
{
    fn run(&mut self, connection: &Connection) -> bool {
        let Some(work) = self.work.take() else { return false };
        self.error = work(connection).err();
        self.error.is_none()
    }

    fn answer(self: Box<Self>, failure: Option<&StoreError>) {
        if let Some(error) = self.error.or_else(|| failure.map(StoreError::again)) {
            (self.failed)(error);
        }
    }

    fn is_waited_for(&self) -> bool {
        false
    }
}

/// The database, from async code.
#[derive(Clone)]
pub(crate) struct Database {
    writes: Sender<Box<dyn Write>>,
    reads: Sender<Read>,
    /// Connections to the file that whoever asks for a row reads on by itself; none to a server, which would be waited for.
    at_hand: Arc<[Mutex<Link>]>,
    source: Arc<Source>,
}

impl Database {
    /// Connects, prepares the database with `migrate`, and starts the threads.
    pub(crate) fn open(
        source: Source,
        migrate: impl FnOnce(&Connection) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let mut writer = Link::open(&source, true)?;
        {
            let transaction = writer.begin()?;
            migrate(&transaction)?;
            transaction.commit()?;
        }
        let (writes, incoming) = channel();
        spawn("store-writer", move || write_loop(&mut writer, &incoming))?;
        let (reads, incoming) = channel::<Read>();
        let incoming = Arc::new(Mutex::new(incoming));
        for _ in 0..if is_shared(&source) { READERS.1 } else { READERS.0 } {
            let mut reader = Link::open(&source, false)?;
            let incoming = Arc::clone(&incoming);
            spawn("store-reader", move || read_loop(&mut reader, &incoming))?;
        }
        let at_hand = if is_shared(&source) { 0 } else { READERS.0 };
        let at_hand = (0..at_hand).map(|_| Link::open(&source, false).map(Mutex::new));
        let at_hand = at_hand.collect::<Result<_, _>>()?;
        Ok(Self { writes, reads, at_hand, source: Arc::new(source) })
    }

    /// True if other gateways write to it, too.
    pub(crate) fn is_shared(&self) -> bool {
        is_shared(&self.source)
    }

    /// Runs `look` on a connection of its own now, and whenever a gateway announced something; until the database is
    /// dropped. Nothing is missed: after a lost connection it looks again.
    pub(crate) fn follow(
        &self,
        mut look: impl FnMut(&Connection) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<(), StoreError> {
        let source = Arc::downgrade(&self.source);
        spawn("store-follower", move || {
            while let Some(source) = source.upgrade() {
                let connected = source.connect(false);
                let database = Arc::downgrade(&source);
                drop(source);
                let ended = connected.and_then(|connection| follow(&connection, &database, &mut look));
                if let Err(error) = ended {
                    tracing::warn!(%error, "events of other gateways wait until the database answers");
                    std::thread::sleep(LOOK);
                }
            }
        })
    }

    /// Runs `work` in a transaction and answers when it is durable. `after` runs on the writer's thread, in the order
    /// of the transactions, before the answer is seen.
    pub(crate) async fn write_then<T, W, A>(&self, work: W, after: A) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
        A: FnOnce(&T) + Send + 'static,
    {
        self.submit(work, after)?.await.map_err(|_| StoreError::Closed)?
    }

    /// [`Database::write_then`] with nothing after it.
    pub(crate) async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.write_then(work, |_| ()).await
    }

    /// Queues a write; the receiver may be dropped without harm to it.
    pub(crate) fn submit<T, W, A>(
        &self,
        work: W,
        after: A,
    ) -> Result<oneshot::Receiver<Result<T, StoreError>>, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
        A: FnOnce(&T) + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let pending = Pending { work: Some(work), result: None, after, reply };
        self.writes.send(Box::new(pending)).map_err(|_| StoreError::Closed)?;
        Ok(answer)
    }

    /// Queues a write that nobody waits for; `failed` runs on the writer's thread if it could not be made.
    pub(crate) fn submit_unheard<T, W, F>(&self, work: W, failed: F) -> Result<(), StoreError>
    where
        W: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
        F: FnOnce(StoreError) + Send + 'static,
        T: 'static,
    {
        let write = Unheard { work: Some(work), error: None, failed };
        self.writes.send(Box::new(write)).map_err(|_| StoreError::Closed)
    }

    /// Waits until all that was queued before is written.
    pub(crate) async fn settled(&self) -> Result<(), StoreError> {
        self.write(|_| Ok(())).await
    }

    /// Runs `work` on a reading connection, in one consistent snapshot.
    pub(crate) async fn read<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let read: Read = Box::new(move |connection| {
            let _ = reply.send(connection.and_then(work));
        });
        self.reads.send(read).map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// [`Database::read`] of what one statement finds by a key: read where it is asked for, if a connection is at hand, since it takes less
    /// time than to hand it to another thread and be woken.
    pub(crate) async fn look_up<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        match self.at_once(work) {
            Ok(found) => found,
            Err(work) => self.read(work).await,
        }
    }

    /// Gives the work back where no connection is at hand.
    fn at_once<T, W>(&self, work: W) -> Result<Result<T, StoreError>, W>
    where
        W: FnOnce(&Connection) -> Result<T, StoreError>,
    {
        let Some(mut link) = self.at_hand.iter().find_map(Mutex::try_lock) else {
            return Err(work);
        };
        let connection = match link.without_transaction() {
            Ok(connection) => connection,
            Err(error) => return Ok(Err(error)),
        };
        Ok(catch_unwind(AssertUnwindSafe(|| work(connection))).unwrap_or(Err(StoreError::Closed)))
    }
}

fn is_shared(source: &Source) -> bool {
    matches!(source, Source::Server(_))
}

fn follow(
    connection: &Connection,
    source: &Weak<Source>,
    look: &mut impl FnMut(&Connection) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    connection.listen()?;
    while source.strong_count() > 0 {
        look(connection)?;
        connection.wait(LOOK)?;
    }
    Ok(())
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), StoreError> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map(|_| ())
        .map_err(|error| StoreError::Database(format!("no thread for the database: {error}")))
}

fn read_loop(link: &mut Link, incoming: &Mutex<Receiver<Read>>) {
    loop {
        let next = incoming.lock().recv();
        let Ok(read) = next else { return };
        match link.begin() {
            // A panic drops the reply, and the transaction ends with its guard; the thread goes on.
            Ok(transaction) => drop(catch_unwind(AssertUnwindSafe(|| read(Ok(&transaction))))),
            Err(error) => read(Err(error)),
        }
    }
}

fn write_loop(link: &mut Link, incoming: &Receiver<Box<dyn Write>>) {
    while let Ok(first) = incoming.recv() {
        let mut batch = vec![first];
        gather(&mut batch, incoming);
        let failure = write_batch(link, &mut batch).err();
        if let Some(failure) = &failure {
            tracing::error!(%failure, "a transaction failed");
        }
        if matches!(failure, Some(StoreError::Unavailable(_))) {
            // Those that queued up meanwhile would wait for the same.
            batch.extend(incoming.try_iter());
        }
        fault_points::pass("before the answer");
        for write in batch {
            write.answer(failure.as_ref());
        }
    }
    link.finish();
}

/// Takes what else waits into a batch; a while longer as long as nobody waits for any of it.
fn gather(batch: &mut Vec<Box<dyn Write>>, incoming: &Receiver<Box<dyn Write>>) {
    let end = Instant::now() + GATHER;
    let mut is_waited_for = batch.iter().any(|write| write.is_waited_for());
    while batch.len() < BATCH {
        let patience =
            if is_waited_for { Duration::ZERO } else { end.saturating_duration_since(Instant::now()) };
        match incoming.recv_timeout(patience) {
            Ok(next) => {
                is_waited_for |= next.is_waited_for();
                batch.push(next);
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
}

fn write_batch(link: &mut Link, batch: &mut [Box<dyn Write>]) -> Result<(), StoreError> {
    let transaction = link.begin()?;
    fault_points::pass("after BEGIN");
    if !write_all(&transaction, batch)? {
        return Ok(());
    }
    let committed = transaction.commit();
    drop(transaction);
    fault_points::pass("after COMMIT");
    match committed {
        Err(StoreError::InDoubt { transaction: Some(transaction), why }) => link.settle(transaction, why),
        other => other,
    }
}

/// Runs every write in its own savepoint; one that is alone needs none. False if there is nothing to commit.
fn write_all(connection: &Connection, batch: &mut [Box<dyn Write>]) -> Result<bool, StoreError> {
    let is_alone = batch.len() == 1;
    let mut any = false;
    let mut mark = "SAVEPOINT one";
    for write in batch {
        if !is_alone {
            connection.batch(mark)?;
        }
        // A panic in one write is that write's failure, not the end of the thread that all others need.
        let done = catch_unwind(AssertUnwindSafe(|| write.run(connection))).unwrap_or(false);
        any |= done;
        if !done && !is_alone {
            connection.back_to_savepoint("one")?;
        }
        mark = "RELEASE SAVEPOINT one; SAVEPOINT one";
    }
    Ok(any)
}

/// Copies a database file as it is at one moment into a new one, while others use it.
pub(crate) fn copy_file(from: &Path, to: &Path) -> Result<(), StoreError> {
    sqlite::copy(from, to)
}

/// Opens such a copy to read it.
pub(crate) fn open_copy(path: &Path) -> Result<Connection, StoreError> {
    sqlite::look_at(path).map(Connection::Sqlite)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn database(folder: &Path) -> Database {
        Database::open(Source::File(folder.join("test.db")), |c| {
            c.batch("CREATE TABLE IF NOT EXISTS t (n INTEGER NOT NULL UNIQUE) STRICT")
        })
        .unwrap()
    }

    fn insert(n: i64) -> impl FnOnce(&Connection) -> Result<i64, StoreError> + Send + 'static {
        move |c| {
            c.execute("INSERT INTO t (n) VALUES (?1)", values![n])?;
            Ok(n)
        }
    }

    async fn all(database: &Database) -> Vec<i64> {
        database.read(|c| c.rows("SELECT n FROM t ORDER BY n", values![], |row| row.get(0))).await.unwrap()
    }

    #[tokio::test]
    async fn a_write_that_fails_or_panics_undoes_itself_alone() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(folder.path());
        // Queued together, so that they share a transaction.
        let first = database.submit(insert(1), |_| ()).unwrap();
        let failing = database
            .submit(
                |c| {
                    insert(2)(c)?;
                    insert(1)(c)
                },
                |_| (),
            )
            .unwrap();
        let panicking = database
            .submit(
                |c| -> Result<i64, StoreError> {
                    insert(3)(c)?;
                    panic!("in the middle of a write")
                },
                |_| (),
            )
            .unwrap();
        let last = database.submit(insert(4), |_| ()).unwrap();
        assert_eq!(first.await.unwrap().unwrap(), 1);
        assert!(failing.await.unwrap().is_err());
        assert!(panicking.await.unwrap().is_err());
        assert_eq!(last.await.unwrap().unwrap(), 4);
        assert_eq!(all(&database).await, [1, 4]);
    }

    #[tokio::test]
    async fn a_reader_that_panics_harms_nobody_and_readers_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(folder.path());
        for _ in 0..4 {
            let panicked = database.read(|_| -> Result<(), StoreError> { panic!("in a reader") }).await;
            assert!(panicked.is_err());
            let panicked = database.look_up(|_| -> Result<(), StoreError> { panic!("at hand") }).await;
            assert!(panicked.is_err());
        }
        assert!(database.read(insert(1)).await.is_err());
        assert!(database.look_up(insert(1)).await.is_err());
        database.write(insert(1)).await.unwrap();
        assert_eq!(all(&database).await, [1]);
    }

    #[tokio::test]
    async fn a_row_is_found_also_where_no_connection_is_at_hand() {
        let folder = tempfile::tempdir().unwrap();
        let database = database(folder.path());
        let count =
            || database.look_up(|c| c.row("SELECT count(*) FROM t", values![], |row| row.get::<u64>(0)));
        database.write(insert(1)).await.unwrap();
        assert_eq!(count().await.unwrap(), Some(1));
        let held: Vec<_> = database.at_hand.iter().map(|link| link.lock()).collect();
        assert_eq!(held.len(), READERS.0);
        let waiting = tokio::spawn({
            let database = database.clone();
            async move {
                database.look_up(|c| c.row("SELECT max(n) FROM t", values![], |row| row.get::<u64>(0))).await
            }
        });
        // answered by the readers, while the connections are held
        assert_eq!(waiting.await.unwrap().unwrap(), Some(1));
        drop(held);
        database.write(insert(2)).await.unwrap();
        assert_eq!(count().await.unwrap(), Some(2));
    }
}
