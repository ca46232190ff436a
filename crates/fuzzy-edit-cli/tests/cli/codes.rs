//! Codes of failures are reached from the command line, each with its exit code and a next step.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::support::Place;
use fuzzy_edit::Code;
use serde_json::{Value, json};

/// Codes without a case here: a success, two that take a patch, and one that takes a second process.
const ELSEWHERE: &[Code] = &[Code::AlreadyApplied, Code::Parse, Code::Exists, Code::Busy];

/// Prepares a place with `file.txt` and `other.txt`, and returns the edits to send and further options.
type Case = (Code, fn(&Place) -> (Value, &'static [&'static str]));

fn edit(file: &str, old: &str, new: &str) -> Value {
    json!({"file_path": file, "old_string": old, "new_string": new})
}

/// An edit that would succeed.
fn fine() -> Value {
    edit("file.txt", "one", "1")
}

fn remove(place: &Place) {
    fs::remove_file(place.path("file.txt")).unwrap();
}

const CASES: &[Case] = &[
    (Code::NotFound, |_| (edit("file.txt", "nowhere", "x"), &["--ladder", "conservative"])),
    (Code::Ambiguous, |_| (edit("file.txt", "two", "2"), &[])),
    (Code::Refused, |place| {
        fs::hard_link(place.path("file.txt"), place.path("link")).unwrap();
        (fine(), &[])
    }),
    (Code::Identical, |_| (edit("file.txt", "one", "one"), &[])),
    (Code::EmptyNeedle, |_| (edit("file.txt", "", "x"), &[])),
    (Code::Overlap, |_| {
        let edits = json!([edit("file.txt", "one", "new  text"), edit("file.txt", "new text", "x")]);
        (edits, &["--ladder", "conservative"])
    }),
    (Code::Stale, |_| {
        let mut edit = fine();
        edit["expected_hash"] = json!("0".repeat(64));
        (edit, &[])
    }),
    (Code::CountMismatch, |_| {
        let mut edit = edit("file.txt", "two", "2");
        (edit["replace_all"], edit["count"]) = (json!(true), json!(3));
        (edit, &[])
    }),
    (Code::FoundInOtherFile, |_| {
        let edits = json!([edit("file.txt", "elsewhere", "x"), edit("other.txt", "elsewhere", "x")]);
        (edits, &["--ladder", "conservative"])
    }),
    (Code::RepeatedFailure, |place| {
        let edit = edit("file.txt", "two", "2");
        place.run_with(&["apply", "--input", "-", "--log", "log"], edit.to_string().as_bytes());
        (edit, &["--log", "log"])
    }),
    (Code::BadInput, |_| (json!({"file_path": "file.txt"}), &[])),
    (Code::OutsideRoot, |_| (edit("../file.txt", "one", "1"), &[])),
    (Code::NotAFile, |place| {
        remove(place);
        fs::create_dir(place.path("file.txt")).unwrap();
        (fine(), &[])
    }),
    (Code::Missing, |place| {
        remove(place);
        (fine(), &[])
    }),
    (Code::Permission, |place| {
        fs::set_permissions(place.path("file.txt"), Permissions::from_mode(0o444)).unwrap();
        (fine(), &[])
    }),
    (Code::Binary, |place| {
        place.write("file.txt", b"one\0");
        (fine(), &[])
    }),
    (Code::Encoding, |place| {
        place.write("file.txt", b"one \xff");
        (fine(), &[])
    }),
    (Code::TooLarge, |place| {
        File::create(place.path("file.txt")).unwrap().set_len((32 << 20) + 1).unwrap();
        (fine(), &[])
    }),
    (Code::Timeout, |place| {
        place.write("file.txt", "some line of text\n".repeat(100_000));
        (edit("file.txt", "absent  text", "x"), &["--ladder", "conservative", "--timeout-ms", "0"])
    }),
    (Code::Io, |place| {
        remove(place);
        symlink("file.txt", place.path("file.txt")).unwrap();
        (fine(), &[])
    }),
];

#[test]
fn every_code_has_a_case() {
    let names = |codes: &mut dyn Iterator<Item = Code>| codes.map(Code::as_str).collect::<BTreeSet<_>>();
    let reached = names(&mut CASES.iter().map(|(code, _)| *code).chain(ELSEWHERE.iter().copied()));
    assert_eq!(reached, names(&mut Code::ALL.iter().copied()));
}

#[test]
fn every_case_ends_with_its_code_and_a_next_step() {
    for (code, prepare) in CASES {
        let place = Place::with("one\ntwo\ntwo\n");
        place.write("other.txt", "elsewhere\n");
        let (edits, options) = prepare(&place);
        let arguments = [&["apply", "--input", "-", "--json"][..], options].concat();
        let answer = place.run_with(&arguments, edits.to_string().as_bytes());
        let report = answer.json();
        assert_eq!(report["code"], code.as_str(), "{report}");
        assert_eq!(answer.code, i32::from(code.exit_code()), "{code}");
        for field in ["message", "next_step"] {
            assert!(report[field].as_str().is_some_and(|text| text.len() > 10), "{code}: {field}");
        }
        assert!(report["next_step"].as_str().is_some_and(|step| step.ends_with('.')), "{report}");
    }
}
