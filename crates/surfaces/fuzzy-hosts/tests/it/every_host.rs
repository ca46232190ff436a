//! Rules that apply to every host.

use std::fs;

use fuzzy_hosts::{Answer, Counts, Host};
use serde_json::{Value, json};

use crate::support::{CART, Project, edit_in, gemini};

const OLD: &str = "    def total(self):\n        return sum(self.items)";
const NEW: &str = "    def total(self):\n        return sum(self.items) + 1";
const LANDED: &str = "\tdef total(self):\n\t\treturn sum(self.items) + 1\n";

/// Answers the event `edit` or `patch` of every host.
fn answers(project: &Project, old: &str, new: &str) -> Vec<(&'static Host, Answer)> {
    let named = |name: &'static str| move |host| Some((host, project.event(host, name, old, new)?));
    let events = Host::all().filter_map(named("edit")).chain(Host::all().filter_map(named("patch")));
    events.map(|(host, event)| (host, host.repair(&event.to_string()))).collect()
}

fn is_silent(host: &Host, answer: &Answer) -> bool {
    answer.output == host.silent().output
}

#[test]
fn usual_names_of_a_host_are_its_names() {
    let named = |name: &str| Host::named(name).map(|host| host.name);
    for host in Host::all() {
        assert_eq!(named(host.name), Some(host.name));
        assert_eq!(named(&format!("{}-cli", host.name)), Some(host.name));
    }
    let usual = ["claude", "claude-code", "gemini-cli", "codex-cli", "qwen-code", "cursor-agent", "code"];
    let own = ["claude-code", "claude-code", "gemini", "codex", "qwen", "cursor", "vscode"];
    assert_eq!(usual.map(named), own.map(Some));
    for other in ["", "cli", "-cli", "claude-cli-cli", "Claude", "gem"] {
        assert_eq!(named(other), None, "{other}");
    }
}

#[test]
fn a_wrong_edit_is_repaired() {
    let project = Project::new();
    let answers = answers(&project, OLD, NEW);
    assert_eq!(answers.len(), Host::all().count() + 3, "an edit or a patch each, and three hosts with both");
    for (host, answer) in answers {
        assert_eq!((answer.exact, answer.repaired, answer.refused), (0, 1, 0), "{}", host.name);
        // The snapshots test patches.
        if let Some((old, new)) = edit_in(&answer.output) {
            assert_eq!(CART.matches(&old).count(), 1, "{}", host.name);
            assert!(CART.replacen(&old, &new, 1).contains(LANDED), "{}: {new}", host.name);
        }
    }
}

#[test]
fn kept_lines_that_end_in_blanks_are_left_out_of_a_repair() {
    let cart = "a = 1 \nb = 2\t\n\tc = measure(3)\nd = 4 \ne = 5\n";
    let project = Project::with(cart.as_bytes());
    for (host, answer) in
        answers(&project, "b = 2\n    c = measure(3)\nd = 4\ne = 5", "b = 2\n    c = compute(3)\nd = 4\ne = 5")
    {
        let Some(edit) = edit_in(&answer.output) else { continue };
        let expected = ("\tc = measure(3)\n".to_owned(), "\tc = compute(3)\n".to_owned());
        assert_eq!(edit, expected, "{}", host.name);
    }
    // Without these lines the old text would not be unique, so they are kept.
    let project = Project::with("a = 1 \n\tc = 3\nb = 2 \n\tc = 3\n".as_bytes());
    for (host, answer) in answers(&project, "b = 2 \n    c = 3", "b = 2 \n    c = 4") {
        let Some((old, new)) = edit_in(&answer.output) else { continue };
        assert_eq!((old.as_str(), new.as_str()), ("b = 2 \n\tc = 3", "b = 2 \n\tc = 4"), "{}", host.name);
    }
}

#[test]
fn a_patch_of_a_file_without_a_line_break_at_its_end_is_repaired() {
    let project = Project::with(CART.trim_end().as_bytes());
    let codex = Host::named("codex").expect("a host");
    for (old, new, counted) in [
        (OLD, NEW, (0, 1)),
        ("\tdef count(self):\n\t\treturn len(self.items)", "\tdef count(self):\n\t\treturn 7", (1, 0)),
    ] {
        let answer = codex.repair(&project.event(codex, "patch", old, new).expect("an event").to_string());
        assert_eq!((answer.exact, answer.repaired), counted, "{}", answer.output);
        // The last line of the file, without a line break, is not the last line of the patch.
        assert!(!answer.output.contains("No newline"), "{}", answer.output);
    }
}

#[test]
fn an_exact_edit_gets_silence() {
    let project = Project::new();
    for (host, answer) in answers(&project, "\t\treturn len(self.items)", "\t\treturn 7") {
        assert!(is_silent(host, &answer), "{}: {}", host.name, answer.output);
        assert_eq!((answer.exact, answer.repaired, answer.refused), (1, 0, 0), "{}", host.name);
    }
}

#[test]
fn a_refused_edit_gets_silence() {
    let project = Project::new();
    for (host, answer) in answers(&project, "\t\tnothing.like(this, at, all)\n\t\tor.that()", "\t\tpass") {
        assert!(is_silent(host, &answer), "{}: {}", host.name, answer.output);
        assert_eq!((answer.exact, answer.repaired, answer.refused), (0, 0, 1), "{}", host.name);
    }
}

#[test]
fn a_file_that_cannot_be_read_gets_silence() {
    let utf_16: Vec<u8> = [0xff, 0xfe].into_iter().chain(CART.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let mixed = CART.replacen('\n', "\r\n", 2);
    let latin = [CART.as_bytes(), b"# caf\xe9\n"].concat();
    let binary = [CART.as_bytes(), b"\0"].concat();
    let large = CART.repeat((11 << 20) / CART.len());
    for cart in [&utf_16[..], mixed.as_bytes(), &latin, &binary, large.as_bytes()] {
        let project = Project::with(cart);
        for (host, answer) in answers(&project, OLD, NEW) {
            assert!(is_silent(host, &answer), "{}: {}", host.name, answer.output);
        }
    }
    let project = Project::new();
    fs::remove_file(project.cart()).expect("removed");
    for (host, answer) in answers(&project, OLD, NEW) {
        assert!(is_silent(host, &answer), "{}: {}", host.name, answer.output);
    }
}

#[test]
fn an_event_of_another_shape_gets_silence() {
    let project = Project::new();
    for host in Host::all() {
        for event in ["", "{", "[]", "null", "7", r#"{"tool_name":"Edit"}"#, r#"{"tool_name":7,"tool_input":[]}"#] {
            assert!(is_silent(host, &host.repair(event)), "{} {event}", host.name);
            assert!(is_silent(host, &host.explain(event)), "{} {event}", host.name);
        }
        let Some(event) = project.event(host, "edit", OLD, NEW) else { continue };
        for tool in ["Read", "run_shell_command", ""] {
            let mut event = event.clone();
            let names = ["/tool_name", "/toolName", "/tool_call/name"];
            let name = names.into_iter().find(|name| event.pointer(name).is_some()).expect("a tool");
            *event.pointer_mut(name).expect("a tool") = tool.into();
            assert!(is_silent(host, &host.repair(&event.to_string())), "{} {tool}", host.name);
        }
    }
}

#[test]
fn other_properties_of_the_input_are_kept() {
    let project = Project::new();
    let host = Host::named("gemini").expect("a host");
    let more = json!({ "instruction": "Count.", "later": [1, { "a": null }] });
    let answer: Value = serde_json::from_str(&host.repair(&gemini(&project, OLD, NEW, &more)).output).expect("JSON");
    let input = &answer["hookSpecificOutput"]["tool_input"];
    assert_eq!((&input["instruction"], &input["later"]), (&more["instruction"], &more["later"]));
    assert_eq!(input.as_object().expect("an object").len(), 5);
}

#[test]
fn replace_all_is_repaired_only_without_an_exact_occurrence() {
    let project = Project::new();
    let host = Host::named("gemini").expect("a host");
    let all = json!({ "allow_multiple": true });
    let answer = host.repair(&gemini(&project, "self.items", "self.prices", &all));
    assert_eq!((answer.output.as_str(), answer.exact), ("", 1));
    let answer = host.repair(&gemini(&project, OLD, NEW, &all));
    let (old, new) = edit_in(&answer.output).expect("a repair");
    assert!(CART.replace(&old, &new).contains(LANDED));
}

#[test]
fn an_ambiguous_text_is_widened_by_whole_lines() {
    let cart = format!("{CART}\nclass Other:\n\tdef total(self):\n\t\treturn sum(self.items)\n");
    let project = Project::with(cart.as_bytes());
    let host = Host::named("gemini").expect("a host");
    let old = "class Other:\n    def total(self):\n        return sum(self.items)";
    let new = "class Other:\n    def total(self):\n        return 0";
    let (old, new) = edit_in(&host.repair(&gemini(&project, old, new, &json!({}))).output).expect("a repair");
    assert_eq!(cart.matches(&old).count(), 1);
    assert_eq!(cart.replacen(&old, &new, 1), format!("{CART}\nclass Other:\n\tdef total(self):\n\t\treturn 0\n"));
}

#[test]
fn a_file_with_carriage_returns_is_compared_as_hosts_compare_it() {
    let project = Project::with(CART.replace('\n', "\r\n").as_bytes());
    for (host, answer) in answers(&project, OLD, NEW) {
        assert_eq!(answer.repaired, 1, "{}", host.name);
        assert!(!answer.output.contains("\\r"), "{}: {}", host.name, answer.output);
    }
    for (host, answer) in
        answers(&project, "\tdef count(self):\r\n\t\treturn len(self.items)", "\tdef count(self):\r\n\t\treturn 7")
    {
        assert!(is_silent(host, &answer), "{}: {}", host.name, answer.output);
    }
}

#[test]
fn a_failure_event_about_a_success_gets_silence() {
    let project = Project::new();
    for host in Host::all() {
        let Some(mut event) = project.event(host, "failed", OLD, NEW) else { continue };
        for error in ["/tool_response/error", "/tool_result/output/error", "/error"] {
            if let Some(error) = event.pointer_mut(error) {
                *error = Value::Null;
            }
        }
        if let Some(calls) = event.pointer_mut("/tool_calls/1/tool_response") {
            *calls = "The file was updated.".into();
        }
        // Cursor has an event of its own for failures.
        let expected = usize::from(host.name == "cursor");
        let answer = host.explain(&event.to_string());
        assert_eq!(usize::from(!is_silent(host, &answer)), expected, "{}: {}", host.name, answer.output);
    }
}

#[test]
fn an_explanation_is_short() {
    let lines: Vec<String> = (0..2_000).map(|line| format!("\t\tself.line_{line} = {line}\n")).collect();
    let long = lines.concat();
    let project = Project::with(long.as_bytes());
    for host in Host::all() {
        let old = long.replace("line_1999", "lime_2001").replace("line_7 ", "rine_8 ");
        let Some(event) = project.event(host, "failed", &old, "\t\tpass\n") else { continue };
        let answer = host.explain(&event.to_string()).output;
        assert!(answer.len() < 6_000, "{}: {}", host.name, answer.len());
    }
}

#[test]
fn the_numbers_are_stored_by_host_and_model() {
    let state = tempfile::tempdir().expect("a directory");
    let counts = Counts::at(state.path().join("hooks"));
    let project = Project::new();
    let codex = Host::named("codex").expect("a host");
    for (old, new) in [(OLD, NEW), ("\t\treturn len(self.items)", "\t\treturn 7"), (OLD, NEW)] {
        let event = project.event(codex, "patch", old, new).expect("an event");
        counts.add(codex, &codex.repair(&event.to_string())).expect("counted");
    }
    counts.add(codex, &codex.silent()).expect("nothing to count");
    let [count] = &counts.read().expect("read")[..] else { panic!("one host") };
    assert_eq!((count.host.as_str(), count.model.as_str()), ("codex", "gpt-5.6-sol"));
    assert_eq!((count.exact, count.repaired, count.refused), (1, 2, 0));
}

#[test]
fn no_count_is_lost_when_the_file_is_added_up() {
    let state = tempfile::tempdir().expect("a directory");
    let project = Project::new();
    let codex = Host::named("codex").expect("a host");
    let event = project.event(codex, "patch", OLD, NEW).expect("an event");
    let answer = codex.repair(&event.to_string());
    let directory = state.path().join("hooks");
    let counts = Counts::at(&directory);
    counts.add(codex, &answer).expect("counted");
    let file = directory.join("counts.jsonl");
    let line = fs::read(&file).expect("a file");
    let lines = (1 << 20) / line.len();
    fs::write(&file, line.repeat(lines)).expect("written");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..25).for_each(|_| counts.add(codex, &answer).expect("counted")));
        }
    });
    assert!(fs::metadata(&file).expect("a file").len() < 100_000, "it was added up");
    assert_eq!(counts.read().expect("read")[0].repaired, lines + 200);
}
