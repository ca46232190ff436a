//! Edits: the order of errors, literal replacement, `replace_all`, and line endings fitted to the file.

use std::ops::ControlFlow;

use fuzzy_core::{
    Decider, Document, Edit, Failure, Found, Ladder, LineRange, Pipeline, Policy, Query, Strategy, Trimmed,
};
use fuzzy_testkit::texts;
use proptest::prelude::*;

/// Proposes the needle's own places.
#[derive(Debug)]
struct Exact;

impl Strategy for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        query.occurrences(query.old()).try_for_each(|at| found.propose_equal(at, at + query.old().len()))
    }
}

/// Proposes windows of trimmed lines.
#[derive(Debug)]
struct Lines;

impl Strategy for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn candidates(&self, query: &Query<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        query
            .windows_equal_by(query.old_lines_trimmed(), &Trimmed, |span| found.propose_equal(span.start(), span.end()))
    }
}

fn pipeline(policy: &'static dyn Decider) -> Pipeline {
    Pipeline::new(Ladder::new("test", policy, vec![&Exact, &Lines]))
}

fn edit(file: &str, needle: &str, replacement: &str, replace_all: bool, fits: bool) -> Result<String, Failure> {
    let pipeline = pipeline(&Policy::UniqueText);
    let document = Document::new(file);
    let edit = Edit::new(needle, replacement).with_replace_all(replace_all);
    let attempt = edit.with_raw_endings(!fits).attempt(&pipeline, &document);
    attempt.apply().map(|applied| applied.output)
}

fn fitted(file: &str, needle: &str, replacement: &str) -> Result<String, Failure> {
    edit(file, needle, replacement, false, true)
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with the answer of an edit")]
fn text(output: &str) -> Result<String, Failure> {
    Ok(output.to_owned())
}

#[test]
fn identical_comes_before_an_empty_needle_and_both_before_the_search() {
    assert_eq!(edit("x", "", "", false, false), Err(Failure::Identical));
    assert_eq!(edit("x", "", "y", false, false), Err(Failure::EmptyOld));
    assert_eq!(edit("", "", "y", false, false), Err(Failure::EmptyOld));
    assert_eq!(edit("x", "z", "z", false, false), Err(Failure::Identical));
    assert_eq!(edit("x", "z", "y", false, false), Err(Failure::NotFound));
}

#[test]
fn a_replacement_is_literal() {
    assert_eq!(edit("a b", "b", "$& $1 \\n", false, false), text("a $& $1 \\n"));
}

#[test]
fn replace_all_takes_places_that_do_not_overlap_from_the_left() {
    assert_eq!(edit("aaaa a", "aa", "b", true, false), text("bb a"));
}

#[test]
fn a_mixed_file_keeps_its_other_line_breaks() {
    assert_eq!(fitted("a\r\n  b\r\nc\nd\r\n", "b\nc", "x\ny"), text("a\r\n  x\r\ny\nd\r\n"));
    assert_eq!(fitted("a\nb\r\nc\r\nd\n", "b\nc", "b\nnew\nc"), text("a\nb\r\nnew\r\nc\r\nd\n"));
}

#[test]
fn a_needle_that_stands_in_the_file_is_taken_as_given() {
    assert_eq!(fitted("a\r\nb\r\n", "a", "x\ny"), text("x\ny\r\nb\r\n"));
}

#[test]
fn no_line_break_is_cut() {
    // Without the view the window would end after the `\r`, and the file would lose it.
    assert_eq!(fitted(" a\r\n b\r\n", "a\r\nb", "x\r\ny"), text("x\r\ny\r\n"));
    assert_eq!(edit(" a\r\n b\r\n", "a\r\nb", "x\r\ny", false, false), text("x\r\ny\n"));
}

#[test]
fn a_line_without_a_break_takes_the_ending_of_its_neighbour() {
    assert_eq!(fitted("a\r\n b", "b ", "x\ny"), text("a\r\nx\r\ny"));
    assert_eq!(fitted("a\n b", "b ", "x\ny"), text("a\nx\ny"));
}

#[test]
fn texts_that_differ_in_line_endings_alone_are_identical_after_the_fit() {
    assert_eq!(fitted("a\nb\n", "a\r\nb", "a\nb"), Err(Failure::Identical));
}

#[test]
fn replace_all_counts_either_line_ending() {
    assert_eq!(edit("a\nb a\r\nb", "a\nb", "x\ny", true, true), text("x\ny x\r\ny"));
    assert_eq!(edit("a\nb a\r\nb", "a\nb", "x\ny", true, false), text("x\ny a\r\nb"));
}

#[test]
fn lines_are_counted_from_one_and_a_final_break_opens_no_line() {
    let file = "a\nb\nc\n";
    let pipeline = pipeline(&Policy::Refuse);
    let document = Document::new(file);
    let applied = Edit::new("b\n", "x\ny\n").run(&pipeline, &document);
    let applied = applied.unwrap();
    let lines = applied.replaced[0].lines(file, &applied.output);
    assert_eq!(lines, (LineRange { first: 2, last: 2 }, LineRange { first: 2, last: 3 }));
}

proptest! {
    #![proptest_config(texts::config())]

    #[test]
    fn bytes_outside_the_replaced_spans_never_change(
        file in "([ ]{0,2}[ab]{0,2}(\n|\r\n|\r)){0,8}[ab]{0,1}",
        needle in "([ ]{0,1}[ab]{1,2}(\n|\r\n)){0,2}[ab]{0,1}",
        replacement in "[xy\n]{0,4}",
        replace_all: bool,
        fits: bool,
    ) {
        let pipeline = pipeline(&Policy::UniqueText);
        let document = Document::new(file.as_str());
        let edit = Edit::new(&needle, &replacement).with_replace_all(replace_all);
        let attempt = edit.with_raw_endings(!fits).attempt(&pipeline, &document);
        if let Ok(applied) = attempt.apply() {
            let (mut old, mut new) = (0, 0);
            for replaced in &applied.replaced {
                prop_assert_eq!(&file[old..replaced.before.start()], &applied.output[new..replaced.after.start()]);
                if attempt.decide().has_normalized_line_endings() {
                    let is_cut = |at: usize| file[..at].ends_with('\r') && file[at..].starts_with('\n');
                    prop_assert!(!is_cut(replaced.before.start()) && !is_cut(replaced.before.end()));
                }
                (old, new) = (replaced.before.end(), replaced.after.end());
            }
            prop_assert_eq!(&file[old..], &applied.output[new..]);
            prop_assert_eq!(applied.replaced.len() == 1 || replace_all, true);
        }
    }
}
