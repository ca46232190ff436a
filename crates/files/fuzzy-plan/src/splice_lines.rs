//! Puts the lines of a hunk into a file whose lines are known to be those of the hunk.

use fuzzy_patch::Hint;
use fuzzy_pipeline::{Replaced, Span};

use crate::hunk_match::{Fit, Indentation, bare};
use crate::insertion_side::{Conflict, way};
use crate::line_script::{OldLine, Script, is_open};

/// What becomes of a text.
#[derive(Debug)]
pub(crate) struct Woven {
    pub(crate) output: String,
    pub(crate) replaced: Vec<Replaced>,
}

/// Returns what becomes of `text`, whose lines are `file` and begin at `starts`.
pub(crate) fn weave(
    text: &str,
    file: &[&str],
    starts: &[usize],
    script: &Script<'_>,
    fit: &Fit,
    hint: &Hint,
) -> Result<Woven, Conflict> {
    let (script, gaps) = way(file, script, fit, hint)?;
    let pairs = script.old.iter().zip(&fit.lines).map(|(line, at)| (line.text, file[*at]));
    let adds = script.added.iter().any(|added| !added.is_empty());
    let differs = |(line, at): (&OldLine<'_>, &usize)| line.goes && line.text.trim() != file[*at].trim();
    if adds && script.old.iter().zip(&fit.lines).any(differs) {
        return Err(Conflict::Glyphs);
    }
    let indentation = Indentation::of(pairs.clone()).ok_or(Conflict::Indentation)?;
    let drops_returns = script.old.iter().all(|line| line.text.ends_with('\r'))
        && pairs.into_iter().all(|(_, there)| !there.ends_with('\r'));
    let is_open = is_open(text);

    let mut woven = Woven { output: String::with_capacity(text.len() + 256), replaced: Vec::new() };
    let mut rest = 0;
    let mut new_end = None;
    for (at, (added, gap)) in script.added.iter().zip(gaps).enumerate() {
        let goes = script.old.get(at).filter(|line| line.goes).map(|_| fit.lines[at]);
        if !added.is_empty() {
            let place = starts[gap];
            woven.output.push_str(&text[rest..place.max(rest)]);
            rest = place.max(rest);
            let begin = woven.output.len();
            if rest == text.len() && !woven.output.is_empty() && !woven.output.ends_with('\n') {
                woven.output.push_str(if has_return(file, gap) { "\r\n" } else { "\n" });
            }
            for line in added {
                let line = indentation.apply(line).ok_or(Conflict::Indentation)?;
                let line = if drops_returns { bare(&line) } else { &line };
                woven.output.push_str(line);
                if has_return(file, gap) && !line.ends_with('\r') {
                    woven.output.push('\r');
                }
                woven.output.push('\n');
            }
            woven
                .replaced
                .push(Replaced { before: Span::new(rest, rest), after: Span::new(begin, woven.output.len()) });
            new_end = Some(woven.output.len());
        }
        if let Some(line) = goes {
            woven.output.push_str(&text[rest..starts[line].max(rest)]);
            rest = starts[line + 1];
            let end = woven.output.len();
            woven.replaced.push(Replaced { before: Span::new(starts[line], rest), after: Span::new(end, end) });
        }
    }
    woven.output.push_str(&text[rest..]);
    if new_end == Some(woven.output.len()) {
        let [was_open, stays_open] = script.is_open;
        if stays_open || (is_open && !was_open) {
            let length = bare(woven.output.strip_suffix('\n').unwrap_or(&woven.output)).len();
            woven.output.truncate(length);
            for place in &mut woven.replaced {
                place.after = Span::new(place.after.start().min(length), place.after.end().min(length));
            }
        }
    }
    woven.replaced = joined(woven.replaced);
    Ok(woven)
}

/// Returns whether lines of the file around `gap` end in `\r\n`.
fn has_return(file: &[&str], gap: usize) -> bool {
    let above = gap.checked_sub(1).and_then(|above| file.get(above));
    above.or_else(|| file.get(gap)).is_some_and(|line| line.ends_with('\r'))
}

/// Makes neighbouring places one.
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
