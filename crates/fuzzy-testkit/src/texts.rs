//! Generated haystacks and needles with everything that goes wrong in real files.

use proptest::prelude::*;

/// Pieces of text from few and confusable parts, so that near misses and repetitions are frequent.
const PIECES: &[&str] = &[
    "a",
    "b",
    "ab",
    "foo",
    "foo(a, b)",
    "x = 1;",
    "}",
    "{",
    "return",
    "é",
    "ü",
    "\u{1f600}",
    "“q”",
    "\"q\"",
    "it's",
    "it\\'s",
    "\\n",
    "\\t",
    "\\\\",
    "\\",
    "$",
    "`",
    "\u{200b}",
    "e\u{301}",
];

/// Blanks and near blanks, multi-byte ones among them.
const BLANKS: &[&str] =
    &[" ", "  ", "    ", "\t", "\t\t", "\u{a0}", "\u{3000}", "\u{feff}", "\u{2028}", "\u{85}", "\r", ""];

fn line() -> impl Strategy<Value = String> {
    let part = prop_oneof![3 => prop::sample::select(PIECES), 2 => prop::sample::select(BLANKS)];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

/// Generates texts of up to `lines` lines: few distinct lines, indented, with `\n` or `\r\n`, with and without a
/// final line break.
pub fn text(lines: usize) -> impl Strategy<Value = String> {
    let distinct = prop::collection::vec(line(), 1..5);
    (
        distinct,
        prop::collection::vec((any::<prop::sample::Index>(), 0..BLANKS.len(), 0..8_u8), 0..=lines),
        any::<bool>(),
    )
        .prop_map(|(distinct, picks, final_break)| {
            let mut text = String::new();
            for (at, (pick, indent, ending)) in picks.iter().enumerate() {
                text.push_str(BLANKS[*indent]);
                text.push_str(&distinct[pick.index(distinct.len())]);
                if at + 1 < picks.len() || final_break {
                    text.push_str(if *ending == 0 { "\r\n" } else { "\n" });
                }
            }
            text
        })
}

/// Generates a haystack and a needle that is related to it: cut out of it and drifted in its blanks, or made of the
/// same few parts.
pub fn pair() -> impl Strategy<Value = (String, String)> {
    let cut = (text(12), any::<prop::sample::Index>(), any::<prop::sample::Index>(), drift()).prop_map(
        |(haystack, from, length, drift)| {
            let boundaries: Vec<usize> = haystack.char_indices().map(|(at, _)| at).chain([haystack.len()]).collect();
            let from = from.index(boundaries.len());
            let to = from + length.index(boundaries.len() - from);
            let needle = drift.apply(&haystack[boundaries[from]..boundaries[to]]);
            (haystack, needle)
        },
    );
    let lines =
        (text(12), any::<prop::sample::Index>(), 1..6_usize, drift()).prop_map(|(haystack, from, count, drift)| {
            let lines: Vec<&str> = haystack.split('\n').collect();
            let from = from.index(lines.len());
            let to = (from + count).min(lines.len());
            let needle = drift.apply(&lines[from..to].join("\n"));
            (haystack, needle)
        });
    prop_oneof![3 => cut, 3 => lines, 1 => (text(12), text(4))]
}

/// One way in which a needle differs from the text it was taken from.
#[derive(Clone, Copy, Debug)]
enum Drift {
    None,
    /// Every character that equals the first becomes the second.
    Swap(&'static str, &'static str),
    Indent(&'static str),
    Dedent,
    TrimLines,
    Wrap(&'static str, &'static str),
}

fn drift() -> impl Strategy<Value = Drift> {
    prop_oneof![
        2 => Just(Drift::None),
        1 => prop::sample::select(&[
            ("\t", "    "), ("    ", "\t"), (" ", "  "), ("  ", " "), (" ", "\u{a0}"), ("\u{a0}", " "), ("\r\n", "\n"),
            ("\n", "\r\n"), ("\"", "\\\""), ("'", "\\'"), ("“", "\""), ("\n", "\\n"), ("\t", "\\t"), ("a", "b"), ("foo", "fo"),
        ][..]).prop_map(|(from, to)| Drift::Swap(from, to)),
        1 => prop::sample::select(BLANKS).prop_map(Drift::Indent),
        1 => Just(Drift::Dedent),
        1 => Just(Drift::TrimLines),
        1 => (prop::sample::select(BLANKS), prop::sample::select(&["", " ", "\n", "\n\n", "\n  ", "\u{3000}"][..]))
            .prop_map(|(before, behind)| Drift::Wrap(before, behind)),
    ]
}

impl Drift {
    fn apply(self, text: &str) -> String {
        let lines = |change: &dyn Fn(&str) -> String| text.split('\n').map(change).collect::<Vec<_>>().join("\n");
        match self {
            Self::None => text.to_owned(),
            Self::Swap(from, to) => text.replace(from, to),
            Self::Indent(by) => lines(&|line| format!("{by}{line}")),
            Self::Dedent => lines(&|line| line.trim_start().to_owned()),
            Self::TrimLines => lines(&|line| line.trim().to_owned()),
            Self::Wrap(before, behind) => format!("{before}{text}{behind}"),
        }
    }
}
