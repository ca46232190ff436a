//! Plans the operations on files other than edits. Each takes the index of its draft and the path for messages.

use std::path::Path;

use fuzzy_core::LineRange;
use fuzzy_report::{Code, Failure, Status, Success};

use crate::diff::{executable_diff, mode_diff};
use crate::{Drafts, ModeChange, refusal, unified_diff};

/// The note about an existing empty file.
const IS_EMPTY: &str = "the file exists and is empty";

/// The result of one operation: the index of its draft and the report, or the failure.
pub type Outcome = Result<(usize, Success), Box<Failure>>;

/// The note about a mode of a text in memory.
const NOT_KEPT: &str = "; a text in memory has no mode, so set it on the stored file";

/// Plans the creation of a file, or the first text of an existing empty one.
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
            (executable_diff(&name, text), format!("the file is new and executable{NOT_KEPT}"))
        }
        (Some(true), _) => (executable_diff(&name, text), "the file is new and executable".to_owned()),
        _ if fills => (unified_diff(&name, "", text), "the file was empty".to_owned()),
        _ => (unified_diff(&name, "", text), "the file is new".to_owned()),
    };
    Ok((index, done(path, lines_of(""), lines_of(text), diff, &note)))
}

/// Plans a change of a file's mode.
pub(crate) fn mode(drafts: &mut impl Drafts, index: usize, path: &Path, executable: bool) -> Outcome {
    if drafts.is_absent(index) {
        return Err(refusal::missing(path).into());
    }
    let change = drafts.set_executable(index, executable)?;
    let lines = drafts.text(index, path).map_or(lines_of(""), |draft| lines_of(draft.text));
    let note = if executable { "the file is executable" } else { "the file is not executable" };
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

/// Plans the removal of a file, which must have the content `expected` if given.
pub(crate) fn delete(drafts: &mut impl Drafts, index: usize, path: &Path, expected: Option<&str>) -> Outcome {
    if drafts.is_absent(index) {
        return Err(refusal::missing(path).into());
    }
    // A binary file has no diff.
    let text = drafts.text(index, path).map(|draft| draft.text.to_owned()).unwrap_or_default();
    // Different blanks do not matter: an edit with every word of a file is about this content.
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

/// Makes the failure of an empty old text for an existing file.
pub(crate) fn empty_old(path: &Path) -> Failure {
    Failure::new(
        Code::EmptyOld,
        format!("the old text is empty, and `{}` exists", path.display()),
        "Give the text to replace; an empty one only writes a file that is empty or does not exist.",
    )
    .naming_file()
}

fn done(path: &Path, lines_before: LineRange, lines_after: LineRange, diff: String, note: &str) -> Success {
    Success { changed: true, diff, note: Some(note.to_owned()), ..Success::planned(path, lines_before, lines_after) }
}

/// Makes the report of an unchanged file.
fn unchanged(path: &Path) -> Success {
    Success::planned(path, lines_of(""), lines_of(""))
}

/// Returns the line range of a whole text; an empty text has a first line too.
fn lines_of(text: &str) -> LineRange {
    LineRange { first: 1, last: text.lines().count().max(1) }
}
