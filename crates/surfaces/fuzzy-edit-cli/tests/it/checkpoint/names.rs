//! File names and labels with control characters and other unusual bytes.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use serde_json::{Value, json};

use crate::place::{Place, run};

#[test]
fn odd_names_are_restored_and_printed_safely() {
    let place = Place::new();
    let names: [&[u8]; 7] = [
        b"-x",
        b"line\nend",
        b"caf\xe9",
        "\u{e9}t\u{e9} \u{4e2d}\u{6587}".as_bytes(),
        b"\x1b[31m",
        b" blank ",
        b"q\"\\",
    ];
    let all: Vec<&OsStr> = names.iter().map(|name| OsStr::from_bytes(name)).collect();
    for name in &all {
        place.write(name, "then\n");
    }
    let before = place.files();
    let id = place.create();
    for name in &all {
        place.write(name, "now\n");
    }
    let plan = place.json(&["restore", &id, "--dry-run"]);
    let written: Vec<&Value> = plan["files_to_write"].as_array().unwrap().iter().collect();
    assert!(written.contains(&&json!("line\nend")) && written.contains(&&json!(b"caf\xe9")), "{written:?}");
    assert_eq!(written.len(), names.len());
    let printed = place.run(&["restore", &id, "--dry-run"]).text();
    for line in ["  -x", r#"  "line\nend""#, r#"  "caf\xe9""#, r#"  "\u{1b}[31m""#, "  \u{e9}t\u{e9} \u{4e2d}\u{6587}"]
    {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    for name in &all {
        let mut paths = std::ffi::OsString::from("--paths=");
        paths.push(name);
        let answer = run(place.command(&place.root(), &["restore", &id, "--yes", "--json"]).arg(paths));
        assert_eq!((answer.code, &answer.json()["files_written"]), (0, &json!(1)), "{name:?}: {}", answer.err);
    }
    assert_eq!(place.files(), before);
}

#[test]
fn labels_are_kept_and_cannot_control_a_terminal() {
    let place = Place::new();
    let label = "\u{1b}[2J caf\u{e9}\n";
    assert_eq!(place.json(&["create", "--label", label])["label"], json!(label));
    let printed = place.run(&["list"]).text();
    assert!(printed.ends_with("\\u{1b}[2J caf\u{e9}\\n\n"), "{printed}");
}
