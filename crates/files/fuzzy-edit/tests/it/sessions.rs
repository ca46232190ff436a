//! Conditions on an edit: the hash of the file, earlier edits, and earlier failures.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fuzzy_edit::{Code, Editor, FileEdit, ListReport, Log, LogRecord, Patience, Report, Root, Session, Status, Tools};
use fuzzy_pipeline::{Pipeline, ladder};
use serde_json::json;

use crate::support::{Alone, Files, editor, failure, success};

/// Applies one edit in a session.
fn send(session: &mut Session, edit: &FileEdit) -> Report {
    editor().apply(session, &[edit.clone().into()]).pop().unwrap()
}

fn hash(report: &Report) -> String {
    success(report).file_hash.clone().unwrap()
}

#[test]
fn an_edit_of_another_file_than_was_read_is_stale() {
    let files = Files::new(&[("a", "one\ntwo\n")]);
    let read = hash(&editor().shown(&[files.edit("a", "one", "1")])[0]);
    // The file is rewritten with the same bytes: its time does not matter.
    fs::write(files.path("a"), "one\ntwo\n").unwrap();
    let reports = editor().applied(&[files.edit("a", "one", "1").expecting(read.to_uppercase())]);
    assert_eq!(files.text("a"), "1\ntwo\n");
    let now = hash(&reports[0]);
    assert_ne!(now, read);

    let reports = editor().applied(&[files.edit("a", "two", "2").expecting(read)]);
    assert_eq!(failure(&reports[0]).code, Code::Stale);
    // All edits of a request expect the hash before the first of them.
    let both = [files.edit("a", "1", "I").expecting(now.as_str()), files.edit("a", "two", "II").expecting(now)];
    editor().applied(&both).iter().for_each(|report| drop(hash(report)));
    assert_eq!(files.text("a"), "I\nII\n");

    for wrong in ["", "0123", &"g".repeat(64)] {
        let reports = editor().applied(&[files.edit("a", "I", "1").expecting(wrong)]);
        assert_eq!(failure(&reports[0]).code, Code::BadInput, "{wrong}");
    }
}

#[test]
fn a_later_edit_is_located_in_the_text_that_the_earlier_ones_left() {
    let files = Files::new(&[("a", "first\nmiddle\nlast\none  GONE two\n")]);
    let edits = [
        files.edit("a", "middle", "new  line"),
        // It differs in blanks from what the edit before it wrote.
        files.edit("a", "new line", "x"),
        files.edit("a", "  last", "end"),
        // A deletion, then an edit around its place.
        files.edit("a", "GONE ", ""),
        files.edit("a", "one two", "y"),
    ];
    editor().applied(&edits).iter().for_each(|report| drop(hash(report)));
    assert_eq!(files.text("a"), "first\nx\nend\ny\n");
    // An old text that an earlier edit replaced is not found.
    let edits = [files.edit("a", "first", "1"), files.edit("a", "first", "2")];
    assert_eq!(failure(&editor().applied(&edits)[1]).code, Code::NotFound);
}

#[test]
fn an_old_text_in_another_file_of_the_request_is_reported() {
    let files = Files::new(&[("a", "one\n"), ("b", "two\r\nthree\r\n")]);
    for order in [[0, 1], [1, 0]] {
        let edits = [files.edit("a", "two\nthree", "2"), files.edit("b", "two", "2")];
        let edits = order.map(|index| edits[index].clone());
        let reports = editor().applied(&edits);
        let lost = failure(&reports[order[0]]);
        assert_eq!(lost.code, Code::FoundInOtherFile);
        let other = files.path("b").display().to_string();
        assert!(lost.message.contains(&other) && lost.next_step.contains(&other), "{lost}");
        assert_eq!(files.text("b"), "two\r\nthree\r\n");
    }
    // Frequent text is not searched in other files.
    fs::write(files.path("b"), "}\n").unwrap();
    let reports = editor().applied(&[files.edit("a", "}", "{"), files.edit("b", "}", "{")]);
    assert_eq!(failure(&reports[0]).code, Code::NotFound);
}

#[test]
fn an_old_text_in_a_file_that_the_session_edited_is_reported() {
    let files = Files::new(&[("a", "one\n"), ("b", "two\nthree\n")]);
    let mut session = Session::default();
    assert_eq!(failure(&send(&mut session, &files.edit("a", "three", "3"))).code, Code::NotFound);
    drop(hash(&send(&mut session, &files.edit("b", "two", "2"))));
    assert_eq!(session.edited(), [files.path("b")]);
    let lost = send(&mut session, &files.edit("a", "thre", "3"));
    assert_eq!(failure(&lost).code, Code::FoundInOtherFile);
    fs::remove_file(files.path("b")).unwrap();
    assert_eq!(failure(&send(&mut session, &files.edit("a", "hree", "3"))).code, Code::NotFound);
}

#[test]
fn the_same_failing_edit_is_a_repetition_and_then_a_loop() {
    let files = Files::new(&[("a", "one one\n")]);
    let mut session = Session::default();
    let edit = files.edit("a", "one", "1");
    let first = send(&mut session, &edit);
    assert_eq!((failure(&first).code, failure(&first).details.repeats), (Code::Ambiguous, 0));
    let second = send(&mut session, &edit);
    let second = failure(&second);
    assert_eq!(
        (second.code, second.details.cause, second.details.repeats),
        (Code::RepeatedFailure, Some(Code::Ambiguous), 2)
    );
    assert!(second.message.starts_with("this same edit has now failed 2 times (ambiguous): "), "{second}");
    assert!(second.next_step.starts_with("Do not resend it unchanged; extend the old text"), "{second}");
    // The details of the failure are still there.
    assert_eq!(second.details.ambiguous_at, failure(&first).details.ambiguous_at);
    // Another edit is not a repetition.
    assert_eq!(failure(&send(&mut session, &files.edit("a", "one", "2"))).code, Code::Ambiguous);
    let third = send(&mut session, &edit);
    assert_eq!(failure(&third).next_step, "Stop sending this edit, and ask the user how to continue.");
    assert_eq!(failure(&third).details.repeats, 3);

    // A success resets the count.
    fs::write(files.path("a"), "one\n").unwrap();
    drop(hash(&send(&mut session, &edit)));
    fs::write(files.path("a"), "one one\n").unwrap();
    assert_eq!(failure(&send(&mut session, &edit)).code, Code::Ambiguous);
}

#[test]
fn how_often_is_a_choice() {
    let files = Files::new(&[("a", "a")]);
    let mut session = Session::new(Patience { repeated_from: 1, stop_from: 2 });
    let edit = files.edit("a", "missing", "b");
    assert_eq!(failure(&send(&mut session, &edit)).code, Code::RepeatedFailure);
    assert!(failure(&send(&mut session, &edit)).next_step.starts_with("Stop"));
}

#[test]
fn an_external_failure_is_no_repetition() {
    let files = Files::new(&[("a", "one")]);
    let mut session = Session::default();
    let edit = files.edit("a", "one", "1").expecting("0".repeat(64));
    for _ in 0..3 {
        assert_eq!(failure(&send(&mut session, &edit)).code, Code::Stale);
    }
}

#[test]
fn a_log_restores_a_session() {
    let files = Files::new(&[("a", "one\n"), ("b", "two\n")]);
    let path = files.path("log.jsonl");
    let open = |texts| Session::default().with_log(Log::open(&path, texts).unwrap());
    let edit = files.edit("a", "two", "2");
    let mut session = open(true);
    drop(hash(&send(&mut session, &files.edit("b", "two", "two\nthree"))));
    for _ in 0..2 {
        failure(&send(&mut session, &edit));
    }
    assert!(session.take_log_error().is_none());

    let records = Log::read_back(&path).unwrap();
    let what: Vec<_> = records.iter().map(|record| (record.status, record.code)).collect();
    // For a repeated failure, the log has the cause.
    let failed = (Status::Failed, Some(Code::FoundInOtherFile));
    assert_eq!(what, [(Status::Applied, None), failed, failed]);
    assert_eq!(records[0].strategy.as_deref(), Some("exact"));
    assert_eq!((records[0].content_bytes, records[0].old_bytes, records[0].new_bytes), (Some(4), 3, 9));
    let texts = |record: &LogRecord| [&record.content, &record.old, &record.new].map(|text| text.clone().unwrap());
    assert_eq!(texts(&records[0]), ["two\n", "two", "two\nthree"]);
    assert_ne!(records[1].id, records[2].id);
    assert_eq!(records[1].edit_hash, records[2].edit_hash);

    let mut later = open(false);
    for record in &records {
        later.recall(record);
    }
    let third = send(&mut later, &edit);
    assert_eq!((failure(&third).code, failure(&third).details.repeats), (Code::RepeatedFailure, 3));
    assert_eq!(failure(&third).details.cause, Some(Code::FoundInOtherFile));
    let last = Log::read_back(&path).unwrap().pop().unwrap();
    assert_eq!((last.content, last.old, last.new), (None, None, None));
    assert!(!fs::read_to_string(&path).unwrap().lines().last().unwrap().contains("\"two"));
}

#[test]
fn a_damaged_log_is_read_as_far_as_it_can_be() {
    let files = Files::new(&[("a", "one\n")]);
    let path = files.path("log.jsonl");
    assert_eq!(Log::read_back(&path).unwrap(), []);
    let mut session = Session::default().with_log(Log::open(&path, false).unwrap());
    drop(hash(&send(&mut session, &files.edit("a", "one", "two"))));
    let mut bytes = b"\xff\xff no record\n{}\n".to_vec();
    bytes.extend(fs::read(&path).unwrap());
    bytes.extend(b"{\"id\": \"cut");
    fs::write(&path, bytes).unwrap();
    assert_eq!(Log::read_back(&path).unwrap().len(), 1);
}

#[test]
fn a_log_that_cannot_be_written_stops_no_edit() {
    let Ok(log) = Log::open("/dev/full".as_ref(), false) else { return };
    let files = Files::new(&[("a", "one\n")]);
    let mut session = Session::default().with_log(log);
    drop(hash(&send(&mut session, &files.edit("a", "one", "two"))));
    assert_eq!(files.text("a"), "two\n");
    assert!(session.take_log_error().is_some());
}

#[test]
fn a_cancelled_edit_does_not_count_as_a_failure() {
    let files = Files::new(&[("a", "one\n")]);
    let mut session = Session::default();
    let operations = [files.edit("a", "absent", "x").into()];
    let given_up = editor().on(|workspace| workspace.cancelled_by(Arc::new(AtomicBool::new(true))));
    for _ in 0..3 {
        let reports = given_up.apply(&mut session, &operations);
        assert_eq!(failure(&reports[0]).code, Code::Timeout);
    }
    assert_eq!(failure(&editor().apply(&mut session, &operations)[0]).code, Code::NotFound);
}

#[test]
fn a_session_knows_the_texts_that_it_wrote_or_showed() {
    let formatted = "b()\na()\nb()\nd()\n";
    // Only this ladder uses an earlier text.
    let editor = Editor::new(editor().workspace().clone(), Pipeline::new(ladder::adaptive()));
    let send = |session: &mut Session, edit: FileEdit| editor.apply(session, &[edit.into()]).pop().unwrap();
    let edited = |prepare: &dyn Fn(&mut Session, &Files)| {
        let files = Files::new(&[("a", "a()\nb()\nc()\n")]);
        let mut session = Session::default();
        prepare(&mut session, &files);
        // Another program adds a second copy.
        fs::write(files.path("a"), formatted).unwrap();
        let report = send(&mut session, files.edit("a", "b()", "b(1)"));
        (matches!(report, Report::Success(_)), files.text("a"))
    };
    assert_eq!(edited(&|_, _| ()), (false, formatted.to_owned()));
    let at_its_place = (true, "b()\na()\nb(1)\nd()\n".to_owned());
    let wrote = |session: &mut Session, files: &Files| drop(send(session, files.edit("a", "c()", "d()")));
    assert_eq!(edited(&wrote), at_its_place);
    let showed = |session: &mut Session, files: &Files| session.remember(&files.path("a"), "a()\nb()\nc()\n");
    assert_eq!(edited(&showed), at_its_place);
    // The latest text counts, and a huge one is forgotten.
    let later = |session: &mut Session, files: &Files| {
        session.remember(&files.path("a"), "a()\nb()\nc()\n");
        session.remember(&files.path("a"), "nothing alike\n");
    };
    assert!(!edited(&later).0);
    let huge = |session: &mut Session, files: &Files| {
        session.remember(&files.path("a"), &format!("b(){}", "\n".repeat(9 << 20)));
    };
    assert!(!edited(&huge).0);
}

#[test]
fn tools_place_an_edit_by_the_text_that_they_read() {
    for reads in [true, false] {
        let files = Files::new(&[("a", "a()\nb()\nc()\n")]);
        let root = Root::open(&files.path("")).unwrap();
        let workspace = editor().workspace().clone().within(root);
        let tools = Tools::new(Editor::new(workspace, Pipeline::new(ladder::adaptive())), Session::default());
        if reads {
            assert_eq!(tools.read("a".as_ref()).unwrap(), "a()\nb()\nc()\n");
        }
        fs::write(files.path("a"), "b()\na()\nb()\nc()\n").unwrap();
        let edited = tools.edit(json!({"path": "a", "old": "b()", "new": "b(1)"}), false).unwrap();
        assert_eq!(matches!(edited, ListReport::Success { .. }), reads);
        assert_eq!(files.text("a"), if reads { "b()\na()\nb(1)\nc()\n" } else { "b()\na()\nb()\nc()\n" });
    }
}
