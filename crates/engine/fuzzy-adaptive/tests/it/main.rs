//! The ladder `adaptive`: its decider, its model, and whole edits, drawn.
//!
//! Edits that land are in `tests/it/edits`, with snapshots in `tests/it/snapshots`. Every rule that refuses edits has a
//! folder `tests/rules/NAME` with edits that it refuses, near misses that land, and the snapshots of both; every slip that
//! is undone a folder `tests/slips/NAME`.

mod agreement;
mod base;
mod blank_oracle;
mod drawing;
mod drift;
mod edits;
mod failing;
mod few_kinds;
mod joints;
mod model;
mod needle_oracle;
mod own_evidence;
mod refusals;
mod rules;
mod score;
mod sequences;
mod siblings;
mod slips;
mod support;
mod tokens;
