//! Code shared by the commands of the workspace.
//!
//! - [`run`]: starts processes, and summarizes steps.
//! - [`command`]: builds the command for tests and measurements.
//! - [`metadata`]: cargo's data about the workspace.
//! - [`table`]: tables and numbers for people.
//! - [`generated`]: the generated parts of documents.
//! - [`hex`]: hashes in hexadecimal.
//! - [`machine`]: the machine of a measurement.
//! - [`times`]: statistics of times.
//! - [`plot`]: positions of values in a picture.

#![expect(
    clippy::missing_errors_doc,
    reason = "an error ends the command, which says it: no caller tells one from another"
)]

pub mod command;
pub mod generated;
pub mod hex;
pub mod machine;
pub mod metadata;
pub mod plot;
pub mod run;
pub mod table;
pub mod times;
