//! Naive rules for every edit: text that occurs once is replaced exactly, text that occurs more often is refused, only
//! the needle's lines change, and nothing is written twice.

use fuzzy_core::Failure;
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Decides about an edit; returns the whole new file if it lands.
fn decide(file: &str, needle: &str, replacement: &str) -> (Option<Failure>, Option<String>) {
    match crate::support::decide(file, needle, replacement, false).applied {
        Ok(applied) => (None, Some(applied.output)),
        Err(failure) => (Some(failure), None),
    }
}

/// A line of a file, blank lines of several kinds among them.
fn line() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec!["alpha", "beta", "gamma", "delta", "omega"]);
    let full = (prop::sample::select(vec!["", "    ", "        ", "\t"]), words.clone(), words);
    prop_oneof![
        3 => full.prop_map(|(indent, one, other)| format!("{indent}{one}({other});")),
        2 => prop::sample::select(vec!["", "", "  ", "\t", "    "]).prop_map(str::to_owned),
    ]
}

/// Lines of a file in which no two that are not blank are equal.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let numbered = |(at, line): (usize, String)| line.replace('(', &format!("{at}("));
    prop::collection::vec(line(), 3..14).prop_map(move |lines| lines.into_iter().enumerate().map(numbered).collect())
}

/// Miscopies lines.
fn drifted(lines: &[String], kind: usize) -> Vec<String> {
    let full = |line: &String| !line.trim().is_empty();
    let drift = |line: &String| match kind {
        0 if full(line) => format!("  {line}"),
        1 => line.replacen('(', "( ", 1),
        2 => line.trim().to_owned(),
        3 => line.replace(';', ""),
        _ => line.replace('\t', "    ").replace("        ", "\t"),
    };
    lines.iter().map(|line| if full(line) { drift(line) } else { line.clone() }).collect()
}

/// Makes one change to some lines.
fn edited(lines: &[String], at: usize, kind: usize) -> Vec<String> {
    let mut lines = lines.to_vec();
    match kind {
        0 => lines.insert(at, "    brandnew(line);".to_owned()),
        1 => lines.insert(at + 1, "    brandnew(line);".to_owned()),
        2 => lines.insert(at, String::new()),
        3 if lines.len() > 1 => drop(lines.remove(at)),
        _ => lines[at] = lines[at].replace('(', "(brandnew, "),
    }
    lines
}

/// Words of a file, and the marks between them.
fn tokens() -> impl Strategy<Value = Vec<&'static str>> {
    let word = prop::sample::select(vec!["alpha", "beta", "if", "x", "7"]);
    let mark =
        prop::sample::select(vec![" ", " ", "\n", "\n", "(", ")", ", ", " = ", ";\n", "\n\n", " {\n    ", "\n}\n"]);
    prop::collection::vec((word, mark), 3..14)
        .prop_map(|pairs| pairs.into_iter().flat_map(|(word, mark)| [word, mark]).collect())
}

/// A new text of words and marks, none of the words in any file.
fn fresh() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["new", "fresh", " ", "\n", "(", ");", "\n\n", "    "]);
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// Returns whether only blanks, and at least one, are before a place on its line.
fn begins_in_indentation(file: &str, at: usize) -> bool {
    let line = file[..at].rsplit('\n').next().unwrap_or_default();
    !line.is_empty() && line.trim().is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..texts::config() })]

    #[test]
    fn only_the_needles_lines_change(
        lines in lines(),
        first in any::<prop::sample::Index>(),
        length in 1..5_usize,
        (drift, at, change) in (0..5_usize, any::<prop::sample::Index>(), 0..5_usize),
        ending in prop::sample::select(vec!["\n", "\r\n"]),
        closed in any::<bool>(),
    ) {
        let first = first.index(lines.len());
        let last = (first + length).min(lines.len());
        let block = &lines[first..last];
        prop_assume!(block.iter().any(|line| !line.trim().is_empty()));
        let needle = drifted(block, drift).join("\n");
        let replacement = drifted(&edited(block, at.index(block.len()), change), drift).join("\n");
        prop_assume!(needle != replacement && !replacement.trim().is_empty());

        let file = lines.join(ending) + if closed { ending } else { "" };
        prop_assume!(!lines.join("\n").contains(&needle));
        let before: String = lines[..first].iter().flat_map(|line| [line, ending]).collect();
        let behind: String = lines[last..].iter().flat_map(|line| [ending, line]).collect();
        let behind = behind + if closed { ending } else { "" };
        if let (_, Some(output)) = decide(&file, &needle, &replacement) {
            let kept = output.starts_with(&before) && output.ends_with(&behind);
            prop_assert!(kept, "{:?} by {:?} in {:?}: {:?}", needle, replacement, file, output);
            let endings = output.matches('\n').count() == output.matches(ending).count()
                && (ending == "\r\n" || !output.contains('\r'));
            prop_assert!(endings, "{:?} by {:?} in {:?}: {:?}", needle, replacement, file, output);
            if change < 2 {
                let full = |line: &&str| !line.trim().is_empty() && !line.contains("brandnew");
                let kept = |text: &str| -> Vec<String> {
                    text.split('\n').filter(full).map(|line| line.trim_end_matches('\r').to_owned()).collect()
                };
                let whole = kept(&output) == kept(&file);
                prop_assert!(whole, "{:?} by {:?} in {:?}: {:?}", needle, replacement, file, output);
            }
        }
    }

    #[test]
    fn nothing_is_written_twice(
        lines in lines(),
        first in any::<prop::sample::Index>(),
        length in 2..6_usize,
        (drift, at, change) in (0..5_usize, any::<prop::sample::Index>(), 0..2_usize),
    ) {
        let first = first.index(lines.len());
        let block = &lines[first..(first + length).min(lines.len())];
        prop_assume!(block.iter().any(|line| !line.trim().is_empty()));
        let needle = drifted(block, drift).join("\n");
        let replacement = drifted(&edited(block, at.index(block.len()), change), drift).join("\n");
        let file = lines.join("\n") + "\n";
        if let (_, Some(once)) = decide(&file, &needle, &replacement)
            && let (_, Some(twice)) = decide(&once, &needle, &replacement)
        {
            let count = twice.matches("brandnew").count();
            prop_assert!(count == 1, "{:?} by {:?} in {:?}: {:?}", needle, replacement, file, twice);
        }
    }

    #[test]
    fn text_that_occurs_once_is_replaced_exactly(
        tokens in tokens(),
        first in any::<prop::sample::Index>(),
        length in 1..6_usize,
        new in fresh(),
    ) {
        let first = first.index(tokens.len());
        let last = (first + length).min(tokens.len());
        let (file, needle) = (tokens.concat(), tokens[first..last].concat());
        let at: usize = tokens[..first].iter().map(|token| token.len()).sum();
        let count = (0..file.len()).filter(|&at| file[at..].starts_with(&needle)).count();
        // Missing indentation has properties of its own, and a file without line breaks has no line ending.
        prop_assume!(new != needle && file.contains('\n') && !(begins_in_indentation(&file, at) && new.contains('\n')) && !new.trim().is_empty());
        // Text that both have after the place is written once.
        let rest = file[at + needle.len()..].lines().next().unwrap_or_default().trim_end();
        let mark = rest.chars().next().filter(|c| ")]},;".contains(*c));
        prop_assume!(rest.trim().is_empty() || !(new.trim_end().ends_with(rest) || mark.is_some_and(|mark| new.trim_end().ends_with(mark))));
        // The line break at its end is kept.
        let new = if needle.ends_with('\n') && !new.ends_with('\n') { new + "\n" } else { new };
        prop_assume!(new != needle);
        let (failure, output) = decide(&file, &needle, &new);
        if count > 1 {
            prop_assert!(matches!(failure, Some(Failure::Ambiguous { .. })), "{:?} in {:?}: {:?}", needle, file, failure);
            return Ok(());
        }
        let expected = [&file[..at], &new, &file[at + needle.len()..]].concat();
        prop_assert_eq!(output.as_ref(), Some(&expected), "{:?} by {:?} in {:?}: {:?}", needle, new, file, failure);

        // The same with other line endings in the file, in the edit, and in both.
        let wide = |text: &str| text.replace('\n', "\r\n");
        for (file, needle, new) in
            [(wide(&file), needle.clone(), new.clone()), (wide(&file), wide(&needle), new.clone()), (wide(&file), wide(&needle), wide(&new))]
        {
            let (failure, output) = decide(&file, &needle, &new);
            prop_assert_eq!(output, Some(wide(&expected)), "{:?} by {:?} in {:?}: {:?}", needle, new, file, failure);
        }
        let (failure, output) = decide(&file, &wide(&needle), &wide(&new));
        prop_assert_eq!(output, Some(expected), "{:?} by {:?} in {:?}: {:?}", needle, new, file, failure);
    }

    #[test]
    fn a_new_text_is_there_only_as_whole_lines(
        before in "(alpha|beta\n|  gamma\n){0,2}",
        added in "(one|one two|one\n  two)",
        after in "(|_helper|  three|3|\n|;\n|\none\n)",
        is_after in any::<bool>(),
    ) {
        // The line "old" has the added lines after or before it. The file continues the last of them.
        let new = if is_after { format!("old\n{added}") } else { format!("{added}\nold") };
        let file = if is_after { format!("{before}\nold\n{added}{after}") } else { format!("{before}\n{added}\nold\n{after}") };
        let is_there = !is_after || !after.lines().next().unwrap_or_default().contains(|c: char| c.is_alphanumeric() || c == '_');
        let (failure, output) = decide(&file, "old", &new);
        if is_there {
            prop_assert!(matches!(failure, Some(Failure::AlreadyApplied { .. })), "{:?} in {:?}: {:?}", new, file, output);
        } else {
            prop_assert_eq!(output, Some(file.replacen("old", &new, 1)), "{:?} in {:?}", new, file);
        }
    }
}

/// A block at a depth, and the same block as an author writes it: an indentation that all its lines share is missing.
#[derive(Clone, Debug)]
struct Stripped {
    file: String,
    needle: String,
    new: String,
    expected: String,
}

/// Edits of one line inside a function, with the old line's indentation missing in part or as a whole.
fn stripped() -> impl Strategy<Value = Stripped> {
    (2..5_usize, 0..3_usize, prop::collection::vec(0..2_usize, 0..4), any::<bool>()).prop_map(
        |(depth, kept, deeper, keeps_line)| {
            let (unit, kept) = ("  ", kept.min(depth - 1));
            let indent = unit.repeat(depth);
            // A line as deep as the place would be no line without its indentation.
            let added = [0].iter().chain(&deeper).enumerate().map(|(number, deeper)| {
                let line = format!("{}added_{number}()", unit.repeat(*deeper));
                if *deeper > 0 { line } else { format!("{line}:") }
            });
            let old = "old_line()".to_owned();
            let mut lines: Vec<String> = [old.clone()].into_iter().chain(added).collect();
            // The old line at the end of the new text shows that all lines lost the indentation.
            if keeps_line {
                "first_line():".clone_into(&mut lines[0]);
                lines.push(old.clone());
            }
            let file = |body: &str| format!("start:\n{indent}other_line()\n{body}\n{indent}last_line()\n");
            let with = |indent: &str| lines.iter().map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n");
            let kept = unit.repeat(kept);
            Stripped {
                file: file(&format!("{indent}{old}")),
                needle: format!("{kept}{old}"),
                new: with(&kept),
                expected: file(&with(&indent)),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..texts::config() })]

    #[test]
    fn lines_without_the_indentation_of_their_place_get_it(edit in stripped()) {
        let Stripped { file, needle, new, expected } = edit;
        let (failure, output) = decide(&file, &needle, &new);
        prop_assert_eq!(output.as_ref(), Some(&expected), "{}", failure.map_or(String::new(), |failure| failure.to_string()));
        let (failure, output) = decide(&expected, &needle, &new);
        prop_assert!(matches!(failure, Some(Failure::AlreadyApplied { .. })), "{:?}", output);
    }

    #[test]
    fn lines_with_the_indentation_of_their_place_keep_it(edit in stripped()) {
        let Stripped { file, new, expected, .. } = edit;
        let indent = expected.lines().nth(2).map_or("", |line| &line[..line.len() - line.trim_start().len()]);
        let lines = new.lines().map(|line| format!("{indent}{}", line.trim_start())).collect::<Vec<_>>().join("\n");
        let new = lines.trim_start();
        prop_assume!(new.contains('\n'));
        let (_, output) = decide(&file, "old_line()", new);
        prop_assert_eq!(output, Some(file.replacen("old_line()", new, 1)));
    }
}
