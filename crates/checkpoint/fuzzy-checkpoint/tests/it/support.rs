//! A test repository, and a view of everything that a user can see of it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use fuzzy_checkpoint::{CaptureOptions, Engine, Error, IndexOutcome, Limits, Plan, Snapshot, Worktree};
use fuzzy_testkit::{programs, users_repository};
use tempfile::TempDir;

/// The cap on file sizes in these tests, in bytes.
pub(crate) const CAP: u64 = 4096;

pub(crate) struct Lab {
    dir: TempDir,
    pub(crate) root: PathBuf,
    /// Whether checkpoints are stored in a sidecar.
    sidecar: bool,
    /// Whether the repository need not be whole in the end.
    unchecked: AtomicBool,
}

impl Drop for Lab {
    fn drop(&mut self) {
        if !thread::panicking() && !self.sidecar && !self.unchecked.load(Ordering::Relaxed) {
            users_repository::assert_whole(&self.root);
        }
    }
}

/// The files on disk, by path: type and executable bit, and content.
pub(crate) type Files = BTreeMap<Vec<u8>, (char, Vec<u8>)>;

/// Everything that a user can see and that a capture must not change.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) files: Files,
    pub(crate) times: BTreeMap<Vec<u8>, (i64, i64)>,
    pub(crate) status: String,
    pub(crate) head: String,
    pub(crate) refs: String,
    pub(crate) staged: String,
    /// Every file of the git directory.
    pub(crate) git_dir: Files,
}

impl Lab {
    /// Creates an empty directory without a repository.
    pub(crate) fn empty() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let root = dir.path().canonicalize().expect("a real path").join("repo");
        fs::create_dir(&root).expect("created");
        Self { dir, root, sidecar: false, unchecked: AtomicBool::new(false) }
    }

    /// Creates a directory with the same files but without a repository.
    pub(crate) fn folder() -> Self {
        let lab = Self::empty().with_sidecar(true);
        lab.fill();
        lab
    }

    /// Creates a read-only repository, which only root can write.
    pub(crate) fn read_only() -> Self {
        let lab = Self::new().with_sidecar(true);
        lab.shut();
        lab
    }

    pub(crate) fn with_sidecar(mut self, sidecar: bool) -> Self {
        self.sidecar = sidecar;
        self
    }

    /// Makes all files of the git directory read-only.
    pub(crate) fn shut(&self) {
        programs::read(std::process::Command::new("chmod").args(["-R", "a-w", ".git"]).current_dir(&self.root));
    }

    /// Runs git on the repository with the checkpoints.
    pub(crate) fn kept_git(&self, args: &[&str]) -> String {
        programs::read(&mut self.kept(args))
    }

    /// Runs git on the repository with the checkpoints, with any exit status.
    pub(crate) fn try_kept_git(&self, args: &[&str]) -> String {
        let output = self.kept(args).output().expect("git runs");
        format!("{:?}\n{}", output.status.code(), String::from_utf8_lossy(&output.stdout))
    }

    fn kept(&self, args: &[&str]) -> Command {
        let mut command = Self::command(&self.root, args);
        let worktree = self.open();
        command.env("GIT_DIR", worktree.store()).env("GIT_WORK_TREE", &self.root);
        if !worktree.is_sidecar() && !worktree.is_abandoned() {
            let lends = self.git(&["rev-parse", "--path-format=absolute", "--git-path", "objects"]);
            command.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", lends.trim_end());
        }
        command
    }

    /// Returns the permissions of a regular file.
    pub(crate) fn mode(&self, path: impl AsRef<[u8]>) -> Option<u32> {
        let meta = fs::symlink_metadata(self.path(path)).ok().filter(std::fs::Metadata::is_file)?;
        Some(meta.permissions().mode() & 0o7777)
    }

    /// Creates a repository without a commit.
    pub(crate) fn unborn() -> Self {
        let lab = Self::empty();
        lab.git(&["init", "-q", "-b", "main", "."]);
        lab
    }

    /// Creates a repository with a few committed files and an ignored one.
    pub(crate) fn new() -> Self {
        let lab = Self::unborn();
        lab.fill();
        lab.commit("first");
        lab
    }

    pub(crate) fn fill(&self) {
        self.write(".gitignore", "*.ignored\nbuild/\n");
        self.write("a.txt", "alpha\n");
        self.write("dir/b.txt", "beta\r\nbeta\n");
        self.write("dir/deep/c.bin", b"\0\x01\xff\r\n");
        self.write("gone.txt", "to be deleted\n");
        self.write("x.ignored", "ignored\n");
        self.write("build/out.o", "object\n");
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().expect("a real path").join(name)
    }

    pub(crate) fn command(dir: &Path, args: &[&str]) -> Command {
        let mut command = programs::git(dir);
        command.args(["-c", "protocol.file.allow=always"]).args(args);
        command
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        Self::git_in(&self.root, args)
    }

    pub(crate) fn git_in(dir: &Path, args: &[&str]) -> String {
        programs::read(&mut Self::command(dir, args))
    }

    /// Runs git, with any exit status.
    pub(crate) fn try_git(&self, args: &[&str]) -> String {
        let output = Self::command(&self.root, args).output().expect("git runs");
        format!("{:?}\n{}", output.status.code(), String::from_utf8_lossy(&output.stdout))
    }

    pub(crate) fn path(&self, path: impl AsRef<[u8]>) -> PathBuf {
        self.root.join(std::ffi::OsStr::from_bytes(path.as_ref()))
    }

    pub(crate) fn write(&self, path: impl AsRef<[u8]>, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("created");
        fs::write(path, content).expect("written");
    }

    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        fs::symlink_metadata(self.path(path)).is_ok()
    }

    pub(crate) fn remove(&self, path: &str) {
        let path = self.path(path);
        if fs::symlink_metadata(&path).expect("is there").is_dir() {
            fs::remove_dir_all(path).expect("removed");
        } else {
            fs::remove_file(path).expect("removed");
        }
    }

    pub(crate) fn executable(&self, path: &str, yes: bool) {
        let mode = if yes { 0o755 } else { 0o644 };
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(mode)).expect("set");
    }

    pub(crate) fn engine(&self) -> Engine {
        let limits = Limits { max_file_bytes: CAP, min_free_bytes: 1, ..Limits::default() };
        Engine::new(self.outside("state")).with_limits(limits).with_sidecar(self.sidecar)
    }

    pub(crate) fn open(&self) -> Worktree {
        self.engine().open(&self.root).expect("a worktree")
    }

    pub(crate) fn capture(&self) -> Snapshot {
        self.try_capture().expect("captured")
    }

    pub(crate) fn try_capture(&self) -> Result<Snapshot, Error> {
        let worktree = self.open();
        let locked = worktree.lock().expect("locked");
        locked.capture(&CaptureOptions::default())
    }

    /// Captures, and asserts that nothing visible to the user changed.
    pub(crate) fn capture_unseen(&self) -> Snapshot {
        let before = self.view();
        let snapshot = self.capture();
        let worktree = self.open();
        let locked = worktree.lock().expect("locked");
        locked.pin(&format!("P{}", worktree.pins().expect("pins").len()), &snapshot.commit).expect("pinned");
        assert_eq!(before, self.view(), "a capture is not to be seen");
        snapshot
    }

    /// Asserts that the tree of the newest capture equals the tree that git writes from its index.
    pub(crate) fn assert_gits_tree(&self, newest: &Snapshot) {
        let copy = self.outside("copied.index");
        fs::copy(self.outside("state/wt").join(self.open().id()).join("warm.index"), &copy).expect("copied");
        let tree = programs::read(self.kept(&["write-tree"]).env("GIT_INDEX_FILE", &copy));
        assert_eq!(tree.trim_end(), newest.tree.as_str(), "the tree of the index");
    }

    /// Restores files and index; returns the safety capture, the plan, and the outcome for the index.
    pub(crate) fn restore(&self, to: &Snapshot) -> (Snapshot, Plan, IndexOutcome) {
        let worktree = self.open();
        let locked = worktree.lock().expect("locked");
        let safety = locked.capture(&CaptureOptions::before(to)).expect("a safety capture");
        let plan = locked.plan(&safety, to, &[]).expect("a plan");
        locked.apply(&safety, to, &plan).unwrap_or_else(|error| panic!("{error}\n{plan:#?}"));
        let index = locked.restore_index(&safety, to).expect("an index outcome");
        (safety, plan, index)
    }

    pub(crate) fn plan(&self, to: &Snapshot) -> Plan {
        let worktree = self.open();
        let locked = worktree.lock().expect("locked");
        let safety = locked.capture(&CaptureOptions::before(to)).expect("a safety capture");
        locked.plan(&safety, to, &[]).expect("a plan")
    }

    pub(crate) fn files(&self) -> Files {
        let mut files = Files::new();
        collect(&self.root, &self.root, &mut files, &|path| path.file_name().is_some_and(|name| name == ".git"));
        files
    }

    pub(crate) fn view(&self) -> View {
        let files = self.files();
        let time = |path: &Vec<u8>| {
            let meta = fs::symlink_metadata(self.path(path)).expect("is there");
            (path.clone(), (meta.mtime(), meta.mtime_nsec()))
        };
        let mut git_files = Files::new();
        let times = files.keys().map(time).collect();
        if self.sidecar {
            // No file may change there.
            if self.exists(".git") {
                collect(&self.path(".git"), &self.path(".git"), &mut git_files, &|_| false);
            }
            return View { files, times, git_dir: git_files, ..View::default() };
        }
        let git_dir = PathBuf::from(self.git(&["rev-parse", "--path-format=absolute", "--git-common-dir"]).trim_end());
        collect(&git_dir, &git_dir, &mut git_files, &|_| false);
        View {
            times,
            files,
            status: self.status(),
            head: self.try_git(&["rev-parse", "HEAD"]) + &self.try_git(&["symbolic-ref", "HEAD"]),
            refs: self.git(&["for-each-ref"]),
            staged: self.git(&["ls-files", "-s", "-v"]),
            git_dir: git_files,
        }
    }

    /// Does not check in the end that the repository is whole.
    pub(crate) fn unchecked(&self) {
        self.unchecked.store(true, Ordering::Relaxed);
    }

    pub(crate) fn status(&self) -> String {
        self.try_git(&["status", "--porcelain=v2", "--branch", "-uall", "--ignored"])
    }
}

fn collect(root: &Path, dir: &Path, files: &mut Files, skip: &dyn Fn(&Path) -> bool) {
    for entry in fs::read_dir(dir).expect("a directory").flatten() {
        let path = entry.path();
        if skip(&path) {
            continue;
        }
        let meta = fs::symlink_metadata(&path).expect("is there");
        let name = path.strip_prefix(root).expect("below").as_os_str().as_bytes().to_vec();
        if meta.is_dir() {
            collect(root, &path, files, skip);
        } else if meta.is_symlink() {
            files.insert(name, ('l', fs::read_link(&path).expect("a link").as_os_str().as_bytes().to_vec()));
        } else if meta.is_file() {
            let kind = if meta.permissions().mode() & 0o100 == 0 { 'f' } else { 'x' };
            files.insert(name, (kind, fs::read(&path).expect("readable")));
        } else {
            files.insert(name, ('s', Vec::new()));
        }
    }
}

/// Compares two states of the files and lists the differences.
pub(crate) fn assert_same(before: &Files, after: &Files, what: &str) {
    let names = before.keys().chain(after.keys());
    let differing: std::collections::BTreeSet<String> = names
        .filter(|name| before.get(*name) != after.get(*name))
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect();
    assert!(differing.is_empty(), "{what}: {differing:?} differ");
}
