//! The laws that count: words, deltas, shapes, ends.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::text::Text;
use crate::{Broken, Case, Landing, Law};

/// Checks that words come whole, and stand beside each other as they do in file or new text.
pub(crate) fn words(case: &Case<'_>) -> Result<(), Broken> {
    let sources = [&case.place, &case.new];
    let known: FxHashSet<u64> = sources.iter().flat_map(|text| text.ids()).collect();
    if let Some(at) = case.result.tokens.iter().position(|token| !known.contains(&token.id)) {
        return Err(case.at_token(Law::Words, at));
    }
    // Whether two tokens stand beside each other with blanks between them anywhere.
    let mut neighbours: FxHashMap<(u64, u64), bool> = FxHashMap::default();
    for text in sources {
        for (at, pair) in text.neighbours() {
            *neighbours.entry(pair).or_default() |= !text.tokens[at].touches;
        }
    }
    let fits = |at: usize, pair: (u64, u64)| match neighbours.get(&pair) {
        // Two marks that touch wherever they meet are one sign.
        Some(parted) => *parted || case.result.tokens[at].touches || case.result.tokens[at].is_word(),
        None => case.forgotten.allows(pair),
    };
    match case.result.neighbours().find(|(at, pair)| !fits(*at, *pair)) {
        Some((at, _)) => Err(case.at_token(Law::Words, at)),
        None => Ok(()),
    }
}

/// Checks that no token's count leaves what place, new text, and the place changed as the edit says have of it.
pub(crate) fn delta(case: &Case<'_>) -> Result<(), Broken> {
    let mut counts: FxHashMap<u64, [isize; 4]> = FxHashMap::default();
    for (which, text) in [&case.place, &case.needle, &case.new, &case.result].into_iter().enumerate() {
        for token in &text.tokens {
            counts.entry(token.id).or_default()[which] += 1;
        }
    }
    let is_broken = |id: &u64| {
        let [place, needle, new, result] = counts[id];
        let changed = place + new - needle;
        result < place.min(new).min(changed) || result > place.max(new).max(changed)
    };
    if let Some(at) = case.result.tokens.iter().position(|token| is_broken(&token.id)) {
        return Err(case.at_token(Law::Delta, at));
    }
    // One that is gone shows nowhere in the result.
    match [&case.place, &case.new].into_iter().flat_map(|text| &text.tokens).find(|token| is_broken(&token.id)) {
        Some(token) => Err(Broken { law: Law::Delta, line: 0, token: token.text.to_owned() }),
        None => Ok(()),
    }
}

const BRACKETS: [(&str, &str); 3] = [("(", ")"), ("[", "]"), ("{", "}")];

/// Checks that openers less closers are as file and edit leave them.
pub(crate) fn shape(case: &Case<'_>) -> Result<(), Broken> {
    for (opener, closer) in BRACKETS {
        let count = |text: &Text<'_>, mark: &str| -> isize {
            text.tokens.iter().map(|token| isize::from(token.text == mark)).sum()
        };
        let counts = |mark: &str| [&case.place, &case.needle, &case.new, &case.result].map(|text| count(text, mark));
        let (openers, closers) = (counts(opener), counts(closer));
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
    let heads: FxHashSet<(u64, u64)> = sources.iter().flat_map(|text| text.heads()).collect();
    let tails: FxHashSet<(u64, u64)> = sources.iter().flat_map(|text| text.tails()).collect();
    let beside: FxHashSet<(u64, u64)> =
        sources.iter().flat_map(|text| text.neighbours()).map(|(_, pair)| pair).collect();
    let broken: FxHashSet<(u64, u64)> = case.new.breaks().filter(|pair| !beside.contains(pair)).collect();
    let parted: FxHashSet<(u64, u64)> = case.place.breaks().filter(|pair| broken.contains(pair)).collect();
    for (line, (head, tail)) in case.result.heads().zip(case.result.tails()).enumerate() {
        let fits = |ends: &FxHashSet<(u64, u64)>, end| ends.contains(&end) || case.forgotten.allows(end);
        if !fits(&heads, head) || !fits(&tails, tail) {
            return Err(case.at_line(Law::Ends, line));
        }
    }
    match case.result.neighbours().find(|(_, pair)| parted.contains(pair)) {
        Some((at, _)) => Err(case.at_token(Law::Ends, at)),
        None => Ok(()),
    }
}

/// Checks that whole lines stay whole lines, unless the edit itself takes the last line's ending away.
pub(crate) fn last_break(landing: &Landing<'_>) -> Result<(), Broken> {
    let ends = |text: &str| text.ends_with('\n');
    let kept = ends(landing.new) || !ends(landing.needle);
    if kept && ends(landing.place) && !landing.result.is_empty() && !ends(landing.result) {
        let line = landing.result.matches('\n').count();
        return Err(Broken { law: Law::Ends, line, token: "\n".to_owned() });
    }
    Ok(())
}
