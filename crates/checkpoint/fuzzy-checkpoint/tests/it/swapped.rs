//! A path may lead elsewhere while git reads it; a capture contains only files beneath the root.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use fuzzy_checkpoint::{CaptureOptions, Engine, Snapshot};
use fuzzy_testkit::programs;

use crate::support::Lab;

/// Captures with a git that, after reading the added files, records another content for `dir/new`, as if it had
/// followed a link.
fn captured(lab: &Lab, then: &str) -> Snapshot {
    let program = lab.outside("misled-git");
    let script = format!(
        r#"case "$*" in *--add*--stdin*)
           git "$@" || exit
           oid=$(printf 'from outside\n' | git hash-object -w --stdin)
           git update-index --add --cacheinfo "100644,$oid,dir/new"
           {then}
           exit 0;; esac"#
    );
    programs::git_that(&program, &script);
    let worktree = Engine::new(lab.outside("state")).with_git(program).open(&lab.root).expect("a worktree");
    let locked = worktree.lock().expect("locked");
    locked.capture(&CaptureOptions::default()).expect("captured")
}

fn captured_content(lab: &Lab, snapshot: &Snapshot) -> String {
    lab.try_kept_git(&["cat-file", "-p", &format!("{}:dir/new", snapshot.tree)])
}

#[test]
fn the_file_beneath_the_root_is_captured_even_if_git_read_another() {
    let lab = Lab::new();
    lab.write("dir/new", "inside\n");
    assert!(captured_content(&lab, &captured(&lab, "")).ends_with("inside\n"), "the first capture");
    lab.write("dir/new", "inside again\n");
    assert!(captured_content(&lab, &captured(&lab, "")).ends_with("inside again\n"), "a capture with a warm index");
}

#[test]
fn a_file_outside_the_root_is_not_captured() {
    let lab = Lab::new();
    lab.write("dir/new", "inside\n");
    let outside = lab.outside("elsewhere");
    fs::create_dir(&outside).expect("created");
    fs::write(outside.join("new"), "from outside\n").expect("written");
    symlink(&outside, lab.outside("link")).expect("linked");
    let snapshot = captured(&lab, "mv dir ../away && mv ../link dir");
    assert!(!captured_content(&lab, &snapshot).contains("outside"));
    assert!(snapshot.uncovered.iter().any(|left| left.path == "dir/new".into()), "{:?}", snapshot.uncovered);
}

/// Runs 20 or `FUZZY_CHECKPOINT_SWAPS` captures.
#[test]
fn no_outside_file_is_captured_while_another_process_swaps_directories() {
    let count = std::env::var("FUZZY_CHECKPOINT_SWAPS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let lab = Lab::new();
    let [outside, away, link] = ["elsewhere", "away", "link"].map(|name| lab.outside(name));
    fs::create_dir(&outside).expect("created");
    symlink(&outside, &link).expect("linked");
    let dir = lab.path("dir");
    let swap = |from: &std::path::Path, to: &std::path::Path| fs::rename(from, to).expect("renamed");
    let over = AtomicBool::new(false);
    let (held, captured) = thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                swap(&dir, &away);
                swap(&link, &dir);
                swap(&dir, &link);
                swap(&away, &dir);
            }
        });
        let (mut held, mut captured) = (Vec::new(), 0);
        for round in 0..count {
            for file in 0..20 {
                // Whatever the directory's current name: its files may be captured, the others must not.
                let name = format!("new-{file}");
                let inside = [&dir, &away].map(|dir| fs::symlink_metadata(dir).is_ok_and(|meta| meta.is_dir()));
                let dir = if inside[0] { &dir } else { &away };
                let _ = fs::write(dir.join(&name), format!("inside {round} {file}\n"));
                fs::write(outside.join(&name), format!("from outside {round} {file}\n")).expect("written");
            }
            // A failed capture contains nothing.
            let Ok(snapshot) = lab.try_capture() else { continue };
            captured += 1;
            let found = lab.try_kept_git(&["grep", "-l", "from outside", snapshot.tree.as_str()]);
            // Git found no such file.
            if found != "Some(1)\n" {
                held.push(found);
            }
        }
        over.store(true, Ordering::SeqCst);
        (held, captured)
    });
    println!("{captured} of {count} captures, {} of them with files from outside", held.len());
    assert!(captured > 0 && held.is_empty(), "{held:?}");
}
