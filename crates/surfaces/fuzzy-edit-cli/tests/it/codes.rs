//! Every code is reached from the command line, with its exit code and a next step of its own.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::support::Place;
use fuzzy_edit::{Code, Held, State, hold};
use schemars::schema_for;
use serde_json::{Value, json};

/// A command line, and its standard input.
struct Invocation {
    arguments: Vec<&'static str>,
    input: String,
    /// A lock that this process holds while the command runs.
    _lock: Option<Held>,
}

impl Invocation {
    /// Sends edits.
    fn edits(edits: &Value) -> Self {
        Self { arguments: vec!["apply", "--input", "-"], input: edits.to_string(), _lock: None }
    }

    /// Sends a patch.
    fn patch(patch: &str) -> Self {
        Self { arguments: vec!["patch"], input: patch.to_owned(), _lock: None }
    }

    fn with(mut self, options: &[&'static str]) -> Self {
        self.arguments.extend_from_slice(options);
        self
    }
}

/// A code, and a function that prepares a place with `file.txt` and `other.txt` and returns the command line.
type Case = (Code, fn(&Place) -> Invocation);

fn edit(file: &str, old: &str, new: &str) -> Value {
    json!({"file_path": file, "old_string": old, "new_string": new})
}

/// A command line with an edit that would succeed.
fn fine() -> Invocation {
    Invocation::edits(&edit("file.txt", "one", "1"))
}

fn remove(place: &Place) {
    fs::remove_file(place.path("file.txt")).unwrap();
}

/// One case for each code, in the order of the library.
const CASES: &[Case] = &[
    (Code::AlreadyApplied, |place| {
        place.write(
            "file.txt",
            "job.cancel()
job.wait()
",
        );
        Invocation::edits(&edit(
            "file.txt",
            "job.cancel()
",
            "job.cancel()
job.wait()
",
        ))
    }),
    (Code::NotFound, |_| Invocation::edits(&edit("file.txt", "nowhere", "x")).with(&["--ladder", "conservative"])),
    (Code::Ambiguous, |_| Invocation::edits(&edit("file.txt", "two", "2"))),
    (Code::Refused, |place| {
        fs::hard_link(place.path("file.txt"), place.path("link")).unwrap();
        fine()
    }),
    (Code::Conflict, |place| {
        place.write("file.txt", "name = first\nport = 9000\n");
        Invocation::edits(&edit("file.txt", "name = first\nport = 8080", "name = first\nport = 8081"))
    }),
    (Code::Identical, |_| Invocation::edits(&edit("file.txt", "one", "one"))),
    (Code::EmptyOld, |_| Invocation::edits(&edit("file.txt", "", "x"))),
    (Code::Overlap, |_| {
        let patch = "--- a/file.txt\n+++ b/file.txt\n@@ @@\n-one\n+new  text\n@@ @@\n-new text\n+x\n";
        Invocation::patch(patch).with(&["--ladder", "conservative"])
    }),
    (Code::Stale, |_| {
        let mut edit = edit("file.txt", "one", "1");
        edit["expected_hash"] = json!("0".repeat(64));
        Invocation::edits(&edit)
    }),
    (Code::CountMismatch, |_| {
        let mut edit = edit("file.txt", "two", "2");
        (edit["replace_all"], edit["count"]) = (json!(true), json!(3));
        Invocation::edits(&edit)
    }),
    (Code::FoundInOtherFile, |_| {
        let edits = json!([edit("file.txt", "elsewhere", "x"), edit("other.txt", "elsewhere", "x")]);
        Invocation::edits(&edits).with(&["--ladder", "conservative"])
    }),
    (Code::RepeatedFailure, |place| {
        let edit = edit("file.txt", "two", "2");
        place.run_with(&["apply", "--input", "-", "--log", "log"], edit.to_string().as_bytes());
        Invocation::edits(&edit).with(&["--log", "log"])
    }),
    (Code::Placeholder, |_| Invocation::edits(&edit("file.txt", "one\ntwo\ntwo\n", "zero\n# ... existing code\n"))),
    (Code::BadInput, |_| Invocation::edits(&json!({"file_path": "file.txt"}))),
    (Code::Parse, |_| Invocation::patch("<<<<<<< SEARCH\none\n=======\n1\n")),
    (Code::OutsideRoot, |_| Invocation::edits(&edit("../file.txt", "one", "1"))),
    (Code::NotAFile, |place| {
        remove(place);
        fs::create_dir(place.path("file.txt")).unwrap();
        fine()
    }),
    (Code::Missing, |place| {
        remove(place);
        fine()
    }),
    (Code::Exists, |_| Invocation::patch("*** Begin Patch\n*** Add File: other.txt\n+new\n*** End Patch\n")),
    (Code::Permission, |place| {
        fs::set_permissions(place.path("file.txt"), Permissions::from_mode(0o444)).unwrap();
        fine()
    }),
    (Code::Binary, |place| {
        place.write("file.txt", b"one\0");
        fine()
    }),
    (Code::Encoding, |place| {
        place.write("file.txt", b"one \xff\x01");
        fine()
    }),
    (Code::TooLarge, |place| {
        File::create(place.path("file.txt")).unwrap().set_len((32 << 20) + 1).unwrap();
        fine()
    }),
    (Code::Timeout, |place| {
        place.write("file.txt", "some line of text\n".repeat(100_000));
        let edit = edit("file.txt", "absent  text", "x");
        Invocation::edits(&edit).with(&["--ladder", "conservative", "--timeout-ms", "0"])
    }),
    (Code::Busy, |place| {
        let state = State::at(place.state().join("fuzzy-edit"));
        let lock = hold(&state, &place.path("file.txt").canonicalize().unwrap()).unwrap();
        Invocation { _lock: Some(lock), ..fine().with(&["--timeout-ms", "50"]) }
    }),
    (Code::Io, |place| {
        remove(place);
        symlink("file.txt", place.path("file.txt")).unwrap();
        fine()
    }),
];

#[test]
fn every_code_has_a_case() {
    let reached: Vec<&str> = CASES.iter().map(|(code, _)| code.as_str()).collect();
    let all: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    // The codes of edits precede those of checkpoints and servers.
    let (edits, others) = all.split_at(reached.len());
    assert_eq!(reached, edits);
    assert_eq!(others.first(), Some(&"not_a_worktree"));
    // The list is written by hand, the schema is generated from the type.
    let schema = schema_for!(Code).to_value();
    let variants = schema["oneOf"].as_array().unwrap().iter();
    let known: Vec<&str> = variants.map(|variant| variant["const"].as_str().unwrap()).collect();
    assert_eq!(known, all);
}

#[test]
fn every_case_ends_with_its_code_and_a_next_step() {
    let mut next_steps = BTreeMap::new();
    for (code, prepare) in CASES {
        let place = Place::with("one\ntwo\ntwo\n");
        place.write("other.txt", "elsewhere\n");
        let invocation = prepare(&place);
        let answer = place.run_with(&[&invocation.arguments[..], &["--json"]].concat(), invocation.input.as_bytes());
        let report = answer.json();
        assert_eq!(answer.code, i32::from(code.exit_code()), "{code}: {answer:?}");
        if *code == Code::AlreadyApplied {
            // A success needs no next step.
            assert_eq!((report["status"].as_str(), report["changed"].as_bool()), (Some(code.as_str()), Some(false)));
            continue;
        }
        assert_eq!(report["code"], code.as_str(), "{report}");
        assert!(report["message"].as_str().is_some_and(|text| text.len() > 10), "{report}");
        let next_step = report["next_step"].as_str().unwrap().to_owned();
        assert!(next_step.len() > 10 && next_step.ends_with('.'), "{report}");
        assert!(answer.err.contains(&next_step), "people are told, too: {}", answer.err);
        if let Some(other) = next_steps.insert(next_step, code) {
            panic!("{code} and {other} have the same next step: {report}");
        }
    }
}
