//! `alignment`: its worked cases and the contract of strategies.

mod contract;

fuzzy_testkit::worked_cases!(fuzzy_alignment::link);
