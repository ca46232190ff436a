//! Tells an agent, with its next prompt, which of its turns were taken back.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use fuzzy_checkpoint_service::{Checkpointer, Facts, ProcessBackend};
use fuzzy_hosts::Host;

use super::entry;
use crate::verbs::checkpoint::options::{Database, Shared};

/// Returns what the agent of a session does not know yet, if it is found within `patience`.
pub(crate) fn facts(host: &Host, session: &str, patience: Duration) -> Option<Facts> {
    let title = entry::title(host.name, session);
    let (sender, receiver) = mpsc::channel();
    // The database may be locked.
    thread::Builder::new().spawn(move || sender.send(service().and_then(|it| it.facts(&title).ok()))).ok()?;
    receiver.recv_timeout(patience).ok()?
}

/// Records that the agent knows it. After an error it is told again.
pub(crate) fn note(facts: &Facts) {
    if let Some(service) = service() {
        let _ = service.note_told(facts);
    }
}

fn service() -> Option<Checkpointer> {
    let (state, database) = (Shared::state().ok()?, Database::from_environment());
    let shared = database.exists(&state).then(|| Shared { database, ..Shared::default() })?;
    shared.service(&state, ProcessBackend::default()).ok()
}
