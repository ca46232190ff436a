//! `replay`: the answers of ladders to recorded edits.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::support::Place;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

/// One exact edit, one that differs in blanks, one with an expected refusal, and one without a label.
fn cases() -> Vec<Value> {
    let case = |id: &str, content: &str, old: &str, expected: Value, drift: &str| json!({"id": id, "content": content, "old": old, "new": "x", "expected": expected, "drift": drift});
    vec![
        case("exact", "a\nb\n", "b", json!("a\nx\n"), "none"),
        case("blanks", "a\nb  c\n", "b c", json!("a\nx\n"), "blanks"),
        case("twice", "b\nb\n", "b", json!(null), "refuse"),
        json!({"id": 7, "content": "a\tb", "old": "a b", "new": "x"}),
    ]
}

fn lines(cases: &[Value]) -> String {
    cases.iter().flat_map(|case| [case.to_string(), "\n".to_owned()]).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn replay(place: &Place, logs: &[&str], ladders: &str) -> Value {
    let answer = place.run(&[&["replay", "--json", "--ladder", ladders][..], logs].concat());
    assert_eq!(answer.code, 0, "{answer:?}");
    answer.json()
}

#[test]
fn answers_are_counted_by_ladder_tier_and_drift() {
    let place = Place::new();
    place.write("cases.jsonl", lines(&cases()));
    let report = replay(&place, &["cases.jsonl"], "conservative,opencode");
    assert_eq!((&report["edits"], &report["labelled"]), (&json!(4), &json!(3)));
    let [conservative, opencode] = &report["ladders"].as_array().unwrap()[..] else { panic!("{report}") };
    let counts = |ladder: &Value, of: [&str; 4]| of.map(|field| ladder[field].as_u64().unwrap());
    let fields = ["matched", "right", "wrong", "missed"];
    assert_eq!(counts(conservative, fields), [3, 3, 0, 0]);
    assert_eq!(counts(opencode, fields), [1, 2, 0, 1]);
    assert_eq!(conservative["codes"], json!({"ambiguous": 1}));
    assert_eq!(opencode["codes"], json!({"ambiguous": 1, "not_found": 2}));
    let tier = |matched: u64, ambiguous: u64, right: u64| json!({"matched": matched, "ambiguous": ambiguous, "instead": 0, "right": right, "whitespace": 0, "wrong": 0, "missed": 0});
    assert_eq!(conservative["tiers"]["exact"], tier(1, 1, 2));
    assert_eq!(conservative["tiers"]["whitespace-normalized/inline"], tier(2, 0, 1));
    let judged = |right: u64, missed: u64| json!({"right": right, "whitespace": 0, "wrong": 0, "missed": missed});
    assert_eq!(opencode["drifts"], json!({"none": judged(1, 0), "blanks": judged(0, 1), "refuse": judged(1, 0)}));
    for ladder in [conservative, opencode] {
        let [p50, p90, max] = ["p50", "p90", "max"].map(|name| ladder["us"][name].as_f64().unwrap());
        assert!(0.0 < p50 && p50 <= p90 && p90 <= max, "{ladder}");
    }
    assert_eq!(report["disagreements"]["count"], 2);
    let first = &report["disagreements"]["first"][0];
    assert_eq!((&first["id"], &first["line"], &first["source"]), (&json!("blanks"), &json!(2), &json!("cases.jsonl")));
    let answer_of =
        |ladder: &str, answer: &str, worth: &str| json!({"ladder": ladder, "answer": answer, "worth": worth});
    let expected = [
        answer_of("conservative", "whitespace-normalized/inline", "right"),
        answer_of("opencode", "not_found", "missed"),
    ];
    assert_eq!(first["answers"], json!(expected));
    assert_eq!(report["disagreements"]["first"][1]["id"], 7);
}

#[test]
fn a_wrong_answer_is_counted_as_wrong() {
    let place = Place::new();
    let mut wrong = cases();
    wrong[0]["expected"] = json!("a\ny\n");
    wrong[1]["expected"] = Value::Null;
    // Nothing is known of a span without its lines.
    wrong[2]["expected_kind"] = json!("span");
    place.write("cases.jsonl", lines(&wrong));
    let report = replay(&place, &["cases.jsonl"], "conservative");
    assert_eq!((&report["labelled"], &report["ladders"][0]["wrong"]), (&json!(2), &json!(2)));
    let text = place.run(&["replay", "cases.jsonl", "--ladder", "conservative,opencode"]).out;
    for part in ["4 edits, 2 of them labelled", "WRONG", "conservative: p50", "blanks, line 2 of `cases.jsonl`: "] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_log_with_texts_can_be_replayed() {
    let place = Place::with("one  two\nthree\n");
    for (options, old) in [(&["--log-text"][..], "one two"), (&[], "three"), (&["--log-text"], "missing")] {
        let arguments = ["apply", "file.txt", "--old", old, "--new", "x", "--log", "log.jsonl"];
        place.run(&[&arguments[..], options].concat());
    }
    let report = replay(&place, &["log.jsonl"], "conservative");
    assert_eq!((&report["edits"], &report["without_texts"], &report["labelled"]), (&json!(2), &json!(1), &json!(0)));
    let ladder = &report["ladders"][0];
    assert_eq!((&ladder["matched"], &ladder["codes"]), (&json!(1), &json!({"not_found": 1})));
    assert_eq!(report["unreadable"]["count"], 0);
}

#[test]
fn logs_may_be_gzipped_and_several_and_standard_input() {
    let place = Place::new();
    place.write("plain", lines(&cases()));
    // One file with two members, as `cat a.gz b.gz` produces.
    place.write("zipped.log", [gzip(&lines(&cases())), gzip(&lines(&cases()))].concat());
    let arguments = ["replay", "plain", "zipped.log", "-", "--ladder", "conservative", "--json"];
    let answer = place.run_with(&arguments, lines(&cases()).trim_end().as_bytes());
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    assert_eq!(answer.json()["edits"], 16);
}

#[test]
fn unreadable_lines_are_named_and_the_run_continues() {
    let place = Place::new();
    let good = lines(&cases()[..1]);
    place.write("cases.jsonl", format!("{good}not json\n\n{{\"id\":1}}\n{{\"id\":\"{}\"}}\n{good}", "x".repeat(900)));
    let zipped = gzip(&lines(&cases()).repeat(2000));
    place.write("cut.gz", &zipped[..zipped.len() / 2]);
    place.write("bytes", b"\xff\xfe\0\n");
    let logs = ["nothing", ".", "cut.gz", "bytes", "cases.jsonl"];
    let arguments = ["replay", "--json", "--max-bytes", "200", "--ladder", "conservative"];
    let answer = place.run(&[&arguments[..], &logs].concat());
    assert_eq!(answer.code, 0, "{answer:?}");
    let report = answer.json();
    let unreadable = report["unreadable"]["first"].as_array().unwrap();
    let at: Vec<_> = unreadable.iter().map(|one| (one["source"].as_str().unwrap(), one["line"].as_u64())).collect();
    assert_eq!((at[0].0, at[1].0, at[2].0), ("nothing", ".", "cut.gz"));
    assert!(at[2].1 > Some(0), "{at:?}");
    assert_eq!(
        at[3..],
        [("bytes", Some(1)), ("cases.jsonl", Some(2)), ("cases.jsonl", Some(4)), ("cases.jsonl", Some(5))]
    );
    assert!(unreadable[6]["why"].as_str().unwrap().contains("longer than 800 bytes"), "{report}");
    assert!(report["edits"].as_u64() > Some(2));
    assert_eq!(answer.err.lines().count(), 7, "{}", answer.err);
    assert!(answer.err.lines().all(|line| line.starts_with("fuzzy-edit: `")), "{}", answer.err);
}

#[test]
fn nothing_to_replay_is_bad_input() {
    let place = Place::new();
    place.write("empty", "");
    for (logs, ladder, message) in [
        ("nothing", "conservative", "nothing could be read: `nothing`"),
        ("empty", "conservative", "nothing could be read."),
        ("empty", "rope", "no ladder named `rope`"),
    ] {
        let answer = place.run(&["replay", logs, "--ladder", ladder, "--json"]);
        assert_eq!((answer.code, answer.json()["code"].as_str()), (2, Some("bad_input")));
        assert!(answer.err.contains(message), "{}", answer.err);
    }
}

#[test]
fn refusals_are_counted_by_rule_and_failures_are_written() {
    let place = Place::new();
    let case = |id: &str, content: &str, old: &str, expected: Value| json!({"id": id, "content": content, "old_string": old, "new_string": "x = 3", "expected": expected});
    let cases = [
        case("right", "x = 1\n", "x = 1", json!("x = 3\n")),
        case("several", "x = 1\ny = 2\nx = 1\n", "x = 1", json!("x = 3\ny = 2\nx = 1\n")),
        case("refused", "x = 1\nx = 1\n", "x = 1", Value::Null),
    ];
    place.write("cases.jsonl", lines(&cases));
    let arguments = ["replay", "cases.jsonl", "--failures", "failures.jsonl"];
    let answer = place.run(&arguments);
    assert!(answer.out.contains("\n  by rule: several-places 2\n"), "{}", answer.out);
    let failures: Vec<Value> =
        place.text("failures.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [failure] = &failures[..] else { panic!("{failures:?}") };
    let fields = ["id", "line", "code", "rule", "worth", "old"].map(|name| failure[name].clone());
    let expected =
        [json!("several"), json!(2), json!("ambiguous"), json!("several-places"), json!("missed"), json!("x = 1")];
    assert_eq!(fields, expected);
    // Without labels, every refusal is written, and no verdict is printed.
    let unlabelled: Vec<Value> =
        cases.iter().map(|case| json!({"content": case["content"], "old": case["old_string"], "new": "x"})).collect();
    place.write("cases.jsonl", lines(&unlabelled));
    let answer = place.run(&arguments);
    assert!(!answer.out.contains("WRONG"), "{}", answer.out);
    assert_eq!(place.text("failures.jsonl").lines().count(), 2);
}

#[test]
fn a_run_that_fails_leaves_its_files_as_they_were() {
    let place = Place::new();
    place.write("cases.jsonl", lines(&cases()));
    place.write("notes.txt", "mine\n");
    let before: Vec<_> = fs::read_dir(place.path(".")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let failing: [&[&str]; 6] = [
        &["missing.jsonl", "--failures", "notes.txt"],
        &["missing.jsonl", "--html", "notes.txt"],
        &["missing.jsonl", "--failures", "new.jsonl", "--html", "new.html"],
        &["cases.jsonl", "--failures", "notes.txt", "--html", "no/such.html"],
        &["cases.jsonl", "--failures", "notes.txt", "--html", "."],
        &["cases.jsonl", "--failures", "./cases.jsonl"],
    ];
    for arguments in failing {
        let answer = place.run(&[&["replay"][..], arguments].concat());
        assert_eq!(answer.code, 2, "{arguments:?}: {answer:?}");
        assert_eq!(place.text("notes.txt"), "mine\n", "{arguments:?}");
        assert_eq!(place.text("cases.jsonl"), lines(&cases()), "{arguments:?}");
        let after: Vec<_> = fs::read_dir(place.path(".")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(before.len(), after.len(), "{arguments:?}: {after:?}");
    }
}

#[test]
#[cfg(unix)]
fn files_of_a_run_keep_links_and_modes() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let place = Place::new();
    place.write("cases.jsonl", lines(&[json!({"content": "a\n", "old": "not there", "new": "x"})]));
    place.write("real.jsonl", "old\n");
    fs::set_permissions(place.path("real.jsonl"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.jsonl", place.path("link.jsonl")).unwrap();
    let answer = place.run(&["replay", "cases.jsonl", "--failures", "link.jsonl", "--html", "/dev/null"]);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(fs::symlink_metadata(place.path("link.jsonl")).unwrap().is_symlink());
    assert_eq!(fs::metadata(place.path("real.jsonl")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(place.text("real.jsonl").contains("\"code\""), "{}", place.text("real.jsonl"));

    // A disk that fills up: the file remains as it was, and the run fails.
    let answer = place.run(&["replay", "cases.jsonl", "--failures", "/dev/full"]);
    assert_eq!(answer.code, 2, "{answer:?}");
}

#[test]
fn a_disagreement_about_whitespace_says_so() {
    let place = Place::new();
    place.write(
        "cases.jsonl",
        lines(&[json!({"id": 1, "content": "if x:\n    a(1)\n    b()\n", "old": "a(1)\nb()", "new": "a(2)\nb()"})]),
    );
    let report = replay(&place, &["cases.jsonl"], "adaptive,full");
    assert_eq!(report["disagreements"]["first"][0]["only_whitespace"], true, "{report}");
}

/// Two pages count the same edits, the comparison by another program.
#[test]
fn the_verdicts_are_those_of_the_pages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let edits = root.join("crates/facade/fuzzy-pipeline/testdata/hand_written.jsonl");
    let page = fs::read_to_string(root.join("docs/comparison.md")).unwrap();
    let section = page.split_once("### Written by hand").expect("the section").1;
    let row = section.lines().find(|line| line.starts_with("| **fuzzy-edit**")).expect("the row");
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    let report = Place::new().run(&["replay", edits.to_str().unwrap(), "--json"]).json();
    let ladder = &report["ladders"][0];
    let count = |name: &str| ladder[name].as_u64().unwrap();
    assert!(section.trim_start().starts_with(&format!("{} edits,", report["labelled"])));
    for (name, cell) in [("right", 2), ("whitespace", 3), ("missed", 4), ("wrong", 5)] {
        let share = format!("{:.1}", 100.0 * count(name) as f64 / 516.0);
        assert_eq!(share, cells[cell], "{name}: {}", count(name));
    }
    let [right, whitespace, wrong, missed] = ["right", "whitespace", "wrong", "missed"].map(count);
    let counts = format!("{right} right, {whitespace} right but for whitespace, {wrong} WRONG and {missed} missed");
    let page = fs::read_to_string(root.join("docs/accuracy.md")).unwrap();
    assert!(page.split_whitespace().collect::<Vec<_>>().join(" ").contains(&counts), "{counts}");
}

#[test]
fn answers_are_grouped_by_any_field() {
    let place = Place::new();
    let line =
        |model: Value, old: &str| json!({"content": "a\nb\n", "old": old, "new": "x", "model": model, "turn": 3});
    let all = [
        line(json!("small"), "b"),
        line(json!("small"), "none of it"),
        line(json!("large"), "a"),
        line(Value::Null, "b"),
    ];
    place.write("cases.jsonl", lines(&all));
    let answer = place.run(&["replay", "cases.jsonl", "--group-by", "model,turn,missing", "--json"]);
    let groups = &answer.json()["ladders"][0]["groups"];
    let group = |edits: u64, matched: u64, refused: u64| json!({"edits": edits, "matched": matched, "refused": refused, "right": 0, "whitespace": 0, "wrong": 0, "missed": 0});
    assert_eq!(
        *groups,
        json!({
            "model": {"small": group(2, 1, 1), "large": group(1, 1, 0), "(none)": group(1, 1, 0)},
            "turn": {"3": group(4, 3, 1)},
        })
    );
    assert!(answer.err.contains("no line has the field `missing` of --group-by"), "{}", answer.err);
    let text = place.run(&["replay", "cases.jsonl", "--group-by", "model"]).out;
    assert!(text.contains("edits, matched/refused by model") && text.contains("small"), "{text}");
    assert!(!text.contains("right/WRONG"), "{text}");
    // The kind of a labelled case is its drift.
    place.write("cases.jsonl", lines(&cases()));
    let answer = place.run(&["replay", "cases.jsonl", "--group-by", "kind", "--ladder", "conservative"]);
    assert!(answer.out.contains("edits, right/whitespace/WRONG/missed by kind"), "{}", answer.out);
    let row = answer.out.lines().rev().find(|line| line.trim_start().starts_with("blanks")).unwrap();
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["blanks", "1", "1/0/0/0"]);
}

#[test]
fn the_tiers_of_other_ladders_count_what_the_first_refuses() {
    let place = Place::new();
    place.write("cases.jsonl", lines(&cases()));
    let report = replay(&place, &["cases.jsonl"], "opencode,conservative");
    let tiers = &report["ladders"][1]["tiers"];
    assert_eq!(
        (&tiers["exact"]["instead"], &tiers["whitespace-normalized/inline"]["instead"]),
        (&json!(0), &json!(2)),
        "{report}"
    );
}

/// Returns the page of a replay.
fn page(place: &Place, cases: &[Value], ladders: &str) -> String {
    place.write("cases.jsonl", lines(cases));
    let answer = place.run(&["replay", "cases.jsonl", "--ladder", ladders, "--html", "page.html"]);
    assert_eq!(answer.code, 0, "{answer:?}");
    place.text("page.html")
}

#[test]
fn a_page_lists_the_worst_hundred_answers_in_a_fixed_order() {
    let place = Place::new();
    let case = |id: usize, expected: &str| json!({"id": format!("case {id:03}"), "content": "a\nb\n", "old": if id.is_multiple_of(2) { "b" } else { "missing text" }, "new": "x", "expected": expected});
    // Of 300 edits, three at the end are WRONG, and half are missed.
    let mut cases: Vec<Value> = (0..300).map(|id| case(id, "a\nx\n")).collect();
    cases.extend([310, 312, 314].map(|id| case(id, "a\ny\n")));
    let first = page(&place, &cases, "adaptive,conservative");
    let names: Vec<&str> =
        first.split("<summary>").skip(1).map(|part| part.split("</summary>").next().unwrap()).collect();
    assert_eq!(names.len(), 100);
    assert!(
        names[0].starts_with("<b>WRONG</b> case 310") && names[2].starts_with("<b>WRONG</b> case 314"),
        "{names:?}"
    );
    assert!(names[3].starts_with("<b>missed</b> case 001"), "{names:?}");
    assert!(names[99].starts_with("<b>missed</b> case 193"), "{names:?}");
    let worst = |page: &str| page.split("id=\"worst\"").nth(1).unwrap().to_owned();
    for _ in 0..3 {
        assert_eq!(worst(&page(&place, &cases, "adaptive,conservative")), worst(&first));
    }
}

#[test]
fn a_page_is_smaller_than_two_megabytes() {
    let place = Place::new();
    let mut random = fastrand::Rng::with_seed(7);
    // Tags are longer in a page.
    let mut text = |lines: usize| -> String {
        (0..lines).map(|_| (0..150).map(|_| if random.bool() { '<' } else { '&' }).collect::<String>() + "\n").collect()
    };
    let cases: Vec<Value> = (0..200)
        .map(|id| json!({"id": id, "model": format!("<model {id}>"), "content": text(60), "old": text(50), "new": "x"}))
        .collect();
    let page = page(&place, &cases, "adaptive,full");
    assert!(page.len() < 2_000_000 && page.contains("more are left out"), "{}", page.len());
    assert!(page.contains("&lt;model 0&gt;") && !page.contains("<model"), "a value is a text");
    assert!(page.contains("The 50 most frequent of 200 values"));
}

#[test]
fn a_page_that_cannot_be_written_is_bad_input() {
    let place = Place::new();
    place.write("cases.jsonl", lines(&cases()));
    let answer = place.run(&["replay", "cases.jsonl", "--html", "missing/page.html", "--json"]);
    assert_eq!((answer.code, answer.json()["code"].as_str()), (2, Some("bad_input")), "{answer:?}");
    assert!(answer.err.contains("--html: "), "{}", answer.err);
}
