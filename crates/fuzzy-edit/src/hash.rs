//! Hashes in hexadecimal.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of `bytes` in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// Returns the SHA-256 of several parts, which are told from the same bytes in other parts.
pub(crate) fn sha256_of<'p>(parts: impl Iterator<Item = &'p [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hexadecimal(&hash.finalize())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hash, byte| {
        let _ = write!(hash, "{byte:02x}");
        hash
    })
}
