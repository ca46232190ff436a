//! The answers of every host to its canned events, as snapshots.

use std::fmt::Write as _;

use fuzzy_hosts::Host;
use fuzzy_testkit::assert_snapshot;

use crate::support::Project;

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
