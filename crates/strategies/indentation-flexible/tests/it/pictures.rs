//! Drawings of the candidates and refusals of each variant of `indentation-flexible`.

mod plain {
    fuzzy_testkit::pictures!(
        fuzzy_indentation_flexible::IndentationFlexible,
        (accepts_a_block_moved_as_a_whole, "fn f() {\n    if a {\n        b();\n    }\n}\n", "if a {\n    b();\n}"),
        (accepts_one_tab_for_one_space, "{\n\ta\n\tb\n}\n", " a\n b"),
        (refuses_lines_moved_against_each_other, "if a {\n        b();\n}\n", "if a {\n    b();\n}"),
        (refuses_blanks_on_a_blank_line, "  a\n  \n  b\n", "a\n\nb"),
        (refuses_blanks_at_a_line_end, "  a  \n  b\n", "a\nb"),
    );
}

mod stripped {
    fuzzy_testkit::pictures!(
        fuzzy_indentation_flexible::Stripped,
        (accepts_tabs_for_spaces, "if a {\n\tb();\n}\n", "    b();"),
        (accepts_a_start_behind_the_indentation, "if a {\n\tb();\n\tc();\n}\n", "b();\nc();"),
        (accepts_lines_moved_against_each_other, "  a();\n    b();\n", "  a();\n  b();"),
        (refuses_a_start_inside_a_line, "x = a();\n", "  a();"),
        (refuses_blanks_changed_inside_a_line, "\tlet  a;\n", "  let a;"),
        (refuses_extra_blank_line, "\ta();\n\n\tb();\n", "  a();\n  b();"),
    );
}
