//! The tracing events of every edit, without the texts of its files: the decision of the engine, and the edit of the file.
//!
//! The test runs in a process of its own: the first thread that reaches a callsite decides for all threads whether it
//! is enabled (`tracing` asks only that thread's subscriber while there is one), so another test could disable the
//! events.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::process::Command;
use std::sync::{Arc, Mutex};

use fuzzy_edit::FileEdit;
use tracing::field::{Field, Visit};
use tracing::span;

use crate::support::{Alone, Files, editor};

/// Collects the fields of every event of one crate, and of every span.
#[derive(Clone)]
struct Events {
    target: &'static str,
    fields: Arc<Mutex<Vec<BTreeMap<&'static str, String>>>>,
}

impl Events {
    fn of(target: &'static str) -> Self {
        Self { target, fields: Arc::default() }
    }

    /// Makes some edits, and returns the fields of their events and spans.
    fn of_edits(target: &'static str, edits: &[FileEdit]) -> Vec<BTreeMap<&'static str, String>> {
        let events = Self::of(target);
        tracing::subscriber::with_default(events.clone(), || drop(editor().shown(edits)));
        events.fields.lock().unwrap().clone()
    }
}

struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl tracing::Subscriber for Events {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        *metadata.level() == tracing::Level::DEBUG && metadata.target().starts_with(self.target)
    }

    fn new_span(&self, span: &span::Attributes<'_>) -> span::Id {
        let mut fields = Fields(BTreeMap::from([("span", span.metadata().name().to_owned())]));
        span.record(&mut fields);
        self.fields.lock().unwrap().push(fields.0);
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut fields = Fields(BTreeMap::new());
        event.record(&mut fields);
        self.fields.lock().unwrap().push(fields.0);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

#[test]
fn every_edit_is_one_event_without_its_texts() {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "events::child", "--quiet"]).env("EVENTS_ALONE", "1");
    let output = child.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

/// Not a test: the process that the other test starts.
#[test]
fn child() {
    if std::env::var_os("EVENTS_ALONE").is_none() {
        return;
    }
    let files = Files::new(&[("a", "secret content\n")]);
    let edits = [files.edit("a", "secret", "hidden"), files.edit("a", "nowhere", "hidden"), files.edit("b", "x", "y")];
    let events = Events::of_edits("fuzzy_edit", &edits);
    assert_eq!(events.len(), 3);
    let of = |index: usize, field: &str| events[index].get(field).map(String::as_str);
    assert_eq!((of(0, "strategy"), of(0, "similarity"), of(0, "code")), (Some("\"exact\""), Some("1.0"), None));
    assert_eq!((of(0, "content_bytes"), of(0, "old_bytes"), of(0, "new_bytes")), (Some("15"), Some("6"), Some("6")));
    assert!(of(0, "us").is_some_and(|us| us.parse::<f64>().is_ok_and(|us| us > 0.0)));
    assert_eq!((of(1, "strategy"), of(1, "code")), (None, Some("\"not_found\"")));
    assert_eq!((of(2, "code"), of(2, "content_bytes")), (Some("\"missing\""), None));
    for text in ["secret", "hidden", "nowhere"] {
        assert!(!format!("{events:?}").contains(text), "{text}");
    }
    decisions(&files);
}

/// Each edit of a file that exists is decided once: a span, then an event inside.
fn decisions(files: &Files) {
    let edits = [files.edit("a", "secret", "hidden"), files.edit("a", "nowhere", "hidden"), files.edit("b", "x", "y")];
    let decisions = Events::of_edits("fuzzy_core", &edits);
    assert_eq!(decisions.len(), 4, "{decisions:?}");
    let of = |index: usize, field: &str| decisions[index].get(field).map(String::as_str);
    assert_eq!((of(0, "span"), of(0, "ladder")), (Some("decision"), Some("\"conservative\"")));
    assert_eq!((of(0, "text_bytes"), of(0, "old_bytes"), of(0, "new_bytes")), (Some("15"), Some("6"), Some("6")));
    assert_eq!((of(1, "strategy"), of(1, "similarity"), of(1, "failure")), (Some("\"exact\""), Some("1.0"), None));
    assert_eq!((of(2, "span"), of(3, "strategy")), (Some("decision"), None));
    assert_eq!(of(3, "failure"), Some("the old text was not found"));
    for text in ["secret", "hidden", "nowhere"] {
        assert!(!format!("{decisions:?}").contains(text), "{text}");
    }
}
