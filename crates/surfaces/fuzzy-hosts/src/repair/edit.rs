//! One edit of a text that the host would carry out by plain replacement.

use fuzzy_edit::{Failure, Limits, Options, apply_within};
use fuzzy_pipeline::report::Proposal;
use fuzzy_pipeline::{Document, Edit};
use fuzzy_plan::{is_unique, restated};

/// The result of one edit.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The host writes this text, the same as the engine; the edit is not changed.
    Exact(String),
    /// The engine writes this text; with this edit, the host writes it, too.
    Repaired(String, Proposal),
    /// The engine refuses the edit.
    Refused(Box<Failure>),
    /// The edit changes nothing, or no edit makes the host write the text of the engine.
    Unchanged,
}

/// Judges an edit of `text`. The lines of all texts end in `\n`.
pub(crate) fn judge(options: &Options<'_>, text: &str, edit: Edit<'_>) -> Outcome {
    let (old, new, all) = (edit.old, edit.new, edit.replace_all);
    let by_host = replaced(text, old, new, all);
    // The host replaces every occurrence of a text that is in the file.
    if all && let Some(output) = by_host {
        return Outcome::Exact(output);
    }
    let document = Document::new(text);
    let attempt = options.attempt(edit, &document);
    let judgement = attempt.decide();
    let applied = match apply_within(&judgement, Limits::MAX_BYTES) {
        Ok(applied) => applied,
        Err(cause) => return Outcome::Refused(cause.failure(&judgement)),
    };
    if by_host.as_ref() == Some(&applied.output) {
        return Outcome::Exact(applied.output);
    }
    let exact = restated(text, &applied).map(|edit| without_kept_ends(text, edit));
    let by_host = |edit: &Proposal| replaced(text, &edit.old, &edit.new, all);
    match exact.filter(|edit| by_host(edit).as_ref() == Some(&applied.output)) {
        Some(edit) => Outcome::Repaired(applied.output, edit),
        None => Outcome::Unchanged,
    }
}

/// Removes the kept lines at both ends of an edit up to one that ends in blanks, if the old text is still unique:
/// Claude Code removes such blanks from every line of a new text.
fn without_kept_ends(text: &str, edit: Proposal) -> Proposal {
    let [old, new] = [&edit.old, &edit.new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let ends_in_blanks = |line: &&str| line.trim_end_matches('\n').ends_with([' ', '\t']);
    let head = old.iter().zip(&new).take_while(|(old, new)| old == new).map(|(old, _)| old);
    let cut = head.enumerate().filter(|(_, line)| ends_in_blanks(line)).last().map_or(0, |(at, _)| at + 1);
    let tail = old[cut..].iter().rev().zip(new[cut..].iter().rev()).take_while(|(old, new)| old == new);
    let kept = tail.map(|(old, _)| old).enumerate().filter(|(_, line)| ends_in_blanks(line)).last();
    let left_out = kept.map_or(0, |(at, _)| at + 1);
    let cuts = [(cut, left_out), (cut, 0), (0, left_out)];
    let shorter = cuts.into_iter().filter(|cuts| *cuts != (0, 0)).map(|(first, last)| {
        Proposal::new(old[first..old.len() - last].concat(), new[first..new.len() - last].concat())
    });
    shorter.into_iter().find(|edit| is_unique(text, &edit.old)).unwrap_or(edit)
}

/// Replaces as hosts do: the only occurrence, or with `all` each one. Returns `None` if `old` does not occur so.
fn replaced(text: &str, old: &str, new: &str, all: bool) -> Option<String> {
    if old.is_empty() {
        return None;
    }
    if all {
        text.contains(old).then(|| text.replace(old, new))
    } else {
        is_unique(text, old).then(|| text.replacen(old, new, 1))
    }
}
