//! `trimmed-boundary`: its worked cases and its definition.

mod oracle;

fuzzy_testkit::worked_cases!(fuzzy_trimmed_boundary::link);
