//! Every code that the command can return: code, exit code, next step, and no changed file.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fuzzy_checkpoint_service::{Backend, Checkpointer, NoBackend, Settings, Stopped};
use fuzzy_checkpoint_store::{MessageStatus, RestoreOptions, SessionId};
use fuzzy_testkit::programs;
use serde_json::json;

use crate::place::{Place, run, text};

const JSON: &str = "--json";

/// Opens the service on the state of the place, as a server on the same machine would.
fn service(place: &Place) -> Checkpointer {
    let state = place.dir.join("state/fuzzy-edit");
    Checkpointer::open(&state, None, Arc::new(NoBackend), Settings::default()).unwrap()
}

#[test]
fn not_a_worktree() {
    let place = Place::new();
    let home = place.dir.join("home");
    for verb in [&["create"][..], &["list"], &["prune"], &["restore", "01", "--yes"]] {
        let report = run(place.command(&home, verb).arg(JSON)).fails(1, "not_a_worktree");
        assert!(text(&report, "next_step").contains("git init"), "{report}");
    }
    assert!(fs::read_dir(place.dir.join("state")).unwrap().next().is_none(), "a wrong directory leaves no trace");
    let bare = place.dir.join("bare");
    fs::create_dir(&bare).unwrap();
    place.git_in(&bare, &["init", "-q", "--bare"]);
    run(place.command(&bare, &["create"]).arg(JSON)).fails(1, "not_a_worktree");
}

#[test]
fn protected_dir() {
    let place = Place::new();
    run(place.command(&place.root(), &["create"]).env("HOME", place.root()).arg(JSON)).fails(1, "protected_dir");
}

#[test]
fn dubious_ownership() {
    let place = Place::new();
    if !rustix::process::geteuid().is_root() {
        println!("left out: only root can give a repository away");
        return;
    }
    place.unchecked();
    for dir in [place.root(), place.path(".git")] {
        std::os::unix::fs::chown(dir, Some(12345), None).unwrap();
    }
    place.run(&["create", JSON]).fails(1, "dubious_ownership");
}

#[test]
fn not_in_session_and_bad_ids() {
    let place = Place::new();
    place.run(&["show", "01ARZ3NDEKTSV4RRFFQ69G5FAV", JSON]).fails(1, "not_in_session");
    let ids: Vec<String> = (0..3).map(|_| place.create()).collect();
    let report = place.run(&["restore", &ids[0][..2], "--yes", JSON]).fails(2, "bad_input");
    assert!(ids.iter().all(|id| text(&report, "message").contains(id)), "{report}");
    for id in ["", "../x", "-x", "0 1", "\u{e9}"] {
        run(place.command(&place.root(), &["show", JSON, "--"]).arg(id)).fails(2, "bad_input");
    }
    let restore = place.restore(&ids[2]);
    let report = place.run(&["show", &restore, JSON]).fails(1, "not_in_session");
    assert!(text(&report, "next_step").contains(&format!("undo {restore}")), "{report}");
    place.run(&["undo", &ids[0], JSON]).fails(2, "missing");
    let other = service(&place).create_session(&place.root(), "other").unwrap();
    let report = place.run(&["show", &ids[0], "--session", "other", JSON]).fails(1, "not_in_session");
    assert!(text(&report, "next_step").contains("--session"), "{report}");
    place.run(&["create", "--session", " ", JSON]).fails(2, "bad_input");
    place.run(&["list", "--session", "nobody", JSON]).fails(2, "bad_input");
    assert!(place.run(&["list", "--session", "other"]).text().contains("another session has some: --session "));
    // By title, by id and by a prefix of it.
    let begun = &other.as_str()[..20].to_lowercase();
    for name in ["other", other.as_str(), begun] {
        assert_eq!(text(&place.json(&["create", "--session", name]), "session_id"), other.as_str());
    }
}

#[test]
fn retired_and_lost() {
    let place = Place::new();
    let service = service(&place);
    let session = service.create_session(&place.root(), "agent").unwrap();
    let turns = ["one", "two"].map(|prompt| {
        let turn = service.begin_turn(&session, prompt).unwrap();
        service.end_turn(&session, &turn.id, MessageStatus::Complete).unwrap();
        turn.checkpoint.unwrap().checkpoint.id.0
    });
    let back =
        |id: &str, more: &[&str]| place.run(&[&["restore", id, "--session", "agent", "--yes", JSON], more].concat());
    assert_eq!(back(&turns[0], &[]).code, 0);
    let report = back(&turns[1], &[]).fails(1, "retired");
    assert!(text(&report, "next_step").contains("--files-only"), "{report}");
    assert_eq!(back(&turns[1], &["--files-only"]).code, 0);
    let second = place.create();
    let away = place.lose(&second);
    place.json(&["recover"]);
    place.run(&["restore", &second, "--yes", JSON]).fails(1, "lost");
    fs::rename(place.dir.join("away"), away).unwrap();
    place.restore(&second);
}

#[test]
fn obstructed() {
    let place = Place::new();
    place.write("out", "a file\n");
    let id = place.create();
    fs::remove_file(place.path("out")).unwrap();
    place.create();
    place.write(".gitignore", "out\n");
    place.write("out", "ignored, and in no checkpoint\n");
    let before = place.files();
    for arguments in [["restore", &id, "--yes", JSON], ["restore", &id, "--dry-run", JSON]] {
        let report = place.run(&arguments).fails(1, "obstructed");
        assert_eq!(report["paths"], json!(["out"]));
    }
    let report = place.run(&["restore", &id, "--dry-run", JSON]).json();
    assert_eq!((&report["obstructed"], &report["files_to_write"]), (&json!(["out"]), &json!([".gitignore", "out"])));
    assert_eq!(place.files(), before);
    let outcome = place.json(&["restore", &id, "--yes", "--paths", ".gitignore"]);
    assert_eq!(outcome["files_written"], json!(1));
}

#[test]
fn head_mismatch() {
    let place = Place::new();
    let id = place.create();
    place.git(&["checkout", "-q", "-b", "other"]);
    place.write("a.txt", "changed\n");
    place.write(".git/MERGE_HEAD", place.git(&["rev-parse", "HEAD"]));
    let before = (place.files(), place.status());
    for last in ["--yes", "--dry-run"] {
        place.run(&["restore", &id, "--head", "restore", last, JSON]).fails(1, "head_mismatch");
    }
    assert_eq!((place.files(), place.status()), before);
}

#[test]
fn agent_running_and_force() {
    let place = Place::new();
    let session = service(&place).create_session(&place.root(), "agent").unwrap();
    let turn = service(&place).begin_turn(&session, "do it").unwrap();
    let id = turn.checkpoint.unwrap().checkpoint.id.0;
    place.write("a.txt", "by the agent\n");
    let restore = ["restore", &id, "--session", "agent", "--yes", JSON];
    place.run(&restore).fails(1, "agent_running");
    place.run(&["restore", &id, "--session", "agent", "--dry-run", JSON]).fails(1, "agent_running");
    // A stop command that fails has not stopped the agent.
    place.run(&[&restore[..], &["--force", "--stop-command", "false"]].concat()).fails(1, "agent_running");
    let missing = "/nowhere/stop";
    place.run(&[&restore[..], &["--force", "--stop-command", missing]].concat()).fails(2, "backend");
    assert_eq!(place.read("a.txt"), b"by the agent\n");
    let (stopped, reset) = (place.dir.join("stopped by force"), place.dir.join("reset"));
    let stop = format!("touch '{}'", stopped.display());
    let write = format!("sh -c 'echo $FUZZY_EDIT_SESSION $FUZZY_EDIT_GENERATION >\"{}\"'", reset.display());
    let outcome = place.run(&[&restore[..], &["--force", "--stop-command", &stop, "--reset-command", &write]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.err);
    assert_eq!((outcome.json()["backend_reset"].as_bool(), place.read("a.txt")), (Some(true), b"alpha\n".to_vec()));
    assert!(stopped.exists());
    assert_eq!(fs::read_to_string(reset).unwrap(), format!("{session} 1\n"));
}

/// A backend whose `stop` returns only after a message arrives.
struct Slow {
    stopping: Sender<()>,
    stop: Mutex<Receiver<()>>,
}

impl Backend for Slow {
    fn stop(&self, _: &SessionId, _: Duration) -> fuzzy_checkpoint_service::Result<Stopped> {
        self.stopping.send(()).unwrap();
        self.stop.lock().unwrap().recv().unwrap();
        Ok(Stopped::Yes)
    }

    fn reset(&self, _: &SessionId, _: u64) -> fuzzy_checkpoint_service::Result<()> {
        Ok(())
    }
}

#[test]
fn restore_in_progress() {
    let place = Place::new();
    let ((stopping, is_stopping), (stop, stopped)) = (channel(), channel());
    let slow = Arc::new(Slow { stopping, stop: Mutex::new(stopped) });
    let state = place.dir.join("state/fuzzy-edit");
    let service = Checkpointer::open(&state, None, slow, Settings::default()).unwrap();
    let session = service.create_session(&place.root(), "agent").unwrap();
    let id = service.begin_turn(&session, "do it").unwrap().checkpoint.unwrap().checkpoint.id;
    let options = RestoreOptions { force: true, ..RestoreOptions::default() };
    std::thread::scope(|scope| {
        let restore = scope.spawn(|| service.restore(&session, &id, options, None));
        is_stopping.recv().unwrap();
        let report = place.run(&["create", JSON]).fails(1, "restore_in_progress");
        let open = text(&report, "restore_id");
        let next = text(&report, "next_step");
        assert!(next.starts_with("Wait") && !next.contains("--abort"), "it is alive: {report}");
        place.run(&["restore", &id.0, "--session", "agent", "--dry-run", JSON]).fails(1, "restore_in_progress");
        place.run(&["restore", &id.0, "--session", "agent", "--yes", JSON]).fails(1, "restore_in_progress");
        let ill = place.run(&["doctor"]);
        assert!(ill.code == 1 && ill.text().contains(&format!("restore {open} is not finished")), "{}", ill.text());
        stop.send(()).unwrap();
        assert_eq!(restore.join().unwrap().unwrap().restore_id, open);
    });
    place.create();
}

#[test]
fn messages_are_counted_and_the_prompt_is_returned() {
    let place = Place::new();
    let service = service(&place);
    let session = service.create_session(&place.root(), "agent").unwrap();
    let turn = service.begin_turn(&session, "do it\nwell").unwrap();
    service.append_message(&session, &turn.id, "assistant", "done").unwrap();
    service.end_turn(&session, &turn.id, MessageStatus::Complete).unwrap();
    let id = turn.checkpoint.unwrap().checkpoint.id.0;
    for (trim, number) in [("after", 1), ("from", 2), ("none", 0)] {
        let plan = place.json(&["restore", &id, "--session", "agent", "--dry-run", "--trim", trim]);
        assert_eq!(plan["messages_to_trim"], json!(number), "{trim}");
    }
    let restored = place.run(&["restore", &id, "--session", "agent", "--yes", "--trim", "from"]).text();
    assert!(restored.contains("2 messages trimmed\nthe prompt was: do it\\nwell\n"), "{restored}");
    let refused = place.run(&["undo", JSON]).fails(1, "declined");
    assert!(text(&refused, "message").contains("work of another session"), "{refused}");
    assert!(place.run(&["undo", "--yes"]).text().contains("2 messages restored\n"));
}

#[test]
fn without_a_terminal_there_is_no_question() {
    let place = Place::new();
    let id = place.create();
    place.write("a.txt", "changed\n");
    let before = place.files();
    let report = place.run(&["restore", &id, JSON]).fails(2, "bad_input");
    assert!(text(&report, "next_step").contains("--yes"), "{report}");
    assert_eq!(place.files(), before);
}

#[test]
fn bad_input() {
    let place = Place::new();
    let id = place.create();
    let id = id.as_str();
    for arguments in [
        &["restore", id, "--yes", "--trim", "all", JSON][..],
        &["restore", id, "--yes", "--trim", "after", "--files-only", JSON],
        &["restore", id, "--abort", id, JSON],
        &["restore", JSON],
        &["diff", JSON],
        &["prune", "--days", "-1", JSON],
        &["restore", id, "--yes", "--stop-command", "'", JSON],
        &["restore", id, "--yes", "--paths", "../elsewhere", JSON],
        &["diff", id, "--paths", "/", JSON],
        &["nonsense", JSON],
    ] {
        place.run(arguments).fails(2, "bad_input");
    }
    for verb in ["undo", "redo"] {
        place.run(&[verb, JSON]).fails(2, "missing");
    }
    let undo = text(&place.json(&["undo", &place.restore(id)]), "restore_id");
    let report = place.run(&["restore", "--abort", &undo, JSON]).fails(2, "bad_input");
    assert!(text(&report, "message").contains("over: done"), "{report}");
}

#[test]
fn git_missing_store_broken_state_not_writable() {
    let place = Place::new();
    let with = |name: &str, value: &Path| run(place.command(&place.root(), &["create", JSON]).env(name, value));
    with("PATH", Path::new("/nowhere")).fails(2, "git");
    // A file in the place of a directory blocks even root.
    let file = place.dir.join("file");
    fs::write(&file, "no directory, and no database\n").unwrap();
    fs::write(place.path("relative"), "no directory\n").unwrap();
    for (name, value) in [
        ("XDG_STATE_HOME", file.clone()),
        ("FUZZY_EDIT_STORE", file.clone()),
        ("FUZZY_EDIT_STORE", file.join("below")),
        ("FUZZY_EDIT_STORE", "relative".into()),
    ] {
        let report = with(name, &value).fails(2, "io");
        assert!(text(&report, "next_step").ends_with(&format!(" {name} selects this directory.")), "{report}");
    }
    place.run(&["create", JSON, "--database", file.to_str().unwrap()]).fails(2, "store");
    place.run(&["doctor", JSON, "--database", file.to_str().unwrap()]).fails(2, "store");
    assert_eq!(fs::read(file).unwrap(), b"no directory, and no database\n");
    assert!(place.pins().is_empty());
}

#[test]
fn lists_are_read_where_nothing_may_be_written() {
    let place = Place::new();
    // It belongs to another user.
    place.unchecked();
    let as_other = |arguments: &[&str]| {
        let mut command = place.command(&place.root(), arguments);
        if rustix::process::geteuid().is_root() {
            // Permissions do not restrict root, so another user runs the command.
            command.uid(65534).gid(65534);
        }
        command
    };
    if rustix::process::geteuid().is_root() {
        programs::read(Command::new("chown").args(["-R", "65534:65534"]).arg(&place.dir));
    }
    // A store in a directory that only another user may write to, or read.
    let foreign = tempfile::tempdir().unwrap();
    let elsewhere = || run(as_other(&["create", JSON]).env("FUZZY_EDIT_STORE", foreign.path().join("kept")));
    for shut in ["a-w", "a-rwx"] {
        programs::read(Command::new("chmod").arg(shut).arg(foreign.path()));
        let report = elsewhere().fails(2, "io");
        assert!(text(&report, "next_step").ends_with(" FUZZY_EDIT_STORE selects this directory."), "{report}");
    }
    let id = text(&run(&mut as_other(&["create", JSON])).json(), "id");
    let report = run(as_other(&["create", JSON]).env("FUZZY_EDIT_STORE", place.path("kept"))).fails(2, "store_missing");
    assert!(text(&report, "next_step").starts_with("FUZZY_EDIT_STORE selects another directory. "), "{report}");
    let state = place.dir.join("state");
    for shut in ["a-w", "u+w"] {
        programs::read(Command::new("chmod").args(["-R", shut]).arg(&state));
        let listed = run(&mut as_other(&["list", JSON])).json();
        assert_eq!(listed["checkpoints"][0]["id"], serde_json::json!(id), "{shut}");
    }
}
