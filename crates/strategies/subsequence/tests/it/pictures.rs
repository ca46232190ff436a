//! Drawings of the candidates and refusals of `subsequence`.

fuzzy_testkit::pictures!(
    fuzzy_subsequence::Subsequence,
    (accepts_a_line_left_out, "{\n\ta();\n\tb();\n\tc();\n}\n", "a();\nc();"),
    (accepts_twice_as_many_lines, "a();\n1\n2\nb();\n", "a();\nb();"),
    (refuses_more_than_twice_as_many_lines, "a();\n1\n2\n3\nb();\n", "a();\nb();"),
    (refuses_another_order, "b();\na();\n", "a();\nb();"),
    (refuses_a_line_that_the_place_lacks, "a();\nc();\n", "a();\nb();\nc();"),
);
