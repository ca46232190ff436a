//! Another process saves a file while restores and undos run: no saved text is lost, and nearly all restores succeed.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fuzzy_checkpoint::RepoPath;
use fuzzy_checkpoint_service::{Checkpointer, CreateOptions, Error, FileProgress};
use fuzzy_checkpoint_store::{CheckpointId, Phase, RestoreId, RestoreOptions, RestoreOutcome, SessionId, Trim};
use fuzzy_safe_write::{ASIDE, meanwhile};

use crate::support::Place;

/// The file that the other process saves.
const SAVED: &str = "dir/saved.txt";

/// The number of timed restores and undos; even, so that the files end unchanged.
const TIMED: usize = 4;

/// Saves in a separate process, by rename and in place alternately; does nothing without its variables.
///
/// It logs `need N` if text N was no longer in the file that it saved, and `free N` if it overwrote text N itself.
#[test]
#[ignore = "the process that saves"]
fn saver() {
    let Some(path) = std::env::var_os("SAVER_PATH").map(PathBuf::from) else { return };
    let value = |name: &str| std::env::var(name).expect("set");
    let pause: u64 = value("SAVER_PAUSE").parse().expect("a number");
    let mut log = File::create(value("SAVER_LOG")).expect("made");
    let (stop, beside) = (PathBuf::from(value("SAVER_STOP")), PathBuf::from(value("SAVER_BESIDE")));
    let mut random: u64 = value("SAVER_SEED").parse().expect("a number");
    for number in 1_u64.. {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_micros((random >> 33) % (2 * pause).max(1)));
        let text = format!("saved {number}\n");
        let old = if number % 2 == 0 { save_in_place(&path, &text) } else { save_by_rename(&path, &beside, &text) };
        let old = old.trim().strip_prefix("saved ").and_then(|digits| digits.parse::<u64>().ok());
        if let Some(old) = old {
            writeln!(log, "free {old}").expect("noted");
        }
        if old != Some(number - 1) {
            writeln!(log, "need {}", number - 1).expect("noted");
        }
        if stop.exists() {
            writeln!(log, "need {number}").expect("noted");
            return;
        }
    }
}

/// Returns exactly the overwritten text: it is read from the file into which the new one is written.
fn save_in_place(path: &Path, text: &str) -> String {
    let mut file = loop {
        match OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path) {
            Ok(file) => break file,
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{error}"),
        }
    };
    let mut old = String::new();
    file.read_to_string(&mut old).expect("read");
    file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes())).expect("saved");
    old
}

/// Returns exactly the overwritten text: both texts are exchanged.
fn save_by_rename(path: &Path, beside: &Path, text: &str) -> String {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    fs::write(beside, text).expect("written");
    if renameat_with(CWD, beside, CWD, path, RenameFlags::EXCHANGE).is_ok() {
        return fs::read_to_string(beside).expect("read");
    }
    fs::rename(beside, path).expect("saved");
    String::new()
}

struct Saver {
    child: Child,
    stop: PathBuf,
    log: PathBuf,
}

impl Saver {
    /// Starts a saver that pauses for `pause` microseconds on average.
    fn start(place: &Place, pause: u64) -> Self {
        let (stop, log) = (place.0.join("stop"), place.0.join("saved"));
        let child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--ignored", "--exact", "savers::saver"])
            .env("SAVER_PATH", place.root().join(SAVED))
            .env("SAVER_BESIDE", place.0.join("being-saved"))
            .env("SAVER_PAUSE", pause.to_string())
            .env("SAVER_SEED", "20")
            .env("SAVER_STOP", &stop)
            .env("SAVER_LOG", &log)
            .stdout(Stdio::null())
            .spawn()
            .expect("started");
        while fs::metadata(&log).map_or(0, |meta| meta.len()) == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        Self { child, stop, log }
    }

    /// Ends it; returns the number of saves, and the texts that must still exist.
    fn end(mut self) -> (u64, BTreeSet<String>) {
        fs::write(&self.stop, "").expect("written");
        assert!(self.child.wait().expect("ended").success());
        let log = fs::read_to_string(&self.log).expect("a log");
        let (mut needed, mut freed, mut last) = (BTreeSet::new(), BTreeSet::new(), 0);
        for line in log.lines() {
            let (what, number) = line.split_once(' ').expect("two words");
            if what == "free" { &mut freed } else { &mut needed }.insert(number.to_owned());
            last = last.max(number.parse().expect("a number"));
        }
        needed.remove("0");
        (last, needed.difference(&freed).map(|number| format!("saved {number}\n")).collect())
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        // Otherwise it would save forever after a failure.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Scene {
    place: Place,
    service: Checkpointer,
    session: SessionId,
    target: CheckpointId,
    files: usize,
}

fn name(number: usize) -> String {
    format!("dir/{}/file{number}.txt", number % 7)
}

fn scene(dir: &Path, files: usize) -> Scene {
    let place = Place::new(dir);
    let service = place.service();
    let fill = |text: &str| {
        (1..files).for_each(|number| place.write(&name(number), &format!("{text} {number}\n").repeat(20)));
        place.write(SAVED, text);
    };
    fill("then");
    let session = service.create_session(&place.root(), "t").expect("created");
    let target = service.create(&session, &CreateOptions::default()).expect("taken").checkpoint.id;
    fill("now");
    Scene { place, service, session, target, files }
}

impl Scene {
    /// Checks every file except for the saved one.
    fn check(&self, text: &str, what: &str) {
        for number in 1..self.files {
            let found = fs::read_to_string(self.place.root().join(name(number))).expect("there");
            assert_eq!(found, format!("{text} {number}\n").repeat(20), "{what}: {number}");
        }
    }

    /// Returns all texts of the saved file: on disk, beside it, and in all checkpoints.
    fn texts(&self) -> BTreeSet<String> {
        let mut texts = BTreeSet::new();
        let above = self.place.root().join("dir");
        for entry in fs::read_dir(&above).expect("a directory").flatten() {
            let is_beside = entry.file_name().to_string_lossy().starts_with(ASIDE);
            if is_beside || entry.path() == self.place.root().join(SAVED) {
                texts.insert(fs::read_to_string(entry.path()).expect("read"));
            }
        }
        let pins = self.place.kept_git(&["for-each-ref", "--format=%(objectname)", "refs/fuzzy-edit/checkpoints"]);
        let blobs: BTreeSet<String> = pins
            .lines()
            .collect::<Vec<_>>()
            .chunks(200)
            .flat_map(|pins| {
                let named: Vec<String> = pins.iter().map(|pin| format!("{pin}:{SAVED}")).collect();
                let args: Vec<&str> = ["rev-parse"].into_iter().chain(named.iter().map(String::as_str)).collect();
                self.place.kept_git(&args).lines().map(str::to_owned).collect::<Vec<_>>()
            })
            .collect();
        texts.extend(blobs.iter().map(|blob| self.place.kept_git(&["cat-file", "blob", blob])));
        texts
    }

    /// Restores the target once, or the state before that; returns whether it succeeded at once.
    fn once(&self, round: usize, last: &mut Option<CheckpointId>) -> bool {
        let (text, other) = if last.is_some() { ("now", "then") } else { ("then", "now") };
        let options = RestoreOptions { trim: Trim::None, ..RestoreOptions::default() };
        let done = match &last {
            Some(before) => self.service.restore(&self.session, before, options, None),
            None => self.service.restore(&self.session, &self.target, options, None),
        };
        let id = match &done {
            Ok(done) => RestoreId(done.restore_id.clone()),
            Err(error) => {
                assert_eq!(error.code().as_str(), "changed_during", "{round}: {error}");
                let Some(open) = self.service.store().open_restores().expect("listed").pop() else {
                    self.check(other, &format!("{round}: refused"));
                    return false;
                };
                let (Error::Engine(fuzzy_checkpoint::Error::ChangedDuring { paths })
                | Error::ChangedDuring { paths, .. }) = error
                else {
                    panic!("{error}")
                };
                assert_eq!(paths, &[RepoPath::from(SAVED)], "{round}");
                if round.is_multiple_of(3) {
                    self.service.abort(&open.id).expect("aborted");
                    self.check(other, &format!("{round}: aborted"));
                    return false;
                }
                let recovered = self.service.recover().expect("recovered");
                assert!(recovered.iter().all(|one| one.error.is_none()), "{round}: {recovered:?}");
                let row = self.service.store().restore(&open.id).expect("read").expect("there");
                let mut kept = row.result.kept;
                // A file beside the kept one may hold an older text.
                kept.retain(|path| !path.to_string().contains(ASIDE));
                assert_eq!((row.phase, &kept), (Phase::Done, paths), "{round}");
                open.id
            }
        };
        self.check(text, &format!("{round}: done"));
        let safety = self.service.store().restore(&id).expect("read").expect("there").safety_id;
        *last = if last.is_some() { None } else { safety };
        done.is_ok()
    }

    /// Restores and undoes without a saver; returns the average time in microseconds.
    fn time(&self) -> u64 {
        let (mut last, start) = (None, Instant::now());
        (0..TIMED).for_each(|round| assert!(self.once(round, &mut last)));
        u64::try_from(start.elapsed().as_micros()).expect("not that long") / TIMED as u64
    }

    /// Restores and undoes `rounds` times beside a saver; returns the number of immediate successes and the number of
    /// saves.
    fn campaign(&self, rounds: usize, pause: u64) -> (usize, u64) {
        let saver = Saver::start(&self.place, pause);
        let mut last = None;
        let good = (0..rounds).filter(|round| self.once(*round, &mut last)).count();
        let (count, needed) = saver.end();
        let texts = self.texts();
        let missing: Vec<&String> = needed.iter().filter(|text| !texts.contains(*text)).collect();
        assert!(missing.is_empty(), "lost of {count}: {missing:?}");
        println!(
            "{} files, a save every {pause} us: {good} of {rounds} succeeded, {count} saves, {} checked, 0 lost",
            self.files,
            needed.len()
        );
        (good, count)
    }
}

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// Restores beside a saver that saves on average once during a restore, and beside one that never pauses: 10 or
/// `FUZZY_CHECKPOINT_RESTORES` times, with 20 or `FUZZY_CHECKPOINT_SAVED_FILES` files.
#[test]
fn no_saved_text_is_lost() {
    let (rounds, files) = (number("FUZZY_CHECKPOINT_RESTORES", 10), number("FUZZY_CHECKPOINT_SAVED_FILES", 20));
    let dir = tempfile::tempdir().expect("a directory");
    let alone = scene(dir.path(), files);
    let pause = alone.time();
    let (good, _) = alone.campaign(rounds, pause);
    // The number of collisions depends on the machine; over many rounds it has to be small.
    assert!(rounds < 500 || good * 10 >= rounds * 9, "{good} of {rounds} succeeded");
    let dir = tempfile::tempdir().expect("a directory");
    scene(dir.path(), files).campaign(rounds, 0);
}

/// Restores while the file is saved once, just after the others were written; returns the restore's result.
fn saved_meanwhile(scene: &Scene, options: RestoreOptions) -> Result<RestoreOutcome, Error> {
    let (root, text) = (scene.place.root(), "saved meanwhile\n");
    let mut is_saved = false;
    meanwhile(Some(Box::new(move |_| {
        if !is_saved && fs::read_to_string(root.join(name(1))).is_ok_and(|text| text.starts_with("then")) {
            fs::write(root.join(SAVED), text).expect("saved");
            is_saved = true;
        }
    })));
    let done = scene.service.restore(&scene.session, &scene.target, options, Some("k"));
    meanwhile(None);
    done
}

fn saved(scene: &Scene) -> String {
    fs::read_to_string(scene.place.root().join(SAVED)).expect("there")
}

#[test]
fn a_file_saved_during_a_restore_is_named_and_kept() {
    for aborts in [true, false] {
        let dir = tempfile::tempdir().expect("a directory");
        let scene = scene(dir.path(), 9);
        let error = saved_meanwhile(&scene, RestoreOptions::default()).expect_err("it changed");
        let failure = error.failure(fuzzy_report::Surface::Command);
        assert_eq!((failure.code.as_str(), failure.details.paths), ("changed_during", vec![RepoPath::from(SAVED)]));
        assert_eq!(saved(&scene), "saved meanwhile\n");
        let open = scene.service.store().open_restores().expect("listed").pop().expect("it is open").id;
        assert_eq!(failure.details.restore_id.as_ref(), Some(&open), "it names the restore that is to be finished");
        if aborts {
            scene.service.abort(&open).expect("aborted");
            scene.check("now", "aborted");
        } else {
            scene.service.recover().expect("recovered");
            scene.check("then", "recovered");
            let done = scene.service.store().restore(&open).expect("read").expect("there").result;
            assert_eq!(done.kept, [RepoPath::from(SAVED)]);
        }
        assert_eq!(saved(&scene), "saved meanwhile\n");
    }
}

#[test]
fn force_overwrites_a_file_saved_during_a_restore() {
    let dir = tempfile::tempdir().expect("a directory");
    let scene = scene(dir.path(), 9);
    let options = RestoreOptions { force: true, ..RestoreOptions::default() };
    let done = saved_meanwhile(&scene, options).expect("restored");
    scene.check("then", "restored");
    assert_eq!((saved(&scene).as_str(), done.kept.len()), ("then", 0));
    assert!(scene.texts().contains("saved meanwhile\n"), "it is in a checkpoint");
}

#[test]
fn the_progress_of_a_restores_files_is_reported() {
    let dir = tempfile::tempdir().expect("a directory");
    let Scene { place, service, session, target, .. } = scene(dir.path(), 9);
    place.write("new", "to be deleted\n");
    let (service, progress) = (Arc::new(service), Rc::new(RefCell::new(Vec::new())));
    let (watched, seen) = (Arc::clone(&service), Rc::clone(&progress));
    meanwhile(Some(Box::new(move |_| {
        let open = watched.store().open_restores().expect("listed").pop().expect("it is open").id;
        let FileProgress { written, to_write, placed, to_place } = watched.file_progress(&open).expect("it is counted");
        assert_eq!((to_write, to_place), (9, 10));
        seen.borrow_mut().push((written, placed));
    })));
    let done = service.restore(&session, &target, RestoreOptions::default(), None).expect("restored");
    meanwhile(None);
    let progress = progress.take();
    assert!(
        progress.is_sorted() && progress.contains(&(1, 0)) && progress.contains(&(9, 0)) && progress.contains(&(9, 9)),
        "{progress:?}"
    );
    assert_eq!(service.file_progress(&done.restore_id.as_str().into()), None, "it is over");
}
