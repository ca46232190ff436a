//! Reports the progress of a request to clients that requested it.

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The number of operations that have begun, and the number of all.
pub(crate) type Step = (usize, usize);

/// The sender of progress, for the thread that works.
#[derive(Clone, Debug)]
pub(crate) struct Steps(UnboundedSender<Step>);

impl Steps {
    /// Reports the start of an operation; of many operations only every hundredth part.
    pub(crate) fn report(&self, done: usize, all: usize) {
        let [before, now] = [done.saturating_sub(1), done].map(|done| done.saturating_mul(100) / all.max(1));
        if done == 0 || now > before {
            // Sending fails only if the client has disconnected.
            let _ = self.0.send((done, all));
        }
    }
}

/// The receiver of progress, for the task that writes to the client.
pub(crate) struct Progress<'a> {
    peer: &'a Peer<RoleServer>,
    token: Option<ProgressToken>,
    steps: UnboundedReceiver<Step>,
    all: usize,
}

impl<'a> Progress<'a> {
    /// Returns the receiver, and a sender if the client sent a progress token.
    pub(crate) fn new(context: &'a RequestContext<RoleServer>) -> (Self, Option<Steps>) {
        let (sender, steps) = unbounded_channel();
        let token = context.meta.get_progress_token();
        let working = token.is_some().then_some(Steps(sender));
        (Self { peer: &context.peer, token, steps, all: 1 }, working)
    }

    /// Waits for the next step; returns `None` without a token, or when the work is done.
    pub(crate) async fn next(&mut self) -> Option<Step> {
        self.steps.recv().await
    }

    /// Reports the remaining steps and then the end.
    pub(crate) async fn end(mut self) {
        while let Ok(step) = self.steps.try_recv() {
            self.report(step).await;
        }
        self.report((self.all, self.all)).await;
    }

    pub(crate) async fn report(&mut self, (done, all): Step) {
        self.all = all;
        let Some(token) = &self.token else { return };
        let note = ProgressNotificationParam::new(token.clone(), done as f64).with_total(all as f64);
        // A client that has disconnected does not affect the request.
        let _ = self.peer.notify_progress(note).await;
    }
}
