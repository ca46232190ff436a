//! `alignment`: its worked cases, the contract of strategies, and pictures.

mod contract;
mod pictures;

fuzzy_testkit::worked_cases!(fuzzy_alignment::link);
