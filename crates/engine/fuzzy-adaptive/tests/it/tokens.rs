//! Edits whose old text has the tokens of the file, and other blanks: they land at these tokens, or are refused, and no
//! word of the file is torn.
//!
//! The generator writes files of numbered words, and joins and parts tokens itself: it knows nothing of the engine's
//! tokens.

use fuzzy_testkit::texts;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::support::decide;

/// Lines of a file, each as its tokens; no word occurs twice.
fn lines() -> impl Strategy<Value = Vec<Vec<String>>> {
    let mark = select(&["(", ")", "=", "+", ",", ".", "=>", "[", "]"][..]);
    let line = prop::collection::vec(mark, 2..6);
    prop::collection::vec(line, 3..7).prop_map(|lines| {
        let line = |(row, marks): (usize, Vec<&str>)| {
            let word = |at: usize| format!("word{row}x{at}");
            let tokens = marks.iter().enumerate().flat_map(|(at, mark)| [word(at), (*mark).to_owned()]);
            tokens.collect::<Vec<String>>()
        };
        lines.into_iter().enumerate().map(line).collect()
    })
}

/// Joins tokens with the given blanks.
fn join<'t>(tokens: &[&str], mut gaps: impl Iterator<Item = &'t str>) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { gaps.next().unwrap_or(" ") });
        text.push_str(token);
    }
    text
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
    #![proptest_config(texts::config())]

    #[test]
    fn a_piece_of_a_line_is_found_by_its_tokens(
        lines in lines(),
        row in any::<Index>(),
        (first, length, changed) in any::<(Index, Index, Index)>(),
        gaps in prop::collection::vec(select(&["", " ", "  "][..]), 12),
    ) {
        let text = |tokens: &Vec<String>| tokens.join(" ");
        let file = lines.iter().map(text).collect::<Vec<_>>().join("\n") + "\n";
        let line = &lines[row.index(lines.len())];
        let first = first.index(line.len() - 2);
        let tokens: Vec<&str> = line[first..first + 2 + length.index(line.len() - first - 1)].iter().map(String::as_str).collect();
        let needle = join(&tokens, gaps.iter().copied());
        prop_assume!(!file.contains(&needle));
        let words: Vec<&&str> = tokens.iter().filter(|token| token.starts_with("word")).collect();
        let word = words[changed.index(words.len())];
        let new = needle.replace(*word, "fresh");
        let answer = decide(&file, &needle, &new, false);
        prop_assert_eq!(answer.output(), Some(file.replace(*word, "fresh")), "{:?} in {:?}: {:?}", needle, file, answer);
    }

    #[test]
    fn wrapped_tokens_land_as_in_the_file_or_are_refused(
        lines in lines(),
        (first, length, changed) in any::<(Index, Index, Index)>(),
        gaps in prop::collection::vec(select(&["", " ", "\n", "\n    "][..]), 40),
    ) {
        let file = lines.iter().map(|tokens| tokens.join(" ")).collect::<Vec<_>>().join("\n") + "\n";
        let first = first.index(lines.len());
        let chosen = &lines[first..=first + length.index(lines.len() - first)];
        let tokens: Vec<&str> = chosen.iter().flatten().map(String::as_str).collect();
        let needle = join(&tokens, gaps.iter().copied());
        let words: Vec<&&str> = tokens.iter().filter(|token| token.starts_with("word")).collect();
        let word = words[changed.index(words.len())];
        let new = needle.replace(*word, "fresh");
        // A changed line may have the line breaks of the new text.
        let squeezed = |text: &str| text.replace([' ', '\n'], "");
        if let Some(output) = decide(&file, &needle, &new, false).output() {
            prop_assert_eq!(squeezed(&output), squeezed(&file.replace(*word, "fresh")), "{:?} in {:?}", needle, file);
        }
    }

    #[test]
    fn a_word_of_the_file_is_never_torn(
        (head, joint) in (select(&["read", "max", "db"][..]), select(&["_", "-", ".", ":", ""][..])),
        key in select(&["timeout", "width", "limit"][..]),
        mark in select(&[": ", " = ", "="][..]),
        (stale, now) in (10..50u32, 50..99u32),
        (indent, own) in (select(&["", "  ", "\t"][..]), select(&["", "    "][..])),
        context in any::<bool>(),
        ending in select(&["", "\n"][..]),
    ) {
        // The key has another value, and the value is that of the key with more before it.
        let file = format!("{indent}first{mark}1\n{indent}{head}{joint}{key}{mark}{stale}\n{indent}{key}{mark}{now}\n");
        let before = if context { format!("{own}first{mark}1\n") } else { String::new() };
        let text = |value: u32| format!("{before}{own}{key}{mark}{value}{ending}");
        let answer = decide(&file, &text(stale), &text(7), false);
        prop_assert!(answer.applied.is_err(), "{:?}: {:?}", file, answer.output());
    }

    #[test]
    fn the_rest_of_a_line_is_written_once(
        (start, rest) in ("[a-z]{3} = [a-z]{3}", select(&[";", ",", ") + tax;", "; // why", " * 2", "];"][..])),
        value in "[0-9]{2}",
        is_first_mark in any::<bool>(),
    ) {
        let (open, close) = match rest.chars().next() {
            Some(')') => ("(", true),
            Some(']') => ("[", true),
            _ => ("", !rest.starts_with(' ')),
        };
        let repeated = if is_first_mark && close { &rest[..1] } else { rest };
        let file = format!("one\n{start} {open}1{rest}\ntwo\n");
        let new = format!("{start} {open}{value}{repeated}");
        let answer = decide(&file, &format!("{start} {open}1"), &new, false);
        prop_assert_eq!(answer.output(), Some(format!("one\n{start} {open}{value}{rest}\ntwo\n")));
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

#[test]
fn a_head_that_the_new_text_has_keeps_its_lines() {
    let file = "a()\n\n  static public class One {\n}\n";
    // The old text lacks the keyword, and both texts have the blank line before.
    let (old, new) = ("\n   public class One {\n", "\n    static class One {\n");
    let answer = decide(file, old, new, false);
    assert_eq!(answer.output().as_deref(), Some("a()\n\n  static class One {\n}\n"));
}

#[test]
fn an_edit_that_is_made_at_one_of_two_equal_places_is_ambiguous() {
    let file =
        "s[::-1]\nslice[d :: d + 1]\ns[:c]\n\ns[::-1]\nslice[d::d + 1]\ns[:c]\n\ns[::-1]\nslice[d::d + 1]\ns[:c]\n";
    let (old, new) = ("s[::-1]\nsilce[d::d + 1]\ns[:c]", "s[::-1]\nslice[d :: d + 1]\ns[:c]");
    let answer = decide(file, old, new, false);
    assert!(matches!(answer.applied, Err(fuzzy_core::Failure::Ambiguous { .. })), "{answer:?}");
}
