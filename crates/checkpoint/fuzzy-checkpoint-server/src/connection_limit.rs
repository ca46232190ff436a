//! Clients that have not shown yet that they are to be heard: of each address only so many may be connected.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// How many clients of one address may be connected before they have sent a request that is heard. Behind a proxy all
/// have one address, and are heard as soon as their first request has arrived.
pub(crate) const MOST: usize = 32;

/// All of them, by address, the oldest first.
#[derive(Clone, Default)]
pub(crate) struct Newcomers(Arc<Mutex<HashMap<IpAddr, VecDeque<Arc<Notify>>>>>);

/// One of them, until it is admitted or has gone.
#[derive(Clone)]
pub(crate) struct Newcomer(Arc<Inner>);

struct Inner {
    all: Newcomers,
    address: IpAddr,
    dismissed: Arc<Notify>,
}

impl Newcomers {
    /// Takes a client in. Where its address has too many, the one that has waited longest is dismissed.
    pub(crate) fn arrive(&self, address: IpAddr) -> Newcomer {
        let dismissed = Arc::new(Notify::new());
        let mut all = self.lock();
        let same = all.entry(address).or_default();
        same.push_back(Arc::clone(&dismissed));
        if same.len() > MOST
            && let Some(oldest) = same.pop_front()
        {
            oldest.notify_one();
        }
        Newcomer(Arc::new(Inner { all: self.clone(), address, dismissed }))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, VecDeque<Arc<Notify>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Newcomer {
    /// Says that a request of the client is heard: it is a newcomer no more.
    pub(crate) fn admit(&self) {
        self.0.leave();
    }

    /// Waits until the client has to go.
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
