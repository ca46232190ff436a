//! Random histories of two agents whose turns overlap, and of a user, compared with a model.
//!
//! The model knows the author of every change of a line, a name or a binary file. A set of turns can be taken back if its
//! changes are the last ones at their places; otherwise nothing may be written.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use fuzzy_checkpoint_service::TakeBackOptions;
use fuzzy_checkpoint_store::TakeBack::{self, Redo, Restore, Revert, Undo};
use fuzzy_checkpoint_store::{TurnId, TurnNote};

use super::Scene;

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("it fits") % limit
    }
}

/// A value, and the change that made it: the segment between two checkpoints and the path.
#[derive(Clone)]
struct Step {
    value: Option<String>,
    change: Option<(usize, String)>,
}

/// A file: the values of its name and of its lines, the last one being the current one.
#[derive(Clone)]
struct File {
    binary: bool,
    name: Vec<Step>,
    lines: Vec<Vec<Step>>,
}

/// The number of lines of a file that change; each is followed by two that do not.
const LINES: usize = 6;

impl File {
    fn now(&self) -> Option<&str> {
        self.name.last().expect("a name").value.as_deref()
    }

    fn content(&self, id: usize) -> Vec<u8> {
        let value = |line: &[Step]| line.last().expect("a value").value.clone().unwrap_or_default();
        if self.binary {
            return [&b"\0\x01"[..], value(&self.lines[0]).as_bytes()].concat();
        }
        let lines = self.lines.iter().enumerate();
        let text = lines.map(|(at, line)| format!("{}\nkeep {id} {at} a\nkeep {id} {at} b\n", value(line)));
        text.collect::<String>().into_bytes()
    }
}

/// The reason if the model does not know whether there is a conflict.
const EITHER: &str = "either";

struct Trial {
    scene: Scene,
    random: Random,
    files: Vec<File>,
    /// The running turns, with their sessions.
    running: Vec<(usize, i64, TurnId)>,
    /// The turns that ran in each segment.
    segments: Vec<BTreeSet<i64>>,
    /// The files that edit tools named.
    named: BTreeMap<i64, BTreeSet<String>>,
    /// The files before each turn.
    before: BTreeMap<i64, BTreeMap<PathBuf, Vec<u8>>>,
    values: usize,
}

impl Trial {
    fn new(seed: u64) -> Self {
        let scene = Scene::new();
        let mut trial = Self {
            scene,
            random: Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            files: Vec::new(),
            running: Vec::new(),
            segments: vec![BTreeSet::new()],
            named: BTreeMap::new(),
            before: BTreeMap::new(),
            values: 0,
        };
        for id in 0..4 {
            let file = trial.file(id, None);
            trial.files.push(file);
            trial.write(id);
        }
        trial
    }

    fn value(&mut self) -> String {
        self.values += 1;
        format!("value {}", self.values)
    }

    fn file(&mut self, id: usize, made_in: Option<usize>) -> File {
        let binary = id % 4 == 3;
        let name = format!("dir{}/file{id}.txt", id % 2);
        let lines = (0..if binary { 1 } else { LINES })
            .map(|_| vec![Step { value: Some(self.value()), change: None }])
            .collect();
        let mut names = vec![Step { value: Some(name.clone()), change: None }];
        if let Some(segment) = made_in {
            names = vec![
                Step { value: None, change: None },
                Step { value: Some(name.clone()), change: Some((segment, name)) },
            ];
        }
        File { binary, name: names, lines }
    }

    fn write(&self, id: usize) {
        let file = &self.files[id];
        if let Some(name) = file.now() {
            let path = self.scene.place.root().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs::write(path, file.content(id)).expect("written");
        }
    }

    fn segment(&self) -> usize {
        self.segments.len() - 1
    }

    /// Notes that a turn's edit tool named files, sometimes.
    fn name(&mut self, turn: Option<i64>, paths: &[&str]) {
        if let Some(turn) = turn
            && self.random.below(3) > 0
        {
            self.named.entry(turn).or_default().extend(paths.iter().map(|path| (*path).to_owned()));
        }
    }

    /// Changes something, as one of the running turns or as the user.
    fn change(&mut self) {
        let turn = match self.running.len() {
            0 => None,
            count => Some(self.running[self.random.below(count)].1),
        };
        let segment = self.segment();
        let there: Vec<usize> = (0..self.files.len()).filter(|id| self.files[*id].now().is_some()).collect();
        let pick = self.random.below(10);
        if pick == 0 || there.is_empty() {
            let id = self.files.len();
            let file = self.file(id, Some(segment));
            let name = file.now().expect("it is new").to_owned();
            self.files.push(file);
            self.write(id);
            self.name(turn, &[&name]);
            return;
        }
        let id = there[self.random.below(there.len())];
        let path = self.files[id].now().expect("it is there").to_owned();
        let change = Some((segment, path.clone()));
        let disk = self.scene.place.root().join(&path);
        // Only one turn runs, so there is no question whose rename it is.
        if pick == 1 && self.running.len() < 2 {
            let new = format!("moved/{}-{id}.txt", self.value().replace(' ', "-"));
            self.files[id].name.push(Step { value: Some(new.clone()), change });
            fs::remove_file(disk).expect("removed");
            self.write(id);
            self.name(turn, &[&path, &new]);
        } else if pick == 2 && there.len() > 2 {
            self.files[id].name.push(Step { value: None, change });
            fs::remove_file(disk).expect("removed");
            self.name(turn, &[&path]);
        } else {
            let line = self.random.below(self.files[id].lines.len());
            let value = Some(self.value());
            self.files[id].lines[line].push(Step { value, change });
            self.write(id);
            self.name(turn, &[&path]);
        }
    }

    fn next_segment(&mut self) {
        self.segments.push(self.running.iter().map(|(_, number, _)| *number).collect());
    }

    fn begin(&mut self, session: usize) {
        let before = self.scene.place.files();
        let begun = self.scene.service.begin_turn(&self.scene.sessions[session], "prompt").expect("begun");
        let number = begun.prompt.number.expect("a turn");
        self.before.insert(number, before);
        self.running.push((session, number, begun.id));
        self.next_segment();
    }

    fn end(&mut self, at: usize) {
        let (session, number, turn) = self.running.remove(at);
        let paths: Vec<_> = self.named.get(&number).into_iter().flatten().map(|path| path.as_str().into()).collect();
        self.scene.service.store().note(&turn, TurnNote::Edited(&paths)).expect("noted");
        self.scene.end(session, &turn);
        self.next_segment();
    }

    fn step(&mut self) {
        match self.random.below(6) {
            0 if self.running.len() < 2 => {
                let session = usize::from(self.running.iter().any(|(session, ..)| *session == 0));
                self.begin(session);
            }
            1 if !self.running.is_empty() => {
                let at = self.random.below(self.running.len());
                self.end(at);
            }
            _ => self.change(),
        }
    }

    /// Returns whether a change is taken back with a set of turns.
    fn takes(&self, step: &Step, turns: &BTreeSet<i64>) -> bool {
        let Some((segment, path)) = &step.change else { return false };
        let active = &self.segments[*segment];
        let has_named = |number: &&i64| self.named.get(*number).is_some_and(|named| named.contains(path));
        let named: BTreeSet<i64> = active.iter().filter(has_named).copied().collect();
        let authors = if named.is_empty() || active.len() == 1 { active } else { &named };
        !authors.is_empty() && authors.is_subset(turns)
    }

    /// Returns the values without those that are taken back, if these are the last ones.
    fn rest(&self, steps: &[Step], turns: &BTreeSet<i64>) -> Option<Vec<Step>> {
        let last = steps.iter().rposition(|step| !self.takes(step, turns)).map_or(0, |at| at + 1);
        let is_suffix = !steps[..last].iter().any(|step| self.takes(step, turns));
        is_suffix.then(|| steps[..last].to_vec())
    }

    /// Returns the files after a set of turns is taken back, or the reason for a conflict.
    fn without(&self, turns: &BTreeSet<i64>) -> Result<BTreeMap<PathBuf, Vec<u8>>, String> {
        let mut files = self.scene.place.files();
        for (id, file) in self.files.iter().enumerate() {
            let is_created = file.name[0].value.is_none();
            let is_made = is_created && self.takes(&file.name[1], turns);
            if is_made
                && file.now().is_none()
                && file
                    .name
                    .iter()
                    .any(|step| step.value.is_none() && step.change.is_some() && !self.takes(step, turns))
            {
                // It is gone before and after, so its removal by others is no conflict; a change of it in another turn is.
                let segment = |step: &Step| step.change.as_ref().map(|(segment, _)| *segment);
                let made = segment(&file.name[1]);
                let steps = file.name[1..].iter().chain(file.lines.iter().flatten());
                if steps.filter(|step| self.takes(step, turns)).any(|step| segment(step) != made) {
                    return Err(EITHER.to_owned());
                }
                continue;
            }
            let takes_lines = file.lines.iter().flatten().any(|step| self.takes(step, turns));
            let others = file.lines.iter().flatten().any(|step| step.change.is_some() && !self.takes(step, turns));
            // Git finds the rename of a binary file only while most of its bytes are the same. Otherwise the file of the turn
            // is gone, and nothing of it is left to take back.
            let why = || if file.binary && others { EITHER.to_owned() } else { format!("the name of file {id}") };
            let name = self.rest(&file.name, turns).ok_or_else(why)?;
            let is_there = name.last().expect("a name").value.is_some();
            let moved_by_others = name.len() > 2;
            if !is_there && is_created && name.len() == 1 && file.name.len() > 1 && (others || moved_by_others) {
                return Err(format!("others went on in the new file {id}"));
            }
            if !is_there && name.len() == file.name.len() && takes_lines {
                return Err(format!("another turn or the user deleted file {id}"));
            }
            let mut after = File { name, ..file.clone() };
            for (at, line) in after.lines.iter_mut().enumerate() {
                *line = self.rest(line, turns).ok_or_else(|| format!("line {at} of file {id}"))?;
            }
            if let Some(now) = file.now() {
                files.remove(&self.scene.place.root().join(now));
            }
            if let Some(now) = after.now() {
                files.insert(self.scene.place.root().join(now), after.content(id));
            }
        }
        Ok(files)
    }

    /// Takes turns back, compares the files with the model, and brings the turns back.
    fn check(&self, verb: TakeBack, turns: &[i64]) -> bool {
        let before = self.scene.place.files();
        let all: BTreeSet<i64> = match verb {
            Undo => self.before.keys().copied().filter(|number| *number >= turns[0]).collect(),
            _ => turns.iter().copied().collect(),
        };
        let expected = if verb == Restore { Ok(self.before[&turns[0]].clone()) } else { self.without(&all) };
        let done = self.scene.try_to(&TakeBackOptions::new(verb, turns.to_vec()));
        let after = self.scene.place.files();
        match (done, expected) {
            (Ok((_, outcome)), Ok(expected)) => {
                assert_same(&after, &expected, &format!("{verb:?} {turns:?}"));
                if outcome.is_some() {
                    self.scene.take_back(Redo, &[]);
                    assert_same(&self.scene.place.files(), &before, &format!("redo of {verb:?} {turns:?}"));
                }
                true
            }
            (Ok((_, outcome)), Err(why)) if why == EITHER => {
                if outcome.is_some() {
                    self.scene.take_back(Redo, &[]);
                }
                assert_same(&self.scene.place.files(), &before, &format!("redo of {verb:?} {turns:?}"));
                true
            }
            (Err(error), Err(_)) => {
                assert_eq!(error.code().as_str(), "conflict", "{error}");
                assert_same(&after, &before, &format!("{verb:?} {turns:?} conflicts"));
                false
            }
            (Ok(_), Err(why)) => {
                panic!("{verb:?} {turns:?}: a conflict of {why} is expected: {:?} {:?}", self.segments, self.named)
            }
            (Err(error), Ok(_)) => panic!("{verb:?} {turns:?}: {error}"),
        }
    }

    /// Takes turns back in any order, then brings all back.
    fn stack(&mut self) {
        let turns: Vec<i64> = self.before.keys().copied().collect();
        let mut states = Vec::new();
        for _ in 0..3 {
            let verb = [Revert, Undo, Restore][self.random.below(3)];
            let turn = turns[self.random.below(turns.len())];
            let before = self.scene.place.files();
            let options = TakeBackOptions { keep_going: true, ..TakeBackOptions::new(verb, vec![turn]) };
            if let Ok((_, Some(_))) = self.scene.try_to(&options) {
                states.push(before);
            }
        }
        while let Some(state) = states.pop() {
            self.scene.take_back(Redo, &[]);
            assert_same(&self.scene.place.files(), &state, "a redo in the stack");
        }
    }
}

fn assert_same(found: &BTreeMap<PathBuf, Vec<u8>>, expected: &BTreeMap<PathBuf, Vec<u8>>, what: &str) {
    let text = |files: &BTreeMap<PathBuf, Vec<u8>>| -> BTreeMap<String, String> {
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.iter().map(|(path, bytes)| (name(path), String::from_utf8_lossy(bytes).into_owned())).collect()
    };
    assert_eq!(text(found), text(expected), "{what}");
    assert_eq!(found, expected, "{what}");
}

fn history(seed: u64) -> (usize, usize) {
    let mut trial = Trial::new(seed);
    for _ in 0..24 {
        trial.step();
    }
    while !trial.running.is_empty() {
        trial.end(0);
        trial.change();
    }
    let turns: Vec<i64> = trial.before.keys().copied().collect();
    let mut done = Vec::new();
    for number in &turns {
        done.push(trial.check(Revert, &[*number]));
    }
    if let (Some(first), Some(last)) = (turns.first(), turns.last()) {
        done.push(trial.check(Revert, &[*first, *last]));
        let middle = turns[turns.len() / 2];
        done.push(trial.check(Undo, &[middle]));
        done.push(trial.check(Restore, &[middle]));
        trial.stack();
    }
    (done.iter().filter(|done| **done).count(), done.len())
}

/// Plays `FUZZY_CHECKPOINT_HISTORIES` histories, starting with the seed `FUZZY_CHECKPOINT_SEED`.
#[test]
fn random_histories_are_taken_back_as_the_model_says() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let count = number("FUZZY_CHECKPOINT_HISTORIES").unwrap_or(8);
    let first = number("FUZZY_CHECKPOINT_SEED").unwrap_or(0);
    let played = std::thread::scope(|scope| {
        let play = |part: u64| {
            scope.spawn(move || {
                let mut sums = (0, 0);
                for seed in (first..first + count).filter(|seed| seed % 2 == part) {
                    let outcome = std::panic::catch_unwind(|| history(seed));
                    let Ok((done, all)) = outcome else { panic!("seed {seed}") };
                    sums = (sums.0 + done, sums.1 + all);
                }
                sums
            })
        };
        [play(0), play(1)].map(|thread| thread.join().expect("no panic"))
    });
    let (done, all) = (played[0].0 + played[1].0, played[0].1 + played[1].1);
    println!("{done} of {all} requests were carried out, the others conflict");
    assert!(done > 0 && done < all, "some are carried out and some conflict: {done} of {all}");
}
