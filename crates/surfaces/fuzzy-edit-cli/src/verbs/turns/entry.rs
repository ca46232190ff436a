//! An event in a queue.

use fuzzy_hosts::{Moment, TurnEvent};
use serde::{Deserialize, Serialize};

/// Returns the title of a host's session.
pub(super) fn title(host: &str, session: &str) -> String {
    format!("{host} {session}")
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
}
