//! Drawings of the candidates and refusals of each variant of `line-trimmed`.

mod plain {
    fuzzy_testkit::pictures!(
        fuzzy_line_trimmed::LineTrimmed,
        (accepts_tabs_for_spaces, "if a {\n\tb();\n}\n", "if a {\n    b();\n}"),
        (accepts_a_line_of_blanks_as_a_blank_line, "a();\n\t \nb();\n", "a();\n\nb();"),
        (refuses_extra_blank_line, "a();\n\nb();\n", "a();\nb();"),
        (refuses_a_place_inside_a_line, "if a { b(); }\n", "b();"),
        (refuses_blanks_changed_inside_a_line, "f(a,  b);\n", "f(a, b);"),
    );
}

mod ends {
    fuzzy_testkit::pictures!(
        fuzzy_line_trimmed::Ends,
        (accepts_blanks_at_line_ends, "a();  \n\tb();\t\n", "a();\n\tb();"),
        (accepts_blank_lines_around, "x\na();\ny\n", "\n \na();\n\n"),
        (refuses_other_indentation, "\ta();\n", "    a();"),
        (refuses_a_place_inside_a_line, "if a { b(); }\n", "b();"),
        (refuses_extra_blank_line, "a();\n\nb();\n", "a();\nb();"),
    );
}

mod unicode {
    fuzzy_testkit::pictures!(
        fuzzy_line_trimmed::Unicode,
        (accepts_curly_quotes, "say(“it’s”);\n", "say(\"it's\");"),
        (accepts_hidden_characters_and_odd_spaces, "let\u{a0}f\u{200b}oo = 1;\n", "let foo = 1;"),
        (accepts_accents_apart, "cafe\u{301} — 1\n", "café - 1"),
        (refuses_other_indentation, "\tsay(“a”);\n", "  say(\"a\");"),
        (refuses_another_character, "say(«a»);\n", "say(\"a\");"),
        (refuses_runs_of_blanks, "a\u{a0}\u{a0}b\n", "a b"),
    );
}
