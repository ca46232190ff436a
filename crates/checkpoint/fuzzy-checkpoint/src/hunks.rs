//! Builds a state in which single hunks of a difference are reverted.

use std::ops::Range;

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
            let (content, all) =
                with(&objects.blob(old)?, &patch, |hunk, _| hunks.contains(&hunk)).ok_or_else(missing)?;
            if hunks.iter().any(|hunk| *hunk >= all) {
                return Err(missing());
            }
            edits.push((path.as_bytes(), Some((mode.clone(), objects.store("blob", &content)?))));
        }
        let tree = match objects.edited(Some(&self.tree), &edits)? {
            Some(tree) => tree,
            None => objects.store("tree", b"")?,
        };
        // The notes are in its last parent.
        let body = objects.object_of("commit", &self.commit)?;
        let text = String::from_utf8_lossy(&body).into_owned();
        let notes = header(&text, "parent ").last();
        let commit = objects.commit_tree(&tree, &notes.iter().collect::<Vec<_>>(), self.head.as_ref())?;
        Ok(Self { commit, tree, ..self.clone() })
    }
}

/// A part of the changes of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picked {
    /// Hunks of the patch, numbered from 0.
    pub hunks: Vec<usize>,
    /// Ranges of lines of the new text, each from the first to the last one, from 1: neighbouring changed lines are picked
    /// together, and deleted lines with the line after them.
    pub lines: Vec<(usize, usize)>,
}

impl Locked<'_> {
    /// Returns mode and object of a file of the tree `to` without a part of its difference from the tree `from`.
    ///
    /// # Errors
    ///
    /// Returns `missing` for a path that is not a regular file in both trees, or without such a hunk or a change in each
    /// range of lines; fails if git fails, and if objects are gone.
    pub fn file_without(&self, from: &Oid, to: &Oid, path: &RepoPath, picked: &Picked) -> Result<(String, Oid)> {
        let missing = || Error::NoSuchPart { path: path.clone() };
        let (old, new) = (self.objects.entry(from, path)?, self.objects.entry(to, path)?);
        let (Some((old_mode, old)), Some((mode, _))) = (old, new) else { return Err(missing()) };
        if [&old_mode, &mode].iter().any(|mode| !mode.starts_with("100")) {
            return Err(missing());
        }
        let options = DiffOptions { paths: vec![path.clone()], detail: Detail::Patch, renames: true };
        let text = self.worktree.diff(from, to, &options)?.patch;
        let mut met = vec![false; picked.lines.len()];
        let others = |hunk: usize, lines: Range<usize>| {
            let mut is_other = !picked.hunks.contains(&hunk);
            for ((first, last), met) in picked.lines.iter().zip(&mut met) {
                if lines.start <= *last && *first < lines.end {
                    (*met, is_other) = (true, false);
                }
            }
            is_other
        };
        let (content, all) = with(&self.objects.blob(&old)?, &text, others).ok_or_else(missing)?;
        if met.contains(&false) || picked.hunks.iter().any(|hunk| *hunk >= all) {
            return Err(missing());
        }
        Ok((mode, self.objects.store("blob", &content)?))
    }
}

/// Applies changes of a patch to a text; also returns the number of hunks. `is_picked` gets the number of a hunk and the
/// new lines of neighbouring changes in it, from 1; for deleted lines, the line after them. Returns `None` if the patch
/// does not fit the text.
fn with(old: &[u8], patch: &[u8], mut is_picked: impl FnMut(usize, Range<usize>) -> bool) -> Option<(Vec<u8>, usize)> {
    let old: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
    let (mut text, mut at, mut count) = (Vec::new(), 0, 0);
    let lines: Vec<&[u8]> =
        patch.split_inclusive(|byte| *byte == b'\n').skip_while(|line| !line.starts_with(b"@@ ")).collect();
    let (mut next, mut new) = (0, 0);
    while let Some(line) = lines.get(next) {
        match line.first()? {
            b'@' => {
                let [start, new_start] = starts(line)?;
                text.extend(old.get(at..start)?.concat());
                (at, new) = (start, new_start + 1);
                count += 1;
                next += 1;
            }
            b'+' | b'-' => {
                let length = lines[next..].iter().take_while(|line| !line.starts_with(b" ") && !line.starts_with(b"@"));
                let block = &lines[next..next + length.count()];
                let (mut added, mut deleted) = (Vec::new(), 0);
                for (at, line) in block.iter().enumerate() {
                    let ends = block.get(at + 1).is_some_and(|next| next.starts_with(b"\\"));
                    match line.first()? {
                        b'+' => added.push(&line[1..line.len() - usize::from(ends)]),
                        b'-' => deleted += 1,
                        b'\\' => {}
                        _ => return None,
                    }
                }
                let gone = old.get(at..at + deleted)?;
                if is_picked(count - 1, new..new + added.len().max(1)) {
                    text.extend(added.concat());
                } else {
                    text.extend(gone.concat());
                }
                (at, new, next) = (at + deleted, new + added.len(), next + block.len());
            }
            b' ' => {
                text.extend(*old.get(at)?);
                (at, new, next) = (at + 1, new + 1, next + 1);
            }
            b'\\' => next += 1,
            _ => return None,
        }
    }
    text.extend(old.get(at..)?.concat());
    Some((text, count))
}

/// Returns the numbers of old and of new lines before a hunk, from `@@ -1,2 +3,4 @@`.
fn starts(line: &[u8]) -> Option<[usize; 2]> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split(' ').skip(1);
    let places = [words.next()?.strip_prefix('-')?, words.next()?.strip_prefix('+')?];
    let before = |place: &str| {
        let (first, length) = place.split_once(',').unwrap_or((place, "1"));
        let first: usize = first.parse().ok()?;
        // A hunk without lines on a side has the number of the line before it.
        if length == "0" { Some(first) } else { first.checked_sub(1) }
    };
    Some([before(places[0])?, before(places[1])?])
}

#[cfg(test)]
mod tests {
    use super::with;

    const OLD: &[u8] = b"a\nb\nc\nd\nend";
    const PATCH: &[u8] = b"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+top\n@@ -2 +3,2 @@ a\n-b\n+B\n+b2\n\
        @@ -5 +7 @@\n-end\n\\ No newline at end of file\n+END\n";

    #[test]
    fn hunks_are_applied_independently() {
        let text = |hunks: &[usize]| {
            let (text, count) = with(OLD, PATCH, |hunk, _| hunks.contains(&hunk)).expect("it fits");
            assert_eq!(count, 3);
            String::from_utf8(text).expect("UTF-8")
        };
        assert_eq!(text(&[]), "a\nb\nc\nd\nend");
        assert_eq!(text(&[0]), "top\na\nb\nc\nd\nend");
        assert_eq!(text(&[1]), "a\nB\nb2\nc\nd\nend");
        assert_eq!(text(&[2]), "a\nb\nc\nd\nEND\n");
        assert_eq!(text(&[0, 1, 2]), "top\na\nB\nb2\nc\nd\nEND\n");
        assert_eq!(with(b"short", PATCH, |_, _| true), None);
        let back = b"@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n";
        assert_eq!(with(b"a\n", back, |_, _| true).expect("it fits").0, b"b");
    }

    #[test]
    fn neighbouring_lines_of_a_hunk_are_applied_together() {
        let (old, new) = ("a\nb\nc\nd\ne\nf\n", "A\nb\nC\nC2\nd\nf\nend\n");
        let patch = b"@@ -1,6 +1,7 @@\n-a\n+A\n b\n-c\n+C\n+C2\n d\n-e\n f\n+end\n";
        let mut blocks = Vec::new();
        let all = with(old.as_bytes(), patch, |hunk, lines| {
            blocks.push((hunk, lines));
            true
        });
        assert_eq!(all, Some((new.as_bytes().to_vec(), 1)));
        assert_eq!(blocks, [(0, 1..2), (0, 3..5), (0, 6..7), (0, 7..8)]);
        for (at, text) in [
            (1, "A\nb\nc\nd\ne\nf\n"),
            (3, "a\nb\nC\nC2\nd\ne\nf\n"),
            (6, "a\nb\nc\nd\nf\n"),
            (7, "a\nb\nc\nd\ne\nf\nend\n"),
        ] {
            let picked = with(old.as_bytes(), patch, |_, lines| lines.contains(&at));
            assert_eq!(String::from_utf8(picked.expect("it fits").0).expect("UTF-8"), text, "{at}");
        }
    }
}
