//! Cline CLI.

use serde_json::json;

use crate::host::{Failures, Hook, Host, PLAIN, Places, SHARED_FAILURES};
use crate::item::{Item, Parts, Site};
use crate::moment::{SHARED_TURNS, Turns};

pub(crate) const HOST: Host = Host {
    name: "cline",
    title: "Cline",
    event: Places {
        tool: "/tool_call/name",
        input: "/tool_call/input",
        directory: &["/workspaceRoots/0", "/cwd"],
        model: &["/model"],
    },
    edit_tools: &["editor"],
    patch_tools: &[("apply_patch", "input")],
    repaired: |input| json!({ "overrideInput": input }),
    failures: Some(Failures {
        calls: "/tool_result",
        tool: "/name",
        input: "/input",
        response: "/output/error",
        context: |text| json!({ "context": text }),
        ..SHARED_FAILURES
    }),
    turns: Some(Turns {
        session_begin: &[],
        begin: &["TaskStart"],
        end: &["TaskComplete", "TaskCancel", "TaskError"],
        session_end: &["SessionShutdown"],
        session: &["/taskId"],
        // Its events contain no prompt.
        ..SHARED_TURNS
    }),
    repair_hooks: &[("PreToolUse", None, "repair"), ("PostToolUse", None, "failed")],
    programs: &["cline"],
    directories: &[".cline"],
    settings,
    note: None,
    ..PLAIN
};

/// Returns the programs that Cline runs by the name of the event.
fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    let directory = site.base().join(".cline/hooks");
    let file = |(event, _, ours): Hook| Item::File {
        path: directory.join(format!("{event}.sh")),
        text: format!("#!/bin/sh\nexec {}\n", site.call(HOST.name, ours)),
        executable: true,
    };
    HOST.hooks(parts).into_iter().map(file).collect()
}
