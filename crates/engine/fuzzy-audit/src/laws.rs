//! The laws that count: words, deltas, shapes, ends.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::case::{Case, Landing};
use crate::law::{Broken, Law};
use crate::text::{Line, Pair};

/// Checks that words come whole, and follow each other as they do in file or new text.
pub(crate) fn words(case: &Case<'_>) -> Result<(), Broken> {
    let sources = [&case.place, &case.new];
    let known: FxHashSet<u64> = sources.iter().flat_map(|text| text.ids()).collect();
    if let Some(at) = case.result.tokens.iter().position(|token| !known.contains(&token.id)) {
        return Err(case.at_token(Law::Words, at));
    }
    // Whether two neighbours have blanks between them anywhere.
    let mut neighbours: FxHashMap<Pair, bool> = FxHashMap::default();
    for text in sources {
        for (at, pair) in text.neighbours() {
            *neighbours.entry(pair).or_default() |= !text.tokens[at].is_adjacent;
        }
    }
    for (at, pair) in case.result.neighbours() {
        let token = &case.result.tokens[at];
        let fits = match neighbours.get(&pair) {
            // Two marks that touch wherever they meet are one sign.
            Some(parted) => *parted || token.is_adjacent || token.is_word(),
            None => case.omissions.allows(pair),
        };
        if !fits {
            return Err(case.at_token(Law::Words, at));
        }
    }
    Ok(())
}

/// Checks that no token's count leaves what place, new text, and the place changed as the edit says have of it.
pub(crate) fn delta(case: &Case<'_>) -> Result<(), Broken> {
    let mut counts: FxHashMap<u64, [isize; 4]> = FxHashMap::default();
    for (which, text) in [&case.place, &case.needle, &case.new, &case.result].into_iter().enumerate() {
        for token in &text.tokens {
            counts.entry(token.id).or_default()[which] += 1;
        }
    }
    if let Some(at) = case.result.tokens.iter().position(|token| breaks_delta(counts[&token.id])) {
        return Err(case.at_token(Law::Delta, at));
    }
    // One that is gone shows nowhere in the result.
    let mut sources = [&case.place, &case.new].into_iter().flat_map(|text| &text.tokens);
    match sources.find(|token| breaks_delta(counts[&token.id])) {
        Some(token) => Err(Broken { law: Law::Delta, line: 0, token: token.text.to_owned() }),
        None => Ok(()),
    }
}

/// What ends lines, and is easily forgotten there.
const MARKS: [&str; 4] = [",", ";", ":", "."];

/// Checks that no line lands that the needle has and the file has not, unless the edit brings more of them, or the mark
/// that it lacks is there elsewhere: what needle and new text share is the file's.
pub(crate) fn shared_lines(case: &Case<'_>) -> Result<(), Broken> {
    let mut counts: FxHashMap<u64, [usize; 3]> = FxHashMap::default();
    for (which, text) in [&case.place, &case.needle, &case.new].into_iter().enumerate() {
        for line in &text.lines {
            counts.entry(line.key).or_default()[which] += 1;
        }
    }
    let is_balanced = |mark: &&str| {
        let [place, needle, new, result] = self::counts(case, mark);
        result == place + new - needle
    };
    if MARKS.iter().all(is_balanced) {
        return Ok(());
    }
    let is_misspelled = |line: &Line<'_>| {
        let [place, needle, new] = counts.get(&line.key).copied().unwrap_or_default();
        place == 0 && 0 < needle && new <= needle
    };
    match case.result.lines.iter().position(is_misspelled) {
        Some(line) => Err(case.at_line(Law::Delta, line)),
        None => Ok(()),
    }
}

/// Returns whether a result has a token more or less often than these counts of the texts allow.
fn breaks_delta([place, needle, new, result]: [isize; 4]) -> bool {
    let changed = place + new - needle;
    result < place.min(new).min(changed) || result > place.max(new).max(changed)
}

/// What opens, and what closes it.
const BRACKETS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];

/// Checks that openers less closers are as file and edit leave them.
pub(crate) fn shape(case: &Case<'_>) -> Result<(), Broken> {
    for (opener, closer) in BRACKETS {
        let (openers, closers) = (counts(case, opener), counts(case, closer));
        let [place, needle, new, result] = [0, 1, 2, 3].map(|text| openers[text] - closers[text]);
        let (file, edit) = (place - needle, new - needle);
        let fits = if file == 0 || edit == 0 {
            let open = merged(openers);
            open.iter().any(|open| merged(closers).iter().any(|close| open - close == result))
        } else {
            result == place || result == new || (file.signum() != edit.signum() && result == place + edit)
        };
        if !fits {
            return Err(Broken { law: Law::Shape, line: 0, token: format!("{opener}{closer}") });
        }
    }
    Ok(())
}

/// Returns how often place, needle, new text and result have a mark.
fn counts(case: &Case<'_>, mark: &str) -> [isize; 4] {
    [&case.place, &case.needle, &case.new, &case.result]
        .map(|text| text.tokens.iter().map(|token| isize::from(token.text == mark)).sum())
}

/// Returns how often a mark is there after both changes: where both add it or both take it, that may be one change.
fn merged([place, needle, new, _]: [isize; 4]) -> [isize; 2] {
    let both = place + new - needle;
    let once = match ((place - needle).signum(), (new - needle).signum()) {
        (1, 1) => place.max(new),
        (-1, -1) => place.min(new),
        _ => both,
    };
    [both, once]
}

/// Checks that lines begin and end as lines of file or new text do, and that none are joined.
pub(crate) fn ends(case: &Case<'_>) -> Result<(), Broken> {
    let sources = [&case.place, &case.new];
    let heads: FxHashSet<Pair> = sources.iter().flat_map(|text| text.heads()).collect();
    let tails: FxHashSet<Pair> = sources.iter().flat_map(|text| text.tails()).collect();
    let beside: FxHashSet<Pair> = sources.iter().flat_map(|text| text.neighbours()).map(|(_, pair)| pair).collect();
    let broken: FxHashSet<Pair> = case.new.breaks().filter(|pair| !beside.contains(pair)).collect();
    let kept_breaks: FxHashSet<Pair> = case.place.breaks().filter(|pair| broken.contains(pair)).collect();
    for (line, (head, tail)) in case.result.heads().zip(case.result.tails()).enumerate() {
        let begins_as_known = heads.contains(&head) || case.omissions.allows(head);
        let ends_as_known = tails.contains(&tail) || case.omissions.allows(tail);
        if !begins_as_known || !ends_as_known {
            return Err(case.at_line(Law::Ends, line));
        }
    }
    match case.result.neighbours().find(|(_, pair)| kept_breaks.contains(pair)) {
        Some((at, _)) => Err(case.at_token(Law::Ends, at)),
        None => Ok(()),
    }
}

/// Checks that whole lines stay whole lines, unless the edit itself takes the last line's ending away.
pub(crate) fn last_break(landing: &Landing<'_>) -> Result<(), Broken> {
    let Landing { place, needle, new, result, .. } = landing;
    let is_kept = new.ends_with('\n') || !needle.ends_with('\n');
    if is_kept && place.ends_with('\n') && !result.is_empty() && !result.ends_with('\n') {
        let line = result.matches('\n').count();
        return Err(Broken { law: Law::Ends, line, token: "\n".to_owned() });
    }
    Ok(())
}
