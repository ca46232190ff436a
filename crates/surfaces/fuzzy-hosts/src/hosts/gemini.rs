//! Gemini CLI.

use serde_json::json;

use crate::host::{Failures, Host, SHARED, SHARED_FAILURES, additional_context};
use crate::item::{Item, Parts, Site, TIMEOUT_S, group, in_file, server};
use crate::moment::{SHARED_TURNS, Turns};
use crate::shown::{Reads, Shown};

pub(crate) const HOST: Host = Host {
    name: "gemini",
    title: "Gemini CLI",
    event: SHARED,
    edit_tools: &["replace"],
    patch_tools: &[],
    repaired: |input| json!({ "hookSpecificOutput": { "hookEventName": "BeforeTool", "tool_input": input } }),
    silence: "",
    denied: Some(|reason| json!({ "decision": "deny", "reason": reason })),
    failures: Some(Failures {
        response: "/tool_response/error",
        // The model receives only the error of a failed call: a context is dropped, and the reason of a denial replaces
        // the error.
        replaced: Some("/tool_response/error/message"),
        context: |text| json!({ "decision": "deny", "reason": text }),
        ..SHARED_FAILURES
    }),
    reads: Some(Reads {
        tool: "read_file",
        shown: |input, response| Shown::of(response.get("llmContent"), input.get("start_line")),
        output: None,
    }),
    turns: Some(Turns {
        // After a compaction the agent has no text of a file. No event tells of one that Gemini CLI begins by itself.
        session_begin: &["SessionStart", "PreCompress"],
        begin: &["BeforeAgent"],
        end: &["AfterAgent"],
        tool_before: &["BeforeTool"],
        tool_after: &["AfterTool"],
        told: Some(|text| additional_context("BeforeAgent", text)),
        way_back: Some(("`/rewind` in Gemini CLI, choose the prompt, then rewind only the conversation", |_, _| None)),
        ..SHARED_TURNS
    }),
    programs: &["gemini"],
    directories: &[".gemini"],
    settings,
    note: None,
};

fn settings(site: &Site, parts: Parts) -> Vec<Item> {
    // Gemini CLI expects milliseconds.
    let hook = |event, matcher, ours| group(event, matcher, &site.call(HOST.name, ours), TIMEOUT_S * 1_000);
    let mut entries = Vec::new();
    if parts.turns {
        let events = HOST.tool_hooks(parts).into_iter().chain(HOST.turn_events());
        // It fires `PreCompress` before each request to the model, also if it compresses nothing then.
        let matcher = |event| if event == "PreCompress" { Some("manual") } else { None };
        entries.extend(events.map(|(event, ours)| hook(event, matcher(event), ours)));
    } else if parts.repair {
        entries.push(hook("BeforeTool", Some("replace"), "repair"));
        entries.push(hook("AfterTool", Some("replace"), "failed"));
    }
    if parts.mcp {
        entries.push(server(site));
    }
    in_file(&site.base().join(".gemini/settings.json"), entries)
}
