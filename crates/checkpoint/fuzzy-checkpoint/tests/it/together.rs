//! Many concurrent captures, followed by git's own housekeeping.

use std::fs;
use std::thread;
use std::time::Duration;

use fuzzy_checkpoint::{CaptureOptions, Oid, Snapshot, Worktree};

use crate::support::{Lab, assert_same};

fn captures(worktree: &Worktree, who: usize, count: usize) -> Vec<Snapshot> {
    let take = |number: usize| {
        let file = worktree.root().join("shared.txt");
        fs::write(file, format!("{who} {number}\n")).expect("written");
        let locked = worktree.lock().expect("locked");
        let snapshot = locked.capture(&CaptureOptions::default()).expect("captured");
        locked.pin(&format!("W{who}N{number}"), &snapshot.commit).expect("pinned");
        snapshot
    };
    (0..count).map(take).collect()
}

/// Two worktrees of one repository with two threads each, and 20 or `FUZZY_CHECKPOINT_CAPTURES` captures per thread.
#[test]
fn concurrent_captures_survive_gc() {
    let count = std::env::var("FUZZY_CHECKPOINT_CAPTURES").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let lab = Lab::new();
    let place = lab.outside("linked");
    lab.git(&["worktree", "add", "-q", &place.to_string_lossy(), "-b", "other"]);
    let engine = lab.engine();
    let worktrees = [engine.open(&lab.root).expect("a worktree"), engine.open(&place).expect("a worktree")];
    let taken: Vec<(usize, Vec<Snapshot>)> = thread::scope(|scope| {
        let start = |who: usize| {
            let worktree = &worktrees[who % 2];
            scope.spawn(move || (who % 2, captures(worktree, who, count)))
        };
        let threads: Vec<_> = (0..4).map(start).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    lab.git(&["gc", "-q", "--prune=now"]);
    worktrees[0].collect().expect("collected");
    let report = lab.kept_git(&["fsck", "--full", "--strict"]);
    assert_eq!(report.lines().filter(|line| !line.starts_with("dangling")).count(), 0, "{report}");
    assert_eq!(worktrees.iter().map(|worktree| worktree.pins().expect("pins").len()).sum::<usize>(), 4 * count);
    for (which, snapshots) in taken {
        for target in snapshots {
            let locked = worktrees[which].lock().expect("locked");
            let safety = locked.capture(&CaptureOptions::default()).expect("captured");
            let plan = locked.plan(&safety, &target, &[]).expect("a plan");
            locked.apply(&safety, &target, &plan).expect("applied");
            let content = locked.content(&target.tree, &"shared.txt".into()).expect("read").expect("covered");
            assert_eq!(fs::read(worktrees[which].root().join("shared.txt")).expect("there"), content);
        }
    }
}

/// Hundreds of other worktrees and stores have records, so that a search takes time after it missed this repository.
#[test]
fn all_who_open_a_repository_while_the_first_records_it_get_the_same_worktree() {
    let lab = Lab::new();
    lab.capture_unseen();
    let engine = lab.engine();
    for records in ["wt", "store"].map(|folder| engine.state_dir().join(folder)) {
        let known = fs::read_dir(&records).expect("records").next().expect("a record").expect("read").path();
        for number in 0..500 {
            let copy = records.join(format!("f{number:015}"));
            fs::create_dir(&copy).expect("created");
            fs::copy(known.join("record.json"), copy.join("record.json")).expect("copied");
        }
        fs::remove_dir_all(known).expect("removed");
    }
    for number in 0..4 {
        let root = lab.outside(&format!("other-{number}"));
        fs::create_dir(&root).expect("created");
        Lab::git_in(&root, &["init", "-q", "."]);
        let open = || engine.open(&root).expect("a worktree");
        let seen: Vec<_> = thread::scope(|scope| {
            let readers: Vec<_> = (0..3).map(|_| scope.spawn(|| (0..10).map(|_| open()).collect::<Vec<_>>())).collect();
            drop(open().lock().expect("locked"));
            readers.into_iter().flat_map(|reader| reader.join().expect("no panic")).collect()
        });
        let first = open();
        for other in seen {
            assert_eq!((other.id(), other.store()), (first.id(), first.store()));
        }
    }
}

#[test]
fn a_store_is_not_removed_while_another_worktree_captures_for_the_first_time() {
    let lab = Lab::new();
    let linked = lab.outside("linked");
    let path = linked.to_string_lossy().into_owned();
    lab.git(&["worktree", "add", "-q", &path, "-b", "other"]);
    let engine = lab.engine();
    let other = engine.open(&linked).expect("a worktree");
    drop(other.lock().expect("locked"));
    lab.git(&["worktree", "remove", "--force", &path]);
    let removed = engine.open_removed(other.id(), other.git_dir(), &linked).expect("read").expect("removed");
    let worktree = lab.open();
    let locked = worktree.lock().expect("locked");
    // As before its record is written.
    let record = engine.state_dir().join("wt").join(worktree.id()).join("record.json");
    let aside = lab.outside("record");
    fs::rename(&record, &aside).expect("renamed");
    thread::scope(|scope| {
        let forgetting = scope.spawn(|| removed.forget().expect("forgotten"));
        thread::sleep(Duration::from_secs(1));
        let snapshot = locked.capture(&CaptureOptions::default()).expect("captured");
        locked.pin("one", &snapshot.commit).expect("pinned");
        fs::rename(&aside, &record).expect("renamed");
        drop(locked);
        forgetting.join().expect("no panic");
    });
    assert_eq!(worktree.pins().expect("pins").len(), 1);
}

/// Another container may write objects into the same repository, with the same process id.
#[test]
fn a_capture_keeps_the_temporary_objects_of_another() {
    let lab = Lab::new();
    let worktree = lab.open();
    let drafts: Vec<_> = (0..=255_u8)
        .map(|above| {
            let dir = worktree.store().join(format!("objects/{above:02x}"));
            fs::create_dir_all(&dir).expect("a directory");
            dir.join(format!("tmp_obj_fuzzy-edit_{}", std::process::id()))
        })
        .collect();
    for draft in &drafts {
        fs::write(draft, "half of an object").expect("written");
    }
    captures(&worktree, 0, 3);
    let gone: Vec<_> = drafts.iter().filter(|draft| !draft.exists()).collect();
    assert!(gone.is_empty(), "{gone:?}");
    let report = lab.git(&["fsck", "--full", "--strict"]);
    assert_eq!(
        report.lines().filter(|line| line.contains("corrupt") || line.contains("missing")).count(),
        0,
        "{report}"
    );
}

#[test]
fn retention_then_gc_then_capture() {
    let lab = Lab::new();
    let worktree = lab.open();
    for round in 0..4 {
        lab.write("untracked.txt", format!("round {round}\n"));
        lab.write("steady.txt", "only ever in checkpoints\n");
        let snapshot = lab.capture();
        let locked = worktree.lock().expect("locked");
        locked.pin(&format!("R{round}"), &snapshot.commit).expect("pinned");
    }
    let names: Vec<String> = worktree.pins().expect("pins").into_iter().map(|(name, _)| name).collect();
    worktree.unpin(&names).expect("dropped");
    assert!(worktree.pins().expect("pins").is_empty());
    worktree.collect().expect("collected");
    let target = lab.capture_unseen();
    every_object_exists(&lab, &target.commit);
    let files = lab.files();
    lab.remove("steady.txt");
    lab.restore(&target);
    assert_same(&files, &lab.files(), "restored");
}

fn every_object_exists(lab: &Lab, commit: &Oid) {
    lab.kept_git(&["rev-list", "--objects", "--quiet", commit.as_str()]);
}
