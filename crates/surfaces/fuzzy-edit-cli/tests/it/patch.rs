//! Patches: the whole corpus, the documentation's examples, reports and failures.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fuzzy_testkit::patches::{self, PatchCase};

use crate::support::{Answer, Place, schema_error};

/// The least number of cases in the corpus.
const LEAST: usize = 200;

/// Makes the files of a case below `root`, a directory in the place, so that paths can lead out of it.
fn prepared(files: &BTreeMap<&str, String>) -> Place {
    let place = Place::new();
    fs::create_dir(place.path("root")).unwrap();
    for (name, text) in files {
        let path = place.path("root").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

fn apply(place: &Place, case: &PatchCase, more: &[&str]) -> Answer {
    let mut arguments = vec!["patch", "--root", "root", "--ladder", "adaptive", "--json"];
    arguments.extend(case.target.iter().flat_map(|target| ["--file", *target]));
    arguments.extend(more);
    place.run_with(&arguments, case.patch.as_bytes())
}

/// Returns every file below `folder` by its name there.
fn files_below(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

fn owned(files: &BTreeMap<&str, String>) -> BTreeMap<String, String> {
    files.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect()
}

/// Returns a message if the result of a case is wrong.
fn complaint(case: &PatchCase) -> Option<String> {
    let place = prepared(&case.files);
    let dry = apply(&place, case, &["--dry-run"]);
    if files_below(&place.path("root")) != owned(&case.files) {
        return Some("a dry run changed a file".to_owned());
    }
    let answer = apply(&place, case, &[]);
    let report = answer.json();
    if let Some(error) = schema_error("patch", &report) {
        return Some(format!("the report does not fit its schema: {error}"));
    }
    let code = case.error.map(|(code, _)| code);
    if report["code"].as_str() != code {
        return Some(format!("not {code:?}: {report:#}"));
    }
    if dry.code != answer.code || (answer.code == 0) != case.error.is_none() {
        return Some(format!("exit codes {} and {}", dry.code, answer.code));
    }
    if case.error.is_some() && report["next_step"].as_str().is_none_or(str::is_empty) {
        return Some(format!("no next step: {report:#}"));
    }
    // A patch that fails writes no file.
    let expected = if code.is_some() { owned(&case.files) } else { owned(&case.files_after()) };
    let found = files_below(&place.path("root"));
    (found != expected).then(|| format!("expected {expected:#?}, found {found:#?}"))
}

#[test]
fn every_patch_of_the_corpus_has_its_expected_result() {
    let cases = patches::cases();
    assert!(cases.len() >= LEAST, "{} cases", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| complaint(case).map(|why| format!("{}, {}: {why}", case.kind, case.name)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Returns the fenced blocks of a text whose first line ends in `kind`.
fn blocks<'t>(text: &'t str, kind: &str) -> Vec<&'t str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("```") {
        let (info, body) = rest[start..].split_once('\n').unwrap();
        let fence = "`".repeat(info.bytes().take_while(|byte| *byte == b'`').count());
        let end = body.find(&format!("\n{fence}\n")).unwrap() + 1;
        if info.ends_with(kind) {
            found.push(&body[..end]);
        }
        rest = &body[end + fence.len()..];
    }
    found
}

#[test]
fn the_examples_of_the_documentation_make_the_same_edit() {
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/patches.md")).unwrap();
    let (before, after) = (blocks(&document, " before")[0], blocks(&document, " after")[0]);
    let patches = blocks(&document, " patch");
    assert_eq!(patches.len(), 3);
    for patch in patches {
        let place = Place::new();
        place.write("cart.py", before);
        let answer = place.run_with(&["patch"], patch.as_bytes());
        assert_eq!((answer.code, place.text("cart.py").as_str()), (0, after), "{patch}: {}", answer.err);
    }
}

#[test]
fn each_edit_is_reported_with_its_file() {
    let place = Place::with("one\ntwo\n");
    let patch =
        "*** Begin Patch\n*** Update File: file.txt\n@@\n-two\n+zwei\n*** Add File: new.txt\n+three\n*** End Patch\n";
    place.write("fix.patch", patch);
    let dry = place.run(&["patch", "fix.patch", "--dry-run"]);
    assert_eq!((dry.code, place.text("file.txt").as_str()), (0, "one\ntwo\n"));
    assert!(dry.out.contains("would apply: `file.txt` line 2 (exact"), "{}", dry.out);
    let answer = place.run(&["patch", "fix.patch", "--diff"]);
    assert!(answer.out.contains("+zwei") && answer.out.contains("`new.txt`"), "{}", answer.out);
    assert_eq!((place.text("file.txt").as_str(), place.text("new.txt").as_str()), ("one\nzwei\n", "three\n"));
    // Applying the patch again fails in each part with its reason.
    let again = place.run(&["patch", "fix.patch", "--json"]);
    let report = again.json();
    let codes = [&report["edits"][0]["code"], &report["edits"][1]["code"]].map(|code| code.as_str());
    assert_eq!((again.code, codes), (1, [Some("not_found"), Some("exists")]));
}

#[test]
fn a_malformed_patch_has_a_line_and_a_next_step() {
    let place = Place::with("one\n");
    let answer = place.run_with(&["patch", "--file", "file.txt"], b"<<<<<<< SEARCH\none\n=======\ntwo\n");
    assert_eq!(answer.code, 2);
    let expected =
        "parse: line 1 of the patch: the block that begins on line 1 has no `>>>>>>> REPLACE`. Resend the whole";
    assert!(answer.err.contains(expected), "{}", answer.err);
    for (input, code) in [(&b"\xff\xfe\x00"[..], "bad_input"), (b"", "parse"), (b"\0", "parse")] {
        let answer = place.run_with(&["patch", "--json"], input);
        assert_eq!((answer.code, answer.json()["code"].as_str()), (2, Some(code)));
    }
    let missing = place.run(&["patch", "no.patch", "--json"]);
    assert_eq!((missing.code, missing.json()["code"].as_str()), (2, Some("bad_input")));
    assert_eq!(place.text("file.txt"), "one\n");
}
