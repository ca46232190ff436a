//! Drawings of the candidates and refusals of each variant of `best-window`.

mod plain {
    fuzzy_testkit::pictures!(
        fuzzy_best_window::BestWindow,
        (accepts_the_most_similar_window, "x = compute(a);\ntotal = sum(values);\n", "total = sum(vals);"),
        (accepts_a_line_more, "first(1);\nx;\nsecond(2);\n", "first(1);\nsecond(2);"),
        (accepts_all_that_come_close, "total = 1;\n\n\ntotal = 2;\n", "total = 3;"),
        (refuses_what_is_not_alike_enough, "abcde-----\n", "abcdefghij"),
    );
}

mod boocode {
    fuzzy_testkit::pictures!(
        fuzzy_best_window::Boocode,
        (accepts_the_most_similar_window, "total = 12;\ntotal = 3;\n", "total = 4;"),
        (accepts_all_that_are_equally_alike, "total = 1;\ntotal = 2;\n", "total = 3;"),
        (accepts_two_thirds, "abcd--\n", "abcdef"),
        (refuses_less_than_two_thirds, "abc---\n", "abcdef"),
        (refuses_a_blank_needle, "a\n\nb\n", " \n"),
    );
}
