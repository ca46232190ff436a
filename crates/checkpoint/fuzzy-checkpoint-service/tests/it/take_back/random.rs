//! Random histories of two agents whose turns overlap, and of a user, compared with a model.
//!
//! The model knows the author of every change of a line, a name, an executable bit or a binary file. A set of turns can be
//! taken back if its changes are the last ones at their places; otherwise nothing may be written. Turns are taken back
//! and brought back also while others run, whole, by files and by lines. An agent may be interrupted: then the user
//! decides whose the later changes are. In the end the oldest checkpoints are pruned.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::Verb::{self, Restore, Revert, Since, Undo};
use fuzzy_checkpoint_service::{Error, LateChange, LateChoice, TakeBackOptions, TurnPlan};
use fuzzy_checkpoint_store::{RestoreOutcome, Retention, TurnId, TurnNote};

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
#[derive(Clone, PartialEq)]
struct Step {
    value: Option<String>,
    change: Option<(usize, String)>,
}

/// A file: the values of its name, of its executable bit and of its lines, the last one being the current one.
#[derive(Clone, PartialEq)]
struct File {
    binary: bool,
    name: Vec<Step>,
    mode: Vec<Step>,
    lines: Vec<Vec<Step>>,
}

/// Files with their contents and executable bits.
type Files = BTreeMap<PathBuf, (Vec<u8>, bool)>;

/// A request that was carried out, with the model before and after it.
struct Done {
    before: Vec<File>,
    after: Vec<File>,
}

/// Limits a request to a part of the changes.
#[derive(Clone, Default)]
struct Only {
    path: Option<String>,
    /// A line of that path, from 0.
    line: Option<usize>,
}

/// The number of lines of a file that change; each is followed by two that do not.
const LINES: usize = 6;

impl File {
    fn now(&self) -> Option<&str> {
        self.name.last().expect("a name").value.as_deref()
    }

    fn is_executable(&self) -> bool {
        self.mode.last().expect("a mode").value.is_some()
    }

    fn entry(&self, id: usize) -> (Vec<u8>, bool) {
        (self.content(id), self.is_executable())
    }

    /// Returns all changes but those of the name.
    fn others(&self) -> impl Iterator<Item = &Step> {
        self.lines.iter().flatten().chain(&self.mode).filter(|step| step.change.is_some())
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
    /// The running turns whose agent was interrupted, with the time.
    interrupted: BTreeMap<i64, SystemTime>,
    /// The paths that were written since, by turn.
    since: BTreeMap<i64, BTreeSet<String>>,
    /// The files of interrupted turns that are the user's.
    left: BTreeSet<(i64, String)>,
    /// The requests that can be redone.
    done: Vec<Done>,
    /// The model at the begin of each turn.
    begins: BTreeMap<i64, Vec<File>>,
    /// The requests that were carried out, and all.
    requests: (usize, usize),
    /// Whether the model does not know the files.
    is_lost: bool,
    /// The turns that ran in each segment.
    segments: Vec<BTreeSet<i64>>,
    /// The files that edit tools named.
    named: BTreeMap<i64, BTreeSet<String>>,
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
            interrupted: BTreeMap::new(),
            since: BTreeMap::new(),
            left: BTreeSet::new(),
            done: Vec::new(),
            begins: BTreeMap::new(),
            requests: (0, 0),
            is_lost: false,
            segments: vec![BTreeSet::new()],
            named: BTreeMap::new(),
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
        File { binary, name: names, mode: vec![Step { value: None, change: None }], lines }
    }

    fn write(&mut self, id: usize) {
        let file = &self.files[id];
        if let Some(name) = file.now() {
            let path = self.scene.place.root().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs::write(&path, file.content(id)).expect("written");
            let mode = if file.is_executable() { 0o755 } else { 0o644 };
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
            let name = name.to_owned();
            self.note_written(&name);
        }
    }

    fn note_written(&mut self, path: &str) {
        for number in self.interrupted.keys() {
            self.since.entry(*number).or_default().insert(path.to_owned());
        }
    }

    /// Returns the files on disk.
    fn on_disk(&self) -> Files {
        let files = self.scene.place.files().into_iter();
        let is_executable = |path: &PathBuf| fs::metadata(path).expect("there").permissions().mode() & 0o100 != 0;
        files.map(|(path, bytes)| (path.clone(), (bytes, is_executable(&path)))).collect()
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
        let agents = self.running.iter().map(|(_, number, _)| *number);
        let agents: Vec<i64> = agents.filter(|number| !self.interrupted.contains_key(number)).collect();
        let turn = match agents.len() {
            0 => None,
            count => Some(agents[self.random.below(count)]),
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
        // Only one turn runs, so there is no question whose rename it is. The model follows no executable bit through one.
        let may_move = self.running.len() < 2 && self.interrupted.is_empty() && self.files[id].mode.len() == 1;
        let is_moved = self.files[id].name.iter().filter(|step| step.value.is_some()).count() > 1;
        if pick == 1 && may_move {
            let new = format!("moved/{}-{id}.txt", self.value().replace(' ', "-"));
            self.files[id].name.push(Step { value: Some(new.clone()), change });
            fs::remove_file(disk).expect("removed");
            self.write(id);
            self.name(turn, &[&path, &new]);
        } else if pick == 2 && there.len() > 2 {
            self.files[id].name.push(Step { value: None, change });
            fs::remove_file(disk).expect("removed");
            self.note_written(&path);
            self.name(turn, &[&path]);
        } else if pick == 3 && self.files[id].mode.len() == 1 && !is_moved {
            self.files[id].mode.push(Step { value: Some("x".to_owned()), change });
            self.write(id);
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
        let begun = self.scene.service.begin_turn(&self.scene.sessions[session], "prompt").expect("begun");
        let number = begun.prompt.number.expect("a turn");
        self.begins.insert(number, self.files.clone());
        self.running.push((session, number, begun.id));
        self.next_segment();
    }

    /// Notes the files that edit tools of a turn named.
    fn note_named(&self, number: i64, turn: &TurnId) {
        let paths: Vec<_> = self.named.get(&number).into_iter().flatten().map(|path| path.as_str().into()).collect();
        self.scene.service.store().note(turn, TurnNote::Edited(&paths)).expect("noted");
    }

    fn end(&mut self, at: usize) {
        let (session, number, turn) = self.running.remove(at);
        self.note_named(number, &turn);
        if let Some(last) = self.interrupted.remove(&number) {
            self.scene.service.end_turn_late(&self.scene.sessions[session], &turn, Some(last)).expect("ended");
            let listed = self.scene.turns().into_iter().find(|listed| listed.number == number).expect("listed");
            let late: BTreeSet<String> = listed.late.iter().map(|file| file.path.to_string()).collect();
            let since = self.since.remove(&number).unwrap_or_default();
            let named = self.named.get(&number).cloned().unwrap_or_default();
            for path in &late {
                assert!(!named.contains(path), "a tool named {path}");
                let gone = listed.late.iter().any(|file| file.gone && file.path.to_string() == *path);
                // The time of a deletion is that of its directory.
                assert!(since.contains(path) || gone, "{path} was written before");
            }
            let is_its = |path: &String| {
                let changed = self.scene.service.store().turns_of(&self.scene.worktree()).expect("listed");
                let row = changed.into_iter().find(|row| row.number == number).expect("a row");
                row.files.is_some_and(|files| files.iter().any(|file| file.to_string() == *path))
            };
            for path in since.iter().filter(|path| !named.contains(*path) && is_its(path)) {
                assert!(late.contains(path), "{path} was written after the last action");
            }
        } else {
            self.scene.end(session, &turn);
        }
        self.next_segment();
    }

    /// Interrupts an agent: no event of its turn comes any more, until the next prompt ends it.
    fn interrupt(&mut self) {
        let at = self.random.below(self.running.len());
        let number = self.running[at].1;
        let clock = self.scene.place.root().parent().expect("a directory").join("clock");
        fs::write(&clock, "").expect("written");
        let last = fs::metadata(clock).expect("there").modified().expect("a time");
        std::thread::sleep(Duration::from_millis(10));
        self.interrupted.entry(number).or_insert(last);
    }

    fn step(&mut self) {
        match self.random.below(10) {
            0 if self.running.len() < 2 => {
                let session = usize::from(self.running.iter().any(|(session, ..)| *session == 0));
                self.begin(session);
            }
            1 if !self.running.is_empty() => {
                let at = self.random.below(self.running.len());
                self.end(at);
            }
            2 if !self.running.is_empty() && self.random.below(3) == 0 => self.interrupt(),
            3 if !self.begins.is_empty() => self.request_some(),
            4 if !self.done.is_empty() && self.random.below(2) == 0 => self.redo(),
            5 if !self.done.is_empty() && self.random.below(3) == 0 => {
                self.scene.prune_restores();
                // They cannot be redone any more.
                self.done.clear();
            }
            _ => self.change(),
        }
    }

    /// Returns the authors of a change.
    fn authors(&self, (segment, path): &(usize, String)) -> BTreeSet<i64> {
        let active = self.segments[*segment].iter().copied();
        let active: BTreeSet<i64> = active.filter(|number| !self.left.contains(&(*number, path.clone()))).collect();
        let has_named = |number: &&i64| self.named.get(*number).is_some_and(|named| named.contains(path));
        let named: BTreeSet<i64> = active.iter().filter(has_named).copied().collect();
        if named.is_empty() || active.len() == 1 { active } else { named }
    }

    /// Returns whether a change is taken back with a set of turns. Of files that several turns may have changed, only the
    /// named ones are.
    fn takes(&self, step: &Step, turns: &BTreeSet<i64>, only: &Only) -> bool {
        let Some(change) = &step.change else { return false };
        let authors = self.authors(change);
        match &only.path {
            Some(path) => *path == change.1 && authors.iter().any(|number| turns.contains(number)),
            None => !authors.is_empty() && authors.is_subset(turns),
        }
    }

    /// Returns the values without those that are taken back, if these are the last ones.
    fn rest(&self, steps: &[Step], turns: &BTreeSet<i64>, only: &Only) -> Option<Vec<Step>> {
        let last = steps.iter().rposition(|step| !self.takes(step, turns, only)).map_or(0, |at| at + 1);
        let is_suffix = !steps[..last].iter().any(|step| self.takes(step, turns, only));
        is_suffix.then(|| steps[..last].to_vec())
    }

    /// Returns the model after a set of turns is taken back, or the reason for a conflict.
    fn without(&self, turns: &BTreeSet<i64>, only: &Only) -> Result<Vec<File>, String> {
        let takes = |step: &Step| self.takes(step, turns, only);
        let mut files = self.files.clone();
        for (id, file) in self.files.iter().enumerate() {
            if let Some(line) = only.line {
                if file.now() == only.path.as_deref() {
                    let rest = self.rest(&file.lines[line], turns, only);
                    files[id].lines[line] = rest.ok_or_else(|| format!("line {line} of file {id}"))?;
                }
                continue;
            }
            let is_created = file.name[0].value.is_none() && file.name.len() > 1;
            let is_made = is_created && takes(&file.name[1]);
            if is_made
                && file.now().is_none()
                && file.name.iter().any(|step| step.value.is_none() && step.change.is_some() && !takes(step))
            {
                // It is gone before and after, so its removal by others is no conflict; a change of it in another turn is.
                let segment = |step: &Step| step.change.as_ref().map(|(segment, _)| *segment);
                let made = segment(&file.name[1]);
                let steps = file.name[1..].iter().chain(file.others());
                if steps.filter(|step| takes(step)).any(|step| segment(step) != made) {
                    return Err(EITHER.to_owned());
                }
                continue;
            }
            let takes_some = file.others().any(takes);
            let others = file.others().any(|step| !takes(step));
            // Git finds the rename of a binary file only while most of its bytes are the same. Otherwise the file of the turn
            // is gone, and nothing of it is left to take back.
            let why = || if file.binary && others { EITHER.to_owned() } else { format!("the name of file {id}") };
            let name = self.rest(&file.name, turns, only).ok_or_else(why)?;
            // A rename changes two paths, of which a request may name one.
            let is_moved = file.name.iter().filter(|step| step.value.is_some()).count() > 1;
            if only.path.is_some() && is_moved && (takes_some || name.len() != file.name.len()) {
                return Err(EITHER.to_owned());
            }
            let is_there = name.last().expect("a name").value.is_some();
            let moved_by_others = name.len() > 2;
            if !is_there && is_created && name.len() == 1 && file.name.len() > 1 && (others || moved_by_others) {
                return Err(format!("others went on in the new file {id}"));
            }
            if !is_there && name.len() == file.name.len() && takes_some {
                return Err(format!("another turn or the user deleted file {id}"));
            }
            let mut after = File { name, ..file.clone() };
            for (at, line) in after.lines.iter_mut().enumerate() {
                *line = self.rest(line, turns, only).ok_or_else(|| format!("line {at} of file {id}"))?;
            }
            after.mode = self.rest(&file.mode, turns, only).ok_or_else(|| format!("the mode of file {id}"))?;
            files[id] = after;
        }
        Ok(files)
    }

    /// Returns the files of a model.
    fn files_of(&self, model: &[File]) -> Files {
        let named = model.iter().enumerate().filter_map(|(id, file)| Some((file.now()?, file.entry(id))));
        let mut files: Files = named.map(|(name, entry)| (self.scene.place.root().join(name), entry)).collect();
        for name in ["a.txt", "dir/b.txt", ".gitignore", "x.ignored"] {
            let path = self.scene.place.root().join(name);
            let bytes = fs::read(&path).expect("there");
            files.insert(path, (bytes, false));
        }
        files
    }

    /// Takes turns back beside the running ones, after a decision about late changes if one is needed. The decision is
    /// recorded if the request is carried out.
    fn send(&mut self, options: &TakeBackOptions) -> (Sent, Vec<LateChange>) {
        for (_, number, turn) in &self.running {
            self.note_named(*number, turn);
        }
        let options = TakeBackOptions { force: true, ..options.clone() };
        let before = self.on_disk();
        match self.scene.try_to(&options) {
            Err(Error::LateChanges { changes }) => {
                assert_same(&self.on_disk(), &before, "a request without a decision");
                let paths: BTreeSet<String> = changes.iter().map(|change| change.file.path.to_string()).collect();
                let is_moved = |file: &File| {
                    file.name.len() > 1
                        && file.name.iter().flat_map(|step| &step.value).any(|name| paths.contains(name))
                };
                // The model leaves no half of a rename to the user.
                let may_keep = !self.files.iter().any(is_moved) && self.random.below(2) == 0;
                let choice = if may_keep { LateChoice::Keep } else { LateChoice::Take };
                let done = self.scene.try_to(&TakeBackOptions { late: Some(choice), ..options });
                (done, if may_keep { changes } else { Vec::new() })
            }
            done => (done, Vec::new()),
        }
    }

    /// Takes turns back and compares the files with the model. Returns whether it was carried out; `None` if the model
    /// does not know the result.
    fn request(&mut self, verb: Verb, turns: &[i64], only: &Only) -> Option<bool> {
        let what = format!("{verb:?} {turns:?} {:?} {:?}", only.path, only.line);
        let before = self.on_disk();
        let all: BTreeSet<i64> = match verb {
            Since => self.begins.keys().copied().filter(|number| *number >= turns[0]).collect(),
            _ => turns.iter().copied().collect(),
        };
        let mut options = verb.of(turns.to_vec());
        match (&only.path, only.line) {
            // Each line that changes is followed by two that do not.
            (Some(path), Some(line)) => {
                options.lines = vec![(path.as_str().into(), vec![(3 * line + 1, 3 * line + 1)])];
            }
            (Some(path), None) => options.paths = vec![path.as_str().into()],
            _ => {}
        }
        let (done, kept) = self.send(&options);
        let left: Vec<_> = kept.iter().map(|change| (change.turn, change.file.path.to_string())).collect();
        let earlier = self.left.clone();
        self.left.extend(left);
        let expected = match verb {
            Restore => {
                let mut files = self.begins[&turns[0]].clone();
                // Files that were made since are gone.
                let none = Step { value: None, change: None };
                let since = self.files[files.len()..].iter();
                files.extend(since.map(|file| File {
                    binary: file.binary,
                    name: vec![none.clone()],
                    mode: vec![none.clone()],
                    lines: file.lines.iter().map(|line| line[..1].to_vec()).collect(),
                }));
                Ok(files)
            }
            _ => self.without(&all, only),
        };
        self.requests.1 += 1;
        let after = self.on_disk();
        match (done, expected) {
            (Ok((_, outcome)), Ok(expected)) => {
                assert_same(&after, &self.files_of(&expected), &what);
                self.requests.0 += 1;
                if outcome.is_some() {
                    for path in after.keys().chain(before.keys()).filter(|path| after.get(*path) != before.get(*path)) {
                        let path = path.strip_prefix(self.scene.place.root()).expect("inside").display().to_string();
                        self.note_written(&path);
                    }
                    self.done
                        .push(Done { before: std::mem::replace(&mut self.files, expected.clone()), after: expected });
                    self.next_segment();
                }
                Some(true)
            }
            (Ok((_, outcome)), Err(why)) if why == EITHER => {
                if outcome.is_some() {
                    self.scene.force(Undo, &[]);
                    self.next_segment();
                }
                self.left = earlier;
                assert_same(&self.on_disk(), &before, &format!("redo of {what}"));
                if kept.is_empty() { Some(true) } else { None }
            }
            (Err(error), Ok(_)) if only.line.is_some() && error.code().as_str() == "missing" => {
                // The turn changed the file in several parts of the history, and not the line in each.
                self.left = earlier;
                assert_same(&after, &before, &what);
                Some(false)
            }
            (Err(error), Err(_)) => {
                let codes: &[&str] = if only.path.is_some() { &["conflict", "missing"] } else { &["conflict"] };
                assert!(codes.contains(&error.code().as_str()), "{what}: {error}");
                self.left = earlier;
                assert_same(&after, &before, &format!("{what} conflicts"));
                Some(false)
            }
            (Ok(_), Err(why)) => {
                panic!("{what}: a conflict of {why} is expected: {:?} {:?}", self.segments, self.named)
            }
            (Err(error), Ok(_)) => panic!("{what}: {error}: {:?} {:?}", self.segments, self.named),
        }
    }

    /// Brings back what the last request took.
    fn redo(&mut self) {
        let Done { before, after } = self.done.pop().expect("a request");
        let mut files = self.files.clone();
        let mut conflict = None;
        for (id, now) in files.iter_mut().enumerate() {
            let (Some(old), Some(new)) = (before.get(id), after.get(id)) else { continue };
            if old == new {
                continue;
            }
            let is_changed = |now: &[Step], new: &[Step]| now != new;
            let mut merge = |now: &mut Vec<Step>, old: &Vec<Step>, new: &Vec<Step>| {
                if old != new && is_changed(now, new) {
                    conflict = Some(EITHER);
                } else if old != new {
                    now.clone_from(old);
                }
            };
            let edited = now.lines != new.lines || now.mode != new.mode;
            merge(&mut now.name, &old.name, &new.name);
            merge(&mut now.mode, &old.mode, &new.mode);
            for ((now, old), new) in now.lines.iter_mut().zip(&old.lines).zip(&new.lines) {
                merge(now, old, new);
            }
            let is_gone = now.now().is_none() && new.now().is_some() && old.now().is_some();
            let is_moved = now.name != new.name && now.binary;
            if edited && old.name != new.name || is_gone || is_moved {
                conflict = Some(EITHER);
            }
        }
        let disk = self.on_disk();
        let (done, _) = self.send(&Undo.of(Vec::new()));
        self.requests.1 += 1;
        match (done, conflict) {
            (Ok(_), None) => {
                assert_same(&self.on_disk(), &self.files_of(&files), "a redo");
                self.requests.0 += 1;
                self.files = files;
                self.next_segment();
            }
            (Err(error), Some(_)) => {
                assert_eq!(error.code().as_str(), "conflict", "{error}");
                assert_same(&self.on_disk(), &disk, "a redo that conflicts");
                // It stays the next one to redo.
                self.done.push(Done { before, after });
            }
            (Err(error), None) => panic!("a redo: {error}"),
            // A file was deleted or renamed on one side and changed on the other: the model does not follow.
            (Ok(_), Some(_)) => self.is_lost = true,
        }
    }

    /// Takes some turns back, wholly or in part.
    fn request_some(&mut self) {
        let turns: Vec<i64> = self.begins.keys().copied().collect();
        let turn = turns[self.random.below(turns.len())];
        let (verb, only) = match self.random.below(6) {
            0 => (Since, Only::default()),
            1 => (Restore, Only::default()),
            2 | 3 => (Revert, self.part(turn)),
            _ => (Revert, Only::default()),
        };
        if self.request(verb, &[turn], &only).is_none() {
            self.is_lost = true;
        }
    }

    /// Returns a file, or a line of it, that a turn changed.
    fn part(&mut self, turn: i64) -> Only {
        let turns = BTreeSet::from([turn]);
        let mut parts = Vec::new();
        for file in self.files.iter().filter(|file| file.name.len() == 1) {
            let path = file.now().map(str::to_owned);
            let only = Only { path, line: None };
            for (line, steps) in file.lines.iter().enumerate() {
                if only.path.is_some() && steps.iter().any(|step| self.takes(step, &turns, &only)) {
                    parts.push(only.clone());
                    if !file.binary {
                        parts.push(Only { line: Some(line), ..only.clone() });
                    }
                }
            }
        }
        if parts.is_empty() { Only::default() } else { parts.swap_remove(self.random.below(parts.len())) }
    }

    /// Takes turns back, and brings them back.
    fn check(&mut self, verb: Verb, turns: &[i64], only: &Only) {
        let (before, count) = (self.on_disk(), self.done.len());
        match self.request(verb, turns, only) {
            Some(_) if self.done.len() > count => {
                self.redo();
                assert_same(&self.on_disk(), &before, &format!("redo of {verb:?} {turns:?}"));
            }
            Some(_) => {}
            None => self.is_lost = true,
        }
    }

    /// Prunes all but the newest checkpoints. Turns that are left and did not overlap the others are taken back as before.
    fn prune(&mut self) {
        let retention = Retention { turns: 2, ..Retention::default() };
        self.scene.service.prune(&retention, Some(&self.scene.worktree())).expect("pruned");
        let is_known = |number: &i64| {
            let plan = Revert.of(vec![*number]);
            let planned = self.scene.service.plan_turns(&self.scene.worktree(), &plan);
            !matches!(planned, Err(Error::Unbounded { .. } | Error::NoTurn { .. }))
        };
        let left: BTreeSet<i64> = self.begins.keys().copied().filter(is_known).collect();
        let runs_with = |number: i64| self.segments.iter().filter(move |active| active.contains(&number)).flatten();
        let alone: Vec<i64> =
            left.iter().copied().filter(|number| runs_with(*number).all(|other| left.contains(other))).collect();
        let pruned: Vec<i64> = self.begins.keys().copied().filter(|number| !left.contains(number)).collect();
        for number in pruned {
            let before = self.on_disk();
            let (done, _) = self.send(&Revert.of(vec![number]));
            done.expect_err("its checkpoints are pruned");
            assert_same(&self.on_disk(), &before, "a turn without checkpoints");
        }
        for number in alone {
            if self.is_lost {
                return;
            }
            self.check(Revert, &[number], &Only::default());
        }
    }
}

/// The answer to a request.
type Sent = fuzzy_checkpoint_service::Result<(TurnPlan, Option<RestoreOutcome>)>;

fn assert_same(found: &Files, expected: &Files, what: &str) {
    let text = |files: &Files| -> BTreeMap<String, (String, bool)> {
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = |(bytes, mode): &(Vec<u8>, bool)| (String::from_utf8_lossy(bytes).into_owned(), *mode);
        files.iter().map(|(path, entry)| (name(path), text(entry))).collect()
    };
    assert_eq!(text(found), text(expected), "{what}");
    assert_eq!(found, expected, "{what}");
}

fn history(seed: u64) -> (usize, usize) {
    let mut trial = Trial::new(seed);
    for _ in 0..40 {
        trial.step();
        if trial.is_lost {
            return trial.requests;
        }
    }
    while !trial.running.is_empty() {
        trial.end(0);
        trial.change();
    }
    let turns: Vec<i64> = trial.begins.keys().copied().collect();
    let mut wanted: Vec<(Verb, Vec<i64>)> = turns.iter().map(|number| (Revert, vec![*number])).collect();
    if let (Some(first), Some(last)) = (turns.first(), turns.last()) {
        let middle = turns[turns.len() / 2];
        wanted.extend([(Revert, vec![*first, *last]), (Since, vec![middle]), (Restore, vec![middle])]);
    }
    for (verb, turns) in wanted {
        let only = if verb == Revert && turns.len() == 1 && trial.random.below(3) == 0 {
            trial.part(turns[0])
        } else {
            Only::default()
        };
        trial.check(verb, &turns, &only);
        if trial.is_lost {
            return trial.requests;
        }
    }
    while !trial.done.is_empty() && !trial.is_lost {
        let count = trial.done.len();
        trial.redo();
        if trial.done.len() == count {
            break;
        }
    }
    if !trial.is_lost {
        trial.prune();
    }
    trial.requests
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
