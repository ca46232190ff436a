//! The changes of a turn, and those outside any turn, are counted when they occur and listed file by file on request.

use std::fs;

use fuzzy_checkpoint::{Change, Detail, DiffOptions, Differing, RepoPath};
use fuzzy_checkpoint_service::{Checkpointer, TurnPart};
use fuzzy_checkpoint_store::{Kind, ListFilter, Message, MessageStatus, RestoreId, RestoreOptions, SessionId, Trim};

use crate::support::{Place, turn};

fn prompts(service: &Checkpointer, session: &SessionId) -> Vec<Message> {
    let all = service.messages(session, 0).expect("listed");
    all.into_iter().filter(|message| message.role == "user").collect()
}

/// Changed files, inserted lines and deleted lines.
type Counts = Option<(u64, u64, u64)>;

fn counts(service: &Checkpointer, session: &SessionId) -> Vec<(Counts, Counts)> {
    let count = |changes: &Option<fuzzy_checkpoint_store::Changes>| {
        changes.as_ref().map(|changes| (changes.files, changes.insertions, changes.deletions))
    };
    prompts(service, session).iter().map(|prompt| (count(&prompt.outside), count(&prompt.changes))).collect()
}

fn brief(files: &[Differing]) -> Vec<(String, Change, Option<u64>, Option<u64>)> {
    files.iter().map(|file| (file.path.to_string(), file.change, file.insertions, file.deletions)).collect()
}

#[test]
fn a_turns_changes_are_counted_at_its_end_and_separate_from_others() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    place.write("long.txt", &"a line\n".repeat(50));
    let first = turn(&service, &session, "one", || {
        place.write("a.txt", "beta\n");
        place.write("new.txt", "1\n2\n3\n");
        fs::remove_file(place.root().join("dir/b.txt")).expect("removed");
        fs::rename(place.root().join("long.txt"), place.root().join("longer.txt")).expect("renamed");
        fs::write(place.root().join("bin"), b"\0\x01").expect("written");
    });
    place.write("new.txt", "1\n2\n3\n4\n");
    let second = turn(&service, &session, "two", || ());
    turn(&service, &session, "three", || place.write("new.txt", ""));
    assert_eq!(
        counts(&service, &session),
        [(None, Some((5, 4, 2))), (Some((1, 1, 0)), Some((0, 0, 0))), (Some((0, 0, 0)), Some((1, 0, 4)))]
    );
    assert_eq!(second.prompt.outside.map(|outside| outside.files), Some(1), "begin_turn returns the counts at once");
    let changes = service.turn_changes(&session, &first.id).expect("compared");
    assert_eq!(
        brief(&changes.files),
        [
            ("a.txt".to_owned(), Change::Changed, Some(1), Some(1)),
            ("bin".to_owned(), Change::Added, None, None),
            ("dir/b.txt".to_owned(), Change::Deleted, Some(0), Some(1)),
            ("longer.txt".to_owned(), Change::Renamed, Some(0), Some(0)),
            ("new.txt".to_owned(), Change::Added, Some(3), Some(0)),
        ]
    );
    assert_eq!(changes.files[3].renamed_from, Some(RepoPath::from("long.txt")));
    assert_eq!((changes.running, changes.outside.len(), changes.uncompared), (false, 0, None));
    let kinds = service.list(&session, ListFilter::default()).expect("listed").into_iter().map(|row| row.kind);
    assert_eq!(kinds.collect::<Vec<_>>(), [Kind::Turn, Kind::End, Kind::Turn, Kind::End, Kind::Turn, Kind::End]);

    let changes = service.turn_changes(&session, &second.id).expect("compared");
    assert_eq!(
        (changes.files.len(), brief(&changes.outside)),
        (0, vec![("new.txt".to_owned(), Change::Changed, Some(1), Some(0))])
    );
    let only = |path: &str| DiffOptions { paths: vec![path.into()], detail: Detail::Patch, renames: true };
    let diff = |turn, part, path| service.turn_diff(&session, turn, part, &only(path));
    let patch = diff(&second.id, TurnPart::Outside, "new.txt").expect("compared").patch;
    assert!(String::from_utf8_lossy(&patch).ends_with("@@ -1,3 +1,4 @@\n 1\n 2\n 3\n+4\n"), "{patch:?}");
    let patch = diff(&first.id, TurnPart::Turn, "longer.txt").expect("compared").patch;
    assert!(String::from_utf8_lossy(&patch).contains("rename from long.txt\nrename to longer.txt\n"), "{patch:?}");
    assert_eq!(diff(&first.id, TurnPart::Turn, "nowhere").expect_err("no such path").code().as_str(), "missing");
    assert_eq!(diff(&first.id, TurnPart::Outside, "a.txt").expect_err("none").code().as_str(), "invalid");
    assert_eq!(service.turn_changes(&session, &"none".into()).expect_err("no turn").code().as_str(), "store");
}

#[test]
fn a_running_turn_is_compared_with_the_current_files() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let running = service.begin_turn(&session, "one").expect("begun");
    place.write("a.txt", "beta\n");
    let changes = service.turn_changes(&session, &running.id).expect("compared");
    assert_eq!((changes.running, changes.to, changes.files.len()), (true, None, 1));
    place.write("b.txt", "beta\n");
    assert_eq!(service.turn_changes(&session, &running.id).expect("compared").files.len(), 2);
}

#[test]
fn changes_by_a_restore_do_not_count_as_outside_a_turn() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let first = turn(&service, &session, "one", || place.write("a.txt", "one\n"));
    turn(&service, &session, "two", || place.write("two.txt", "two\n"));
    let target = first.checkpoint.expect("taken").checkpoint.id;
    let done = service.restore(&session, &target, RestoreOptions::default(), None).expect("restored");
    place.write("mine.txt", "1\n2\n");
    let again = turn(&service, &session, "again", || ());
    assert_eq!(again.prompt.outside.map(|outside| (outside.files, outside.insertions)), Some((1, 2)));
    let undone = service.undo(&RestoreId(done.restore_id), None).expect("the files are undone");
    assert!(!undone.backend_reset);
    let last = turn(&service, &session, "last", || ());
    assert_eq!(last.prompt.outside.map(|outside| outside.files), Some(0), "the undo made the only changes");
    // The end of this turn was not captured, so its changes cannot be separated from other changes.
    let gone = service.begin_turn(&session, "lost").expect("begun");
    place.write("lost.txt", "lost\n");
    service.store().end_turn(&session, &gone.id, MessageStatus::Failed).expect("ended");
    assert_eq!(turn(&service, &session, "after", || ()).prompt.outside, None);
    let changes = service.turn_changes(&session, &gone.id).expect("compared");
    assert!(changes.uncompared.is_some_and(|why| why.contains("interrupted")));
}

#[test]
fn another_sessions_turn_does_not_count_as_outside_a_turn() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let service = place.service();
    let [session, other] = ["t", "other"].map(|title| service.create_session(&place.root(), title).expect("created"));
    turn(&service, &session, "one", || place.write("a.txt", "one\n"));
    turn(&service, &other, "elsewhere", || place.write("a.txt", "two\n"));
    place.write("mine.txt", "1\n");
    let next = turn(&service, &session, "two", || ());
    assert_eq!(next.prompt.outside.map(|outside| outside.files), Some(1));
    assert_eq!(service.turn_changes(&session, &next.id).expect("compared").outside.len(), 1);
}

#[test]
fn a_turn_ends_without_a_capture_and_gives_the_reason() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let one = service.begin_turn(&session, "one").expect("begun");
    place.spoil_git();
    service.end_turn(&session, &one.id, MessageStatus::Complete).expect("ended");
    place.mend_git();
    let prompt = prompts(&service, &session).remove(0);
    assert_eq!(service.session(&session).expect("read").turn, None);
    assert!(prompt.changes.is_none() && prompt.uncompared.is_some_and(|why| why.contains("git rev-parse failed")));
    let busy = service.begin_turn(&session, "two").expect("begun");
    service.end_turn_uncaptured(&session, &busy.id, MessageStatus::Complete, "busy").expect("ended");
    assert_eq!(service.turn_changes(&session, &busy.id).expect("compared").uncompared.as_deref(), Some("busy"));
}

#[test]
fn a_list_of_counts_outlives_its_checkpoints() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let first = turn(&service, &session, "one", || place.write("a.txt", "one\n"));
    let rows = service.list(&session, ListFilter::default()).expect("listed");
    let ids: Vec<_> = rows.iter().map(|row| row.id.clone()).collect();
    service.store().delete_checkpoints(&rows[0].worktree_id, &ids).expect("deleted");
    assert_eq!(counts(&service, &session), [(None, Some((1, 1, 1)))]);
    assert_eq!(service.turn_changes(&session, &first.id).expect_err("gone").code().as_str(), "lost");
}

#[test]
fn paths_that_name_nothing_are_refused_before_anything_is_written() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    let first = turn(&service, &session, "one", || {
        place.write("a.txt", "one\n");
        place.write("dir/new.txt", "new\n");
    });
    let target = first.checkpoint.expect("taken").checkpoint.id;
    let files = place.files();
    let some = |paths: &[&str]| RestoreOptions {
        paths: paths.iter().map(|path| RepoPath::from(*path)).collect(),
        ..RestoreOptions::default()
    };
    for odd in [&["nowhere"][..], &["a.txt", "nowhere/at/all"], &["x.ignored"], &["a.txt/b"]] {
        for refused in [
            service.preview(&session, &target, &some(odd)).map(drop),
            service.restore(&session, &target, some(odd), None).map(drop),
        ] {
            assert_eq!(refused.expect_err("names nothing").code().as_str(), "missing", "{odd:?}");
        }
    }
    assert_eq!(place.files(), files);
    // A path may be the same on both sides, or exist on one side only.
    let plan = service.preview(&session, &target, &some(&["dir/b.txt"])).expect("planned");
    assert!(plan.files.is_empty());
    let plan = service.preview(&session, &target, &some(&["dir", "dir/new.txt", "a.txt"])).expect("planned");
    assert_eq!(
        brief(&plan.files),
        [
            ("a.txt".to_owned(), Change::Changed, Some(1), Some(1)),
            ("dir/new.txt".to_owned(), Change::Deleted, Some(0), Some(1))
        ]
    );
    let done = service.restore(&session, &target, some(&["dir/new.txt"]), None).expect("restored");
    assert_eq!((done.files_written, done.files_deleted), (0, 1));
}

#[test]
fn the_history_lists_the_changes_of_each_restore() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    place.write("old.txt", &"a line\n".repeat(50));
    let first = turn(&service, &session, "one", || {
        place.write("a.txt", "one\n");
        fs::rename(place.root().join("old.txt"), place.root().join("new.txt")).expect("renamed");
    });
    let target = first.checkpoint.expect("taken").checkpoint.id;
    let part = RestoreOptions { paths: vec!["a.txt".into()], ..RestoreOptions::default() };
    let one = service.restore(&session, &target, part, None).expect("restored");
    let two = service.restore(&session, &target, RestoreOptions::default(), None).expect("restored");
    let words = RestoreOptions { files: false, trim: Trim::From, ..RestoreOptions::default() };
    let three = service.restore(&session, &target, words, None).expect("restored");
    let listed = |before: Option<&RestoreId>| -> Vec<String> {
        let rows = service.history(&session, before, 2).expect("listed");
        rows.into_iter().map(|row| row.id.0).collect()
    };
    assert_eq!(listed(None), [three.restore_id.clone(), two.restore_id.clone()]);
    assert_eq!(listed(Some(&RestoreId(two.restore_id.clone()))), std::slice::from_ref(&one.restore_id));
    let whole = DiffOptions { paths: Vec::new(), detail: Detail::Lines, renames: true };
    let did = |id: &str| service.restore_diff(&id.into(), &whole).map(|diff| brief(&diff.files));
    assert_eq!(did(&one.restore_id).expect("compared"), [("a.txt".to_owned(), Change::Changed, Some(1), Some(1))]);
    assert_eq!(did(&two.restore_id).expect("compared"), [("old.txt".to_owned(), Change::Renamed, Some(0), Some(0))]);
    assert_eq!(did(&three.restore_id).expect_err("no files").code().as_str(), "invalid");
}

#[test]
fn a_removed_turn_does_not_count() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    let service = place.service();
    let session = service.create_session(&place.root(), "t").expect("created");
    turn(&service, &session, "one", || place.write("a.txt", "one\n"));
    let second = turn(&service, &session, "two", || place.write("b.txt", "two\n"));
    let counted = |session| counts(&service, session).into_iter().map(|(_, changes)| changes).collect::<Vec<_>>();
    let both = [Some((1, 1, 1)), Some((1, 1, 0))];
    assert_eq!(counted(&session), both);
    let begin = second.checkpoint.expect("taken").checkpoint.id;
    let restore = |options| service.restore(&session, &begin, options, None).expect("restored");
    let aside = restore(RestoreOptions { paths: vec!["b.txt".into()], ..RestoreOptions::default() });
    assert_eq!(counted(&session), both, "the transcript was left alone");
    service.undo(&RestoreId(aside.restore_id), None).expect("undone");
    let back = RestoreId(restore(RestoreOptions::default()).restore_id);
    assert_eq!(counted(&session), [both[0], None]);
    let changes = service.turn_changes(&session, &second.id).expect("compared");
    assert_eq!((changes.files.len(), changes.uncompared), (0, Some(format!("restore {back} took it back"))));
    let undone = service.undo(&back, None).expect("undone");
    assert_eq!(counted(&session), both);
    service.undo(&RestoreId(undone.restore_id), None).expect("done again");
    assert_eq!(counted(&session), [both[0], None]);
}
