//! The event that every edit leaves, without the texts of its files.
//!
//! The test runs in a process of its own: whether a place in the code gives events is decided by the thread that comes
//! there first, for all threads (`tracing` asks only that thread's subscriber while there is one), so a test beside this
//! one could turn the events off.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::process::Command;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span;

use crate::support::{Alone, Files, editor};

/// Keeps the fields of every event.
#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<BTreeMap<&'static str, String>>>>);

struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl tracing::Subscriber for Events {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        *metadata.level() == tracing::Level::DEBUG && metadata.target().starts_with("fuzzy_edit")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut fields = Fields(BTreeMap::new());
        event.record(&mut fields);
        self.0.lock().unwrap().push(fields.0);
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

/// Not a test of its own: what the other one starts.
#[test]
fn child() {
    if std::env::var_os("EVENTS_ALONE").is_none() {
        return;
    }
    let files = Files::new(&[("a", "secret content\n")]);
    let edits = [files.edit("a", "secret", "hidden"), files.edit("a", "nowhere", "hidden"), files.edit("b", "x", "y")];
    let events = Events::default();
    tracing::subscriber::with_default(events.clone(), || drop(editor().shown(&edits)));
    let events = events.0.lock().unwrap();
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
}
