//! Drawings of the candidates and refusals of `multi-occurrence`.

fuzzy_testkit::pictures!(
    fuzzy_multi_occurrence::MultiOccurrence,
    (accepts_every_place, "f();\ng();\nf();\n", "f();"),
    (refuses_a_place_that_overlaps_the_one_before, "aaa", "aa"),
);
