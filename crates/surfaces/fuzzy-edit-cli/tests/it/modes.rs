//! Patches that change modes and names, as git writes them, compared with the results of `git apply`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use fuzzy_testkit::programs;
use serde_json::json;

use crate::support::Place;

fn git(place: &Place, arguments: &[&str]) -> String {
    programs::read(programs::git(&place.path("")).args(arguments))
}

fn chmod(place: &Place, name: &str, mode: u32) {
    fs::set_permissions(place.path(name), fs::Permissions::from_mode(mode)).unwrap();
}

/// Every file with its executable bit and its text.
type Tree = Vec<(String, bool, String)>;

fn tree(place: &Place) -> Tree {
    fn add(folder: &Path, below: &str, tree: &mut Tree) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{below}{}", entry.file_name().into_string().unwrap());
            if name == ".git" {
                continue;
            }
            if entry.path().is_dir() {
                add(&entry.path(), &format!("{name}/"), tree);
            } else {
                let can_run = entry.metadata().unwrap().permissions().mode() & 0o100 != 0;
                tree.push((name, can_run, fs::read_to_string(entry.path()).unwrap()));
            }
        }
    }
    let mut all = Tree::new();
    add(&place.path(""), "", &mut all);
    all.sort();
    all
}

/// Returns enough lines for git to detect that a file was moved and changed, and that another replaced it.
fn lines(name: &str) -> String {
    (0..80).flat_map(|line| [name.to_owned(), format!(" {line}\n")]).collect()
}

/// Makes a repository with executable files and others.
fn repository() -> Place {
    let place = Place::new();
    for name in ["run.sh", "tool", "a.txt", "b.txt", "c.txt"] {
        place.write(name, lines(name));
    }
    chmod(&place, "tool", 0o755);
    git(&place, &["init", "-q"]);
    git(&place, &["add", "."]);
    git(&place, &["commit", "-qm", "one"]);
    place
}

/// Makes `change` in a repository, and checks that its diff has the same result in a copy as with git, and that `undo`
/// and the reversed patch restore everything.
fn assert_as_git(diff: &[&str], change: impl Fn(&Place)) -> String {
    let changed = repository();
    change(&changed);
    git(&changed, &["add", "-A"]);
    let patch = git(&changed, &[&["diff", "--cached"], diff].concat());
    let (expected, old) = (tree(&changed), tree(&repository()));

    let by_git = repository();
    by_git.write(".git/change.patch", &patch);
    git(&by_git, &["apply", ".git/change.patch"]);
    assert_eq!(tree(&by_git), expected, "{patch}");

    let place = repository();
    let dry = place.run_with(&["patch", "--dry-run", "--json"], patch.as_bytes());
    assert_eq!((dry.code, tree(&place)), (0, old.clone()), "{patch}{dry:?}");
    let answer = place.run_with(&["patch", "--diff"], patch.as_bytes());
    assert_eq!((answer.code, tree(&place)), (0, expected.clone()), "{patch}{answer:?}");
    let undone = place.run(&["undo"]);
    assert_eq!((undone.code, tree(&place)), (0, old.clone()), "{patch}{undone:?}");
    assert_eq!(place.run_with(&["patch"], patch.as_bytes()).code, 0);
    let reversed = place.run_with(&["patch", "--reverse"], patch.as_bytes());
    assert_eq!((reversed.code, tree(&place)), (0, old), "{patch}{reversed:?}");
    patch
}

#[test]
fn modes_change_as_with_git() {
    let patch = assert_as_git(&[], |place| chmod(place, "run.sh", 0o755));
    assert!(!patch.contains("@@"), "{patch}");
    assert_as_git(&[], |place| chmod(place, "tool", 0o644));
    assert_as_git(&[], |place| {
        chmod(place, "run.sh", 0o755);
        place.write("run.sh", lines("run.sh").replace("run.sh 44", "four"));
        chmod(place, "tool", 0o644);
    });
}

#[test]
fn modes_of_created_deleted_and_moved_files_are_as_with_git() {
    assert_as_git(&[], |place| {
        place.write("new.sh", "echo\n");
        chmod(place, "new.sh", 0o755);
        place.write("empty.sh", "");
        chmod(place, "empty.sh", 0o755);
        fs::remove_file(place.path("tool")).unwrap();
    });
    let patch = assert_as_git(&["-M"], |place| {
        fs::create_dir(place.path("bin")).unwrap();
        fs::rename(place.path("run.sh"), place.path("bin/run")).unwrap();
        place.write("bin/run", lines("run.sh").replace("run.sh 44", "four"));
        chmod(place, "bin/run", 0o755);
        fs::rename(place.path("tool"), place.path("bin/tool")).unwrap();
    });
    assert!(patch.contains("rename to bin/run") && patch.contains("new mode 100755"), "{patch}");
    // A file that is already executable has its mode only in the line `index`.
    let patch = assert_as_git(&[], |place| place.write("tool", lines("tool").replace("tool 44", "four")));
    assert!(patch.contains(" 100755\n") && !patch.contains("mode"), "{patch}");
}

#[test]
fn renamed_files_land_as_with_git() {
    let renames = ["-M", "-B"];
    let name = |place: &Place, from: &str, to: &str| fs::rename(place.path(from), place.path(to)).unwrap();
    let swap = assert_as_git(&renames, |place| {
        name(place, "a.txt", "x");
        name(place, "tool", "a.txt");
        name(place, "x", "tool");
        place.write("tool", lines("a.txt").replace("a.txt 44", "four"));
    });
    assert_eq!(swap.matches("rename from").count(), 2, "{swap}");
    let chain = assert_as_git(&renames, |place| {
        name(place, "c.txt", "d.txt");
        name(place, "b.txt", "c.txt");
        name(place, "a.txt", "b.txt");
        place.write("c.txt", lines("b.txt").replace("b.txt 44", "four"));
    });
    assert_eq!(chain.matches("rename from").count(), 3, "{chain}");
    let cycle = assert_as_git(&renames, |place| {
        name(place, "c.txt", "x");
        name(place, "b.txt", "c.txt");
        name(place, "a.txt", "b.txt");
        name(place, "x", "a.txt");
    });
    assert_eq!(cycle.matches("rename from").count(), 3, "{cycle}");
}

#[test]
fn a_changed_mode_is_reported_as_git_writes_it() {
    let place = repository();
    let patch = "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n";
    let new = "diff --git a/new.sh b/new.sh\nnew file mode 100755\n--- /dev/null\n+++ b/new.sh\n@@ -0,0 +1 @@\n+echo\n";
    let answer = place.run_with(&["patch", "--json"], format!("{patch}{new}").as_bytes());
    let report = answer.json();
    let [changed, created] = [&report["edits"][0], &report["edits"][1]];
    assert_eq!((answer.code, &changed["status"], &changed["changed"]), (0, &json!("applied"), &json!(true)));
    // The reported diffs are the same without git's prefixes.
    let diffs = [changed, created].map(|edit| edit["diff"].as_str().unwrap());
    assert_eq!(diffs[0], "diff --git run.sh run.sh\nold mode 100644\nnew mode 100755\n");
    let other = repository();
    other.write(".git/reported.patch", diffs.concat());
    git(&other, &["apply", "-p0", ".git/reported.patch"]);
    assert_eq!(tree(&other), tree(&place));
    let other = repository();
    assert_eq!(other.run_with(&["patch"], diffs.concat().as_bytes()).code, 0);
    assert_eq!(tree(&other), tree(&place));
    // A second application changes nothing.
    let again = place.run_with(&["patch", "--json"], patch.as_bytes());
    assert_eq!((again.code, &again.json()["edits"][0]["status"]), (0, &json!("already_applied")));
}

#[test]
fn other_modes_are_refused_by_name() {
    let place = repository();
    let old = tree(&place);
    for (lines, mode, kind) in [
        ("old mode 100644\nnew mode 120000\n", "120000", "symbolic link"),
        ("new file mode 160000\n", "160000", "submodule"),
        ("deleted file mode 120000\n", "120000", "symbolic link"),
        ("old mode 100600\nnew mode 100644\n", "100600", "no kind of file that git supports"),
        ("index 1111111..2222222 160000\n", "160000", "submodule"),
    ] {
        let answer = place.run_with(&["patch"], format!("diff --git a/run.sh b/run.sh\n{lines}").as_bytes());
        assert!(answer.code == 2 && answer.err.contains(mode) && answer.err.contains(kind), "{answer:?}");
    }
    assert_eq!(tree(&place), old);
}
