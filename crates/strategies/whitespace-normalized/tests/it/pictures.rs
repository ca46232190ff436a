//! Drawings of the candidates and refusals of each variant of `whitespace-normalized`.

mod plain {
    fuzzy_testkit::pictures!(
        fuzzy_whitespace_normalized::WhitespaceNormalized,
        (accepts_a_line_with_other_runs, "x();\n\tf(a,  b);\n", "f(a, b);"),
        (accepts_the_first_place_inside_a_line, "if x { f(a,  b); f(a, b); }\n", "f(a, b);"),
        (accepts_line_breaks_moved, "a\nb  c\nd\n", "a b\nc"),
        (accepts_wide_blanks, "\u{3000}a\u{a0}\u{2003}b\n", "a b"),
        (refuses_a_blank_where_there_is_none, "f(a, b);\n", "f(a,b);"),
        (refuses_one_line_for_two, "a\nb\n", "a b"),
    );
}

mod collapsed {
    fuzzy_testkit::pictures!(
        fuzzy_whitespace_normalized::Collapsed,
        (accepts_a_line_broken_in_two, "x = f(a,\n    b);\n", "f(a, b)"),
        (accepts_blanks_before_the_needle_without_the_line_break, "{\n\tfoo();\n}\n", "    foo();"),
        (accepts_as_many_line_breaks_as_the_needle_ends_with, "foo();\n\n\nbar();\n", "foo();\n\n"),
        (refuses_blanks_where_the_file_has_none, "f(a,b);\n", "f(a, b);"),
        (refuses_a_blank_needle, "a\n\nb\n", " \n"),
    );
}

mod inline {
    fuzzy_testkit::pictures!(
        fuzzy_whitespace_normalized::Inline,
        (accepts_other_runs_inside_a_line, "\tlet  a\t= 1;\n", "\tlet a = 1;"),
        (accepts_a_run_at_the_end_with_all_of_its_blanks, "x =\u{3000} 1;\n", "= "),
        (refuses_other_indentation, "\tlet  a;\n", "    let a;"),
        (refuses_blanks_where_the_file_has_none, "f(a,b);\n", "f(a, b);"),
        (refuses_to_cut_a_run, "x    = 1;\n", "  = 1"),
        (refuses_a_line_broken_in_two, "f(a,\n  b);\n", "f(a, b);"),
    );
}
