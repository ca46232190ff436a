//! Drawings of the candidates and refusals of `escape-normalized`.

fuzzy_testkit::pictures!(
    fuzzy_escape_normalized::EscapeNormalized,
    (accepts_quotes_escaped_in_the_needle, "x = say(\"a\");\n", "say(\\\"a\\\")"),
    (accepts_a_line_break_escaped_in_the_needle, "a(); b();\nc(); d();\n", "b();\\nc();"),
    (accepts_lines_escaped_in_the_file, "x\nsay(\\\"a\\\");\ny\n", "say(\"a\");"),
    (accepts_lines_continued_in_the_file, "a \\\n  b\nc\n", "a \n  b"),
    (refuses_part_of_a_line_escaped_in_the_file, "x = say(\\\"a\\\");\n", "say(\"a\")"),
    (refuses_another_escape_sequence, "A\n", "\\x41"),
);
