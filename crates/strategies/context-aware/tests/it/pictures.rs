//! Drawings of the candidates and refusals of `context-aware`.

fuzzy_testkit::pictures!(
    fuzzy_context_aware::ContextAware,
    (accepts_half_of_the_inner_lines, "{\n  a();\n  b();\n}\n", "{\n  a();\n  x();\n}"),
    (accepts_every_block_that_will_do, "{\n a\n b\n}\n{\n x\n b\n}\n", "{\n a\n b\n}"),
    (refuses_less_than_half, "{\n a\n b\n c\n}\n", "{\n a\n x\n y\n}"),
    (refuses_another_number_of_lines, "{\n a\n b\n}\n", "{\n a\n}"),
    (refuses_a_changed_first_line, "if ab {\n a\n}\n", "if ax {\n a\n}"),
);
