//! Answers of the default ladder: alignments, refusals with next steps, proposals that land.

use crate::support::{Answer, Place};
use serde_json::{Value, json};

const QUEUE: &str = "\
def send(queue):
    for job in queue:
        job.start()
        job.wait()
    return True

def stop(queue):
    for job in queue:
        job.cancel()
        job.wait()
    return False
";

/// The needle lacks two lines of the file, so new lines could belong above, between or below them.
const SHORT: &str = "def stop(queue):\n    for job in queue:\n    return False";
const SHORT_NEW: &str = "def stop(queue):\n    for job in queue:\n        flush(job)\n    return False";

fn run(place: &Place, verb: &str, old: &str, new: &str, options: &[&str]) -> Answer {
    place.run(&[&[verb, "file.txt", "--ladder", "adaptive", "--old", old, "--new", new][..], options].concat())
}

/// Returns the texts of one side of every row.
fn side<'a>(report: &'a Value, side: &str) -> Vec<Vec<(u64, &'a str)>> {
    let rows = report["alignment"]["rows"].as_array().unwrap();
    let line = |line: &'a Value| (line["number"].as_u64().unwrap(), line["text"].as_str().unwrap());
    rows.iter().map(|row| row[side].as_array().unwrap().iter().map(line).collect()).collect()
}

#[test]
fn explain_aligns_the_needle_with_the_file() {
    let place = Place::with(QUEUE);
    let old = "7: def stop(queue):\n8:   for job in queues:\n9:   job.wait()\n10:  return False";
    let report = run(&place, "explain", old, &old.replace("False", "None"), &["--json"]).json();
    assert_eq!(report["alignment"]["undone"], json!(["line-numbers"]));
    let old = [
        vec![(1, "def stop(queue):")],
        vec![(2, "  for job in queues:")],
        vec![],
        vec![(3, "  job.wait()")],
        vec![(4, " return False")],
    ];
    assert_eq!(side(&report, "old"), old);
    let file: Vec<_> = QUEUE.lines().enumerate().skip(6).map(|(at, line)| vec![(at as u64 + 1, line)]).collect();
    assert_eq!(side(&report, "file"), file);
    let rows = report["alignment"]["rows"].as_array().unwrap();
    assert_eq!(rows[0]["similarity"], 1.0);
    assert!(rows[1]["similarity"].as_f64().is_some_and(|alike| (0.9..1.0).contains(&alike)), "{report}");
    assert_eq!((&rows[2]["similarity"], &rows[2]["evidence"]), (&Value::Null, &json!(0.0)));
    // A line that occurs twice is weaker evidence than one that occurs once.
    assert!(rows[3]["evidence"].as_f64() < rows[0]["evidence"].as_f64(), "{report}");
    assert_eq!(place.text("file.txt"), QUEUE);
}

#[test]
fn explain_says_where_each_landing_line_comes_from() {
    let place = Place::with("def f():\n\ta = first(x)\n\tb  = 2\n\treturn b\n");
    let old = "  a = first(y)\n  b = 2\n  return b";
    let new = "  a = first(y, 1)\n  b = 2\n  log(b)\n  return b";
    let report = run(&place, "explain", old, new, &["--json"]).json();
    let landed = |text: &str, origin: &str, file: Option<u64>, new: Option<u64>| json!({"text": text, "origin": origin, "file_line": file, "new_line": new});
    let expected = json!([
        landed("\ta = first(x, 1)", "merged", Some(2), Some(1)),
        landed("\tb  = 2", "file", Some(3), Some(2)),
        landed("\tlog(b)", "new", None, Some(3)),
        landed("\treturn b", "file", Some(4), Some(4)),
    ]);
    assert_eq!(report["alignment"]["lands"], expected);
    assert_eq!(report["outcome"]["status"], "found");
    assert_eq!(run(&place, "apply", old, new, &[]).code, 0);
    assert_eq!(place.text("file.txt"), "def f():\n\ta = first(x, 1)\n\tb  = 2\n\tlog(b)\n\treturn b\n");
}

#[test]
fn text_has_columns_and_marks_blanks_that_differ() {
    let long = format!("\tshort({})", "x, ".repeat(40));
    let place = Place::with(format!("{long}\n\tlet total  = 1;\n\tend();\n"));
    let old = format!("{}\n    let total = 1;\n\tend();\n    gone();", long.trim());
    let answer = place.run(&["explain", "file.txt", "--ladder", "adaptive", "--old", &old]);
    assert_eq!(answer.code, 0, "{answer:?}");
    let lines: Vec<&str> = answer.out.lines().collect();
    let header = lines.iter().position(|line| line.trim_start().starts_with("old text ")).unwrap();
    let rows = &lines[header + 1..header + 5];
    assert!(rows[0].contains('…'), "{rows:#?}");
    assert!(rows[1].contains("····let·total·=·1;") && rows[1].contains("→let·total··=·1;"), "{rows:#?}");
    assert!(rows[2].contains(" = "), "{rows:#?}");
    assert!(rows[3].contains("gone();") && rows[3].contains(" - "), "{rows:#?}");
    let column = |row: &str, text: &str| row.find(text).map(|at| row[..at].chars().count());
    assert_eq!(column(lines[header], "file"), column(rows[1], "→let"));
    assert!(rows.iter().all(|row| row.chars().count() <= 120), "{rows:#?}");
}

#[test]
fn a_needle_alone_is_not_judged_by_a_replacement() {
    // The place is unambiguous, but deleting it would delete a line that the needle lacks.
    let place = Place::with(QUEUE);
    let old = &QUEUE.replace("        job.start()\n", "");
    assert_eq!(run(&place, "locate", old, "", &["--json"]).json()["code"], "conflict");
    let report = place.run(&["locate", "file.txt", "--ladder", "adaptive", "--old", old, "--json"]).json();
    assert_eq!((report["status"].as_str(), report["strategy"].as_str()), (Some("found"), Some("alignment")));
    assert_eq!(report["places"][0]["lines"], json!([1, 11]));
    assert_eq!(report.get("changed"), None);
    let explained = place.run(&["explain", "file.txt", "--ladder", "adaptive", "--old", old, "--json"]).json();
    assert_eq!(explained["outcome"]["lines"], json!([1, 11]));
    assert_eq!(explained["alignment"]["lands"], json!([]));
}

#[test]
fn with_a_new_text_locate_and_explain_agree_with_apply() {
    let moved = "def stop(queue):\n  for job in queue:\n    job.cancel()";
    let cases = [
        (moved, "def stop(queue, now):\n  for job in queue:\n    job.cancel()"),
        ("job.wait()", "job.wait(5)"),
        ("    return 0", "    return False"),
        (SHORT, SHORT_NEW),
        ("nothing like it", "x"),
        ("a", "a"),
        ("job.cancel()", "job.cancel()\n        job.wait()"),
    ];
    for (old, new) in cases {
        let place = Place::with(QUEUE);
        let applied = run(&place, "apply", old, new, &["--dry-run", "--json"]);
        let located = run(&place, "locate", old, new, &["--json"]);
        let explained = run(&place, "explain", old, new, &["--json"]);
        assert_eq!(applied.code, located.code, "{old}");
        let (applied, located) = (applied.json(), located.json());
        if applied["status"] == "failed" {
            assert_eq!(applied, located, "{old}");
            if applied["code"] != "identical" {
                assert_eq!(explained.json()["outcome"]["code"], applied["code"], "{old}");
            }
            continue;
        }
        for field in ["strategy", "similarity", "confidence", "occurrences", "changed"] {
            assert_eq!(applied[field], located[field], "{old}: {field}");
        }
        assert_eq!(located["places"][0]["lines"], applied["lines_before"], "{old}");
        assert_eq!(explained.json()["outcome"]["lines"], applied["lines_before"], "{old}");
    }
}

#[test]
fn an_applied_edit_succeeds_and_changes_nothing() {
    let place = Place::with(QUEUE);
    let before = place.fingerprint("file.txt");
    let (old, new) = ("        job.cancel()\n", "        job.cancel()\n        job.wait()\n");
    for verb in ["apply", "locate"] {
        let answer = run(&place, verb, old, new, &["--json"]);
        assert_eq!((answer.code, answer.err.as_str()), (0, ""));
        let report = answer.json();
        assert_eq!((&report["status"], &report["changed"]), (&json!("already_applied"), &json!(false)));
        assert!(report["note"].as_str().is_some_and(|note| note.contains("is already there")));
    }
    let report = run(&place, "explain", old, new, &["--json"]).json();
    assert_eq!(
        (&report["outcome"]["status"], &report["outcome"]["changed"]),
        (&json!("already_applied"), &json!(false))
    );
    assert_eq!(place.fingerprint("file.txt"), before);
}

#[test]
fn an_ambiguous_needle_gets_the_line_that_resolves_it() {
    let place = Place::with(QUEUE);
    for old in ["        job.wait()", "\tjob.wait()"] {
        let report = run(&place, "apply", old, "\tjob.wait(5)", &["--json"]).json();
        assert_eq!((report["code"].as_str(), &report["ambiguous_at"]), (Some("ambiguous"), &json!([[4, 4], [10, 10]])));
        let next_step = report["next_step"].as_str().unwrap();
        assert!(
            next_step.contains("line 3 `job.start()` for line 4, line 9 `job.cancel()` for line 10"),
            "{next_step}"
        );
    }
    // The same edit with the suggested line succeeds.
    let answer = run(&place, "apply", "\tjob.cancel()\n\tjob.wait()", "\tjob.cancel()\n\tjob.wait(5)", &[]);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert_eq!(place.text("file.txt"), QUEUE.replace("cancel()\n        job.wait()", "cancel()\n        job.wait(5)"));
}

#[test]
fn similar_places_are_listed_too() {
    let block =
        |name: &str| format!("def {name}(self):\n    self.lock()\n    self.{name}_all()\n    self.unlock()\n\n");
    let place = Place::with([block("save"), block("drop")].concat());
    let (old, new) =
        ("    self.lock()\n    gone()\n    self.unlock()\n", "    self.lock()\n    gone(1)\n    self.unlock()\n");
    let report = run(&place, "apply", old, new, &["--json"]).json();
    assert_eq!((report["code"].as_str(), report["count"].as_u64()), (Some("ambiguous"), Some(2)), "{report}");
    assert_eq!(report["ambiguous_at"], json!([[2, 4], [7, 9]]));
    let next_step = report["next_step"].as_str().unwrap();
    assert!(
        next_step.contains("line 1 `def save(self):` for lines 2-4, line 6 `def drop(self):` for lines 7-9"),
        "{next_step}"
    );
}

#[test]
fn a_part_of_a_line_lands_as_its_whole_line() {
    let place = Place::with("let total = price;\nend\n");
    let report = run(&place, "explain", "price", "price * 2", &["--json"]).json();
    let expected = json!([{"text": "let total = price * 2;", "origin": "merged", "file_line": 1, "new_line": 1}]);
    assert_eq!(report["alignment"]["lands"], expected);
}

#[test]
fn places_with_equal_surroundings_get_general_advice() {
    let place = Place::with("x\n".repeat(9));
    let report = run(&place, "apply", "x", "y", &["--json"]).json();
    assert!(
        report["next_step"].as_str().is_some_and(|step| step.starts_with("Add lines from around the intended place"))
    );
}

#[test]
fn a_different_place_asks_for_the_file_to_be_read() {
    let place = Place::with(QUEUE);
    let old = "def stop(queue):\n    for job in queue:\n\tjob.kill(now)\n        job.wait()\n    return False";
    let report = run(&place, "apply", old, &old.replace("now", "later"), &["--json"]).json();
    assert_eq!((report["code"].as_str(), &report["nearest"]["lines"]), (Some("refused"), &json!([7, 11])));
    assert!(report["next_step"].as_str().is_some_and(|step| step.starts_with("Read lines 7-11 of the file")));
    let diff =
        "     for job in queue:\n-\tjob.kill(now)\n+        job.cancel()\n         job.wait()\n     return False\n";
    assert_eq!(report["nearest"]["diff"], diff);
    assert_eq!(report["proposal"], Value::Null);
    assert_eq!(report["tried"], json!(["exact", "alignment"]));
}

const SERVER: &str = "[server]\nhost = \"localhost\"\nport = 9000\ntimeout = 30\n";

#[test]
fn a_conflict_has_the_lines_of_each_text_and_both_results() {
    let place = Place::with(SERVER);
    let old = "host = \"localhost\"\nport = 8080\n";
    let answer = run(&place, "apply", old, &old.replace("8080", "8081"), &["--json"]);
    let report = answer.json();
    assert_eq!((answer.code, report["code"].as_str()), (1, Some("conflict")));
    assert_eq!(
        report["message"],
        "the file and the new text both differ from the old text, each in its own way: line 3 has `9000`, the old text \
         `8080`, the new text `8081`"
    );
    assert_eq!(
        report["conflicts"],
        json!([{
            "lines": [3, 3], "file": "9000", "old": "8080", "new": "8081",
            "keeping": "port = 9000", "taking": "port = 8081",
        }])
    );
    assert_eq!(
        report["next_step"],
        "To take the new text, check the proposal and send it; to keep the file's text, leave that \
         change out."
    );
    let text = run(&place, "apply", old, &old.replace("8080", "8081"), &[]).err;
    assert!(text.contains("\nwith the file's text, line 3:\n  port = 9000\n"), "{text}");
    assert!(text.contains("\nwith the new text, line 3:\n  port = 8081\n"), "{text}");
    assert_eq!(place.text("file.txt"), SERVER);

    let proposal = |field: &str| report["proposal"][field].as_str().unwrap();
    assert_eq!(run(&place, "apply", proposal("old_string"), proposal("new_string"), &[]).code, 0);
    assert_eq!(place.text("file.txt"), SERVER.replace("9000", "8081"));
}

#[test]
fn a_conflict_in_which_words_would_be_lost_has_no_proposal() {
    let place = Place::with("go(first, second, third)\n");
    let (old, new) = ("go(first, third)", "go(first)");
    for verb in ["apply", "locate", "explain"] {
        let report = run(&place, verb, old, new, &["--json"]).json();
        let failure = if verb == "explain" { &report["outcome"] } else { &report };
        assert_eq!((failure["code"].as_str(), &failure["proposal"]), (Some("conflict"), &Value::Null), "{verb}");
        assert_eq!(failure["conflicts"][0]["taking"], "go(first)", "{verb}");
        let step = failure["next_step"].as_str().unwrap();
        let send = "with `go(first, second, third)`, and the new text with `go(first)`";
        assert!(step.contains(send), "{verb}: {step}");
    }
}

#[test]
fn batches_and_patches_report_conflicts() {
    let place = Place::with(SERVER);
    let row = json!({"id": "1", "content": SERVER, "old": "host = \"localhost\"\nport = 8080", "new": "host = \"localhost\"\nport = 8081"});
    let answer = place.run_with(&["batch"], row.to_string().as_bytes());
    let row: Value = serde_json::from_str(answer.out.trim()).unwrap();
    assert_eq!((row["ok"].as_bool(), row["code"].as_str()), (Some(false), Some("conflict")), "{row}");
    assert!(row["proposal"]["new_string"].as_str().is_some_and(|new| new.contains("8081")), "{row}");

    let block = "file.txt\n<<<<<<< SEARCH\nhost = \"localhost\"\nport = 8080\n=======\nhost = \"localhost\"\nport = 8081\n>>>>>>> REPLACE\n";
    let answer = place.run_with(&["patch", "--json"], block.as_bytes());
    let report = answer.json();
    assert_eq!((answer.code, report["code"].as_str()), (1, Some("conflict")), "{report}");
    assert_eq!(report["conflicts"][0]["file"], "9000", "{report}");
    assert_eq!(place.text("file.txt"), SERVER);
}

#[test]
fn an_uncertain_edit_has_a_proposal_that_lands() {
    let place = Place::with(QUEUE);
    let answer = run(&place, "apply", SHORT, SHORT_NEW, &["--json"]);
    assert_eq!(answer.code, 1);
    let report = answer.json();
    assert_eq!(report["code"], "refused");
    assert_eq!(report["next_step"], "Check the proposal and send it if it is the intended edit.");
    assert_eq!(place.text("file.txt"), QUEUE);
    let text = run(&place, "apply", SHORT, SHORT_NEW, &[]).err;
    assert!(text.contains("\nproposal:\n") && text.contains("\n  +        flush(job)\n"), "{text}");

    let proposal = |field: &str| report["proposal"][field].as_str().unwrap();
    assert_eq!(run(&place, "apply", proposal("old_string"), proposal("new_string"), &[]).code, 0);
    let (head, tail) = QUEUE.split_at(QUEUE.rfind("        job.cancel").unwrap());
    assert_eq!(place.text("file.txt"), format!("{head}        flush(job)\n{tail}"));
}

#[test]
fn explain_lists_the_weights_of_the_features() {
    let place = Place::with(QUEUE);
    let old = "def stop(queue):\n  for job in queue:\n    job.cancl()";
    let new = old.replace("queue)", "queue, now)");
    let report = run(&place, "explain", old, &new, &["--json"]).json();
    let weighed = &report["weighed"];
    let number = |value: &Value| value.as_f64().unwrap();
    assert!(number(&weighed["probability"]) >= number(&weighed["accepted"]), "{report}");
    assert_eq!(weighed["ruled_out"], Value::Null);
    let features = weighed["features"].as_array().unwrap();
    assert!(features.iter().all(|feature| number(&feature["adds"]) <= 0.0), "{report}");
    let text = run(&place, "explain", old, &new, &[]).out;
    for feature in features {
        let (name, meaning) = (feature["name"].as_str().unwrap(), feature["meaning"].as_str().unwrap());
        assert!(text.lines().any(|line| line.starts_with(name) && line.ends_with(meaning)), "{name}: {text}");
    }
    // An exact match has no features.
    let report = run(&place, "explain", "job.cancel()", "job.stop()", &["--json"]).json();
    assert_eq!(report["weighed"], Value::Null);
}

#[test]
fn min_confidence_refuses_and_proposes_the_result() {
    let place = Place::with(QUEUE);
    let old = "def stop(queue):\n  for job in queue:\n    job.cancl()";
    let new = old.replace("queue)", "queue, now)");
    let sure = run(&place, "apply", old, &new, &["--dry-run", "--json", "--min-confidence", "0.5"]).json();
    let confidence = sure["confidence"].as_f64().unwrap();
    assert!((0.5..0.999).contains(&confidence), "{sure}");
    let answer = run(&place, "apply", old, &new, &["--json", "--min-confidence", "0.999"]);
    let report = answer.json();
    assert_eq!((answer.code, report["code"].as_str()), (1, Some("refused")));
    let message = report["message"].as_str().unwrap();
    let shown = (confidence * 1e4).floor() / 1e4;
    assert!(message.contains(&format!("the confidence is {shown}, less than the required 0.999")), "{message}");
    let proposal = |field: &str| report["proposal"][field].as_str().unwrap();
    let sent = [proposal("old_string"), proposal("new_string")];
    assert_eq!(run(&place, "apply", sent[0], sent[1], &["--min-confidence", "1"]).code, 0);
    assert_eq!(place.text("file.txt"), QUEUE.replace("stop(queue)", "stop(queue, now)"));

    for wrong in ["1.5", "-1", "NaN", "much"] {
        let answer = run(&place, "apply", old, &new, &[&format!("--min-confidence={wrong}")]);
        assert_eq!(answer.code, 2, "{wrong}");
        assert!(answer.err.contains("a number from 0 to 1"), "{}", answer.err);
    }
}

#[test]
fn batch_answers_have_proposals() {
    let place = Place::new();
    let case = |old: &str, new: &str| json!({"id": 1, "content": QUEUE, "old": old, "new": new}).to_string();
    let input = [case(SHORT, SHORT_NEW), case("nothing like it", "x"), case("    return True", "")].join("\n");
    for options in [&["batch", "--ladder", "adaptive"][..], &["batch", "--ladder", "adaptive", "--time"]] {
        let answer = place.run_with(options, input.as_bytes());
        let answers: Vec<Value> = answer.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let proposal = |field: &str| answers[0]["proposal"][field].as_str().unwrap();
        assert!(QUEUE.contains(proposal("old_string")) && proposal("new_string").contains("flush(job)"));
        assert!(answers[1].get("proposal").is_none() && answers[2].get("proposal").is_none(), "{answers:?}");
        assert!(answers[1]["code"] == "not_found" && answers[2]["ok"] == true, "{answers:?}");
    }
    let answer = place.run_with(&["batch", "--ladder", "full"], case(SHORT, SHORT_NEW).as_bytes());
    assert!(!answer.out.contains("proposal"), "{}", answer.out);
}

#[test]
fn numbers_have_at_most_three_decimals() {
    let place = Place::with(QUEUE);
    let old = "def stop(queue):\n  for jobs in queue:\n    job.cancl()";
    let answer = run(&place, "locate", old, "x", &["--json"]);
    let explained = run(&place, "explain", old, &old.replace("stop", "halt"), &["--json"]);
    let report = explained.json();
    assert!(report["alignment"]["rows"].as_array().is_some_and(|rows| !rows.is_empty()));
    let mut numbers = vec![&report["outcome"]["similarity"], &report["outcome"]["confidence"]];
    for row in report["alignment"]["rows"].as_array().unwrap() {
        numbers.extend([&row["evidence"], &row["similarity"]]);
    }
    numbers.retain(|number| !number.is_null());
    assert!(numbers.len() > 4, "{report}");
    assert!(numbers.iter().all(|number| number.to_string().len() <= "0.123".len()), "{numbers:?}");
    assert!(!answer.out.contains("00000"), "{}", answer.out);
}

#[test]
fn every_kind_of_edit_can_be_explained() {
    let place = Place::with("a = \"x\"\r\n\r\n\tb\r\n");
    for (old, new) in [("a", "b"), ("a = 'x'\n\n  b", ""), ("\n", "x"), ("  ", "x"), ("a = \\\"x\\\"", "c"), ("é", "x")]
    {
        for options in [&[][..], &["--json"], &["--all", "--json"]] {
            let answer = run(&place, "explain", old, new, options);
            assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{old:?}");
            let alone = place.run(&[&["explain", "file.txt", "--old", old][..], options].concat());
            assert_eq!(alone.code, 0, "{old:?}: {alone:?}");
        }
    }
    place.write("file.txt", "");
    assert_eq!(run(&place, "explain", "a", "b", &[]).code, 0);
}

#[test]
fn a_notebook_is_located_and_explained_by_its_cells() {
    let place = Place::new();
    let cell = |source: &str| json!({"cell_type": "code", "metadata": {}, "outputs": [], "source": [source]});
    let cells = ["import os", "rate = 2\ntotal = rate * 3\nprint(\"total\")"].map(cell);
    place.write("a.ipynb", json!({"cells": cells, "nbformat": 4, "nbformat_minor": 4}).to_string());
    let run =
        |verb: &str, old: &str, options: &[&str]| place.run(&[&[verb, "a.ipynb", "--old", old], options].concat());
    // The quotes are escaped in the file, and the second text has a slip.
    for old in ["total = rate * 3\nprint(\"total\")", "total = rate*3\nprint(\"total\")"] {
        let located = run("locate", old, &[]);
        assert!(located.out.contains("`a.ipynb` cell 2, lines 2-3"), "{}{}", located.out, located.err);
        let found = &run("locate", old, &["--json"]).json()["places"][0]["cell"];
        assert_eq!((&found["number"], &found["lines"]), (&json!(2), &json!([2, 3])), "{found}");
        let explained = run("explain", old, &[]);
        assert!(explained.out.contains("found: cell 2, lines 2-3"), "{}{}", explained.out, explained.err);
    }
    // A text of the JSON alone is found there.
    let located = run("locate", "\"nbformat_minor\":4", &["--json"]).json();
    assert!(located["places"][0]["cell"].is_null() && located["status"] == "found", "{located}");
}
