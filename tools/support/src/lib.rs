//! What the commands of the workspace share.
//!
//! - [`run`]: starts processes, and keeps the score of steps.
//! - [`command`]: the command as it is tested and measured.
//! - [`metadata`]: what cargo knows about the workspace.
//! - [`table`]: tables and numbers as people read them.
//! - [`generated`]: the parts of documents that commands write.
//! - [`hex`]: hashes as people compare them.
//! - [`machine`]: what a figure was measured on.
//! - [`times`]: what several times come to.
//! - [`plot`]: where values lie in a picture.

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
