//! Drawings of the candidates and refusals of each variant of `block-anchor`.

mod plain {
    fuzzy_testkit::pictures!(
        fuzzy_block_anchor::BlockAnchor::PLAIN,
        (accepts_an_only_block_whatever_is_in_it, "if a {\n    open(door);\n}\n", "if a {\n    42\n}"),
        (accepts_the_best_of_several, "{\n  aaaa\n}\n{\n  bbbb\n}\n", "{\n  bbbc\n}"),
        (accepts_the_first_of_equals, "{\n  ab\n}\n{\n  cb\n}\n", "{\n  xb\n}"),
        (refuses_several_that_are_not_alike, "{\n  aa\n}\n{\n  bb\n}\n", "{\n  cc\n}"),
        (refuses_two_lines, "a();\nb();\n", "a();\nb();"),
        (refuses_a_changed_last_line, "if ab {\n  x();\n} // end\n", "if ab {\n  x();\n}"),
    );
}

mod guarded {
    fuzzy_testkit::pictures!(
        fuzzy_block_anchor::BlockAnchor::GUARDED,
        (accepts_a_misspelt_line, "if a {\n    first();\n}\n", "if a {\n    fist();\n}"),
        (refuses_an_only_block_that_is_not_alike, "if a {\n    open(door);\n}\n", "if a {\n    42\n}"),
        (refuses_two_more_lines_than_the_needle, "{\n  a();\n  b();\n  c();\n}\n", "{\n  a();\n}"),
        (refuses_several_that_are_not_alike, "{\n  aabb\n}\n{\n  bbaa\n}\n", "{\n  aacc\n}"),
    );
}

mod whole {
    fuzzy_testkit::pictures!(
        fuzzy_block_anchor::Whole,
        (accepts_an_only_block_whatever_is_in_it, "if a {\n    completely different\n}\n", "if a {\n42\n}"),
        (accepts_the_best_of_several, "{\n  first();\n}\n{\n  second();\n}\n", "{\n  sekond();\n}"),
        (accepts_a_later_closing_line, "{\n  a();\n}\n  b();\n}\n", "{\n  a();\n}\n  c();\n}"),
        (accepts_all_that_are_equally_alike, "{\n1\n}\n{\n2\n}\n", "{\n3\n}"),
        (
            refuses_several_that_are_not_alike,
            "{\nabcdefghij klmnop\n}\n{\nqrstuvwxyz 012345\n}\n",
            "{\n================================\n}"
        ),
        (refuses_a_changed_first_line, "if ab {\n1\n}\n", "if ax {\n1\n}"),
        (refuses_two_lines, "{\n}\n", "{\n}"),
    );
}
