//! Splices the lines of a hunk into a file that has the old ones.

use fuzzy_core::{Applied, Match, Replaced, Span, Splice};
use fuzzy_patch::Hint;

use crate::hunk_match::{HunkMatch, bare};
use crate::insertion_side::{Misfit, placement};
use crate::line_script::{Script, is_open};

/// Splices the hunk into `text`, whose lines are `file` and begin at `starts`.
pub(crate) fn splice_lines(
    text: &str,
    file: &[&str],
    starts: &[usize],
    script: &Script<'_>,
    fit: &HunkMatch,
    hint: &Hint,
    found: Match,
) -> Result<Applied, Misfit> {
    let (script, gaps) = placement(file, script, fit, hint)?;
    let is_open = is_open(text);
    let mut splices: Vec<Splice> = Vec::new();
    for (at, (added, gap)) in script.added.iter().zip(gaps).enumerate() {
        let is_added = !added.is_empty();
        let mut new = String::new();
        for line in added {
            new.push_str(bare(line));
            new.push_str(line_break(file, gap, is_open));
        }
        let is_joined = splices.last().is_some_and(|last| last.span.end() == text.len());
        if is_added && starts[gap] == text.len() && is_open && !is_joined {
            new.insert_str(0, line_break(file, gap, is_open));
        }
        let removed = script.old.get(at).filter(|line| line.is_removed).map(|_| fit.lines[at]);
        let removed =
            removed.map(|line| Splice { span: Span::new(starts[line], starts[line + 1]), text: String::new() });
        let added = is_added.then(|| Splice { span: Span::new(starts[gap], starts[gap]), text: new });
        for splice in added.into_iter().chain(removed) {
            match splices.last_mut().filter(|last| last.span.end() >= splice.span.start()) {
                Some(last) => {
                    last.span = Span::new(last.span.start(), splice.span.end().max(last.span.end()));
                    last.text.push_str(&splice.text);
                }
                None => splices.push(splice),
            }
        }
    }
    let [was_open, stays_open] = script.is_open;
    if let Some(last) = splices.last_mut().filter(|last| last.span.end() == text.len())
        && (stays_open || is_open && !was_open)
    {
        last.text.truncate(bare(last.text.strip_suffix('\n').unwrap_or(&last.text)).len());
    }
    Ok(spliced(text, &splices, found))
}

/// Returns the line break of the lines of the file around `gap`. The last line may have none.
fn line_break(file: &[&str], gap: usize, is_open: bool) -> &'static str {
    let closed = &file[..file.len() - usize::from(is_open)];
    let above = closed[..gap.min(closed.len())].last();
    let has_return = above.or_else(|| closed.get(gap)).is_some_and(|line| line.ends_with('\r'));
    if has_return { "\r\n" } else { "\n" }
}

/// Returns a text with its changes.
pub(crate) fn spliced(text: &str, splices: &[Splice], found: Match) -> Applied {
    let mut output = String::with_capacity(text.len());
    let (mut replaced, mut rest) = (Vec::new(), 0);
    for Splice { span, text: new } in splices {
        output.push_str(&text[rest..span.start()]);
        let start = output.len();
        output.push_str(new);
        replaced.push(Replaced { before: *span, after: Span::new(start, output.len()) });
        rest = span.end();
    }
    output.push_str(&text[rest..]);
    Applied::new(output, found, replaced)
}
