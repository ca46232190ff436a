//! Tells a client how far its request is, if it wants to know.

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// How many operations have been begun, of how many.
pub(crate) type Step = (usize, usize);

/// The end of a request that works.
#[derive(Clone, Debug)]
pub(crate) struct Steps(UnboundedSender<Step>);

impl Steps {
    /// Tells that an operation is begun, but of many only each hundredth part.
    pub(crate) fn tell(&self, done: usize, all: usize) {
        let [before, now] = [done.saturating_sub(1), done].map(|done| done.saturating_mul(100) / all.max(1));
        if done == 0 || now > before {
            // Who does not listen any more need not be told.
            let _ = self.0.send((done, all));
        }
    }
}

/// The end of a request that speaks to the client.
pub(crate) struct Progress<'a> {
    peer: &'a Peer<RoleServer>,
    token: Option<ProgressToken>,
    steps: UnboundedReceiver<Step>,
    all: usize,
}

impl<'a> Progress<'a> {
    /// Begins; there is an end that works only if the client sent a token.
    pub(crate) fn new(context: &'a RequestContext<RoleServer>) -> (Self, Option<Steps>) {
        let (sender, steps) = unbounded_channel();
        let token = context.meta.get_progress_token();
        let working = token.is_some().then_some(Steps(sender));
        (Self { peer: &context.peer, token, steps, all: 1 }, working)
    }

    /// Waits for the next step; there is none if no one listens, or if the work is done.
    pub(crate) async fn next(&mut self) -> Option<Step> {
        self.steps.recv().await
    }

    /// Tells that all is done, after what was not told yet.
    pub(crate) async fn end(mut self) {
        while let Ok(step) = self.steps.try_recv() {
            self.tell(step).await;
        }
        self.tell((self.all, self.all)).await;
    }

    pub(crate) async fn tell(&mut self, (done, all): Step) {
        self.all = all;
        let Some(token) = &self.token else { return };
        let note = ProgressNotificationParam::new(token.clone(), done as f64).with_total(all as f64);
        // A client that does not listen gets its answer all the same.
        let _ = self.peer.notify_progress(note).await;
    }
}
