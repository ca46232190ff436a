//! Only the state directory, the private refs, the worktree's id, objects and planned files are written. No git command
//! runs that discards changes or compares by the repository's own rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use fuzzy_checkpoint::Oid;
use fuzzy_checkpoint_service::{CreateOptions, Side};
use fuzzy_checkpoint_store::{Checkpoint, HeadMode, RestoreOptions, Retention};

use crate::support::{self, Place, turn};

/// The observed files: kind and mode, modification time, content.
type Seen = BTreeMap<PathBuf, (u32, i64, i64, Vec<u8>)>;

fn look(dir: &Path, seen: &mut Seen) {
    for entry in fs::read_dir(dir).expect("a directory").flatten() {
        let (path, meta) = (entry.path(), entry.metadata().expect("there"));
        if meta.is_dir() {
            // A directory's own time changes with every file written in it.
            seen.insert(path.clone(), (meta.mode(), 0, 0, Vec::new()));
            look(&path, seen);
        } else {
            let content = fs::read(&path).unwrap_or_default();
            seen.insert(path, (meta.mode(), meta.mtime(), meta.mtime_nsec(), content));
        }
    }
}

/// Runs `work` and returns the paths that it changed below the test's directory, except for our own files.
fn changed_by(place: &Place, work: impl FnOnce()) -> BTreeSet<String> {
    let (mut before, mut after) = (Seen::new(), Seen::new());
    look(&place.0, &mut before);
    work();
    look(&place.0, &mut after);
    let ours = |path: &str| {
        let own = ["state/", "state.db", "calls", "notes"];
        own.iter().any(|own| path.starts_with(own) || format!("{path}/") == *own)
    };
    let differs = |path: &&PathBuf| before.get(*path) != after.get(*path);
    let name = |path: &PathBuf| path.strip_prefix(&place.0).expect("below").to_string_lossy().into_owned();
    let changed = before.keys().chain(after.keys()).filter(differs).map(name);
    changed.filter(|path| !ours(path)).collect()
}

const HEAD_STEP: [&str; 3] = ["repo/.git/logs/HEAD", "repo/.git/logs/refs/heads/main", "repo/.git/refs/heads/main"];

/// Returns the paths of a loose object of the repository: its directory and its file. `git add` stores no trees, which a
/// restored index names.
fn loose(oid: &Oid) -> [String; 2] {
    let (above, name) = oid.as_str().split_at(2);
    [format!("repo/.git/objects/{above}"), format!("repo/.git/objects/{above}/{name}")]
}

#[test]
fn only_planned_files_are_written_and_only_allowed_commands_run() {
    let dir = tempfile::tempdir().expect("a directory");
    let place = Place::new(dir.path());
    fs::create_dir(place.0.join("home")).expect("created");
    // Git's home directory is below the place, so that files written there are detected, too.
    let log = format!(
        "export HOME='{0}/home' XDG_CONFIG_HOME= XDG_CACHE_HOME=
printf '%s\\n' \"$(echo \"${{GIT_DIR:-none}} $*\" | tr '\\n' ' ')\" >>'{0}/calls'",
        place.0.display()
    );
    let service = place.service_that(&log);
    place.write("staged.txt", "staged\n");
    place.git(&["add", "staged.txt"]);
    let session = service.create_session(&place.root(), "t").expect("created");

    let none = BTreeSet::new();
    let captured = changed_by(&place, || {
        service.create(&session, &CreateOptions::default()).expect("taken");
        service.create(&session, &CreateOptions::default()).expect("taken again");
    });
    assert_eq!(captured, none, "a capture");
    let first = turn(&service, &session, "one", || {
        place.write("a.txt", "agent\n");
        fs::remove_dir_all(place.root().join("dir")).expect("removed");
        place.write("new/x.txt", "new\n");
        place.git(&["add", "-A"]);
        place.git(&["commit", "-qm", "by the agent"]);
    });
    let Checkpoint { id: target, index_tree_oid: index, .. } = first.checkpoint.expect("taken").checkpoint;
    let planned = changed_by(&place, || {
        let plan = service.plan(&session, &target, &RestoreOptions::default()).expect("a plan");
        assert_eq!((plan.writes.len(), plan.deletes.len()), (2, 1));
        service.diff(&session, &Side::Checkpoint(target.clone()), &Side::Worktree, &support::WHOLE).expect("compared");
        service.show(&session, &target).expect("found");
        service.doctor(None, false).expect("checked");
        service.recover().expect("nothing to do");
    });
    assert_eq!(planned, none, "looking");
    let files = ["repo/a.txt", "repo/dir", "repo/dir/b.txt", "repo/new", "repo/new/x.txt"];
    let mut restore = None;
    let restored = changed_by(&place, || {
        restore = Some(service.restore(&session, &target, RestoreOptions::default(), None).expect("restored"));
    });
    assert_eq!(restored, files.map(String::from).into(), "a restore of the files");
    let undone = changed_by(&place, || {
        service.undo(&restore.expect("restored").restore_id.as_str().into(), None).expect("undone");
    });
    assert_eq!(undone, restored, "the undo");
    let options = RestoreOptions { head: HeadMode::Restore, ..RestoreOptions::default() };
    let all = changed_by(&place, || drop(service.restore(&session, &target, options, None).expect("restored")));
    let expected = files.iter().chain(&HEAD_STEP).chain(&["repo/.git/index"]).map(|path| (*path).to_owned());
    assert_eq!(all, expected.chain(loose(&index.expect("an index"))).collect(), "a restore of files, index and head");
    let everything = Retention { turns: 0, safety_ms: -1, other_ms: -1, max_bytes: 0, gone: false };
    assert_eq!(changed_by(&place, || drop(service.prune(&everything, None).expect("pruned"))), none, "retention");

    let calls = fs::read_to_string(place.0.join("calls")).expect("a log");
    let private = place.0.join("state/wt").to_string_lossy().into_owned();
    let store = place.0.join("state/store").to_string_lossy().into_owned();
    let users = place.root().join(".git").to_string_lossy().into_owned();
    let mut verbs = BTreeSet::new();
    for call in calls.lines() {
        let mut words = call.split(' ').filter(|word| !word.is_empty());
        let git_dir = words.next().expect("a directory");
        let mut rest: Vec<&str> = words.collect();
        while rest.first() == Some(&"-c") {
            rest.drain(..2);
        }
        let verb = rest[0];
        let allowed: &[&str] = if git_dir.starts_with(&private) {
            &[
                "cat-file",
                "check-ignore",
                "diff-tree",
                "ls-files",
                "ls-tree",
                "read-tree",
                "rev-list",
                "rev-parse",
                "status",
                "update-index",
                "write-tree",
            ]
        } else if git_dir == users {
            &["config", "for-each-ref", "ls-files", "rev-list", "rev-parse", "update-ref"]
        } else if git_dir.starts_with(&store) {
            &["cat-file", "for-each-ref", "pack-objects", "rev-list", "update-ref"]
        } else {
            &["config", "rev-parse", "var", "version"]
        };
        assert!(allowed.contains(&verb), "{call}");
        for banned in ["--hard", "-f", "--force", "clean", "checkout"] {
            assert!(!rest.contains(&banned), "{call}");
        }
        if verb == "update-ref" && !rest.contains(&"refs/heads/main") {
            assert!(
                rest.contains(&"--stdin") || rest.iter().any(|word| word.starts_with("refs/fuzzy-edit/")),
                "{call}"
            );
        }
        verbs.insert(verb.to_owned());
    }
    assert!(calls.lines().count() > 40 && verbs.len() > 10, "the calls were logged: {verbs:?}");
    let moved = calls.lines().filter(|call| call.contains(" refs/heads/main ")).count();
    assert_eq!(moved, 1, "the branch moved once, on request");
}
