//! A disk that is full when a turn begins, and one that fills up in the middle of a restore: status 507, and no data
//! loss.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use fuzzy_checkpoint_store::{Error, WorktreeRow, open_file};
use rustix::fs::{FallocateFlags, fallocate, statvfs};
use serde_json::json;

use super::database::{Database, on_each_database};
use super::scene::Scene;
use super::server::{Gate, Server, serve, until};
use crate::place::{Place, run};

on_each_database!(a_disk_that_is_nearly_full, a_disk_that_gets_full);

/// A file system of its own, which only root can mount.
struct Small(tempfile::TempDir);

impl Small {
    /// Mounts one with a little more room than a capture requires; reports if that is not possible.
    fn new() -> Option<Self> {
        Self::with("size=320m,mode=755")
    }

    fn with(options: &str) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let options = ["-t", "tmpfs", "-o", options, "none"];
        let mounted = Command::new("mount").args(options).arg(dir.path()).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(dir));
        }
        eprintln!("left out: only root can make a small file system");
        None
    }

    fn place(&self) -> Place {
        Place::within(tempfile::tempdir_in(self.0.path()).unwrap())
    }

    /// Fills it except for `left` bytes.
    fn fill(&self, left: u64) -> Pad {
        let pad = Pad(self.0.path().join("pad"));
        let file = File::create(&pad.0).unwrap();
        let space = statvfs(self.0.path()).unwrap();
        fallocate(&file, FallocateFlags::empty(), 0, space.f_bavail * space.f_frsize - left).unwrap();
        pad
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

/// A file that takes up room until it is dropped.
struct Pad(PathBuf);

impl Drop for Pad {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn a_file_system_without_inodes_is_a_full_disk() {
    let Some(small) = Small::with("size=320m,mode=755,nr_inodes=600") else { return };
    let place = small.place();
    // Events that cannot be recorded are kept elsewhere.
    let temporary = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| {
        let mut command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &place.root());
        run(command.args(words).env("TMPDIR", temporary.path()))
    };
    let pads = small.0.path().join("pads");
    fs::create_dir(&pads).unwrap();
    let take = || (0..10_000).find(|number| File::create(pads.join(number.to_string())).is_err());
    let release = || {
        fs::remove_dir_all(&pads).unwrap();
        fs::create_dir(&pads).unwrap();
    };
    // Without a database, and with one.
    for is_first in [true, false] {
        take();
        let before = place.files();
        run(&["checkpoint", "create", "--json"]).fails(2, "disk_full");
        run(&["turns", "--json"]).fails(2, "disk_full");
        let edited = run(&["apply", "a.txt", "--old", "alpha", "--new", "omega", "--json"]);
        assert_eq!((edited.code, edited.json()["code"].as_str()), (2, Some("disk_full")), "{}", edited.err);
        assert_eq!(place.files(), before, "first: {is_first}");
        release();
        assert_eq!(run(&["checkpoint", "create", "--json"]).code, 0, "first: {is_first}");
    }
    // A capture needs more room than the records do.
    let pad = small.fill(64 << 20);
    let refused = run(&["run", "--", "touch", "made"]);
    assert!(refused.code == 125 && refused.err.starts_with("fuzzy-edit: disk_full: "), "{}", refused.err);
    drop(pad);
    // The database's own files are gone: they are made anew by the next program.
    take();
    let mut client = place.clean("sh", &place.root());
    let event = format!("{{\"session_id\":\"s\",\"cwd\":{:?},\"prompt\":\"One.\"}}", place.root());
    let hook = format!("printf %s '{event}' | {} hook claude-code turn-begin", env!("CARGO_BIN_EXE_fuzzy-edit"));
    let hooked = client.env("TMPDIR", temporary.path()).args(["-c", &hook]).output().unwrap();
    assert!(hooked.status.success() && hooked.stdout.is_empty(), "{hooked:?}");
    release();
    let turn = until("the event", || run(&["turns", "--json"]).json()["turns"].get(0).cloned());
    assert_eq!(turn["prompt"], "One.", "{turn}");
}

#[test]
fn a_database_on_a_full_disk_says_so_and_goes_on_afterwards() {
    let Some(small) = Small::with("size=1m") else { return };
    let (path, pad) = (small.0.path().join("state.db"), small.0.path().join("pad"));
    let store = open_file(&path).unwrap();
    let [git_dir, root] = ["/git", "/root"].map(str::to_owned);
    let row = WorktreeRow { id: "w".into(), git_dir, root, object_format: "sha1".into(), store: String::new() };
    store.put_worktree(&row, 1).unwrap();
    store.create_session(&"s".into(), "w", "t", 1).unwrap();
    let mut file = File::create(&pad).unwrap();
    while file.write(&[1; 512]).is_ok_and(|written| written > 0) {}
    let text = "long ".repeat(20_000);
    let refused = store.begin_turn(&"s".into(), &text, 2).unwrap_err();
    assert!(matches!(refused, Error::Full), "{refused}");
    assert!(matches!(store.purge().unwrap_err(), Error::Full));
    assert_eq!(store.messages(&"s".into()).unwrap(), []);
    drop(store);
    // Neither the log nor its index can be made.
    let refused = open_file(&path).err();
    assert!(matches!(refused, None | Some(Error::Full)), "{refused:?}");
    fs::remove_file(&pad).unwrap();
    drop(file);
    let store = open_file(&path).unwrap();
    store.begin_turn(&"s".into(), &text, 2).unwrap();
    store.purge().unwrap();
    assert_eq!(store.messages(&"s".into()).unwrap().len(), 1);
}

/// Returns bytes that cannot be compressed.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}

fn a_disk_that_is_nearly_full(database: Database) {
    let Some(small) = Small::new() else { return };
    let scene = Scene::within(small.place(), database);
    let server = scene.start();
    let (before, worktree) = (scene.talk(&server), scene.worktree());
    let pad = small.fill(64 << 20);
    scene.restore(&server, "no room", &json!({})).expect("an answer").refused(507, "disk_full");
    assert_eq!((scene.talk(&server), scene.worktree()), (before.clone(), worktree), "nothing has changed");
    // A turn begins without a checkpoint, and its answer has the reason.
    let turn = server.post(&scene.at("/turns"), &json!({"message": "without"})).good();
    assert_eq!(turn["checkpoint_id"], json!(null), "{turn}");
    assert!(turn["uncheckpointed"].as_str().is_some_and(|why| why.contains("space")), "{turn}");
    scene.end(&server, &turn);
    let reason = &scene.talk(&server).messages[before.messages.len()]["uncheckpointed"];
    assert_eq!(*reason, turn["uncheckpointed"]);
    drop(pad);
    let before = scene.talk(&server);
    let done = scene.restore(&server, "room again", &json!({})).expect("an answer").good();
    scene.check_restored(&server, &before, &done, "room again");
}

fn a_disk_that_gets_full(database: Database) {
    for give_up in [false, true] {
        let Some(small) = Small::new() else { return };
        let scene = scene_with(&small, database);
        let mut command = serve(&scene.place, &scene.database.target);
        let gate = Gate::before(&scene.place, &mut command);
        let mut server = Server::start(command);
        let (before, worktree) = (scene.talk(&server), scene.worktree());
        let pad = thread::scope(|scope| {
            let pending = scope.spawn(|| scene.restore(&server, "full", &json!({})).expect("an answer"));
            gate.reached();
            let pad = small.fill(0);
            gate.open();
            pending.join().unwrap().refused(507, "disk_full");
            // A repeated request is either retried or reported as stuck.
            let again = scene.restore(&server, "full", &json!({})).expect("an answer");
            assert!([409, 507].contains(&again.status), "{again:?}");
            pad
        });
        let open = scene.database.store().open_restores().expect("listed").remove(0).id;
        if give_up {
            // With free room, a server would finish the restore without a request.
            server.kill();
            server.wait();
            drop(pad);
            let answer = scene.place.run(&["restore", "--abort", open.as_str(), "--database", &scene.database.target]);
            assert_eq!(answer.code, 0, "{}", answer.err);
            assert_eq!(scene.worktree(), worktree, "all of it is back");
            assert_eq!(scene.talk(&scene.start()), before);
            scene.check_nothing_open("aborted");
        } else {
            drop(pad);
            // The server may be retrying at the same time.
            let done = until("the end of the restore", || {
                let answer = scene.restore(&server, "full", &json!({})).expect("an answer");
                if answer.status == 200 {
                    return Some(answer.body);
                }
                answer.refused(409, "restore_in_progress");
                None
            });
            assert_eq!(done["restore_id"], json!(open));
            scene.check_restored(&server, &before, &done, "room again");
        }
    }
}

/// Makes a scene in which a restore needs room.
fn scene_with(small: &Small, database: Database) -> Scene {
    let place = small.place();
    place.write("big.bin", noise(1 << 20));
    let scene = Scene::within(place, database);
    fs::remove_file(scene.place.path("big.bin")).unwrap();
    scene
}
