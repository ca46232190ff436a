//! Changesets from random trees to random trees: with links, modes, deletions and files that replace directories. The
//! process stops at any step while another program saves.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use fuzzy_safe_write::{Changeset, Fault, Mode, Outcome, inject, meanwhile, passed};
use fuzzy_testkit::texts;
use proptest::prelude::*;

use crate::support::{Goal, Goals, Node, Place, Tree, expected, node};

/// Paths with many collisions between files and directories.
fn path() -> impl Strategy<Value = PathBuf> {
    prop::collection::vec(prop::sample::select(&["a", "b", "c"][..]), 1..4).prop_map(|names| names.iter().collect())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..6)
}

fn target() -> impl Strategy<Value = String> {
    prop::sample::select(&["a", "../b", "/nowhere", "a/b/c", "."][..]).prop_map(str::to_owned)
}

fn any_node() -> impl Strategy<Value = Node> {
    let mode = prop::sample::select(&[0o644, 0o755, 0o600, 0o444, 0o4755][..]);
    prop_oneof![4 => (bytes(), mode).prop_map(|(bytes, mode)| Node::File { bytes, mode }), 1 => target().prop_map(Node::Link)]
}

fn any_goal() -> impl Strategy<Value = Goal> {
    let exact = prop::sample::select(&[0o644, 0o755, 0o600, 0o440][..]).prop_map(Mode::Exactly);
    let mode = prop_oneof![Just(Mode::Any), any::<bool>().prop_map(Mode::Executable), exact];
    prop_oneof![4 => (bytes(), mode).prop_map(|(bytes, mode)| Goal::File { bytes, mode }), 1 => target().prop_map(Goal::Link)]
}

/// Keeps the entries that can exist together: no file is above another.
fn possible<T: Clone>(entries: Vec<(PathBuf, T)>) -> BTreeMap<PathBuf, T> {
    let mut kept: BTreeMap<PathBuf, T> = BTreeMap::new();
    for (path, entry) in entries {
        if !kept.keys().any(|other| other.starts_with(&path) || path.starts_with(other)) {
            kept.insert(path, entry);
        }
    }
    kept
}

fn tree() -> impl Strategy<Value = Tree> {
    prop::collection::vec((path(), any_node()), 0..10).prop_map(possible)
}

fn goals() -> impl Strategy<Value = Goals> {
    prop::collection::vec((path(), any_goal()), 0..10).prop_map(possible)
}

/// The method of a save by another program.
#[derive(Clone, Copy, Debug)]
enum Save {
    /// A new file replaces the old one.
    ByRename,
    /// The old file gets new bytes.
    InPlace,
    /// The file is removed.
    Remove,
}

fn save() -> impl Strategy<Value = (usize, PathBuf, Save)> {
    (0..60_usize, path(), prop::sample::select(&[Save::ByRename, Save::InPlace, Save::Remove][..]))
}

/// Saves a text; returns whether that was possible.
fn carry_out(root: &Path, below: &Path, text: &str, save: Save) -> bool {
    let path = &root.join(below);
    // Through a link it would be another path.
    if below.ancestors().skip(1).any(|above| root.join(above).is_symlink()) {
        return false;
    }
    match save {
        Save::Remove => fs::remove_file(path).is_ok(),
        // The other program does not write through links.
        Save::InPlace if path.is_symlink() => false,
        Save::InPlace => fs::write(path, text).is_ok(),
        Save::ByRename => {
            let beside = path.with_file_name(".theirs");
            if fs::write(&beside, text).is_err() {
                return false;
            }
            let is_renamed = fs::rename(&beside, path).is_ok();
            if !is_renamed {
                fs::remove_file(&beside).unwrap();
            }
            is_renamed
        }
    }
}

/// Lets another thread save at given steps of this one; returns the last save per path.
fn while_others_save<T>(
    place: &Place,
    saves: &[(usize, PathBuf, Save)],
    run: impl FnOnce() -> T,
) -> (T, BTreeMap<PathBuf, Option<Node>>) {
    let (ask, asked) = mpsc::channel::<usize>();
    let (done, is_done) = mpsc::channel::<()>();
    let root = place.path("");
    let planned = saves.to_vec();
    let other = thread::spawn(move || {
        let mut theirs = BTreeMap::new();
        for step in asked {
            for (index, (_, path, save)) in planned.iter().enumerate().filter(|(_, (at, ..))| *at == step) {
                if carry_out(&root, path, &format!("theirs {index}"), *save) {
                    theirs.insert(path.clone(), node(&root.join(path)));
                }
            }
            done.send(()).unwrap();
        }
        theirs
    });
    inject(Fault::None, true);
    meanwhile(Some(Box::new(move |step| {
        ask.send(step).unwrap();
        is_done.recv().unwrap();
    })));
    let result = run();
    meanwhile(None);
    (result, other.join().unwrap())
}

/// Checks the files after concurrent saves: no save is lost, and the outcome names them.
fn check(
    now: &Tree,
    wanted: &Tree,
    paths: &BTreeSet<PathBuf>,
    saved: &BTreeMap<PathBuf, Option<Node>>,
    late: &BTreeSet<PathBuf>,
    outcome: &Outcome,
) -> Result<(), TestCaseError> {
    prop_assert!(outcome.beside.is_empty(), "{:?}", outcome);
    for (path, theirs) in saved {
        // A directory may be in the place of a file that they removed.
        if theirs.is_some() {
            prop_assert_eq!(now.get(path), theirs.as_ref(), "{}", path.display());
        }
    }
    for path in paths {
        let is_named = outcome.changed.contains(path) || outcome.blocked.contains(path);
        let is_right = now.get(path) == wanted.get(path);
        // A save after the changeset is done overwrites its result, as a later save would.
        let is_late = late.contains(path);
        prop_assert!(is_right || is_named || is_late, "{} is wrong and not named: {:?}", path.display(), outcome);
        if outcome.changed.contains(path) {
            prop_assert!(saved.contains_key(path), "{} is named and was not changed", path.display());
        }
        if outcome.blocked.contains(path) {
            let related = saved.keys().any(|other| other.starts_with(path) || path.starts_with(other));
            prop_assert!(related, "{} is blocked by nothing", path.display());
        }
    }
    Ok(())
}

fn paths(tree: &Tree, goals: &Goals) -> BTreeSet<PathBuf> {
    tree.keys().chain(goals.keys()).cloned().collect()
}

proptest! {
    #![proptest_config(texts::config_of(64))]

    #[test]
    fn a_tree_becomes_another_and_is_restored(tree in tree(), goals in goals(), can_exchange in any::<bool>()) {
        let place = Place::new(&tree);
        inject(Fault::None, can_exchange);
        let mut changeset = place.begin(&tree, &goals).unwrap();
        prop_assert_eq!(changeset.apply().unwrap(), Outcome::default());
        prop_assert_eq!(changeset.abort().unwrap(), Outcome::default());
        prop_assert_eq!(place.tree(), tree.clone());
        place.assert_clean();
        let changeset = place.begin(&tree, &goals).unwrap();
        prop_assert_eq!(changeset.finish().unwrap(), Outcome::default());
        prop_assert_eq!(place.tree(), expected(&tree, &goals));
        place.assert_clean();
    }

    /// A process stops at a step, and the recovering process stops too.
    #[test]
    fn a_stopped_changeset_is_finished_or_aborted(
        tree in tree(),
        goals in goals(),
        can_exchange in any::<bool>(),
        is_finished in any::<bool>(),
        stops in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
    ) {
        let new = expected(&tree, &goals);
        let place = Place::new(&tree);
        inject(Fault::None, can_exchange);
        place.begin(&tree, &goals).unwrap().finish().unwrap();
        let steps = passed();
        let place = Place::new(&tree);
        inject(Fault::StopAt(stops[0].index(steps)), can_exchange);
        let _ = place.begin(&tree, &goals).and_then(|mut changeset| {
            changeset.apply()?;
            changeset.finish()
        });
        for stop in &stops[1..] {
            inject(Fault::StopAt(stop.index(steps)), can_exchange);
            for changeset in Changeset::interrupted(&place.root, &place.state()).unwrap_or_default() {
                let _ = if is_finished { changeset.finish() } else { changeset.abort() };
            }
        }
        inject(Fault::None, can_exchange);
        for changeset in place.interrupted() {
            let outcome = if is_finished { changeset.finish() } else { changeset.abort() };
            prop_assert_eq!(outcome.unwrap(), Outcome::default());
        }
        let now = place.tree();
        prop_assert!(now == new || now == tree, "{:?}", now);
        place.assert_clean();
        prop_assert!(place.interrupted().is_empty());
    }

    /// Any single step fails: `begin` fails with nothing changed, or the changeset can be finished and rolled back.
    #[test]
    fn any_step_may_fail(tree in tree(), goals in goals(), at in any::<prop::sample::Index>(), is_finished in any::<bool>()) {
        let place = Place::new(&tree);
        inject(Fault::None, true);
        place.begin(&tree, &goals).unwrap().finish().unwrap();
        let steps = passed();
        let place = Place::new(&tree);
        inject(Fault::FailAt(at.index(steps)), true);
        let begun = place.begin(&tree, &goals).and_then(|mut changeset| changeset.apply().map(|_| changeset));
        let ended = begun.and_then(|changeset| if is_finished { changeset.finish() } else { changeset.abort() });
        inject(Fault::None, true);
        if ended.is_err() {
            for changeset in place.interrupted() {
                let outcome = if is_finished { changeset.finish() } else { changeset.abort() };
                prop_assert_eq!(outcome.unwrap(), Outcome::default());
            }
        }
        let now = place.tree();
        prop_assert!(now == tree || is_finished && now == expected(&tree, &goals), "{:?}", now);
        place.assert_clean();
    }

    #[test]
    fn concurrent_saves_are_kept(
        tree in tree(),
        goals in goals(),
        saves in prop::collection::vec(save(), 1..6),
        can_exchange in any::<bool>(),
        is_finished in any::<bool>(),
    ) {
        let place = Place::new(&tree);
        let paths = paths(&tree, &goals);
        let mut changeset = place.begin(&tree, &goals).unwrap();
        let ((outcome, applied), saved) = while_others_save(&place, &saves, || {
            inject(Fault::None, can_exchange);
            changeset.apply().unwrap();
            let applied = passed();
            (if is_finished { changeset.finish() } else { changeset.abort() }.unwrap(), applied)
        });
        let late = saves.iter().filter(|(step, ..)| *step >= applied).map(|(_, path, _)| path.clone()).collect();
        let wanted = if is_finished { expected(&tree, &goals) } else { tree };
        let mut now = place.tree();
        now.retain(|path, _| !path.to_string_lossy().contains(".fuzzy-edit-"));
        check(&now, &wanted, &paths, &saved, &late, &outcome)?;
    }
}
