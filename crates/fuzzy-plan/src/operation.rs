//! What can be done to files besides editing their text.

use std::path::Path;

use fuzzy_report::{Code, Failure, Lines, Success};

use crate::planner::Outcome;
use crate::{Drafts, refusal, unified_diff};

/// Plans the creation of a file; returns its draft and what is to be reported.
pub(crate) fn create(drafts: &mut impl Drafts, path: &Path, text: &str, limit: u64) -> Outcome {
    if text.len() as u64 > limit {
        return Err(refusal::too_large(path, limit).into());
    }
    let index = drafts.open(path)?;
    if !drafts.is_absent(index) {
        return Err(refusal::exists(path).into());
    }
    drafts.create(index, text.to_owned());
    let lines = lines_of(text);
    Ok((index, done(path, lines_of(""), lines, unified_diff(&path.to_string_lossy(), "", text), "the file is new")))
}

/// Plans the removal of a file, which has to hold `expected` if that is given.
pub(crate) fn delete(drafts: &mut impl Drafts, path: &Path, expected: Option<&str>) -> Outcome {
    let index = drafts.open(path)?;
    if drafts.is_absent(index) {
        return Err(refusal::missing(path).into());
    }
    // What is no text has no diff.
    let text = drafts.text(index, path).map(|draft| draft.text.to_owned()).unwrap_or_default();
    // An edit that shows every word of a file means it, whatever became of the blanks on the way.
    if expected.is_some_and(|expected| !expected.split_whitespace().eq(text.split_whitespace())) {
        return Err(refusal::stale(path).into());
    }
    drafts.remove(index);
    let diff = unified_diff(&path.to_string_lossy(), &text, "");
    Ok((index, done(path, lines_of(&text), lines_of(""), diff, "the file is removed")))
}

/// Plans the move of a file; returns the draft of its new place.
pub(crate) fn rename(drafts: &mut impl Drafts, from: &Path, to: &Path) -> Outcome {
    let (source, target) = (drafts.open(from)?, drafts.open(to)?);
    if drafts.is_absent(source) {
        return Err(refusal::missing(from).into());
    }
    if !drafts.is_absent(target) {
        return Err(refusal::exists(to).into());
    }
    drafts.rename(source, target)?;
    let lines = drafts.text(target, to).map_or(lines_of(""), |draft| lines_of(draft.text));
    Ok((target, done(from, lines, lines, String::new(), &format!("the file is moved to `{}`", to.display()))))
}

/// Says that an empty text cannot be replaced in a file that exists.
pub(crate) fn empty_needle(path: &Path) -> Failure {
    Failure::new(
        Code::EmptyNeedle,
        format!("the old text is empty, and `{}` exists", path.display()),
        "Give the text that is to be replaced; an empty one only creates a file that does not exist.",
    )
}

fn done(path: &Path, lines_before: Lines, lines_after: Lines, diff: String, note: &str) -> Success {
    Success { changed: true, diff, note: Some(note.to_owned()), ..Success::planned(path, lines_before, lines_after) }
}

/// Returns the lines of a whole text, of which an empty one has a first one too.
fn lines_of(text: &str) -> Lines {
    Lines(1, text.lines().count().max(1))
}
