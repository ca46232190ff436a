//! `escape-normalized`: its worked cases and its definition.

mod oracle;

fuzzy_testkit::worked_cases!(fuzzy_escape_normalized::link);
