//! Ids of git objects.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The id of a git object: 40 or 64 lower-case hexadecimal digits, checked at construction.
///
/// Every object id in an argument vector has this type, so git never reads an id from a database as an option or a
/// revision expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Oid(String);

impl Oid {
    /// Checks `text` and converts it.
    ///
    /// # Errors
    ///
    /// Returns `text` if it is no object id.
    pub fn new(text: impl Into<String>) -> Result<Self, String> {
        let text = text.into();
        let digits = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if digits && matches!(text.len(), 40 | 64) { Ok(Self(text)) } else { Err(text) }
    }

    /// Reads an id from a line of git's output.
    #[must_use]
    pub fn from_line(line: &[u8]) -> Option<Self> {
        Self::new(std::str::from_utf8(line).ok()?.trim_end_matches(['\n', '\r'])).ok()
    }

    /// Returns the digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the id of "no object" in the object format `format`.
    #[must_use]
    pub fn zero(format: &str) -> String {
        "0".repeat(if format == "sha256" { 64 } else { 40 })
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Oid {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::new(text).map_err(|text| format!("{text:?} is no object name"))
    }
}

impl From<Oid> for String {
    fn from(oid: Oid) -> Self {
        oid.0
    }
}

#[cfg(test)]
mod tests {
    use super::Oid;

    #[test]
    fn accepts_both_formats_and_nothing_else() {
        assert!(Oid::new("a".repeat(40)).is_ok());
        assert!(Oid::new("0".repeat(64)).is_ok());
        for bad in
            ["", "HEAD", "--all", &"A".repeat(40), &"a".repeat(41), &"a".repeat(39), &format!("{}\n", "a".repeat(39))]
        {
            assert!(Oid::new(bad).is_err(), "{bad:?}");
        }
    }
}
