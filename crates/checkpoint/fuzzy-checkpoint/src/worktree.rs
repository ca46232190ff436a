//! The user's worktree, and its git calls.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fuzzy_safe_write::ASIDE;
use fuzzy_system as sys;

use crate::fs_capabilities::Abilities;
use crate::git::{Call, Git};
use crate::pipes::Reads;
use crate::{Error, Oid, RepoPath, Result, hash};

/// The limits of size and time of a capture.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The largest captured file, in bytes.
    pub max_file_bytes: u64,
    /// The largest number of paths in a worktree.
    pub max_paths: usize,
    /// The free space, in bytes, below which nothing is captured.
    pub min_free_bytes: u64,
    /// The longest time to wait for another capture or restore of the worktree.
    pub lock_wait: Duration,
    /// The longest time of one git call.
    pub timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_file_bytes: 10 << 20,
            max_paths: 1_000_000,
            min_free_bytes: 256 << 20,
            lock_wait: Duration::from_mins(1),
            timeout: Duration::from_mins(1),
        }
    }
}

/// A worktree of the user, with its private git directory.
#[derive(Debug, Clone)]
pub struct Worktree {
    pub(crate) id: String,
    pub(crate) private: PathBuf,
    pub(crate) git: Git,
    pub(crate) limits: Limits,
    pub(crate) exclude: Vec<String>,
    pub(crate) excludes_file: Option<PathBuf>,
    pub(crate) config: String,
    pub(crate) abilities: Abilities,
    pub(crate) found: Found,
}

/// The free space, in bytes, below which a disk counts as full: file systems reserve a few blocks.
const FULL: u64 = 1 << 16;

/// The paths and properties of a worktree, from git or from its sidecar.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) root: PathBuf,
    pub(crate) git_dir: PathBuf,
    pub(crate) common_dir: PathBuf,
    /// Our repository with the checkpoints.
    pub(crate) store: PathBuf,
    /// The id of that repository when the worktree was opened; `None` if it did not exist.
    pub(crate) store_id: Option<String>,
    /// The user's object store, of which the store borrows.
    pub(crate) lends: Option<PathBuf>,
    pub(crate) index: PathBuf,
    pub(crate) format: String,
    /// The directory to which the git directory belongs, according to itself.
    pub(crate) home: PathBuf,
    /// The git directory of the index.
    pub(crate) staging: PathBuf,
    /// The directory with the repository's own ignore rules, in `info/exclude`.
    pub(crate) rules: PathBuf,
    /// Whether the git directory is ours: there is no repository, or it is not used.
    pub(crate) sidecar: bool,
    /// The id of a known worktree.
    pub(crate) id: Option<String>,
}

/// Turns off all settings of a repository that start programs.
pub(crate) const QUIET: [&str; 4] =
    ["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false", "core.logAllRefUpdates=false"];

impl Worktree {
    /// Returns the id of the worktree: 16 hexadecimal digits, which it keeps when it is moved.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the root of the files.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.found.root
    }

    /// Returns the directory to which the git directory belongs, according to itself. It is the root, unless a file
    /// `.git` refers to the git directory of another worktree.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.found.home
    }

    /// Returns the user's git directory of this worktree.
    #[must_use]
    pub fn git_dir(&self) -> &Path {
        &self.found.git_dir
    }

    /// Returns the git directory that all worktrees of the repository share.
    #[must_use]
    pub fn common_dir(&self) -> &Path {
        &self.found.common_dir
    }

    /// Returns whether the checkpoints are stored in a sidecar, which has to be requested.
    #[must_use]
    pub const fn is_sidecar(&self) -> bool {
        self.found.sidecar && self.found.id.is_none()
    }

    /// Returns whether the repository of the worktree is gone.
    #[must_use]
    pub const fn is_abandoned(&self) -> bool {
        self.found.sidecar && self.found.id.is_some()
    }

    /// Returns `sha1` or `sha256`.
    #[must_use]
    pub fn object_format(&self) -> &str {
        &self.found.format
    }

    /// Returns whether a file on disk is too large for captures.
    #[must_use]
    pub fn is_too_large(&self, path: &RepoPath) -> bool {
        self.file(path).is_some_and(|meta| meta.is_file() && meta.len() > self.limits.max_file_bytes)
    }

    /// Returns whether a file on disk is this blob with this mode.
    pub(crate) fn holds(&self, path: &RepoPath, mode: &str, oid: &Oid) -> bool {
        let disk = sys::on_disk(&self.found.root, path.as_bytes());
        let Some(meta) = self.file(path) else { return false };
        let link = mode == "120000" && self.abilities.links;
        let executable = mode == "100755";
        let fits = meta.is_symlink() == link
            && (link || meta.is_file())
            && (link || !self.abilities.modes || executable == (sys::mode(&meta) & 0o100 != 0));
        fits && hash::blob(&self.found.format, &disk, link).is_ok_and(|named| named.as_ref() == Some(oid))
    }

    /// Returns the metadata of a path; follows no symlinks.
    fn file(&self, path: &RepoPath) -> Option<fs::Metadata> {
        let look = |path: &RepoPath| fs::symlink_metadata(sys::on_disk(&self.found.root, path.as_bytes()));
        let mut above = path.ancestors().map(|dir| look(&dir));
        let is_real = above.all(|meta| meta.is_ok_and(|meta| meta.is_dir()));
        if is_real { look(path).ok() } else { None }
    }

    /// Returns the temporary files that a restore left beside others, except in nested repositories.
    #[must_use]
    pub fn left_beside(&self) -> Vec<RepoPath> {
        let (mut found, mut dirs) = (Vec::new(), vec![Vec::new()]);
        while let Some(dir) = dirs.pop() {
            let disk = sys::on_disk(&self.found.root, &dir);
            for entry in fs::read_dir(disk).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let bytes = sys::bytes_of(&name);
                let path = if dir.is_empty() { bytes.to_vec() } else { [&dir, &b"/"[..], bytes].concat() };
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    if name != ".git" && fs::symlink_metadata(entry.path().join(".git")).is_err() {
                        dirs.push(path);
                    }
                } else if bytes.starts_with(ASIDE.as_bytes()) {
                    found.push(RepoPath::new(path));
                }
            }
        }
        found.sort();
        found
    }

    /// Returns the first of our target directories with less than `bytes` of free space.
    pub(crate) fn scarce(&self, bytes: u64) -> Result<Option<PathBuf>> {
        for dir in [&self.store_objects(), &self.private, &self.found.root] {
            if sys::free_space(dir).map_err(Error::io(dir))? < bytes {
                return Ok(Some(dir.clone()));
            }
        }
        Ok(None)
    }

    /// Replaces the error by `DiskFull` if git failed because the disk is full, which git does not always report.
    pub(crate) fn unless_full(&self, error: Error) -> Error {
        match (&error, self.scarce(FULL)) {
            (Error::Git { .. }, Ok(Some(path))) => Error::DiskFull { path },
            _ => error,
        }
    }

    /// Returns whether the repository ignores a directory below the root, so that captures have no file of it.
    ///
    /// Cost: a git process, except for the root.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn ignores(&self, dir: &Path) -> Result<bool> {
        ignored(self.user("check-ignore"), self.root(), dir)
    }

    /// Starts a call on the user's git directory. It must never refresh an index or compare contents, because that
    /// would start the filters of the repository.
    pub(crate) fn user(&self, verb: &str) -> Call {
        let call = self.scrubbed(verb, &QUIET).env("GIT_DIR", &self.found.git_dir);
        call.beware_of_pipes(Reads::Repository(self.found.root.clone()))
    }

    /// Starts a call on the private git directory and `index`, which reads the objects of the store and borrowed ones.
    pub(crate) fn own(&self, verb: &str, index: &Path) -> Call {
        self.borrowing(self.writing(verb, index))
    }

    /// Does the same for a call that writes objects. It borrows none, so that git writes each object to the store.
    pub(crate) fn writing(&self, verb: &str, index: &Path) -> Call {
        let own = self.private.join("git");
        self.scrubbed(verb, &[])
            .env("GIT_DIR", own)
            .env("GIT_OBJECT_DIRECTORY", self.store_objects())
            .env("GIT_INDEX_FILE", index)
    }

    pub(crate) fn scrubbed(&self, verb: &str, options: &[&str]) -> Call {
        scrubbed(&self.git, &self.found.root, verb, options)
    }

    /// Returns the private configuration, which uses nothing from the repository's.
    pub(crate) fn private_config(&self) -> String {
        let mut core = vec![String::from("[core]")];
        let Abilities { modes, links, ignores_case, decomposes } = self.abilities;
        let probed =
            [("filemode", modes), ("symlinks", links), ("ignorecase", ignores_case), ("precomposeunicode", decomposes)];
        core.extend(probed.map(|(key, value)| format!("{key} = {value}")));
        for fixed in [
            "bare",
            "autocrlf",
            "fsmonitor",
            "untrackedCache",
            "safecrlf",
            "sparseCheckout",
            "splitIndex",
            "logAllRefUpdates",
        ] {
            core.push(format!("{fixed} = false"));
        }
        let sha1 = self.found.format == "sha1";
        core.push(format!("repositoryformatversion = {}", u8::from(!sha1)));
        // Names that these settings would refuse are detected before git sees them.
        core.extend(
            ["hooksPath = /dev/null", "attributesFile = /dev/null", "protectNTFS = false", "protectHFS = false"]
                .map(String::from),
        );
        // Git flushes each batch of objects by one call, and our own flush completes it.
        core.extend(["fsync = loose-object,pack,reference", "fsyncMethod = batch"].map(String::from));
        core.extend(
            ["[index]", "sparse = false", "skipHash = true", "[gc]", "auto = 0", "[maintenance]", "auto = false"]
                .map(String::from),
        );
        core.extend(["[submodule]", "recurse = false"].map(String::from));
        if !sha1 {
            core.push(format!("[extensions]\nobjectFormat = {}", self.found.format));
        }
        core.join("\n") + "\n"
    }

    /// Finds `core.excludesFile` in the user's and the system's configuration, never in the repository's.
    pub(crate) fn users_excludes_file(&self) -> Result<Option<PathBuf>> {
        for scope in ["--global", "--system"] {
            let call = self.git.call(Path::new("/"), &[], "config").beware_of_pipes(Reads::Configuration);
            let answer = call.args([scope, "--includes", "--type=path", "-z", "--get", "core.excludesFile"]).run()?;
            if answer.code == 0 {
                let text = String::from_utf8_lossy(&answer.stdout).trim_end_matches('\0').to_owned();
                return Ok(Some(PathBuf::from(text)).filter(|path| path.is_absolute()));
            }
        }
        Ok(usual_excludes_file())
    }
}

/// Starts a call for the files below `root` that reads neither the user's settings nor the system's.
pub(crate) fn scrubbed(git: &Git, root: &Path, verb: &str, options: &[&str]) -> Call {
    let mut call = git.call(root, options, verb).env("GIT_WORK_TREE", root);
    for name in ["GIT_CONFIG_NOSYSTEM", "GIT_ATTR_NOSYSTEM"] {
        call = call.env(name, "1");
    }
    for who in ["AUTHOR", "COMMITTER"] {
        // With a fixed name and date, equal checkpoints have equal ids.
        call =
            call.env(&format!("GIT_{who}_NAME"), "fuzzy-edit").env(&format!("GIT_{who}_EMAIL"), "checkpoint@localhost");
        call = call.env(&format!("GIT_{who}_DATE"), "@0 +0000");
    }
    call.env("GIT_CONFIG_GLOBAL", "/dev/null")
}

/// Completes a call of `check-ignore` on the worktree with this root; returns whether `dir` is ignored.
pub(crate) fn ignored(call: Call, root: &Path, dir: &Path) -> Result<bool> {
    if dir == root {
        return Ok(false);
    }
    // This verb fails with literal paths; an absolute one has no magic.
    let answer = call.env("GIT_LITERAL_PATHSPECS", "0").args(["--quiet", "--"]).arg(dir).run()?;
    match answer.code {
        0 => Ok(true),
        1 => Ok(false),
        _ => Err(answer.failed("check-ignore")),
    }
}

/// Returns git's default for `core.excludesFile`.
pub(crate) fn usual_excludes_file() -> Option<PathBuf> {
    let config = std::env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let config = config.or_else(|| sys::home().map(|home| home.join(".config")));
    config.map(|dir| dir.join("git/ignore")).filter(|path| path.is_absolute())
}
