//! Failures of captures and restores: slow programs, unreadable files, full disks.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use fuzzy_checkpoint::{CaptureOptions, Engine, Error, Limits, Reason};
use fuzzy_testkit::programs;

use crate::support::{CAP, Lab, assert_same};

/// Writes a program that runs `script` and then git; the arguments are in `$*`.
fn git_that(lab: &Lab, script: &str) -> std::path::PathBuf {
    let program = lab.outside("wrapped-git");
    programs::git_that(&program, script);
    program
}

/// Runs a test of this file in a separate process.
fn elsewhere(test: &str, change: impl FnOnce(&mut Command, &Path)) {
    let dir = tempfile::tempdir().expect("a directory");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).expect("set");
    let program = dir.path().join("test");
    programs::copy_of_this(&program);
    let mut command = Command::new(program);
    command.args(["--ignored", "--exact", &format!("rough::{test}")]).env("ELSEWHERE", "1").env("TMPDIR", dir.path());
    change(&mut command, dir.path());
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{test} is there");
}

/// Runs a test as a user who is subject to permissions.
fn as_a_user(test: &str) {
    elsewhere(test, |command, dir| {
        command.env("HOME", dir);
        if rustix::process::geteuid().is_root() {
            command.uid(65534).gid(65534).current_dir(dir);
        }
    });
}

fn is_elsewhere() -> bool {
    std::env::var_os("ELSEWHERE").is_some()
}

#[test]
fn a_file_of_equal_size_whose_time_was_set_back_is_captured() {
    let lab = Lab::new();
    let set = |content: &str| {
        lab.write("copied.txt", content);
        let hour_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let file = fs::File::options().write(true).open(lab.path("copied.txt")).expect("opened");
        file.set_modified(hour_ago).expect("set, as `cp -p` does");
    };
    set("first\n");
    lab.capture();
    let begin = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("later").subsec_millis();
    for round in 0..4 {
        // Git compares whole seconds, so all of it happens at the start of one.
        while begin() > 50 {
            thread::sleep(Duration::from_millis(5));
        }
        let before = lab.files();
        set(&format!("text{round}\n"));
        let captured = lab.capture();
        set(&format!("more{round}\n"));
        let last = lab.capture();
        assert_ne!(captured.tree, last.tree, "the change was missed");
        lab.assert_gits_tree(&last);
        assert_ne!(before, lab.files());
    }
}

#[test]
fn unreadable_files_are_not_captured() {
    as_a_user("without_permission");
}

#[test]
#[ignore = "run by the test above, as a user who is subject to permissions"]
fn without_permission() {
    if !is_elsewhere() {
        return;
    }
    let lab = Lab::new();
    lab.write("shut.txt", "shut\n");
    lab.write("locked/x", "x\n");
    let close = |path: &str, mode| fs::set_permissions(lab.path(path), fs::Permissions::from_mode(mode)).expect("set");
    close("shut.txt", 0);
    close("locked", 0);
    let target = lab.capture();
    let reasons: Vec<_> = target.uncovered.iter().map(|left| (left.path.to_string(), left.reason)).collect();
    assert_eq!(reasons, [("locked".into(), Reason::Unreadable), ("shut.txt".into(), Reason::Unreadable)]);
    close("shut.txt", 0o644);
    close("locked", 0o755);
    let files = lab.files();
    lab.write("a.txt", "changed\n");
    let (_, plan, _) = lab.restore(&target);
    assert_eq!(plan.kept, ["locked/x".into(), "shut.txt".into()], "unreadable files may have existed");
    assert_same(&files, &lab.files(), "restored");
    // A captured file that has become unreadable can be neither saved nor overwritten.
    let covered = lab.capture();
    lab.write("shut.txt", "other\n");
    close("shut.txt", 0);
    let without = lab.capture();
    assert_eq!(without.uncovered.len(), 1);
    assert_eq!(lab.plan(&covered).obstructed, ["shut.txt".into()]);
    close("shut.txt", 0o644);
    lab.restore(&covered);
    assert_eq!(lab.read("shut.txt"), b"shut\n");
}

#[test]
fn files_in_unreadable_directories_are_neither_captured_nor_absent() {
    as_a_user("closed_directories");
}

#[test]
#[ignore = "run by the test above, as a user who is subject to permissions"]
fn closed_directories() {
    if !is_elsewhere() {
        return;
    }
    let odd: [&[u8]; 5] =
        [b"plain", b"it's': odd", b"new\nline", b"caf\xe9", b"warning: could not open directory 'x': "];
    // Neither entered nor listed, only listed, only entered.
    for mode in [0, 0o444, 0o111] {
        let lab = Lab::new();
        let below = |dir: &[u8], name: &str| [dir, b"/", name.as_bytes()].concat();
        for dir in odd {
            lab.write(below(dir, "known.txt"), "old\n");
            lab.write(below(dir, "sub/known.txt"), "old\n");
        }
        lab.commit("with directories");
        lab.capture();
        for dir in odd {
            lab.write(below(dir, "known.txt"), "changed\n");
            lab.write(below(dir, "new.txt"), "new\n");
        }
        // No file in this directory was ever captured.
        lab.write(b"apart/caf\xe9/new.txt", "new\n");
        let close = |mode| {
            for dir in odd.iter().copied().chain([&b"apart/caf\xe9"[..]]) {
                fs::set_permissions(lab.path(dir), fs::Permissions::from_mode(mode)).expect("set");
            }
        };
        let files = lab.files();
        for _ in ["warm", "cold"] {
            close(mode);
            let target = lab.capture();
            let mut left: Vec<_> = odd.iter().map(|dir| dir.to_vec()).chain([b"apart/caf\xe9".to_vec()]).collect();
            left.sort();
            let noted: Vec<_> = target.uncovered.iter().map(|left| left.path.as_bytes().to_vec()).collect();
            assert_eq!(noted, left, "{mode:o}");
            assert!(target.uncovered.iter().all(|left| left.reason == Reason::Unreadable));
            let listed = lab.kept_git(&["ls-tree", "-r", "--name-only", target.tree.as_str()]);
            assert_eq!(listed, ".gitignore\na.txt\ndir/b.txt\ndir/deep/c.bin\ngone.txt\n", "no old bytes: {mode:o}");
            close(0o755);
            lab.restore(&target);
            assert_same(&files, &lab.files(), "files in there may have existed before");
            fs::remove_dir_all(lab.outside("state")).expect("removed");
        }
    }
}

#[test]
fn nothing_is_written_unless_everything_can_be() {
    as_a_user("one_directory_is_closed");
}

#[test]
#[ignore = "run by the test above, as a user who is subject to permissions"]
fn one_directory_is_closed() {
    if !is_elsewhere() {
        return;
    }
    let lab = Lab::new();
    let target = lab.capture();
    lab.write("a.txt", "changed\n");
    lab.write("dir/b.txt", "changed\n");
    let files = lab.files();
    let close = |mode| fs::set_permissions(lab.path("dir"), fs::Permissions::from_mode(mode)).expect("set");
    close(0o555);
    let worktree = lab.open();
    let locked = worktree.lock().expect("locked");
    let safety = locked.capture(&CaptureOptions::default()).expect("captured");
    let plan = locked.plan(&safety, &target, &[]).expect("a plan");
    let refused = locked.apply(&safety, &target, &plan).expect_err("it must not be written");
    assert!(refused.to_string().contains("dir/b.txt"), "{refused}");
    close(0o755);
    assert_same(&files, &lab.files(), "nothing is written");
}

#[test]
fn a_file_that_becomes_unreadable_during_a_capture_is_skipped() {
    as_a_user("permission_is_taken_away");
}

#[test]
#[ignore = "run by the test above, as a user who is subject to permissions"]
fn permission_is_taken_away() {
    if !is_elsewhere() {
        return;
    }
    let lab = Lab::new();
    lab.write("a.txt", "changed\n");
    lab.write("odd\nname", "untracked\n");
    lab.write(b"caf\xe9", "untracked\n");
    let script = format!(
        "case \"$*\" in *--stdin*) chmod 000 '{0}/a.txt' '{0}/odd\nname' '{0}/caf'*;; esac",
        lab.root.display()
    );
    let limits = Limits { max_file_bytes: CAP, min_free_bytes: 1, ..Limits::default() };
    let engine = Engine::new(lab.outside("state")).with_limits(limits).with_git(git_that(&lab, &script));
    let worktree = engine.open(&lab.root).expect("a worktree");
    let target = worktree.lock().expect("locked").capture(&CaptureOptions::default()).expect("captured");
    let left: Vec<_> = target.uncovered.iter().map(|left| left.path.to_string()).collect();
    assert_eq!(left, ["a.txt", "caf\u{fffd}", "odd\nname"]);
    let listed = lab.kept_git(&["ls-tree", "-r", "--name-only", target.tree.as_str()]);
    assert_eq!(listed, ".gitignore\ndir/b.txt\ndir/deep/c.bin\ngone.txt\n");
}

#[test]
fn protected_directories_are_refused() {
    for place in ["", "Desktop", "Documents", "Downloads"] {
        let home = tempfile::tempdir().expect("a directory");
        let root = home.path().join(place);
        fs::create_dir_all(&root).expect("created");
        Lab::git_in(&root, &["init", "-q", "."]);
        elsewhere("opening_is_refused", |command, _| {
            command.env("HOME", home.path()).env("OPENED", &root);
        });
    }
}

#[test]
#[ignore = "run by the test above, with its own home directory"]
fn opening_is_refused() {
    let Some(root) = std::env::var_os("OPENED") else { return };
    let dir = tempfile::tempdir().expect("a directory");
    let refused = Engine::new(dir.path()).open(Path::new(&root)).expect_err("it is never captured as a whole");
    assert!(matches!(refused, Error::ProtectedDir { .. }));
}

/// Waits until a process is gone or a zombie.
fn is_gone(pid: &str) -> bool {
    let deadline = Instant::now() + Duration::from_secs(30);
    while Instant::now() < deadline {
        match fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) if !stat.contains(") Z ") => std::thread::sleep(Duration::from_millis(10)),
            _ => return true,
        }
    }
    false
}

#[test]
fn a_slow_git_is_killed_with_its_child_processes() {
    let lab = Lab::new();
    let pids = lab.outside("pids");
    let script =
        format!("case \"$*\" in *update-index*) sleep 1000 & echo \"$! $$\" >'{}'; wait;; esac", pids.display());
    let git = git_that(&lab, &script);
    let before = lab.view();
    let capture = |seconds| {
        let timeout = Duration::from_secs(seconds);
        let limits = Limits { max_file_bytes: CAP, min_free_bytes: 1, timeout, ..Limits::default() };
        let worktree = Engine::new(lab.outside("state")).with_limits(limits).with_git(&git).open(&lab.root)?;
        worktree.lock()?.capture(&CaptureOptions::default())
    };
    // On a busy machine, even a quick call may exceed its deadline.
    let started = [1, 10, 100].into_iter().find_map(|seconds| {
        assert!(matches!(capture(seconds).expect_err("too slow"), Error::Timeout { .. }));
        fs::read_to_string(&pids).ok().filter(|started| started.split_whitespace().count() == 2)
    });
    let started = started.expect("it started");
    assert!(started.split_whitespace().all(is_gone), "{started}");
    assert_eq!(before, lab.view());
    lab.capture_unseen();
}

/// Each call of a capture fails once. A capture that succeeds nevertheless has concluded nothing from that call.
#[test]
fn a_failed_git_means_nothing() {
    let ends =
        [("kill -9 $$", "SIGKILL"), ("echo 'fatal: Out of memory, malloc failed' >&2; exit 128", "Out of memory")];
    for (lab, what) in [(Lab::new(), "a commit"), (Lab::unborn(), "no commit"), (Lab::folder(), "no repository")] {
        lab.write("dir/new.txt", "untracked\n");
        let state = lab.outside("state");
        for (end, message) in ends {
            let left = lab.outside("left");
            let script = format!("truncate --size=-1 '{0}'; [ -s '{0}' ] || {{ rm '{0}'; {end}; }}", left.display());
            let git = git_that(&lab, &format!("if [ -s '{}' ]; then {script}; fi", left.display()));
            let capture = |calls: usize| {
                fs::write(&left, "-".repeat(calls)).expect("written");
                let worktree = lab.engine().with_git(&git).open(&lab.root)?;
                worktree.lock()?.capture(&CaptureOptions::default())
            };
            let expected = capture(0).expect("captured");
            for is_warm in [false, true] {
                for calls in 1.. {
                    if !is_warm && state.exists() {
                        fs::remove_dir_all(&state).expect("removed");
                    }
                    let case = format!("{what}, call {calls}, {end}, {is_warm}");
                    match capture(calls) {
                        Err(Error::Git { stderr, .. }) => assert!(stderr.contains(message), "{case}: {stderr}"),
                        Err(error) => panic!("{case}: {error}"),
                        Ok(taken) => {
                            assert_eq!((&taken.tree, &taken.head), (&expected.tree, &expected.head), "{case}");
                        }
                    }
                    if left.exists() {
                        assert!(calls > 2, "{case}");
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn a_broken_warm_index_is_discarded() {
    let lab = Lab::new();
    let target = lab.capture();
    let private = lab.outside("state").join("wt").join(lab.open().id());
    for (name, content) in
        [("warm.index", &b"garbage"[..]), ("warm.index", b""), ("warm.json", b"garbage"), ("git/HEAD", b"garbage\n")]
    {
        fs::write(private.join(name), content).expect("written");
        assert_eq!(lab.capture_unseen().tree, target.tree, "{name}");
    }
    fs::remove_file(private.join("warm.index")).expect("removed");
    assert_eq!(lab.capture_unseen().tree, target.tree);
}

#[test]
fn a_file_written_during_a_capture_is_read_again() {
    for (failures, is_taken) in [(5, true), (100, false)] {
        let lab = Lab::new();
        let target = lab.capture();
        lab.write("a.txt", "written again and again\n");
        let left = lab.outside("left");
        fs::write(&left, "-".repeat(failures)).expect("written");
        // Git's message about a file that became shorter.
        let script = format!(
            "case \"$*\" in *update-index*--stdin*) if [ -s '{0}' ]; then truncate --size=-1 '{0}'; \
             echo 'error: short read while indexing a.txt' >&2; exit 128; fi;; esac",
            left.display()
        );
        let limits = Limits { max_file_bytes: CAP, min_free_bytes: 1, ..Limits::default() };
        let engine = Engine::new(lab.outside("state")).with_limits(limits).with_git(git_that(&lab, &script));
        let worktree = engine.open(&lab.root).expect("a worktree");
        let taken = worktree.lock().expect("locked").capture(&CaptureOptions::default());
        match taken {
            Ok(taken) => assert!(is_taken && taken.tree != target.tree),
            Err(error) => assert!(!is_taken && error.to_string().contains("short read"), "{error}"),
        }
        assert_eq!(fs::read(&left).expect("there").is_empty(), is_taken);
    }
}

#[test]
fn a_full_disk_is_reported() {
    let lab = Lab::new();
    let script = "case \"$*\" in *update-index*) echo 'fatal: Out of diskspace' >&2; exit 128;; esac";
    let limits = Limits { min_free_bytes: 1, ..Limits::default() };
    let engine = Engine::new(lab.outside("state")).with_limits(limits).with_git(git_that(&lab, script));
    let before = lab.view();
    let failed =
        engine.open(&lab.root).expect("a worktree").lock().expect("locked").capture(&CaptureOptions::default());
    assert!(matches!(failed.expect_err("full"), Error::DiskFull { .. }));
    assert_eq!(before, lab.view());
}

#[test]
fn an_index_that_cannot_be_written_is_reported() {
    as_a_user("git_directory_is_read_only");
}

#[test]
#[ignore = "run by the test above, as a user who is subject to permissions"]
fn git_directory_is_read_only() {
    if !is_elsewhere() {
        return;
    }
    let lab = Lab::new();
    let target = lab.capture();
    lab.write("a.txt", "staged\n");
    lab.git(&["add", "a.txt"]);
    let worktree = lab.open();
    let locked = worktree.lock().expect("locked");
    let safety = locked.capture(&CaptureOptions::before(&target)).expect("captured");
    let close = |mode| fs::set_permissions(lab.path(".git"), fs::Permissions::from_mode(mode)).expect("set");
    close(0o555);
    let outcome = locked.restore_index(&safety, &target);
    close(0o755);
    assert_eq!(outcome.expect("an outcome"), fuzzy_checkpoint::IndexOutcome::Busy);
    assert!(!lab.exists(".git/index.lock"));
}
