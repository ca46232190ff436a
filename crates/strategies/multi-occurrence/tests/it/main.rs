//! `multi-occurrence`: its worked cases and its definition.

mod oracle;

fuzzy_testkit::worked_cases!(fuzzy_multi_occurrence::link);
