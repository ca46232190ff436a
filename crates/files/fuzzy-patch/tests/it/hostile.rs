//! Hostile input: it may be rejected, and reading must end.

use fuzzy_patch::{Change, parse};
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Lines that make a reader look ahead or keep state.
const LINES: &[&str] = &[
    "<<<<<<< SEARCH",
    "<<<<<<<< SEARCH",
    "<<<<< SEARCH",
    "=======",
    "======",
    ">>>>>>> REPLACE",
    ">>>>>>>> REPLACE",
    "@@",
    "@@ -1,9 +1,9 @@",
    "--- a/x",
    "+++ b/x",
    "--- a/x\n+++ b/x",
    "diff --git a/x b/x",
    "diff --git \"a/x\\\" \\\" \\\"",
    "rename from x",
    "*** Begin Patch",
    "*** Update File: x",
    "*** Add File: x",
    "*** Move to: x",
    "*** End of File",
    "*** End Patch",
    "-- ",
    "",
    " ",
    "+",
    "-",
    "```",
    "```x a.rs",
    "a.rs",
    "\\ No newline at end of file",
];

/// A line of 128 KiB, or as many short ones: a reader that looks at them more than a few times would take
/// minutes.
#[test]
fn ends_on_endless_repetitions() {
    const SIZE: usize = 1 << 17;
    for first in LINES {
        for second in LINES {
            let pair = format!("{first}\n{second}\n");
            let _ = parse(&pair.repeat(SIZE / 8 / pair.len()), Some("t"));
        }
        let _ = parse(&format!("{first}\n").repeat(SIZE / (first.len() + 1)), Some("t"));
        let _ = parse(&first.repeat(SIZE / first.len().max(1)), Some("t"));
    }
    for byte in ["\"", "\\", " ", "<", "=", "`", "\r", "\u{feff}", "\0", "@"] {
        let _ = parse(&byte.repeat(SIZE / byte.len()), None);
        let _ = parse(&format!("--- \"{}", byte.repeat(SIZE / byte.len())), None);
        let _ = parse(&format!("diff --git \"{}", byte.repeat(SIZE / byte.len())), None);
    }
}

/// Every text of up to three of these lines, cut after any character of the last: no panic, and every edit is within
/// the patch.
#[test]
fn reads_or_refuses_every_short_combination() {
    for first in LINES {
        for second in LINES {
            for third in LINES {
                let text = format!("{first}\n{second}\n{third}");
                let lines = text.lines().count().max(1);
                for target in [None, Some("t")] {
                    match parse(&text, target) {
                        Ok(patch) => {
                            let lies_within = |line: usize| (1..=lines).contains(&line);
                            assert!(patch.files.iter().all(|it| lies_within(it.line)), "{text}");
                        }
                        Err(error) => {
                            assert!((1..=lines).contains(&error.line), "{text}: {error}");
                            assert!(error.next_step().ends_with('.'), "{error}");
                        }
                    }
                }
            }
        }
    }
}

/// A line that some reader searches, whole, cut or with a suffix, or an ordinary line.
fn line() -> impl Strategy<Value = String> {
    let mark = (prop::sample::select(LINES), 0..40_usize, prop::sample::select(&["", " ", "x", "\t", "\r"][..]))
        .prop_map(|(mark, cut, end)| mark.chars().take(cut).collect::<String>() + end);
    prop_oneof![
        4 => prop::sample::select(LINES).prop_map(str::to_owned),
        1 => mark,
        2 => (prop::sample::select(&["", " ", "+", "-"][..]), texts::text(1)).prop_map(|(mark, text)| mark.to_owned() + &text),
    ]
}

proptest! {
    #![proptest_config(texts::config())]

    /// Every line of an edit occurs in the patch; anything else is rejected with its line.
    #[test]
    fn reads_only_what_is_there(lines in prop::collection::vec(line(), 0..24), has_target in any::<bool>()) {
        let text = lines.join("\n");
        match parse(&text, has_target.then_some("t")) {
            Ok(patch) => {
                let mut written = Vec::new();
                for part in &patch.files {
                    match &part.change {
                        Change::Create { text } => written.push(text),
                        Change::Delete { text } => written.extend(text),
                        Change::Update { edits, .. } => {
                            written.extend(edits.iter().flat_map(|edit| [&edit.old, &edit.new]));
                        }
                    }
                }
                let is_there = |line: &str| text.contains(line.trim_end_matches('\r'));
                for part in written {
                    prop_assert!(part.split('\n').all(is_there), "{:?} in {:?}", part, text);
                }
            }
            Err(error) => {
                prop_assert!((1..=text.lines().count().max(1)).contains(&error.line), "{}", error);
                prop_assert!(error.next_step().ends_with('.'), "{}", error);
            }
        }
    }
}
