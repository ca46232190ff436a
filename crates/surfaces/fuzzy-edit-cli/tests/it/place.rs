//! A repository to run the command in, and output made comparable.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use fuzzy_testkit::snapshot::folded;
use fuzzy_testkit::users_repository;
use serde_json::{Map, Value};

use crate::support::object;

/// A temporary directory with a repository, `repo`, a home and a state directory.
pub(crate) struct Place {
    _owner: tempfile::TempDir,
    pub(crate) dir: PathBuf,
    unchecked: AtomicBool,
}

/// The output of the command.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The arguments of the command line.
    words: Vec<String>,
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        if !thread::panicking() && !self.unchecked.load(Ordering::Relaxed) {
            users_repository::assert_whole(&self.root());
        }
    }
}

impl Place {
    /// Makes a repository with one commit: `a.txt`, `dir/b.txt`, and a rule that ignores `*.ignored`.
    pub(crate) fn new() -> Self {
        Self::within(tempfile::tempdir().unwrap())
    }

    /// Makes it in a given directory.
    pub(crate) fn within(owner: tempfile::TempDir) -> Self {
        let place =
            Self { dir: owner.path().canonicalize().unwrap(), _owner: owner, unchecked: AtomicBool::new(false) };
        for name in ["repo", "home", "state"] {
            fs::create_dir(place.dir.join(name)).unwrap();
        }
        place.git(&["init", "-q", "-b", "main", "."]);
        place.write("a.txt", "alpha\n");
        place.write("dir/b.txt", "beta\r\n");
        place.write(".gitignore", "*.ignored\n");
        place.git(&["add", "-A"]);
        place.git(&["commit", "-q", "-m", "first"]);
        place
    }

    /// Does not check in the end that the repository is whole.
    pub(crate) fn unchecked(&self) {
        self.unchecked.store(true, Ordering::Relaxed);
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.join("repo")
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.root(), arguments)
    }

    pub(crate) fn git_in(&self, dir: &Path, arguments: &[&str]) -> String {
        let mut command = self.clean("git", dir);
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "tester").env(format!("GIT_{who}_EMAIL"), "tester@localhost");
        }
        let output = command.env("GIT_OPTIONAL_LOCKS", "0").args(arguments).output().expect("git runs");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Returns a command with no environment of the tester except the path.
    pub(crate) fn clean(&self, program: impl AsRef<OsStr>, dir: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).current_dir(dir);
        command.env("HOME", self.dir.join("home")).env("XDG_STATE_HOME", self.dir.join("state"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Returns the command `fuzzy-edit checkpoint` in a directory; `undo` and `redo` are verbs of their own.
    pub(crate) fn command(&self, dir: &Path, arguments: &[&str]) -> Command {
        let mut command = self.clean(env!("CARGO_BIN_EXE_fuzzy-edit"), dir);
        let is_own = arguments.first().is_some_and(|verb| ["undo", "redo"].contains(verb));
        command.args((!is_own).then_some("checkpoint")).args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        run(&mut self.command(&self.root(), arguments))
    }

    /// Runs it with `--json`, expects success, and returns the object.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let answer = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(answer.code, 0, "{arguments:?}: {}", answer.err);
        answer.json()
    }

    /// Takes a checkpoint and returns its id.
    pub(crate) fn create(&self) -> String {
        text(&self.json(&["create"]), "id")
    }

    /// Restores without a question and returns the id of the restore.
    pub(crate) fn restore(&self, id: &str) -> String {
        text(&self.json(&["restore", id, "--yes"]), "restore_id")
    }

    /// Returns all files below the root except git's own: kind, executable bit and bytes.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, (bool, Vec<u8>)> {
        let mut files = BTreeMap::new();
        collect(&self.root(), &mut files);
        files
    }

    /// Returns git's report of index, head and branches.
    pub(crate) fn status(&self) -> String {
        self.git(&["status", "--porcelain", "--branch"]) + &self.git(&["show-ref", "--heads", "--head"])
    }

    /// Returns the refs that pin checkpoints.
    pub(crate) fn pins(&self) -> Vec<String> {
        if self.store().is_none() {
            return Vec::new();
        }
        let refs = self.kept_git(&["for-each-ref", "--format=%(refname)", "refs/fuzzy-edit/checkpoints"]);
        refs.lines().map(str::to_owned).collect()
    }

    /// Returns the store of the checkpoints, if there is one.
    pub(crate) fn store(&self) -> Option<PathBuf> {
        let stores = fs::read_dir(self.dir.join("state/fuzzy-edit/store")).ok()?;
        stores.flatten().map(|entry| entry.path()).next()
    }

    /// Moves the commit of a checkpoint out of the store to `away`; returns where it was.
    pub(crate) fn lose(&self, id: &str) -> PathBuf {
        let pin = self.pins().into_iter().find(|name| name.ends_with(id)).expect("pinned");
        let commit = self.kept_git(&["rev-parse", &pin]);
        let (above, name) = commit.trim().split_at(2);
        let object = self.store().expect("a store").join("objects").join(above).join(name);
        fs::rename(&object, self.dir.join("away")).expect("a loose object");
        object
    }

    /// Runs git on the store of the checkpoints, which also reads the objects of the repository.
    pub(crate) fn kept_git(&self, arguments: &[&str]) -> String {
        let mut command = fuzzy_testkit::programs::git(&self.dir);
        command.env("GIT_DIR", self.store().expect("a store"));
        command.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", self.path(".git/objects"));
        fuzzy_testkit::programs::read(command.args(arguments))
    }
}

fn collect(dir: &Path, files: &mut BTreeMap<PathBuf, (bool, Vec<u8>)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let meta = path.symlink_metadata().unwrap();
        if meta.is_symlink() {
            let link = fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes();
            files.insert(path, (false, link));
        } else if meta.is_dir() {
            if !path.ends_with(".git") {
                collect(&path, files);
            }
        } else if meta.is_file() {
            let bytes = fs::read(&path).unwrap();
            files.insert(path, (meta.permissions().mode() & 0o100 != 0, bytes));
        }
    }
}

pub(crate) fn run(command: &mut Command) -> Answer {
    let output = command.output().expect("the command runs");
    let words = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    Answer::of(words, output)
}

impl Answer {
    /// Returns the answer of the command with these arguments.
    pub(crate) fn of(words: Vec<String>, output: Output) -> Self {
        let code = output.status.code().expect("it ended by itself");
        Self {
            words,
            code,
            out: output.stdout,
            err: String::from_utf8(output.stderr).expect("UTF-8 on standard error"),
        }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.out.clone()).expect("UTF-8")
    }

    /// Returns the one JSON object on standard output.
    pub(crate) fn json(&self) -> Value {
        let has_verbs = ["checkpoint", "turns"].contains(&self.words[0].as_str()) && !self.words[1].starts_with('-');
        object(&self.text(), &if has_verbs { self.words[..2].join("-") } else { self.words[0].clone() })
    }

    /// Checks a failure: exit code, the code in text and in JSON, and the presence of a next step.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, word: &str) -> Value {
        assert_eq!(self.code, code, "{} {}", self.text(), self.err);
        assert!(self.err.starts_with(&format!("fuzzy-edit: {word}: ")), "{}", self.err);
        let report = self.json();
        assert_eq!((report["code"].as_str(), report["status"].as_str()), (Some(word), Some("failed")), "{report}");
        assert!(report["next_step"].as_str().is_some_and(|step| step.ends_with('.')), "{report}");
        report
    }
}

pub(crate) fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_else(|| panic!("no text `{key}` in {value}")).to_owned()
}

/// Replaces data that differ from run to run: ids by numbers in order of appearance, times, sizes and directories.
#[derive(Default)]
pub(crate) struct Redactor {
    ids: Vec<String>,
}

impl Redactor {
    /// Returns the object as lines with sorted keys.
    pub(crate) fn json(&mut self, place: &Place, value: &Value) -> String {
        let text = serde_json::to_string_pretty(&sorted(value)).unwrap();
        folded(&self.words(&text.replace(place.dir.to_str().unwrap(), "[dir]")))
    }

    /// Returns printed text with ages replaced and columns joined by one space.
    pub(crate) fn text(&mut self, place: &Place, text: &str) -> String {
        let text = text.replace(place.dir.to_str().unwrap(), "[dir]");
        let mut lines = String::new();
        for line in text.lines() {
            let indent = &line[..line.len() - line.trim_start().len()];
            let words: Vec<&str> = line.split_whitespace().collect();
            let mut kept = Vec::new();
            let mut rest = &words[..];
            while let [word, after @ ..] = rest {
                rest = match after {
                    [unit, "ago" | "ago)", more @ ..]
                        if word.trim_start_matches('(').parse::<u64>().is_ok() && *unit != "now" =>
                    {
                        kept.push("[age]");
                        more
                    }
                    // Sizes depend on the packing of git.
                    [unit, "held" | "still", ..] if word.parse::<f64>().is_ok() && unit.ends_with(['B', 's']) => {
                        kept.push("[size]");
                        &after[1..]
                    }
                    [now, more @ ..] if word.ends_with("just") && now.starts_with("now") => {
                        kept.push("[age]");
                        more
                    }
                    _ => {
                        kept.push(word);
                        after
                    }
                };
            }
            lines.extend([indent, &kept.join(" "), "\n"]);
        }
        self.words(&lines)
    }

    /// Replaces ids, object names and times, all of which are runs of letters and digits.
    fn words(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            if end == 0 {
                out.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let (word, after) = rest.split_at(end);
            out += &self.word(word);
            rest = after;
        }
        out
    }

    fn word(&mut self, word: &str) -> String {
        let hex = word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if word.starts_with("01")
            && (8..=26).contains(&word.len())
            && word.bytes().all(|byte| !byte.is_ascii_lowercase())
        {
            if word.len() < 26 {
                // A prefix may belong to several ids.
                return "[short id]".to_owned();
            }
            let known = self.ids.iter().position(|id| id == word);
            let number = known.unwrap_or_else(|| {
                self.ids.push(word.to_owned());
                self.ids.len() - 1
            });
            format!("[id {}]", number + 1)
        } else if hex && matches!(word.len(), 40 | 64) {
            "[oid]".to_owned()
        } else if hex && word.len() == 16 {
            "[worktree]".to_owned()
        } else if word.len() == 13 && word.bytes().all(|byte| byte.is_ascii_digit()) {
            "[time]".to_owned()
        } else {
            word.to_owned()
        }
    }
}

/// Sorts the keys, and replaces sizes, which depend on the packing of git.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let sizes = |key: &str, value: &Value| {
                if key.ends_with("_bytes") { Value::String("[bytes]".into()) } else { sorted(value) }
            };
            let entries: BTreeMap<&String, Value> = map.iter().map(|(key, value)| (key, sizes(key, value))).collect();
            Value::Object(entries.into_iter().map(|(key, value)| (key.clone(), value)).collect::<Map<_, _>>())
        }
        Value::Array(all) => Value::Array(all.iter().map(sorted).collect()),
        other => other.clone(),
    }
}
