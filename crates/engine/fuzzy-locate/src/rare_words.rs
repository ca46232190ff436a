//! Finds lines that share rare words with a line that does not occur exactly.
//!
//! Cost: one pass over the haystack for all such lines together.

use fuzzy_core::Query;
use rustc_hash::FxHashMap;

use crate::index::Index;

/// The fewest bytes of a compared word: shorter ones occur everywhere.
const MIN_WORD_BYTES: usize = 3;

/// The most lines of a compared word: a more frequent one is ignored.
const MAX_LINES: usize = 400;

/// The least share of a needle line's rarity in a similar line.
const MIN_SHARE: f32 = 0.35;

/// The most similar lines for each line of the needle.
const MAX_SIMILAR: usize = 8;

/// Returns the similar lines of the haystack for each of `needles`, with their shares of its words' rarity.
pub(crate) fn similar_lines(query: &Query<'_>, index: &Index<'_>, needles: &[&str]) -> Vec<Vec<(usize, f32)>> {
    let mut ids: FxHashMap<u64, usize> = FxHashMap::default();
    let wanted: Vec<Vec<usize>> = needles
        .iter()
        .map(|needle| {
            let mut words = Vec::new();
            for_each_word(needle, |hash| {
                let next = ids.len();
                let id = *ids.entry(hash).or_insert(next);
                if !words.contains(&id) {
                    words.push(id);
                }
            });
            words
        })
        .collect();
    let mut filter = [0u64; 64];
    for hash in ids.keys() {
        filter[(hash >> 58) as usize] |= 1 << ((hash >> 52) & 63);
    }
    let mut lines: Vec<Vec<usize>> = vec![Vec::new(); ids.len()];
    let mut counts = vec![0usize; ids.len()];
    for number in 0..index.lines.len() {
        if query.spend(index.line(number).len()).is_break() {
            break;
        }
        for_each_word(index.line(number), |hash| {
            if filter[(hash >> 58) as usize] & (1 << ((hash >> 52) & 63)) == 0 {
                return;
            }
            if let Some(&id) = ids.get(&hash)
                && lines[id].last() != Some(&number)
            {
                counts[id] += 1;
                if lines[id].len() < MAX_LINES {
                    lines[id].push(number);
                }
            }
        });
    }
    let total = index.lines.len().max(1) as f32;
    let rarity: Vec<f32> = counts.iter().map(|&count| (1.0 + total / (1.0 + count as f32)).ln()).collect();
    wanted
        .iter()
        .map(|words| {
            let all: f32 = words.iter().map(|&id| rarity[id]).sum();
            let mut scores: FxHashMap<usize, f32> = FxHashMap::default();
            for &id in words {
                if counts[id] <= MAX_LINES {
                    for &number in &lines[id] {
                        *scores.entry(number).or_default() += rarity[id] / all.max(0.01);
                    }
                }
            }
            let mut similar: Vec<(usize, f32)> = scores.into_iter().filter(|(_, share)| *share >= MIN_SHARE).collect();
            similar.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            similar.truncate(MAX_SIMILAR);
            similar
        })
        .collect()
}

/// Hashes each word of a line, letter case ignored.
fn for_each_word(line: &str, mut sink: impl FnMut(u64)) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_word(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let mut hash = 0u64;
        while at < bytes.len() && is_word(bytes[at]) {
            hash = (hash.rotate_left(5) ^ u64::from(bytes[at] | 0x20)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            at += 1;
        }
        if at - start >= MIN_WORD_BYTES {
            sink(hash);
        }
    }
}

/// Returns whether a byte is part of a word.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
