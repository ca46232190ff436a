//! Reads all data of checkpoints, to find damage that a look at the refs does not show.

use std::collections::HashMap;

use crate::objects::{Objects, entries, header};
use crate::{Error, Oid, Result, Worktree, hash};

/// The mode of a submodule's commit, which is in another repository.
const SUBMODULE: &str = "160000";

/// The objects that were read: whether each of them, and all that it needs, is whole.
struct Reader<'w> {
    worktree: &'w Worktree,
    objects: Objects<'w>,
    format: &'w str,
    read: HashMap<Oid, bool>,
}

impl Worktree {
    /// Reads every object of these commits of checkpoints, each once, and compares it with its id. Returns the indexes of
    /// the commits of which an object is missing or damaged. Time: that of reading all their files.
    ///
    /// # Errors
    ///
    /// Fails if git cannot be started, or does not answer.
    pub fn damaged(&self, commits: &[&Oid]) -> Result<Vec<usize>> {
        let mut reader =
            Reader { worktree: self, objects: Objects::of(self), format: self.object_format(), read: HashMap::new() };
        let mut damaged = Vec::new();
        for (index, commit) in commits.iter().enumerate() {
            if !reader.is_whole(commit)? {
                damaged.push(index);
            }
        }
        Ok(damaged)
    }
}

impl Reader<'_> {
    fn is_whole(&mut self, oid: &Oid) -> Result<bool> {
        if let Some(known) = self.read.get(oid) {
            return Ok(*known);
        }
        let object = match self.objects.object(oid) {
            Err(error @ (Error::Timeout { .. } | Error::Io { .. })) => return Err(error),
            // Git ends if it cannot read an object. A new process makes sure that it is not a fault of the moment.
            Err(_) => match Objects::of(self.worktree).object(oid) {
                Err(error @ Error::Unreadable { .. }) => return Err(error),
                object => object.ok().flatten(),
            },
            object => object?,
        };
        let mut is_whole = false;
        if let Some(object) = object {
            let text = [format!("{} {}\0", object.kind, object.content.len()).as_bytes(), &object.content].concat();
            is_whole = hash::object(self.format, &text).as_ref() == Some(oid);
            for needed in needed(&object.kind, &object.content, oid.as_str().len() / 2) {
                is_whole &= self.is_whole(&needed)?;
            }
        }
        self.read.insert(oid.clone(), is_whole);
        Ok(is_whole)
    }
}

/// Returns the objects that an object needs.
fn needed(kind: &str, content: &[u8], length: usize) -> Vec<Oid> {
    match kind {
        "commit" => {
            let text = String::from_utf8_lossy(content);
            // The last parent has the index and the notes; older checkpoints have the user's commit before it.
            header(&text, "tree ").chain(header(&text, "parent ").last()).collect()
        }
        "tree" => {
            let all = entries(content, length).unwrap_or_default().into_values();
            all.filter(|(mode, _)| mode != SUBMODULE).map(|(_, oid)| oid).collect()
        }
        _ => Vec::new(),
    }
}
