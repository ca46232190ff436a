//! `whitespace-normalized`: its worked cases and its definition.

mod oracle;

fuzzy_testkit::worked_cases!(fuzzy_whitespace_normalized::link);
