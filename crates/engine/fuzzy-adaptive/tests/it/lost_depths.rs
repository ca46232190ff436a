//! Properties of edits whose texts have lost indentation, or the rest of a line: they land as constructed, or are
//! refused.

use proptest::prelude::*;

use crate::support::decide;

/// A language: how it begins, continues and ends a block, and its step.
struct Language {
    opener: &'static str,
    branch: &'static str,
    closer: &'static str,
    step: &'static str,
    line: fn(usize) -> String,
}

const LANGUAGES: [Language; 4] = [
    Language { opener: "if ready:", branch: "else:", closer: "", step: "    ", line: |at| format!("python_{at}(job)") },
    Language { opener: "server:", branch: "", closer: "", step: "  ", line: |at| format!("yaml_{at}: job") },
    Language { opener: "build:", branch: "", closer: "", step: "\t", line: |at| format!("make_{at} job") },
    Language {
        opener: "if (ready) {",
        branch: "} else {",
        closer: "}",
        step: "  ",
        line: |at| format!("js_{at}(job);"),
    },
];

/// Which lines of a quote have lost their indentation.
#[derive(Clone, Copy, Debug)]
enum Lost {
    /// All of it.
    All,
    /// The step into the block.
    Step,
}

/// A block of `inner` lines between two others, and the edit that adds a line after line `after` of the quote.
#[derive(Clone, Copy, Debug)]
struct Case {
    language: usize,
    inner: usize,
    depth: usize,
    lost: Lost,
    after: usize,
}

impl Case {
    /// Returns file, old text, new text and result.
    fn texts(self) -> [String; 4] {
        let language = &LANGUAGES[self.language];
        let base = language.step.repeat(self.depth);
        let deeper = format!("{base}{}", language.step);
        let mut lines = vec![(base.as_str(), (language.line)(0)), (base.as_str(), language.opener.to_owned())];
        lines.extend((0..self.inner).map(|at| (deeper.as_str(), (language.line)(at + 1))));
        if !language.closer.is_empty() {
            lines.push((base.as_str(), language.closer.to_owned()));
        }
        lines.push((base.as_str(), (language.line)(9)));
        // A new line has the level of the line before it; after the opener, that of the body.
        let level = if self.after == 1 { deeper.as_str() } else { lines[self.after].0 };
        let mut after = lines.clone();
        after.insert(self.after + 1, (level, (language.line)(7)));
        let whole = |lines: &[(&str, String)]| {
            let text: Vec<String> = lines.iter().map(|(indent, line)| format!("{indent}{line}\n")).collect();
            format!("{}\n{}", (language.line)(20), text.concat())
        };
        let quote = |lines: &[(&str, String)]| -> String {
            let indent = if matches!(self.lost, Lost::All) { "" } else { &base };
            let quoted: Vec<String> = lines.iter().map(|(_, line)| format!("{indent}{line}\n")).collect();
            quoted.concat()
        };
        [whole(&lines), quote(&lines), quote(&after), whole(&after)]
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let lost = prop_oneof![Just(Lost::All), Just(Lost::Step)];
    (0..LANGUAGES.len(), 1..4usize, 1..4usize, lost).prop_flat_map(|(language, inner, depth, lost)| {
        (0..inner + 2).prop_map(move |after| Case { language, inner, depth, lost, after })
    })
}

/// A piece of a line: words before it, in it and after it, and the word that is changed.
fn pieces() -> impl Strategy<Value = (usize, usize, usize, usize)> {
    (0..4usize, 1..5usize, 0..4usize)
        .prop_filter("the piece is no whole line", |(before, _, after)| before + after > 0)
        .prop_flat_map(|(before, piece, after)| (0..piece).prop_map(move |at| (before, piece, after, at)))
}

fn words(range: std::ops::Range<usize>, prefix: &str) -> String {
    let words: Vec<String> = range.map(|at| format!("{prefix}{at}")).collect();
    words.join(" ")
}

proptest! {
    #[test]
    fn a_line_added_to_a_quote_that_lost_its_depths_has_its_depth(case in cases()) {
        let [file, old, new, expected] = case.texts();
        let answer = decide(&file, &old, &new, false);
        prop_assert_eq!(answer.output(), Some(expected), "{:?}", case);
    }

    #[test]
    fn a_block_without_its_depths_is_refused(case in cases()) {
        let [file, old, new, _] = case.texts();
        let language = &LANGUAGES[case.language];
        let line = (language.line)(7);
        let indent = new.lines().find_map(|text| text.strip_suffix(&line)).unwrap_or_default();
        let block = format!("{}\n{indent}{line}", language.opener.replace("er:", "ers:").replace("build:", "check:"));
        let answer = decide(&file, &old, &new.replace(&line, &block), false);
        prop_assert_eq!(answer.output(), None, "{:?}", case);
    }

    #[test]
    fn a_branch_that_the_old_text_forgot_keeps_its_block(case in cases(), is_deleted: bool) {
        let language = &LANGUAGES[case.language];
        prop_assume!(!language.branch.is_empty());
        let base = language.step.repeat(case.depth);
        let inner = (0..case.inner).map(|at| format!("{base}{}{}\n", language.step, (language.line)(at)));
        let head: String = std::iter::once(format!("{base}{}\n", language.opener)).chain(inner).collect();
        let rest = format!("{base}{}\n{base}{}{}\n", language.branch, language.step, (language.line)(8));
        let file = format!("{base}{}\n{head}{rest}{base}{}\n", (language.line)(10), language.closer);
        // A slip, so that the old text does not occur exactly.
        let old = head.replace('\n', " \n");
        let new = if is_deleted { format!("{base}{}\n", (language.line)(7)) } else { format!("{old}{base}{}\n", (language.line)(7)) };
        prop_assert_eq!(decide(&file, &old, &new, false).output(), None, "{}", file);
    }

    #[test]
    fn a_piece_of_a_line_is_replaced_in_its_line((before, piece, after, at) in pieces(), indent in 1..9usize) {
        let (before, after) = (words(0..before, "left"), words(0..after, "right"));
        let old = words(0..piece, "word");
        let new = old.replace(&format!("word{at}"), "other");
        let line = |text: &str| format!("first\n{}\nlast\n", [before.as_str(), text, after.as_str()].join("; "));
        let own_line = |text: &str| format!("{}{text}\n", " ".repeat(indent));
        let answer = decide(&line(&old), &own_line(&old), &own_line(&new), false);
        prop_assert_eq!(answer.output(), Some(line(&new)));
        let several = decide(&line(&old), &own_line(&old), &own_line(&format!("{new}\nmore")), false);
        prop_assert!(several.output().is_none_or(|output| output.lines().any(|line| line.starts_with(&before) && line.ends_with(&after))));
    }
}
