//! Many pairs of states are compared as single ones are.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use fuzzy_checkpoint::{Detail, DiffOptions, Oid};

use crate::support::Lab;

#[test]
fn many_pairs_are_compared_as_single_ones_are() {
    let lab = Lab::new();
    let mut trees = vec![lab.capture_unseen().tree];
    let (odd, text) = (lab.root.join(OsStr::from_bytes(b"caf\xe9\n:x")), "line\n".repeat(20));
    fs::write(&odd, &text).expect("written");
    trees.push(lab.capture_unseen().tree);
    fs::rename(&odd, lab.root.join("moved")).expect("renamed");
    // A line that looks like the beginning of an answer.
    fs::write(lab.root.join("forged"), format!("{} {}\n", trees[1].as_str(), trees[0].as_str())).expect("written");
    fs::write(lab.root.join("binary"), b"a\0b\n").expect("written");
    trees.push(lab.capture_unseen().tree);
    let worktree = lab.open();
    let pairs: Vec<(&Oid, &Oid)> = trees.iter().flat_map(|a| trees.iter().map(move |b| (a, b))).collect();
    for detail in [Detail::Names, Detail::Lines, Detail::Patch] {
        let options = DiffOptions { paths: Vec::new(), detail, renames: true };
        let single = pairs.iter().map(|(from, to)| Some(worktree.diff(from, to, &options).expect("compared")));
        assert_eq!(worktree.diffs(&pairs, detail).expect("compared"), single.collect::<Vec<_>>(), "{detail:?}");
    }
    let gone = Oid::new("1".repeat(40)).expect("an id");
    let pairs = [(&trees[0], &gone), (&trees[0], &trees[1]), (&gone, &trees[1]), (&trees[1], &trees[1])];
    let found = worktree.diffs(&pairs, Detail::Patch).expect("compared");
    assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false, true]);
    assert!(worktree.diffs(&[], Detail::Patch).expect("compared").is_empty());
}
