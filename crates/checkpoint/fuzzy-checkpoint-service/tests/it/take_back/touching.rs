//! Reverts whose changes touch later ones: proposals, compared with the texts by construction and with git.

use std::process::Command;

use fuzzy_checkpoint_service::TakeBackOptions;

use super::Scene;
use super::Verb::Revert;

/// The same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("it fits") % limit
    }
}

/// A change of a line of the base: a new line instead of it, after it, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    Replace,
    Insert,
    Delete,
}

/// Returns the base with changes, each at a line; `by` is in every new line.
fn edited(base: &[String], edits: &[(usize, Edit)], by: &str) -> Vec<(usize, Edit, String)> {
    edits.iter().map(|(at, edit)| (*at, *edit, format!("{by} at {at}: {}\n", base[*at].trim_end()))).collect()
}

fn applied(base: &[String], edits: &[(usize, Edit, String)]) -> String {
    let mut out = String::new();
    for (at, line) in base.iter().enumerate() {
        match edits.iter().find(|(place, ..)| *place == at) {
            Some((_, Edit::Replace, new)) => out += new,
            Some((_, Edit::Insert, new)) => out += &[line.as_str(), new].concat(),
            Some((_, Edit::Delete, _)) => {}
            None => out += line,
        }
    }
    out
}

/// Merges with git; none if it reports a conflict.
fn by_git(scene: &Scene, texts: [&str; 3]) -> Option<String> {
    let paths = ["ours", "base", "theirs"].map(|name| scene.place.0.join(name));
    for (path, text) in paths.iter().zip(texts) {
        std::fs::write(path, text).expect("written");
    }
    let done = Command::new("git").args(["merge-file", "-p", "-q"]).args(&paths).output().expect("git runs");
    done.status.success().then(|| String::from_utf8(done.stdout).expect("UTF-8"))
}

/// Plays 10 or `FUZZY_CHECKPOINT_TOUCHING` histories.
#[test]
fn proposals_are_right_where_a_line_touches_another() {
    let scene = Scene::new();
    let mut random = Random(7);
    let (mut proposed, mut touching) = (0, 0);
    let rounds = std::env::var("FUZZY_CHECKPOINT_TOUCHING").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    for round in 0..rounds {
        let base: Vec<String> = (0..40).map(|line| format!("{round}: line {line} of the base\n")).collect();
        let kinds = [Edit::Replace, Edit::Insert, Edit::Delete, Edit::Replace];
        let mut kind = || kinds[random.below(kinds.len())];
        let (turns, users) = ([kind(), kind()], [kind(), kind()]);
        let at = 5 + random.below(10);
        // The user's line is just above or below one of the turn's; the others are far apart.
        let beside = if random.below(2) == 0 { at + 1 } else { at - 1 };
        let turn = edited(&base, &[(at, turns[0]), (25, turns[1])], "turn");
        let user = edited(&base, &[(beside, users[0]), (33, users[1])], "user");
        let both: Vec<_> = turn.iter().chain(&user).cloned().collect();
        let (after, now, expected) = (applied(&base, &turn), applied(&base, &both), applied(&base, &user));
        let name = format!("{round}.txt");
        scene.place.write(&name, &base.concat());
        scene.turn(|place| place.write(&name, &after));
        scene.place.write(&name, &now);
        let number = scene.turns().last().expect("a turn").number;
        let options = Revert.of(vec![number]);
        let plan = scene.plan(&options);
        let merged = by_git(&scene, [&now, &after, &base.concat()]);
        let Some(conflict) = plan.conflicts.first() else {
            // Git merged it, so nothing touched.
            assert_eq!(merged.as_deref(), Some(expected.as_str()), "{round}");
            scene.try_to(&options).expect("reverted");
            assert_eq!(scene.read(&name), Some(expected), "{round}: {turn:?} {user:?}");
            continue;
        };
        touching += 1;
        assert_eq!(merged, None, "{round}: git merges it");
        let refused = scene.try_to(&options).expect_err("nothing is written without a word");
        assert_eq!((refused.code().as_str(), scene.read(&name)), ("conflict", Some(now.clone())), "{round}");
        if conflict.proposal.is_none() {
            continue;
        }
        proposed += 1;
        let (plan, _) = scene.try_to(&TakeBackOptions { propose: true, ..options }).expect("as proposed");
        assert_eq!(plan.proposed.len(), 1, "{round}");
        assert_eq!(scene.read(&name), Some(expected), "{round}: {turn:?} {user:?}");
    }
    assert!(touching * 2 >= rounds && proposed * 10 >= touching * 6, "{proposed} of {touching}");
    println!("{proposed} of {touching} touching changes have a proposal, none is wrong");
}

#[test]
fn a_conflict_is_shown_with_three_texts() {
    let scene = Scene::new();
    scene.place.write("f.txt", "a\nb\nc\n");
    scene.turn(|place| place.write("f.txt", "a\nturn\nc\n"));
    scene.place.write("f.txt", "a\nuser\nc\n");
    let plan = scene.plan(&Revert.of(vec![1]));
    assert!(plan.conflicts[0].proposal.is_none(), "both changed the same line");
    let marked = scene.service.marked(&scene.worktree(), &plan.conflicts[0]).expect("marked");
    let expected = "a\n<<<<<<< now\nuser\n||||||| after the turn\nturn\n=======\nb\n>>>>>>> before the turn\nc\n";
    assert_eq!(String::from_utf8_lossy(&marked), expected);
}
