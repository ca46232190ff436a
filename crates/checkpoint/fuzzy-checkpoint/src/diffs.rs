//! Compares many pairs of captured states by two git calls.

use crate::diff::{Detail, Diff, DiffOptions, read};
use crate::worktree::Worktree;
use crate::{Oid, Result};

impl Worktree {
    /// Compares pairs of trees, each the earlier and the later one, with renames and line counts, and with patches if
    /// requested. `None` for a pair with a missing tree. Costs two git calls for all pairs together, or one.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub fn diffs(&self, pairs: &[(&Oid, &Oid)], detail: Detail) -> Result<Vec<Option<Diff>>> {
        let options = DiffOptions { paths: Vec::new(), detail, renames: true };
        let input: Vec<u8> = pairs.iter().flat_map(|(from, to)| heading(from, to)).collect();
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let run = |more: &[&str]| self.compare(&options).arg("--stdin").args(more).input(input.clone()).ok();
        let counts: &[&str] = if detail == Detail::Names { &["-z", "--raw"] } else { &["-z", "--raw", "--numstat"] };
        let listed = run(counts)?;
        let patched = if detail == Detail::Patch { run(&["-p"])? } else { Vec::new() };
        let (mut listed, mut patched) = (split(pairs, &listed).into_iter(), split(pairs, &patched).into_iter());
        let both = pairs.iter().map(|_| (listed.next().flatten(), patched.next().flatten()));
        Ok(both
            .map(|(listed, patch)| {
                let mut files = read(listed?)?;
                files.sort_by(|a, b| a.path.cmp(&b.path));
                Some(Diff { files, patch: patch.unwrap_or_default().to_vec() })
            })
            .collect())
    }
}

/// Returns the line with which git begins the answer to a pair.
fn heading(from: &Oid, to: &Oid) -> Vec<u8> {
    format!("{} {}\n", from.as_str(), to.as_str()).into_bytes()
}

/// Returns the answer to each pair. Git leaves pairs with a missing tree out.
fn split<'a>(pairs: &[(&Oid, &Oid)], output: &'a [u8]) -> Vec<Option<&'a [u8]>> {
    let headings: Vec<Vec<u8>> = pairs.iter().map(|(from, to)| heading(from, to)).collect();
    let mut rest = output;
    let mut parts = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        let Some(answer) = rest.strip_prefix(heading.as_slice()) else {
            parts.push(None);
            continue;
        };
        let end = headings[at + 1..].iter().find_map(|next| place(answer, next)).unwrap_or(answer.len());
        let (part, after) = answer.split_at(end);
        parts.push(Some(part));
        rest = after;
    }
    parts
}

/// Returns the place of a heading: at the start, or after the end of a line or an entry.
fn place(text: &[u8], heading: &[u8]) -> Option<usize> {
    let is_start = |at: &usize| at.checked_sub(1).is_none_or(|before| matches!(text[before], b'\n' | 0));
    memchr::memmem::find_iter(text, heading).find(is_start)
}
