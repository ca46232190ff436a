//! What `whitespace-normalized/inline` proposes and refuses, drawn.

use fuzzy_testkit::picture::picture;
use fuzzy_testkit::shared;
use fuzzy_whitespace_normalized::Inline;
use insta::assert_snapshot;

#[test]
fn shared_cases() {
    assert_snapshot!("shared_cases", shared::table(&Inline));
}

#[test]
fn accepts_other_runs_inside_a_line() {
    assert_snapshot!("accepts_other_runs_inside_a_line", picture(&Inline, "\tlet  a\t= 1;\n", "\tlet a = 1;"));
}

#[test]
fn accepts_a_run_at_the_end_with_all_of_its_blanks() {
    assert_snapshot!("accepts_a_run_at_the_end_with_all_of_its_blanks", picture(&Inline, "x =\u{3000} 1;\n", "= "));
}

#[test]
fn refuses_other_indentation() {
    assert_snapshot!("refuses_other_indentation", picture(&Inline, "\tlet  a;\n", "    let a;"));
}

#[test]
fn refuses_blanks_where_the_file_has_none() {
    assert_snapshot!("refuses_blanks_where_the_file_has_none", picture(&Inline, "f(a,b);\n", "f(a, b);"));
}

#[test]
fn refuses_to_cut_a_run() {
    assert_snapshot!("refuses_to_cut_a_run", picture(&Inline, "x    = 1;\n", "  = 1"));
}

#[test]
fn refuses_a_line_broken_in_two() {
    assert_snapshot!("refuses_a_line_broken_in_two", picture(&Inline, "f(a,\n  b);\n", "f(a, b);"));
}
