//! Limits the connections of each address that have not sent an accepted request yet.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The number of connections of one address without an accepted request. Behind a proxy all clients have one address,
/// but each is admitted with its first request.
pub(crate) const MOST: usize = 32;

/// The pending connections by address, the oldest first.
#[derive(Clone, Default)]
pub(crate) struct ConnectionLimit(Arc<Mutex<HashMap<IpAddr, VecDeque<Arc<Notify>>>>>);

/// A pending connection, until it is admitted or closed.
#[derive(Clone)]
pub(crate) struct PendingConnection(Arc<Inner>);

struct Inner {
    all: ConnectionLimit,
    address: IpAddr,
    dismissed: Arc<Notify>,
}

impl ConnectionLimit {
    /// Adds a connection. If its address has too many, the oldest one is dismissed.
    pub(crate) fn add(&self, address: IpAddr) -> PendingConnection {
        let dismissed = Arc::new(Notify::new());
        let mut all = self.lock();
        let same = all.entry(address).or_default();
        same.push_back(Arc::clone(&dismissed));
        if same.len() > MOST
            && let Some(oldest) = same.pop_front()
        {
            oldest.notify_one();
        }
        PendingConnection(Arc::new(Inner { all: self.clone(), address, dismissed }))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, VecDeque<Arc<Notify>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingConnection {
    /// Admits the connection: it no longer counts as pending.
    pub(crate) fn admit(&self) {
        self.0.leave();
    }

    /// Waits until the connection is dismissed.
    pub(crate) async fn dismissed(&self) {
        self.0.dismissed.notified().await;
    }
}

impl Inner {
    fn leave(&self) {
        let mut all = self.all.lock();
        let Some(same) = all.get_mut(&self.address) else { return };
        same.retain(|one| !Arc::ptr_eq(one, &self.dismissed));
        if same.is_empty() {
            all.remove(&self.address);
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.leave();
    }
}
