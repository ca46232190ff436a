//! Names letters and marks that look like others by their code points.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The most characters of a compared line: a reader finds no single letter in a longer one.
const MAX_COMPARED: usize = 400;

/// The most named characters of a text: more of them are another script, which is visible.
const MAX_NAMED: usize = 4;

/// Returns two texts with the code point after each character that differs and may look alike.
pub(crate) fn named(a: &str, b: &str) -> (String, String) {
    let [in_a, in_b] = differing(a, b);
    (shown(a, &in_a), shown(b, &in_b))
}

/// Returns the code points of the characters that differ and may look alike, for a sentence: ` (U+2013)`, or nothing.
pub(crate) fn code_points(a: &str, b: &str) -> [String; 2] {
    let [in_a, in_b] = differing(a, b);
    let listed = |text: &str, differing: &[bool]| {
        let points = text.chars().zip(differing).filter(|(_, is)| **is);
        let points: Vec<String> = points.map(|(c, _)| format!("U+{:04X}", u32::from(c))).collect();
        if points.is_empty() { String::new() } else { format!(" ({})", points.join(", ")) }
    };
    [listed(a, &in_a), listed(b, &in_b)]
}

/// Returns whether two texts differ in characters that may look alike.
pub(crate) fn are_beside(a: &str, b: &str) -> bool {
    differing(a, b).iter().flatten().any(|differs| *differs)
}

/// Returns for each character of two texts whether it differs and may look alike: one that is not ASCII where the other
/// text has an ASCII one, a combining accent, and one without width. None do if there are too many.
fn differing(a: &str, b: &str) -> [Vec<bool>; 2] {
    let is_short = |text: &str| text.chars().nth(MAX_COMPARED).is_none();
    if (a.is_ascii() && b.is_ascii()) || !is_short(a) || !is_short(b) {
        return [Vec::new(), Vec::new()];
    }
    let [ours, theirs] = [a, b].map(|text| text.split_inclusive(|_| true).collect::<Vec<&str>>());
    let mut named = [vec![false; ours.len()], vec![false; theirs.len()]];
    for op in capture_diff_slices(Algorithm::Myers, &ours, &theirs) {
        let (old, new) = (op.old_range(), op.new_range());
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let is_alike = |at: usize, other: usize| {
            let (one, other) = (ours[at], theirs[other]);
            one.is_ascii() != other.is_ascii() && !one.trim().is_empty() && !other.trim().is_empty()
        };
        for (at, other) in old.clone().zip(new.clone()) {
            if is_alike(at, other) {
                (named[0][at], named[1][other]) = (!ours[at].is_ascii(), !theirs[other].is_ascii());
            }
        }
        old.filter(|&at| is_hidden(ours[at])).for_each(|at| named[0][at] = true);
        new.filter(|&at| is_hidden(theirs[at])).for_each(|at| named[1][at] = true);
    }
    if named.iter().any(|named| named.iter().filter(|named| **named).count() > MAX_NAMED) {
        return [Vec::new(), Vec::new()];
    }
    named
}

/// Returns whether a character is an accent on the one before it, or has no width.
fn is_hidden(c: &str) -> bool {
    c.starts_with(|c| matches!(c, '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'))
}

/// Returns a text with the code points of some of its characters.
fn shown(text: &str, named: &[bool]) -> String {
    let mut shown = String::new();
    for (at, c) in text.chars().enumerate() {
        shown.push(c);
        if named.get(at) == Some(&true) {
            shown.extend(format!("<U+{:04X}>", u32::from(c)).chars());
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn look_alikes_have_their_code_points() {
        assert_eq!(named("status", "ѕtatus"), ("status".into(), "ѕ<U+0455>tatus".into()));
        assert_eq!(named("a - b", "a – b"), ("a - b".into(), "a –<U+2013> b".into()));
        assert_eq!(named("cafe\u{301}", "café").0, "cafe\u{301}<U+0301>");
        assert_eq!(named("ab", "a\u{200b}b").1, "a\u{200b}<U+200B>b");
    }

    #[test]
    fn words_of_other_scripts_stay_as_they_are() {
        assert_eq!(named("# 東京", "# 京都"), ("# 東京".into(), "# 京都".into()));
        assert_eq!(named("x = 1 # привет", "x = 2 # привет").1, "x = 2 # привет");
    }
}
