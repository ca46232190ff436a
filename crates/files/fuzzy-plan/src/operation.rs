//! What can be done to files besides editing their text. Each takes the index of its draft, and what messages call it.

use std::path::Path;

use fuzzy_report::{Code, Failure, Lines, Status, Success};

use crate::diff::{executable_diff, mode_diff};
use crate::{Drafts, ModeChange, refusal, unified_diff};

/// The note about an empty file that exists.
const IS_EMPTY: &str = "the file exists and is empty";

/// What becomes of one operation: the index of its draft and the report, or the failure.
pub type Outcome = Result<(usize, Success), Box<Failure>>;

/// What was asked for and only a disk can do.
const NOT_KEPT: &str = "; a text has no mode, so give it to the file where that is kept";

/// Plans the creation of a file, or the first text of one that exists and is empty.
pub(crate) fn create(
    drafts: &mut impl Drafts,
    index: usize,
    path: &Path,
    text: &str,
    executable: Option<bool>,
) -> Outcome {
    let fills = !drafts.is_absent(index) && drafts.text(index, path).is_ok_and(|draft| draft.text.is_empty());
    if !drafts.is_absent(index) && !fills {
        return Err(refusal::exists(path).into());
    }
    if fills && text.is_empty() && executable.is_none() {
        return Ok((
            index,
            Success { status: Status::AlreadyApplied, note: Some(IS_EMPTY.to_owned()), ..unchanged(path) },
        ));
    }
    if fills {
        drafts.put(index, text.to_owned(), &[])?;
    } else {
        drafts.create(index, text.to_owned());
    }
    let change = executable.map(|executable| drafts.set_executable(index, executable)).transpose()?;
    let name = path.to_string_lossy();
    let (diff, note) = match (executable, change) {
        (Some(true), Some(ModeChange::NotKept)) => {
            (executable_diff(&name, text), format!("the file is new, and one that can be run{NOT_KEPT}"))
        }
        (Some(true), _) => (executable_diff(&name, text), "the file is new, and can be run".to_owned()),
        _ if fills => (unified_diff(&name, "", text), "the file was empty".to_owned()),
        _ => (unified_diff(&name, "", text), "the file is new".to_owned()),
    };
    Ok((index, done(path, lines_of(""), lines_of(text), diff, &note)))
}

/// Plans another mode of a file.
pub(crate) fn mode(drafts: &mut impl Drafts, index: usize, path: &Path, executable: bool) -> Outcome {
    if drafts.is_absent(index) {
        return Err(refusal::missing(path).into());
    }
    let change = drafts.set_executable(index, executable)?;
    let lines = drafts.text(index, path).map_or(lines_of(""), |draft| lines_of(draft.text));
    let note = if executable { "the file can be run" } else { "the file cannot be run" };
    if change == ModeChange::Already {
        let success = Success::planned(path, lines, lines);
        return Ok((
            index,
            Success { status: Status::AlreadyApplied, note: Some(format!("{note} already")), ..success },
        ));
    }
    let rest = if change == ModeChange::NotKept { NOT_KEPT } else { "" };
    let diff = mode_diff(&path.to_string_lossy(), executable);
    Ok((index, done(path, lines, lines, diff, &format!("{note} now{rest}"))))
}

/// Plans the removal of a file, which has to hold `expected` if that is given.
pub(crate) fn delete(drafts: &mut impl Drafts, index: usize, path: &Path, expected: Option<&str>) -> Outcome {
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

/// Plans the move of a file from one draft to another.
pub(crate) fn rename(drafts: &mut impl Drafts, source: usize, from: &Path, target: usize, to: &Path) -> Outcome {
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
        "Give the text that is to be replaced; an empty one only writes a file that is empty or does not exist.",
    )
}

fn done(path: &Path, lines_before: Lines, lines_after: Lines, diff: String, note: &str) -> Success {
    Success { changed: true, diff, note: Some(note.to_owned()), ..Success::planned(path, lines_before, lines_after) }
}

/// Reports a file that stays as it is.
fn unchanged(path: &Path) -> Success {
    Success::planned(path, lines_of(""), lines_of(""))
}

/// Returns the lines of a whole text, of which an empty one has a first one too.
fn lines_of(text: &str) -> Lines {
    Lines(1, text.lines().count().max(1))
}
