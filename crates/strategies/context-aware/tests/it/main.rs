//! `context-aware`: its worked cases, its definition, and pictures.

mod oracle;
mod pictures;

fuzzy_testkit::worked_cases!(fuzzy_context_aware::link);
