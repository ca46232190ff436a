//! An untrusted repository: none of its programs run, and no file outside it is read or written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use fuzzy_checkpoint::{CaptureOptions, Detail, DiffOptions, Engine, Error};

use crate::support::{Lab, assert_same};

/// Writes a program that creates a file when it runs; returns its path.
fn canary(lab: &Lab, name: &str) -> String {
    let program = lab.outside(&format!("canary-{name}"));
    let mark = lab.outside("marks").join(name);
    fs::create_dir_all(lab.outside("marks")).expect("created");
    fs::write(&program, format!("#!/bin/sh\ntouch '{}'\ncat\n", mark.display())).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("set");
    program.to_string_lossy().into_owned()
}

fn marks(lab: &Lab) -> Vec<String> {
    let entries = fs::read_dir(lab.outside("marks")).expect("a directory").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

const HOOKS: [&str; 8] = [
    "reference-transaction",
    "post-index-change",
    "pre-commit",
    "post-checkout",
    "fsmonitor-watchman",
    "post-commit",
    "pre-auto-gc",
    "post-rewrite",
];

fn hostile() -> Lab {
    let lab = Lab::new();
    for hook in HOOKS {
        let program = canary(&lab, hook);
        fs::create_dir_all(lab.path(".git/hooks")).expect("created");
        fs::copy(program, lab.path(format!(".git/hooks/{hook}"))).expect("copied");
    }
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.askPass",
        "core.alternateRefsCommand",
        "core.gitProxy",
        "diff.external",
        "diff.odd.textconv",
        "diff.odd.command",
        "merge.odd.driver",
        "filter.odd.clean",
        "filter.odd.smudge",
        "filter.odd.process",
        "gpg.program",
        "credential.helper",
        "sequence.editor",
        "trace2.eventTarget",
        "uploadpack.packObjectsHook",
    ] {
        lab.git(&["config", key, &canary(&lab, key)]);
    }
    for (key, value) in [
        ("filter.odd.required", "true"),
        ("commit.gpgSign", "true"),
        ("gc.auto", "1"),
        ("core.untrackedCache", "true"),
        ("core.splitIndex", "false"),
        ("log.showSignature", "true"),
        ("core.attributesFile", "/etc/hostname"),
        ("core.excludesFile", "/etc/passwd"),
        ("core.sparseCheckout", "false"),
        ("maintenance.auto", "true"),
        ("alias.update-index", "!touch /nonexistent"),
    ] {
        lab.git(&["config", key, value]);
    }
    let hooks = canary(&lab, "hooksPath");
    fs::create_dir(lab.path(".git/more")).expect("created");
    for hook in HOOKS {
        fs::copy(&hooks, lab.path(format!(".git/more/{hook}"))).expect("copied");
    }
    lab.git(&["config", "core.hooksPath", &lab.path(".git/more").to_string_lossy()]);
    // These files are written directly, because git would start the programs.
    lab.write(".gitattributes", "* filter=odd diff=odd merge=odd text ident\n");
    lab.write("k.txt", "$Id$\n");
    lab
}

#[test]
fn programs_configured_by_a_repository_do_not_run() {
    let lab = hostile();
    assert_eq!(marks(&lab), Vec::<String>::new(), "the setup starts no program");
    let engine = lab.engine();
    let worktree = engine.open(&lab.root).expect("a worktree");
    let files = lab.files();
    let locked = worktree.lock().expect("locked");
    let target = locked.capture(&CaptureOptions::default()).expect("captured");
    locked.pin("T", &target.commit).expect("pinned");
    lab.write("a.txt", "changed\n");
    lab.write("k.txt", "changed\n");
    lab.remove("gone.txt");
    lab.write("n.txt", "new\n");
    let safety = locked.capture(&CaptureOptions::before(&target)).expect("captured");
    let options = DiffOptions { paths: Vec::new(), detail: Detail::Patch, renames: true };
    worktree.diff(&target.tree, &safety.tree, &options).expect("compared");
    let plan = locked.plan(&safety, &target, &[]).expect("a plan");
    locked.apply(&safety, &target, &plan).expect("applied");
    locked.restore_index(&safety, &target).expect("an outcome");
    locked.load(&target.commit, None, None).expect("loaded");
    drop(locked);
    assert_eq!(worktree.commits_since(target.head.as_ref()).expect("counted"), 0);
    worktree.held_bytes().expect("estimated");
    worktree.unpin(&["T".to_owned()]).expect("dropped");
    assert_same(&files, &lab.files(), "restored");
    assert_eq!(marks(&lab), Vec::<String>::new());
    // A plain git call starts some of the programs, so the test can fail.
    lab.try_git(&["status"]);
    assert!(!marks(&lab).is_empty(), "a plain git call starts a program");
}

#[test]
fn staged_contents_are_restored_without_filters() {
    let lab = hostile();
    let worktree = lab.open();
    let locked = worktree.lock().expect("locked");
    let target = locked.capture(&CaptureOptions::default()).expect("captured");
    let oid = lab.git(&["hash-object", "-w", "--no-filters", "a.txt"]);
    let entry = format!("100644,{},staged", oid.trim());
    let quiet = [
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "filter.odd.process=",
        "filter.odd.clean=",
        "filter.odd.required=false",
    ];
    let quiet = quiet.iter().flat_map(|setting| ["-c", setting]);
    let args: Vec<&str> = quiet.chain(["update-index", "--add", "--cacheinfo", &entry]).collect();
    lab.git(&args);
    let safety = locked.capture(&CaptureOptions::default()).expect("captured");
    assert_eq!(locked.restore_index(&safety, &target).expect("an outcome"), fuzzy_checkpoint::IndexOutcome::Restored);
    assert_eq!(marks(&lab), Vec::<String>::new());
}

#[test]
fn a_repository_of_another_worktree_is_refused() {
    let lab = Lab::new();
    let other = lab.outside("victim");
    fs::create_dir(&other).expect("created");
    fs::write(other.join("precious"), "precious\n").expect("written");
    lab.git(&["config", "core.worktree", &other.to_string_lossy()]);
    let refused = lab.engine().open(&lab.root).expect_err("it claims another directory");
    assert!(matches!(refused, Error::NotAWorktree { .. }));
}

#[test]
fn no_file_outside_is_read() {
    let lab = Lab::new();
    let secret = lab.outside("secret");
    fs::write(&secret, "SECRET-BYTES\n").expect("written");
    lab.write("sub/x", "x\n");
    fs::create_dir_all(lab.path(".git/info")).expect("created");
    let _ = fs::remove_file(lab.path(".git/info/exclude"));
    symlink(&secret, lab.path(".git/info/exclude")).expect("linked");
    symlink(&secret, lab.path("sub/.gitignore")).expect("linked");
    symlink(&secret, lab.path("link")).expect("linked");
    lab.git(&["config", "core.excludesFile", &secret.to_string_lossy()]);
    let target = lab.capture();
    let objects = lab.kept_git(&["rev-list", "--objects", "--no-object-names", target.commit.as_str()]);
    for oid in objects.lines() {
        let content = lab.try_kept_git(&["cat-file", "-p", oid]);
        assert!(content.starts_with("Some(0)") && !content.contains("SECRET-BYTES"), "{oid}: {content}");
    }
    assert!(!fs::read_to_string(worktree_exclude(&lab)).expect("there").contains("SECRET-BYTES"));
}

fn worktree_exclude(lab: &Lab) -> std::path::PathBuf {
    lab.outside("state").join("wt").join(lab.open().id()).join("git/info/exclude")
}

#[test]
fn directories_without_a_worktree_are_refused() {
    let lab = Lab::empty();
    assert!(matches!(lab.engine().open(&lab.root).expect_err("no repository"), Error::NotAWorktree { .. }));
    lab.git(&["init", "-q", "--bare", "."]);
    assert!(matches!(lab.engine().open(&lab.root).expect_err("bare"), Error::NotAWorktree { .. }));
}

#[test]
fn a_repository_of_another_owner_is_refused() {
    let lab = Lab::new();
    if std::os::unix::fs::chown(lab.path(".git"), Some(12345), None).is_err() {
        // Only root can change the owner of a directory.
        return;
    }
    lab.unchecked();
    std::os::unix::fs::chown(&lab.root, Some(12345), None).expect("given away");
    assert!(matches!(lab.engine().open(&lab.root).expect_err("not ours"), Error::DubiousOwnership { .. }));
}

#[test]
fn too_many_paths_or_too_little_space_are_refused() {
    let lab = Lab::new();
    let limits = fuzzy_checkpoint::Limits { max_paths: 3, min_free_bytes: 1, ..Default::default() };
    let worktree = Engine::new(lab.outside("state")).with_limits(limits).open(&lab.root).expect("a worktree");
    let refused = worktree.lock().expect("locked").capture(&CaptureOptions::default());
    assert!(matches!(refused.expect_err("too many"), Error::TooLarge { .. }));
    let limits = fuzzy_checkpoint::Limits { min_free_bytes: u64::MAX, ..Default::default() };
    let worktree = Engine::new(lab.outside("state")).with_limits(limits).open(&lab.root).expect("a worktree");
    let refused = worktree.lock().expect("locked").capture(&CaptureOptions::default());
    assert!(matches!(refused.expect_err("no space"), Error::DiskFull { .. }));
}

#[test]
fn only_the_state_directory_and_the_private_refs_are_written() {
    let lab = Lab::new();
    let before = lab.view();
    let target = lab.capture();
    let worktree = lab.open();
    let locked = worktree.lock().expect("locked");
    locked.pin("A", &target.commit).expect("pinned");
    for bad in ["", "a/b", "..", "-x", "a b", "HEAD.lock"] {
        assert!(locked.pin(bad, &target.commit).is_err(), "{bad:?}");
    }
    assert!(locked.pin("A", &target.commit).is_err(), "a name is used once");
    drop(locked);
    assert_eq!(before, lab.view());
    assert_eq!(lab.git(&["for-each-ref", "refs/fuzzy-edit"]), "", "nothing is in the user's repository");
    let refs = lab.kept_git(&["for-each-ref", "--format=%(refname)", "refs/fuzzy-edit"]);
    let id = worktree.id();
    assert_eq!(refs, format!("refs/fuzzy-edit/checkpoints/{id}/A\nrefs/fuzzy-edit/warm/{id}\n"));
    let places: Vec<_> =
        fs::read_dir(lab.outside("")).expect("a directory").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(places.len(), 2, "{places:?}");
    let state = fs::metadata(lab.outside("state").join("wt").join(id)).expect("there");
    assert_eq!(state.permissions().mode() & 0o777, 0o700);
    worktree.forget().expect("forgotten");
    assert!(!worktree.store().exists());
}
