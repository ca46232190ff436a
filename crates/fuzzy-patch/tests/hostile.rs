//! Input that no one means well: it may be refused, and it must end.

use fuzzy_patch::parse;

/// Each of these lines makes a reader look ahead, or keep something for later.
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

/// A line of a mebibyte, or as many short ones: what is looked at more than a few times would take minutes.
#[test]
fn ends_on_endless_repetitions() {
    const SIZE: usize = 1 << 20;
    for first in LINES {
        for second in LINES {
            let pair = format!("{first}\n{second}\n");
            let _ = parse(&pair.repeat(SIZE / 32 / pair.len()), Some("t"));
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

/// Every text of up to three of these lines, cut after any character of the last: no panic, and what is read is
/// within the patch.
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
                            assert!(patch.operations.iter().all(|it| lies_within(it.line)), "{text}");
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
