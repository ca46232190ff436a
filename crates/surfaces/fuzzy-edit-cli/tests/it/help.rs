//! Help, completions and manual pages; every example of the help works.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use crate::mcp::{Listening, Server};
use crate::page::path;
use crate::support::Place;
use flate2::Compression;
use flate2::write::GzEncoder;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::json;

/// Verbs that serve until they are stopped. The examples of `mcp` are run below, those of `serve` by `serve/docs.rs`,
/// those of `playground` by `playground.rs`.
const SERVERS: &[&str] = &["mcp", "serve", "playground"];

/// Examples whose prerequisites no command makes: a restore that was killed half-way, see `checkpoint/interrupted.rs`,
/// a Parquet file, see `replay_parquet.rs`, the log of a host, see `replay_logs.rs`, projects with a build, see `turns/bisect.rs`, and many turns.
const LEFT_OUT: &[&str] = &[
    "fuzzy-edit checkpoint restore --abort 01KAN4QX",
    "fuzzy-edit replay edits.parquet --ladder adaptive,full",
    "fuzzy-edit replay --from claude-code ~/.claude/projects --group-by kind,model",
    "fuzzy-edit turns bisect -- cargo test",
    "fuzzy-edit turns bisect --link node_modules -- npm test",
    "fuzzy-edit turns revert 2..4 --yes --json",
    "fuzzy-edit turns forget 1..2 --yes --json",
];

/// Verbs whose examples leave everything as it is, so that they share a place.
const READERS: &[&str] = &[
    "locate",
    "explain",
    "ladders",
    "rule",
    "schema",
    "completions",
    "man",
    "checkpoint list",
    "checkpoint show",
    "checkpoint diff",
    "checkpoint doctor",
    "turns show",
    "turns diff",
    "turns log",
    "turns blame",
];

/// Makes the files that the examples name, in the worktree `tree`, next to a home and another clone.
fn place() -> Place {
    let place = Place::new();
    for folder in ["tree/src", "home/project", "home/src/shop", "home/src/lib"] {
        fs::create_dir_all(place.path(folder)).unwrap();
    }
    let write = |name: &str, bytes: &[u8]| place.write(&format!("tree/{name}"), bytes);
    let cart = "def sum(cart):\n    for price, count in cart:\n        total += price\n    return cart\n";
    write("src/cart.py", cart.as_bytes());
    let cell = |source: &str| json!({"cell_type": "code", "metadata": {}, "outputs": [], "source": [source]});
    let cells = ["import os", "total = 0", "print(total)"].map(cell);
    write("cart.ipynb", json!({"cells": cells, "nbformat": 4, "nbformat_minor": 4}).to_string().as_bytes());
    write("old.txt", b"        total += price\n");
    write("new.txt", b"        total += price * count\n");
    write("a.txt", b"one\n");
    write("edits.json", br#"[{"file_path":"a.txt","old_string":"one","new_string":"two"}]"#);
    write("answer.md", b"a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n");
    write("block.txt", b"<<<<<<< SEARCH\n        total += price\n=======\n        total += 1\n>>>>>>> REPLACE\n");
    write("fix.diff", b"--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n");
    let cases = "{\"id\":1,\"content\":\"a  b\",\"old\":\"a b\",\"new\":\"c\"}\n";
    for name in ["cases.jsonl", "edits.jsonl"] {
        write(name, cases.as_bytes());
    }
    for name in ["monday.jsonl.gz", "tuesday.jsonl.gz"] {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        std::io::Write::write_all(&mut encoder, cases.as_bytes()).unwrap();
        write(name, &encoder.finish().unwrap());
    }
    write(
        "event.json",
        br#"{"tool_name":"replace","tool_input":{"file_path":"a.txt","old_string":"one","new_string":"2"}}"#,
    );
    write("prompt.json", br#"{"session_id":"0b6c","prompt":"Count the items."}"#);
    let output = shell(&place, "git init -q .; git add -A; cp -r . ../other-clone").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    place
}

/// Returns a command line to run in the worktree.
fn shell(place: &Place, line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", line]).current_dir(place.path("tree")).env("PATH", path());
    shell.env("HOME", place.path("home")).env("XDG_STATE_HOME", place.path("state"));
    shell
}

/// Returns the commands that prepare the examples of a verb.
fn before(verb: &str) -> &'static str {
    match verb {
        // An edit to undo.
        "undo" => {
            "fuzzy-edit apply a.txt --old one --new two
             cd ~/project; fuzzy-edit apply b.txt --old '' --new one; cd -"
        }
        // The settings directory of a host.
        "init" => "mkdir ~/.gemini",
        // A turn that runs, one that was undone, and one that broke a file.
        "turns end" => "fuzzy-edit hook claude-code turn-begin < prompt.json; fuzzy-edit turns",
        // An undo to redo.
        // A turn of a program.
        "run" => "fuzzy-edit run -- sh -c 'echo two > a.txt'",
        "redo" => "fuzzy-edit apply a.txt --old one --new two; fuzzy-edit undo",
        // A turn.
        _ if verb.starts_with("turns") => {
            "fuzzy-edit hook claude-code turn-begin < prompt.json
             fuzzy-edit turns
             echo two | tee a.txt >> src/cart.py
             fuzzy-edit hook claude-code turn-end < prompt.json"
        }
        // A change for `git diff` in a file that no other patch touches.
        "patch" => "echo two > edits.jsonl",
        // The ids of the examples: two checkpoints, or a checkpoint and a restore.
        _ if verb.starts_with("checkpoint") => {
            "id() { sed 's/.*\"'$1'\":\"\\([^\"]*\\)\".*/\\1/'; }
             first=$(fuzzy-edit checkpoint create --json | id id)
             echo two > a.txt
             second=$(fuzzy-edit checkpoint create --json | id id)
             fuzzy-edit checkpoint restore $second --yes"
        }
        _ => ":",
    }
}

/// Returns an example that can run: with existing ids, and with the answer to its question.
fn concrete(example: &str) -> String {
    let example = example.replace("01KAN3F2", "$first").replace("01KAN4QX", "$second");
    let mut asking = ["checkpoint restore", "init", "turns revert", "turns restore"].iter();
    let can_ask = asking.any(|verb| example.contains(&format!("fuzzy-edit {verb}")));
    let asks = can_ask && !["--yes", "--dry-run", "--check"].iter().any(|option| example.contains(option));
    example + if asks { " --yes" } else { "" }
}

/// Returns the verbs that the help lists and this build has.
fn verbs() -> Vec<String> {
    let help = Place::new().run(&["--help"]).out;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let verb =
        |line: &str| line.strip_prefix("  ")?.split(' ').next().filter(|verb| !verb.is_empty()).map(str::to_owned);
    list.lines().filter(|line| !line.contains("(not in this build")).filter_map(verb).collect()
}

/// Returns the examples of a verb, or of a verb of `checkpoint`.
pub(crate) fn examples(verb: &str) -> Vec<String> {
    let arguments: Vec<&str> = verb.split(' ').chain(["--help"]).collect();
    let help = Place::new().run(&arguments).out;
    let examples = help.split("Examples:\n").nth(1).unwrap_or_else(|| panic!("{verb} has no examples: {help}"));
    examples.lines().map_while(|line| line.strip_prefix("  ")).map(str::to_owned).collect()
}

#[test]
fn every_example_of_the_help_works() {
    let mut verbs = verbs();
    assert!(verbs.len() >= 8, "{verbs:?}");
    let below = ["create", "list", "show", "diff", "restore", "prune", "doctor", "recover"];
    verbs.extend(below.map(|verb| format!("checkpoint {verb}")));
    let below = ["show", "diff", "log", "blame", "bisect", "revert", "restore", "end", "keep", "forget"];
    verbs.extend(below.map(|verb| format!("turns {verb}")));
    for verb in verbs.iter().filter(|verb| *verb != "help" && !SERVERS.contains(&verb.as_str())) {
        let examples = examples(verb);
        assert!(examples.len() > 1, "{verb}");
        let examples = examples.iter().filter(|example| !LEFT_OUT.contains(&example.as_str()));
        let examples: Vec<_> = examples.map(|example| concrete(example)).collect();
        let together = if READERS.contains(&verb.as_str()) { examples.len() } else { 1 };
        for lines in examples.chunks(together) {
            let lines = lines.join("\n");
            let output = shell(&place(), &format!("{{ {}; }} >&2\nset -x\n{lines}", before(verb))).output().unwrap();
            assert!(output.status.success(), "{lines}: {output:?}");
        }
    }
}

#[test]
fn every_example_of_a_server_starts_it() {
    for example in examples("mcp") {
        // Text after three spaces is a remark.
        let command = example.split("   ").next().unwrap().replace("fuzzy-edit", "exec fuzzy-edit");
        let place = place();
        if command.contains("--http") {
            let command = command.replace("7345", "0").replace('…', "a-token-of-our-own");
            let mut shell = shell(&place, &command);
            shell.stdout(Stdio::null()).stderr(Stdio::piped());
            assert_eq!(Listening::start(shell).initialize("a-token-of-our-own"), "HTTP/1.1 200 OK\r\n");
        } else {
            let mut server = Server::start(shell(&place, &command));
            assert!(server.request("tools/list", &json!({}))["tools"].is_array());
            server.end();
        }
    }
}

#[test]
fn every_verb_has_examples() {
    for verb in verbs().iter().filter(|verb| *verb != "help") {
        assert!(!examples(verb).is_empty(), "{verb}");
    }
}

#[test]
fn completions_know_the_verbs_and_their_options() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let answer = place.run(&["completions", shell]);
        assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{shell}");
        for word in ["replay", "expected-hash", "completions", "schema"] {
            assert!(answer.out.contains(word), "{shell}: {word}");
        }
    }
    place.write("script", place.run(&["completions", "bash"]).out);
    let parsed = Command::new("bash").arg("-n").arg(place.path("script")).output();
    if let Ok(parsed) = parsed {
        assert!(parsed.status.success(), "{parsed:?}");
    }
    assert_eq!(place.run(&["completions", "rc"]).code, 2);
}

#[test]
fn the_command_and_its_verbs_have_manual_pages() {
    let place = Place::new();
    let page = place.run(&["man"]).out;
    assert!(page.contains(".TH fuzzy-edit 1") && page.contains("replay"), "{page}");
    let page = place.run(&["man", "apply"]).out;
    assert!(page.contains(".TH fuzzy-edit-apply 1") && page.contains("\\-\\-min\\-confidence"), "{page}");
    let page = place.run(&["man", "checkpoint", "restore"]).out;
    assert!(cfg!(not(feature = "checkpoint")) || page.contains(".TH fuzzy-edit-checkpoint-restore 1"), "{page}");
    let answer = place.run(&["man", "sing"]);
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("there is no verb `sing`"), "{}", answer.err);
}

/// The arguments of an edit with its diff.
const DIFF: [&str; 7] = ["apply", "file.txt", "--old", "one", "--new", "two", "--diff"];

/// Returns the output of a command on a terminal.
fn on_a_terminal(arguments: &[&str], variable: (&str, &str)) -> String {
    let place = Place::with("one\n");
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let screen = fs::OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut command = place.command(arguments);
    command.env_remove("NO_COLOR").env("TERM", "xterm").env(variable.0, variable.1).stdout(screen);
    // The output fits the terminal's buffer.
    assert!(command.status().unwrap().success());
    drop(command);
    // Reading returns an error, because no process has the terminal open.
    let mut bytes = Vec::new();
    let _ = fs::File::from(terminal).read_to_end(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn terminals_get_colours_and_a_pager_unless_the_environment_forbids_them() {
    let coloured = on_a_terminal(&DIFF, ("LANG", "C"));
    assert!(coloured.contains("\u{1b}[31m-one\u{1b}[m\r\n\u{1b}[32m+two\u{1b}[m\r\n"), "{coloured:?}");
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let plain = on_a_terminal(&DIFF, variable);
        assert!(plain.contains("-one\r\n+two\r\n") && !plain.contains('\u{1b}'), "{plain:?}");
    }
    let explain = ["explain", "file.txt", "--old", "one"];
    for (pager, begins) in [("sed s/^/=/", "=`file.txt`, "), ("", "`file.txt`, "), ("/no/such/pager", "`file.txt`, ")] {
        let paged = on_a_terminal(&explain, ("PAGER", pager));
        assert!(paged.starts_with(begins), "{pager}: {paged:?}");
    }
    let piped = |colour: &str| {
        let edit = ["apply", "file.txt", "--old", "one", "--new", "two", "--diff", "--color", colour];
        Place::with("one\n").run(&edit).out
    };
    for colour in ["auto", "never"] {
        assert!(piped(colour).contains("-one\n+two\n") && !piped(colour).contains('\u{1b}'), "{}", piped(colour));
    }
    let words = ["apply", "file.txt", "--old", "two", "--new", "three", "--diff", "--color", "always"];
    let words = Place::with("one two\n").run(&words).out;
    let rows = "\u{1b}[31m-one \u{1b}[7mtwo\u{1b}[27m\u{1b}[m\n\u{1b}[32m+one \u{1b}[7mthree\u{1b}[27m\u{1b}[m\n";
    assert!(words.contains(rows), "{words:?}");
    assert!(piped("always").contains("\u{1b}[31m-one\u{1b}[m\n\u{1b}[32m+two\u{1b}[m\n"), "{}", piped("always"));
}
