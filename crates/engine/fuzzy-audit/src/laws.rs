//! The laws of words, counts, brackets and ends.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::case::{Case, Landing};
use crate::law::{Broken, Law};
use crate::text::{Line, Pair};

/// Checks that all words are whole words of the file or the new text, in an order that one of them has.
pub(crate) fn words(case: &Case<'_>) -> Result<(), Broken> {
    let sources = [&case.place, &case.new];
    let known: FxHashSet<u64> = sources.iter().flat_map(|text| text.ids()).collect();
    if let Some(at) = case.result.tokens.iter().position(|token| !known.contains(&token.id)) {
        return Err(case.at_token(Law::Words, at));
    }
    // Whether two neighbours have a blank between them in any text.
    let mut neighbours: FxHashMap<Pair, bool> = FxHashMap::default();
    for text in sources {
        for (at, pair) in text.neighbours() {
            *neighbours.entry(pair).or_default() |= !text.tokens[at].is_adjacent;
        }
    }
    for (at, pair) in case.result.neighbours() {
        let token = &case.result.tokens[at];
        let fits = match neighbours.get(&pair) {
            // Two marks without a blank between them in any text are one sign.
            Some(parted) => *parted || token.is_adjacent || token.is_word(),
            None => case.omissions.allows(pair),
        };
        if !fits {
            return Err(case.at_token(Law::Words, at));
        }
    }
    Ok(())
}

/// Checks that every token's count lies between those of the place, the new text, and both changes together.
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
    // The result lacks a lost token.
    let mut sources = [&case.place, &case.new].into_iter().flat_map(|text| &text.tokens);
    match sources.find(|token| breaks_delta(counts[&token.id])) {
        Some(token) => Err(Broken { law: Law::Delta, line: 0, token: token.text.to_owned() }),
        None => Ok(()),
    }
}

/// Marks that copies often lack at line ends.
const MARKS: [&str; 4] = [",", ";", ":", "."];

/// Checks that no line of the needle lands that the file lacks, unless the edit adds more of them, or the result has
/// the marks that it lacks elsewhere: lines that needle and new text share belong to the file.
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

/// Returns whether the result's count of a token is outside the bounds of the other counts.
fn breaks_delta([place, needle, new, result]: [isize; 4]) -> bool {
    let changed = place + new - needle;
    result < place.min(new).min(changed) || result > place.max(new).max(changed)
}

/// Opening brackets and their closing ones.
const BRACKETS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];

/// Checks that the excess of opening brackets follows from the changes of file and edit.
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

/// Returns the counts of a mark in place, needle, new text and result.
fn counts(case: &Case<'_>, mark: &str) -> [isize; 4] {
    [&case.place, &case.needle, &case.new, &case.result]
        .map(|text| text.tokens.iter().map(|token| isize::from(token.text == mark)).sum())
}

/// Returns the counts of a mark after both changes. If both add it or both delete it, that may be one change.
fn merged([place, needle, new, _]: [isize; 4]) -> [isize; 2] {
    let both = place + new - needle;
    let once = match ((place - needle).signum(), (new - needle).signum()) {
        (1, 1) => place.max(new),
        (-1, -1) => place.min(new),
        _ => both,
    };
    [both, once]
}

/// Checks that lines begin and end like lines of the file or the new text, and that no lines are joined.
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

/// Checks that whole lines end with a line break, unless the edit deletes the last one.
pub(crate) fn last_break(landing: &Landing<'_>) -> Result<(), Broken> {
    let Landing { place, needle, new, result, .. } = landing;
    let is_kept = new.ends_with('\n') || !needle.ends_with('\n');
    if is_kept && place.ends_with('\n') && !result.is_empty() && !result.ends_with('\n') {
        let line = result.matches('\n').count();
        return Err(Broken { law: Law::Ends, line, token: "\n".to_owned() });
    }
    Ok(())
}
