//! The ladder `adaptive`: its decider, its model, and whole edits, drawn.

mod agreement;
mod blank_oracle;
mod drawing;
mod drift;
mod edits;
mod model;
mod needle_oracle;
mod refusals;
mod score;
mod support;
