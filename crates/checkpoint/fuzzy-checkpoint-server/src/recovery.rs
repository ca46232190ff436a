//! Finishes what was interrupted: at the start, and as long as something is left.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use fuzzy_checkpoint_service::{Checkpointer, Recovered, Result};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// How often to look for what is left.
const PAUSE: Duration = Duration::from_secs(2);
/// The longest time between two tries to finish what cannot be finished: each captures the worktree.
const LONGEST_PAUSE: Duration = Duration::from_mins(10);

/// How many worktrees are recovered at once.
const AT_ONCE: usize = 8;

/// Finishes restores that were interrupted, tells backends what they were not told, and says so line by line: each
/// worktree by itself, in the background. Returns when all is done, or after `wait`; the rest goes on.
///
/// A restore whose process has just ended elsewhere, with another state directory, still has its lease;
/// [`serve`](crate::serve) finishes it once that has run out.
///
/// # Errors
///
/// Fails when the database does.
pub fn recover(service: &Arc<Checkpointer>, say: &Arc<dyn Fn(&str) + Send + Sync>, wait: Duration) -> Result<()> {
    for (session, generation) in service.store().undelivered_resets()? {
        say(&format!("session {session} is in generation {generation}; its agent is told"));
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
        // A backend that cannot be reached now is told later.
        let _ = own.deliver_pending_resets();
        let _ = done.send(());
    });
    let deadline = Instant::now() + wait;
    let in_time = (0..count).all(|_| all.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok());
    if !in_time {
        say("what was interrupted is still being finished; that goes on in the background");
    }
    for open in service.store().open_restores()? {
        say(&format!("restore {} is not finished; it will be once its lease has run out", open.id));
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

/// Goes on finishing for as long as the server runs: another server on the same database may have died.
pub(crate) async fn go_on(service: Arc<Checkpointer>) {
    let mut pause = PAUSE;
    loop {
        sleep(pause).await;
        let service = Arc::clone(&service);
        let stuck = spawn_blocking(move || finish(&service)).await.unwrap_or(true);
        pause = if stuck { (pause * 2).min(LONGEST_PAUSE) } else { PAUSE };
    }
}

/// Returns whether something cannot be finished.
fn finish(service: &Checkpointer) -> bool {
    let store = service.store();
    let left = store.open_restores().map_or(true, |open| !open.is_empty())
        || store.undelivered_resets().map_or(true, |resets| !resets.is_empty());
    if !left {
        return false;
    }
    let done = service.finish();
    // A backend that was not told now does not listen.
    done.map_or(true, |done| done.iter().any(|one| one.error.is_some()))
        || store.undelivered_resets().map_or(true, |resets| !resets.is_empty())
}
