//! The results of the verbs.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::Verb::{Restore, Revert, Since, Undo};
use fuzzy_checkpoint_service::{TakeBackOptions, TurnState};
use fuzzy_checkpoint_store::{TurnNote, now_ms};

use super::{Scene, edit, lines};

/// Three turns that change one file, the second also others, with changes by hand in between and afterwards.
fn three() -> Scene {
    let scene = Scene::new();
    scene.place.write("f.txt", &lines(30));
    scene.turn(|place| edit(place, "f.txt", "line 3\n", "LINE 3\n"));
    scene.place.write("mine.txt", "by hand\n");
    scene.turn(|place| {
        edit(place, "f.txt", "line 10\n", "LINE 10\n");
        place.write("two.txt", "2\n");
        fs::remove_file(place.root().join("dir/b.txt")).expect("removed");
    });
    edit(&scene.place, "f.txt", "line 15\n", "by hand 15\n");
    scene.turn(|place| edit(place, "f.txt", "line 20\n", "LINE 20\n"));
    edit(&scene.place, "f.txt", "line 25\n", "by hand 25\n");
    scene
}

#[test]
fn a_revert_takes_back_one_turn_and_keeps_the_others() {
    let scene = three();
    let before = scene.place.files();
    let plan = scene.plan(&Revert.of(vec![2]));
    assert_eq!(scene.place.files(), before, "a plan changes nothing");
    let names: Vec<String> = plan.files.iter().map(|file| file.change.path.to_string()).collect();
    assert_eq!(names, ["dir/b.txt", "f.txt", "two.txt"]);
    assert_eq!(plan.files_to_delete, ["two.txt".into()]);
    scene.take_back(Revert, &[2]);
    let expected = lines(30)
        .replace("line 3\n", "LINE 3\n")
        .replace("line 15\n", "by hand 15\n")
        .replace("line 20\n", "LINE 20\n")
        .replace("line 25\n", "by hand 25\n");
    assert_eq!(scene.read("f.txt"), Some(expected));
    assert_eq!((scene.read("two.txt"), scene.read("dir/b.txt")), (None, Some("beta\r\n".to_owned())));
    assert_eq!(scene.read("mine.txt").as_deref(), Some("by hand\n"));
    assert_eq!(scene.taken(), [2]);
    let (_, outcome) = scene.try_to(&Revert.of(vec![2])).expect("done");
    assert_eq!(outcome, None, "nothing is left of it");
    scene.take_back(Undo, &[]);
    assert_eq!(scene.place.files(), before);
    assert!(scene.taken().is_empty());
}

#[test]
fn a_set_of_turns_is_reverted_together() {
    let scene = three();
    scene.take_back(Revert, &[1, 3]);
    let text = scene.read("f.txt").expect("there");
    assert!(text.contains("line 3\n") && text.contains("LINE 10\n") && text.contains("line 20\n"), "{text}");
    assert_eq!(scene.taken(), [1, 3]);
    assert_eq!(scene.take_back(Since, &[1]).turns, [1, 2], "the third is taken back already");
}

#[test]
fn an_undo_keeps_files_and_lines_of_the_user() {
    let scene = three();
    let plan = scene.take_back(Since, &[1]);
    assert_eq!(plan.turns, [1, 2, 3]);
    let left: Vec<String> = plan.left.iter().map(|left| left.path.to_string()).collect();
    assert_eq!(left, ["mine.txt"]);
    let expected = lines(30).replace("line 15\n", "by hand 15\n").replace("line 25\n", "by hand 25\n");
    assert_eq!(scene.read("f.txt"), Some(expected));
    assert_eq!(scene.read("mine.txt").as_deref(), Some("by hand\n"));
    assert_eq!((scene.read("two.txt"), scene.read("dir/b.txt")), (None, Some("beta\r\n".to_owned())));
    assert_eq!(scene.taken(), [1, 2, 3]);
}

#[test]
fn everything_since_goes_only_with_all_and_comes_back() {
    let scene = three();
    let before = scene.place.files();
    scene.try_to(&Restore.of(vec![2])).expect("undone");
    assert_eq!(scene.read("f.txt"), Some(lines(30).replace("line 3\n", "LINE 3\n")));
    assert_eq!(scene.read("mine.txt").as_deref(), Some("by hand\n"), "it is older than turn 2");
    assert_eq!(scene.taken(), [2, 3]);
    scene.take_back(Undo, &[]);
    assert_eq!(scene.place.files(), before);
    assert!(scene.taken().is_empty());
    scene.take_back(Restore, &[1]);
    assert_eq!((scene.read("f.txt"), scene.read("mine.txt")), (Some(lines(30)), None));
    assert_eq!(scene.taken(), [1, 2, 3]);
    scene.take_back(Undo, &[]);
    assert_eq!(scene.place.files(), before);
}

#[test]
fn a_redo_keeps_later_changes() {
    let scene = three();
    let before = scene.read("f.txt").expect("there");
    scene.take_back(Since, &[2]);
    edit(&scene.place, "f.txt", "line 29\n", "later\n");
    scene.place.write("later.txt", "later\n");
    scene.take_back(Undo, &[]);
    assert_eq!(scene.read("f.txt"), Some(before.replace("line 29\n", "later\n")));
    assert_eq!(scene.read("later.txt").as_deref(), Some("later\n"));
    let nothing = scene.try_to(&Undo.of(vec![])).expect_err("nothing is left to redo");
    assert_eq!(nothing.code().as_str(), "invalid");
}

#[test]
fn verbs_and_redo_are_a_stack() {
    let scene = three();
    let mut states = vec![scene.place.files()];
    for (verb, turns) in [(Revert, vec![1]), (Restore, vec![3]), (Since, vec![2])] {
        scene.take_back(verb, &turns);
        states.push(scene.place.files());
    }
    states.pop();
    while let Some(state) = states.pop() {
        scene.take_back(Undo, &[]);
        assert_eq!(scene.place.files(), state);
    }
    assert!(scene.taken().is_empty());
}

#[test]
fn a_file_that_is_as_the_turn_before_left_it_may_not_belong_to_the_next() {
    let scene = Scene::new();
    let received = now_ms();
    scene.turn(|place| place.write("f.txt", "of the first turn\n"));
    let turn = scene.service.begin_turn_of(&scene.sessions[0], "prompt", received).expect("begun").id;
    scene.end(0, &turn);
    assert_eq!(scene.turns()[1].suspect.iter().filter(|path| path.as_bytes() == b"f.txt").count(), 0);
    scene.place.write("f.txt", "of the user\n");
    let turn = scene.service.begin_turn_of(&scene.sessions[0], "prompt", received).expect("begun").id;
    scene.end(0, &turn);
    assert_eq!(scene.turns()[2].suspect.iter().filter(|path| path.as_bytes() == b"f.txt").count(), 1);
}

#[test]
fn the_default_is_the_last_turn_with_changes_that_is_not_taken_back() {
    let scene = three();
    // The user's change just before would be one that may belong to the turn, if the prompt were as old.
    let turn = scene.service.begin_turn_of(&scene.sessions[0], "prompt", now_ms() + 1_000).expect("begun").id;
    scene.end(0, &turn);
    assert_eq!(scene.take_back(Since, &[]).turns, [3, 4]);
    assert_eq!(scene.take_back(Revert, &[]).turns, [2]);
    assert_eq!(scene.take_back(Since, &[]).turns, [1]);
    let refused = scene.try_to(&Since.of(vec![])).expect_err("none is left");
    assert_eq!(refused.code().as_str(), "not_in_session");
    let refused = scene.try_to(&Revert.of(vec![9])).expect_err("there is none");
    assert_eq!(refused.code().as_str(), "not_in_session");
}

#[test]
fn only_named_paths_and_hunks_are_reverted() {
    let scene = Scene::new();
    scene.place.write("f.txt", &lines(40));
    scene.place.write("g.txt", "g\n");
    scene.turn(|place| {
        for line in ["line 5\n", "line 20\n", "line 35\n"] {
            edit(place, "f.txt", line, &line.to_uppercase());
        }
        place.write("g.txt", "G\n");
    });
    let options = TakeBackOptions { hunks: vec![("f.txt".into(), vec![1])], ..Revert.of(vec![1]) };
    scene.try_to(&options).expect("reverted");
    let expected = lines(40).replace("line 5\n", "LINE 5\n").replace("line 35\n", "LINE 35\n");
    assert_eq!((scene.read("f.txt"), scene.read("g.txt").as_deref()), (Some(expected), Some("G\n")));
    let turns = scene.service.turns(&scene.worktree()).expect("listed");
    assert!(turns[0].partly_taken_back && !turns[0].taken_back);
    let none = TakeBackOptions { hunks: vec![("f.txt".into(), vec![9])], ..options.clone() };
    assert_eq!(scene.try_to(&none).expect_err("there is no such hunk").code().as_str(), "missing");
    let options = TakeBackOptions { paths: vec!["g.txt".into()], ..Revert.of(vec![1]) };
    scene.try_to(&options).expect("reverted");
    assert_eq!(scene.read("g.txt").as_deref(), Some("g\n"));
    assert!(scene.read("f.txt").expect("there").contains("LINE 5\n"));
    scene.take_back(Revert, &[1]);
    assert_eq!(scene.read("f.txt"), Some(lines(40)));
    assert_eq!(scene.taken(), [1]);
}

#[test]
fn only_named_lines_are_reverted() {
    let scene = Scene::new();
    scene.place.write("f.txt", &lines(12));
    // One hunk: a changed line, a deleted one, and two new lines at the end.
    scene.turn(|place| {
        edit(place, "f.txt", "line 3\n", "LINE 3\n");
        edit(place, "f.txt", "line 6\n", "");
        edit(place, "f.txt", "line 9\n", "line 9\nnew\nnewer\n");
    });
    let after = scene.read("f.txt").expect("there");
    let only = |first, last| {
        let options = TakeBackOptions { lines: vec![("f.txt".into(), vec![(first, last)])], ..Revert.of(vec![1]) };
        scene.try_to(&options).map(|_| scene.read("f.txt").expect("there"))
    };
    for (first, last, text) in [
        (3, 3, after.replace("LINE 3", "line 3")),
        (6, 6, after.replace("line 5\n", "line 5\nline 6\n")),
        (10, 10, after.replace("new\nnewer\n", "")),
        (1, 6, after.replace("LINE 3", "line 3").replace("line 5\n", "line 5\nline 6\n")),
    ] {
        assert_eq!(only(first, last).expect("reverted"), text, "{first} to {last}");
        let turns = scene.service.turns(&scene.worktree()).expect("listed");
        assert!(turns[0].partly_taken_back && !turns[0].taken_back);
        scene.take_back(Undo, &[]);
        assert_eq!(scene.read("f.txt").as_ref(), Some(&after));
    }
    assert_eq!(only(1, 2).expect_err("nothing changed there").code().as_str(), "missing");
    assert_eq!(scene.read("f.txt").as_ref(), Some(&after));
}

#[test]
fn renames_modes_links_and_binary_files_are_reverted() {
    let scene = Scene::new();
    let root = scene.place.root();
    scene.place.write("old.txt", &lines(30));
    scene.place.write("run.sh", "echo\n");
    fs::write(root.join("bin"), b"\0\x01\x02").expect("written");
    fs::write(root.join("secret"), "key\n").expect("written");
    fs::set_permissions(root.join("secret"), fs::Permissions::from_mode(0o600)).expect("set");
    std::os::unix::fs::symlink("a.txt", root.join("link")).expect("linked");
    scene.turn(|place| {
        let root = place.root();
        fs::rename(root.join("old.txt"), root.join("new.txt")).expect("renamed");
        fs::set_permissions(root.join("run.sh"), fs::Permissions::from_mode(0o755)).expect("set");
        fs::write(root.join("bin"), b"\0\xff").expect("written");
        for name in ["secret", "link"] {
            fs::remove_file(root.join(name)).expect("removed");
        }
    });
    // The user goes on in the renamed file.
    edit(&scene.place, "new.txt", "line 20\n", "by hand\n");
    scene.take_back(Revert, &[1]);
    assert_eq!(scene.read("old.txt"), Some(lines(30).replace("line 20\n", "by hand\n")), "with the change by hand");
    assert_eq!(scene.read("new.txt"), None);
    assert_eq!(fs::metadata(root.join("run.sh")).expect("there").permissions().mode() & 0o111, 0);
    assert_eq!(fs::read(root.join("bin")).expect("there"), b"\0\x01\x02");
    assert_eq!(fs::read_link(root.join("link")).expect("a link").to_str(), Some("a.txt"));
    assert_eq!(fs::metadata(root.join("secret")).expect("there").permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_file_that_was_ignored_before_the_turn_is_kept() {
    let scene = Scene::new();
    scene.turn(|place| {
        // The turn makes the file visible, so it seems to be new.
        place.write(".gitignore", "");
        place.write("new.txt", "new\n");
    });
    let plan = scene.take_back(Revert, &[1]);
    assert_eq!((scene.read("x.ignored").as_deref(), scene.read("new.txt")), (Some("ignored\n"), None));
    assert_eq!(plan.kept, ["x.ignored".into()]);
}

#[test]
fn a_file_of_the_user_in_a_new_directory_stays() {
    let scene = Scene::new();
    scene.turn(|place| place.write("made/by-turn.txt", "turn\n"));
    scene.place.write("made/mine.txt", "mine\n");
    scene.take_back(Since, &[1]);
    assert_eq!((scene.read("made/by-turn.txt"), scene.read("made/mine.txt").as_deref()), (None, Some("mine\n")));
    // A turn that removed a file: a directory of the user is in its place.
    scene.turn(|place| fs::remove_file(place.root().join("a.txt")).expect("removed"));
    scene.place.write("a.txt/mine.txt", "mine\n");
    let refused = scene.try_to(&Revert.of(vec![2])).expect_err("it would remove mine.txt");
    assert_eq!(refused.code().as_str(), "conflict");
    assert_eq!(scene.read("a.txt/mine.txt").as_deref(), Some("mine\n"));
}

#[test]
fn a_running_turn_is_taken_back_only_with_force() {
    let scene = Scene::new();
    let before = scene.place.files();
    scene.begin(0);
    scene.place.write("a.txt", "agent\n");
    let options = Revert.of(vec![1]);
    assert_eq!(scene.try_to(&options).expect_err("it runs").code().as_str(), "agent_running");
    scene.try_to(&TakeBackOptions { force: true, ..options }).expect("reverted");
    assert_eq!(scene.place.files(), before);
    assert_eq!((scene.turns()[0].files, scene.turns()[0].state), (None, TurnState::Running), "it goes on");
}

#[test]
fn a_turn_whose_agent_is_stopped_ends_before_it_is_taken_back() {
    let mut scene = Scene::new();
    scene.service = scene.place.service();
    let before = scene.place.files();
    scene.begin(0);
    scene.place.write("a.txt", "agent\n");
    scene.force(Revert, &[1]);
    assert_eq!(scene.place.files(), before);
    let turn = &scene.turns()[0];
    assert_eq!((turn.files, turn.state, turn.taken_back), (Some(1), TurnState::Interrupted, true));
    assert_eq!(scene.place.notes(), ["stop"]);
}

#[test]
fn a_plan_that_is_out_of_date_is_refused() {
    let scene = three();
    let options = Revert.of(vec![2]);
    let plan = scene.plan(&options);
    scene.place.write("a.txt", "saved meanwhile\n");
    let files = scene.place.files();
    let refused = scene.service.take_back(&scene.worktree(), &options, Some(&plan.tree));
    assert_eq!(refused.expect_err("the plan is old").code().as_str(), "plan_changed");
    assert_eq!(scene.place.files(), files);
    let plan = scene.plan(&options);
    scene.service.take_back(&scene.worktree(), &options, Some(&plan.tree)).expect("reverted");
}

#[test]
fn both_names_of_a_renamed_file_are_one_unit_and_keep_a_mode_of_the_user() {
    for (verb, paths) in [
        (Revert, &[][..]),
        (Revert, &["old.txt"]),
        (Revert, &["new.txt"]),
        (Since, &["old.txt"]),
        (Since, &["new.txt"]),
        (Restore, &["old.txt"]),
        (Restore, &["new.txt"]),
        (Revert, &["moved"]),
        (Revert, &["dir/c.txt"]),
    ] {
        let scene = Scene::new();
        let root = scene.place.root();
        scene.place.write("old.txt", &lines(30));
        scene.place.write("dir/c.txt", &lines(40).replace("line", "row"));
        scene.turn(|place| {
            let root = place.root();
            fs::rename(root.join("old.txt"), root.join("new.txt")).expect("renamed");
            edit(place, "new.txt", "line 3\n", "LINE 3\n");
            fs::create_dir(root.join("moved")).expect("made");
            fs::rename(root.join("dir/c.txt"), root.join("moved/c.txt")).expect("renamed");
            place.write("other.txt", "other\n");
        });
        for name in ["new.txt", "moved/c.txt"] {
            fs::set_permissions(root.join(name), fs::Permissions::from_mode(0o755)).expect("set");
        }
        let paths: Vec<_> = paths.iter().map(|path| (*path).into()).collect();
        let options = TakeBackOptions { paths: paths.clone(), ..verb.of(vec![1]) };
        let before = scene.place.files();
        let plan = scene.plan(&options);
        let (done, _) = scene.try_to(&options).expect("taken back");
        assert_eq!((plan.files_to_write, plan.files_to_delete), (done.files_to_write, done.files_to_delete));
        let is_executable =
            |name: &str| fs::metadata(root.join(name)).expect("there").permissions().mode() & 0o111 != 0;
        let what = format!("{verb:?} {paths:?}");
        let is_second = paths.iter().any(|path| path.to_string().contains('m') || path.to_string().contains('/'));
        let [back, gone] = if is_second { ["dir/c.txt", "moved/c.txt"] } else { ["old.txt", "new.txt"] };
        assert!(scene.read(back).is_some() && scene.read(gone).is_none(), "{what}");
        // A restore brings back the whole state.
        assert_eq!(is_executable(back), verb != Restore, "{what}");
        assert_eq!(scene.read("other.txt").is_some(), !paths.is_empty(), "{what}");
        if !is_second {
            assert_eq!(scene.read("old.txt"), Some(lines(30)), "{what}");
        }
        scene.take_back(Undo, &[]);
        assert_eq!(scene.place.files(), before, "{what}");
    }
}

#[test]
fn a_file_that_grew_over_the_limit_gets_its_first_content_back() {
    let scene = Scene::new();
    scene.place.write("grown.log", "first\n");
    scene.place.write("shrunk.log", "first\n");
    let large = "grown line\n".repeat(1 << 20);
    scene.turn(|place| {
        place.write("grown.log", &large);
        place.write("shrunk.log", &large);
        place.write("other.txt", "other\n");
    });
    // This one was changed since.
    scene.place.write("shrunk.log", "by hand\n");
    let options = TakeBackOptions { keep_going: true, ..Revert.of(vec![1]) };
    let (plan, _) = scene.try_to(&options).expect("reverted");
    assert_eq!(scene.read("grown.log").as_deref(), Some("first\n"), "{plan:?}");
    assert_eq!(scene.read("shrunk.log").as_deref(), Some("by hand\n"));
    assert_eq!(plan.conflicts.iter().map(|conflict| conflict.path.to_string()).collect::<Vec<_>>(), ["shrunk.log"]);
    assert_eq!(scene.read("other.txt"), None);
    scene.take_back(Undo, &[]);
    assert_eq!(scene.read("grown.log").as_ref(), Some(&large), "its content was in the checkpoint before the revert");
}

#[test]
fn the_work_of_a_deleted_session_is_nobody_elses() {
    let scene = Scene::new();
    let one = scene.begin(0);
    let two = scene.begin(1);
    scene.place.write("two.txt", "2\n");
    scene.end(1, &two);
    scene.place.write("one.txt", "1\n");
    scene.end(0, &one);
    scene.turn(|place| place.write("three.txt", "3\n"));
    for (turn, path) in [(&one, "one.txt"), (&two, "two.txt")] {
        scene.service.store().note(turn, TurnNote::Edited(&[path.into()])).expect("noted");
    }
    scene.service.delete_session(&scene.sessions[1]).expect("deleted");
    let plan = scene.take_back(Revert, &[1]);
    assert_eq!((scene.read("one.txt"), scene.read("two.txt").as_deref()), (None, Some("2\n")), "{plan:?}");
    let refused = scene.try_to(&Revert.of(vec![2])).expect_err("it is deleted");
    assert_eq!(refused.code().as_str(), "not_in_session");
    let undone = scene.take_back(Since, &[1]);
    assert_eq!((undone.turns, scene.read("three.txt")), (vec![1, 3], None));
    assert_eq!(scene.read("two.txt").as_deref(), Some("2\n"));
}

#[test]
fn a_change_that_was_taken_back_is_not_taken_back_again() {
    for forgets in ["nothing", "retention", "a deleted session"] {
        let scene = Scene::new();
        scene.turn(|place| place.write("f.txt", &lines(20)));
        for (session, line) in [(0, "3"), (1, "10")] {
            let turn = scene.begin(session);
            edit(&scene.place, "f.txt", &format!("line {line}\n"), &format!("LINE {line}\n"));
            scene.end(session, &turn);
        }
        scene.take_back(Revert, &[2, 3]);
        match forgets {
            "retention" => assert_eq!(scene.prune_restores(), 2, "the states before and after the take-back"),
            "a deleted session" => scene.service.delete_session(&scene.sessions[0]).expect("deleted"),
            _ => {}
        }
        // The user makes the same change by hand.
        edit(&scene.place, "f.txt", "line 10\n", "LINE 10\n");
        let worktree = scene.service.session(&scene.sessions[1]).expect("read").worktree_id;
        let _ = scene.service.take_back(&worktree, &Revert.of(vec![3]), None);
        assert!(scene.read("f.txt").expect("there").contains("LINE 10\n"), "{forgets}: the user's line is gone");
        if forgets == "a deleted session" {
            let left = scene.service.operations(&worktree, &[]).expect("listed");
            assert!(left.to_undo().is_none(), "nothing is left to undo");
        }
    }
}

#[test]
fn a_part_that_was_taken_back_is_no_conflict_later() {
    let scene = Scene::new();
    scene.turn(|place| place.write("f.txt", &lines(20)));
    scene.turn(|place| {
        edit(place, "f.txt", "line 3\n", "LINE 3\n");
        edit(place, "f.txt", "line 10\n", "LINE 10\n");
    });
    let part = TakeBackOptions { lines: vec![("f.txt".into(), vec![(3, 3)])], ..Revert.of(vec![2]) };
    scene.try_to(&part).expect("taken back");
    scene.prune_restores();
    edit(&scene.place, "f.txt", "line 3\n", "mine\n");
    scene.take_back(Revert, &[2]);
    assert_eq!(scene.read("f.txt"), Some(lines(20).replace("line 3\n", "mine\n")));
}
