//! Patches between `*** Begin Patch` and `*** End Patch`, which hosts apply by the lines around each change.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use fuzzy_edit::{Failure, Options};
use fuzzy_patch::{Change, Edit, Format, Hint, Patch};
use fuzzy_plan::Texts;
use fuzzy_report::Report;
use similar::{Algorithm, capture_diff_slices, group_diff_ops};

use super::file::Files;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// The result of a patch: the one with which the host writes the texts of the engine, if that is not the given one; or the
/// first refused file.
pub(crate) type Judged = Result<Option<String>, (PathBuf, Box<Failure>)>;

/// Returns the bounds of the patch in a text, in bytes: it may be the here-document of a shell command.
pub(crate) fn bounds(text: &str) -> Option<(usize, usize)> {
    const END: &str = "*** End Patch";
    let start = text.find("*** Begin Patch")?;
    let end = text.rfind(END)? + END.len();
    // Another command around the patch may change the directory.
    let around = text[..start].trim();
    let word = around.strip_prefix("apply_patch").and_then(|rest| rest.trim_start().strip_prefix("<<"));
    let is_word = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '\'' | '"'));
    let is_plain = around.is_empty() || word.is_some_and(is_word);
    (is_plain && start < end).then_some((start, end))
}

/// Judges a patch. Returns `None` if one of its files has no text.
pub(crate) fn judge(options: &Options<'_>, patch: &Patch, files: &mut Files<'_>) -> Option<Judged> {
    let mut texts = Texts::default();
    for part in &patch.files {
        if matches!(part.change, Change::Update { .. }) {
            texts = texts.with(&part.file, files.text(Path::new(&part.file))?.as_ref());
        }
    }
    let operations = patch.operations();
    let reports = texts.apply(options, &operations);
    for (report, operation) in reports.iter().zip(&operations) {
        if let Report::Failure(failure) = report {
            return Some(Err((operation.path().to_owned(), failure.clone())));
        }
    }
    let output =
        |path: &str| texts.changes().find(|(changed, _)| *changed == Path::new(path)).and_then(|(_, text)| text);
    let mut repaired = patch.clone();
    let mut is_exact = true;
    for part in &mut repaired.files {
        let Change::Update { edits, to, .. } = &mut part.change else { continue };
        let before = files.text(Path::new(&part.file))?;
        let after = output(to.as_deref().unwrap_or(&part.file)).unwrap_or(&before);
        let (before, after) = (ended(&before), ended(after));
        if by_host(&before, edits).as_deref() == Some(&after) {
            continue;
        }
        is_exact = false;
        *edits = restated(&before, &after);
        (by_host(&before, edits).as_deref() == Some(&after)).then_some(())?;
    }
    if is_exact {
        return Some(Ok(None));
    }
    Some(Ok(Some(written(&repaired)?)))
}

/// Returns the text of a patch without a line break at its end.
fn written(patch: &Patch) -> Option<String> {
    let text = fuzzy_patch::format(patch, Format::Envelope).ok()?;
    // Hosts do not support quoted names.
    let is_plain =
        |name: &str| text.lines().any(|line| line.starts_with("*** ") && line.ends_with(&format!(": {name}")));
    let all = patch.files.iter().all(|part| is_plain(&part.file));
    all.then(|| text.trim_end_matches('\n').to_owned())
}

/// Returns a text as hosts write it: with a line break at its end, even if the file had none.
fn ended(text: &str) -> Cow<'_, str> {
    if text.is_empty() || text.ends_with('\n') { text.into() } else { format!("{text}\n").into() }
}

/// Applies edits as hosts do: the lines of each must occur exactly, after those of the edit before, and their first
/// place is used. A text ends with a line break.
fn by_host(text: &str, edits: &[Edit]) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut output = String::with_capacity(text.len());
    let mut next = 0;
    for Edit { old, new, hint, .. } in edits {
        let mut from = next;
        for anchor in &hint.anchors {
            from += 1 + lines[from..].iter().position(|line| line == anchor)?;
        }
        let old: Vec<&str> = old.lines().collect();
        let at = if old.is_empty() {
            lines.len()
        } else {
            let places = lines.get(from..)?.windows(old.len());
            let at = from + places.clone().position(|lines| lines == old)?;
            // A host searches a hunk at the end of the file there first.
            if hint.at_end && at + old.len() != lines.len() {
                return None;
            }
            at
        };
        push(&mut output, &lines[next..at]);
        output.push_str(new);
        next = at + old.len();
    }
    push(&mut output, &lines[next..]);
    Some(output)
}

fn push(output: &mut String, lines: &[&str]) {
    for line in lines {
        output.push_str(line);
        output.push('\n');
    }
}

/// Returns edits that turn one text into the other, each with as many lines of context as its place needs.
fn restated(before: &str, after: &str) -> Vec<Edit> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let mut edits = Vec::new();
    let (mut next_old, mut next_new) = (0, 0);
    for group in group_diff_ops(capture_diff_slices(Algorithm::Myers, &old, &new), CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let (mut old_start, mut new_start) = (first.old_range().start, first.new_range().start);
        let (old_end, new_end) = (last.old_range().end, last.new_range().end);
        let is_first = |start: usize| {
            let wanted = &old[start..old_end];
            !wanted.is_empty()
                && old[next_old..].windows(wanted.len()).position(|lines| lines == wanted) == Some(start - next_old)
        };
        while old_start > next_old && new_start > next_new && !is_first(old_start) {
            (old_start, new_start) = (old_start - 1, new_start - 1);
        }
        edits.push(Edit {
            old: old[old_start..old_end].concat(),
            new: new[new_start..new_end].concat(),
            hint: Hint::default(),
            ..Edit::default()
        });
        (next_old, next_new) = (old_end, new_end);
    }
    edits
}
