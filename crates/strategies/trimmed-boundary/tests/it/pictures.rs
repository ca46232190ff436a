//! Drawings of the candidates and refusals of each variant of `trimmed-boundary`.

mod plain {
    fuzzy_testkit::pictures!(
        fuzzy_trimmed_boundary::TrimmedBoundary,
        (accepts_blank_lines_around_the_needle, "a();\nb();\nc();\n", "\n\nb();\n"),
        (accepts_a_place_inside_a_line, "if a { b();}\n", "  b();  "),
        (accepts_the_text_then_the_line, "{\n\tb(); \n}\n", "  b();"),
        (refuses_a_needle_without_blanks_at_its_ends, "b();\n", "b();"),
        (refuses_blanks_changed_inside, "f(a,  b);\n", " f(a, b);"),
    );
}

mod text {
    fuzzy_testkit::pictures!(
        fuzzy_trimmed_boundary::Text,
        (accepts_blank_lines_around, "x\na();\nb();\ny\n", "\n\na();\nb();\n\n"),
        (accepts_a_place_inside_a_line, "x = f(a, b);\n", "  f(a, b) "),
        (refuses_blanks_changed_inside, "f(a,  b);\n", "\nf(a, b);\n"),
        (refuses_indentation_changed_on_a_second_line, "\ta();\n\tb();\n", "  a();\n  b();"),
        (refuses_a_blank_needle, "a\n\nb\n", "\n \n"),
    );
}
