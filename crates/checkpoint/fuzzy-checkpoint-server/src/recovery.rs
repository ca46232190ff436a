//! Finishes interrupted work, at the start and while the server runs.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use fuzzy_checkpoint_service::{Checkpointer, Recovered, Result};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// The interval between two searches for unfinished work.
const PAUSE: Duration = Duration::from_secs(2);
/// The longest interval between two attempts at work that cannot be finished, since each attempt captures the worktree.
const LONGEST_PAUSE: Duration = Duration::from_mins(10);

/// The number of worktrees that are recovered at once.
const AT_ONCE: usize = 8;

/// Finishes interrupted restores and delivers pending backend resets in the background, and reports each line through
/// `say`. Worktrees are recovered independently. Returns when all are done, or after `wait`; the rest continues.
///
/// If the process of a restore ended elsewhere, with another state directory, its lease is still valid;
/// [`serve`](crate::serve) finishes the restore once the lease has expired.
///
/// # Errors
///
/// Fails if the database does.
pub fn recover(service: &Arc<Checkpointer>, say: &Arc<dyn Fn(&str) + Send + Sync>, wait: Duration) -> Result<()> {
    for (session, generation) in service.store().undelivered_resets()? {
        say(&format!("session {session} is in generation {generation}; its agent is being reset"));
    }
    let open: HashSet<String> = service.store().open_restores()?.into_iter().map(|row| row.worktree_id).collect();
    let mut worktrees = service.store().worktrees()?;
    worktrees.sort_by_key(|row| !open.contains(&row.id));
    let count = worktrees.len() + 1;
    let left = Arc::new(Mutex::new(worktrees.into_iter()));
    let (done, all) = mpsc::channel();
    for _ in 0..AT_ONCE.min(count - 1) {
        let (service, say, left, done) = (Arc::clone(service), Arc::clone(say), Arc::clone(&left), done.clone());
        thread::spawn(move || {
            let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some(row) = next() {
                match service.recover_in(&row.id) {
                    Ok(recovered) => recovered.iter().for_each(|one| say(&line(one))),
                    Err(error) => say(&format!("{}: {error}", row.root)),
                }
                let _ = done.send(());
            }
        });
    }
    let own = Arc::clone(service);
    thread::spawn(move || {
        // A failed reset is delivered later.
        let _ = own.deliver_pending_resets();
        let _ = done.send(());
    });
    let deadline = Instant::now() + wait;
    let in_time = (0..count).all(|_| all.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok());
    if !in_time {
        say("interrupted work is still being finished in the background");
    }
    for open in service.store().open_restores()? {
        say(&format!("restore {} is not finished; the server finishes it once its lease has expired", open.id));
    }
    Ok(())
}

fn line(recovered: &Recovered) -> String {
    let Recovered { restore, phase, error } = recovered;
    match error {
        None => format!("restore {restore} was interrupted; it is {} now", phase.as_str()),
        Some(error) => format!("restore {restore} was interrupted and cannot be finished yet: {error}"),
    }
}

/// Finishes interrupted work while the server runs: another server on the same database may have died.
pub(crate) async fn run(service: Arc<Checkpointer>) {
    let mut pause = PAUSE;
    loop {
        sleep(pause).await;
        let service = Arc::clone(&service);
        let stuck = spawn_blocking(move || finish(&service)).await.unwrap_or(true);
        pause = if stuck { (pause * 2).min(LONGEST_PAUSE) } else { PAUSE };
    }
}

/// Finishes interrupted work; returns whether some of it remains.
fn finish(service: &Checkpointer) -> bool {
    let store = service.store();
    let left = store.open_restores().map_or(true, |open| !open.is_empty())
        || store.undelivered_resets().map_or(true, |resets| !resets.is_empty());
    if !left {
        return false;
    }
    let done = service.finish();
    // A reset that is still pending has failed.
    done.map_or(true, |done| done.iter().any(|one| one.error.is_some()))
        || store.undelivered_resets().map_or(true, |resets| !resets.is_empty())
}
