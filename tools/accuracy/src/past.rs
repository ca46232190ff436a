//! Makes edits of files that changed since they were read; `git merge-file` is the oracle.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;

use anyhow::Result;
use fastrand::Rng;
use fuzzy_testkit::slipped_edits;
use fuzzy_tools::run::{git_in, read};

use crate::cases::Case;

/// The lines that the quote of an edit has beside the changed ones, at most.
const CONTEXT: usize = 3;

/// The distance of somebody's changes from the edit, in lines, at most.
const REACH: usize = 12;

/// Makes edits that quote the changed lines of generated edits exactly, and changes their files by up to three lines
/// each. The edit is to be refused if a line that it changes was replaced by others; other conflicts are left out.
///
/// # Errors
///
/// Fails without git.
pub(crate) fn cases(edits: usize, seed: u64) -> Result<Vec<Case>> {
    let (mut rng, folder, mut made) = (Rng::with_seed(seed), tempfile::tempdir()?, Vec::new());
    let names = ["file", "base", "edited"].map(|name| folder.path().join(name));
    for slipped_edits::Case { id, content: base, expected, .. } in slipped_edits::cases(seed) {
        if made.len() == edits {
            break;
        }
        let Some(edited) = expected.filter(|edited| *edited != base && !edited.contains('\r')) else { continue };
        let [ours, theirs] = [&base, &edited].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
        let changed = changed(&ours, &theirs);
        let after = ours.len() - changed.end;
        let [above, below] = [changed.start, after].map(|most| rng.usize(..=CONTEXT.min(most)));
        let (from, below) = (changed.start - above, after - below);
        let (old, new) = (ours[from..ours.len() - below].concat(), theirs[from..theirs.len() - below].concat());
        if old.is_empty() || base.matches(&old).count() != 1 {
            continue;
        }
        let near = changed.start.saturating_sub(REACH)..ours.len().min(changed.end + REACH);
        let quoted = from..ours.len() - below;
        let (content, replaced) = changed_by_others(&ours, near, quoted, &mut rng);
        for (name, text) in names.iter().zip([&content, &base, &edited]) {
            fs::write(name, text)?;
        }
        let merged = read(git_in(folder.path(), &["merge-file", "--stdout", "--quiet", "file", "base", "edited"]));
        let is_conflict = replaced.iter().any(|line| changed.contains(line) && !theirs.contains(&ours[*line]));
        let expected = match merged {
            Ok(merged) => Some(merged),
            Err(_) if is_conflict => None,
            Err(_) => continue,
        };
        let drift = if expected.is_some() { "changed since" } else { "changed at the same line" };
        let (id, drift) = (format!("past-{id}"), drift.to_owned());
        made.push(Case {
            id,
            content,
            old,
            new,
            base: Some(base),
            expected,
            drift,
            accept_noop: true,
            ..Case::default()
        });
    }
    Ok(made)
}

/// Returns the lines that an edit changes, between those that both texts share at their ends.
fn changed(ours: &[&str], theirs: &[&str]) -> Range<usize> {
    let same = |(a, b): &(&&str, &&str)| a == b;
    let start = ours.iter().zip(theirs).take_while(same).count();
    let end = ours[start..].iter().rev().zip(theirs[start..].iter().rev()).take_while(same).count();
    start..ours.len() - end
}

/// Changes some lines near an edit, and returns the lines that were replaced by others.
fn changed_by_others(lines: &[&str], near: Range<usize>, quoted: Range<usize>, rng: &mut Rng) -> (String, Vec<usize>) {
    let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let mut replaced = Vec::new();
    for _ in 0..rng.usize(1..=3) {
        let at = rng.usize(near.clone());
        match rng.u8(..5) {
            0 => {
                changed[at] = format!("somebody's line {at}\n");
                replaced.push(at);
            }
            1 => changed[at].clear(),
            2 => {
                let _ = writeln!(changed[at], "somebody's line after {at}");
            }
            3 => changed[at] = changed[at].replacen(['a', 'e', '1'], "o2", 1),
            // A copy of the old text elsewhere: beside it, both would be the quoted one.
            _ => {
                let copy = lines[quoted.clone()].concat();
                let is_apart = at + CONTEXT < quoted.start || at > quoted.end + CONTEXT;
                changed[at].insert_str(0, if is_apart { &copy } else { "" });
            }
        }
    }
    (changed.concat(), replaced)
}
