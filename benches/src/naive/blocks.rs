//! Rungs that look for a first and a last line.

use fuzzy_core::distance::utf16_len;
use fuzzy_pipeline::blank;

use super::{Place, lines_of, needle_lines, place};

/// The distance in UTF-16 code units, by the plain function: each unit becomes a character of its own.
pub(super) fn utf16_distance(a: &str, b: &str) -> usize {
    let units = |text: &str| -> String {
        let char_of = |unit: u16| char::from_u32(u32::from(unit)).or(char::from_u32(0x10_0000 + u32::from(unit)));
        text.encode_utf16().filter_map(char_of).collect()
    };
    levenshtein::levenshtein(&units(a), &units(b))
}

/// For each line that is the needle's first: down to the first closing one at or after the second below it.
fn blocks<'h>(lines: &'h [(usize, &'h str)], wanted: &[&str]) -> Vec<&'h [(usize, &'h str)]> {
    let is = |line: &str, want: &str| blank::trim(line) == blank::trim(want);
    let mut blocks = Vec::new();
    for first in 0..lines.len() {
        if is(lines[first].1, wanted[0])
            && let Some(last) = (first + 2..lines.len()).find(|last| is(lines[*last].1, wanted[wanted.len() - 1]))
        {
            blocks.push(&lines[first..=last]);
        }
    }
    blocks
}

fn anchored(haystack: &str, needle: &str, single: f64, several: f64, guarded: bool) -> Vec<Place> {
    if needle.split('\n').count() < 3 {
        return Vec::new();
    }
    let wanted = needle_lines(needle);
    let lines = lines_of(haystack);
    let mut blocks = blocks(&lines, &wanted);
    if guarded {
        blocks.retain(|block| block.len().abs_diff(wanted.len()) <= (wanted.len() / 4).max(1));
    }
    let similarity = |block: &[(usize, &str)]| {
        let pairs = wanted.len().min(block.len()).saturating_sub(2);
        if pairs == 0 {
            return 1.0;
        }
        let mut sum = 0.0;
        for at in 1..=pairs {
            let (have, want) = (blank::trim(block[at].1), blank::trim(wanted[at]));
            let longer = utf16_len(have).max(utf16_len(want));
            if longer > 0 {
                sum += 1.0 - utf16_distance(have, want) as f64 / longer as f64;
            }
        }
        sum / pairs as f64
    };
    let least = if blocks.len() == 1 { single } else { several };
    let mut best: Option<(f64, Place)> = None;
    for block in blocks {
        let alike = similarity(block);
        if best.is_none_or(|(best, _)| alike > best) {
            best = Some((alike, place(block)));
        }
    }
    best.filter(|(alike, _)| *alike >= least).map(|(_, place)| place).into_iter().collect()
}

pub(super) fn anchor(haystack: &str, needle: &str) -> Vec<Place> {
    anchored(haystack, needle, 0.0, 0.3, false)
}

pub(super) fn anchor_guarded(haystack: &str, needle: &str) -> Vec<Place> {
    anchored(haystack, needle, 0.65, 0.65, true)
}

pub(super) fn anchor_whole(haystack: &str, needle: &str) -> Vec<Place> {
    let wanted = needle_lines(needle);
    if wanted.len() < 3 {
        return Vec::new();
    }
    let lines = lines_of(haystack);
    let is = |line: &str, want: &str| blank::trim(line) == blank::trim(want);
    let mut scored = Vec::new();
    for first in (0..lines.len()).filter(|first| is(lines[*first].1, wanted[0])) {
        for last in (first + 2..lines.len()).filter(|last| is(lines[*last].1, wanted[wanted.len() - 1])) {
            let (start, end) = place(&lines[first..=last]);
            let text = &haystack[start..end];
            let longer = utf16_len(text).max(utf16_len(needle));
            scored.push((1.0 - utf16_distance(text, needle) as f64 / longer as f64, (start, end)));
        }
    }
    let least = if scored.len() == 1 { 0.0 } else { 0.3 };
    let best = scored.iter().map(|(alike, _)| *alike).fold(least, f64::max);
    scored.into_iter().filter(|(alike, _)| *alike >= best).map(|(_, place)| place).collect()
}

pub(super) fn context(haystack: &str, needle: &str) -> Vec<Place> {
    if needle.split('\n').count() < 3 {
        return Vec::new();
    }
    let wanted = needle_lines(needle);
    let lines = lines_of(haystack);
    let fits = |block: &&[(usize, &str)]| {
        let pairs = block.iter().zip(&wanted).skip(1).take(wanted.len().saturating_sub(2));
        let pairs: Vec<(&str, &str)> = pairs.map(|(have, want)| (blank::trim(have.1), blank::trim(want))).collect();
        let compared = pairs.iter().filter(|(have, want)| !have.is_empty() || !want.is_empty());
        let equal = compared.clone().filter(|(have, want)| have == want).count();
        block.len() == wanted.len() && 2 * equal >= compared.count()
    };
    blocks(&lines, &wanted).into_iter().filter(fits).map(place).collect()
}
