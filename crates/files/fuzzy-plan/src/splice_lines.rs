//! Splices the lines of a hunk into a file whose lines match those of the hunk.

use fuzzy_core::{Replaced, Span};
use fuzzy_patch::Hint;

use crate::hunk_match::{HunkMatch, Indentation, bare};
use crate::insertion_side::{Misfit, placement};
use crate::line_script::{OldLine, Script, is_open};

/// The result of a splice.
#[derive(Debug)]
pub(crate) struct Spliced {
    pub(crate) output: String,
    pub(crate) replaced: Vec<Replaced>,
}

/// Splices the hunk into `text`, whose lines are `file` and begin at `starts`.
pub(crate) fn splice_lines(
    text: &str,
    file: &[&str],
    starts: &[usize],
    script: &Script<'_>,
    fit: &HunkMatch,
    hint: &Hint,
) -> Result<Spliced, Misfit> {
    let (script, gaps) = placement(file, script, fit, hint)?;
    let pairs = script.old.iter().zip(&fit.lines).map(|(line, at)| (line.text, file[*at]));
    let adds = script.added.iter().any(|added| !added.is_empty());
    let differs = |(line, at): (&OldLine<'_>, &usize)| line.is_removed && line.text.trim() != file[*at].trim();
    if adds && script.old.iter().zip(&fit.lines).any(differs) {
        return Err(Misfit::Glyphs);
    }
    let indentation = Indentation::of(pairs.clone()).ok_or(Misfit::Indentation)?;
    let drops_returns = script.old.iter().all(|line| line.text.ends_with('\r'))
        && pairs.into_iter().all(|(_, there)| !there.ends_with('\r'));
    let is_open = is_open(text);

    let mut spliced = Spliced { output: String::with_capacity(text.len() + 256), replaced: Vec::new() };
    let mut rest = 0;
    let mut new_end = None;
    for (at, (added, gap)) in script.added.iter().zip(gaps).enumerate() {
        let removed = script.old.get(at).filter(|line| line.is_removed).map(|_| fit.lines[at]);
        if !added.is_empty() {
            let place = starts[gap];
            spliced.output.push_str(&text[rest..place.max(rest)]);
            rest = place.max(rest);
            let begin = spliced.output.len();
            if rest == text.len() && !spliced.output.is_empty() && !spliced.output.ends_with('\n') {
                spliced.output.push_str(if has_return(file, gap, is_open) { "\r\n" } else { "\n" });
            }
            for line in added {
                let line = indentation.apply(line).ok_or(Misfit::Indentation)?;
                let line = if drops_returns { bare(&line) } else { &line };
                spliced.output.push_str(line);
                if has_return(file, gap, is_open) && !line.ends_with('\r') {
                    spliced.output.push('\r');
                }
                spliced.output.push('\n');
            }
            spliced
                .replaced
                .push(Replaced { before: Span::new(rest, rest), after: Span::new(begin, spliced.output.len()) });
            new_end = Some(spliced.output.len());
        }
        if let Some(line) = removed {
            spliced.output.push_str(&text[rest..starts[line].max(rest)]);
            rest = starts[line + 1];
            let end = spliced.output.len();
            spliced.replaced.push(Replaced { before: Span::new(starts[line], rest), after: Span::new(end, end) });
        }
    }
    spliced.output.push_str(&text[rest..]);
    if new_end == Some(spliced.output.len()) {
        let [was_open, stays_open] = script.is_open;
        if stays_open || (is_open && !was_open) {
            let length = bare(spliced.output.strip_suffix('\n').unwrap_or(&spliced.output)).len();
            spliced.output.truncate(length);
            for place in &mut spliced.replaced {
                place.after = Span::new(place.after.start().min(length), place.after.end().min(length));
            }
        }
    }
    spliced.replaced = joined(spliced.replaced);
    Ok(spliced)
}

/// Returns whether the lines of the file around `gap` end in `\r\n`. The last line may have no line break.
fn has_return(file: &[&str], gap: usize, is_open: bool) -> bool {
    let closed = &file[..file.len() - usize::from(is_open)];
    let above = closed[..gap.min(closed.len())].last();
    above.or_else(|| closed.get(gap)).is_some_and(|line| line.ends_with('\r'))
}

/// Joins adjacent places.
fn joined(places: Vec<Replaced>) -> Vec<Replaced> {
    let mut joined: Vec<Replaced> = Vec::with_capacity(places.len());
    for place in places {
        match joined.last_mut() {
            Some(last) if last.before.end() == place.before.start() && last.after.end() == place.after.start() => {
                last.before = Span::new(last.before.start(), place.before.end());
                last.after = Span::new(last.after.start(), place.after.end());
            }
            _ => joined.push(place),
        }
    }
    joined
}
