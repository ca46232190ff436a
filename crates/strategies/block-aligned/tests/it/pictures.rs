//! Drawings of the candidates and refusals of `block-aligned`.

fuzzy_testkit::pictures!(
    fuzzy_block_aligned::BlockAligned,
    (accepts_a_block_moved_as_a_whole, "{\n\tif a {\n\t\tb();\n\t}\n}\n", "if a {\n\tb();\n}"),
    (accepts_tabs_for_the_shared_indentation, "{\n\ta(\n\t  b);\n}\n", "    a(\n      b);"),
    (refuses_a_tab_for_spaces_beyond_it, "{\n\ta(\n\t\tb);\n}\n", "    a(\n        b);"),
    (refuses_lines_moved_against_each_other, "  a();\n    b();\n", "a();\nb();"),
    (refuses_extra_blank_line, "\ta();\n\n\tb();\n", "  a();\n  b();"),
);
