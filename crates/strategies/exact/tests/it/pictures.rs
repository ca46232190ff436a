//! Drawings of the candidates and refusals of `exact`.

fuzzy_testkit::pictures!(
    fuzzy_exact::Exact,
    (accepts_a_place_inside_a_line, "if ready { start(now); }\n", "start(now)"),
    (accepts_every_overlapping_place, "aaa", "aa"),
    (refuses_other_blanks, "if a {\n\tb();\n}\n", "if a {\n    b();"),
);
