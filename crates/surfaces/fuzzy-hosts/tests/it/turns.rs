//! Events of turns: the canned ones of each host, and events of other shapes.

use fuzzy_hosts::{Host, Moment, TurnError};

use crate::support::Project;

const MOMENTS: [Moment; 3] = [Moment::Begin, Moment::End, Moment::SessionEnd];

#[test]
fn every_host_reports_session_directory_and_prompt() {
    let project = Project::new();
    for host in Host::all() {
        for moment in MOMENTS {
            let event = project.event(host, moment.verb(), "", "");
            let expected = host.name != "crush" && (moment != Moment::SessionEnd || host.ends_sessions());
            assert_eq!(event.is_some(), expected, "{} {moment:?}: a canned event", host.name);
            let Some(event) = event else { continue };
            let found = host.turn_event(moment, event.to_string().as_bytes()).expect(host.name).expect(host.name);
            assert_eq!((found.session.as_str(), found.directory.as_path()), ("0b6c", project.path()), "{}", host.name);
            let prompt = if host.name == "cline" { "" } else { "Count the items." };
            if moment == Moment::Begin {
                assert_eq!(found.prompt, prompt, "{}", host.name);
            }
        }
    }
}

#[test]
fn edit_tools_name_their_files() {
    let [claude, codex, gemini] = ["claude-code", "codex", "gemini"].map(|name| Host::named(name).expect("a host"));
    let batch = serde_json::json!({
        "session_id": "s", "cwd": "/project",
        "tool_calls": [
            {"tool_name": "Write", "tool_input": {"file_path": "/project/new.txt", "content": "x"}},
            {"tool_name": "Read", "tool_input": {"file_path": "/project/read.txt"}},
            {"tool_name": "Edit", "tool_input": {"file_path": "a.txt", "old_string": "a", "new_string": "b"}},
        ],
    });
    let named = |host: &'static Host, event: &serde_json::Value| {
        let event = host.edit_event(&event.to_string())?;
        Some((event.session, event.paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()))
    };
    assert_eq!(named(claude, &batch), Some(("s".into(), vec!["/project/new.txt".into(), "/project/a.txt".into()])));
    let patch = "*** Begin Patch\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n-b\n+B\n*** End Patch\n";
    let call = serde_json::json!({
        "session_id": "s", "cwd": "/project", "tool_name": "apply_patch", "tool_input": {"command": patch},
    });
    assert_eq!(named(codex, &call), Some(("s".into(), vec!["/project/b.txt".into(), "/project/c.txt".into()])));
    let call = serde_json::json!({
        "session_id": "s", "cwd": "/project", "tool_name": "run_shell_command", "tool_input": {"command": "rm a"},
    });
    assert_eq!(named(gemini, &call), None, "a shell names no file");
    assert_eq!(named(gemini, &serde_json::json!({"tool_name": "replace", "tool_input": {"file_path": "a"}})), None);
}

#[test]
fn the_result_of_a_tool_begins_no_turn_in_qwen_code() {
    let project = Project::new();
    let qwen = Host::named("qwen").expect("a host");
    let event = project.event(qwen, "turn-begin-not", "", "").expect("an event");
    assert_eq!(qwen.turn_event(Moment::Begin, event.to_string().as_bytes()), Ok(None));
}

#[test]
fn an_event_of_another_shape_is_an_error() {
    for host in Host::all() {
        for moment in MOMENTS {
            for event in ["", "{", "[]", "null", "7", "{}", r#"{"session_id":7}"#, r#"{"session_id":""}"#] {
                let read = host.turn_event(moment, event.as_bytes());
                assert!(read.is_err() || host.name == "crush" && read == Ok(None), "{} {event}", host.name);
            }
        }
    }
}

#[test]
fn an_invalid_session_id_is_rejected_and_a_long_prompt_is_cut_between_characters() {
    let claude = Host::named("claude-code").expect("a host");
    let event = |session: &str, prompt: &str| {
        let event = serde_json::json!({ "session_id": session, "cwd": "/", "prompt": prompt });
        claude.turn_event(Moment::Begin, event.to_string().as_bytes())
    };
    assert_eq!(event("a\u{1b}[2J", "x"), Err(TurnError::BadSession));
    assert_eq!(event(&"a".repeat(201), "x"), Err(TurnError::BadSession));
    let cut = event("a", &format!("a{}", "é".repeat(40_000))).expect("read").expect("a turn").prompt;
    assert_eq!((cut.len(), cut.ends_with('é')), ((64 << 10) - 1, true));
}
