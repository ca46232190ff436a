//! Finishes what was interrupted: at the start, and as long as something is left.

use std::sync::Arc;
use std::time::Duration;

use fuzzy_checkpoint_service::{Checkpointer, Recovered, Result};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// How often to look for what is left.
const PAUSE: Duration = Duration::from_secs(2);
/// The longest time between two tries to finish what cannot be finished: each captures the worktree.
const LONGEST_PAUSE: Duration = Duration::from_mins(10);

/// Finishes restores that were interrupted, tells backends what they were not told, and says so line by line.
///
/// A restore whose process has just ended elsewhere, with another state directory, still has its lease;
/// [`serve`](crate::serve) finishes it once that has run out.
///
/// # Errors
///
/// Fails when the database does.
pub fn recover(service: &Checkpointer, say: &dyn Fn(&str)) -> Result<()> {
    for (session, generation) in service.store().undelivered_resets()? {
        say(&format!("session {session} is in generation {generation}; its agent is told"));
    }
    for recovered in service.recover()? {
        say(&line(&recovered));
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
