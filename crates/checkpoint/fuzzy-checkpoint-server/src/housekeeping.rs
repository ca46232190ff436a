//! Deletes old checkpoints while the server runs.

use std::sync::Arc;
use std::time::Duration;

use fuzzy_checkpoint_service::Checkpointer;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// The pause after the start, and between two searches for worktrees that were not pruned within a day. The first
/// search waits because recovery has precedence and needs the worktrees that pruning holds.
const PAUSE: Duration = Duration::from_mins(10);

/// Prunes every worktree once a day.
pub(crate) async fn run(service: Arc<Checkpointer>) {
    loop {
        sleep(PAUSE).await;
        let service = Arc::clone(&service);
        let _ = spawn_blocking(move || {
            service.prune_all_daily();
        })
        .await;
    }
}
