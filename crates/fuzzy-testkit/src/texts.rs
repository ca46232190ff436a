//! Generated haystacks and needles with the irregularities of real files.

use fuzzy_core::blank;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

/// Returns the settings of a property test, like [`config_of`], for 512 cases.
#[must_use]
pub fn config() -> ProptestConfig {
    config_of(512)
}

/// Returns the settings of a property test for `cases` cases, or for the number in `PROPTEST_CASES`.
///
/// The seed is fixed, so that a passed test passes again. `PROPTEST_RNG_SEED` sets another one, as `cargo xtask fuzz`
/// does in every round. Failures are not stored in files: the smallest input is printed, and becomes a test of its own.
#[must_use]
pub fn config_of(cases: u32) -> ProptestConfig {
    let asked = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { cases };
    let rng_seed = if asked.rng_seed == RngSeed::Random { RngSeed::Fixed(0) } else { asked.rng_seed };
    ProptestConfig { cases, rng_seed, ..asked }
}

/// Pieces of few, similar parts, so that near misses and repetitions are frequent.
const PIECES: &[&str] = &[
    "a", "b", "ab", "foo", "foo(a,b)", "x = 1;", "}", "{", "return", "é", "ü", "😀", "“q”", "\"q\"", "it's", "it\\'s",
    "\\n", "\\t", "\\\\", "\\", "$", "`", "\u{200b}", "e\u{301}",
];

/// Blanks and near blanks, including multi-byte ones.
const BLANKS: &[&str] =
    &[" ", "  ", "    ", "\t", "\t\t", "\u{a0}", "\u{3000}", "\u{feff}", "\u{2028}", "\u{85}", "\r", ""];

fn line() -> impl Strategy<Value = String> {
    let part = prop_oneof![3 => select(PIECES), 2 => select(BLANKS)];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

/// Generates texts of up to `lines` lines: few distinct lines, indented, with `\n` or `\r\n`, with and without a final
/// line break.
pub fn text(lines: usize) -> impl Strategy<Value = String> {
    let distinct = prop::collection::vec(line(), 1..5);
    (distinct, prop::collection::vec((any::<Index>(), 0..BLANKS.len(), 0..8_u8), 0..=lines), any::<bool>()).prop_map(
        |(distinct, picks, final_break)| {
            let mut text = String::new();
            for (at, (pick, indent, ending)) in picks.iter().enumerate() {
                text.push_str(BLANKS[*indent]);
                text.push_str(&distinct[pick.index(distinct.len())]);
                if at + 1 < picks.len() || final_break {
                    text.push_str(if *ending == 0 { "\r\n" } else { "\n" });
                }
            }
            text
        },
    )
}

/// Generates a haystack and a needle whose places may overlap.
pub fn repetitive() -> impl Strategy<Value = (String, String)> {
    ("[ab]{0,30}", "[ab]{0,3}")
}

/// Generates a haystack and a related needle: cut out of it with changed blanks, or made of the same few parts.
pub fn pair() -> impl Strategy<Value = (String, String)> {
    let cut = (text(12), any::<Index>(), any::<Index>(), drift()).prop_map(|(haystack, from, length, drift)| {
        let boundaries: Vec<usize> = haystack.char_indices().map(|(at, _)| at).chain([haystack.len()]).collect();
        let from = from.index(boundaries.len());
        let to = from + length.index(boundaries.len() - from);
        let needle = drift.apply(&haystack[boundaries[from]..boundaries[to]]);
        (haystack, needle)
    });
    let lines = (text(12), any::<Index>(), 1..6_usize, drift()).prop_map(|(haystack, from, count, drift)| {
        let lines: Vec<&str> = haystack.split('\n').collect();
        let from = from.index(lines.len());
        let to = (from + count).min(lines.len());
        let needle = drift.apply(&lines[from..to].join("\n"));
        (haystack, needle)
    });
    prop_oneof![3 => cut, 3 => lines, 1 => (text(12), text(4))]
}

/// Generates a haystack of a few lines, repeated so often that a search around the places of one line falls back to a
/// scan, and a needle as in [`pair`] that crosses the repetitions.
pub fn repeated() -> impl Strategy<Value = (String, String)> {
    (pair(), text(3), 100..300_usize).prop_map(|((some, needle), end, times)| {
        let some = if some.is_empty() { needle.clone() } else { some };
        (some.repeat(times.min(20_000 / some.len().max(1))) + &end, needle)
    })
}

/// Runs of blanks of every kind that strategies distinguish: within a line and across, with one and several line
/// breaks, of one byte and several.
const RUNS: &[&str] = &[
    "",
    " ",
    "  ",
    "\t",
    "\u{3000}",
    "\u{a0} ",
    " \u{3000}\t",
    "\r",
    "\u{feff}",
    "\n",
    "\n ",
    "\n\u{3000}",
    " \n",
    "\u{a0}\n\t",
    "\n\n",
    "\n \n  ",
    " \n\u{2003}\n",
];

/// Generates a short haystack, and a needle cut out of it with other runs of blanks, with multi-byte blanks at every
/// border. It is short enough for an oracle that tests every span.
pub fn respaced() -> impl Strategy<Value = (String, String)> {
    let run = prop_oneof![2 => Just(" "), 3 => select(RUNS)];
    let word = select(&["a", "b", "é", "ab", "aa", "a.b", "\u{1f600}"][..]);
    let haystack = (run.clone(), prop::collection::vec((word, run.clone()), 0..7))
        .prop_map(|(first, rest)| rest.into_iter().fold(first.to_owned(), |text, (word, run)| text + word + run));
    // Most runs remain unchanged.
    let other = prop_oneof![3 => Just(None), 2 => run.prop_map(Some)];
    (haystack, any::<(Index, Index)>(), prop::collection::vec(other, 10)).prop_map(|(haystack, (from, to), runs)| {
        let bounds: Vec<usize> = haystack.char_indices().map(|(at, _)| at).chain([haystack.len()]).collect();
        let (from, to) = (bounds[from.index(bounds.len())], bounds[to.index(bounds.len())]);
        let mut rest = &haystack[from.min(to)..from.max(to)];
        let mut needle = String::new();
        for run in runs.iter().cycle() {
            let (blanks, after) = rest.split_at(blank::leading(rest));
            needle.push_str(run.unwrap_or(blanks));
            let (word, after) = after.split_at(after.find(blank::is_blank).unwrap_or(after.len()));
            needle.push_str(word);
            if rest.is_empty() {
                break;
            }
            rest = after;
        }
        (haystack, needle)
    })
}

/// Generates a haystack of similar lines, and a needle of some adjacent lines with a few characters changed, added and
/// removed.
pub fn mistyped() -> impl Strategy<Value = (String, String)> {
    // Longer than a machine word has bits, so that its distance takes more than one block.
    const LONG_LINE: &str = "let name = a_line.that(is) + longer.than(64, characters) or one machine word;";
    const TYPED: &[&str] = &["a", "b", "c", "é", "\u{1f600}", " ", "\t", "\n"];
    let line = select(
        &[
            "let a = b;",
            "let b = a;",
            "let a = bc;",
            "}",
            "",
            "  ab(é);",
            "  ab(\u{1f600}\u{1f601});",
            "aé",
            "a\u{1f600}",
            LONG_LINE,
        ][..],
    );
    let typo = (any::<Index>(), 0..3_u8, select(TYPED));
    (
        (prop::collection::vec(line, 0..9), 1..3_usize),
        0..9_usize,
        0..4_usize,
        prop::collection::vec(typo, 0..5),
        select(&["", "", "\n", "\n\n", " "][..]),
    )
        .prop_map(|((lines, times), from, count, typos, end)| {
            let from = from.min(lines.len());
            let needle = lines[from..(from + count).min(lines.len())].join("\n");
            let mut needle: Vec<char> = needle.chars().collect();
            for (at, kind, c) in typos {
                let at = at.index(needle.len() + 1);
                let taken = usize::from(kind > 0 && at < needle.len());
                needle.splice(at..at + taken, c.chars().filter(|_| kind < 2));
            }
            (vec![lines.join("\n"); times].join("\n"), needle.into_iter().collect::<String>() + end)
        })
}

/// A difference between a needle and its source text.
#[derive(Clone, Copy, Debug, Default)]
struct Drift {
    /// Every occurrence of the first text becomes the second.
    swap: Option<(&'static str, &'static str)>,
    /// No line begins with blanks, or none ends with them.
    trims: (bool, bool),
    /// Every line has these additional blanks at its start.
    indent: &'static str,
    /// It has one more text before it and another after it.
    around: (&'static str, &'static str),
}

fn drift() -> impl Strategy<Value = Drift> {
    let trimmed = |trims| Just(Drift { trims, ..Drift::default() });
    prop_oneof![
        2 => Just(Drift::default()),
        1 => select(&[
            ("\t", "    "), ("    ", "\t"), (" ", "  "), ("  ", " "), (" ", "\u{a0}"), ("\u{a0}", " "), ("\r\n", "\n"),
            ("\n", "\r\n"), ("\"", "\\\""), ("'", "\\'"), ("“", "\""), ("\n", "\\n"), ("\t", "\\t"), ("a", "b"), ("foo", "fo"),
        ][..]).prop_map(|swap| Drift { swap: Some(swap), ..Drift::default() }),
        1 => select(BLANKS).prop_map(|indent| Drift { indent, ..Drift::default() }),
        1 => trimmed((true, false)),
        1 => trimmed((true, true)),
        1 => (select(BLANKS), select(&["", " ", "\n", "\n\n", "\n  ", "\u{3000}"][..]))
            .prop_map(|around| Drift { around, ..Drift::default() }),
    ]
}

impl Drift {
    fn apply(self, text: &str) -> String {
        let Self { swap, trims, indent, around: (before, after) } = self;
        let text = swap.map_or_else(|| text.to_owned(), |(from, to)| text.replace(from, to));
        let lines = text.split('\n').map(|line| {
            let line = if trims.0 { line.trim_start() } else { line };
            [indent, if trims.1 { line.trim_end() } else { line }].concat()
        });
        format!("{before}{}{after}", lines.collect::<Vec<_>>().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    #[test]
    fn every_run_has_the_same_cases() {
        let [first, again] = [(); 2].map(|()| {
            let mut runner = TestRunner::new(config());
            (0..20).map(|_| pair().new_tree(&mut runner).unwrap().current()).collect::<Vec<_>>()
        });
        assert_eq!(first, again);
    }
}
