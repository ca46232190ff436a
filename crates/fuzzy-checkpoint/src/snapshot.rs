//! What a capture yields, and what is stored with it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::private::Locked;
use crate::warm::Warm;
use crate::{Error, Oid, RepoPath, Result, Uncovered};

/// Is one captured state of a worktree, its index and its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The commit that keeps everything below alive.
    pub commit: Oid,
    /// The files.
    pub tree: Oid,
    /// The user's index, where it can be given back.
    pub index_tree: Option<Oid>,
    /// The commit the user was on; `None` on an unborn branch.
    pub head: Option<Oid>,
    /// The branch the user was on; `None` when detached.
    pub head_ref: Option<String>,
    /// What lay in the worktree and was not captured, ignored files apart.
    pub uncovered: Vec<Uncovered>,
    /// Newly captured files that look like secrets and that the user did not stage.
    pub secrets: Vec<RepoPath>,
    pub(crate) meta: Arc<Meta>,
}

/// Is stored beside the files: what a later restore needs to know about this moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Meta {
    /// The ignore rules outside `.gitignore` files.
    pub(crate) exclude: Vec<u8>,
    /// What was on disk and ignored; a directory ends with `/` and stands for all below it.
    pub(crate) ignored: Vec<RepoPath>,
    /// `.gitignore` files that are themselves ignored, so not among the files.
    pub(crate) rules: Vec<(RepoPath, Vec<u8>)>,
    /// Paths in the index but outside the sparse checkout, sorted.
    pub(crate) sparse: Vec<RepoPath>,
    pub(crate) uncovered: Vec<Uncovered>,
    /// Paths that the rules ignore but that were covered before, or are in the user's index, and were not on disk: their
    /// absence is proved whatever the rules say.
    pub(crate) absent: Vec<RepoPath>,
}

impl Locked<'_> {
    /// Reads a checkpoint back from its commit.
    ///
    /// # Errors
    ///
    /// Returns `lost` when the commit or what it names is gone.
    pub fn load(&self, commit: &Oid, head: Option<Oid>, head_ref: Option<String>) -> Result<Snapshot> {
        let lost = || Error::Lost { what: commit.to_string() };
        let scratch = self.scratch()?;
        let index = scratch.path("index");
        let body = self.worktree.own("cat-file", &index).args(["commit", commit.as_str()]).hold(&self.lock)?.run()?;
        let text = String::from_utf8_lossy(&body.stdout).into_owned();
        let field = |line: &str, name: &str| line.strip_prefix(name).and_then(|oid| Oid::new(oid.trim()).ok());
        let tree = text.lines().find_map(|line| field(line, "tree ")).filter(|_| body.code == 0).ok_or_else(lost)?;
        let aux = text.lines().take_while(|line| !line.is_empty()).filter_map(|line| field(line, "parent ")).last();
        let aux = aux.ok_or_else(lost)?;
        let notes = format!("{aux}:meta.json");
        let notes = self.worktree.own("cat-file", &index).args(["blob", &notes]).hold(&self.lock)?.run()?;
        let meta: Meta = serde_json::from_slice(&notes.stdout).map_err(|_| lost())?;
        let entry = format!("{aux}:index");
        let call = self.worktree.own("rev-parse", &index).args(["--verify", "-q", &entry]).hold(&self.lock)?;
        let index_tree = Oid::from_line(&call.run()?.stdout);
        let named: Vec<&Oid> = [Some(&tree), index_tree.as_ref()].into_iter().flatten().collect();
        let known = self.known(self.worktree.now()?.pinned.as_ref());
        if !self.all_exist(&index, &named, &known.as_ref().map(Warm::held).unwrap_or_default())? {
            return Err(lost());
        }
        Ok(Snapshot {
            commit: commit.clone(),
            tree,
            index_tree,
            head,
            head_ref,
            uncovered: meta.uncovered.clone(),
            secrets: Vec::new(),
            meta: Arc::new(meta),
        })
    }
}
