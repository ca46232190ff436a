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

/// Returns the text written for a needle at `at`; it joins no whole lines.
fn pasted(file: &str, at: usize, needle: &str, new: &str) -> String {
    let (before, after) = (&file[..at], &file[at + needle.len()..]);
    let is_whole = (before.is_empty() || before.ends_with('\n')) && needle.ends_with('\n');
    let runs_on = !after.is_empty() && !after.starts_with('\n') && !new.is_empty() && !new.ends_with('\n');
    if is_whole && runs_on { format!("{new}\n") } else { new.to_owned() }
}

/// Returns whether lines without a word of the file would come between the halves of one, at an end of the needle's
/// only place.
fn parts_word(file: &str, needle: &str, new: &str) -> bool {
    let at = file.find(needle).unwrap_or(0);
    let is_inside = |at: usize| file[..at].ends_with(['a', 'b']) && file[at..].starts_with(['a', 'b']);
    new.trim().contains('\n') && (is_inside(at) || is_inside(at + needle.len()))
}

/// Returns whether the line breaks that a new text, found at `at`, has at its ends and the needle has not are blank
/// lines.
fn has_blank_ends(file: &str, needle: &str, new: &str, at: usize) -> bool {
    let (before, after) = (&file[..at], &file[at + new.len()..]);
    let begins = before.is_empty() || before.ends_with('\n') || !new.starts_with('\n') || needle.starts_with('\n');
    let ends = after.is_empty() || after.starts_with('\n') || !new.ends_with('\n') || needle.ends_with('\n');
    begins && ends
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
        prop_assume!(!file.contains(&needle));
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
        file in "[ab\n;]{1,40}",
        start in any::<prop::sample::Index>(),
        length in 1..12_usize,
        // None of it occurs in the file: text that both have beside the place is written once.
        replacement in "[xy\n,]{0,6}",
    ) {
        let start = start.index(file.len());
        let needle = &file[start..(start + length).min(file.len())];
        prop_assume!(needle != replacement);
        let count = (0..file.len()).filter(|&at| file[at..].starts_with(needle)).count();
        let (decision, output) = decide(&file, needle, &replacement);
        if count == 1 {
            let new = pasted(&file, file.find(needle).unwrap_or(0), needle, &replacement);
            let occurs = (0..file.len()).filter(|&at| file[at..].starts_with(&new));
            let applied = new.contains(needle) && occurs.clone().any(|at| has_blank_ends(&file, needle, &new, at));
            let expected = (!applied).then(|| file.replacen(needle, &new, 1));
            let is_parted = parts_word(&file, needle, &replacement);
            let is_pasted = output == expected;
            prop_assert!(is_pasted != is_parted, "{:?} by {:?} in {:?}: {:?}", needle, replacement, file, decision);
        } else if let Some(output) = output {
            // Only one of the places may be made of whole lines.
            let whole = |at: &usize| {
                let core = needle.trim_matches('\n');
                let at = at + needle.len() - needle.trim_start_matches('\n').len();
                let end = at + core.len();
                (at == 0 || file[..at].ends_with('\n')) && (end == file.len() || file[end..].starts_with('\n'))
            };
            let places: Vec<_> = (0..file.len()).filter(|&at| file[at..].starts_with(needle)).filter(whole).collect();
            let landed = places.iter().any(|&at| {
                let new = pasted(&file, at, needle, &replacement);
                [&file[..at], &new, &file[at + needle.len()..]].concat() == output
            });
            prop_assert!(places.len() == 1 && landed, "{:?} by {:?} in {:?}: {:?}", needle, replacement, file, output);
        } else {
            let refused = matches!(decision, Some(Failure::AlreadyApplied { .. } | Failure::Ambiguous { .. }));
            prop_assert!(refused, "{:?} by {:?} in {:?}: {:?}", needle, replacement, file, decision);
        }
    }
}
