//! Files that are not UTF-8, with every verb that reads or writes them.

use crate::support::Place;
use serde_json::json;

/// `Größe = 5 €` and a byte that windows-1252 does not define, with CRLF.
const LATIN: &[u8] = b"# Gr\xf6\xdfe\r\nPreis = 5 \x80 \x81\r\nEnde\r\n";

#[test]
fn apply_detects_and_reports_the_encoding() {
    for option in [&[][..], &["--encoding", "auto"], &["--encoding", "latin1"]] {
        let place = Place::with(LATIN);
        let edit = ["apply", "file.txt", "--old", "Preis = 5 €", "--new", "Größe = “6” €\n§", "--json"];
        let answer = place.run(&[&edit[..], option].concat());
        assert_eq!(answer.code, 0, "{answer:?}");
        let is_detected = option.last() != Some(&"latin1");
        assert_eq!(answer.json()["encoding"], "windows-1252");
        assert_eq!(answer.json()["encoding_detected"], is_detected);
        let expected = b"# Gr\xf6\xdfe\r\nGr\xf6\xdfe = \x936\x94 \x80\r\n\xa7 \x81\r\nEnde\r\n";
        assert_eq!(place.bytes("file.txt"), expected);
        assert_eq!(place.run(&["undo"]).code, 0);
        assert_eq!(place.bytes("file.txt"), LATIN);
    }
}

#[test]
fn the_text_names_a_likely_encoding() {
    let place = Place::with(LATIN);
    let note = "the file is read as windows-1252, its likely encoding\n";
    let edit = ["--old", "Ende", "--new", "Schluß"];
    for verb in ["locate", "apply"] {
        let answer = place.run(&[&[verb, "file.txt"], &edit[..]].concat());
        assert!(answer.out.ends_with(note), "{answer:?}");
    }
    let explained = place.run(&["explain", "file.txt", "--old", "Größe"]);
    assert!(explained.out.starts_with("`file.txt`, likely windows-1252, ladder adaptive"), "{explained:?}");
    let utf8 = Place::with("Größe\n");
    let answer = utf8.run(&["apply", "file.txt", "--old", "Größe", "--new", "Maß"]);
    assert_eq!(answer.out, "applied: `file.txt` line 1 (exact)\n");
}

#[test]
fn places_count_bytes_of_the_file() {
    let place = Place::with(LATIN);
    for verb in ["locate", "explain"] {
        let answer = place.run(&[verb, "file.txt", "--old", "Ende", "--json"]).json();
        let found = if verb == "locate" { &answer["places"][0] } else { &answer["outcome"] };
        assert_eq!(found["bytes"], json!([24, 28]), "{answer}");
        assert_eq!((&answer["encoding"], &answer["encoding_detected"]), (&json!("windows-1252"), &json!(true)));
    }
}

#[test]
fn lists_and_patches_keep_undefined_bytes() {
    let place = Place::with("größer, kühler, höher\n");
    let mixed = [place.bytes("file.txt"), b"x \xff y\nlast\n".to_vec()].concat();
    place.write("file.txt", &mixed);
    place.write("latin.txt", LATIN);
    let edits = json!([
        {"file_path": "file.txt", "old_string": "x \u{fffd} y", "new_string": "ä \u{fffd} y"},
        {"file_path": "latin.txt", "old_string": "Ende", "new_string": "Änderung"},
        {"file_path": "new.txt", "old_string": "", "new_string": "neu: ä\n"},
    ]);
    place.write("edits.json", edits.to_string());
    let answer = place.run(&["apply", "--input", "edits.json", "--json"]);
    let encodings: Vec<_> =
        answer.json()["edits"].as_array().unwrap().iter().map(|it| it["encoding"].clone()).collect();
    assert_eq!(encodings, ["UTF-8", "windows-1252", "UTF-8"]);
    let expected = [&mixed[..mixed.len() - 11], "ä".as_bytes(), b" \xff y\nlast\n"].concat();
    assert_eq!(place.bytes("file.txt"), expected);
    assert_eq!(place.bytes("latin.txt"), [&LATIN[..LATIN.len() - 6], b"\xc4nderung\r\n"].concat());
    assert_eq!(place.text("new.txt"), "neu: ä\n");

    let patch = "--- a/file.txt\n+++ b/file.txt\n@@ -2,2 +2,2 @@\n ä \u{fffd} y\n-last\n+letzte\n";
    place.write("p.patch", patch);
    let answer = place.run(&["patch", "p.patch"]);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(place.bytes("file.txt").ends_with(b" \xff y\nletzte\n"));
}

#[test]
fn texts_of_arguments_have_to_be_utf_8() {
    let place = Place::with(LATIN);
    place.write("new.txt", b"Gr\xf6\xdfe");
    let answer = place.run(&["apply", "file.txt", "--old", "Ende", "--new", "@new.txt"]);
    assert_eq!(answer.code, 2, "{answer:?}");
    assert!(answer.err.contains("is not valid UTF-8: line 1 has a wrong byte at offset 2"), "{answer:?}");
    assert_eq!(place.bytes("file.txt"), LATIN);
}
