//! Builds a state in which single hunks of a difference are reverted.

use crate::diff::{Detail, DiffOptions};
use crate::objects::{Entry, header};
use crate::private::Locked;
use crate::snapshot::Snapshot;
use crate::{Error, Oid, RepoPath, Result};

impl Snapshot {
    /// Returns a state with these files, except for the files in `picked`: these are the files of the tree `from`
    /// with the given hunks of their difference to these files applied. Hunks are numbered from 0. The commit is not pinned
    /// yet.
    ///
    /// # Errors
    ///
    /// Returns `missing` for a path that is not a regular file in both states or has no such hunk; fails if git fails,
    /// and if objects of a state are gone.
    pub fn with_hunks(&self, locked: &Locked<'_>, from: &Oid, picked: &[(RepoPath, Vec<usize>)]) -> Result<Self> {
        let objects = &locked.objects;
        let changes = objects.differences(from, &self.tree)?;
        let mut edits: Vec<(&[u8], Option<Entry>)> = Vec::new();
        for (path, hunks) in picked {
            let missing = || Error::NoSuchPath { paths: vec![path.clone()] };
            let change = changes.iter().find(|change| change.path == *path).ok_or_else(missing)?;
            let (Some((mode, old)), Some((new_mode, _))) = (&change.old, &change.new) else { return Err(missing()) };
            if [mode, new_mode].iter().any(|mode| !mode.starts_with("100")) {
                return Err(missing());
            }
            let options = DiffOptions { paths: vec![path.clone()], detail: Detail::Patch, renames: true };
            let patch = locked.worktree.diff(from, &self.tree, &options)?.patch;
            let content = with(&objects.blob(old)?, &patch, hunks).ok_or_else(missing)?;
            edits.push((path.as_bytes(), Some((mode.clone(), objects.store("blob", &content)?))));
        }
        let tree = match objects.edited(Some(&self.tree), &edits)? {
            Some(tree) => tree,
            None => objects.store("tree", b"")?,
        };
        // The notes are in its last parent.
        let body = objects.object_of("commit", self.commit.as_str())?;
        let text = String::from_utf8_lossy(&body).into_owned();
        let notes = header(&text, "parent ").last();
        let commit = objects.commit_tree(&tree, &notes.iter().collect::<Vec<_>>(), self.head.as_ref())?;
        Ok(Self { commit, tree, ..self.clone() })
    }
}

impl Locked<'_> {
    /// Returns mode and object of a file of the tree `to` without the given hunks of its difference from the tree
    /// `from`. Hunks are numbered from 0.
    ///
    /// # Errors
    ///
    /// Returns `missing` for a path that is not a regular file in both trees or has no such hunk; fails if git fails,
    /// and if objects are gone.
    pub fn file_without_hunks(&self, from: &Oid, to: &Oid, path: &RepoPath, picked: &[usize]) -> Result<(String, Oid)> {
        let missing = || Error::NoSuchPath { paths: vec![path.clone()] };
        let (old, new) = (self.objects.entry(from, path)?, self.objects.entry(to, path)?);
        let (Some((old_mode, old)), Some((mode, _))) = (old, new) else { return Err(missing()) };
        if [&old_mode, &mode].iter().any(|mode| !mode.starts_with("100")) {
            return Err(missing());
        }
        let options = DiffOptions { paths: vec![path.clone()], detail: Detail::Patch, renames: true };
        let text = self.worktree.diff(from, to, &options)?.patch;
        let all = text.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"@@ ")).count();
        if picked.iter().any(|hunk| *hunk >= all) {
            return Err(missing());
        }
        let others: Vec<usize> = (0..all).filter(|hunk| !picked.contains(hunk)).collect();
        let content = with(&self.objects.blob(&old)?, &text, &others).ok_or_else(missing)?;
        Ok((mode, self.objects.store("blob", &content)?))
    }
}

/// Applies hunks of a patch to a text; `None` if the patch does not fit the text, or has no such hunk.
fn with(old: &[u8], patch: &[u8], hunks: &[usize]) -> Option<Vec<u8>> {
    let old: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
    let (mut text, mut at, mut count, mut is_picked) = (Vec::new(), 0, 0, false);
    let mut lines =
        patch.split_inclusive(|byte| *byte == b'\n').skip_while(|line| !line.starts_with(b"@@ ")).peekable();
    while let Some(line) = lines.next() {
        match line.first()? {
            b'@' => {
                let start = start(line)?;
                text.extend(old.get(at..start)?.concat());
                (at, is_picked) = (start, hunks.contains(&count));
                count += 1;
            }
            b'+' if is_picked => {
                let ends = lines.peek().is_some_and(|next| next.starts_with(b"\\"));
                text.extend(&line[1..line.len() - usize::from(ends)]);
            }
            b'-' if is_picked => at += 1,
            b'+' | b'\\' => {}
            b'-' | b' ' => {
                text.extend(*old.get(at)?);
                at += 1;
            }
            _ => return None,
        }
    }
    text.extend(old.get(at..)?.concat());
    hunks.iter().all(|hunk| *hunk < count).then_some(text)
}

/// Returns the number of lines before a hunk, from `@@ -1,2 +3,4 @@`.
fn start(line: &[u8]) -> Option<usize> {
    let place = String::from_utf8_lossy(line).split(' ').nth(1)?.strip_prefix('-')?.to_owned();
    let (first, length) = place.split_once(',').unwrap_or((&place, "1"));
    let first: usize = first.parse().ok()?;
    // A hunk without old lines has the number of the line before it.
    if length == "0" { Some(first) } else { first.checked_sub(1) }
}

#[cfg(test)]
mod tests {
    use super::with;

    const OLD: &[u8] = b"a\nb\nc\nd\nend";
    const PATCH: &[u8] = b"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+top\n@@ -2 +3,2 @@ a\n-b\n+B\n+b2\n\
        @@ -5 +7 @@\n-end\n\\ No newline at end of file\n+END\n";

    #[test]
    fn hunks_are_applied_independently() {
        let text = |hunks: &[usize]| with(OLD, PATCH, hunks).map(|text| String::from_utf8(text).expect("UTF-8"));
        assert_eq!(text(&[]).as_deref(), Some("a\nb\nc\nd\nend"));
        assert_eq!(text(&[0]).as_deref(), Some("top\na\nb\nc\nd\nend"));
        assert_eq!(text(&[1]).as_deref(), Some("a\nB\nb2\nc\nd\nend"));
        assert_eq!(text(&[2]).as_deref(), Some("a\nb\nc\nd\nEND\n"));
        assert_eq!(text(&[0, 1, 2]).as_deref(), Some("top\na\nB\nb2\nc\nd\nEND\n"));
        assert_eq!(text(&[3]), None);
        assert_eq!(with(b"short", PATCH, &[0]), None);
        let back = b"@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n";
        assert_eq!(with(b"a\n", back, &[0]).as_deref(), Some(&b"b"[..]));
    }
}
