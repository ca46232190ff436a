//! New lines begin and end with the file's marks for those of the edit, as the kept lines show them.
//!
//! ```text
//! file: a();          b();
//! old:  a()           b()    new: a()  c()  b()    result: a();  c()  b();    breaks it: two lines end with `);`
//! ```

use rustc_hash::FxHashMap;

use crate::case::{Case, Landing};
use crate::equivalences::Equivalences;
use crate::law::{Broken, Law};
use crate::text::{Text, Token};

/// The fewest kept lines that show the file's marks.
const MIN_LINES: usize = 2;

/// The marks before the first word of a line, and those after its last one.
type Ends = [Vec<u64>; 2];

/// The ends of the lines with some words; none if these lines differ.
type EndsByWords = FxHashMap<Vec<u64>, Option<Ends>>;

/// Finds an added line that begins or ends with marks of the edit for which the kept lines of the file have others.
pub(crate) fn foreign_marks(case: &Case<'_>) -> Option<Broken> {
    let Landing { given: [needle, new], place, needle: read, .. } = case.landing;
    if needle.is_empty() {
        return None;
    }
    let equivalences = Equivalences::between(place, read);
    let [needle, new] = [needle, new].map(|text| by_words(&Text::new(text, equivalences)));
    let place = by_words(&case.place);
    for side in [0, 1] {
        let mut shown: FxHashMap<&[u64], (Option<&[u64]>, usize)> = FxHashMap::default();
        for (words, ours) in &needle {
            let (Some(ours), Some(Some(theirs))) = (ours, place.get(words)) else { continue };
            if new.get(words) != Some(&Some(ours.clone())) {
                continue;
            }
            let (known, lines) = shown.entry(&ours[side]).or_insert((Some(&theirs[side]), 0));
            *known = known.filter(|known| *known == theirs[side]);
            *lines += 1;
        }
        let is_foreign = |line: usize| {
            let Some((words, written)) = ends(case.result.on(line)).filter(|(words, _)| !place.contains_key(words))
            else {
                return false;
            };
            let Some(Some(ours)) = new.get(&words) else { return false };
            let known = shown.get(&*ours[side]).filter(|(_, lines)| *lines >= MIN_LINES).and_then(|(known, _)| *known);
            known.is_some_and(|known| known != ours[side] && written[side] == ours[side])
        };
        if let Some(line) = (0..case.result.lines.len()).find(|&line| is_foreign(line)) {
            return Some(case.at_line(Law::Marks, line));
        }
    }
    None
}

/// Returns the ends of each line of code by its words.
fn by_words(text: &Text<'_>) -> EndsByWords {
    let mut found = EndsByWords::default();
    for (words, ends) in (0..text.lines.len()).filter_map(|line| ends(text.on(line))) {
        let known = found.entry(words).or_insert_with(|| Some(ends.clone()));
        *known = known.take().filter(|known| *known == ends);
    }
    found
}

/// Returns the words of a line, and the marks at its ends; none for a comment, or a line without words.
fn ends(line: &[Token<'_>]) -> Option<(Vec<u64>, Ends)> {
    let first = line.iter().position(Token::is_word)?;
    let last = line.iter().rposition(Token::is_word)?;
    if matches!(line[0].text, "#" | "*" | "-") || line[0].text == "/" && first > 1 {
        return None;
    }
    let ids = |tokens: &[Token<'_>]| tokens.iter().map(|token| token.id).collect();
    let words = line.iter().filter(|token| token.is_word()).map(|token| token.id).collect();
    Some((words, [ids(&line[..first]), ids(&line[last + 1..])]))
}
