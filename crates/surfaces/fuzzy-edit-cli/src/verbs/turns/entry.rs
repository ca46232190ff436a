//! An event in a queue.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use fuzzy_hosts::{HostTurn, Moment, TurnEvent};
use fuzzy_system as sys;
use serde::{Deserialize, Serialize};

/// The longest time for the resolution of a path of another project, whose disk may be gone.
const MAX_RESOLVING: Duration = Duration::from_secs(1);

/// The name of the host of the turns that `run` records.
pub(super) const RUN: &str = "run";

/// Returns the title of a host's session.
pub(super) fn title(host: &str, session: &str) -> String {
    format!("{host} {session}")
}

/// Returns the host's id of a session from its title.
pub(super) fn id_of<'t>(host: &str, title: &'t str) -> Option<&'t str> {
    Some(title.strip_prefix(host)?.trim_start())
}

/// The further keys of a prompt.
#[derive(Serialize, Deserialize)]
pub(super) struct Extra {
    /// The host's own names of the turn.
    pub(super) host_turn: HostTurn,
}

/// An event that is not yet recorded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The name of the host.
    pub(super) host: String,
    pub(super) moment: Moment,
    #[serde(flatten)]
    pub(super) event: TurnEvent,
    /// The time of the event, in milliseconds since 1970.
    pub(super) at: i64,
}

impl Entry {
    /// Returns the title of the event's session: the host's name and its id of the session.
    pub(super) fn session(&self) -> String {
        title(&self.host, &self.event.session)
    }

    /// Returns the further keys of its prompt; none if the host does not name its turns.
    pub(super) fn extra(&self) -> Option<String> {
        let host_turn = Some(self.event.named.clone()).filter(|named| !named.turn.is_empty())?;
        serde_json::to_string(&Extra { host_turn }).ok()
    }
}

/// Returns whether a path is that of a directory, or below it. A path on a disk that does not answer is compared as it
/// is written.
pub(super) fn is_within(path: &Path, root: &Path) -> bool {
    if path.starts_with(root) {
        return true;
    }
    let (sender, receiver) = mpsc::channel();
    let path = path.to_owned();
    let resolver = thread::Builder::new().spawn(move || sender.send(sys::canonical(&path)));
    let found = resolver.ok().and_then(|_| receiver.recv_timeout(MAX_RESOLVING).ok());
    found.is_some_and(|found| found.is_ok_and(|found| found.starts_with(root)))
}
