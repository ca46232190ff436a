//! `context-aware`: its worked cases and its definition.

mod oracle;

fuzzy_testkit::worked_cases!(fuzzy_context_aware::link);
