//! Turns add messages to the transcript, and their results are kept; the newest restore can be undone.

use std::fs;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};

use fuzzy_checkpoint_service::{Backend, Checkpointer, Error, NewStep, Result, Stopped};
use fuzzy_checkpoint_store::{
    Kind, MessageStatus, RestoreId, RestoreOptions, Retention, SessionId, SessionState, Trim, TurnId, TurnNote,
};

use super::new_place;
use crate::support::{Place, bodies, turn};

#[test]
fn output_belongs_to_the_running_turn() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let one = service.begin_turn(&session, "one").expect("begun");
    // Another process of the service sees the same turn.
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
    service.end_turn(&session, &one.id, MessageStatus::Complete).expect("ignored");
    assert_eq!(service.session(&session).expect("read").turn, Some(two.id));
    let settled = service.messages(&session, 0).expect("listed");
    let settled: Vec<_> = settled.iter().map(|message| message.status).collect();
    assert_eq!(settled, [MessageStatus::Failed, MessageStatus::Failed, MessageStatus::Complete], "prompt and output");
    assert_eq!(bodies(&service, &session), ["one", "half", "two"]);
    let listed = service.sessions().expect("listed");
    assert_eq!(listed.iter().map(|row| row.root.as_str()).collect::<Vec<_>>(), [place.root().to_str().expect("UTF-8")]);
    assert_eq!(service.messages(&"unknown".into(), 0).expect_err("no session").code().as_str(), "store");
}

#[test]
fn an_unended_turn_can_be_stopped() {
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
fn a_prompt_without_a_checkpoint_has_a_reason() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    turn(&service, &session, "one", || ());
    place.spoil_git();
    let failed = turn(&service, &session, "two", || ());
    let why = failed.checkpoint.expect_err("no repository").to_string();
    assert_eq!(failed.prompt.uncheckpointed.as_ref(), Some(&why));
    let stored = service.messages(&session, 0).expect("listed");
    let stored: Vec<_> = stored.into_iter().map(|message| message.uncheckpointed).collect();
    assert_eq!(stored, [None, None, Some(why), None]);
}

#[test]
fn a_restore_that_stopped_the_agent_ends_its_turn_even_with_the_transcript_kept() {
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
    let worktree = service.session(&session).expect("read").worktree_id;
    let undoable = || {
        let operations = service.operations(&worktree, &[]).expect("listed");
        operations.to_undo().map(|operation| operation.id.clone())
    };
    let first = turn(&service, &session, "one", || place.write("a.txt", "agent\n"));
    let target = first.checkpoint.expect("taken").checkpoint.id;
    assert_eq!(undoable(), None);
    let done = service.restore(&session, &target, RestoreOptions::default(), None).expect("restored");
    assert_eq!(undoable().as_ref(), Some(&done.restore_id));
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
    assert_eq!(service.undo(&restore, Some("k")).expect_err("only once").code().as_str(), "invalid");

    let files = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
    let done = service.restore(&session, &target, files, Some("files")).expect("restored");
    assert_eq!(undoable().as_ref(), Some(&done.restore_id));
    let transcript = RestoreOptions { files: false, ..RestoreOptions::default() };
    let refused = service.restore(&session, &target, transcript.clone(), Some("files")).expect_err("another request");
    assert_eq!(refused.code().as_str(), "key_reused");
    let done = service.restore(&session, &target, transcript, None).expect("restored");
    assert_eq!(undoable().as_ref(), Some(&done.restore_id));
    let restore = RestoreId(done.restore_id);
    let undone = service.undo(&restore, Some("transcript")).expect("undone");
    assert_eq!(service.undo(&restore, Some("transcript")).expect("the same again"), undone);
    assert_eq!(service.undo(&restore, None).expect_err("they are back").code().as_str(), "invalid");

    let done = service.restore(&session, &target, RestoreOptions::default(), None).expect("restored");
    turn(&service, &session, "instead", || ());
    assert_eq!(undoable().as_ref(), Some(&done.restore_id));
    let safety = done.safety_checkpoint_id.expect("taken").as_str().into();
    let worktree = service.session(&session).expect("there").worktree_id;
    service.store().delete_checkpoints(&worktree, &[safety]).expect("deleted");
    let gone = service.undo(&RestoreId(done.restore_id), None).expect_err("the state before is gone");
    assert_eq!(gone.code().as_str(), "lost");
}

/// A backend whose first reset lasts until the test ends it.
struct Slow {
    resets: Mutex<Vec<u64>>,
    waits: Barrier,
}

impl Slow {
    fn resets(&self) -> Vec<u64> {
        self.resets.lock().expect("no panic").clone()
    }
}

impl Backend for Slow {
    fn stop(&self, _: &SessionId, _: Duration) -> Result<Stopped> {
        Ok(Stopped::Yes)
    }

    fn reset(&self, _: &SessionId, generation: u64) -> Result<()> {
        self.resets.lock().expect("no panic").push(generation);
        if self.resets().len() == 1 {
            self.waits.wait();
            self.waits.wait();
        }
        Ok(())
    }
}

#[test]
fn concurrent_callers_reset_a_backend_once() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let backend = Arc::new(Slow { resets: Mutex::default(), waits: Barrier::new(2) });
    let [service, other] = [(); 2].map(|()| place.service_of(Arc::clone(&backend) as Arc<dyn Backend>));
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = turn(&service, &session, "one", || ()).checkpoint.expect("taken").checkpoint.id;
    let meanwhile = thread::scope(|scope| {
        scope.spawn(|| service.restore(&session, &target, RestoreOptions::default(), None).expect("restored"));
        backend.waits.wait();
        // The first reset is running: a service that looks for pending resets skips it, and a turn waits.
        for service in [&service, &other] {
            service.finish().expect("finished");
        }
        let meanwhile = backend.resets();
        scope.spawn(|| other.begin_turn(&session, "two").expect("begun"));
        backend.waits.wait();
        meanwhile
    });
    assert_eq!((meanwhile, backend.resets()), (vec![1], vec![1]));
}

/// A backend whose first reset fails.
#[derive(Default)]
struct Deaf(Mutex<Vec<u64>>);

impl Backend for Deaf {
    fn stop(&self, _: &SessionId, _: Duration) -> Result<Stopped> {
        Ok(Stopped::Yes)
    }

    fn reset(&self, _: &SessionId, generation: u64) -> Result<()> {
        let mut resets = self.0.lock().expect("no panic");
        resets.push(generation);
        if resets.len() == 1 { Err(Error::Backend("deaf".to_owned())) } else { Ok(()) }
    }
}

#[test]
fn a_repeated_request_is_answered_after_the_backend_was_reset() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let backend = Arc::new(Deaf::default());
    let service = place.service_of(Arc::clone(&backend) as Arc<dyn Backend>);
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = turn(&service, &session, "one", || ()).checkpoint.expect("taken").checkpoint.id;
    let restore = || service.restore(&session, &target, RestoreOptions::default(), Some("key")).expect("restored");
    let first = restore();
    assert_eq!(service.store().undelivered_resets().expect("listed"), [(session.clone(), 1)]);
    for resets in [[1, 1], [1, 1]] {
        assert_eq!(restore(), first);
        assert_eq!(*backend.0.lock().expect("no panic"), resets);
        assert!(service.store().undelivered_resets().expect("listed").is_empty());
    }
}

/// Runs `work` with a service whose git waits while `act` runs.
fn beside<T: Send>(place: &Place, work: impl FnOnce(&Checkpointer) -> T + Send, act: impl FnOnce()) -> T {
    let [armed, waiting] = ["armed", "waiting"].map(|name| place.0.join(name));
    let script = format!("while [ -e '{}' ]; do touch '{}'; sleep 0.01; done", armed.display(), waiting.display());
    let service = place.service_that(&script);
    fs::write(&armed, "").expect("written");
    thread::scope(|scope| {
        let working = scope.spawn(|| work(&service));
        while !waiting.exists() {
            thread::sleep(Duration::from_millis(5));
        }
        act();
        fs::remove_file(armed).and_then(|()| fs::remove_file(waiting)).expect("removed");
        working.join().expect("no panic")
    })
}

#[test]
fn another_process_may_end_and_begin_a_turn_at_any_moment() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let begin = |prompt: &str| service.begin_turn(&session, prompt).expect("begun").id;
    let go_on = |turn: &TurnId, next: &str| {
        service.end_turn(&session, turn, MessageStatus::Complete).expect("ended");
        let next = begin(next);
        place.write("more.txt", "more\n");
        next
    };
    let worktree = service.session(&session).expect("there").worktree_id;
    let files = |number: usize| service.turns(&worktree).expect("listed")[number - 1].files;
    let kinds = || -> Vec<Kind> {
        service.store().checkpoints_of(&worktree).expect("listed").into_iter().map(|row| row.kind).collect()
    };

    // A turn ends twice, and the next one begins before the second end.
    let one = begin("one");
    place.write("a.txt", "one\n");
    let mut two = None;
    let end = |service: &Checkpointer| service.end_turn_late(&session, &one, None);
    beside(&place, end, || two = Some(go_on(&one, "two"))).expect("ended");
    assert_eq!((files(1), kinds()), (Some(1), vec![Kind::Turn, Kind::End, Kind::Turn]));
    assert!(service.turns(&worktree).expect("listed")[0].late.is_empty(), "it was not interrupted");
    // A step of a turn that ends meanwhile is not recorded.
    let two = two.expect("begun");
    let new = NewStep { command: "ls", paths: &[], all: false, keep: &[], worktree: None, until: i64::MAX };
    let step = beside(&place, |service| service.take_step(&session, &two, &new), || drop(go_on(&two, "three")));
    assert!(step.expect("answered").is_none() && !kinds().contains(&Kind::Step));
    // A session is not deleted in which a turn begins.
    let three = service.session(&session).expect("there").turn.expect("a turn");
    service.end_turn(&session, &three, MessageStatus::Complete).expect("ended");
    let begin_four = || drop(service.store().begin_turn(&session, "four", 1).expect("begun"));
    let deleted = beside(&place, |service| service.delete_session(&session), begin_four);
    assert!(matches!(deleted, Err(Error::AgentRunning { .. })), "{deleted:?}");
    let pins = place.engine().open(&place.root()).expect("opened").pins().expect("listed");
    assert_eq!(pins.len(), kinds().len(), "its checkpoints are kept");
}

#[test]
fn a_prune_deletes_nothing_that_another_process_needs_just_now() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = new_place(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let [one, _] = ["one", "two"].map(|prompt| turn(&service, &session, prompt, || ()));
    let worktree = service.session(&session).expect("there").worktree_id;
    let newest = Retention { turns: 1, ..Retention::default() };
    let keep = || service.store().note(&one.id, TurnNote::Kept(true)).expect("noted");
    beside(&place, |service| service.prune(&newest, Some(&worktree)), keep).expect("pruned");
    assert_eq!(service.turns(&worktree).expect("listed").len(), 2, "it was kept before it was deleted");

    // A step may be about to use this copy, and has the lock until that is recorded.
    let copy = place.0.join("state/kept").join(&worktree).join("0123456789abcdef");
    fs::create_dir_all(copy.parent().expect("a folder")).expect("created");
    let file = fs::File::create(&copy).expect("created");
    file.set_modified(SystemTime::now() - Duration::from_hours(2)).expect("set");
    let opened = place.engine().open(&place.root()).expect("opened");
    let locked = opened.lock().expect("locked");
    thread::scope(|scope| {
        let pruning = scope.spawn(|| service.prune(&newest, Some(&worktree)).expect("pruned"));
        thread::sleep(Duration::from_secs(1));
        assert!(copy.exists());
        drop(locked);
        pruning.join().expect("no panic");
    });
    assert!(!copy.exists());
}
