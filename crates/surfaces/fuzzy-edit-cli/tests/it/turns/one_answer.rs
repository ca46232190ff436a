//! A repository that appears while this program looks for one: each question has one answer, and no path is relative.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use super::scene::Scene;
use crate::place::{Place, run};

/// The number of times that `git init` follows `init` at once.
const TIMES: usize = 50;

fn names(dir: &Path) -> BTreeSet<PathBuf> {
    fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Waits until no process warms a folder below `dir`.
fn until_warm(dir: &Path) {
    let warms = |process: PathBuf| {
        let words = fs::read(process.join("cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).into_owned();
        words.contains("--warm") && words.contains(dir.to_str().unwrap())
    };
    while fs::read_dir("/proc").unwrap().any(|process| warms(process.unwrap().path())) {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn git_init_at_once_after_init_makes_nothing_outside_the_state_directory() {
    let place = Place::new();
    let before = names(Path::new("/"));
    for time in 0..TIMES {
        let dir = place.dir.join(format!("new-{time}"));
        fs::create_dir(&dir).unwrap();
        let mut init = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &dir);
        let answer = run(init.args(["init", "claude-code", "--yes"]));
        assert_eq!(answer.code, 0, "{}", answer.err);
        place.git_in(&dir, &["init", "-q"]);
    }
    until_warm(&place.dir);
    assert_eq!(names(Path::new("/")), before);
}

/// Makes a git that makes a repository in `dir` after its first answer.
fn late_git(place: &Place, dir: &Path) -> PathBuf {
    let git =
        std::env::split_paths(&std::env::var_os("PATH").unwrap()).map(|dir| dir.join("git")).find(|git| git.is_file());
    let (git, bin) = (git.unwrap(), place.dir.join("bin"));
    let text = format!(
        "#!/bin/sh\n'{git}' \"$@\"\ncode=$?\n[ -e '{dir}/.git' ] || '{git}' init -q '{dir}'\nexit $code\n",
        git = git.display(),
        dir = dir.display(),
    );
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("git"), text).unwrap();
    fs::set_permissions(bin.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    bin
}

/// Runs the command in a folder of which git says first that it is in no repository, from another folder; returns what
/// it makes there.
fn with_late_git(words: &[&str], elsewhere: &str) -> BTreeSet<PathBuf> {
    let place = Place::new();
    let (dir, elsewhere) = (place.dir.join("new"), place.dir.join(elsewhere));
    fs::create_dir_all(&dir).unwrap();
    fs::create_dir_all(&elsewhere).unwrap();
    fs::write(dir.join("a.txt"), "alpha\n").unwrap();
    let path = [late_git(&place, &dir).into_os_string(), std::env::var_os("PATH").unwrap()].join(":".as_ref());
    let mut command: Command = place.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), &elsewhere);
    command.args(words).env("PATH", path);
    if words.last() == Some(&"--warm") {
        command.arg(&dir);
    }
    run(&mut command);
    assert!(dir.join(".git").exists(), "git was never run");
    names(&elsewhere)
}

#[test]
fn a_repository_that_appears_after_the_first_answer_gets_no_files_elsewhere() {
    assert_eq!(with_late_git(&["hook", "--warm"], "empty"), BTreeSet::new());
    for words in [&["checkpoint", "create"][..], &["checkpoint", "list"], &["turns"]] {
        let made = with_late_git(words, "new");
        let made: Vec<_> = made.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(made, [".git", "a.txt"], "{words:?}");
    }
}

#[test]
fn a_relative_store_is_in_the_directory_of_the_command() {
    let scene = Scene::new();
    let before = names(Path::new("/"));
    let relative = |mut command: Command| {
        command.env("FUZZY_EDIT_STORE", "kept").env("FUZZY_EDIT_DATABASE", "kept.db");
        command
    };
    for verb in ["turn-begin", "turn-end"] {
        let hook = relative(scene.command(&["hook", "claude-code", verb]));
        Scene::send(hook, &super::scene::event(&scene.place.root(), "s", "work"));
        scene.idle();
    }
    let listed = run(&mut relative(scene.command(&["turns", "--json"])));
    assert_eq!((listed.code, listed.json()["turns"].as_array().unwrap().len()), (0, 1), "{}", listed.err);
    let named = run(scene
        .command(&["checkpoint", "list", "--session", "latest", "--json", "--store", "kept"])
        .env("FUZZY_EDIT_DATABASE", "kept.db"));
    assert_eq!(named.json()["checkpoints"].as_array().unwrap().len(), 2, "{}", named.err);
    assert!(scene.place.path("kept/wt").is_dir());
    assert!(scene.place.path("kept.db").is_file());
    assert_eq!(names(Path::new("/")), before);
}
