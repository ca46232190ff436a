//! What is reported.

mod failures;
