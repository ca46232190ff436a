//! Every change of a plan has an origin.

use std::collections::BTreeMap;

use super::Verb::{Restore, Revert, Since};
use fuzzy_checkpoint::{Detail, DiffOptions};
use fuzzy_checkpoint_service::{CreateOptions, Origin, TakeBackOptions};
use fuzzy_checkpoint_store::TurnNote;

use super::{Scene, edit, lines};

fn turn(numbers: &[i64]) -> Origin {
    Origin::Turn { turns: numbers.to_vec() }
}

/// Returns the origins of each file of a plan to restore the state before the first turn.
fn origins(scene: &Scene) -> BTreeMap<String, Vec<Origin>> {
    let plan = scene.plan(&TakeBackOptions { force: true, ..Restore.of(vec![1]) });
    plan.files.into_iter().map(|file| (file.change.path.to_string(), file.origins)).collect()
}

#[test]
fn turns_git_and_the_user_are_told_apart() {
    let scene = Scene::new();
    scene.place.git(&["checkout", "-q", "-b", "side"]);
    scene.place.write("pulled.txt", "pulled\n");
    scene.place.git(&["add", "pulled.txt"]);
    scene.place.git(&["commit", "-q", "-m", "second"]);
    scene.place.git(&["checkout", "-q", "main"]);
    scene.turn(|place| {
        place.write("turn.txt", "1\n");
        place.write("both.txt", "1\n");
    });
    scene.place.write("mine.txt", "mine\n");
    scene.place.git(&["merge", "-q", "side"]);
    scene.turn(|place| place.write("both.txt", "2\n"));
    scene.place.write("both.txt", "mine\n");
    let found = origins(&scene);
    assert_eq!(found["turn.txt"], [turn(&[1])]);
    assert_eq!(found["pulled.txt"], [Origin::Git]);
    assert_eq!(found["mine.txt"], [Origin::You], "although the branch moved then");
    assert_eq!(found["both.txt"], [turn(&[1]), turn(&[2]), Origin::You]);
}

#[test]
fn a_finished_turn_of_another_session_and_a_running_one_are_turns() {
    let scene = Scene::new();
    let one = scene.begin(0);
    scene.place.write("a.txt", "one\n");
    scene.end(0, &one);
    let two = scene.begin(1);
    scene.place.write("b.txt", "two\n");
    scene.end(1, &two);
    scene.begin(1);
    scene.place.write("c.txt", "three\n");
    let found = origins(&scene);
    assert_eq!(found["a.txt"], [turn(&[1])]);
    assert_eq!(found["b.txt"], [turn(&[2])]);
    assert_eq!(found["c.txt"], [turn(&[3])], "not outside any turn");
}

#[test]
fn a_restore_is_an_origin_of_its_own() {
    let scene = Scene::new();
    scene.turn(|place| place.write("a.txt", "one\n"));
    scene.turn(|place| place.write("b.txt", "two\n"));
    scene.take_back(Revert, &[1]);
    scene.turn(|place| place.write("c.txt", "three\n"));
    let plan = scene.plan(&Restore.of(vec![2]));
    let a = plan.files.iter().find(|file| file.change.path == "a.txt".into()).expect("planned");
    assert!(matches!(a.origins[..], [Origin::Restore { .. }]), "{:?}", a.origins);
}

/// Two turns that overlap: both change files of their own, and one file is changed while both run.
fn overlapping() -> Scene {
    let scene = Scene::new();
    scene.place.write("f.txt", &lines(20));
    let one = scene.begin(0);
    scene.place.write("one.txt", "1\n");
    let two = scene.begin(1);
    scene.place.write("either.txt", "?\n");
    scene.place.write("named.txt", "2\n");
    edit(&scene.place, "f.txt", "line 3\n", "LINE 3\n");
    scene.service.store().note(&two, TurnNote::Edited(&["named.txt".into()])).expect("noted");
    scene.end(0, &one);
    scene.place.write("two.txt", "2\n");
    scene.end(1, &two);
    scene
}

#[test]
fn what_two_turns_may_have_changed_is_left_unless_it_is_named() {
    let scene = overlapping();
    let found = origins(&scene);
    assert_eq!((&found["one.txt"][..], &found["two.txt"][..]), (&[turn(&[1])][..], &[turn(&[2])][..]));
    assert_eq!((&found["either.txt"][..], &found["named.txt"][..]), (&[turn(&[1, 2])][..], &[turn(&[2])][..]));
    let plan = scene.take_back(Revert, &[2]);
    let left: Vec<(String, Vec<Origin>)> =
        plan.left.into_iter().map(|left| (left.path.to_string(), left.origins)).collect();
    assert_eq!(left, [("either.txt".to_owned(), vec![turn(&[1, 2])]), ("f.txt".to_owned(), vec![turn(&[1, 2])])]);
    assert_eq!((scene.read("two.txt"), scene.read("named.txt")), (None, None), "edit tools named it");
    assert!(scene.read("either.txt").is_some() && scene.read("one.txt").is_some());
    let options = TakeBackOptions { paths: vec!["either.txt".into()], ..Revert.of(vec![2]) };
    scene.try_to(&options).expect("reverted");
    assert_eq!(scene.read("either.txt"), None);
    scene.take_back(Since, &[1]);
    assert_eq!((scene.read("one.txt"), scene.read("f.txt")), (None, Some(lines(20))), "both turns are undone");
}

#[test]
fn the_turns_of_a_file_and_of_its_lines_are_known() {
    let scene = Scene::new();
    scene.place.write("f.txt", &lines(4));
    scene.turn(|place| edit(place, "f.txt", "line 1\n", "one\n"));
    scene.turn(|place| place.write("other.txt", "2\n"));
    scene.turn(|place| {
        std::fs::rename(place.root().join("f.txt"), place.root().join("g.txt")).expect("renamed");
        edit(place, "g.txt", "line 3\n", "three\n");
    });
    edit(&scene.place, "g.txt", "line 4\n", "mine\n");
    let blame = scene.service.blame(&scene.worktree(), &"g.txt".into()).expect("blamed");
    let lines: Vec<(String, Option<Origin>)> = blame.lines.into_iter().map(|line| (line.text, line.origin)).collect();
    let expected =
        [("one", Some(turn(&[1]))), ("line 2", None), ("three", Some(turn(&[3]))), ("mine", Some(Origin::You))];
    assert_eq!(lines, expected.map(|(text, origin)| (text.to_owned(), origin)));
    let options = DiffOptions { paths: vec!["other.txt".into()], detail: Detail::Lines, renames: true };
    let found = scene.service.turns_with(&scene.worktree(), &options).expect("found");
    let found: Vec<_> = found.iter().map(|shown| (shown.turn.number, shown.diff.files[0].insertions)).collect();
    assert_eq!(found, [(2, Some(1))]);
    let missing = scene.service.blame(&scene.worktree(), &"no.txt".into()).expect_err("there is none");
    assert_eq!(missing.code().as_str(), "missing");
}

#[test]
fn turns_of_deleted_sessions_end_where_they_ended() {
    let mut scene = Scene::new();
    scene.sessions.push(scene.service.create_session(&scene.place.root(), "three").expect("created"));
    let [one, two, three] = [0, 1, 2].map(|session| scene.begin(session));
    scene.end(2, &three);
    scene.service.create(&scene.sessions[0], &CreateOptions::default()).expect("taken");
    scene.place.write("either.txt", "?\n");
    scene.end(1, &two);
    scene.end(0, &one);
    for deleted in [1, 2] {
        scene.service.delete_session(&scene.sessions[deleted]).expect("deleted");
    }
    let left = scene.plan(&Revert.of(vec![1])).left;
    assert_eq!(left.into_iter().map(|left| left.origins).collect::<Vec<_>>(), [[turn(&[1, 2])]]);
}
