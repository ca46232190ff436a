//! Cancelled requests: they write no file, or all files, and the next answer reports that.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use fuzzy_core::{Found, Ladder, Policy, Query, Strategy};
use fuzzy_edit::{Editor, Limits, State, Workspace, hold};
use fuzzy_edit_mcp::{Server, Settings};
use fuzzy_pipeline::Pipeline;
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use crate::support::{Client, Place};

fn two_edits() -> Value {
    let edit = |name: &str| json!({"file_path": name, "old_string": "one", "new_string": "two"});
    json!({"edits": [edit("a.txt"), edit("b.txt")]})
}

impl Client {
    /// Cancels a request, and returns once the server has received that.
    async fn cancel(&mut self, id: u64) {
        let params = json!({"requestId": id, "reason": "the test changed its mind"});
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
        self.request("ping", json!({})).await;
    }

    /// Checks that the last request wrote nothing, is forgotten, and can be sent again.
    async fn assert_not_written(mut self, place: &Place) {
        // Calls of a session on one file run in order, so this answer follows the end of the cancelled one.
        let located = self.call("locate", json!({"file_path": "a.txt", "old_string": "one"})).await;
        assert_eq!((place.text("a.txt"), place.text("b.txt")), ("one\n".to_owned(), "one\n".to_owned()));
        assert!(!located.text.contains("cancelled"), "{located:?}");
        assert!(self.notes.is_empty(), "no answer: {:?}", self.notes);
        self.call("multi_edit", two_edits()).await.success();
        assert_eq!((place.text("a.txt"), place.text("b.txt")), ("two\n".to_owned(), "two\n".to_owned()));
        self.close().await;
    }
}

/// A strategy that searches until it is cancelled, for the needle `endless`.
#[derive(Debug)]
struct Endless;

impl Strategy for Endless {
    fn name(&self) -> &'static str {
        "endless"
    }

    fn candidates(&self, query: &Query<'_>, _: &mut Found<'_>) -> ControlFlow<()> {
        while query.old() == "endless" && !query.is_over() {
            thread::yield_now();
        }
        ControlFlow::Continue(())
    }
}

/// Returns a ladder of the [`Endless`] search and then exact search.
fn endless() -> Pipeline {
    let exact = fuzzy_pipeline::ladder::conservative().strategies()[0];
    Pipeline::new(Ladder::new("endless", &Policy::Refuse, vec![&Endless, exact]))
}

#[tokio::test]
async fn a_search_that_is_cancelled_stops_and_writes_nothing() {
    let place = Place::with(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let state = tempfile::tempdir().unwrap();
    // Without cancellation the search would take an hour.
    let limits = Limits { timeout: Duration::from_hours(1), ..Limits::default() };
    let (begun, mut reached) = unbounded_channel();
    let editor = Editor::new(Workspace::new(limits).with_state(State::at(state.path())), endless());
    let editor = editor.with_progress(move |done, _| {
        let _ = begun.send(done);
    });
    let mut client = Client::connect(Server::new(Settings { editor, ..place.settings() }).unwrap()).await;
    for tool in ["multi_edit", "preview_edit"] {
        let mut edits = two_edits();
        edits["edits"][1]["old_string"] = json!("endless");
        let id = client.send_request("tools/call", json!({"name": tool, "arguments": edits})).await;
        while reached.recv().await != Some(1) {}
        client.cancel(id).await;
    }
    client.assert_not_written(&place).await;
}

#[tokio::test]
async fn an_edit_that_is_cancelled_between_two_files_writes_none() {
    let place = Place::with(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let (begun, mut reached) = unbounded_channel();
    let (resume, resumed) = channel::<()>();
    let resumed = Mutex::new(resumed);
    let settings = place.settings();
    let editor = settings.editor.clone().with_progress(move |done, _| {
        if done == 1 && begun.send(()).is_ok() {
            // Returns at once if the sender is dropped.
            let _ = resumed.lock().unwrap().recv();
        }
    });
    let mut client = Client::connect(Server::new(Settings { editor, ..settings }).unwrap()).await;
    let id = client.send_request("tools/call", json!({"name": "multi_edit", "arguments": two_edits()})).await;
    reached.recv().await.unwrap();
    client.cancel(id).await;
    drop(resume);
    client.assert_not_written(&place).await;
}

#[tokio::test]
async fn an_edit_that_is_cancelled_while_it_waits_for_a_file_writes_none() {
    let place = Place::with(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let state = tempfile::tempdir().unwrap();
    let settings = place.settings();
    let workspace = settings.editor.workspace().clone().with_state(State::at(state.path()));
    let editor = settings.editor.clone().with_workspace(workspace);
    let held = hold(&State::at(state.path()), &place.path("b.txt").canonicalize().unwrap()).unwrap();
    let mut client = Client::connect(Server::new(Settings { editor, ..settings }).unwrap()).await;
    let id = client.send_request("tools/call", json!({"name": "multi_edit", "arguments": two_edits()})).await;
    client.cancel(id).await;
    drop(held);
    client.assert_not_written(&place).await;
}
