//! Code shared by the commands of the workspace: processes, cargo's metadata, tables.

#![expect(clippy::missing_errors_doc, reason = "an error ends the command, which prints it")]

pub mod command;
pub mod generated;
pub mod metadata;
pub mod run;
pub mod table;
