//! Changes that later ones touch conflict: nothing of the file is written, and the plan offers what works.

use super::Verb::{Restore, Revert, Since};
use fuzzy_checkpoint_service::{Origin, TakeBackOptions};

use super::{Scene, edit, lines};

/// A turn that changes lines 5 and 25 of a file and another file, and a later turn that changes line 6.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.place.write("f.txt", &lines(30));
    scene.turn(|place| {
        edit(place, "f.txt", "line 5\n", "LINE 5\n");
        edit(place, "f.txt", "line 25\n", "LINE 25\n");
        place.write("g.txt", "g\n");
    });
    scene.turn(|place| edit(place, "f.txt", "line 6\n", "LINE 6\n"));
    scene
}

#[test]
fn a_conflict_names_the_lines_and_the_turn_and_offers_what_works() {
    let scene = scene();
    let before = scene.place.files();
    let options = Revert.of(vec![1]);
    let plan = scene.plan(&options);
    let [conflict] = &plan.conflicts[..] else { panic!("{:?}", plan.conflicts) };
    assert_eq!((conflict.path.to_string(), &conflict.lines[..]), ("f.txt".to_owned(), &[(6, 6)][..]));
    assert_eq!(conflict.changed_by, [Origin::Turn { turns: vec![2] }]);
    assert_eq!((&conflict.together[..], &conflict.other_hunks[..]), (&[1, 2][..], &[2][..]));
    assert_eq!(conflict.restore, Some(1));
    let refused = scene.try_to(&options).expect_err("a conflict");
    assert_eq!(refused.code().as_str(), "conflict");
    assert_eq!(scene.place.files(), before, "nothing is written");

    // The other files.
    scene.try_to(&TakeBackOptions { keep_going: true, ..options.clone() }).expect("reverted");
    assert_eq!((scene.read("g.txt"), scene.read("f.txt")), (None, Some(before_text())));
    // The other hunks.
    let hunks = vec![("f.txt".into(), vec![1])];
    scene.try_to(&TakeBackOptions { hunks, ..options.clone() }).expect("reverted");
    assert_eq!(scene.read("f.txt"), Some(before_text().replace("LINE 25\n", "line 25\n")));
    // The turns together.
    scene.take_back(Revert, &conflict.together);
    assert_eq!(scene.read("f.txt"), Some(lines(30)));
}

fn before_text() -> String {
    lines(30).replace("line 5\n", "LINE 5\n").replace("line 6\n", "LINE 6\n").replace("line 25\n", "LINE 25\n")
}

#[test]
fn lines_of_the_user_conflict_with_an_undo_and_the_file_can_be_restored() {
    let scene = scene();
    edit(&scene.place, "f.txt", "LINE 5\n", "mine 5\n");
    let before = scene.place.files();
    let options = Since.of(vec![1]);
    let plan = scene.plan(&options);
    assert_eq!(plan.conflicts.len(), 1);
    assert_eq!(plan.conflicts[0].changed_by, [Origin::You]);
    assert!(plan.conflicts[0].together.is_empty(), "the user's lines are no turn");
    assert_eq!(scene.try_to(&options).expect_err("a conflict").code().as_str(), "conflict");
    assert_eq!(scene.place.files(), before);
    let options = TakeBackOptions { paths: vec!["f.txt".into()], ..Restore.of(vec![1]) };
    scene.try_to(&options).expect("restored");
    assert_eq!((scene.read("f.txt"), scene.read("g.txt").as_deref()), (Some(lines(30)), Some("g\n")));
}

#[test]
fn a_conflict_of_a_rename_leaves_both_names_alone() {
    let scene = Scene::new();
    scene.place.write("old.txt", &lines(30));
    scene.turn(|place| {
        std::fs::rename(place.root().join("old.txt"), place.root().join("new.txt")).expect("renamed");
        edit(place, "new.txt", "line 9\n", "LINE 9\n");
        place.write("other.txt", "turn\n");
    });
    edit(&scene.place, "new.txt", "LINE 9\n", "mine\n");
    let text = scene.read("new.txt");
    scene.try_to(&TakeBackOptions { keep_going: true, ..Revert.of(vec![1]) }).expect("reverted");
    assert_eq!((scene.read("new.txt"), scene.read("old.txt"), scene.read("other.txt")), (text, None, None));
}

#[test]
fn a_git_that_cannot_merge_trees_merges_file_by_file() {
    let scene = scene();
    scene.place.write("h.txt", &lines(9));
    scene.turn(|place| edit(place, "h.txt", "line 2\n", "LINE 2\n"));
    edit(&scene.place, "h.txt", "line 8\n", "mine\n");
    let old = scene.place.service_that("case \"$*\" in *merge-tree*) exit 129;; esac");
    old.take_back(&scene.worktree(), &Revert.of(vec![3]), None).expect("reverted");
    assert_eq!(scene.read("h.txt"), Some(lines(9).replace("line 8\n", "mine\n")));
    let refused = old.take_back(&scene.worktree(), &Revert.of(vec![1]), None);
    assert_eq!(refused.expect_err("a conflict").code().as_str(), "conflict");
}

#[test]
fn a_driver_of_the_repository_does_not_merge() {
    let scene = Scene::new();
    scene.place.write(".gitattributes", "*.txt merge=union\n");
    scene.place.write("f.txt", &lines(9));
    scene.turn(|place| edit(place, "f.txt", "line 5\n", "LINE 5\n"));
    edit(&scene.place, "f.txt", "LINE 5\n", "mine\n");
    let refused = scene.try_to(&Revert.of(vec![1]));
    assert_eq!(refused.expect_err("a conflict, not the lines of both").code().as_str(), "conflict");
}
