//! The answers of every host to its canned events, as snapshots.

use std::cell::Cell;
use std::fmt::Write as _;
use std::path::Path;

use fuzzy_hosts::{Host, RepairOptions};
use fuzzy_testkit::assert_snapshot;
use serde_json::json;

use crate::support::{Project, edit_in, gemini};

/// An old text with four spaces where the file has tabs.
const OLD: &str = "    def total(self):\n        return sum(self.items)";
const NEW: &str = "    def total(self):\n        return sum(self.items) + 1";

#[test]
fn a_repair_has_the_format_of_each_host() {
    let project = Project::new();
    let mut text = String::new();
    for host in Host::all() {
        for name in ["edit", "list", "patch", "shell_patch"] {
            if let Some(event) = project.event(host, name, OLD, NEW) {
                let answer = project.named(&host.repair(&event.to_string()).output);
                let _ = writeln!(text, "{} {name}\n    {answer}", host.name);
            }
        }
    }
    assert_snapshot!("repairs", text);
}

#[test]
fn an_explanation_has_the_format_of_each_host() {
    let project = Project::new();
    let mut text = String::new();
    for host in Host::all() {
        if let Some(event) = project.event(host, "failed", "\t\treturn total(self.item)", "\t\treturn 0") {
            let answer = project.named(&host.explain(&event.to_string()).output);
            let _ = writeln!(text, "{}\n    {answer}", host.name);
        }
    }
    assert_snapshot!("explanations", text);
}

#[test]
fn an_earlier_text_is_read_only_for_a_refused_edit_and_gives_its_place() {
    // A formatter made both lines alike, and the file has Windows line endings and a byte order mark.
    let before = "\u{feff}a = {'x':1}\r\nb = 0\r\na={'x': 1}\r\n";
    let project = Project::with("\u{feff}a = {\"x\": 1}\r\nb = 0\r\na = {\"x\": 1}\r\n".as_bytes());
    let host = Host::named("gemini").expect("a host");
    let calls = Cell::new(0);
    let known = |path: &Path| {
        calls.set(calls.get() + 1);
        (path == project.cart()).then(|| before.as_bytes().to_vec())
    };
    let edits = |old: &str, new: &str| {
        let event = gemini(&project, old, new, &json!({}));
        edit_in(&host.repair_with(&event, |_| Some(RepairOptions::default()), &known).output)
    };
    assert_eq!(edits("b = 0", "b = 1"), None, "the edit is exact");
    assert_eq!(edits("b  =  0", "b  =  1"), Some(("b = 0".to_owned(), "b = 1".to_owned())));
    assert_eq!(calls.get(), 0);
    let (old, new) = edits("a={'x': 1}", "a={'x': 2}").expect("a repair");
    let text = "a = {\"x\": 1}\nb = 0\na = {\"x\": 1}\n";
    assert_eq!(
        (text.matches(&old).count(), text.replace(&old, &new)),
        (1, text.replace("0\na = {\"x\": 1", "0\na = {\"x\": 2"))
    );
    assert_eq!(calls.get(), 1);
    assert_eq!(edits("c = {'x':1}", "c = 2"), None, "it is in neither text");
    assert!(host.repair(&gemini(&project, "a={'x': 1}", "a={'x': 2}", &json!({}))).output.is_empty());
}
