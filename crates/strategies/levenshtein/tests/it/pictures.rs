//! Drawings of the candidates and refusals of `levenshtein`.

fuzzy_testkit::pictures!(
    fuzzy_levenshtein::Levenshtein,
    (accepts_a_typing_error, "x();\nlet total = 1;\n", "let totel = 1;"),
    (accepts_every_window_that_is_alike, "abcdef\nabcdeg\n", "abcdeX"),
    (refuses_a_fifth, "abcde\n", "abcdX"),
    (refuses_another_number_of_lines, "let total = 1;\n", "let total\n= 1;"),
);
