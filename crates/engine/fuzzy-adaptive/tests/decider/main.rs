//! The decider, through the ladder that it decides for.

mod agreement;
mod blank_oracle;
mod drift;
mod needle_oracle;
mod refusals;
mod support;
mod weighed;
