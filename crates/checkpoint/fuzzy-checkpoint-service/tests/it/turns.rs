//! Turns fill the transcript, and what became of them is never forgotten; of the restores one can be taken back.

use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::Duration;

use fuzzy_checkpoint_service::{Backend, Error, Result, Stopped, Undoable};
use fuzzy_checkpoint_store::{
    CheckpointState, MessageStatus, RestoreId, RestoreOptions, SessionId, SessionState, Trim,
};

use super::new_place;
use crate::support::{bodies, turn};

#[test]
fn output_belongs_to_the_turn_that_runs() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let one = service.begin_turn(&session, "one").expect("begun");
    // Another process of the service knows as much.
    let other = place.service();
    let said = other.append_message(&session, &one.id, "assistant", "half").expect("stored");
    assert_eq!((said.seq, said.status), (2, MessageStatus::Streaming));
    assert_eq!(other.session(&session).expect("read").turn.as_ref(), Some(&one.id));
    assert_eq!(
        other.end_turn(&session, &one.id, MessageStatus::Streaming).expect_err("no end").code().as_str(),
        "invalid"
    );
    other.end_turn(&session, &one.id, MessageStatus::Failed).expect("ended");
    let two = service.begin_turn(&session, "two").expect("begun");
    for late in [&one.id, &"nothing".into()] {
        let code = service.append_message(&session, late, "assistant", "late").expect_err("dropped").code().as_str();
        assert_eq!(code, if *late == one.id { "turn_over" } else { "store" });
    }
    service.end_turn(&session, &one.id, MessageStatus::Complete).expect("passed over");
    assert_eq!(service.session(&session).expect("read").turn, Some(two.id));
    let settled = service.messages(&session, 0).expect("listed");
    let settled: Vec<_> = settled.iter().map(|message| message.status).collect();
    assert_eq!(settled, [MessageStatus::Failed, MessageStatus::Failed, MessageStatus::Complete], "prompt and output");
    assert_eq!(bodies(&service, &session), ["one", "half", "two"]);
    let listed = service.sessions().expect("listed");
    assert_eq!(listed.iter().map(|row| row.root.as_str()).collect::<Vec<_>>(), [place.root().to_str().expect("UTF-8")]);
    assert_eq!(service.messages(&"nobody".into(), 0).expect_err("no session").code().as_str(), "store");
}

#[test]
fn a_turn_that_nobody_ends_is_stopped() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let deaf = place.service_with(Stopped::No);
    let session = deaf.create_session(&place.root(), "t").expect("created");
    let hung = deaf.begin_turn(&session, "one").expect("begun");
    let refused = deaf.stop_turn(&session, &hung.id).expect_err("it may still write");
    assert_eq!(refused.code().as_str(), "agent_running");
    deaf.append_message(&session, &hung.id, "assistant", "still here").expect("the turn goes on");
    let service = place.service();
    service.stop_turn(&session, &hung.id).expect("stopped");
    assert_eq!(service.session(&session).expect("read").state, SessionState::Idle);
    let statuses = service.messages(&session, 0).expect("listed").into_iter().map(|message| message.status);
    assert_eq!(statuses.collect::<Vec<_>>(), [MessageStatus::Failed; 2]);
    let late = service.append_message(&session, &hung.id, "assistant", "late").expect_err("dropped");
    assert_eq!(late.code().as_str(), "turn_over");
    let next = service.begin_turn(&session, "two").expect("begun");
    deaf.stop_turn(&session, &hung.id).expect("it is over, and no other is stopped for it");
    assert_eq!(service.session(&session).expect("read").turn, Some(next.id));
    assert_eq!(service.stop_turn(&session, &"none".into()).expect_err("never was").code().as_str(), "store");
}

#[test]
fn a_prompt_without_a_checkpoint_says_why() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    turn(&service, &session, "one", || ());
    std::fs::rename(place.root().join(".git"), place.root().join("away")).expect("moved");
    let failed = turn(&service, &session, "two", || ());
    let why = failed.checkpoint.expect_err("no repository").to_string();
    assert_eq!(failed.prompt.uncheckpointed.as_ref(), Some(&why));
    let stored = service.messages(&session, 0).expect("listed");
    let stored: Vec<_> = stored.into_iter().map(|message| message.uncheckpointed).collect();
    assert_eq!(stored, [None, None, Some(why), None]);
}

#[test]
fn a_restore_that_stopped_the_agent_ends_its_turn_though_the_transcript_stays() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let running = service.begin_turn(&session, "one").expect("begun");
    service.append_message(&session, &running.id, "assistant", "half").expect("stored");
    place.write("a.txt", "agent\n");
    let target = running.checkpoint.expect("taken").checkpoint.id;
    let options = RestoreOptions { force: true, trim: Trim::None, ..RestoreOptions::default() };
    service.restore(&session, &target, options, None).expect("restored");
    let late = service.append_message(&session, &running.id, "assistant", "late").expect_err("dropped");
    assert_eq!(late.code().as_str(), "turn_over");
    let messages = service.messages(&session, 0).expect("listed");
    assert_eq!(messages.last().map(|last| last.status), Some(MessageStatus::Failed));
    assert_eq!(service.session(&session).expect("read").state, SessionState::Idle);
}

#[test]
fn the_newest_restore_can_be_undone_once() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let undoable = || service.undoable(&session).expect("asked");
    let some = |restore: &str, files, transcript| Some(Undoable { restore: restore.into(), files, transcript });
    let first = turn(&service, &session, "one", || place.write("a.txt", "agent\n"));
    let target = first.checkpoint.expect("taken").checkpoint.id;
    assert_eq!(undoable(), None);
    let done = service.restore(&session, &target, RestoreOptions::default(), None).expect("restored");
    assert_eq!(undoable(), some(&done.restore_id, true, true));
    let restore = RestoreId(done.restore_id.clone());
    let clicks = std::thread::scope(|scope| {
        let click = || scope.spawn(|| service.undo(&restore, Some("one click")));
        [click(), click()].map(|thread| thread.join().expect("no panic"))
    });
    for click in clicks {
        assert!(
            click.as_ref().is_ok_and(|undone| undone.messages_deleted == 1)
                || click.as_ref().is_err_and(|error| error.code().as_str() == "restore_in_progress"),
            "{click:?}"
        );
    }
    service.undo(&restore, Some("one click")).expect("the same again");
    assert_eq!(place.notes(), ["reset 1", "reset 2"], "a double click is one undo");
    assert_eq!(undoable(), None, "it is undone");
    assert_eq!(service.undo(&restore, Some("k")).expect("files again").messages_deleted, 0);

    let files = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
    let done = service.restore(&session, &target, files, Some("files")).expect("restored");
    assert_eq!(undoable(), some(&done.restore_id, true, false));
    let words = RestoreOptions { files: false, ..RestoreOptions::default() };
    let refused = service.restore(&session, &target, words.clone(), Some("files")).expect_err("another request");
    assert_eq!(refused.code().as_str(), "key_reused");
    let done = service.restore(&session, &target, words, None).expect("restored");
    assert_eq!(undoable(), some(&done.restore_id, false, true));
    let restore = RestoreId(done.restore_id);
    let undone = service.undo(&restore, Some("words")).expect("undone");
    assert_eq!(service.undo(&restore, Some("words")).expect("the same again"), undone);
    assert_eq!(service.undo(&restore, None).expect_err("they are back").code().as_str(), "invalid");

    let done = service.restore(&session, &target, RestoreOptions::default(), None).expect("restored");
    turn(&service, &session, "instead", || ());
    assert_eq!(undoable(), some(&done.restore_id, true, false), "something was said since");
    let safety = done.safety_checkpoint_id.expect("taken").as_str().into();
    service.store().set_checkpoint_state(&safety, CheckpointState::Lost).expect("set");
    assert_eq!(undoable(), None, "what was there before is gone");
}

/// Is told of a first generation for as long as somebody waits with it.
struct Slow {
    told: Mutex<Vec<u64>>,
    waits: Barrier,
}

impl Slow {
    fn told(&self) -> Vec<u64> {
        self.told.lock().expect("nobody panicked").clone()
    }
}

impl Backend for Slow {
    fn stop(&self, _: &SessionId, _: Duration) -> Result<Stopped> {
        Ok(Stopped::Yes)
    }

    fn reset(&self, _: &SessionId, generation: u64) -> Result<()> {
        self.told.lock().expect("nobody panicked").push(generation);
        if self.told().len() == 1 {
            self.waits.wait();
            self.waits.wait();
        }
        Ok(())
    }
}

#[test]
fn a_backend_is_told_once_whoever_else_would_tell_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let backend = Arc::new(Slow { told: Mutex::default(), waits: Barrier::new(2) });
    let [service, other] = [(); 2].map(|()| place.service_of(Arc::clone(&backend) as Arc<dyn Backend>));
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = turn(&service, &session, "one", || ()).checkpoint.expect("taken").checkpoint.id;
    let meanwhile = thread::scope(|scope| {
        scope.spawn(|| service.restore(&session, &target, RestoreOptions::default(), None).expect("restored"));
        backend.waits.wait();
        // It is being told: a service that looks for what is left over leaves it alone, and a turn waits.
        for service in [&service, &other] {
            service.finish().expect("finished");
        }
        let meanwhile = backend.told();
        scope.spawn(|| other.begin_turn(&session, "two").expect("begun"));
        backend.waits.wait();
        meanwhile
    });
    assert_eq!((meanwhile, backend.told()), (vec![1], vec![1]));
}

/// Fails to hear what it is told first.
#[derive(Default)]
struct Deaf(Mutex<Vec<u64>>);

impl Backend for Deaf {
    fn stop(&self, _: &SessionId, _: Duration) -> Result<Stopped> {
        Ok(Stopped::Yes)
    }

    fn reset(&self, _: &SessionId, generation: u64) -> Result<()> {
        let mut told = self.0.lock().expect("nobody panicked");
        told.push(generation);
        if told.len() == 1 { Err(Error::Backend("deaf".to_owned())) } else { Ok(()) }
    }
}

#[test]
fn who_asks_again_is_answered_when_the_backend_was_told() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let backend = Arc::new(Deaf::default());
    let service = place.service_of(Arc::clone(&backend) as Arc<dyn Backend>);
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = turn(&service, &session, "one", || ()).checkpoint.expect("taken").checkpoint.id;
    let ask = || service.restore(&session, &target, RestoreOptions::default(), Some("key")).expect("restored");
    let first = ask();
    assert_eq!(service.store().undelivered_resets().expect("listed"), [(session.clone(), 1)]);
    for told in [[1, 1], [1, 1]] {
        assert_eq!(ask(), first);
        assert_eq!(*backend.0.lock().expect("nobody panicked"), told);
        assert!(service.store().undelivered_resets().expect("listed").is_empty());
    }
}
