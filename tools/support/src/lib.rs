//! Code shared by the commands of the workspace: processes, cargo's metadata, tables, and figures of measurements.

#![expect(clippy::missing_errors_doc, reason = "an error ends the command, which prints it")]

pub mod command;
pub mod generated;
pub mod machine;
pub mod metadata;
pub mod run;
pub mod table;
pub mod times;

/// Hashes in hexadecimal.
pub mod hex {
    /// Writes bytes in hexadecimal digits, two for each.
    #[must_use]
    pub fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
    }
}
