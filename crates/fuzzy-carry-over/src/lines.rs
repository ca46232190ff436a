//! Aligns the lines of two texts, allowing missing, extra, wrapped and joined lines.
//!
//! Blank lines take no part: leave them out. Time and space: O(n·m) for n and m lines, with an
//! edit distance only for those lines of the first text that stand nowhere in the second.

use rapidfuzz::distance::indel;
use rustc_hash::FxHashMap;

use crate::fold::{self, Key};

/// Two lines less similar than this are not one line, changed.
const LEAST_SIMILARITY: f32 = 0.5;

/// A line is at most this many lines of the other text: longer wraps are rare, and every step
/// allowed costs a table.
const LONGEST_WRAP: usize = 4;

/// What leaving out a line of the first text costs, as a share of its weight: less than half
/// of what pairing it well brings, so that one foreign line never hides its neighbours.
const EXTRA: f32 = 0.25;

/// What leaving out the first or the last line costs besides: a place whose ends are known is
/// better than one that explains a little more somewhere else.
const UNPINNED: f32 = 0.3;

/// How alike a line is to the first or last line of the other text that was cut out of it.
const CUT: f32 = 0.9;

/// What starting, and prolonging, a run of lines that only the second text has costs.
/// A forgotten block of ten lines is hardly less likely than one of a single line.
const MISSING_OPEN: f32 = 0.06;
const MISSING_MORE: f32 = 0.025;

/// What equal keys of unequal texts cost: just enough to prefer the equal text.
const UNEQUAL: f32 = 0.02;

/// Comparing more pairs than this by similarity is not worth its time.
const MOST_COMPARISONS: usize = 4_000;

/// Holds one line with what aligning it needs.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// Holds the text of the line, without its `\n`.
    pub text: &'t str,
    /// Holds the key of the text.
    pub key: Key,
    /// Tells how much finding this line proves, more than 0.
    pub weight: f32,
    /// Marks a line that stands for any number of others.
    pub elision: bool,
}

impl<'t> Line<'t> {
    /// Builds a line that weighs by how much it says.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let key = fold::key(text);
        Self { text, key, weight: information(key), elision: is_elision(text) }
    }
}

/// Says how much a line tells, from its length alone: 0.05 for a lone bracket, at most 1.
#[must_use]
pub fn information(key: Key) -> f32 {
    // About 20 letters make a line as telling as it gets.
    0.05 + 0.95 * (key.word.min(20) as f32 / 20.0)
}

/// Tells whether a line says "and so on": an ellipsis alone or in a comment, or a comment
/// that promises the rest unchanged.
#[must_use]
pub fn is_elision(line: &str) -> bool {
    let text = line.trim_matches(|c: char| {
        fold::is_blank(c)
            || matches!(c, '#' | '/' | '*' | '-' | '<' | '>' | '!' | ';' | '%' | '(' | ')' | '[' | ']' | '{' | '}')
    });
    let dots = |text: &str| text.starts_with("...") || text.starts_with('…');
    if text.len() > 80 || text.is_empty() {
        return false;
    }
    let bare = text.trim_matches(|c: char| c == '.' || c == '…' || fold::is_blank(c));
    if bare.is_empty() {
        return dots(text);
    }
    let lower = bare.to_lowercase();
    if matches!(
        lower.as_str(),
        "rest unchanged"
            | "unchanged"
            | "existing code"
            | "rest of code"
            | "rest of the code"
            | "rest of file"
            | "rest of the file"
            | "remaining code unchanged"
            | "rest of code unchanged"
            | "same as before"
    ) {
        return line.trim_start_matches(fold::is_blank).starts_with(|c: char| !c.is_alphanumeric());
    }
    let marked = dots(text) || text.ends_with("...") || text.ends_with('…');
    let words = [
        "existing",
        "unchanged",
        "rest of",
        "remaining",
        "omitted",
        "same as before",
        "previous code",
        "other code",
        "snip",
        "truncated",
        "no changes",
    ];
    let comment = line
        .trim_start_matches(fold::is_blank)
        .starts_with(|c: char| matches!(c, '#' | '/' | '*' | '-' | '<' | ';' | '%' | '.' | '…' | '(' | '[' | '{'));
    comment && marked && words.iter().any(|word| lower.contains(word))
}

/// Pairs some lines of the first text with some of the second; one of the two ranges has
/// length 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Gives the first line and the number of lines in the first text.
    pub left: (usize, usize),
    /// Gives the first line and the number of lines in the second text.
    pub right: (usize, usize),
    /// Says how alike they are; 1 when their keys are equal.
    pub similarity: f32,
}

/// Holds the outcome of [`align`].
#[derive(Clone, Debug, Default)]
pub struct Alignment {
    /// Lists the pairs in order; they never cross.
    pub pairs: Vec<Pair>,
    /// Sums what was paired, less what was left out.
    pub score: f32,
}

/// Slides runs that only one text has so that the longest stretch of pairs gets longer.
///
/// `a, b, [b, c,] b, d` and `a, [b, b, c,] b, d` leave out the same lines; a reader takes the one
/// that leaves more in one piece.
pub(crate) fn settle(aligned: &mut Alignment, left: &[Line<'_>], right: &[Line<'_>]) {
    let pairs = &mut aligned.pairs;
    if pairs.iter().any(|pair| pair.left.1 != 1 || pair.right.1 != 1) {
        return;
    }
    let equal = |i: usize, j: usize| left[i].text == right[j].text;
    for at in 1..pairs.len() {
        let (before, after) = (pairs[at - 1], pairs[at]);
        let extra = after.left.0 - before.left.0 - 1;
        let missing = after.right.0 - before.right.0 - 1;
        if (extra == 0) == (missing == 0) {
            continue;
        }
        let mut head = 1;
        while head < at && joined(&pairs[at - head - 1], &pairs[at - head]) {
            head += 1;
        }
        let mut tail = 1;
        while at + tail < pairs.len() && joined(&pairs[at + tail - 1], &pairs[at + tail]) {
            tail += 1;
        }
        // Pairs before the run may move behind it, or pairs behind it before it.
        let mut down = 0;
        while down < head {
            let pair = pairs[at - 1 - down];
            if !equal(pair.left.0 + extra, pair.right.0 + missing) {
                break;
            }
            down += 1;
        }
        if down > 0 && tail + down > head {
            for pair in &mut pairs[at - down..at] {
                pair.left.0 += extra;
                pair.right.0 += missing;
            }
            continue;
        }
        let mut up = 0;
        while up < tail {
            let pair = pairs[at + up];
            if !equal(pair.left.0 - extra, pair.right.0 - missing) {
                break;
            }
            up += 1;
        }
        if up > 0 && head + up >= tail {
            for pair in &mut pairs[at..at + up] {
                pair.left.0 -= extra;
                pair.right.0 -= missing;
            }
        }
    }
}

fn joined(a: &Pair, b: &Pair) -> bool {
    a.left.0 + 1 == b.left.0 && a.right.0 + 1 == b.right.0
}

const STOP: u8 = 0;
const PAIR: u8 = 1;
const EXTRA_STEP: u8 = 2;
const MISSING_STEP: u8 = 3;
const WRAP: u8 = 4;
const OPENED: u8 = 1;

/// Aligns `left` with `right`. With `free`, the lines of `right` before the first pair and after
/// the last one cost nothing.
#[must_use]
pub fn align(left: &[Line<'_>], right: &[Line<'_>], free: bool) -> Alignment {
    let (n, m) = (left.len(), right.len());
    if n == 0 || m == 0 {
        return Alignment::default();
    }
    let similar = similarities(left, right);
    let wraps = wraps(left, right);
    let width = m + 1;
    let mut trace = vec![STOP; (n + 1) * width];
    let mut opened = vec![0u8; (n + 1) * width];
    // `best` holds the rows' values; `run` the best value that ends in a missing line.
    let mut best = vec![0f32; (n + 1) * width];
    let mut run = vec![f32::NEG_INFINITY; width];
    for j in 1..=m {
        if !free {
            best[j] = -(MISSING_OPEN + MISSING_MORE * j as f32);
            trace[j] = MISSING_STEP;
            opened[j] = u8::from(j == 1);
        }
    }
    for i in 1..=n {
        let line = &left[i - 1];
        let row = i * width;
        let above = row - width;
        let end = free && n > 1 && (i == 1 || i == n);
        let extra = match line.elision {
            true => 0.0,
            false => EXTRA * line.weight + 0.01 + if end { UNPINNED } else { 0.0 },
        };
        best[row] = best[above] - extra;
        trace[row] = EXTRA_STEP;
        run[0] = f32::NEG_INFINITY;
        // Behind an elision, and behind the last line, missing lines are free.
        let elided = line.elision || (i < n && left[i].elision);
        let (open, more) = if elided || (free && i == n) { (0.0, 0.0) } else { (MISSING_OPEN, MISSING_MORE) };
        for j in 1..=m {
            let mut value = best[above + j] - extra;
            let mut step = EXTRA_STEP;
            let other = &right[j - 1];
            let similarity = if line.key == other.key {
                1.0
            } else {
                similar.get(&(small(i - 1), small(j - 1))).copied().unwrap_or(0.0)
            };
            if similarity > 0.0 {
                let mut paired = best[above + j - 1] + line.weight * (1.6 * similarity - 0.6);
                if line.text != other.text {
                    paired -= UNEQUAL * line.weight;
                }
                // Of equal ways the one that pairs the earlier lines is taken.
                if paired > value + 1e-5 {
                    value = paired;
                    step = PAIR;
                }
            }
            if !wraps.is_empty() {
                if let Some(&(a, b)) = wraps.get(&(small(i), small(j))) {
                    let (a, b) = (usize::from(a), usize::from(b));
                    let weight: f32 = left[i - a..i].iter().map(|line| line.weight).sum();
                    let wrapped = best[(i - a) * width + j - b] + weight * 0.97;
                    if wrapped > value {
                        value = wrapped;
                        step = WRAP;
                    }
                }
            }
            let continued = run[j - 1] - more;
            let started = best[row + j - 1] - open - more;
            let (missing, mark) = if started >= continued { (started, OPENED) } else { (continued, 0) };
            run[j] = missing;
            opened[row + j] = mark;
            if missing > value {
                value = missing;
                step = MISSING_STEP;
            }
            best[row + j] = value;
            trace[row + j] = step;
        }
    }
    walk(left, right, &Tables { best, trace, opened, width, free }, &similar, &wraps)
}

struct Tables {
    best: Vec<f32>,
    trace: Vec<u8>,
    opened: Vec<u8>,
    width: usize,
    free: bool,
}

fn walk(
    left: &[Line<'_>],
    right: &[Line<'_>],
    tables: &Tables,
    similar: &FxHashMap<(u32, u32), f32>,
    wraps: &FxHashMap<(u32, u32), (u8, u8)>,
) -> Alignment {
    let (n, m) = (left.len(), right.len());
    let width = tables.width;
    let (mut i, mut j) = (n, m);
    let score = tables.best[n * width + m];
    let mut pairs = Vec::new();
    while i > 0 {
        match tables.trace[i * width + j] {
            PAIR => {
                let similarity = if left[i - 1].key == right[j - 1].key {
                    1.0
                } else {
                    similar.get(&(small(i - 1), small(j - 1))).copied().unwrap_or(0.0)
                };
                pairs.push(Pair { left: (i - 1, 1), right: (j - 1, 1), similarity });
                i -= 1;
                j -= 1;
            }
            WRAP => {
                let Some(&(a, b)) = wraps.get(&(small(i), small(j))) else {
                    break;
                };
                let (a, b) = (usize::from(a), usize::from(b));
                pairs.push(Pair { left: (i - a, a), right: (j - b, b), similarity: 1.0 });
                i -= a;
                j -= b;
            }
            MISSING_STEP if j > 0 => {
                // Follow the run to where it was opened.
                while j > 0 && tables.opened[i * width + j] != OPENED {
                    j -= 1;
                }
                j = j.saturating_sub(1);
            }
            EXTRA_STEP => i -= 1,
            _ => break,
        }
        if i == 0 && tables.free {
            break;
        }
    }
    pairs.reverse();
    Alignment { pairs, score }
}

/// Compares those lines of `left` that stand nowhere in `right` with those of `right` that
/// stand nowhere in `left`.
fn similarities(left: &[Line<'_>], right: &[Line<'_>]) -> FxHashMap<(u32, u32), f32> {
    let mut found = FxHashMap::default();
    let lone = |of: &[Line<'_>], among: &[Line<'_>]| -> Vec<(usize, Vec<u8>)> {
        let keys: rustc_hash::FxHashSet<Key> = among.iter().map(|line| line.key).collect();
        of.iter()
            .enumerate()
            .filter(|(_, line)| !line.elision && line.key.len > 0 && !keys.contains(&line.key))
            .map(|(index, line)| (index, fold::folded(line.text)))
            .collect()
    };
    let lefts = lone(left, right);
    if lefts.is_empty() {
        return found;
    }
    let rights = lone(right, left);
    let mut budget = MOST_COMPARISONS;
    for (i, a) in &lefts {
        let scorer = indel::BatchComparator::new(a.iter().copied());
        for (j, b) in &rights {
            if cut(left, *i, a, b) {
                found.insert((small(*i), small(*j)), CUT);
                continue;
            }
            let (short, long) = (a.len().min(b.len()), a.len().max(b.len()));
            // The indel similarity is at most 2·short / (short + long).
            if (2 * short) as f32 / ((short + long) as f32) < LEAST_SIMILARITY {
                continue;
            }
            if budget == 0 {
                return found;
            }
            budget -= 1;
            let args = indel::Args::default().score_cutoff(f64::from(LEAST_SIMILARITY));
            if let Some(similarity) = scorer.normalized_similarity_with_args(b.iter().copied(), &args) {
                #[allow(clippy::cast_possible_truncation)] // A similarity needs no more than f32.
                let similarity = (similarity as f32).min(0.99);
                found.insert((small(*i), small(*j)), similarity);
            }
        }
    }
    found
}

/// Tells whether the first line of a needle is the end of a line, or the last one its beginning.
fn cut(left: &[Line<'_>], index: usize, line: &[u8], whole: &[u8]) -> bool {
    let stem = line.strip_suffix(b"...").unwrap_or(line);
    let enough = stem.len() >= 4 && left.len() > 1;
    enough && ((index + 1 == left.len() && whole.starts_with(stem)) || (index == 0 && whole.ends_with(line)))
}

/// Finds runs of lines on one side that are one line on the other; keyed by the ends.
fn wraps(left: &[Line<'_>], right: &[Line<'_>]) -> FxHashMap<(u32, u32), (u8, u8)> {
    let mut found = FxHashMap::default();
    let mut search = |many: &[Line<'_>], one: &[Line<'_>], flipped: bool| {
        let mut places: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
        for (index, line) in one.iter().enumerate() {
            if line.key.word >= 4 {
                places.entry(line.key).or_default().push(index);
            }
        }
        for start in 0..many.len() {
            let mut key = many[start].key;
            for length in 2..=LONGEST_WRAP.min(many.len() - start) {
                key = key.join(many[start + length - 1].key);
                for &at in places.get(&key).map_or(&[][..], Vec::as_slice) {
                    let (ends, lengths) = if flipped {
                        ((at + 1, start + length), (1, length))
                    } else {
                        ((start + length, at + 1), (length, 1))
                    };
                    #[allow(clippy::cast_possible_truncation)] // At most LONGEST_WRAP.
                    found.insert((small(ends.0), small(ends.1)), (lengths.0 as u8, lengths.1 as u8));
                }
            }
        }
    };
    search(left, right, false);
    search(right, left, true);
    found
}

fn small(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
